//! Simulations: tasks, what is counted, and what is recorded. Every run goes through the checker.

use giveway_check::Checker;
use giveway_core::{Agent, AgentId, ConflictRule, NodeId, Point, Trace, TracedAgent};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings, Lra, Planner};
use giveway_sim::{AgentMetrics, Endpoints, Metrics, Simulation, Task};
use giveway_spaces::Grid;

struct Run<'a> {
    grid: &'a Grid,
    class: ClassId,
    simulation: Simulation<'a>,
}

impl<'a> Run<'a> {
    fn on(grid: &'a Grid) -> Self {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).unwrap();
        Self { grid, class, simulation: Simulation::new(crowd).recorded() }
    }

    fn at(&self, x: u32, y: u32) -> NodeId {
        self.grid.node(x, y).unwrap()
    }

    fn add(&mut self, agent: Agent, task: Task) -> AgentId {
        self.simulation.add(self.class, agent, task).unwrap()
    }

    fn pass(&mut self, ticks: u32) {
        self.simulation.run(ticks, Budget::unlimited());
    }

    fn of(&self, agent: AgentId) -> &AgentMetrics {
        self.simulation.agent_metrics(agent).unwrap()
    }

    fn xy(&self, agent: AgentId) -> (u32, u32) {
        self.grid.xy(self.simulation.crowd().node(agent).unwrap())
    }

    /// The trace, after a check of what was done and of the sums.
    fn checked(&self) -> Trace {
        let trace = self.simulation.trace().unwrap();
        let checker = Checker::new(self.grid, ConflictRule::Swap).with_crossings();
        assert_eq!(checker.check_trace(&trace), []);
        trace
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.checked();
        }
    }
}

fn tick_and_nodes(traced: &TracedAgent) -> Vec<(u32, u32)> {
    traced.moves.iter().map(|step| (step.arrive, step.to.node)).collect()
}

#[test]
fn a_patrol_goes_there_and_back() {
    let grid = Grid::open(6, 1).unwrap();
    let mut run = Run::on(&grid);
    let ends = vec![run.at(5, 0), run.at(0, 0)];
    let guard = run.add(Agent::bystander(run.at(0, 0)), Task::Patrol(ends));
    run.pass(23);
    let expected = AgentMetrics {
        arrivals: 4,
        flow_time: 20,
        path_length: 23,
        // Its turns come every eight ticks, and are replans unless they meet an order.
        replans: 2,
        ..AgentMetrics::default()
    };
    assert_eq!(run.of(guard), &expected);
    assert_eq!(run.xy(guard), (3, 0));
    let metrics = run.simulation.metrics();
    assert_eq!((metrics.ticks, metrics.agent_ticks, metrics.arrivals, metrics.flow_time), (23, 23, 4, 20));
    assert_eq!(metrics.throughput(), 4.0 / 23.0);
    assert_eq!(run.simulation.sum_of_costs(), Some(0)); // nobody was sent somewhere once

    let trace = run.checked();
    let agent = &trace.agents[0];
    let goals: Vec<(u32, u32)> = agent.orders.iter().map(|order| (order.tick, order.goals[0].node)).collect();
    assert_eq!((agent.goals[0].node, goals), (5, vec![(5, 0), (10, 5), (15, 0), (20, 5)]));
    assert_eq!((agent.moves.len(), trace.until), (23, None));
}

