//! The heuristic of one agent: by a way, by a table, or for a while by a metric.

use std::sync::Arc;

use giveway_core::heuristic::Zero;
use giveway_core::{Cost, Fuel, Heuristic, NodeId, SpaceGraph, Suspended, may_begin};

use super::division::Division as _;
use super::way::{Last, Window};
use super::{Divided, Hierarchy};
use crate::true_distance::TrueDistance;

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
    pub(super) divided: Divided,
    /// The index of the way within the guide; `None`: there is none.
    pub(super) way: Option<usize>,
    /// Whether estimates come from a metric, because the work of this tick is used up.
    pub(super) by_metric: bool,
    pub(super) last: Last,
}

impl<S: SpaceGraph> OnWay<'_, S> {
    #[inline]
    fn known(&self, node: NodeId) -> Option<S::Cost> {
        self.known_in(&self.hierarchy.guides[self.guide].ways[self.way?].window, node)
    }

    /// About the least cost from `node` to a goal; `None`: `window` does not contain the node.
    #[inline]
    fn known_in(&self, window: &Window<S::Cost>, node: NodeId) -> Option<S::Cost> {
        match window {
            Window::Tiled { window, step } => {
                Some(step.times(window.steps(self.hierarchy.tiled.order.number(node), &self.last)?))
            }
            Window::Pieced(window) => window.cost(self.hierarchy.pieced.known_number(node)?, &self.last),
        }
    }

    /// Takes a way whose window contains `node`.
    pub(super) fn look_up(&mut self, node: NodeId) {
        let ways = &self.hierarchy.guides[self.guide].ways;
        let number = self.hierarchy.known_number(self.divided, node);
        self.way = number.and_then(|number| ways.iter().position(|way| way.cost(number, &self.last).is_some()));
    }

    /// The estimate for `node`. Finds a way from there if none is known.
    pub(super) fn reach(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        if self.hierarchy.guides[self.guide].by_table {
            return self.by_table(space, node, fuel);
        }
        if self.known(node).is_none() {
            self.look_up(node);
        }
        if self.hierarchy.can_buy_table(self.guide, self.way, fuel) {
            self.hierarchy.turn_to_table(self.guide, false);
            (self.way, self.by_metric) = (None, false);
            return self.by_table(space, node, fuel);
        }
        if !self.check_way(space) {
            self.look_up_valid(space, node);
        }
        if let Some((way, number)) = self.way.zip(self.hierarchy.known_number(self.divided, node)) {
            let (asked, guide) = (self.hierarchy.asked, self.guide);
            let known = &mut self.hierarchy.guides[guide].ways[way];
            known.asked = asked;
            if fuel.left() > 0 && !known.reaches_on_from(number, &self.last) {
                self.move_on(space, node, way, fuel);
            }
        }
        if self.way.is_none() {
            if !may_begin(space, node) || self.hierarchy.is_shut_in(space, self.guide, node) {
                return Ok(None);
            }
            match self.hierarchy.find_way(space, self.guide, node, fuel) {
                Ok(()) => self.look_up_valid(space, node),
                Err(_) if self.hierarchy.ration == 0 => {
                    self.by_metric = true;
                    return Ok(Some(self.metric(space, node)));
                }
                Err(why) => return Err(why),
            }
            if self.way.is_none() {
                if self.hierarchy.is_shut_in(space, self.guide, node) {
                    return Ok(None);
                }
                self.hierarchy.turn_to_table(self.guide, true);
            }
            if self.hierarchy.guides[self.guide].by_table {
                return self.by_table(space, node, fuel);
            }
        }
        Ok(self.known(node))
    }

    /// Takes a way whose window contains `node`, and that no edit has changed.
    fn look_up_valid(&mut self, space: &S, node: NodeId) {
        loop {
            self.look_up(node);
            if self.check_way(space) {
                return;
            }
        }
    }

    /// Gives up the way if an edit since it was found has changed its window. Returns `false` if so.
    fn check_way(&mut self, space: &S) -> bool {
        let Some(place) = self.way else { return true };
        let way = &self.hierarchy.guides[self.guide].ways[place];
        if way.revision == space.revision() {
            return true;
        }
        let is_as_before = match self.divided {
            Divided::ByTiles => self.hierarchy.tiled.is_as_before(space, way),
            Divided::ByPieces => self.hierarchy.pieced.is_as_before(space, way),
        };
        let ways = &mut self.hierarchy.guides[self.guide].ways;
        if is_as_before {
            ways[place].revision = space.revision();
        } else {
            self.hierarchy.used -= ways.remove(place).bytes();
            self.way = None;
        }
        is_as_before
    }

    /// Moves the window of `way` on to `node`. If the stops do not lead on from there, the way is given up.
    fn move_on(&mut self, space: &S, node: NodeId, way: usize, fuel: &mut Fuel) {
        let (hierarchy, index) = (&mut *self.hierarchy, self.guide);
        let moved = &hierarchy.guides[index].ways[way];
        let (stops, passed) = (Arc::clone(&moved.stops), moved.next);
        let window = hierarchy.window(space, index, &stops[passed..], node, fuel);
        let moved = &mut hierarchy.guides[index].ways[way];
        hierarchy.used -= moved.bytes();
        let Some((next, window)) = window else {
            hierarchy.guides[index].ways.remove(way);
            self.way = None;
            return;
        };
        (moved.next, moved.window, moved.origin) = (passed + next, window, node);
        hierarchy.used += moved.bytes();
    }

    fn by_table(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let Hierarchy { tables, guides, .. } = &mut *self.hierarchy;
        let Some((goals, _)) = guides.get_index(self.guide) else { return Ok(None) };
        tables.to(space, goals, self.origin).estimate(space, node, fuel)
    }

    /// About the least that a way from `node` costs if there are no walls.
    fn metric(&self, space: &S, node: NodeId) -> S::Cost {
        let Some((goals, _)) = self.hierarchy.guides.get_index(self.guide) else { return S::Cost::STEP.times(0) };
        match self.divided {
            Divided::ByTiles => self.hierarchy.tiled.metric(space, node, goals),
            Divided::ByPieces => self.hierarchy.pieced.metric(space, node, goals),
        }
    }
}

