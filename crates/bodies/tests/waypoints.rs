//! Waypoints on navigation meshes: as many abreast as bodies fit, joined wherever bodies get through, and clear of
//! walls. By the polygons of which meshes are made, and by rasters.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_6};

use giveway_bodies::{Body, CommonTicks};
use giveway_core::{Embedding, NodeId, SpaceGraph, Ticks};
use giveway_spaces::{Mover, NavMesh, SpaceError, WaypointRules, Waypoints};
use proptest::prelude::*;

use crate::outline::{Polygon, distance, is_in, rectangle};

/// An outline with obstacles.
#[derive(Clone, Debug)]
struct Yard {
    outline: Polygon,
    obstacles: Vec<Polygon>,
}

impl Yard {
    /// Turned by `angle` around the origin.
    fn turned(&self, angle: f32) -> Self {
        let turned = |polygon: &Polygon| polygon.iter().map(|at| turned(*at, angle)).collect();
        Self { outline: turned(&self.outline), obstacles: self.obstacles.iter().map(turned).collect() }
    }

    fn mesh(&self) -> NavMesh {
        NavMesh::from_outline(&self.outline, &self.obstacles).expect("ground is left")
    }

    fn polygons(&self) -> impl Iterator<Item = &Polygon> {
        std::iter::once(&self.outline).chain(&self.obstacles)
    }

    /// How far `point` is from all edges, or 0 if it is outside.
    fn clearance(&self, point: [f64; 2]) -> f64 {
        if !is_in(&self.outline, point) || self.obstacles.iter().any(|obstacle| is_in(obstacle, point)) {
            return 0.0;
        }
        self.polygons().map(|polygon| distance(polygon, point)).fold(f64::INFINITY, f64::min)
    }

    /// The middles of squares with sides of `step` whose clearance is at least `least`, with the number of the part to
    /// which each belongs. Neighbours along a side are joined.
    fn parts(&self, step: f64, least: f64) -> Vec<([f64; 2], usize)> {
        let [low, high] = self.mesh().bounds().map(|corner| corner.map(f64::from));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small
        let [columns, rows] = [0, 1].map(|axis| ((high[axis] - low[axis]) / step) as usize + 1);
        #[allow(clippy::cast_precision_loss)] // small
        let at = |cell: usize| [low[0] + (cell % columns) as f64 * step, low[1] + (cell / columns) as f64 * step];
        let is_free: Vec<bool> = (0..columns * rows).map(|cell| self.clearance(at(cell)) >= least).collect();
        let near = |cell: usize| {
            let (x, y) = (cell % columns, cell / columns);
            let sides = [(x > 0, cell.wrapping_sub(1)), (x + 1 < columns, cell + 1)];
            let ends = [(y > 0, cell.wrapping_sub(columns)), (y + 1 < rows, cell + columns)];
            sides.into_iter().chain(ends).filter(|(is_there, _)| *is_there).map(|(_, cell)| cell).collect()
        };
        let parts = parts(columns * rows, |cell| if is_free[cell] { near(cell) } else { Vec::new() });
        (0..columns * rows).filter(|cell| is_free[*cell]).map(|cell| (at(cell), parts[cell])).collect()
    }
}

fn turned([x, y]: [f32; 2], angle: f32) -> [f32; 2] {
    let (sine, cosine) = angle.sin_cos();
    [x * cosine - y * sine, x * sine + y * cosine]
}

/// The part to which each of `count` things belongs, if each is joined to what `near` it. What is near nothing is a
/// part of its own.
fn parts(count: usize, near: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut parts = vec![usize::MAX; count];
    for first in 0..count {
        let mut steps = vec![first];
        while let Some(one) = steps.pop() {
            if parts[one] == usize::MAX {
                parts[one] = first;
                steps.extend(near(one).into_iter().filter(|other| !near(*other).is_empty()));
            }
        }
    }
    parts
}

fn nodes(waypoints: &Waypoints) -> impl Iterator<Item = NodeId> + use<> {
    (0..u32::try_from(waypoints.node_bound()).expect("few")).map(NodeId)
}

fn at(waypoints: &Waypoints, node: NodeId) -> [f64; 2] {
    let [x, y, _] = waypoints.position(node).map(f64::from);
    [x, y]
}

