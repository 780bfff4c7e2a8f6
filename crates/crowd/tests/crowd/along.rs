//! Agents on paths of their own: nobody touches them, and nobody slows them.

use giveway_core::{Agent, AgentId, Area, ConflictRule, NodeId, SpaceGraph as _, Tick};
use giveway_crowd::{Budget, Class, Crowd, CrowdError, CrowdSettings, Reason};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;
use crate::world::point;

const SIDE: u32 = 32;
/// The row of the rails.
const RAILS: u32 = 16;
/// The ends of the rails are outside the map of the walkers.
const WEST: u32 = 0;
const EAST: u32 = SIDE - 1;

#[derive(Debug, Default)]
struct Passages {
    trains: usize,
    /// Moves of trains that were stopped.
    stopped: usize,
    /// Trains that came too late.
    late: usize,
    moves: usize,
    arrivals: usize,
}

/// Lets a train go through a crowd of `units` every 20 ticks.
fn trains(units: usize, seed: u128, budget: Budget, ticks: Tick, passages: &mut Passages) {
    // The generator leaves the last bits of a seed out.
    let mut random = Pcg64Mcg::new(seed << 64 | seed << 8);
    let mut rails = Grid::open(SIDE, SIDE).unwrap();
    for _ in 0..SIDE * 3 {
        let [x, y] = [(); 2].map(|()| random.random_range(0..SIDE));
        rails.set_passable(x, y, y == RAILS);
    }
    let mut ground = rails.clone();
    for x in [WEST, EAST] {
        for y in 0..SIDE {
            ground.set_passable(x, y, false);
        }
    }
    let mut places: Vec<NodeId> = ground.nodes().filter(|node| ground.contains(*node)).collect();
    places.shuffle(&mut random);
    let mut run = Run::empty(&rails, ConflictRule::Swap, CrowdSettings::new());
    let train_class = run.class;
    let walkers = run.crowd.add_class(Class::new(&ground, point(&ground, ConflictRule::Swap))).unwrap();
    for start in &places[..units] {
        run.crowd.add_near(walkers, Agent::new(*start, *places.choose(&mut random).unwrap())).unwrap();
    }
    let at = |x| rails.node(x, RAILS).unwrap();
    let mut trains: Vec<AgentId> = Vec::new();
    for now in 0..ticks {
        if now % 20 == 0 {
            let train = run.crowd.add(train_class, Agent::bystander(at(WEST))).unwrap();
            let timetable: Vec<(Tick, NodeId)> = (1..SIDE).map(|x| (now + 18 + x, at(x))).collect();
            run.crowd.send_along(train, &timetable).unwrap();
            trains.push(train);
            passages.trains += 1;
        }
        let report = run.tick_within(budget);
        passages.moves += report.moves;
        passages.stopped += report.stopped.iter().filter(|agent| trains.contains(agent)).count();
        for agent in report.arrived {
            if trains.contains(&agent) {
                passages.late += usize::from(now % 20 != 9);
                assert_eq!(run.crowd.node(agent), Some(at(EAST)));
                run.crowd.remove(agent).unwrap();
            } else {
                passages.arrivals += 1;
                let _ = run.crowd.send(agent, *places.choose(&mut random).unwrap());
            }
        }
    }
    run.check();
}

/// For each budget, how many moves and arrivals of all units there are at least for each train. Of 4,000 ticks of units
/// most are moves, unless the budget is too small for most units.
const BUDGETS: [(Budget, usize, usize); 3] =
    [(Budget::unlimited(), 3500, 140), (Budget::work(4000), 3500, 140), (Budget::work(500), 550, 16)];

/// Lets trains go through crowds in `seeds` worlds.
fn come_in_time(seeds: std::ops::Range<u128>) {
    for (budget, moves, arrivals) in BUDGETS {
        let mut passages = Passages::default();
        for seed in seeds.clone() {
            trains(200, seed, budget, 200, &mut passages);
        }
        assert_eq!((passages.late, passages.stopped), (0, 0), "{budget:?}: {passages:?}");
        assert!(passages.moves >= passages.trains * moves, "{budget:?}: {passages:?}");
        assert!(passages.arrivals >= passages.trains * arrivals, "{budget:?}: {passages:?}");
    }
}

#[test]
fn a_train_through_a_crowd_is_never_slowed() {
    come_in_time(0..5);
}

#[test]
#[ignore = "takes minutes: a hundred worlds for each budget"]
fn a_train_through_a_crowd_is_never_slowed_in_a_hundred_worlds() {
    come_in_time(100..200);
}

