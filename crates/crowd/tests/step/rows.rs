//! Small cases: a picture and a number.

use giveway_core::{Agent, AgentId, ConflictRule, Goals, NodeId, Point, SpaceGraph as _};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Planner, Report};
use giveway_spaces::{FnSpace, Grid, Link, Linked};

use crate::crowd::run::Run;
use crate::world::{World, pictures};

use ConflictRule::{Following, Swap};

/// All agents plan by the step planner alone.
fn steps() -> CrowdSettings {
    CrowdSettings::new().chain(Planner::Step)
}

/// The ticks until all agents are at rest, and the reports.
fn ticks(rule: ConflictRule, world: &World, most: u32) -> (u32, Vec<Report>) {
    let mut run = Run::under(rule, world, steps());
    let reports = run.until_rest(most);
    assert!(reports.iter().all(|report| report.stopped.is_empty() && report.served.standing == 0));
    (run.crowd.now(), reports)
}

#[test]
fn whoever_is_alone_takes_the_shortest_way() {
    let world = pictures(["A....", ".@@@.", "....."], [".....", ".@@@.", "....a"]);
    for rule in [Swap, Following] {
        let (ticks, reports) = ticks(rule, &world, 9);
        assert_eq!(ticks, 6, "{rule:?}");
        assert_eq!(reports.iter().map(|report| report.inheritances).sum::<u64>(), 0);
        assert!(reports.iter().all(|report| report.served.step == 1) && reports[0].operations > 0);
    }
}

#[test]
fn who_rests_beside_a_bay_steps_into_it_and_comes_back() {
    let world = pictures(["A..B...", "@@@.@@@"], ["...b..a", "@@@.@@@"]);
    for (rule, most) in [(Swap, 7), (Following, 9)] {
        let (ticks, reports) = ticks(rule, &world, 30);
        assert!(ticks <= most, "{rule:?}: {ticks}");
        assert!(reports.iter().map(|report| report.inheritances).sum::<u64>() > 0);
    }
}

/// B makes C make D step aside; all of them at one tick.
#[test]
fn a_chain_of_pushes_moves_together() {
    let world = pictures(["ABCD....", "@@@@.@@@"], ["....a...", "@@@@.@@@"]);
    let mut run = Run::under(Swap, &world, steps());
    for agent in 1..4 {
        run.crowd.stop(AgentId(agent)).unwrap();
    }
    let first = run.tick();
    assert!(first.moves == 4 && first.inheritances >= 3, "{first:?}");
    let arrived: Vec<AgentId> = (0..3).flat_map(|_| run.tick().arrived).collect();
    assert_eq!(arrived, [AgentId(0)]);
    run.check();
}

#[test]
fn two_pass_each_other_where_there_is_a_ring() {
    let world = pictures(["A......B", ".@@@@@@.", "........"], ["b......a", ".@@@@@@.", "........"]);
    for rule in [Swap, Following] {
        let (ticks, _) = ticks(rule, &world, 60);
        assert!(ticks <= 24, "{rule:?}: {ticks}");
    }
}

#[test]
fn a_full_square_turns() {
    let world = pictures(["AB", "DC"], ["da", "cb"]);
    assert_eq!(ticks(Swap, &world, 9).0, 1);
}

#[test]
fn a_lower_priority_pushes_no_higher_one() {
    // The one who stands in the way is under way itself, and blocked.
    let world = pictures(["A.B@", "@@@@"], ["@@@@", "@@@@"]);
    let mut run = Run::empty(&world.grid, Swap, steps());
    let [left, right] = [run.at(0, 0), run.at(2, 0)];
    let hero = Agent { priority: 3, ..Agent::new(left, right) };
    run.crowd.add(run.class, hero).unwrap();
    run.crowd.add(run.class, Agent::new(right, left)).unwrap();
    for _ in 0..8 {
        run.tick();
    }
    assert_eq!(run.xy(0), (1, 0), "it has come as far as there is room, and nobody makes it go back");
    run.check();
}

/// Three roads in a row. The first move takes as long as operations do as long as no longer move is known, or longer.
#[test]
fn a_move_longer_than_all_before_is_found() {
    for long in [2, 5, 20] {
        let lengths: [u8; 3] = [long, 1, 2 * long];
        let price = |road: u32| 1000 * u32::from(lengths[road as usize]);
        let ways = |node: u32| [(node + 1, node), (node.wrapping_sub(1), node.wrapping_sub(1))];
        let roads = |node: u32| ways(node).into_iter().filter(|(to, _)| *to < 4).map(|(to, road)| (to, price(road)));
        let space = FnSpace::new(4, |node| roads(node).collect::<Vec<_>>()).unwrap();
        let space = space.with_lengths(|m| f32::from(lengths[m.from.index().min(m.to.index())])).unwrap();
        let point = Point::timed(&space, 1).unwrap();
        let mut crowd = Crowd::new(steps());
        let class = crowd.add_class(Class::bare(space, point)).unwrap();
        crowd.add(class, Agent::new(NodeId(0), NodeId(3))).unwrap();
        let ticks = 1 + (0..200).take_while(|_| crowd.tick(Budget::unlimited()).arrived.is_empty()).count();
        let least = usize::from(3 * long + 1);
        assert!((least..=least + 3).contains(&ticks), "{long}: {ticks} ticks");
    }
}

