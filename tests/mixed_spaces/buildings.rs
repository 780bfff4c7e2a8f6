//! A building of six by six cells in a world of infantry, giants, cars and walkers on waypoints: placed by one call,
//! refused or vacated, and taken away.

use std::sync::Arc;

use giveway_bodies::{Body, Clearance, CommonTicks, GraphClearance, Ground, Headings, Lattice, Primitives, Vehicle};
use giveway_check::BodyChecker;
use giveway_core::{Agent, AgentId, Area, NodeId, SpaceGraph};
use giveway_crowd::{Budget, ClassId, Crowd, CrowdError, CrowdSettings};
use giveway_sim::{Simulation, Task};
use giveway_spaces::{FnSpace, Grid, Positions};

use super::world::enlist;

const SIDE: u32 = 24;

type Waypoints = FnSpace<u32, Positions>;

struct Town {
    simulation: Simulation<'static>,
    classes: [ClassId; 4],
    grid: Grid,
    infantry: Clearance,
    giants: Clearance,
    cars: Lattice,
    walkers: GraphClearance<Waypoints>,
    ticks: u32,
}

/// Waypoints three cells apart, with diagonals: ways lead through every part of the town.
fn waypoints() -> Waypoints {
    let count = SIDE / 3;
    let near = |node: u32| {
        let [x, y] = [node % count, node / count].map(|side| side.cast_signed());
        let to = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [dx, dy])).filter(|by| *by != [0, 0]);
        let to = to
            .map(move |[dx, dy]| [x + dx, y + dy])
            .filter(move |to| to.iter().all(|side| (0..count.cast_signed()).contains(side)));
        to.map(move |[x, y]| (y.cast_unsigned() * count + x.cast_unsigned(), 3000)).collect::<Vec<_>>()
    };
    let at = move |node: u32| [(node % count * 3) as f32 + 1.0, (node / count * 3) as f32 + 1.0, 0.0];
    FnSpace::new(count * count, near).expect("they exist").with_positions(at).expect("finite")
}

fn town() -> Town {
    let grid = Grid::open(SIDE, SIDE).expect("small");
    let waypoints = Arc::new(waypoints());
    let (soldier, giant) = (Body::square(1).expect("sensible"), Body::square(3).expect("sensible"));
    let walker = Body::disc(0.4).expect("sensible");
    let primitives = Primitives::straight(Headings::Four, 1).and_then(|straight| straight.pivoting(2.0));
    let car = Vehicle::new(Body::rectangle(1.8, 0.8).expect("sensible"), primitives.expect("sensible"));
    let common = CommonTicks::new().of([&soldier, &giant], &grid).of([&car], &grid);
    let ticks = common.of([&walker], &waypoints).fewest().expect("one speed");
    let ground = Ground::from_grid(&grid);

    let mut crowd = Crowd::new(CrowdSettings::new());
    let (infantry, of_infantry) = soldier.on(&grid, ground, ticks).expect("room");
    let (giants, of_giants) = giant.on(&grid, ground, ticks).expect("room");
    let (cars, of_cars) = car.on(&grid, ground, ticks).expect("room");
    let (walkers, of_walkers) = walker.on(&waypoints, ground, ticks).expect("room");
    let classes = [
        enlist(&mut crowd, infantry.clone(), of_infantry, soldier.outline()).0,
        enlist(&mut crowd, giants.clone(), of_giants, giant.outline()).0,
        enlist(&mut crowd, cars.clone(), of_cars, car.outline()).0,
        enlist(&mut crowd, walkers.clone(), of_walkers, walker.outline()).0,
    ];
    let simulation = Simulation::new(crowd).recorded();
    Town { simulation, classes, grid, infantry, giants, cars, walkers, ticks }
}

impl Town {
    fn cell(&self, x: u32, y: u32) -> NodeId {
        self.grid.node(x, y).expect("in town")
    }

