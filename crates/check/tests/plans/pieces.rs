//! Traces in pieces: what all pieces name together is what a check of the whole names.

use giveway_check::{Checker, Violation};
use giveway_core::ConflictRule::{Following, Swap};
use giveway_core::{NodeId, SpaceGraph, Span, Tick, Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_spaces::Connectivity::Eight;
use giveway_spaces::Grid;
use proptest::prelude::*;

/// The moves of `traced` that matter from tick `from` on, as they are known at tick `until`.
fn piece(traced: &TracedAgent, from: Tick, until: Tick) -> TracedAgent {
    let past = traced.moves.partition_point(|step| step.arrive < from);
    let known = traced.moves.partition_point(|step| step.depart < until);
    let mut piece = TracedAgent { moves: traced.moves[past..known.max(past)].to_vec(), ..traced.clone() };
    if let Some(last) = past.checked_sub(1).map(|last| traced.moves[last]) {
        (piece.start, piece.appears) = (last.to, last.arrive);
    }
    piece
}

/// The pieces of `trace` between `borders`, each with its span. Agents that appear later are not there yet, but keep
/// their numbers.
pub(crate) fn pieces(trace: &Trace, borders: &[Tick]) -> Vec<(Span, Trace)> {
    let begins = [0].into_iter().chain(borders.iter().copied());
    let ends = borders.iter().copied().map(Some).chain([None]);
    let spans = begins.zip(ends).map(|(from, until)| until.map_or(Span::endless(from), |until| Span::new(from, until)));
    spans
        .map(|span| {
            let agents = trace.agents.iter().map(|agent| piece(agent, span.start, span.end)).collect();
            (span, Trace { agents, ..trace.clone() })
        })
        .collect()
}

/// An agent that walks at random on `grid`: it moves with 3 of 4 draws, for as many ticks as drawn.
fn walker(grid: &Grid, start: u32, draws: &[(u8, u32)], appears: Tick, vanishes: Option<Tick>) -> TracedAgent {
    let place = |node: NodeId| TracedPlace::new(node.0, [0.0; 3]);
    let (mut at, mut now) = (NodeId(start), appears);
    let mut traced = TracedAgent { appears, vanishes, ..TracedAgent::new(place(at), vec![], vec![]) };
    for (draw, ticks) in draws {
        let moves: Vec<_> = grid.moves(at).collect();
        if draw % 4 > 0 && !moves.is_empty() {
            at = moves[usize::from(*draw) % moves.len()].to;
            traced.moves.push(TracedMove::new(now, now + ticks, place(at)));
        }
        now += ticks;
    }
    traced
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_name_what_the_whole_names(
        walks in prop::collection::vec(
            (0_u32..12, prop::collection::vec((any::<u8>(), 1_u32..4), 0..20), 0_u32..6, prop::option::of(6_u32..30)),
            2..6,
        ),
        borders in prop::collection::btree_set(1_u32..40, 0..6),
        is_swap in any::<bool>(),
    ) {
        let grid = Grid::open(4, 3).unwrap().with_connectivity(Eight);
        let walks = walks.into_iter().map(|(start, draws, appears, vanishes)| {
            let ticks = |ticks| if is_swap { 1 } else { ticks };
            let draws: Vec<_> = draws.into_iter().map(|(draw, took)| (draw, ticks(took))).collect();
            walker(&grid, start, &draws, appears, vanishes)
        });
        let trace = Trace::new(1, walks.collect());
        let checker = || Checker::new(&grid, if is_swap { Swap } else { Following }).with_crossings();
        let whole = checker().check_trace(&trace);
        let borders: Vec<Tick> = borders.into_iter().collect();
        let parts = pieces(&trace, &borders);
        let named: Vec<Violation> =
            parts.iter().flat_map(|(span, piece)| checker().during(*span).check_trace(piece)).collect();
        prop_assert_eq!(named, whole);
    }
}

#[test]
fn a_bound_concerns_the_violations_of_the_span() {
    let grid = Grid::open(5, 1).unwrap();
    let stands = |node: u32, appears| TracedAgent {
        appears,
        ..TracedAgent::new(TracedPlace::new(node, [0.0; 3]), vec![], vec![])
    };
    // Three that overlap from tick 0 on, and two from tick 7 on.
    let trace = Trace::new(1, vec![stands(0, 0), stands(0, 0), stands(0, 0), stands(3, 0), stands(3, 7)]);
    let checker = Checker::new(&grid, Swap).at_most(1).during(Span::endless(5));
    let named: Vec<String> = checker.check_trace(&trace).iter().map(ToString::to_string).collect();
    assert_eq!(named, ["agent 3 and agent 4 are both on node 3 at tick 7"]);
}
