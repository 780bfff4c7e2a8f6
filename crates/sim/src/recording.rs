//! Recordings: a run as a trace, for pictures and files.

use std::mem;

use giveway_core::{
    AgentId, Goals, NodeId, Span, Tick, Trace, TracedAgent, TracedBody, TracedChange, TracedMove, TracedOrder,
    TracedPlace, Trajectories, Trajectory,
};
use giveway_crowd::{ClassId, Crowd, Leg};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// The record of each agent so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording {
    agents: IndexMap<AgentId, TracedAgent, FxBuildHasher>,
    trajectories: Trajectories,
}

impl Recording {
    pub(crate) fn appear(&mut self, crowd: &Crowd<'_>, agent: AgentId) {
        let Some((class, node)) = crowd.class_of(agent).zip(crowd.node(agent)) else {
            return;
        };
        let bystander = crowd.is_bystander(agent) == Some(true);
        let goals = crowd.goals(agent).filter(|_| !bystander).map_or(Vec::new(), |goals| places(crowd, class, goals));
        let start = place(crowd, class, node.0);
        let mut traced = TracedAgent {
            appears: crowd.now(),
            body: crowd.body_of(agent).cloned(),
            ..TracedAgent::new(start, goals, Vec::new())
        };
        // An agent that is making a move has been part of the recording since the move began.
        if let Some(leg) = under_way(crowd, agent) {
            traced.appears = leg.depart;
            note_body(&mut traced, leg.arrive, crowd.body(class));
            traced.moves.push(moved(&mut self.trajectories, crowd, agent, class, &leg));
            note_pauses(&mut traced, &leg, crowd.pauses(agent));
        }
        self.agents.insert(agent, traced);
    }

    pub(crate) fn vanish(&mut self, agent: AgentId, now: Tick) {
        if let Some(traced) = self.agents.get_mut(&agent) {
            cut_short(&mut self.trajectories, traced, now);
            traced.vanishes = Some(now);
        }
    }

    /// Notes that `agent` has been sent to `goals`; if there are none, to stand by.
    pub(crate) fn order(&mut self, crowd: &Crowd<'_>, agent: AgentId, goals: &Goals) {
        if let Some((class, traced)) = crowd.class_of(agent).zip(self.agents.get_mut(&agent)) {
            let order = TracedOrder { tick: crowd.now(), goals: places(crowd, class, goals) };
            if order.tick == traced.appears {
                traced.goals = order.goals;
                return;
            }
            // Only the last order of a tick counts.
            traced.orders.pop_if(|last| last.tick == order.tick);
            traced.orders.push(order);
        }
    }

    /// Notes that `agent` is a unit of another class.
    pub(crate) fn changed_class(&mut self, crowd: &Crowd<'_>, agent: AgentId) {
        if let Some((class, traced)) = crowd.class_of(agent).zip(self.agents.get_mut(&agent)) {
            // A move under way, and a stay that is held up, end with the body that they began with.
            let leg = under_way(crowd, agent);
            // It may have been held since the last tick.
            leg.iter().for_each(|leg| note_pauses(traced, leg, crowd.pauses(agent)));
            let ends = leg.map(|leg| leg.arrive);
            let from = ends.or(crowd.held_until(agent)).unwrap_or(crowd.now());
            note_body(traced, from, crowd.body(class));
        }
    }

    /// Notes that `agent` was placed on its present node.
    pub(crate) fn placed(&mut self, crowd: &Crowd<'_>, agent: AgentId) {
        let at = crowd.class_of(agent).zip(crowd.node(agent));
        if let Some(((class, node), traced)) = at.zip(self.agents.get_mut(&agent)) {
            let now = crowd.now();
            cut_short(&mut self.trajectories, traced, now);
            note_body(traced, now, crowd.body(class));
            traced.moves.push(TracedMove::new(now, now, place(crowd, class, node.0)));
        }
    }

