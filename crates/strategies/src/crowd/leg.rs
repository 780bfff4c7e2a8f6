//! Legs: the motions of an agent of a crowd, without the types of its class.

use giveway_core::{NodeId, Tick};

/// One motion of an agent: a move, or a rest, and when it begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leg {
    /// The node where it begins.
    pub from: NodeId,
    /// The node where it ends; for a rest, the node of the rest.
    pub to: NodeId,
    /// The tick at which it begins.
    pub depart: Tick,
    /// The tick at which it ends.
    pub arrive: Tick,
    /// The move's position among the moves out of `from`; [`REST`]: it is a rest.
    action: u32,
}

const REST: u32 = u32::MAX;

impl Leg {
    pub(super) const fn moving(from: NodeId, to: NodeId, depart: Tick, arrive: Tick, action: u32) -> Self {
        Self { from, to, depart, arrive, action }
    }

    pub(super) const fn resting(node: NodeId, depart: Tick, arrive: Tick) -> Self {
        Self { from: node, to: node, depart, arrive, action: REST }
    }

    /// This motion, begun at `depart`.
    pub(super) fn begun_at(self, depart: Tick) -> Self {
        Self { depart, arrive: depart.saturating_add(self.arrive - self.depart), ..self }
    }

    /// The position of the move among the [moves](giveway_core::SpaceGraph::moves) out of `from`. `None`: it is a rest.
    pub fn action(&self) -> Option<usize> {
        (self.action != REST).then_some(self.action as usize)
    }

    /// Whether it is a move.
    pub fn is_move(&self) -> bool {
        self.action != REST
    }
}
