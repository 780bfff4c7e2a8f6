//! The atlas: the pieces of a space, found when they are asked for, and the ways between neighbouring pieces.

mod written;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{NodeId, SpaceGraph};

use super::{Position, Unit, straight};
use crate::hierarchy::division::is_large;
use crate::hierarchy::route::Link;
use crate::predecessors::PredecessorsIn;

/// The pieces of a space. A piece has up to 64 nodes that moves connect, in either direction.
#[derive(Clone, Debug)]
pub(super) struct Atlas {
    /// By node, 64 * piece + place; [`NONE`]: its piece is not known.
    numbers: Vec<u32>,
    pieces: Vec<Piece>,
    members: Vec<Member>,
    links: Vec<Link>,
    /// How many pieces are of the present revision.
    alive: usize,
    /// The number of small pieces of work not yet paid for.
    done: u64,
    queue: Vec<NodeId>,
    /// The unit of lengths.
    unit: Unit,
}

impl Default for Atlas {
    fn default() -> Self {
        let (numbers, pieces, members, links, queue) = Default::default();
        Self { numbers, pieces, members, links, alive: 0, done: 0, queue, unit: Unit(1.0) }
    }
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The index of its first member.
    first: u32,
    count: u8,
    /// The place of its central node.
    centre: u8,
    /// Whether it is of an earlier revision.
    is_gone: bool,
    /// The index of its first link, and the number of its links; `None`: they are not known yet.
    links: Option<(u32, u16)>,
    /// Whether moves lead out of it that its links do not tell of.
    has_more_exits: bool,
}

/// A node of a piece.
#[derive(Clone, Copy, Debug)]
struct Member {
    node: NodeId,
    /// The length of the way from the centre within the piece; [`NONE`]: there is no way.
    from_centre: u32,
    /// The length of the way to the centre within the piece; [`NONE`]: there is no way.
    to_centre: u32,
}

const NONE: u32 = u32::MAX;

/// The largest number of nodes of a piece.
const LARGEST: usize = 64;

/// If more than `MOST` pieces per 64 nodes are stored, most belong to earlier revisions, so all are forgotten.
const MOST: usize = 4;

/// If more than `MOST_LINKS` links per node are stored, too, as most belong to earlier revisions.
const MOST_LINKS: usize = 4;

/// The number of moves looked at per unit of work.
const LOOKED_AT_ONCE: u64 = 16;

impl Atlas {
    /// Forgets all pieces. `bound` is the bound of the ids of nodes.
    pub(super) fn reset(&mut self, bound: usize, unit: Unit) {
        self.unit = unit;
        self.numbers.clear();
        self.numbers.resize(bound, NONE);
        self.pieces.clear();
        self.members.clear();
        self.links.clear();
        self.alive = 0;
    }

    /// The unit of lengths.
    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// The bound of the ids of nodes.
    pub(super) fn bound(&self) -> usize {
        self.numbers.len()
    }

    /// Whether the space is [large](is_large).
    pub(super) fn is_large(&self) -> bool {
        is_large(self.numbers.len())
    }

