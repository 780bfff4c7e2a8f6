//! Orders about units that are late: what physics or animation says of motions under way.

use giveway_core::{AgentId, Span, Tick, Ticks};

use crate::calls::Call;
use crate::crowd::Crowd;
use crate::error::CrowdError;

impl Crowd<'_> {
    /// Tells that the motion under way of `agent` takes `ticks` longer than planned, because physics or an animation
    /// says so. The agent stands still where it is, also between two nodes, and holds all that it occupies; after
    /// `ticks` it goes on. An agent without a move under way stays on its node for so long. An agent that is held
    /// already is held for longer.
    ///
    /// Nothing overlaps. Other agents whose moves under way would run into the agent are held as well, for as long; they
    /// are returned, in ascending order. What becomes of plans that count on the agent, the setting
    /// [`lateness`](crate::CrowdSettings::lateness) says: by default the moves of those behind begin later, in the order
    /// that was planned. An agent on a [path of its own](Self::send_along) that is held, or whose path is taken by a
    /// late agent, stands, and goes on later by the time for which it stood.
    ///
    /// A move of a single tick begins and ends within a call of [`tick`](Self::tick), so nothing is under way after it:
    /// hold an agent before such a move, or let a plain step take [more ticks](giveway_core::Footprint::ticks_per_step).
    /// At most 2^20 ticks at a time; more count as so many. 0: nothing changes.
    ///
    /// Takes time in proportion to what the plans reserve that are delayed, and to the number of agents after a change of
    /// the space. This work does not count towards a [`Budget`](crate::Budget).
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

    /// The tick until which `agent` is [held](Self::hold), where it stands or on its way. `None`: it is not held, or there
    /// is no such agent.
    pub fn held_until(&self, agent: AgentId) -> Option<Tick> {
        self.state.roster.get(agent)?.motion.held_until(self.now())
    }

    /// When `agent` was [held](Self::hold) on its last move, which may be under way, in ascending order. The ticks of
    /// these spans belong to the duration of the [last leg](Self::last_leg). Empty: it was not held on that move, or
    /// there is no such agent.
    pub fn pauses(&self, agent: AgentId) -> &[Span] {
        self.state.roster.get(agent).map_or(&[], |member| member.motion.pauses())
    }
}
