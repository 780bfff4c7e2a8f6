//! Worlds of many kinds, each built anew as often as is asked.

use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::heuristic::{Octile, Zero};
use giveway_core::store::IntervalTable;
use giveway_core::{Area, NodeId, Point, SharedLayer};
use giveway_crowd::{Chain, Class, Crowd, CrowdSettings, Depth, Lra, Planner, SoftRests};
use giveway_distance::{Hierarchy, PricedDistances, TrueDistances};
use giveway_lanes::{CrossingMap, DirectionMap, DirectionRules, EdgeDirectionMap, Raster, WorldDirectionMap};
use giveway_spaces::{
    Connectivity, Floors, FnSpace, Grid, Link, Linked, NavMesh, RoadRules, Roads, WaypointRules, Waypoints,
};
use giveway_strategies::{Routing, SectorRouting};

pub(super) struct World {
    pub(super) name: &'static str,
    pub(super) build: fn() -> Crowd<'static>,
    pub(super) units: u32,
    /// Units of work at a tick, of which a few units plan.
    pub(super) work: u64,
    /// Areas that change.
    pub(super) areas: Vec<Area>,
}

/// Walls here and there.
fn grid(width: u32, height: u32) -> Grid {
    Grid::from_fn(width, height, |x, y| !(x * 7 + y * 3 + x * y).is_multiple_of(9)).unwrap()
}

fn rules() -> DirectionRules {
    DirectionRules::default().weight(3.0)
}

fn points() -> Crowd<'static> {
    let (grid, mut crowd) = (grid(24, 18), Crowd::new(CrowdSettings::new()));
    let map = DirectionMap::blank(&grid, rules());
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).layer(map).editable()).unwrap();
    crowd
}

fn aimed() -> Crowd<'static> {
    let grid = grid(24, 18).with_connectivity(Connectivity::Eight);
    let mut crowd = Crowd::new(CrowdSettings::new().descent(true).depth(Depth::ByCrowding { least: 6, most: 20 }));
    let heuristics = TrueDistances::aimed(Octile { step: 1000, diagonal: 1414 }).keep_at_most(60_000);
    let class = Class::new(grid.clone(), Point::following_rule(&grid)).heuristics(heuristics).editable();
    crowd.add_class(class).unwrap();
    crowd
}

fn weighted() -> Crowd<'static> {
    let grid = grid(20, 15).with_connectivity(Connectivity::Eight);
    let mut crowd = Crowd::new_on(CrowdSettings::new(), |cells, _| IntervalTable::new(cells));
    let tables = TrueDistances::<Grid, Zero>::tables().keep_at_most(90_000);
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).heuristics(tables).editable()).unwrap();
    crowd
}

/// What units pay for is what they have learned, when distances were looked for.
fn priced() -> Crowd<'static> {
    let grid = grid(20, 15);
    let map = Arc::new(CrossingMap::blank(&grid, rules()));
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::new(grid.clone(), Point::swap_rule(&grid)).heuristics(PricedDistances::tables(Arc::clone(&map)));
    crowd.add_class(class.layer(map).editable()).unwrap();
    crowd
}

/// Of any size, by ways.
fn ways_on_tiles() -> Crowd<'static> {
    let grid = grid(120, 90);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let ways = Hierarchy::new().with_positions().from_size(0);
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).heuristics(ways).editable()).unwrap();
    crowd
}

fn ways_on_pieces() -> Crowd<'static> {
    let grid = grid(70, 60).with_connectivity(Connectivity::Eight);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let ways = Hierarchy::new().with_positions().from_size(0);
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).heuristics(ways).editable()).unwrap();
    crowd
}

/// As many nodes as have ways by default.
fn large() -> Crowd<'static> {
    let grid = Grid::from_fn(288, 256, |x, y| !(x * 7 + y * 3 + x * y).is_multiple_of(9)).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    crowd
}

/// Of middle size: tables, and ways where many goals are new at once.
fn middle() -> Crowd<'static> {
    let grid = grid(240, 200);
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    crowd
}

