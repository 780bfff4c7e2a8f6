//! What does the generic footprint cost a point?
//!
//! HCA* in one round, nearest first, by two searches: [`SpaceTimeSearch`] over the footprint [`Point`], and
//! [`PointSearch`], written for points alone. Each has a store and distances of its own, asks them the same questions,
//! and must find the same paths in the same number of expansions. Searches take turns query by query. The timed work is
//! the search, to the path that it returns, with all distances known; what is committed in between is the same for both
//! and is not counted.

use std::hint::black_box;

use giveway::footprint::Entry;
use giveway::heuristic::{TrueDistances, Zero};
use giveway::plan::{AtEnd, Path};
use giveway::search::{Fuel, Query, Scene, SpaceTimeSearch};
use giveway::spaces::{Connectivity, Direction, Grid};
use giveway::store::{Claim, WindowTable};
use giveway::strategies::{CooperativeDetails, Order, SolutionIn};
use giveway::time::Span;
use giveway::{Agent, AgentId, Footprint, Heuristic, Instance, NodeId, Point, ReservationStore};
use giveway_benches::worlds::{agents, largest_part};
use giveway_benches::{Contender, PointQuery, PointSearch, Table, Times, benchmark, interleave, warm_hca};

const AGENTS: usize = 100;
const REPETITIONS: usize = 21;
const HORIZON: u32 = 1 << 12;
const SIDE: u32 = 96;

fn main() {
    let mut table = Table::begin(&[
        "map",
        "neighbours",
        "planned",
        "expansions, generic",
        "expansions, own",
        "own, ns/expansion",
        "generic, ns/expansion",
        "generic / own",
    ]);
    let mut cases: Vec<(String, Grid, Vec<Agent>)> = ["random-32-32-20", "den312d"]
        .into_iter()
        .filter_map(|name| benchmark(name, AGENTS))
        .map(|benchmark| (benchmark.name, benchmark.grid, benchmark.agents))
        .collect();
    let open = Grid::open(SIDE, SIDE).expect("small");
    let anywhere = agents(&largest_part(&open), AGENTS, 1);
    cases.push((format!("open {SIDE} x {SIDE}"), open, anywhere));
    for (name, grid, agents) in cases {
        measure::<false>(&mut table, &name, &grid, &agents);
        measure::<true>(&mut table, &name, &grid.with_connectivity(Connectivity::Eight), &agents);
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "point_footprint");
}

/// The needs of a search, and the work between two searches.
struct World<'a> {
    grid: &'a Grid,
    /// In the order in which they plan.
    agents: Vec<(Claim, &'a Agent)>,
    /// The commits of each of them after its search.
    entries: &'a [Vec<Entry>],
    store: WindowTable,
    distances: TrueDistances<Grid, Zero>,
}

impl<'a> World<'a> {
    fn new(grid: &'a Grid, point: &Point, agents: Vec<(Claim, &'a Agent)>, entries: &'a [Vec<Entry>]) -> Self {
        let store = WindowTable::new(point.cells(grid), HORIZON);
        Self { grid, agents, entries, store, distances: TrueDistances::tables() }
    }

    /// Empties the store and reserves all starts for the first tick.
    fn reset(&mut self, point: &Point) {
        self.store.clear();
        for (claim, agent) in &self.agents {
            let cell = Footprint::<Grid>::cells(point, self.grid).place(agent.start.0);
            let start = [Entry { cell, span: Span::tick(0) }];
            self.store.reserve(*claim, &start).expect("all starts differ");
        }
    }

    /// Agents may stand for good where another agent is to pass; then they hold nothing, as with HCA*.
    fn commit(&mut self, index: usize) {
        let _ = self.store.reserve(self.agents[index].0, &self.entries[index]);
    }
}

type Generic = SpaceTimeSearch<Direction, u32>;

fn by_generic(
    search: &mut Generic,
    world: &mut World<'_>,
    point: &Point,
    index: usize,
) -> Option<Path<Direction, u32>> {
    let World { grid, agents, store, distances, .. } = world;
    let (claim, agent) = agents[index];
    let scene = Scene { space: *grid, footprint: point, reservations: &*store, layer: &() };
    let query = Query::new(claim, agent.start, agent.goals.clone());
    let mut heuristic = distances.to(grid, &agent.goals, agent.start);
    search.find(&scene, query, &mut heuristic).ok()
}

