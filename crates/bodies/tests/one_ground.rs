//! Bodies in spaces of all kinds on one ground: what they occupy, where they fit, and what changes by area.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers

use std::collections::BTreeSet;
use std::sync::Arc;

use giveway_bodies::{
    Body, BodyError, BodyFootprint, CommonTicks, Granularity, GraphClearance, Ground, Headings, Primitives, Vehicle,
};
use giveway_core::{
    Area, CellId, Change, ConflictRule, Editable, Embedding, Entry, Footprint, Motion, MotionIn, Move, NodeId, Point,
    SpaceGraph, Stretch, Surface, Trajectory,
};
use giveway_spaces::{Connectivity, Facing, FacingAction, FnSpace, Grid, Positions};
use proptest::prelude::*;

fn entries<S: SpaceGraph, F: Footprint<S>>(space: &S, footprint: &F, motion: MotionIn<S>) -> BTreeSet<(u32, u32, u32)> {
    let entries = footprint.entries(space, &motion, 7).into_iter();
    entries.map(|Entry { cell, span }| (cell.0, span.start, span.end)).collect()
}

fn nodes<S: SpaceGraph>(space: &S) -> impl Iterator<Item = NodeId> {
    (0..u32::try_from(space.node_bound()).unwrap()).map(NodeId)
}

/// What a space offers at a node: whether the node exists, and the moves out of it.
type Offer<S> = (bool, Vec<Move<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>>);

/// What a space offers, in order.
fn offers<S: SpaceGraph>(space: &S) -> Vec<Offer<S>> {
    nodes(space).map(|node| (space.contains(node), space.moves(node).collect())).collect()
}

fn grounds(grid: &Grid) -> Vec<Ground> {
    let own = |cell: f32| Ground::new([-2.3, -1.0], [20.0, 16.0], cell).unwrap();
    let map = Ground::from_grid(grid);
    vec![
        map,
        map.granularity(Granularity::Finer(3)),
        map.granularity(Granularity::Coarser(2)),
        own(0.4),
        own(0.75),
        own(2.0),
    ]
}

/// A stamp for each move is the stamp by offset, wherever there is one: on grids and on lattices, on every ground.
#[test]
fn stamps_by_move_are_those_by_offset() {
    let grid = Grid::from_fn(9, 7, |x, y| (x * 5 + y * 3) % 11 != 0).unwrap().with_connectivity(Connectivity::Eight);
    let open = Grid::open(9, 7).unwrap().with_connectivity(Connectivity::Eight);
    for ground in grounds(&grid) {
        for body in [Body::disc(0.4), Body::disc(1.2), Body::rectangle(0.7, 1.9), Body::square(2)].map(Result::unwrap) {
            let body = body.speed(0.5).unwrap();
            let (by_offset, one) = body.on(&open, ground, 12).unwrap();
            let (by_move, two) = body.on(&Arc::new(open.clone()), ground, 12).unwrap();
            // The map may end before the ground.
            for node in nodes(&by_offset).filter(|node| by_offset.contains(*node)) {
                assert!(by_move.contains(node));
                let rest = || Motion::Rest { node, ticks: 3 };
                assert_eq!(entries(&by_offset, &one, rest()), entries(&by_move, &two, rest()));
                for m in by_offset.moves(node) {
                    assert_eq!(one.duration(&by_offset, &m), two.duration(&by_move, &m));
                    let moves = || Motion::Move(m);
                    assert_eq!(entries(&by_offset, &one, moves()), entries(&by_move, &two, moves()), "{body:?} {m:?}");
                }
            }
        }
        let primitives = Primitives::straight(Headings::Eight, 1).unwrap().arcs(1.5).unwrap().pivoting(2.0).unwrap();
        let vehicle = Vehicle::new(Body::rectangle(1.6, 0.8).unwrap(), primitives);
        let ticks = CommonTicks::new().of([&vehicle], &open).fewest().unwrap();
        let (lattice, one) = vehicle.on(&open, ground, ticks).unwrap();
        let (by_move, two) = Body::rectangle(1.6, 0.8).unwrap().on(&Arc::new(lattice.clone()), ground, ticks).unwrap();
        for m in nodes(&lattice).flat_map(|node| lattice.moves(node)) {
            let [expected, found] =
                [entries(&lattice, &one, Motion::Move(m)), entries(&by_move, &two, Motion::Move(m))];
            // Headings are known to 32 bits: what is met for a moment may be missed, or met a tick earlier.
            let near = |one: &BTreeSet<(u32, u32, u32)>, other: &BTreeSet<(u32, u32, u32)>| {
                let is_near = |(cell, begin, end): &(u32, u32, u32)| {
                    let meets = |(met, from, to): &&(u32, u32, u32)| {
                        met == cell && from.abs_diff(*begin) <= 2 && to.abs_diff(*end) <= 2
                    };
                    other.iter().any(|entry| meets(&entry)) || end - begin <= 3
                };
                one.iter().all(is_near)
            };
            assert!(near(&expected, &found) && near(&found, &expected), "{m:?}: {expected:?}, {found:?}");
        }
    }
    // With the walls of the map it fits where it fits on the map.
    for body in [Body::disc(0.4), Body::rectangle(1.2, 0.6)].map(Result::unwrap) {
        let ground = Ground::from_grid(&grid);
        let (expected, _) = body.on(&grid, ground, 12).unwrap();
        let (mut found, _) = body.on(&Arc::new(open.clone()), ground, 12).unwrap();
        found.change(&grid.walls().unwrap(), Change::Close);
        let free = |space: &dyn Fn(NodeId) -> bool| nodes(&expected).filter(|node| space(*node)).collect::<Vec<_>>();
        assert_eq!(free(&|node| expected.contains(node)), free(&|node| found.contains(node)));
        // A grid's own moves keep away from corners: all that is offered there, is offered here.
        for m in nodes(&expected).flat_map(|node| expected.moves(node)) {
            assert!(found.moves(m.from).any(|other| other == m), "{m:?}");
        }
    }
}

