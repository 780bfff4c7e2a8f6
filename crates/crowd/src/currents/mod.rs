//! Currents: where units of unlike directions meet in a place that is too narrow for them to pass each other, all units
//! are to go in one direction for a while, if there is another way for the others. Of two bridges each then serves one
//! direction.
//!
//! Distances count what goes against a current as much longer: see [`giveway_members::world::currents`].

mod meeting;
mod narrow;
mod vectors;
mod wanting;
mod written;

use giveway_core::{AgentId, Digest, Fuel, Suspended, Ticks};

use meeting::{Course, PATIENCE, faced_by, stands};
use narrow::Narrow;
use vectors::{dot, minus};
use wanting::{Nearness, Wanting};

use crate::crowd::Crowd;
use crate::ledger::Presence;
use crate::spell::Spell;
use crate::state::State;
#[cfg(test)]
use giveway_members::clock::Clock;
use giveway_members::roster::Slot;
use giveway_members::world::currents::{Current, squared};

/// The crowd looks for agents that face each other once in `EVERY` ticks, and looks at each agent once in `ROUND` of these
/// looks.
const EVERY: Ticks = 4;
const ROUND: Ticks = 16;

/// At a tick at most this many agents that stand are asked whether others face them. To ask takes `ASKED` units of work.
const MOST_ASKED: usize = 8;
const ASKED: u64 = 32;

/// An agent heeds the currents that its way leads against within so many moves, and finds them within `SOON` steps.
const HEEDED: usize = 32;
const SOON: Ticks = 2;

/// The part of the work of a tick that distances at the price of currents take at most.
const PART: u64 = 4;

/// A current lasts for this many steps at first.
const STEPS: Ticks = 256;

/// A current has to leave those that go against it a way that is at most this much longer, in plain steps.
const DETOUR: f64 = 256.0;

/// Where the other way is not this much longer, the place is not narrow, or the agent would not go against the current.
const LEAST_DETOUR: f64 = 4.0;

/// Once in so many steps it is looked at whether a current is [lopsided](Wanting::is_lopsided).
const LOOK_BACK: Ticks = 16;

/// A current near another one leads the other way. Currents are near if no more moves than this lie between them.
const NEAR: f32 = 192.0;

/// The places where units have met that could not pass each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Currents {
    found: Vec<Found>,
    trial: Option<Trial>,
}

/// A current that begins if an agent that would have to turn round has another way, and one that may go on has none that
/// leads against other currents.
#[derive(Clone, Copy, Debug)]
struct Trial {
    current: Current,
    along: AgentId,
    against: AgentId,
    /// How much longer the way of `against` would be, once that is known.
    detour: Option<f64>,
}

/// A place where units have met.
#[derive(Clone, Copy, Debug)]
struct Found {
    current: Current,
    /// Whether units are to go in the direction of the current. If not, it has ended, or there is no other way.
    flows: bool,
    /// For how long that holds.
    spell: Spell,
}

impl Found {
    /// Whether it reaches as far as `current` reaches.
    fn is_at(&self, current: &Current) -> bool {
        let reach = self.current.radius + current.radius;
        squared(self.current.at, current.at) < reach * reach
    }
}

impl Currents {
    /// The currents in whose direction units are to go now.
    fn flowing(&self) -> impl Iterator<Item = Current> {
        self.found.iter().filter(|found| found.flows).map(|found| found.current)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.flowing().next().is_none()
    }

    /// Adds the currents to `digest`.
    pub(crate) fn feed(&self, digest: &mut Digest) {
        for Found { current, flows, spell: Spell { until, times } } in &self.found {
            current.feed(digest);
            digest.pair(*until, *times);
            digest.word(u64::from(*flows));
        }
        if let Some(Trial { current, along, against, detour }) = &self.trial {
            current.feed(digest);
            [along, against].into_iter().for_each(|agent| digest.word(agent.0.into()));
            digest.number(detour.unwrap_or(-1.0));
        }
    }
}

/// Looks for two agents that face each other in a narrow place, and lets a current begin there. A current that has lasted
/// for long enough is tried anew, or ends. Pays from `fuel`.
pub(crate) fn watch(state: &mut State<'_>, fuel: &mut Fuel) {
    if !state.settings.currents {
        return;
    }
    if !state.currents.found.is_empty() {
        end_some(state);
        heed(state, fuel);
    }
    match state.currents.trial {
        Some(trial) => go_on(state, trial, fuel),
        None => look(state, fuel),
    }
}

