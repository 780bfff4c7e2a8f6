//! Districts: parts that are kept while the ground changes.
//!
//! The ground is divided into districts, and each of these into pieces. The pieces and the moves between them are a
//! ground of their own, with far fewer nodes, and with the parts of the real ground. That ground is divided once more. So
//! an edit divides anew only the districts that it touches, and the parts are those of the few pieces of the second
//! division.

mod division;

use std::cell::Cell;

use super::ground::Ground;
use super::pace::Pace;
use super::parts::{Part, Parts, Reach, is_in_a_part};
use crate::vocabulary::NodeId;
use division::{Division, Edited};

/// The [parts](super::Parts) of a ground that changes. The ground is explored only as far as questions need it.
///
/// Takes about 30 bytes for every node: so much on an open grid, with districts of 32 nodes.
#[derive(Clone, Debug)]
pub struct Districts {
    /// Of the ground.
    lower: Division,
    /// Of the pieces of the lower division.
    upper: Division,
    /// Of the pieces of the upper division.
    parts: Parts,
    pace: Pace,
}

impl Districts {
    /// Knows no parts yet. Districts have at most `most` nodes; 0 counts as 1. What can be reached does not depend on
    /// `most`; larger districts make edits slower, and take less memory.
    pub fn new(most: usize) -> Self {
        Self { lower: Division::new(most), upper: Division::new(most), parts: Parts::default(), pace: Pace::default() }
    }

    /// The part of `node`; `None`: no unit can stand on `node`, and no move leads out of it. Compare parts only until
    /// the next [edit](Self::renew).
    ///
    /// Time: linear in the nodes and moves that are reachable from `node` and that no earlier call has met. The first
    /// call after an edit also takes time in proportion to the nodes by the square of `most`, and to the parts that can
    /// be reached. Otherwise constant.
    pub fn part(&mut self, ground: &impl Ground, node: NodeId) -> Option<Part> {
        if !is_in_a_part(ground, node) {
            return None;
        }
        let Self { lower, upper, parts, pace } = self;
        lower.see(&Paced::new(ground, pace), node);
        let piece = lower.piece(node)?;
        upper.see(lower, piece);
        parts.part(upper, upper.piece(piece)?)
    }

    /// The [part](Self::part) of `node`; `None`: there is none, or no call has met it since the last edit.
    pub fn known_part(&self, ground: &impl Ground, node: NodeId) -> Option<Part> {
        let piece = self.lower.piece(node).and_then(|piece| self.upper.piece(piece))?;
        self.parts.known(piece).filter(|_| is_in_a_part(ground, node))
    }

    /// The nodes that units in `part` can reach, until the next [edit](Self::renew). Time: linear in the known parts and
    /// the moves between these parts; constant if no move leads out of `part`.
    pub fn reach(&self, part: Part) -> Reach {
        self.parts.reach(part)
    }

    /// Whether a unit with this `reach` can reach `node`.
    #[inline]
    pub fn reaches(&self, reach: &Reach, node: NodeId) -> bool {
        let piece = self.lower.piece(node).and_then(|piece| self.upper.piece(piece));
        piece.is_some_and(|piece| reach.contains(&self.parts, piece))
    }

    /// Lower bounds on the cost of ways, learned from all moves met so far, those that are gone included.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Takes note of an edit of the ground. All nodes that exist now and did not exist before, or the reverse, have to
    /// be among `nodes`, and all nodes with a move into them or out of them that has changed.
    ///
    /// Time: linear in the nodes and moves of the districts of `nodes`, and of the districts beside these.
    pub fn renew(&mut self, ground: &impl Ground, nodes: &[NodeId]) {
        let Self { lower, upper, parts, pace } = self;
        let edited = lower.renew(&Paced::new(ground, pace), &Edited { changed: nodes.to_vec(), gone: Vec::new() });
        if !upper.renew(lower, &edited).is_nothing() {
            *parts = Parts::default();
        }
    }
}

/// A ground of which all moves that are asked for are noted.
struct Paced<'a, G> {
    ground: &'a G,
    pace: &'a Cell<Pace>,
}

impl<'a, G: Ground> Paced<'a, G> {
    fn new(ground: &'a G, pace: &'a mut Pace) -> Self {
        Self { ground, pace: Cell::from_mut(pace) }
    }
}

impl<G: Ground> Ground for Paced<'_, G> {
    fn node_bound(&self) -> usize {
        self.ground.node_bound()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.ground.contains(node)
    }

    fn position(&self, node: NodeId) -> Option<[f32; 3]> {
        self.ground.position(node)
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        let (here, bound) = (self.position(from), self.node_bound());
        let mut pace = self.pace.get();
        self.ground.for_each_move(from, &mut |to, cost| {
            if to.index() < bound {
                pace.note(here, self.position(to), cost);
            }
            each(to, cost);
        });
        self.pace.set(pace);
    }
}
