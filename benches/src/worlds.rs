//! Seeded worlds: maps and agents that are the same everywhere for the same seed.

use giveway::spaces::{FnSpace, Grid, Positions};
use giveway::{Agent, NodeId, SpaceGraph};
use petgraph::graph::DiGraph;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// A kind of map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorldKind {
    /// 32 x 32 cells, a fifth of them walls at random.
    Scattered,
    /// 31 x 31 cells of corridors one cell wide: a maze, with an eighth of its inner walls broken through.
    Maze,
}

impl WorldKind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scattered => "scattered",
            Self::Maze => "maze",
        }
    }

    /// The map number `seed`.
    pub fn grid(self, seed: u64) -> Grid {
        let mut random = random(seed);
        let free = match self {
            Self::Scattered => (0..32 * 32).map(|_| !random.random_ratio(1, 5)).collect(),
            Self::Maze => maze(31, &mut random),
        };
        let side = if self == Self::Scattered { 32 } else { 31 };
        Grid::from_fn(side, side, |x, y| free[(y * side + x) as usize]).expect("small enough")
    }
}

/// The generator for `seed`.
pub fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::new(u128::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) | 1)
}

/// The cells of the largest part of `grid` in which one can go from everywhere to everywhere.
pub fn largest_part(grid: &Grid) -> Vec<NodeId> {
    let nodes =
        || (0..u32::try_from(grid.node_bound()).expect("small")).map(NodeId).filter(|node| grid.contains(*node));
    let mut seen = vec![false; grid.node_bound()];
    let mut largest = Vec::new();
    for begin in nodes() {
        if std::mem::replace(&mut seen[begin.index()], true) {
            continue;
        }
        let mut part = vec![begin];
        let mut next = 0;
        while let Some(node) = part.get(next).copied() {
            next += 1;
            for m in grid.moves(node) {
                if !std::mem::replace(&mut seen[m.to.index()], true) {
                    part.push(m.to);
                }
            }
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest.sort_unstable();
    largest
}

/// A town: `side` x `side` crossings near the points of a lattice, and streets between neighbours. A tenth of the
/// streets is missing, and a fifth is driven one way. Costs are lengths, in thousandths, and streets wind: they are up
/// to a third longer than the straight line.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small numbers"
)]
pub fn roads(side: u32, seed: u64) -> FnSpace<u32, Positions> {
    let mut random = random(seed);
    let at: Vec<[f32; 2]> = (0..side * side)
        .map(|node| [node % side, node / side].map(|line| line as f32 + random.random_range(-0.4..0.4)))
        .collect();
    let mut streets: Vec<Vec<(u32, u32)>> = vec![Vec::new(); at.len()];
    for node in 0..side * side {
        let east = (node % side + 1 < side).then_some(node + 1);
        let south = (node / side + 1 < side).then_some(node + side);
        for other in [east, south].into_iter().flatten() {
            let ([a, b], [c, d]) = (at[node as usize], at[other as usize]);
            let length = ((a - c) * (a - c) + (b - d) * (b - d)).sqrt() * random.random_range(1.0..1.33);
            let cost = (length * 1000.0).ceil() as u32;
            if random.random_ratio(1, 10) {
                continue;
            }
            let ways = random.random_range(0..10);
            if ways != 0 {
                streets[node as usize].push((other, cost));
            }
            if ways != 1 {
                streets[other as usize].push((node, cost));
            }
        }
    }
    let town = FnSpace::new(side * side, |node| streets[node as usize].clone()).expect("they exist");
    town.with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0]).expect("finite")
}

/// So many agents, each with a start and a goal of its own among `places`.
pub fn agents(places: &[NodeId], count: usize, seed: u64) -> Vec<Agent> {
    let mut random = random(seed ^ 0x5EED);
    let (mut starts, mut goals) = (places.to_vec(), places.to_vec());
    starts.shuffle(&mut random);
    goals.shuffle(&mut random);
    starts.into_iter().zip(goals).take(count).map(|(start, goal)| Agent::new(start, goal)).collect()
}

/// So many agents on an open grid of `side` x `side` cells, with starts and goals on every fourth row and column, so
/// that units of three cells have room.
pub fn agents_apart(side: u32, count: usize) -> Vec<Agent> {
    let mut random = random(7);
    let mut spots = || {
        let inner = (2..side - 3).step_by(4);
        let mut spots: Vec<u32> = inner.clone().flat_map(|y| inner.clone().map(move |x| y * side + x)).collect();
        spots.shuffle(&mut random);
        spots.into_iter().map(NodeId)
    };
    spots().zip(spots()).take(count).map(|(start, goal)| Agent::new(start, goal)).collect()
}

/// `grid` as a graph, with its moves in their order.
pub fn graph(grid: &Grid) -> DiGraph<(), u32> {
    let mut graph = DiGraph::new();
    for _ in grid.nodes() {
        graph.add_node(());
    }
    graph.extend_with_edges(grid.nodes().flat_map(|node| grid.moves(node).map(|m| (m.from.0, m.to.0, m.cost))));
    graph
}

/// A maze by depth-first search, `side` cells wide, which must be odd; with loops.
fn maze(side: usize, random: &mut Pcg64Mcg) -> Vec<bool> {
    let mut free = vec![false; side * side];
    let mut path: Vec<(usize, usize)> = vec![(1, 1)];
    free[side + 1] = true;
    while let Some((x, y)) = path.last().copied() {
        let mut ways = [(2, 0), (0, 2), (-2, 0), (0, -2)];
        ways.shuffle(random);
        let next = ways.into_iter().find_map(|(dx, dy): (isize, isize)| {
            let (to_x, to_y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
            let inside = to_x < side && to_y < side && !free[to_y * side + to_x];
            inside.then(|| ((to_x, to_y), (to_y + y) / 2 * side + usize::midpoint(to_x, x)))
        });
        match next {
            Some(((x, y), between)) => {
                free[between] = true;
                free[y * side + x] = true;
                path.push((x, y));
            }
            None => drop(path.pop()),
        }
    }
    for y in 1..side - 1 {
        for x in 1..side - 1 {
            if (x + y) % 2 == 1 && random.random_ratio(1, 8) {
                free[y * side + x] = true;
            }
        }
    }
    free
}
