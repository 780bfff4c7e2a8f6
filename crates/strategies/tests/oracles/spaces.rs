//! Random spaces: grids of every kind, and roads without any order; and which of their ways meet.

use giveway_core::heuristic::Octile;
use giveway_core::{Embedding, Facts, Move, NodeId, SpaceGraph};
use giveway_spaces::{Connectivity, CornerCutting, Grid};
use proptest::prelude::*;
use proptest::sample::select;

use crate::oracles::Ends;
use crate::world::Price;

/// Places joined by one-way roads of any price, some of them parallel, some of them leading back to where they begin.
#[derive(Clone, Debug)]
pub(crate) struct Roads<C> {
    roads: Vec<Vec<Move<u32, C>>>,
    positions: Vec<[f32; 3]>,
}

impl<C: Price> Roads<C> {
    /// From plain data: positions, and roads as (from, to, price in thousandths of a step).
    pub(crate) fn new(plain: &PlainRoads) -> Self {
        let nodes = plain.positions.len();
        let mut roads: Vec<Vec<Move<u32, C>>> = vec![Vec::new(); nodes];
        for ((from, to, price), action) in plain.roads.iter().zip(0..) {
            let (from, to) = (from % nodes, to % nodes);
            roads[from].push(Move {
                from: NodeId(u32::try_from(from).unwrap()),
                to: NodeId(u32::try_from(to).unwrap()),
                action,
                cost: C::thousandths(*price),
                // 0.4 to 2 units of length.
                length: f32::from(u8::try_from(action % 5).unwrap() + 1) * 0.4,
            });
        }
        Self { roads, positions: plain.positions.clone() }
    }
}

impl<C: Price> SpaceGraph for Roads<C> {
    type Action = u32;
    type Cost = C;

    fn node_bound(&self) -> usize {
        self.roads.len()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, C>> {
        self.roads.get(from.index()).into_iter().flatten().copied()
    }

    fn facts(&self) -> Facts<'_, C> {
        let mut costs = self.roads.iter().flatten().map(|m| m.cost);
        let first = costs.next();
        Facts { uniform_cost: first.filter(|first| costs.all(|cost| cost == *first)), ..Facts::NONE }
    }
}

impl<C: Price> Embedding for Roads<C> {
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.positions[node.index()]
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PlainRoads {
    positions: Vec<[f32; 3]>,
    /// From, to, and the price in thousandths of a step.
    pub(crate) roads: Vec<(usize, usize, u32)>,
}

pub(crate) fn plain_roads() -> impl Strategy<Value = PlainRoads> {
    let coordinate = || (-40_i8..40).prop_map(|tenths| f32::from(tenths) / 10.0);
    let position = (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| [x, y, z]);
    let price = select(vec![0, 1, 300, 999, 1000, 1000, 1414, 2000, 3141, 7000]);
    // On some maps all roads cost the same.
    let uniform = prop::option::weighted(0.3, Just(1000_u32));
    (
        proptest::collection::vec(position, 2..7),
        proptest::collection::vec((0_usize..7, 0_usize..7, price), 0..18),
        uniform,
    )
        .prop_map(|(positions, mut roads, uniform)| {
            for (_, _, price) in &mut roads {
                *price = uniform.unwrap_or(*price);
            }
            PlainRoads { positions, roads }
        })
}

/// Grids up to a given number of columns and rows, a quarter of the cells walls; some grids have terrain.
pub(crate) fn grids(most: u32, connectivity: Connectivity, terrain: bool) -> impl Strategy<Value = Grid> {
    let corners = select(vec![CornerCutting::Never, CornerCutting::OneFree, CornerCutting::Always]);
    let cells = most as usize * most as usize;
    (
        1..=most,
        1..=most,
        proptest::collection::vec(prop::bool::weighted(0.75), cells),
        proptest::collection::vec(select(vec![1_u32, 1, 1, 2, 5]), cells),
        corners,
    )
        .prop_map(move |(width, height, free, weights, corners)| {
            let at = |x: u32, y: u32| (y * most + x) as usize;
            // There is always somewhere to be.
            let grid = Grid::from_fn(width, height, |x, y| free[at(x, y)] || (x, y) == (0, 0)).unwrap();
            let grid = grid.with_connectivity(connectivity).with_corner_cutting(corners);
            if terrain { grid.with_terrain(|x, y| weights[at(x, y)]).unwrap() } else { grid }
        })
}

/// Any grid: four neighbours or eight, plain or with terrain.
pub(crate) fn any_grid(most: u32) -> impl Strategy<Value = Grid> {
    prop_oneof![
        2 => grids(most, Connectivity::Four, false),
        1 => grids(most, Connectivity::Four, true),
        2 => grids(most, Connectivity::Eight, false),
        1 => grids(most, Connectivity::Eight, true),
    ]
}

/// The `choice`-th node that exists.
pub(crate) fn pick(space: &impl SpaceGraph, choice: usize) -> NodeId {
    let nodes: Vec<NodeId> = nodes(space).filter(|node| space.contains(*node)).collect();
    nodes[choice % nodes.len()]
}

pub(crate) fn nodes<S: SpaceGraph>(space: &S) -> impl Iterator<Item = NodeId> + use<S> {
    (0..).map(NodeId).take(space.node_bound())
}

/// Ways of a grid meet if their middles are one point.
pub(crate) fn meet_on(grid: &Grid) -> impl Fn(Ends, Ends) -> bool {
    move |a, b| {
        let middle = |[from, to]: Ends| {
            let ((x, y), (u, v)) = (grid.xy(from), grid.xy(to));
            (x + u, y + v)
        };
        middle(a) == middle(b)
    }
}

/// Roads meet if they join the same places.
pub(crate) fn meet_head_on([a, b]: Ends, [c, d]: Ends) -> bool {
    [a, b] == [d, c]
}

/// A metric for any way to walk on `grid`.
pub(crate) fn metric<C: Price>(grid: &Grid) -> Octile<C> {
    let diagonal = match grid.connectivity() {
        Connectivity::Four => 2000,
        Connectivity::Eight => 1414,
    };
    Octile { step: C::STEP, diagonal: C::thousandths(diagonal) }
}
