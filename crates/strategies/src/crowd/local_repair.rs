//! LRA*: local repair A*. Each agent follows a route of its own, and repairs it where somebody is in the way.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 3; after Zelinsky, "A Mobile Robot Exploration Algorithm", 1992, and
//! Stout, "Smart Moves: Intelligent Pathfinding", Game Developer, October 1996.

use giveway_core::{
    AgentId, Claim, Entry, FOREVER, Footprint, Fuel, Instance, NodeId, ReservationStore, SpaceGraph, Tick,
};

use super::Crowd;
use super::chain::Link;
use super::leg::Leg;
use super::member::{Rest, Schedule};
use super::report::{NoPlan, Report};
use super::whca::Whca;
use crate::routing::{Noise, Routing, Trip};
use crate::solution::SolutionIn;
use crate::watch::Watch;

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
/// collide, and those that plan [by windows](Link::Windowed) plan around where this one will be. But it never sees where others
/// are going. In a narrow passage those in front find no way round each other, and stand there and replan for ever.
///
/// An agent that has no other link than this in its [chain](super::Chain) cannot be told to make way: under way and at rest, it is a
/// wall for the others. With [`Link::Windowed`] in the chain it makes way by a search in a window, whichever link serves it.
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
    /// default. [`Routing::Sectors`] is for [embedded](super::Class::embedded) classes.
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

    /// Runs a crowd of the agents of `instance`, all of which plan by this, until all of them stand on their goals at one tick:
    /// [`Whca::solve`] with another [chain](Whca::chain).
    ///
    /// ```
    /// use giveway_core::{Agent, Instance, Point};
    /// use giveway_spaces::Grid;
    /// use giveway_strategies::Lra;
    ///
    /// let grid = Grid::open(6, 2)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let agents = vec![Agent::new(at(0, 0), at(5, 0)), Agent::new(at(5, 0), at(0, 0))];
    /// let point = Point::swap_rule(&grid);
    /// let instance = Instance::new(&grid, &point, agents)?;
    /// let solution = Lra::new(1).solve(&instance, Some(1000), &mut ());
    /// assert!(solution.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve<S, F>(
        &self,
        instance: &Instance<'_, S, F>,
        max_ticks: Option<Tick>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S>
    where
        S: SpaceGraph + Send + Sync,
        S::Action: Send + Sync,
        S::Cost: Send + Sync,
        F: Footprint<S> + Send + Sync,
    {
        Whca::new().chain(Link::LocalRepair(*self)).solve(instance, max_ticks, watch)
    }
}

/// The route of an agent, and how often it had to be repaired since the agent set out.
#[derive(Clone, Debug, Default)]
pub(super) struct Itinerary {
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

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets `agent` make the next step of its route, or of one around those in its way.
    pub(super) fn repair(&mut self, agent: AgentId, lra: Lra, fuel: &mut Fuel, report: &mut Report) {
        let Some(member) = self.members.get_mut(&agent).filter(|member| member.motion.is_none()) else {
            return;
        };
        let (node, first) = (member.node, report.searches == 0);
        let stopped = member.itinerary.look_back(node);
        let outcome = if member.is_home() {
            self.rest_at_home(agent, lra);
            Ok(())
        } else {
            self.step(agent, lra, stopped, fuel, report)
        };
        match outcome {
            // If others had their share of the budget before, it comes first at the next tick; else there is no use in that.
            Err(NoPlan::OutOfBudget) if !first => return self.put_off(agent, NoPlan::OutOfBudget, report),
            Err(NoPlan::OutOfMemory) => {
                self.hold_on(agent);
                return self.put_off(agent, NoPlan::OutOfMemory, report);
            }
            Err(why) => {
                report.failed.push((agent, why));
                if why == NoPlan::Unreachable {
                    report.unreachable.push(agent);
                    // Where there is no place to stand by, it goes on looking for a way.
                    let _ = self.stop(agent);
                }
                self.hold_on(agent);
            }
            Ok(()) => {}
        }
        self.set_tried(agent);
        self.set_due(agent, None);
    }

    /// Reserves the next step of `agent`, by a new route if need be. After an error it keeps its plan.
    fn step(
        &mut self,
        agent: AgentId,
        lra: Lra,
        stopped: Option<NodeId>,
        fuel: &mut Fuel,
        report: &mut Report,
    ) -> Result<(), NoPlan> {
        let Some(member) = self.members.get(&agent) else {
            return Ok(());
        };
        let node = member.node;
        let mut next = member.itinerary.ahead(node);
        let (sees, is_new) = (lra.radius > 0, next.is_none());
        if is_new {
            let walls = if sees { self.in_sight(agent, lra.radius) } else { Vec::new() };
            next = self.find_route(agent, lra, &walls, fuel, report)?;
        }
        let mut entries = Vec::new();
        if next.is_none_or(|leg| stopped == Some(leg.to) || !self.is_to_be_had(agent, &leg, &mut entries)) {
            if let Some(member) = self.members.get_mut(&agent) {
                member.itinerary.agitation = member.itinerary.agitation.saturating_add(1);
            }
            if sees && is_new {
                // Those in sight are still the same.
                return Err(NoPlan::Blocked);
            }
            let walls = if sees { self.in_sight(agent, lra.radius) } else { self.taken_around(agent, node, stopped) };
            let next = self.find_route(agent, lra, &walls, fuel, report)?;
            if next.is_none_or(|leg| !self.is_to_be_had(agent, &leg, &mut entries)) {
                return Err(NoPlan::Blocked);
            }
        }
        self.take_step(agent, lra, &entries);
        Ok(())
    }

