//! Every space runs every strategy, with every body that applies, and all plans are checked. The table is in the book.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers

use std::sync::Arc;

use giveway::NodeId;
use giveway::spaces::{
    Body, CommonTicks, Connectivity, Direction, Embedding, Floors, FnSpace, GraphSpace, Grid, Ground, Headings,
    HexGrid, Lattice, Link, Linked, NavMesh, Primitives, RoadRules, Roads, SyncSpace, Vehicle, Voxels, WaypointRules,
    Waypoints,
};
use giveway::trial::{Outcome, Row, Table, Trial};
use hexx::{Hex, HexLayout, shapes};
use petgraph::graph::DiGraph;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

const ROOMS: &str = "\
..............
..............
....@.....@...
....@.....@...
@.@@@..@@@@.@@
....@.....@...
..........@...
....@.........
....@.....@...
..............";

const FLOOR: &str = "\
........
..@@@...
..@.....
..@.....
........";

fn grid(connectivity: Connectivity) -> Grid {
    Grid::from_ascii(ROOMS).unwrap().with_connectivity(connectivity)
}

/// The rooms with four neighbours, and a door in each wall that leads one way only.
fn one_way_doors() -> Grid {
    grid(Connectivity::Four).with_one_ways(|x, y| match (x, y) {
        (1, 4) => Some(Direction::South),
        (11, 4) => Some(Direction::North),
        (4, 6) => Some(Direction::West),
        _ => None,
    })
}

/// A hexagon of hexes, without some.
fn hexes() -> HexGrid {
    let all = shapes::hexagon(Hex::ZERO, 6);
    let is_wall = |hex: Hex| (hex.x * 7 + hex.y * 13).rem_euclid(9) == 4;
    HexGrid::new(all.filter(|hex| !is_wall(*hex)), HexLayout::flat()).unwrap()
}

/// Three floors: stairs for several units between each two of them, and a lift for one unit that stops everywhere.
fn house() -> Linked<Floors> {
    let floor = |number: u8| Grid::from_ascii(FLOOR).unwrap().at_height(3.0 * f32::from(number)).unwrap();
    let floors = Floors::new((0..3).map(floor)).unwrap();
    let at = |floor, x, y| floors.node(floor, x, y).unwrap();
    let stairs = |floor| Link::new(at(floor, 0, 0), at(floor + 1, 7, 4), 9000, 9.0).both_ways().places(3);
    let lift = |floor| Link::new(at(floor, 7, 0), at(floor + 1, 7, 0), 3000, 3.0).both_ways();
    let links = (0..2).flat_map(|floor| [stairs(floor), lift(floor)]).collect();
    Linked::new(floors, links).unwrap()
}

/// Hills of blocks, on which units climb one block at a time.
fn hills() -> Voxels {
    let height = |x: u32, y: u32| 1 + (x * 3 + y * 5) % 7 / 3 + u32::from(x > 5 && y > 4);
    Voxels::walking([11, 9, 6], |x, y, z| z < height(x, y), 2, 1).unwrap()
}

/// A town of six by four junctions: every other street leads one way only, and two have two lanes side by side.
fn town() -> DiGraph<[f32; 2], u32> {
    let (columns, rows, block) = (6_u16, 4_u16, 16_u16);
    let mut roads = DiGraph::new();
    let mut junctions = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            junctions.push(roads.add_node([x, y].map(|side| f32::from((side + 1) * block))));
        }
    }
    let at = |x: u16, y: u16| junctions[usize::from(y * columns + x)];
    for y in 0..rows {
        for x in 0..columns {
            if x + 1 < columns {
                let (west, east) = (at(x, y), at(x + 1, y));
                let one_way = y % 2 == 1;
                roads.add_edge(west, east, 16_000);
                if one_way {
                    // Side by side.
                    roads.add_edge(west, east, 17_000);
                } else {
                    roads.add_edge(east, west, 16_000);
                }
            }
            if y + 1 < rows {
                roads.add_edge(at(x, y), at(x, y + 1), 16_000);
                roads.add_edge(at(x, y + 1), at(x, y), 16_000);
            }
        }
    }
    roads
}

