//! Progress: how agents come on, by how much they are late, and whose turn it is to plan them.

use giveway_core::{AgentId, Fuel, ReservationStore, Tick, Ticks};

use super::Crowd;
use super::chain::{Chain, Link};
use super::member::Member;

/// Who has stood on its goal for fewer steps than this may have to leave it again for the same reason as before.
const SETTLED: Ticks = 96;

/// How an agent has come on since it was told where to go, or had stood on a goal for a while.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// How near it has been, in plain steps.
    nearest: f64,
    /// How near it has been since it was told where to go, whatever has happened since.
    nearest_ever: f64,
    /// Since when its links take turns.
    since: Tick,
    /// Whether it has come nearer since another link than its first one took over.
    nearer: bool,
    /// The position of the link that plans it.
    link: usize,
    /// Since when it has stood on its goal; `None`: it does not.
    home_since: Option<Tick>,
    /// When it would have been where it is if nobody had been in its way since it last stood on a goal.
    pub(super) as_of: Tick,
}

impl Progress {
    /// The progress of an agent that sets out at `now`.
    pub(super) fn setting_out(now: Tick) -> Self {
        let (nearest, nearest_ever) = (f64::INFINITY, f64::INFINITY);
        Self { nearest, nearest_ever, since: now, nearer: false, link: 0, home_since: None, as_of: now }
    }

    /// How near to its goals the agent has been by the moves that it has made for them, in plain steps.
    pub(super) fn nearest_ever(self) -> f64 {
        self.nearest_ever
    }

    /// Forgets how near the agent has been: distances are not what they were.
    pub(super) fn lose_sight(&mut self) {
        self.nearest = f64::INFINITY;
    }

    /// Notes that a move of so many ticks has ended at `now`, so many plain steps from the goals. `None`: nobody knows how many, and it
    /// counts as one that led on.
    pub(super) fn moved(&mut self, distance: Option<f64>, ticks: Ticks, now: Tick) {
        self.home_since = None;
        self.nearest_ever = distance.map_or(self.nearest_ever, |distance| distance.min(self.nearest_ever));
        if distance.is_none_or(|distance| distance < self.nearest) {
            self.nearest = distance.unwrap_or(self.nearest);
            self.nearer = true;
            self.as_of = self.as_of.saturating_add(ticks).min(now);
        }
    }

    /// Notes that the agent stands on its goal.
    pub(super) fn rests(&mut self, now: Tick, ticks_per_step: Ticks) {
        let since = *self.home_since.get_or_insert(now);
        self.as_of = now;
        if now - since >= SETTLED.saturating_mul(ticks_per_step) {
            *self = Self { home_since: Some(since), nearest_ever: self.nearest_ever, ..Self::setting_out(now) };
        }
    }

    /// Lets the next link of `chain` take over, if its time has come.
    pub(super) fn take_turns(&mut self, chain: &Chain, now: Tick, ticks_per_step: Ticks) {
        if self.link == 0 && std::mem::take(&mut self.nearer) {
            self.since = now;
        }
        let serving = chain.turn(self.steps(now, ticks_per_step)).0;
        if serving != self.link && std::mem::take(&mut self.nearer) {
            (self.since, self.link) = (now, 0);
        } else {
            self.link = serving;
        }
    }

    /// Since when its links have been taking turns.
    pub(super) fn since(self) -> Tick {
        self.since
    }

    /// For how many steps its links have been taking turns.
    pub(super) fn steps(self, now: Tick, ticks_per_step: Ticks) -> u32 {
        now.saturating_sub(self.since) / ticks_per_step.max(1)
    }
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets those links take over whose time has come.
    pub(super) fn take_turns(&mut self) {
        let (now, ticks_per_step) = (self.now, self.ticks_per_step);
        for member in self.members.values_mut() {
            if member.is_home() {
                member.progress.rests(now, ticks_per_step);
            }
            member.progress.take_turns(&member.chain, now, ticks_per_step);
        }
    }

    /// Notes that `agent` has just ended a move that took so many ticks.
    pub(super) fn note_move(&mut self, agent: AgentId, ticks: Ticks) {
        let now = self.now;
        let Some(member) = self.members.get_mut(&agent) else { return };
        let class = &mut self.classes[member.class.0 as usize];
        // What is not known by now is no reason to search.
        let distance = class.distance(&member.goals, member.node, &mut Fuel::expansions(0)).ok();
        member.progress.moved(distance, ticks, now);
    }
}