#[test]
fn routes_are_counted_as_plans_and_who_planned_what_is_summed() {
    let grid = Grid::open(8, 3).unwrap();
    let mut run = Run::on(&grid);
    let one = run.add(Agent::new(run.at(0, 1), run.at(7, 1)), Task::Once);
    let two = run.add(Agent::bystander(run.at(4, 1)), Task::Once);
    run.simulation.crowd_mut().set_chain(one, Planner::LocalRepair(Lra::new(1))).unwrap();
    run.simulation.crowd_mut().set_chain(two, Planner::LocalRepair(Lra::new(1))).unwrap();
    run.pass(9);
    let around = AgentMetrics { arrivals: 1, flow_time: 9, path_length: 9, replans: 1, ..AgentMetrics::default() };
    assert_eq!(run.of(one), &around);
    run.simulation.crowd_mut().set_chain(two, Planner::Windowed).unwrap();
    run.pass(2);
    let served = run.simulation.metrics().served;
    assert_eq!((served.windowed, served.local_repair, served.total()), (2, 20, 22));
    assert_eq!(
        run.simulation.crowd_mut().set_chain(AgentId(7), Planner::Windowed),
        Err(CrowdError::NoSuchAgent(AgentId(7)))
    );
    run.checked();
}

#[test]
fn costs_are_counted_to_the_last_arrival() {
    let grid = Grid::from_ascii(
        "
        .......
        @@@.@@@
        @@@@@@@
        @@...@@
        ",
    )
    .unwrap();
    let mut run = Run::on(&grid);
    let through = run.add(Agent::new(run.at(0, 0), run.at(6, 0)), Task::Once);
    let home = run.add(Agent::new(run.at(3, 0), run.at(3, 0)), Task::Once);
    let aside = run.add(Agent::bystander(run.at(3, 3)), Task::Once);
    assert_eq!(run.simulation.sum_of_costs(), None);
    run.pass(12);
    // The one on its goal is in the way: it steps into the bay and is back at tick 5, as soon as the other is past.
    assert_eq!([run.xy(through), run.xy(home)], [(6, 0), (3, 0)]);
    let [passed, returned] = [run.of(through).clone(), run.of(home).clone()];
    assert_eq!((passed.arrivals, passed.path_length), (1, 6));
    assert_eq!((returned.arrivals, returned.flow_time, returned.revisits), (1, 0, 1));
    assert_eq!(run.of(aside).arrivals, 0);
    let back = run.checked().agents[1].moves.last().unwrap().arrive;
    assert_eq!(run.simulation.sum_of_costs(), Some(passed.flow_time + u64::from(back)));
}

#[test]
fn who_stays_at_home_costs_nothing() {
    let grid = Grid::open(3, 1).unwrap();
    let mut run = Run::on(&grid);
    run.add(Agent::new(run.at(1, 0), run.at(1, 0)), Task::Once);
    assert_eq!(run.simulation.sum_of_costs(), Some(0));
    run.pass(4);
    let metrics = run.simulation.metrics();
    assert_eq!((metrics.arrivals, metrics.flow_time, metrics.waits, metrics.path_length), (1, 0, 0, 0));
    assert_eq!(run.simulation.sum_of_costs(), Some(0));
    assert_eq!(run.checked().until, Some(4));
}

#[test]
fn lifelong_goals_come_from_the_seed() {
    let grid = Grid::from_ascii(
        "
        ........
        .@@..@@.
        ........
        .@@..@@.
        ........
        ",
    )
    .unwrap();
    let go = |seed: u64, others: u32| {
        let mut run = Run::on(&grid);
        let places: Endpoints = (0..8).flat_map(|x| [0, 4].map(|y| grid.node(x, y).unwrap())).collect();
        for x in 0..3 + others {
            run.add(Agent::bystander(run.at(x, 2)), Task::Lifelong { places: places.clone(), seed });
        }
        run.pass(200);
        assert!(run.simulation.metrics().arrivals > 40, "{:?}", run.simulation.metrics());
        run.checked()
    };
    let one = go(1, 0);
    assert_eq!(one, go(1, 0));
    assert_ne!(one, go(2, 0));
    let goals = |traced: &TracedAgent| traced.orders.iter().map(|order| order.goals[0].node).collect::<Vec<_>>();
    assert_ne!(goals(&one.agents[0]), goals(&one.agents[1]));
    for traced in &one.agents {
        let mut sent = vec![traced.goals[0].node];
        sent.extend(goals(traced));
        assert!(sent.windows(2).all(|pair| pair[0] != pair[1]), "sent to where it was: {sent:?}");
        // If another agent already goes to its place, it is sent to the nearest free place.
        let drawn = sent.iter().filter(|node| [0, 4].contains(&grid.xy(NodeId(**node)).1)).count();
        assert!(drawn * 10 > sent.len() * 8, "{sent:?}");
    }
    // Two more agents change when, and to which free place nearby, but not what is drawn first.
    assert_eq!(go(1, 2).agents[0].goals, one.agents[0].goals);
}

