//! Calls between ticks: add, remove, send, stop, place.

use giveway_core::{Agent, AgentId, ConflictRule, Goals, NodeId, Point};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings};
use giveway_spaces::Grid;
use giveway_strategies::Order;

use crate::crowd::run::Run;
use crate::world::{picture, pictures};

use ConflictRule::Swap;

#[test]
fn an_agent_goes_where_it_is_sent_and_a_new_order_replaces_the_old() {
    let grid = Grid::open(20, 3).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let agent = run.crowd.add(run.class, Agent::new(run.at(0, 1), run.at(19, 1))).unwrap();
    for _ in 0..5 {
        run.tick();
    }
    assert_eq!(run.xy(0), (5, 1));
    assert_eq!(run.crowd.send(agent, run.at(0, 1)).unwrap(), Goals::one(run.at(0, 1)));
    let reports = run.until_rest(100);
    assert_eq!((run.crowd.now(), run.xy(0)), (10, (0, 1)));
    assert_eq!(reports.last().unwrap().arrived, [agent]);

    run.crowd.send(agent, run.at(10, 0)).unwrap();
    run.tick();
    let here = run.xy(0);
    assert_eq!(run.crowd.stop(agent).unwrap(), run.at(here.0, here.1));
    assert!(run.crowd.is_at_rest() && run.crowd.is_bystander(agent) == Some(true));
    run.tick();
    assert_eq!(run.xy(0), here);
}

#[test]
fn an_order_to_one_of_several_places_is_fulfilled_at_the_nearest() {
    let grid = Grid::open(9, 9).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let goals: Goals = [run.at(8, 8), run.at(0, 3), run.at(8, 0)].into_iter().collect();
    run.crowd.add(run.class, Agent::new(run.at(0, 0), goals)).unwrap();
    run.until_rest(20);
    assert_eq!((run.crowd.now(), run.xy(0)), (3, (0, 3)));
}

#[test]
fn a_set_of_goals_claims_no_place() {
    let grid = Grid::open(9, 3).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let starts = [run.at(0, 0), run.at(0, 2)];
    let agents = starts.map(|start| run.crowd.add(run.class, Agent::bystander(start)).unwrap());
    let [near, far] = [run.at(3, 1), run.at(8, 1)];
    let both: Goals = [near, far].into_iter().collect();
    // Each may go to either place, and an order to one of them alone takes nothing from the set.
    for agent in agents {
        assert_eq!(run.crowd.send(agent, both.clone()).unwrap(), both);
    }
    assert_eq!(run.crowd.send(agents[1], near).unwrap(), Goals::one(near));
    assert_eq!(run.crowd.goals(agents[0]), Some(&both));
    // The first one comes to the near place a tick before the other one, makes way, and goes on to the far place.
    run.until_rest(100);
    assert_eq!((run.crowd.now(), [run.xy(0), run.xy(1)]), (9, [(8, 1), (3, 1)]));
    // What is the only goal of another agent is left out of a later order.
    assert_eq!(run.crowd.send(agents[0], both).unwrap(), Goals::one(far));
}

#[test]
fn a_goal_that_is_taken_gives_way_to_the_nearest_free_place() {
    let world = picture(["A.B", "...", "..."]);
    let mut run = Run::of(&world, CrowdSettings::new());
    let (first, second) = (AgentId(0), AgentId(1));
    let middle = run.at(1, 1);
    assert_eq!(run.crowd.send(first, middle).unwrap(), Goals::one(middle));
    let diverted = run.crowd.send(second, middle).unwrap();
    let (x, y) = run.grid.xy(diverted.nodes()[0]);
    assert_eq!(x.abs_diff(1) + y.abs_diff(1), 1);
    run.until_rest(20);
    // The first gives its goal up, and the second may have it.
    run.crowd.stop(first).unwrap();
    let corner = run.at(2, 2);
    run.crowd.send(first, corner).unwrap();
    assert_eq!(run.crowd.send(second, middle).unwrap(), Goals::one(middle));
    run.until_rest(40);
}

