//! The division of any space into connected pieces of up to 64 nodes.

mod atlas;
mod window;
mod written;

use std::sync::Arc;

use atlas::Atlas;
use giveway_core::{Cost, Fuel, Goals, NodeId, SpaceGraph, Suspended};
use num_traits::{ToPrimitive as _, Zero as _};
pub(super) use window::Window;
use window::WindowSearch;

use super::division::Division;
use super::route::{Found, Link, RouteSearch, SectorGraph, Stop};
use super::way::{self, AHEAD, Way};
use crate::predecessors::{Predecessors, PredecessorsIn};

/// The position of a node.
pub(super) type Position<S> = fn(&S, NodeId) -> [f32; 3];

/// The pieces of a space. The number of a node is 64 * piece + its place in the piece. Lengths of routes are in
/// the [`FINE`]th part of a usual move.
#[derive(Debug)]
pub(super) struct PieceDivision<S: SpaceGraph> {
    atlas: Atlas,
    windows: WindowSearch<S::Cost>,
    /// The moves into each node, and the revision of the space that they are of.
    predecessors: Option<(PredecessorsIn<S>, u64)>,
    /// `None`: nodes have no positions.
    pub(super) position: Option<Position<S>>,
    /// The headings of units; `None`: they are not known.
    pub(super) heading: Option<fn(&S, NodeId) -> f32>,
    /// About what a world unit costs at least.
    rate: f64,
    /// Whether all moves cost alike.
    is_uniform: bool,
    /// The goals of the route that is looked for that exist: their numbers, and their positions.
    goals: Vec<(usize, [f32; 3])>,
    /// All goals of that route.
    wanted: Goals,
}

/// The parts of a usual move in which lengths are counted.
const FINE: f64 = 8.0;

/// The units of work that may go into new ways at a tick, for each node.
const RATION: u64 = 1;
/// On [large](super::division::is_large) maps, where ways cost more.
const RATION_IN_LARGE: u64 = 2;

/// The nodes whose moves tell what a world unit costs.
const SAMPLES: usize = 256;

/// Spaces with more nodes are not divided: their pieces might have no numbers.
const MOST_NODES: usize = 1 << 25;

/// The unit of lengths: what it costs.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Unit(f64);

impl Unit {
    /// The length of a way that costs `cost`; at least 1 if it costs anything.
    fn length_of<C: Cost>(self, cost: C) -> u32 {
        let length = cost.to_f64().unwrap_or(0.0) / self.0;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        {
            length.ceil().min(1e9) as u32
        }
    }

    /// What a way of this length costs.
    fn cost_of<C: Cost>(self, length: u32) -> C {
        C::floor(f64::from(length) * self.0)
    }
}

/// The work of a table of a space of `bound` nodes, in units.
pub(super) fn table_work(bound: usize, is_uniform: bool) -> u64 {
    (bound / if is_uniform { 8 } else { 4 }) as u64
}

/// Whether all moves of `space` cost alike.
pub(super) fn is_uniform<S: SpaceGraph>(space: &S) -> bool {
    space.facts().uniform_cost.is_some()
}

fn straight(from: [f32; 3], to: [f32; 3]) -> f64 {
    let squares = from.into_iter().zip(to).map(|(from, to)| {
        let side = f64::from(from) - f64::from(to);
        side * side
    });
    squares.sum::<f64>().sqrt()
}

impl<S: SpaceGraph> Default for PieceDivision<S> {
    fn default() -> Self {
        Self {
            atlas: Atlas::default(),
            windows: WindowSearch::default(),
            predecessors: None,
            position: None,
            heading: None,
            rate: 0.0,
            is_uniform: false,
            goals: Vec::new(),
            wanted: std::iter::empty().collect(),
        }
    }
}

impl<S: SpaceGraph> PieceDivision<S> {
    /// A division of its own, with the pieces known so far.
    pub(super) fn fresh(&self) -> Self {
        let (atlas, windows) = (self.atlas.clone(), self.windows.fresh());
        let (goals, wanted) = (self.goals.clone(), self.wanted.clone());
        Self { atlas, windows, predecessors: self.predecessors.clone(), goals, wanted, ..*self }
    }