/// Waypoints anywhere, in a chain, there and back.
fn chain(at: &[[f32; 2]]) -> FnSpace<u32, Positions> {
    let count = u32::try_from(at.len()).unwrap();
    let next = |node: u32| [node.wrapping_sub(1), node + 1].into_iter().filter(move |to| *to < count);
    let space = FnSpace::new(count, |node| next(node).map(|to| (to, 1000)).collect::<Vec<_>>()).unwrap();
    space.with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0]).unwrap()
}

fn on_graph<S: Embedding>(body: &Body, space: S, ground: Ground) -> (GraphClearance<S>, BodyFootprint) {
    let space = Arc::new(space);
    let ticks = CommonTicks::new().of([body], &space).fewest().unwrap();
    body.on(&space, ground, ticks).unwrap()
}

#[test]
fn bodies_on_graphs_keep_the_contracts() {
    let ground = Ground::new([0.0, 0.0], [12.0, 8.0], 0.5).unwrap();
    let waypoints = chain(&[[1.0, 1.0], [3.5, 2.0], [4.0, 6.5], [8.25, 4.0], [11.0, 7.0]]);
    for body in [Body::disc(0.5), Body::rectangle(0.8, 1.5), Body::disc(0.3).map(Body::closed)].map(Result::unwrap) {
        let (mut space, footprint) = on_graph(&body, waypoints.clone(), ground);
        let check = |space: &GraphClearance<_>, footprint: &BodyFootprint| {
            giveway_conformance::space_graph(space).unwrap();
            giveway_conformance::embedding(space).unwrap();
            giveway_conformance::footprint(space, footprint).unwrap();
        };
        check(&space, &footprint);
        check(&space, &footprint.clone().keep_at_most(0));
        assert!(space.change(&Area::disc([3.5, 2.0], 0.8).unwrap(), Change::Close));
        check(&space, &footprint);
        assert!(space.change(&Area::disc([8.0, 4.0], 2.0).unwrap(), Change::Surface(Surface::new(3, 2.0).unwrap())));
        check(&space, &footprint);
        let facing = Facing::new(Arc::new(waypoints.clone()), 1.0).unwrap();
        giveway_conformance::space_graph(&facing).unwrap();
        giveway_conformance::embedding(&facing).unwrap();
        let (space, footprint) = on_graph(&body, facing, ground);
        giveway_conformance::footprint(&space, &footprint).unwrap();
    }
}

