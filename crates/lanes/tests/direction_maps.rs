//! Direction maps on grids: the exact values that the paper and its formulas give.

use approx::{abs_diff_eq, assert_abs_diff_eq};
use giveway_core::heuristic::{HeuristicSource, Octile, Zero};
use giveway_core::store::Unreserved;
use giveway_core::{
    AgentId, Asker, Claim, CostLayer, Fuel, Goals, Heuristic, Move, MoveIn, NodeId, Point, Query, Scene, SpaceGraph,
    SpaceTimeSearch,
};
use giveway_distance::PricedDistances;
use giveway_lanes::{Blank, Coherence, DirectionMap, DirectionRules, EdgeDirectionMap, Ends, InvalidDirection, Target};
use giveway_spaces::{Connectivity, FnSpace, Grid};
use proptest::prelude::*;

const HALF_ROOT: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// An open eight-connected grid.
fn open(width: u32, height: u32) -> Grid {
    Grid::open(width, height).unwrap().with_connectivity(Connectivity::Eight)
}

/// The move from one cell to another.
fn step(grid: &Grid, from: (u32, u32), to: (u32, u32)) -> MoveIn<Grid> {
    let [from, to] = [from, to].map(|(x, y)| grid.node(x, y).unwrap());
    grid.moves(from).find(|m| m.to == to).unwrap()
}

fn at(map: &DirectionMap, grid: &Grid, x: u32, y: u32) -> [f32; 2] {
    let [dx, dy, dz] = map.direction(grid.node(x, y).unwrap());
    assert_abs_diff_eq!(dz, 0.0);
    [dx, dy]
}

#[track_caller]
fn assert_close(found: [f32; 2], expected: [f64; 2]) {
    assert_abs_diff_eq!(found.map(f64::from)[..], expected[..], epsilon = 1e-6);
}

/// The whole cost of a step, in plain steps.
fn cost(map: &DirectionMap, grid: &Grid, from: (u32, u32), to: (u32, u32)) -> f64 {
    let m = step(grid, from, to);
    let own = if m.cost == 1000 { 1.0 } else { 2_f64.sqrt() };
    own + map.charge(grid, &m)
}

/// A map that points east everywhere in the grid.
fn eastward(grid: &Grid) -> DirectionMap {
    let map = DirectionMap::blank(grid, DirectionRules::paper());
    (0..grid.node_bound()).for_each(|node| map.set(NodeId(u32::try_from(node).unwrap()), [1.0, 0.0, 0.0]).unwrap());
    map
}

#[test]
fn edges_cost_what_the_formula_says() {
    let grid = open(4, 4);
    let map = eastward(&grid);
    for (to, expected) in [((2, 1), 1.0), ((0, 1), 11.0), ((1, 0), 6.0), ((1, 2), 6.0), ((2, 0), 2.878_68)] {
        let found = cost(&map, &grid, (1, 1), to);
        assert!(abs_diff_eq!(found, expected, epsilon = 1e-5), "to {to:?}: {found}, not {expected}");
    }
    let blank = DirectionMap::blank(&grid, DirectionRules::paper());
    assert!(abs_diff_eq!(cost(&blank, &grid, (1, 1), (2, 1)), 6.0, epsilon = 1e-9), "blank to blank");
    blank.set(grid.node(1, 1).unwrap(), [1.0, 0.0, 0.0]).unwrap();
    assert!(abs_diff_eq!(cost(&blank, &grid, (1, 1), (2, 1)), 3.5, epsilon = 1e-9), "along the field to a blank");
}

#[test]
fn the_layer_rounds_down_to_thousandths() {
    let grid = open(4, 4);
    let map = eastward(&grid);
    let goals = Goals::one(NodeId(0));
    let asker = Asker { claim: Claim::plain(AgentId(0)), goals: &goals, depart: 0, yields_until: 0 };
    let ask = |to| map.surcharge(&grid, &step(&grid, (1, 1), to), 0, &asker);
    assert_eq!([(2, 1), (0, 1), (1, 0), (2, 0)].map(ask), [0, 10_000, 5000, 1464]);
    assert_eq!(giveway_conformance::cost_layer(&grid, &map), Ok(()));
}

