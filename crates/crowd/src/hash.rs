//! The hash of the state of a crowd: what later ticks depend on, as one number.
//!
//! Each part of the state feeds what it means to a [`Digest`]: numbers, never addresses, capacities or the order of a
//! hash table. Caches and scratch are left out. Each unit has a hash of its own, which includes its slot; the hash of
//! the crowd contains the sum of these, so a tick renews the hashes of the units that were awake, and of no other unit.

use giveway_core::{Digest, Edits, NodeId};

use crate::state::State;
use giveway_members::class_id::ClassId;
use giveway_members::roster::Slot;
use giveway_members::world::AnyClass;

/// What is known of the hash of a crowd: a cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hashes {
    digest: Digest,
    /// By slot.
    units: Vec<UnitHash>,
    /// The sum of the hashes of the units.
    sum: u64,
    spaces: Vec<SpaceHash>,
    /// Of the settings; `None`: not computed yet.
    settings: Option<u64>,
    /// For use again.
    touched: Vec<Slot>,
}

/// The hash of one unit.
#[derive(Clone, Copy, Debug, Default)]
struct UnitHash {
    /// Of its plan.
    plan: u64,
    /// Of all of it; 0: the slot is empty.
    whole: u64,
}

/// The hash of the space of a class: the sum of the hashes of its nodes.
#[derive(Clone, Debug)]
struct SpaceHash {
    revision: u64,
    sum: u64,
    /// Of what the class says that never changes.
    rules: u64,
    /// By node; empty: the space is not expected to change.
    nodes: Vec<u64>,
}

impl State<'_> {
    /// The hash of the state, with the help of what `hashes` knows.
    pub(crate) fn hash(&mut self, hashes: &mut Hashes) -> u64 {
        let mut touched = std::mem::take(&mut hashes.touched);
        let plans_known = self.ledger.take_changed_plans(&mut touched);
        let with_plans = touched.len();
        let members_known = self.roster.take_changed(&mut touched);
        if plans_known && members_known {
            hashes.units.resize_with(self.roster.bound(), UnitHash::default);
            touched[..with_plans].iter().for_each(|slot| hashes.look_at_plan(self, *slot));
            touched.retain(|slot| !self.roster.is_awake(*slot));
            touched.extend_from_slice(self.roster.all_awake());
        } else {
            hashes.units.clear();
            hashes.units.resize_with(self.roster.bound(), UnitHash::default);
            hashes.sum = 0;
            touched.clear();
            touched.extend(self.roster.slots());
            touched.iter().for_each(|slot| hashes.look_at_plan(self, *slot));
        }
        touched.iter().for_each(|slot| hashes.look_at(self, *slot));
        touched.clear();
        hashes.touched = touched;
        self.look_at_spaces(hashes);
        self.hash_with(hashes)
    }

    /// The hash of the state, from nothing.
    pub(crate) fn hash_anew(&self) -> u64 {
        let mut hashes = Hashes::default();
        let units = self.roster.slots().into_iter().map(|slot| self.unit_hash(slot));
        hashes.sum = units.fold(0, u64::wrapping_add);
        self.look_at_spaces(&mut hashes);
        self.hash_with(&mut hashes)
    }

    /// The hash of the unit at `slot`, which has a member.
    pub(crate) fn unit_hash(&self, slot: Slot) -> u64 {
        let mut digest = Digest::new();
        self.ledger.plan(slot).feed(&mut digest);
        let plan = digest.finish();
        self.whole_hash(slot, plan, &mut digest)
    }

    fn whole_hash(&self, slot: Slot, plan: u64, digest: &mut Digest) -> u64 {
        #[allow(clippy::cast_possible_truncation)] // slots have 32 bits
        digest.pair(slot.index() as u32, u32::from(self.roster.sleeps(slot)));
        self.roster[slot].feed(digest);
        digest.word(plan);
        digest.finish()
    }

    fn hash_with(&self, hashes: &mut Hashes) -> u64 {
        let Self { settings, clock, world, roster, ledger, jam, shortage, currents, stopped_paths, standing, .. } =
            self;
        let Hashes { digest, sum, spaces, settings: known, .. } = hashes;
        let settings = *known.get_or_insert_with(|| {
            digest.text(&format!("{settings:?}"));
            digest.finish()
        });
        digest.word(settings);
        digest.pair(clock.now, clock.ticks_per_step);
        digest.pair(ledger.longest_window(), roster.next_id().map_or(u32::MAX, |id| id.0));
        for (id, space) in (0..).map(ClassId).zip(spaces) {
            digest.word(space.rules);
            digest.word(space.sum);
            world.feed(id, digest);
        }
        for area in &world.vacating {
            digest.text(&format!("{area:?}"));
        }
        roster.feed(digest);
        jam.feed(digest);
        shortage.feed(digest);
        currents.feed(digest);
        for (agent, legs) in stopped_paths {
            digest.word(agent.0.into());
            legs.iter().for_each(|leg| leg.feed(digest));
        }
        self.feed_outsiders(digest);
        standing.feed(digest);
        digest.word(*sum);
        digest.finish()
    }

    fn look_at_spaces(&self, hashes: &mut Hashes) {
        let Hashes { digest, spaces, .. } = hashes;
        for (index, id) in (0..).map(ClassId).take_while(|id| self.world.get(*id).is_some()).enumerate() {
            let class = &self.world[id];
            match spaces.get_mut(index) {
                Some(space) => space.keep_up(class, digest),
                None => spaces.push(SpaceHash::new(class, digest)),
            }
        }
    }
}

