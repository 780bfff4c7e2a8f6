//! Sides: classes on different spaces that learn one direction map, and copies of crowds, which learn on their own.

use std::sync::Arc;

use giveway_bodies::{Body, Clearance, CommonTicks, Ground};
use giveway_check::BodyChecker;
use giveway_core::{
    Agent, AgentId, Embedding as _, NodeId, SharedLayer, SpaceGraph as _, Trace, TracedAgent, TracedMove, TracedPlace,
};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, Rewind, Save, SaveError};
use giveway_distance::PricedDistances;
use giveway_lanes::{DirectionMap, DirectionRules, Raster, WorldDirectionMap};
use giveway_spaces::{Grid, NavMesh, WaypointRules, Waypoints};

type Shared = SharedLayer<WorldDirectionMap>;

const DISCS: ClassId = ClassId(0);
const CARTS: ClassId = ClassId(1);
const ENEMIES: ClassId = ClassId(2);

/// A field of 24 x 10 world units.
const SIZE: [f32; 2] = [24.0, 10.0];

fn map() -> Shared {
    let raster = Raster::new([-0.5, -0.5], SIZE, 1.0).unwrap();
    SharedLayer::new(WorldDirectionMap::blank(raster, DirectionRules::default()))
}

/// Discs on waypoints of a mesh, with `maps[0]`; carts of 2 x 2 cells on a grid, with `maps[1]`; and carts of the
/// enemies, with `maps[2]`.
fn crowd(maps: [Shared; 3]) -> Crowd<'static> {
    let [right, bottom] = SIZE.map(|side| side - 0.5);
    let mesh = NavMesh::from_outline(&[[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]], &[]).unwrap();
    let grid = Grid::open(24, 10).unwrap();
    let (disc, cart) = (Body::disc(0.4).unwrap(), Body::square(2).unwrap().speed(0.5).unwrap());
    let rules = WaypointRules::new(&mesh, &disc);
    let ticks = CommonTicks::new().waypoints([&rules]).of([&cart], &grid).fewest().unwrap();
    let waypoints = Arc::new(Waypoints::new(&mesh, rules, ticks).unwrap());
    let ground = Ground::new([-0.5, -0.5], SIZE, 0.25).unwrap();
    let [first, second, third] = maps;
    let mut crowd = Crowd::new(CrowdSettings::new().window(8));
    // Discs look ahead at the prices of the moment.
    let discs = Class::for_body(&disc, &waypoints, ground, ticks).unwrap();
    crowd.add_class(discs.heuristics(PricedDistances::tables(first.clone())).layer(first)).unwrap();
    for map in [second, third] {
        crowd.add_class(Class::for_body(&cart, &grid, ground, ticks).unwrap().layer(map)).unwrap();
    }
    crowd
}

/// A crowd with one side of discs and carts, and enemies; and units that go to and fro.
fn living() -> Crowd<'static> {
    let friends = map();
    let mut crowd = crowd([friends.clone(), friends, map()]);
    for y in 0_u8..4 {
        let y = f32::from(y);
        for (class, from, to) in [
            (DISCS, [1.0, 2.0 * y + 1.0], [22.0, 8.0 - y]),
            (CARTS, [21.0, 2.0 * y + 0.5], [2.0, 7.0 - 2.0 * y]),
            (ENEMIES, [11.0, 2.0 * y + 0.5], [5.0, 2.0 * y + 0.5]),
        ] {
            let [start, goal] = [from, to].map(|[x, y]| crowd.nearest_node(class, [x, y, 0.0]).unwrap());
            crowd.add(class, Agent::new(start, goal)).unwrap();
        }
    }
    let place = |crowd: &Crowd<'_>, agent, node: NodeId| {
        TracedPlace::new(node.0, crowd.position(crowd.class_of(agent).unwrap(), node).unwrap())
    };
    let traced = |agent| TracedAgent {
        body: crowd.body_of(agent).cloned(),
        ..TracedAgent::new(place(&crowd, agent, crowd.node(agent).unwrap()), vec![], vec![])
    };
    let mut agents: Vec<TracedAgent> = crowd.agents().map(traced).collect();
    for tick in 0..60 {
        live(&mut crowd, 1);
        for (agent, traced) in (0..).map(AgentId).zip(&mut agents) {
            let leg = crowd.last_leg(agent).unwrap();
            if leg.is_move() && leg.depart == tick {
                traced.moves.push(TracedMove::new(leg.depart, leg.arrive, place(&crowd, agent, leg.to)));
            }
        }
    }
    let (ticks_per_step, until) = (crowd.ticks_per_step(), Some(crowd.now()));
    let trace = Trace { ticks_per_step, until, trajectories: Vec::new(), agents };
    assert_eq!(BodyChecker::new().check(&trace), []);
    crowd
}

/// Lets `ticks` go by in which units go to and fro. Returns the hash of the state at each tick.
fn live(crowd: &mut Crowd<'_>, ticks: u32) -> Vec<u64> {
    let mut hashes = Vec::new();
    for _ in 0..ticks {
        for agent in crowd.agents().collect::<Vec<AgentId>>() {
            if crowd.is_home(agent) == Some(true) {
                let class = crowd.class_of(agent).unwrap();
                let [x, y, _] = crowd.position(class, crowd.node(agent).unwrap()).unwrap();
                let goal = crowd.nearest_node(class, [22.0 - x, 8.0 - y, 0.0]).unwrap();
                let _ = crowd.send_near(agent, goal);
            }
        }
        crowd.tick(Budget::unlimited());
        hashes.push(crowd.state_hash());
    }
    hashes
}

