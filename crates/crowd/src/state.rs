//! The state of a crowd: its parts, and what concerns several of them.

use giveway_core::{AgentId, Cells, Claim, Entry, FOREVER, Tick};

use crate::currents::Currents;
use crate::destinations::Destinations;
use crate::jam::Jam;
use crate::ledger::{Ledger, Presence, Schedule};
use crate::outsiders::Prediction;
use crate::planners::PlainSteps;
use crate::report::LastTick;
use crate::settings::{CrowdSettings, Replanning};
use crate::shortage::Shortage;
use crate::standing::StandingOrders;
use giveway_members::chain::Planner;
use giveway_members::class_id::ClassId;
use giveway_members::clock::Clock;
use giveway_members::leg::Leg;
use giveway_members::roster::{Member, Roster, Slot};
use giveway_members::store::{Kept, MakeStore};
use giveway_members::world::{AnyClass, Edited, World};

/// All parts of a crowd.
#[derive(Clone)]
pub(super) struct State<'a> {
    pub(super) settings: CrowdSettings,
    pub(super) clock: Clock,
    pub(super) world: World<'a>,
    pub(super) roster: Roster,
    /// Has an account for each slot of the roster.
    pub(super) ledger: Ledger,
    pub(super) destinations: Destinations,
    pub(super) jam: Jam,
    pub(super) shortage: Shortage,
    pub(super) currents: Currents,
    pub(super) plain: PlainSteps,
    /// Agents that go along paths of their own and were stopped, with the legs that are left.
    pub(super) stopped_paths: Vec<(AgentId, Vec<Leg>)>,
    /// What is expected of agents that the game moves, in ascending order of the agents.
    pub(super) outsiders: Vec<Prediction>,
    /// What agents go on doing without another call.
    pub(super) standing: StandingOrders,
    /// The agents whose moves end only when that is told, in ascending order. Some may be gone, or no longer so.
    pub(super) reported: Vec<AgentId>,
    /// For explanations alone.
    pub(super) last_tick: LastTick,
}

/// One agent: what is known of it, and its plan.
#[derive(Clone, Copy)]
pub(super) struct Unit<'s> {
    pub(super) slot: Slot,
    pub(super) member: &'s Member,
    pub(super) plan: &'s Schedule,
}

impl Unit<'_> {
    /// Whether the agent stands on its goal, and may stay for as long as no agent of higher rank comes.
    pub(super) fn is_at_ease(self) -> bool {
        self.member.is_home() && self.plan.rest.is_some() && !self.plan.has_moves()
    }

    /// Whether the agent begins a planned move at `now`.
    pub(super) fn begins_move(self, now: Tick) -> bool {
        !self.member.motion.is_moving() && self.plan.move_at(now).is_some()
    }

    /// Whether the agent follows a plan that was made for it together with others.
    pub(super) fn is_in_knot(self) -> bool {
        self.plan.is_by(Planner::Lacam) && !self.is_at_ease()
    }
}

impl<'a> State<'a> {
    pub(super) fn new(settings: CrowdSettings, make_store: MakeStore) -> Self {
        Self {
            settings,
            clock: Clock { now: 0, ticks_per_step: 1 },
            world: World::new(),
            roster: Roster::default(),
            ledger: Ledger::new(make_store),
            destinations: Destinations::default(),
            jam: Jam::default(),
            shortage: Shortage::default(),
            currents: Currents::default(),
            plain: PlainSteps::default(),
            stopped_paths: Vec::new(),
            outsiders: Vec::new(),
            standing: StandingOrders::default(),
            reported: Vec::new(),
            last_tick: LastTick::default(),
        }
    }

    /// A state without members, over copies of the classes; `None`: they cannot be copied.
    pub(super) fn empty_copy(&self) -> Option<Self> {
        let world = self.world.copied()?;
        Some(Self { world, ..Self::new(self.settings.clone(), self.ledger.store_maker()) })
    }

    /// A copy without reservations, which has to be [restored](Self::restore) before it is of use, and what is
    /// reserved.
    pub(super) fn without_store(&self) -> (Self, Kept) {
        let (ledger, kept) = self.ledger.without_store();
        let copy = Self {
            settings: self.settings.clone(),
            clock: self.clock,
            world: self.world.clone(),
            roster: self.roster.clone(),
            ledger,
            destinations: self.destinations.clone(),
            jam: self.jam.clone(),
            shortage: self.shortage.clone(),
            currents: self.currents.clone(),
            plain: PlainSteps::default(),
            stopped_paths: self.stopped_paths.clone(),
            outsiders: self.outsiders.clone(),
            standing: self.standing.clone(),
            reported: self.reported.clone(),
            last_tick: self.last_tick.clone(),
        };
        (copy, kept)
    }

    /// Makes a state that was without reservations reserve again what was `kept`.
    pub(super) fn restore(&mut self, kept: &Kept) {
        self.ledger.restore(kept, self.world.cells());
    }