impl Hashes {
    fn look_at_plan(&mut self, state: &State<'_>, slot: Slot) {
        let Self { digest, units, .. } = self;
        state.ledger.plan(slot).feed(digest);
        units[slot.index()].plan = digest.finish();
    }

    /// Renews the hash of the unit at `slot`. The hash of its plan is known.
    fn look_at(&mut self, state: &State<'_>, slot: Slot) {
        let Self { digest, units, sum, .. } = self;
        let unit = &mut units[slot.index()];
        let before = unit.whole;
        unit.whole = if state.roster.has(slot) { state.whole_hash(slot, unit.plan, digest) } else { 0 };
        *sum = sum.wrapping_sub(before).wrapping_add(unit.whole);
    }
}

impl SpaceHash {
    fn new(class: &dyn AnyClass, digest: &mut Digest) -> Self {
        class.feed_rules(digest);
        let mut space = Self { revision: 0, sum: 0, rules: digest.finish(), nodes: Vec::new() };
        space.begin(class, class.is_editable(), digest);
        space
    }

    /// Looks at all nodes; `changes`: the space is expected to change.
    fn begin(&mut self, class: &dyn AnyClass, changes: bool, digest: &mut Digest) {
        let bound = class.node_bound();
        self.revision = class.revision();
        self.nodes.clear();
        let mut sum = 0_u64;
        // Node ids have 32 bits.
        for node in (0..u32::try_from(bound).unwrap_or(u32::MAX)).map(NodeId) {
            class.feed_node(node, digest);
            let hash = digest.finish();
            sum = sum.wrapping_add(hash);
            if changes {
                self.nodes.push(hash);
            }
        }
        self.sum = sum.wrapping_add(bound as u64);
    }

    fn keep_up(&mut self, class: &dyn AnyClass, digest: &mut Digest) {
        if self.revision == class.revision() {
            return;
        }
        let Edits::Nodes(nodes) = class.edits_since(self.revision) else { return self.begin(class, true, digest) };
        if self.nodes.is_empty() {
            return self.begin(class, true, digest);
        }
        for node in nodes {
            let Some(known) = self.nodes.get_mut(node.index()) else { continue };
            class.feed_node(*node, digest);
            let before = std::mem::replace(known, digest.finish());
            self.sum = self.sum.wrapping_sub(before).wrapping_add(*known);
        }
        self.revision = class.revision();
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::{Agent, AgentId, Area, CellId, Entry, Point, Rank, Span, Ticks};
    use giveway_spaces::Grid;

    use super::*;
    use crate::crowd::Crowd;
    use crate::ledger::Schedule;
    use crate::settings::CrowdSettings;
    use crate::standing::{Aim, Approach, Follow, Group, Marcher, Pursuit, Round, Route, Stages, Standing, Target};
    use crate::{Budget, Chain, Class, Planner};
    use giveway_members::clock::Clock;
    use giveway_members::leg::Leg;
    use giveway_members::roster::{Patience, TurnTerms};

    type Change = (&'static str, fn(&mut State<'static>));

