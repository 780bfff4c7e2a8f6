//! The checker: names every violation in a plan, from the paths alone.

use crate::conflicts::{
    Crossed, Hold, arrange, crossed_ways, join_holds, keep_during, meetings, shared_nodes, sort_by_way,
};
use giveway_core::{
    Agent, AgentId, AtEnd, ConflictRule, Embedding, Motion, NodeId, Path, PathIn, PlanIn, SpaceGraph, Span, Tick,
};

use crate::violation::Violation;

/// Finds every violation in a plan of agents without extent: conflicts under a rule, moves that are not in the space,
/// wrong starts and goals, gaps in time and space.
///
/// The rules:
/// * Every path begins at tick 0 at its agent's start and ends on a goal. Each step begins at the tick and on the node
///   where the step before it ended.
/// * A step from node a to node b is legal if the space has a move from a to b, and if this move may
///   [begin](SpaceGraph::departs) at the tick at which the step begins. Actions, costs and lengths are not compared,
///   because in a plan from a file they are guesses. Standing is legal on every node that exists.
/// * Under [`ConflictRule::Swap`] a move takes 1 tick. An agent is on a node from the tick of its arrival up to and
///   including the tick at which it leaves. No two agents are on one node at one tick, and no two agents exchange their
///   nodes.
/// * Under [`ConflictRule::Following`] a move takes at least 1 tick. A move holds both of its nodes from its departure
///   up to, not including, its arrival; a rest holds its one node. No two agents hold one node at one tick. So agents
///   have a vertex conflict if they exchange nodes, or if one agent enters a node that another agent is still leaving.
/// * After its last step an agent stays for ever, unless it [disappears](AtEnd::Disappear). An agent that disappears is
///   on its last node at the tick of arrival only; under `Following` it is gone at that tick. If a path has a gap in
///   time, the agent stays during the gap on the node where its last step ended.
///
/// A conflict of two agents on a node is named once for each unbroken stretch of time, at the first tick of the
/// stretch: two agents that come to rest on one node are one violation.
///
/// Any plan may be checked, even an ill-formed plan. Time and memory are near linear in the number of steps of the
/// plan, plus the number of violations named. The number of ticks does not matter.
///
/// ```
/// use giveway_check::Checker;
/// use giveway_core::{Agent, AtEnd, ConflictRule, Motion, Move, NodeId, Path, Plan, SpaceGraph, Step};
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
/// /// The path over `nodes`, a tick each.
/// fn walk(nodes: &[u32]) -> Path<i32, u32> {
///     let mut path = Path::standing(NodeId(nodes[0]), 0, AtEnd::Stay);
///     path.steps = (0..).zip(nodes.windows(2)).map(|(tick, nodes)| {
///         let m = Corridor.moves(NodeId(nodes[0])).find(|m| m.to.0 == nodes[1]).unwrap();
///         Step { motion: Motion::Move(m), depart: tick, arrive: tick + 1 }
///     }).collect();
///     path
/// }
///
/// let agents = [(0, 2), (1, 3), (3, 1)].map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal)));
/// let plan = Plan { paths: vec![walk(&[0, 1, 2]), walk(&[1, 2, 3]), walk(&[3, 2, 1])] };
///
/// let violations = Checker::new(&Corridor, ConflictRule::Swap).check(&agents, &plan);
/// let named: Vec<String> = violations.iter().map(|violation| violation.to_string()).collect();
/// assert_eq!(named, [
///     "agent 1 and agent 2 are both on node 2 at tick 1",
///     "agent 0 and agent 2 exchange node 1 and node 2 at tick 1",
/// ]);
/// ```
#[derive(Debug)]
pub struct Checker<'a, S> {
    space: &'a S,
    pub(crate) rule: ConflictRule,
    position: Option<fn(&S, NodeId) -> [f32; 3]>,
    most: usize,
    during: Span,
}

impl<'a, S: SpaceGraph> Checker<'a, S> {
    /// A checker of plans in `space` under `rule`. It names every violation except [crossings](Self::with_crossings).
    pub fn new(space: &'a S, rule: ConflictRule) -> Self {
        Self { space, rule, position: None, most: usize::MAX, during: Span::endless(0) }
    }

    /// Also names crossings, under either rule: two moves whose straight lines cross while both moves are under way, as
    /// two diagonals cross in the middle of a square.
    ///
    /// Crossings are computed without rounding, in the plane of the first two coordinates. Two moves can cross only if
    /// the ranges of their heights, the third coordinate, overlap. Jumps count as lines, too. Lines that only touch,
    /// share an end or lie on each other do not cross. A move counts only if the space has a move between its two
    /// nodes. Memory grows with the number of pairs of moves in the plan whose lines cross, even if the moves happen at
    /// different times.
    #[must_use]
    pub fn with_crossings(self) -> Self
    where
        S: Embedding,
    {
        Self { position: Some(S::position), ..self }
    }

