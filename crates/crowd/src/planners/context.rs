//! The context of planners: the state of the crowd, the work that is left at this tick, and the report on the tick.

use std::collections::VecDeque;

use giveway_core::{AgentId, Fuel, Tick, Ticks};

use super::due::next_turn;
use crate::budget::Budget;
use crate::report::Report;
use crate::state::{State, Unit};
use giveway_members::clock::Clock;
use giveway_members::roster::Slot;
use giveway_members::work::Work;
use giveway_strategies::NoPlan;

/// At every such step joint planning may take all work of the tick; at others half, so that agents that plan alone are
/// not kept waiting.
const WHOLE: Ticks = 3;

/// The context of planners.
pub(crate) struct Context<'c, 'a> {
    pub(crate) state: &'c mut State<'a>,
    pub(crate) work: Work,
    pub(crate) report: Report,
    /// Memory that cascades use again.
    pub(super) cascade: Cascade,
}

/// The agents of a cascade of plans.
#[derive(Default)]
pub(super) struct Cascade {
    /// The agents that have to plan, and how many pushes lie between each and the first one.
    pub(super) queue: VecDeque<(Slot, u32)>,
    /// New agents that lost reservations: they plan in any case.
    pub(super) flagged: Vec<Slot>,
    /// The agents that have lost reservations to the last plan.
    pub(super) evicted: Vec<AgentId>,
    /// The agents with new plans.
    pub(super) planned: Vec<Slot>,
}

impl Cascade {
    /// The cascade that begins with `slot`.
    pub(super) fn begin(&mut self, slot: Slot) {
        let Self { queue, flagged, evicted, planned } = self;
        queue.clear();
        flagged.clear();
        evicted.clear();
        planned.clear();
        queue.push_back((slot, 0));
    }
}

impl<'c, 'a> Context<'c, 'a> {
    /// The context for the tick that begins now, with `budget`.
    pub(crate) fn new(state: &'c mut State<'a>, budget: Budget) -> Self {
        let report = Report { tick: state.clock.now, ..Report::default() };
        Self { state, work: Work::new(budget.fuel()), report, cascade: Cascade::default() }
    }

    pub(super) fn now(&self) -> Tick {
        self.state.clock.now
    }

    /// Whether joint planning may take all work of this tick.
    pub(super) fn may_take_all(&self) -> bool {
        let Clock { now, ticks_per_step } = self.state.clock;
        (now / ticks_per_step.max(1)).is_multiple_of(WHOLE)
    }

    /// The `chosen` agents that are awake and know their distance, the highest rank first.
    pub(super) fn by_rank(&mut self, chosen: impl Fn(Unit<'_>) -> bool) -> Vec<Slot> {
        self.state.wake();
        let all = self.state.awake().filter(|unit| chosen(*unit));
        let mut ranked: Vec<_> = all.map(|unit| (unit.member.claim(self.state.clock).rank, unit.slot)).collect();
        ranked.sort_unstable_by(|(a, first), (b, second)| b.cmp(a).then(first.cmp(second)));
        ranked.into_iter().map(|(_, slot)| slot).filter(|slot| self.knows_now(*slot)).collect()
    }

    /// Runs `plan` on at most `most` of the work that is left.
    pub(super) fn within<T>(&mut self, most: u64, plan: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.work.fuel.left();
        let part = left.min(most);
        self.work.fuel = Fuel::work(part);
        let outcome = plan(self);
        self.work.fuel = Fuel::work(left - part + self.work.fuel.left());
        outcome
    }

    /// Whether the distance of `slot` to its goals is known by now.
    pub(super) fn knows_now(&mut self, slot: Slot) -> bool {
        let State { world, roster, clock, .. } = &mut *self.state;
        world.find_distance(&mut roster[slot], *clock, &mut Work::none()).is_ok()
    }

    /// Notes that `slot` could not plan at this tick, because budget or memory was short. It plans first at the next
    /// tick. Waiting for work is no lack of progress.
    pub(super) fn put_off(&mut self, slot: Slot, why: NoPlan) {
        let now = self.now();
        let member = &mut self.state.roster[slot];
        member.turn.ask(now);
        member.approach.put_off();
        self.report.postponed.push(member.id());
        if why == NoPlan::OutOfMemory {
            self.report.out_of_memory.push(member.id());
            self.state.world.note_lack_of_memory(member.class());
        }
    }

    /// Notes that `slot` plans first at the next tick, because windows have cost too much at this one. That is no
    /// progress: other planners may do better.
    pub(super) fn defer(&mut self, slot: Slot) {
        let State { roster, shortage, clock, .. } = &mut *self.state;
        roster[slot].turn.ask(clock.now);
        shortage.defer();
        self.report.postponed.push(roster[slot].id());
    }

    /// Notes that `slot` found no plan.
    pub(super) fn fail(&mut self, slot: Slot, why: NoPlan) {
        let agent = self.state.roster[slot].id();
        self.report.failed.push((agent, why));
        if why == NoPlan::Unreachable {
            self.report.unreachable.push(agent);
            // If there is no place to stand by, the agent goes on looking for a way.
            let _ = self.state.stop(slot);
        }
    }

    /// Notes that `slot` has tried to plan at this tick, and plans again at `due`; `None`: when its turn comes.
    pub(super) fn set_tried(&mut self, slot: Slot, due: Option<Tick>) {
        let now = self.now();
        let member = &mut self.state.roster[slot];
        member.turn.try_at(now);
        member.turn.set_due(due);
        // A turn that is still to come stays.
        if due.is_none() && member.turn.is_over(now) {
            let (earliest, latest) = next_turn(self.state, slot);
            self.state.roster.set_turn(slot, earliest, latest);
        }
    }

    /// Makes `slot`, which found no plan, hold the place where its old plan ends.
    pub(super) fn hold_on(&mut self, slot: Slot) {
        let Unit { member, plan, .. } = self.state.unit(slot);
        if !plan.covers(member.motion.free_at(self.now()).1) {
            self.state.stand(slot);
        }
    }
}