/// Lets a train go along the first row of `map` at a budget too small for the ways of the walkers, which stand on the
/// places `A` to `E` and want to go elsewhere. The train sets out at tick 8.
fn passes(map: &str, budget: u64) {
    let plain: String = map.chars().map(|place| if place.is_ascii_uppercase() { '.' } else { place }).collect();
    // The walkers want to go far away.
    let far = 40;
    let rows: Vec<String> = plain.lines().map(|row| format!("{row}{}", row.repeat(far))).collect();
    let grid = Grid::from_ascii(&rows.join("\n")).unwrap();
    let width = u32::try_from(plain.lines().next().unwrap().len()).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let train = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    let goal = run.at(grid.width() - 1, 0);
    for (y, row) in (0..).zip(map.lines()) {
        for (x, _) in (0..).zip(row.chars()).filter(|(_, place)| place.is_ascii_uppercase()) {
            run.crowd.add(run.class, Agent::new(run.at(x, y), goal)).unwrap();
        }
    }
    let timetable: Vec<(Tick, NodeId)> = (1..width).map(|x| (7 + x, run.at(x, 0))).collect();
    run.crowd.send_along(train, &timetable).unwrap();
    for now in 0..8 + width {
        let x = now.saturating_sub(8).min(width - 1);
        assert_eq!(run.xy(train.0), (x, 0), "at tick {now}, budget {budget}, on\n{map}");
        let report = run.tick_within(Budget::work(budget));
        assert!(report.work <= budget);
    }
}

#[test]
fn who_has_no_work_to_find_its_way_gets_out_of_the_way_of_a_train() {
    let rows = [
        // Beside it is room.
        "...A...\n.......",
        // The nearest bay is taken, and whoever is there goes on.
        "...A...\n@@.B.@@\n@@...@@",
        "...A...\n@@@B@@@\n@@@C@@@\n@@@.@@@",
        // Both go along the rails, one after the other.
        "..AB...\n@@@@@.@\n@@@@@.@",
    ];
    for map in rows {
        [64, 100, 200].into_iter().for_each(|budget| passes(map, budget));
    }
}

/// A corridor with a train at its west end that leaves at tick 2, and a unit on its way to the west at `x`.
fn head_on(grid: &Grid, x: u32) -> (Run<'_>, AgentId, AgentId) {
    let mut run = Run::empty(grid, ConflictRule::Swap, CrowdSettings::new());
    let train = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    let other = run.crowd.add(run.class, Agent::new(run.at(x, 0), run.at(0, 0))).unwrap();
    (run, train, other)
}

fn timetable(run: &Run<'_>, first: Tick, until: u32) -> Vec<(Tick, NodeId)> {
    (1..=until).map(|x| (first + x - 1, run.at(x, 0))).collect()
}

#[test]
fn a_train_that_is_stopped_goes_on_later() {
    let grid = Grid::open(8, 1).unwrap();
    let (mut run, train, other) = head_on(&grid, 4);
    run.crowd.send_along(train, &timetable(&run, 2, 7)).unwrap();
    let reports: Vec<_> = (0..30).map(|_| run.tick()).collect();
    // The other one can go nowhere else, and is pushed to the end of the corridor.
    assert_eq!((run.xy(train.0), run.xy(other.0)), ((6, 0), (7, 0)));
    assert!(reports.iter().any(|report| report.stopped.contains(&train)));
    run.crowd.remove(other).unwrap();
    let reports: Vec<_> = (0..3).map(|_| run.tick()).collect();
    assert_eq!(run.xy(train.0), (7, 0));
    assert_eq!(reports.iter().filter(|report| report.arrived == [train]).count(), 1);
    run.check();
}

#[test]
fn another_order_ends_the_path() {
    let grid = Grid::open(8, 2).unwrap();
    let (mut run, train, _) = head_on(&grid, 7);
    run.crowd.send_along(train, &timetable(&run, 2, 7)).unwrap();
    (0..5).for_each(|_| drop(run.tick()));
    assert_eq!(run.xy(train.0), (3, 0));
    run.crowd.send(train, run.at(1, 1)).unwrap();
    run.until_rest(20);
    assert_eq!(run.xy(train.0), (1, 1));
}

#[test]
fn what_is_not_possible_is_refused_and_changes_nothing() {
    let grid = Grid::open(8, 1).unwrap();
    let (mut run, train, other) = head_on(&grid, 4);
    let at = |x| run.grid.node(x, 0).unwrap();
    let no_move = |from, to, depart| CrowdError::NoSuchMove { from: at(from), to: at(to), depart };
    let rows: [(&[(Tick, NodeId)], CrowdError); 5] = [
        (&[], CrowdError::NoGoal),
        (&[(0, at(2))], no_move(0, 2, 0)),
        (&[(0, at(1)), (0, at(2))], no_move(1, 2, 0)),
        (&[(3, at(1)), (2, at(2))], no_move(1, 2, 2)),
        (&[(0, at(1)), (5, NodeId(77))], CrowdError::NoSuchMove { from: at(1), to: NodeId(77), depart: 5 }),
    ];
    let before = run.crowd.state_hash();
    for (stops, error) in rows {
        assert_eq!(run.crowd.send_along(train, stops), Err(error), "{stops:?}");
        assert_eq!(run.crowd.state_hash(), before, "{stops:?}");
    }
    // Of two paths the second one is refused.
    let [east, west] = [[(4, at(1)), (5, at(2))], [(4, at(3)), (5, at(2))]];
    run.crowd.send_along(train, &east).unwrap();
    let before = run.crowd.state_hash();
    let refused = CrowdError::Occupied { node: at(2), by: train };
    assert_eq!(run.crowd.send_along(other, &west), Err(refused));
    assert_eq!(run.crowd.state_hash(), before);
}

