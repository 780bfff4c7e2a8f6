//! Small budgets: the work that there is goes to all.

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_core::{Agent, AgentId, ConflictRule, NodeId, SpaceGraph as _};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Planner, Report};
use giveway_spaces::{Connectivity, Direction, Grid, Robot, Robots};
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;
use crate::field::Field;

/// How many orders 100 robots that turn carry out in 300 ticks, in a field of 32x32 cells with walls, each robot one
/// order after the other.
fn errands(budget: Budget, seed: u128) -> usize {
    let Field { grid, starts, goals } = Field::random(32, 200, seed);
    let space = Robots::new(grid);
    let mut goals = goals.iter().cycle().map(|goal| space.any_heading(*goal));
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Planner::Step));
    let class = crowd.add_class(Class::new(&space, Robot)).unwrap();
    for start in &starts[..100] {
        let agent = crowd.add(class, Agent::bystander(space.pose(*start, Direction::East).unwrap())).unwrap();
        crowd.send_shared(agent, goals.next().unwrap()).unwrap();
    }
    let mut done = 0;
    for _ in 0..300 {
        let report = crowd.tick(budget);
        assert!(report.work <= budget.units() && report.overlaps == 0 && report.stopped.is_empty(), "{report:?}");
        done += report.arrived.len();
        for agent in report.arrived {
            crowd.send_shared(agent, goals.next().unwrap()).unwrap();
        }
    }
    done
}

/// A chain that fails for want of work is not tried again and again at the expense of all others.
#[test]
fn a_tenth_of_the_work_carries_out_a_third_of_the_orders() {
    for seed in 1..=2 {
        let all = errands(Budget::unlimited(), seed);
        // Without a limit a tick takes 5,000 to 6,000 units.
        let done = [600, 1200, 2500].map(|work| errands(Budget::work(work), seed));
        println!("{all} without a limit, {done:?} with 600, 1200, and 2500 units");
        assert!(all > 700 && done[0] * 3 >= all && done[1] * 2 >= all && done[2] * 4 >= all * 3, "{all}, {done:?}");
    }
}

/// The moves, the steps, how often a unit stood without a plan, and how often it was on its goal, of 240 units of
/// `chain` in 100 ticks, in a field.
fn of_a_crowd(chain: Chain, budget: Budget) -> [usize; 4] {
    let field = Field::random(24, 100, 5);
    let mut run = field.crowd(240, CrowdSettings::new().chain(chain));
    let mut home = 0;
    let mut reports: Vec<Report> = Vec::new();
    for _ in 0..100 {
        let is_home = |(agent, goal): &(AgentId, &NodeId)| run.crowd.node(*agent) == Some(**goal);
        home += run.crowd.agents().zip(&field.goals).filter(is_home).count();
        reports.push(run.tick_within(budget));
    }
    run.check();
    let sum = |of: fn(&Report) -> usize| reports.iter().map(of).sum();
    [sum(|report| report.moves), sum(|report| report.served.step), sum(|report| report.served.standing), home]
}

#[test]
fn while_the_budget_is_short_steps_serve_the_units_of_the_default_chain() {
    // Of 240 x 100 unit-ticks, with 4, 12 and 50 units of work for each.
    for (work, moves, steps) in [(1000, 7000, 15_000), (3000, 7500, 12_000), (12_000, 6000, 8000)] {
        let [moved, stepped, _, home] = of_a_crowd(Chain::default(), Budget::work(work));
        let [windows, ..] = of_a_crowd(Chain::new(Planner::Windowed), Budget::work(work));
        println!("{work}: {moved} moves, {stepped} steps, {home} on goals, {windows} moves by windows");
        // Whoever rests on its goal needs no steps.
        let (asked, under_way) = (steps * 100 / 24_000, 24_000 - home);
        assert!(moved > moves && stepped * 100 > under_way * asked, "{work}: {moved} moves, {stepped} steps");
        assert!(moved > windows + windows / 2, "{work}: {moved} moves, {windows} by windows");
    }
    let [_, steps, standing, _] = of_a_crowd(Chain::default(), Budget::unlimited());
    assert!(
        steps == 0 && standing < 50,
        "with enough work windows do better: {steps} steps, {standing} without a plan"
    );
}

