//! Units whose moves end when the game says so.

use giveway_check::Checker;
use giveway_core::{
    Agent, AgentId, ConflictRule, Embedding as _, NodeId, Point, SpaceGraph as _, Tick, Trace, TracedAgent, TracedMove,
    TracedPlace, WholeMoves,
};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

fn whole(grid: &Grid, ticks: Tick) -> (Crowd<'static>, ClassId) {
    let mut crowd = Crowd::new(CrowdSettings::new());
    let point = if ticks > 0 { Point::timed(grid, ticks).unwrap() } else { Point::swap_rule(grid) };
    let class = crowd.add_class(Class::new(grid.clone(), WholeMoves::new(point))).unwrap();
    (crowd, class)
}

#[test]
fn only_a_class_of_whole_moves_can_report() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let (mut crowd, class) = whole(&grid, 0);
    let hasty = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid))).unwrap();
    let one = crowd.add(class, Agent::bystander(at(0))).unwrap();
    let two = crowd.add(hasty, Agent::bystander(at(3))).unwrap();
    assert_eq!(crowd.set_reports_moves(two, true), Err(CrowdError::NotWhole(hasty)));
    assert_eq!(crowd.set_reports_moves(AgentId(7), true), Err(CrowdError::NoSuchAgent(AgentId(7))));
    assert_eq!(crowd.done(AgentId(7)), Err(CrowdError::NoSuchAgent(AgentId(7))));
    crowd.done(two).unwrap();
    crowd.set_reports_moves(one, true).unwrap();
    assert_eq!(crowd.change_class(one, hasty), Err(CrowdError::NotWhole(hasty)));
    assert_eq!([one, two].map(|agent| crowd.reports_moves(agent)), [Some(true), Some(false)]);
    crowd.send(one, at(1)).unwrap();
    for _ in 0..5 {
        crowd.tick(Budget::unlimited());
    }
    assert_eq!(crowd.node(one), Some(at(0)));
    // Without reports the move ends.
    crowd.set_reports_moves(one, false).unwrap();
    assert_eq!(crowd.node(one), Some(at(1)));
    assert_eq!(crowd.tick(Budget::unlimited()).arrived, [one]);
    crowd.change_class(one, hasty).unwrap();
}

#[test]
fn a_move_of_a_tick_that_is_done_in_time_takes_a_tick() {
    let grid = Grid::open(9, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let (mut crowd, class) = whole(&grid, 0);
    let one = crowd.add(class, Agent::new(at(0), at(8))).unwrap();
    crowd.set_reports_moves(one, true).unwrap();
    for x in 1..=8 {
        assert_eq!(crowd.tick(Budget::unlimited()).held, []);
        crowd.done(one).unwrap();
        assert_eq!(crowd.node(one), Some(at(x)));
    }
    assert_eq!(crowd.tick(Budget::unlimited()).arrived, [one]);
}

/// Nobody is where another one may still be: from the begin of a move until it is done both of its places are held.
#[test]
fn nobody_enters_before_a_move_is_done() {
    for ticks in [0, 3] {
        let grid = Grid::from_fn(10, 10, |x, y| (x * 3 + y * 5) % 7 != 0).unwrap();
        let nodes: Vec<NodeId> = grid.nodes().filter(|node| grid.contains(*node)).collect();
        let (mut crowd, class) = whole(&grid, ticks);
        let mut random = Pcg64Mcg::new(5);
        let mut traced: Vec<TracedAgent> = Vec::new();
        let place = |node: NodeId| TracedPlace::new(node.0, grid.position(node));
        while traced.len() < 20 {
            let start = *nodes.choose(&mut random).unwrap();
            if let Ok(agent) = crowd.add(class, Agent::bystander(start)) {
                crowd.set_reports_moves(agent, agent.0 % 4 != 0).unwrap();
                traced.push(TracedAgent::new(place(start), vec![], vec![]));
            }
        }
        let agents: Vec<AgentId> = crowd.agents().collect();
        let (mut moves, mut held, mut arrived) = (0, 0, 0);
        for _ in 0..1500 {
            for agent in &agents {
                if crowd.is_home(*agent) == Some(true) {
                    let _ = crowd.send_near(*agent, *nodes.choose(&mut random).unwrap());
                }
                // Some are done early, some late, and some at once.
                if random.random_ratio(1, 3) {
                    crowd.done(*agent).unwrap();
                }
            }
            // A crowd that is loaded goes on as one that was saved.
            if crowd.now() % 300 == 150 {
                let (mut other, _) = whole(&grid, ticks);
                other.load(&crowd.save().unwrap()).unwrap();
                assert_eq!(other.state_hash(), crowd.state_hash());
                crowd = other;
            }
            let report = crowd.tick(Budget::work(20_000));
            moves += report.moves;
            held += report.held.len();
            arrived += report.arrived.len();
            for (agent, traced) in agents.iter().zip(&mut traced) {
                let leg = crowd.last_leg(*agent).unwrap();
                if leg.is_move() && leg.depart == report.tick {
                    traced.moves.push(TracedMove::new(leg.depart, leg.arrive, place(leg.to)));
                } else if leg.is_move() {
                    traced.moves.last_mut().unwrap().arrive = leg.arrive;
                }
            }
        }
        assert!(moves > 1500 && held > 500 && arrived > 100, "{moves} moves, {held} held, {arrived} arrived");
        // What is a tick long is held for a tick, both places of it.
        let trace = Trace { until: Some(crowd.now()), ..Trace::new(ticks.max(1), traced) };
        assert_eq!(Checker::new(&grid, ConflictRule::Following).with_crossings().check_trace(&trace), []);
    }
}
