//! In which order agents plan, what happens after a failure, and stopping half-way.

use std::ops::ControlFlow;

use crate::world::{World, arrivals, picture, pictures};
use giveway_check::{Checker, Violation};
use giveway_core::heuristic::{ByMetric, Manhattan, Zero};
use giveway_core::{
    CellId, Cells, ConflictRule, Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn, Point, SpaceGraph, Span,
    Tick, Ticks,
};
use giveway_distance::TrueDistances;
use giveway_spaces::Grid;
use giveway_strategies::{
    Cooperative, CooperativeDetails, Hca, Independent, Instance, NoPlan, Order, Progress, Restart, SolutionIn,
};

use ConflictRule::{Following, Swap};

fn hca(world: &World, rule: ConflictRule, order: Order, restart: Restart) -> SolutionIn<Grid, CooperativeDetails> {
    world.solve(rule, |instance| Hca::hca_star().order(order).restart(restart).solve(instance))
}

/// B is nearest to its goal, and once there bars the corridor.
fn barrier() -> World {
    pictures(["A....", "##B##"], ["..b.a", "##.##"])
}

#[test]
fn the_order_decides() {
    let world = barrier();
    let row = |world: &World, order: Order, expected: Option<[Tick; 2]>| {
        let solution = hca(world, Swap, order, Restart::Never);
        assert_eq!(solution.details.rounds, 1);
        match expected {
            Some(expected) => assert_eq!(arrivals(&solution.plan), expected, "{order:?}"),
            None => {
                let [none] = solution.unplanned[..] else { panic!("{order:?}: {solution:?}") };
                assert_eq!((none.agent.0, none.why), (0, NoPlan::Blocked));
            }
        }
    };
    row(&world, Order::AsGiven, Some([4, 3]));
    row(&world, Order::FarthestFirst, Some([4, 3]));
    row(&world, Order::NearestFirst, None);
    // Equal priorities: by id.
    row(&world, Order::ByPriority, Some([4, 3]));
    let mut important = world;
    important.agents[1].priority = 1;
    row(&important, Order::ByPriority, None);
    important.agents[0].priority = 2;
    row(&important, Order::ByPriority, Some([4, 3]));
}

#[test]
fn who_fails_goes_first_and_then_all_arrive() {
    for (rule, expected) in [(Swap, [4, 3]), (Following, [4, 4])] {
        let world = barrier();
        assert!(!hca(&world, rule, Order::default(), Restart::Never).is_complete());
        assert!(!hca(&world, rule, Order::default(), Restart::FailedFirst { times: 0 }).is_complete());
        for restart in [Restart::default(), Restart::FailedFirst { times: 1 }] {
            let solution = hca(&world, rule, Order::default(), restart);
            assert!(solution.is_complete());
            assert_eq!((arrivals(&solution.plan), solution.details.rounds), (expected.to_vec(), 2));
        }
    }
}

#[test]
fn restarts_end_where_no_order_helps() {
    let world = pictures(["A.....B", "###.###"], ["b.....a", "###.###"]);
    for (restart, most) in
        [(Restart::Never, 1), (Restart::FailedFirst { times: 7 }, 8), (Restart::Shuffled { times: 7, seed: 3 }, 8)]
    {
        let solution = hca(&world, Swap, Order::default(), restart);
        assert_eq!(solution.unplanned.len(), 1, "{restart:?}");
        assert_eq!(solution.details.rounds, most, "{restart:?}");
    }
}

#[test]
fn where_nearest_first_keeps_failing_farthest_first_has_its_turn() {
    let world = pictures(["...C.", "#.A.B"], ["...ca", "#..b."]);
    for rule in [Swap, Following] {
        let restart = Restart::FailedFirst { times: 1000 };
        let nearest = hca(&world, rule, Order::NearestFirst, restart);
        assert_eq!((nearest.is_complete(), nearest.details.rounds), (false, 1001), "{rule:?}");
        let farthest = hca(&world, rule, Order::FarthestFirst, restart);
        assert!(farthest.is_complete(), "{rule:?}");
        let default = world.solve(rule, |instance| Hca::hca_star().solve(instance));
        assert_eq!(default.plan, farthest.plan, "{rule:?}");
        assert_eq!(default.details.rounds, 32 + farthest.details.rounds, "{rule:?}");
        // Without enough restarts there is no turn of farthest first.
        let few = hca(&world, rule, Order::default(), Restart::FailedFirst { times: 31 });
        assert!(!few.is_complete(), "{rule:?}");
    }
}

