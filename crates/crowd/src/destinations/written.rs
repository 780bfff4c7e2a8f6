//! Destinations as words: which of the cells that agents claim they have.

use giveway_core::{Garbled, WordReader, Words};

use super::{Destinations, Owners};
use giveway_members::roster::Roster;

impl Destinations {
    /// Appends the owners to `words`.
    pub(crate) fn write_to(&self, roster: &Roster, words: &mut Words) {
        let claims = roster.members().flat_map(|member| {
            let id = member.id();
            member.order.claimed().iter().map(move |entry| u32::from(self.of.get(&entry.cell) == Some(&id)))
        });
        words.series(claims);
    }

    /// Reads the owners of what the members of `roster` claim.
    pub(crate) fn read_from(roster: &Roster, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut of = Owners::default();
        let claims =
            || roster.members().flat_map(|member| member.order.claimed().iter().map(|entry| (entry.cell, member.id())));
        let mut all = claims();
        words.series(claims().count(), |owns| {
            let Some((cell, agent)) = all.next() else { return Ok(()) };
            let is_shared = owns == 1 && of.insert(cell, agent).is_some_and(|other| other != agent);
            if owns > 1 || is_shared { Err(Garbled::new("one owner of a goal")) } else { Ok(()) }
        })?;
        Ok(Self { of, ..Self::default() })
    }
}
