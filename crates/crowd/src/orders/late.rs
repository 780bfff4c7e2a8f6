//! Orders about units that are late: what physics or animation says of motions under way.

use giveway_core::{AgentId, Span, Tick, Ticks};

use crate::calls::Call;
use crate::crowd::Crowd;
use crate::error::CrowdError;

impl Crowd<'_> {
    /// Makes the move under way of `agent` take `ticks` ticks longer than planned. Call this method when physics or an
    /// animation says so. The agent stands still where it is, even between two nodes, and keeps the cells that it
    /// occupies. After `ticks` ticks it goes on. An agent without a move under way stays on its node for `ticks` ticks.
    /// If an agent is already held, `ticks` are added.
    ///
    /// Nothing overlaps. Other agents whose moves under way would run into the agent are held, too, for `ticks` ticks.
    /// The call returns these agents, in ascending order. An agent that stands, and will get the body of [another
    /// class](Self::change_class), may also be held and returned: it gets the body later. The setting
    /// [`lateness`](crate::CrowdSettings::lateness) decides what happens to plans that count on the agent. By default,
    /// if `ticks` is less than a plain step, the agents behind the late agent move later, in the order that was
    /// planned; otherwise they plan anew. An agent on a [path of its own](Self::send_along) stands if it is held, or if
    /// a late agent takes its path. All later moves of such an agent are delayed by the time for which it stood.
    ///
    /// A move of a single tick begins and ends within a call of [`tick`](Self::tick), so it is never under way between
    /// two calls. Hold an agent before such a move, or let a plain step take [more
    /// ticks](giveway_core::Footprint::ticks_per_step). More than 2^20 `ticks` count as 2^20. With 0 `ticks` nothing
    /// changes.
    ///
    /// Takes time in proportion to the reservations of the plans that are delayed. After a change of a space, the first
    /// call also takes time in proportion to the number of agents. One call may delay a plan up to 256 times, each time
    /// because of another plan ahead of it. This work does not count towards a [`Budget`](crate::Budget).
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(8, 1)?;
    /// let at = |x| grid.node(x, 0).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// // A step takes 4 ticks.
    /// let class = crowd.add_class(Class::new(&grid, Point::timed(&grid, 4)?))?;
    /// let first = crowd.add(class, Agent::new(at(2), at(7)))?;
    /// let second = crowd.add(class, Agent::new(at(0), at(6)))?;
    /// crowd.tick(Budget::unlimited());
    /// crowd.tick(Budget::unlimited());
    ///
    /// // The first one stumbles, half way to the next cell. Nobody else is under way there.
    /// assert_eq!(crowd.hold(first, 10)?, []);
    /// assert_eq!(crowd.held_until(first), Some(12));
    /// for _ in 0..10 {
    ///     crowd.tick(Budget::unlimited());
    ///     let pose = crowd.pose(first, 1.0).expect("in the crowd");
    ///     assert_eq!((pose.position, pose.progress), (Some([2.5, 0.0, 0.0]), 0.5));
    /// }
    /// for _ in 0..22 {
    ///     crowd.tick(Budget::unlimited());
    /// }
    /// assert_eq!((crowd.node(first), crowd.node(second)), (Some(at(7)), Some(at(6))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such agent.
    pub fn hold(&mut self, agent: AgentId, ticks: Ticks) -> Result<Vec<AgentId>, CrowdError> {
        self.note(|| Call::Hold { agent, ticks });
        let slot = self.slot(agent)?;
        let held = self.state.hold_up(slot, ticks);
        let mut others: Vec<AgentId> =
            held.into_iter().filter(|other| *other != slot).map(|other| self.state.roster[other].id()).collect();
        others.sort_unstable();
        Ok(others)
    }

    /// Sets who decides when moves of `agent` end. With `reports`, the game decides; without `reports`, the clock
    /// decides, as for every new agent. Use this setting for units that physics or animations move, since the crowd
    /// cannot know where such units are.
    ///
    /// With `reports`, a move begins when the crowd says so. The move ends when the game says that it is
    /// [done](Self::done), but never before its planned end. If the move is not done at its planned end, the agent is
    /// [held](Self::hold) tick by tick. If the setting is switched off, a move past its planned end ends at once.
    ///
    /// The class of the agent must [hold whole moves](giveway_core::WholeMoves). Then the agent holds all cells of a
    /// move until the move ends, so it is within these cells wherever it is on its way.
    ///
    /// ```
    /// use giveway_core::{Agent, Point, WholeMoves};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(8, 1)?;
    /// let at = |x| grid.node(x, 0).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, WholeMoves::new(Point::timed(&grid, 2)?)))?;
    /// let robot = crowd.add(class, Agent::new(at(0), at(2)))?;
    /// crowd.set_reports_moves(robot, true)?;
    /// for _ in 0..9 {
    ///     // The robot is slow: it is not done yet.
    ///     crowd.tick(Budget::unlimited());
    ///     assert_eq!(crowd.node(robot), Some(at(0)));
    /// }
    /// crowd.done(robot)?;
    /// assert_eq!(crowd.node(robot), Some(at(1)));
    /// // The next move is done in time.
    /// crowd.tick(Budget::unlimited());
    /// crowd.done(robot)?;
    /// crowd.tick(Budget::unlimited());
    /// assert_eq!(crowd.node(robot), Some(at(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent;
    /// * the class of the agent does not hold whole moves;
    /// * the agent still has the body of its former class, until the move under way ends, and that class does not hold
    ///   whole moves.
    pub fn set_reports_moves(&mut self, agent: AgentId, reports: bool) -> Result<(), CrowdError> {
        self.note(|| Call::SetReportsMoves { agent, reports });
        let slot = self.slot(agent)?;
        let state = &mut self.state;
        let member = &state.roster[slot];
        let mut classes = [member.class(), member.body_class(state.clock.now)].into_iter();
        if let Some(class) = classes.find(|class| reports && !state.world[*class].holds_whole_moves()) {
            return Err(CrowdError::NotWhole(class));
        }
        if !reports && state.roster[slot].motion.is_overdue(state.clock.now) {
            state.end_reported(slot);
        }
        state.roster[slot].motion.set_reported(reports);
        match state.reported.binary_search(&agent) {
            Err(place) if reports => state.reported.insert(place, agent),
            Ok(place) if !reports => drop(state.reported.remove(place)),
            _ => {}
        }
        Ok(())
    }

    /// Tells that the move under way of `agent`, which [reports its moves](Self::set_reports_moves), is done. If the
    /// planned end of the move has come, the move ends now, and the agent may go on at the next tick. If the agent has
    /// arrived at a goal, the report of the next tick says so. If the planned end is yet to come, the move ends then.
    /// Without a move under way, or if the agent does not report its moves, nothing changes.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn done(&mut self, agent: AgentId) -> Result<(), CrowdError> {
        self.note(|| Call::Done { agent });
        let slot = self.slot(agent)?;
        if self.state.roster[slot].motion.is_reported() {
            self.state.end_reported(slot);
        }
        Ok(())
    }

    /// Whether the game [reports](Self::set_reports_moves) when moves of `agent` end. `None`: there is no such agent.
    pub fn reports_moves(&self, agent: AgentId) -> Option<bool> {
        Some(self.state.roster.get(agent)?.motion.is_reported())
    }

    /// The tick until which `agent` is [held](Self::hold), where it stands or on its way. `None`: the agent is not
    /// held, or there is no such agent.
    pub fn held_until(&self, agent: AgentId) -> Option<Tick> {
        self.state.roster.get(agent)?.motion.held_until(self.now())
    }

    /// The spans of ticks for which `agent` was [held](Self::hold) on its last move, in ascending order. This move may
    /// still be under way. The duration of the [last leg](Self::last_leg) includes the ticks of these spans. Empty: the
    /// agent was not held on this move, or there is no such agent.
    pub fn pauses(&self, agent: AgentId) -> &[Span] {
        self.state.roster.get(agent).map_or(&[], |member| member.motion.pauses())
    }
}
