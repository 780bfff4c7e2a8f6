//! Shortage: what windows cost, and what they are worth. The budget is short if windows cost more than they are worth,
//! and many agents wait: steps then serve more agents than windows do. If half of all agents wait for longer than a
//! window serves, half of that cost is enough, but plain steps have to serve more agents for the work. At one tick, the
//! excess of the cost of windows over their worth has a limit, too.

mod written;

use giveway_core::{Digest, Tick, Ticks};

use crate::spell::Spell;
use giveway_members::clock::Clock;

/// The budget counts as short if at least `FEWEST` agents were postponed, and at least one in `SHARE` of all agents. A
/// few agents do better with a window each in turn.
const FEWEST: usize = 8;
const SHARE: usize = 4;

/// The worth of a window that is found, in units of work. A window serves its agent for about `SERVED` steps, and a step
/// of the step planner takes about a tenth of this work. If windows cost less, an agent fares better if it waits for
/// its window.
const WORTH: u64 = 96;
const SERVED: Ticks = 8;

/// If one in `SHARE_IN_WANT` of all agents or more would wait for longer than a window serves, most agents would stand
/// all the time. Where plain steps serve more agents for the same work, windows are then worth one part in
/// `WORTH_IN_WANT`. What windows cost is known if at least `LEAST_FOUND` windows were found lately, and one for each
/// `AGENTS_FOR_ONE` agents: right after orders to many, windows are dear everywhere.
const SHARE_IN_WANT: usize = 2;
const WORTH_IN_WANT: u64 = 2;
const LEAST_FOUND: u64 = 96;
const AGENTS_FOR_ONE: u64 = 8;

/// The limit, at one tick, on the cost of windows beyond their worth: `EXCESS` units of work for each agent, and at
/// least `LEAST_EXCESS`.
const EXCESS: u64 = 128;
const LEAST_EXCESS: u64 = 65_536;

/// Where a tick has no more work than this for each agent, all agents may look for windows at once after a shortage: the
/// budget bounds what windows cost.
const MODEST: u64 = 320;

/// The most work that an attempt at a window takes. With less, attempts would fail more often than the time is worth.
/// The more windows have cost in vain at a tick, the less an attempt takes that begins then, down to
/// `LEAST_OF_ATTEMPT`.
const MOST_OF_ATTEMPT: u64 = 131_072;
const LEAST_OF_ATTEMPT: u64 = 65_536;

/// In each step, the cost and the worth of earlier windows lose one part in `MEMORY`.
const MEMORY: u64 = 8;

/// The first shortage lasts for `STEPS` steps, and the first spell of plain steps for `PLAIN_STEPS` steps.
const STEPS: Ticks = 64;
const PLAIN_STEPS: Ticks = 32;

/// The number of steps for which steps count as short of work, after a tick with too little work for the steps of all
/// agents. Rules that changed from tick to tick would undo at one tick what they began at the tick before.
const STEPS_SHORT: Ticks = 8;

/// Agents take plain steps once steps were short of work at half of the ticks lately. "Lately" is about `STRAIN_MEMORY`
/// steps, and all ticks are `WHOLE`.
const STRAIN_MEMORY: u32 = 16;
const WHOLE: u32 = 1 << 30;

/// How many agents a tick has left without a plan for want of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Postponed {
    /// Of these, the ones that know their ways.
    pub(crate) known: usize,
    /// All of these.
    pub(crate) all: usize,
    /// The budget of the tick.
    pub(crate) of_work: u64,
}

/// The price of a plain step, in units of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PriceOfStep {
    /// For an agent that chooses.
    pub(crate) choice: u64,
    /// For each agent that is there.
    pub(crate) presence: u64,
}

/// What windows cost, and were worth, and until when the budget is short.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shortage {
    /// The work of windows lately, whether they were found or not.
    cost: u64,
    /// The worth of the windows that were found.
    worth: u64,
    short: Spell,
    /// How much more windows cost at this tick than they are worth. Windows that cost less do not count.
    excess: u64,
    /// The agents that plan at the next tick for that reason.
    deferred: usize,
    /// The windows that were found at this tick.
    found: u64,
    /// The work that there was for each agent, at this tick, or when the budget became short.
    work: u64,
    /// Until when steps count as short of work.
    steps_until: Tick,
    /// The share of the last ticks at which steps were short of work, in parts of `WHOLE`.
    strain: u32,
    /// When agents take plain steps.
    plain: Spell,
}