    /// Names at most `most` violations: the earliest violations.
    ///
    /// With many agents in one place, the number of violations grows with the square of the number of agents. Set this
    /// bound for plans from untrusted sources; time and memory are then near linear in the number of steps of the plan.
    #[must_use]
    pub fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Names only violations whose [tick](Violation::tick) is in `span`. Steps outside the span are read only where
    /// these violations depend on them.
    ///
    /// So a long trace can be checked in pieces, one span after the other, and all pieces together name what a check of
    /// the whole trace names. A piece needs all moves that begin in its span. For each agent, the piece also needs the
    /// place of the agent when the span begins, and the tick at which the agent came to that place. A move that is
    /// under way at the first tick of the span, or that ends at this tick, belongs to the piece.
    #[must_use]
    pub fn during(self, span: Span) -> Self {
        Self { during: span, ..self }
    }

    /// Every violation in `plan` for `agents`; the index of an agent is its id. Empty if and only if the plan is valid.
    ///
    /// The order is by [tick](Violation::tick); then by kind, in the order of the variants of [`Violation`]; then by
    /// agents.
    pub fn check(&self, agents: &[Agent], plan: &PlanIn<S>) -> Vec<Violation> {
        let mut violations = Vec::new();
        if agents.len() != plan.paths.len() {
            violations.push(Violation::Count { agents: agents.len(), paths: plan.paths.len() });
        }
        let ids = || (0..=u32::MAX).map(AgentId);
        for ((path, agent), id) in plan.paths.iter().zip(agents).zip(ids()) {
            check_ends(id, agent, path, &mut violations);
        }
        let steps: usize = plan.paths.iter().map(|path| path.steps.len()).sum();
        let (mut holds, mut rides) = (Vec::with_capacity(steps + plan.paths.len()), Vec::with_capacity(steps));
        let (mut own_holds, mut own_rides) = (Vec::new(), Vec::new());
        for (path, id) in plan.paths.iter().zip(ids()) {
            self.check_steps(id, path, &mut violations);
            self.follow(id, path, &mut own_holds, &mut own_rides);
            join_holds(&mut own_holds, &mut holds);
            join_holds(&mut own_rides, &mut rides);
        }
        self.conflicts(holds, rides, violations)
    }

    /// `violations` and all conflicts among `holds` and `rides`, in order.
    pub(crate) fn conflicts(
        &self,
        mut holds: Vec<Hold<NodeId>>,
        mut rides: Vec<Hold<[NodeId; 2]>>,
        mut violations: Vec<Violation>,
    ) -> Vec<Violation> {
        let during = self.during;
        keep_during(&mut holds, during);
        keep_during(&mut rides, during);
        shared_nodes(holds, during, self.most, &mut violations);
        sort_by_way(&mut rides);
        let crossed = match self.position {
            None => Crossed::new(),
            Some(position) => {
                let exists = |[a, b]: [NodeId; 2]| self.offers(a, b) || self.offers(b, a);
                crossed_ways(&rides, &exists, &|node| position(self.space, node))
            }
        };
        let exchanges = self.rule == ConflictRule::Swap;
        meetings(&rides, exchanges, &crossed, during, self.most, &mut violations);

        arrange(&mut violations, during, self.most);
        violations
    }

    /// Violations in the steps of one path.
    fn check_steps(&self, agent: AgentId, path: &PathIn<S>, violations: &mut Vec<Violation>) {
        let stands = |node, tick| (!self.exists(node)).then_some(Violation::NoSuchNode { agent, node, tick });
        violations.extend(stands(path.start, 0));
        let (mut at, mut now) = (path.start, 0);
        let departs =
            |at, arrive, depart| (arrive != depart).then_some(Violation::Gap { agent, node: at, arrive, depart });
        violations.extend(departs(at, now, path.depart));
        now = path.depart;
        for step in &path.steps {
            let (from, to) = ends(&step.motion);
            violations.extend(departs(at, now, step.depart));
            if from != at {
                violations.push(Violation::Jump { agent, from: at, to: from, tick: step.depart });
            }
            let lasts = step.arrive.checked_sub(step.depart).filter(|ticks| *ticks > 0);
            let (expected, right) = match &step.motion {
                Motion::Move(_) => match self.rule {
                    ConflictRule::Swap => (1, lasts == Some(1)),
                    ConflictRule::Following => (1, lasts.is_some()),
                },
                // A rest that would pass the end of time ends there.
                Motion::Rest { ticks, .. } => {
                    let room = Tick::MAX - step.depart;
                    ((*ticks).max(1), lasts == Some((*ticks).min(room)))
                }
            };
            if !right {
                violations.push(Violation::WrongDuration {
                    agent,
                    node: from,
                    depart: step.depart,
                    arrive: step.arrive,
                    expected,
                });
            }
            match &step.motion {
                Motion::Move(_) => violations.extend(self.forbidden(agent, from, to, step.depart)),
                Motion::Rest { node, .. } => violations.extend(stands(*node, step.depart)),
            }
            (at, now) = (to, step.arrive);
        }
    }