#[test]
fn every_figure_is_the_sum_over_agents() {
    let grid = Grid::open(7, 7).unwrap();
    let mut run = Run::on(&grid);
    let places: Endpoints = (0..49).map(NodeId).collect();
    for index in 0..30 {
        run.add(Agent::bystander(NodeId(index)), Task::Lifelong { places: places.clone(), seed: 3 });
    }
    run.pass(120);
    let all: Vec<AgentMetrics> = (0..30).map(|id| run.of(AgentId(id)).clone()).collect();
    let metrics = run.simulation.metrics();
    type Figure = (fn(&AgentMetrics) -> u64, fn(&Metrics) -> u64);
    let figures: [Figure; 6] = [
        (|agent| agent.arrivals, |all| all.arrivals),
        (|agent| agent.flow_time, |all| all.flow_time),
        (|agent| agent.path_length, |all| all.path_length),
        (|agent| agent.waits, |all| all.waits),
        (|agent| agent.replans, |all| all.replans),
        (|agent| agent.revisits, |all| all.revisits),
    ];
    for (index, (of_agent, of_all)) in figures.into_iter().enumerate() {
        let sum: u64 = all.iter().map(of_agent).sum();
        assert!(sum > 0, "figure {index} is never more than 0 here");
        assert_eq!(of_all(&metrics), sum, "figure {index}");
    }
    assert_eq!(metrics.agent_ticks, 30 * 120);
    let moves: usize = run.checked().agents.iter().map(|agent| agent.moves.len()).sum();
    assert_eq!(metrics.path_length, moves as u64);
    assert!(metrics.worst_tick_expansions * metrics.ticks >= metrics.expansions + metrics.reverse_expansions);
}

#[test]
fn agents_come_and_go_and_are_put_elsewhere() {
    let grid = Grid::open(8, 3).unwrap();
    let mut run = Run::on(&grid);
    let first = run.add(Agent::new(run.at(0, 0), run.at(7, 0)), Task::Once);
    run.pass(2);
    let second = run.add(Agent::bystander(run.at(0, 2)), Task::Patrol(vec![run.at(7, 2), run.at(0, 2)]));
    run.pass(1);
    run.simulation.place(first, run.at(1, 1)).unwrap();
    run.pass(1);
    let refused = run.simulation.place(second, run.at(2, 1));
    assert!(matches!(refused, Err(CrowdError::Occupied { .. })), "{refused:?}");
    run.simulation.remove(second).unwrap();
    assert!(run.simulation.agent_metrics(second).is_none());
    assert_eq!(run.simulation.remove(second), Err(CrowdError::NoSuchAgent(second)));
    assert_eq!(run.simulation.send(first, run.at(0, 2)).unwrap().nodes(), [run.at(0, 2)]);
    run.pass(2);
    let stands = run.simulation.stop(first).unwrap();
    run.pass(5);
    assert_eq!(run.simulation.crowd().node(first), Some(stands));

    let trace = run.checked();
    let [one, two] = &trace.agents[..] else { panic!("{trace:?}") };
    let (x, y) = (run.at(1, 1).0, run.at(0, 2).0);
    assert_eq!(&tick_and_nodes(one)[..4], &[(1, 1), (2, 2), (3, 3), (3, x)]);
    let orders: Vec<_> = one.orders.iter().map(|order| (order.tick, order.goals.first().map(|p| p.node))).collect();
    assert_eq!(orders, [(4, Some(y)), (6, None)]);
    assert_eq!((two.appears, two.vanishes, two.start.node), (2, Some(4), y));
    assert_eq!(tick_and_nodes(two), [(3, y + 1), (4, y + 2)]);
    assert_eq!((trace.until, run.simulation.metrics().agent_ticks), (Some(11), 11 + 2));
}