/// The part to which each waypoint belongs.
fn parts_of(waypoints: &Waypoints) -> Vec<usize> {
    parts(waypoints.node_bound(), |node| {
        let node = NodeId(u32::try_from(node).expect("few"));
        waypoints.moves(node).map(|m| m.to.index()).collect()
    })
}

fn rules(mesh: &NavMesh, radius: f32) -> (WaypointRules, Ticks) {
    let rules = WaypointRules::new(mesh, &Body::disc(radius).expect("a radius"));
    (rules, CommonTicks::new().waypoints([&rules]).fewest().expect("speed 1 has one"))
}

/// What is wrong with `waypoints` of discs at speed 1, if anything: a waypoint or a move that comes too near to a wall,
/// a move without a way back, or a move whose length is not the length of its way.
fn flaw(yard: &Yard, waypoints: &Waypoints, radius: f32, ticks: Ticks) -> Option<String> {
    let least = f64::from(radius) - 1e-4;
    let moves = nodes(waypoints).flat_map(|node| waypoints.moves(node));
    let rests = nodes(waypoints).map(|node| (node, yard.clearance(at(waypoints, node))));
    if let Some((node, clearance)) = rests.into_iter().find(|(_, clearance)| *clearance < least) {
        return Some(format!("{node:?} at {:?} has {clearance} to walls", at(waypoints, node)));
    }
    for m in moves {
        let [from, to] = [m.from, m.to].map(|node| at(waypoints, node));
        let way = (to[0] - from[0]).hypot(to[1] - from[1]);
        let samples = (0..=24_u8).map(|sample| f64::from(sample) / 24.0);
        let mut samples = samples.map(|share| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share));
        if let Some(point) = samples.find(|point| yard.clearance(*point) < least) {
            return Some(format!("{m:?} has {} to walls at {point:?}", yard.clearance(point)));
        }
        let back = waypoints.moves(m.to).find(|back| back.to == m.from);
        if back.is_none_or(|back| (back.length, back.cost) != (m.length, m.cost)) {
            return Some(format!("{m:?} leads back by {back:?}"));
        }
        let (length, tick) = (f64::from(m.length), 1.0 / f64::from(ticks));
        let counts = length / tick;
        if (counts - counts.round()).abs() > 1e-3 || length < way * 0.99 - 1e-5 || length > way * 1.01 + tick {
            return Some(format!("{m:?} is {way} long, and takes {counts} ticks"));
        }
    }
    None
}

/// How many discs can be side by side, without overlap, on waypoints and on moves in the direction of `angle`,
/// somewhere between `begin` and `end` along it.
fn abreast(waypoints: &Waypoints, radius: f32, angle: f32, [begin, end]: [f64; 2]) -> usize {
    let (sine, cosine) = f64::from(angle).sin_cos();
    // Along the direction, and across it.
    let turned_back = |node| {
        let [x, y] = at(waypoints, node);
        [x * cosine + y * sine, y * cosine - x * sine]
    };
    let near = 0.01 * f64::from(radius);
    let is_between = |along: f64| (begin - 0.01..=end + 0.01).contains(&along);
    let points: Vec<[f64; 2]> = nodes(waypoints).map(turned_back).filter(|point| is_between(point[0])).collect();
    let moves = nodes(waypoints).flat_map(|node| waypoints.moves(node)).map(|m| [m.from, m.to].map(turned_back));
    let straight: Vec<[[f64; 2]; 2]> =
        moves.filter(|[from, to]| (from[1] - to[1]).abs() < near && from[0] < to[0]).collect();
    let beside = |along: f64| {
        let row = points.iter().filter(|point| (point[0] - along).abs() < near).map(|point| point[1]);
        let passing = straight.iter().filter(|[from, to]| (from[0]..=to[0]).contains(&along)).map(|[from, _]| from[1]);
        let mut row: Vec<f64> = row.chain(passing).collect();
        row.sort_unstable_by(f64::total_cmp);
        let mut last = f64::NEG_INFINITY;
        let is_clear = |across: &f64| {
            let is_clear = across - last >= 2.0 * f64::from(radius) - 1e-4;
            last = if is_clear { *across } else { last };
            is_clear
        };
        row.into_iter().filter(is_clear).count()
    };
    points.iter().map(|point| point[0]).chain([begin.midpoint(end)]).map(beside).max().unwrap_or(0)
}

