//! Orders to go from goal to goal: queues and patrols.

use giveway_core::{AgentId, Goals};

use super::following::{Carried, PATIENCE};
use crate::calls::Call;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::news::News;
use crate::report::Report;
use crate::standing::{Round, Route, Stages, Standing};
use crate::state::State;
use giveway_members::roster::{Errand, Slot};

impl Crowd<'_> {
    /// Appends `stages` to the queue of `agent`. The agent goes to the stages in order. Each stage is an order as by
    /// [`send`](Self::send): if all goals of a stage belong to other agents, the nearest free place replaces them.
    ///
    /// If the agent has no queue yet, its present order decides what it does first:
    /// * An agent without an order sets out for the first stage at once.
    /// * An agent with an order of [`send`](Self::send), [`send_near`](Self::send_near) or
    ///   [`send_along`](Self::send_along) first carries out this order.
    /// * An agent of a [group](crate::March::together) leaves the group, and first goes to its place. If the agent
    ///   stands by now to wait for the group, it sets out for the first stage at once.
    /// * An agent with an order of [`send_within`](Self::send_within) loses the range, and first goes to its goals
    ///   themselves.
    /// * An agent that follows or patrols loses this order, and sets out for the first stage at once.
    ///
    /// If a stage cannot be reached, or is closed when its turn comes, the agent [skips](News::Skipped) it, unless the
    /// stages are to [wait](Stages::waiting). [`Report::arrived`](crate::Report::arrived) and
    /// [`Report::news`](crate::Report::news) tell of each stage. Any other order replaces the queue, and so does
    /// [`stop`](Self::stop).
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, News};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(9, 3)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let carter = crowd.add(class, Agent::bystander(at(0, 0)))?;
    /// crowd.queue(carter, [at(8, 0), at(8, 2)])?;
    /// crowd.queue(carter, at(0, 2))?;
    /// let mut news = Vec::new();
    /// while news.last() != Some(&(carter, News::Ended)) {
    ///     news.extend(crowd.tick(Budget::unlimited()).news);
    /// }
    /// assert_eq!((crowd.node(carter), crowd.now()), (Some(at(0, 2)), 18));
    /// assert_eq!(news[0], (carter, News::Reached { stage: 0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such agent, a goal does not exist in the class of the agent, a stage has no goal, or there is no
    /// stage. Nothing has changed.
    pub fn queue(&mut self, agent: AgentId, stages: impl Into<Stages>) -> Result<(), CrowdError> {
        let stages = stages.into();
        self.note(|| Call::Queue { agent, stages: stages.clone() });
        let slot = self.slot(agent)?;
        self.state.check_stages(slot, &stages)?;
        match self.state.standing.get_mut(agent) {
            Some(Standing::Route(route)) if route.is_queue() => route.append(stages),
            other => {
                let keeps_order = matches!(other, None | Some(Standing::Approach(_)));
                let mut route = Route::queue();
                route.append(stages);
                self.state.begin_route(slot, route, keeps_order);
            }
        }
        Ok(())
    }

    /// Sends `agent` on a patrol. The agent sets out at once, goes to each of the stages in turn, and begins again, for
    /// ever; `round` says how. Stages are reached, replaced and skipped as in a [`queue`](Self::queue). Any other order
    /// replaces the patrol. If all stages of a round are skipped, the agent tries again after 16 steps.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Round};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(9, 3)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let guard = crowd.add(class, Agent::bystander(at(0, 0)))?;
    /// crowd.patrol(guard, [at(0, 0), at(4, 0), at(8, 0)], Round::ToAndFro)?;
    /// for _ in 0..17 {
    ///     crowd.tick(Budget::unlimited());
    /// }
    /// assert_eq!(crowd.node(guard), Some(at(0, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`queue`](Self::queue).
    pub fn patrol(&mut self, agent: AgentId, stages: impl Into<Stages>, round: Round) -> Result<(), CrowdError> {
        let stages = stages.into();
        self.note(|| Call::Patrol { agent, stages: stages.clone(), round });
        let slot = self.slot(agent)?;
        self.state.check_stages(slot, &stages)?;
        self.state.begin_route(slot, Route::patrol(stages, round), false);
        Ok(())
    }

    /// The goals to which `agent` still has to go, the present goals first. For a [queue](Self::queue), these are the
    /// stages that are left. For a [patrol](Self::patrol), these are all stages in the given order, from the present
    /// stage around, even if the agent goes to and fro. Empty if the agent has neither a queue nor a patrol, or does
    /// not exist.
    pub fn stages(&self, agent: AgentId) -> impl Iterator<Item = &Goals> {
        let route = match self.state.standing.get(agent) {
            Some(Standing::Route(route)) => Some(route),
            _ => None,
        };
        route.into_iter().flat_map(Route::left).map(|stage| &stage.goals)
    }
}