#[test]
fn the_seed_decides_random_orders_and_nothing_else_does() {
    let world = pictures(
        ["A..B.C", ".#..#.", "D..E..", ".#..#.", "F....G"],
        ["g.fe..", ".#..#.", "..dc.b", ".#..#.", "...a.."],
    );
    let shuffled = |seed| hca(&world, Swap, Order::Random { seed }, Restart::Shuffled { times: 20, seed });
    let solutions: Vec<SolutionIn<Grid, CooperativeDetails>> = (0..8).map(shuffled).collect();
    for (seed, solution) in (0..).zip(&solutions) {
        assert_eq!(*solution, shuffled(seed));
        assert!(solution.is_complete(), "seed {seed}: {solution:?}");
    }
    assert!(solutions.iter().any(|solution| solution.plan != solutions[0].plan));
    // One of two orders works, so that twenty draws find it.
    for seed in 0..8 {
        let restart = Restart::Shuffled { times: 20, seed };
        let solution = hca(&barrier(), Swap, Order::NearestFirst, restart);
        assert_eq!(arrivals(&solution.plan), [4, 3]);
    }
}

#[test]
fn who_cannot_arrive_is_named_and_stands_while_the_others_go_round() {
    // D's goal is walled in.
    let world = pictures(["A.D.#.", "....##", "B..#..", "C...#."], ["..b.#d", "...a##", ".c.#..", "....#."]);
    for rule in [Swap, Following] {
        for restart in [Restart::Never, Restart::default(), Restart::Shuffled { times: 5, seed: 1 }] {
            let solution = hca(&world, rule, Order::default(), restart);
            let failed: Vec<(u32, NoPlan)> = solution.unplanned.iter().map(|none| (none.agent.0, none.why)).collect();
            // D stands on the goal of B for ever.
            assert_eq!(failed, [(1, NoPlan::Blocked), (3, NoPlan::Unreachable)]);
        }
    }
}

/// A watch that stops at its look number `looks`, and notes how much had been done by then.
fn stop_after<'a>(looks: usize, stopped_at: &'a mut Option<Progress>) -> impl FnMut(&Progress) -> bool + 'a {
    let mut left = looks;
    move |progress| {
        if stopped_at.is_some() {
            return true; // A stop is a stop, whatever is said later.
        }
        if left == 0 {
            *stopped_at = Some(*progress);
            return false;
        }
        left -= 1;
        true
    }
}

#[test]
fn a_watch_may_stop_planning_at_any_look() {
    let world = pictures(
        ["A..B.C", ".#..#.", "D..E..", ".#..#.", "F....G"],
        ["g.fe..", ".#..#.", "..dc.b", ".#..#.", "...a.."],
    );
    let agents = world.agents.len();
    for rule in [Swap, Following] {
        let mut stops = 0;
        for looks in 0.. {
            let mut stopped_at = None;
            let solution = world.solve(rule, |instance| {
                Hca::hca_star().solve_watched(instance, &mut stop_after(looks, &mut stopped_at))
            });
            let Some(progress) = stopped_at else {
                assert!(solution.is_complete());
                break;
            };
            stops += 1;
            assert_eq!(progress.done().1, agents as u64);
            assert!(!solution.unplanned.is_empty() || progress.done().0 == agents as u64);
            for none in &solution.unplanned {
                assert_eq!(none.why, NoPlan::Stopped, "after {looks} looks");
            }
            // Who had a path keeps it, and nothing is searched any more.
            assert_eq!((agents - solution.unplanned.len()) as u64, progress.done().0, "after {looks} looks");
            assert_eq!(solution.expansions, progress.expansions(), "after {looks} looks");
        }
        assert!(stops >= agents);
    }
}

