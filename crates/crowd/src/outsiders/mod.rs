//! Outsiders: agents that the game moves, and whose paths are only predicted.
//!
//! Where an outsider may be within its margin, its agent holds the places above all ranks, as far ahead as the margin
//! says. Who is in the way moves out of the way in time, and nobody plans to go there. What is held is found anew at
//! each step, from where the outsider really is: so it holds nothing that it cannot reach in time.

mod area;
mod margin;
mod written;

use giveway_core::{AgentId, Cells, Digest, Entry, FOREVER, NodeId, Span, Tick};

use crate::ledger::Schedule;
use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::rank::FIRM;
use giveway_members::roster::Slot;

pub use margin::Margin;

/// What is expected of an outsider.
#[derive(Clone, Debug)]
pub(crate) struct Prediction {
    agent: AgentId,
    /// Where the path begins.
    at: NodeId,
    /// The moves of the path.
    path: Vec<Leg>,
    margin: Margin,
    /// When it was last where it was expected: since then the margin grows.
    since: Tick,
    /// When its places were last reserved; `None`: that has to be done anew.
    reserved: Option<Tick>,
}

impl Prediction {
    /// `agent` is expected to make the moves of `path`, which begins on `at`.
    pub(crate) fn new(agent: AgentId, at: NodeId, path: Vec<Leg>, margin: Margin, now: Tick) -> Self {
        Self { agent, at, path, margin, since: now, reserved: None }
    }

    /// Whether it is about `agent`.
    pub(crate) fn is_of(&self, agent: AgentId) -> bool {
        self.agent == agent
    }

    /// How many moves off its path it may be at `tick`.
    fn moves_off(&self, tick: Tick) -> u32 {
        self.margin.at(tick.saturating_sub(self.since))
    }

    /// The node where the path has come to after `moves` moves.
    fn station(&self, moves: usize) -> NodeId {
        moves.checked_sub(1).map_or(self.at, |last| self.path[last].to)
    }

    /// Where it is expected to be at `tick`, each with the moves that it may be off from there. Where it
    /// has come from counts, too, since it may be late.
    fn centers(&self, tick: Tick) -> Vec<(NodeId, u32)> {
        let off = self.moves_off(tick);
        let ended = self.path.partition_point(|leg| leg.arrive <= tick);
        let under_way = self.path.get(ended).filter(|leg| leg.depart < tick);
        let behind = (0..=off).zip((0..=ended).rev()).map(|(back, station)| (self.station(station), off - back));
        under_way.map(|leg| (leg.to, off)).into_iter().chain(behind).collect()
    }

    /// The first tick after `tick` at which the [centers](Self::centers) may be others. `None`: they remain.
    fn changes_after(&self, tick: Tick) -> Option<Tick> {
        let ended = self.path.partition_point(|leg| leg.arrive <= tick);
        let of_path =
            self.path.get(ended).map(|leg| if leg.depart >= tick { leg.depart.saturating_add(1) } else { leg.arrive });
        let age = tick.saturating_sub(self.since);
        let of_margin = self.margin.grows_after(age).and_then(|age| self.since.checked_add(age));
        of_path.into_iter().chain(of_margin).min()
    }

    /// Whether it is expected exactly on `node` at `tick`.
    fn expects(&self, node: NodeId, tick: Tick) -> bool {
        let ended = self.path.partition_point(|leg| leg.arrive <= tick);
        let under_way = self.path.get(ended).filter(|leg| leg.depart < tick);
        self.station(ended) == node || under_way.is_some_and(|leg| leg.to == node)
    }

    /// The node where the path ends.
    pub(crate) fn end(&self) -> NodeId {
        self.station(self.path.len())
    }

    /// Forgets moves that have been over for long.
    fn forget_before(&mut self, now: Tick) {
        let ended = self.path.partition_point(|leg| leg.arrive <= now);
        let gone = ended.saturating_sub(margin::MOST_MOVES as usize);
        self.at = self.station(gone);
        self.path.drain(..gone);
    }

    fn feed(&self, digest: &mut Digest) {
        digest.pair(self.agent.0, self.at.0);
        digest.pair(self.since, self.reserved.unwrap_or(FOREVER));
        self.margin.feed(digest);
        digest.word(self.path.len() as u64);
        self.path.iter().for_each(|leg| leg.feed(digest));
    }
}

