//! One link: between which places, at what cost, for how long, for which units, and when.

use giveway_core::{Cost, NodeId, Tick, Ticks};

use crate::space_error::SpaceError;

/// An additional way between two places of a space: stairs, a lift, a ladder, a portal, a jump, a ferry. See
/// [`Linked`](crate::Linked).
///
/// ```
/// use giveway_core::NodeId;
/// use giveway_spaces::Link;
///
/// let [hall, gallery, quay, island] = [3, 57, 12, 80].map(NodeId);
/// // Stairs for three units, one behind the other, in either direction.
/// let stairs: Link = Link::new(hall, gallery, 6000, 6.0).both_ways().places(3);
/// // A portal for units of kind 1 only: at once on the other side.
/// let portal: Link = Link::new(gallery, hall, 1000, 1.0).jumps().only_for(1 << 1);
/// // A ferry that sails every 60 ticks, at 5, 65, 125 and so on.
/// let ferry: Link = Link::new(quay, island, 20_000, 20.0).places(4).sails_every(60, 5);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link<C = u32> {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) cost: C,
    pub(super) length: f32,
    pub(super) both_ways: bool,
    pub(super) places: u32,
    pub(super) jumps: bool,
    pub(super) users: u64,
    pub(super) every: Ticks,
    pub(super) offset: Ticks,
}

/// A move in a space with links.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkAction<A> {
    /// A move of the space.
    Space(A),
    /// A move along a link, or from place to place on a link.
    Link {
        /// The number of the link.
        number: u32,
        /// Whether the move leads towards the start of the link.
        back: bool,
    },
}

/// No link has more places.
const MOST_PLACES: u32 = 1_000_000;

impl<C: Cost> Link<C> {
    /// A link from `from` to `to`, which costs `cost` (1000 for a plain step) and is `length` world units long. The
    /// duration follows from the length, as for any move. By default the link is one-way, and open to all units at any
    /// time. By default the link has no places: while a unit is on the link, it holds both ends of the link.
    pub const fn new(from: NodeId, to: NodeId, cost: C, length: f32) -> Self {
        Self { from, to, cost, length, both_ways: false, places: 0, jumps: false, users: u64::MAX, every: 1, offset: 0 }
    }

    /// Permits moves in both directions. Units do not pass each other on the link.
    #[must_use]
    pub const fn both_ways(self) -> Self {
        Self { both_ways: true, ..self }
    }

    /// Sets the capacity of the link: the number of places on the link, evenly spaced, each with its own node. Units
    /// may follow each other from place to place, and the ends of the link are free while units are on places between
    /// them. The cost and the length of the link are divided evenly.
    #[must_use]
    pub const fn places(self, places: u32) -> Self {
        Self { places, ..self }
    }

    /// Makes units jump from place to place: a unit stays at one place until the end of the move, and is then at the
    /// next place. Walls and other units between the places do not matter. In a space without positions, all links
    /// jump.
    #[must_use]
    pub const fn jumps(self) -> Self {
        Self { jumps: true, ..self }
    }

    /// Sets the kinds of units that may use the link; the default is all kinds. There are up to 64 kinds, with one bit
    /// of `users` for each kind; see [`Linked::used_by`](crate::Linked::used_by).
    #[must_use]
    pub const fn only_for(self, users: u64) -> Self {
        Self { users, ..self }
    }

    /// Gives the link a timetable: units may set out only at the ticks `offset`, `offset` + `ticks`, `offset` + 2
    /// `ticks`, and so on, in either direction. If `ticks` is 0 or 1, units may set out at any tick.
    ///
    /// An `offset` of `ticks` or more counts modulo `ticks`, so units may also set out before tick `offset`.
    ///
    /// Distances do not know timetables: a unit goes to a ferry as if the ferry sailed at any time. A search with a
    /// window sees a departure only if the departure lies in the window. A search without a horizon finds the earliest
    /// arrival.
    #[must_use]
    pub const fn sails_every(self, ticks: Ticks, offset: Ticks) -> Self {
        let every = if ticks == 0 { 1 } else { ticks };
        Self { every, offset: offset % every, ..self }
    }

    /// The node where the link begins.
    pub const fn from(&self) -> NodeId {
        self.from
    }

    /// The node where the link ends.
    pub const fn to(&self) -> NodeId {
        self.to
    }

    /// Whether units may set out at `tick`.
    pub(super) fn sails(&self, tick: Tick) -> bool {
        self.every == 1 || tick % self.every == self.offset
    }

    /// Whether it can be a link of a space with `nodes` nodes.
    pub(super) fn check(&self, nodes: u32) -> Result<(), SpaceError> {
        let Self { from, to, length, .. } = *self;
        if from.0 >= nodes || to.0 >= nodes {
            return Err(SpaceError::NoSuchNode { from, to });
        }
        if from == to || self.places > MOST_PLACES {
            return Err(SpaceError::Link { from, to, places: self.places, most: MOST_PLACES });
        }
        let cost = self.cost.to_f64().unwrap_or(0.0);
        if self.cost < C::zero() || !cost.is_finite() {
            return Err(SpaceError::Cost { from, to, cost });
        }
        if length < 0.0 || !length.is_finite() {
            return Err(SpaceError::Length { from, to, length });
        }
        Ok(())
    }
}
