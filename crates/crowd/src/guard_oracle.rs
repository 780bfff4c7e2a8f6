//! The guard by its plainest rule, the oracle of [`stopped`](super::guard::stopped): it looks at what all agents do.

use giveway_core::{AgentId, CellId, Entry, FOREVER, Span, Tick};
use proptest::prelude::*;

use crate::guard::{Crowding, Start, stopped};
use crate::ledger::Presence;

/// The intent of an agent.
#[derive(Clone, Debug)]
struct Intent {
    /// The entries that the agent occupies from now on if it stays.
    stay: Vec<Entry>,
    /// The entries that the agent occupies if it moves: the motion, and an endless rest at its end. Empty: the agent
    /// stays.
    go: Vec<Entry>,
}

/// The positions of the `intents` whose moves must not begin. Earlier intents have the way, unless of two that meet
/// only the earlier one needs the other one's place.
fn stopped_of_all(intents: &[Intent]) -> Vec<usize> {
    let mut stays: Vec<bool> = intents.iter().map(|intent| intent.go.is_empty()).collect();
    let moves = stays.clone();
    for index in 0..intents.len() {
        for other in 0..index {
            let [one, first] = [&intents[index], &intents[other]];
            if !stays[index] && !stays[other] && meet(one, first, &first.go) {
                let loser = if meet(first, one, &one.stay) && !meet(one, first, &first.stay) { other } else { index };
                stays[loser] = true;
            }
        }
    }
    loop {
        let before = stays.clone();
        for (index, intent) in intents.iter().enumerate() {
            let runs_into =
                |(other, there): (usize, &Intent)| other != index && stays[other] && meet(intent, there, &there.stay);
            let meets = intents.iter().enumerate().any(runs_into);
            stays[index] |= meets;
        }
        if stays == before {
            break;
        }
    }
    (0..intents.len()).filter(|index| stays[*index] && !moves[*index]).collect()
}

/// Whether the move of `one` meets `entries` of `other` in a cell that the two do not share already.
fn meet(one: &Intent, other: &Intent, entries: &[Entry]) -> bool {
    let shared = |cell| {
        let stays = |intent: &Intent| {
            intent.stay.iter().filter(|entry| entry.cell == cell).map(|entry| entry.span).collect::<Vec<_>>()
        };
        stays(one).iter().any(|a| stays(other).iter().any(|b| a.overlaps(*b)))
    };
    let meets = |way: &Entry| {
        let there = |entry: &&Entry| entry.cell == way.cell && entry.span.overlaps(way.span);
        entries.iter().any(|entry| there(&entry)) && !shared(way.cell)
    };
    one.go.iter().any(meets)
}

const NOW: Tick = 10;

/// Up to three entries of few cells: of any time, or from now on.
fn entries(from: Tick, least: usize) -> impl Strategy<Value = Vec<Entry>> {
    let end = prop_oneof![2 => 1..6_u32, 1 => Just(FOREVER)];
    let entry = (0..8_u32, from..NOW + 4, end)
        .prop_map(|(cell, start, lasts)| Entry { cell: CellId(cell), span: Span::lasting(start, lasts) });
    prop::collection::vec(entry, least..4)
}

/// An agent: where it is if it stays, where it goes, and whether it lets others through.
fn agent() -> impl Strategy<Value = (Intent, bool)> {
    let go = prop_oneof![2 => Just(Vec::new()), 3 => entries(NOW, 1)];
    (entries(NOW - 6, 0), go, prop::bool::weighted(0.1)).prop_map(|(stay, go, yields)| (Intent { stay, go }, yields))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn the_guard_stops_whom_it_would_stop_if_it_looked_at_all(agents in prop::collection::vec(agent(), 0..9)) {
        let mut presence = Presence::new(64);
        let ids = || (0..).map(AgentId);
        for ((intent, _), id) in agents.iter().zip(ids()) {
            presence.note(id, &intent.stay);
        }
        let yields = |id: AgentId| agents[id.index()].1;
        let goers = || agents.iter().zip(ids()).filter(|((intent, _), _)| !intent.go.is_empty());
        let starts: Vec<Start> = goers().map(|((intent, _), agent)| Start { agent, go: intent.go.clone() }).collect();
        let found = stopped(&starts, &Crowding { presence: &presence, now: NOW, yields: &yields });
        let found: Vec<usize> = found.into_iter().map(|index| starts[index].agent.index()).collect();

        // The naive guard knows neither past entries, nor agents that let others through.
        let all = agents.iter().map(|(intent, yields)| {
            let stay = intent.stay.iter().filter(|entry| entry.span.end > NOW && !yields).copied().collect();
            Intent { stay, go: intent.go.clone() }
        });
        prop_assert_eq!(found, stopped_of_all(&all.collect::<Vec<_>>()));
    }
}
