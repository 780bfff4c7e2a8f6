//! Footprints: what a unit occupies while it moves or rests.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::cells::{CellId, Cells};
use crate::space::{Move, NodeId, SpaceGraph};
use crate::time::{Span, Tick, Ticks};

/// A reservation cell and the ticks for which it is spoken of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// Which cell.
    pub cell: CellId,
    /// For which ticks.
    pub span: Span,
}

/// What a unit does for a while.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Motion<A, C> {
    /// It makes a move.
    Move(Move<A, C>),
    /// It stays where it is.
    Rest {
        /// Where.
        node: NodeId,
        /// For how long; [`FOREVER`](crate::FOREVER): for good; 0: no longer than it takes to be there at all.
        ticks: Ticks,
    },
}

/// The motion of a unit in space `S`.
pub type MotionIn<S> = Motion<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// The move of a unit in space `S`.
pub type MoveIn<S> = Move<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// What is called for each entry of a motion, until it breaks off.
pub type EntryVisitor<'a> = &'a mut (dyn FnMut(Entry) -> ControlFlow<()> + 'a);

/// What a class of units occupies: turns (motion, departure) into entries of the shared reservation cells.
///
/// One routine, [`sweep`](Self::sweep), serves testing, committing, releasing and drawing, so that what was
/// tested is what is reserved. Dyn-compatible: a game's own body may stand beside the ready-made ones.
///
/// # Contract
/// * The entries of a motion that departs at `t` and takes `d` ticks cover every cell that the unit touches in
///   `[t, t + d)`. They may, as under the swap rule, include the tick of arrival; they may overlap each other.
/// * Where a rest of 0 ticks is asked for, the entries are those of standing there at tick `t`.
/// * The entries of one motion shifted in time are the entries of the shifted motion.
/// * A rest for a while and a rest for another while after it cover what one rest for both does.
pub trait Footprint<S: SpaceGraph> {
    /// The reservation cells that the entries speak of. Classes that share a store must agree on them.
    fn cells(&self, space: &S) -> Cells;

    /// The number of ticks, at least 1, that a search waits at a time.
    fn wait_quantum(&self) -> Ticks {
        1
    }

    /// How many ticks, at least 1, this class takes for a plain step, of length 1: to wait for so long costs as much as a
    /// plain step.
    fn ticks_per_step(&self) -> Ticks {
        1
    }

    /// How long this class takes for `m`, at least 1 tick; `None` if it cannot make it (too wide, too steep).
    fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks>;

    /// The duration that all moves share, if they do, and if every move can be made.
    fn uniform_duration(&self) -> Option<Ticks> {
        None
    }

    /// Calls `entry` for each reservation entry of `motion` begun at `depart`, until it breaks off.
    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()>;
}

macro_rules! footprint_behind {
    ($(#[$doc:meta])* $pointer:ty) => {
        $(#[$doc])*
        impl<S: SpaceGraph, F: Footprint<S> + ?Sized> Footprint<S> for $pointer {
            fn cells(&self, space: &S) -> Cells {
                (**self).cells(space)
            }

            #[inline]
            fn wait_quantum(&self) -> Ticks {
                (**self).wait_quantum()
            }

            #[inline]
            fn ticks_per_step(&self) -> Ticks {
                (**self).ticks_per_step()
            }

            #[inline]
            fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
                (**self).duration(space, m)
            }

            fn uniform_duration(&self) -> Option<Ticks> {
                (**self).uniform_duration()
            }

            #[inline]
            fn sweep(
                &self,
                space: &S,
                motion: &MotionIn<S>,
                depart: Tick,
                entry: EntryVisitor<'_>,
            ) -> ControlFlow<()> {
                (**self).sweep(space, motion, depart, entry)
            }
        }
    };
}

footprint_behind! {
    /// A reference to a footprint, also to one whose type is not known: `&&dyn Footprint<S>` is what a scene takes.
    &F
}
footprint_behind! {
    /// A footprint that several own, in several threads even.
    Arc<F>
}
