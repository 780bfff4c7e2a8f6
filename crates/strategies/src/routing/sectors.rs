//! Sectors: a coarse map, on which the first step of a route is decided.
//!
//! After Sturtevant, "Memory-Efficient Abstractions for Pathfinding", AIIDE 2007.

use giveway_core::{
    Cost, Footprint, Fuel, Goals, Heuristic, Move, MoveIn, NoPath, NodeId, Observer, SpaceGraph, SpatialSearch,
    Suspended,
};
use num_traits::ToPrimitive;

use super::pace::{A_HAIR_BELOW, Pace, octile, offsets};
use super::terrain::Terrain;

/// Where a node of a space lies.
pub(super) type Position<S> = fn(&S, NodeId) -> [f32; 3];

/// The sector of nodes that do not exist.
const NONE: u32 = u32::MAX;

/// A space cut into squares of one size (cubes, if it has heights), and each square into its connected parts, the
/// sectors.
///
/// The sectors are a space of their own, numbered by their first nodes. A move leads from one sector to another
/// wherever a move of the space does. The move costs the octile distance between the mean positions of the two sectors,
/// in thousandths, rounded up.
#[derive(Clone, Debug)]
pub(super) struct Sectors {
    /// The revision of the space for which these sectors were computed.
    pub(super) revision: u64,
    /// By node.
    sector: Vec<u32>,
    sectors: Vec<Sector>,
    /// The least cost of distances in the space.
    pace: Pace,
}

#[derive(Clone, Debug)]
struct Sector {
    nodes: Goals,
    lowest: [f64; 3],
    highest: [f64; 3],
    mean: [f64; 3],
    /// The sectors to which moves lead from here, ascending.
    exits: Vec<u32>,
}

impl Sectors {
    /// The sectors of all nodes of `terrain`, in squares of `side` that begin at the origin. Moves within a square
    /// connect both ways. Takes time linear in the number of moves, except for sorting.
    pub(super) fn of<S, F, L>(terrain: &Terrain<'_, S, F, L>, side: u32, position: Position<S>) -> Self
    where
        S: SpaceGraph,
        F: Footprint<S>,
    {
        let Terrain { space, footprint, .. } = *terrain;
        let bound = u32::try_from(space.node_bound()).unwrap_or(NONE);
        let nodes = || (0..bound).map(NodeId).filter(|node| space.contains(*node));
        let moves = || {
            nodes()
                .flat_map(|node| space.moves(node))
                .filter(|m| m.to.0 < bound && space.contains(m.to) && footprint.duration(space, m).is_some())
        };
        let place = |node| position(space, node).map(f64::from);
        let square = |node| place(node).map(|coordinate| (coordinate / f64::from(side)).floor());

        let mut forest = Forest::new(bound);
        for m in moves() {
            if square(m.from) == square(m.to) {
                forest.join(m.from.0, m.to.0);
            }
        }
        let mut sector = vec![NONE; bound as usize];
        let mut members: Vec<Vec<NodeId>> = Vec::new();
        for node in nodes() {
            // The root is the smallest of its tree, so it comes first.
            let root = forest.root(node.0);
            if root == node.0 {
                sector[node.index()] = u32::try_from(members.len()).unwrap_or(NONE);
                members.push(Vec::new());
            }
            sector[node.index()] = sector[root as usize];
            members[sector[root as usize] as usize].push(node);
        }
        let mut sectors: Vec<Sector> = members.iter().map(|nodes| Sector::of(nodes, place)).collect();
        for m in moves() {
            let [from, to] = [m.from, m.to].map(|node| sector[node.index()]);
            if from != to {
                sectors[from as usize].exits.push(to);
            }
        }
        for sector in &mut sectors {
            sector.exits.sort_unstable();
            sector.exits.dedup();
        }
        let cost = |m: &MoveIn<S>| m.cost.to_f64().unwrap_or(0.0);
        let pace = Pace::of(|| moves().map(|m| (offsets(place(m.from), place(m.to)), cost(&m))));
        Self { revision: space.revision(), sector, sectors, pace }
    }

    /// The sector of `node`; `None`: there is no such node.
    pub(super) fn at(&self, node: NodeId) -> Option<NodeId> {
        self.sector.get(node.index()).copied().filter(|sector| *sector != NONE).map(NodeId)
    }

    /// The nodes of `sector`.
    pub(super) fn nodes(&self, sector: NodeId) -> &Goals {
        &self.sectors[sector.index()].nodes
    }

    /// A cheapest route over sectors, from the sector of `start` to the sector of the nearest of `goals`, both
    /// included.
    pub(super) fn way(
        &self,
        search: &mut SpatialSearch<u32, u64>,
        start: NodeId,
        goals: &Goals,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Vec<NodeId>, NoPath> {
        let start = self.at(start).ok_or(NoPath::Exhausted)?;
        let goals: Goals = goals.nodes().iter().filter_map(|goal| self.at(*goal)).collect();
        let mut heuristic = BetweenMeans(&goals);
        let route = search.find_with(self, start, &goals, &mut heuristic, fuel, observer)?;
        Ok(std::iter::once(start).chain(route.moves.iter().map(|m| m.to)).collect())
    }

    /// A lower bound on the cost to reach `sector`: the cost to the box around its nodes.
    pub(super) fn towards<S>(&self, sector: NodeId, position: Position<S>) -> ToSector<'_, S> {
        ToSector { sector: &self.sectors[sector.index()], pace: self.pace, position }
    }
}

impl Sector {
    /// The sector of `nodes`, at least one, without exits.
    fn of(nodes: &[NodeId], place: impl Fn(NodeId) -> [f64; 3]) -> Self {
        let mut sector = Self {
            nodes: nodes.iter().copied().collect(),
            lowest: [f64::INFINITY; 3],
            highest: [f64::NEG_INFINITY; 3],
            mean: [0.0; 3],
            exits: Vec::new(),
        };
        let mut count = 0.0;
        for node in nodes {
            count += 1.0;
            for (axis, coordinate) in place(*node).into_iter().enumerate() {
                sector.lowest[axis] = sector.lowest[axis].min(coordinate);
                sector.highest[axis] = sector.highest[axis].max(coordinate);
                sector.mean[axis] += coordinate;
            }
        }
        sector.mean = sector.mean.map(|sum| sum / count);
        sector
    }
}

impl SpaceGraph for Sectors {
    type Action = u32;
    type Cost = u64;