#[test]
fn a_watch_may_stop_reverse_searches_too() {
    // A look comes after the work of 4,096 expansions, which is that of 2^18 cells of a table.
    const SIDE: usize = 730;
    let far: Vec<String> = (0..SIDE)
        .map(|y| match y {
            0 => format!("A{}", ".".repeat(SIDE - 1)),
            _ if y == SIDE - 1 => format!("{}a", ".".repeat(SIDE - 1)),
            _ => ".".repeat(SIDE),
        })
        .collect();
    let rows: [&str; SIDE] = std::array::from_fn(|y| far[y].as_str());
    let world = picture(rows);
    let mut looks = 0;
    let solution = world.solve(Swap, |instance| {
        Hca::hca_star().solve_watched(instance, &mut |_: &Progress| {
            looks += 1;
            looks < 2
        })
    });
    assert_eq!(looks, 2);
    assert_eq!(solution.unplanned[0].why, NoPlan::Stopped);
    assert_eq!(solution.expansions, 0);
    assert!(((2 << 18) - 500..=2 << 18).contains(&solution.reverse_expansions), "{}", solution.reverse_expansions);
}

#[test]
fn blindfolded_planning_stops_too() {
    let world = picture(["A..a", "B..b", "C..c"]);
    for looks in 0..3 {
        let mut stopped_at = None;
        let metric = Manhattan { step: 1000 };
        let solution = world.solve(Swap, |instance| {
            Independent::new(ByMetric(metric)).solve_watched(instance, &mut stop_after(looks, &mut stopped_at))
        });
        assert!(stopped_at.is_some());
        assert!(solution.unplanned.iter().all(|none| none.why == NoPlan::Stopped));
        assert_eq!(3 - solution.unplanned.len(), looks + 1);
    }
}

#[test]
fn a_strategy_that_is_used_again_counts_from_zero() {
    let world = picture(["A..a", "...."]);
    let mut blind = Independent::new(TrueDistances::<Grid, Zero>::tables());
    let mut cooperative = Hca::hca_star();
    let counts = [0, 1].map(|_| {
        let blind = world.solve(Swap, |instance| blind.solve(instance));
        let cooperative = world.solve(Swap, |instance| cooperative.solve(instance));
        assert_eq!((blind.expansions, cooperative.expansions), (4, 4));
        (blind.reverse_expansions, cooperative.reverse_expansions)
    });
    assert_eq!(counts[0].0, counts[0].1);
    // The second instance may be on another map, for all that a strategy knows: it asks again.
    assert_eq!(counts[1], counts[0]);
}

#[test]
fn one_hopeless_agent_does_not_end_the_restarts_of_the_others() {
    // D is walled in and stands where C wants to be; A must go before B.
    let world = pictures(["A....#C..D#.", "##B###.####."], ["..b.a#...c#d", "##.###.####."]);
    for restart in [Restart::default(), Restart::FailedFirst { times: 3 }] {
        let mut strategy = Cooperative::new(ByMetric(Manhattan { step: 1000 })).restart(restart);
        let solution = world.solve(Swap, |instance| strategy.solve(instance));
        let unplanned: Vec<(u32, NoPlan)> = solution.unplanned.iter().map(|none| (none.agent.0, none.why)).collect();
        assert_eq!(unplanned, [(2, NoPlan::Blocked), (3, NoPlan::Unreachable)]);
        // C fails, goes first and fails; A fails and goes first.
        assert!(solution.details.rounds <= 4, "{}", solution.details.rounds);
    }
}

#[test]
fn a_strategy_used_again_on_another_map_does_not_believe_the_old_distances() {
    let mut hca = Hca::hca_star();
    for (map, goal, arrival) in [("A#a", "...", 4), ("A.a", "...", 2), ("A#a", "...", 4)] {
        let world = pictures([map, goal], [map, goal]);
        let solution = world.solve(Swap, |instance| hca.solve(instance));
        assert_eq!(arrivals(&solution.plan), [arrival], "{map}");
    }
}