/// Tries the first current anew that has lasted for long enough, as long as some agents want to go along it and others
/// against it. All such currents end otherwise, and [lopsided](Wanting::is_lopsided) ones before that.
fn end_some(state: &mut State<'_>) {
    let clock = state.clock;
    let looks_back = clock.now.is_multiple_of(clock.ticks(LOOK_BACK));
    let mut has_ended = false;
    for index in 0..state.currents.found.len() {
        let Found { current, flows, spell } = state.currents.found[index];
        if flows && looks_back && Wanting::of(state, &current).is_lopsided() {
            let found = &mut state.currents.found[index];
            (found.flows, found.spell) = (false, Spell::default());
            has_ended = true;
            continue;
        }
        if !flows || spell.lasts_at(clock.now) || state.currents.trial.is_some() {
            continue;
        }
        match Wanting::of(state, &current).nearest {
            [Some((_, along)), Some((_, against))] => {
                state.currents.trial = Some(Trial { current, along, against, detour: None });
            }
            _ => {
                state.currents.found[index].flows = false;
                has_ended = true;
            }
        }
    }
    if has_ended {
        state.let_flow();
    }
    state.currents.found.retain(|found| found.flows || found.spell.would_be_again(STEPS, clock));
}

/// Lets agents heed the currents that their ways lead against: each one looks once in [`SOON`] steps.
fn heed(state: &mut State<'_>, fuel: &mut Fuel) {
    if state.currents.is_empty() {
        return;
    }
    let State { world, roster, clock, .. } = &mut *state;
    let part = fuel.left() / PART;
    let mut rest = Fuel::work(part);
    let round = clock.ticks(SOON);
    for slot in roster.of_round(clock.now % round, round) {
        let member = &roster[slot];
        if member.is_under_way() {
            let (node, _) = member.motion.free_at(clock.now);
            // What is not found for want of fuel is found in a later round.
            let _ = world[member.class()].heed_currents(member.order.goals(), node, HEEDED, &mut rest);
        }
    }
    *fuel = Fuel::work(fuel.left() - (part - rest.left()));
}

/// Looks for two agents that face each other in a narrow place: from one agent at a tick.
fn look(state: &mut State<'_>, fuel: &mut Fuel) {
    let now = state.clock.now;
    if !now.is_multiple_of(EVERY) || !state.world.has_wide_units() || !narrow::can_look(fuel) {
        return;
    }
    let look = now / EVERY;
    let mut standing = state.roster.of_round(look % ROUND, ROUND);
    standing.retain(|slot| stands(state, *slot, PATIENCE));
    if !standing.is_empty() {
        let first = (look / ROUND) as usize * MOST_ASKED % standing.len();
        standing.rotate_left(first);
    }
    for slot in standing.into_iter().take(MOST_ASKED) {
        *fuel = Fuel::work(fuel.left().saturating_sub(ASKED));
        let met = state.with_presence(|state, presence| {
            let meeting = faced_by(state, slot, presence)?;
            Some(trial_at(state, presence, slot, meeting, fuel))
        });
        if let Some(trial) = met {
            state.currents.trial = trial;
            break;
        }
    }
    if let Some(trial) = state.currents.trial {
        go_on(state, trial, fuel);
    }
}

/// The current that is to begin where another agent faces `slot`, if they cannot pass each other there.
fn trial_at(
    state: &mut State<'_>,
    presence: &Presence,
    slot: Slot,
    (own, other, its): (Course, Slot, Course),
    fuel: &mut Fuel,
) -> Option<Trial> {
    let now = state.clock.now;
    let is_known = |found: &Found, at, reach: f32| {
        let reach = found.current.radius + reach;
        (found.flows || found.spell.lasts_at(now)) && squared(found.current.at, at) < reach * reach
    };
    let between = squared(own.at, its.at).sqrt();
    if state.currents.found.iter().any(|found| is_known(found, own.at, between)) {
        return None;
    }
    let Narrow { at, axis, radius } = narrow::between(state, presence, (slot, &own), (other, &its), fuel)?;
    if dot(own.way, axis) <= 0.0 || dot(its.way, axis) >= 0.0 {
        return None;
    }
    let here = Current { at, direction: axis, radius };
    if state.currents.found.iter().any(|found| is_known(found, at, radius)) {
        return None;
    }
    let step = own.legs.first().and_then(|leg| state.class(slot).position(leg.to));
    let near = step.map_or(0.0, |step| NEAR * squared(step, own.at).sqrt());
    let is_reversed = leads_back(state, &here, near);
    let current = if is_reversed { here.turned() } else { here };
    let met = if is_reversed { [other, slot] } else { [slot, other] };
    let wanting = Wanting::of(state, &current);
    if wanting.is_uneven() {
        return None;
    }
    let [along, against] = [0, 1].map(|side| {
        let member = &state.roster[met[side]];
        let position = state.world[member.class()].position(member.motion.node());
        let is_inside = position.is_some_and(|position| Nearness::to(&current, position).is_inside);
        let others = wanting.nearest[side].filter(|(nearness, _)| is_inside && nearness.is_beside(&current));
        others.map_or(member.id(), |(_, agent)| agent)
    });
    Some(Trial { current, along, against, detour: None })
}

