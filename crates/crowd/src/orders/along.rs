//! Orders to go along a path, at fixed ticks.

mod written;

use giveway_core::{AgentId, Cells, Claim, Entry, FOREVER, Goals, NodeId, Probe, ReservationStore as _, Tick};

use crate::calls::Call;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::ledger::Schedule;
use crate::report::{Reason, Waiting};
use crate::state::{State, Unit};
use giveway_members::chain::Planner;
use giveway_members::leg::Leg;
use giveway_members::rank::FIRM;
use giveway_members::roster::{Errand, Slot};

impl Crowd<'_> {
    /// Sends `agent` along a path of your own at ticks of your own: a train, a lift, an actor in a cut scene. `stops`
    /// are the nodes of the path, each with the tick at which the move to the node begins. Between two moves the agent
    /// rests. The last node of the path is the goal of the agent. Other agents may have this goal, too.
    ///
    /// The whole path is reserved at once, above every other agent. Other agents plan around the agent, and make way in
    /// time, if they know of the path five steps ahead, or two of the longest steps of a class if that is more. For that
    /// a sixteenth of each [budget](crate::Budget) is kept; more if some agents stand on the path, up to a half. The
    /// agent itself never plans, takes no work, and makes no way, until it has come to the end of the path or gets
    /// another order.
    ///
    /// Nothing collides. If another agent is still in the way when a move is to begin, because it can go nowhere else,
    /// the [move is stopped](crate::Report::stopped). Then the agent stands until its whole path is open again. All its
    /// later moves are delayed by this time. The agent also waits if an agent is put in its way, or if a node of the
    /// path is closed. Two agents on paths that lead over each other's places wait for ever.
    ///
    /// An enemy, or the player's own body, may leave its path. For such units see [`predict`](Self::predict).
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(6, 3)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let train = crowd.add(class, Agent::bystander(at(0, 1)))?;
    /// let walker = crowd.add(class, Agent::bystander(at(3, 1)))?;
    /// // It leaves at tick 4, and makes a move at each tick.
    /// let timetable: Vec<_> = (1..6).map(|x| (3 + x, at(x, 1))).collect();
    /// crowd.send_along(train, &timetable)?;
    /// for now in 0..9 {
    ///     crowd.tick(Budget::work(2000));
    ///     assert_eq!(crowd.node(train), Some(at(now.max(3) - 3, 1)));
    /// }
    /// // The walker let the train pass.
    /// assert_eq!((crowd.node(train), crowd.node(walker)), (Some(at(5, 1)), Some(at(3, 1))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent;
    /// * `stops` is empty;
    /// * a node is not one move away from the node before it;
    /// * a move cannot begin at its tick, because the agent is still under way, or because moves begin only at [certain
    ///   ticks](giveway_core::SpaceGraph::departs);
    /// * the path is taken: by a move under way, by an agent that [makes no way](crate::Planner), or by an agent on a
    ///   path of its own;
    /// * the footprint of the agent's class is for another space, and the path needs cells that the crowd does not
    ///   have.
    pub fn send_along(&mut self, agent: AgentId, stops: &[(Tick, NodeId)]) -> Result<(), CrowdError> {
        self.note(|| Call::SendAlong { agent, stops: stops.to_vec() });
        let slot = self.slot(agent)?;
        let start = self.state.roster[slot].motion.free_at(self.now());
        let legs = self.state.legs_along(slot, start, stops)?;
        let last = legs.last().ok_or(CrowdError::NoGoal)?.to;
        let entries = self.state.occupied_by(slot, &legs);
        self.state.check_open_to(slot, &entries, &legs)?;
        let class = self.state.roster[slot].class();
        let goals = self.state.assign(agent, class, Errand::Share, &Goals::one(last))?;
        self.state.note_order(slot);
        self.state.set_goals(slot, Errand::Share, goals);
        self.state.go_along(slot, legs, &entries);
        Ok(())
    }
}