    pub(super) fn unit(&self, slot: Slot) -> Unit<'_> {
        Unit { slot, member: &self.roster[slot], plan: self.ledger.plan(slot) }
    }

    /// Adds a member, with an account of its own.
    pub(super) fn enlist(&mut self, member: Member) -> Slot {
        self.ledger.open(member.id());
        self.roster.enlist(member)
    }

    /// Removes the member at `slot`, and all that it holds. Slots may change.
    pub(super) fn dismiss(&mut self, slot: Slot) -> Option<Member> {
        self.leave_path(slot);
        self.ledger.clear(slot);
        self.wake();
        let gone = self.roster.dismiss(slot);
        let (turn, now) = (gone.as_ref().and_then(|member| member.turn.next()), self.clock.now);
        let is_even = self.settings.replanning == Replanning::Staggered;
        if let Some(tick) = turn.filter(|tick| is_even && *tick >= now) {
            let Self { roster, ledger, .. } = self;
            roster.fill_turn(slot, (tick, now), |other| ledger.plan(other).lasts_until(tick));
        }
        if self.roster.is_sparse() {
            self.ledger.pack(&self.roster.pack());
        }
        gone
    }

    /// The agents that are awake, in the order in which they were added. The others rest, and do nothing.
    pub(super) fn awake(&self) -> impl Iterator<Item = Unit<'_>> {
        self.roster.awake().iter().map(|slot| self.unit(*slot))
    }

    /// Wakes the agents with changed plans.
    pub(super) fn wake(&mut self) {
        let Self { roster, ledger, .. } = self;
        ledger.changed().for_each(|slot| roster.wake(slot));
        roster.muster();
    }

    /// The class of `slot`.
    pub(super) fn class(&self, slot: Slot) -> &(dyn AnyClass + 'a) {
        &self.world[self.roster[slot].class()]
    }

    /// The claim with which `slot` plans.
    pub(super) fn claim(&self, slot: Slot) -> Claim {
        self.roster[slot].claim(self.clock)
    }

    /// The entries that an agent occupies from now on if it begins no other move.
    pub(super) fn room_of(&self, member: &Member) -> Vec<Entry> {
        let (node, from) = member.motion.free_at(self.clock.now);
        let mut room = member.motion.swept().to_vec();
        self.world[member.class()].sweep(&Leg::resting(node, from, FOREVER), &mut room);
        room
    }

    /// Where each agent is.
    pub(super) fn survey(&self) -> Presence {
        let mut presence = Presence::new(self.world.cells().map_or(0, Cells::bound));
        for member in self.roster.members() {
            presence.note(member.id(), &self.room_of(member));
        }
        presence
    }

    /// Makes [`Ledger::presence`] up to date.
    pub(super) fn look_around(&mut self) {
        self.ledger.look(self.clock.now);
        if self.ledger.presence().is_none() {
            self.ledger.note_presence(self.survey());
        }
    }

    /// Runs `purpose` on where each agent is. Meanwhile no agent may begin a move, or be put elsewhere.
    pub(super) fn with_presence<T>(&mut self, purpose: impl FnOnce(&mut Self, &Presence) -> T) -> T {
        self.look_around();
        let presence = self.ledger.take_presence().unwrap_or_else(|| self.survey());
        let outcome = purpose(self, &presence);
        self.ledger.note_presence(presence);
        outcome
    }

    /// Replaces the plan of `slot` by a rest where it is, or where its motion under way ends, for as long as the place
    /// is free.
    pub(super) fn stand(&mut self, slot: Slot) {
        let member = &self.roster[slot];
        let (node, from) = member.motion.free_at(self.clock.now);
        // Others may plan through an agent that has had no chance to plan yet, but not through one that has found no
        // plan.
        let claim = if member.is_new() { member.claim_at_rest() } else { member.claim(self.clock) };
        self.ledger.stand(slot, claim.rank, &self.world[member.class()], node, from);
    }

    /// Makes `slot` give up its plan and [stand](Self::stand); it plans anew at `due`. On a path of its own it goes on
    /// as soon as it can.
    pub(super) fn lose_plan(&mut self, slot: Slot, due: Tick) {
        if self.roster[slot].goes_along() {
            // A move of an outsider to come is lost with its places, and not with others of its margin.
            if due > self.clock.now || !self.can_begin_announced(slot) {
                self.stop_on_path(slot);
            } else {
                self.reserve_soon(slot);
            }
            return;
        }
        self.stand(slot);
        self.roster[slot].turn.put_in_line(due);
    }

    /// Lets others plan through the rest at the end of the plan of `slot`, unless they may do so already.
    pub(super) fn lower_rest(&mut self, slot: Slot) {
        if self.settings.soft_rests.is_none() {
            let Unit { member, plan, .. } = self.unit(slot);
            let end = plan.ahead().last().map_or(member.motion.free_at(self.clock.now).0, |leg| leg.to);
            self.ledger.lower_rest(slot, &self.world[member.class()], end);
        }
    }

    /// Moves all agents to a new store for the cells of all classes. They keep their places, but lose their plans.
    pub(super) fn renew_store(&mut self, cells: Cells) {
        self.ledger.begin_anew(cells, self.settings.longest_window(self.clock.of(self.world.longest_step())));
        // All lose their plans in any case.
        self.roster.slots().into_iter().for_each(|slot| drop(self.keep_motion(slot)));
        for slot in self.roster.slots() {
            self.lose_plan(slot, self.clock.now);
        }
    }

    /// The clock, in steps of the class of `slot`.
    pub(super) fn clock_of(&self, slot: Slot) -> Clock {
        self.roster[slot].clock(self.clock)
    }

    /// Notes that the space of `class` has changed: the agents that this concerns plan anew, and lose plans that can no
    /// longer be carried out. All others keep their plans, and plan when it is their turn.
    pub(super) fn note_edit(&mut self, class: ClassId, edited: &Edited) {
        let now = self.clock.now;
        self.plain.forget();
        if !self.world.is_placed(class) {
            self.note_places(class, edited);
            // All edits since the last tick.
            self.world.note_placed(class, 0);
        }
        for slot in self.roster.slots() {
            if self.roster[slot].class() != class || !self.is_concerned(slot, edited) {
                continue;
            }
            let (goes_on, rests) = (self.can_go_on(slot, edited), self.unit(slot).is_at_ease());
            let member = &mut self.roster[slot];
            member.note_edit(now);
            if !goes_on {
                self.lose_plan(slot, now);
            } else if !rests {
                member.turn.ask(now);
            }
        }
        self.world.note_edit(class);
    }

    /// Notes where the agents of `class` are whose places were edited since the revision `before`: they may occupy
    /// something else from now on.
    pub(super) fn note_edit_since(&mut self, class: ClassId, before: u64) {
        let edited = Edited::of(self.world[class].edits_since(before));
        self.note_places(class, &edited);
        self.world.note_placed(class, before);
    }

    fn note_places(&mut self, class: ClassId, edited: &Edited) {
        if self.ledger.presence().is_none() {
            return;
        }
        for slot in self.roster.slots() {
            let member = &self.roster[slot];
            if member.class() == class && edited.concerns(member.motion.free_at(self.clock.now).0) {
                let room = self.room_of(member);
                self.ledger.move_presence(slot, &room);
            }
        }
    }

    /// Whether an edit of the space concerns `slot`: where it stands, its goals, or what it is going to do.
    pub(super) fn is_concerned(&self, slot: Slot, edited: &Edited) -> bool {
        let Unit { member, plan, .. } = self.unit(slot);
        let (start, _) = member.motion.free_at(self.clock.now);
        edited.concerns(start)
            || edited.comes_near(plan.nodes()) && plan.ahead().iter().any(|leg| edited.concerns_leg(leg))
            || member.order.goals().nodes().iter().any(|goal| edited.concerns(*goal))
            || member.itinerary.left().iter().any(|leg| edited.concerns_leg(leg))
    }

    /// Whether the plan of `slot`, and its rest afterwards, is still possible in the space, which was `edited`, and
    /// takes exactly what is reserved for it. A move is known by its position among the moves out of its node. After an
    /// edit another move may have that position, and take other cells; a shortcut takes the same as long as its ends
    /// are the same.
    fn can_go_on(&self, slot: Slot, edited: &Edited) -> bool {
        let Unit { member, plan, .. } = self.unit(slot);
        let class = self.class(slot);
        let mut entries = Vec::new();
        let mut can = |leg: &Leg| {
            entries.clear();
            if edited.concerns(leg.from) || edited.concerns(leg.to) {
                class.sweep(leg, &mut entries);
            }
            class.allows(leg) && self.ledger.holds(&entries, member.id(), self.clock.now)
        };
        let (start, _) = member.motion.free_at(self.clock.now);
        let end = plan.ahead().last().map_or(start, |leg| leg.to);
        class.contains(end) && plan.ahead().iter().filter(|leg| edited.concerns_leg(leg)).all(&mut can)
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::{Agent, Area, NodeId, Point};
    use giveway_spaces::Grid;

    use crate::{Budget, Class, Crowd, CrowdSettings};

    #[test]
    fn where_agents_are_is_noted_once_for_each_edit() {
        let grid = Grid::open(6, 6).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
        crowd.add(class, Agent::new(NodeId(0), NodeId(35))).unwrap();
        let is_placed = |crowd: &Crowd<'_>| crowd.state.world.is_placed(class);
        crowd.set_open(class, NodeId(20), false).unwrap();
        assert!(is_placed(&crowd));
        crowd.close(&Area::cells(4, 0, 1, 1).unwrap()).unwrap();
        assert!(is_placed(&crowd));
        crowd.tick(Budget::unlimited());
        // Somebody else edits the space: the next tick has to look.
        crowd.state.world.get_mut(class).unwrap().set_open(NodeId(21), false).unwrap();
        assert!(!is_placed(&crowd));
        crowd.set_open(class, NodeId(20), true).unwrap();
        assert!(!is_placed(&crowd), "of the edit before nothing is known");
        crowd.tick(Budget::unlimited());
        assert!(is_placed(&crowd));
    }
}