/// A bound on memory changes no stamp.
#[test]
fn stamps_beyond_the_bound_are_made_again() {
    let at: Vec<[f32; 2]> = (0..3000).map(|node| [(node % 60) as f32 * 1.5 + 1.0, (node / 60) as f32 + 1.0]).collect();
    let ground = Ground::new([0.0, 0.0], [92.0, 52.0], 1.0).unwrap();
    let body = Body::disc(0.4).unwrap();
    let space = Arc::new(chain(&at).with_lengths(|_| 2.0).unwrap());
    let (clearance, plenty) = body.on(&space, ground, 1).unwrap();
    let scarce = plenty.clone().keep_at_most(20_000);
    for _ in 0..2 {
        for m in nodes(&clearance).flat_map(|node| clearance.moves(node)) {
            let motion = || Motion::Move(m);
            assert_eq!(entries(&clearance, &plenty, motion()), entries(&clearance, &scarce, motion()));
        }
    }
    let [all, few] = [&plenty, &scarce].map(BodyFootprint::stamp_bytes);
    // A node without stamps takes a pointer or so.
    assert!(few < 20_000 + 3000 * 40 + 200 && all > 2 * few, "{all} and {few} bytes");
}

/// Units on different levels never share a cell; a unit between two of them has cells on both.
#[test]
fn levels_keep_units_apart() {
    let ground = Ground::new([0.0, 0.0], [8.0, 4.0], 1.0).unwrap().levels(0.0, 3.0, 2).unwrap();
    let at = [[1.5, 1.5, 0.0], [4.5, 1.5, 0.0], [4.5, 1.5, 4.0], [1.5, 1.5, 4.0]];
    let stairs =
        FnSpace::new(4, |node| [node.wrapping_sub(1), node + 1].into_iter().filter(|to| *to < 4).map(|to| (to, 1000)))
            .unwrap()
            .with_positions(|node| at[node as usize])
            .unwrap();
    let (mut space, footprint) = on_graph(&Body::disc(0.4).unwrap(), stairs, ground);
    let cells = |space: &GraphClearance<_>, from: u32, to: u32| {
        let m = space.moves(NodeId(from)).find(|m| m.to.0 == to).unwrap();
        entries(space, &footprint, Motion::Move(m)).into_iter().map(|(cell, ..)| cell).collect::<Vec<_>>()
    };
    assert_eq!(cells(&space, 0, 1), [9, 10, 11, 12]);
    assert_eq!(cells(&space, 1, 2), [12, 32 + 12]);
    assert_eq!(cells(&space, 2, 3), [41, 42, 43, 44]);
    // A wall on the upper floor.
    let wall = Area::disc([3.0, 1.5], 0.2).unwrap().heights(3.5, 5.0).unwrap();
    assert!(space.change(&wall, Change::Close));
    let ends = |node| space.moves(NodeId(node)).map(|m| m.to.0).collect::<Vec<_>>();
    assert_eq!((ends(0), ends(2)), (vec![1], vec![1]));
}

#[test]
fn what_does_not_fit_is_not_offered() {
    let ground = Ground::new([0.0, 0.0], [10.0, 4.0], 0.5).unwrap();
    // The second place is too near to the edge, and the last is beyond.
    let space = chain(&[[1.0, 2.0], [5.0, 0.3], [5.0, 2.0], [9.0, 2.0], [12.0, 2.0]]).with_lengths(|_| 4.0).unwrap();
    let (space, _) = on_graph(&Body::disc(0.5).unwrap(), space, ground);
    let there: Vec<u32> = nodes(&space).filter(|node| space.contains(*node)).map(|node| node.0).collect();
    assert_eq!(there, [0, 2, 3]);
    assert_eq!(offers(&space).iter().map(|(_, moves)| moves.len()).collect::<Vec<_>>(), [0, 0, 1, 1, 0]);
    let nowhere = Body::disc(3.0).unwrap().on(&Arc::new(chain(&[[1.0, 2.0]])), ground, 1).unwrap_err();
    assert_eq!(nowhere, BodyError::FitsNowhere);
    let coarse = Body::disc(0.3).unwrap().on(&Arc::new(chain(&[[1.0, 2.0], [2.3, 2.0]])), ground, 1).unwrap_err();
    assert!(coarse.to_string().ends_with("1 ticks per step do not suit it, 10 do"), "{coarse}");
}

