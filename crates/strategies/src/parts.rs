//! The parts into which a space falls: who cannot arrive, found once for all agents, before anyone searches time.

use giveway_core::{Agent, Footprint, Instance, NodeId, SpaceGraph};

/// The nodes that can be reached from some start, in sets that no move connects.
///
/// Moves count in both directions here. So in a space where each has its inverse, a goal is in its agent's part exactly if it can be reached; in
/// others, a goal that is not cannot be reached, and one that is perhaps not either.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// A forest, by node: 0: not reached; else one more than the parent, and the root is its own.
    parents: Vec<u32>,
}

impl Parts {
    /// The parts of the space of `instance`, by the moves that its footprint can make: in time linear in their number, nearly, and in memory linear in
    /// the largest node that is reached.
    pub(crate) fn of<S: SpaceGraph, F: Footprint<S>>(instance: &Instance<'_, S, F>) -> Self {
        let (space, footprint) = (instance.space(), instance.footprint());
        let bound = space.node_bound();
        let mut parts = Self::default();
        let mut open: Vec<NodeId> = Vec::new();
        for agent in instance.agents() {
            if parts.reach(agent.start) {
                open.push(agent.start);
            }
            while let Some(node) = open.pop() {
                for m in space.moves(node) {
                    if m.to.index() >= bound || footprint.duration(space, &m).is_none() {
                        continue;
                    }
                    if parts.reach(m.to) {
                        open.push(m.to);
                    }
                    parts.join(node, m.to);
                }
            }
        }
        parts
    }

    /// Whether a goal of `agent` lies in the part of its start. If none does, none can be reached.
    pub(crate) fn may_arrive(&mut self, agent: &Agent) -> bool {
        let start = self.root(agent.start);
        agent.goals.nodes().iter().any(|goal| self.is_reached(*goal) && self.root(*goal) == start)
    }

    fn is_reached(&self, node: NodeId) -> bool {
        self.parents.get(node.index()).is_some_and(|parent| *parent != 0)
    }

    /// Makes `node` a set of its own, unless it is in one. Whether it was in none.
    fn reach(&mut self, node: NodeId) -> bool {
        if node.index() >= self.parents.len() {
            self.parents.resize(node.index() + 1, 0);
        }
        let parent = &mut self.parents[node.index()];
        let new = *parent == 0;
        if new {
            // Ids are below a bound of 32 bits.
            *parent = node.0 + 1;
        }
        new
    }

    /// The root of the set of `node`, which has been reached. Halves the way there.
    fn root(&mut self, node: NodeId) -> NodeId {
        let parent = |parents: &[u32], node: NodeId| NodeId(parents[node.index()] - 1);
        let mut node = node;
        loop {
            let above = parent(&self.parents, node);
            if above == node {
                return node;
            }
            let next = parent(&self.parents, above);
            self.parents[node.index()] = next.0 + 1;
            node = next;
        }
    }

    /// Makes one set of those of `a` and `b`, both of which have been reached.
    fn join(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.root(a), self.root(b));
        let (upper, lower) = (a.min(b), a.max(b));
        self.parents[lower.index()] = upper.0 + 1;
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use giveway_core::{Cells, ConflictRule, EntryVisitor, MotionIn, Move, MoveIn, Tick, Ticks};
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
            Cells::new(ConflictRule::BothCells, 0, 0)
        }

        fn duration(&self, _: &Roads, m: &MoveIn<Roads>) -> Option<Ticks> {
            (m.length > 0.0).then_some(1)
        }

        fn sweep(&self, _: &Roads, _: &MotionIn<Roads>, _: Tick, _: EntryVisitor<'_>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn no_goal_that_can_be_reached_is_excluded_and_where_all_roads_lead_back_every_other_is() {
        let mut random = random(1);
        // By whether roads lead back: how many agents can arrive, and how many are said to be unable to.
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
            // Nobody's way may be what makes a part for another.
            let most = random.random_range(1..=goals.len());
            let agents: Vec<Agent> =
                (0..nodes).zip(goals).map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal))).take(most).collect();
            let instance = Instance::new(&roads, &Wide, agents).unwrap();
            let mut parts = Parts::of(&instance);
            for agent in instance.agents() {
                let arrives = roads.lead(agent.start, agent.goals.nodes()[0]);
                let may = parts.may_arrive(agent);
                assert!(may || !arrives, "case {case}: {agent:?} in {:?}", roads.0);
                if leads_back == 1 {
                    assert_eq!(may, arrives, "case {case}: {agent:?} in {:?}", roads.0);
                }
                counts[leads_back][0] += u32::from(arrives);
                counts[leads_back][1] += u32::from(!may);
            }
        }
        assert!(counts.iter().flatten().all(|count| *count > 300), "{counts:?}");
    }
}