    /// How many pieces there are, with those of earlier revisions.
    pub(super) fn pieces(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn is_stale(&self) -> bool {
        self.pieces.len() - self.alive > MOST * (self.numbers.len() / LARGEST) + 64
            || self.links.len() > MOST_LINKS * self.numbers.len() + 1024
    }

    /// The number of `node`, if its piece is known.
    #[inline]
    pub(super) fn number(&self, node: NodeId) -> Option<usize> {
        let number = *self.numbers.get(node.index())?;
        (number != NONE).then_some(number as usize)
    }

    /// The piece of `node`, if it is known.
    pub(super) fn piece_of(&self, node: NodeId) -> Option<u32> {
        let number = *self.numbers.get(node.index())?;
        (number != NONE).then_some(number / 64)
    }

    /// The node with this number.
    pub(super) fn node(&self, number: u32) -> NodeId {
        let piece = self.pieces[number as usize / 64];
        self.members[piece.first as usize + number as usize % 64].node
    }

    /// The number of the central node of `piece`.
    pub(super) fn centre(&self, piece: u32) -> u32 {
        piece * 64 + u32::from(self.pieces[piece as usize].centre)
    }

    /// Whether `piece` is of an earlier revision.
    pub(super) fn is_gone(&self, piece: u32) -> bool {
        self.pieces.get(piece as usize).is_none_or(|piece| piece.is_gone)
    }

    /// Whether each node of `piece` is within reach of all its nodes, by moves within the piece, and its links, which
    /// must be known, tell of every move out of it.
    pub(super) fn is_whole(&self, piece: u32) -> bool {
        let known = self.pieces[piece as usize];
        let members = &self.members[known.first as usize..][..usize::from(known.count)];
        let is_joined = |member: &Member| member.from_centre != NONE && member.to_centre != NONE;
        !known.has_more_exits && members.iter().all(is_joined)
    }

    /// The numbers of the nodes of `piece`, each with the length of the way from there to the centre.
    pub(super) fn to_centre(&self, piece: u32) -> impl Iterator<Item = (usize, u32)> {
        let known = self.pieces[piece as usize];
        let members = &self.members[known.first as usize..][..usize::from(known.count)];
        let lengths = members.iter().enumerate().map(move |(place, at)| (piece as usize * 64 + place, at.to_centre));
        lengths.filter(|(_, length)| *length != NONE)
    }

    /// Returns the unpaid work, in units, and sets it to 0.
    pub(super) fn take_work(&mut self) -> u64 {
        let work = self.done / LOOKED_AT_ONCE;
        self.done -= work * LOOKED_AT_ONCE;
        work
    }

    /// Forgets the piece of `node`. Returns that piece if it was known.
    pub(super) fn forget(&mut self, node: NodeId) -> Option<u32> {
        let piece = self.piece_of(node)?;
        let known = &mut self.pieces[piece as usize];
        known.is_gone = true;
        self.alive -= 1;
        for member in &self.members[known.first as usize..][..usize::from(known.count)] {
            self.numbers[member.node.index()] = NONE;
        }
        Some(piece)
    }

    /// Makes a piece around `seed`, from nodes without a piece. Returns the number of `seed`.
    pub(super) fn grow<S: SpaceGraph>(
        &mut self,
        space: &S,
        predecessors: &PredecessorsIn<S>,
        position: Option<Position<S>>,
        seed: NodeId,
    ) -> usize {
        let piece = self.pieces.len();
        let first = self.members.len();
        self.queue.clear();
        #[allow(clippy::cast_possible_truncation)] // see `MOST_NODES` and `is_stale`
        let number = piece as u32 * 64;
        let Self { numbers, queue, done, .. } = self;
        let mut take = |node: NodeId, queue: &mut Vec<NodeId>| {
            if let Some(known) = numbers.get_mut(node.index())
                && *known == NONE
                && queue.len() < LARGEST
            {
                #[allow(clippy::cast_possible_truncation)] // at most 64
                {
                    *known = number + queue.len() as u32;
                }
                queue.push(node);
            }
        };
        take(seed, queue);
        if queue.is_empty() {
            return usize::MAX;
        }
        let mut next = 0;
        while next < queue.len() && queue.len() < LARGEST {
            let node = queue[next];
            next += 1;
            for m in space.moves(node) {
                *done += 1;
                take(m.to, queue);
            }
            predecessors.for_each_move_into(space, node, |m| {
                *done += 1;
                take(m.from, queue);
            });
        }
        let unknown = |node: &NodeId| Member { node: *node, from_centre: NONE, to_centre: NONE };
        self.members.extend(self.queue.iter().map(unknown));
        let centre = self.central(space, position);
        #[allow(clippy::cast_possible_truncation)] // at most 64, and fewer than `MOST_NODES`
        self.pieces.push(Piece {
            first: first as u32,
            count: self.queue.len() as u8,
            centre: centre as u8,
            is_gone: false,
            links: None,
            has_more_exits: false,
        });
        self.alive += 1;
        self.measure(piece, space, predecessors);
        number as usize
    }

    /// The place of the node nearest to the mean position of the nodes in the queue; the first node's without
    /// positions.
    fn central<S: SpaceGraph>(&self, space: &S, position: Option<Position<S>>) -> usize {
        let Some(position) = position else { return 0 };
        let mut mean = [0.0_f32; 3];
        for node in &self.queue {
            let at = position(space, *node);
            (0..3).for_each(|axis| mean[axis] += at[axis]);
        }
        #[allow(clippy::cast_precision_loss)] // at most 64
        let count = self.queue.len() as f32;
        let mean = mean.map(|sum| sum / count);
        let away = |place: &usize| straight(position(space, self.queue[*place]), mean);
        (0..self.queue.len()).min_by(|one, other| away(one).total_cmp(&away(other))).unwrap_or(0)
    }

    /// Finds the ways from and to the centre of `piece` within it.
    fn measure<S: SpaceGraph>(&mut self, piece: usize, space: &S, predecessors: &PredecessorsIn<S>) {
        let Piece { first, count, centre, .. } = self.pieces[piece];
        let unit = self.unit;
        let (first, base) = (first as usize, piece * 64);
        for is_outward in [true, false] {
            let mut least = [NONE; LARGEST];
            let mut open = BinaryHeap::from([Reverse((0, centre))]);
            least[usize::from(centre)] = 0;
            while let Some(Reverse((length, place))) = open.pop() {
                if length > least[usize::from(place)] {
                    continue;
                }
                let node = self.members[first + usize::from(place)].node;
                let numbers = &self.numbers;
                let done = &mut self.done;
                let mut see = |other: NodeId, by: u32| {
                    *done += 1;
                    let Some(number) = numbers.get(other.index()).filter(|number| **number as usize / 64 * 64 == base)
                    else {
                        return;
                    };
                    let (place, length) = ((number % 64) as u8, length.saturating_add(by).min(NONE - 1));
                    if length < least[usize::from(place)] {
                        least[usize::from(place)] = length;
                        open.push(Reverse((length, place)));
                    }
                };
                if is_outward {
                    space.moves(node).for_each(|m| see(m.to, unit.length_of(m.cost)));
                } else {
                    predecessors.for_each_move_into(space, node, |m| see(m.from, unit.length_of(m.cost)));
                }
            }
            for (member, length) in self.members[first..][..usize::from(count)].iter_mut().zip(least) {
                *(if is_outward { &mut member.from_centre } else { &mut member.to_centre }) = length;
            }
        }
    }

    /// The links of `piece`, to pieces of the present revision.
    pub(super) fn links<S: SpaceGraph>(
        &mut self,
        space: &S,
        predecessors: &PredecessorsIn<S>,
        position: Option<Position<S>>,
        piece: u32,
    ) -> &[Link] {
        let known = self.pieces[piece as usize].links.filter(|(first, count)| {
            let links = &self.links[*first as usize..][..usize::from(*count)];
            links.iter().all(|link| !self.pieces[link.to as usize].is_gone)
        });
        let (first, count) = known.unwrap_or_else(|| self.find_links(space, predecessors, position, piece));
        &self.links[first as usize..][..usize::from(count)]
    }

    fn find_links<S: SpaceGraph>(
        &mut self,
        space: &S,
        predecessors: &PredecessorsIn<S>,
        position: Option<Position<S>>,
        piece: u32,
    ) -> (u32, u16) {
        let Piece { first, count, .. } = self.pieces[piece as usize];
        let (before, unit) = (self.links.len(), self.unit);
        let mut has_more_exits = false;
        for place in 0..usize::from(count) {
            let Member { node, from_centre, .. } = self.members[first as usize + place];
            for m in space.moves(node) {
                self.done += 1;
                let number = match self.number(m.to) {
                    Some(known) => known,
                    None => self.grow(space, predecessors, position, m.to),
                };
                if number / 64 == piece as usize {
                    continue;
                }
                let other = self.pieces.get(number / 64);
                let to_centre = other.map_or(NONE, |other| self.members[other.first as usize + number % 64].to_centre);
                if from_centre == NONE || to_centre == NONE {
                    has_more_exits = true;
                    continue;
                }
                let length = from_centre.saturating_add(unit.length_of(m.cost)).saturating_add(to_centre);
                #[allow(clippy::cast_possible_truncation)] // as above
                self.links.push(Link { to: (number / 64) as u32, length });
            }
        }
        let found = &mut self.links[before..];
        found.sort_unstable_by_key(|link| (link.to, link.length));
        let mut kept = 0;
        for place in 0..found.len() {
            if kept == 0 || found[kept - 1].to != found[place].to {
                found[kept] = found[place];
                kept += 1;
            }
        }
        self.links.truncate(before + kept);
        // A node has few moves, and a piece has 64 nodes; links beyond the bound are left out.
        let count = u16::try_from(self.links.len() - before).unwrap_or(u16::MAX);
        #[allow(clippy::cast_possible_truncation)] // as above
        let known = (before as u32, count);
        let piece = &mut self.pieces[piece as usize];
        piece.links = Some(known);
        piece.has_more_exits = has_more_exits || usize::from(count) < self.links.len() - before;
        known
    }
}
