//! Quanta and safe intervals: with a quantum of one tick both find paths of equal cost, whatever is reserved, by any
//! agent and at any rank; with a longer quantum the intervals do as well or better.

use std::ops::ControlFlow;

use giveway_bodies::{Body, BodyFootprint, Clearance, CommonTicks, Granularity, Ground};
use giveway_check::BodyChecker;
use giveway_core::store::{IntervalTable, SparseTable, WindowTable};
use giveway_core::{
    Agent, AgentId, AtEnd, CellId, Cells, Claim, Entry, EntryVisitor, FOREVER, Footprint, Goals, Motion, MotionIn,
    MoveIn, NoPath, NodeId, PathIn, Point, Query, Rank, ReservationStore, Scene, SpaceGraph, Span, Tick, Ticks,
    TimeModel, Trace,
};
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Hca, Instance};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::oracles::one_agent::search;
use crate::oracles::roles::Lorry;
use crate::oracles::spaces::pick;

/// An equal unit that waits for one tick at a time.
struct TickByTick<F>(F);

impl<S: SpaceGraph, F: Footprint<S>> Footprint<S> for TickByTick<F> {
    fn cells(&self, space: &S) -> Cells {
        self.0.cells(space)
    }

    fn ticks_per_step(&self) -> Ticks {
        self.0.ticks_per_step()
    }

    fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        self.0.duration(space, m)
    }

    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        self.0.sweep(space, motion, depart, entry)
    }
}

/// Who holds what, in the order of asking for it.
fn reservations(random: &mut Pcg64Mcg, cells: Cells) -> Vec<(Claim, Entry)> {
    let crowded = random.random_range(1..=12) * cells.bound() / 6;
    let reservation = |_| {
        let claim = Claim { agent: AgentId(random.random_range(0..5)), rank: Rank(0, random.random_range(0..3)) };
        let start = random.random_range(0..70);
        let span = match random.random_range(0..12) {
            0 => Span::endless(start),
            1 => Span::lasting(start, 40),
            _ => Span::lasting(start, random.random_range(1..9)),
        };
        let cell = CellId(random.random_range(0..u32::try_from(cells.bound()).unwrap()));
        (claim, Entry { cell, span })
    };
    (0..crowded).map(reservation).collect()
}

fn reserve<R: ReservationStore>(mut store: R, reservations: &[(Claim, Entry)]) -> R {
    for (claim, entry) in reservations {
        let _ = store.reserve(*claim, &[*entry]);
    }
    store
}

fn query(random: &mut Pcg64Mcg, space: &impl SpaceGraph<Cost = u32>, per_step: Ticks) -> Query<u32> {
    let claim = Claim { agent: AgentId(0), rank: Rank(0, random.random_range(0..3)) };
    let goals: Goals = (0..random.random_range(1..3)).map(|_| pick(space, random.random_range(0..1000))).collect();
    let depart = random.random_range(0..20);
    Query {
        depart,
        at_end: *[AtEnd::Stay, AtEnd::Stay, AtEnd::Disappear].choose(random).unwrap(),
        latest: if random.random_ratio(1, 3) { depart + random.random_range(0..90) } else { FOREVER },
        // A price for each tick: no wait is rounded.
        wait_cost: per_step * [0, 20, 100, 250, 1000].choose(random).unwrap(),
        ..Query::new(claim, pick(space, random.random_range(0..1000)), goals)
    }
}