/// A track whose trajectory ends elsewhere.
#[derive(Debug)]
struct Derailed;

impl SpaceGraph for Derailed {
    type Action = ();
    type Cost = u32;

    fn node_bound(&self) -> usize {
        2
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
        (from.0 == 0).then_some(Move { from, to: NodeId(1), action: (), cost: 1000, length: 1.0 }).into_iter()
    }
}

impl Embedding for Derailed {
    fn position(&self, node: NodeId) -> [f32; 3] {
        [node.0 as f32 + 2.0, 2.0, 0.0]
    }

    fn trajectory(&self, _: &Move<(), u32>) -> Option<&Trajectory> {
        static COURSE: std::sync::OnceLock<Trajectory> = std::sync::OnceLock::new();
        Some(COURSE.get_or_init(|| Trajectory::new(vec![Stretch { share: 1.0, length: 1.0, turn: 0.5 }])))
    }
}

#[test]
fn trajectories_that_end_elsewhere_are_refused() {
    let ground = Ground::new([0.0, 0.0], [8.0, 8.0], 1.0).unwrap();
    let refused = Body::disc(0.3).unwrap().on(&Arc::new(Derailed), ground, 1).unwrap_err();
    assert_eq!(refused, BodyError::Course { from: NodeId(0), to: NodeId(1) });
    assert!(refused.to_string().starts_with("the trajectory of the move from node 0 to node 1 does not end there"));
}

#[test]
fn grounds_without_a_map_are_apart_from_points() {
    let grid = Grid::open(8, 4).unwrap();
    let point = Point::following_rule(&grid).cells_of(&grid);
    let map = Ground::from_grid(&grid);
    assert!(point.join(map.cells()).is_ok() && map.cells().join(point).is_ok());
    // Equally many cells, which are not the cells of the map.
    let other = Ground::new([0.0, 0.0], [8.0, 4.0], 1.0).unwrap().cells();
    assert_eq!((other.places(), other.rule()), (32, ConflictRule::Following));
    assert!(point.join(other).is_err() && other.join(point).is_err() && other.join(map.cells()).is_err());
}

trait CellsOf {
    fn cells_of(&self, grid: &Grid) -> giveway_core::Cells;
}

impl CellsOf for Point {
    fn cells_of(&self, grid: &Grid) -> giveway_core::Cells {
        self.cells(grid)
    }
}

#[test]
fn a_unit_faces_along_its_way() {
    let facing = Facing::new(Arc::new(chain(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]])), 1.5).unwrap();
    // East and west at the first place, all four at the corner, north and south at the last.
    assert_eq!(facing.node_bound(), 2 + 4 + 2);
    let corner: Vec<NodeId> = facing.any_heading(NodeId(1)).nodes().to_vec();
    assert_eq!(corner.len(), 4);
    let turns = facing.moves(corner[0]).filter(|m| matches!(m.action, FacingAction::Turn(_)));
    assert_eq!(turns.map(|m| (m.length, m.cost)).collect::<Vec<_>>(), [(1.5, 1500); 3]);
    for m in nodes(&facing).flat_map(|node| facing.moves(node)) {
        match m.action {
            FacingAction::Drive(_) => assert_eq!(facing.heading(m.from).to_bits(), facing.heading(m.to).to_bits()),
            FacingAction::Turn(_) => assert_eq!(facing.place(m.from), facing.place(m.to)),
        }
    }
    assert!(Facing::new(Arc::new(chain(&[[0.0, 0.0]])), f32::NAN).is_err());
}

fn any_area() -> impl Strategy<Value = Area> {
    let point = [-1.0_f32..11.0, -1.0_f32..9.0];
    prop_oneof![
        (0_u32..9, 0_u32..7, 1_u32..5, 1_u32..4).prop_map(|(x, y, across, down)| Area::cells(x, y, across, down)),
        (point.clone(), 0.2_f32..2.5).prop_map(|(center, radius)| Area::disc(center, radius)),
        (point, 0.5_f32..3.0).prop_map(|([x, y], side)| Area::polygon(&[
            [x, y],
            [x + side, y + 0.4],
            [x - 0.3, y + side]
        ])),
    ]
    .prop_map(Result::unwrap)
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        Just(Change::Close),
        Just(Change::Vacate),
        Just(Change::Seal),
        Just(Change::Open),
        (1_u32..4, 0_u8..3)
            .prop_map(|(weight, slow)| Change::Surface(Surface::new(weight, f32::from(slow) + 1.0).unwrap())),
    ]
}

