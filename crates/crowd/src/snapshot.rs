//! Snapshots: a crowd as it was, in memory.

use std::fmt;

use giveway_core::Tick;

use crate::crowd::Crowd;
use crate::hash::Hashes;
use crate::state::State;
use giveway_members::store::Kept;

/// A crowd as it was when the snapshot was [taken](Crowd::snapshot). A snapshot takes less time and memory than a
/// clone. A snapshot answers no questions: [restore](Crowd::restore) a crowd to it first.
///
/// The snapshot has packed reservations, and leaves out what can be found again without a search. The snapshot shares
/// maps and ways with the crowd. Distances are shared as long as no search changes them. A [layer](crate::Class::layer)
/// behind a `&` or an `Arc` is one layer for all copies, and does not go back. A reservation store of your own is
/// cloned.
#[derive(Clone)]
pub struct Snapshot<'a> {
    /// Has no reservations.
    state: State<'a>,
    kept: Kept,
    reverse_before: u64,
}

impl fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("now", &self.now()).finish_non_exhaustive()
    }
}

impl Snapshot<'_> {
    /// The tick that begins next in the crowd as it was.
    pub fn now(&self) -> Tick {
        self.state.clock.now
    }

    /// The number of classes that the crowd had.
    pub(crate) fn classes(&self) -> u32 {
        self.state.world.count()
    }
}

impl<'a> Crowd<'a> {
    /// Takes a snapshot. The crowd can be [restored](Self::restore) to the snapshot any number of times. To go back
    /// some ticks again and again, use [`Rewind`](crate::Rewind). To write a file, use [`save`](Self::save).
    ///
    /// # Cost
    /// A snapshot takes memory in proportion to the units and their plans. Once a unit was sent [near a
    /// place](Self::send_near), the snapshot also takes 4 bytes for each place of the map. The call takes time in
    /// proportion to this memory, and looks at each reservation cell.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(20, 5)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let scouts = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let scout = crowd.add(scouts, Agent::new(at(0, 2), at(19, 2)))?;
    /// (0..5).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    ///
    /// // What if the scout turned back? Look, and forget it.
    /// let now = crowd.snapshot();
    /// crowd.send(scout, at(0, 0))?;
    /// (0..7).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    /// assert!(crowd.is_home(scout) == Some(true));
    /// crowd.restore(&now);
    /// assert_eq!((crowd.now(), crowd.node(scout)), (5, Some(at(5, 2))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Snapshot<'a> {
        let (state, kept) = self.state.without_store();
        Snapshot { state, kept, reverse_before: self.reverse_before }
    }

    /// Makes the crowd equal to the crowd of `snapshot`, as it was when the snapshot was taken: its agents, orders,
    /// plans and distances, and its spaces with their edits. The snapshot may be of another crowd. With equal calls,
    /// the crowd then goes on as the crowd of the snapshot did, to the last bit. [Recorded](Self::record_calls) calls
    /// that were not taken yet are forgotten.
    ///
    /// # Cost
    /// The call takes as much time as a clone of the crowd.
    pub fn restore(&mut self, snapshot: &Snapshot<'a>) {
        let mut state = snapshot.state.clone();
        state.restore(&snapshot.kept);
        let calls = self.calls.as_ref().map(|_| Vec::new());
        let reverse_before = snapshot.reverse_before;
        *self = Self { state, reverse_before, hashes: Hashes::default(), calls, called: self.called + 1 };
    }
}