    /// Whether pieces are of use in `space`. Where units turn, a piece would cover few places.
    pub(super) fn can_divide(&self, space: &S) -> bool {
        let turns = |heading: fn(&S, NodeId) -> f32| Self::sample(space).any(|node| heading(space, node) != 0.0);
        space.node_bound() <= MOST_NODES && !self.heading.is_some_and(turns)
    }

    /// Some nodes of `space`, spread over the ids.
    fn sample(space: &S) -> impl Iterator<Item = NodeId> {
        // An odd stride meets all headings, where their number is a power of two. Steps over numbers are taken at once,
        // and steps over nodes one by one.
        let bound = u32::try_from(space.node_bound()).unwrap_or(u32::MAX);
        (0..bound).step_by((space.node_bound() / SAMPLES) | 1).map(NodeId)
    }

    /// The number of `node`, if its piece is known.
    #[inline]
    pub(super) fn known_number(&self, node: NodeId) -> Option<usize> {
        self.atlas.number(node)
    }

    /// The moves into the nodes of `space`, of its present revision.
    fn predecessors_in(&mut self, space: &S) -> PredecessorsIn<S> {
        let revision = space.revision();
        match &self.predecessors {
            Some((known, of)) if *of == revision => known.clone(),
            _ => self.predecessors.insert((Predecessors::from_space(space), revision)).0.clone(),
        }
    }

    /// The number of `node`, whose piece is found if it is not known.
    fn find_number(&mut self, space: &S, node: NodeId) -> usize {
        if let Some(known) = self.atlas.number(node) {
            return known;
        }
        let predecessors = self.predecessors_in(space);
        self.atlas.grow(space, &predecessors, self.position, node)
    }

    /// About what a world unit costs at least: the least of a sample of moves.
    fn rate_of(space: &S) -> f64 {
        let moves = Self::sample(space).flat_map(|node| space.moves(node));
        let lengthy = moves.filter(|m| m.length > 0.0);
        let rates = lengthy.map(|m| m.cost.to_f64().unwrap_or(0.0) / f64::from(m.length));
        Some(rates.fold(f64::INFINITY, f64::min)).filter(|rate| rate.is_finite()).unwrap_or(0.0)
    }

    /// The unit of lengths, by the mean cost of a sample of moves.
    fn unit_of(space: &S) -> Unit {
        let costs = Self::sample(space).flat_map(|node| space.moves(node)).filter_map(|m| m.cost.to_f64());
        let (sum, count) = costs
            .filter(|cost| cost.is_finite() && *cost > 0.0)
            .fold((0.0, 0.0), |(sum, count), cost| (sum + cost, count + 1.0));
        let mean = if count > 0.0 { sum / count } else { S::Cost::STEP.to_f64().unwrap_or(1.0) };
        Unit(mean / FINE)
    }

    /// Forgets the moves into the nodes, because the next question is about another space.
    pub(super) fn forget_moves(&mut self) {
        self.predecessors = None;
    }

    fn graph<'a>(&'a mut self, space: &'a S, predecessors: &'a PredecessorsIn<S>) -> PieceGraph<'a, S> {
        let rate = self.rate / self.atlas.unit().0;
        PieceGraph { atlas: &mut self.atlas, goals: &self.goals, position: self.position, rate, space, predecessors }
    }
}

/// The pieces of a space, for a search for a route.
struct PieceGraph<'a, S: SpaceGraph> {
    atlas: &'a mut Atlas,
    goals: &'a [(usize, [f32; 3])],
    position: Option<Position<S>>,
    /// About how long a way of a world unit is at least.
    rate: f64,
    space: &'a S,
    predecessors: &'a PredecessorsIn<S>,
}