impl State<'_> {
    /// The legs of `slot` along `stops`, rests included, from the node and the tick of `start` on.
    pub(super) fn legs_along(
        &self,
        slot: Slot,
        start: (NodeId, Tick),
        stops: &[(Tick, NodeId)],
    ) -> Result<Vec<Leg>, CrowdError> {
        let class = self.class(slot);
        let (mut node, mut free) = start;
        let mut legs = Vec::with_capacity(stops.len());
        for (depart, to) in stops.iter().copied() {
            let no_move = CrowdError::NoSuchMove { from: node, to, depart };
            let mut found = None;
            class.for_each_move(node, depart, &mut |leg, _| {
                if leg.to == to && found.is_none_or(|found: Leg| leg.arrive < found.arrive) {
                    found = Some(leg);
                }
            });
            let is_possible = |leg: &Leg| class.allows(leg) && !class.must_wait(leg) && leg.arrive < FOREVER;
            let leg = found.filter(|leg| depart >= free && is_possible(leg)).ok_or(no_move)?;
            if depart > free {
                legs.push(Leg::resting(node, free, depart));
            }
            legs.push(leg);
            (node, free) = (to, leg.arrive);
        }
        Ok(legs)
    }

    /// What `slot` occupies by `legs`.
    pub(super) fn occupied_by(&self, slot: Slot, legs: &[Leg]) -> Vec<Entry> {
        let mut entries = Vec::new();
        legs.iter().for_each(|leg| self.class(slot).sweep(leg, &mut entries));
        entries
    }

    /// The first reservation on the way of `slot` by `legs` that it may not take away.
    pub(crate) fn in_the_way_of(&self, slot: Slot, legs: &[Leg]) -> Option<Waiting> {
        let agent = self.roster[slot].id();
        let (claim, class) = (Claim { agent, rank: FIRM }, self.class(slot));
        let mut entries = Vec::new();
        legs.iter().find_map(|leg| {
            entries.clear();
            class.sweep(leg, &mut entries);
            entries.iter().find_map(|entry| match self.ledger.reservations().probe(entry, claim) {
                Probe::Blocked { by, until } => Some(Waiting { agent, to: leg.to, entry: *entry, by, until }),
                _ => None,
            })
        })
    }

    /// Whether `slot` may have `entries`, which `legs` occupy, above all agents that make way.
    fn check_open_to(&self, slot: Slot, entries: &[Entry], legs: &[Leg]) -> Result<(), CrowdError> {
        let last = legs.last().map_or(self.roster[slot].motion.node(), |leg| leg.to);
        match self.in_the_way_of(slot, legs) {
            Some(Waiting { to: node, by, .. }) => Err(CrowdError::Occupied { node, by }),
            None => self.check_cells(entries, last),
        }
    }

    /// Whether `entries`, which a unit needs on `node` or on its way there, are of cells of the crowd.
    pub(super) fn check_cells(&self, entries: &[Entry], node: NodeId) -> Result<(), CrowdError> {
        let bound = self.world.cells().map_or(0, Cells::bound);
        let is_out = entries.iter().any(|entry| entry.cell.index() >= bound);
        if is_out { Err(CrowdError::OutOfCells(node)) } else { Ok(()) }
    }

    /// Reserves `entries` for `slot`, which goes along `legs`, at the expense of all agents that make way.
    fn go_along(&mut self, slot: Slot, legs: Vec<Leg>, entries: &[Entry]) {
        let now = self.clock.now;
        let (_, free) = self.roster[slot].motion.free_at(now);
        let mut evicted = Vec::new();
        self.ledger.release(slot, free);
        let taken = self.ledger.take(slot, FIRM, entries, &mut evicted);
        debug_assert!(taken.is_ok(), "{taken:?}");
        self.ledger.change_plan(slot, Schedule::new(legs, None).by(Planner::Windowed));
        self.roster.wake(slot);
        let member = &mut self.roster[slot];
        member.set_goes_along(true);
        member.turn.try_at(now);
        for other in self.roster.slots_of(evicted) {
            self.lose_plan(other, now);
        }
    }

    /// Notes that `slot` no longer goes along a path of its own, and is no outsider, if it was.
    pub(crate) fn leave_path(&mut self, slot: Slot) {
        let member = &mut self.roster[slot];
        if member.goes_along() {
            member.set_goes_along(false);
            let agent = member.id();
            self.stopped_paths.retain(|(other, _)| *other != agent);
            if self.is_outsider(agent) {
                self.expect_nothing(agent);
                self.lose_plan(slot, self.clock.now);
            }
        }
    }

    /// [Leaves its path](Self::leave_path), unless `slot` is an outsider: one that remains so, wherever it is now.
    pub(crate) fn leave_timetable(&mut self, slot: Slot) {
        if self.is_outsider(self.roster[slot].id()) {
            self.lose_sight(slot);
        } else {
            self.leave_path(slot);
        }
    }

    /// Makes `slot`, which cannot go on along its path, stand until the path is [resumed](Self::resume_paths).
    pub(crate) fn stop_on_path(&mut self, slot: Slot) {
        if self.is_outsider(self.roster[slot].id()) {
            return self.lose_sight(slot);
        }
        let Unit { member, plan, .. } = self.unit(slot);
        let (agent, (_, free)) = (member.id(), member.motion.free_at(self.clock.now));
        let is_stopped = self.stopped_paths.iter().any(|(other, _)| *other == agent);
        let to_come = plan.ahead().iter().skip_while(|leg| !leg.is_move() || leg.depart < free);
        let legs: Vec<Leg> = to_come.copied().collect();
        self.stand(slot);
        if legs.is_empty() && !is_stopped {
            self.leave_path(slot);
            self.roster[slot].turn.ask(self.clock.now);
        } else if !is_stopped {
            self.stopped_paths.push((agent, legs));
        }
    }

    /// What is left of a path that was stopped, later by the ticks for which `slot` stood. `None`: `slot` does not
    /// stand on a stopped path.
    pub(crate) fn later_path(&self, slot: Slot) -> Option<Vec<Leg>> {
        let agent = self.roster[slot].id();
        let (_, legs) = self.stopped_paths.iter().find(|(other, _)| *other == agent)?;
        let (node, free) = self.roster[slot].motion.free_at(self.clock.now);
        let first = legs.first()?.depart;
        let late = free.saturating_sub(first);
        let wait = (first > free).then(|| Leg::resting(node, free, first));
        let later = legs.iter().map(|leg| leg.begun_at(leg.depart.saturating_add(late)));
        Some(wait.into_iter().chain(later).collect())
    }

    /// Why the space does not let `slot` go along `legs`; `None`: it does.
    pub(crate) fn not_open_on(&self, slot: Slot, legs: &[Leg]) -> Option<Reason> {
        let class = self.class(slot);
        // The space may have the move, but at other ticks.
        let is_closed = |leg: &&Leg| leg.arrive == FOREVER || !class.allows(leg) && !class.must_wait(leg);
        let closed = legs.iter().find(is_closed).map(|leg| Reason::PathClosed { to: leg.to });
        closed.or_else(|| legs.iter().any(|leg| class.must_wait(leg)).then_some(Reason::Timetable))
    }

    /// Makes the path `legs` of `slot` begin later if somebody stands where it begins, so that there is time for a move
    /// out of the way: while the path is reserved, nobody makes a move that takes longer than a tick across it.
    fn give_time_to_leave(&mut self, slot: Slot, legs: &mut Vec<Leg>) {
        let wait = self.world.longest_move().max(self.clock.ticks_per_step);
        let Some(first) = legs.iter().find(|leg| leg.is_move()).filter(|_| wait > 1).copied() else { return };
        self.look_around();
        let room = self.occupied_by(slot, &[first]);
        let agent = self.roster[slot].id();
        if self.ledger.presence().is_none_or(|presence| presence.meets(agent, &room).is_none()) {
            return;
        }
        let (node, free) = self.roster[slot].motion.free_at(self.clock.now);
        let later = legs.iter().skip_while(|leg| !leg.is_move());
        let later = later.map(|leg| leg.begun_at(leg.depart.saturating_add(wait)));
        *legs = std::iter::once(Leg::resting(node, free, first.depart.saturating_add(wait))).chain(later).collect();
    }

    /// Lets agents that were stopped go on along their paths. An agent whose path is taken for now, closed, or not open
    /// at these ticks stands on.
    pub(crate) fn resume_paths(&mut self) {
        let now = self.clock.now;
        let agents: Vec<AgentId> = self.stopped_paths.iter().map(|(agent, _)| *agent).collect();
        for agent in agents {
            let Some((slot, mut later)) = self.roster.slot(agent).and_then(|slot| Some((slot, self.later_path(slot)?)))
            else {
                continue;
            };
            self.give_time_to_leave(slot, &mut later);
            let is_open = self.not_open_on(slot, &later).is_none();
            let entries = self.occupied_by(slot, &later);
            if is_open && self.check_open_to(slot, &entries, &later).is_ok() {
                self.stopped_paths.retain(|(other, _)| *other != agent);
                self.go_along(slot, later, &entries);
            } else if !self.ledger.plan(slot).covers(self.roster[slot].motion.free_at(now).1) {
                self.stand(slot);
            }
        }
    }
}
