//! Itineraries: the route that an agent follows, and repairs.

use giveway_core::NodeId;

use crate::leg::Leg;

/// The route of an agent, and how often it had to be repaired since the agent set out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Itinerary {
    /// Its moves, regardless of when they begin.
    route: Vec<Leg>,
    /// The first move that is not made yet.
    next: usize,
    /// Whether that move was to begin when the agent last looked around.
    begun: bool,
    agitation: u32,
}

impl Itinerary {
    /// Drops the move that has brought the agent to `node`. If the execution guard stopped that move, returns where it
    /// led: an agent without reservations is in the way.
    pub(crate) fn look_back(&mut self, node: NodeId) -> Option<NodeId> {
        let last = self.route.get(self.next).copied();
        let last = last.filter(|_| std::mem::take(&mut self.begun))?;
        if last.to == node {
            self.next += 1;
        }
        (last.from == node && last.to != node).then_some(last.to)
    }

    /// The next move from `node`; `None`: there is no route, or it does not lead through `node`.
    pub(crate) fn ahead(&self, node: NodeId) -> Option<Leg> {
        self.route.get(self.next).copied().filter(|leg| leg.from == node)
    }

    /// The moves of the route that are not made yet.
    pub(crate) fn left(&self) -> &[Leg] {
        self.route.get(self.next..).unwrap_or_default()
    }

    /// Notes that the next move is to begin now.
    pub(crate) fn begin_step(&mut self) {
        self.begun = true;
    }

    /// Notes that the route had to be repaired once more.
    pub(crate) fn agitate(&mut self) {
        self.agitation = self.agitation.saturating_add(1);
    }

    pub(crate) fn agitation(&self) -> u32 {
        self.agitation
    }

    /// Makes the agent follow `route` from here.
    pub(crate) fn set_route(&mut self, route: Vec<Leg>) {
        (self.route, self.next) = (route, 0);
    }
}
