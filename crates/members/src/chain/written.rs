//! Chains as words.

use giveway_core::{Garbled, WordReader, Words};
use giveway_strategies::{Routing, SectorRouting};

use super::{Chain, Kind, Lra, Planner, Steps};

const NO_PLANNER: Garbled = Garbled::new("a planner");

impl Chain {
    /// Appends the chain to `words`.
    #[doc(hidden)]
    pub fn write_to(&self, words: &mut Words) {
        words.size(self.fallbacks.len());
        for (planner, after) in self.planners() {
            planner.write_to(words);
            words.word(after.into());
        }
        words.word(match self.steps {
            Steps::Never => 0,
            Steps::WhenShort => 1,
            Steps::Always => 2,
        });
    }

    /// Reads a chain.
    #[doc(hidden)]
    pub fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let count = words.count()?;
        let first = Planner::read_from(words)?;
        words.word()?;
        let mut chain = Self::new(first);
        for _ in 0..count {
            let planner = Planner::read_from(words)?;
            chain = chain.fallback(planner, words.word_32()?);
        }
        chain.steps = match words.word()? {
            0 => Steps::Never,
            1 => Steps::WhenShort,
            2 => Steps::Always,
            _ => return Err(Garbled::new("when steps are taken")),
        };
        Ok(chain)
    }

    /// The number of its planners.
    pub(crate) fn len(&self) -> usize {
        1 + self.fallbacks.len()
    }
}

impl Planner {
    fn write_to(self, words: &mut Words) {
        Kind::write(Some(self.into()), words);
        if let Self::LocalRepair(Lra { seed, noise, routing, radius }) = self {
            words.word(seed);
            words.word(noise.into());
            words.word(radius.into());
            write_routing(routing, words);
        }
    }

    fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        Ok(match Kind::read(words)?.ok_or(NO_PLANNER)? {
            Kind::Windowed => Self::Windowed,
            Kind::Pibt => Self::Pibt,
            Kind::Step => Self::Step,
            Kind::Lacam => Self::Lacam,
            Kind::LocalRepair => {
                let (seed, noise, radius) = (words.word()?, words.word_32()?, words.word_32()?);
                Self::LocalRepair(Lra { seed, noise, routing: read_routing(words)?, radius })
            }
        })
    }
}

/// Appends a routing to `words`.
pub fn write_routing(routing: Routing, words: &mut Words) {
    match routing {
        Routing::Greedy => words.word(1),
        Routing::Sectors(sectors) => {
            words.word(2);
            <[u32; 2]>::from(sectors).into_iter().for_each(|number| words.word(number.into()));
        }
        _ => words.word(0),
    }
}

/// Reads a routing.
pub fn read_routing(words: &mut WordReader<'_>) -> Result<Routing, Garbled> {
    match words.word()? {
        0 => Ok(Routing::Whole),
        1 => Ok(Routing::Greedy),
        2 => Ok(Routing::Sectors(SectorRouting::from([words.word_32()?, words.word_32()?]))),
        _ => Err(Garbled::new("a routing")),
    }
}

impl Kind {
    /// Appends the kind of a planner to `words`, if there is one.
    pub fn write(kind: Option<Self>, words: &mut Words) {
        words.word(match kind {
            None => 0,
            Some(Self::Windowed) => 1,
            Some(Self::LocalRepair) => 2,
            Some(Self::Pibt) => 3,
            Some(Self::Step) => 4,
            Some(Self::Lacam) => 5,
        });
    }

    /// Reads the kind of a planner, if there is one.
    pub fn read(words: &mut WordReader<'_>) -> Result<Option<Self>, Garbled> {
        Ok(match words.word()? {
            0 => None,
            1 => Some(Self::Windowed),
            2 => Some(Self::LocalRepair),
            3 => Some(Self::Pibt),
            4 => Some(Self::Step),
            5 => Some(Self::Lacam),
            _ => return Err(NO_PLANNER),
        })
    }
}