impl Shortage {
    /// Adds the shortage to `digest`: not what counts within a tick.
    pub(crate) fn feed(&self, digest: &mut Digest) {
        [self.cost, self.worth, self.work].into_iter().for_each(|work| digest.word(work));
        for Spell { until, times } in [self.short, self.plain] {
            digest.pair(until, times);
        }
        digest.pair(self.steps_until, self.strain);
    }

    /// Whether the budget is short at `now`.
    #[inline]
    pub(crate) fn lasts_at(&self, now: Tick) -> bool {
        self.short.lasts_at(now)
    }

    /// For how many steps the budget has not been short any more; 0: it is short now. `None`: for `most` steps or more,
    /// or it never was, or the budget bounds what windows cost at a tick, so that all agents may look for windows at
    /// once.
    pub(crate) fn over_for(&self, clock: Clock, most: Ticks) -> Option<Ticks> {
        let Spell { until, .. } = self.short;
        let over = clock.now.saturating_add(1).saturating_sub(until).div_ceil(clock.ticks_per_step.max(1));
        let spreads = !self.is_work_modest() || over == 0;
        (until > 0 && over < most && spreads).then_some(over)
    }

    /// Notes that the tick at `now` has `work` units of work for each agent. While the budget is short, nothing
    /// changes.
    pub(crate) fn note_work(&mut self, work: u64, now: Tick) {
        if !self.lasts_at(now) {
            self.work = work;
        }
    }

    /// The work that there is for each agent, or was when the budget became short.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Whether the budget bounds what windows cost at a tick.
    pub(crate) fn is_work_modest(&self) -> bool {
        self.work <= MODEST
    }

    /// Notes that at this tick there was not enough work for the steps of all.
    pub(crate) fn note_steps(&mut self, clock: Clock) {
        self.steps_until = clock.now.saturating_add(clock.ticks(STEPS_SHORT)).saturating_add(1);
    }

    /// Notes, once at a tick, whether the budget was too small for the steps of all. If it often was, agents take plain
    /// steps for a while, from the next tick on.
    pub(crate) fn note_strain(&mut self, is_strained: bool, clock: Clock) {
        let memory = STRAIN_MEMORY.saturating_mul(clock.ticks_per_step).max(1);
        self.strain -= self.strain / memory;
        if is_strained {
            self.strain += WHOLE / memory;
        }
        if self.strain > WHOLE / 2 && !self.plain.lasts_at(clock.now) {
            self.plain.begin(PLAIN_STEPS, clock);
            self.strain = 0;
        }
    }

    /// Lets agents take plain steps for `PLAIN_STEPS` steps from the next tick on, since they are many: for as long each
    /// time that they are.
    pub(crate) fn take_plain_steps(&mut self, clock: Clock) {
        let until = clock.now.saturating_add(1).saturating_add(clock.ticks(PLAIN_STEPS));
        self.plain.until = self.plain.until.max(until);
    }

    /// Whether agents take plain steps at `now`, because lately there was not enough work for others, or they were many.
    pub(crate) fn asks_for_plain_steps(&self, now: Tick) -> bool {
        self.plain.lasts_at(now)
    }

    /// Whether there was not enough work for the steps of all within the last [`STEPS_SHORT`] before `now`.
    pub(crate) fn is_short_of_steps(&self, now: Tick) -> bool {
        now < self.steps_until
    }

    /// Notes a search for a window that took `work`.
    #[inline]
    pub(crate) fn pay(&mut self, work: u64, is_found: bool) {
        self.cost = self.cost.saturating_add(work);
        let worth = if is_found { WORTH } else { 0 };
        self.worth = self.worth.saturating_add(worth);
        self.excess = self.excess.saturating_add(work.saturating_sub(worth));
        self.found += u64::from(is_found);
    }

    /// Whether windows have cost too much at this tick, in a crowd of `agents` agents. `work`: the work of searches
    /// that are not noted yet.
    #[inline]
    pub(crate) fn is_too_dear(&self, work: u64, agents: impl FnOnce() -> usize) -> bool {
        let excess = self.excess.saturating_add(work);
        excess > LEAST_EXCESS && excess > EXCESS.saturating_mul(agents() as u64)
    }

    /// The most work that an attempt at a window takes now. `work`: as in [`Self::is_too_dear`].
    #[inline]
    pub(crate) fn most_for_attempt(&self, work: u64) -> u64 {
        MOST_OF_ATTEMPT.saturating_sub(self.excess.saturating_add(work)).max(LEAST_OF_ATTEMPT)
    }

