//! Queues of goals and patrols.

use giveway_core::{Agent, AgentId, Area, ConflictRule::Swap, Goals, NodeId, Point, Tick};
use giveway_crowd::{Class, CrowdError, CrowdSettings, News, Round, Stages};
use giveway_spaces::Grid;

use crate::crowd::run::Run;

const UNIT: AgentId = AgentId(0);

fn alone(grid: &Grid) -> Run<'_> {
    let mut run = Run::empty(grid, Swap, CrowdSettings::new());
    run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    run
}

/// The news of so many ticks, each with the tick after which it came.
fn news(run: &mut Run<'_>, ticks: Tick) -> Vec<(Tick, News)> {
    let mut all = Vec::new();
    for _ in 0..ticks {
        let report = run.tick();
        all.extend(report.news.into_iter().map(|(_, news)| (run.crowd.now(), news)));
    }
    all
}

#[test]
fn a_queue_goes_from_goal_to_goal_without_losing_a_tick() {
    let grid = Grid::open(10, 10).unwrap();
    let mut run = alone(&grid);
    run.crowd.queue(UNIT, [run.at(5, 0), run.at(5, 5)]).unwrap();
    run.crowd.queue(UNIT, vec![Goals::from_iter([run.at(9, 9), run.at(0, 5)])]).unwrap();
    assert_eq!(run.crowd.stages(UNIT).count(), 3);
    let expected = [
        (5, News::Reached { stage: 0 }),
        (10, News::Reached { stage: 1 }),
        (15, News::Reached { stage: 2 }),
        (15, News::Ended),
    ];
    assert_eq!(news(&mut run, 20), expected);
    assert_eq!((run.xy(0), run.crowd.stages(UNIT).count()), ((0, 5), 0));
}

#[test]
fn a_queue_begins_after_the_present_order_and_any_order_replaces_it() {
    let grid = Grid::open(10, 10).unwrap();
    let mut run = alone(&grid);
    run.crowd.send(UNIT, run.at(4, 0)).unwrap();
    run.crowd.queue(UNIT, run.at(4, 3)).unwrap();
    assert_eq!(news(&mut run, 8), [(7, News::Reached { stage: 0 }), (7, News::Ended)]);
    // Of an order to come within a range, the goal remains.
    run.crowd.send_within(UNIT, run.at(0, 3), 2.0).unwrap();
    run.crowd.queue(UNIT, run.at(0, 0)).unwrap();
    assert_eq!(news(&mut run, 12), [(15, News::Reached { stage: 0 }), (15, News::Ended)]);
    run.crowd.queue(UNIT, [run.at(9, 3), run.at(0, 0)]).unwrap();
    run.tick();
    run.crowd.send(UNIT, run.at(4, 9)).unwrap();
    assert_eq!(news(&mut run, 20), []);
    assert_eq!(run.xy(0), (4, 9));
    // A patrol is replaced by a queue, and the other way round.
    run.crowd.patrol(UNIT, [run.at(0, 9), run.at(9, 9)], Round::Around).unwrap();
    run.crowd.queue(UNIT, run.at(4, 8)).unwrap();
    assert_eq!(run.crowd.stages(UNIT).count(), 1);
    news(&mut run, 10);
    assert_eq!(run.xy(0), (4, 8));
}

#[test]
fn a_queue_begins_after_a_path_that_ends_where_it_began() {
    let grid = Grid::open(10, 10).unwrap();
    let mut run = alone(&grid);
    let around: Vec<(Tick, NodeId)> = (2..).zip([(1, 0), (1, 1), (0, 1), (0, 0)].map(|(x, y)| run.at(x, y))).collect();
    for ticks in [0, 1, 3] {
        let now = run.crowd.now();
        let path: Vec<(Tick, NodeId)> = around.iter().map(|(tick, node)| (now + tick, *node)).collect();
        run.crowd.send_along(UNIT, &path).unwrap();
        news(&mut run, ticks);
        run.crowd.queue(UNIT, run.at(0, 3)).unwrap();
        let mut way = Vec::new();
        let mut all = Vec::new();
        for _ in 0..12 - ticks {
            all.extend(news(&mut run, 1).into_iter().map(|(tick, news)| (tick - now, news)));
            way.push(run.xy(0));
        }
        assert!(way.contains(&(1, 1)), "{way:?}");
        assert_eq!(all, [(9, News::Reached { stage: 0 }), (9, News::Ended)], "{ticks}");
        run.crowd.send(UNIT, run.at(0, 0)).unwrap();
        news(&mut run, 10);
    }
}

#[test]
fn a_first_goal_that_is_closed_when_the_order_is_given_is_told_of() {
    // The unit can be on two places, and both are the goals of others.
    let grid = Grid::open(4, 1).unwrap();
    let narrow = Grid::from_ascii("..@@").unwrap();
    for (stages, expected) in [
        (Stages::from(NodeId(1)), vec![News::Skipped { stage: 0 }, News::Ended]),
        (Stages::from(NodeId(1)).waiting(), vec![News::Blocked { stage: 0 }]),
    ] {
        let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
        let class = run.crowd.add_class(Class::new(&narrow, Point::swap_rule(&narrow))).unwrap();
        run.crowd.add(class, Agent::bystander(run.at(0, 0))).unwrap();
        for x in [2, 3] {
            let other = run.crowd.add(run.class, Agent::bystander(run.at(x, 0))).unwrap();
            run.crowd.send(other, run.at(x - 2, 0)).unwrap();
        }
        run.crowd.queue(UNIT, stages).unwrap();
        let all: Vec<News> = news(&mut run, 4).into_iter().map(|(_, news)| news).collect();
        assert_eq!(all, expected);
    }
}