#[test]
fn a_ferry_is_met_when_it_sails() {
    let grid = Grid::from_ascii("..@..").unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let ferry = Link::new(at(1), at(3), 1000, 1.0).sails_every(5, 2);
    let space = Linked::new(grid.clone(), vec![ferry]).unwrap();
    let point = Point::swap_rule(&space);
    let mut crowd = Crowd::new(steps());
    let class = crowd.add_class(Class::new(space, point)).unwrap();
    let agents = [0, 1].map(|x| crowd.add(class, Agent::new(at(x), at(x + 3))).unwrap());
    let mut sailed = Vec::new();
    while !crowd.is_at_rest() {
        let report = crowd.tick(Budget::unlimited());
        assert!(report.tick < 30 && report.stopped.is_empty());
        let over = |agent: &AgentId| crowd.last_leg(*agent).filter(|leg| (leg.from, leg.to) == (at(1), at(3)));
        sailed.extend(agents.iter().filter_map(over).map(|leg| leg.depart));
    }
    assert_eq!(sailed, [2, 7], "B goes first, and A by the next one");
}

#[test]
fn whoever_cannot_get_there_stands_by() {
    let world = pictures(["A.@.", "..@."], ["..@.", "..@a"]);
    let mut run = Run::under(Swap, &world, steps());
    assert_eq!(run.tick().unreachable, [AgentId(0)]);
    assert_eq!(run.crowd.is_bystander(AgentId(0)), Some(true));
    assert!(run.crowd.is_at_rest());
}

/// Those whom windows lead nowhere take steps, and those who plan by windows make way.
#[test]
fn steps_help_where_windows_lead_nowhere() {
    let world = pictures(["A..B...", "@@@.@@@"], ["b.....a", "@@@.@@@"]);
    let chain = Chain::new(Planner::Windowed).fallback(Planner::Step, 4).fallback(Planner::Lacam, 8);
    let mut run = Run::of(&world, CrowdSettings::new().promotion(false).chain(chain));
    let reports = run.until_rest(200);
    let served = reports.iter().map(|report| report.served.step).sum::<usize>();
    assert!(reports.len() <= 40 && reports.iter().all(|report| report.knots.is_empty()), "{}, {served}", reports.len());
}

/// Thirty units on 36 cells: only some are under way at a time, and all of them in turn.
#[test]
fn where_it_is_full_all_take_turns() {
    let grid = Grid::open(6, 6).unwrap();
    let arrivals = |rotation| {
        let mut run = Run::empty(&grid, Swap, steps().rotation(rotation));
        for place in 0..30_u32 {
            run.crowd.add(run.class, Agent::new(NodeId(place), NodeId(35 - place))).unwrap();
        }
        let mut arrivals = [0_u32; 30];
        for tick in 0..120_u32 {
            for agent in run.tick().arrived {
                arrivals[agent.index()] += 1;
                let goal = NodeId((agent.0 * 11 + tick * 7) % 36);
                let _ = run.crowd.send(agent, Goals::one(goal));
            }
        }
        run.check();
        arrivals
    };
    let [with, without] = [true, false].map(arrivals);
    println!("{with:?} in turn, {without:?} all at once");
    assert_ne!(with, without);
    assert!(with.iter().all(|arrivals| *arrivals > 0), "{with:?}");
}

/// Everybody has another place to go to, at any time, and a goal may be sent while a move is under way.
#[test]
fn everybody_goes_on_for_ever() {
    let world = pictures(["ABCDEF", "GHIJKL", "......", "......"], ["......", "......", "abcdef", "ghijkl"]);
    let mut run = Run::of(&world, steps());
    let mut arrived = 0;
    for tick in 0..400_u32 {
        let report = run.tick();
        arrived += report.arrived.len();
        for agent in report.arrived {
            let goal = run.at((agent.0 * 5 + tick) % 6, (agent.0 + tick * 7) % 4);
            let _ = run.crowd.send(agent, Goals::one(goal));
        }
    }
    assert!(arrived > 700, "{arrived}");
    assert_eq!(run.grid.moves(run.at(0, 0)).count(), 2);
}