    /// A unit of every class on each side of the town, sent to the other side.
    fn populate(&mut self) -> Vec<AgentId> {
        let mut agents = Vec::new();
        let waypoint = |x: u32, y: u32| NodeId(y * (SIDE / 3) + x);
        for row in 0..3 {
            let y = 4 + row * 6;
            let units = [
                (self.classes[0], self.cell(0, y + 2), self.cell(23, y + 2)),
                (self.classes[1], self.cell(2, y), self.cell(21, y)),
                (
                    self.classes[2],
                    self.cars.node(6, y, 0).expect("in town"),
                    self.cars.node(17, y, 0).expect("in town"),
                ),
                (self.classes[3], waypoint(1, 1 + row * 2), waypoint(6, 1 + row * 2)),
            ];
            for (class, start, goal) in units {
                agents.push(self.simulation.add(class, Agent::new(start, goal), Task::Once).expect("room"));
            }
        }
        agents
    }

    /// Which nodes of each class exist.
    fn places(&self) -> Vec<(ClassId, NodeId)> {
        let bounds =
            [self.infantry.node_bound(), self.giants.node_bound(), self.cars.node_bound(), self.walkers.node_bound()];
        let all = self.classes.into_iter().zip(bounds);
        let nodes = all
            .flat_map(|(class, bound)| (0..u32::try_from(bound).expect("few")).map(move |node| (class, NodeId(node))));
        nodes.filter(|(class, node)| self.simulation.crowd().has_node(*class, *node)).collect()
    }

