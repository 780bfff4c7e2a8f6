//! Reaches: the places that units can reach, found on demand.

use giveway_core::NodeId;
use giveway_core::near::{Listed, Part, Parts, Reach, Ways};
use rustc_hash::FxHashMap;

use super::outward::{Counts, Footing};
use crate::class_id::ClassId;
use crate::world::AnyClass;

/// The known reachability, by class.
#[derive(Clone, Default)]
pub(super) struct Reaches {
    of: FxHashMap<ClassId, Reachable>,
}

/// The places that units of one class can reach, in a space that does not change.
#[derive(Clone, Default)]
pub(super) struct Reachable {
    revision: u64,
    parts: Parts,
    /// The places that can be reached from the part asked for last.
    reach: Option<(Part, Reach)>,
    ways: Ways,
}

impl Reaches {
    /// The places that units of `class` can reach in `space` as it is now.
    pub(super) fn of(&mut self, class: ClassId, space: &dyn AnyClass) -> &mut Reachable {
        let known = self.of.entry(class).or_default();
        if known.revision != space.revision() {
            *known = Reachable { revision: space.revision(), ..Reachable::default() };
        }
        known
    }
}

impl Reachable {
    /// Finds the places that can be reached from `node`; `None`: no unit can stand there.
    pub(super) fn look_from(&mut self, class: &dyn AnyClass, node: NodeId) -> Option<Part> {
        let part = self.parts.part(&Footing(class), node)?;
        if self.reach.as_ref().is_none_or(|(of, _)| *of != part) {
            self.reach = Some((part, self.parts.reach(part)));
        }
        Some(part)
    }

    /// Whether `node` can be reached from the last [`look_from`](Self::look_from).
    pub(super) fn has(&self, node: NodeId) -> bool {
        self.counts().has(node)
    }

    /// The places that can be reached from the last [`look_from`](Self::look_from).
    pub(super) fn counts(&self) -> Counts<'_> {
        self.reach.as_ref().map_or(Counts::All, |(_, reach)| Counts::Within(&self.parts, reach))
    }

    /// The cheapest of `places` to reach from `from`.
    pub(super) fn cheapest(&mut self, class: &dyn AnyClass, from: NodeId, places: &[Listed]) -> Option<NodeId> {
        self.ways.cheapest(&Footing(class), self.parts.pace(), from, places)
    }
}
