//! Members as words: what is known of an agent, but for what its class or the crowd says.

use std::sync::Arc;

use giveway_core::{AgentId, Garbled, Tick, WordReader, Words};

use super::{Approach, ClassRules, Itinerary, Journey, Member, Motion, Order, Turn, WindowMemory};
use crate::chain::Chain;
use crate::class_id::ClassId;
use crate::depth::Depth;

/// What a member has to fit into.
pub struct Frame<'f> {
    pub now: Tick,
    /// By class, the bound of its nodes.
    pub nodes: &'f [usize],
    /// The bound of the cells.
    pub cells: usize,
}

impl Member {
    /// Appends the member to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        words.word(self.class.0.into());
        words.signed(self.priority.into());
        words.flag(self.has_own_chain);
        if self.has_own_chain {
            self.chain.write_to(words);
        }
        words.flag(self.steps_instead);
        words.flag(self.is_stuck);
        words.flag(self.goes_along);
        match self.own_depth {
            None => words.word(0),
            Some(Depth::Fixed(depth)) => {
                words.word(1);
                words.word(depth.into());
            }
            Some(Depth::ByCrowding { least, most }) => {
                words.word(2);
                words.word(least.into());
                words.word(most.into());
            }
        }
        self.motion.write_to(now, words);
        self.approach.write_to(now, words);
        self.order.write_to(now, words);
        self.turn.write_to(now, words);
        self.window.write_to(words);
        self.journey.write_to(now, words);
        self.itinerary.write_to(words);
    }

    /// Reads the member `id`. `rules`: of its class.
    pub fn read_from(
        id: AgentId,
        frame: &Frame<'_>,
        rules: impl FnOnce(ClassId) -> ClassRules,
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let Frame { now, nodes, cells } = *frame;
        let index = words.below(nodes.len())?;
        let bound = nodes[index];
        #[allow(clippy::cast_possible_truncation)] // class ids have 32 bits
        let class = ClassId(index as u32);
        let rules = rules(class);
        let priority = i32::try_from(words.signed()?).map_err(|_| Garbled::new("a priority"))?;
        let has_own_chain = words.flag()?;
        let chain = if has_own_chain { Arc::new(Chain::read_from(words)?) } else { rules.chain };
        let (steps_instead, is_stuck, goes_along) = (words.flag()?, words.flag()?, words.flag()?);
        let own_depth = match words.word()? {
            0 => None,
            1 => Some(Depth::Fixed(words.word_32()?)),
            2 => Some(Depth::ByCrowding { least: words.word_32()?, most: words.word_32()? }),
            _ => return Err(Garbled::new("a depth")),
        };
        Ok(Self {
            motion: Motion::read_from(now, [bound, cells, nodes.len()], words)?,
            approach: Approach::read_from(now, chain.len(), words)?,
            order: Order::read_from(now, [bound, cells], words)?,
            turn: Turn::read_from(now, words)?,
            chain,
            id,
            class,
            step: rules.step,
            priority,
            steps_instead,
            has_own_chain,
            class_depth: rules.depth,
            own_depth,
            window: WindowMemory::read_from(words)?,
            journey: Journey::read_from(now, bound, words)?,
            itinerary: Itinerary::read_from(bound, words)?,
            is_stuck,
            goes_along,
            hurries: false,
        })
    }
}
