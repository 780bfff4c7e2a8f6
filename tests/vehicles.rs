//! Vehicles: where their primitives lead, where they fit, and what they occupy as they turn.

// Numbers are small here.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

use std::collections::BTreeSet;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use std::ops::ControlFlow;

use approx::{abs_diff_eq, assert_abs_diff_eq, relative_eq};
use giveway_bodies::{
    Body, BodyError, BodyFootprint, Clearance, CommonTicks, Granularity, Ground, Headings, Lattice, Primitives, Vehicle,
};
use giveway_core::{
    Agent, Embedding, Footprint, Goals, Motion, Move, NodeId, SpaceGraph, Stretch, TracedBody, Trajectory,
};
use giveway_distance::{DistanceTable, Predecessors};
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Instance, fewest_ticks};
use proptest::prelude::*;

const ALL: [Headings; 3] = [Headings::Four, Headings::Eight, Headings::Sixteen];

fn on(body: Body, primitives: Primitives, grid: &Grid, granularity: Granularity) -> (Lattice, BodyFootprint) {
    let ground = Ground::from_grid(grid).granularity(granularity);
    let vehicle = Vehicle::new(body, primitives);
    let ticks = CommonTicks::new().of([&vehicle], grid).fewest().unwrap();
    vehicle.on(grid, ground, ticks).unwrap()
}

/// A lattice for something small on open ground.
fn open(primitives: Primitives) -> Lattice {
    on(Body::disc(0.1).unwrap(), primitives, &Grid::open(40, 40).unwrap(), Granularity::Same).0
}

/// Where the moves out of the middle of the lattice under `heading` lead, with their lengths.
fn ends(lattice: &Lattice, heading: u32) -> Vec<([i64; 2], u32, f32)> {
    let moves = lattice.moves(lattice.node(20, 20, heading).unwrap());
    let seen = |m: Move<u32, u32>| {
        let (x, y, to) = lattice.pose(m.to);
        ([i64::from(x) - 20, i64::from(y) - 20], to, lattice.trajectory(&m).unwrap().length())
    };
    moves.map(seen).collect()
}

#[test]
fn primitives_lead_where_they_ought_to() {
    let near = |found: f32, expected: f32| abs_diff_eq!(found, expected, epsilon = 1e-5);
    // Quarters of circles.
    let four = open(Primitives::straight(Headings::Four, 1).unwrap().arcs(2.0).unwrap());
    let found = ends(&four, 0);
    assert_eq!(found.iter().map(|end| (end.0, end.1)).collect::<Vec<_>>(), [([1, 0], 0), ([2, 2], 1), ([2, -2], 3)]);
    assert!(near(found[0].2, 1.0) && near(found[1].2, 2.0 * FRAC_PI_2) && near(found[2].2, 2.0 * FRAC_PI_2));
    // To the diagonal: the corner is cut at (1, 0), one from both ends; the rest of the diagonal is driven straight on.
    let eight = open(Primitives::straight(Headings::Eight, 1).unwrap().arcs(2.0).unwrap());
    let found = ends(&eight, 0);
    assert_eq!(found.iter().map(|end| (end.0, end.1)).collect::<Vec<_>>(), [([1, 0], 0), ([2, 1], 1), ([2, -1], 7)]);
    let radius = 1.0 / (FRAC_PI_4 / 2.0).tan();
    assert!(near(found[1].2, radius * FRAC_PI_4 + 2_f32.sqrt() - 1.0), "{found:?}");
    // From heading 1, along the diagonal.
    assert_eq!(ends(&eight, 1)[0].0, [1, 1]);
    let sixteen = open(Primitives::straight(Headings::Sixteen, 1).unwrap());
    assert_eq!([1, 5, 9, 15].map(|heading| ends(&sixteen, heading)[0].0), [[2, 1], [-1, 2], [-2, -1], [2, -1]]);
    // Longer steps, backwards, and on the spot.
    let step = open(Primitives::straight(Headings::Eight, 3).unwrap().reversing(1.5).unwrap().pivoting(8.0).unwrap());
    let found: Vec<_> = ends(&step, 6).iter().map(|end| (end.0, end.1)).collect();
    assert_eq!(found, [([0, -3], 6), ([0, 3], 6), ([0, 0], 7), ([0, 0], 5)]);
    let costs: Vec<_> = step.moves(step.node(20, 20, 6).unwrap()).map(|m| (m.cost, m.length)).collect();
    assert_eq!(costs, [(3000, 3.0), (4500, 4.5), (1000, 1.0), (1000, 1.0)]);
}

