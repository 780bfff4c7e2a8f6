//! Delays: moves that are planned begin later, so that units pass each place in the order that was planned.
//!
//! Each unit has the moves of its plan, and the earliest tick at which each may begin: not before it was planned, not
//! before the move before it has ended, and not before others have left the cells that they were to leave before. What
//! a later move occupies is compared with what others were to occupy up to then: their moves come later in turn, until
//! nothing changes. Ticks only grow, and if all units began their moves later by as much as the late one is late,
//! nothing would meet but what is under way. So it ends.
//!
//! Hönig, Kiesel, Tinka, Durham and Ayanian, "Persistent and Robust Execution of MAPF Schedules in Warehouses", IEEE
//! Robotics and Automation Letters 4(2), 2019. Here the dependencies are looked up in the reservations: they are never
//! listed.

use std::collections::VecDeque;

use giveway_core::{AgentId, CellId, Entry, FOREVER, NodeId, Rank, Span, Tick, Ticks};
use rustc_hash::FxHashMap;

use crate::ledger::Schedule;
use crate::state::{State, Unit};
use giveway_members::chain::{Kind, Planner};
use giveway_members::leg::Leg;
use giveway_members::roster::{Slot, after_pause};
use giveway_members::world::AnyClass;

/// A unit whose plan has become later this often plans anew.
const MOST_CHANGES: u32 = 256;

/// The later plans of all units that are delayed.
#[derive(Default)]
pub(super) struct Delays {
    courses: Vec<Course>,
    /// The position of the course of each unit that has one. Looked up, never walked.
    of: FxHashMap<Slot, usize>,
}

/// The plan of one unit.
struct Course {
    slot: Slot,
    by: Option<Kind>,
    /// Where and when the plan begins, as it was.
    free: (NodeId, Tick),
    /// When it begins now.
    free_later: Tick,
    /// What its motion under way was to occupy, and occupies now, if it is held.
    motion: Vec<[Entry; 2]>,
    /// The moves as they were planned.
    moves: Vec<Leg>,
    /// When they begin now.
    departs: Vec<Tick>,
    /// The ranks at which they are held.
    ranks: Vec<Rank>,
    /// The tick until which the unit was to wait after the last move.
    waits_until: Option<Tick>,
    /// Whether it was to rest then for ever.
    rests: bool,
    /// When each part occupies each cell, as it was planned.
    planned: FxHashMap<CellId, Vec<(Span, Part)>>,
    changes: u32,
    is_dropped: bool,
}

/// A part of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Move(usize),
    /// The wait before this move, or after the last one.
    Wait(usize),
}

/// A cell that a unit leaves later than planned, so that another one must come later.
struct Need {
    cell: CellId,
    /// Who holds it at `from`, as planned.
    agent: AgentId,
    from: Tick,
    /// When the cell is left.
    left: Tick,
}

impl Delays {
    /// The later plans if the motions of `held` take `ticks` longer. Nothing has changed yet.
    pub(super) fn find(state: &State<'_>, held: &[Slot], ticks: Ticks) -> Self {
        let mut delays = Self::default();
        let mut queue = VecDeque::new();
        for slot in held {
            if let Some(position) = delays.position(state, *slot) {
                let course = &mut delays.courses[position];
                let motion = &state.roster[*slot].motion;
                course.free_later = course.free.1.saturating_add(ticks);
                course.move_up(0);
                if motion.stays().is_none() && motion.is_moving() {
                    let later = after_pause(motion.swept(), state.clock.now, ticks);
                    course.motion = motion
                        .swept()
                        .iter()
                        .filter(|entry| entry.span.end > state.clock.now)
                        .copied()
                        .zip(later)
                        .map(|(planned, later)| [planned, later])
                        .collect();
                }
                queue.push_back(position);
            } else {
                // Without a plan of its own, it still is in the way for longer.
                delays.delay_those_behind(state, *slot, ticks, &mut queue);
            }
        }
        let mut needs = Vec::new();
        while let Some(position) = queue.pop_front() {
            let course = &mut delays.courses[position];
            course.changes += 1;
            course.is_dropped |= course.changes > MOST_CHANGES;
            if course.is_dropped {
                continue;
            }
            course.needs(state, &mut needs);
            for need in needs.drain(..) {
                if !delays.meet(state, &need, &mut queue) {
                    delays.courses[position].is_dropped = true;
                }
            }
        }
        delays
    }