#[test]
fn blanks_are_free_if_so_told() {
    let grid = open(4, 1);
    let map = DirectionMap::blank(&grid, DirectionRules::paper().blank(Blank::Free));
    assert_abs_diff_eq!(cost(&map, &grid, (0, 0), (1, 0)), 1.0, epsilon = 1e-9);
    map.set(grid.node(1, 0).unwrap(), [-1.0, 0.0, 0.0]).unwrap();
    assert!(
        abs_diff_eq!(cost(&map, &grid, (0, 0), (1, 0)), 6.0, epsilon = 1e-9),
        "only the end that is not blank charges"
    );
}

#[test]
fn equal_moves_approach_their_direction() {
    for (rate, expected) in [(0.4, [0.4, 0.64, 0.784, 0.8704]), (0.6, [0.6, 0.84, 0.936, 0.9744])] {
        let grid = open(2, 1);
        let map = DirectionMap::blank(&grid, DirectionRules::paper().rate(rate));
        for length in expected {
            map.moved(&grid, &step(&grid, (0, 0), (1, 0)));
            assert_close(at(&map, &grid, 0, 0), [length, 0.0]);
            assert_close(at(&map, &grid, 1, 0), [length, 0.0]);
        }
    }
}

#[test]
fn figure_3_by_the_printed_rule() {
    let grid = open(3, 1);
    let map = DirectionMap::blank(&grid, DirectionRules::paper().rate(0.5));
    map.set(grid.node(1, 0).unwrap(), [0.0, 1.0, 0.0]).unwrap();
    map.moved(&grid, &step(&grid, (0, 0), (1, 0)));
    assert_close(at(&map, &grid, 0, 0), [0.5, 0.0]);
    assert_close(at(&map, &grid, 1, 0), [0.5, 0.5]);
    map.moved(&grid, &step(&grid, (1, 0), (2, 0)));
    assert_close(at(&map, &grid, 1, 0), [0.75, 0.25]);
    assert_close(at(&map, &grid, 2, 0), [0.5, 0.0]);
}

#[test]
fn figure_3_as_printed_begins_with_a_normalised_vector() {
    let grid = open(3, 1);
    let map = DirectionMap::blank(&grid, DirectionRules::paper().rate(0.5));
    map.set(grid.node(1, 0).unwrap(), [HALF_ROOT, HALF_ROOT, 0.0]).unwrap();
    map.moved(&grid, &step(&grid, (1, 0), (2, 0)));
    assert_close(at(&map, &grid, 1, 0), [0.853_553, 0.353_553]);
}

#[test]
fn a_passed_cell_learns_on_entry_and_on_exit() {
    let walk = |ends| {
        let grid = open(3, 1);
        let map = DirectionMap::blank(&grid, DirectionRules::paper().ends(ends));
        map.moved(&grid, &step(&grid, (0, 0), (1, 0)));
        map.moved(&grid, &step(&grid, (1, 0), (2, 0)));
        [0, 1, 2].map(|x| (at(&map, &grid, x, 0)[0] * 100.0).round() / 100.0)
    };
    assert_eq!(walk(Ends::Both), [0.4, 0.64, 0.4]);
    assert_eq!(walk(Ends::Entered), [0.0, 0.4, 0.4]);
    assert_eq!(walk(Ends::Left), [0.4, 0.4, 0.0]);
}

#[test]
fn neighbours_learn_once_per_move() {
    let grid = open(5, 3);
    let map = DirectionMap::blank(&grid, DirectionRules::paper().neighbours(0.1));
    map.moved(&grid, &step(&grid, (1, 1), (2, 1)));
    let row = |y: u32| [0, 1, 2, 3, 4].map(|x| (at(&map, &grid, x, y)[0] * 100.0).round() / 100.0);
    assert_eq!(row(0), [0.0, 0.1, 0.1, 0.1, 0.0]);
    assert_eq!(row(1), [0.0, 0.4, 0.4, 0.1, 0.0], "the ends by the rate, and not as neighbours too");
    assert_eq!(row(2), row(0));
}

#[test]
fn frozen_maps_do_not_learn() {
    let grid = open(3, 1);
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    let east = step(&grid, (0, 0), (1, 0));
    map.moved(&grid, &east);
    let snapshot = map.snapshot();
    map.moved(&grid, &east);
    snapshot.moved(&grid, &east);
    assert_close(at(&map, &grid, 0, 0), [0.64, 0.0]);
    assert_close(at(&snapshot, &grid, 0, 0), [0.4, 0.0]);
    assert!(snapshot.is_frozen() && !map.is_frozen());
    snapshot.thaw();
    snapshot.moved(&grid, &east);
    assert_eq!(snapshot, map);
    map.clear();
    assert_eq!(map.directions().count(), 0);
}

