//! Approach: the progress of an agent, its delay (which decides its rank), and which planner of its chain serves it
//! now.

mod written;

use giveway_core::heuristic::ROUGH;
use giveway_core::{Digest, Tick, Ticks};

use super::{bits, or_never};
use crate::chain::Chain;
use crate::clock::Clock;

/// An agent that has stood on its goal for fewer steps than this may have to leave again for its former reason.
const SETTLED: Ticks = 96;

/// The progress of an agent since it got an order, or had stood on a goal for long.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// The least distance so far, in plain steps.
    nearest: f64,
    /// The least distance since the order, whatever has happened since.
    nearest_ever: f64,
    /// The epoch of the distances.
    epoch: u64,
    /// Whether the plan was made for the present goals and distances.
    is_up_to_date: bool,
    /// The distance from where the motion under way ends, in plain steps; NaN: it is not known.
    expected: f64,
    /// The tick at which it came to that distance, or set out, or the distances changed.
    nearer_at: Tick,
    /// The tick since which its planners take turns.
    since: Tick,
    /// Whether the agent has come nearer since a fallback took over.
    nearer: bool,
    /// The position of the planner that serves it.
    position: u32,
    /// The tick since which it has stood on its goal; `None`: it does not.
    home_since: Option<Tick>,
    /// The tick at which it would have been where it is, if no agent had been in its way since it last stood on a goal.
    as_of: Tick,
}

impl Approach {
    /// The approach of an agent that sets out at `now`.
    pub fn setting_out(now: Tick) -> Self {
        let (nearest, nearest_ever) = (f64::INFINITY, f64::INFINITY);
        Self {
            nearest,
            nearest_ever,
            epoch: 0,
            is_up_to_date: false,
            expected: f64::NAN,
            nearer_at: now,
            since: now,
            nearer: false,
            position: 0,
            home_since: None,
            as_of: now,
        }
    }

    /// The tick at which the agent would have been where it is, if no agent had been in its way since it last stood on
    /// a goal.
    #[inline]
    pub fn as_of(self) -> Tick {
        self.as_of
    }

    /// The least distance after a move since the order, in plain steps.
    #[inline]
    pub fn nearest_ever(self) -> f64 {
        self.nearest_ever
    }

    /// The tick since which the agent has come no nearer than ever since its order.
    #[inline]
    pub fn nearer_at(self) -> Tick {
        self.nearer_at
    }

    /// The tick since which the agent has neither come nearer than ever since its order nor stood on its goal.
    #[inline]
    pub fn no_nearer_since(self) -> Tick {
        // While it stands on its goal, `as_of` is the present. Otherwise it is no later than its progress.
        self.nearer_at.max(self.as_of)
    }

    /// Adds the progress to `digest`: not the epoch, which numbers caches, and not the expected distance, which is
    /// looked up where it is not known.
    #[inline]
    pub(super) fn feed(&self, digest: &mut Digest) {
        digest.number(self.nearest);
        digest.number(self.nearest_ever);
        digest.pair(self.nearer_at, self.since);
        digest.pair(self.as_of, or_never(self.home_since));
        digest.pair(self.position, bits([self.nearer, self.is_up_to_date]));
    }

    /// Forgets the least distances: distances have changed at `now`.
    #[inline]
    pub fn lose_sight(&mut self, now: Tick) {
        (self.nearest, self.nearest_ever, self.nearer_at) = (f64::INFINITY, f64::INFINITY, now);
        (self.expected, self.is_up_to_date) = (f64::NAN, false);
    }

    /// Notes the epoch of the distances at `now`: in another one, the least distances so far no longer count.
    #[inline]
    pub fn note_epoch(&mut self, epoch: u64, now: Tick) {
        if epoch != self.epoch {
            self.lose_sight(now);
            self.epoch = epoch;
        }
    }

    /// Whether the distances are rough estimates.
    #[inline]
    pub fn is_rough(&self) -> bool {
        self.epoch == ROUGH
    }

    /// Notes that a plan is made for the present goals and distances. Returns whether the plan before it was, too.
    #[inline]
    pub fn plan(&mut self) -> bool {
        std::mem::replace(&mut self.is_up_to_date, true)
    }

    /// Notes that a move of the plan begins, after which so many plain steps are `left`.
    #[inline]
    pub fn set_forth(&mut self, left: Option<f64>) {
        self.expected = left.filter(|_| self.is_up_to_date).unwrap_or(f64::NAN);
    }

    /// The distance from where a move has just ended, if the plan told it.
    #[inline]
    pub fn expected(&self) -> Option<f64> {
        Some(self.expected).filter(|distance| !distance.is_nan())
    }

    /// Notes that a move of `ticks` ticks has ended at `now`, at `distance` plain steps from the goals. `None`: the
    /// distance is not known, and the move counts as progress.
    #[inline]
    pub fn moved(&mut self, distance: Option<f64>, ticks: Ticks, now: Tick) {
        self.home_since = None;
        if distance.is_none_or(|distance| distance < self.nearest_ever) {
            self.nearest_ever = distance.unwrap_or(self.nearest_ever);
            self.nearer_at = now;
        }
        if distance.is_none_or(|distance| distance < self.nearest) {
            self.nearest = distance.unwrap_or(self.nearest);
            self.nearer = true;
            self.as_of = self.as_of.saturating_add(ticks).min(now);
        }
    }

    /// Notes that the agent had to wait for work or memory at this tick: for the first planner the tick does not count.
    #[inline]
    pub fn put_off(&mut self) {
        self.since = self.since.saturating_add(Tick::from(self.position == 0));
    }