    /// Makes the units come later that were to pass through what the motion of `slot` occupies for longer.
    fn delay_those_behind(&mut self, state: &State<'_>, slot: Slot, ticks: Ticks, queue: &mut VecDeque<usize>) {
        let motion = &state.roster[slot].motion;
        let now = state.clock.now;
        let mut pairs: Vec<[Entry; 2]> = Vec::new();
        if motion.is_moving() && motion.stays().is_none() {
            let planned = motion.swept().iter().filter(|entry| entry.span.end > now).copied();
            pairs.extend(planned.zip(after_pause(motion.swept(), now, ticks)).map(|(planned, later)| [planned, later]));
        }
        let (node, free) = motion.free_at(now);
        let class = state.class(slot);
        let stays = class.room(node, free, free.saturating_add(ticks));
        pairs.extend(stays.into_iter().map(|later| [Entry { span: Span::new(free, free), ..later }, later]));
        let mut needs = Vec::new();
        let agent = state.roster[slot].id();
        pairs.iter().for_each(|pair| look_behind(state, agent, pair, &mut needs));
        for need in needs {
            self.meet(state, &need, queue);
        }
    }

    /// Makes the unit of `need` come later. Returns whether it can.
    fn meet(&mut self, state: &State<'_>, need: &Need, queue: &mut VecDeque<usize>) -> bool {
        let Some(other) = state.roster.slot(need.agent) else { return true };
        let is_under_way = || {
            let motion = &state.roster[other].motion;
            motion.is_moving()
                && motion.swept().iter().any(|entry| entry.cell == need.cell && entry.span.contains(need.from))
        };
        let Some(position) = self.position(state, other) else { return !is_under_way() };
        let course = &mut self.courses[position];
        let parts = course.planned.get(&need.cell).map_or(&[][..], Vec::as_slice);
        let part = parts.iter().filter(|(span, _)| span.contains(need.from)).min_by_key(|(span, _)| span.start);
        let Some((span, part)) = part.copied() else { return !is_under_way() };
        let index = match part {
            Part::Move(index) => index,
            Part::Wait(0) => return false,
            Part::Wait(next) => next - 1,
        };
        let depart = course.moves[index].depart.saturating_add(need.left - span.start);
        if course.departs[index] < depart {
            course.departs[index] = depart;
            course.move_up(index + 1);
            queue.push_back(position);
        }
        true
    }

    /// The position of the course of `slot`; `None`: its order cannot be kept.
    fn position(&mut self, state: &State<'_>, slot: Slot) -> Option<usize> {
        if let Some(position) = self.of.get(&slot) {
            return Some(*position);
        }
        let course = Course::of(state, slot)?;
        self.of.insert(slot, self.courses.len());
        self.courses.push(course);
        Some(self.courses.len() - 1)
    }

    /// Releases what the plans hold.
    pub(super) fn release(&self, state: &mut State<'_>) {
        for course in &self.courses {
            state.ledger.release(course.slot, course.free.1);
        }
    }

    /// Reserves the later plans. Agents that lose something are added to `evicted`. Returns the units whose plans
    /// cannot be kept.
    pub(super) fn take(&mut self, state: &mut State<'_>, evicted: &mut Vec<AgentId>) -> Vec<Slot> {
        let mut losers = Vec::new();
        for course in &mut self.courses {
            course.is_dropped |= !course.can_begin(state);
            course.is_dropped = course.is_dropped || !course.take(state, evicted);
            if course.is_dropped {
                losers.push(course.slot);
            }
        }
        losers
    }

