//! Runs: a crowd that lives through a scenario, with orders at random.

use std::collections::BTreeMap;

use giveway_core::heuristic::Octile;
use giveway_core::store::IntervalTable;
use giveway_core::{Agent, AgentId, Goals, NodeId, SpaceGraph, Tick};
use giveway_crowd::{Budget, Chain, Class, ClassId, Crowd, CrowdError, Leg, Margin, Reason, Report};
use giveway_distance::TrueDistances;
use rand::Rng;
use rand::seq::IndexedRandom;

use crate::crowd_never_collides::record::Record;
use crate::crowd_never_collides::scenario::{Budgets, Random, Scenario, free_nodes, random};
use crate::crowd_never_collides::totals::Totals;

/// A call to a crowd.
#[derive(Clone, Debug)]
enum Call {
    Add(Agent),
    Remove(AgentId),
    Send(AgentId, Goals),
    SendShared(AgentId, Goals),
    SendNear(AgentId, NodeId),
    SendAlong(AgentId, Vec<(Tick, NodeId)>),
    Predict(AgentId, Vec<(Tick, NodeId)>, Margin),
    Walk(AgentId, NodeId),
    SetPriority(AgentId, i32),
    PlaceNear(AgentId, NodeId),
    Stop(AgentId),
    Place(AgentId, NodeId),
    SetChain(AgentId, Chain),
    Hold(AgentId, u32),
    /// Asking is no order, but aimed reverse searches may begin with it.
    Explain(AgentId),
    Waiting,
    Tick(u64),
}

impl Call {
    fn name(&self) -> &'static str {
        match self {
            Self::Add(_) => "add",
            Self::Remove(_) => "remove",
            Self::Send(..) => "send",
            Self::SendShared(..) => "send shared",
            Self::SendNear(..) => "send near",
            Self::SendAlong(..) => "send along",
            Self::Predict(..) => "predict",
            Self::Walk(..) => "walk",
            Self::SetPriority(..) => "set priority",
            Self::PlaceNear(..) => "place near",
            Self::Stop(_) => "stop",
            Self::Place(..) => "place",
            Self::SetChain(..) => "set chain",
            Self::Hold(..) => "hold",
            Self::Explain(_) => "explain",
            Self::Waiting => "waiting",
            Self::Tick(_) => "tick",
        }
    }
}

/// Lives through `scenario`, and checks every tick of it. The odd run is lived through again.
pub(crate) fn run(scenario: &Scenario) -> Totals {
    let (mut crowd, class) = settle(scenario, Crowd::new(scenario.settings.clone()));
    let mut run = Run {
        scenario,
        class,
        free: free_nodes(&scenario.grid),
        random: random(scenario.seed ^ 0xC0FFEE),
        record: Record::new(scenario),
        accepted: Vec::new(),
        history: Vec::new(),
        totals: Totals { runs: 1, ..Totals::default() },
    };
    run.totals.traits = scenario.traits.iter().map(|name| (*name, 1)).collect();
    for _ in 0..scenario.agents * 4 {
        if run.record.agents().len() < scenario.agents {
            run.add(&mut crowd);
        }
    }
    for _ in 0..scenario.ticks {
        run.disturb(&mut crowd);
        run.tick(&mut crowd);
    }
    run.record.end_stretch();
    if scenario.seed.is_multiple_of(3) {
        run.replay();
    }
    run.totals
}

fn settle<'a>(scenario: &'a Scenario, mut crowd: Crowd<'a>) -> (Crowd<'a>, ClassId) {
    let class = Class::new(&scenario.grid, scenario.point());
    let class = if scenario.aimed {
        crowd.add_class(class.heuristics(TrueDistances::aimed(Octile { step: 1000, diagonal: 1414 })))
    } else {
        crowd.add_class(class)
    };
    (crowd, class.unwrap())
}

struct Run<'a> {
    scenario: &'a Scenario,
    class: ClassId,
    free: Vec<NodeId>,
    random: Random,
    record: Record<'a>,
    accepted: Vec<Call>,
    /// The events of every tick.
    history: Vec<(Report, BTreeMap<AgentId, Leg>)>,
    totals: Totals,
}

