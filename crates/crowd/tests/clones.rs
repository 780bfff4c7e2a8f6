//! Clones of crowds: given equal orders they go on as their originals do, and neither sees what becomes of the other.

use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::store::IntervalTable;
use giveway_core::{Agent, AgentId, Area, Goals, NodeId, Point, Tick};
use giveway_crowd::{Budget, Chain, Class, ClassId, Crowd, CrowdSettings, Leg, Planner, Report};
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_spaces::{Connectivity, FnSpace, Grid};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

/// A crowd, and orders that are drawn for it.
#[derive(Clone)]
struct Life<'a> {
    crowd: Crowd<'a>,
    /// The nodes of each class.
    nodes: Vec<Vec<NodeId>>,
    random: Pcg64Mcg,
    budget: Budget,
}

/// What happened in a tick, the last legs of all agents, what is known of distances, and the hash of the state.
type Event = (Report, Vec<Leg>, [u64; 2], usize);

impl<'a> Life<'a> {
    /// Up to `units` units in a crowd of `classes` classes with ids below `bound`, after `ticks` ticks.
    fn new(crowd: Crowd<'a>, [classes, units, bound]: [u32; 3], budget: Budget, ticks: Tick) -> Self {
        let nodes = |class| (0..bound).map(NodeId).filter(|node| crowd.has_node(ClassId(class), *node)).collect();
        let nodes = (0..classes).map(nodes).collect();
        let mut life = Self { crowd, nodes, random: Pcg64Mcg::new(0xBEAD_0000_0000_0000_0000_0000_CAFE_0001), budget };
        for unit in 0..units {
            life.add(ClassId(unit % classes));
        }
        life.live(ticks);
        life
    }

    fn any(&mut self, class: ClassId) -> NodeId {
        *self.nodes[class.0 as usize].choose(&mut self.random).unwrap()
    }

    /// Some places are taken.
    fn add(&mut self, class: ClassId) {
        let start = self.any(class);
        let goal = self.any(class);
        let priority = self.random.random_range(0..2);
        let stands_by = self.random.random_ratio(1, 4);
        let agent = if stands_by { Agent::bystander(start) } else { Agent::new(start, goal) };
        let _ = self.crowd.add(class, Agent { priority, ..agent });
    }

    /// Lives through `ticks` ticks in which units come, go, and get orders.
    fn live(&mut self, ticks: Tick) -> Vec<Event> {
        let mut events = Vec::new();
        for _ in 0..ticks {
            let agents: Vec<AgentId> = self.crowd.agents().collect();
            for agent in agents {
                let class = self.crowd.class_of(agent).unwrap();
                if self.random.random_ratio(1, 200) {
                    self.crowd.remove(agent).unwrap();
                    self.add(class);
                } else if self.crowd.is_home(agent) == Some(true) && self.random.random_ratio(1, 6) {
                    let goal = self.any(class);
                    let _ = self.crowd.send(agent, Goals::one(goal));
                }
            }
            let report = self.crowd.tick(self.budget);
            let legs = self.crowd.agents().filter_map(|agent| self.crowd.last_leg(agent)).collect();
            let hash = self.crowd.state_hash();
            events.push((report, legs, [self.crowd.reverse_expanded(), hash], self.crowd.distance_bytes()));
        }
        events
    }
}

fn assert_equal(name: &str, [one, other]: [&[Event]; 2]) {
    assert_eq!(one.len(), other.len(), "{name}");
    for (tick, (one, other)) in one.iter().zip(other).enumerate() {
        assert_eq!(one, other, "{name}, tick {tick}");
    }
    let moves: usize = one.iter().map(|(report, ..)| report.moves).sum();
    assert!(moves > 40, "{name}: only {moves} moves");
}

/// 16 x 12 cells with walls here and there.
fn grid() -> Grid {
    Grid::from_fn(16, 12, |x, y| !(x * 7 + y * 3 + x * y).is_multiple_of(9)).unwrap()
}

fn map(grid: &Grid) -> DirectionMap {
    DirectionMap::blank(grid, DirectionRules::default().weight(3.0))
}

/// Points on a grid of the crowd's own, which learn directions.
fn points(settings: CrowdSettings) -> Crowd<'static> {
    let (grid, mut crowd) = (grid(), Crowd::new(settings));
    let class = Class::new(grid.clone(), Point::swap_rule(&grid)).layer(map(&grid)).editable();
    crowd.add_class(class).unwrap();
    crowd
}

/// Carts of two sizes and speeds.
fn carts() -> Crowd<'static> {
    let grid = Grid::open(16, 12).unwrap();
    let bodies = [Body::square(1).unwrap(), Body::square(2).unwrap().speed(0.5).unwrap()];
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::default().with_steps()));
    for body in &bodies {
        crowd.add_class(Class::for_body(body, &grid, Ground::from_grid(&grid), ticks).unwrap().editable()).unwrap();
    }
    crowd
}

/// Cars on a lattice.
fn cars() -> Crowd<'static> {
    let grid = Grid::open(14, 12).unwrap();
    let primitives = Primitives::straight(Headings::Four, 1).unwrap().arcs(2.0).unwrap();
    let car = Vehicle::new(Body::rectangle(1.8, 0.9).unwrap(), primitives);
    let ticks = CommonTicks::new().of([&car], &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::for_body(&car, &grid, Ground::from_grid(&grid), ticks).unwrap()).unwrap();
    crowd
}

