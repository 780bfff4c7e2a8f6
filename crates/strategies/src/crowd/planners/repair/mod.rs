//! LRA*: local repair A*. Each agent follows a route of its own, and repairs it where somebody is in the way.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 3; after Zelinsky, "A Mobile Robot Exploration Algorithm", 1992, and
//! Stout, "Smart Moves: Intelligent Pathfinding", Game Developer, October 1996.

mod sight;

use giveway_core::{Claim, Entry, FOREVER, NodeId, ReservationStore};

use super::{Context, PlanAgents, Planner};
use crate::crowd::ledger::{Rest, Schedule};
use crate::crowd::leg::Leg;
use crate::crowd::roster::Slot;
use crate::crowd::state::{State, Unit};
use crate::no_plan::NoPlan;
use crate::routing::{Noise, Routing, Trip};
use sight::in_sight;

/// Local repair A*: each agent follows a cheapest route in space alone, as if the others were not there, and looks around before
/// each step.
///
/// If the next step is not to be had, because somebody stands there or has reserved it, a *forced replan* searches for another
/// route, around all places next to the agent that it cannot step to at this tick. Each forced replan since the agent set out makes
/// it more *agitated* by one. Noise, drawn from 0 to [so much](Self::noise) for each unit of agitation, goes on its heuristic, by
/// node: the more often others were in its way, the less straight are its routes. Without any route it stands, and tries again
/// at the next tick. On its goal, and with a new order, it is calm.
///
/// A step is reserved before it begins, with a rest at its end for as long as that is free, and taken from nobody: so agents never
/// collide, and those that plan [by windows](Planner::Windowed) plan around where this one will be. But it never sees where others
/// are going. In a narrow passage those in front find no way round each other, and stand there and replan for ever.
///
/// An agent that has no other planner than this in its [chain](super::Chain) cannot be told to make way: under way and at rest, it is a
/// wall for the others. With [`Planner::Windowed`] in the chain it makes way by a search in a window, whichever planner serves it.
///
/// A search that takes more than the whole budget of a tick finds nothing, and is begun anew at the next tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lra {
    seed: u64,
    noise: u32,
    routing: Routing,
    radius: u32,
}

impl Lra {
    /// With noise of up to one step for each unit of agitation. It depends on `seed`, the agent, the tick and the node.
    pub const fn new(seed: u64) -> Self {
        Self { seed, noise: 1000, routing: Routing::Whole, radius: 0 }
    }

    /// The same with noise of up to so many thousandths of a plain step for each unit of agitation. 0: none.
    #[must_use]
    pub const fn noise(self, thousandths: u32) -> Self {
        Self { noise: thousandths, ..self }
    }

    /// The same with routes that lead as far as `routing` says; from the end of one the agent plans the next. [`Routing::Whole`] by
    /// default. [`Routing::Sectors`] is for [embedded](crate::Class::embedded) classes.
    #[must_use]
    pub const fn routing(self, routing: Routing) -> Self {
        Self { routing, ..self }
    }

    /// The same with a *visibility radius* of so many thousandths of a plain step. 0, the default: none.
    ///
    /// With one, every route leads around those who stand, or end their moves, less than that far away by the cost of moves of the agent's own class (not across walls),
    /// and through all others; its goal does not count as taken. If the next step is not to be had, the route is planned anew in the same way,
    /// and not around the places next to the agent. All places within the radius are looked at for each route, which no budget bounds: keep it to a few steps. Where that gives the same step, or none, the agent stands, and tries again at the next tick.
    ///
    /// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008: their agents avoid those within "a visibility radius".
    #[must_use]
    pub const fn radius(self, thousandths: u32) -> Self {
        Self { radius: thousandths, ..self }
    }
}

/// The route of an agent, and how often it had to be repaired since the agent set out.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Itinerary {
    /// Its moves, whenever they begin.
    route: Vec<Leg>,
    /// The first that is not made.
    next: usize,
    /// Whether that one was to begin when the agent last looked around.
    begun: bool,
    agitation: u32,
}

impl Itinerary {
    /// Lets the move pass that has brought the agent to `node`. Returns where it was to lead if the execution guard stopped it: somebody
    /// is in the way who has reserved nothing.
    fn look_back(&mut self, node: NodeId) -> Option<NodeId> {
        let last = self.route.get(self.next).copied();
        let last = last.filter(|_| std::mem::take(&mut self.begun))?;
        if last.to == node {
            self.next += 1;
        }
        (last.from == node && last.to != node).then_some(last.to)
    }