#[test]
fn whoever_stands_by_makes_room_for_somebody_who_is_sent_there() {
    let grid = Grid::open(5, 5).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let by = run.crowd.add(run.class, Agent::bystander(run.at(2, 2))).unwrap();
    let sent = run.crowd.add(run.class, Agent::new(run.at(0, 2), run.at(2, 2))).unwrap();
    assert_eq!(run.crowd.goals(sent), Some(&Goals::one(run.at(2, 2))));
    let (x, y) = run.grid.xy(run.crowd.goals(by).unwrap().nodes()[0]);
    assert_eq!(x.abs_diff(2) + y.abs_diff(2), 1);
    run.until_rest(20);
}

#[test]
fn a_goal_out_of_reach_is_an_answer() {
    let world = pictures(["A.@B", "..@."], ["..@a", "..@b"]);
    let mut run = Run::of(&world, CrowdSettings::new());
    let report = run.tick();
    assert_eq!(report.unreachable, [AgentId(0)]);
    assert_eq!(run.crowd.is_bystander(AgentId(0)), Some(true));
    run.until_rest(5);
    // It can still be sent elsewhere.
    let goal = run.at(1, 1);
    run.crowd.send(AgentId(0), goal).unwrap();
    run.until_rest(10);
    assert_eq!(run.xy(0), (1, 1));
}

#[test]
fn agents_come_and_go() {
    let world = pictures(["A.B.."], ["..b.a"]);
    let mut run = Run::of(&world, CrowdSettings::new());
    for _ in 0..10 {
        run.tick();
    }
    assert_eq!(run.xy(0), (1, 0));
    run.crowd.remove(AgentId(1)).unwrap();
    assert_eq!(run.crowd.remove(AgentId(1)), Err(CrowdError::NoSuchAgent(AgentId(1))));
    run.until_rest(20);
    assert_eq!(run.xy(0), (4, 0));
    let third = run.crowd.add(run.class, Agent::bystander(run.at(2, 0))).unwrap();
    assert_eq!(third, AgentId(2), "ids are not used again");
    assert!(run.crowd.agents().eq([AgentId(0), third]));
}

#[test]
fn agents_and_poses_stay_in_the_order_of_adding_after_removals_and_packing() {
    let grid = Grid::open(20, 20).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let mut ids: Vec<AgentId> = Vec::new();
    for round in 0..6 {
        // The nodes go round, so that neither ids nor slots are in their order.
        for node in (0..400).map(|index| NodeId((index * 7 + round * 31) % 400)) {
            ids.extend(run.crowd.add(run.class, Agent::bystander(node)));
        }
        assert_eq!(ids.len(), 400);
        // Nine of ten go: the roster is packed.
        let (stay, go): (Vec<AgentId>, Vec<AgentId>) = ids.iter().partition(|agent| agent.0 % 10 == round);
        go.into_iter().for_each(|agent| run.crowd.remove(agent).unwrap());
        ids = stay;
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert!(run.crowd.agents().eq(ids.iter().copied()), "round {round}");
        assert!(run.crowd.poses(0.5).map(|pose| pose.agent).eq(ids.iter().copied()), "round {round}");
        run.crowd.tick(Budget::unlimited());
    }
}

#[test]
fn who_is_placed_loses_its_plan_and_so_does_whoever_was_to_pass_there() {
    let world = pictures(["A.......", "........", "B......."], [".......a", "........", ".......b"]);
    let mut run = Run::of(&world, CrowdSettings::new());
    run.tick();
    let ahead = run.at(5, 0);
    assert!(run.crowd.plan(AgentId(0)).iter().any(|leg| leg.to == ahead));
    run.check();
    run.crowd.place(AgentId(1), ahead).unwrap();
    assert!(run.crowd.plan(AgentId(1)).is_empty());
    assert!(run.crowd.plan(AgentId(0)).is_empty(), "it is flagged");
    let report = run.tick();
    assert_eq!(report.planned.len(), 2);
    run.until_rest(40);
}

