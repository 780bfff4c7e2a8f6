//! Units at rest make way and come back; a unit that cannot make way is not pushed aside.

use giveway_core::{Agent, AgentId, ConflictRule, Goals};
use giveway_crowd::{CrowdSettings, Planner, SoftRests, WaitPenalty};

use crate::crowd::run::Run;
use crate::world::{World, pictures};

use ConflictRule::{Following, Swap};

#[test]
fn who_rests_at_the_mouth_of_a_bay_lets_another_pass_and_comes_back() {
    let world = pictures(["A..B...", "@@@.@@@"], ["...b..a", "@@@.@@@"]);
    for (rule, ticks, away) in [(Swap, 6, vec![3]), (Following, 6, vec![2, 3, 4])] {
        let mut run = Run::under(rule, &world, CrowdSettings::new());
        let mut reports = Vec::new();
        while !run.crowd.is_at_rest() {
            reports.push(run.tick());
        }
        assert_eq!((run.xy(0), run.xy(1)), ((6, 0), (3, 0)), "{rule:?}");
        assert_eq!(run.crowd.now(), ticks, "{rule:?}");
        assert_eq!(run.away_from(1, 3, 0), away, "{rule:?}");
        let overridden: Vec<AgentId> = reports.iter().flat_map(|report| report.overridden.clone()).collect();
        assert_eq!(overridden, [AgentId(1)], "{rule:?}");
        assert!(reports.iter().all(|report| report.stopped.is_empty() && report.rolled_back == 0));
    }
}

/// By windows alone: no unit foresees that the other could come back if it went away first.
fn windowed() -> CrowdSettings {
    CrowdSettings::new().chain(Planner::Windowed)
}

/// B rests in a dead end and A wants to be behind it.
fn dead_end() -> World {
    pictures(["A...B."], ["....ba"])
}

#[test]
fn who_cannot_make_way_is_not_pushed() {
    let world = dead_end();
    let mut run = Run::of(&world, windowed());
    let reports: Vec<_> = (0..40).map(|_| run.tick()).collect();
    assert_eq!((run.xy(0), run.xy(1)), ((3, 0), (4, 0)), "A has come as near as it can, B stands");
    assert!(reports.iter().map(|report| report.rolled_back).sum::<u32>() > 0);
    assert!(reports.iter().all(|report| report.overridden.is_empty()));
    let waiting = run.crowd.waiting();
    assert_eq!(waiting.len(), 1);
    assert_eq!((waiting[0].agent, waiting[0].by, waiting[0].to), (AgentId(0), AgentId(1), run.at(4, 0)));
    let why = run.crowd.explain(AgentId(0));
    assert_eq!((why.chain.len(), why.cycle), (1, None));
}

#[test]
fn who_cannot_make_way_is_planned_together_with_those_who_want_to_pass() {
    // Now with a bay into which B has to come out: no unit that plans alone lets it.
    let world = pictures(["A...B.", "@.@@@@"], ["....ba", "@.@@@@"]);
    let [mut alone, mut run] = [windowed(), CrowdSettings::new()].map(|settings| Run::of(&world, settings));
    assert!((0..200).all(|_| alone.tick().knots.is_empty()) && !alone.crowd.is_at_rest());
    let reports = run.until_rest(200);
    assert_eq!((run.xy(0), run.xy(1)), ((5, 0), (4, 0)));
    assert!(reports.iter().any(|report| !report.knots.is_empty()));
}

