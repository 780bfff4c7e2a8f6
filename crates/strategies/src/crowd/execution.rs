//! Execution: a tick goes by.

use giveway_core::{AgentId, CellId, Cells, Claim, Entry, FOREVER, ReservationStore, Span, Tick, Ticks};
use rustc_hash::FxHashMap;

use super::guard::{self, Intent};
use super::leg::Leg;
use super::local_repair::Itinerary;
use super::member::{Errand, Member};
use super::rank::BEGUN;
use super::report::Report;
use super::{Budget, ClassId, Crowd};

/// Who is where from now on, if nobody begins another move.
#[derive(Clone, Debug, Default)]
pub(super) struct Presence {
    entries: FxHashMap<CellId, Vec<(Span, AgentId)>>,
}

impl Presence {
    pub(super) fn note(&mut self, agent: AgentId, entries: &[Entry]) {
        for entry in entries {
            self.entries.entry(entry.cell).or_default().push((entry.span, agent));
        }
    }

    /// Whom `agent` would meet in `entries`.
    pub(super) fn meets(&self, agent: AgentId, entries: &[Entry]) -> Option<AgentId> {
        let others = entries.iter().flat_map(|entry| {
            let held = self.entries.get(&entry.cell).into_iter().flatten();
            held.filter(move |(span, other)| *other != agent && span.overlaps(entry.span))
        });
        others.map(|(_, other)| *other).min()
    }

    /// All whom `agent` would meet in `entries`, in ascending order.
    pub(super) fn all_met(&self, agent: AgentId, entries: &[Entry]) -> Vec<AgentId> {
        let others = entries.iter().flat_map(|entry| {
            let held = self.entries.get(&entry.cell).into_iter().flatten();
            held.filter(move |(span, other)| *other != agent && span.overlaps(entry.span))
        });
        let mut others: Vec<AgentId> = others.map(|(_, other)| *other).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// Takes back what was noted of `agent` in the cells of `entries`.
    pub(super) fn forget(&mut self, agent: AgentId, entries: &[Entry]) {
        for entry in entries {
            if let Some(held) = self.entries.get_mut(&entry.cell) {
                held.retain(|(_, other)| *other != agent);
            }
        }
    }

    /// How many pairs of agents are in one place at `now`.
    fn overlaps(&self, now: Tick) -> usize {
        let mut pairs: Vec<[AgentId; 2]> = Vec::new();
        #[allow(clippy::iter_over_hash_type)] // sorted below
        for held in self.entries.values() {
            let here: Vec<AgentId> =
                held.iter().filter(|(span, _)| span.contains(now)).map(|(_, agent)| *agent).collect();
            let ordered = |[a, b]: [AgentId; 2]| if a < b { [a, b] } else { [b, a] };
            let others = |index: usize| here[index + 1..].iter().copied();
            pairs.extend(
                (0..here.len())
                    .flat_map(|index| others(index).map(move |other| (index, other)))
                    .map(|(index, other)| ordered([here[index], other])),
            );
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|[a, b]| a != b);
        pairs.len()
    }
}

/// What has passed is forgotten after so many ticks at the latest.
const LONGEST_MEMORY: Ticks = 64;

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets a tick go by: agents plan whose turn it is, those move who can, and time goes on by one.
    ///
    /// At most `budget` expansions are made. Whoever does not get to plan follows its old plan, or stays, and is the first
    /// at the next tick; reverse searches go on where they stopped. If the whole budget is not enough for an agent's
    /// window, its next window is half as deep. At most half of a budget goes into finding the way, as long as others can plan
    /// who know theirs. The least search expands two states, so with less nobody ever plans.
    ///
    /// Without a class nothing happens but that time goes by. At the end of time, tick 2^32 - 2, not even that.
    pub fn tick(&mut self, budget: Budget) -> Report {
        let mut report = Report { tick: self.now, ..Report::default() };
        if self.now < FOREVER - 1 {
            let mut fuel = budget.fuel();
            self.note_edits();
            self.make_room();
            let renewed = self.renew_distances(&mut fuel);
            // Some were sent to where they are.
            self.note_arrivals(&mut report);
            self.take_turns();
            self.plan_knots(&mut fuel, &mut report);
            self.push_all(&mut report);
            self.plan_all(renewed, &mut fuel, &mut report);
            self.renew_while_possible(&mut fuel);
            self.begin_moves(&mut report);
            self.note_waiting(&mut report);
            self.pass(&mut report);
        }
        let reverse = self.reverse_expanded();
        report.reverse_expansions = reverse - self.reverse_before;
        self.reverse_before = reverse;
        report
    }

    /// Notes which spaces have changed since the last tick.
    fn note_edits(&mut self) {
        for (index, id) in (0..self.classes.len()).zip((0..).map(ClassId)) {
            let revision = self.classes[index].revision();
            if std::mem::replace(&mut self.revisions[index], revision) != revision {
                self.note_edit(id);
            }
        }
    }

