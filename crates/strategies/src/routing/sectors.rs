//! Sectors: a coarse map, on which the first step of a route is decided.
//!
//! After Sturtevant, "Memory-Efficient Abstractions for Pathfinding", AIIDE 2007. `survey.rs` finds the sectors.

use giveway_core::{
    Cost, Fuel, Goals, Heuristic, Move, NoPath, NodeId, Observer, SpaceGraph, SpatialSearch, Suspended,
};

use super::pace::{A_HAIR_BELOW, Pace, octile, offsets};

/// Where a node of a space lies.
pub(super) type Position<S> = fn(&S, NodeId) -> [f32; 3];

/// The sector of nodes that do not exist.
pub(super) const NONE: u32 = u32::MAX;

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
    pub(super) sector: Vec<u32>,
    pub(super) sectors: Vec<Sector>,
    /// The least cost of distances in the space.
    pub(super) pace: Pace,
}

#[derive(Clone, Debug)]
pub(super) struct Sector {
    pub(super) nodes: Goals,
    pub(super) lowest: [f64; 3],
    pub(super) highest: [f64; 3],
    pub(super) mean: [f64; 3],
    /// The sectors to which moves lead from here, ascending.
    pub(super) exits: Vec<u32>,
}

impl Sectors {
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