    /// Finds a route for `agent`, not into `walls`, and gives it to it. Returns its first move.
    fn find_route(
        &mut self,
        agent: AgentId,
        lra: Lra,
        walls: &[NodeId],
        fuel: &mut Fuel,
        report: &mut Report,
    ) -> Result<Option<Leg>, NoPlan> {
        let (now, clock) = (self.now, self.clock());
        let Some(member) = self.members.get_mut(&agent) else {
            return Ok(None);
        };
        // Where all goals are taken there is nothing to look for.
        if member.goals.nodes().iter().all(|goal| walls.contains(goal)) {
            return Err(NoPlan::Blocked);
        }
        let amplitude = lra.noise.saturating_mul(member.itinerary.agitation);
        let noise = Noise::new(amplitude, lra.seed, agent.0, now);
        let claim = member.claim(agent, clock);
        let trip = Trip { walls, depart: now, noise, ..Trip::new(claim, member.node, &member.goals) };
        let class = &mut self.classes[member.class.0 as usize];
        report.searches += 1;
        let answer = class.route(lra.routing, &trip, fuel);
        report.expansions += answer.expanded;
        let route = answer.found?;
        report.planned.push(agent);
        let first = route.first().copied();
        member.itinerary = Itinerary { route, next: 0, ..member.itinerary };
        Ok(first)
    }

    /// Whether `agent` can make `leg` now at nobody's expense, and stay at its end for a tick; `entries` is what it takes.
    fn is_to_be_had(&self, agent: AgentId, leg: &Leg, entries: &mut Vec<Entry>) -> bool {
        let Some(member) = self.members.get(&agent) else {
            return false;
        };
        let class = &self.classes[member.class.0 as usize];
        let leg = leg.begun_at(self.now);
        entries.clear();
        class.sweep(&leg, entries);
        class.sweep(&Leg::resting(leg.to, leg.arrive, leg.arrive.saturating_add(1)), entries);
        let claim = Claim::plain(agent);
        entries.iter().all(|entry| self.store.permits(entry, claim))
    }

    /// Where `agent` cannot step to from `node` at this tick, and where the execution guard did not let it go.
    fn taken_around(&self, agent: AgentId, node: NodeId, stopped: Option<NodeId>) -> Vec<NodeId> {
        let Some(member) = self.members.get(&agent) else {
            return Vec::new();
        };
        let mut legs = Vec::new();
        self.classes[member.class.0 as usize].for_each_move(node, self.now, &mut |leg, _| legs.push(leg));
        let mut entries = Vec::new();
        legs.retain(|leg| !self.is_to_be_had(agent, leg, &mut entries));
        legs.into_iter().map(|leg| leg.to).chain(stopped).collect()
    }

    /// Reserves `entries`, which are to be had, for the next step of `agent`, and what comes after it.
    fn take_step(&mut self, agent: AgentId, lra: Lra, entries: &[Entry]) {
        let (now, clock) = (self.now, self.clock());
        let Some(member) = self.members.get_mut(&agent) else {
            return;
        };
        let Some(leg) = member.itinerary.ahead(member.node).map(|leg| leg.begun_at(now)) else {
            return;
        };
        member.itinerary.begun = true;
        let (claim, class) = (member.claim(agent, clock), member.class);
        let arrives = member.goals.contains(leg.to);
        let claim_after = if arrives { member.claim_at_rest(agent) } else { claim };
        self.store.release(agent, now);
        // Until it has left. Somebody else may hold the place, and is stopped if it does not get away.
        let mut stands = Vec::new();
        self.classes[class.0 as usize].sweep(&Leg::resting(leg.from, now, now), &mut stands);
        stands.retain(|entry| self.store.permits(entry, Claim::plain(agent)));
        stands.extend_from_slice(entries);
        let had = self.store.reserve(claim, &stands);
        debug_assert!(had.is_ok(), "{had:?}");
        let from = leg.arrive.saturating_add(1);
        let (until, room) = self.hold_while_free(claim_after, class, leg.to, from);
        // Nobody may plan through one that is under way.
        let rest = (until == FOREVER).then(|| Rest::of(from, if arrives { &room } else { &[] }));
        let mut legs = vec![leg];
        if rest.is_none() {
            legs.push(Leg::resting(leg.to, leg.arrive, until));
        }
        self.change_plan(agent, Schedule::new(legs, rest).by(Link::LocalRepair(lra)));
    }

    /// Lets `agent` rest on its goal for as long as it may.
    fn rest_at_home(&mut self, agent: AgentId, lra: Lra) {
        let now = self.now;
        let Some(member) = self.members.get(&agent) else {
            return;
        };
        let (node, claim, class) = (member.node, member.claim_at_rest(agent), member.class);
        self.store.release(agent, now);
        let (until, room) = self.hold_while_free(claim, class, node, now);
        let rest = (until == FOREVER).then(|| Rest::of(now, &room));
        let legs = if rest.is_none() && until > now { vec![Leg::resting(node, now, until)] } else { Vec::new() };
        self.change_plan(agent, Schedule::new(legs, rest).by(Link::LocalRepair(lra)));
    }
}
