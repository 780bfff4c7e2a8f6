//! What becomes of others if one is late: exact cases.

use giveway_core::{Agent, AgentId, Area, NodeId, Point, Span, Tick};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings, Lateness, Leg, Reason};
use giveway_spaces::Grid;

const STEP: Tick = 4;

/// A crowd of points on `grid` that take `STEP` ticks for a step.
fn crowd(grid: &Grid, lateness: Lateness) -> (Crowd<'static>, ClassId) {
    let mut crowd = Crowd::new(CrowdSettings::new().lateness(lateness));
    let point = Point::timed(grid, STEP).unwrap();
    let class = crowd.add_class(Class::new(grid.clone(), point).editable()).unwrap();
    (crowd, class)
}

fn moves(crowd: &Crowd<'_>, agent: AgentId) -> Vec<Leg> {
    crowd.plan(agent).iter().filter(|leg| leg.is_move()).copied().collect()
}

/// When `agent` comes to `node`.
fn comes_to(crowd: &mut Crowd<'_>, agent: AgentId, node: NodeId) -> Tick {
    while crowd.node(agent) != Some(node) {
        assert!(crowd.now() < 500, "{agent} does not come");
        crowd.tick(Budget::unlimited());
    }
    crowd.now()
}

#[test]
fn a_late_unit_delays_those_behind_it_and_nobody_else() {
    let grid = Grid::open(16, 3).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let (mut crowd, class) = crowd(&grid, Lateness::KeepOrder);
    let row: Vec<AgentId> = [4, 3, 2].map(|x| crowd.add(class, Agent::new(at(x, 0), at(x + 9, 0))).unwrap()).to_vec();
    let beside = crowd.add(class, Agent::new(at(4, 2), at(13, 2))).unwrap();
    crowd.tick(Budget::unlimited());
    let before: Vec<Vec<Leg>> = row.iter().chain([&beside]).map(|agent| moves(&crowd, *agent)).collect();
    assert_eq!(crowd.hold(row[0], 10).unwrap(), []);
    let after: Vec<Vec<Leg>> = row.iter().chain([&beside]).map(|agent| moves(&crowd, *agent)).collect();
    // The first one's move is under way; all others of the row follow ten ticks later.
    let departs = |legs: &[Leg]| legs.iter().filter(|leg| leg.depart > 0).map(|leg| leg.depart).collect::<Vec<_>>();
    for index in 0..3 {
        let later: Vec<Tick> = departs(&before[index]).iter().map(|depart| depart + 10).collect();
        assert_eq!(departs(&after[index]), later, "unit {index}");
    }
    assert_eq!(before[3], after[3]);
    assert_eq!(crowd.explain(row[0]).reason, Some(Reason::Held { until: 11 }));
    assert_eq!(crowd.pauses(row[0]), [Span::new(1, 11)]);
    // Undisturbed, each would come after 36 ticks, and those behind start a move later each.
    assert_eq!(comes_to(&mut crowd, beside, at(13, 2)), 36);
    assert_eq!(comes_to(&mut crowd, row[0], at(13, 0)), 46);
    let report = crowd.tick(Budget::unlimited());
    assert_eq!(report.stopped, []);
}

/// Two ways cross. The first one over the crossing is late; by order the other one waits, and by a new plan it goes.
#[test]
fn who_passes_first_stays_first_if_the_order_is_kept() {
    let grid = Grid::from_ascii("@@@.@@@\n@@@.@@@\n@@@.@@@\n.......\n@@@.@@@\n@@@.@@@\n@@@.@@@").unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let crossed = [Lateness::KeepOrder, Lateness::PlanAnew].map(|lateness| {
        let (mut crowd, class) = crowd(&grid, lateness);
        let first = crowd.add(class, Agent::new(at(1, 3), at(6, 3))).unwrap();
        let second = crowd.add(class, Agent::new(at(3, 0), at(3, 6))).unwrap();
        crowd.tick(Budget::unlimited());
        // It has set out, and is late long before the crossing.
        assert_eq!(crowd.hold(first, 30).unwrap(), []);
        let mut order = Vec::new();
        while order.len() < 2 {
            crowd.tick(Budget::unlimited());
            let here = [first, second].into_iter().find(|agent| crowd.node(*agent) == Some(at(3, 3)));
            order.extend(here.filter(|agent| !order.contains(agent)));
        }
        order
    });
    // The window of the second one ends before the crossing is free again; then it plans anew in any case.
    assert_eq!(crossed[1], [AgentId(1), AgentId(0)]);
    assert_eq!(crossed[0][1..], [if crossed[0][0] == AgentId(0) { AgentId(1) } else { AgentId(0) }]);
}

