//! Margins: how far off its predicted path an outsider may be.

use giveway_core::{Digest, Garbled, Ticks, WordReader, Words};

/// No margin is wider than this, in moves.
pub(super) const MOST_MOVES: u32 = 16;

/// Nothing is reserved farther ahead than this.
const LONGEST: Ticks = 1 << 12;

/// How far off its [predicted](crate::Crowd::predict) path an agent may be: so many moves, and more as time goes by.
///
/// ```
/// use giveway_crowd::Margin;
///
/// // One move off at first, one more after each 4 ticks, and at most three; for the next 24 ticks.
/// let margin = Margin::new(1).growing(4).at_most(3).ahead(24);
/// assert_eq!([0, 3, 4, 8, 20].map(|ticks| margin.at(ticks)), [1, 1, 2, 3, 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Margin {
    moves: u32,
    growing: Option<Ticks>,
    at_most: u32,
    ahead: Option<Ticks>,
}

impl Default for Margin {
    /// One move.
    fn default() -> Self {
        Self::new(1)
    }
}

impl Margin {
    /// A margin of `moves` moves that does not grow; at most 16.
    pub const fn new(moves: u32) -> Self {
        let moves = if moves < MOST_MOVES { moves } else { MOST_MOVES };
        Self { moves, growing: None, at_most: MOST_MOVES, ahead: None }
    }

    /// Makes the margin grow by a move after each `ticks` ticks; 0 counts as 1. By default it does not grow.
    pub const fn growing(self, ticks: Ticks) -> Self {
        Self { growing: Some(if ticks == 0 { 1 } else { ticks }), ..self }
    }

    /// Makes the margin grow no wider than `moves` moves. By default, and at most, 16.
    pub const fn at_most(self, moves: u32) -> Self {
        Self { at_most: if moves < MOST_MOVES { moves } else { MOST_MOVES }, ..self }
    }

    /// Reserves places for the next `ticks` ticks and no later ones, at most 4,096. By default as many ticks as the
    /// longest window of the crowd has: so far others plan ahead.
    pub const fn ahead(self, ticks: Ticks) -> Self {
        Self { ahead: Some(if ticks < LONGEST { ticks } else { LONGEST }), ..self }
    }

    /// How many moves the margin is wide, `ticks` ticks after the agent was last where it was expected.
    pub const fn at(self, ticks: Ticks) -> u32 {
        let grown = match self.growing {
            Some(every) => self.moves.saturating_add(ticks / every),
            None => self.moves,
        };
        if grown < self.at_most { grown } else { self.at_most }
    }

    /// For how many ticks places are reserved; `None`: for the longest window of the crowd.
    pub(super) const fn ticks_ahead(self) -> Option<Ticks> {
        self.ahead
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
