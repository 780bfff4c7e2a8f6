//! Spaces that are no grids: waypoints, roads, and a ring that is driven along its curve.

use std::f32::consts::TAU;

use giveway_core::{Embedding, Move, NodeId, SpaceGraph, Stretch, Trajectory};
use giveway_spaces::{FnSpace, GraphSpace, Positions};
use petgraph::graph::UnGraph;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Waypoints scattered over `size`, each linked to its nearest; if they are on two floors, the upper one is in the
/// east.
pub(super) fn waypoints(random: &mut Pcg64Mcg, size: [f32; 2], exact: bool, floors: bool) -> FnSpace<u32, Positions> {
    let mut at: Vec<[f32; 2]> = Vec::new();
    for _ in 0..200 {
        let point = size.map(|side| random.random_range(0.0..side - 1.0));
        if at.len() < 40 && at.iter().all(|other| distance(point, *other) > 1.2) {
            at.push(point);
        }
    }
    let count = u32::try_from(at.len()).expect("few");
    let mut links: Vec<(u32, u32)> = Vec::new();
    for one in 0..count {
        let mut others: Vec<u32> = (0..count).filter(|other| *other != one).collect();
        others.sort_by(|a, b| {
            distance(at[one as usize], at[*a as usize]).total_cmp(&distance(at[one as usize], at[*b as usize]))
        });
        links.extend(others.into_iter().take(3).flat_map(|other| [(one, other), (other, one)]));
    }
    links.sort_unstable();
    links.dedup();
    let space = FnSpace::new(count, |node| {
        let out = links.iter().filter(move |(from, _)| *from == node);
        out.map(|(from, to)| (*to, price(distance(at[*from as usize], at[*to as usize])))).collect::<Vec<_>>()
    });
    let space = space.expect("they exist").with_positions(|node| {
        let [x, y] = at[node as usize];
        [x, y, if floors && x > size[0] / 2.0 { 4.0 } else { 0.0 }]
    });
    let space = space.expect("they are finite");
    if exact {
        space
    } else {
        space.with_lengths(|m| rounded(distance(at[m.from.index()], at[m.to.index()]))).expect("finite")
    }
}

/// Roads between junctions that are not quite in rows.
pub(super) fn roads(random: &mut Pcg64Mcg, size: [f32; 2], exact: bool) -> GraphSpace<u32, Positions> {
    let [columns, rows] = size.map(|side| ((side - 1.0) / 3.0) as usize + 1);
    let mut graph: UnGraph<[f32; 2], f32> = UnGraph::new_undirected();
    for place in 0..columns * rows {
        let jitter = [0, 1].map(|_| random.random_range(0.0..0.8_f32));
        let at = [place % columns, place / columns].map(|side| side as f32 * 3.0);
        graph.add_node([at[0] + jitter[0], at[1] + jitter[1]]);
    }
    for place in 0..columns * rows {
        for (is_there, other) in
            [(place % columns + 1 < columns, place + 1), (place / columns + 1 < rows, place + columns)]
        {
            if is_there && random.random_ratio(9, 10) {
                let ends = [place, other].map(petgraph::graph::NodeIndex::new);
                let length = distance(graph[ends[0]], graph[ends[1]]);
                graph.add_edge(ends[0], ends[1], length);
            }
        }
    }
    let space = GraphSpace::new(&graph, |road| price(*road.weight())).expect("few");
    let space = space.with_positions(|junction| [graph[junction][0], graph[junction][1], 0.0]).expect("finite");
    if exact { space } else { space.with_lengths(|m| rounded(graph[m.action])).expect("finite") }
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

fn price(length: f32) -> u32 {
    (length * 1000.0) as u32
}

/// To halves: speeds are off by a little, and ticks may be coarse.
fn rounded(length: f32) -> f32 {
    ((length * 2.0).round() / 2.0).max(0.5)
}

/// A ring that is driven one way, along its curve, with spurs outwards where units turn round; a game's own space.
pub(super) struct Ring {
    middle: [f32; 2],
    radius: f32,
    count: u32,
    arc: Trajectory,
    /// The length that moves claim.
    length: f32,
}

impl Ring {
    pub(super) fn new(middle: [f32; 2], radius: f32, count: u32) -> Self {
        let exact = Self::exact(middle, radius, count);
        Self { length: rounded(exact.length), ..exact }
    }

    /// With moves as long as their arcs.
    pub(super) fn exact(middle: [f32; 2], radius: f32, count: u32) -> Self {
        let turn = TAU / count as f32;
        let arc = Trajectory::new(vec![Stretch { share: 1.0, length: radius * turn, turn }]);
        Self { middle, radius, count, arc, length: radius * turn }
    }
}

impl SpaceGraph for Ring {
    type Action = ();
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.count as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
        let to = NodeId((from.0 + 1) % self.count);
        let m = Move { from, to, action: (), cost: 1000, length: self.length };
        (from.0 < self.count).then_some(m).into_iter()
    }
}

impl Embedding for Ring {
    fn position(&self, node: NodeId) -> [f32; 3] {
        let angle = f64::from(TAU) * f64::from(node.0) / f64::from(self.count);
        let at = [angle.cos(), angle.sin()].map(|side| (side * f64::from(self.radius)) as f32);
        [self.middle[0] + at[0], self.middle[1] + at[1], 0.0]
    }

    fn heading(&self, node: NodeId) -> f32 {
        TAU * (node.0 as f32 / self.count as f32 + 0.25)
    }

    fn trajectory(&self, _: &Move<(), u32>) -> Option<&Trajectory> {
        Some(&self.arc)
    }
}