/// Squares in columns and rows, from a corner on.
#[derive(Clone, Copy)]
struct Raster {
    corner: f32,
    side: f32,
    columns: u32,
    rows: u32,
}

/// Which squares are closed, or to be vacated, after some changes.
fn walls_after(changes: &[(Area, Change)], raster: Raster) -> [Vec<bool>; 2] {
    let Raster { corner, side, columns, rows } = raster;
    let count = (columns * rows) as usize;
    let (mut closed, mut vacated) = (vec![false; count], vec![false; count]);
    for (area, change) in changes {
        area.for_each_square([0.0, 0.0], [corner.into(), corner.into()], side.into(), [columns, rows], |x, y| {
            let cell = (y * columns + x) as usize;
            match change {
                Change::Close => (closed[cell], vacated[cell]) = (true, false),
                Change::Vacate => vacated[cell] |= !closed[cell],
                Change::Seal => closed[cell] |= std::mem::take(&mut vacated[cell]),
                Change::Open => (closed[cell], vacated[cell]) = (false, false),
                _ => {}
            }
        });
    }
    [closed, vacated]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// What changes by area is, in every space, what it would be if it had been like this from the beginning; and moves
    /// into a node are the inverse of moves out, also where units leave.
    #[test]
    fn changes_by_area_are_complete(
        changes in prop::collection::vec((any_area(), any_change()), 1..7), size in [0.3_f32..1.8, 0.3_f32..1.8], eight in any::<bool>(),
    ) {
        let grid = Grid::open(10, 8).unwrap().with_connectivity(if eight { Connectivity::Eight } else { Connectivity::Four });
        let ground = Ground::from_grid(&grid);
        let body = Body::rectangle(size[0], size[1]).unwrap();
        let car = Vehicle::new(body.clone(), Primitives::straight(Headings::Eight, 1).unwrap().pivoting(2.0).unwrap());
        let mut points = grid.clone();
        let (mut bodies, _) = body.on(&grid, ground, 100).unwrap();
        let (mut poses, _) = car.on(&grid, ground, 100).unwrap();
        let (mut places, _) = body.on(&Arc::new(grid.clone()), ground, 100).unwrap();
        for (area, change) in &changes {
            let told = [points.change(area, *change), bodies.change(area, *change), poses.change(area, *change)];
            prop_assert!(told.iter().all(|changed| *changed == told[0]));
            places.change(area, *change);
        }
        let [closed, vacated] = walls_after(&changes, Raster { corner: -0.5, side: 1.0, columns: 10, rows: 8 });
        let mut fresh = Grid::from_fn(10, 8, |x, y| !closed[(y * 10 + x) as usize]).unwrap().with_connectivity(grid.connectivity());
        for (area, change) in &changes {
            if let Change::Surface(_) = change {
                fresh.change(area, *change);
            }
        }
        for cell in (0..80).filter(|cell| vacated[*cell as usize]) {
            fresh.change(&Area::cells(cell % 10, cell / 10, 1, 1).unwrap(), Change::Vacate);
        }
        prop_assert_eq!(offers(&points), offers(&fresh));
        if let Ok((expected, _)) = body.on(&fresh, ground, 100) {
            prop_assert_eq!(offers(&bodies), offers(&expected));
        }
        if let Ok((expected, _)) = car.on(&fresh, ground, 100) {
            prop_assert_eq!(offers(&poses), offers(&expected));
        }
        let free = |node: &NodeId| bodies.contains(*node) == places.contains(*node);
        prop_assert!(nodes(&bodies).all(|node| free(&node)));
        let own = Ground::new([-1.5, -1.5], [12.0, 10.5], 0.75).unwrap();
        for (ground, raster) in [
            (ground, Raster { corner: -0.5, side: 1.0, columns: 10, rows: 8 }),
            (own, Raster { corner: -1.5, side: 0.75, columns: 16, rows: 14 }),
        ] {
            let make = || body.on(&Arc::new(grid.clone()), ground, 100).unwrap().0;
            let (mut places, mut expected) = (make(), make());
            for (area, change) in &changes {
                places.change(area, *change);
                if let Change::Surface(_) = change {
                    expected.change(area, *change);
                }
            }
            let walls = walls_after(&changes, raster);
            for (walls, change) in walls.iter().zip([Change::Close, Change::Vacate]) {
                for (number, _) in (0_u16..).zip(walls).filter(|(_, is_wall)| **is_wall) {
                    let columns = u16::try_from(raster.columns).unwrap();
                    let least = [number % columns, number / columns].map(|side| raster.corner + f32::from(side) * raster.side);
                    let cell = Area::rectangle(least, least.map(|side| side + raster.side)).unwrap();
                    prop_assert!(expected.change(&cell, change));
                }
            }
            prop_assert_eq!(offers(&places), offers(&expected));
            is_inverted(&places)?;
        }
        is_inverted(&points)?;
        is_inverted(&bodies)?;
        is_inverted(&poses)?;
        is_inverted(&places)?;
    }

    /// At every time, a body on a graph is within the cells that it occupies then.
    #[test]
    fn a_body_is_within_what_it_occupies(
        at in prop::collection::vec([2.0_f32..14.0, 2.0_f32..10.0], 2..5), size in [0.3_f32..2.5, 0.3_f32..2.5], shape in 0..3,
        cell in prop::sample::select(vec![0.4_f32, 0.5, 1.0, 1.7]), facing in any::<bool>(),
    ) {
        let body = match shape {
            0 => Body::disc(size[0] / 2.0),
            1 => Body::rectangle(size[0], size[1]),
            _ => Body::polygon(&[[size[0] / 2.0, 0.1], [-0.7, size[1] / 2.0], [-0.4, -size[1] / 2.0]]),
        }.unwrap();
        let ground = Ground::new([-1.5, -2.0], [20.0, 18.0], cell).unwrap();
        // Speeds do not matter here.
        let waypoints = chain(&at).with_lengths(|_| 20.0).unwrap();
        if facing {
            let facing = Arc::new(Facing::new(Arc::new(waypoints), 20.0).unwrap());
            within(&body, facing, ground, cell)?;
        } else {
            within(&body, Arc::new(waypoints), ground, cell)?;
        }
    }
}