    /// The next move from `node`; `None`: the route does not lead through there, or there is none.
    fn ahead(&self, node: NodeId) -> Option<Leg> {
        self.route.get(self.next).copied().filter(|leg| leg.from == node)
    }
}

/// Follows a route, and repairs it.
pub(super) struct Repair;

impl<R: ReservationStore> PlanAgents<R> for Repair {
    fn makes_way(&self) -> bool {
        false
    }

    /// It looks around before every step; but who makes way by a window does so to the end.
    fn is_due(&self, _state: &State<'_, R>, unit: Unit<'_>) -> bool {
        let Unit { member, plan, .. } = unit;
        let busy = unit.is_at_ease() || plan.follows_another(member.planner());
        member.motion.is_none() && (member.due.is_some() || !busy)
    }

    fn plan(&self, context: &mut Context<'_, '_, R>, slot: Slot) {
        if let Planner::LocalRepair(lra) = context.state.roster[slot].planner() {
            repair(context, slot, lra);
        }
    }
}

/// Lets `slot` make the next step of its route, or of one around those in its way.
fn repair<R: ReservationStore>(context: &mut Context<'_, '_, R>, slot: Slot, lra: Lra) {
    let first = context.report.searches == 0;
    let member = &mut context.state.roster[slot];
    if member.motion.is_some() {
        return;
    }
    let stopped = member.itinerary.look_back(member.node);
    let outcome = if member.is_home() {
        rest_at_home(context.state, slot, lra);
        Ok(())
    } else {
        step(context, slot, lra, stopped)
    };
    match outcome {
        // If others had their share of the budget before, it comes first at the next tick; else there is no use in that.
        Err(NoPlan::OutOfBudget) if !first => return context.put_off(slot, NoPlan::OutOfBudget),
        Err(NoPlan::OutOfMemory) => {
            context.hold_on(slot);
            return context.put_off(slot, NoPlan::OutOfMemory);
        }
        Err(why) => {
            context.fail(slot, why);
            context.hold_on(slot);
        }
        Ok(()) => {}
    }
    context.set_tried(slot, None);
}

/// Reserves the next step of `slot`, by a new route if need be. After an error it keeps its plan.
fn step<R: ReservationStore>(
    context: &mut Context<'_, '_, R>,
    slot: Slot,
    lra: Lra,
    stopped: Option<NodeId>,
) -> Result<(), NoPlan> {
    let member = &context.state.roster[slot];
    let mut next = member.itinerary.ahead(member.node);
    let (sees, is_new) = (lra.radius > 0, next.is_none());
    if is_new {
        let walls = if sees { in_sight(context.state, slot, lra.radius) } else { Vec::new() };
        next = find_route(context, slot, lra, &walls)?;
    }
    let mut entries = Vec::new();
    if next.is_none_or(|leg| stopped == Some(leg.to) || !is_to_be_had(context.state, slot, &leg, &mut entries)) {
        let agitation = &mut context.state.roster[slot].itinerary.agitation;
        *agitation = agitation.saturating_add(1);
        if sees && is_new {
            // Those in sight are still the same.
            return Err(NoPlan::Blocked);
        }
        let state = &mut *context.state;
        let walls = if sees { in_sight(state, slot, lra.radius) } else { taken_around(state, slot, stopped) };
        let next = find_route(context, slot, lra, &walls)?;
        if next.is_none_or(|leg| !is_to_be_had(context.state, slot, &leg, &mut entries)) {
            return Err(NoPlan::Blocked);
        }
    }
    take_step(context.state, slot, lra, &entries);
    Ok(())
}

/// Finds a route for `slot`, not into `walls`, and gives it to it. Returns its first move.
fn find_route<R: ReservationStore>(
    context: &mut Context<'_, '_, R>,
    slot: Slot,
    lra: Lra,
    walls: &[NodeId],
) -> Result<Option<Leg>, NoPlan> {
    let State { world, roster, clock, .. } = &mut *context.state;
    let member = &mut roster[slot];
    // Where all goals are taken there is nothing to look for.
    if member.goals.nodes().iter().all(|goal| walls.contains(goal)) {
        return Err(NoPlan::Blocked);
    }
    let amplitude = lra.noise.saturating_mul(member.itinerary.agitation);
    let noise = Noise::new(amplitude, lra.seed, member.id.0, clock.now);
    let claim = member.claim(*clock);
    let trip = Trip { walls, depart: clock.now, noise, ..Trip::new(claim, member.node, &member.goals) };
    context.report.searches += 1;
    let answer = world[member.class].route(lra.routing, &trip, &mut context.work.fuel);
    context.report.expansions += answer.expanded;
    let route = answer.found?;
    context.report.planned.push(member.id);
    let first = route.first().copied();
    member.itinerary = Itinerary { route, next: 0, ..member.itinerary };
    Ok(first)
}