fn roads() -> GraphSpace<u32, giveway::spaces::Positions> {
    let town = town();
    let space = GraphSpace::new(&town, |road| *road.weight()).unwrap();
    space.with_positions(|junction| [town[junction][0], town[junction][1], 0.0]).unwrap()
}

/// Waypoints at random, joined to those nearby.
fn waypoints() -> FnSpace<u32, giveway::spaces::Positions> {
    let mut random = Pcg64Mcg::new(11);
    let mut places: Vec<[f32; 2]> = Vec::new();
    let square = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
    while places.len() < 60 {
        let place = [0, 1].map(|_| random.random_range(0.0_f32..30.0));
        if places.iter().all(|other| square(*other, place) > 6.0) {
            places.push(place);
        }
    }
    let near = |node: u32| {
        let at = places[node as usize];
        let others = (0..).zip(&places).filter(|(other, place)| *other != node && square(at, **place) < 30.0);
        others.map(|(other, place)| (other, (square(at, *place).sqrt() * 1000.0) as u32)).collect::<Vec<(u32, u32)>>()
    };
    let space = FnSpace::new(60, near).unwrap();
    space.with_positions(|node| [places[node as usize][0], places[node as usize][1], 0.0]).unwrap()
}

/// A yard with three sheds, as a navigation mesh: waypoints of a disc.
fn mesh() -> Waypoints {
    let block = |x: f32, y: f32, w: f32, h: f32| vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    let sheds = [block(4.0, 3.0, 3.0, 4.0), block(10.0, 0.0, 2.0, 5.0), block(11.0, 8.0, 5.0, 2.0)];
    let mesh = NavMesh::from_outline(&block(0.0, 0.0, 20.0, 14.0), &sheds).unwrap();
    let rules = WaypointRules::new(&mesh, &Body::disc(0.4).unwrap());
    Waypoints::new(&mesh, rules, CommonTicks::new().waypoints([&rules]).fewest().unwrap()).unwrap()
}

fn lattice() -> Lattice {
    let map = Grid::open(9, 8).unwrap();
    let primitives = Primitives::straight(Headings::Four, 1).unwrap().arcs(1.0).unwrap().reversing(2.0).unwrap();
    let vehicle = Vehicle::new(Body::disc(0.3).unwrap(), primitives);
    let ticks = CommonTicks::new().of([&vehicle], &map).fewest().unwrap();
    vehicle.on(&map, Ground::from_grid(&map), ticks).unwrap().0
}

/// Six sidings between two leads, and a track at either end. Nothing has a position.
fn yard() -> FnSpace {
    let (sidings, places) = (6, 4);
    let siding = |number: u32, place: u32| 12 + number * places + place;
    // The leads are 0..6 in the west and 6..12 in the east.
    let mut tracks: Vec<(u32, u32)> =
        (0..5).flat_map(|number| [(number, number + 1), (number + 6, number + 7)]).collect();
    for number in 0..sidings {
        tracks.push((number, siding(number, 0)));
        tracks.extend((1..places).map(|place| (siding(number, place - 1), siding(number, place))));
        tracks.push((siding(number, places - 1), number + 6));
    }
    FnSpace::new(12 + sidings * places, move |node| {
        let ways = tracks.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        ways.filter(|(from, _)| *from == node).map(|(_, to)| (to, 1000)).collect::<Vec<_>>()
    })
    .unwrap()
}

