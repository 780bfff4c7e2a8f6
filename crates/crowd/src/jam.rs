//! Jams: how much work has gone into windows in vain lately.
//!
//! Once that is as much as a joint plan of all agents takes, a joint plan pays: whatever comes, both together then take
//! about twice as much as is needed. The agents carry the joint plan out for a while, and then plan windows again, as
//! these cost less where there is room. If the jam goes on, a quarter of the price is enough for the next joint plan,
//! which may be carried out for longer.

mod written;

use std::ops::RangeInclusive;

use giveway_core::{AgentId, Digest, Tick, Ticks};
use rustc_hash::FxHashSet;

use giveway_members::clock::Clock;

/// In each step, the wasted work loses one part in `MEMORY`.
const MEMORY: u64 = 64;

/// The first joint plan of a jam is carried out for `STEPS` steps, and each later joint plan for twice as long as the
/// joint plan before it; in a crowd of more than [`FEW`] agents for as long of that as it is known, but for `STEPS` at
/// least. After a failure the next joint plan waits for twice as much waste. Both numbers double at most `DOUBLINGS`
/// times.
const STEPS: Ticks = 16;
const DOUBLINGS: u32 = 8;

/// Soon after a joint plan, the next one pays once one part in `SOON` of its price is wasted: the jam is still there.
/// "Soon" is as long as the next joint plan would be carried out, and at most `SPAN` steps.
const SOON: u64 = 4;

/// Orders keep coming if lately at least one agent in `SHARE` got another order; in a crowd of more than [`FEW`] agents,
/// one in `SHARE_OF_MANY`. "Lately" is the time of `SPAN` to twice `SPAN` steps.
const SHARE: usize = 8;
const SHARE_OF_MANY: usize = 32;
const SPAN: Ticks = 64;

/// In a crowd of no more agents than this, a joint plan of those that are stuck is worth its work also where orders keep
/// coming.
pub(crate) const FEW: usize = 64;

/// What windows have spent in vain, and what was done about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jam {
    /// In units of work.
    wasted: u64,
    /// The least work that a joint plan takes at this tick.
    price: Price,
    /// Whether at this tick it was asked whether steps do better.
    has_asked: bool,
    /// Whether a joint plan has ended shortly before this tick.
    is_soon: bool,
    /// When the last joint plan ends.
    until: Tick,
    /// The joint plans of this jam.
    plans: u32,
    /// How often a joint plan was not found since the last one that was.
    failures: u32,
    /// The agents that have got another order lately: since `since`, and in as many steps before.
    ordered: [FxHashSet<AgentId>; 2],
    /// For each of these sets, the sum of the hashes of its agents.
    hashes: [u64; 2],
    since: Tick,
}

/// What a joint plan takes, in units of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Price {
    AtLeast(u64),
    Exactly(u64),
}

impl Default for Price {
    fn default() -> Self {
        Self::AtLeast(0)
    }
}

impl Jam {
    /// Adds the jam to `digest`: not the price, which each tick finds out.
    pub(crate) fn feed(&self, digest: &mut Digest) {
        digest.word(self.wasted);
        digest.pair(self.until, self.since);
        digest.pair(self.plans, self.failures);
        self.hashes.iter().for_each(|hash| digest.word(*hash));
    }

    /// Notes the work of an agent that has found no window.
    #[inline]
    pub(crate) fn waste(&mut self, work: u64) {
        self.wasted = self.wasted.saturating_add(work);
    }

    /// Notes that `agent` gets another order after it has carried out the one before.
    pub(crate) fn note_order(&mut self, agent: AgentId) {
        if self.ordered[0].insert(agent) {
            let mut digest = Digest::new();
            digest.word(agent.0.into());
            self.hashes[0] = self.hashes[0].wrapping_add(digest.finish());
        }
    }