impl Member {
    /// Which link plans it.
    pub(super) fn link(&self) -> Link {
        self.chain.link(self.progress.link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WHCA* for three steps, pushes for two, joint searches for two.
    fn chain() -> Chain {
        Chain::of(Link::Windowed).then(Link::Push, 3).then(Link::Joint, 2)
    }

    /// Who serves at each step of `ticks` ticks from 0 on, a letter each, if the agent ends moves as told: the step, and the distance from there.
    fn row(moves: &[(Tick, f64)], steps: Tick, ticks: Ticks) -> String {
        let mut progress = Progress::setting_out(0);
        let mut letters = String::new();
        for now in 0..steps * ticks {
            for (_, distance) in moves.iter().filter(|(step, _)| step * ticks == now) {
                progress.moved(Some(*distance), ticks, now);
            }
            progress.take_turns(&chain(), now, ticks);
            if now.is_multiple_of(ticks) {
                letters.push(['W', 'P', 'J'][progress.link]);
            }
        }
        letters
    }

    #[test]
    fn links_take_turns_while_the_agent_comes_no_nearer() {
        for ticks in [1, 3] {
            assert_eq!(row(&[], 15, ticks), "WWWPPJJWWWPPJJW");
            assert_eq!(row(&[(1, 5.0)], 12, ticks), "WWWWPPJJWWWP", "nearer by the first link: from there");
            assert_eq!(row(&[(1, 5.0), (2, 4.0), (4, 3.0)], 12, ticks), "WWWWWWWPPJJW");
            assert_eq!(row(&[(1, 5.0), (2, 6.0), (3, 5.0)], 8, ticks), "WWWWPPJJ", "back and forth is not nearer");
        }
    }

    #[test]
    fn who_comes_nearer_by_another_link_goes_on_with_it_and_begins_again() {
        for ticks in [1, 3] {
            assert_eq!(row(&[(4, 5.0)], 12, ticks), "WWWPPWWWPPJJ");
            assert_eq!(row(&[(6, 5.0)], 13, ticks), "WWWPPJJWWWPPJ");
            assert_eq!(row(&[(4, 5.0), (8, 5.0)], 13, ticks), "WWWPPWWWPPJJW", "as near as before is not nearer");
        }
    }

    #[test]
    fn delay_is_what_no_step_nearer_has_made_up_for() {
        let mut progress = Progress::setting_out(10);
        let mut delay = |distance, ticks, now| {
            progress.moved(distance, ticks, now);
            now - progress.as_of
        };
        assert_eq!(delay(Some(5.0), 1, 11), 0);
        assert_eq!(delay(Some(4.0), 1, 14), 2, "it waited for two ticks");
        assert_eq!(delay(Some(5.0), 1, 15), 3, "a step back");
        assert_eq!(delay(Some(4.0), 1, 16), 4, "the same step again");
        assert_eq!(delay(Some(2.5), 3, 19), 4);
        assert_eq!(delay(None, 1, 20), 4, "nobody knows: it counts as one that led on");
        assert_eq!(delay(Some(1.0), 9, 21), 0, "nobody is early");
    }

    #[test]
    fn a_while_on_the_goal_ends_the_errand() {
        for ticks in [1, 4] {
            let settled = SETTLED * ticks;
            let mut progress = Progress::setting_out(0);
            progress.moved(Some(0.0), ticks, ticks);
            progress.rests(10, ticks);
            progress.rests(10 + settled - 1, ticks);
            assert_eq!((progress.nearest, progress.as_of), (0.0, 10 + settled - 1), "late for nothing");
            // A move makes the count begin again.
            progress.moved(Some(1.0), ticks, 10 + settled);
            progress.rests(11 + settled, ticks);
            progress.rests(10 + 2 * settled, ticks);
            assert_eq!(progress.nearest, 0.0);
            progress.rests(11 + 2 * settled, ticks);
            assert_eq!((progress.nearest, progress.since), (f64::INFINITY, 11 + 2 * settled));
        }
    }
}
