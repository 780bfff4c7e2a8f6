//! A way: a route, and a window with exact distances around its next part.

use std::cell::Cell;
use std::sync::Arc;

use giveway_core::{Cost, NodeId};

use super::route::Stop;
use super::{pieces, tiles};

/// The number of sectors ahead of the agent that a window covers.
pub(super) const AHEAD: usize = 8;

/// The window moves on when its end is fewer than this many moves from the agent.
pub(super) const LEAST: u32 = 20;

/// The number of moves that a window goes on beyond the agent's node: space-time searches look about that far.
pub(super) const FARTHER: u32 = 16;

/// A route, with exact distances around the next part of it. Clones share both: a window is found anew, and never
/// changed. Most of what a question needs is in the way itself.
#[derive(Clone, Debug)]
pub(super) struct Way<C> {
    pub(super) stops: Arc<[Stop]>,
    /// The index of the stop in the sector of the agent.
    pub(super) next: usize,
    pub(super) window: Window<C>,
    /// The number of ways begun before it, plus one.
    pub(super) number: u64,
    /// The revision of the space.
    pub(super) revision: u64,
    /// The number of the question that last asked for it.
    pub(super) asked: u64,
    /// The node for which the window was found.
    pub(super) origin: NodeId,
}

/// Exact distances on a strip along a route. Nodes are given by number.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Window<C> {
    Tiled {
        window: tiles::Window,
        /// What each move costs.
        step: C,
    },
    Pieced(Arc<pieces::Window<C>>),
}

/// Where in a window the last questions were answered: the next one is mostly about a node nearby. In another window the
/// answer only takes longer.
#[derive(Clone, Debug, Default)]
pub(super) struct Last([Cell<u16>; LAST]);

/// The number of boards of which it is known where they are in the window.
const LAST: usize = 8;

impl Last {
    /// The index of the first of `boards`, which are ascending, that is `board` or larger.
    #[inline]
    pub(super) fn find(&self, board: u32, boards: &[u32]) -> usize {
        // Boards beside each other, in either direction, mostly have places of their own.
        let place = &self.0[(board.wrapping_mul(0x9E37_79B9) >> (u32::BITS - LAST.ilog2())) as usize];
        let last = usize::from(place.get());
        if boards.get(last) == Some(&board) && (last == 0 || boards[last - 1] != board) {
            return last;
        }
        let first = boards.partition_point(|other| *other < board);
        // Farther on, the place is looked for each time.
        place.set(u16::try_from(first).unwrap_or(0));
        first
    }
}

impl<C: Cost> Way<C> {
    /// About the least cost from a node to a goal; `None`: the node is beyond the window.
    #[inline]
    pub(super) fn cost(&self, number: usize, last: &Last) -> Option<C> {
        match &self.window {
            Window::Tiled { window, step } => Some(step.times(window.steps(number, last)?)),
            Window::Pieced(window) => window.cost(number, last),
        }
    }

    /// Whether at least [`LEAST`] moves of the window are left, or the window ends at goals.
    pub(super) fn reaches_on_from(&self, number: usize, last: &Last) -> bool {
        match &self.window {
            Window::Tiled { window, .. } => {
                window.is_last || window.steps_to_end(number, last).is_some_and(|steps| steps >= LEAST)
            }
            Window::Pieced(window) => window.reaches_on_from(number, last),
        }
    }

    /// About how many moves there are from a node to the end of the window; `None`: the window ends at goals, or the
    /// node is beyond it.
    pub(super) fn moves_to_end(&self, number: usize, last: &Last) -> Option<u32> {
        match &self.window {
            Window::Tiled { window, .. } if window.is_last => None,
            Window::Tiled { window, .. } => window.steps_to_end(number, last),
            Window::Pieced(window) => window.moves_to_end(number, last),
        }
    }

    /// Whether the route leads on beyond the window.
    pub(super) fn is_long(&self) -> bool {
        match &self.window {
            Window::Tiled { window, .. } => !window.is_last,
            Window::Pieced(window) => !window.is_last(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let window = match &self.window {
            Window::Tiled { window, .. } => window.bytes(),
            Window::Pieced(window) => window.bytes(),
        };
        size_of::<Self>() + size_of_val(&*self.stops) + window
    }
}
