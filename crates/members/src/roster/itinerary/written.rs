//! Itineraries as words.

use giveway_core::{Garbled, NodeId, WordReader, Words};

use super::{Itinerary, Route};
use crate::leg::{Before, Leg};

impl Itinerary {
    /// Appends the itinerary to `words`: the moves that are left.
    pub fn write_to(&self, words: &mut Words) {
        words.flag(self.0.is_some());
        let Some(Route { begun, agitation, .. }) = self.0.as_deref() else { return };
        words.flag(*begun);
        words.word((*agitation).into());
        words.size(self.left().len());
        let mut before = Before(NodeId(0), 0);
        for leg in self.left() {
            before = leg.write_to(before, words);
        }
    }

    /// Reads an itinerary over nodes below `bound`.
    pub fn read_from(bound: usize, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        if !words.flag()? {
            return Ok(Self::default());
        }
        let mut route = Route { begun: words.flag()?, agitation: words.word_32()?, ..Route::default() };
        let mut before = Before(NodeId(0), 0);
        for _ in 0..words.count()? {
            let leg = Leg::read_from(before, bound, words)?;
            before = Before(leg.to, leg.arrive);
            route.moves.push(leg);
        }
        if !route.moves.iter().all(Leg::is_move) {
            return Err(Garbled::new("a route of moves"));
        }
        Ok(Self(Some(Box::new(route))))
    }
}
