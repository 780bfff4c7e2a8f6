//! Orders about outsiders: where they are expected, and what they do.

use giveway_core::{AgentId, Goals, NodeId, Tick};

use crate::calls::Call;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::ledger::Schedule;
use crate::outsiders::{Margin, Prediction};
use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::roster::{Errand, Slot};

impl Crowd<'_> {
    /// Makes `agent` an outsider: the game moves the agent, and the other agents are told where it is expected. This is
    /// for an enemy that does not cooperate, or for the player's own body. `stops` is the predicted path, as for
    /// [`send_along`](Self::send_along): the nodes, each with the tick at which the move to the node is expected to
    /// begin. After the last stop the agent is expected to stay; if `stops` is empty, it is expected to stay from now
    /// on. `margin` says how far off the path the agent may be.
    ///
    /// An outsider does not move by itself. The game calls [`walk`](Self::walk) to say what the outsider really does,
    /// and [`place`](Self::place) to say where it really is. An outsider never plans, and makes no way. Call `predict`
    /// again whenever the prediction changes. An order, such as [`stop`](Self::stop), makes the outsider an ordinary
    /// agent again.
    ///
    /// If a move of the agent is under way, or announced by [`walk`](Self::walk), the path begins where and when this
    /// move ends. To call both `predict` and `walk` between two ticks, call `predict` first: then the path begins where
    /// the agent is.
    ///
    /// # What is reserved
    /// The crowd reserves for the agent, above all ranks, all places within the margin of the path and all moves
    /// between these places, as far ahead as [`Margin::ahead`] says. A place is left free until the agent can have
    /// reached it. So others plan around the agent, and leave its way in time.
    ///
    /// A place is within a margin of `n` moves at a tick in two cases:
    /// * At most `n` moves lead there from the place that is predicted for the tick.
    /// * The agent may be late: at most `n - k` moves lead there from the place that was predicted for `k` moves
    ///   earlier.
    ///
    /// At most 1,024 places count at a tick: the nearest places.
    ///
    /// At each step the crowd finds these places anew. The margin grows with the time since the agent was last where it
    /// was expected. While the agent keeps to the path, the margin does not grow. If the agent leaves the margin, the
    /// prediction has failed: from then on the agent is expected to stay where it is, until the next prediction.
    ///
    /// Another agent that is within the margin at the time of the call keeps its place for the time of one move, so
    /// that it can leave. If the other agent cannot leave, because there is no room or no work, it stays, and the
    /// outsider cannot [walk](Self::walk) there. Nothing overlaps.
    ///
    /// # Cost
    /// The crowd finds the places within the margin at each step, and at each call. This work takes time in proportion
    /// to the places and moves within the margin, and to the ticks for which they are reserved. No
    /// [`Budget`](crate::Budget) limits this work.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Margin};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(12, 7)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let player = crowd.add(class, Agent::bystander(at(0, 3)))?;
    /// crowd.add(class, Agent::bystander(at(4, 3)))?; // a walker
    /// // The player seems to go east.
    /// let path: Vec<_> = (1..12).map(|x| (x - 1, at(x, 3))).collect();
    /// crowd.predict(player, &path, Margin::new(1).growing(4))?;
    /// // So it does, for four ticks, and then it turns off. The walker is out of the way in time.
    /// for node in [at(1, 3), at(2, 3), at(3, 3), at(4, 3), at(4, 2)] {
    ///     crowd.walk(player, node)?;
    ///     crowd.tick(Budget::work(2000));
    ///     assert_eq!(crowd.node(player), Some(node));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent;
    /// * a node is not one move away from the node before it;
    /// * a move cannot begin at its tick;
    /// * the footprint of the agent's class is for another space, and the path needs cells that the crowd does not
    ///   have.
    pub fn predict(&mut self, agent: AgentId, stops: &[(Tick, NodeId)], margin: Margin) -> Result<(), CrowdError> {
        self.note(|| Call::Predict { agent, stops: stops.to_vec(), margin });
        let slot = self.slot(agent)?;
        let (start, announced) = self.state.outset(slot);
        let path = self.state.legs_along(slot, start, stops)?;
        let path: Vec<Leg> = path.into_iter().filter(Leg::is_move).collect();
        self.state.check_cells(&self.state.occupied_by(slot, &path), path.last().map_or(start.0, |leg| leg.to))?;
        self.state.make_outsider(slot, Prediction::new(agent, start.0, path, margin, self.now()), announced);
        Ok(())
    }

    /// Tells that `agent`, an [outsider](Self::predict), goes to `node`, one move away, at the next tick. Physics or an
    /// animation may make the move longer: see [`hold`](Self::hold) and [`set_reports_moves`](Self::set_reports_moves).
    /// An agent that is no outsider yet becomes an outsider without a margin. After the move it is expected to stay.
    ///
    /// The last call before a tick counts. A move that was announced and has not begun is lost in these cases:
    /// * the agent gets an order;
    /// * [`hold`](Self::hold) is called for the agent, or for an agent that it would run into;
    /// * [`set_chain`](Self::set_chain), [`change_class`](Self::change_class) or [`place`](Self::place) is called for
    ///   the agent;
    /// * [`add_class`](Self::add_class) is called;
    /// * an edit takes the move away;
    /// * another agent is put in the way.
    ///
    /// So announce moves after such calls.
    ///
    /// The move has precedence over the plans of all other agents, even if it leads out of the margin. But nothing
    /// overlaps: the agent cannot go where another agent is, or to which another agent is under way.
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent;
    /// * `node` is not one move away;
    /// * the move cannot begin at the next tick, because another move of the agent is under way, or because moves begin
    ///   only at [certain ticks](giveway_core::SpaceGraph::departs);
    /// * another agent is in the way.
    pub fn walk(&mut self, agent: AgentId, node: NodeId) -> Result<(), CrowdError> {
        self.note(|| Call::Walk { agent, node });
        let slot = self.slot(agent)?;
        let state = &mut self.state;
        let now = state.clock.now;
        let start = state.roster[slot].motion.free_at(now);
        let leg = state.legs_along(slot, start, &[(now, node)])?.first().copied().filter(Leg::is_move);
        let leg = leg.ok_or(CrowdError::NoSuchMove { from: start.0, to: node, depart: now })?;
        state.check_open_to_walk(slot, &leg)?;
        if state.is_outsider(agent) {
            state.announce(slot, leg);
            return Ok(());
        }
        state.make_outsider(slot, Prediction::new(agent, start.0, Vec::new(), Margin::new(0), now), Some(leg));
        Ok(())
    }

    /// Whether `agent` is an [outsider](Self::predict). `None`: there is no such agent.
    pub fn is_outsider(&self, agent: AgentId) -> Option<bool> {
        self.state.roster.get(agent).map(|_| self.state.is_outsider(agent))
    }
}

