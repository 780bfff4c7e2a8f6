//! Reaches: the places that units can reach, found on demand.

use std::sync::Arc;

use giveway_core::near::{Districts, Listed, Part, Reach, Ways};
use giveway_core::{Edits, NodeId};
use rustc_hash::FxHashMap;

use super::outward::{Counts, Footing};
use giveway_members::class_id::ClassId;
use giveway_members::world::AnyClass;

/// The known reachability, by class.
#[derive(Clone, Default)]
pub(super) struct Reaches {
    of: FxHashMap<ClassId, Reachable>,
}

/// The largest number of nodes in a [district](Districts).
const MOST: usize = 32;

/// The places that units of one class can reach, in the space as it was at a revision.
#[derive(Clone)]
pub(super) struct Reachable {
    revision: u64,
    /// Shared by clones until one of them learns more.
    districts: Arc<Districts>,
    /// The places that can be reached from the part asked for last.
    reach: Option<(Part, Reach)>,
    ways: Ways,
}

impl Reaches {
    /// The places that units of `class` can reach in `space` as it is now.
    pub(super) fn of(&mut self, class: ClassId, space: &dyn AnyClass) -> &mut Reachable {
        let known = self.of.entry(class).or_insert_with(|| Reachable::new(space.revision()));
        known.renew(space);
        known
    }
}

impl Reachable {
    fn new(revision: u64) -> Self {
        Self { revision, districts: Arc::new(Districts::new(MOST)), reach: None, ways: Ways::default() }
    }

    /// Follows the edits of the space.
    fn renew(&mut self, class: &dyn AnyClass) {
        let revision = class.revision();
        if revision == self.revision {
            return;
        }
        match class.edits_since(self.revision) {
            Edits::Nodes(nodes) if revision > self.revision => {
                Arc::make_mut(&mut self.districts).renew(&Footing(class), nodes);
                (self.revision, self.reach) = (revision, None);
            }
            _ => *self = Self::new(revision),
        }
    }

    /// Finds the places that can be reached from `node`; `None`: no unit can stand there.
    pub(super) fn look_from(&mut self, class: &dyn AnyClass, node: NodeId) -> Option<Part> {
        let known = self.districts.known_part(&Footing(class), node);
        let part = known.or_else(|| Arc::make_mut(&mut self.districts).part(&Footing(class), node))?;
        if self.reach.as_ref().is_none_or(|(of, _)| *of != part) {
            self.reach = Some((part, self.districts.reach(part)));
        }
        Some(part)
    }

    /// Whether `node` can be reached from the last [`look_from`](Self::look_from).
    pub(super) fn has(&self, node: NodeId) -> bool {
        self.counts().has(node)
    }

    /// The places that can be reached from the last [`look_from`](Self::look_from).
    pub(super) fn counts(&self) -> Counts<'_> {
        self.reach.as_ref().map_or(Counts::All, |(_, reach)| Counts::Within(&self.districts, reach))
    }

    /// The cheapest of `places` to reach from `from`.
    pub(super) fn cheapest(&mut self, class: &dyn AnyClass, from: NodeId, places: &[Listed]) -> Option<NodeId> {
        self.ways.cheapest(&Footing(class), self.districts.pace(), from, places)
    }
}
