//! Itineraries: the route that an agent follows, and repairs.

use giveway_core::NodeId;

use crate::crowd::leg::Leg;

/// The route of an agent, and how often it had to be repaired since the agent set out.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Itinerary {
    /// Its moves, whenever they begin.
    route: Vec<Leg>,
    /// The first that is not made.
    next: usize,
    /// Whether that one was to begin when the agent last looked around.
    begun: bool,
    agitation: u32,
}

impl Itinerary {
    /// Lets the move pass that has brought the agent to `node`. Returns where it was to lead if the execution guard stopped it: somebody
    /// is in the way who has reserved nothing.
    pub(in crate::crowd) fn look_back(&mut self, node: NodeId) -> Option<NodeId> {
        let last = self.route.get(self.next).copied();
        let last = last.filter(|_| std::mem::take(&mut self.begun))?;
        if last.to == node {
            self.next += 1;
        }
        (last.from == node && last.to != node).then_some(last.to)
    }

    /// The next move from `node`; `None`: the route does not lead through there, or there is none.
    pub(in crate::crowd) fn ahead(&self, node: NodeId) -> Option<Leg> {
        self.route.get(self.next).copied().filter(|leg| leg.from == node)
    }

    /// The next move is to begin now.
    pub(in crate::crowd) fn begin_step(&mut self) {
        self.begun = true;
    }

    /// The route had to be repaired once more.
    pub(in crate::crowd) fn agitate(&mut self) {
        self.agitation = self.agitation.saturating_add(1);
    }

    pub(in crate::crowd) fn agitation(&self) -> u32 {
        self.agitation
    }

    /// From here the agent follows `route`.
    pub(in crate::crowd) fn set_route(&mut self, route: Vec<Leg>) {
        (self.route, self.next) = (route, 0);
    }
}