    /// Notes that an agent plans at the next tick, because windows have cost too much.
    pub(crate) fn defer(&mut self) {
        self.deferred += 1;
    }

    /// Lets the step planner serve from the next tick on, for a while.
    pub(crate) fn begin(&mut self, clock: Clock) {
        self.short.begin(STEPS, clock);
    }

    /// Permits no more windows at this tick.
    pub(crate) fn end_windows(&mut self) {
        self.excess = u64::MAX;
    }

    /// Whether plain steps serve more agents with the work of windows than windows do, where a tick has `work` for
    /// `agents` agents. `step`: the price of a plain step, if agents take plain steps.
    fn steps_serve_more(&self, step: Option<PriceOfStep>, work: u64, agents: usize) -> bool {
        let Some(PriceOfStep { choice, presence }) = step else {
            return false;
        };
        // Whoever is there takes some work of each tick, whether it chooses or not. Where agents are asleep, less is
        // taken than for all: at least half of the work is for choices.
        let for_choices = work - presence.saturating_mul(agents as u64).min(work / 2);
        let [cost, worth, choice, for_choices, work, window, served] =
            [self.cost, self.worth, choice, for_choices, work, WORTH, SERVED.into()].map(u128::from);
        cost.saturating_mul(for_choices).saturating_mul(window)
            > worth.saturating_mul(work).saturating_mul(choice).saturating_mul(served)
    }

    /// Whether the budget has not been short for longer than the last shortage lasted.
    pub(crate) fn is_over_for_a_while(&self, clock: Clock) -> bool {
        !self.short.would_be_again(STEPS, clock)
    }