/// Every trajectory leads from the pose of one node to the pose of another, by arcs that are wide enough, at one speed.
#[test]
fn trajectories_lead_from_pose_to_pose() {
    for headings in ALL {
        for radius in [0.5_f32, 1.0, 1.7, 3.0, 6.0] {
            let primitives = Primitives::straight(headings, 1).unwrap().arcs(radius).unwrap();
            let lattice = open(primitives.reversing(1.0).unwrap().pivoting(5.0).unwrap());
            let mut trajectories = 0;
            for heading in 0..headings.count() {
                let from = lattice.node(20, 20, heading).unwrap();
                for m in lattice.moves(from) {
                    let [x, y, _] = lattice.position(from);
                    let trajectory = lattice.trajectory(&m).unwrap();
                    let (position, angle) = trajectory.pose([x, y], lattice.heading(from), 1.0);
                    let [to_x, to_y, _] = lattice.position(m.to);
                    let off = (angle - lattice.heading(m.to)) / TAU;
                    assert_abs_diff_eq!(position[..], [to_x, to_y][..], epsilon = 1e-4);
                    assert!(abs_diff_eq!(off, off.round(), epsilon = 1e-5), "{angle} for {}", lattice.heading(m.to));
                    for Stretch { share, length, turn } in trajectory.stretches() {
                        let pivots = *length == 0.0;
                        assert!(pivots || *turn == 0.0 || (length / turn).abs() >= radius - 1e-4);
                        assert!(pivots || relative_eq!(length.abs() / share, trajectory.length(), max_relative = 1e-4));
                    }
                    trajectories += 1;
                }
            }
            assert_eq!(trajectories, headings.count() * 8);
        }
    }
}

#[test]
fn given_primitives_must_end_at_poses() {
    let straight = || Primitives::straight(Headings::Four, 1).unwrap();
    let trajectory = |stretches: &[(f32, f32, f32)]| {
        Trajectory::new(
            stretches
                .iter()
                .map(|(share, length, turn)| Stretch { share: *share, length: *length, turn: *turn })
                .collect(),
        )
    };
    // To the next lane: an S of two eighths of a circle and what is missing.
    let bend = (2.0 - 2_f32.sqrt()).recip();
    let eighth = bend * FRAC_PI_4;
    let way = 2_f32.sqrt() * bend;
    let rest = 3.0 - way;
    let total = 2.0 * eighth + rest;
    let lane = trajectory(&[
        (eighth / total, eighth, FRAC_PI_4),
        (eighth / total, eighth, -FRAC_PI_4),
        (rest / total, rest, 0.0),
    ]);
    let lattice = open(straight().with(0, &lane, total).unwrap());
    assert_eq!(ends(&lattice, 0)[1].0, [3, 1]);

    let errors = [
        straight().with(4, &trajectory(&[(1.0, 1.0, 0.0)]), 1.0),
        straight().with(0, &trajectory(&[(1.0, 1.001, 0.0)]), 1.0),
        straight().with(0, &trajectory(&[(1.0, 1.0, 0.01)]), 1.0),
        straight().with(0, &trajectory(&[(1.0, 0.0, 0.0)]), 1.0),
        straight().with(0, &trajectory(&[(1.0, f32::NAN, 0.0)]), 1.0),
        straight().with(0, &trajectory(&[]), 1.0),
        straight().with(0, &trajectory(&[(f32::INFINITY, 1.0, 0.0)]), 1.0),
        straight().with(0, &trajectory(&[(0.0, 4.0, 0.0), (1.0, 1.0, 0.0)]), 5.0),
        straight().with(0, &trajectory(&[(1.0, 1.0, 0.0), (1.0, 1.0, 0.0)]), 2.0),
        straight().with(0, &trajectory(&[(0.005, 0.01, 0.0); 200]), 2.0),
        straight().with(0, &trajectory(&[(1.0, 2.0, 0.0)]), 0.0),
        straight().arcs(0.0),
        straight().arcs(f32::INFINITY),
        straight().reversing(0.0),
        straight().pivoting(-1.0),
        Primitives::straight(Headings::Four, 0),
        (0..40).try_fold(straight(), |primitives, _| primitives.with(2, &trajectory(&[(1.0, 2.0, 0.0)]), 2.0)),
    ];
    let texts: Vec<String> = errors.into_iter().map(|error| error.unwrap_err().to_string()).collect();
    let astray = |heading: u32| {
        format!(
            "expected a primitive that leads from heading {heading} to another place or heading of the lattice, within 1e-4"
        )
    };
    let stretches = |heading: u32| {
        format!(
            "expected up to 100 stretches out of heading {heading}, with shares above 0 that add up to 1, lengths up to 64, and up to a \
             full turn each"
        )
    };
    assert_eq!(texts[0], stretches(4));
    assert!(texts[1..4].iter().all(|text| *text == astray(0)), "{texts:?}");
    assert!(texts[4..10].iter().all(|text| *text == stretches(0)), "{texts:?}");
    let expected = [
        "expected a length between 0.001 and 64, found 0",
        "expected a radius between 0.001 and 64, found 0",
        "expected a radius between 0.001 and 64, found inf",
        "expected driving backwards to take between 0.01 and 100 times as long, found 0",
        "expected a length for a full turn between 0.001 and 64, found -1",
        "expected a step between 0.001 and 64, found 0",
        "expected at most 32 primitives out of heading 2",
    ];
    assert_eq!(texts[10..], expected);
    let car = Vehicle::new(Body::square(3).unwrap(), straight());
    let small = Grid::open(2, 9).unwrap();
    assert_eq!(car.on(&small, Ground::from_grid(&small), 1).unwrap_err(), BodyError::FitsNowhere);
    assert_eq!(car.on(&Grid::open(9, 9).unwrap(), Ground::from_grid(&small), 1).unwrap_err(), BodyError::OtherGround);
}