    /// Appends the nodes that the agent holds to `holds`, and the ways on which it is under way to `rides`. Each step
    /// counts at its own place and time, even out of order; a step that ends too early counts for one tick.
    fn follow(
        &self,
        agent: AgentId,
        path: &PathIn<S>,
        holds: &mut Vec<Hold<NodeId>>,
        rides: &mut Vec<Hold<[NodeId; 2]>>,
    ) {
        let mut hold = |node, begin, end| holds.push(lasting(agent, node, begin, end));
        hold(path.start, 0, path.depart.into());
        let (mut at, mut now) = (path.start, path.depart);
        for step in &path.steps {
            let (from, to) = ends(&step.motion);
            let arrive = u64::from(step.arrive);
            if now < step.depart {
                hold(at, now, step.depart.into());
            }
            hold(from, step.depart, arrive);
            match self.rule {
                // The agent is on the node at the tick of arrival.
                ConflictRule::Swap => hold(to, step.arrive, arrive + 1),
                ConflictRule::Following => hold(to, step.depart, arrive),
            }
            if let Motion::Move(_) = step.motion {
                rides.push(lasting(agent, [from, to], step.depart, arrive));
            }
            (at, now) = (to, step.arrive);
        }
        match path.at_end {
            AtEnd::Stay => hold(at, now, u64::MAX),
            // The last step holds everything already.
            AtEnd::Disappear => {}
        }
    }

    pub(crate) fn exists(&self, node: NodeId) -> bool {
        node.index() < self.space.node_bound() && self.space.contains(node)
    }

    /// The violation, if any, of a move from one node to another at `tick`.
    pub(crate) fn forbidden(&self, agent: AgentId, from: NodeId, to: NodeId, tick: Tick) -> Option<Violation> {
        let mut leads = false;
        if self.exists(from) && self.exists(to) {
            for m in self.space.moves(from).filter(|m| m.to == to) {
                if self.space.departs(&m, tick) {
                    return None;
                }
                leads = true;
            }
            // A shortcut has no times of its own.
            if !leads && self.is_shortcut(from, to) {
                return None;
            }
        }
        Some(match leads {
            true => Violation::OutOfTime { agent, from, to, tick },
            false => Violation::IllegalMove { agent, from, to, tick },
        })
    }

    pub(crate) fn offers(&self, from: NodeId, to: NodeId) -> bool {
        let leads = || self.space.moves(from).any(|m| m.to == to);
        self.exists(from) && self.exists(to) && (leads() || self.is_shortcut(from, to))
    }

    pub(crate) fn is_shortcut(&self, from: NodeId, to: NodeId) -> bool {
        self.space.shortcut(from, to, 0.0..=f32::INFINITY).is_some()
    }
}

/// Violations at the begin and the end of one path.
fn check_ends<A, C>(id: AgentId, agent: &Agent, path: &Path<A, C>, violations: &mut Vec<Violation>) {
    if path.start != agent.start {
        violations.push(Violation::WrongStart { agent: id, expected: agent.start, found: path.start });
    }
    let (found, tick) = match path.steps.last() {
        Some(step) => (ends(&step.motion).1, step.arrive),
        None => (path.start, path.depart),
    };
    if !agent.goals.contains(found) {
        violations.push(Violation::WrongGoal { agent: id, found, tick });
    }
}

/// The nodes at which `motion` begins and ends.
fn ends<A, C>(motion: &Motion<A, C>) -> (NodeId, NodeId) {
    match motion {
        Motion::Move(m) => (m.from, m.to),
        Motion::Rest { node, .. } => (*node, *node),
    }
}

/// The hold of `agent` on `place` from `begin` to `end`, one tick at least.
pub(crate) fn lasting<P>(agent: AgentId, place: P, begin: Tick, end: u64) -> Hold<P> {
    Hold { begin, place, agent, end: end.max(u64::from(begin) + 1) }
}