impl State<'_> {
    /// Where and when the path of `slot` can begin, and the move that it begins at the next tick as an outsider.
    fn outset(&self, slot: Slot) -> ((NodeId, Tick), Option<Leg>) {
        let member = &self.roster[slot];
        let announced = self.announced(slot).filter(|_| self.is_outsider(member.id()));
        (announced.map_or_else(|| member.motion.free_at(self.clock.now), |leg| (leg.to, leg.arrive)), announced)
    }

    /// Gives the agent at `slot` the order to be an outsider: [`begin_prediction`](Self::begin_prediction).
    fn make_outsider(&mut self, slot: Slot, prediction: Prediction, announced: Option<Leg>) {
        // Moves lead there, or it is there, maybe where an area is vacated.
        let goals = Goals::one(prediction.end());
        self.note_order(slot);
        self.set_goals(slot, Errand::Share, goals);
        self.begin_prediction(slot, prediction, announced);
    }

    /// Lets the outsider at `slot` begin the move `leg` at the next tick.
    fn announce(&mut self, slot: Slot, leg: Leg) {
        self.roster.wake(slot);
        self.ledger.change_plan(slot, Schedule::new(vec![leg], None));
        self.reserve_around(slot);
    }

    /// Whether nobody is where `slot` wants to go by `leg`, or is going there as another outsider.
    fn check_open_to_walk(&mut self, slot: Slot, leg: &Leg) -> Result<(), CrowdError> {
        self.look_around();
        let (agent, node) = (self.roster[slot].id(), leg.to);
        let room = self.room_of_announced(slot, leg);
        self.check_cells(&room, node)?;
        if let Some(by) = self.ledger.presence().and_then(|presence| presence.meets(agent, &room)) {
            return Err(CrowdError::Occupied { node, by });
        }
        for other in self.roster.slots_of(self.outsiders_but(agent)) {
            let Some(leg) = self.announced(other) else { continue };
            let taken = self.room_of_announced(other, &leg);
            let meets = |entry: &giveway_core::Entry| {
                taken.iter().any(|taken| taken.cell == entry.cell && taken.span.overlaps(entry.span))
            };
            if room.iter().any(meets) {
                return Err(CrowdError::Occupied { node, by: self.roster[other].id() });
            }
        }
        Ok(())
    }
}
