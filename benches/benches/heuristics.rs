//! Which heuristic suits which world, for one agent? Dijkstra, metrics, landmarks, FastMap, fringe search, distance
//! tables and reverse searches answer equal questions: expansions, time for each question, time to prepare, memory.
//!
//! Searches return routes; tables and reverse searches return costs, from which the way is read off step by step.

use std::hint::black_box;
use std::time::Instant;

use giveway::heuristic::{
    DistanceTable, Euclidean, Landmarks, Manhattan, Metric, Octile, Predecessors, ReverseAStar, ToGoals, Zero,
};
use giveway::search::{FringeSearch, Fuel, Observer, SpatialSearch};
use giveway::spaces::{Connectivity, Embedding};
use giveway::time::Tick;
use giveway::{Goals, Heuristic, NodeId};
use giveway_benches::worlds::{random, roads};
use giveway_benches::{Contender, FastMap, Table, benchmark, interleave};
use rand::Rng;

const MAPS: [&str; 4] = ["den312d", "room-64-64-8", "lak303d", "Berlin_1_256"];
const ROADS: u32 = 100;
const QUERIES: usize = 100;
/// Questions in one piece of work.
const QUESTIONS: usize = 10;
const REPETITIONS: usize = 11;
const PREPARATIONS: usize = 5;

fn main() {
    let mut table = Table::begin(&[
        "world",
        "contender",
        "expanded/query",
        "µs/query",
        "times A* by metric",
        "ms to prepare",
        "bytes/node id",
    ]);
    for name in MAPS {
        let Some(benchmark) = benchmark(name, QUERIES) else { continue };
        let queries: Vec<Query> = benchmark.agents.iter().map(|agent| (agent.start, agent.goals.nodes()[0])).collect();
        compare(&mut table, name, &benchmark.grid, &Manhattan { step: 1000 }, &queries);
        // With diagonals, f has many more values.
        if name == "lak303d" {
            let grid = benchmark.grid.clone().with_connectivity(Connectivity::Eight);
            let octile = Octile { step: 1000, diagonal: 1414 };
            compare(&mut table, "lak303d (8 neighbours)", &grid, &octile, &queries);
        }
    }
    let roads = roads(ROADS, 3);
    let mut random = random(17);
    let queries: Vec<Query> = std::iter::repeat_with(|| {
        let [start, goal] = [(); 2].map(|()| NodeId(random.random_range(0..ROADS * ROADS)));
        (start, goal)
    })
    .filter(|(start, goal)| a_star(&roads, Zero)(*start, *goal).0.is_some())
    .take(QUERIES)
    .collect();
    compare(&mut table, "roads", &roads, &Euclidean::from_space(&roads), &queries);
    table.end(env!("CARGO_TARGET_TMPDIR"), "heuristics");
}

/// Start and goal.
type Query = (NodeId, NodeId);

/// The cost, and the number of nodes expanded to find it.
type Answer = (Option<u32>, u64);

/// Answers one question.
type Ask<'a> = dyn FnMut(NodeId, NodeId) -> Answer + 'a;

/// Answers the questions of the piece of this number.
type Work<'a> = dyn FnMut(usize) + 'a;

/// Counts expansions.
struct Count(u64);

impl Observer for Count {
    #[inline]
    fn expanded(&mut self, _node: NodeId, _tick: Tick) {
        self.0 += 1;
    }
}

struct Method<'a> {
    name: &'static str,
    /// In milliseconds.
    preparation: f64,
    bytes: usize,
    ask: Box<Ask<'a>>,
}