    /// Notes what `agent` did in the tick that began with `begun`.
    pub(crate) fn note(&mut self, crowd: &Crowd<'_>, agent: AgentId, leg: &Leg, begun: Tick) {
        if let Some((class, traced)) = crowd.class_of(agent).zip(self.agents.get_mut(&agent)) {
            if !leg.is_move() {
                note_longer_stay(traced, begun, crowd.held_until(agent));
            } else if leg.depart == begun {
                traced.moves.push(moved(&mut self.trajectories, crowd, agent, class, leg));
            } else {
                note_pauses(traced, leg, crowd.pauses(agent));
            }
        }
    }

    /// The trace up to `now`, for units whose plain step takes `ticks_per_step`. Moves under way are included to their
    /// ends.
    pub(crate) fn trace(&self, ticks_per_step: u32, now: Tick) -> Trace {
        let agents = self.agents.values().cloned().collect();
        traced(agents, self.trajectories.list().to_vec(), ticks_per_step, now)
    }

    /// Hands over the [trace](Self::trace), and keeps of it only what the next trace begins with.
    pub(crate) fn take(&mut self, ticks_per_step: u32, now: Tick) -> Trace {
        let trajectories = mem::take(&mut self.trajectories).into_list();
        let mut going_on = |traced: &mut TracedAgent| {
            let mut rest = rest_of(traced, now);
            for step in &mut rest.moves {
                let trajectory = step.trajectory.and_then(|number| trajectories.get(number as usize));
                step.trajectory = self.trajectories.number(trajectory);
            }
            mem::replace(traced, rest)
        };
        let agents = self.agents.values_mut().map(&mut going_on).collect();
        traced(agents, trajectories, ticks_per_step, now)
    }
}

fn traced(agents: Vec<TracedAgent>, trajectories: Vec<Trajectory>, ticks_per_step: u32, now: Tick) -> Trace {
    let last = agents.iter().filter_map(|agent| agent.moves.last()).map(|last| last.arrive).max().unwrap_or(0);
    Trace { ticks_per_step, until: (now > last).then_some(now), trajectories, agents }
}

/// What matters of `traced` from `now` on: the moves under way, and the moves that end at `now`.
fn rest_of(traced: &TracedAgent, now: Tick) -> TracedAgent {
    let past = traced.moves.partition_point(|step| step.arrive < now);
    let begin = past.checked_sub(1).and_then(|last| traced.moves.get(last));
    let (start, appears) = begin.map_or((traced.start, traced.appears), |step| (step.to, step.arrive));
    let changed = traced.changes.partition_point(|change| change.tick <= appears);
    let change = changed.checked_sub(1).and_then(|last| traced.changes.get(last));
    TracedAgent {
        appears,
        vanishes: traced.vanishes,
        body: change.map_or(&traced.body, |change| &change.body).clone(),
        changes: traced.changes[changed..].to_vec(),
        goals: traced.orders.last().map_or(&traced.goals, |order| &order.goals).clone(),
        orders: Vec::new(),
        pauses: traced.pauses[traced.pauses.partition_point(|pause| pause.end <= appears)..].to_vec(),
        ..TracedAgent::new(start, Vec::new(), traced.moves[past..].to_vec())
    }
}

/// The move that `agent` is making.
fn under_way(crowd: &Crowd<'_>, agent: AgentId) -> Option<Leg> {
    crowd.last_leg(agent).filter(|leg| leg.is_move() && leg.arrive > crowd.now())
}

/// Notes that `traced` has the shape `body` from tick `from` on, whatever was noted for later.
fn note_body(traced: &mut TracedAgent, from: Tick, body: Option<&TracedBody>) {
    while traced.changes.pop_if(|change| change.tick >= from).is_some() {}
    let known = traced.changes.last().map_or(traced.body.as_ref(), |change| change.body.as_ref());
    if known != body {
        traced.changes.push(TracedChange { tick: from, body: body.cloned() });
    }
}

