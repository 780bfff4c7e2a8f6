//! Stuck agents are reported once, with the least set of agents whose removal frees them, and so are freed ones.

use giveway_core::{Agent, AgentId, Point};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner, Report};
use giveway_spaces::Grid;

/// A crowd on `rows`: the agent `a` is sent to `b`. Capital letters are agents that never make way, in reading order
/// after it.
fn crowd(rows: &str, settings: CrowdSettings) -> (Crowd<'static>, Vec<AgentId>) {
    let cells: Vec<&str> = rows.split_whitespace().collect();
    let free: String = cells.iter().map(|row| row.replace(|cell: char| cell.is_alphabetic(), ".") + "\n").collect();
    let grid = Grid::from_ascii(&free).expect("a grid");
    let at = |letter| {
        let found =
            (0..).zip(&cells).find_map(|(y, row)| Some(((0..).zip(row.chars()).find(|(_, c)| *c == letter)?.0, y)));
        let (x, y) = found.expect("a row with the letter");
        grid.node(x, y).expect("on the grid")
    };
    let (start, goal) = (at('a'), at('b'));
    let walls: Vec<_> = cells.concat().chars().filter(char::is_ascii_uppercase).map(at).collect();
    let mut crowd = Crowd::new(settings);
    let point = Point::swap_rule(&grid);
    let class = crowd.add_class(Class::new(grid, point)).expect("a class");
    let mut agents = vec![crowd.add(class, Agent::new(start, goal)).expect("an agent")];
    for wall in walls {
        let agent = crowd.add(class, Agent::bystander(wall)).expect("an agent");
        crowd.set_chain(agent, Chain::new(Planner::LocalRepair(Lra::new(1)))).expect("there is one");
        agents.push(agent);
    }
    (crowd, agents)
}

/// The reports on `ticks` ticks with stuck or freed agents.
fn events(crowd: &mut Crowd<'_>, ticks: u32) -> Vec<Report> {
    let reports = (0..ticks).map(|_| crowd.tick(Budget::unlimited()));
    reports.filter(|report| !report.stuck.is_empty() || !report.freed.is_empty()).collect()
}

/// The agents that keep `a` from `b`, by the letters of `rows`.
#[track_caller]
fn check(rows: &str, named: &str) {
    let settings = CrowdSettings::new().stuck_after(Some(20));
    let (mut crowd, agents) = crowd(rows, settings);
    let letters: Vec<char> = rows.chars().filter(char::is_ascii_uppercase).collect();
    let events = events(&mut crowd, 90);
    let [report] = &events[..] else { panic!("{} events", events.len()) };
    let [stuck] = &report.stuck[..] else { panic!("{:?}", report.stuck) };
    let by: String = stuck.by.iter().map(|agent| letters[agent.index() - 1]).collect();
    assert_eq!((stuck.agent, by.as_str()), (agents[0], named));
    let waited = report.tick - stuck.since;
    assert!((20..=20 + 16).contains(&waited), "told after {waited} ticks");
    assert_eq!(crowd.longest_wait().map(|(agent, _)| agent), Some(agents[0]));

    for agent in &stuck.by {
        crowd.remove(*agent).expect("there is one");
    }
    let freed: Vec<AgentId> = (0..40).flat_map(|_| crowd.tick(Budget::unlimited()).freed).collect();
    assert_eq!(freed, [agents[0]]);
}

#[test]
fn the_least_set_in_the_way_is_named_and_its_removal_frees_the_agent() {
    check("a.C..b", "C");
    check("a.CD.b", "CD");
    // A way past one of them is longer than the way past two.
    check(
        "a.CD.b
         .@@@@.
         ...E..",
        "E",
    );
    // Only the next eight steps count.
    check("a.C...............D.......b", "C");
}

#[test]
fn an_agent_that_stands_on_a_shared_goal_is_named() {
    let (mut crowd, agents) = crowd("a.C..b", CrowdSettings::new().stuck_after(Some(20)));
    let place = crowd.node(agents[1]).expect("there is one");
    crowd.send_shared(agents[0], place).expect("on the grid");
    let events = events(&mut crowd, 60);
    assert_eq!(events[0].stuck[0].by, [agents[1]]);
}

#[test]
fn who_has_stood_on_its_goal_and_makes_way_is_not_stuck() {
    // `a` rests for 80 ticks. Then somebody comes, and `a` has to make way as far as the bay: for less than 60 ticks.
    let rows = "....a.b..................
                @@@@@@@@@@@@@@@@@@@@@@@.@";
    let (mut crowd, agents) = crowd(rows, CrowdSettings::new());
    let a = agents[0];
    assert_eq!(events(&mut crowd, 80), []);
    assert_eq!((crowd.is_home(a), crowd.longest_wait()), (Some(true), None));
    let class = crowd.class_of(a).expect("there is one");
    let (west, east) = (giveway_core::NodeId(0), giveway_core::NodeId(24));
    crowd.add(class, Agent::new(west, east)).expect("a free place");
    let mut away = 0;
    for _ in 0..60 {
        let report = crowd.tick(Budget::unlimited());
        assert_eq!(report.stuck, []);
        let is_away = crowd.is_home(a) == Some(false);
        away += u32::from(is_away);
        assert!(!is_away || crowd.longest_wait().is_some_and(|(_, ticks)| ticks <= away));
    }
    assert!(away > 16, "each agent is looked at once in 16 ticks");
}

#[test]
fn nobody_is_told_of_where_nobody_is_to_be() {
    let (mut crowd, _) = crowd("a.C..b", CrowdSettings::new().stuck_after(None));
    assert_eq!(events(&mut crowd, 200).len(), 0);
}

#[test]
fn without_work_the_set_is_told_later() {
    let (mut crowd, agents) = crowd("a.C..b", CrowdSettings::new().stuck_after(Some(20)));
    for _ in 0..60 {
        assert_eq!(crowd.tick(Budget::work(3)).stuck, []);
    }
    let events = events(&mut crowd, 40);
    assert_eq!(events[0].stuck[0].by, [agents[1]]);
}