impl<S: SpaceGraph> Heuristic<S> for Guided<'_, S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match &mut self.0 {
            Kind::ByTable(distance) => distance.estimate(space, node, fuel),
            Kind::OnWay(way) if node == way.origin => way.reach(space, node, fuel),
            Kind::OnWay(way) if way.by_metric => Ok(Some(way.metric(space, node))),
            Kind::OnWay(way) => match way.known(node) {
                Some(known) => Ok(Some(known)),
                None => way.reach(space, node, fuel),
            },
        }
    }

    fn reach(&mut self, _space: &S, node: NodeId) -> Option<u32> {
        let Kind::OnWay(on_way) = &self.0 else { return None };
        let way = &on_way.hierarchy.guides[on_way.guide].ways[on_way.way?];
        way.moves_to_end(on_way.hierarchy.known_number(on_way.divided, node)?, &on_way.last)
    }

    fn begin(&mut self, _space: &S) -> impl Heuristic<S> {
        let mut searching = Searching { origin: NodeId(0), window: None, guided: self };
        searching.look_up_window();
        searching
    }
}

/// The heuristic during one search: it keeps its way until the search ends.
struct Searching<'g, 'a, S: SpaceGraph> {
    guided: &'g mut Guided<'a, S>,
    /// The agent's own node, if there is a window.
    origin: NodeId,
    /// The window of the way, so that most estimates need not look for it.
    window: Option<Window<S::Cost>>,
}

impl<S: SpaceGraph> Searching<'_, '_, S> {
    /// Notes in which window estimates are. Only a question about the agent's own node may change that.
    fn look_up_window(&mut self) {
        if let Kind::OnWay(on_way) = &self.guided.0 {
            let guide = &on_way.hierarchy.guides[on_way.guide];
            let way = on_way.way.filter(|_| !on_way.by_metric && !guide.by_table);
            self.origin = on_way.origin;
            self.window = way.map(|way| guide.ways[way].window.clone());
        }
    }

    /// The estimate for a node where no window has it.
    #[inline(never)]
    fn estimate_apart(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match &mut self.guided.0 {
            Kind::OnWay(way) if node != way.origin && !way.by_metric => {
                // Without a window there is no way.
                if way.hierarchy.guides[way.guide].by_table { way.by_table(space, node, fuel) } else { Ok(None) }
            }
            _ => {
                let estimate = self.guided.estimate(space, node, fuel);
                self.look_up_window();
                estimate
            }
        }
    }
}

impl<S: SpaceGraph> Heuristic<S> for Searching<'_, '_, S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        if let (Some(window), Kind::OnWay(way)) = (&self.window, &self.guided.0)
            && node != self.origin
        {
            return Ok(way.known_in(window, node));
        }
        self.estimate_apart(space, node, fuel)
    }

    fn reach(&mut self, space: &S, node: NodeId) -> Option<u32> {
        self.guided.reach(space, node)
    }
}