fn steps() -> Crowd<'static> {
    let grid = grid(20, 15);
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Planner::Step));
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    crowd
}

fn repair() -> Crowd<'static> {
    let grid = grid(20, 15);
    let lra = Lra::new(7).routing(Routing::Sectors(SectorRouting::new(4)));
    let chain = Chain::new(Planner::LocalRepair(lra)).fallback(Planner::Windowed, 9);
    let mut crowd = Crowd::new(CrowdSettings::new().chain(chain));
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    let chain = Chain::followers(3);
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable().chain(chain)).unwrap();
    crowd
}

fn soft() -> Crowd<'static> {
    let (grid, settings) = (grid(16, 12), CrowdSettings::new().soft_rests(SoftRests { price: 2500 }));
    let mut crowd = Crowd::new(settings);
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    crowd
}

fn slow() -> Crowd<'static> {
    let grid = grid(16, 12);
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(grid.clone(), Point::rounded(&grid, 3)).editable()).unwrap();
    crowd
}

/// Carts of two sizes and speeds.
fn carts() -> Crowd<'static> {
    let grid = Grid::open(20, 16).unwrap();
    let bodies = [Body::square(1).unwrap(), Body::square(2).unwrap().speed(0.5).unwrap()];
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::default().with_steps()));
    for body in &bodies {
        crowd.add_class(Class::for_body(body, &grid, Ground::from_grid(&grid), ticks).unwrap().editable()).unwrap();
    }
    crowd
}

/// Carts of two sizes, which learn common lanes. Small ones see them from afar.
fn side() -> Crowd<'static> {
    let grid = Grid::open(20, 16).unwrap();
    let bodies = [Body::square(1).unwrap(), Body::square(2).unwrap().speed(0.5).unwrap()];
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().unwrap();
    let raster = Raster::new([-0.5, -0.5], [20.0, 16.0], 1.0).unwrap();
    let map = SharedLayer::new(WorldDirectionMap::blank(raster, DirectionRules::default().neighbours(0.1)));
    let mut crowd = Crowd::new(CrowdSettings::new());
    let [small, large] = bodies.map(|body| Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).unwrap());
    let priced = PricedDistances::tables(map.clone());
    crowd.add_class(small.heuristics(priced).layer(map.clone()).editable()).unwrap();
    crowd.add_class(large.layer(map).editable()).unwrap();
    crowd
}

/// Cars on a lattice.
fn cars() -> Crowd<'static> {
    let grid = Grid::open(16, 14).unwrap();
    let primitives = Primitives::straight(Headings::Four, 1).unwrap().arcs(2.0).unwrap();
    let car = Vehicle::new(Body::rectangle(1.8, 0.9).unwrap(), primitives);
    let ticks = CommonTicks::new().of([&car], &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::for_body(&car, &grid, Ground::from_grid(&grid), ticks).unwrap().editable()).unwrap();
    crowd
}

fn mesh() -> Crowd<'static> {
    let block = |x: f32, y: f32, w: f32, h: f32| vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    let sheds = [block(4.0, 3.0, 3.0, 4.0), block(10.0, 0.0, 2.0, 5.0), block(11.0, 8.0, 5.0, 2.0)];
    let mesh = NavMesh::from_outline(&block(0.0, 0.0, 20.0, 14.0), &sheds).unwrap();
    let disc = Body::disc(0.4).unwrap();
    let rules = WaypointRules::new(&mesh, &disc);
    let ticks = CommonTicks::new().waypoints([&rules]).fewest().unwrap();
    let waypoints = Waypoints::new(&mesh, rules, ticks).unwrap();
    let ground = Ground::of_mesh(&mesh, rules.ground_cell()).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::for_body(&disc, &Arc::new(waypoints), ground, ticks).unwrap().editable()).unwrap();
    crowd
}

