//! Reachable goals: which agents can arrive at all, found once for all agents, before any search in time.

use crate::instance::Instance;
use giveway_core::near::{Part, Parts, Passable, Reach};
use giveway_core::{Agent, Footprint, SpaceGraph};
use indexmap::IndexMap;

/// For each agent of `instance`, whether one of its goals can be reached from its start.
///
/// Takes time linear in the moves that all agents together can reach. If some of these moves lead one way only, and
/// agents start in several parts of the space, each such part takes that time.
pub(crate) fn can_arrive<S: SpaceGraph, F: Footprint<S>>(instance: &Instance<'_, S, F>) -> Vec<bool> {
    let (space, footprint) = (instance.space(), instance.footprint());
    let ground = Passable::new(space, |m| footprint.duration(space, m).is_some());
    let mut parts = Parts::default();
    let mut known: IndexMap<Part, Reach, rustc_hash::FxBuildHasher> = IndexMap::default();
    let mut arrives = |agent: &Agent| {
        parts.part(&ground, agent.start).is_some_and(|part| {
            let reach = known.entry(part).or_insert_with(|| parts.reach(part));
            agent.goals.nodes().iter().any(|goal| reach.contains(&parts, *goal))
        })
    };
    instance.agents().iter().map(&mut arrives).collect()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use giveway_core::{Cells, ConflictRule, EntryVisitor, MotionIn, Move, MoveIn, NodeId, Tick, Ticks};
    use rand::Rng as _;
    use rand::seq::SliceRandom as _;

    use super::*;
    use crate::order::random;

    /// Places joined by one-way roads; some are too narrow for the units at hand.
    struct Roads(Vec<Vec<(u32, bool)>>);

    impl Roads {
        /// Whether `to` can be reached from `from`, one road after the other.
        fn lead(&self, from: NodeId, to: NodeId) -> bool {
            let mut reached = vec![false; self.0.len()];
            reached[from.index()] = true;
            for _ in 0..self.0.len() {
                for (from, roads) in self.0.iter().enumerate() {
                    for (to, wide) in roads {
                        reached[*to as usize] |= reached[from] && *wide;
                    }
                }
            }
            reached[to.index()]
        }
    }

    impl SpaceGraph for Roads {
        type Action = usize;
        type Cost = u32;

        fn node_bound(&self) -> usize {
            self.0.len()
        }

        fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<usize, u32>> {
            let length = |wide: &bool| if *wide { 1.0 } else { 0.0 };
            self.0[from.index()].iter().enumerate().map(move |(action, (to, wide))| Move {
                from,
                to: NodeId(*to),
                action,
                cost: 1000,
                length: length(wide),
            })
        }
    }

    /// A unit that needs wide roads.
    struct Wide;

    impl Footprint<Roads> for Wide {
        fn cells(&self, _: &Roads) -> Cells {
            Cells::new(ConflictRule::Following, 0, 0)
        }

        fn duration(&self, _: &Roads, m: &MoveIn<Roads>) -> Option<Ticks> {
            (m.length > 0.0).then_some(1)
        }

        fn sweep(&self, _: &Roads, _: &MotionIn<Roads>, _: Tick, _: EntryVisitor<'_>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn who_can_arrive_is_whom_roads_lead_there() {
        let mut random = random(1);
        // Indexed by whether roads lead back: how many agents cannot arrive, and how many can.
        let mut counts = [[0; 2]; 2];
        for case in 0..1000 {
            let leads_back = case % 2;
            let nodes = random.random_range(2..24_u32);
            let mut roads = Roads(vec![Vec::new(); nodes as usize]);
            for _ in 0..random.random_range(0..nodes) {
                let (from, to) = (random.random_range(0..nodes), random.random_range(0..nodes));
                let wide = random.random_bool(0.9);
                roads.0[from as usize].push((to, wide));
                if leads_back == 1 {
                    roads.0[to as usize].push((from, wide));
                }
            }
            let mut goals: Vec<u32> = (0..nodes).collect();
            goals.shuffle(&mut random);
            // An agent's goals must not decide what another agent can reach.
            let most = random.random_range(1..=goals.len());
            let agents: Vec<Agent> =
                (0..nodes).zip(goals).map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal))).take(most).collect();
            let instance = Instance::new(&roads, &Wide, agents).unwrap();
            for (agent, arrives) in instance.agents().iter().zip(can_arrive(&instance)) {
                let led = roads.lead(agent.start, agent.goals.nodes()[0]);
                assert_eq!(arrives, led, "case {case}: {agent:?} in {:?}", roads.0);
                counts[leads_back][usize::from(arrives)] += 1;
            }
        }
        assert!(counts.iter().flatten().all(|count| *count > 300), "{counts:?}");
    }
}