    fn node_bound(&self) -> usize {
        self.sectors.len()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, u64>> {
        let sector = self.sectors.get(from.index());
        sector.into_iter().flat_map(move |sector| {
            sector.exits.iter().map(move |exit| {
                let length = octile(offsets(sector.mean, self.sectors[*exit as usize].mean));
                #[allow(clippy::cast_possible_truncation)] // for the record only
                let shown = length as f32;
                Move {
                    from,
                    to: NodeId(*exit),
                    action: *exit,
                    cost: u64::floor((1000.0 * length).ceil()),
                    length: shown,
                }
            })
        })
    }
}

/// The distance from the mean of a sector to the nearest mean of a goal's sector.
struct BetweenMeans<'a>(&'a Goals);

impl Heuristic<Sectors> for BetweenMeans<'_> {
    fn estimate(&mut self, space: &Sectors, node: NodeId, _fuel: &mut Fuel) -> Result<Option<u64>, Suspended> {
        let mean = |sector: NodeId| space.sectors[sector.index()].mean;
        let to = |goal: &NodeId| u64::floor(1000.0 * octile(offsets(mean(node), mean(*goal))) * A_HAIR_BELOW);
        Ok(self.0.nodes().iter().map(to).min())
    }
}

/// The least cost to the box around the nodes of a sector. Consistent: a move cannot save more than it costs.
pub(super) struct ToSector<'a, S> {
    sector: &'a Sector,
    pace: Pace,
    position: Position<S>,
}

impl<S: SpaceGraph> Heuristic<S> for ToSector<'_, S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, _fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let Sector { lowest, highest, .. } = self.sector;
        let place = (self.position)(space, node).map(f64::from);
        let outside = [0, 1, 2].map(|axis| (lowest[axis] - place[axis]).max(place[axis] - highest[axis]).max(0.0));
        Ok(Some(S::Cost::floor(self.pace.least_cost(outside))))
    }
}

/// Disjoint sets of nodes, as trees; the root of a tree is its smallest node.
struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    fn new(nodes: u32) -> Self {
        Self { parents: (0..nodes).collect() }
    }

    fn root(&mut self, node: u32) -> u32 {
        let mut node = node;
        loop {
            let parent = self.parents[node as usize];
            if parent == node {
                return node;
            }
            let grandparent = self.parents[parent as usize];
            self.parents[node as usize] = grandparent;
            node = grandparent;
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}