#[test]
fn a_clone_of_a_map_of_moves_learns_by_itself() {
    let grid = open(3, 1);
    let map = EdgeDirectionMap::blank(&grid, DirectionRules::paper());
    let east = step(&grid, (0, 0), (1, 0));
    map.moved(&grid, &east);
    let (clone, snapshot) = (map.clone(), map.snapshot());
    for map in [&clone, &snapshot] {
        map.moved(&grid, &east);
    }
    assert_abs_diff_eq!(map.value(&grid, &east), 0.4, epsilon = 1e-6);
    assert_abs_diff_eq!(clone.value(&grid, &east), 0.64, epsilon = 1e-6);
    assert_eq!(snapshot, map);
}

#[test]
fn rules_change_and_what_was_learned_stays() {
    let grid = open(3, 1);
    let east = step(&grid, (0, 0), (1, 0));
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    map.moved(&grid, &east);
    let heavy = map.with_rules(DirectionRules::paper().weight(20.0));
    assert_close(at(&heavy, &grid, 0, 0), [0.4, 0.0]);
    assert_abs_diff_eq!(heavy.charge(&grid, &east), 0.25 * 20.0 * 1.2, epsilon = 1e-5);
    let moves = EdgeDirectionMap::blank(&grid, DirectionRules::paper());
    moves.moved(&grid, &east);
    let light = moves.with_rules(DirectionRules::paper().weight(1.0));
    assert_abs_diff_eq!(light.charge(&grid, &east), 0.5 * 0.6, epsilon = 1e-6);
    light.clear();
    assert_eq!(light.values().count(), 0);
}

#[test]
fn neighbours_are_where_moves_lead() {
    let grid = Grid::from_ascii("....\n.@..\n....").unwrap().with_connectivity(Connectivity::Eight);
    let map = DirectionMap::blank(&grid, DirectionRules::paper().rate(0.0).neighbours(1.0));
    map.moved(&grid, &step(&grid, (3, 0), (2, 0)));
    let turned: Vec<(u32, u32)> = map.directions().map(|(node, _)| grid.xy(node)).collect();
    // Not the wall, not where it came from, and not around the corner of the wall.
    assert_eq!(turned, [(1, 0), (2, 1), (3, 1)]);
}

/// A* by distances at a frozen map's price finds what Dijkstra's algorithm finds, and expands less. Aimed distances
/// equal the others.
#[test]
fn priced_distances_are_those_of_the_searches_own_world() {
    let grid =
        Grid::from_ascii("........\n.@@@@@@.\n........\n...@@...").unwrap().with_connectivity(Connectivity::Eight);
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    for x in 0..7 {
        map.learn(&grid, grid.node(x, 0).unwrap(), grid.node(x + 1, 0).unwrap());
        map.learn(&grid, grid.node(x + 1, 2).unwrap(), grid.node(x, 2).unwrap());
    }
    map.freeze();
    let point = Point::swap_rule(&grid);
    let scene = Scene { space: &grid, footprint: &point, reservations: &Unreserved, layer: &map };
    let octile = Octile { step: 1000, diagonal: 1414 };
    let mut tables = PricedDistances::tables(map.snapshot());
    let mut aimed = PricedDistances::aimed(map.snapshot(), octile);
    for (from, to) in [((0, 2), (7, 2)), ((7, 2), (0, 2)), ((0, 0), (7, 3)), ((6, 3), (1, 0))] {
        let [from, to] = [from, to].map(|(x, y)| grid.node(x, y).unwrap());
        let goals = Goals::one(to);
        let query = || Query::new(Claim::plain(AgentId(0)), from, goals.clone());
        let mut search = SpaceTimeSearch::new();
        let blind = search.find(&scene, query(), &mut Zero).unwrap();
        let before = search.expanded();
        let mut heuristic = tables.heuristic(&grid, &goals, from);
        assert_eq!(heuristic.estimate(&grid, from, &mut Fuel::unlimited()), Ok(Some(blind.cost)));
        let path = search.find(&scene, query(), &mut heuristic).unwrap();
        assert_eq!(path.cost, blind.cost);
        assert!(search.expanded() < before);
        let mut heuristic = aimed.heuristic(&grid, &goals, from);
        assert_eq!(heuristic.estimate(&grid, from, &mut Fuel::unlimited()), Ok(Some(blind.cost)));
    }
}