    const SLOT: Slot = Slot::at(0);
    const CLOCK: Clock = Clock { now: 9, ticks_per_step: 1 };

    /// What no call changes on its own.
    const CHANGES: &[Change] = &[
        ("nothing", |_| {}),
        ("work in vain", |state| state.jam.waste(7)),
        ("a joint plan", |state| state.jam.plan(70)),
        ("no joint plan", |state| state.jam.fail()),
        ("an order lately", |state| state.jam.note_order(AgentId(1))),
        ("an order of another unit", |state| state.jam.note_order(AgentId(0))),
        ("the price of a window", |state| state.shortage.pay(500, true)),
        ("work for each", |state| state.shortage.note_work(70, 9)),
        ("a shortage", |state| state.shortage.begin(CLOCK)),
        ("a shortage of steps", |state| state.shortage.note_steps(CLOCK)),
        ("strain", |state| state.shortage.note_strain(true, CLOCK)),
        ("long moves", |state| state.world.note_move(ClassId(0), &Leg::moving(NodeId(0), NodeId(1), 0, 4, 0))),
        ("a site", |state| state.world.vacating.push(Area::cells(1, 1, 2, 2).unwrap())),
        ("a current", |state| state.currents.begin_for_test(CLOCK)),
        ("a current in trial", |state| state.currents.try_for_test()),
        ("turns", |state| take_turns(state, Patience::Long, 0)),
        ("turns of the patient", |state| take_turns(state, Patience::Endless, 0)),
        ("turns of the impatient", |state| take_turns(state, Patience::Short, 0)),
        ("turns of those with rare windows", |state| take_turns(state, Patience::Rare, 0)),
        ("turns after a shortage", |state| take_turns(state, Patience::Long, 3)),
        ("a turn", |state| state.roster.set_turn(SLOT, 20, 20)),
        ("due", |state| state.roster[SLOT].turn.set_due(Some(12))),
        ("a place in the queue", |state| state.roster[SLOT].turn.set_place(3)),
        ("tried", |state| state.roster[SLOT].turn.try_at(8)),
        ("a way that is known since later", |state| {
            state.roster[SLOT].turn.note_way(false, 7);
            state.roster[SLOT].turn.note_way(true, 8);
        }),
        ("half a window", |state| state.roster[SLOT].window.save(false)),
        ("thrift", |state| state.roster[SLOT].window.save(true)),
        ("stopped", |state| state.roster[SLOT].window.stop(true)),
        ("attempts", |state| state.roster[SLOT].window.note_failed(2)),
        ("a first distance", |state| state.roster[SLOT].journey.note(4.0)),
        ("served", |state| state.roster[SLOT].journey.serve(5)),
        ("stands", |state| state.roster[SLOT].journey.pass_by(NodeId(3), 5)),
        ("a host", |state| state.roster[SLOT].journey.serve_host(AgentId(1), 30)),
        ("shut in", |state| state.roster[SLOT].journey.seek(NodeId(3), false, CLOCK)),
        ("shut in for longer", |state| {
            state.roster[SLOT].journey.seek(NodeId(3), false, Clock { now: 7, ..CLOCK });
            state.roster[SLOT].journey.seek(NodeId(3), false, CLOCK);
        }),
        ("agitation", |state| state.roster[SLOT].itinerary.agitate()),
        ("a route", |state| state.roster[SLOT].itinerary.set_route(vec![Leg::moving(NodeId(0), NodeId(1), 0, 1, 0)])),
        ("a step of a route", |state| state.roster[SLOT].itinerary.begin_step()),
        ("stuck", |state| state.roster[SLOT].set_stuck(true)),
        ("nearer", |state| state.roster[SLOT].approach.moved(Some(0.5), 1, 3)),
        ("lost sight", |state| state.roster[SLOT].approach.lose_sight(3)),
        ("put off", |state| state.roster[SLOT].approach.put_off()),
        ("up to date", |state| {
            let member = &mut state.roster[SLOT];
            member.approach.lose_sight(3);
            member.approach.plan();
        }),
        ("arrived", |state| state.roster[SLOT].order.set_arrived(true)),
        ("no claim", |state| state.roster[SLOT].order.disclaim()),
        ("elsewhere", |state| state.roster[SLOT].motion.put(NodeId(2), 9)),
        ("begun", |state| begin(state, Leg::moving(NodeId(0), NodeId(1), 8, 12, 0), &[])),
        ("begun another move to the same place", |state| {
            begin(state, Leg::moving(NodeId(0), NodeId(1), 8, 12, 1), &[]);
        }),
        ("begun a shortcut", |state| begin(state, Leg::straight(NodeId(0), NodeId(1), 8, 12, 1.0), &[])),
        ("begun a longer shortcut", |state| begin(state, Leg::straight(NodeId(0), NodeId(1), 8, 12, 2.0), &[])),
        ("held on the way", |state| {
            begin(state, Leg::moving(NodeId(0), NodeId(1), 8, 12, 0), &[]);
            state.roster[SLOT].motion.pause(9, 3);
        }),
        ("later on the way", |state| {
            begin(state, Leg::moving(NodeId(0), NodeId(1), 8, 12, 0), &[]);
            state.roster[SLOT].motion.pause(10, 3);
        }),
        ("held on a node", |state| state.roster[SLOT].motion.stay(Span::new(9, 14), &[], &[])),
        ("held on a node for longer", |state| state.roster[SLOT].motion.stay(Span::new(9, 15), &[], &[])),
        ("reports its moves", |state| state.roster[SLOT].motion.set_reported(true)),
        ("is done", |state| {
            state.roster[SLOT].motion.set_reported(true);
            state.roster[SLOT].motion.note_done();
        }),
        ("begun and held", |state| {
            let entry = Entry { cell: CellId(1), span: Span::new(8, 12) };
            begin(state, Leg::moving(NodeId(0), NodeId(1), 8, 12, 0), &[entry]);
        }),
        ("a chain", |state| state.roster[SLOT].set_chain(Chain::new(Planner::Pibt))),
        ("a rank", |state| {
            let plan = state.ledger.plan(SLOT).clone();
            state.ledger.hold(SLOT, Rank(7, 7), &[]).unwrap();
            state.ledger.change_plan(SLOT, plan);
        }),
        ("a plan by another planner", |state| {
            let plan = state.ledger.plan(SLOT).clone().by(Planner::Lacam);
            state.ledger.change_plan(SLOT, plan);
        }),
        ("a follower", |state| follow(state, |_| {})),
        ("a follower of a place", |state| follow(state, |pursuit| pursuit.target = Target::Place(NodeId(1)))),
        ("a follower at a distance", |state| follow(state, |pursuit| pursuit.follow = Follow::new().within(2.0))),
        ("a follower without foresight", |state| follow(state, |pursuit| pursuit.follow = Follow::new().trailing())),
        ("a follower until then", |state| follow(state, |pursuit| pursuit.follow = Follow::new().once())),
        ("a follower with an aim", |state| {
            follow(state, |pursuit| pursuit.aim = Some(Aim { node: NodeId(1), stays: false }));
        }),
        ("a follower beside its target", |state| {
            follow(state, |pursuit| pursuit.aim = Some(Aim { node: NodeId(1), stays: true }));
        }),
        ("a follower that holds", |state| follow(state, |pursuit| pursuit.held = Some((1.0, NodeId(1))))),
        ("a follower without a place", |state| follow(state, |pursuit| pursuit.failed = Some(3))),
        ("a follower in reach", |state| follow(state, |pursuit| pursuit.in_reach = true)),
        ("a patrol", |state| route(state, |_| {})),
        ("a patrol to and fro", |state| {
            route(state, |route| {
                *route = Route::patrol(Stages::from([NodeId(1), NodeId(2), NodeId(3)]), Round::ToAndFro);
            });
        }),
        ("a patrol that waits", |state| {
            route(state, |route| {
                *route = Route::patrol(Stages::from([NodeId(1), NodeId(2), NodeId(3)]).waiting(), Round::Around);
            });
        }),
        ("a patrol that has come farther", |state| route(state, |route| route.go_on(true))),
        ("a patrol that has skipped", |state| route(state, |route| route.go_on(false))),
        ("a patrol under way", |state| route(state, |route| route.is_sent = true)),
        ("a patrol that is there", |state| route(state, |route| route.is_reached = true)),
        ("a patrol that tries again", |state| route(state, |route| route.failed = Some(3))),
        ("a queue", |state| {
            route(state, |route| {
                *route = Route::queue();
                route.append(Stages::from([NodeId(1), NodeId(2), NodeId(3)]));
            });
        }),
        ("an approach", |state| {
            state.standing.give(AgentId(0), Standing::Approach(Approach { range: 2.0 }));
        }),
        ("an approach from afar", |state| {
            state.standing.give(AgentId(0), Standing::Approach(Approach { range: 3.0 }));
        }),
        ("a group", |state| group(state, 3.0, None)),
        ("a wider group", |state| group(state, 4.0, None)),
        ("a group that waits", |state| group(state, 3.0, Some(1.0))),
        ("no plan", |state| drop(state.ledger.change_plan(SLOT, Schedule::default()))),
    ];