/// A disc on eight neighbours needs one and a half steps at most.
#[test]
fn while_the_budget_is_short_steps_serve_bodies_that_are_alike() {
    let grid = Grid::open(16, 16).unwrap().with_connectivity(Connectivity::Eight);
    let slow = Body::disc(0.4).unwrap().speed(0.5).unwrap();
    let disc = Body::disc(0.45).unwrap();
    let ticks = CommonTicks::new().of([&disc, &slow], &grid).fewest().unwrap();
    let steps = |others: usize| {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let mut class = |body: &Body| {
            crowd.add_class(Class::for_body(body, &grid, Ground::from_grid(&grid), ticks).unwrap()).unwrap()
        };
        let classes = [class(&disc), class(&slow)];
        let mut cells: Vec<NodeId> = grid.nodes().collect();
        cells.shuffle(&mut Pcg64Mcg::new(3));
        for (unit, (start, goal)) in cells.iter().zip(cells.iter().rev()).take(90).enumerate() {
            let class = classes[usize::from(unit < others)];
            crowd.add(class, Agent::new(*start, *goal)).unwrap();
        }
        (0..40 * ticks).map(|_| crowd.tick(Budget::work(300)).served.step).sum::<usize>()
    };
    let [alike, unlike] = [0, 20].map(steps);
    println!("{alike} steps of units that are alike, {unlike} of others");
    assert!(alike > 10 * unlike.max(100), "{alike}, {unlike}");
}

/// What units do in a field full of units that get one goal after another, and in a corridor beside it in which two
/// units meet, for so many `ticks`. The corridor may have a `bay`. At each tick, the moves, and the steps; and whether
/// each of the two has come to the other end.
fn beside_a_corridor(has_bay: bool, ticks: u32) -> (Vec<(usize, usize)>, [bool; 2]) {
    let Field { mut grid, .. } = Field::random(30, 0, 1);
    for y in 0..30 {
        for x in 24..30 {
            let is_bay = has_bay && (x, y) == (27, 10);
            grid.set_passable(x, y, x == 26 && (2..20).contains(&y) || is_bay);
        }
    }
    let at = |x, y| grid.node(x, y).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let mut cells: Vec<NodeId> = (0..30).flat_map(|y| (0..24).map(move |x| (x, y))).map(|(x, y)| at(x, y)).collect();
    let mut random = Pcg64Mcg::new(1);
    cells.shuffle(&mut random);
    for pair in cells.windows(2).take(330) {
        run.crowd.add(run.class, Agent::new(pair[0], pair[1])).unwrap();
    }
    let pair = [(at(26, 2), at(26, 19)), (at(26, 19), at(26, 2))];
    let pair = pair.map(|(start, goal)| run.crowd.add(run.class, Agent::new(start, goal)).unwrap());
    let (mut done, mut met) = (Vec::new(), [false; 2]);
    for _ in 0..ticks {
        let report = run.tick_within(Budget::work(3000));
        done.push((report.moves, report.served.step));
        for agent in report.arrived {
            match pair.iter().position(|one| *one == agent) {
                Some(one) => met[one] = true,
                // The place may be another agent's goal.
                None => drop(run.crowd.send(agent, *cells.choose(&mut random).unwrap())),
            }
        }
    }
    run.check();
    (done, met)
}

/// Steps alone resolve no meeting in a corridor with a bay: units that come no nearer for long plan by their chains, also
/// while the budget is short for everybody.
#[test]
fn who_comes_no_nearer_while_the_budget_is_short_plans_by_its_chain() {
    let (done, met) = beside_a_corridor(true, 700);
    let steps: usize = done.iter().map(|(_, steps)| steps).sum();
    assert!(steps > 100_000, "the budget is short: {steps} steps");
    assert_eq!(met, [true; 2]);
}

/// Two units that cannot pass each other are planned together again and again, with ever more work. All others go on.
#[test]
fn a_knot_leaves_work_for_the_steps_of_others() {
    let (done, met) = beside_a_corridor(false, 300);
    assert_eq!(met, [false; 2]);
    let least = done.iter().skip(20).map(|(moves, _)| *moves).min();
    assert!(least >= Some(20), "{least:?} moves");
}

/// New ways of all units take the work of 20 ticks. Meanwhile units without a way go as if there were no walls.
#[test]
fn who_waits_for_a_way_sets_out_without_it() {
    let field = Field::random(256, 9800, 2);
    let mut run = field.crowd(400, CrowdSettings::new());
    let agents: Vec<AgentId> = run.crowd.agents().collect();
    let starts: Vec<_> = agents.iter().map(|agent| run.crowd.node(*agent)).collect();
    (0..10).for_each(|_| drop(run.tick_within(Budget::work(2000))));
    let moved = agents.iter().zip(&starts).filter(|(agent, start)| run.crowd.node(**agent) != **start).count();
    assert!(moved >= 340, "{moved}, where 230 have ways by now");
    run.check();
}

/// Steps help nobody to find the way: where units wait for tables, the budget is not short.
#[test]
fn who_waits_for_distances_is_not_served_by_steps() {
    let field = Field::random(80, 2500, 1);
    let mut run = field.crowd(100, CrowdSettings::new());
    let reports: Vec<Report> = (0..300).map(|_| run.tick_within(Budget::work(40))).collect();
    assert!(reports.iter().map(|report| report.postponed.len()).sum::<usize>() > 5000);
    assert_eq!(reports.iter().map(|report| report.operations).sum::<u64>(), 0);
    run.check();
}