/// Notes that the last move of `traced` is `leg`, which is held up during `pauses`.
fn note_pauses(traced: &mut TracedAgent, leg: &Leg, pauses: &[Span]) {
    let Some(last) = traced.moves.last_mut().filter(|last| last.depart == leg.depart && !pauses.is_empty()) else {
        return;
    };
    let later = leg.arrive.saturating_sub(last.arrive);
    // A change of shape at its end comes later, too.
    traced.changes.iter_mut().filter(|change| change.tick >= last.arrive).for_each(|change| change.tick += later);
    last.arrive = leg.arrive;
    while traced.pauses.pop_if(|pause| pause.start >= leg.depart).is_some() {}
    traced.pauses.extend_from_slice(pauses);
}

/// Notes that `traced` stays where it is up to `until`: a change of shape after `begun`, at the end of the stay, comes
/// then.
fn note_longer_stay(traced: &mut TracedAgent, begun: Tick, until: Option<Tick>) {
    if let Some((change, until)) = traced.changes.last_mut().filter(|change| change.tick > begun).zip(until) {
        change.tick = change.tick.max(until);
    }
}

/// Ends the move that `traced` is making at `now`, half way.
fn cut_short(trajectories: &mut Trajectories, traced: &mut TracedAgent, now: Tick) {
    let before = traced.moves.len().checked_sub(2).and_then(|index| traced.moves.get(index));
    let TracedPlace { position: from, heading, .. } = before.map_or(traced.start, |traced| traced.to);
    let is_under_way = traced.moves.last().is_some_and(|last| last.arrive > now);
    let paused = |until: Tick| -> Tick {
        let pauses = traced.moves.last().map_or(&[][..], |last| traced.pauses_of(last));
        pauses.iter().map(|pause| pause.end.min(until).saturating_sub(pause.start)).sum()
    };
    let (before_now, in_all) = (paused(now), paused(Tick::MAX));
    if let Some(last) = traced.moves.last_mut().filter(|_| is_under_way) {
        let ticks = |until: Tick, paused: Tick| f64::from(until - last.depart - paused);
        #[allow(clippy::cast_possible_truncation)] // for pictures
        let share = (ticks(now, before_now) / ticks(last.arrive, in_all)) as f32;
        let to = &mut last.to;
        to.position = std::array::from_fn(|axis| from[axis] + (to.position[axis] - from[axis]) * share);
        if let Some(trajectory) = last.trajectory.and_then(|number| trajectories.list().get(number as usize)) {
            let driven = trajectory.pose([from[0], from[1]], heading, share);
            (to.position[0], to.position[1], to.heading) = (driven.0[0], driven.0[1], driven.1);
            if trajectory.is_jump() {
                to.position = from;
            }
            let first = trajectory.first(share);
            last.trajectory = trajectories.number((share > 0.0).then_some(&first));
        }
        last.arrive = now;
        while traced.pauses.pop_if(|pause| pause.start >= now).is_some() {}
        if let Some(pause) = traced.pauses.last_mut() {
            pause.end = pause.end.min(now);
        }
    }
}

fn moved(trajectories: &mut Trajectories, crowd: &Crowd<'_>, agent: AgentId, class: ClassId, leg: &Leg) -> TracedMove {
    let trajectory = trajectories.number(crowd.trajectory(agent));
    TracedMove { trajectory, ..TracedMove::new(leg.depart, leg.arrive, place(crowd, class, leg.to.0)) }
}

fn place(crowd: &Crowd<'_>, class: ClassId, node: u32) -> TracedPlace {
    let position = crowd.position(class, NodeId(node)).unwrap_or_default();
    TracedPlace { heading: crowd.heading(class, NodeId(node)), ..TracedPlace::new(node, position) }
}

fn places(crowd: &Crowd<'_>, class: ClassId, goals: &Goals) -> Vec<TracedPlace> {
    goals.nodes().iter().map(|node| place(crowd, class, node.0)).collect()
}