/// All trials.
fn table() -> Table {
    fn all<S: Embedding + SyncSpace>(name: &str, space: S) -> Table {
        Trial::new(name).agents(8).seed(1).of_all(&Arc::new(space))
    }
    let mut table = Table::default();
    table.extend([
        all("grid, 4 neighbours", grid(Connectivity::Four)),
        all("grid, 8 neighbours", grid(Connectivity::Eight)),
        all("grid, one-way doors", one_way_doors()),
        all("hexes", hexes()),
        all("three floors, stairs and a lift", house()),
        all("hills of blocks", hills()),
        all("petgraph roads, one-way and parallel", roads()),
        all("lanes of these roads", Roads::new(&roads(), RoadRules::new(3.2, 1.8, 3.6)).unwrap()),
        all("scattered waypoints", waypoints()),
        all("waypoints of a navigation mesh", mesh()),
        all("lattice of four headings", lattice()),
        Trial::new("train yard").agents(8).seed(1).of_points(&yard()),
    ]);
    table
}

#[test]
fn every_space_runs_every_strategy_with_every_body_that_applies() {
    let table = table();
    assert!(table.is_sound(), "{table}");
    let rows = |body: &str| table.rows().iter().filter(|row| row.body == body).collect::<Vec<&Row>>();
    let (points, discs, rectangles) = (rows("point"), rows("disc"), rows("rectangle"));
    let full = |row: &&Row| row.tried().iter().filter(|outcome| outcome.agents == 8).count() == 5;
    assert_eq!((points.len(), points.iter().filter(|row| full(row)).count()), (12, 12), "{table}");
    assert_eq!((discs.len(), discs.iter().filter(|row| full(row)).count()), (11, 11), "{table}");
    assert!(rectangles.iter().filter(|row| full(row)).count() >= 3, "{table}");
    // A run without arrivals would be no trial.
    let solved = |outcomes: &[Outcome]| outcomes.iter().filter(|outcome| outcome.cost_over_bound.is_some()).count();
    assert!(points.iter().chain(&discs).all(|row| solved(row.tried()) >= 3), "{table}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/every_space_table.md");
    let text = format!("{table}\n");
    if std::env::var_os("GIVEWAY_WRITE_TABLE").is_some() {
        std::fs::write(file, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), text, "the table in the book: GIVEWAY_WRITE_TABLE=1 writes it");
}

#[test]
fn a_trial_names_what_is_wrong() {
    /// A road that says that its moves cross nothing, so that agents exchange their places.
    struct Ghostly;
    impl giveway::SpaceGraph for Ghostly {
        type Action = u32;
        type Cost = u32;
        fn node_bound(&self) -> usize {
            4
        }
        fn moves(&self, from: NodeId) -> impl Iterator<Item = giveway::Move<u32, u32>> {
            let to = [from.0.wrapping_sub(1), from.0 + 1].map(NodeId);
            let moves = (0..).zip(to).filter(|(_, to)| to.0 < 4);
            moves.map(move |(action, to)| giveway::Move { from, to, action, cost: 1000, length: 1.0 })
        }

        fn facts(&self) -> giveway::spaces::Facts<'_, u32> {
            giveway::spaces::Facts { crossing_bound: 1, ..giveway::spaces::Facts::NONE }
        }
    }
    let tables = || (0..10).map(|seed| Trial::new("ghostly").agents(3).seed(seed).of_points(&Ghostly));
    assert!(tables().any(|table| !table.is_sound()));
    assert!(tables().any(|table| table.to_string().contains("violations!)")));
    // One of them has to stay, in the way of the other: nothing is wrong with that.
    let line =
        FnSpace::new(4, |node| [node.wrapping_sub(1), node + 1].into_iter().filter(|to| *to < 4).map(|to| (to, 1000)))
            .unwrap();
    let tables = || (0..10).map(|seed| Trial::new("line").agents(3).seed(seed).of_points(&line));
    assert!(tables().all(|table| table.is_sound()));
    assert!(tables().any(|table| table.rows()[0].tried()[0].cost_over_bound.is_none()));
    let lone = FnSpace::new(1, |_| [] as [(u32, u32); 0]).unwrap();
    let table = Trial::new("one place").of_points(&lone);
    assert_eq!(table.rows()[0].outcomes, Err("no two places from which units can come to each other".to_owned()));
    assert!(
        table
            .to_string()
            .ends_with("| one place | point | 0 | no two places from which units can come to each other | | | | |"),
        "{table}"
    );
}