fn is_inverted<S: SpaceGraph>(space: &S) -> Result<(), TestCaseError> {
    let key = |m: &Move<S::Action, S::Cost>| (m.from, m.to, format!("{:?}", m.action));
    let mut out: Vec<_> = nodes(space).flat_map(|node| space.moves(node)).map(|m| key(&m)).collect();
    let mut into: Vec<_> = nodes(space).flat_map(|node| space.moves_into(node).unwrap()).map(|m| key(&m)).collect();
    out.sort();
    into.sort();
    prop_assert_eq!(out, into);
    Ok(())
}

fn within<S: Embedding>(body: &Body, space: Arc<S>, ground: Ground, cell: f32) -> Result<(), TestCaseError> {
    let (clearance, footprint) = body.on(&space, ground, 5).unwrap();
    let columns = (20.0 / cell).ceil();
    let points: Vec<[f32; 2]> = match body.outline() {
        giveway_core::TracedBody::Disc { radius, .. } => (0..24_u8)
            .map(|part| (f32::from(part) * 0.2618).sin_cos())
            .map(|(sin, cos)| [radius * cos * 0.999, radius * sin * 0.999])
            .collect(),
        giveway_core::TracedBody::Polygon { corners } => {
            let middle =
                [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f32>() / corners.len() as f32);
            let near = |corner: [f32; 2]| [0, 1].map(|axis| middle[axis] + (corner[axis] - middle[axis]) * 0.999);
            corners.into_iter().map(near).chain([middle]).collect()
        }
    };
    for m in nodes(&clearance).flat_map(|node| clearance.moves(node)) {
        let takes = footprint.duration(&clearance, &m).unwrap();
        let held = entries(&clearance, &footprint, Motion::Move(m));
        let [from, to] = [m.from, m.to].map(|node| clearance.position(node));
        for sample in 0..60_u16 {
            let progress = (f32::from(sample) + 0.5) / 60.0;
            let tick = 7 + (progress * takes as f32).floor() as u32;
            let ([x, y], heading) = match clearance.trajectory(&m) {
                Some(trajectory) => trajectory.pose([from[0], from[1]], clearance.heading(m.from), progress),
                None => ([0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * progress), clearance.heading(m.from)),
            };
            let (sin, cos) = heading.sin_cos();
            for [along, across] in &points {
                let [px, py] = [x + along * cos - across * sin, y + along * sin + across * cos];
                let number = ((py + 2.0) / cell).floor() * columns + ((px + 1.5) / cell).floor();
                let holds =
                    |(met, begin, end): &(u32, u32, u32)| *met == number as u32 && (*begin..*end).contains(&tick);
                prop_assert!(held.iter().any(holds), "({px}, {py}) at {progress}, tick {tick}, is not within {held:?}");
            }
        }
    }
    Ok(())
}

