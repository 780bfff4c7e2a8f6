//! Time: integer ticks and half-open spans.

/// An absolute point in time, counted from the start of the world.
///
/// You choose how long a tick is: for example, the time of one step on a grid, or a sixty-fourth of that time.
pub type Tick = u32;

/// A number of ticks.
pub type Ticks = u32;

/// The largest tick, which stands for "never": a span whose end is `FOREVER` has no end.
pub const FOREVER: Tick = Tick::MAX;

/// The ticks from `start` up to, not including, `end`.
///
/// Spans are half-open, so that an agent that leaves a place at tick 5 does not collide with an agent that arrives
/// there at tick 5. A span whose `end` is [`FOREVER`] has no end; a span whose `start` is not below its `end` is empty.
///
/// ```
/// use giveway_core::Span;
///
/// let (leaving, arriving) = (Span::new(3, 5), Span::new(5, 6));
/// assert!(!leaving.overlaps(arriving));
/// assert!(Span::endless(4).overlaps(leaving));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// The first tick of the span.
    pub start: Tick,
    /// The first tick after the span, or [`FOREVER`].
    pub end: Tick,
}

impl Span {
    /// The ticks of `start..end`; empty unless `start < end`.
    #[inline]
    pub const fn new(start: Tick, end: Tick) -> Self {
        Self { start, end }
    }

    /// The single tick `tick`.
    #[inline]
    pub const fn tick(tick: Tick) -> Self {
        Self::lasting(tick, 1)
    }

    /// A span that begins at `start` and lasts `ticks`; endless if the end would be [`FOREVER`] or later.
    #[inline]
    pub const fn lasting(start: Tick, ticks: Ticks) -> Self {
        Self { start, end: start.saturating_add(ticks) }
    }

    /// The ticks from `start` on, for ever.
    #[inline]
    pub const fn endless(start: Tick) -> Self {
        Self { start, end: FOREVER }
    }

    /// Whether the span has no tick.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether the span never ends.
    #[inline]
    pub const fn is_endless(self) -> bool {
        self.end == FOREVER
    }

    /// Whether `tick` lies in the span.
    #[inline]
    pub const fn contains(self, tick: Tick) -> bool {
        self.start <= tick && tick < self.end
    }

    /// Whether some tick lies in both spans.
    #[inline]
    pub const fn overlaps(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// The ticks that lie in both spans; possibly none.
    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self {
            start: if self.start > other.start { self.start } else { other.start },
            end: if self.end < other.end { self.end } else { other.end },
        }
    }
}
