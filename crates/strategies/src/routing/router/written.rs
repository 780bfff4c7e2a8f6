//! Routers as words: what they know of sectors.

use giveway_core::{Garbled, NodeId, SpaceGraph, WordReader, Words};

use super::{Router, Sectors, Survey};

impl<S: SpaceGraph> Router<S> {
    /// Appends what the router remembers to `words`.
    pub fn write_to(&self, words: &mut Words) {
        words.flag(self.sectors.is_some());
        self.sectors.iter().for_each(|sectors| sectors.write_to(words));
        words.flag(self.survey.is_some());
        self.survey.iter().for_each(|survey| survey.write_to(words));
    }

    /// Forgets all, and reads what a router with equal [routing](Self::routing) has [written](Self::write_to). `space`
    /// must be equal to the space of that router.
    ///
    /// # Errors
    /// The words are not those of such a router. The router is of no use any more.
    pub fn read_from(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let position = self.position;
        let place = |node: NodeId| position.map_or([0.0; 3], |position| position(space, node).map(f64::from));
        let bound = space.node_bound();
        self.sectors = if words.flag()? { Some(Sectors::read_from(bound, &place, words)?) } else { None };
        self.survey = if words.flag()? { Some(Survey::read_from(bound, &place, words)?) } else { None };
        Ok(())
    }
}