/// Points on a graph: two rings of twenty places, with spokes between them.
fn rings() -> Crowd<'static> {
    let moves = |at: u32| {
        let ring = at / 20 * 20;
        [ring + (at + 1) % 20, ring + (at + 19) % 20, (at + 20) % 40].map(|to| (to, 1000))
    };
    let rings = FnSpace::new(40, moves).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::bare(rings.clone(), Point::swap_rule(&rings))).unwrap();
    crowd
}

/// Points on a borrowed grid, on a store of one's own.
fn borrowed(grid: &Grid) -> Crowd<'_> {
    let mut crowd = Crowd::new_on(CrowdSettings::new(), |cells, _| IntervalTable::new(cells));
    crowd.add_class(Class::new(grid, Point::following_rule(grid))).unwrap();
    crowd
}

#[test]
fn a_clone_goes_on_as_its_original_does_and_so_does_a_snapshot() {
    let grid = grid().with_connectivity(Connectivity::Eight);
    let steps = CrowdSettings::new().chain(Planner::Step);
    let worlds: [(&str, Crowd<'_>, [u32; 3], u64); 6] = [
        ("points", points(CrowdSettings::new()), [1, 50, 192], 700),
        ("points by the step planner", points(steps), [1, 90, 192], 700),
        ("carts", carts(), [2, 24, 192], 1500),
        ("cars", cars(), [1, 7, 14 * 12 * 4], 5000),
        ("rings", rings(), [1, 18, 40], 100),
        ("a borrowed grid, a store of one's own", borrowed(&grid), [1, 50, 192], 700),
    ];
    for (name, crowd, sizes, work) in worlds {
        for (name, budget) in
            [(name.to_owned(), Budget::unlimited()), (format!("{name}, a budget"), Budget::work(work))]
        {
            let mut original = Life::new(crowd.clone(), sizes, budget, 40);
            let [mut twin, mut other, mut again] = [original.clone(), original.clone(), original.clone()];
            let expected = original.live(200);
            assert_equal(&name, [&expected, &twin.live(200)]);
            // Back in the middle of it, twice.
            again.live(40);
            let (snapshot, random) = (again.crowd.snapshot(), again.random.clone());
            for _ in 0..2 {
                assert_equal(&name, [&expected[40..], &again.live(160)]);
                again.crowd.restore(&snapshot);
                assert_eq!(again.crowd.now(), snapshot.now());
                again.random = random.clone();
            }
            // Clones are sent to other threads.
            let there = std::thread::scope(|scope| scope.spawn(|| other.clone().live(200)).join().unwrap());
            assert_equal(&name, [&expected, &there]);
            assert_equal(&name, [&expected, &other.live(200)]);
        }
    }
}

#[test]
fn an_edit_of_one_is_not_seen_by_the_other() {
    let area = Area::rectangle([2.6, 1.6], [8.4, 5.4]).unwrap();
    let worlds = [("points", points(CrowdSettings::new()), [1, 40, 192]), ("carts", carts(), [2, 16, 192])];
    for (name, crowd, sizes) in worlds {
        let original = Life::new(crowd, sizes, Budget::unlimited(), 30);
        let expected = original.clone().live(200);
        let is_inside = |life: &Life<'_>, node: &NodeId| {
            life.crowd.position(ClassId(0), *node).is_some_and(|position| area.contains(position))
        };
        let within: Vec<NodeId> = original.nodes[0].iter().copied().filter(|node| is_inside(&original, node)).collect();
        assert!(within.len() > 10, "{name}");
        let open = |life: &Life<'_>| within.iter().filter(|node| life.crowd.has_node(ClassId(0), **node)).count();

        let [mut edited, mut twin] = [original.clone(), original.clone()];
        edited.crowd.vacate(&area).unwrap();
        edited.live(200);
        assert_eq!((open(&edited), open(&twin), open(&original)), (0, within.len(), within.len()), "{name}");
        assert_equal(name, [&expected, &twin.live(200)]);

        // The clone of an edited crowd, and the original of a clone that edits.
        let mut again = edited.clone();
        assert!(again.crowd.open(&area).unwrap());
        assert_eq!((open(&edited), open(&again)), (0, within.len()), "{name}");
        let mut original = original;
        assert_equal(name, [&expected, &original.live(200)]);
    }
}

#[test]
fn a_space_is_shared_until_it_is_edited() {
    let mut one = points(CrowdSettings::new());
    let two = one.clone();
    let grid = |crowd: &Crowd<'_>| std::ptr::from_ref(crowd.space::<Grid>(ClassId(0)).unwrap());
    let before = grid(&one);
    assert_eq!(before, grid(&two));
    assert!(one.set_open(ClassId(0), NodeId(1), false).unwrap());
    assert!(grid(&one) != before && grid(&two) == before);
    let edited = grid(&one);
    assert!(one.set_open(ClassId(0), NodeId(1), true).unwrap());
    assert_eq!(grid(&one), edited, "what nobody shares is not copied");
}

/// A layer by value is the crowd's own; a layer behind an `Arc` is one layer for all.
#[test]
fn two_clones_learn_together_only_if_they_share_a_map() {
    let grid = grid();
    let shared = Arc::new(map(&grid));
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)).layer(Arc::clone(&shared))).unwrap();
    let mut original = Life::new(crowd, [1, 40, 192], Budget::unlimited(), 30);
    let mut twin = original.clone();
    let before = shared.snapshot();
    let expected = original.live(60);
    let after = shared.snapshot();
    assert!(before.directions().ne(after.directions()));
    assert_ne!(expected, twin.live(60), "the twin begins with what the original has learned");
}