#[test]
fn a_move_that_is_cut_short_ends_where_it_is() {
    let grid = Grid::open(3, 2).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let point = Point::timed(&grid, 4).unwrap();
    let class = crowd.add_class(Class::new(&grid, point)).unwrap();
    let mut simulation = Simulation::new(crowd).recorded();
    let ids = [0, 1].map(|y| {
        let [start, goal] = [0, 2].map(|x| grid.node(x, y).unwrap());
        simulation.add(class, Agent::new(start, goal), Task::Once).unwrap()
    });
    simulation.run(5, Budget::unlimited());
    simulation.remove(ids[0]).unwrap();
    simulation.place(ids[1], grid.node(0, 0).unwrap()).unwrap();
    simulation.run(1, Budget::unlimited());
    let trace = simulation.trace().unwrap();
    assert_eq!(Checker::new(&grid, ConflictRule::Following).check_trace(&trace), []);
    let ends = |agent: usize| {
        let moves = &trace.agents[agent].moves;
        moves.iter().map(|step| (step.depart, step.arrive, step.to.position)).collect::<Vec<_>>()
    };
    assert_eq!(ends(0), [(0, 4, [1.0, 0.0, 0.0]), (4, 5, [1.25, 0.0, 0.0])]);
    assert_eq!(&ends(1)[..3], [(0, 4, [1.0, 1.0, 0.0]), (4, 5, [1.25, 1.0, 0.0]), (5, 5, [0.0, 0.0, 0.0])]);
}

#[test]
fn places_out_of_reach_are_passed_over() {
    let grid = Grid::from_ascii("..@..").unwrap();
    let mut run = Run::on(&grid);
    let guard = run.add(Agent::bystander(run.at(0, 0)), Task::Patrol(vec![run.at(3, 0), run.at(1, 0), run.at(0, 0)]));
    run.pass(12);
    let metrics = run.of(guard);
    assert!(metrics.unreachable >= 3 && metrics.arrivals >= 6, "{metrics:?}");
    let once = run.add(Agent::new(run.at(4, 0), run.at(1, 0)), Task::Once);
    run.pass(1);
    assert_eq!((run.of(once).unreachable, run.simulation.crowd().is_bystander(once)), (1, Some(true)));
}

#[test]
fn a_task_without_places_is_to_stand_by() {
    let grid = Grid::open(3, 1).unwrap();
    let mut run = Run::on(&grid);
    let places = Endpoints::from(vec![run.at(2, 0)]);
    for (x, task) in [(0, Task::Patrol(vec![])), (2, Task::Lifelong { places, seed: 0 })] {
        let agent = run.add(Agent::bystander(run.at(x, 0)), task);
        assert_eq!(run.simulation.crowd().is_bystander(agent), Some(true));
    }
    run.pass(3);
    assert_eq!((run.simulation.metrics().path_length, run.simulation.metrics().arrivals), (0, 0));
    assert!(run.checked().agents.iter().all(|agent| agent.goals.is_empty()));
    assert_eq!(
        run.simulation.add(run.class, Agent::bystander(NodeId(0)), Task::Once),
        Err(CrowdError::Occupied { node: NodeId(0), by: AgentId(0) })
    );
    assert_eq!(run.checked().agents.len(), 2);
}

#[test]
fn tasks_change_at_any_time() {
    let grid = Grid::open(9, 1).unwrap();
    let mut run = Run::on(&grid);
    let agent = run.add(Agent::new(run.at(4, 0), run.at(8, 0)), Task::Once);
    run.pass(1);
    run.simulation.assign(agent, Task::Patrol(vec![run.at(0, 0), run.at(2, 0)])).unwrap();
    run.pass(7);
    assert_eq!((run.of(agent).arrivals, run.of(agent).flow_time, run.xy(agent)), (2, 7, (2, 0)));
    run.simulation.assign(agent, Task::Once).unwrap();
    run.pass(3);
    assert_eq!(run.xy(agent), (2, 0));
    assert_eq!(run.simulation.assign(AgentId(9), Task::Once), Err(CrowdError::NoSuchAgent(AgentId(9))));
}

