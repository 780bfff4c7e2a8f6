//! The footprint of a body: the cells of the ground that its shape meets as it moves and rests, each for as long as it
//! is met.

use std::ops::ControlFlow;
use std::sync::Arc;

use giveway_core::{
    CellId, Cells, Entry, EntryVisitor, Footprint, MotionIn, MoveIn, SpaceGraph, Span, Tick, Ticks, TooCoarse,
};

use super::by_move::MoveStamps;
use super::by_offset::OffsetStamps;
use super::pace::Pace;

/// The footprint of a body on a ground. [`Body::on`](crate::Body::on) and [`Vehicle::on`](crate::Vehicle::on) make a
/// space and its footprint together: use the footprint only in that space.
///
/// The *stamp* of a motion is the list of ground cells that the body meets in the motion, with times. On a grid there
/// are few stamps, and all are made at once. In other spaces every move has its own stamp, which is made when it is
/// first needed, and then [kept](Self::keep_at_most). Clones share stamps.
#[derive(Clone, Debug)]
pub struct BodyFootprint {
    pub(crate) cells: Cells,
    pub(crate) pace: Pace,
    /// The duration of all moves on plain ground, if it is the same for all.
    pub(crate) uniform: Option<Ticks>,
    /// The lengths of moves on plain ground, by the number of their way if stamps are by offset.
    pub(crate) lengths: Arc<[f32]>,
    pub(crate) stamps: Stamps,
}

/// Where stamps come from.
#[derive(Clone, Debug)]
pub(crate) enum Stamps {
    ByOffset(OffsetStamps),
    ByMove(Arc<MoveStamps>),
}

/// A space for bodies, which knows the stamp of each motion: the ground cells that the body meets in the motion, with
/// times.
pub trait Stamped: SpaceGraph {
    /// Whether some moves take more or less time than on plain ground.
    fn are_moves_slow(&self) -> bool;

    /// The duration of `m`. `None`: `m` is not a move of this space.
    fn duration(&self, of: &BodyFootprint, m: &MoveIn<Self>) -> Option<Ticks>;

    /// [`Footprint::sweep`].
    fn sweep(
        &self,
        of: &BodyFootprint,
        motion: &MotionIn<Self>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()>;
}

/// The entry of a motion of another space, or beyond the ground: no store has this cell.
pub(crate) fn nowhere(depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
    entry(Entry { cell: CellId(u32::MAX), span: Span::lasting(depart, 1) })
}

impl BodyFootprint {
    /// The number of ticks that a plain step at speed 1 takes.
    pub fn ticks_per_step(&self) -> Ticks {
        self.pace.ticks_per_step
    }

    /// Sets the bound on the memory of stamps, in bytes; the default is 256 MiB. A stamp for which there is no memory
    /// is made anew each time that it is needed. Two amounts do not count towards the bound: 40 bytes for each node,
    /// and the stamps of about a thousand nodes that were used last.
    ///
    /// The call drops all stamps made so far. On a grid the call has no effect.
    #[must_use]
    pub fn keep_at_most(self, bytes: usize) -> Self {
        let stamps = match self.stamps {
            Stamps::ByMove(stamps) => Stamps::ByMove(Arc::new(stamps.blank(bytes))),
            by_offset @ Stamps::ByOffset(_) => by_offset,
        };
        Self { stamps, ..self }
    }

    /// The memory of the stamps that count towards the [bound](Self::keep_at_most), in bytes.
    pub fn stamp_bytes(&self) -> usize {
        match &self.stamps {
            Stamps::ByOffset(stamps) => stamps.bytes(),
            Stamps::ByMove(stamps) => stamps.bytes(),
        }
    }
}

impl<S: Stamped> Footprint<S> for BodyFootprint {
    fn cells(&self, _space: &S) -> Cells {
        self.cells
    }

    fn ticks_of_step(&self, space: &S) -> Option<Ticks> {
        let step = space.facts().step;
        // Slow bodies keep plain steps where the space says nothing.
        (step != 1.0).then(|| self.pace.ticks(step)).filter(|ticks| *ticks > self.pace.ticks_per_step)
    }

    #[inline]
    fn wait_quantum(&self) -> Ticks {
        self.pace.wait_quantum()
    }

    #[inline]
    fn ticks_per_step(&self) -> Ticks {
        self.pace.ticks_per_step
    }

    #[inline]
    fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        space.duration(self, m)
    }

    fn uniform_duration(&self, space: &S) -> Option<Ticks> {
        self.uniform.filter(|_| !space.are_moves_slow())
    }

    fn check_slowness(&self, _space: &S, slowness: f32) -> Result<(), TooCoarse> {
        self.pace.check_slowness(&self.lengths, slowness)
    }

    #[inline]
    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        space.sweep(self, motion, depart, entry)
    }
}
