//! Scenarios, as plain data that suits any space: the motions of others, and the wishes of the agents.

use giveway_core::{Agent, AtEnd, Footprint, Motion, MoveIn, NodeId, Path, PathIn, SpaceGraph, Step, Tick, Ticks};
use proptest::prelude::*;
use proptest::sample::select;

use crate::oracles::roles::Tolls;
use crate::oracles::spaces::pick;

/// The scenario of one agent, as plain data that suits any space.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) begin: Tick,
    /// Where others start, what they do, and whether they stay at the end.
    pub(crate) others: Vec<(usize, Vec<u8>, bool)>,
    pub(crate) start: usize,
    pub(crate) goals: Vec<usize>,
    pub(crate) at_end: AtEnd,
    /// Ticks after the beginning.
    pub(crate) latest: Option<Tick>,
    pub(crate) wait_price: u32,
    pub(crate) tolls: Option<Tolls>,
    pub(crate) heuristic: u8,
}

pub(crate) fn scenarios() -> impl Strategy<Value = Scenario> {
    // Some begin where a word of 64 ticks ends.
    let begin = prop_oneof![Just(0), 55_u32..65];
    let others =
        proptest::collection::vec((any::<usize>(), proptest::collection::vec(any::<u8>(), 0..9), any::<bool>()), 0..5);
    let at_end = prop_oneof![3 => Just(AtEnd::Stay), 1 => Just(AtEnd::Disappear)];
    let wait_price = select(vec![1000_u32, 1000, 1000, 0, 300, 2500]);
    let tolls = (any::<u32>(), 0_u32..75).prop_map(|(seed, until)| Tolls { seed, until });
    (
        (begin, others, any::<usize>()),
        proptest::collection::vec(any::<usize>(), 1..3),
        at_end,
        prop::option::weighted(0.3, 0_u32..12),
        wait_price,
        prop::option::weighted(0.3, tolls),
        0_u8..3,
    )
        .prop_map(|((begin, others, start), goals, at_end, latest, wait_price, tolls, heuristic)| Scenario {
            begin,
            others,
            start,
            goals,
            at_end,
            latest,
            wait_price,
            tolls,
            heuristic,
        })
}

/// The path that makes these choices: each a move, or a rest if it is beyond the moves.
pub(crate) fn wander<S: SpaceGraph>(
    space: &S,
    body: &impl Footprint<S>,
    begin: Tick,
    start: NodeId,
    choices: &[u8],
    stays: bool,
) -> PathIn<S> {
    let at_end = if stays { AtEnd::Stay } else { AtEnd::Disappear };
    let mut path = Path::standing(start, begin, at_end);
    let mut now = begin;
    for choice in choices {
        let at = path.end();
        let moves: Vec<(MoveIn<S>, Ticks)> =
            space.moves(at).filter_map(|m| Some((m, body.duration(space, &m)?))).collect();
        match moves.get(usize::from(*choice) % (moves.len() + 1)) {
            Some((m, duration)) => {
                path.steps.push(Step { motion: Motion::Move(*m), depart: now, arrive: now + duration });
            }
            None => path.push_rest(at, now, body.wait_quantum()),
        }
        now = path.steps.last().map_or(now, |step| step.arrive);
    }
    path
}

/// Agents as plain data: where they start and where they want to be.
pub(crate) type Trips = Vec<(usize, usize)>;

pub(crate) fn trips(most: usize) -> impl Strategy<Value = Trips> {
    proptest::collection::vec((any::<usize>(), any::<usize>()), 1..=most)
}

/// The trips that begin and end apart.
pub(crate) fn agents(space: &impl SpaceGraph, trips: &Trips) -> Vec<Agent> {
    let mut agents: Vec<Agent> = Vec::new();
    for (start, goal) in trips {
        let agent = Agent::new(pick(space, *start), pick(space, *goal));
        if agents.iter().all(|other| other.start != agent.start && other.goals != agent.goals) {
            agents.push(agent);
        }
    }
    agents
}