impl Run<'_> {
    /// Some calls at random.
    fn disturb(&mut self, crowd: &mut Crowd<'_>) {
        // Whoever has nothing to do gets something to do, before long.
        for agent in self.record.agents() {
            if crowd.is_home(agent) == Some(true) && self.random.random_ratio(1, 6) {
                let node = self.any_node();
                self.call(crowd, Call::Send(agent, Goals::one(node)));
            }
        }
        // Outsiders stray, and go home before long.
        for agent in self.record.agents() {
            if crowd.is_outsider(agent) != Some(true) {
                continue;
            }
            if self.random.random_ratio(1, 30) {
                self.call(crowd, Call::Stop(agent));
            } else if self.random.random_ratio(1, 2) {
                let near: Vec<NodeId> = self.scenario.grid.moves(self.record.node(agent)).map(|m| m.to).collect();
                if let Some(node) = near.choose(&mut self.random).copied() {
                    self.call(crowd, Call::Walk(agent, node));
                }
            }
        }
        let unrest = self.scenario.unrest;
        if !self.scenario.chains.is_empty()
            && self.random.random_ratio(unrest, 1000)
            && let Some(agent) = self.any_agent()
        {
            self.set_chain(crowd, agent);
        }
        for kind in 0..17 {
            if !self.random.random_ratio(unrest, 1000) {
                continue;
            }
            let Some(agent) = self.any_agent() else {
                self.add(crowd);
                continue;
            };
            let node = self.any_node();
            match kind {
                0 => self.add(crowd),
                1 if self.record.agents().len() * 4 > self.scenario.agents * 3 => {
                    self.call(crowd, Call::Remove(agent));
                }
                2 => self.call(crowd, Call::Place(agent, node)),
                // Beside where it is: into the way of others.
                3 => {
                    let near: Vec<NodeId> = self.scenario.grid.moves(self.record.node(agent)).map(|m| m.to).collect();
                    let node = near.choose(&mut self.random).copied().unwrap_or(node);
                    self.call(crowd, Call::Place(agent, node));
                }
                // Onto another agent, or where the agent is already.
                4 => {
                    let other = self.any_agent().unwrap_or(agent);
                    let node = self.record.node(other);
                    self.call(crowd, Call::Place(agent, node));
                }
                5 => self.call(crowd, Call::Stop(agent)),
                6 => {
                    let goals = (0..self.random.random_range(2..6)).map(|_| self.any_node()).collect::<Goals>();
                    self.call(crowd, Call::Send(agent, goals));
                }
                // Everybody there; in odd scenarios to the very place.
                7 => {
                    for _ in 0..self.random.random_range(2..8) {
                        if let Some(agent) = self.any_agent() {
                            let goals = Goals::one(node);
                            let shared = !self.scenario.seed.is_multiple_of(2);
                            let call = if shared { Call::SendShared(agent, goals) } else { Call::Send(agent, goals) };
                            self.call(crowd, call);
                        }
                    }
                }
                // To the place of another agent, a bystander or not.
                8 => {
                    let other = self.any_agent().unwrap_or(agent);
                    let node = self.record.node(other);
                    self.call(crowd, Call::Send(agent, Goals::one(node)));
                }
                // Anywhere, walls and all that is out of reach included.
                9 => {
                    let node = self.any_cell();
                    for _ in 0..self.random.random_range(1..6) {
                        if let Some(agent) = self.any_agent() {
                            self.call(crowd, Call::SendNear(agent, node));
                        }
                    }
                }
                10 => {
                    let node = self.any_cell();
                    self.call(crowd, Call::PlaceNear(agent, node));
                }
                11 => {
                    let stops = self.any_path(crowd, agent);
                    self.call(crowd, Call::SendAlong(agent, stops));
                }
                12 => {
                    let priority = self.random.random_range(-3..4);
                    self.call(crowd, Call::SetPriority(agent, priority));
                }
                13 => {
                    let ticks = self.random.random_range(1..8);
                    self.call(crowd, Call::Hold(agent, ticks));
                }
                14 => {
                    let stops = self.any_path(crowd, agent);
                    let margin = Margin::new(self.random.random_range(0..3)).growing(self.random.random_range(1..9));
                    let margin = margin.at_most(self.random.random_range(0..5));
                    let ahead = self.random.random_range(0..60);
                    let margin = if ahead % 2 == 0 { margin } else { margin.ahead(ahead) };
                    self.call(crowd, Call::Predict(agent, stops, margin));
                }
                15 => self.call(crowd, Call::Walk(agent, node)),
                // Nonsense.
                _ => {
                    let nobody = AgentId(1_000_000);
                    let nowhere = NodeId(1_000_000);
                    let calls = [
                        Call::Send(agent, Goals::from_iter([])),
                        Call::Send(agent, Goals::from_iter([node, nowhere])),
                        Call::Send(nobody, Goals::one(node)),
                        Call::SendShared(agent, Goals::from_iter([node, nowhere])),
                        Call::SendShared(nobody, Goals::one(node)),
                        Call::Stop(nobody),
                        Call::Remove(nobody),
                        Call::Place(agent, nowhere),
                        Call::SendNear(agent, nowhere),
                        Call::SendNear(nobody, node),
                        Call::SendAlong(agent, vec![(crowd.now(), nowhere)]),
                        Call::SendAlong(agent, Vec::new()),
                        Call::Predict(nobody, Vec::new(), Margin::default()),
                        Call::Predict(agent, vec![(crowd.now(), nowhere)], Margin::default()),
                        Call::Walk(agent, nowhere),
                        Call::Walk(nobody, node),
                        Call::SetPriority(nobody, 3),
                        Call::Hold(nobody, 3),
                        Call::PlaceNear(agent, nowhere),
                        Call::PlaceNear(nobody, node),
                        Call::Place(nobody, node),
                        Call::Add(Agent::new(node, nowhere)),
                        Call::Add(Agent::new(nowhere, node)),
                    ];
                    let call = calls.choose(&mut self.random).unwrap().clone();
                    self.call(crowd, call);
                }
            }
        }
    }

    fn any_agent(&mut self) -> Option<AgentId> {
        self.record.agents().choose(&mut self.random).copied()
    }

    fn any_node(&mut self) -> NodeId {
        *self.free.choose(&mut self.random).unwrap()
    }

    /// Some moves from where `agent` is, at ticks to come.
    fn any_path(&mut self, crowd: &Crowd<'_>, agent: AgentId) -> Vec<(Tick, NodeId)> {
        let mut node = self.record.node(agent);
        let mut depart = crowd.now() + self.random.random_range(0..16);
        let mut stops = Vec::new();
        for _ in 0..self.random.random_range(1..12) {
            let near: Vec<NodeId> = self.scenario.grid.moves(node).map(|m| m.to).collect();
            let Some(next) = near.choose(&mut self.random).copied() else { break };
            stops.push((depart, next));
            node = next;
            depart += crowd.ticks_per_step() * if self.random.random_ratio(1, 4) { 2 } else { 1 };
        }
        stops
    }

    fn any_cell(&mut self) -> NodeId {
        NodeId(self.random.random_range(0..u32::try_from(self.scenario.grid.node_bound()).unwrap()))
    }

    fn add(&mut self, crowd: &mut Crowd<'_>) {
        let (start, goal) = (self.any_node(), self.any_node());
        let mut agent = if self.random.random_ratio(1, 5) { Agent::bystander(start) } else { Agent::new(start, goal) };
        agent.priority = self.random.random_range(-2..3);
        let id = crowd.next_id();
        self.call(crowd, Call::Add(agent));
        if crowd.node(id).is_some() {
            self.set_chain(crowd, id);
        }
    }

    /// Lets `agent` plan by any chain of the scenario.
    fn set_chain(&mut self, crowd: &mut Crowd<'_>, agent: AgentId) {
        if let Some(chain) = self.scenario.chains.choose(&mut self.random).cloned() {
            self.call(crowd, Call::SetChain(agent, chain));
        }
    }

    /// Tells the crowd, and sees that it does what it says or changes nothing.
    fn call(&mut self, crowd: &mut Crowd<'_>, call: Call) {
        let before = format!("{crowd:?}");
        let taken = match &call {
            Call::Add(agent) => self.record.is_taken(agent.start, None),
            Call::Place(agent, node) => self.record.is_taken(*node, Some(*agent)),
            _ => false,
        };
        match tell(crowd, self.class, &call) {
            Ok(agent) => {
                assert!(!taken, "{call:?} was not refused");
                *self.totals.calls.entry(call.name()).or_default() += 1;
                match &call {
                    Call::Add(told) => self.record.appear(agent, told.start),
                    Call::Place(_, node) => self.record.appear(agent, *node),
                    Call::PlaceNear(..) => {
                        let node = crowd.node(agent).unwrap();
                        assert!(!self.record.is_taken(node, Some(agent)), "{call:?} put it on somebody");
                        self.record.appear(agent, node);
                    }
                    Call::Remove(_) => self.record.vanish(agent),
                    _ => {}
                }
                self.accepted.push(call);
            }
            Err(why) => {
                let may_be_taken = taken || matches!(call, Call::SendAlong(..) | Call::Walk(..));
                assert!(may_be_taken || !matches!(why, CrowdError::Occupied { .. }), "{call:?}: {why}");
                assert_eq!(format!("{crowd:?}"), before, "{call:?} was refused ({why}), and yet something has changed");
                self.totals.refused += 1;
            }
        }
    }

    fn tick(&mut self, crowd: &mut Crowd<'_>) {
        let budget = match self.scenario.budgets {
            Budgets::Unlimited => u64::MAX,
            Budgets::Ample => 3000,
            Budgets::Small => self.random.random_range(0..600),
            Budgets::Tiny if self.random.random_ratio(1, 8) => 2000,
            Budgets::Tiny => self.random.random_range(0..30),
        };
        let report = crowd.tick(Budget::work(budget));
        assert!(report.work <= budget, "the budget was {budget}: {report:?}");
        self.accepted.push(Call::Tick(budget));
        let legs = legs(crowd);
        self.record.hold_up(&legs);
        let moves = self.record.pass(&legs, &|agent| crowd.is_home(agent) == Some(true));
        assert_eq!(report.moves, moves);
        assert_eq!(report.overlaps, self.record.overlaps());
        for (agent, leg) in &legs {
            assert_eq!(crowd.node(*agent), Some(self.record.node(*agent)), "{agent} is elsewhere");
            assert!(!(leg.is_move() && leg.depart == report.tick && report.stopped.contains(agent)), "{agent} went on");
        }
        for pose in crowd.poses(0.5) {
            let leg = &legs[&pose.agent];
            assert_eq!((pose.from, pose.to), (leg.from, leg.to), "{pose:?}");
        }
        assert_eq!(report.served.total(), legs.len(), "{report:?}");
        self.totals.agent_ticks += legs.len() as u64;
        self.totals.moves += legs.values().filter(|leg| leg.is_move()).count() as u64;
        self.totals.note(&report);
        if self.random.random_ratio(1, 4)
            && let Some(agent) = self.any_agent()
        {
            self.explain(crowd, agent);
            self.accepted.push(Call::Waiting);
            for waiting in crowd.waiting() {
                self.accepted.push(Call::Explain(waiting.agent));
                let why = crowd.explain(waiting.agent);
                assert_eq!(why.by.is_empty(), why.reason != Some(Reason::InTheWay), "{why:?}");
                assert!(legs.contains_key(&waiting.by), "{waiting:?}");
            }
        }
        self.history.push((report, legs));
    }

    /// Each waits for the next; a circle is one; without a circle the last one does not wait.
    fn explain(&mut self, crowd: &mut Crowd<'_>, agent: AgentId) {
        let mut ask = |agent| {
            self.accepted.push(Call::Explain(agent));
            crowd.explain(agent)
        };
        let explanation = ask(agent);
        let chain = &explanation.chain;
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
            return;
        };
        let after = ask(last.by).chain;
        self.totals.explained += 1;
        assert_eq!(first.agent, agent);
        for pair in chain.windows(2) {
            assert_eq!(pair[0].by, pair[1].agent, "{explanation:?}");
        }
        for waiting in chain {
            let at = self.record.node(waiting.agent);
            assert!(self.scenario.grid.contains(waiting.to), "{waiting:?} from {at:?}");
            assert_ne!(waiting.agent, waiting.by);
            assert_eq!(crowd.is_home(waiting.agent), Some(false), "{waiting:?}");
        }
        match explanation.cycle.clone() {
            Some(cycle) => {
                self.totals.cycles += 1;
                assert!(cycle.end == chain.len() && cycle.len() > 1, "{explanation:?}");
                assert_eq!(last.by, chain[cycle.start].agent, "{explanation:?}");
            }
            None => assert_eq!(after, [], "{explanation:?}"),
        }
        let mut agents: Vec<AgentId> = chain.iter().map(|waiting| waiting.agent).collect();
        agents.sort_unstable();
        agents.dedup();
        assert_eq!(agents.len(), chain.len(), "{explanation:?}");
    }

    /// Equal calls, without the refused ones, have equal results, in clones, too; on another store, equal moves.
    fn replay(&mut self) {
        let (mut again, _) = settle(self.scenario, Crowd::new(self.scenario.settings.clone()));
        self.follow(&mut again, "the same store", |a, b| a == b);
        let other = Crowd::new_on(self.scenario.settings.clone(), |cells, _| IntervalTable::new(cells));
        let (mut other, _) = settle(self.scenario, other);
        self.follow(&mut other, "another store", |a, b| a.moves == b.moves && a.failed == b.failed);
    }

    fn follow(&mut self, crowd: &mut Crowd<'_>, on: &str, same: impl Fn(&Report, &Report) -> bool) {
        let mut history = self.history.iter();
        for (index, call) in self.accepted.iter().enumerate() {
            if index == self.accepted.len() / 2 {
                *crowd = crowd.clone();
            }
            if let Call::Tick(budget) = call {
                let report = crowd.tick(Budget::work(*budget));
                let legs = legs(crowd);
                let (expected, expected_legs) = history.next().unwrap();
                assert!(same(&report, expected), "on {on}: {report:?} instead of {expected:?}");
                assert_eq!(&legs, expected_legs, "on {on}, at tick {}", report.tick);
                self.totals.replayed += legs.len() as u64;
            } else {
                tell(crowd, self.class, call).unwrap();
            }
        }
    }
}

