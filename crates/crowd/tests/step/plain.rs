//! Plain steps: for little work everybody moves, and what is remembered from tick to tick changes nothing.

use giveway_core::{Agent, AgentId, ConflictRule, NodeId, Point, Tick};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Planner, Report};
use giveway_spaces::Grid;

use crate::crowd::run::Run;
use crate::field::Field;

const UNITS: usize = 160;

fn steps() -> CrowdSettings {
    CrowdSettings::new().chain(Planner::Step)
}

/// Gives a new goal to each agent that has arrived.
fn send_on(crowd: &mut Crowd<'_>, field: &Field, report: &Report) {
    for agent in &report.arrived {
        let turn = agent.0 as usize * 7 + crowd.now() as usize;
        // Another agent may be bound for the place. Then the agent rests there, and others push it aside.
        let _ = crowd.send(*agent, field.goals[turn % field.goals.len()]);
    }
}

/// The moves and arrivals of units that get one order after the other, in 200 ticks.
fn of_a_crowd(chain: Chain, work: u64) -> [usize; 2] {
    let field = Field::random(28, 160, 3);
    let is_steps = chain == Chain::new(Planner::Step);
    let mut run = field.crowd(UNITS, CrowdSettings::new().chain(chain));
    let (mut moves, mut arrived) = (0, 0);
    for _ in 0..200 {
        let report = run.tick_within(Budget::work(work));
        assert!(report.work <= work && (report.stopped.is_empty() || !is_steps), "{report:?}");
        (moves, arrived) = (moves + report.moves, arrived + report.arrived.len());
        send_on(&mut run.crowd, &field, &report);
    }
    run.check();
    [moves, arrived]
}

#[test]
fn for_little_work_everybody_moves() {
    let all = of_a_crowd(Chain::new(Planner::Step), u64::MAX);
    for (work, percent) in [(2, 25), (4, 55), (8, 60)] {
        let [moves, arrived] = of_a_crowd(Chain::new(Planner::Step), work * UNITS as u64);
        let [by_default, _] = of_a_crowd(Chain::default(), work * UNITS as u64);
        println!("{work}: {moves} moves, {arrived} arrivals, {by_default} moves by default; without a limit {all:?}");
        assert!(moves * 100 >= all[0] * percent && arrived * 100 >= all[1] * percent, "{work}: {moves}, {arrived}");
        assert!(by_default * 100 >= all[0] * percent * 3 / 4, "{work}: {by_default} by default");
    }
}

/// Beside agents that take plain steps there are others: on paths of their own, by windows, at rest, of higher priority.
#[test]
fn plain_steps_meet_nobody_else() {
    for (rule, least) in [(ConflictRule::Swap, 8000), (ConflictRule::Following, 3000)] {
        let field = Field::random(20, 40, 8);
        let mut run = Run::empty(&field.grid, rule, steps());
        let mut agents = Vec::new();
        for (start, goal) in field.starts.iter().zip(&field.goals).take(130) {
            agents.push(run.crowd.add(run.class, Agent::new(*start, *goal)).unwrap());
        }
        for start in &field.starts[130..170] {
            run.crowd.add(run.class, Agent::bystander(*start)).unwrap();
        }
        agents[..15].iter().for_each(|agent| run.crowd.set_chain(*agent, Chain::new(Planner::Windowed)).unwrap());
        agents[15..25].iter().for_each(|agent| run.crowd.set_priority(*agent, 3).unwrap());
        let (mut along, mut steps, mut moves) = (0, 0, 0);
        for tick in 0..150_u32 {
            if tick % 15 == 0 {
                along += usize::from(send_along_a_row(&mut run, agents[tick as usize % agents.len()]));
            }
            let report = run.tick_within(Budget::work(600 + u64::from(tick) % 7 * 100));
            steps += report.served.step;
            moves += report.moves;
            send_on(&mut run.crowd, &field, &report);
        }
        run.check();
        println!("{rule:?}: {along} paths, {steps} steps, {moves} moves");
        assert!(along >= 2 && steps > 8000 && moves > least, "{rule:?}: {along} paths, {steps} steps, {moves} moves");
    }
}