#[test]
fn waiting_costs_what_a_plain_step_does_however_many_ticks_it_takes() {
    // A waits for B to leave, rather than walk round it.
    let world = pictures(["AB.", "..."], [".ab", "..."]);
    let grid = &world.grid;
    let unit = Point::timed(grid, 10).unwrap();
    let instance = Instance::new(grid, &unit, world.agents.clone()).unwrap();
    let solution = Hca::hca_star().order(Order::AsGiven).solve(&instance);
    assert!(solution.is_complete());
    assert!(Checker::new(grid, Following).check(instance.agents(), &solution.plan).is_empty());
    assert_eq!(arrivals(&solution.plan)[0], 20);
}

#[test]
fn a_slow_unit_is_given_the_time_to_leave_its_start() {
    // A wants to stay where B is. B can leave, but not within a tick.
    let world = pictures(["AB.."], [".a.b"]);
    for ticks in [1, 4, 16] {
        let unit = Point::timed(&world.grid, ticks).unwrap();
        let instance = Instance::new(&world.grid, &unit, world.agents.clone()).unwrap();
        let mut hca = Hca::hca_star().order(Order::AsGiven).restart(Restart::Never);
        let solution = hca.solve(&instance);
        let late: Vec<u32> = solution.unplanned.iter().map(|none| none.agent.0).collect();
        // With time to leave, but no way to know that B will, A may still bar the way; it never stands in B's place.
        let violations = Checker::new(&world.grid, Following).check(instance.agents(), &solution.plan);
        assert!(
            violations.iter().all(|violation| !matches!(violation, Violation::Vertex { tick: 0..=1, .. })),
            "{ticks}: {violations:?}"
        );
        assert!(late.is_empty() || late == [1], "{ticks}: {late:?}");
        let default = Hca::hca_star().solve(&instance);
        assert!(default.is_complete(), "{ticks}");
        assert!(Checker::new(&world.grid, Following).check(instance.agents(), &default.plan).is_empty(), "{ticks}");
    }
}

/// A unit that fills its cell and the one to the east of it.
struct Wide;

impl Footprint<Grid> for Wide {
    fn cells(&self, grid: &Grid) -> Cells {
        Cells::new(Following, grid.node_bound().try_into().unwrap(), 0)
    }

    fn duration(&self, _grid: &Grid, _m: &MoveIn<Grid>) -> Option<Ticks> {
        Some(1)
    }

    fn sweep(&self, _grid: &Grid, motion: &MotionIn<Grid>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        let (ends, ticks) = match motion {
            Motion::Move(m) => ([m.from, m.to], 1),
            Motion::Rest { node, ticks } => ([*node; 2], (*ticks).max(1)),
        };
        let span = Span::lasting(depart, ticks);
        let mut cells = ends.into_iter().flat_map(|node| [node.0, node.0 + 1]);
        cells.try_for_each(|cell| entry(Entry { cell: CellId(cell), span }))
    }
}

#[test]
fn bodies_that_overlap_at_the_start_are_refused_and_named() {
    let world = pictures(["AB...", "....."], [".....", "a..b."]);
    // Through a reference to whatever it is: a footprint need not be known by its type.
    let body: &dyn Footprint<Grid> = &Wide;
    let instance = Instance::new(&world.grid, &body, world.agents.clone()).unwrap();
    let solution = Hca::hca_star().solve(&instance);
    assert_eq!(solution.unplanned.len(), 2);
    let why = solution.unplanned[0].why.to_string();
    assert_eq!(why, "its reservations were refused: cell 1 is held by agent 0 within ticks 0..1");

    let apart = pictures(["A.B..", "....."], [".....", "a..b."]);
    let instance = Instance::new(&apart.grid, &body, apart.agents.clone()).unwrap();
    assert!(Hca::hca_star().solve(&instance).is_complete());
}
