//! Expansions of the space-time search, in the searches that HCA* makes when all distances are known.

use std::hint::black_box;

use giveway::spaces::{Body, CommonTicks, Connectivity, Grid, Ground};
use giveway::store::{IntervalTable, SparseTable, WindowTable};
use giveway::{Footprint, Instance, Point, SpaceGraph};
use giveway_benches::worlds::agents_apart;
use giveway_benches::{Benchmark, Contender, benchmark, interleave, warm_hca};

use super::record::{Record, Row};

const REPETITIONS: usize = 15;

/// Maps, and how many agents.
const CASES: [(&str, usize); 3] = [("random-32-32-20", 100), ("den312d", 100), ("lak303d", 200)];

/// The horizon of the window store: longer than any of these plans.
const HORIZON: u32 = 1 << 12;

/// Points on each reservation store. All stores give equal plans.
pub(crate) fn by_store(record: &mut Record) {
    for (name, agents) in CASES {
        if let Some(benchmark) = benchmark(name, agents) {
            on_stores(record, &benchmark);
        }
    }
}

fn on_stores(record: &mut Record, benchmark: &Benchmark) {
    let Benchmark { name, grid, agents } = benchmark;
    let point = Point::swap_rule(grid);
    let cells = point.cells(grid);
    let instance = Instance::new(grid, &point, agents.clone()).unwrap_or_else(|why| panic!("{name}: {why}"));
    let [mut first, mut second, mut third] = [warm_hca(), warm_hca(), warm_hca()];
    let mut sparse = SparseTable::new(cells);
    let mut window = WindowTable::new(cells, HORIZON);
    let mut interval = IntervalTable::new(cells);
    let solution = first.solve_on(&instance, &mut sparse);
    for other in [second.solve_on(&instance, &mut window), third.solve_on(&instance, &mut interval)] {
        assert_eq!(other.plan, solution.plan, "{name}: stores differ");
        assert_eq!(other.expansions, solution.expansions, "{name}: stores differ");
    }
    let times = interleave(
        REPETITIONS,
        1,
        &mut [
            Contender { name: "SparseTable", work: &mut |_| drop(black_box(first.solve_on(&instance, &mut sparse))) },
            Contender { name: "WindowTable", work: &mut |_| drop(black_box(second.solve_on(&instance, &mut window))) },
            Contender {
                name: "IntervalTable",
                work: &mut |_| drop(black_box(third.solve_on(&instance, &mut interval))),
            },
        ],
    );
    for times in times {
        record.keep(&Row {
            part: "stores",
            world: name,
            agents: Some(agents.len()),
            neighbours: Some(4),
            contender: times.name,
            count: Some(solution.expansions),
            time: Some(times.pieces[0]),
            ..Row::default()
        });
    }
}

/// The side of the open map, and its agents.
const SIDE: u32 = 96;
const AGENTS: usize = 120;

/// Bodies of different sizes on an open map, with equal starts and goals.
pub(crate) fn by_body(record: &mut Record) {
    for (connectivity, neighbours) in [(Connectivity::Four, 4), (Connectivity::Eight, 8)] {
        let grid = Grid::open(SIDE, SIDE).expect("small").with_connectivity(connectivity);
        let square = |cells| Body::square(cells).expect("small");
        let bodies = [
            ("disc of 0.5", Body::disc(0.5).expect("small")),
            ("1 x 1 cells", square(1)),
            ("2 x 2 cells", square(2)),
            ("3 x 3 cells", square(3)),
        ];
        // Squares of 3 x 3 cells with 8 neighbours are in each other's way so much that a solve takes seconds.
        let bodies = if neighbours == 4 { &bodies[..] } else { &bodies[..3] };
        let ticks = CommonTicks::new().of([&square(1)], &grid).fewest().expect("one speed");
        let point = Point::timed(&grid, ticks).expect("one speed");
        let on_ground = |(name, body): &(&'static str, Body)| {
            let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), ticks).expect("it fits");
            (*name, space, footprint)
        };
        let bodies: Vec<_> = bodies.iter().map(on_ground).collect();
        let mut solvers = vec![Solver::new("point", &grid, &point)];
        solvers.extend(bodies.iter().map(|(name, space, footprint)| Solver::new(name, space, footprint)));
        let mut contenders: Vec<Contender<'_>> = solvers.iter_mut().map(Solver::contender).collect();
        let times = interleave(REPETITIONS, 1, &mut contenders);
        for (times, Solver { expansions, .. }) in times.iter().zip(&solvers) {
            record.keep(&Row {
                part: "bodies",
                world: "open",
                agents: Some(AGENTS),
                neighbours: Some(neighbours),
                contender: times.name,
                count: Some(*expansions),
                time: Some(times.pieces[0]),
                ..Row::default()
            });
        }
    }
}

/// Solves an instance again and again, with all distances known.
struct Solver<'a> {
    name: &'static str,
    expansions: u64,
    solve: Box<dyn FnMut(usize) + 'a>,
}

impl<'a> Solver<'a> {
    fn new<S: SpaceGraph, F: Footprint<S>>(name: &'static str, space: &'a S, footprint: &'a F) -> Self {
        let instance = Instance::new(space, footprint, agents_apart(SIDE, AGENTS)).expect("all have room");
        let mut strategy = warm_hca();
        let expansions = strategy.solve(&instance).expansions;
        Self { name, expansions, solve: Box::new(move |_| drop(black_box(strategy.solve(&instance)))) }
    }

    fn contender(&mut self) -> Contender<'_> {
        Contender { name: self.name, work: &mut *self.solve }
    }
}