/// Sends `agent` along its row, as far as there are no walls, from five ticks on. Returns whether it goes.
fn send_along_a_row(run: &mut Run<'_>, agent: AgentId) -> bool {
    let (x, y) = run.grid.xy(run.crowd.node(agent).unwrap());
    let cells = (x + 1..run.grid.width()).take_while(|x| run.grid.is_passable(*x, y));
    let now = run.crowd.now();
    let stops: Vec<(Tick, NodeId)> = (now + 6..).zip(cells.map(|x| run.at(x, y))).collect();
    stops.len() > 2 && run.crowd.send_along(agent, &stops).is_ok()
}

/// A clone and a loaded crowd remember no moves, and go on alike.
#[test]
fn what_is_remembered_changes_nothing() {
    let field = Field::random(20, 60, 2);
    let mut run = field.crowd(120, steps());
    let budget = Budget::work(500);
    for _ in 0..30 {
        let report = run.tick_within(budget);
        send_on(&mut run.crowd, &field, &report);
    }
    let mut clone = run.crowd.clone();
    let mut loaded = field.crowd(0, steps());
    loaded.crowd.load(&run.crowd.save().unwrap()).unwrap();
    for tick in 0..60 {
        let crowds = [&mut run.crowd, &mut clone, &mut loaded.crowd];
        let hashes = crowds.map(|crowd| {
            let report = crowd.tick(budget);
            assert!(report.served.step > 60, "{report:?}");
            send_on(crowd, &field, &report);
            crowd.state_hash()
        });
        assert_eq!(hashes, [hashes[0]; 3], "tick {tick}");
    }
}

/// Walls that come and go change the moves that are remembered.
#[test]
fn plain_steps_go_around_new_walls() {
    let grid = Grid::open(9, 9).unwrap();
    let mut crowd = Crowd::new(steps());
    let class = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let agents: Vec<AgentId> = (0..9).map(|y| crowd.add(class, Agent::new(at(0, y), at(8, 8 - y))).unwrap()).collect();
    let mut walls: Vec<NodeId> = Vec::new();
    for tick in 0..90 {
        // A wall with a gap moves through the room.
        let column = 1 + tick / 6 % 7;
        for (x, y) in (1..8).flat_map(|x| (0..9).map(move |y| (x, y))) {
            let is_open = x != column || y == 4;
            let here = agents.iter().any(|agent| crowd.node(*agent) == Some(at(x, y)));
            if tick % 6 == 0 && !here {
                crowd.set_open(class, at(x, y), is_open).unwrap();
                walls.retain(|wall| *wall != at(x, y));
                walls.extend((!is_open).then_some(at(x, y)));
            }
        }
        let before: Vec<Option<NodeId>> = agents.iter().map(|agent| crowd.node(*agent)).collect();
        crowd.tick(Budget::work(60));
        for (agent, before) in agents.iter().zip(before) {
            let after = crowd.node(*agent);
            let is_wall = after.is_some_and(|after| walls.contains(&after));
            assert!(after == before || !is_wall, "{agent:?} goes into a wall at tick {tick}");
        }
    }
    let home = agents.iter().zip(0..9).filter(|(agent, y)| crowd.node(**agent) == Some(at(8, 8 - y))).count();
    assert_eq!(home, 9);
}

/// In a corridor with one bay, an agent at rest steps aside and comes back, however little work there is.
#[test]
fn who_is_at_rest_steps_aside_by_plain_steps_and_comes_back() {
    let grid = Grid::from_ascii("......\n@@.@@@").unwrap();
    for rule in [ConflictRule::Swap, ConflictRule::Following] {
        for work in [1, 5, 11] {
            let mut run = Run::empty(&grid, rule, steps());
            let (home, goal) = (run.at(2, 0), run.at(5, 0));
            let walker = run.crowd.add(run.class, Agent::new(run.at(0, 0), goal)).unwrap();
            let rests = run.crowd.add(run.class, Agent::bystander(home)).unwrap();
            for _ in 0..20 {
                run.tick_within(Budget::work(work));
            }
            let ends = [walker, rests].map(|agent| run.crowd.node(agent));
            assert_eq!(ends, [Some(goal), Some(home)], "{rule:?}, {work}");
        }
    }
}