/// The cost of `path`, if each of its motions is permitted.
fn cost<S: SpaceGraph<Cost = u32>>(
    scene: &Scene<'_, S, impl Footprint<S>, impl ReservationStore, ()>,
    query: &Query<u32>,
    path: &PathIn<S>,
) -> Option<u32> {
    let permitted = |motion: &MotionIn<S>, depart| {
        let ask = &mut |entry: Entry| match scene.reservations.permits(&entry, query.claim) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        scene.footprint.sweep(scene.space, motion, depart, ask).is_continue().then_some(())
    };
    let (mut at, mut now, mut cost, mut rested) = (query.start, query.depart, 0, false);
    for step in &path.steps {
        assert_eq!(step.depart, now);
        assert!(step.arrive > now && step.arrive <= query.latest);
        permitted(&step.motion, now)?;
        match &step.motion {
            Motion::Move(m) => {
                assert!(m.from == at && scene.space.moves(at).any(|known| known == *m));
                assert_eq!(scene.footprint.duration(scene.space, m), Some(step.arrive - now));
                (at, cost, rested) = (m.to, cost + m.cost, false);
            }
            Motion::Rest { node, ticks } => {
                // A wait is one step, also when it was found in pieces.
                assert!(*node == at && *ticks == step.arrive - now && !rested);
                cost += ticks * (query.wait_cost / scene.footprint.ticks_per_step());
                rested = true;
            }
        }
        now = step.arrive;
    }
    if query.at_end == AtEnd::Stay {
        permitted(&Motion::Rest { node: at, ticks: FOREVER }, now)?;
    }
    (query.goals.contains(at) && path.at_end == query.at_end).then_some(cost)
}

/// The counts of the queries by outcome.
#[derive(Default, Debug)]
struct Tally {
    found: u32,
    waited: u32,
    cheaper: u32,
    exhausted: u32,
    limited: u32,
}

fn compare<S: SpaceGraph<Cost = u32>>(
    random: &mut Pcg64Mcg,
    space: &S,
    footprint: impl Footprint<S>,
    tally: &mut Tally,
) {
    let cells = footprint.cells(space);
    let held = reservations(random, cells);
    let interval = &reserve(IntervalTable::new(cells), &held);
    let by_quanta = query(random, space, footprint.ticks_per_step());
    let by_intervals = Query { time: TimeModel::SafeIntervals, ..by_quanta.clone() };
    let heuristic = random.random_range(0..3);
    let every_tick = TickByTick(&footprint);
    let ask = |query: &Query<u32>, footprint: &dyn Footprint<S>, slice| {
        let scene = Scene { space, footprint: &footprint, reservations: interval, layer: &() };
        search(&scene, query, heuristic, slice)
    };
    let (answer, finest, coarser) = (
        ask(&by_intervals, &footprint, 1_000_000),
        ask(&by_quanta, &every_tick, 1_000_000),
        ask(&by_quanta, &footprint, 1_000_000),
    );

    // Every store gives equal results, in slices, too.
    for slice in [1, 3] {
        assert!(ask(&by_intervals, &footprint, slice) == answer, "in slices of {slice}");
    }
    let (sparse, window) = (reserve(SparseTable::new(cells), &held), reserve(WindowTable::new(cells, 64), &held));
    let scene = Scene { space, footprint: &footprint, reservations: &sparse, layer: &() };
    assert!(search(&scene, &by_intervals, heuristic, 1_000_000) == answer);
    let scene = Scene { space, footprint: &footprint, reservations: &window, layer: &() };
    assert!(search(&scene, &by_intervals, heuristic, 1_000_000) == answer);

    // With a horizon there are no intervals.
    let horizon = by_quanta.depart + 7;
    let [one, other] = [&by_quanta, &by_intervals].map(|query| {
        let query = Query { horizon, ..query.clone() };
        ask(&query, &footprint, 1_000_000)
    });
    assert!(one == other);

    let scene = Scene { space, footprint: &footprint, reservations: interval, layer: &() };
    match (&answer.0, &finest.0) {
        (Ok(path), Ok(as_cheap)) => {
            assert_eq!(path.cost, as_cheap.cost, "{by_quanta:?} amid {held:?}:\n{path:?}\n{as_cheap:?}");
            assert_eq!(cost(&scene, &by_quanta, path), Some(path.cost), "{by_quanta:?} amid {held:?}:\n{path:?}");
            if let Ok(dearer) = &coarser.0 {
                assert!(path.cost <= dearer.cost);
                tally.cheaper += u32::from(path.cost < dearer.cost);
            }
            tally.found += 1;
            tally.waited += u32::from(path.steps.iter().any(|step| matches!(step.motion, Motion::Rest { .. })));
        }
        (Err(NoPath::Exhausted), Err(_)) => {
            // It knows more than quanta do: that without the limit there is no path either.
            let unlimited = Query { latest: FOREVER, ..by_quanta.clone() };
            assert!(ask(&unlimited, &every_tick, 1_000_000).0 == Err(NoPath::Exhausted), "{by_quanta:?} amid {held:?}");
            tally.exhausted += 1;
        }
        (Err(NoPath::LimitReached), Err(NoPath::LimitReached)) => {
            assert!(by_quanta.latest != FOREVER);
            tally.limited += 1;
        }
        outcome => panic!("{outcome:?} for {by_quanta:?} amid {held:?}"),
    }
}