#[test]
fn whoever_waits_for_each_other_is_told_so() {
    // Neither can pass the other, and both are under way.
    let world = pictures(["A.B", "@@@"], ["b.a", "@@@"]);
    let mut run = Run::of(&world, CrowdSettings::new());
    for _ in 0..20 {
        run.tick();
    }
    let why = run.crowd.explain(AgentId(0));
    assert_eq!(why.cycle, Some(0..2), "{why:?}");
    assert_eq!(why.chain.iter().map(|waiting| (waiting.agent.0, waiting.by.0)).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
}

#[test]
fn four_may_rotate() {
    let world = pictures(["AB", "DC"], ["da", "cb"]);
    let mut run = Run::of(&world, CrowdSettings::new());
    run.until_rest(2);
    assert_eq!(run.crowd.now(), 1);
}

/// The ticks at which a rester is away from its place while an agent with a window of 10 ticks passes.
fn aside(settings: CrowdSettings, with_passer: bool) -> Vec<u32> {
    let starts = if with_passer { ["A.........B...", "@@@@@@@@@@.@@@"] } else { ["..........A...", "@@@@@@@@@@.@@@"] };
    let goals = if with_passer { ["..........b..a", "@@@@@@@@@@.@@@"] } else { ["..........a...", "@@@@@@@@@@.@@@"] };
    let world = pictures(starts, goals);
    let mut run = Run::of(&world, settings);
    for _ in 0..30 {
        run.tick();
    }
    assert!(run.crowd.is_at_rest());
    let rester = u32::from(with_passer);
    run.away_from(rester, 10, 0)
}

#[test]
fn with_a_wait_penalty_the_rester_steps_aside_at_once_and_without_at_the_last_moment() {
    let settings = || CrowdSettings::new().window(16);
    let polite = || settings().wait_penalty(WaitPenalty::default());
    // The passer comes to the rester's place at tick 10.
    assert_eq!(aside(settings(), true), [10]);
    assert_eq!(aside(polite(), true), (1..=10).collect::<Vec<u32>>());
    // Alone it never moves.
    assert_eq!(aside(settings(), false), [0; 0]);
    assert_eq!(aside(polite(), false), [0; 0]);
}

#[test]
fn soft_rests_are_walked_through_and_counted() {
    let world = pictures(["A.B.."], ["..b.a"]);
    let mut wall = Run::of(&world, windowed());
    for _ in 0..30 {
        wall.tick();
    }
    assert_eq!(wall.xy(0), (1, 0), "there is no way round");

    let mut soft = Run::of(&world, CrowdSettings::new().soft_rests(SoftRests::default()));
    let overlaps: Vec<usize> = (0..5).map(|_| soft.tick().overlaps).collect();
    assert_eq!(overlaps, [0, 1, 0, 0, 0]);
    assert_eq!((soft.xy(0), soft.xy(1)), ((4, 0), (2, 0)));
    // The checker names it, too.
    let named = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| soft.check()));
    let text = *named.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("agent 0 and agent 1 are both on node 2 at tick 2"), "{text}");
    std::mem::forget(soft);
}

#[test]
fn a_crowd_sent_to_one_place_forms_a_block() {
    let grid = giveway_spaces::Grid::open(24, 24).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    let agents: Vec<AgentId> = (0..25)
        .map(|index| run.crowd.add(run.class, Agent::bystander(run.at(index % 8 * 3, index / 8 * 5))).unwrap())
        .collect();
    // Near units first, so that the block grows from the inside.
    let centre = run.at(12, 12);
    let mut agents = agents;
    agents.sort_by_key(|agent| {
        let (x, y) = grid.xy(run.crowd.node(*agent).unwrap());
        x.abs_diff(12) + y.abs_diff(12)
    });
    let goals: Vec<Goals> = agents.iter().map(|agent| run.crowd.send(*agent, centre).unwrap()).collect();
    assert_eq!(goals[0], Goals::one(centre));
    run.until_rest(100);
    // The 25 cells nearest to the middle: a diamond with three steps to a side and what comes first of the next ring.
    let distance = |agent: &AgentId| {
        let (x, y) = grid.xy(run.crowd.node(*agent).unwrap());
        x.abs_diff(12) + y.abs_diff(12)
    };
    let mut distances: Vec<u32> = agents.iter().map(distance).collect();
    distances.sort_unstable();
    assert_eq!(distances, [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
}

#[test]
fn two_squares_exchange_places() {
    let grid = giveway_spaces::Grid::open(20, 10).unwrap();
    for side in [2, 3, 4] {
        let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
        let squares = [(2, 3), (14, 3)];
        for (from, to) in [(squares[0], squares[1]), (squares[1], squares[0])] {
            for index in 0..side * side {
                let place = |corner: (u32, u32)| run.at(corner.0 + index % side, corner.1 + index / side);
                let (start, goal) = (place(from), place(to));
                run.crowd.add(run.class, Agent::new(start, goal)).unwrap();
            }
        }
        run.until_rest(60);
    }
}
