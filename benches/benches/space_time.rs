//! How much does an expansion of the space-time search cost on each reservation store, in the searches that HCA* makes;
//! and how long does a whole solve take, in units of the distance tables that it cannot do without?
//!
//! * Warm: the second and later solves with one strategy object and one store. The true distances are known, so that
//!   what is left is the window into space and time: searching, reserving, handing out paths. It is divided by the
//!   expansions.
//! * Cold: a new strategy and a new store for each solve, as on the first call in a program.
//! * T: a plain breadth-first search from every agent's goal, over the whole map, each into a table of its own.
//!
//! The plans of all stores are compared; restarts are off, so that one round is timed. A solve takes longer than a busy
//! machine leaves a program alone, and cannot be cut into pieces: ratios are of the least of all repetitions, medians
//! stand beside.

use std::hint::black_box;

use giveway::spaces::Grid;
use giveway::store::{IntervalTable, SparseTable, WindowTable};
use giveway::strategies::{CooperativeDetails, SolutionIn};
use giveway::{Footprint, Instance, Point, ReservationStore};
use giveway_benches::{Benchmark, Contender, Table, Times, WarmHca, benchmark, interleave, warm_hca};

/// Maps, and how many agents.
const CASES: [(&str, usize); 4] = [("random-32-32-20", 100), ("den312d", 100), ("lak303d", 200), ("Berlin_1_256", 200)];
const REPETITIONS: usize = 21;

/// The horizon of the window store: longer than any of these plans.
const HORIZON: u32 = 1 << 12;

fn main() {
    let mut table = Table::begin(&[
        "map",
        "agents",
        "planned",
        "expansions",
        "reverse expansions",
        "T, ms",
        "store",
        "warm, ms (median)",
        "warm, ns/expansion",
        "warm / T",
        "cold, ms (median)",
        "cold / T",
    ]);
    for (name, agents) in CASES {
        if let Some(benchmark) = benchmark(name, agents) {
            measure(&mut table, &benchmark);
        }
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "space_time");
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn measure(table: &mut Table, benchmark: &Benchmark) {
    let Benchmark { name, grid, agents } = benchmark;
    let point = Point::swap_rule(grid);
    let cells = point.cells(grid);
    let instance = match Instance::new(grid, &point, agents.clone()) {
        Ok(instance) => instance,
        Err(why) => panic!("{name}: {why}"),
    };
    let plain = Bordered::of(grid);

    let solve = |strategy: &mut WarmHca<Grid>, store: &mut dyn Solve| store.solve(strategy, &instance);
    let [mut first, mut second, mut third] = [warm_hca(), warm_hca(), warm_hca()];
    let mut sparse = SparseTable::new(cells);
    let mut window = WindowTable::new(cells, HORIZON);
    let mut interval = IntervalTable::new(cells);

    let cold = solve(&mut first, &mut sparse);
    let warm = solve(&mut first, &mut sparse);
    assert_eq!(warm.plan, cold.plan, "{name}: known distances change plans");
    assert_eq!(warm.reverse_expansions, 0, "{name}: distances are not kept");
    for other in [solve(&mut second, &mut window), solve(&mut third, &mut interval)] {
        assert_eq!(other.plan, cold.plan, "{name}: stores differ");
        assert_eq!(other.expansions, cold.expansions, "{name}: stores differ");
    }

    let times = interleave(
        REPETITIONS,
        1,
        &mut [
            Contender { name: "tables", work: &mut |_| drop(black_box(plain.tables(black_box(benchmark)))) },
            Contender { name: "sparse_warm", work: &mut |_| drop(black_box(solve(&mut first, &mut sparse))) },
            Contender { name: "window_warm", work: &mut |_| drop(black_box(solve(&mut second, &mut window))) },
            Contender { name: "interval_warm", work: &mut |_| drop(black_box(solve(&mut third, &mut interval))) },
            Contender {
                name: "sparse_cold",
                work: &mut |_| drop(black_box(solve(&mut warm_hca(), &mut SparseTable::new(cells)))),
            },
            Contender {
                name: "window_cold",
                work: &mut |_| drop(black_box(solve(&mut warm_hca(), &mut WindowTable::new(cells, HORIZON)))),
            },
            Contender {
                name: "interval_cold",
                work: &mut |_| drop(black_box(solve(&mut warm_hca(), &mut IntervalTable::new(cells)))),
            },
        ],
    );
    let tables = times[0].least();
    for (which, store) in ["sparse", "window", "interval"].into_iter().enumerate() {
        let [warm, after_start] = [&times[1 + which], &times[4 + which]];
        let milliseconds = |times: &Times| format!("{:.2} ({:.2})", times.least() / 1e6, times.median() / 1e6);
        table.row(&[
            name,
            &agents.len(),
            &(agents.len() - cold.unplanned.len()),
            &cold.expansions,
            &cold.reverse_expansions,
            &format_args!("{:.2}", tables / 1e6),
            &store,
            &milliseconds(warm),
            &format_args!("{:.0}", warm.least() / cold.expansions as f64),
            &format_args!("{:.2}", warm.least() / tables),
            &milliseconds(after_start),
            &format_args!("{:.2}", after_start.least() / tables),
        ]);
    }
    table.keep(&format!("{name}-{}", agents.len()), &times);
}

/// A store under which a strategy can be run without naming the store's type.
trait Solve {
    fn solve(
        &mut self,
        strategy: &mut WarmHca<Grid>,
        instance: &Instance<'_, Grid, Point>,
    ) -> SolutionIn<Grid, CooperativeDetails>;
}

impl<R: ReservationStore> Solve for R {
    fn solve(
        &mut self,
        strategy: &mut WarmHca<Grid>,
        instance: &Instance<'_, Grid, Point>,
    ) -> SolutionIn<Grid, CooperativeDetails> {
        strategy.solve_on(instance, self)
    }
}

/// A map with a wall around it, so that neighbours need no bounds.
struct Bordered {
    stride: usize,
    free: Vec<bool>,
}

impl Bordered {
    fn of(grid: &Grid) -> Self {
        let rows = 0..grid.height() + 2;
        let free = |x: u32, y: u32| x > 0 && y > 0 && grid.is_passable(x - 1, y - 1);
        Self {
            stride: grid.width() as usize + 2,
            free: rows.flat_map(|y| (0..grid.width() + 2).map(move |x| free(x, y))).collect(),
        }
    }

    /// The distances to each agent's goal from everywhere; `u32::MAX` where there is no way.
    fn tables(&self, benchmark: &Benchmark) -> Vec<Vec<u32>> {
        let mut queue = Vec::with_capacity(self.free.len());
        let mut table = |goal: usize| {
            let mut distances = vec![u32::MAX; self.free.len()];
            distances[goal] = 0;
            queue.clear();
            queue.push(goal);
            let mut next = 0;
            while let Some(&cell) = queue.get(next) {
                next += 1;
                let distance = distances[cell] + 1;
                for neighbour in [cell - self.stride, cell + 1, cell + self.stride, cell - 1] {
                    if self.free[neighbour] && distances[neighbour] == u32::MAX {
                        distances[neighbour] = distance;
                        queue.push(neighbour);
                    }
                }
            }
            distances
        };
        let goals = benchmark.agents.iter().map(|agent| {
            let (x, y) = benchmark.grid.xy(agent.goals.nodes()[0]);
            (y as usize + 1) * self.stride + x as usize + 1
        });
        goals.map(&mut table).collect()
    }
}