    fn take_turns(state: &mut State<'_>, patience: Patience, over_for: Ticks) {
        let terms = TurnTerms { fits_knots: true, is_short: false, patience, over_for };
        state.roster.take_turns(CLOCK, vec![terms], |_, _| {});
    }

    fn follow(state: &mut State<'_>, change: impl Fn(&mut Pursuit)) {
        let mut pursuit = Pursuit::new(Target::Agent(AgentId(1)), Follow::new());
        change(&mut pursuit);
        state.standing.give(AgentId(0), Standing::Follow(pursuit));
    }

    fn route(state: &mut State<'_>, change: impl Fn(&mut Route)) {
        let mut route = Route::patrol(Stages::from([NodeId(1), NodeId(2), NodeId(3)]), Round::Around);
        change(&mut route);
        state.standing.give(AgentId(0), Standing::Route(route));
    }

    fn group(state: &mut State<'_>, spread: f64, held: Option<f64>) {
        let marcher = |agent| Marcher { agent: AgentId(agent), goals: giveway_core::Goals::one(NodeId(4)), held };
        state.standing.set_out(Group { spread, of: vec![marcher(0), marcher(1)] });
    }

    fn begin(state: &mut State<'_>, leg: Leg, held: &[Entry]) {
        state.roster[SLOT].motion.begin(leg, None, held, None, 9);
    }

    #[test]
    fn every_part_of_the_state_counts() {
        let grid = Grid::open(6, 4).unwrap();
        let mut crowd: Crowd<'static> = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
        for (start, goal) in [(0, 23), (5, 18)] {
            crowd.add(class, Agent::new(NodeId(start), NodeId(goal))).unwrap();
        }
        (0..2).for_each(|_| drop(crowd.tick(Budget::unlimited())));
        crowd.state_hash();
        let mut hashes: Vec<(&str, u64)> = Vec::new();
        for (name, change) in CHANGES {
            let mut crowd = crowd.clone();
            change(&mut crowd.state);
            // Compares with the hash from nothing, too.
            let hash = crowd.state_hash();
            assert_eq!(hashes.iter().find(|(_, other)| *other == hash), None, "{name}");
            hashes.push((name, hash));
        }
    }
}
