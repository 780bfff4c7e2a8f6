//! Loads: how many members take their turns at each of the next ticks.

mod written;

use std::collections::VecDeque;

use giveway_core::{Digest, Tick, Ticks};

/// How many turns are set at each tick from `first` on.
#[derive(Clone, Debug, Default)]
pub(super) struct Loads {
    first: Tick,
    turns: VecDeque<u32>,
    /// The sum of `turns`.
    total: u32,
}

/// Turns farther ahead than this are not counted: they are set anew before.
const FARTHEST: Ticks = 4096;

impl Loads {
    /// Sets a turn at one of the ticks from `earliest` to `latest`, both included: at the last one, unless it has two
    /// turns more than another one; then at the one with the fewest turns, and among equals at the last. If the last
    /// one has two turns more than the mean of the ticks up to it, one turn more than another one is enough, and as
    /// many ticks before `earliest` may serve, too. Returns the tick. Takes time for the ticks between.
    pub(super) fn set(&mut self, earliest: Tick, latest: Tick) -> Tick {
        let mean = self.total / latest.saturating_sub(self.first).clamp(1, FARTHEST);
        let is_crowded = self.at(latest) > mean.saturating_add(1);
        let earliest = if is_crowded { earliest.saturating_sub(latest - earliest).max(self.first) } else { earliest };
        let earliest = earliest.max(latest.saturating_sub(FARTHEST));
        let least = (earliest..=latest).rev().min_by_key(|tick| self.at(*tick)).unwrap_or(latest);
        let spare = u32::from(!is_crowded);
        let tick = if self.at(latest) <= self.at(least).saturating_add(spare) { latest } else { least };
        self.add(tick);
        tick
    }

    /// Sets a turn at `tick`.
    pub(super) fn add(&mut self, tick: Tick) {
        if let Some(index) = self.index(tick) {
            if self.turns.len() <= index {
                self.turns.resize(index + 1, 0);
            }
            self.turns[index] += 1;
            self.total += 1;
        }
    }

    /// Takes back a turn that was set at `tick`.
    pub(super) fn clear(&mut self, tick: Tick) {
        let turns = self.index(tick).and_then(|index| self.turns.get_mut(index));
        if let Some(turns) = turns.filter(|turns| **turns > 0) {
            *turns -= 1;
            self.total -= 1;
        }
    }

    /// The tick with the most turns, if it has two turns more than `tick`; among equals the last.
    pub(super) fn busiest_beside(&self, tick: Tick) -> Option<Tick> {
        let (busiest, turns) = (self.first..).zip(&self.turns).max_by_key(|(_, turns)| **turns)?;
        (*turns > self.at(tick).saturating_add(1)).then_some(busiest)
    }

    /// Forgets the ticks before `now`.
    #[inline]
    pub(super) fn pass(&mut self, now: Tick) {
        while self.first < now
            && let Some(turns) = self.turns.pop_front()
        {
            self.first += 1;
            self.total -= turns;
        }
        self.first = self.first.max(now);
    }

    /// Adds the turns from now on to `digest`.
    pub(super) fn feed(&self, digest: &mut Digest) {
        for (tick, turns) in (self.first..).zip(&self.turns).filter(|(_, turns)| **turns > 0) {
            digest.pair(tick, *turns);
        }
        digest.word(self.first.into());
    }

    #[inline]
    fn at(&self, tick: Tick) -> u32 {
        self.index(tick).and_then(|index| self.turns.get(index)).copied().unwrap_or(0)
    }

    /// The position of `tick` in `turns`; `None`: it has passed, or is too far ahead.
    #[inline]
    fn index(&self, tick: Tick) -> Option<usize> {
        tick.checked_sub(self.first).filter(|ahead| *ahead <= FARTHEST).map(|ahead| ahead as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_where_the_fewest_are_and_to_the_last_of_equals() {
        let mut loads = Loads::default();
        let set: Vec<Tick> = (0..7).map(|_| loads.set(6, 8)).collect();
        assert_eq!(set, [8, 8, 7, 6, 5, 4, 7]);
        assert_eq!((loads.set(6, 8), loads.set(6, 8)), (6, 8));
        loads.pass(7);
        assert_eq!(loads.set(5, 7), 6, "the past is not counted");
        assert_eq!((loads.set(7, 8), loads.set(8, 9)), (8, 9));
    }

    #[test]
    fn a_crowd_that_planned_at_one_tick_is_spread_soon_and_keeps_its_interval() {
        for (units, most) in [(20, 4), (160, 24)] {
            let mut loads = Loads::default();
            let mut next = vec![0; units];
            let mut planned = Vec::new();
            for now in 0..200 {
                loads.pass(now);
                let turn: Vec<usize> = (0..next.len()).filter(|unit| next[*unit] == now).collect();
                planned.push(turn.len());
                turn.into_iter().for_each(|unit| next[unit] = loads.set(now + 6, now + 8));
            }
            assert_eq!(planned[0], units);
            assert!(planned[60..].iter().all(|turns| *turns <= most), "{planned:?}");
            assert!(planned[100..].iter().sum::<usize>() <= 100 * (units / 8 + 2), "{planned:?}");
        }
    }

    #[test]
    fn what_is_far_ahead_takes_no_room() {
        let mut loads = Loads::default();
        assert_eq!(loads.set(Tick::MAX - 2, Tick::MAX - 1), Tick::MAX - 1);
        assert!(loads.turns.is_empty());
        loads.pass(Tick::MAX - 1);
        assert_eq!((loads.set(0, Tick::MAX), loads.turns.len()), (Tick::MAX, 2));
    }
}
