//! Hashes of what the cases do, to the last step: a second check beside the table. `GIVEWAY_RECORD_HASHES=1` before the
//! command writes them anew.
//!
//! To delete the hashes, delete this file, `hashes.txt`, and the lines of `table.rs` and `mod.rs` that contain `hash`:
//! a field, a method, a bound and calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use giveway::footprint::Motion;
use giveway::search::Cost;
use giveway::sim::{AgentMetrics, Metrics, Simulation};
use giveway::strategies::{Crowd, CrowdError, Explanation, Leg, NoPlan, Report, Served, SolutionIn, Waiting};
use giveway::{AgentId, Goals, NodeId, SpaceGraph};
use giveway_experiments::PatrolMetrics;

use crate::golden::table::Details;

/// With this variable set to 1 the file is written anew.
const RECORD: &str = "GIVEWAY_RECORD_HASHES";

/// Compares the hashes with `hashes.txt`, which has a line for each: the name of the case, a space, and 16 hexadecimal
/// digits.
pub(crate) fn compare(hashes: &BTreeMap<&str, u64>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hashes.txt");
    let found: BTreeMap<&str, String> = hashes.iter().map(|(name, hash)| (*name, format!("{hash:016x}"))).collect();
    if std::env::var_os(RECORD).is_some_and(|value| value == "1") {
        let lines: String = found.iter().map(|(name, hash)| format!("{name} {hash}\n")).collect();
        return std::fs::write(file, lines).expect("the file can be written");
    }
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let expected: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut differences = String::new();
    for name in found.keys().chain(expected.keys()).collect::<BTreeSet<_>>() {
        let (hash, expected) = (found.get(name).map(String::as_str), expected.get(name).copied());
        if hash != expected {
            let _ = writeln!(differences, "{name}: expected {expected:?}, found {hash:?}");
        }
    }
    assert!(differences.is_empty(), "hashes differ:\n{differences}if this is meant, {RECORD}=1 writes them anew");
}

#[test]
fn the_hash_is_fnv_1a() {
    let of = |text: &str| {
        let mut hash = Hash::new();
        hash.bytes(text.as_bytes());
        hash.value()
    };
    assert_eq!([of(""), of("a"), of("foobar")], [0xCBF2_9CE4_8422_2325, 0xAF63_DC4C_8601_EC8C, 0x8594_4171_F739_67E8]);
}

/// FNV-1a of 64 bits, over numbers of eight bytes each, the lowest byte first.
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        self.bytes(&number.into().to_le_bytes());
    }

    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item: Into<u64>>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub(crate) fn counts(&mut self, counts: impl IntoIterator<Item = usize>) {
        counts.into_iter().for_each(|count| self.count(count));
    }
}

/// All paths, the agents without a path and why they have none, and the effort.
pub(crate) fn solution<S: SpaceGraph, D: Details>(hash: &mut Hash, space: &S, solution: &SolutionIn<S, D>) {
    for path in &solution.plan.paths {
        hash.number(path.start.0);
        hash.number(path.depart);
        hash.number(real(path.cost));
        hash.count(path.steps.len());
        for step in &path.steps {
            let [kind, from, to] = match &step.motion {
                Motion::Rest { node, .. } => [0, node.0, node.0],
                Motion::Move(m) => {
                    let position = (1..).zip(space.moves(m.from)).find(|(_, other)| other.action == m.action);
                    [position.map_or(u32::MAX, |(position, _)| position), m.from.0, m.to.0]
                }
            };
            hash.numbers([kind, from, to, step.depart, step.arrive]);
        }
    }
    hash.count(solution.unplanned.len());
    for unplanned in &solution.unplanned {
        hash.number(unplanned.agent.0);
        hash.number(match unplanned.why {
            NoPlan::Unreachable => 1_u64,
            NoPlan::Blocked | NoPlan::TooLate => 2,
            NoPlan::Refused(_) => 3,
            NoPlan::TimeUp => 4,
            NoPlan::Stopped => 5,
            _ => 0,
        });
    }
    hash.numbers([solution.expansions, solution.reverse_expansions, solution.details.rounds().into()]);
    served(hash, solution.details.served());
}

fn real<C: Cost>(cost: C) -> u64 {
    cost.to_f64().unwrap_or(f64::NAN).to_bits()
}

/// The events of a tick, and the place of each agent.
pub(crate) fn tick(hash: &mut Hash, crowd: &Crowd<'_>, told: &Report) {
    report(hash, told);
    hash.number(crowd.now());
    hash.count(crowd.agents().count());
    for agent in crowd.agents() {
        hash.number(agent.0);
        hash.number(crowd.class_of(agent).map_or(u32::MAX, |class| class.0));
        hash.number(crowd.node(agent).map_or(u32::MAX, |node| node.0));
        hash.number(
            [crowd.is_home(agent), crowd.is_bystander(agent)].map(|is| u64::from(is == Some(true))).iter().sum::<u64>(),
        );
        crowd.last_leg(agent).iter().for_each(|last| leg(hash, last));
        goals(hash, crowd.goals(agent));
        let plan = crowd.plan(agent);
        hash.count(plan.len());
        plan.iter().for_each(|ahead| leg(hash, ahead));
    }
    for pose in crowd.poses(0.5) {
        hash.number(pose.progress.to_bits());
        pose.position.iter().flatten().for_each(|side| hash.number(side.to_bits()));
        hash.number(pose.heading.to_bits());
    }
}