fn by_own<const DIAGONALS: bool>(
    search: &mut PointSearch<DIAGONALS>,
    world: &mut World<'_>,
    index: usize,
) -> Option<Vec<NodeId>> {
    let World { grid, agents, store, distances, .. } = world;
    let (claim, agent) = agents[index];
    let query = PointQuery { claim, start: agent.start, depart: 0, goal: agent.goals.nodes()[0] };
    let mut heuristic = distances.to(grid, &agent.goals, agent.start);
    search.find(grid, store, query, &mut heuristic)
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn measure<const DIAGONALS: bool>(table: &mut Table, name: &str, grid: &Grid, agents: &[Agent]) {
    let neighbours = if DIAGONALS { 8 } else { 4 };
    let point = Point::swap_rule(grid);
    let instance = Instance::new(grid, &point, agents.to_vec()).expect("starts and goals are free");
    let reference: SolutionIn<Grid, CooperativeDetails> = warm_hca().order(Order::NearestFirst).solve(&instance);

    let mut distances = TrueDistances::<Grid, Zero>::tables();
    let mut queue: Vec<(Option<u32>, AgentId)> = (0..)
        .map(AgentId)
        .zip(agents)
        .map(|(id, agent)| {
            let distance =
                distances.to(grid, &agent.goals, agent.start).estimate(grid, agent.start, &mut Fuel::unlimited());
            (distance.expect("unlimited"), id)
        })
        .collect();
    assert!(queue.iter().all(|(distance, _)| distance.is_some()), "{name}: all goals can be reached");
    queue.sort_unstable();
    let queue: Vec<(Claim, &Agent)> =
        queue.into_iter().map(|(_, id)| (Claim::plain(id), &instance.agents()[id.index()])).collect();
    let standing = |agent: &Agent| Path::standing(agent.start, 0, AtEnd::Stay);
    let entries: Vec<Vec<Entry>> =
        queue.iter().map(|(claim, _)| reference.plan.paths[claim.agent.index()].entries(grid, &point)).collect();

    let mut generic = Generic::new();
    let mut own = PointSearch::<DIAGONALS>::new(grid);
    let [mut first, mut second] = [0, 1].map(|_| World::new(grid, &point, queue.clone(), &entries));
    first.reset(&point);
    second.reset(&point);
    let mut expansions = [0, 0];
    for (index, (claim, agent)) in queue.iter().enumerate() {
        let path = by_generic(&mut generic, &mut first, &point, index);
        let nodes = by_own(&mut own, &mut second, index);
        let counts = [generic.expanded(), own.expanded()];
        assert_eq!(counts[0], counts[1], "{name}: expansions of {}", claim.agent);
        expansions = [expansions[0] + counts[0], expansions[1] + counts[1]];
        let through = |path: &Path<Direction, u32>| -> Vec<NodeId> {
            let end = path.steps.last().map_or(0, |step| step.arrive);
            (0..=end).map(|tick| path.node_at(tick)).collect()
        };
        assert_eq!(path.as_ref().map(through), nodes, "{name}: the path of {}", claim.agent);
        let planned = path.unwrap_or_else(|| standing(agent));
        assert_eq!(planned, reference.plan.paths[claim.agent.index()], "{name}: {} by HCA*", claim.agent);
        first.commit(index);
        second.commit(index);
    }
    assert_eq!(expansions[0], reference.expansions, "{name}: expansions of HCA*");

    // Pieces: the reset; then, by turns, a search and a commitment.
    let times = interleave(
        REPETITIONS,
        1 + 2 * queue.len(),
        &mut [
            Contender {
                name: "own",
                work: &mut |piece| match piece.checked_sub(1) {
                    None => second.reset(&point),
                    Some(piece) if piece % 2 == 0 => drop(black_box(by_own(&mut own, &mut second, piece / 2))),
                    Some(piece) => second.commit(piece / 2),
                },
            },
            Contender {
                name: "generic",
                work: &mut |piece| match piece.checked_sub(1) {
                    None => first.reset(&point),
                    Some(piece) if piece % 2 == 0 => {
                        drop(black_box(by_generic(&mut generic, &mut first, &point, piece / 2)));
                    }
                    Some(piece) => first.commit(piece / 2),
                },
            },
        ],
    );
    let searches: Vec<Times> = times
        .into_iter()
        .map(|times| Times { pieces: times.pieces.into_iter().skip(1).step_by(2).collect(), ..times })
        .collect();
    let per_expansion = |times: &Times| times.least() / expansions[0] as f64;
    table.row(&[
        &name,
        &neighbours,
        &(agents.len() - reference.unplanned.len()),
        &expansions[0],
        &expansions[1],
        &format_args!("{:.1}", per_expansion(&searches[0])),
        &format_args!("{:.1}", per_expansion(&searches[1])),
        &format_args!("{:.2}", searches[1].least() / searches[0].least()),
    ]);
    table.keep(&format!("{name}-{}-{neighbours}", agents.len()), &searches);
}
