//! Patience: how long agents go on with steps that bring them no nearer.

use giveway_core::{Garbled, Ticks, WordReader, Words};

use crate::clock::Clock;

/// Whether the planners of its chain serve an agent that comes no nearer by steps, even while the budget is short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// They do not: it goes on with steps all the same.
    Endless,
    /// From 256 steps without progress on.
    Long,
    /// For 16 steps at a time, after every 16 steps without progress. Where units of unlike bodies stand in each other's
    /// way, a window leads around, but if all of them had windows, nobody would make way for anybody.
    Short,
    /// For 16 steps at a time, after every 256 steps without progress. Steps alone resolve no meeting in a corridor, but
    /// whoever plans farther ahead is in the way of all others.
    Rare,
}

/// The numbers of steps of [`Patience`].
const LONG: Ticks = 256;
const SHORT: Ticks = 16;

impl Patience {
    /// Whether it has ended after so many ticks without progress.
    pub(super) fn ends_after(self, without_progress: Ticks, clock: Clock) -> bool {
        match self {
            Self::Endless => false,
            Self::Long => without_progress >= clock.ticks(LONG),
            Self::Short => without_progress / clock.ticks(SHORT).max(1) % 2 == 1,
            Self::Rare => {
                without_progress >= clock.ticks(LONG)
                    && (without_progress / clock.ticks(SHORT).max(1)).is_multiple_of(LONG / SHORT)
            }
        }
    }

    /// Appends the patience to `words`.
    pub(super) fn write_to(self, words: &mut Words) {
        words.word(self as u64);
    }

    /// Reads a patience.
    pub(super) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        match words.word()? {
            0 => Ok(Self::Endless),
            1 => Ok(Self::Long),
            2 => Ok(Self::Short),
            3 => Ok(Self::Rare),
            _ => Err(Garbled::new("a patience")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_for_good_or_for_a_while() {
        let clock = Clock { now: 0, ticks_per_step: 2 };
        let ends = |patience: Patience| Vec::from_iter((0..640).filter(|ticks| patience.ends_after(*ticks, clock)));
        assert_eq!(ends(Patience::Endless), []);
        assert_eq!(ends(Patience::Long), Vec::from_iter(512..640));
        assert_eq!(ends(Patience::Short)[..40], Vec::from_iter((32..64).chain(96..104))[..]);
        assert_eq!(ends(Patience::Rare), Vec::from_iter(512..544));
    }
}
