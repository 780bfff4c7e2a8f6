//! Itineraries: the route that an agent follows, and repairs.

mod written;

use giveway_core::{Digest, NodeId};

use crate::leg::Leg;

/// The route of an agent, and how often it had to be repaired since the agent set out. Few agents have one.
#[derive(Clone, Debug, Default)]
pub struct Itinerary(Option<Box<Route>>);

#[derive(Clone, Debug, Default)]
struct Route {
    /// Its moves, regardless of when they begin.
    moves: Vec<Leg>,
    /// The first move that is not made yet.
    next: usize,
    /// Whether that move was to begin when the agent last looked around.
    begun: bool,
    agitation: u32,
}

impl Itinerary {
    /// Adds the route that is left to `digest`.
    #[inline]
    pub(super) fn feed(&self, digest: &mut Digest) {
        if let Some(Route { begun, agitation, .. }) = self.0.as_deref() {
            digest.pair(*agitation, u32::from(*begun));
            digest.word(self.left().len() as u64);
            self.left().iter().for_each(|leg| leg.feed(digest));
        }
    }

    /// Drops the move that has brought the agent to `node`. If the execution guard stopped that move, returns where it
    /// led: an agent without reservations is in the way.
    #[inline]
    pub fn look_back(&mut self, node: NodeId) -> Option<NodeId> {
        let route = self.0.as_mut()?;
        let last = route.moves.get(route.next).copied();
        let last = last.filter(|_| std::mem::take(&mut route.begun))?;
        if last.to == node {
            route.next += 1;
        }
        (last.from == node && last.to != node).then_some(last.to)
    }

    /// The next move from `node`; `None`: there is no route, or it does not lead through `node`.
    #[inline]
    pub fn ahead(&self, node: NodeId) -> Option<Leg> {
        self.left().first().copied().filter(|leg| leg.from == node)
    }

    /// The moves of the route that are not made yet.
    #[inline]
    pub fn left(&self) -> &[Leg] {
        self.0.as_ref().and_then(|route| route.moves.get(route.next..)).unwrap_or_default()
    }

    /// Notes that the next move is to begin now.
    #[inline]
    pub fn begin_step(&mut self) {
        self.0.get_or_insert_default().begun = true;
    }

    /// Notes that the route had to be repaired once more.
    #[inline]
    pub fn agitate(&mut self) {
        let agitation = &mut self.0.get_or_insert_default().agitation;
        *agitation = agitation.saturating_add(1);
    }

    #[inline]
    pub fn agitation(&self) -> u32 {
        self.0.as_ref().map_or(0, |route| route.agitation)
    }

    /// Makes the agent follow `route` from here.
    #[inline]
    pub fn set_route(&mut self, route: Vec<Leg>) {
        let mine = self.0.get_or_insert_default();
        (mine.moves, mine.next) = (route, 0);
    }
}
