//! The parts of a save, in order.

use giveway_core::{FOREVER, WordReader, Words};

use super::error::{OtherWorld, SaveError};
use super::{check, fingerprint};
use crate::crowd::Crowd;
use crate::currents::Currents;
use crate::destinations::Destinations;
use crate::jam::Jam;
use crate::ledger::Ledger;
use crate::shortage::Shortage;
use crate::standing::StandingOrders;
use crate::state::State;
use giveway_members::class_id::ClassId;
use giveway_members::clock::Clock;
use giveway_members::roster::{Frame, Roster};

impl<'a> Crowd<'a> {
    pub(super) fn write_to(&self, words: &mut Words) {
        let State { settings, clock, world, roster, ledger, destinations, jam, shortage, .. } = &self.state;
        words.bits(fingerprint::of_settings(settings));
        words.word(self.classes().into());
        for id in (0..self.classes()).map(ClassId) {
            let class = &world[id];
            words.size(class.node_bound());
            words.all_bytes(class.edit_log());
            words.bits(fingerprint::of_space(class));
            words.bits(fingerprint::of_units(class));
        }
        words.word(clock.now.into());
        words.word(self.reverse_before);
        world.write_to(words);
        roster.write_to(clock.now, words);
        destinations.write_to(roster, words);
        ledger.write_to(clock.now, (world, roster), words);
        jam.write_to(words);
        shortage.write_to(words);
        self.state.currents.write_to(words);
        self.state.write_stopped_paths(words);
        self.state.write_outsiders(words);
        self.state.write_last_tick(words);
        self.state.standing.write_to(words);
        world.write_operations_to(words);
        for id in (0..self.classes()).map(ClassId) {
            world[id].write_to(words);
        }
    }

    /// What the layers of the classes have learned, one after the other.
    pub(super) fn layers(&self) -> Vec<u8> {
        let mut words = Words::new();
        (0..self.classes()).map(ClassId).for_each(|id| self.state.world[id].write_layer(&mut words));
        words.into_bytes()
    }

    /// Takes back what layers, which may be shared, have read since [`layers`](Self::layers) was called.
    pub(super) fn restore_layers(&self, layers: &[u8]) {
        let mut words = WordReader::new(layers);
        for id in (0..self.classes()).map(ClassId) {
            // What a layer has written it reads.
            let _ = self.state.world[id].read_layer(&mut words);
        }
    }

    /// The crowd that was written. This one stays, but for layers that are shared.
    pub(super) fn read_from(&self, words: &mut WordReader<'_>) -> Result<Self, SaveError> {
        if words.bits()? != fingerprint::of_settings(&self.state.settings) {
            return Err(OtherWorld::Settings.into());
        }
        let (expected, found) = (words.word()?, u64::from(self.classes()));
        if expected != found {
            return Err(OtherWorld::Classes { expected, found }.into());
        }
        let mut crowd = self.empty_copy().ok_or(SaveError::NoCopy)?;
        for id in (0..self.classes()).map(ClassId) {
            read_space(id, &mut crowd.state, words)?;
        }
        let State { settings, clock, world, roster, ledger, destinations, jam, shortage, .. } = &mut crowd.state;
        let nodes = world.node_bounds();
        let cells = world.cells().map_or(0, giveway_core::Cells::bound);
        let now = words.word_32()?;
        if now == FOREVER {
            return Err(SaveError::Garbled(giveway_core::Garbled::new("a tick")));
        }
        *clock = Clock { now, ticks_per_step: world.ticks_per_step() };
        crowd.reverse_before = words.tally()?;
        world.read_from(words)?;
        let rules = |class| State::rules_in(settings, world, class);
        *roster = Roster::read_from(&Frame { now, nodes: &nodes, cells }, rules, words)?;
        world.count_goals(roster);
        *destinations = Destinations::read_from(roster, words)?;
        let longest_window = settings.longest_window(clock.of(world.longest_step()));
        let longest_window = if nodes.is_empty() { 0 } else { longest_window };
        *ledger = Ledger::read_from(now, (world, roster), (ledger.store_maker(), longest_window), words)?;
        let next_id = roster.next_id().map_or(u32::MAX, |id| id.0);
        *jam = Jam::read_from(next_id, words)?;
        *shortage = Shortage::read_from(words)?;
        crowd.state.currents = Currents::read_from(words)?;
        crowd.state.read_stopped_paths(words)?;
        crowd.state.read_outsiders(words)?;
        crowd.state.read_last_tick(words)?;
        let State { world, roster, .. } = &mut crowd.state;
        let bound = |agent| roster.get(agent).map(|member| world[member.class()].node_bound());
        crowd.state.standing = StandingOrders::read_from(now, &bound, words)?;
        crowd.state.look_for_reported();
        let State { world, .. } = &mut crowd.state;
        world.read_operations_from(longest_window, words)?;
        check::all(&mut crowd.state)?;
        for id in (0..self.classes()).map(ClassId) {
            crowd.state.world[id].read_from(words)?;
        }
        if !words.is_at_end() {
            return Err(SaveError::Garbled(giveway_core::Garbled::new("the end of the save")));
        }
        // A source that is not saved begins to count anew.
        crowd.reverse_before = crowd.reverse_before.min(crowd.reverse_expanded());
        Ok(crowd)
    }
}

/// Edits the space of the class `id` as it was edited, and compares it with what it was.
fn read_space(id: ClassId, state: &mut State<'_>, words: &mut WordReader<'_>) -> Result<(), SaveError> {
    let class = &mut state.world[id];
    let (expected, found) = (words.word()?, class.node_bound() as u64);
    if expected != found {
        return Err(OtherWorld::Nodes { class: id.0, expected, found }.into());
    }
    let log = words.all_bytes()?;
    if !log.starts_with(class.edit_log()) || !log.is_empty() && !class.is_editable() {
        return Err(OtherWorld::Edits { class: id.0 }.into());
    }
    class.edit_as(log)?;
    if words.bits()? != fingerprint::of_space(class) {
        return Err(OtherWorld::Space { class: id.0 }.into());
    }
    if words.bits()? != fingerprint::of_units(class) {
        return Err(OtherWorld::Units { class: id.0 }.into());
    }
    Ok(())
}