/// All ground that a vehicle meets is on the map, even if coarse cells stick out of it; a vehicle that touches a wall
/// drives along it.
#[test]
fn there_is_room_for_what_is_met() {
    for granularity in [2, 3, 4, 8].map(Granularity::Coarser).into_iter().chain([2, 3].map(Granularity::Finer)) {
        for headings in ALL {
            for radius in [0.49936_f32, 0.45, 0.3] {
                let grid = Grid::open(12, 9).unwrap();
                let primitives = Primitives::straight(headings, 1).unwrap().arcs(2.0).unwrap().reversing(1.0).unwrap();
                let (space, footprint) = on(Body::disc(radius).unwrap(), primitives, &grid, granularity);
                let bound = footprint_bound(&space, &footprint);
                for m in (0..space.node_bound() as u32).map(NodeId).flat_map(|node| space.moves(node)) {
                    let met = footprint.sweep(&space, &Motion::Move(m), 0, &mut |entry| {
                        if entry.cell.index() < bound { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                    });
                    assert!(met.is_continue(), "{granularity:?}, {headings:?}, {radius}: {m:?}");
                }
            }
        }
    }
    let grid = Grid::open(12, 9).unwrap();
    let car = |radius| {
        let primitives = Primitives::straight(Headings::Eight, 1).unwrap().arcs(2.0).unwrap();
        on(Body::disc(radius).unwrap(), primitives, &grid, Granularity::Same).0
    };
    let along_the_rim = |space: &Lattice| space.moves(space.node(4, 0, 0).unwrap()).count();
    assert_eq!([0.499, 0.5].map(|radius| along_the_rim(&car(radius))), [2, 2], "straight on, and away from the rim");
}

fn footprint_bound(space: &Lattice, footprint: &BodyFootprint) -> usize {
    footprint.cells(space).bound()
}

#[test]
fn vehicles_keep_the_contracts() {
    let grid = Grid::from_ascii(
        "
        .......@..
        ..........
        ..........
        ....@.....
        ..........
        ..........
        ..........
        .@........
        ",
    )
    .unwrap();
    let hills = grid.clone().with_terrain(|x, y| 1 + (x + y) % 3).unwrap();
    for headings in ALL {
        let primitives = Primitives::straight(headings, 1).unwrap().arcs(1.5).unwrap();
        let primitives = primitives.reversing(2.0).unwrap().pivoting(4.0).unwrap();
        for body in
            [Body::rectangle(1.8, 0.8), Body::disc(0.45), Body::polygon(&[[1.2, 0.0], [-0.6, 0.5], [-0.6, -0.5]])]
        {
            for (grid, granularity) in
                [(&grid, Granularity::Same), (&grid, Granularity::Finer(3)), (&hills, Granularity::Coarser(2))]
            {
                let (space, footprint) = on(body.clone().unwrap(), primitives.clone(), grid, granularity);
                giveway_conformance::space_graph(&space).unwrap();
                giveway_conformance::embedding(&space).unwrap();
                giveway_conformance::footprint(&space, &footprint).unwrap();
                let goals = space.any_heading(8, 5);
                let predecessors = Predecessors::from_space(&space);
                giveway_conformance::heuristic(&space, &goals, || {
                    DistanceTable::new(&space, predecessors.clone(), goals.clone())
                })
                .unwrap();
            }
        }
    }
}

#[test]
fn a_long_vehicle_turns_where_there_is_room() {
    let map = "
        .......
        .......
        .......
        @@@...@
        @@@...@
        @@@...@
        @@@...@";
    let takes = |map: &str, length: f32| {
        let grid = Grid::from_ascii(map).unwrap();
        let primitives = Primitives::straight(Headings::Eight, 1).unwrap().arcs(1.5).unwrap();
        let body = Body::rectangle(length, 0.9).unwrap();
        let (space, footprint) = on(body, primitives, &grid, Granularity::Same);
        let [start, goal] = [(1, 1, 0), (4, 5, 2)].map(|(x, y, heading)| space.node(x, y, heading).unwrap());
        if !space.contains(start) || !space.contains(goal) {
            return None;
        }
        let instance = Instance::new(&space, &footprint, vec![Agent::new(start, goal)]).unwrap();
        fewest_ticks(&instance)[0]
    };
    assert!(takes(map, 1.8).is_some());
    // Between the walls there is no room to turn any more.
    let narrow = map.replace("@@@...@", "@@@@.@@").replacen(".......", "@@@@@@@", 1).replacen(".......", "......@", 2);
    assert_eq!(takes(&narrow, 1.8), None);
    // It fits across, and does not fit along.
    let grid = Grid::from_ascii("@@@@@ .....  @@@@@".replace(' ', "\n").as_str()).unwrap();
    let space = on(
        Body::rectangle(2.6, 0.9).unwrap(),
        Primitives::straight(Headings::Eight, 1).unwrap(),
        &grid,
        Granularity::Same,
    )
    .0;
    let fits = |heading| space.contains(space.node(2, 1, heading).unwrap());
    assert_eq!([0, 1, 2, 3, 4].map(fits), [true, false, false, false, true]);
    assert_eq!(space.any_heading(2, 1).nodes().len(), 2);
    assert_eq!(space.any_heading(0, 1), Goals::from_iter([]));
}

/// Points of a body, its edge included, a little within.
fn points(body: &TracedBody) -> Vec<[f32; 2]> {
    let inner = |from: [f32; 2], middle: [f32; 2]| {
        (0..=4).map(move |part| {
            let share = 0.999 * f32::from(part as u8) / 4.0;
            [0, 1].map(|axis| middle[axis] + (from[axis] - middle[axis]) * share)
        })
    };
    let rim: Vec<[f32; 2]> = match body {
        TracedBody::Disc { center, radius } => (0..32)
            .map(|part: u8| (f32::from(part) / 32.0 * TAU).sin_cos())
            .map(|(sin, cos)| [center[0] + radius * cos, center[1] + radius * sin])
            .collect(),
        TracedBody::Polygon { corners } => corners
            .iter()
            .zip(corners.iter().cycle().skip(1))
            .flat_map(|(a, b)| {
                (0..32_u8).map(move |part| [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * f32::from(part) / 32.0))
            })
            .collect(),
    };
    let middle = [0, 1].map(|axis| rim.iter().map(|point| point[axis]).sum::<f32>() / rim.len() as f32);
    rim.into_iter().flat_map(|point| inner(point, middle)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// At every time, a vehicle is within the cells that it occupies then; and it occupies none that it never comes
    /// near.
    #[test]
    fn a_vehicle_is_always_within_what_it_occupies(
        kind in 0..3_usize, radius in 0.8_f32..3.0, shape in 0..3, size in [0.3_f32..2.5, 0.3_f32..2.5], pick in 0_usize..1000,
        granularity in prop_oneof![
            Just(Granularity::Same), Just(Granularity::Finer(2)), Just(Granularity::Finer(4)), Just(Granularity::Coarser(2)),
            Just(Granularity::Coarser(3)),
        ],
        column in 8_u32..12,
    ) {
        let body = match shape {
            0 => Body::disc(size[0] / 2.0),
            1 => Body::rectangle(size[0], size[1]),
            _ => Body::polygon(&[[size[0], 0.1], [-0.7, size[1] / 2.0], [-0.4, -size[1]]]),
        }.unwrap();
        let outline = body.outline();
        let grid = Grid::open(20, 20).unwrap();
        let primitives = Primitives::straight(ALL[kind], 1).unwrap().arcs(radius).unwrap();
        let primitives = primitives.pivoting(4.0).unwrap().reversing(1.5).unwrap();
        let (space, footprint) = on(body, primitives, &grid, granularity);
        let from = space.node(column, 10, u32::try_from(pick).unwrap() % ALL[kind].count()).unwrap();
        let moves: Vec<_> = space.moves(from).collect();
        prop_assume!(!moves.is_empty());
        let m = moves[pick / 16 % moves.len()];
        let (side, columns) = match granularity {
            Granularity::Same => (1.0, 20_i64),
            Granularity::Finer(finer) => (1.0 / finer as f32, 20 * i64::from(finer)),
            Granularity::Coarser(coarser) => (coarser as f32, i64::from(20_u32.div_ceil(coarser))),
        };
        let entries = footprint.entries(&space, &Motion::Move(m), 0);
        let duration = footprint.duration(&space, &m).unwrap();
        let [x, y, _] = space.position(from);
        let mut near = BTreeSet::new();
        for sample in 0..400_u16 {
            let progress = (f32::from(sample) + 0.5) / 400.0;
            let tick = (progress * duration as f32).floor() as u32;
            let ([x, y], heading) = space.trajectory(&m).unwrap().pose([x, y], space.heading(from), progress);
            let (sin, cos) = heading.sin_cos();
            for [along, across] in points(&outline) {
                let [px, py] = [x + along * cos - across * sin, y + along * sin + across * cos];
                let cell = |px: f32, py: f32| ((py + 0.5) / side).floor() as i64 * columns + ((px + 0.5) / side).floor() as i64;
                let held = entries.iter().any(|entry| {
                    i64::from(entry.cell.0) == cell(px, py) && (entry.span.start..entry.span.end).contains(&tick)
                });
                prop_assert!(held, "({px}, {py}) at {progress}, tick {tick} of {duration}, is not within {entries:?}");
                let sides = [-0.1, 0.0, 0.1];
                for (dx, dy) in sides.into_iter().flat_map(|dx| sides.map(|dy| (dx, dy))) {
                    near.insert(cell(px + dx, py + dy));
                }
            }
        }
        for entry in &entries {
            prop_assert!(near.contains(&i64::from(entry.cell.0)), "{entry:?} is far away");
        }
    }

    /// A new look at some places after an edit finds what a new look at all places would find.
    #[test]
    fn edits_are_repaired(
        walls in prop::collection::vec(any::<bool>(), 100), edits in prop::collection::vec((0_u32..10, 0_u32..10, any::<bool>()), 1..12),
        eight in any::<bool>(), size in [0.3_f32..3.0, 0.3_f32..2.0],
    ) {
        // One in four is a wall.
        let wall = |x: u32, y: u32| walls[(y * 10 + x) as usize] && walls[((y * 7 + x * 3 + 1) % 100) as usize];
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let grid = Grid::from_fn(10, 10, |x, y| !wall(x, y)).unwrap().with_connectivity(connectivity);
        let mut edited = grid.clone();
        for (x, y, passable) in &edits {
            edited.set_passable(*x, *y, *passable);
        }
        let fresh = Grid::from_fn(10, 10, |x, y| edited.is_passable(x, y)).unwrap().with_connectivity(connectivity);
        let body = Body::rectangle(size[0], size[1]).unwrap();
        let ground = Ground::from_grid(&grid);
        let nodes = |space: &Clearance| {
            (0..100).map(NodeId).map(|node| (space.contains(node), space.moves(node).collect::<Vec<_>>())).collect::<Vec<_>>()
        };
        if let (Ok((mut space, _)), Ok((expected, _))) = (body.on(&grid, ground, 100), body.on(&fresh, ground, 100)) {
            let before = space.revision();
            let changed = edits.iter().filter(|(x, y, passable)| space.set_passable(*x, *y, *passable)).count();
            prop_assert_eq!(nodes(&space), nodes(&expected));
            prop_assert_eq!(space.revision() - before, changed as u64);
            prop_assert!(!space.set_passable(10, 3, false));
        }
        let car = Vehicle::new(body, Primitives::straight(Headings::Eight, 1).unwrap().arcs(1.0).unwrap().pivoting(3.0).unwrap());
        let nodes = |space: &Lattice| {
            (0..800).map(NodeId).map(|node| (space.contains(node), space.moves(node).collect::<Vec<_>>())).collect::<Vec<_>>()
        };
        if let (Ok((mut space, _)), Ok((expected, _))) = (car.on(&grid, ground, 100), car.on(&fresh, ground, 100)) {
            for (x, y, passable) in &edits {
                space.set_passable(*x, *y, *passable);
            }
            prop_assert_eq!(nodes(&space), nodes(&expected));
        }
    }
}
