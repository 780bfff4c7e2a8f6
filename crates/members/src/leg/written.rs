//! Legs as words.

use giveway_core::{FOREVER, Garbled, NodeId, Tick, WordReader, Words};

use super::{Leg, REST, SHORTCUT};

/// Where and when the leg before has ended: most legs begin there.
#[derive(Clone, Copy)]
pub struct Before(pub NodeId, pub Tick);

/// What the first word says beside the kind of the motion.
const GOES_ON: u64 = 1;
const AT_ONCE: u64 = 2;
const FLAGS: u64 = 4;

impl Leg {
    /// Appends the leg to `words`. Returns where it ends.
    #[doc(hidden)]
    pub fn write_to(&self, before: Before, words: &mut Words) -> Before {
        let Self { from, to, depart, arrive, action, measure } = *self;
        let kind = match action {
            REST => 0,
            SHORTCUT => 1,
            action => u64::from(action) + 2,
        };
        let goes_on = if from == before.0 { GOES_ON } else { 0 };
        let at_once = if depart == before.1 { AT_ONCE } else { 0 };
        words.word(kind * FLAGS + goes_on + at_once);
        if goes_on == 0 {
            words.difference(before.0.0, from.0);
        }
        if at_once == 0 {
            words.difference(before.1, depart);
        }
        if action != REST {
            words.difference(from.0, to.0);
        }
        words.word(if arrive == FOREVER { 0 } else { 1 + u64::from(arrive - depart) });
        if action == SHORTCUT {
            words.number(measure.into());
        } else if action != REST {
            words.flag(!measure.is_nan());
            if !measure.is_nan() {
                words.number(measure.into());
            }
        }
        Before(to, arrive)
    }

    /// Reads a leg between nodes below `bound`.
    #[doc(hidden)]
    pub fn read_from(before: Before, bound: usize, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let first = words.word()?;
        let action = match first / FLAGS {
            0 => REST,
            1 => SHORTCUT,
            more => u32::try_from(more - 2).ok().filter(|action| *action < SHORTCUT).ok_or(Garbled::new("a move"))?,
        };
        let from = if first & GOES_ON != 0 { before.0.0 } else { words.difference(before.0.0)? };
        let depart = if first & AT_ONCE != 0 { before.1 } else { words.difference(before.1)? };
        let to = if action == REST { from } else { words.difference(from)? };
        let ticks = words.word()?.checked_sub(1);
        let arrive = ticks.map_or(Some(FOREVER), |ticks| u32::try_from(u64::from(depart).saturating_add(ticks)).ok());
        let arrive = arrive.filter(|arrive| *arrive >= depart).ok_or(Garbled::new("a tick"))?;
        let measure = if action == SHORTCUT {
            Some(words.number_32()?).filter(|length| *length >= 0.0).ok_or(Garbled::new("a length"))?
        } else if action != REST && words.flag()? {
            Some(words.number_32()?).filter(|left| *left >= 0.0).ok_or(Garbled::new("a distance"))?
        } else {
            f32::NAN
        };
        if [from, to].iter().any(|node| *node as usize >= bound) {
            return Err(Garbled::new("a node of the space"));
        }
        Ok(Self { from: NodeId(from), to: NodeId(to), depart, arrive, action, measure })
    }
}
