//! Fingerprints: numbers for what a save does not contain.

use giveway_core::{Digest, Entry, FOREVER, NodeId};

use crate::settings::CrowdSettings;
use giveway_members::leg::Leg;
use giveway_members::world::AnyClass;

/// So many nodes tell what units occupy, and how long their moves take.
const SAMPLES: usize = 1024;

pub(super) fn of_settings(settings: &CrowdSettings) -> u64 {
    let mut digest = Digest::new();
    digest.text(&format!("{settings:?}"));
    digest.finish()
}

/// The fingerprint of the space of `class` as it is now.
pub(super) fn of_space(class: &dyn AnyClass) -> u64 {
    let mut digest = Digest::new();
    digest.word(class.revision());
    // Node ids have 32 bits.
    for node in (0..u32::try_from(class.node_bound()).unwrap_or(u32::MAX)).map(NodeId) {
        class.feed_node(node, &mut digest);
    }
    digest.finish()
}

/// The fingerprint of the units of `class`, in its space as it is now.
pub(super) fn of_units(class: &dyn AnyClass) -> u64 {
    let mut digest = Digest::new();
    class.feed_rules(&mut digest);
    digest.text(&format!("{:?}", class.cells()));
    let mut entries: Vec<Entry> = Vec::new();
    // An odd stride meets all headings, where their number is a power of two.
    let stride = (class.node_bound() / SAMPLES) | 1;
    for node in (0..u32::try_from(class.node_bound()).unwrap_or(u32::MAX)).step_by(stride).map(NodeId) {
        if !class.contains(node) {
            continue;
        }
        entries.clear();
        class.sweep(&Leg::resting(node, 0, FOREVER), &mut entries);
        let mut legs = Vec::new();
        class.for_each_move(node, 0, &mut |leg, _| legs.push(leg));
        legs.iter().for_each(|leg| class.sweep(leg, &mut entries));
        for Entry { cell, span } in &entries {
            digest.word(cell.0.into());
            digest.pair(span.start, span.end);
        }
    }
    digest.finish()
}