/// Cells of the map that are closed by name, for one class alone.
#[test]
fn a_node_closes_what_a_body_there_meets() {
    let ground = Ground::new([0.0, 0.0], [10.0, 4.0], 1.0).unwrap();
    let (mut space, footprint) =
        on_graph(&Body::disc(0.4).unwrap(), chain(&[[1.5, 1.5], [4.5, 1.5], [7.5, 1.5]]), ground);
    assert!(space.set_open(NodeId(1), false) && !space.set_open(NodeId(1), false));
    assert_eq!(
        offers(&space).iter().map(|(there, moves)| (*there, moves.len())).collect::<Vec<_>>(),
        [(true, 0), (false, 0), (true, 0)]
    );
    assert!(space.needs(NodeId(1), NodeId(1)) && !space.needs(NodeId(0), NodeId(1)));
    assert!(space.set_open(NodeId(1), true));
    assert_eq!(offers(&space).iter().map(|(_, moves)| moves.len()).sum::<usize>(), 4);
    assert!(!space.set_open(NodeId(9), true));
    let unknown = Move { from: NodeId(0), to: NodeId(2), action: 7, cost: 1, length: 1.0 };
    assert_eq!(entries(&space, &footprint, Motion::Move(unknown)), BTreeSet::from([(CellId(u32::MAX).0, 7, 8)]));
}

/// Places far away, bodies that are far too large for the cells, and ways that go round in circles take no time.
#[test]
fn what_makes_no_sense_is_refused_at_once() {
    let ground = Ground::new([0.0, 0.0], [8.0, 8.0], 1.0).unwrap();
    for far in [1e9, 3e38, -1e30] {
        let space = chain(&[[2.0, 2.0], [far, 2.0], [4.0, 2.0]]).with_lengths(|_| 4.0).unwrap();
        let (space, _) = on_graph(&Body::disc(0.4).unwrap(), space, ground);
        assert_eq!(
            offers(&space).iter().map(|(there, moves)| (*there, moves.len())).collect::<Vec<_>>(),
            [(true, 0), (false, 0), (true, 0)]
        );
    }
    let fine = Ground::new([0.0, 0.0], [60.0, 60.0], 0.001).unwrap();
    let refused = Body::disc(20.0).unwrap().on(&Arc::new(chain(&[[30.0, 30.0]])), fine, 1).unwrap_err();
    assert!(matches!(refused, BodyError::GroundFine { .. }), "{refused}");
    assert!(refused.to_string().starts_with("the body is 400"), "{refused}");
}

#[test]
fn a_node_that_does_not_exist_holds_something_elsewhere_or_nothing() {
    let grid = Grid::open(1, 9).unwrap();
    for granularity in [1, 2].map(Granularity::Finer) {
        let ground = Ground::from_grid(&grid).granularity(granularity);
        let (space, footprint) = Body::square(1).unwrap().on(&grid, ground, 1).unwrap();
        for node in [9, u32::MAX].map(NodeId) {
            footprint.entries(&space, &Motion::Rest { node, ticks: 0 }, 0);
        }
    }
}