    /// Whether many of the agents get one order after the other; `agents` is the number of all agents. A joint plan
    /// knows only the present orders.
    pub(crate) fn orders_keep_coming(&self, agents: usize) -> bool {
        let [now, before] = self.ordered.each_ref().map(FxHashSet::len);
        now.max(before) * if agents > FEW { SHARE_OF_MANY } else { SHARE } >= agents
    }

    /// Whether orders keep coming in a crowd of more than [`FEW`] agents. There, whoever is planned apart from all others
    /// is in their way.
    pub(crate) fn is_in_traffic(&self, agents: usize) -> bool {
        agents > FEW && self.orders_keep_coming(agents)
    }

    /// Lets a tick go by.
    pub(crate) fn pass(&mut self, clock: Clock) {
        (self.price, self.has_asked) = (Price::default(), false);
        self.wasted = clock.fade(self.wasted, MEMORY);
        if clock.now.saturating_sub(self.since) >= clock.ticks(SPAN) {
            self.ordered.swap(0, 1);
            self.ordered[0].clear();
            self.hashes = [0, self.hashes[0]];
            self.since = clock.now;
        }
        if self.plans > 0 && clock.now > self.until.saturating_add(self.most(clock)) {
            self.plans = 0;
        }
        let soon = self.until..=self.until.saturating_add(clock.ticks(SPAN));
        self.is_soon = self.plans > 0 && soon.contains(&clock.now);
    }

    /// Whether a joint plan pays, and there is enough work `left` for it. It pays once as much is wasted as it takes, or
    /// a part of that soon after the last joint plan. After failures it has to be more, and it is never less than
    /// `least`.
    ///
    /// The work that it takes is `estimate`d at most a few times a tick; the estimate need not be exact if it exceeds
    /// its argument.
    #[inline]
    pub(crate) fn pays(&mut self, least: u64, left: u64, estimate: impl FnOnce(u64) -> Price) -> bool {
        let wasted = self.wasted.saturating_mul(if self.is_soon { SOON } else { 1 });
        let affordable = (wasted >> self.failures).min(left);
        if self.wasted < least << self.failures {
            return false;
        }
        if let Price::AtLeast(price) = self.price
            && price <= affordable
        {
            self.price = estimate(affordable.saturating_mul(2));
        }
        matches!(self.price, Price::Exactly(price) if price <= affordable)
    }

    /// Whether `work` or more was wasted, once at a tick.
    #[inline]
    pub(crate) fn asks_for_steps(&mut self, work: u64) -> bool {
        self.wasted >= work && !std::mem::replace(&mut self.has_asked, true)
    }

    /// The least work that a joint plan takes at this tick.
    pub(crate) fn price(&self) -> u64 {
        let (Price::AtLeast(price) | Price::Exactly(price)) = self.price;
        price
    }

    /// For how long the next joint plan is carried out, in ticks, at least and at most; `agents` is the number of all
    /// agents. Within that it depends on how far the plan is known.
    pub(crate) fn length(&self, agents: usize, clock: Clock) -> RangeInclusive<Ticks> {
        let most = self.most(clock);
        if agents > FEW { clock.ticks(STEPS)..=most } else { most..=most }
    }

    /// For how long the next joint plan is carried out at most.
    fn most(&self, clock: Clock) -> Ticks {
        clock.ticks(STEPS << self.plans.min(DOUBLINGS))
    }

    /// Whether agents follow a joint plan at `now`.
    pub(crate) fn is_followed_at(&self, now: Tick) -> bool {
        now < self.until
    }

    /// Notes that a joint plan is carried out until `until`.
    pub(crate) fn plan(&mut self, until: Tick) {
        (self.wasted, self.failures, self.until) = (0, 0, until);
        self.plans = self.plans.saturating_add(1);
    }

    /// Notes that steps are to get the agents out of the jam, from the next tick on. At this tick no joint plan pays.
    pub(crate) fn leave_to_steps(&mut self) {
        (self.wasted, self.price) = (0, Price::AtLeast(u64::MAX));
    }