    /// Whether `slot` has a later plan.
    pub(super) fn has_plan(&self, slot: Slot) -> bool {
        self.of.get(&slot).is_some_and(|position| !self.courses[*position].is_dropped)
    }
}

impl Course {
    /// The plan of `slot`; `None`: it has none whose order can be kept.
    fn of(state: &State<'_>, slot: Slot) -> Option<Self> {
        let Unit { member, plan, .. } = state.unit(slot);
        let by = [Planner::Windowed, Planner::Lacam];
        if member.goes_along() || !by.into_iter().any(|by| plan.is_by(by)) {
            return None;
        }
        let free = member.motion.free_at(state.clock.now);
        let to_come = || plan.ahead().iter().filter(|leg| leg.is_move() && leg.depart >= free.1);
        let moves: Vec<Leg> = to_come().copied().collect();
        let first = moves.first()?;
        if first.from != free.0 {
            return None;
        }
        let waits_until = plan.ahead().last().filter(|leg| !leg.is_move()).map(|leg| leg.arrive);
        let mut course = Self {
            slot,
            by: plan.by,
            free,
            free_later: free.1,
            motion: Vec::new(),
            departs: moves.iter().map(|leg| leg.depart).collect(),
            ranks: Vec::with_capacity(moves.len()),
            moves,
            waits_until,
            rests: plan.rest.is_some(),
            planned: FxHashMap::default(),
            changes: 0,
            is_dropped: false,
        };
        let (class, store) = (state.class(slot), state.ledger.reservations());
        let own = state.claim(slot).rank;
        let (mut parts, mut entries) = (Vec::new(), Vec::new());
        course.parts(&course.planned_departs(), course.free.1, &mut parts);
        for (part, leg) in parts {
            entries.clear();
            class.sweep(&leg, &mut entries);
            if let Part::Move(_) = part {
                // What it has just come to it holds at the rank of the move.
                let last = entries.iter().max_by_key(|entry| entry.span.start);
                course.ranks.push(last.and_then(|entry| store.rank_at(entry.cell, entry.span.start)).unwrap_or(own));
            }
            for Entry { cell, span } in &entries {
                course.planned.entry(*cell).or_default().push((*span, part));
            }
        }
        Some(course)
    }

    fn planned_departs(&self) -> Vec<Tick> {
        self.moves.iter().map(|leg| leg.depart).collect()
    }

    /// Makes the moves from `index` on begin after those before them.
    fn move_up(&mut self, index: usize) {
        for index in index..self.moves.len() {
            let from = index.checked_sub(1).map_or(self.free_later, |before| self.arrives(before));
            if self.departs[index] >= from && index > 0 {
                return;
            }
            self.departs[index] = self.departs[index].max(from);
        }
    }

    /// When the move at `index` ends.
    fn arrives(&self, index: usize) -> Tick {
        self.moves[index].begun_at(self.departs[index]).arrive
    }

    /// The parts of the plan if its moves begin at `departs`, and the motion before them ends at `free`. Waits of no
    /// ticks are parts, too.
    fn parts(&self, departs: &[Tick], free: Tick, parts: &mut Vec<(Part, Leg)>) {
        let (mut node, mut at) = (self.free.0, free);
        for (index, (leg, depart)) in self.moves.iter().zip(departs).enumerate() {
            parts.push((Part::Wait(index), Leg::resting(node, at, *depart)));
            let leg = leg.begun_at(*depart);
            parts.push((Part::Move(index), leg));
            (node, at) = (leg.to, leg.arrive);
        }
        let end = if self.rests { FOREVER } else { self.waits_until.map_or(at, |until| until.max(at)) };
        parts.push((Part::Wait(self.moves.len()), Leg::resting(node, at, end)));
    }

