//! The checker for traces, in which agents come, go, and are put elsewhere.

use super::conflicts::{Hold, join_holds};
use crate::checker::{Checker, lasting};
use crate::violation::Violation;
use giveway_core::ConflictRule;
use giveway_core::{AgentId, NodeId, SpaceGraph, Ticks, Trace, TracedAgent, TracedMove};

impl<S: SpaceGraph> Checker<'_, S> {
    /// Every violation in the moves of `trace`, by the rules and in the order of [`check`](Self::check), with four
    /// differences. An agent is in the world only from the tick at which it appears up to, not including, the tick at
    /// which it vanishes. An agent may begin and end anywhere. A leap is not a move, and is always legal. The ticks
    /// of a [pause](giveway_core::TracedAgent::pauses) that lies within a move do not count towards the duration of the
    /// move. Positions and orders are not checked.
    ///
    /// ```
    /// use giveway_check::Checker;
    /// use giveway_core::{ConflictRule, Move, NodeId, SpaceGraph, Trace, TracedAgent, TracedMove, TracedPlace};
    ///
    /// /// A corridor of four cells.
    /// struct Corridor;
    ///
    /// impl SpaceGraph for Corridor {
    ///     type Action = i32;
    ///     type Cost = u32;
    ///
    ///     fn node_bound(&self) -> usize {
    ///         4
    ///     }
    ///
    ///     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
    ///         let to = [-1, 1].map(|action| (from.0.checked_add_signed(action), action));
    ///         to.into_iter().filter_map(move |(to, action)| {
    ///             let to = NodeId(to.filter(|to| *to < 4)?);
    ///             Some(Move { from, to, action, cost: 1000, length: 1.0 })
    ///         })
    ///     }
    /// }
    ///
    /// let place = |node: u32| TracedPlace::new(node, [node as f32, 0.0, 0.0]);
    /// let step = |tick, to| TracedMove::new(tick, tick + 1, place(to));
    /// let stays = TracedAgent::new(place(2), vec![], vec![]);
    /// let comes = TracedAgent::new(place(0), vec![place(2)], vec![step(3, 1), step(4, 2)]);
    /// let checker = Checker::new(&Corridor, ConflictRule::Swap);
    ///
    /// let violations = checker.check_trace(&Trace::new(1, vec![stays.clone(), comes.clone()]));
    /// assert_eq!(violations[0].to_string(), "agent 0 and agent 1 are both on node 2 at tick 5");
    ///
    /// let leaves = TracedAgent { vanishes: Some(5), ..stays };
    /// assert_eq!(checker.check_trace(&Trace::new(1, vec![leaves, comes])), []);
    /// ```
    pub fn check_trace(&self, trace: &Trace) -> Vec<Violation> {
        let mut violations = Vec::new();
        let (mut holds, mut rides) = (Vec::new(), Vec::new());
        let (mut own_holds, mut own_rides) = (Vec::new(), Vec::new());
        for (traced, id) in trace.agents.iter().zip((0..=u32::MAX).map(AgentId)) {
            self.check_moves(id, traced, &mut violations);
            self.follow_trace(id, traced, &mut own_holds, &mut own_rides);
            join_holds(&mut own_holds, &mut holds);
            join_holds(&mut own_rides, &mut rides);
        }
        self.conflicts(holds, rides, violations)
    }

    /// Violations in the moves of one agent.
    fn check_moves(&self, agent: AgentId, traced: &TracedAgent, violations: &mut Vec<Violation>) {
        let stands = |node, tick| (!self.exists(node)).then_some(Violation::NoSuchNode { agent, node, tick });
        let (mut at, mut now) = (NodeId(traced.start.node), traced.appears);
        violations.extend(stands(at, now));
        for step in &traced.moves {
            let to = NodeId(step.to.node);
            if step.depart < now {
                violations.push(Violation::Gap { agent, node: at, arrive: now, depart: step.depart });
            }
            if step.arrive == step.depart {
                violations.extend(stands(to, step.depart));
            } else {
                let lasts = step.arrive.checked_sub(step.depart).map(|ticks| ticks - paused(traced, step));
                let right = lasts.is_some_and(|ticks| ticks == 1 || ticks > 1 && self.rule == ConflictRule::Following);
                if !right {
                    let (depart, arrive) = (step.depart, step.arrive);
                    violations.push(Violation::WrongDuration { agent, node: at, depart, arrive, expected: 1 });
                }
                violations.extend(self.forbidden(agent, at, to, step.depart));
            }
            (at, now) = (to, step.arrive);
        }
    }

    /// Appends the nodes that the agent holds, and the ways on which it is under way, while it is there.
    fn follow_trace(
        &self,
        agent: AgentId,
        traced: &TracedAgent,
        holds: &mut Vec<Hold<NodeId>>,
        rides: &mut Vec<Hold<[NodeId; 2]>>,
    ) {
        let last = traced.vanishes.map_or(u64::MAX, u64::from);
        let mut hold = |node, begin, end: u64| {
            if u64::from(begin) < last.min(end) {
                holds.push(lasting(agent, node, begin, end.min(last)));
            }
        };
        let (mut at, mut now) = (NodeId(traced.start.node), traced.appears);
        for step in &traced.moves {
            let to = NodeId(step.to.node);
            let arrive = u64::from(step.arrive);
            // An agent stands until its departure; an agent that leaps is gone at that tick.
            hold(at, now, step.depart.into());
            if step.depart < step.arrive {
                hold(at, step.depart, arrive);
                if self.rule == ConflictRule::Following {
                    hold(to, step.depart, arrive);
                }
                if u64::from(step.depart) < last {
                    rides.push(lasting(agent, [at, to], step.depart, arrive.min(last)));
                }
            }
            (at, now) = (to, step.arrive);
        }
        hold(at, now, u64::MAX);
    }
}

/// The ticks of the pauses of `traced` that lie within `step`. Pauses that are out of order do not count.
fn paused(traced: &TracedAgent, step: &TracedMove) -> Ticks {
    let first = traced.pauses.partition_point(|pause| pause.end <= step.depart);
    let (mut ticks, mut free) = (0, step.depart);
    for pause in traced.pauses[first..].iter().take_while(|pause| pause.start < step.arrive) {
        if free <= pause.start && pause.start < pause.end && pause.end <= step.arrive {
            ticks += pause.end - pause.start;
            free = pause.end;
        }
    }
    ticks
}