impl<S: SpaceGraph> SectorGraph for PieceGraph<'_, S> {
    fn is_large(&self) -> bool {
        self.atlas.is_large()
    }

    fn len(&self) -> usize {
        self.atlas.pieces()
    }

    fn size(&self) -> usize {
        self.atlas.pieces().max(self.atlas.bound() / 64)
    }

    fn links(&mut self, sector: u32) -> &[Link] {
        self.atlas.links(self.space, self.predecessors, self.position, sector)
    }

    fn centre(&self, sector: u32) -> u32 {
        self.atlas.centre(sector)
    }

    fn left(&self, sector: u32) -> u32 {
        let Some(position) = self.position else { return 0 };
        let here = position(self.space, self.atlas.node(self.atlas.centre(sector)));
        let nearest = self.goals.iter().map(|(_, goal)| straight(here, *goal)).fold(f64::INFINITY, f64::min);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        {
            (nearest * self.rate).min(1e9) as u32
        }
    }

    fn has_goal(&self, sector: u32) -> bool {
        self.goals.iter().any(|(number, _)| number / 64 == sector as usize)
    }

    fn goals(&mut self) -> Vec<u32> {
        self.goals.iter().filter_map(|(number, _)| u32::try_from(number / 64).ok()).collect()
    }

    fn is_whole(&self, sector: u32) -> bool {
        self.atlas.is_whole(sector)
    }

    fn is_two_way(&self) -> bool {
        false
    }

    fn owed(&mut self) -> u64 {
        self.atlas.take_work()
    }
}

impl<S: SpaceGraph> Division<S> for PieceDivision<S> {
    fn size(&self) -> usize {
        self.atlas.bound() / 64
    }

    fn ration(&self) -> u64 {
        let of_node = if self.atlas.is_large() { RATION_IN_LARGE } else { RATION };
        of_node * self.atlas.bound() as u64
    }

    fn table_work(&self) -> u64 {
        table_work(self.atlas.bound(), self.is_uniform)
    }

    fn fits(&self, space: &S) -> bool {
        self.atlas.bound() == space.node_bound()
    }

    fn reset(&mut self, space: &S) {
        self.atlas.reset(space.node_bound(), Self::unit_of(space));
        self.is_uniform = is_uniform(space);
        self.rate = if self.position.is_some() { Self::rate_of(space) } else { 0.0 };
    }

    fn forget(&mut self, space: &S, nodes: &[NodeId], routes: &mut RouteSearch) -> bool {
        // Moves may have become shorter.
        let mut is_met = !routes.landmarks.are_none();
        routes.landmarks.clear();
        let predecessors = self.predecessors_in(space);
        let Self { atlas, goals, wanted, .. } = self;
        for node in nodes {
            is_met |= wanted.contains(*node);
            let mut forget = |node: NodeId| {
                if let Some(piece) = atlas.forget(node) {
                    is_met |= routes.has_reached(piece) || goals.iter().any(|(goal, _)| goal / 64 == piece as usize);
                }
            };
            forget(*node);
            space.moves(*node).for_each(|m| forget(m.to));
            predecessors.for_each_move_into(space, *node, |m| forget(m.from));
        }
        is_met
    }

    fn is_stale(&self) -> bool {
        self.atlas.is_stale()
    }

    fn sectors(&self) -> usize {
        self.atlas.pieces()
    }

    fn number(&mut self, space: &S, node: NodeId) -> usize {
        self.find_number(space, node)
    }

    fn sector(&mut self, _space: &S, number: usize) -> Option<u32> {
        u32::try_from(number / 64).ok()
    }

    fn begin_route(&mut self, space: &S, routes: &mut RouteSearch, origin: usize, goals: &Goals) {
        self.goals.clear();
        self.wanted = goals.clone();
        for goal in goals.nodes().iter().filter(|goal| space.contains(**goal)) {
            let number = self.find_number(space, *goal);
            let position = self.position.map_or([0.0; 3], |position| position(space, *goal));
            self.goals.push((number, position));
        }
        let start = u32::try_from(origin / 64).ok();
        let start = start.filter(|start| !self.goals.is_empty() && (*start as usize) < self.atlas.pieces());
        let predecessors = self.predecessors_in(space);
        routes.begin(&mut self.graph(space, &predecessors), start);
    }