impl State<'_> {
    /// Where among the outsiders `agent` is, or would be.
    fn place_of(&self, agent: AgentId) -> Result<usize, usize> {
        self.outsiders.binary_search_by_key(&agent, |prediction| prediction.agent)
    }

    /// Whether the game moves `agent`, and its path is only predicted.
    pub(crate) fn is_outsider(&self, agent: AgentId) -> bool {
        self.place_of(agent).is_ok()
    }

    /// How far off its path `agent` may be; `None`: it is no outsider.
    pub(crate) fn margin_of(&self, agent: AgentId) -> Option<Margin> {
        let place = self.place_of(agent).ok()?;
        Some(self.outsiders[place].margin)
    }

    /// Makes the agent at `slot` an outsider of which `prediction` is expected, and which begins the move `announced`.
    pub(crate) fn begin_prediction(&mut self, slot: Slot, prediction: Prediction, announced: Option<Leg>) {
        self.expect(prediction);
        self.roster.wake(slot);
        let member = &mut self.roster[slot];
        member.set_goes_along(true);
        member.turn.try_at(self.clock.now);
        self.ledger.change_plan(slot, Schedule::new(announced.into_iter().collect(), None));
        self.reserve_around(slot);
    }

    /// Notes what is expected of an agent, in place of what was.
    fn expect(&mut self, prediction: Prediction) {
        match self.place_of(prediction.agent) {
            Ok(place) => self.outsiders[place] = prediction,
            Err(place) => self.outsiders.insert(place, prediction),
        }
    }

    /// Forgets what is expected of `agent`.
    pub(crate) fn expect_nothing(&mut self, agent: AgentId) {
        self.outsiders.retain(|prediction| prediction.agent != agent);
    }

    /// The outsiders other than `agent`.
    pub(crate) fn outsiders_but(&self, agent: AgentId) -> Vec<AgentId> {
        self.outsiders.iter().map(|prediction| prediction.agent).filter(|other| *other != agent).collect()
    }

    /// Makes the outsider at `slot` reserve its places anew before agents plan. It has no plan, or has lost it.
    pub(crate) fn lose_sight(&mut self, slot: Slot) {
        self.ledger.change_plan(slot, Schedule::default());
        self.reserve_soon(slot);
    }

    /// Whether the agent at `slot` is an outsider with a move to come, and can begin it.
    pub(crate) fn can_begin_announced(&self, slot: Slot) -> bool {
        let member = &self.roster[slot];
        let Some(leg) = self.announced(slot).filter(|_| self.is_outsider(member.id())) else { return false };
        let mut taken = Vec::new();
        self.class(slot).sweep(&leg, &mut taken);
        self.class(slot).allows(&leg) && self.ledger.holds(&taken, member.id(), self.clock.now)
    }

    /// Makes the outsider at `slot` reserve its places anew before agents plan.
    pub(crate) fn reserve_soon(&mut self, slot: Slot) {
        let agent = self.roster[slot].id();
        if let Ok(place) = self.place_of(agent) {
            self.outsiders[place].reserved = None;
        }
    }

    /// The move that the outsider at `slot` begins at the next tick.
    pub(crate) fn announced(&self, slot: Slot) -> Option<Leg> {
        self.ledger.plan(slot).move_at(self.clock.now).copied()
    }

    /// What the outsider at `slot` takes by `leg`, and by staying at its end.
    pub(crate) fn room_of_announced(&self, slot: Slot, leg: &Leg) -> Vec<Entry> {
        let mut room = Vec::new();
        self.class(slot).sweep(leg, &mut room);
        self.class(slot).sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut room);
        room
    }

    /// Reserves the places of all outsiders for which it is time: at each step, and after what has happened to them.
    pub(crate) fn watch_outsiders(&mut self) {
        let now = self.clock.now;
        for index in 0..self.outsiders.len() {
            let Prediction { agent, reserved, .. } = self.outsiders[index];
            let is_due = reserved.is_none_or(|then| now >= then.saturating_add(self.clock.ticks_per_step));
            if let Some(slot) = self.roster.slot(agent).filter(|_| is_due) {
                self.reserve_around(slot);
            }
        }
    }

    /// Reserves, above all ranks, where the outsider at `slot` may be within its margin, at the expense of all agents
    /// that make way.
    pub(crate) fn reserve_around(&mut self, slot: Slot) {
        let (agent, now) = (self.roster[slot].id(), self.clock.now);
        let Ok(place) = self.place_of(agent) else { return };
        self.look_around();
        // Somebody may have been put in the way, or held there, since the move was announced.
        let is_open = |leg: &Leg| {
            let room = self.room_of_announced(slot, leg);
            self.ledger.presence().is_none_or(|presence| presence.meets(agent, &room).is_none())
        };
        let announced = self.announced(slot).filter(is_open);
        let motion = &self.roster[slot].motion;
        let (node, free) = announced.map_or_else(|| motion.free_at(now), |leg| (leg.to, leg.arrive));

        let mut prediction = std::mem::replace(
            &mut self.outsiders[place],
            Prediction::new(agent, node, Vec::new(), Margin::new(0), now),
        );
        prediction.forget_before(now);
        if prediction.expects(node, free) {
            prediction.since = now;
        } else if !area::is_within(self.class(slot), &prediction, node, free) {
            // The prediction has failed. From now on the outsider may go anywhere from where it is.
            prediction = Prediction::new(agent, node, Vec::new(), prediction.margin, now);
        }
        prediction.reserved = Some(now);
        let ahead = prediction.margin.ticks_ahead(self.ledger.longest_window());
        let until = free.saturating_add(ahead.max(self.clock.ticks_per_step)).min(FOREVER - 1);
        let mut entries = area::entries(self, slot, &prediction, (node, free), until);
        self.outsiders[place] = prediction;

        self.ledger.release(slot, now);
        let mut evicted = self.keep_motion(slot);
        if let Some(leg) = announced {
            let mut taken = Vec::new();
            self.class(slot).sweep(&leg, &mut taken);
            evicted.append(&mut self.ledger.evict(slot, &taken));
            // Another one may still be put there.
            let held = self.ledger.hold(slot, FIRM, &taken);
            debug_assert!(held.is_ok(), "{held:?}");
        }
        self.leave_to_others(slot, &mut entries);
        let taken = self.ledger.take(slot, FIRM, &entries, &mut evicted);
        debug_assert!(taken.is_ok(), "{taken:?}");
        self.ledger.change_plan(slot, Schedule::new(announced.into_iter().collect(), None));
        for other in self.roster.slots_of(evicted) {
            self.lose_plan(other, now);
        }
    }

    /// Takes away from `entries` what `slot` cannot have: what others hold that make no way; and for the time of a move
    /// the places where others are, so that they can leave.
    fn leave_to_others(&self, slot: Slot, entries: &mut Vec<Entry>) {
        let (agent, now) = (self.roster[slot].id(), self.clock.now);
        let longest = self.world.longest_move().max(self.world.longest_step().unwrap_or(1));
        let Some(presence) = self.ledger.presence() else { return };
        let mut left = Vec::with_capacity(entries.len());
        // The footprint may be for another space.
        let bound = self.world.cells().map_or(0, Cells::bound);
        entries.retain(|entry| entry.cell.index() < bound);
        for mut entry in entries.drain(..) {
            entry.span.start = entry.span.start.max(now);
            for (span, other) in presence.in_cell(entry.cell) {
                if other != agent && span.end > now {
                    let leaves = span.end.min(span.start.max(now).saturating_add(longest));
                    entry.span.start = entry.span.start.max(leaves);
                }
            }
            if entry.span.is_empty() {
                continue;
            }
            let mut from = entry.span.start;
            self.ledger.reservations().for_each_holder(&entry, &mut |span, other, yields| {
                if other != agent && !yields {
                    if from < span.start {
                        left.push(Entry { span: Span::new(from, span.start), ..entry });
                    }
                    from = from.max(span.end);
                }
            });
            if from < entry.span.end {
                left.push(Entry { span: Span::new(from, entry.span.end), ..entry });
            }
        }
        *entries = left;
    }

    /// Adds what is expected of outsiders to `digest`.
    pub(crate) fn feed_outsiders(&self, digest: &mut Digest) {
        self.outsiders.iter().for_each(|prediction| prediction.feed(digest));
    }
}
