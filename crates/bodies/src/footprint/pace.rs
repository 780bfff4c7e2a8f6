//! Pace: how long motions of a body take.

use giveway_core::{Span, Tick, Ticks, TooCoarse, check_ticks};

/// How long motions of a class take, and how much longer their cells are held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) ticks_per_step: Ticks,
    /// The exact number of ticks for a world unit.
    pub(crate) ticks_per_length: f64,
    /// The number of ticks by which every entry is longer.
    pub(crate) after: Ticks,
}

impl Pace {
    /// How long the class waits at a time.
    #[inline]
    pub(crate) fn wait_quantum(self) -> Ticks {
        self.ticks_per_step.div_ceil(4)
    }

    /// The exact duration of a move of `length`, in ticks.
    #[inline]
    pub(crate) fn nominal(self, length: f32) -> f64 {
        f64::from(length) * self.ticks_per_length
    }

    /// Checks that moves of `lengths` on plain ground keep their speed where they take `slowness` times as long.
    pub(crate) fn check_slowness(self, lengths: &[f32], slowness: f32) -> Result<(), TooCoarse> {
        let steps = |length: &f32| self.nominal(*length) * f64::from(slowness) / f64::from(self.ticks_per_step.max(1));
        check_ticks(lengths.iter().map(steps), self.ticks_per_step)
    }

    /// The duration of a move of `length`, rounded to whole ticks.
    #[inline]
    pub(crate) fn ticks(self, length: f32) -> Ticks {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let ticks = self.nominal(length).round() as Ticks;
        ticks.max(1)
    }

    /// The span in which a motion begun at `depart` holds a cell. The motion takes `takes` ticks; `begin` and `end` are
    /// given for a motion of `plain` ticks.
    #[inline]
    pub(crate) fn span(self, depart: Tick, [begin, end]: [Ticks; 2], takes: Ticks, plain: Ticks) -> Span {
        let (begin, end) = if takes == plain {
            (begin, end)
        } else {
            let scaled = |ticks: Ticks| u64::from(ticks) * u64::from(takes);
            #[allow(clippy::cast_possible_truncation)] // parts of `takes`
            ((scaled(begin) / u64::from(plain)) as Ticks, scaled(end).div_ceil(u64::from(plain)) as Ticks)
        };
        Span::new(depart.saturating_add(begin), depart.saturating_add(end).saturating_add(self.after))
    }

    /// The span in which cells are held by a rest of `ticks` ticks.
    #[inline]
    pub(crate) fn rest(self, depart: Tick, ticks: Ticks) -> Span {
        let span = Span::lasting(depart, ticks.max(1 - self.after.min(1)));
        Span::new(span.start, span.end.saturating_add(self.after))
    }
}