    /// Begins the moves that the plans foresee, but for those that the guard stops.
    fn begin_moves(&mut self, report: &mut Report) {
        let now = self.now;
        self.guard(report);
        let store = &mut self.store;
        for (agent, member) in &mut self.members {
            if member.motion.is_none() {
                let by = if member.is_at_ease() { Some(member.chain.link(0)) } else { member.plan.by };
                member.moved_by = by.filter(|_| member.plan.covers(now));
            }
            report.served.note(member.moved_by);
            member.last = match (member.motion, member.plan.move_at(now)) {
                (Some(motion), _) => motion,
                (None, None) => Leg::resting(member.node, now, now + 1),
                (None, Some(leg)) => {
                    report.moves += 1;
                    member.motion = Some(*leg);
                    let class = &self.classes[member.class.0 as usize];
                    member.course = class.course(leg).cloned();
                    member.swept.clear();
                    class.sweep(leg, &mut member.swept);
                    // From the next tick on it is under way, and nobody overrides that.
                    if leg.arrive > now + 1 {
                        let kept = store.reserve(Claim { agent: *agent, rank: BEGUN }, &member.swept);
                        debug_assert!(kept.is_ok(), "{kept:?}");
                    }
                    *leg
                }
            };
        }
    }

    /// Stops those whose moves are not safe.
    fn guard(&mut self, report: &mut Report) {
        let now = self.now;
        if !self.members.values().any(|member| member.motion.is_none() && member.plan.move_at(now).is_some()) {
            return;
        }
        // Where everybody has reserved what it does at this tick, and no move outlasts it, there is nothing to look at.
        let sure = |member: &Member| {
            let unit = member.plan.move_at(now).is_none_or(|leg| leg.arrive == now + 1);
            member.motion.is_none() && member.plan.covers(now) && unit
        };
        if self.whca.soft_rests.is_none() && self.members.values().all(sure) {
            return;
        }
        let clock = self.clock();
        let mut order: Vec<(AgentId, &Member)> = self.members.iter().map(|(agent, member)| (*agent, member)).collect();
        order.sort_by_key(|(agent, member)| (std::cmp::Reverse(member.claim(*agent, clock).rank), *agent));
        let intents: Vec<Intent> = order.iter().map(|(agent, member)| self.intent(*agent, member)).collect();
        let stopped: Vec<AgentId> = guard::stopped(&intents).into_iter().map(|index| intents[index].agent).collect();
        for agent in &stopped {
            if let Some(member) = self.members.get_mut(agent) {
                // Where moves last, somebody who has been overridden may take long to get away.
                member.stopped = member.plan.move_at(now).is_some_and(|leg| leg.arrive > now + 1);
            }
            self.lose_plan(*agent, now.saturating_add(1));
        }
        report.stopped = stopped;
        report.stopped.sort_unstable();
    }

    /// What `agent` occupies if it stays, and if it moves.
    fn intent(&self, agent: AgentId, member: &Member) -> Intent {
        let now = self.now;
        let class = &self.classes[member.class.0 as usize];
        let mut go = Vec::new();
        if member.motion.is_none()
            && let Some(leg) = member.plan.move_at(now)
        {
            class.sweep(leg, &mut go);
            class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut go);
        }
        // Whom one may walk through stops nobody.
        let soft = self.whca.soft_rests.is_some() && member.is_at_ease();
        Intent { agent, stay: if soft { Vec::new() } else { self.room_of(member) }, go }
    }

    /// What an agent occupies from now on if it begins no other move.
    pub(super) fn room_of(&self, member: &Member) -> Vec<Entry> {
        let class = &self.classes[member.class.0 as usize];
        let mut room = Vec::new();
        let (node, from) = member.free_at(self.now);
        room.extend_from_slice(&member.swept);
        class.sweep(&Leg::resting(node, from, FOREVER), &mut room);
        room
    }

    /// Who is where.
    pub(super) fn survey(&self) -> Presence {
        let mut presence = Presence::default();
        for (agent, member) in &self.members {
            presence.note(*agent, &self.room_of(member));
        }
        presence
    }

    /// Makes a store for `cells`, that everybody is on again: without plans, but where they are.
    pub(super) fn renew_store(&mut self, cells: Cells) {
        self.store = (self.make_store)(cells, self.longest_window());
        let now = self.now;
        for (agent, member) in &self.members {
            if !member.swept.is_empty() {
                let kept = self.store.reserve(Claim { agent: *agent, rank: BEGUN }, &member.swept);
                debug_assert!(kept.is_ok(), "{kept:?}");
            }
        }
        let agents: Vec<AgentId> = self.members.keys().copied().collect();
        for agent in agents {
            self.lose_plan(agent, now);
        }
    }

    fn note_arrivals(&mut self, report: &mut Report) {
        for (agent, member) in &mut self.members {
            if member.errand == Errand::Go && !member.arrived && member.is_home() {
                member.arrived = true;
                report.arrived.push(*agent);
            }
        }
    }

    /// Time goes on: motions end, agents arrive.
    fn pass(&mut self, report: &mut Report) {
        self.now += 1;
        self.presence = None;
        let now = self.now;
        let mut moved = Vec::new();
        for (agent, member) in &mut self.members {
            if let Some(motion) = member.motion.filter(|motion| motion.arrive <= now) {
                member.node = motion.to;
                member.motion = None;
                self.classes[member.class.0 as usize].moved(&motion);
                moved.push((*agent, motion.arrive - motion.depart));
                if member.is_home() {
                    member.itinerary = Itinerary::default();
                }
            }
            member.swept.retain(|entry| entry.span.end > now);
            member.plan.pass(now);
        }
        for (agent, ticks) in moved {
            self.note_move(agent, ticks);
        }
        self.note_arrivals(report);
        if self.whca.soft_rests.is_some() {
            report.overlaps = self.survey().overlaps(now);
        }
        // Not at every tick: it takes time for everything that is held.
        if now.is_multiple_of(self.period().min(LONGEST_MEMORY)) {
            self.store.forget_before(now);
        }
    }
}