fn report(hash: &mut Hash, report: &Report) {
    hash.number(report.tick);
    for list in [
        &report.planned,
        &report.postponed,
        &report.out_of_memory,
        &report.overridden,
        &report.promoted,
        &report.pushed,
        &report.stopped,
        &report.arrived,
        &report.unreachable,
    ] {
        ids(hash, list);
    }
    hash.count(report.failed.len());
    for (agent, why) in &report.failed {
        hash.number(agent.0);
        hash.number(match why {
            NoPlan::Unreachable => 1_u64,
            NoPlan::Blocked => 2,
            NoPlan::OutOfBudget => 3,
            NoPlan::OutOfMemory => 4,
            _ => 0,
        });
    }
    hash.count(report.knots.len());
    report.knots.iter().for_each(|knot| ids(hash, knot));
    hash.count(report.waiting.len());
    report.waiting.iter().for_each(|one| waiting(hash, one));
    hash.counts([report.moves, report.overlaps]);
    hash.numbers([report.rolled_back, report.searches]);
    hash.numbers([report.expansions, report.reverse_expansions]);
    served(hash, report.served);
}

fn served(hash: &mut Hash, served: Served) {
    let Served { windowed, local_repair, pibt, lacam, standing, .. } = served;
    hash.counts([windowed, local_repair, pibt, lacam, standing]);
}

fn ids(hash: &mut Hash, list: &[AgentId]) {
    hash.count(list.len());
    list.iter().for_each(|agent| hash.number(agent.0));
}

fn leg(hash: &mut Hash, leg: &Leg) {
    hash.numbers([leg.from.0, leg.to.0, leg.depart, leg.arrive]);
    hash.number(leg.action().map_or(u64::MAX, |action| action as u64));
}

fn goals(hash: &mut Hash, goals: Option<&Goals>) {
    let nodes = goals.map_or(&[][..], Goals::nodes);
    hash.count(nodes.len());
    nodes.iter().for_each(|node| hash.number(node.0));
}

fn waiting(hash: &mut Hash, Waiting { agent, to, by, until, .. }: &Waiting) {
    hash.numbers([agent.0, to.0, by.0, *until]);
}

pub(crate) fn explanation(hash: &mut Hash, Explanation { chain, cycle, .. }: &Explanation) {
    hash.count(chain.len());
    chain.iter().for_each(|one| waiting(hash, one));
    cycle.iter().for_each(|cycle| hash.counts([cycle.start, cycle.end]));
}

/// The metrics of a simulation.
pub(crate) fn simulation(hash: &mut Hash, simulation: &Simulation<'_>) {
    metrics(hash, &simulation.metrics());
    for agent in simulation.crowd().agents() {
        simulation.agent_metrics(agent).iter().for_each(|metrics| agent_metrics(hash, metrics));
    }
    hash.number(simulation.sum_of_costs().unwrap_or(u64::MAX));
}

fn metrics(hash: &mut Hash, metrics: &Metrics) {
    let all = metrics;
    hash.numbers([all.ticks, all.agent_ticks, all.arrivals, all.flow_time, all.path_length, all.waits, all.replans]);
    hash.numbers([all.revisits, all.unreachable, all.searches, all.failed, all.postponed, all.stopped, all.overridden]);
    hash.numbers([all.rolled_back, all.expansions, all.reverse_expansions, all.worst_tick_expansions]);
    hash.numbers([all.worst_tick.into(), all.overlaps, all.out_of_memory]);
    served(hash, all.served);
}

fn agent_metrics(hash: &mut Hash, metrics: &AgentMetrics) {
    let AgentMetrics { arrivals, flow_time, path_length, waits, replans, revisits, unreachable } = *metrics;
    hash.numbers([arrivals, flow_time, path_length, waits, replans, revisits, unreachable]);
}

pub(crate) fn patrols(hash: &mut Hash, metrics: &PatrolMetrics) {
    let PatrolMetrics { loops, nodes, reverse_nodes, path, failed, stopped, random_steps, stood, time } = *metrics;
    hash.numbers([loops, nodes, reverse_nodes, path.to_bits(), failed, stopped, random_steps, stood, time.to_bits()]);
}

/// The result of an order.
pub(crate) trait Answer {
    fn hash(&self, hash: &mut Hash);
}

impl Answer for () {
    fn hash(&self, _hash: &mut Hash) {}
}

impl Answer for bool {
    fn hash(&self, hash: &mut Hash) {
        hash.number(*self);
    }
}

impl Answer for AgentId {
    fn hash(&self, hash: &mut Hash) {
        hash.number(self.0);
    }
}

impl Answer for NodeId {
    fn hash(&self, hash: &mut Hash) {
        hash.number(self.0);
    }
}

impl Answer for Goals {
    fn hash(&self, hash: &mut Hash) {
        goals(hash, Some(self));
    }
}

impl<T: Answer> Answer for Result<T, CrowdError> {
    fn hash(&self, hash: &mut Hash) {
        let error = match self {
            Ok(answer) => {
                hash.number(0_u64);
                return answer.hash(hash);
            }
            Err(error) => *error,
        };
        let [code, about] = match error {
            CrowdError::NoSuchAgent(agent) => [1, agent.0],
            CrowdError::NoSuchClass(class) => [2, class.0],
            CrowdError::NoSuchNode(node) => [3, node.0],
            CrowdError::OutOfCells(node) => [4, node.0],
            CrowdError::Occupied { by, .. } => [5, by.0],
            CrowdError::NoFreePlace { goal } => [6, goal.0],
            CrowdError::NoGoal => [7, 0],
            CrowdError::OtherPlace(node) => [9, node.0],
            CrowdError::NotEditable(class) => [10, class.0],
            _ => [11, 0],
        };
        hash.numbers([code, about]);
    }
}
