//! Windows: exact distances on a strip of pieces, to the goals or to the far end of the strip.

mod written;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::generation::Generation;
use giveway_core::{Cost, NodeId, SpaceGraph};
use num_traits::Zero as _;

use super::atlas::Atlas;
use crate::hierarchy::division::take_units;
use crate::hierarchy::way::{FARTHER, LEAST, Last};
use crate::predecessors::PredecessorsIn;

/// The distances of a strip. Nodes are given by 64 * piece + place.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Window<C> {
    /// The pieces of the strip, ascending.
    pieces: Vec<u32>,
    /// By piece of the strip: a bit for each node that has a distance, and the index of the first one's.
    seen: Vec<(u64, u32)>,
    /// The least cost from a node to the end of the strip.
    costs: Vec<C>,
    /// About the cost from the end of the strip to the goals.
    beyond: C,
    /// Whether the distances lead to goals.
    is_last: bool,
    /// The window moves on when its end is nearer than this.
    least: C,
}

impl<C: Cost> Window<C> {
    #[inline]
    fn cost_to_end(&self, number: usize, last: &Last) -> Option<C> {
        let (piece, place) = (u32::try_from(number / 64).ok()?, number % 64);
        let at = last.find(piece, &self.pieces);
        let (seen, first) = *self.seen.get(at).filter(|_| self.pieces[at] == piece)?;
        let before = (seen & ((1 << place) - 1)).count_ones();
        (seen >> place & 1 == 1).then(|| self.costs[(first + before) as usize])
    }

    /// About the least cost from the node with this `number` to a goal; `None`: the node is not on the strip.
    #[inline]
    pub(in super::super) fn cost(&self, number: usize, last: &Last) -> Option<C> {
        Some(self.cost_to_end(number, last)?.plus(self.beyond))
    }

    /// Whether the window ends at goals.
    pub(in super::super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Whether enough of the window is left from the node with this `number` on.
    pub(in super::super) fn reaches_on_from(&self, number: usize, last: &Last) -> bool {
        self.is_last || self.cost_to_end(number, last).is_some_and(|cost| cost >= self.least)
    }

    /// About how many moves there are from the node with this `number` to the end of the window; `None`: the window ends
    /// at goals, or the node is beyond it.
    pub(in super::super) fn moves_to_end(&self, number: usize, last: &Last) -> Option<u32> {
        let cost = self.cost_to_end(number, last).filter(|_| !self.is_last)?;
        let share = cost.to_f64()? / self.least.to_f64().filter(|least| *least > 0.0)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        Some((share * f64::from(LEAST)).floor() as u32)
    }

    pub(super) fn pieces(&self) -> &[u32] {
        &self.pieces
    }

    pub(in super::super) fn bytes(&self) -> usize {
        self.pieces.capacity() * size_of::<u32>()
            + self.seen.capacity() * size_of::<(u64, u32)>()
            + self.costs.capacity() * size_of::<C>()
    }
}

/// Finds windows, one after the other.
#[derive(Debug)]
pub(super) struct WindowSearch<C> {
    /// By piece: the stamp of the strip that it was put on last, and its index in `strip`.
    stamps: Vec<(u32, u32)>,
    generation: Generation,
    strip: Vec<u32>,
    /// By index in `strip`, then by place.
    labels: Vec<[C; 64]>,
    /// By index in `strip`: a bit for each place that has a label, and for each whose label is final.
    seen: Vec<[u64; 2]>,
    open: BinaryHeap<Reverse<(C, usize)>>,
    /// The number of moves not yet paid for.
    passed: u64,
}

impl<C: Cost> Default for WindowSearch<C> {
    fn default() -> Self {
        Self {
            stamps: Vec::new(),
            generation: Generation::FIRST,
            strip: Vec::new(),
            labels: Vec::new(),
            seen: Vec::new(),
            open: BinaryHeap::new(),
            passed: 0,
        }
    }
}

impl<C: Cost> WindowSearch<C> {
    /// A search of its own, which goes on with the work that is not paid for yet.
    pub(super) fn fresh(&self) -> Self {
        Self { passed: self.passed, ..Self::default() }
    }

    /// The work since the last call, in units.
    pub(super) fn take_work(&mut self, is_large: bool) -> u64 {
        take_units(&mut self.passed, is_large)
    }

    /// Adds `piece` to the strip.
    pub(super) fn allow(&mut self, piece: u32) {
        if self.stamps.len() <= piece as usize {
            self.stamps.resize(piece as usize + 1, (0, 0));
        }
        let stamp = self.generation.stamp();
        let known = &mut self.stamps[piece as usize];
        if known.0 != stamp {
            #[allow(clippy::cast_possible_truncation)] // numbers of pieces have 32 bits
            {
                *known = (stamp, self.strip.len() as u32);
            }
            self.strip.push(piece);
        }
    }