/// The subject of a call, if the call is accepted.
fn tell(crowd: &mut Crowd<'_>, class: ClassId, call: &Call) -> Result<AgentId, CrowdError> {
    match call {
        Call::Add(agent) => crowd.add(class, agent.clone()),
        Call::Remove(agent) => crowd.remove(*agent).map(|()| *agent),
        Call::Send(agent, goals) => {
            let goals = crowd.send(*agent, goals.clone())?;
            assert_eq!(crowd.goals(*agent), Some(&goals));
            assert_eq!(crowd.is_bystander(*agent), Some(false));
            Ok(*agent)
        }
        Call::SendShared(agent, goals) => {
            crowd.send_shared(*agent, goals.clone())?;
            assert_eq!((crowd.goals(*agent), crowd.is_bystander(*agent)), (Some(goals), Some(false)));
            Ok(*agent)
        }
        Call::SendNear(agent, node) => {
            let goals = crowd.send_near(*agent, *node)?;
            assert_eq!(crowd.goals(*agent), Some(&goals));
            assert_eq!((crowd.is_bystander(*agent), goals.nodes().len()), (Some(false), 1));
            Ok(*agent)
        }
        Call::PlaceNear(agent, node) => {
            let place = crowd.place_near(*agent, *node)?;
            assert_eq!(crowd.node(*agent), Some(place));
            Ok(*agent)
        }
        Call::Stop(agent) => {
            let home = crowd.stop(*agent)?;
            assert_eq!(crowd.goals(*agent), Some(&Goals::one(home)));
            assert_eq!(crowd.is_bystander(*agent), Some(true));
            Ok(*agent)
        }
        Call::Place(agent, node) => {
            crowd.place(*agent, *node)?;
            assert_eq!(crowd.node(*agent), Some(*node));
            Ok(*agent)
        }
        Call::SetChain(agent, chain) => {
            crowd.set_chain(*agent, chain.clone())?;
            assert_eq!(crowd.chain(*agent), Some(chain));
            Ok(*agent)
        }
        Call::SendAlong(agent, stops) => {
            crowd.send_along(*agent, stops)?;
            assert_eq!(crowd.goals(*agent), stops.last().map(|(_, node)| Goals::one(*node)).as_ref());
            Ok(*agent)
        }
        Call::Predict(agent, stops, margin) => {
            crowd.predict(*agent, stops, *margin)?;
            assert_eq!(crowd.is_outsider(*agent), Some(true));
            Ok(*agent)
        }
        Call::Walk(agent, node) => {
            crowd.walk(*agent, *node)?;
            assert_eq!(crowd.is_outsider(*agent), Some(true));
            Ok(*agent)
        }
        Call::SetPriority(agent, priority) => {
            crowd.set_priority(*agent, *priority)?;
            Ok(*agent)
        }
        Call::Hold(agent, ticks) => {
            let before = crowd.held_until(*agent).unwrap_or(crowd.now());
            crowd.hold(*agent, *ticks)?;
            assert_eq!(crowd.held_until(*agent), Some(before + ticks));
            Ok(*agent)
        }
        Call::Explain(agent) => {
            crowd.explain(*agent);
            Ok(*agent)
        }
        Call::Waiting => {
            crowd.waiting();
            Ok(AgentId(0))
        }
        Call::Tick(_) => unreachable!("ticks are no orders"),
    }
}

fn legs(crowd: &Crowd<'_>) -> BTreeMap<AgentId, Leg> {
    crowd.agents().map(|agent| (agent, crowd.last_leg(agent).unwrap())).collect()
}
