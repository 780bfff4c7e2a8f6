//! Traces in pieces: an overlap across the border of two pieces is found, wherever the border is.

use std::collections::BTreeMap;

use giveway_check::{BodyChecker, Enclosure};
use giveway_core::{AgentId, Span, Tick, Trace, TracedAgent};
use proptest::prelude::*;

use crate::bodies::{agent, disc, step};
use crate::plans::pieces::pieces;

/// The first overlap of each pair, over all pieces.
fn first_in_pieces(trace: &Trace, borders: &[Tick]) -> BTreeMap<[AgentId; 2], f64> {
    let mut first = BTreeMap::new();
    for (span, piece) in pieces(trace, borders) {
        for overlap in BodyChecker::new().during(span).check(&piece) {
            first.entry(overlap.agents).or_insert(overlap.tick);
        }
    }
    first
}

#[test]
fn an_overlap_is_found_on_both_sides_of_a_border() {
    // They meet at tick 4, and overlap from tick 3 to tick 5.
    let towards = |from: f32, to: f32| agent(disc(0.5), [from, 0.0], &[step(0, 8, [to, 0.0])]);
    let trace = Trace::new(1, vec![towards(0.0, 4.0), towards(4.0, 0.0)]);
    for (border, expected) in [(2, vec![(1, 3.0)]), (4, vec![(0, 3.0), (1, 4.0)]), (6, vec![(0, 3.0)])] {
        let mut found = Vec::new();
        for (number, (span, piece)) in pieces(&trace, &[border]).iter().enumerate() {
            let overlaps = BodyChecker::new().tolerance(0.0).during(*span).check(piece);
            found.extend(overlaps.iter().map(|overlap| (number, overlap.tick)));
        }
        assert_eq!(found, expected, "a border at {border}");
    }
}

#[test]
fn an_agent_is_off_the_ground_in_its_span_only() {
    let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    let walls = [0, 1, 2, 3].map(|corner| [corners[corner], corners[(corner + 1) % 4]]);
    let square = Enclosure::new([corners], walls);
    let out_and_back = agent(disc(1.0), [2.0, 2.0], &[step(0, 4, [4.0, 2.0]), step(4, 8, [2.0, 2.0])]);
    let trace = Trace::new(1, vec![out_and_back]);
    for (span, expected) in [(Span::new(0, 2), 0), (Span::new(0, 3), 1), (Span::new(4, 6), 1), (Span::endless(6), 0)] {
        let found = BodyChecker::new().during(span).check_enclosure(&trace, &square);
        assert_eq!(found.len(), expected, "{span:?}: {found:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_name_the_pairs_of_the_whole(
        walks in prop::collection::vec(
            ([0_u8..6, 0_u8..6], prop::collection::vec((0_u32..3, 1_u32..5, [0_u8..6, 0_u8..6]), 0..8)),
            2..6,
        ),
        borders in prop::collection::btree_set(1_u32..40, 0..6),
    ) {
        let at = |place: [u8; 2]| place.map(f32::from);
        let agents: Vec<TracedAgent> = walks.into_iter().map(|(start, walk)| {
            let mut now = 0;
            let moves: Vec<_> = walk.into_iter().map(|(rest, takes, to)| {
                now += rest + takes;
                step(now - takes, now, at(to))
            }).collect();
            agent(disc(0.5), at(start), &moves)
        }).collect();
        let trace = Trace::new(1, agents);
        let borders: Vec<Tick> = borders.into_iter().collect();
        let first = first_in_pieces(&trace, &borders);
        let whole = BodyChecker::new().check(&trace);
        prop_assert_eq!(first.len(), whole.len());
        for overlap in whole {
            let tick = first.get(&overlap.agents).copied();
            prop_assert!(tick.is_some_and(|tick| (tick - overlap.tick).abs() < 1e-6), "{:?} at {:?}", overlap, tick);
        }
    }
}