/// Whether `slot` can make `leg` now at nobody's expense, and stay at its end for a tick; `entries` is what it takes.
fn is_to_be_had<R: ReservationStore>(state: &State<'_, R>, slot: Slot, leg: &Leg, entries: &mut Vec<Entry>) -> bool {
    let class = state.class(slot);
    let leg = leg.begun_at(state.clock.now);
    entries.clear();
    class.sweep(&leg, entries);
    class.sweep(&Leg::resting(leg.to, leg.arrive, leg.arrive.saturating_add(1)), entries);
    state.ledger.permits(entries, Claim::plain(state.roster[slot].id))
}

/// Where `slot` cannot step to at this tick, and where the execution guard did not let it go.
fn taken_around<R: ReservationStore>(state: &State<'_, R>, slot: Slot, stopped: Option<NodeId>) -> Vec<NodeId> {
    let mut legs = Vec::new();
    state.class(slot).for_each_move(state.roster[slot].node, state.clock.now, &mut |leg, _| legs.push(leg));
    let mut entries = Vec::new();
    legs.retain(|leg| !is_to_be_had(state, slot, leg, &mut entries));
    legs.into_iter().map(|leg| leg.to).chain(stopped).collect()
}

/// Reserves `entries`, which are to be had, for the next step of `slot`, and what comes after it.
fn take_step<R: ReservationStore>(state: &mut State<'_, R>, slot: Slot, lra: Lra, entries: &[Entry]) {
    let State { world, roster, ledger, clock, .. } = state;
    let member = &mut roster[slot];
    let Some(leg) = member.itinerary.ahead(member.node).map(|leg| leg.begun_at(clock.now)) else {
        return;
    };
    member.itinerary.begun = true;
    let (claim, class) = (member.claim(*clock), &world[member.class]);
    let arrives = member.goals.contains(leg.to);
    let rank_after = if arrives { member.claim_at_rest().rank } else { claim.rank };
    ledger.release(slot, clock.now);
    // Until it has left. Somebody else may hold the place, and is stopped if it does not get away.
    let mut stands = Vec::new();
    class.sweep(&Leg::resting(leg.from, clock.now, clock.now), &mut stands);
    stands.retain(|entry| ledger.permits(&[*entry], Claim::plain(member.id)));
    stands.extend_from_slice(entries);
    let had = ledger.hold(slot, claim.rank, &stands);
    debug_assert!(had.is_ok(), "{had:?}");
    let from = leg.arrive.saturating_add(1);
    let (until, room) = ledger.hold_while_free(slot, rank_after, class, leg.to, from);
    // Nobody may plan through one that is under way.
    let rest = (until == FOREVER).then(|| Rest::new(from, if arrives { &room } else { &[] }));
    let mut legs = vec![leg];
    if rest.is_none() {
        legs.push(Leg::resting(leg.to, leg.arrive, until));
    }
    ledger.change_plan(slot, Schedule::new(legs, rest).by(Planner::LocalRepair(lra)));
}

/// Lets `slot` rest on its goal for as long as it may.
fn rest_at_home<R: ReservationStore>(state: &mut State<'_, R>, slot: Slot, lra: Lra) {
    let State { world, roster, ledger, clock, .. } = state;
    let (now, member) = (clock.now, &roster[slot]);
    ledger.release(slot, now);
    let rank = member.claim_at_rest().rank;
    let (until, room) = ledger.hold_while_free(slot, rank, &world[member.class], member.node, now);
    let rest = (until == FOREVER).then(|| Rest::new(now, &room));
    let legs = if rest.is_none() && until > now { vec![Leg::resting(member.node, now, until)] } else { Vec::new() };
    ledger.change_plan(slot, Schedule::new(legs, rest).by(Planner::LocalRepair(lra)));
}
