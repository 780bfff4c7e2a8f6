//! Simulations, their traces and pictures, and the patrols of the experiments on direction maps.

use giveway::direction::{DirectionMap, DirectionRules, EdgeDirectionMap};
use giveway::heuristic::{HeuristicSource, PricedDistances, Zero};
use giveway::plan::Trace;
use giveway::render::{AnimatedPicture, Backdrop, PlanPicture};
use giveway::scenario::{MapKind, TraceFile};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Connectivity, Grid};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Lra, Planner, Routing};
use giveway::{Agent, CostLayer, NodeId, Point};
use giveway_experiments::{PatrolRules, Patrols};

use crate::golden::settings::{chain, sectors};
use crate::golden::table::{Cases, Row};
use crate::golden::worlds::{World, generated, nodes};

pub(crate) fn run(cases: &mut Cases) {
    lifelong(cases);
    lanes(cases);
    bumping(cases);
}

/// Runs a simulation, for `ticks` and with `work` in each of them.
fn watch(row: &mut Row, mut simulation: Simulation<'_>, ticks: u32, work: Budget) -> Trace {
    for _ in 0..ticks {
        let report = simulation.tick(work);
        row.tick(simulation.crowd(), &report);
    }
    row.simulation(&simulation);
    let trace = simulation.trace().expect("it is recorded");
    row.text(&TraceFile::new(trace.clone()).expect("it is a trace").to_string());
    trace
}

fn lifelong(cases: &mut Cases) {
    let World { grid, agents } = generated(MapKind::Warehouse, [26, 13], 40, 1);
    let places = Endpoints::from(nodes(&grid));
    let mut recorded = None;
    cases.run("simulation/lifelong", |row| {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).expect("one class");
        let mut simulation = Simulation::new(crowd).recorded();
        for agent in agents {
            let task = Task::Lifelong { places: places.clone(), seed: 9 };
            simulation.add(class, agent, task).expect("room");
        }
        recorded = Some(watch(row, simulation, 120, Budget::work(2000)));
    });
    let trace = recorded.expect("it was run");
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    cases.run("picture/plan", |row| row.text(&PlanPicture::new(&trace, &backdrop).to_string()));
    cases.run("picture/animated", |row| row.text(&AnimatedPicture::new(&trace, &backdrop).to_string()));
}

/// Patrols under maps of directions that learn, and under frozen ones.
fn lanes(cases: &mut Cases) {
    let grid = Grid::open(16, 10).expect("small");
    let repairs = || chain(Planner::LocalRepair(Lra::new(2008).noise(0).radius(5000)), &[(Planner::Windowed, 16)]);
    let class = || Class::new(&grid, Point::swap_rule(&grid));
    let rules = || DirectionRules::default().weight(8.0).neighbours(0.1);
    for (name, chain) in [("repairs", repairs()), ("windows", Planner::Windowed.into())] {
        cases.run(format!("simulation/lanes-{name}"), |row| {
            let map = DirectionMap::blank(&grid, rules());
            cross(row, &grid, class().layer(&map).chain(chain.clone()), 60);
            row.directions(&map);
            // The learned map, which does not change any more.
            let frozen = map.snapshot();
            frozen.freeze();
            let heuristics = PricedDistances::<_, _, Zero>::tables(frozen.snapshot());
            cross(row, &grid, class().layer(&frozen).chain(chain).heuristics(heuristics), 40);
        });
    }
    cases.run("simulation/lanes-edges", |row| {
        let map = EdgeDirectionMap::blank(&grid, rules());
        cross(row, &grid, class().layer(&map).chain(repairs()), 60);
        row.edge_directions(&map);
    });
}

/// Units of `class` from both sides that go to and fro.
fn cross<H, L>(row: &mut Row, grid: &Grid, class: Class<'_, Grid, Point, H, L>, ticks: u32)
where
    H: HeuristicSource<Grid> + Clone + Send + Sync,
    L: CostLayer<Grid> + Clone + Send + Sync,
{
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(class).expect("one class");
    let mut simulation = Simulation::new(crowd).recorded();
    let at = |x, y| grid.node(x, y).expect("on the square");
    for y in 0..grid.height() {
        for (here, there) in [(0, grid.width() - 2), (grid.width() - 1, 1)] {
            let task = Task::Patrol(vec![at(there, y), at(here, y)]);
            simulation.add(class, Agent::bystander(at(here, y)), task).expect("room");
        }
    }
    watch(row, simulation, ticks, Budget::unlimited());
}

/// Patrols by the paper's rules.
fn bumping(cases: &mut Cases) {
    let World { grid, agents } = generated(MapKind::Random, [18, 14], 20, 12);
    let grid = grid.with_connectivity(Connectivity::Eight);
    let ends: Vec<[NodeId; 2]> = agents.iter().map(|agent| [agent.start, agent.goals.nodes()[0]]).collect();
    for (name, routing) in [("whole", Routing::Whole), ("greedy", Routing::Greedy), ("sectors", sectors(5, 50))] {
        cases.run(format!("simulation/patrols-{name}"), |row| {
            let map = DirectionMap::blank(&grid, DirectionRules::default().weight(3.0));
            let rules = PatrolRules::loops(2).routing(routing).seed(4).radius(4.0);
            let mut patrols = Patrols::new(&grid, &map, &ends, rules).expect("they fit").recorded();
            (0..3000).take_while(|_| patrols.advance()).count();
            row.patrols(&patrols.metrics());
            row.directions(&map);
            let trace = patrols.trace().expect("it is recorded").clone();
            row.text(&TraceFile::new(trace).expect("it is a trace").to_string());
        });
    }
}