#[test]
fn patrols_go_round_and_to_and_fro() {
    let grid = Grid::open(10, 10).unwrap();
    for (round, expected) in [
        (Round::Around, vec![(3, 0), (6, 1), (9, 2), (15, 0), (18, 1)]),
        (Round::ToAndFro, vec![(3, 0), (6, 1), (9, 2), (12, 1), (15, 0), (18, 1)]),
    ] {
        let mut run = alone(&grid);
        run.crowd.patrol(UNIT, [run.at(3, 0), run.at(3, 3), run.at(6, 3)], round).unwrap();
        let expected: Vec<(Tick, News)> =
            expected.into_iter().map(|(tick, stage)| (tick, News::Reached { stage })).collect();
        assert_eq!(news(&mut run, 18), expected, "{round:?}");
    }
    // A round of one goal: there it stays.
    let mut run = alone(&grid);
    run.crowd.patrol(UNIT, run.at(3, 0), Round::Around).unwrap();
    assert_eq!(news(&mut run, 20), [(3, News::Reached { stage: 0 })]);
}

#[test]
fn a_goal_that_cannot_be_reached_is_skipped_or_waited_for() {
    let island = Grid::from_ascii(
        "
        .....@.
        .....@@
        .......
    ",
    )
    .unwrap();
    let mut run = alone(&island);
    run.crowd.queue(UNIT, [run.at(6, 0), run.at(0, 2)]).unwrap();
    let all = news(&mut run, 20);
    let events: Vec<News> = all.iter().map(|(_, news)| *news).collect();
    assert_eq!(events, [News::Skipped { stage: 0 }, News::Reached { stage: 1 }, News::Ended]);

    let mut run = Run::of_class(
        &island,
        Swap,
        CrowdSettings::new(),
        Class::new(island.clone(), Point::swap_rule(&island)).editable(),
    );
    run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    run.crowd.queue(UNIT, Stages::from([run.at(6, 0), run.at(0, 2)]).waiting()).unwrap();
    let all = news(&mut run, 40);
    assert_eq!(all.iter().map(|(_, news)| *news).collect::<Vec<_>>(), [News::Blocked { stage: 0 }]);
    assert_eq!(run.crowd.stages(UNIT).count(), 2);
    run.check();
    // A door is opened: the track cannot be checked by the old grid from here on.
    run.crowd.open(&Area::cells(5, 0, 1, 1).unwrap()).unwrap();
    for _ in 0..40 {
        run.crowd.tick(giveway_crowd::Budget::unlimited());
    }
    assert_eq!((run.xy(0), run.crowd.stages(UNIT).count()), ((0, 2), 0));
}

#[test]
fn a_patrol_in_vain_tries_seldom() {
    let island = Grid::from_ascii(
        "
        .....@..
        .....@@@
    ",
    )
    .unwrap();
    let mut run = alone(&island);
    run.crowd.patrol(UNIT, [run.at(6, 0), run.at(7, 0)], Round::ToAndFro).unwrap();
    let all = news(&mut run, 100);
    assert!((4..30).contains(&all.len()), "{all:?}");
    assert!(all.iter().all(|(_, news)| matches!(news, News::Skipped { .. })));
    assert_eq!(run.xy(0), (0, 0));
}

#[test]
fn stages_that_do_not_exist_are_refused() {
    let grid = Grid::open(4, 4).unwrap();
    let mut run = alone(&grid);
    let before = run.crowd.state_hash();
    let none: Vec<NodeId> = Vec::new();
    assert_eq!(run.crowd.queue(UNIT, none), Err(CrowdError::NoGoal));
    assert_eq!(run.crowd.queue(UNIT, Goals::from_iter([])), Err(CrowdError::NoGoal));
    let nowhere = NodeId(16);
    assert_eq!(run.crowd.patrol(UNIT, [run.at(0, 0), nowhere], Round::Around), Err(CrowdError::NoSuchNode(nowhere)));
    assert_eq!(run.crowd.queue(AgentId(7), run.at(0, 0)), Err(CrowdError::NoSuchAgent(AgentId(7))));
    assert_eq!(run.crowd.state_hash(), before);
}

#[test]
fn patrols_that_meet_in_a_corridor_go_on() {
    let grid = Grid::from_ascii(
        "
        .............
        @@@.@@@@@.@@@
    ",
    )
    .unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let ends = [run.at(0, 0), run.at(12, 0)];
    for (start, round) in ends.into_iter().zip([[ends[1], ends[0]], ends]) {
        let unit = run.crowd.add(run.class, Agent::bystander(start)).unwrap();
        run.crowd.patrol(unit, round, Round::Around).unwrap();
    }
    let mut reached = [0; 2];
    for _ in 0..400 {
        for (agent, _) in run.tick().news {
            reached[agent.0 as usize] += 1;
        }
    }
    assert!(reached.iter().all(|reached| *reached >= 20), "{reached:?}");
}
