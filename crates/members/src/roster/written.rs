//! The roster as words.

use giveway_core::{AgentId, Garbled, Tick, WordReader, Words};

use super::{ClassRules, Clock, FEWEST_EMPTY, Frame, Loads, Member, Patience, Roster, Slot, TurnTerms};
use crate::class_id::ClassId;

/// Reads a tick that has passed by `now`.
pub(super) fn read_past(now: Tick, words: &mut WordReader<'_>) -> Result<Tick, Garbled> {
    let ago = u32::try_from(words.signed()?).ok();
    ago.and_then(|ago| now.checked_sub(ago)).ok_or(Garbled::new("a tick that has passed"))
}

impl Roster {
    /// Appends the roster to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        words.size(self.members.len());
        words.series(self.ids.iter().map(|id| id.0));
        words.word(self.next_id.into());
        let kinds = self.members.iter().zip(&self.sleeps).map(|(member, sleeps)| match (member, sleeps) {
            (None, _) => 0,
            (Some(_), false) => 1,
            (Some(_), true) => 2,
        });
        words.series(kinds);
        self.members.iter().flatten().for_each(|member| member.write_to(now, words));
        words.word(self.turns.now.into());
        words.word(self.turns.ticks_per_step.into());
        words.size(self.terms.len());
        for TurnTerms { fits_knots, is_short, patience, over_for } in &self.terms {
            [fits_knots, is_short].into_iter().for_each(|flag| words.flag(*flag));
            patience.write_to(words);
            words.word((*over_for).into());
        }
        self.loads.write_to(words);
    }

    /// Reads a roster. `rules`: of a class.
    pub fn read_from(
        frame: &Frame<'_>,
        rules: impl Fn(ClassId) -> ClassRules,
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let mut roster = Self::default();
        // A member takes some bytes, and there are not many more slots than members.
        let count = words.at_most(2 * words.bytes_left() + FEWEST_EMPTY)?;
        words.series(count, |id| {
            let in_order = roster.ids.last().is_none_or(|last| last.0 < id);
            roster.ids.push(AgentId(id));
            if in_order { Ok(()) } else { Err(Garbled::new("agents in order")) }
        })?;
        roster.next_id = words.word_32()?;
        if roster.ids.last().is_some_and(|last| last.0 >= roster.next_id) {
            return Err(Garbled::new("the id of the next agent"));
        }
        let mut kinds = Vec::new();
        words.series(count, |kind| {
            kinds.push(kind);
            if kind <= 2 { Ok(()) } else { Err(Garbled::new("an agent that is awake or asleep")) }
        })?;
        // Each member takes some bytes.
        if words.bytes_left() < kinds.iter().filter(|kind| **kind > 0).count() {
            return Err(Garbled::new("more words"));
        }
        roster.members.reserve_exact(count);
        for (index, kind) in (0..).zip(kinds) {
            roster.sleeps.push(kind == 2);
            if kind == 0 {
                roster.members.push(None);
                continue;
            }
            let member = Member::read_from(roster.ids[index as usize], frame, &rules, words)?;
            roster.count += 1;
            if kind == 1 {
                roster.awake.push(Slot(index));
            } else {
                roster.sleepers.note(Some(member.chain().kind_at(0)));
            }
            roster.members.push(Some(member));
        }
        roster.turns = Clock { now: words.word_32()?, ticks_per_step: words.word_32()? };
        for _ in 0..words.at_most(frame.nodes.len())? {
            let [fits_knots, is_short] = [words.flag()?, words.flag()?];
            let (patience, over_for) = (Patience::read_from(words)?, words.word_32()?);
            roster.terms.push(TurnTerms { fits_knots, is_short, patience, over_for });
        }
        roster.loads = Loads::read_from(frame.now, words)?;
        if roster.turns.now > frame.now {
            return Err(Garbled::new("a tick that has passed"));
        }
        Ok(roster)
    }
}