/// Goes on with `trial`, and ends it as soon as it is known what comes of it.
fn go_on(state: &mut State<'_>, Trial { current, along, against, detour }: Trial, fuel: &mut Fuel) {
    let mut find = |agent| {
        let Some(slot) = state.roster.slot(agent) else { return Ok(0.0) };
        let half = fuel.left() / 2;
        let mut part = Fuel::work(half);
        let State { world, roster, clock, currents, .. } = &mut *state;
        let (node, _) = roster[slot].motion.free_at(clock.now);
        let others = currents.found.iter().filter(|found| found.flows && !found.is_at(&current));
        let all: Vec<Current> = others.map(|found| found.current).chain([current]).collect();
        let detour = world[roster[slot].class()].detour(&all.into(), roster[slot].order.goals(), node, &mut part);
        *fuel = Fuel::work(fuel.left() - (half - part.left()));
        detour
    };
    let against_it = detour.map_or_else(|| find(against), Ok);
    let detours = against_it.and_then(|against| Ok((against, find(along)?)));
    if detours == Err(Suspended::OutOfFuel) {
        state.currents.trial = Some(Trial { current, along, against, detour: against_it.ok() });
        return;
    }
    let Currents { found, trial } = &mut state.currents;
    *trial = None;
    // With no other one, who has no longer way would not go through there: the place may be closed by now.
    let is_alone = !found.iter().any(|found| found.flows && !found.is_at(&current));
    let turns_nobody = detours.is_ok_and(|(against, along)| against.max(along) < LEAST_DETOUR);
    let known = found.iter_mut().find(|found| found.is_at(&current));
    if known.is_none() && detours.is_ok_and(|(against, _)| against < LEAST_DETOUR) {
        return;
    }
    let leaves_ways = detours.is_ok_and(|(against, along)| against.max(along) <= DETOUR);
    let flows = leaves_ways && !(is_alone && turns_nobody);
    let before = known.as_ref().map(|known| **known);
    // Where other currents leave it no way, the other direction may have one, and is tried next.
    let turned = current.turned();
    let is_second = before
        .is_some_and(|before| before.current == turned && !before.flows && before.spell.lasts_at(state.clock.now));
    if !flows && !is_alone && !is_second {
        *trial = Some(Trial { current: turned, along: against, against: along, detour: None });
    }
    let mut new = Found { current, flows, spell: before.map_or_else(Spell::default, |before| before.spell) };
    if !is_second {
        new.spell.begin(STEPS, state.clock);
    }
    match known {
        Some(known) => *known = new,
        None => found.push(new),
    }
    let has_changed = match before {
        Some(before) => before.flows != flows || flows && before.current != current,
        None => flows,
    };
    if has_changed {
        state.let_flow();
    }
}

/// Whether `current` is to be turned. Near another current it leads the other way, but one that lies before or behind it
/// leads on. Without one near by, it leads where more agents under way have to go.
fn leads_back(state: &State<'_>, current: &Current, near: f32) -> bool {
    let Current { at, direction: axis, .. } = *current;
    let beside = state.currents.flowing().map(|current| (squared(current.at, at), current));
    let beside = beside.filter(|(square, current)| *square <= near * near && dot(current.direction, axis).abs() > 0.5);
    if let Some((square, current)) = beside.min_by(|(one, _), (other, _)| one.total_cmp(other)) {
        let ahead = dot(minus(current.at, at), axis);
        let is_in_line = ahead * ahead > square / 2.0;
        return (dot(current.direction, axis) > 0.0) != is_in_line;
    }
    let Wanting { count: [along, against], .. } = Wanting::of(state, current);
    against > along
}

