//! Footprints: what a unit occupies while it moves or rests.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::space::{MotionIn, MoveIn, SpaceGraph};
use crate::vocabulary::{AtEnd, Cells, Cost, Entry, FOREVER, Motion, Path, Tick, Ticks, TooCoarse};

/// A callback for each entry of a motion. If it returns [`ControlFlow::Break`], no more entries come.
pub type EntryVisitor<'a> = &'a mut (dyn FnMut(Entry) -> ControlFlow<()> + 'a);

/// A footprint says what a class of units occupies. The footprint turns a motion, and the tick at which the motion
/// begins, into entries: reservation cells, each with a span of ticks.
///
/// One method, [`sweep`](Self::sweep), serves testing, committing, releasing and drawing: exactly the tested entries
/// are reserved. The trait is dyn-compatible.
///
/// # Contract
/// * The entries of a motion that departs at `t` and takes `d` ticks cover every cell that the unit touches in `[t, t +
///   d)`. The entries may include the tick of arrival, as under the swap rule. Entries of one motion may overlap.
/// * A rest of 0 ticks that begins at `t` has the entries for standing there at tick `t`.
/// * If a motion departs `n` ticks later, each of its entries is `n` ticks later.
/// * Rests concatenate: `Rest(a)` then `Rest(b)` covers `Rest(a + b)`.
pub trait Footprint<S: SpaceGraph> {
    /// The reservation cells that the entries name. Classes that share a store must agree on them.
    fn cells(&self, space: &S) -> Cells;

    /// The number of ticks of a move whose length is the [step](crate::Facts::step) of `space`, if this step is longer
    /// than a plain step. A crowd counts its windows in such moves. `None`, the default: a crowd counts windows in
    /// plain steps.
    fn ticks_of_step(&self, _space: &S) -> Option<Ticks> {
        None
    }

    /// The number of ticks, at least 1, of one wait of a search.
    fn wait_quantum(&self) -> Ticks {
        1
    }

    /// The number of ticks, at least 1, of a plain step: a move of length 1 at speed 1. A wait of this length costs as
    /// much as a plain step.
    fn ticks_per_step(&self) -> Ticks {
        1
    }

    /// The number of ticks, at least 1, that this class takes for `m`; `None` if the class cannot make `m` (too narrow,
    /// too steep).
    fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks>;

    /// The duration of every move in `space`, if this class can make all moves and all take equally long. A move that
    /// was added to the space after the footprint was made, and that this class cannot make, does not count. `None`,
    /// the default: durations differ, or they are not known. Takes constant time.
    fn uniform_duration(&self, _space: &S) -> Option<Ticks> {
        None
    }

    /// Whether this class can make every move of `space`, at the present revision. `false`, the default: not known.
    /// Takes constant time.
    fn makes_all_moves(&self, _space: &S) -> bool {
        false
    }

    /// Whether each move holds all its cells from its departure up to and including the tick of its arrival. These are
    /// the cells that the unit touches on its way, and the cells of the places where the move begins and ends.
    /// [`WholeMoves`](crate::WholeMoves) makes such a footprint of any other. `false`, the default: not known. Takes
    /// constant time.
    fn holds_whole_moves(&self) -> bool {
        false
    }

    /// Checks that this class keeps its speed within 1 % on moves of `space` that are `slowness` times as long as on
    /// plain ground. A world calls this method when a [surface](crate::Surface) changes. `Ok`, the default: durations
    /// do not depend on lengths, or every duration is accepted.
    ///
    /// # Errors
    /// A duration would be more than 1 % away from a whole number of ticks.
    fn check_slowness(&self, _space: &S, _slowness: f32) -> Result<(), TooCoarse> {
        Ok(())
    }

    /// Calls `entry` for each reservation entry of `motion`, which begins at `depart`, until `entry` breaks off.
    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()>;

    /// All reservation entries of `motion`, which begins at `depart`.
    fn entries(&self, space: &S, motion: &MotionIn<S>, depart: Tick) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.collect(space, motion, depart, &mut entries);
        entries
    }

    /// Appends all reservation entries of `motion`, which begins at `depart`, to `entries`.
    fn collect(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entries: &mut Vec<Entry>) {
        let _ = self.sweep(space, motion, depart, &mut |entry| {
            entries.push(entry);
            ControlFlow::Continue(())
        });
    }
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

            fn ticks_of_step(&self, space: &S) -> Option<Ticks> {
                (**self).ticks_of_step(space)
            }

            #[inline]
            fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
                (**self).duration(space, m)
            }

            fn uniform_duration(&self, space: &S) -> Option<Ticks> {
                (**self).uniform_duration(space)
            }

            fn makes_all_moves(&self, space: &S) -> bool {
                (**self).makes_all_moves(space)
            }

            fn holds_whole_moves(&self) -> bool {
                (**self).holds_whole_moves()
            }

            fn check_slowness(&self, space: &S, slowness: f32) -> Result<(), TooCoarse> {
                (**self).check_slowness(space, slowness)
            }

            #[inline(always)] // as for points
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
    /// A reference to a footprint, which may be of unknown type: a scene takes `&&dyn Footprint<S>`.
    &F
}
footprint_behind! {
    /// A shared footprint, also across threads.
    Arc<F>
}

impl<A: Copy, C: Cost> Path<A, C> {
    /// All reservation entries of the path: of standing at the start, of each step, and, with [`AtEnd::Stay`], of
    /// staying at the end.
    pub fn entries<S>(&self, space: &S, footprint: &impl Footprint<S>) -> Vec<Entry>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        // Points have this many.
        let mut entries = Vec::with_capacity(2 * self.steps.len() + 2);
        self.collect(space, footprint, &mut entries);
        entries
    }

    /// Appends all [entries](Self::entries) of the path to `entries`.
    pub fn collect<S>(&self, space: &S, footprint: &impl Footprint<S>, entries: &mut Vec<Entry>)
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let mut collect = |motion: Motion<A, C>, depart: Tick| {
            let _ = footprint.sweep(space, &motion, depart, &mut |entry| {
                entries.push(entry);
                ControlFlow::Continue(())
            });
        };
        collect(Motion::Rest { node: self.start, ticks: 0 }, self.depart);
        for step in &self.steps {
            collect(step.motion, step.depart);
        }
        if self.at_end == AtEnd::Stay {
            let end = self.steps.last().map_or(self.depart, |step| step.arrive);
            collect(Motion::Rest { node: self.end(), ticks: FOREVER }, end);
        }
    }
}