fn a_star<'a, S: Embedding<Cost = u32>, M: Metric<S> + Clone + 'a>(space: &'a S, metric: M) -> Box<Ask<'a>> {
    let mut search = SpatialSearch::new();
    Box::new(move |start, goal| {
        let goals = Goals::one(goal);
        let mut heuristic = ToGoals { metric: metric.clone(), goals: goals.clone() };
        let mut count = Count(0);
        let found = search.find_with(space, start, &goals, &mut heuristic, &mut Fuel::unlimited(), &mut count);
        (found.ok().map(|route| black_box(route).cost), count.0)
    })
}

fn fringe<'a, S: Embedding<Cost = u32>, M: Metric<S> + Clone + 'a>(space: &'a S, metric: M) -> Box<Ask<'a>> {
    let mut search = FringeSearch::new();
    Box::new(move |start, goal| {
        let goals = Goals::one(goal);
        let mut heuristic = ToGoals { metric: metric.clone(), goals: goals.clone() };
        let mut count = Count(0);
        let found = search.find_with(space, start, &goals, &mut heuristic, &mut Fuel::unlimited(), &mut count);
        (found.ok().map(|route| black_box(route).cost), count.0)
    })
}

fn reverse<'a, S: Embedding<Cost = u32>, M: Metric<S> + Clone + 'a>(space: &'a S, metric: M) -> Box<Ask<'a>> {
    let predecessors = Predecessors::from_space(space);
    Box::new(move |start, goal| {
        let mut search = ReverseAStar::new(predecessors.clone(), Goals::one(goal), start, metric.clone());
        let cost = search.estimate(space, start, &mut Fuel::unlimited()).expect("nothing bounds it");
        (cost, search.expanded())
    })
}

/// The distances from all nodes to the goal.
fn whole_table<'a, S: Embedding<Cost = u32>>(space: &'a S) -> Box<Ask<'a>> {
    let predecessors = Predecessors::from_space(space);
    let nodes = u32::try_from(space.node_bound()).expect("ids have 32 bits");
    Box::new(move |start, goal| {
        let mut table = DistanceTable::new(space, predecessors.clone(), Goals::one(goal));
        let mut cost = |node| table.estimate(space, node, &mut Fuel::unlimited()).expect("nothing bounds it");
        for node in 0..nodes {
            black_box(cost(NodeId(node)));
        }
        (cost(start), table.expanded())
    })
}

/// The name of the made thing, and the median time of making it, in milliseconds.
fn prepare<T>(make: impl Fn() -> T) -> (T, f64) {
    let mut times: Vec<f64> = (0..PREPARATIONS)
        .map(|_| {
            let begin = Instant::now();
            black_box(make());
            begin.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (make(), times[PREPARATIONS / 2])
}

fn methods<'a, S: Embedding<Cost = u32>, M: Metric<S> + Clone + 'a>(space: &'a S, metric: &M) -> Vec<Method<'a>> {
    let mut methods = Vec::new();
    let mut add = |name, ask| methods.push(Method { name, preparation: 0.0, bytes: 0, ask });
    add("A* by metric", a_star(space, metric.clone()));
    add("Dijkstra", a_star(space, Zero));
    add("fringe by metric", fringe(space, metric.clone()));
    add("reverse A* by metric", reverse(space, metric.clone()));
    add("whole table", whole_table(space));
    for (name, count) in [("A* by 4 landmarks", 4), ("A* by 8 landmarks", 8), ("A* by 16 landmarks", 16)] {
        let (landmarks, preparation) = prepare(|| Landmarks::new(space, count));
        let bytes = landmarks.bytes();
        if count == 8 {
            let ask = fringe(space, landmarks.clone());
            methods.push(Method { name: "fringe by 8 landmarks", preparation, bytes, ask });
            let ask = reverse(space, landmarks.clone());
            methods.push(Method { name: "reverse A* by 8 landmarks", preparation, bytes, ask });
        }
        methods.push(Method { name, preparation, bytes, ask: a_star(space, landmarks) });
    }
    for (name, dimensions) in [("A* by FastMap 4", 4), ("A* by FastMap 8", 8), ("A* by FastMap 16", 16)] {
        let (map, preparation) = prepare(|| FastMap::new(space, dimensions));
        methods.push(Method { name, preparation, bytes: map.bytes(), ask: a_star(space, map) });
    }
    methods
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn compare<S: Embedding<Cost = u32>, M: Metric<S> + Clone>(
    table: &mut Table,
    world: &str,
    space: &S,
    metric: &M,
    queries: &[Query],
) {
    let mut methods = methods(space, metric);
    let mut answers = |method: &mut Method<'_>| -> Vec<Answer> {
        queries.iter().map(|(start, goal)| (method.ask)(*start, *goal)).collect()
    };
    let answers: Vec<Vec<Answer>> = methods.iter_mut().map(&mut answers).collect();
    let costs = |answers: &[Answer]| -> Vec<Option<u32>> { answers.iter().map(|(cost, _)| *cost).collect() };
    for (method, found) in methods.iter().zip(&answers) {
        assert_eq!(costs(found), costs(&answers[0]), "{world}: {} differs", method.name);
    }
    let pieces: Vec<&[Query]> = queries.chunks(QUESTIONS).collect();
    let prepared: Vec<(f64, usize)> = methods.iter().map(|method| (method.preparation, method.bytes)).collect();
    let mut work: Vec<(&'static str, Box<Work<'_>>)> = Vec::new();
    for Method { name, mut ask, .. } in methods {
        let pieces = &pieces;
        let answer_all = move |piece: usize| {
            for (start, goal) in pieces[piece] {
                black_box(ask(*start, *goal));
            }
        };
        work.push((name, Box::new(answer_all)));
    }
    let mut contenders: Vec<Contender<'_>> =
        work.iter_mut().map(|(name, work)| Contender { name, work: &mut **work }).collect();
    let times = interleave(REPETITIONS, pieces.len(), &mut contenders);
    let count = queries.len() as f64;
    for ((times_of, found), (preparation, bytes)) in times.iter().zip(&answers).zip(prepared) {
        let expanded = found.iter().map(|(_, expanded)| *expanded).sum::<u64>() as f64 / count;
        let micros = times_of.median() / count / 1e3;
        table.row(&[
            &world,
            &times_of.name,
            &format_args!("{expanded:.0}"),
            &format_args!("{micros:.1}"),
            &format_args!("{:.2}", times_of.median() / times[0].median()),
            &format_args!("{preparation:.1}"),
            &format_args!("{:.0}", bytes as f64 / space.node_bound() as f64),
        ]);
    }
    table.keep(world, &times);
}