    /// Notes that a joint plan was not found. The next one waits until twice as much is wasted.
    pub(crate) fn fail(&mut self) {
        (self.wasted, self.failures) = (0, (self.failures + 1).min(DOUBLINGS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a joint plan of a `price` pays, with `left` units of work.
    fn pays(jam: &mut Jam, left: u64, price: u64) -> bool {
        jam.price = Price::default();
        jam.pays(100, left, |_| Price::Exactly(price))
    }

    #[test]
    fn a_joint_plan_pays_once_as_much_is_wasted() {
        let mut jam = Jam::default();
        jam.waste(99);
        assert!(!jam.pays(100, u64::MAX, |_| unreachable!("too little to ask")));
        jam.waste(101);
        assert!(!pays(&mut jam, u64::MAX, 201) && pays(&mut jam, u64::MAX, 200));
        assert!(pays(&mut jam, 150, 150) && !pays(&mut jam, 149, 150), "there has to be as much work");
        jam.fail();
        jam.waste(401);
        assert!(!pays(&mut jam, u64::MAX, 201), "after a failure it has to be twice as much");
        jam.waste(1);
        assert!(pays(&mut jam, u64::MAX, 201));
        jam.plan(16);
        for (now, price) in [(15, 100), (16, 400), (48, 400), (49, 100)] {
            jam.pass(Clock { now, ticks_per_step: 1 });
            jam.wasted = 100;
            let least = [price, price + 1].map(|price| pays(&mut jam, u64::MAX, price));
            assert_eq!(least, [true, false], "soon after a plan, not during it, a quarter is enough: {now}");
        }
    }

    #[test]
    fn a_price_is_asked_for_again_once_as_much_as_was_known_of_it_is_wasted() {
        let mut jam = Jam::default();
        jam.waste(100);
        assert!(!jam.pays(100, u64::MAX, |limit| Price::AtLeast(limit + 1)));
        jam.waste(100);
        assert!(!jam.pays(100, u64::MAX, |_| unreachable!("it is known to be more than 200")));
        jam.waste(1);
        assert!(jam.pays(100, u64::MAX, |_| Price::Exactly(201)));
    }

    #[test]
    fn orders_keep_coming_if_many_agents_get_one_after_the_other() {
        let mut jam = Jam::default();
        for _ in 0..100 {
            jam.note_order(AgentId(7));
        }
        assert!(jam.orders_keep_coming(8) && !jam.orders_keep_coming(9), "one agent is one, whatever its orders");
        (8..11).for_each(|agent| jam.note_order(AgentId(agent)));
        assert!(jam.orders_keep_coming(32) && !jam.orders_keep_coming(33));
        assert!(jam.orders_keep_coming(128) && !jam.orders_keep_coming(129), "many agents have longer ways");
        for now in 0..300 {
            jam.pass(Clock { now, ticks_per_step: 2 });
            assert_eq!(jam.orders_keep_coming(32), now < 256, "{now}: forgotten after 64 to 128 steps");
        }
    }

    #[test]
    fn waste_is_forgotten_and_plans_grow_while_a_jam_lasts() {
        let mut clock = Clock { now: 0, ticks_per_step: 2 };
        let mut jam = Jam::default();
        jam.waste(100_000);
        for _ in 0..128 {
            jam.pass(clock);
        }
        assert!((36_000..38_000).contains(&jam.wasted), "after 64 steps about a third is left: {}", jam.wasted);
        assert_eq!(jam.length(65, clock), 32..=32);
        jam.plan(32);
        assert_eq!([64, 65].map(|agents| jam.length(agents, clock)), [64..=64, 32..=64]);
        clock.now = 32 + 64;
        jam.pass(clock);
        assert_eq!(jam.length(65, clock), 32..=64);
        clock.now += 1;
        jam.pass(clock);
        assert_eq!(jam.length(65, clock), 32..=32, "that jam is over");
    }
}