#[test]
fn what_is_no_direction_is_refused() {
    let grid = open(2, 1);
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    for (node, vector) in
        [(0, [f32::NAN, 0.0, 0.0]), (0, [f32::INFINITY, 0.0, 0.0]), (1, [0.8, 0.8, 0.0]), (2, [0.0, 0.0, 0.0])]
    {
        let refused = map.set(NodeId(node), vector).unwrap_err();
        assert_eq!(refused.node, NodeId(node));
    }
    assert_eq!(
        InvalidDirection { node: NodeId(7), vector: [2.0, 0.0, 0.0] }.to_string(),
        "no direction of a place: (2, 0, 0) at node 7"
    );
    assert_eq!(map.directions().count(), 0);
}

#[test]
fn maps_know_their_space() {
    let grid = Grid::from_ascii("..\n..").unwrap();
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    assert!(map.fits(&grid) && map.fits(&Grid::open(2, 2).unwrap()));
    for other in ["..\n.@", "....", "...\n..."] {
        assert!(!map.fits(&Grid::from_ascii(other).unwrap()), "{other}");
    }
    assert!(!map.fits(&open(2, 2)), "more moves");
    let heavy = grid.with_terrain(|x, _| x + 1).unwrap();
    assert!(map.fits(&heavy), "costs do not matter");
}

/// The coherence of the vectors in a picture: a letter each, of length `v`.
fn coherence_of(picture: &str, v: f32, coherence: Coherence) -> Option<f64> {
    let rows: Vec<&str> = picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let cell = |x: u32, y: u32| char::from(rows[y as usize].as_bytes()[x as usize]);
    let (width, height) = (u32::try_from(rows[0].len()).unwrap(), u32::try_from(rows.len()).unwrap());
    let grid = Grid::from_fn(width, height, |x, y| cell(x, y) != '@').unwrap().with_connectivity(Connectivity::Eight);
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    for node in (0..grid.node_bound()).map(|node| NodeId(u32::try_from(node).unwrap())) {
        let (x, y) = grid.xy(node);
        let vector = match cell(x, y) {
            'E' => [v, 0.0, 0.0],
            'W' => [-v, 0.0, 0.0],
            'N' => [0.0, -v, 0.0],
            'S' => [0.0, v, 0.0],
            _ => continue,
        };
        map.set(node, vector).unwrap();
    }
    coherence.of(&grid, &map)
}

#[test]
fn coherence_has_its_exact_values() {
    let rows: [(&str, f32, Option<f64>); 9] = [
        ("....", 0.5, None),
        ("EW", 1.0, Some(0.0)),
        ("E.", 0.5, Some(0.25)),
        ("EEEE.", 1.0, Some(3.5 / 4.0)),
        ("EEEE.", 0.5, Some((3.0 * 0.5 + 0.25) / 4.0)),
        ("E", 1.0, None),
        // East is a wall: of north and south, north comes first. It points the other way.
        ("W\nE@\nE", 1.0, Some((0.0 + 1.0 + 0.0) / 3.0)),
        // No wall: due east, though the north-east comes first clockwise.
        (".W\nEE\n..", 1.0, Some((0.0 + 1.0 + 0.5) / 3.0)),
        ("ES\nNW", 1.0, Some(0.5_f64.sqrt())),
    ];
    for (picture, v, expected) in rows {
        let found = coherence_of(picture, v, Coherence::default());
        match (found, expected) {
            (Some(found), Some(expected)) => {
                assert!(abs_diff_eq!(found, expected, epsilon = 1e-7), "{picture}: {found}, {expected}");
            }
            _ => assert_eq!(found, expected, "{picture}"),
        }
    }
}

#[test]
fn coherence_has_variants() {
    let lane = "EEE..";
    let plain = Coherence::default();
    assert_eq!(coherence_of(lane, 1.0, plain), Some(2.5 / 3.0));
    assert_eq!(coherence_of(lane, 1.0, plain.blanks(true)), Some(2.5 / 5.0));
    assert_eq!(coherence_of("EE@", 1.0, plain), Some(1.0), "it turns back: both face east");
    assert_eq!(coherence_of("EE@", 1.0, plain.target(Target::Ahead)), Some((1.0 + 0.5) / 2.0));
    // A strong vector that goes on and a weak one that does not.
    let grid = open(3, 1);
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    map.set(NodeId(0), [1.0, 0.0, 0.0]).unwrap();
    map.set(NodeId(1), [0.5, 0.0, 0.0]).unwrap();
    assert_eq!(plain.of(&grid, &map), Some((0.75 + 0.25) / 2.0));
    assert_eq!(plain.by_length(true).of(&grid, &map), Some((0.75 + 0.5 * 0.25) / 1.5));
}