fn grid(random: &mut Pcg64Mcg, side: u32) -> Grid {
    let connectivity = *[Connectivity::Four, Connectivity::Eight].choose(random).unwrap();
    let [width, height] = [0; 2].map(|_: u32| random.random_range(1..=side));
    let grid = Grid::from_fn(width, height, |x, y| (x, y) == (0, 0) || !random.random_ratio(1, 6)).unwrap();
    grid.with_connectivity(connectivity)
}

fn body(random: &mut Pcg64Mcg, grid: &Grid) -> Option<(Body, Clearance, BodyFootprint)> {
    let bodies = [Body::disc(0.4), Body::disc(0.7), Body::square(1), Body::square(2), Body::rectangle(0.6, 1.6)];
    let body = bodies.choose(random)?.clone().ok()?;
    let body = body.speed(*[1.0, 0.5, 0.37, 2.0 / 3.0, 2.0].choose(random)?).ok()?;
    let body = if random.random_ratio(1, 3) { body.closed() } else { body };
    let ground = Ground::from_grid(grid).granularity(*[Granularity::Same, Granularity::Finer(2)].choose(random)?);
    let ticks = CommonTicks::new().of([&body], grid).fewest().ok()?;
    let (space, footprint) = body.on(grid, ground, ticks).ok()?;
    Some((body, space, footprint))
}

#[test]
fn points_wait_as_well_by_intervals_as_tick_by_tick() {
    let mut tally = Tally::default();
    for seed in 0..1500_u32 {
        let random = &mut Pcg64Mcg::seed_from_u64(seed.into());
        let grid = grid(random, 5);
        compare(random, &grid, Point::swap_rule(&grid), &mut tally);
        compare(random, &grid, Point::following_rule(&grid), &mut tally);
        compare(random, &grid, Point::rounded(&grid, 5), &mut tally);
        compare(random, &grid, Lorry, &mut tally);
    }
    let Tally { found, waited, exhausted, limited, .. } = tally;
    assert!(found > 3000 && waited > 600 && exhausted > 500 && limited > 150, "{tally:?}");
}

#[test]
fn bodies_wait_as_well_by_intervals_as_tick_by_tick() {
    let mut tally = Tally::default();
    for seed in 0..3000_u32 {
        let random = &mut Pcg64Mcg::seed_from_u64(seed.into());
        let grid = grid(random, 6);
        if let Some((_, space, footprint)) = body(random, &grid) {
            compare(random, &space, footprint, &mut tally);
        }
    }
    let Tally { found, waited, cheaper, exhausted, limited } = tally;
    assert!(found > 600 && waited > 200 && cheaper > 25 && exhausted > 500 && limited > 100, "{tally:?}");
}

