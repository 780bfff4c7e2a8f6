//! Keyed spaces: keys, ids and bounds.

use giveway_core::{Area, Change, Editable, Embedding, NodeId, SpaceGraph};
use giveway_spaces::{KeyedSpace, SpaceError};
use ordered_float::OrderedFloat;

/// Towns, and the roads out of each.
const ROADS: [(&str, &[&str]); 5] = [
    ("mill", &["ford", "gate"]),
    ("ford", &["mill", "port"]),
    ("gate", &["port"]),
    ("port", &["mill"]),
    ("isle", &["port"]),
];

fn roads(town: &'static str) -> impl Iterator<Item = (&'static str, u32)> {
    ROADS.into_iter().filter(move |(name, _)| *name == town).flat_map(|(_, roads)| roads.iter().map(|to| (*to, 1000)))
}

#[test]
fn ids_are_in_the_order_of_discovery() {
    let rows: [(&[&str], &[&str]); 4] = [
        (&["mill"], &["mill", "ford", "gate", "port"]),
        (&["port"], &["port", "mill", "ford", "gate"]),
        // Starts come first, each once.
        (&["isle", "gate", "isle"], &["isle", "gate", "port", "mill", "ford"]),
        (&[], &[]),
    ];
    for (starts, expected) in rows {
        let towns = KeyedSpace::explore(starts.iter().copied(), 5, roads).unwrap();
        let found: Vec<&str> = (0..).map_while(|node| towns.key(NodeId(node)).copied()).collect();
        assert_eq!(found, expected, "{starts:?}");
        assert_eq!(towns.node_bound(), expected.len());
        for (node, town) in (0..).zip(expected) {
            assert_eq!(towns.node(town), Some(NodeId(node)));
            let ends: Vec<&str> = towns.moves(NodeId(node)).map(|m| *towns.key(m.to).unwrap()).collect();
            assert_eq!(ends, roads(town).map(|(end, _)| end).collect::<Vec<_>>());
        }
        assert_eq!(towns.node(&"moon"), None);
    }
}

#[test]
fn a_bound_is_kept() {
    for (bound, is_enough) in [(0, false), (3, false), (4, true), (usize::MAX, true)] {
        let made = KeyedSpace::explore(["mill"], bound, roads);
        assert_eq!(made.is_ok(), is_enough, "{bound}");
        if let Err(error) = made {
            assert_eq!(error, SpaceError::Explored { most: bound });
        }
    }
    // A space without an end.
    let error = KeyedSpace::explore([0_u64], 1000, |number| [(number + 1, 1000)]).unwrap_err();
    assert!(error.to_string().starts_with("more than 1000 places"), "{error}");
}

#[test]
fn costs_lengths_and_changes_are_those_of_a_function_space() {
    let line = KeyedSpace::explore_priced([0_i8], 9, |at| {
        let ends = [at - 1, at + 1].into_iter().filter(|end| (0..5).contains(end));
        ends.map(|end| (end, OrderedFloat(0.5)))
    });
    let mut line = line.and_then(|line| line.with_positions(|at| [2.0 * f32::from(*at), 0.0, 0.0])).unwrap();
    assert_eq!(line.facts().uniform_cost, Some(OrderedFloat(0.5)));
    assert_eq!(line.facts().uniform_length, Some(2.0));
    let middle = line.node(&2).unwrap();
    assert_eq!(line.position(middle), [4.0, 0.0, 0.0]);
    assert!(line.change(&Area::cells(4, 0, 1, 1).unwrap(), Change::Close));
    assert!(!line.contains(middle) && line.set_open(middle, true) && line.contains(middle));
    let error = line.with_lengths(|_| -1.0).unwrap_err();
    assert!(matches!(error, SpaceError::Length { .. }), "{error}");
    let refused = KeyedSpace::explore_priced([0], 9, |_| [(1, OrderedFloat(f64::NAN))]).unwrap_err();
    assert!(matches!(refused, SpaceError::Cost { .. }), "{refused}");
}