    /// Notes that the agent stands on its goal.
    #[inline]
    pub fn rests(&mut self, clock: Clock) {
        let now = clock.now;
        let since = *self.home_since.get_or_insert(now);
        self.as_of = now;
        if now - since >= clock.ticks(SETTLED) {
            let Self { nearest_ever, epoch, .. } = *self;
            *self = Self { home_since: Some(since), nearest_ever, epoch, ..Self::setting_out(now) };
        }
    }

    /// Changes to the next planner of `chain`, if it is time. `has_joint_turn`: LaCAM has a turn.
    #[inline]
    pub fn change_planner(&mut self, chain: &Chain, clock: Clock, has_joint_turn: bool) {
        if self.position == 0 && std::mem::take(&mut self.nearer) {
            // The first planner has not served for any step yet.
            self.since = clock.now;
            return;
        }
        #[allow(clippy::cast_possible_truncation)] // a chain is not that long
        let serving = chain.turn(self.steps(clock), has_joint_turn).0 as u32;
        if serving != self.position && std::mem::take(&mut self.nearer) {
            (self.since, self.position) = (clock.now, 0);
        } else {
            self.position = serving;
        }
    }

    /// Whether the agent has stood on its goal for a turn, and no progress is left to be noted. From then on turns
    /// depend on the clock alone.
    #[inline]
    pub(super) fn is_steady(self) -> bool {
        self.home_since.is_some() && !self.nearer
    }

    /// The position in its chain of the planner that serves it.
    #[inline]
    pub fn position(&self) -> usize {
        self.position as usize
    }

    /// The tick since which its planners have been taking turns.
    #[inline]
    pub fn since(self) -> Tick {
        self.since
    }

    /// The steps for which its planners have been taking turns.
    #[inline]
    pub fn steps(self, clock: Clock) -> u32 {
        clock.now.saturating_sub(self.since) / clock.ticks_per_step.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Planner;

    /// WHCA* for three steps, PIBT for two, LaCAM for two.
    fn chain() -> Chain {
        Chain::new(Planner::Windowed).fallback(Planner::Pibt, 3).fallback(Planner::Lacam, 2)
    }

    /// The planner that serves at each step of `ticks` ticks from 0 on, one letter each. `moves` are the ends of moves:
    /// the step, and the distance then.
    fn row(moves: &[(Tick, f64)], steps: Tick, ticks: Ticks) -> String {
        let mut approach = Approach::setting_out(0);
        let mut letters = String::new();
        for now in 0..steps * ticks {
            for (_, distance) in moves.iter().filter(|(step, _)| step * ticks == now) {
                approach.moved(Some(*distance), ticks, now);
            }
            approach.change_planner(&chain(), Clock { now, ticks_per_step: ticks }, true);
            if now.is_multiple_of(ticks) {
                letters.push(['W', 'P', 'J'][approach.position()]);
            }
        }
        letters
    }

    #[test]
    fn planners_take_turns_while_the_agent_comes_no_nearer() {
        for ticks in [1, 3] {
            assert_eq!(row(&[], 15, ticks), "WWWPPJJWWWPPJJW");
            assert_eq!(row(&[(1, 5.0)], 12, ticks), "WWWWPPJJWWWP", "nearer by the first planner: from there");
            assert_eq!(row(&[(1, 5.0), (2, 4.0), (4, 3.0)], 12, ticks), "WWWWWWWPPJJW");
            assert_eq!(row(&[(1, 5.0), (2, 6.0), (3, 5.0)], 8, ticks), "WWWWPPJJ", "back and forth is not nearer");
        }
    }

    #[test]
    fn who_comes_nearer_by_another_planner_goes_on_with_it_and_begins_again() {
        for ticks in [1, 3] {
            assert_eq!(row(&[(4, 5.0)], 12, ticks), "WWWPPWWWPPJJ");
            assert_eq!(row(&[(6, 5.0)], 13, ticks), "WWWPPJJWWWPPJ");
            assert_eq!(row(&[(4, 5.0), (8, 5.0)], 13, ticks), "WWWPPWWWPPJJW", "as near as before is not nearer");
        }
    }

    #[test]
    fn delay_is_what_no_step_nearer_has_made_up_for() {
        let mut approach = Approach::setting_out(10);
        let mut delay = |distance, ticks, now| {
            approach.moved(distance, ticks, now);
            now - approach.as_of
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
            let mut approach = Approach::setting_out(0);
            approach.moved(Some(0.0), ticks, ticks);
            approach.rests(Clock { now: 10, ticks_per_step: ticks });
            approach.rests(Clock { now: 10 + settled - 1, ticks_per_step: ticks });
            assert_eq!((approach.nearest, approach.as_of), (0.0, 10 + settled - 1), "late for nothing");
            assert_eq!(approach.no_nearer_since(), 10 + settled - 1, "nothing is nearer than the goal");
            // A move makes the count begin again.
            approach.moved(Some(1.0), ticks, 10 + settled);
            approach.rests(Clock { now: 11 + settled, ticks_per_step: ticks });
            approach.rests(Clock { now: 10 + 2 * settled, ticks_per_step: ticks });
            assert_eq!(approach.nearest, 0.0);
            approach.rests(Clock { now: 11 + 2 * settled, ticks_per_step: ticks });
            assert_eq!((approach.nearest, approach.since), (f64::INFINITY, 11 + 2 * settled));
        }
    }
}
