//! Reasons: why an agent does not move. Plans are tried out as if some of the others were gone, so that the agents
//! named are those whose going would let the agent move.

#[cfg(test)]
mod tests;

use giveway_core::{AgentId, AtEnd, Claim, Entry, FOREVER, Fuel, Probe, ReservationStore as _, Suspended, Tick};

use crate::budget::Budget;
use crate::planners::{self, Context};
use crate::report::{Explanation, Reason, Waiting};
use crate::state::{State, Unit};
use giveway_members::leg::Leg;
use giveway_members::manners::Manners;
use giveway_members::rank::RESTING;
use giveway_members::roster::{Member, Slot};
use giveway_members::store::Store;
use giveway_members::world::{Answer, Question};

/// One plan that is tried out takes no more work than this.
const MOST_WORK: u64 = 65_536;

/// No more links of a chain are found, and no more once so many plans were tried out.
const LONGEST_CHAIN: usize = 256;
const MOST_TRIALS: usize = 512;

/// Why `slot` does not go on; see [`Crowd::explain`](super::Crowd::explain).
pub(super) fn explain(state: &mut State<'_>, slot: Slot) -> Explanation {
    let mut trials = 0;
    let (reason, by, mut link) = why(state, slot, &mut trials);
    let mut chain: Vec<Waiting> = Vec::new();
    while let Some(waiting) = link.filter(|_| chain.len() < LONGEST_CHAIN && trials < MOST_TRIALS) {
        if let Some(begin) = chain.iter().position(|earlier| earlier.agent == waiting.agent) {
            let cycle = Some(begin..chain.len());
            return Explanation { reason: Some(reason), by, chain, cycle };
        }
        chain.push(waiting);
        link = state.roster.slot(waiting.by).and_then(|next| why(state, next, &mut trials).2);
    }
    Explanation { reason: Some(reason), by, chain, cycle: None }
}

/// The reason why `slot` does not move, the agents in its way, and the first link of its chain. Adds the plans that are
/// tried out to `trials`.
fn why(state: &mut State<'_>, slot: Slot, trials: &mut usize) -> (Reason, Vec<AgentId>, Option<Waiting>) {
    let now = state.clock.now;
    let Unit { member, plan, .. } = state.unit(slot);
    let alone = |reason| (reason, Vec::new(), None);
    if let Some(until) = member.motion.held_until(now) {
        return alone(Reason::Held { until });
    }
    if member.motion.is_moving() || plan.move_at(now).is_some() {
        return alone(Reason::Moves);
    }
    if !member.is_under_way() || state.is_outsider(member.id()) {
        return alone(Reason::Rests);
    }
    if member.goes_along() {
        return match state.later_path(slot) {
            // Its next move is to come.
            None => {
                let next = plan.ahead().iter().find(|leg| leg.is_move()).map_or(now, |leg| leg.depart);
                alone(Reason::AsPlanned { until: next.max(now) })
            }
            Some(path) => {
                if let Some(reason) = state.not_open_on(slot, &path) {
                    return alone(reason);
                }
                match state.in_the_way_of(slot, &path).or_else(|| stands_before(state, slot, &path)) {
                    Some(waiting) => (Reason::InTheWay, vec![waiting.by], Some(waiting)),
                    None => alone(Reason::AsPlanned { until: now }),
                }
            }
        };
    }
    if state.last_tick.out_of_memory.contains(&member.id()) {
        return alone(Reason::OutOfMemory);
    }
    let was_postponed = state.last_tick.postponed.contains(&member.id());
    let State { world, roster, .. } = state;
    let member = &roster[slot];
    let class = &mut world[member.class()];
    // A distance that is not known by now is no reason to search.
    match class.distance(member.order.goals(), member.motion.node(), &mut Fuel::none()) {
        Err(Suspended::OutOfMemory) => return alone(Reason::OutOfMemory),
        Err(Suspended::OutOfFuel) => return alone(Reason::WayUnknown),
        Ok(distance) if distance.is_infinite() => return alone(Reason::NoWay),
        Ok(_) => {}
    }
    if was_postponed {
        return alone(Reason::OutOfBudget);
    }
    let mut trial = Trial { state, slot, trials, empty: None };
    if trial.moves_without(&[]) {
        let until = trial.next_try();
        return alone(Reason::AsPlanned { until });
    }
    let Some(free) = trial.way_of_its_own() else { return alone(Reason::NoWay) };
    if !free.first().is_some_and(|leg| leg.is_move() && leg.depart <= now) {
        return alone(Reason::Timetable);
    }
    let met = trial.met_on(&free);
    let agents: Vec<AgentId> = met.iter().map(|(agent, _)| *agent).collect();
    let by = trial.fewest(&agents);
    let link = { met.iter() }.find(|(agent, _)| by.contains(agent)).map(|(_, waiting)| *waiting);
    let mut named = by.clone();
    named.sort_unstable();
    (if named.is_empty() { Reason::NoWay } else { Reason::InTheWay }, named, link)
}