#[test]
fn nobody_is_placed_on_somebody() {
    let world = pictures(["A.B.", "...."], ["...a", "b..."]);
    let mut run = Run::of(&world, CrowdSettings::new());
    run.tick();
    let before = format!("{:?}", run.crowd);
    let there = run.crowd.node(AgentId(1)).unwrap();
    let occupied = CrowdError::Occupied { node: there, by: AgentId(1) };
    assert_eq!(run.crowd.place(AgentId(0), there), Err(occupied));
    assert_eq!(run.crowd.add(run.class, Agent::bystander(there)), Err(occupied));
    let wall = NodeId(999);
    assert_eq!(run.crowd.place(AgentId(0), wall), Err(CrowdError::NoSuchNode(wall)));
    assert_eq!(run.crowd.send(AgentId(0), wall), Err(CrowdError::NoSuchNode(wall)));
    assert_eq!(run.crowd.send(AgentId(0), Goals::from_iter([])), Err(CrowdError::NoGoal));
    assert_eq!(run.crowd.send(AgentId(9), there), Err(CrowdError::NoSuchAgent(AgentId(9))));
    assert_eq!(run.crowd.stop(AgentId(9)), Err(CrowdError::NoSuchAgent(AgentId(9))));
    assert_eq!(run.crowd.add(ClassId(1), Agent::bystander(run.at(1, 1))), Err(CrowdError::NoSuchClass(ClassId(1))));
    assert_eq!(format!("{:?}", run.crowd), before, "a call that fails changes nothing");
    run.until_rest(20);
}

#[test]
fn a_class_with_other_cells_is_refused() {
    let (grid, other) = (Grid::open(4, 4).unwrap(), Grid::open(5, 5).unwrap());
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let mixed = run.crowd.add_class(Class::new(&grid, Point::following_rule(&grid)));
    assert!(matches!(mixed, Err(CrowdError::CellsDiffer(_))), "{mixed:?}");
    let elsewhere = run.crowd.add_class(Class::new(&other, Point::swap_rule(&other)));
    assert!(matches!(elsewhere, Err(CrowdError::CellsDiffer(_))), "{elsewhere:?}");
    assert_eq!(run.crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))), Ok(ClassId(1)));
}

#[test]
fn poses_lie_between_where_a_unit_was_and_where_it_is() {
    let world = pictures(["A..."], ["...a"]);
    let mut run = Run::of(&world, CrowdSettings::new());
    let pose = |run: &Run<'_>, fraction| run.crowd.poses(fraction).next().unwrap();
    assert_eq!(pose(&run, 0.5).position, Some(run.grid_position(0, 0)));
    run.tick();
    let (from, to) = (run.grid_position(0, 0), run.grid_position(1, 0));
    assert_eq!((pose(&run, 0.0).position, pose(&run, 1.0).position), (Some(from), Some(to)));
    assert_eq!(pose(&run, 0.25).progress, 0.25);
    assert_eq!(pose(&run, f32::NAN).position, Some(to));
}

#[test]
fn a_footprint_for_another_space_is_an_error() {
    let (small, large) = (Grid::open(3, 3).unwrap(), Grid::open(6, 6).unwrap());
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&large, Point::swap_rule(&small))).unwrap();
    assert_eq!(crowd.add(class, Agent::bystander(NodeId(30))), Err(CrowdError::OutOfCells(NodeId(30))));
    assert_eq!(crowd.agents().count(), 0);
}

/// If a unit is put where another one was to rest, the other one gives up its place, and the unit is known to rest
/// there.
#[test]
fn who_is_placed_where_another_was_to_rest_is_gone_round() {
    let grid = Grid::open(9, 3).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new().order(Order::AsGiven));
    // It plans before the one that is put there does.
    let runner = run.crowd.add(run.class, Agent::bystander(run.at(0, 1))).unwrap();
    let put = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    let planner = run.crowd.add(run.class, Agent::bystander(run.at(8, 0))).unwrap();
    // It plans to rest at (4, 1), which is not kept for it, as another place would do; another unit is put there before
    // it comes.
    run.crowd.send(planner, Goals::from_iter([run.at(4, 1), run.at(0, 2)])).unwrap();
    run.tick();
    run.check();
    run.crowd.place(put, run.at(4, 1)).unwrap();
    run.crowd.send(runner, run.at(8, 1)).unwrap();
    run.crowd.send(planner, run.at(8, 2)).unwrap();
    let overridden: usize = (0..12).map(|_| run.tick().overridden.len()).sum();
    assert_eq!((overridden, run.crowd.node(put)), (0, Some(run.at(4, 1))), "it is walked through, not round");
    assert_eq!(run.crowd.node(runner), Some(run.at(8, 1)));
}