fn learned<'c>(crowd: &'c Crowd<'_>, class: ClassId) -> &'c WorldDirectionMap {
    crowd.layer(class).unwrap()
}

/// Whether the discs and the carts of `crowd` have one map, and the enemies another one.
fn assert_sides(crowd: &Crowd<'_>) {
    let at = [DISCS, CARTS, ENEMIES].map(|class| std::ptr::from_ref(learned(crowd, class)));
    assert!(at[0] == at[1] && at[0] != at[2]);
}

/// A disc drives along a row, and later the carts pay for a way against it.
#[test]
fn one_class_learns_what_another_one_has_taught() {
    let (friends, enemies) = (map(), map());
    let mut crowd = crowd([friends.clone(), friends.clone(), enemies.clone()]);
    let [start, goal] = [1.0, 22.0].map(|x| crowd.nearest_node(DISCS, [x, 4.0, 0.0]).unwrap());
    let disc = crowd.add(DISCS, Agent::new(start, goal)).unwrap();
    while crowd.is_home(disc) != Some(true) {
        crowd.tick(Budget::unlimited());
    }
    let from = [10.0, 4.0, 0.0];
    let [east, west] = [11.0, 9.0].map(|x| friends.charge(from, [x, 4.0, 0.0]));
    assert!(east < 0.15 && west > 0.35, "{east} with it, {west} against it");
    assert_eq!(enemies.cell_directions().count(), 0);
    assert!(std::ptr::eq(learned(&crowd, CARTS), &raw const *friends), "the first crowd has the map that was given");
    // The carts charge alike on their own space.
    let carts: &Clearance = crowd.space(CARTS).unwrap();
    let of_carts = friends.in_space(carts);
    let in_row = |node: &NodeId| carts.contains(*node) && carts.position(*node)[1] == 4.0;
    let along: Vec<f32> = carts.nodes().filter(in_row).map(|node| of_carts.direction(node)[0]).collect();
    assert!(along.iter().filter(|east| **east > 0.3).count() > 15, "{along:?}");
}

#[test]
fn copies_have_a_map_of_their_own_for_each_side() {
    let mut original = living();
    assert_sides(&original);
    let before = learned(&original, DISCS).clone();
    let mut twin = original.clone();
    let snapshot = original.snapshot();
    let save = Save::from_bytes(&original.save().unwrap().to_bytes()).unwrap();
    let expected = live(&mut original, 80);
    // The twin has learned nothing of that.
    assert!(before != *learned(&original, DISCS) && before == *learned(&twin, DISCS));
    assert_sides(&twin);
    assert_eq!(live(&mut twin, 80), expected);
    assert_sides(&twin);
    assert!(*learned(&twin, CARTS) == *learned(&original, CARTS));
    // Back, twice.
    for _ in 0..2 {
        original.restore(&snapshot);
        assert_sides(&original);
        assert!(before == *learned(&original, CARTS));
        assert_eq!(live(&mut original, 80), expected);
    }
    let friends = map();
    let mut loaded = crowd([friends.clone(), friends.clone(), map()]);
    loaded.load(&save).unwrap();
    assert_sides(&loaded);
    assert!(before == *learned(&loaded, DISCS));
    assert_eq!(friends.cell_directions().count(), 0, "the map that was given stays as it was");
    assert_eq!(live(&mut loaded, 80), expected);
}

#[test]
fn rewinding_unlearns() {
    let mut crowd = Rewind::new(living(), 12);
    let mut hashes = Vec::new();
    for _ in 0..12 {
        crowd.tick(Budget::unlimited());
        hashes.push(crowd.crowd_mut().state_hash());
    }
    let at = crowd.crowd().now() - 9;
    crowd.go_back(at).unwrap();
    assert_sides(crowd.crowd());
    assert_eq!(crowd.crowd_mut().state_hash(), hashes[2]);
    for hash in &hashes[3..] {
        crowd.tick(Budget::unlimited());
        assert_eq!(crowd.crowd_mut().state_hash(), *hash);
    }
}

/// A save of a crowd whose classes share a map is refused where they do not, and the other way round.
#[test]
fn sides_of_a_save_are_those_of_the_crowd() {
    let friends = map();
    let together = || crowd([friends.clone(), friends.clone(), map()]);
    let apart = || crowd([map(), map(), map()]);
    for (one, mut other) in [(together(), apart()), (apart(), together())] {
        let before = other.state_hash();
        assert!(matches!(other.load(&one.save().unwrap()), Err(SaveError::Garbled(_))));
        assert_eq!(other.state_hash(), before);
    }
    let [one, two] = [together(), apart()].map(|crowd| crowd.save().unwrap().to_bytes().len());
    assert!(one < two, "a map that is shared is saved once");
}

#[test]
fn what_was_learned_is_part_of_the_hash() {
    let mut crowd = living();
    let before = crowd.state_hash();
    learned(&crowd, CARTS).learn([3.0, 3.0, 0.0], [4.0, 3.0, 0.0]);
    assert_ne!(crowd.state_hash(), before);
    // A layer has parts by type.
    assert!(crowd.layer::<DirectionMap>(CARTS).is_none() && crowd.layer::<WorldDirectionMap>(ClassId(3)).is_none());
    let grid = Grid::open(4, 4).unwrap();
    let layers = (DirectionMap::blank(&grid, DirectionRules::default()), map());
    let mut other = Crowd::new(CrowdSettings::new());
    let class = other.add_class(Class::new(grid.clone(), giveway_core::Point::swap_rule(&grid)).layer(layers)).unwrap();
    assert!(other.layer::<DirectionMap>(class).is_some() && other.layer::<WorldDirectionMap>(class).is_some());
}