/// Lanes of a road map of 3 x 3 junctions.
fn roads() -> Crowd<'static> {
    let moves = |at: u32| {
        let (x, y) = (at % 3, at / 3);
        let around = [(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))];
        let beside = around.into_iter().filter(|(x, y)| *x < 3 && *y < 3);
        beside.map(|(x, y)| (y * 3 + x, 24_000)).collect::<Vec<_>>()
    };
    #[allow(clippy::cast_precision_loss)]
    let at = |node: u32| [(node % 3) as f32 * 24.0, (node / 3) as f32 * 24.0, 0.0];
    let map = FnSpace::new(9, moves).unwrap().with_positions(at).unwrap();
    let roads = Roads::new(&map, RoadRules::new(3.2, 1.8, 3.6)).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(roads.clone(), Point::rounded(&roads, 2))).unwrap();
    crowd
}

/// Two floors, stairs and a lift.
fn links() -> Crowd<'static> {
    let floors = Floors::new([grid(12, 8), grid(12, 8).at_height(3.0).unwrap()]).unwrap();
    let at = |floor, x, y| floors.node(floor, x, y).unwrap();
    let stairs = Link::new(at(0, 11, 0), at(1, 0, 1), 6000, 6.0).both_ways().places(2);
    let lift = Link::new(at(0, 1, 2), at(1, 11, 2), 3000, 3.0).both_ways().sails_every(8, 0);
    let house = Linked::new(floors, vec![stairs, lift]).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let point = Point::timed(&house, 1).unwrap();
    crowd.add_class(Class::new(house, point).editable()).unwrap();
    crowd
}

/// A graph without positions: two rings of twenty places, with spokes between them.
fn rings() -> Crowd<'static> {
    let moves = |at: u32| {
        let ring = at / 20 * 20;
        [ring + (at + 1) % 20, ring + (at + 19) % 20, (at + 20) % 40].map(|to| (to, 1000))
    };
    let rings = FnSpace::new(40, moves).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let map = EdgeDirectionMap::blank(&rings, rules());
    crowd.add_class(Class::bare(rings.clone(), Point::swap_rule(&rings)).layer(map)).unwrap();
    crowd
}

pub(super) fn all() -> Vec<World> {
    let area = |corners: [f32; 4]| {
        let [left, top, right, bottom] = corners;
        Area::rectangle([left, top], [right, bottom]).unwrap()
    };
    let areas = || vec![area([2.6, 1.6, 6.4, 5.4]), area([9.0, 6.0, 12.0, 7.0]), area([7.0, 0.0, 8.0, 9.0])];
    let world = |name, build: fn() -> Crowd<'static>, units, work| World { name, build, units, work, areas: areas() };
    let fixed = |name, build: fn() -> Crowd<'static>, units, work| World {
        areas: Vec::new(),
        ..world(name, build, units, work)
    };
    vec![
        world("points with a direction map", points, 70, 900),
        world("ways on tiles", ways_on_tiles, 120, 1500),
        world("carts", carts, 24, 1500),
        world("aimed distances, eight neighbours", aimed, 60, 1200),
        world("links", links, 30, 700),
        world("a mesh", mesh, 12, 3000),
        world("ways on pieces", ways_on_pieces, 90, 2500),
        world("the step planner", steps, 90, 900),
        world("cars", cars, 7, 5000),
        fixed("roads", roads, 20, 700),
        world("distances at learned prices", priced, 45, 1200),
        world("local repair", repair, 40, 900),
        world("a store of one's own, weighted", weighted, 40, 900),
        world("slow points", slow, 40, 1500),
        fixed("rings", rings, 18, 100),
        world("who rests is walked through", soft, 50, 900),
        world("a large map", large, 150, 3000),
        world("a side", side, 24, 1500),
        world("a map of middle size", middle, 100, 60_000),
    ]
}

/// All nodes that a class has.
pub(super) fn nodes(crowd: &Crowd<'_>) -> Vec<Vec<NodeId>> {
    let classes = (0..).map(giveway_crowd::ClassId).take_while(|class| crowd.has_class(*class));
    let of = |class| (0..80_000).map(NodeId).filter(|node| crowd.has_node(class, *node)).collect();
    classes.map(of).collect()
}