    fn run_until_rest(&mut self, mut each: impl FnMut(&Simulation<'_>)) {
        let begin = self.simulation.crowd().now();
        while !self.simulation.crowd().is_at_rest() {
            self.simulation.tick(Budget::unlimited());
            each(&self.simulation);
            assert!(self.simulation.crowd().now() - begin < 200 * self.ticks, "they are all there in time");
        }
    }
}

#[test]
fn a_building_is_placed_by_one_call_and_nobody_enters_it() {
    let mut town = town();
    town.populate();
    let building = Area::cells(9, 9, 6, 6).expect("six by six");
    let before = town.places();
    town.simulation.run(town.ticks, Budget::unlimited());
    assert_eq!(town.simulation.crowd_mut().close(&building), Ok(true));
    assert_eq!(town.simulation.crowd_mut().close(&building), Ok(false), "it stands already");
    // No place is left in it, of any class; places of giants reach a cell beyond their middle.
    let at = |class: ClassId, node| town.simulation.crowd().position(class, node).expect("embedded");
    for (class, node) in town.places() {
        let [x, y, _] = at(class, node);
        let margin = if class == town.classes[1] { 1.0 } else { 0.0 };
        let low = 8.5 - margin;
        let high = 14.5 + margin;
        assert!(!(low < x && x < high && low < y && y < high), "{class:?} at ({x}, {y})");
    }
    town.run_until_rest(|simulation| assert_eq!(simulation.crowd().inside(&building), []));
    assert_eq!(BodyChecker::new().check(&town.simulation.trace().expect("recorded")), []);

    assert_eq!(town.simulation.crowd_mut().open(&building), Ok(true));
    assert_eq!(town.places(), before);
    // Straight through the middle again, each class.
    let car = |y| town.cars.node(12, y, 1).expect("in town");
    let rows = [
        (0, town.cell(12, 0), town.cell(12, 23), 23),
        (1, town.cell(12, 1), town.cell(12, 22), 21),
        (2, car(1), car(22), 21),
        (3, NodeId(3), NodeId(7 * 8 + 3), 7),
    ];
    for (class, start, goal, moves) in rows {
        let one = town.simulation.add(town.classes[class], Agent::new(start, goal), Task::Once).expect("room");
        town.run_until_rest(|_| {});
        let found = town.simulation.agent_metrics(one).expect("it is there").path_length;
        assert_eq!(found, moves, "class {class}");
        assert!(passes(&town.simulation, one, &building), "class {class}");
        town.simulation.remove(one).expect("it is there");
    }
}

#[test]
fn with_a_unit_inside_nothing_is_half_built() {
    for class in 0..4 {
        let mut town = town();
        let middle =
            [town.cell(11, 11), town.cell(11, 11), town.cars.node(11, 11, 1).expect("in town"), NodeId(4 * 8 + 4)];
        let building = Area::cells(9, 9, 6, 6).expect("six by six");
        let one = town.simulation.add(town.classes[class], Agent::bystander(middle[class]), Task::Once).expect("room");
        let before = town.places();
        let refused = town.simulation.crowd_mut().close(&building);
        assert_eq!(refused, Err(CrowdError::Occupied { node: middle[class], by: one }));
        assert_eq!(town.places(), before);
        assert_eq!(town.simulation.crowd().inside(&building), [one]);

        // Asked to leave, it goes out, and no unit comes in; then it is closed, as it would have been.
        assert_eq!(town.simulation.crowd_mut().vacate(&building), Ok(vec![one]));
        town.populate();
        let mut is_out = false;
        town.run_until_rest(|simulation| {
            let inside = simulation.crowd().inside(&building);
            assert!(inside.is_empty() || inside == [one] && !is_out, "{inside:?}");
            is_out |= inside.is_empty();
        });
        assert!(is_out, "class {class}");
        assert_eq!(town.simulation.crowd_mut().close(&building), Ok(false));
        assert_eq!(BodyChecker::new().check(&town.simulation.trace().expect("recorded")), []);
    }
}

/// Whenever the area is closed around it, a unit that was sent there leaves, also if it is just arriving.
#[test]
fn units_that_arrive_leave_again() {
    let building = Area::cells(9, 9, 6, 6).expect("six by six");
    for tick in (0..40).step_by(3) {
        let mut town = town();
        // Others, whose distances are renewed first.
        for x in 0..SIDE {
            let agent = Agent::new(town.cell(x, 0), town.cell(SIDE - 1 - x, 23));
            town.simulation.add(town.classes[0], agent, Task::Once).expect("room");
        }
        for y in 9..13 {
            let agent = Agent::new(town.cell(5, y), town.cell(13, y));
            town.simulation.add(town.classes[0], agent, Task::Once).expect("room");
        }
        town.simulation
            .add(town.classes[3], Agent::new(NodeId(2 * 8 + 4), NodeId(4 * 8 + 4)), Task::Once)
            .expect("room");
        town.simulation.run(tick, Budget::unlimited());
        town.simulation.crowd_mut().vacate(&building).expect("all are editable");
        // With so little work, distances belong to the open map for a while.
        town.simulation.run(30 * town.ticks, Budget::work(100));
        town.simulation.run(40 * town.ticks, Budget::unlimited());
        assert_eq!(town.simulation.crowd().inside(&building), [], "closed at tick {tick}");
        assert_eq!(town.simulation.crowd_mut().close(&building), Ok(false), "closed at tick {tick}");
    }
}

/// Whether a recorded agent was inside `area`.
fn passes(simulation: &Simulation<'_>, agent: AgentId, area: &Area) -> bool {
    let trace = simulation.trace().expect("recorded");
    trace.agents[agent.index()].moves.iter().any(|step| area.contains(step.to.position))
}

/// A class that cannot change refuses for all.
#[test]
fn all_classes_change_or_none() {
    let grid = Grid::open(9, 9).expect("small");
    let body = Body::square(1).expect("sensible");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), 1).expect("room");
    let (one, _) = enlist(&mut crowd, space, footprint.clone(), body.outline());
    let (space, _) = body.on(&grid, Ground::from_grid(&grid), 1).expect("room");
    let other = crowd.add_class(giveway_crowd::Class::new(space, footprint)).expect("one ground");
    let area = Area::cells(2, 2, 3, 3).expect("some");
    assert_eq!(crowd.close(&area), Err(CrowdError::NotEditable(other)));
    assert_eq!(crowd.vacate(&area), Err(CrowdError::NotEditable(other)));
    assert!(crowd.has_node(one, grid.node(3, 3).expect("on the grid")));
}

/// Slow ground that does not suit the ticks is refused, and says what would.
#[test]
fn ground_that_units_could_not_keep_to_is_refused() {
    let mut town = town();
    let swamp = Area::cells(4, 4, 9, 9).expect("some");
    let surface = |slowness| giveway_core::Surface::new(1, slowness).expect("in range");
    let refused = town.simulation.crowd_mut().resurface(&swamp, surface(1.03)).expect_err("it does not suit");
    let CrowdError::TooCoarse { class, coarse } = refused else { panic!("{refused}") };
    assert_eq!((class, coarse.ticks_per_step), (town.classes[0], town.ticks));
    assert!(refused.to_string().ends_with(" do"), "{refused}");
    assert_eq!(town.simulation.crowd_mut().resurface(&swamp, surface(2.0)), Ok(true));
    assert_eq!(town.simulation.crowd_mut().resurface(&swamp, surface(2.0)), Ok(false));
}