    /// The place of the node with this `number` on the strip: the index of its piece, and its bit.
    fn place(&self, number: usize) -> Option<(usize, usize)> {
        let (stamp, index) = *self.stamps.get(number / 64)?;
        (stamp == self.generation.stamp()).then_some((index as usize, number % 64))
    }

    /// Adds the node with this `number` to the end of the strip. From there on, ways cost `cost`.
    pub(super) fn end_on(&mut self, number: usize, cost: C) {
        self.open.push(Reverse((cost, number)));
    }

    /// Labels the node with this `number`.
    fn see(&mut self, number: usize, cost: C) {
        let Some((index, place)) = self.place(number) else { return };
        let [seen, _] = &mut self.seen[index];
        let label = &mut self.labels[index][place];
        if *seen >> place & 1 == 0 || cost < *label {
            *seen |= 1 << place;
            *label = cost;
            self.open.push(Reverse((cost, number)));
        }
    }

    /// The window of the strip, up to [`FARTHER`] moves beyond the node with the number `origin`. `beyond` is the cost
    /// from the end of the strip to the goals; `None`: the strip ends at goals. Returns `None` if no way leads from
    /// `origin` to the end. Clears the strip.
    pub(super) fn find<S: SpaceGraph<Cost = C>>(
        &mut self,
        space: &S,
        predecessors: &PredecessorsIn<S>,
        atlas: &Atlas,
        origin: usize,
        beyond: Option<C>,
    ) -> Option<Window<C>> {
        let number = u32::try_from(origin).ok()?;
        let a_move = a_move_from(space, atlas.node(number));
        self.labels.resize(self.labels.len().max(self.strip.len()), [C::zero(); 64]);
        self.seen.clear();
        self.seen.resize(self.strip.len(), [0; 2]);
        let ends = std::mem::take(&mut self.open);
        ends.into_iter().for_each(|Reverse((cost, number))| self.see(number, cost));
        let (mut last, mut least) = (None, C::zero());
        while let Some(Reverse((cost, number))) = self.open.pop() {
            if last.is_some_and(|last| cost > last) {
                break;
            }
            let Some((index, place)) = self.place(number) else { continue };
            let [_, is_final] = &mut self.seen[index];
            if *is_final >> place & 1 == 1 {
                continue;
            }
            *is_final |= 1 << place;
            if number == origin {
                last = Some(cost.plus(a_move.times(FARTHER)));
                least = a_move.times(LEAST).min(cost.part(2));
            }
            #[allow(clippy::cast_possible_truncation)] // numbers of nodes have 32 bits
            let node = atlas.node(number as u32);
            predecessors.for_each_move_into(space, node, |m| {
                self.passed += 1;
                if let Some(from) = atlas.number(m.from) {
                    self.see(from, cost.plus(m.cost));
                }
            });
        }
        let window = last.map(|_| self.window(beyond, least));
        self.clear();
        window
    }

    fn window(&self, beyond: Option<C>, least: C) -> Window<C> {
        let mut labelled: Vec<(u32, usize)> = self.strip.iter().copied().zip(0..).collect();
        labelled.retain(|(_, index)| self.seen[*index][1] != 0);
        labelled.sort_unstable();
        let count = labelled.iter().map(|(_, index)| self.seen[*index][1].count_ones() as usize).sum();
        let mut window = Window {
            pieces: labelled.iter().map(|(piece, _)| *piece).collect(),
            seen: Vec::with_capacity(labelled.len()),
            costs: Vec::with_capacity(count),
            beyond: beyond.unwrap_or(C::zero()),
            is_last: beyond.is_none(),
            least,
        };
        for (_, index) in labelled {
            let mut left = self.seen[index][1];
            #[allow(clippy::cast_possible_truncation)] // a strip has few nodes
            window.seen.push((left, window.costs.len() as u32));
            while left != 0 {
                window.costs.push(self.labels[index][left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        }
        window
    }

    fn clear(&mut self) {
        self.strip.clear();
        self.open.clear();
        if !self.generation.advance() {
            self.stamps.clear();
        }
    }
}

/// The mean cost of the moves out of `node`; a plain step without moves.
fn a_move_from<S: SpaceGraph>(space: &S, node: NodeId) -> S::Cost {
    let (sum, count) = space.moves(node).fold((S::Cost::zero(), 0), |(sum, count), m| (m.cost.plus(sum), count + 1));
    if count == 0 { S::Cost::STEP } else { sum.part(count) }
}