/// Straight, 16 long.
fn corridor(width: f32) -> Yard {
    Yard { outline: rectangle(0.0, 0.0, 16.0, width), obstacles: vec![] }
}

/// Two rooms, and a door in the wall between them, from 8 to 9.
fn door(width: f32) -> Yard {
    let obstacles = vec![rectangle(8.0, 0.0, 9.0, 3.0), rectangle(8.0, 3.0 + width, 9.0, 8.0)];
    Yard { outline: rectangle(0.0, 0.0, 17.0, 8.0), obstacles }
}

/// A corridor along x that turns to y.
fn bend(width: f32) -> Yard {
    let outline =
        vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [10.0 - width, 10.0], [10.0 - width, width], [0.0, width]];
    Yard { outline, obstacles: vec![] }
}

/// Two rooms, and between them a corner that points at a wall.
fn spike(width: f32) -> Yard {
    Yard { outline: rectangle(0.0, 0.0, 17.0, 8.0), obstacles: vec![vec![[6.0, 9.0], [8.5, width], [11.0, 9.0]]] }
}

#[test]
fn as_many_abreast_as_fit_and_rooms_are_joined_where_a_body_gets_through() {
    // The yard by width; where the passage is, along x; a point at either end.
    type Kind = (&'static str, fn(f32) -> Yard, [f64; 2], [[f32; 2]; 2]);
    let kinds: [Kind; 4] = [
        ("corridor", corridor, [4.0, 12.0], [[1.0, 0.5], [15.0, 0.5]]),
        ("door", door, [8.0, 9.0], [[4.0, 4.0], [13.0, 4.0]]),
        ("bend", bend, [2.0, 6.0], [[1.0, 0.5], [9.5, 9.0]]),
        ("spike", spike, [8.4, 8.6], [[2.0, 4.0], [15.0, 4.0]]),
    ];
    // The width of the passage in diameters, and how many fit abreast.
    let widths = [(0.9, 0), (1.0, 1), (1.1, 1), (1.9, 1), (2.0, 2), (2.2, 2), (3.0, 3), (3.3, 3), (4.0, 4)];
    for (name, kind, [begin, end], ends) in kinds {
        for (diameters, lanes) in widths {
            for (radius, angle) in [(0.5, 0.0), (0.5, FRAC_PI_2), (0.5, FRAC_PI_6), (0.3, 0.0), (0.3, FRAC_PI_6)] {
                let case = format!("{name} of {diameters} diameters, radius {radius}, turned by {angle}");
                let yard = kind(diameters * 2.0 * radius).turned(angle);
                let mesh = yard.mesh();
                let (rules, ticks) = rules(&mesh, radius);
                let waypoints = match Waypoints::new(&mesh, rules, ticks) {
                    Ok(waypoints) => waypoints,
                    Err(error) => {
                        assert_eq!((error, lanes), (SpaceError::Nowhere, 0), "{case}");
                        continue;
                    }
                };
                assert_eq!(flaw(&yard, &waypoints, radius, ticks), None, "{case}");
                assert_eq!(abreast(&waypoints, radius, angle, [begin, end]), lanes, "{case}");
                let parts = parts_of(&waypoints);
                let ends = ends.map(|end| waypoints.nearest_node(turned(end, angle)).expect("some").index());
                // A body that does not fit into a bend may have room in its corner.
                let is_joined = parts[ends[0]] == parts[ends[1]] && (name != "bend" || lanes > 0);
                assert_eq!(is_joined, lanes > 0, "{case}");
                let stray = parts.iter().position(|part| ends.iter().all(|end| parts[*end] != *part));
                assert_eq!(stray, None, "{case}");
            }
        }
    }
}

/// A yard of 16 x 10 with turned rectangles and triangles in it, some across the outline.
fn yards() -> impl Strategy<Value = Yard> {
    let obstacle = (0_f32..16.0, 0_f32..10.0, 0.2_f32..3.0, 0.2_f32..3.0, 0_f32..6.3, 3_usize..5).prop_map(
        |(x, y, across, down, angle, corners)| {
            let corners =
                [[-across, -down], [across, -down], [across, down], [-across, down]].into_iter().take(corners);
            corners.map(|corner| turned(corner, angle)).map(|[dx, dy]| [x + dx, y + dy]).collect()
        },
    );
    prop::collection::vec(obstacle, 0..9)
        .prop_map(|obstacles| Yard { outline: rectangle(0.0, 0.0, 16.0, 10.0), obstacles })
        .prop_filter("ground is left", |yard| NavMesh::from_outline(&yard.outline, &yard.obstacles).is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_a_raster_joins_is_joined(
        yard in yards(),
        radius in prop_oneof![Just(0.3_f32), Just(0.5), Just(0.8)],
        picks in prop::collection::vec(any::<prop::sample::Index>(), 12),
    ) {
        let mesh = yard.mesh();
        let (rules, ticks) = rules(&mesh, radius);
        let raster = yard.parts(f64::from(radius) / 3.0, f64::from(radius) * 1.3);
        prop_assume!(!raster.is_empty());
        let picked: Vec<([f64; 2], usize)> = picks.iter().map(|pick| *pick.get(&raster)).collect();
        #[allow(clippy::cast_possible_truncation)] // they have room
        let places: Vec<[f32; 2]> = picked.iter().map(|(at, _)| at.map(|side| side as f32)).collect();
        let waypoints = Waypoints::with_places(&mesh, rules, ticks, &places);
        prop_assert!(waypoints.is_ok(), "{:?}", waypoints);
        let waypoints = waypoints.expect("just checked");
        prop_assert_eq!(flaw(&yard, &waypoints, radius, ticks), None);
        let parts = parts_of(&waypoints);
        let part = |number: usize| parts[waypoints.place(number).expect("given").index()];
        for (number, (_, by_raster)) in picked.iter().enumerate() {
            for (other, _) in picked.iter().enumerate().filter(|(_, (_, other))| other == by_raster) {
                prop_assert_eq!(part(number), part(other), "{:?} and {:?}", places[number], places[other]);
            }
        }
    }

    #[test]
    fn the_nearest_place_is_as_near_as_the_best_of_many_samples(
        yard in yards(),
        radius in 0.2_f32..1.0,
        point in [-1_f32..17.0, -1_f32..11.0],
        within in 0.1_f32..3.0,
    ) {
        let mesh = yard.mesh();
        let found = rules(&mesh, radius).0.nearest_place(&mesh, point, within);
        let far = |at: [f64; 2]| (at[0] - f64::from(point[0])).hypot(at[1] - f64::from(point[1]));
        let (radius, within) = (f64::from(radius), f64::from(within));
        if let Some(found) = found.map(|found| found.map(f64::from)) {
            prop_assert!(far(found) <= within + 1e-4, "{found:?}");
            prop_assert!(yard.clearance(found) >= radius - 1e-4, "{found:?} has {}", yard.clearance(found));
        }
        let nearest = found.map_or(f64::INFINITY, |found| far(found.map(f64::from)));
        let step = |step: i16| f64::from(step) / 60.0 * within;
        let samples = (-60..=60).flat_map(|x| (-60..=60).map(move |y| [x, y]));
        let samples = samples.map(|[x, y]| [f64::from(point[0]) + step(x), f64::from(point[1]) + step(y)]);
        let better = samples.filter(|at| far(*at) < nearest.min(within + 1e-9) - 1e-4);
        let better = { better }.find(|at| yard.clearance(*at) >= radius + 1e-4);
        prop_assert_eq!(better, None, "better than {:?}", found);
    }
}

#[test]
fn a_mover_without_a_reach_has_waypoints_and_one_that_makes_no_sense_an_error() {
    let mesh = NavMesh::from_outline(&rectangle(0.0, 0.0, 10.0, 10.0), &[]).unwrap();
    let rules = |reach| WaypointRules::new(&mesh, Mover { reach, pace: 1.0 });
    for reach in [0.0, -5.0, f64::NAN] {
        for spacing in [0.0, -1.0, 1e-4, f32::NAN] {
            assert!(matches!(rules(reach).spacing(spacing), Err(SpaceError::Spacing { .. })), "{reach} {spacing}");
        }
        let waypoints = Waypoints::new(&mesh, rules(reach).spacing(2.0).unwrap(), 12).unwrap();
        assert!(waypoints.node_bound() > 9, "{reach}");
    }
    assert!(matches!(Waypoints::new(&mesh, rules(f64::INFINITY), 12), Err(SpaceError::Spacing { .. })));
}