impl Crowd<'_> {
    /// The [currents](crate::CrowdSettings::currents) in whose direction units are to go now.
    pub fn currents(&self) -> impl Iterator<Item = Current> {
        self.state.currents.flowing()
    }
}

impl State<'_> {
    /// Tells the classes which currents there are now.
    pub(crate) fn let_flow(&mut self) {
        let currents = self.currents.flowing().collect();
        self.world.set_currents(&currents);
    }
}

#[cfg(test)]
impl Currents {
    const SOME: Current = Current { at: [1.0, 2.0, 0.0], direction: [1.0, 0.0, 0.0], radius: 3.0 };

    /// Lets a current begin.
    pub(crate) fn begin_for_test(&mut self, clock: Clock) {
        let mut spell = Spell::default();
        spell.begin(STEPS, clock);
        self.found.push(Found { current: Self::SOME, flows: true, spell });
    }

    /// Lets it be tried whether a current may begin.
    pub(crate) fn try_for_test(&mut self) {
        self.trial = Some(Trial { current: Self::SOME, along: AgentId(0), against: AgentId(1), detour: None });
    }
}

#[cfg(test)]
mod tests {
    use giveway_bodies::{Body, Ground};
    use giveway_core::Agent;
    use giveway_spaces::Grid;

    use super::*;
    use crate::{Class, CrowdSettings};

    /// Where nearly all agents want to go against a current, it ends, and is forgotten, so that it may begin again.
    #[test]
    fn a_lopsided_current_ends() {
        let grid = Grid::open(16, 64).unwrap();
        let flows = |along: u32, against: u32| {
            let mut crowd = Crowd::new(CrowdSettings::new());
            let class = Class::for_body(&Body::square(1).unwrap(), &grid, Ground::from_grid(&grid), 1).unwrap();
            let class = crowd.add_class(class).unwrap();
            for at in 0..along + against {
                let [from, to] = if at < along { [1, 14] } else { [14, 1] };
                let [from, to] = [from, to].map(|x| grid.node(x, at).unwrap());
                crowd.add(class, Agent::new(from, to)).unwrap();
            }
            let current = Current { at: [8.0, 8.0, 0.0], direction: [1.0, 0.0, 0.0], radius: 2.0 };
            let clock = crowd.state.clock;
            let mut spell = Spell::default();
            spell.begin(STEPS, clock);
            crowd.state.currents.found = vec![Found { current, flows: true, spell }];
            end_some(&mut crowd.state);
            let flows = !crowd.state.currents.is_empty();
            assert_eq!(crowd.state.currents.found.len(), usize::from(flows));
            flows
        };
        assert_eq!([flows(0, 32), flows(0, 33), flows(10, 40), flows(10, 41)], [true, false, true, false]);
    }

    /// Where another current leaves no way in one direction, the other one is tried, once.
    #[test]
    fn a_current_is_turned_where_another_one_leaves_no_way() {
        let grid = Grid::from_fn(9, 9, |x, y| !(2..=6).contains(&x) || y == 1 || y == 7).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = Class::for_body(&Body::square(1).unwrap(), &grid, Ground::from_grid(&grid), 1).unwrap();
        let class = crowd.add_class(class).unwrap();
        let mut add = |from, to| {
            let [from, to] = [from, to].map(|x| grid.node(x, 1).unwrap());
            crowd.add(class, Agent::new(from, to)).unwrap()
        };
        let [along, against] = [add(0, 8), add(8, 0)];
        let east = |y| Current { at: [4.0, y, 0.0], direction: [1.0, 0.0, 0.0], radius: 2.0 };
        let state = &mut crowd.state;
        let mut begin = |beside: Current| {
            state.currents.found = vec![Found { current: beside, flows: true, spell: Spell::default() }];
            let trial = Trial { current: east(1.0), along, against, detour: None };
            go_on(state, trial, &mut Fuel::unlimited());
            let turned = state.currents.trial;
            if let Some(turned) = turned {
                go_on(state, turned, &mut Fuel::unlimited());
                assert!(state.currents.trial.is_none());
            }
            let [_, found] = state.currents.found[..] else { panic!("{:?}", state.currents.found) };
            (turned.is_some(), found.flows.then_some(found.current), found.spell.times)
        };
        assert_eq!(begin(east(7.0)), (true, Some(east(1.0).turned()), 0));
        assert_eq!(begin(east(7.0).turned()), (false, Some(east(1.0)), 0));
    }
}
