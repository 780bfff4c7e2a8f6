//! Which agents want to go along a current, and against it.

use giveway_core::AgentId;

use super::vectors::{dot, minus};
use crate::state::State;
use giveway_members::world::currents::{Current, squared};

/// A current is lopsided if more than `MANY` agents want to go against it, and more than `LOPSIDED` times as many as
/// along it.
const LOPSIDED: usize = 4;
const MANY: usize = 32;

/// No current begins that more than `MANY` agents want to go against, and more than `UNEVEN` times as many as along it:
/// it would soon be lopsided.
const UNEVEN: usize = 2;

/// The agents under way that have to pass a place along an axis, and against it.
#[derive(Default)]
pub(super) struct Wanting {
    pub(super) count: [usize; 2],
    /// The nearest of each; of two as near as each other, the one with the lower id.
    pub(super) nearest: [Option<(Nearness, AgentId)>; 2],
}

/// How near an agent is to a current. Agents that are in the current come last: they may have to turn there, which they
/// cannot do without going against it, and that says nothing about the ways of the others.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Nearness {
    pub(super) is_inside: bool,
    square: f32,
}

impl Nearness {
    pub(super) fn to(&Current { at, radius, .. }: &Current, position: [f32; 3]) -> Self {
        let square = squared(position, at);
        Self { is_inside: square < radius * radius, square }
    }

    /// Whether the agent is outside `current`, and no farther from its edge than it is wide.
    pub(super) fn is_beside(self, current: &Current) -> bool {
        let reach = 3.0 * current.radius;
        !self.is_inside && self.square <= reach * reach
    }
}

impl Wanting {
    /// Whether so many want to go against the current that it had better end. They queue up where others let them pass,
    /// and here hardly anybody passes.
    pub(super) fn is_lopsided(&self) -> bool {
        self.exceeds(LOPSIDED)
    }

    /// Whether the current had better not begin.
    pub(super) fn is_uneven(&self) -> bool {
        self.exceeds(UNEVEN)
    }

    fn exceeds(&self, ratio: usize) -> bool {
        let [along, against] = self.count;
        against > MANY && against > ratio * along
    }

    /// Those that have to pass the plane through the middle of `current` across its direction.
    pub(super) fn of(state: &State<'_>, current: &Current) -> Self {
        let Current { at, direction: axis, .. } = *current;
        let mut wanting = Self::default();
        for member in state.roster.members().filter(|member| member.is_under_way()) {
            let class = &state.world[member.class()];
            let goal = member.order.goals().nodes().first().and_then(|goal| class.position(*goal));
            let (Some(here), Some(goal)) = (class.position(member.motion.node()), goal) else { continue };
            let nearness = Nearness::to(current, here);
            let [here, goal] = [here, goal].map(|place| dot(minus(place, at), axis));
            let side = match (here < 0.0, goal < 0.0) {
                (true, false) => 0,
                (false, true) => 1,
                _ => continue,
            };
            wanting.count[side] += 1;
            let nearest = &mut wanting.nearest[side];
            if nearest.is_none_or(|(known, _)| nearness < known) {
                *nearest = Some((nearness, member.id()));
            }
        }
        wanting
    }
}

#[cfg(test)]
mod tests {
    use giveway_bodies::{Body, Ground};
    use giveway_core::Agent;
    use giveway_spaces::Grid;

    use super::*;
    use crate::{Class, Crowd, CrowdSettings};

    #[test]
    fn a_current_begins_at_twice_as_many_against_it_and_ends_beyond_four_times_as_many() {
        let judged = |count| {
            let wanting = Wanting { count, ..Wanting::default() };
            (wanting.is_uneven(), wanting.is_lopsided())
        };
        // Against no more than 32 agents it makes no difference how few go along.
        assert_eq!([[0, 32], [0, 33]].map(judged), [(false, false), (true, true)]);
        assert_eq!([[20, 40], [20, 41]].map(judged), [(false, false), (true, false)]);
        assert_eq!([[20, 80], [20, 81]].map(judged), [(true, false), (true, true)]);
        assert_eq!(judged([81, 20]), (false, false));
    }

    #[test]
    fn agents_outside_a_current_are_asked_before_agents_in_it() {
        let grid = Grid::open(15, 5).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = Class::for_body(&Body::square(1).unwrap(), &grid, Ground::from_grid(&grid), 1).unwrap();
        let class = crowd.add_class(class).unwrap();
        let mut add = |from, to| {
            let [from, to] = [from, to].map(|x| grid.node(x, 2).unwrap());
            crowd.add(class, Agent::new(from, to)).unwrap()
        };
        let [inside, near, far, back] = [add(6, 14), add(4, 13), add(2, 12), add(10, 0)];
        let current = Current { at: [7.0, 2.0, 0.0], direction: [1.0, 0.0, 0.0], radius: 2.0 };
        let asked = |crowd: &Crowd<'_>| {
            let Wanting { count, nearest } = Wanting::of(&crowd.state, &current);
            (count, nearest.map(|agent| agent.map(|(_, agent)| agent)))
        };
        assert_eq!(asked(&crowd), ([3, 1], [Some(near), Some(back)]));
        [near, far].into_iter().for_each(|agent| crowd.remove(agent).unwrap());
        assert_eq!(asked(&crowd), ([1, 1], [Some(inside), Some(back)]));
    }
}