proptest! {
    /// Whatever moves are made, by whatever rules, vectors stay within length 1 and charges within 0 to the weight.
    #[test]
    fn vectors_and_charges_stay_in_range(
        walk in prop::collection::vec(0..8_usize, 1..200),
        rate in 0.0_f32..=1.0,
        around in 0.0_f32..=1.0,
        weight in 0.0_f32..50.0,
        free in any::<bool>(),
    ) {
        let grid = open(5, 4);
        let blank = if free { Blank::Free } else { Blank::Zero };
        let rules = DirectionRules::paper().rate(rate).neighbours(around).weight(weight).blank(blank);
        let map = DirectionMap::blank(&grid, rules);
        let mut node = grid.node(2, 2).unwrap();
        for choice in walk {
            let moves: Vec<Move<_, _>> = grid.moves(node).collect();
            let m = moves[choice % moves.len()];
            map.moved(&grid, &m);
            node = m.to;
        }
        for (node, vector) in map.directions() {
            let length = vector.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
            prop_assert!(length <= 1.0 + 1e-6);
            for m in grid.moves(node) {
                let charge = map.charge(&grid, &m);
                prop_assert!((0.0..=f64::from(weight) + 1e-4).contains(&charge), "{charge}");
            }
        }
        let coherence = Coherence::default().of(&grid, &map);
        prop_assert!(coherence.is_none_or(|coherence| (0.0..=1.0 + 1e-6).contains(&coherence)));
    }
}

/// Three roads from a junction: one due east, one a third of a turn to its left, one to its right; all go both ways.
fn junction() -> FnSpace<u32> {
    let ends = |node| if node == 0 { 1..4 } else { 0..1 };
    FnSpace::new(4, |node| ends(node).map(|to| (to, 1000))).unwrap()
}

#[test]
fn roads_have_directions_too() {
    let (sine, cosine) = (0.75_f32.sqrt(), -0.5);
    let places = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [cosine, sine, 0.0], [cosine, -sine, 0.0]];
    let roads = junction().with_positions(|node| places[node as usize]).unwrap();
    let map = DirectionMap::blank(&roads, DirectionRules::paper().rate(1.0));
    let road = |from, to| roads.moves(NodeId(from)).find(|m| m.to == NodeId(to)).unwrap();
    map.moved(&roads, &road(2, 0));
    map.moved(&roads, &road(0, 1));
    assert_eq!(map.direction(NodeId(0)), [1.0, 0.0, 0.0], "of unit length, however long the road");
    // The vectors at 0 and 1 point east; the one at 2 towards 0, the one at 3 nowhere.
    for (from, to, expected) in [(0, 1, 0.0), (1, 0, 10.0), (0, 2, 2.5 * (1.0 + 0.5 + 2.0)), (0, 3, 2.5 * (1.5 + 1.0))]
    {
        let found = map.charge(&roads, &road(from, to));
        assert!(abs_diff_eq!(found, expected, epsilon = 1e-5), "{from} to {to}: {found}, not {expected}");
    }
}

#[test]
fn where_nothing_lies_anywhere_moves_have_directions() {
    let roads = junction();
    let map = EdgeDirectionMap::blank(&roads, DirectionRules::paper());
    let road = |from, to| roads.moves(NodeId(from)).find(|m| m.to == NodeId(to)).unwrap();
    for value in [0.4, 0.64, 0.784] {
        map.moved(&roads, &road(0, 2));
        assert_abs_diff_eq!(map.value(&roads, &road(0, 2)), value, epsilon = 1e-6);
        assert_abs_diff_eq!(map.value(&roads, &road(2, 0)), -value, epsilon = 1e-6);
        assert_abs_diff_eq!(map.charge(&roads, &road(0, 2)), 5.0 * (1.0 - f64::from(value)), epsilon = 1e-5);
    }
    assert!(abs_diff_eq!(map.charge(&roads, &road(0, 1)), 5.0, epsilon = 1e-9), "other roads are as before");
    map.freeze();
    map.moved(&roads, &road(0, 1));
    assert_eq!(map.value(&roads, &road(0, 1)), 0.0);
    let free = EdgeDirectionMap::blank(&roads, DirectionRules::paper().blank(Blank::Free));
    assert_eq!(free.charge(&roads, &road(0, 1)), 0.0);
    assert_eq!(giveway_conformance::cost_layer(&roads, &map), Ok(()));
}
