//! Origins: the nodes where the moves into each node begin, as tables.

use crate::space::NodeId;

/// Where the moves into each node of a space begin, in the order of [`moves_into`](crate::SpaceGraph::moves_into). A breadth-first search needs no more of
/// moves, and reads it from memory without a call per move.
///
/// Origins at or beyond [`node_bound`](crate::SpaceGraph::node_bound) do not exist.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Origins<'a> {
    /// For regular spaces: nodes whose moves begin at the same distances have the same pattern.
    Patterns {
        /// By node, the index of its pattern.
        patterns: &'a [u8],
        /// By pattern, what has to be added to the id of a node to get the origins of at most four moves, wrapping. 0: there is no such move.
        offsets: &'a [[u32; 4]],
    },
    /// For spaces of at most four moves into each node, from nodes with ids near its own.
    Offsets {
        /// By node, what has to be added to its id to get the origins. 0: there is no such move.
        offsets: &'a [[i16; 4]],
    },
    /// For all other spaces.
    Lists {
        /// By node, the index in `origins` where its list begins; one more element than nodes.
        first: &'a [u32],
        /// The lists, one after the other.
        origins: &'a [NodeId],
    },
}

impl<'a> Origins<'a> {
    /// The nodes where the moves into `to` begin.
    pub fn of(&self, to: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        let (beside, list) = match *self {
            Self::Patterns { patterns, offsets } => (by_pattern(patterns, offsets, to), &[][..]),
            Self::Offsets { offsets } => (by_offsets(offsets, to), &[][..]),
            Self::Lists { first, origins } => ([to; 4], list(first, origins, to)),
        };
        beside.into_iter().filter(move |origin| *origin != to).chain(list.iter().copied())
    }
}

/// The origins of the moves into `to`, and `to` itself in place of those that do not exist.
#[inline(always)]
pub(crate) fn by_pattern(patterns: &[u8], offsets: &[[u32; 4]], to: NodeId) -> [NodeId; 4] {
    let pattern = patterns.get(to.index()).and_then(|pattern| offsets.get(usize::from(*pattern)));
    pattern.copied().unwrap_or_default().map(|offset| NodeId(to.0.wrapping_add(offset)))
}

/// The origins of the moves into `to`, and `to` itself in place of those that do not exist.
#[inline(always)]
pub(crate) fn by_offsets(offsets: &[[i16; 4]], to: NodeId) -> [NodeId; 4] {
    let offsets = offsets.get(to.index()).copied().unwrap_or_default();
    offsets.map(|offset| NodeId(to.0.wrapping_add_signed(offset.into())))
}

/// The origins of the moves into `to`.
#[inline(always)]
pub(crate) fn list<'a>(first: &[u32], origins: &'a [NodeId], to: NodeId) -> &'a [NodeId] {
    match first.get(to.index()..) {
        Some([begin, end, ..]) => origins.get(*begin as usize..*end as usize).unwrap_or_default(),
        _ => &[],
    }
}