#[test]
fn a_unit_that_stands_is_held_where_it_stands() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid))).unwrap();
    let one = crowd.add(class, Agent::new(at(0), at(5))).unwrap();
    let two = crowd.add(class, Agent::bystander(at(3))).unwrap();
    assert_eq!(crowd.hold(AgentId(9), 3), Err(CrowdError::NoSuchAgent(AgentId(9))));
    assert_eq!((crowd.hold(one, 0).unwrap(), crowd.held_until(one)), (vec![], None));
    crowd.hold(two, 8).unwrap();
    crowd.hold(two, 4).unwrap();
    assert_eq!((crowd.held_until(two), crowd.is_home(two)), (Some(12), Some(true)));
    for _ in 0..12 {
        crowd.tick(Budget::unlimited());
        assert_eq!(crowd.node(two), Some(at(3)));
    }
    assert_eq!(crowd.node(one), Some(at(2)), "it has come as near as it can");
    // A very long hold, and one at the end of time, are no trouble.
    for _ in 0..5000 {
        crowd.hold(two, Tick::MAX).unwrap();
    }
    crowd.tick(Budget::unlimited());
    assert_eq!(crowd.node(two), Some(at(3)));
}

#[test]
fn a_train_that_is_late_goes_on_later_and_waits_for_those_that_are_late_before_it() {
    let grid = Grid::open(10, 3).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    for lateness in [Lateness::KeepOrder, Lateness::PlanAnew] {
        let (mut crowd, class) = crowd(&grid, lateness);
        let train = crowd.add(class, Agent::bystander(at(0, 1))).unwrap();
        let walker = crowd.add(class, Agent::new(at(5, 0), at(5, 2))).unwrap();
        let timetable: Vec<(Tick, NodeId)> = (1..10).map(|x| (x * STEP, at(x, 1))).collect();
        crowd.send_along(train, &timetable).unwrap();
        for _ in 0..6 {
            crowd.tick(Budget::unlimited());
        }
        crowd.hold(train, 9).unwrap();
        assert_eq!(crowd.explain(train).reason, Some(Reason::Held { until: 15 }));
        // In the next tick it takes the rest of its path again.
        crowd.tick(Budget::unlimited());
        let departs: Vec<Tick> =
            moves(&crowd, train).iter().map(|leg| leg.depart).filter(|depart| *depart > 6).collect();
        assert_eq!(departs, (2..10).map(|x| x * STEP + 9).collect::<Vec<_>>(), "{lateness:?}");
        while crowd.node(train) != Some(at(2, 1)) {
            crowd.tick(Budget::unlimited());
        }
        // Somebody stands in its way, and cannot go on.
        let blocker = crowd.add(class, Agent::bystander(at(8, 1))).unwrap();
        crowd.hold(blocker, 40).unwrap();
        let late = comes_to(&mut crowd, train, at(9, 1));
        assert!(late > 9 * STEP + STEP + 9, "{late}");
        assert_ne!(crowd.node(blocker), Some(at(8, 1)));
        assert!(crowd.is_home(walker).unwrap());
    }
}

#[test]
fn an_area_stays_open_for_a_unit_that_is_late_to_leave_it() {
    let grid = Grid::open(9, 3).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let (mut crowd, class) = crowd(&grid, Lateness::KeepOrder);
    let one = crowd.add(class, Agent::new(at(2, 1), at(8, 1))).unwrap();
    let area = Area::cells(2, 0, 2, 3).unwrap();
    crowd.tick(Budget::unlimited());
    assert_eq!(crowd.vacate(&area).unwrap(), [one]);
    crowd.hold(one, 25).unwrap();
    for _ in 0..25 {
        crowd.tick(Budget::unlimited());
        assert_eq!(crowd.close(&area), Err(CrowdError::Occupied { node: at(3, 1), by: one }));
    }
    comes_to(&mut crowd, one, at(8, 1));
    crowd.tick(Budget::unlimited());
    assert!(!crowd.has_node(class, at(3, 1)) && crowd.inside(&area).is_empty());
    // A door that closes before a unit on its way across does not stop it.
    let two = crowd.add(class, Agent::new(at(5, 0), at(8, 0))).unwrap();
    crowd.tick(Budget::unlimited());
    crowd.hold(two, 7).unwrap();
    assert!(crowd.set_open(class, at(5, 0), false).unwrap());
    comes_to(&mut crowd, two, at(8, 0));
}
