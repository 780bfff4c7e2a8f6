//! Floor plans: worlds of several heights, unfolded into the plane.

use giveway_core::{Trace, TracedPlace};

/// A rule for drawing worlds with heights: places are shifted in x and y, in proportion to their heights. So the floors
/// of a house lie beside each other in the picture, and stairs are lines from floor to floor.
///
/// To draw a [`Trace`], shift the trace with [`trace`](Self::trace), and shift the shapes of the backdrop with
/// [`place`](Self::place). Bodies, headings and ticks do not change. Checkers need the original trace, not the shifted
/// trace.
///
/// ```
/// use giveway_core::{Trace, TracedAgent, TracedMove, TracedPlace};
/// use giveway_render::FloorPlan;
///
/// // Floors are 3 units above each other; each is drawn 12 units to the right of the one below.
/// let plan = FloorPlan::new([4.0, 0.0]);
/// assert_eq!(plan.place([1.0, 2.0, 3.0]), [13.0, 2.0, 3.0]);
///
/// let [hall, gallery] = [[1.0, 2.0, 0.0], [1.0, 2.0, 3.0]].map(|at| TracedPlace::new(0, at));
/// let agent = TracedAgent::new(hall, vec![gallery], vec![TracedMove::new(0, 6, gallery)]);
/// let shown = plan.trace(&Trace::new(1, vec![agent]));
/// assert_eq!(shown.agents[0].moves[0].to.position, [13.0, 2.0, 3.0]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloorPlan {
    shift: [f32; 2],
}

impl FloorPlan {
    /// The rule that shifts a place by `shift`, in x and y, for each world unit of its height.
    pub const fn new(shift: [f32; 2]) -> Self {
        Self { shift }
    }

    /// The shifted position. The height does not change.
    pub fn place(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        [x + self.shift[0] * z, y + self.shift[1] * z, z]
    }

    /// `trace` with all positions shifted: in starts, goals, orders and moves.
    #[must_use]
    pub fn trace(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        let all = |place: &mut TracedPlace| place.position = self.place(place.position);
        for agent in &mut trace.agents {
            all(&mut agent.start);
            agent.goals.iter_mut().for_each(all);
            agent.orders.iter_mut().flat_map(|order| &mut order.goals).for_each(all);
            agent.moves.iter_mut().for_each(|traced| all(&mut traced.to));
        }
        trace
    }
}
