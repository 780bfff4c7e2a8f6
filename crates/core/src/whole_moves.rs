//! Whole moves: a footprint that gives nothing up before a move has ended.

use std::ops::ControlFlow;

use crate::footprint::{EntryVisitor, Footprint};
use crate::space::{MotionIn, MoveIn, SpaceGraph};
use crate::vocabulary::{Cells, Entry, Motion, Span, Tick, Ticks, TooCoarse};

/// A footprint that holds all cells of a move from the departure up to and including the tick of the arrival. These are
/// the cells that the unit touches on its way, and the cells of the places where the move begins and ends.
///
/// This is for units that physics or an animation moves. The crowd does not know where such a unit is during a move,
/// and the game reports when the move is done. The unit is always within the cells that it holds. Units keep a larger
/// distance from each other, so fewer of them pass a place. Moves have no [uniform
/// duration](Footprint::uniform_duration): cells stay held at the tick of the arrival, after the move has ended, so
/// planners cannot treat all moves as steps of one duration.
///
/// ```
/// use giveway_core::{Entry, Footprint, Motion, Point, SpaceGraph, Span, WholeMoves};
/// # use giveway_core::{Move, NodeId};
/// # /// A corridor of four cells.
/// # struct Corridor;
/// # impl SpaceGraph for Corridor {
/// #     type Action = i32;
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize {
/// #         4
/// #     }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
/// #         let to = [-1, 1].map(|action| (from.0.checked_add_signed(action), action));
/// #         to.into_iter().filter_map(move |(to, action)| {
/// #             let to = NodeId(to.filter(|to| *to < 4)?);
/// #             Some(Move { from, to, action, cost: 1000, length: 1.0 })
/// #         })
/// #     }
/// # }
/// let point = Point::timed(&Corridor, 3)?;
/// let m = Corridor.moves(NodeId(0)).next().expect("a move");
/// let spans = |entries: Vec<Entry>| entries.into_iter().map(|entry| entry.span).collect::<Vec<Span>>();
/// assert_eq!(spans(point.entries(&Corridor, &Motion::Move(m), 5)), [Span::new(5, 8); 2]);
/// let whole = WholeMoves::new(point);
/// assert!(spans(whole.entries(&Corridor, &Motion::Move(m), 5)).iter().all(|span| *span == Span::new(5, 9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WholeMoves<F> {
    footprint: F,
}

impl<F> WholeMoves<F> {
    /// The moves of `footprint`, as a whole.
    pub fn new(footprint: F) -> Self {
        Self { footprint }
    }
}

impl<S: SpaceGraph, F: Footprint<S>> Footprint<S> for WholeMoves<F> {
    fn cells(&self, space: &S) -> Cells {
        self.footprint.cells(space)
    }

    fn ticks_of_step(&self, space: &S) -> Option<Ticks> {
        self.footprint.ticks_of_step(space)
    }

    fn wait_quantum(&self) -> Ticks {
        self.footprint.wait_quantum()
    }

    fn ticks_per_step(&self) -> Ticks {
        self.footprint.ticks_per_step()
    }

    fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        self.footprint.duration(space, m)
    }

    fn makes_all_moves(&self, space: &S) -> bool {
        self.footprint.makes_all_moves(space)
    }

    fn holds_whole_moves(&self) -> bool {
        true
    }

    fn check_slowness(&self, space: &S, slowness: f32) -> Result<(), TooCoarse> {
        self.footprint.check_slowness(space, slowness)
    }

    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        let Motion::Move(m) = motion else { return self.footprint.sweep(space, motion, depart, entry) };
        let ticks = self.footprint.duration(space, m).unwrap_or(1);
        let whole = Span::lasting(depart, ticks.saturating_add(1));
        let mut hold = |held: Entry| {
            let span = Span::new(whole.start.min(held.span.start), whole.end.max(held.span.end));
            entry(Entry { cell: held.cell, span })
        };
        self.footprint.sweep(space, motion, depart, &mut hold)?;
        [m.from, m.to]
            .into_iter()
            .try_for_each(|node| self.footprint.sweep(space, &Motion::Rest { node, ticks }, depart, &mut hold))
    }
}