#[test]
fn who_is_put_into_the_way_delays_the_train_and_does_not_end_its_path() {
    let grid = Grid::open(9, 1).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let train = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    run.crowd.send_along(train, &timetable(&run, 4, 8)).unwrap();
    run.tick();
    let other = run.crowd.add(run.class, Agent::bystander(run.at(8, 0))).unwrap();
    (0..16).for_each(|_| drop(run.tick()));
    assert_eq!(run.xy(train.0), (7, 0), "the end of its path is taken, by an agent that can go nowhere else");
    let why = run.crowd.explain(train);
    assert_eq!((why.reason, why.by), (Some(Reason::InTheWay), vec![other]));
    run.crowd.remove(other).unwrap();
    let report = run.tick();
    assert_eq!((run.xy(train.0), report.arrived), ((8, 0), vec![train]));
    run.check();
}

#[test]
fn a_train_that_is_to_leave_later_says_so() {
    let grid = Grid::open(8, 1).unwrap();
    let (mut run, train, _) = head_on(&grid, 6);
    run.crowd.send_along(train, &timetable(&run, 9, 3)).unwrap();
    run.tick();
    assert_eq!(run.crowd.explain(train).reason, Some(Reason::AsPlanned { until: 9 }));
    // Beyond the end of time no move begins.
    let late = [(Tick::MAX, run.at(1, 0))];
    assert!(matches!(run.crowd.send_along(train, &late), Err(CrowdError::NoSuchMove { .. })));
}

/// A change of the world.
type Edit = fn(&mut Crowd<'_>, &Area) -> Result<(), CrowdError>;

#[test]
fn a_train_whose_path_is_closed_says_where_and_goes_on_when_it_is_open() {
    let close: Edit = |crowd, area| crowd.close(area).map(drop);
    let vacate: Edit = |crowd, area| crowd.vacate(area).map(drop);
    let open: Edit = |crowd, area| crowd.open(area).map(drop);
    for (name, edit, is_inside) in [("closed", close, false), ("vacated", vacate, true)] {
        let grid = Grid::open(9, 2).unwrap();
        let class = Class::new(grid.clone(), point(&grid, ConflictRule::Swap)).editable();
        let mut run = Run::of_class(&grid, ConflictRule::Swap, CrowdSettings::new(), class);
        let train = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
        let house = Area::cells(5, 0, 2, 2).unwrap();
        if is_inside {
            // It cannot leave, so the area is never empty.
            let guest = run.crowd.add(run.class, Agent::bystander(run.at(6, 1))).unwrap();
            run.crowd.hold(guest, 1000).unwrap();
        }
        run.crowd.send_along(train, &timetable(&run, 2, 8)).unwrap();
        (0..4).for_each(|_| drop(run.tick()));
        edit(&mut run.crowd, &house).unwrap();
        for _ in 0..20 {
            run.tick();
            let why = run.crowd.explain(train);
            assert_eq!((why.reason, why.by), (Some(Reason::PathClosed { to: run.at(5, 0) }), vec![]), "{name}");
        }
        assert_eq!(run.xy(train.0), (2, 0), "{name}");
        open(&mut run.crowd, &house).unwrap();
        (0..7).for_each(|_| drop(run.tick()));
        assert_eq!(run.xy(train.0), (8, 0), "{name}");
    }
}

#[test]
fn who_is_shut_in_seeks_a_refuge_now_and_then() {
    let grid = Grid::from_ascii("........\n@@@@@@@.").unwrap();
    let mut closed = grid.clone();
    closed.set_passable(7, 1, false);
    let class = Class::new(closed, point(&grid, ConflictRule::Swap)).editable();
    let mut run = Run::of_class(&grid, ConflictRule::Swap, CrowdSettings::new(), class);
    let train = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    let other = run.crowd.add(run.class, Agent::new(run.at(4, 0), run.at(0, 0))).unwrap();
    run.crowd.send_along(train, &timetable(&run, 2, 7)).unwrap();
    let work: Vec<u64> = (0..200).map(|_| run.tick().work).collect();
    // A refuge that fails takes 12. Most of the rest are plans of the agent by its chain.
    let late: u64 = work[72..].iter().sum();
    assert!((1..2600).contains(&late), "{late}: {work:?}");
    assert_eq!((run.xy(train.0), run.xy(other.0)), ((6, 0), (7, 0)));
    // As soon as there is room, it makes way.
    run.crowd.set_open(run.class, run.at(7, 1), true).unwrap();
    run.tick();
    assert_eq!((run.xy(train.0), run.xy(other.0)), ((7, 0), (7, 1)));
}