    fn advance(&mut self, space: &S, routes: &mut RouteSearch, fuel: &mut Fuel) -> Result<Found, Suspended> {
        let predecessors = self.predecessors_in(space);
        routes.advance(&mut self.graph(space, &predecessors), fuel)
    }

    fn come_as_far(&mut self, space: &S, routes: &mut RouteSearch, popped: u64) -> bool {
        let predecessors = self.predecessors_in(space);
        routes.come_as_far(&mut self.graph(space, &predecessors), popped)
    }

    fn find_landmark_as_far(&mut self, space: &S, routes: &mut RouteSearch, next: u32, popped: u64) -> bool {
        let predecessors = self.predecessors_in(space);
        routes.landmarks.come_as_far(&mut self.graph(space, &predecessors), next, popped)
    }

    fn window(
        &mut self,
        space: &S,
        stops: &[Stop],
        origin: usize,
        goals: &Goals,
    ) -> Option<(usize, way::Window<S::Cost>)> {
        let predecessors = self.predecessors_in(space);
        let here = u32::try_from(origin / 64).ok().filter(|here| !self.atlas.is_gone(*here))?;
        let piece = |stop: &Stop| stop.centre / 64;
        let on_route = stops.iter().rposition(|stop| piece(stop) == here);
        let next = match on_route {
            Some(next) => next,
            None => {
                let links = self.atlas.links(space, &predecessors, self.position, here);
                stops.iter().rposition(|stop| links.iter().any(|link| link.to == piece(stop)))?
            }
        };
        let stops = &stops[next..];
        // The last piece has the goals, so no window ends just before it.
        let (ahead, beyond) =
            if stops.len() <= AHEAD + 2 { (stops, None) } else { (&stops[..=AHEAD], stops.get(AHEAD + 1)) };
        if ahead.iter().chain(beyond).any(|stop| self.atlas.is_gone(piece(stop))) {
            return None;
        }
        for piece in std::iter::once(here).chain(ahead.iter().map(piece)) {
            self.windows.allow(piece);
            for link in self.atlas.links(space, &predecessors, self.position, piece) {
                self.windows.allow(link.to);
            }
        }
        match beyond {
            None => {
                for goal in goals.nodes().iter().filter(|goal| space.contains(**goal)) {
                    let number = self.find_number(space, *goal);
                    self.windows.end_on(number, S::Cost::zero());
                }
            }
            Some(stop) => {
                // To the centre of the piece beyond, from wherever it is entered: its border with the last piece may be
                // narrow, and all would crowd there.
                self.windows.allow(piece(stop));
                for (number, to_centre) in self.atlas.to_centre(piece(stop)) {
                    self.windows.end_on(number, self.atlas.unit().cost_of(to_centre));
                }
            }
        }
        let beyond = beyond.map(|stop| self.atlas.unit().cost_of(stop.to_go));
        let window = self.windows.find(space, &predecessors, &self.atlas, origin, beyond)?;
        Some((next, way::Window::Pieced(Arc::new(window))))
    }

    fn is_as_before(&self, _space: &S, way: &Way<S::Cost>) -> bool {
        match &way.window {
            way::Window::Pieced(window) => window.pieces().iter().all(|piece| !self.atlas.is_gone(*piece)),
            way::Window::Tiled { .. } => false,
        }
    }

    fn metric(&self, space: &S, node: NodeId, goals: &Goals) -> S::Cost {
        let Some(position) = self.position else { return S::Cost::zero() };
        let here = position(space, node);
        let distances = goals.nodes().iter().map(|goal| straight(here, position(space, *goal)));
        let least = distances.fold(f64::INFINITY, f64::min);
        S::Cost::floor(if least.is_finite() { least * self.rate } else { 0.0 })
    }

    fn take_work(&mut self) -> u64 {
        self.windows.take_work(self.atlas.is_large()) + self.atlas.take_work()
    }
}