impl State<'_> {
    fn check_stages(&self, slot: Slot, stages: &Stages) -> Result<(), CrowdError> {
        let class = self.class(slot);
        if stages.goals().iter().any(|goals| goals.nodes().is_empty()) || stages.goals().is_empty() {
            return Err(CrowdError::NoGoal);
        }
        let mut nodes = stages.goals().iter().flat_map(|goals| goals.nodes());
        match nodes.find(|node| !class.contains(**node)) {
            Some(node) => Err(CrowdError::NoSuchNode(*node)),
            None => Ok(()),
        }
    }

    /// Lets `slot` go along `route`; if it `keeps_order`, once it has carried out its order.
    fn begin_route(&mut self, slot: Slot, mut route: Route, keeps_order: bool) {
        let member = &self.roster[slot];
        let (agent, has_order) = (member.id(), !member.order.stands_by());
        // A path that ends where it begins has an arrival at its beginning.
        let was_outsider = self.is_outsider(agent);
        let is_under_way = !was_outsider && (member.goes_along() || has_order && !member.order.has_arrived());
        if !(keeps_order && is_under_way) {
            self.note_order(slot);
            if was_outsider {
                self.leave_path(slot);
            }
            if !self.sets_out(slot, &mut route) && (is_under_way || was_outsider) {
                // It tries again, and tells what comes of it, at the end of the next tick. If no place is free, it first
                // goes on to where it was to go.
                let _ = self.stop(slot);
            }
        }
        self.standing.give(agent, Standing::Route(route));
    }

    /// Lets `slot` go on along its route where it is time.
    pub(super) fn go_on(&mut self, slot: Slot, route: &mut Route, report: &mut Report) -> Carried {
        let order = &self.roster[slot].order;
        let (agent, has_arrived, stands_by) = (self.roster[slot].id(), order.has_arrived(), order.stands_by());
        if !has_arrived && !stands_by || self.roster[slot].goes_along() {
            return Carried::On;
        }
        if route.is_sent {
            let Some(number) = route.present().map(|stage| stage.number) else { return Carried::Out };
            if stands_by {
                self.miss(agent, route, report);
            } else {
                if route.is_single() {
                    // It is there, and comes back if it is pushed aside.
                    if !std::mem::replace(&mut route.is_reached, true) {
                        report.news.push((agent, News::Reached { stage: number }));
                    }
                    return Carried::On;
                }
                report.news.push((agent, News::Reached { stage: number }));
                route.go_on(true);
            }
        }
        if route.present().is_none() {
            report.news.push((agent, News::Ended));
            return Carried::Out;
        }
        let patience = self.clock.ticks(PATIENCE);
        if !route.is_sent && route.failed.is_none_or(|failed| self.clock.now.saturating_sub(failed) >= patience) {
            self.try_stage(slot, route, report);
        }
        Carried::On
    }

    /// Sends `slot` to the present stage of `route`.
    fn try_stage(&mut self, slot: Slot, route: &mut Route, report: &mut Report) {
        if !self.sets_out(slot, route) {
            self.miss(self.roster[slot].id(), route, report);
        }
    }

    /// Sends `slot` to the present stage of `route`. Returns whether it can go there.
    fn sets_out(&mut self, slot: Slot, route: &mut Route) -> bool {
        let Some(goals) = route.present().map(|stage| stage.goals.clone()) else { return false };
        let (agent, class) = (self.roster[slot].id(), self.roster[slot].class());
        let Ok(goals) = self.assign(agent, class, Errand::Go, &goals) else { return false };
        self.note_next(slot);
        self.set_goals(slot, Errand::Go, goals);
        route.is_sent = true;
        true
    }

    /// Notes that `agent` cannot go to the present stage of `route` now.
    fn miss(&mut self, agent: AgentId, route: &mut Route, report: &mut Report) {
        let Some((stage, waits)) = route.present().map(|stage| (stage.number, stage.waits)) else { return };
        if waits {
            if route.failed.is_none() {
                report.news.push((agent, News::Blocked { stage }));
            }
            (route.is_sent, route.failed) = (false, Some(self.clock.now));
            return;
        }
        report.news.push((agent, News::Skipped { stage }));
        route.go_on(false);
        if route.is_in_vain() {
            route.failed = Some(self.clock.now);
        }
    }
}