    /// Notes that the tick ends at which so many of `agents` agents were `postponed`. The budget is short if many agents
    /// that know their ways were postponed, and windows cost more than they are worth. It is also short if half of all
    /// agents would wait for longer than windows serve, if each tick found as many as this one, and plain steps serve
    /// more agents. `step`: what a plain step of the postponed agents takes; `None`: some would take no plain steps.
    pub(crate) fn note(
        &mut self,
        postponed: Postponed,
        agents: impl Fn() -> usize,
        step: impl FnOnce() -> Option<PriceOfStep>,
        clock: Clock,
    ) {
        self.excess = 0;
        let (deferred, found) = (std::mem::take(&mut self.deferred), std::mem::take(&mut self.found));
        let [known, all] = [postponed.known, postponed.all].map(|postponed| postponed.saturating_sub(deferred));
        let are_many = |postponed: usize, share: usize| postponed >= FEWEST && postponed * share >= agents();
        let are_in_want = || {
            self.cost > self.worth / WORTH_IN_WANT
                && all as u64 > found.saturating_mul(clock.ticks(SERVED).into())
                && are_many(all, SHARE_IN_WANT)
                && self.worth >= WORTH * LEAST_FOUND.max(agents() as u64 / AGENTS_FOR_ONE)
        };
        if !self.lasts_at(clock.now.saturating_add(1))
            && (self.cost > self.worth && are_many(known, SHARE)
                || are_in_want() && self.steps_serve_more(step(), postponed.of_work, agents()))
        {
            self.begin(clock);
        }
        (self.cost, self.worth) = (clock.fade(self.cost, MEMORY), clock.fade(self.worth, MEMORY));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tick ends at which so many of `all` agents were postponed, which know their ways and take no plain steps.
    fn note(shortage: &mut Shortage, agents: usize, all: usize, clock: Clock) {
        shortage.note(Postponed { known: agents, all: agents, of_work: 0 }, || all, || None, clock);
    }

    /// The ticks from `from` to `to` at which the budget is short. At each one `agents` of 40 agents are postponed, and
    /// each of ten searches takes `work` and finds a window.
    fn short_at(shortage: &mut Shortage, from: Tick, to: Tick, agents: usize, work: u64) -> Vec<Tick> {
        let short = (from..to).filter(|now| {
            let lasts = shortage.lasts_at(*now);
            (0..10).for_each(|_| shortage.pay(work, true));
            note(shortage, agents, 40, Clock { now: *now, ticks_per_step: 1 });
            lasts
        });
        short.collect()
    }

    #[test]
    fn the_budget_is_short_if_many_wait_and_windows_are_dear() {
        let is_short = |agents, work| !short_at(&mut Shortage::default(), 0, 20, agents, work).is_empty();
        assert!(is_short(10, 97), "a quarter of all waits");
        assert!(!is_short(9, 97), "fewer wait");
        assert!(!is_short(40, 96), "windows are worth what they cost");
    }

    /// A tick with `work` for `agents` agents, of which `waiting` are postponed. Each window takes `cost`: so many were
    /// found `earlier`, and four now.
    #[derive(Clone, Copy)]
    struct Want {
        step: Option<PriceOfStep>,
        work: u64,
        cost: u64,
        agents: usize,
        waiting: usize,
        earlier: usize,
        ticks_per_step: Ticks,
    }

    const WANT: Want = Want {
        step: Some(PriceOfStep { choice: 4, presence: 1 }),
        work: 2600,
        cost: 49,
        agents: 130,
        waiting: 65,
        earlier: 92,
        ticks_per_step: 2,
    };

    impl Want {
        /// Whether the budget is short after the tick.
        fn is_short(self) -> bool {
            let mut shortage = Shortage::default();
            (0..self.earlier).for_each(|_| shortage.pay(self.cost, true));
            shortage.found = 0;
            (0..4).for_each(|_| shortage.pay(self.cost, true));
            let postponed = Postponed { known: 0, all: self.waiting, of_work: self.work };
            let clock = Clock { now: 0, ticks_per_step: self.ticks_per_step };
            shortage.note(postponed, || self.agents, || self.step, clock);
            shortage.lasts_at(1)
        }
    }

    #[test]
    fn the_budget_is_short_if_half_of_all_wait_for_longer_than_windows_serve() {
        assert!(WANT.is_short());
        assert!(!Want { agents: 131, ..WANT }.is_short(), "fewer than half of all");
        assert!(!Want { ticks_per_step: 3, ..WANT }.is_short(), "in the 24 ticks of a window 96 are found");
        assert!(!Want { cost: 48, ..WANT }.is_short(), "a window costs half of what it is worth");
        assert!(!Want { earlier: 91, ..WANT }.is_short(), "95 windows are too few to know what a window costs");
        let many = Want { agents: 808, waiting: 404, ..WANT };
        assert!(Want { earlier: 97, ..many }.is_short() && !Want { earlier: 96, ..many }.is_short(), "101 are enough");
        assert!(!Want { step: None, ..WANT }.is_short(), "some take no plain steps");
    }

    #[test]
    fn the_budget_is_short_for_half_of_all_if_plain_steps_serve_more_than_windows() {
        // Half of two units for each agent is left for choices: eight take as much as a window of 64 units.
        let two = Want { work: 260, ..WANT };
        assert!(Want { cost: 65, ..two }.is_short() && !Want { cost: 64, ..two }.is_short());
        let more = Want { work: 351, ..WANT };
        assert!(Want { cost: 51, ..more }.is_short() && !Want { cost: 50, ..more }.is_short(), "each 2.7 units");
        assert!(!Want { work: 0, cost: 500, ..WANT }.is_short(), "there is no work for steps");
        let dear = Want { work: 390, step: Some(PriceOfStep { choice: 12, presence: 1 }), ..WANT };
        assert!(Want { cost: 145, ..dear }.is_short() && !Want { cost: 144, ..dear }.is_short());
        let huge = PriceOfStep { choice: u64::MAX, presence: u64::MAX };
        assert!(!Want { step: Some(huge), work: u64::MAX, ..WANT }.is_short());
    }

    #[test]
    fn windows_in_vain_cost_and_are_worth_nothing() {
        let mut shortage = Shortage::default();
        shortage.pay(90, true);
        shortage.pay(7, false);
        note(&mut shortage, 10, 40, Clock { now: 0, ticks_per_step: 1 });
        assert!(shortage.lasts_at(1));
    }

    #[test]
    fn what_windows_cost_is_forgotten() {
        let mut shortage = Shortage::default();
        assert_eq!(short_at(&mut shortage, 0, 10, 0, 300), []);
        // Windows get cheap, and after a while agents wait, too.
        assert_eq!(short_at(&mut shortage, 10, 40, 0, 50), []);
        assert_eq!(short_at(&mut shortage, 40, 50, 40, 50), []);
    }

    #[test]
    fn while_the_budget_is_short_the_work_for_each_agent_is_what_it_was() {
        let mut shortage = Shortage::default();
        shortage.note_work(70, 0);
        shortage.begin(Clock { now: 0, ticks_per_step: 1 });
        shortage.note_work(30, 64);
        assert_eq!(shortage.work(), 70);
        shortage.note_work(30, 65);
        assert_eq!(shortage.work(), 30);
    }

    #[test]
    fn for_some_steps_it_is_known_how_long_the_shortage_is_over() {
        let known = |work| {
            let mut shortage = Shortage::default();
            shortage.note_work(work, 0);
            let over = |shortage: &Shortage, now| shortage.over_for(Clock { now, ticks_per_step: 2 }, 3);
            assert_eq!(over(&shortage, 7), None, "there was none");
            shortage.begin(Clock { now: 0, ticks_per_step: 2 });
            Vec::from_iter((128..134).map(|now| over(&shortage, now)))
        };
        assert_eq!(known(MODEST + 1), [Some(0), Some(1), Some(1), Some(2), Some(2), None]);
        assert_eq!(known(MODEST), [Some(0), None, None, None, None, None], "the budget bounds the tick");
    }

    #[test]
    fn steps_are_short_of_work_for_a_while() {
        let mut shortage = Shortage::default();
        shortage.note_steps(Clock { now: 5, ticks_per_step: 12 });
        assert!(shortage.is_short_of_steps(101) && !shortage.is_short_of_steps(102));
    }

    /// The ticks below `end` at which agents take plain steps, if at all other ticks there is too little work whenever
    /// `is_strained` says so.
    fn plain_at(end: Tick, is_strained: impl Fn(Tick) -> bool) -> Vec<Tick> {
        let mut shortage = Shortage::default();
        let plain = (0..end).filter(|now| {
            let is_plain = shortage.asks_for_plain_steps(*now);
            if !is_plain {
                shortage.note_strain(is_strained(*now), Clock { now: *now, ticks_per_step: 1 });
            }
            is_plain
        });
        plain.collect()
    }

    #[test]
    fn agents_take_plain_steps_once_work_runs_out_at_half_of_the_ticks() {
        let plain = plain_at(100, |_| true);
        // Eleven ticks, then 32, eleven again, and then twice as many.
        assert_eq!(plain, Vec::from_iter((11..43).chain(54..100)));
        assert_eq!(plain_at(100, |now| now % 5 < 2), [], "at two of five ticks");
        assert_ne!(plain_at(100, |now| now % 5 < 3), [], "at three of five ticks");
    }

    #[test]
    fn shortages_in_a_row_get_longer() {
        let mut shortage = Shortage::default();
        assert_eq!(short_at(&mut shortage, 0, 1, 40, 300), []);
        assert_eq!(short_at(&mut shortage, 1, 100, 0, 300), Vec::from_iter(1..65));
        assert_eq!(short_at(&mut shortage, 100, 101, 40, 300), []);
        assert_eq!(short_at(&mut shortage, 101, 500, 0, 300), Vec::from_iter(101..229), "twice as long");
        assert_eq!(short_at(&mut shortage, 500, 501, 40, 300), []);
        assert_eq!(short_at(&mut shortage, 501, 700, 0, 300), Vec::from_iter(501..565), "the last one is long ago");
    }

    #[test]
    fn windows_may_cost_so_much_more_at_a_tick_than_they_are_worth() {
        let mut shortage = Shortage::default();
        shortage.pay(40, true);
        shortage.pay(LEAST_EXCESS + WORTH, true);
        assert!(!shortage.is_too_dear(0, || unreachable!("that much is always permitted")), "40 less is no credit");
        shortage.pay(1, false);
        assert!(
            shortage.is_too_dear(0, || 512) && !shortage.is_too_dear(0, || 513) && shortage.is_too_dear(128, || 513)
        );
        let limit = |agents: usize| {
            let is_too_dear = |excess| Shortage { excess, ..Shortage::default() }.is_too_dear(0, || agents);
            (LEAST_EXCESS..1 << 20).step_by(64).find(|excess| is_too_dear(*excess)).unwrap() - 64
        };
        assert_eq!([1, 300, 512, 600, 1000].map(limit), [65_536, 65_536, 65_536, 76_800, 128_000]);
        assert_eq!(
            [0, 1000, 65_536, 90_000].map(|work| Shortage::default().most_for_attempt(work)),
            [131_072, 130_072, 65_536, 65_536]
        );
        (0..20).for_each(|_| shortage.defer());
        note(&mut shortage, 20, 40, Clock { now: 0, ticks_per_step: 1 });
        assert!(!shortage.lasts_at(1), "the budget is not what they wait for");
        assert!(!shortage.is_too_dear(0, || 0), "another tick");
    }
}