#[test]
fn agents_of_the_crowd_are_counted_and_recorded() {
    let grid = Grid::open(4, 1).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).unwrap();
    let agent = crowd.add(class, Agent::new(NodeId(0), NodeId(3))).unwrap();
    crowd.tick(Budget::unlimited());
    let mut simulation = Simulation::new(crowd).recorded();
    simulation.run(4, Budget::unlimited());
    let metrics = simulation.agent_metrics(agent).unwrap();
    assert_eq!((metrics.arrivals, metrics.path_length, metrics.flow_time), (1, 2, 2));
    let trace = simulation.trace().unwrap();
    assert_eq!((trace.agents[0].appears, trace.agents[0].start.node, trace.agents[0].moves.len()), (1, 1, 2));
    assert_eq!(simulation.sum_of_costs(), Some(3));
}

/// An agent goes on even if it is sent where it stands already, or if another agent's goal diverts it there.
#[test]
fn tasks_go_on_whatever_the_next_place_is() {
    let grid = Grid::open(10, 1).unwrap();
    let mut run = Run::on(&grid);
    let guard = run.add(Agent::bystander(run.at(0, 0)), Task::Patrol(vec![run.at(5, 0), run.at(5, 0), run.at(0, 0)]));
    run.pass(40);
    // Five there, one tick to be told the same again, and five back: 5, 5, 11, 16, 16, 22, 27, 27, 33, 38, 38.
    let metrics = run.of(guard);
    assert_eq!((metrics.arrivals, metrics.flow_time, metrics.waits), (11, 35, 0), "{metrics:?}");

    let grid = Grid::open(6, 6).unwrap();
    let mut run = Run::on(&grid);
    let places = Endpoints::from(vec![run.at(0, 0), run.at(5, 5)]);
    let all: Vec<AgentId> = (0..3)
        .map(|x| run.add(Agent::bystander(run.at(x, 3)), Task::Lifelong { places: places.clone(), seed: 1 }))
        .collect();
    run.pass(1000);
    let before: Vec<u64> = all.iter().map(|agent| run.of(*agent).arrivals).collect();
    run.pass(1000);
    for (agent, before) in all.iter().zip(before) {
        let metrics = run.of(*agent);
        assert!(metrics.arrivals > before + 20, "{agent} has stopped: {metrics:?}");
        assert!(metrics.flow_time > 4 * metrics.arrivals, "arrivals for nothing: {metrics:?}");
    }
}

#[test]
fn an_order_that_is_repeated_is_the_same_order_until_it_is_fulfilled() {
    let grid = Grid::open(10, 1).unwrap();
    let mut run = Run::on(&grid);
    let agent = run.add(Agent::bystander(run.at(0, 0)), Task::Once);
    for _ in 0..9 {
        run.simulation.send(agent, run.at(9, 0)).unwrap();
        run.pass(1);
    }
    assert_eq!((run.of(agent).arrivals, run.of(agent).flow_time), (1, 9));
    run.simulation.send(agent, run.at(9, 0)).unwrap();
    run.pass(1);
    assert_eq!((run.of(agent).arrivals, run.of(agent).flow_time), (2, 9), "told again, it is there at once");
}

#[test]
fn who_is_at_its_goal_as_the_tick_begins_has_arrived_at_once() {
    let grid = Grid::from_ascii(
        "
        ...
        @.@
        ",
    )
    .unwrap();
    let mut run = Run::on(&grid);
    let home = run.add(Agent::new(run.at(1, 0), run.at(1, 0)), Task::Once);
    run.add(Agent::new(run.at(0, 0), run.at(2, 0)), Task::Once);
    run.pass(1);
    assert_eq!(run.xy(home), (1, 1), "it makes way in the very tick");
    assert_eq!((run.of(home).arrivals, run.of(home).flow_time), (1, 0));
}

