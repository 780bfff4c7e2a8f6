//! Margins: how far off its predicted path an outsider may be.

use giveway_core::{Digest, Garbled, Ticks, WordReader, Words};

/// No margin is wider than this, in moves.
pub(super) const MOST_MOVES: u32 = 16;

/// Nothing is reserved farther ahead than this.
const LONGEST: Ticks = 1 << 12;

/// How far off its [predicted](crate::Crowd::predict) path an agent may be. The margin is a number of moves, which may
/// grow with time.
///
/// ```
/// use giveway_crowd::Margin;
///
/// // One move off at first, one more after each 4 ticks, and at most three; for the next 24 ticks.
/// let margin = Margin::new(1).growing(4).at_most(3).ahead(24);
/// assert_eq!([0, 3, 4, 8, 20].map(|ticks| margin.at(ticks)), [1, 1, 2, 3, 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(from = "Given"))]
pub struct Margin {
    moves: u32,
    growing: Option<Ticks>,
    at_most: u32,
    ahead: Option<Ticks>,
}

/// A margin as it is written: any numbers.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(default)]
struct Given {
    moves: u32,
    growing: Option<Ticks>,
    at_most: u32,
    ahead: Option<Ticks>,
}

#[cfg(feature = "serde")]
impl Default for Given {
    fn default() -> Self {
        let Margin { moves, growing, at_most, ahead } = Margin::default();
        Self { moves, growing, at_most, ahead }
    }
}

#[cfg(feature = "serde")]
impl From<Given> for Margin {
    fn from(Given { moves, growing, at_most, ahead }: Given) -> Self {
        let margin = Self::new(moves).at_most(at_most);
        let margin = growing.map_or(margin, |ticks| margin.growing(ticks));
        ahead.map_or(margin, |ticks| margin.ahead(ticks))
    }
}

impl Default for Margin {
    /// One move.
    fn default() -> Self {
        Self::new(1)
    }
}

impl Margin {
    /// A margin of `moves` moves that does not grow. A number above 16 counts as 16.
    pub const fn new(moves: u32) -> Self {
        let moves = if moves < MOST_MOVES { moves } else { MOST_MOVES };
        Self { moves, growing: None, at_most: MOST_MOVES, ahead: None }
    }

    /// Makes the margin grow by a move after each `ticks` ticks; 0 counts as 1. By default it does not grow.
    pub const fn growing(self, ticks: Ticks) -> Self {
        Self { growing: Some(if ticks == 0 { 1 } else { ticks }), ..self }
    }

    /// Makes the margin no wider than `moves` moves, at any time. The default is 16; a number above 16 counts as 16.
    pub const fn at_most(self, moves: u32) -> Self {
        Self { at_most: if moves < MOST_MOVES { moves } else { MOST_MOVES }, ..self }
    }

    /// Sets how far ahead places are reserved, in ticks. Less than a plain step counts as a plain step, and more than
    /// 4,096 ticks count as 4,096. By default this is the longest window of the crowd, since other agents plan that
    /// far, but at most 4,096 ticks.
    pub const fn ahead(self, ticks: Ticks) -> Self {
        Self { ahead: Some(if ticks < LONGEST { ticks } else { LONGEST }), ..self }
    }

    /// The width of the margin in moves, `ticks` ticks after the agent was last where it was expected.
    pub const fn at(self, ticks: Ticks) -> u32 {
        let grown = match self.growing {
            Some(every) => self.moves.saturating_add(ticks / every),
            None => self.moves,
        };
        if grown < self.at_most { grown } else { self.at_most }
    }

    /// The first number of ticks above `ticks` after which it is wider. `None`: it grows no more.
    pub(super) fn grows_after(self, ticks: Ticks) -> Option<Ticks> {
        let every = self.growing.filter(|_| self.at(ticks) < self.at_most)?;
        (ticks / every + 1).checked_mul(every)
    }

    /// For how many ticks places are reserved in a crowd with this longest window.
    pub(super) fn ticks_ahead(self, longest_window: Ticks) -> Ticks {
        self.ahead.unwrap_or(longest_window).min(LONGEST)
    }

    pub(super) fn feed(self, digest: &mut Digest) {
        digest.pair(self.moves, self.at_most);
        digest.pair(self.growing.unwrap_or(0), self.ahead.map_or(0, |ahead| ahead + 1));
    }

    pub(super) fn write_to(self, words: &mut Words) {
        words.word(self.moves.into());
        words.word(self.at_most.into());
        words.option(self.growing);
        words.option(self.ahead);
    }

    pub(super) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut width = || words.at_most(MOST_MOVES as usize);
        let (moves, at_most) = (width()?, width()?);
        let (growing, ahead) = (words.option()?, words.option()?);
        if growing == Some(0) || ahead.is_some_and(|ahead| ahead > LONGEST) {
            return Err(Garbled::new("a margin"));
        }
        #[allow(clippy::cast_possible_truncation)] // at most 16
        Ok(Self { moves: moves as u32, growing, at_most: at_most as u32, ahead })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_after_the_ticks_that_it_tells() {
        let all = [
            Margin::new(1),
            Margin::new(0).growing(3).at_most(4),
            Margin::new(2).growing(1),
            Margin::new(9).at_most(3),
        ];
        for margin in all.into_iter().chain([Margin::new(1).growing(Ticks::MAX)]) {
            for ticks in 0..40 {
                let wider = (ticks + 1..60).find(|later| margin.at(*later) > margin.at(ticks));
                assert_eq!(margin.grows_after(ticks).filter(|later| *later < 60), wider, "{margin:?} after {ticks}");
            }
        }
        assert_eq!(Margin::new(1).growing(7).grows_after(Ticks::MAX - 1), None);
    }

    #[test]
    fn nothing_is_reserved_too_far_ahead() {
        assert_eq!(Margin::new(1).ticks_ahead(32), 32);
        assert_eq!(Margin::new(1).ticks_ahead(Ticks::MAX), LONGEST);
        assert_eq!(Margin::new(1).ahead(Ticks::MAX).ticks_ahead(32), LONGEST);
    }
}
