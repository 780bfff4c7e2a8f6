//! The heuristic of one agent: by a way, by a table, or for a while by a metric.

use super::{Hierarchy, cell_of, tile_of};
use crate::distance::metric::Zero;
use crate::distance::true_distance::TrueDistance;
use crate::estimate::Heuristic;
use crate::graph::origins::{Origins, TileOrder, Tiles};
use crate::space::SpaceGraph;
use crate::vocabulary::{Cost, Edits, Fuel, NodeId, Suspended};

/// The heuristic that a [`Hierarchy`] gives to one agent.
#[derive(Debug)]
pub struct Guided<'a, S: SpaceGraph>(pub(super) Kind<'a, S>);

impl<'a, S: SpaceGraph> Guided<'a, S> {
    pub(super) fn by_table(distance: TrueDistance<'a, S, Zero>) -> Self {
        Self(Kind::ByTable(distance))
    }
}

#[derive(Debug)]
pub(super) enum Kind<'a, S: SpaceGraph> {
    ByTable(TrueDistance<'a, S, Zero>),
    OnWay(OnWay<'a, S>),
}

#[derive(Debug)]
pub(super) struct OnWay<'a, S: SpaceGraph> {
    pub(super) hierarchy: &'a mut Hierarchy<S>,
    pub(super) guide: usize,
    pub(super) origin: NodeId,
    pub(super) order: TileOrder,
    pub(super) cost: S::Cost,
    /// The index of the way within the guide; `None`: there is none.
    pub(super) way: Option<usize>,
    /// Whether estimates come from a metric, because the work of this tick is used up.
    pub(super) by_metric: bool,
}

impl<S: SpaceGraph> OnWay<'_, S> {
    #[inline]
    fn known(&self, number: usize) -> Option<S::Cost> {
        let guide = &self.hierarchy.guides[self.guide];
        Some(self.cost.times(guide.ways[self.way?].steps(number)?))
    }

    /// Takes a way whose window contains the node with the `number`.
    pub(super) fn look_up(&mut self, number: usize) {
        let ways = &self.hierarchy.guides[self.guide].ways;
        self.way = ways.iter().position(|way| way.steps(number).is_some());
    }

    /// The estimate for `node`. Finds a way from there if none is known.
    pub(super) fn reach(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let number = self.order.number(node);
        if self.hierarchy.guides[self.guide].by_table {
            return self.by_table(space, node, fuel);
        }
        if self.known(number).is_none() {
            self.look_up(number);
        }
        let facts = space.facts();
        let Some(tiles) = facts.origins.and_then(Origins::tiles) else { return self.by_table(space, node, fuel) };
        self.check_way(space, tiles);
        let has_fuel = fuel.left() > 0 && self.hierarchy.ration > 0;
        if let Some(way) = self.way {
            let (asked, guide) = (self.hierarchy.asked, self.guide);
            self.hierarchy.guides[guide].ways[way].asked = asked;
            if has_fuel && !self.hierarchy.guides[guide].ways[way].reaches_on_from(number) {
                self.move_on(tiles, number, way, fuel);
            }
        }
        if self.way.is_none() {
            if !space.contains(node) {
                return Ok(None);
            }
            match self.hierarchy.find_way(space, tiles, self.guide, number, fuel) {
                Ok(()) => self.look_up(number),
                Err(_) if self.hierarchy.ration == 0 => {
                    self.by_metric = true;
                    return Ok(Some(self.metric(space, node)));
                }
                Err(why) => return Err(why),
            }
            if self.way.is_none() {
                self.hierarchy.turn_to_table(self.guide, true);
            }
            if self.hierarchy.guides[self.guide].by_table {
                return self.by_table(space, node, fuel);
            }
        }
        Ok(self.known(number))
    }

    /// Gives up the way if an edit since it was found has changed its window.
    fn check_way(&mut self, space: &S, tiles: Tiles<'_>) {
        let Some(place) = self.way else { return };
        let Hierarchy { guides, used, .. } = &mut *self.hierarchy;
        let ways = &mut guides[self.guide].ways;
        let way = &mut ways[place];
        if way.revision == space.revision() {
            return;
        }
        let shift = tiles.shift();
        let is_as_before = match space.edits_since(way.revision) {
            Edits::All => false,
            Edits::Nodes(nodes) => {
                let boards = nodes.iter().flat_map(|node| {
                    let tile = tile_of(tiles, *node);
                    (0..1 << shift).map(move |heading| (tile << shift) + heading)
                });
                !way.meets(boards)
            }
        };
        if is_as_before {
            way.revision = space.revision();
        } else {
            *used -= ways.swap_remove(place).bytes();
            self.way = None;
        }
    }

    /// Moves the window of `way` on.
    fn move_on(&mut self, tiles: Tiles<'_>, number: usize, way: usize, fuel: &mut Fuel) {
        let (hierarchy, index) = (&mut *self.hierarchy, self.guide);
        let mut moved = hierarchy.guides[index].ways.swap_remove(way);
        hierarchy.used -= moved.bytes();
        self.way = None;
        if hierarchy.on_ground(tiles, index, fuel, |ground| moved.renew(number, ground)) {
            hierarchy.used += moved.bytes();
            let ways = &mut hierarchy.guides[index].ways;
            self.way = Some(ways.len());
            ways.push(moved);
        }
    }

    fn by_table(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let Hierarchy { tables, guides, .. } = &mut *self.hierarchy;
        let Some((goals, _)) = guides.get_index(self.guide) else { return Ok(None) };
        tables.to(space, goals, self.origin).estimate(space, node, fuel)
    }

    /// The least that a way from `node` costs if there are no walls.
    fn metric(&self, space: &S, node: NodeId) -> S::Cost {
        let Some(tiles) = space.facts().origins.and_then(Origins::tiles) else { return self.cost.times(0) };
        let Some((goals, _)) = self.hierarchy.guides.get_index(self.guide) else { return self.cost.times(0) };
        let from = cell_of(tiles, self.order.number(node));
        let steps =
            goals.nodes().iter().map(|goal| tiles.steps_between(from, cell_of(tiles, self.order.number(*goal))));
        self.cost.times(steps.min().unwrap_or(0))
    }
}

impl<S: SpaceGraph> Heuristic<S> for Guided<'_, S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match &mut self.0 {
            Kind::ByTable(distance) => distance.estimate(space, node, fuel),
            Kind::OnWay(way) if node == way.origin => way.reach(space, node, fuel),
            Kind::OnWay(way) if way.by_metric => Ok(Some(way.metric(space, node))),
            Kind::OnWay(way) => match way.known(way.order.number(node)) {
                Some(known) => Ok(Some(known)),
                None => way.reach(space, node, fuel),
            },
        }
    }

    fn begin(&mut self, _space: &S) -> impl Heuristic<S> {
        Searching(self)
    }
}

/// The heuristic during one search: it keeps its way until the search ends.
struct Searching<'g, 'a, S: SpaceGraph>(&'g mut Guided<'a, S>);

impl<S: SpaceGraph> Heuristic<S> for Searching<'_, '_, S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match &mut self.0.0 {
            Kind::OnWay(way) if node != way.origin && !way.by_metric => {
                if way.hierarchy.guides[way.guide].by_table {
                    return way.by_table(space, node, fuel);
                }
                Ok(way.known(way.order.number(node)))
            }
            _ => self.0.estimate(space, node, fuel),
        }
    }
}