#[test]
fn places_that_do_not_exist_are_refused() {
    let grid = Grid::open(3, 1).unwrap();
    let mut run = Run::on(&grid);
    let bad = Task::Patrol(vec![run.at(1, 0), NodeId(77)]);
    let added = run.simulation.add(run.class, Agent::bystander(run.at(0, 0)), bad.clone());
    assert_eq!(added, Err(CrowdError::NoSuchNode(NodeId(77))));
    assert_eq!(run.simulation.crowd().agents().count(), 0);
    let agent = run.add(Agent::bystander(run.at(0, 0)), Task::Once);
    assert_eq!(run.simulation.assign(agent, bad), Err(CrowdError::NoSuchNode(NodeId(77))));
    let nowhere = run.simulation.add(ClassId(9), Agent::bystander(run.at(1, 0)), Task::Patrol(vec![NodeId(77)]));
    assert_eq!(nowhere, Err(CrowdError::NoSuchClass(ClassId(9))));
}

#[test]
fn a_recording_begins_in_the_middle_of_a_move() {
    let grid = Grid::open(4, 1).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::timed(&grid, 4).unwrap())).unwrap();
    crowd.add(class, Agent::new(NodeId(0), NodeId(2))).unwrap();
    (0..2).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    let mut simulation = Simulation::new(crowd).recorded();
    simulation.run(8, Budget::unlimited());
    let trace = simulation.trace().unwrap();
    assert_eq!(Checker::new(&grid, ConflictRule::Following).check_trace(&trace), []);
    let agent = &trace.agents[0];
    let moves: Vec<_> = agent.moves.iter().map(|step| (step.depart, step.arrive, step.to.node)).collect();
    assert_eq!((agent.appears, agent.start.node, moves), (0, 0, vec![(0, 4, 1), (4, 8, 2)]));
    assert_eq!(trace.ticks_per_step, 4);
}

/// On a map of two halves, orders near the other half end at the wall, and tasks that go by nearest places never fail.
#[test]
fn nearest_places_stand_in_for_those_out_of_reach() {
    let grid = Grid::from_ascii("..@..").unwrap();
    let crowd = || {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).unwrap();
        (crowd, class)
    };
    let places = vec![NodeId(4), NodeId(0)];
    for (nearest, unreachable) in [(true, false), (false, true)] {
        let (crowd, class) = crowd();
        let simulation = Simulation::new(crowd).recorded();
        let mut simulation = if nearest { simulation.nearest() } else { simulation };
        let agent = simulation.add(class, Agent::bystander(NodeId(0)), Task::Patrol(places.clone())).unwrap();
        simulation.run(20, Budget::unlimited());
        let metrics = simulation.agent_metrics(agent).unwrap();
        assert_eq!((metrics.unreachable > 0, metrics.path_length > 8), (unreachable, nearest), "{metrics:?}");
    }
    let (crowd, class) = crowd();
    let mut simulation = Simulation::new(crowd).recorded();
    let agent = simulation.add(class, Agent::bystander(NodeId(0)), Task::Patrol(places)).unwrap();
    assert_eq!(simulation.send_near(agent, NodeId(3)).unwrap().nodes(), [NodeId(1)]);
    simulation.run(3, Budget::unlimited());
    assert_eq!((simulation.crowd().node(agent), simulation.metrics().arrivals), (Some(NodeId(1)), 1));
    assert_eq!(simulation.place_near(agent, NodeId(2)), Ok(NodeId(1)));
    assert_eq!(simulation.place_near(agent, NodeId(4)), Ok(NodeId(4)));
    let trace = simulation.trace().unwrap();
    assert_eq!(trace.agents[0].goals.first().map(|place| place.node), Some(1));
    assert!(Checker::new(&grid, ConflictRule::Swap).check_trace(&trace).is_empty());
}