    /// Adds to `needs` what the unit leaves later than planned, and others were to have before.
    fn needs(&self, state: &State<'_>, needs: &mut Vec<Need>) {
        let class = state.class(self.slot);
        let agent = state.roster[self.slot].id();
        self.motion.iter().for_each(|pair| look_behind(state, agent, pair, needs));
        let (mut planned, mut later) = (Vec::new(), Vec::new());
        self.parts(&self.planned_departs(), self.free.1, &mut planned);
        self.parts(&self.departs, self.free_later, &mut later);
        let (mut was, mut is) = (Vec::new(), Vec::new());
        for ((_, was_leg), (_, leg)) in planned.iter().zip(&later) {
            if was_leg == leg {
                continue;
            }
            was.clear();
            is.clear();
            class.sweep(was_leg, &mut was);
            class.sweep(leg, &mut is);
            for later in &is {
                let of_cell = was.iter().filter(|entry| entry.cell == later.cell).map(|entry| entry.span.end);
                let end = of_cell.max().unwrap_or(was_leg.depart);
                let planned = Entry { cell: later.cell, span: Span::new(end, end) };
                look_behind(state, agent, &[planned, *later], needs);
            }
        }
    }

    /// Whether all moves may begin at the later ticks.
    fn can_begin(&self, state: &State<'_>) -> bool {
        let class = state.class(self.slot);
        self.moves.iter().zip(&self.departs).all(|(leg, depart)| {
            let leg = leg.begun_at(*depart);
            *depart < FOREVER / 2 && class.allows(&leg) && !class.must_wait(&leg)
        })
    }

    /// Reserves the later plan. Returns whether it is permitted; if not, the unit holds nothing of it.
    fn take(&self, state: &mut State<'_>, evicted: &mut Vec<AgentId>) -> bool {
        let State { settings, world, roster, ledger, .. } = state;
        let class: &dyn AnyClass = &world[roster[self.slot].class()];
        let mut parts = Vec::new();
        self.parts(&self.departs, self.free_later, &mut parts);
        let last = self.ranks.last().copied().unwrap_or_default();
        let (mut legs, mut entries) = (Vec::new(), Vec::new());
        let mut end = (self.free.0, self.free_later);
        for (part, leg) in &parts {
            let rank = match part {
                Part::Move(index) | Part::Wait(index) => self.ranks.get(*index).copied().unwrap_or(last),
            };
            // The motion before holds the tick at which it ends; a stay that is held does not.
            let is_left_out = leg.depart == leg.arrive && *part != Part::Wait(0);
            if is_left_out || leg.arrive == FOREVER {
                continue;
            }
            entries.clear();
            class.sweep(leg, &mut entries);
            if ledger.take(self.slot, rank, &entries, evicted).is_err() {
                ledger.release(self.slot, self.free_later);
                return false;
            }
            if leg.depart < leg.arrive {
                legs.push(*leg);
            }
            if leg.is_move() {
                end = (leg.to, leg.arrive);
            }
        }
        let is_soft = settings.soft_rests.is_some();
        let rest = if self.rests { ledger.rest_at_end(self.slot, last, class, end, true, is_soft) } else { None };
        let mut plan = Schedule::new(legs, rest);
        plan.by = self.by;
        ledger.change_plan(self.slot, plan);
        state.lower_rest(self.slot);
        true
    }
}

/// Adds to `needs` whom `agent` is in the way of if it leaves a cell later: it was to leave it at the end of the first
/// of the two entries, and leaves it at the end of the second one.
fn look_behind(state: &State<'_>, agent: AgentId, [planned, later]: &[Entry; 2], needs: &mut Vec<Need>) {
    let (cell, left) = (later.cell, later.span.end);
    if left == FOREVER || planned.span.end >= left {
        return;
    }
    let longer = Entry { cell, span: Span::new(planned.span.end, left) };
    state.ledger.reservations().for_each_holder(&longer, &mut |span, by, _| {
        if by != agent {
            needs.push(Need { cell, agent: by, from: span.start, left });
        }
    });
}