/// The first agent that stands where `slot` is to go at once on its `path`.
fn stands_before(state: &mut State<'_>, slot: Slot, path: &[Leg]) -> Option<Waiting> {
    state.look_around();
    let leg = path.first().filter(|leg| leg.is_move())?;
    let mut entries = Vec::new();
    state.class(slot).sweep(leg, &mut entries);
    let (agent, presence) = (state.roster[slot].id(), state.ledger.presence()?);
    entries.iter().find_map(|entry| {
        let by = presence.meets(agent, std::slice::from_ref(entry))?;
        Some(Waiting { agent, to: leg.to, entry: *entry, by, until: FOREVER })
    })
}

/// Plans of one agent that are tried out.
struct Trial<'s, 'a> {
    state: &'s mut State<'a>,
    slot: Slot,
    /// The plans that were tried out so far.
    trials: &'s mut usize,
    /// A store in which nobody holds anything.
    empty: Option<Store>,
}

impl Trial<'_, '_> {
    /// Whether the agent would begin a move now if the agents `gone` were gone, and all others carried out their plans.
    fn moves_without(&mut self, gone: &[AgentId]) -> bool {
        *self.trials += 1;
        let gone = self.state.roster.slots_of(gone.to_vec());
        planners::would_move(&mut Context::new(self.state, Budget::unlimited()), self.slot, &gone)
    }

    /// The plan of the agent if it were alone in the world.
    fn way_of_its_own(&mut self) -> Option<Vec<Leg>> {
        let State { ledger, world, .. } = &*self.state;
        let empty = self.empty.take().or_else(|| world.cells().map(|cells| ledger.empty_store(cells)))?;
        let planned = plan_on(self.state, self.slot, &empty);
        self.empty = Some(empty);
        planned
    }

    /// The tick at which the agent moves by its plan, or plans anew, whichever comes first.
    fn next_try(&self) -> Tick {
        let Unit { member, plan, .. } = self.state.unit(self.slot);
        let moves = plan.ahead().iter().find(|leg| leg.is_move()).map(|leg| leg.depart);
        moves.into_iter().chain(member.turn.next()).min().unwrap_or(self.state.clock.now).max(self.state.clock.now)
    }

    /// The agents that hold part of what `legs` occupy, in the order in which they are met, each with the first
    /// reservation that is in the way.
    fn met_on(&self, legs: &[Leg]) -> Vec<(AgentId, Waiting)> {
        let State { ledger, roster, .. } = &*self.state;
        let member = &roster[self.slot];
        let class = self.state.class(self.slot);
        let mut met: Vec<(AgentId, Waiting)> = Vec::new();
        let mut entries = Vec::new();
        for leg in legs {
            entries.clear();
            class.sweep(leg, &mut entries);
            for entry in &entries {
                ledger.reservations().for_each_holder(entry, &mut |span, by, _| {
                    if by == member.id() || met.iter().any(|(known, _)| *known == by) {
                        return;
                    }
                    let held = Entry { span, ..*entry };
                    let until = match ledger.reservations().probe(&held, Claim { agent: member.id(), rank: RESTING }) {
                        Probe::Blocked { until, .. } => until,
                        _ => span.end,
                    };
                    met.push((by, Waiting { agent: member.id(), to: leg.to, entry: *entry, by, until }));
                });
            }
        }
        met
    }

    /// A least set of agents, among those in the way, without which the agent moves.
    fn fewest(&mut self, met: &[AgentId]) -> Vec<AgentId> {
        let Some(enough) = (1..=met.len()).find(|count| self.moves_without(&met[..*count])) else {
            return met.to_vec();
        };
        let mut kept = met[..enough].to_vec();
        // The last one is needed, since all before it are not enough.
        let mut at = 0;
        while at + 1 < kept.len() {
            let others: Vec<AgentId> = kept.iter().copied().filter(|agent| *agent != kept[at]).collect();
            if self.moves_without(&others) { kept = others } else { at += 1 }
        }
        kept
    }
}

/// The plan that `slot` would make now around all reservations of `store`; `None`: there is none, or it takes too much
/// work.
fn plan_on(state: &mut State<'_>, slot: Slot, store: &Store) -> Option<Vec<Leg>> {
    let window = planners::window_of(state, slot);
    let State { settings, world, roster, ledger, clock, .. } = state;
    let member: &Member = &roster[slot];
    let (start, depart) = member.motion.free_at(clock.now);
    let question = Question {
        claim: Claim { agent: member.id(), rank: RESTING },
        start,
        depart,
        horizon: depart.saturating_add(window).min(FOREVER - 1),
        goals: member.order.goals(),
        at_end: AtEnd::Disappear,
        to_goal: false,
        yields_until: 0,
        descends: settings.descent,
    };
    let manners = Manners { wait_penalty: None, price: 0, resters: ledger.resters() };
    let Answer { found, .. } = world[member.class()].plan(&question, store, &manners, &mut Fuel::work(MOST_WORK));
    found.ok().map(|found| found.legs.clone())
}