/// Whole crowds: what is planned by intervals may be held by all, and no body overlaps another.
#[test]
fn bodies_planned_by_intervals_never_overlap() {
    let (mut planned, mut waits) = (0, 0);
    for seed in 0..150_u32 {
        let random = &mut Pcg64Mcg::seed_from_u64(seed.into());
        let grid = grid(random, 14);
        let Some((body, space, footprint)) = body(random, &grid) else { continue };
        let mut nodes: Vec<NodeId> =
            (0..grid.width() * grid.height()).map(NodeId).filter(|node| space.contains(*node)).collect();
        nodes.shuffle(random);
        let pairs: Vec<Agent> = nodes.chunks_exact(2).take(10).map(|pair| Agent::new(pair[0], pair[1])).collect();
        // Large units may not all have room beside each other: the rest is left out.
        let Some(instance) =
            (1..=pairs.len()).rev().find_map(|count| Instance::new(&space, &footprint, pairs[..count].to_vec()).ok())
        else {
            continue;
        };
        let solution = Hca::hca_star().time_model(TimeModel::SafeIntervals).solve(&instance);
        let lost: Vec<usize> = solution.unplanned.iter().map(|unplanned| unplanned.agent.index()).collect();
        let mut store = IntervalTable::new(Footprint::<Clearance>::cells(&footprint, &space));
        let per_step = Footprint::<Clearance>::ticks_per_step(&footprint);
        let mut trace = Trace::from_plan(&space, instance.agents(), &solution.plan, per_step);
        for (index, (path, id)) in solution.plan.paths.iter().zip((0..).map(AgentId)).enumerate() {
            trace.agents[index].body = Some(body.outline());
            // Who has no plan stands in the way of others.
            trace.agents[index].vanishes = lost.contains(&index).then_some(0);
            if !lost.contains(&index) {
                store.reserve(Claim::plain(id), &path.entries(&space, &footprint)).unwrap();
                planned += 1;
                waits += path.steps.iter().filter(|step| matches!(step.motion, Motion::Rest { .. })).count();
            }
        }
        assert_eq!(BodyChecker::new().check(&trace), [], "seed {seed}");
    }
    assert!(planned > 400 && waits > 60, "{planned} planned, {waits} waits");
}

/// From one end of a corridor of three places to the other, where `held` belongs to another agent.
fn along_a_corridor(held: &[Entry]) -> (Result<PathIn<Grid>, NoPath>, u64) {
    let grid = Grid::open(3, 1).unwrap();
    let point = Point::swap_rule(&grid);
    let mut store = IntervalTable::new(Footprint::<Grid>::cells(&point, &grid));
    store.reserve(Claim::plain(AgentId(1)), held).unwrap();
    let scene = Scene { space: &grid, footprint: &point, reservations: &store, layer: &() };
    let query = Query {
        time: TimeModel::SafeIntervals,
        ..Query::new(Claim::plain(AgentId(0)), NodeId(0), Goals::one(NodeId(2)))
    };
    let (result, expanded, _) = search(&scene, &query, 1, 1_000_000);
    (result, expanded)
}

#[test]
fn a_long_wait_is_one_rest_and_takes_no_expansions() {
    let held = [Span::new(1, 5000), Span::new(5002, 9000)].map(|span| Entry { cell: CellId(1), span });
    let goal = Entry { cell: CellId(2), span: Span::new(0, 5001) };
    let (result, expanded) = along_a_corridor(&[held[0], held[1], goal]);
    let path = result.unwrap();
    assert_eq!(path.steps[0].motion, Motion::Rest { node: NodeId(0), ticks: 4999 });
    assert_eq!(path.steps.iter().map(|step| step.arrive).collect::<Vec<_>>(), [4999, 5000, 5001]);
    assert_eq!((path.cost, expanded), (5_001_000, 3));
}

#[test]
fn whoever_stands_where_somebody_else_is_leaves_at_once_or_never() {
    let elsewhere = |cell, span| Entry { cell: CellId(cell), span };
    let start = elsewhere(0, Span::new(0, 100));
    assert_eq!(along_a_corridor(&[start]).0.unwrap().arrival(), 2);
    assert_eq!(along_a_corridor(&[start, elsewhere(1, Span::tick(1))]).0, Err(NoPath::Exhausted));
    // By then the other has come.
    let (soon, next) = (elsewhere(0, Span::endless(3)), |until| elsewhere(1, Span::new(1, until)));
    assert_eq!(along_a_corridor(&[soon, next(3)]).0.unwrap().arrival(), 4);
    assert_eq!(along_a_corridor(&[soon, next(4)]).0, Err(NoPath::Exhausted));
}
