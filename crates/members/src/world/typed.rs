//! Classes behind [`AnyClass`]: here the types of a class are erased; `any_class.rs` is what remains of them.

mod edit_log;

use std::any::{Any, TypeId};
use std::ops::ControlFlow;
use std::sync::Arc;

use giveway_core::heuristic::HeuristicSource;
use giveway_core::{
    AgentId, Area, Asker, AtEnd, Cells, Change, Copies, Cost, CostLayer, Digest, Edits, Entry, FOREVER, Footprint,
    Fuel, Garbled, Goals, Heuristic, Motion, MotionIn, MoveIn, NoPath, NodeId, PathIn, Query, Scene, SpaceGraph,
    SpaceTimeSearch, Suspended, SyncSpace, Tick, Ticks, TooCoarse, TracedBody, Trajectory, WordReader, Words,
};

use num_traits::Zero as _;

use super::any_class::{Answer, AnyClass, Found, Question};
use super::common::Common;
use super::currents::{Current, Guides};
use super::descent::descend;
use super::parts::{Editing, Embedded, Parts};
use crate::chain::{Chain, read_routing, write_routing};
use crate::depth::Depth;
use crate::leg::Leg;
use crate::manners::Manners;
use crate::store::Store;
use edit_log::{Edit, EditLog};
use giveway_strategies::{NoPlan, Router, Routing, Terrain, Trip};

/// Windows look so many plain steps ahead at least, also where estimates may end before: how many moves there are is a
/// guess where moves cost and take less or more than usual ones.
const LEAST_REACH: Ticks = 32;

/// A class and the memory of its search. What never changes is shared by clones.
pub(super) struct Typed<'a, S: SpaceGraph, F, H, L> {
    space: Common<'a, S>,
    footprint: Common<'a, F>,
    heuristics: Guides<S, H>,
    layer: L,
    embedding: Option<Embedded<S>>,
    body: Option<Arc<TracedBody>>,
    edits: Option<Editing<S>>,
    /// The edits since the class was added.
    edit_log: EditLog,
    chain: Option<Arc<Chain>>,
    step: Option<Ticks>,
    depth: Option<Depth>,
    /// One router for each routing asked for so far.
    routers: Vec<Router<S>>,
    search: SpaceTimeSearch<S::Action, S::Cost>,
    /// The last descent.
    path: PathIn<S>,
    /// The last plan.
    found: Found,
    /// The agent of the last search.
    asked: Option<AgentId>,
    copying: Option<Copying<H, L>>,
}

impl<S: SpaceGraph, F, H, L> Typed<'_, S, F, H, L> {
    /// The index of the router for `routing`.
    fn router(&mut self, routing: Routing) -> usize {
        let Self { embedding, routers, .. } = self;
        let known = routers.iter().position(|router| router.routing() == routing);
        known.unwrap_or_else(|| {
            let router = Router::new(routing);
            let position = embedding.as_ref().map(|embedded| embedded.position);
            routers.push(match position {
                Some(position) => router.positions(position),
                None => router,
            });
            routers.len() - 1
        })
    }
}

/// Clones heuristics and a layer.
pub type Copying<H, L> = fn(&H, &L) -> (H, L);

impl<'a, S: SpaceGraph, F, H, L> Typed<'a, S, F, H, L> {
    /// Without `copying` the crowd must not be cloned.
    fn new(parts: Parts<'a, S, F, H, L>, copying: Option<Copying<H, L>>) -> Self {
        let Parts { space, footprint, heuristics, layer, embedding, body, edits, chain, step, depth } = parts;
        Self {
            space: space.into(),
            footprint: footprint.into(),
            heuristics: Guides::new(heuristics, embedding.as_ref().map(|embedded| embedded.position)),
            layer,
            embedding,
            body: body.map(Arc::new),
            edits,
            edit_log: EditLog::default(),
            chain,
            step,
            depth,
            routers: Vec::new(),
            search: SpaceTimeSearch::new(),
            path: nowhere::<S>(),
            found: Found::default(),
            asked: None,
            copying,
        }
    }

    /// A copy whose layer is not detached yet. The memory of the last search is left behind: only the tick of that
    /// search needs it.
    fn copied(&self) -> Option<Self> {
        let (own, layer) = self.copying?(self.heuristics.own(), &self.layer);
        Some(Self {
            space: self.space.clone(),
            footprint: self.footprint.clone(),
            heuristics: self.heuristics.copied(own),
            layer,
            body: self.body.clone(),
            edit_log: self.edit_log.clone(),
            chain: self.chain.clone(),
            routers: self.routers.clone(),
            search: SpaceTimeSearch::new(),
            path: nowhere::<S>(),
            found: Found::default(),
            asked: None,
            ..*self
        })
    }
}

/// Erases the types of a class. Without `copying` the crowd must not be cloned.
pub fn erase<'a, S, F, H, L>(parts: Parts<'a, S, F, H, L>, copying: Option<Copying<H, L>>) -> Box<dyn AnyClass + 'a>
where
    S: SyncSpace + 'a,
    F: Footprint<S> + Send + Sync + 'a,
    H: HeuristicSource<S> + Send + Sync + 'a,
    L: CostLayer<S> + Send + Sync + 'a,
{
    Box::new(Typed::new(parts, copying))
}

impl<S: SpaceGraph, F: Footprint<S>, H, L> Typed<'_, S, F, H, L> {
    /// The move that `leg` is. `None`: the leg is a rest, or the space has changed and no longer has this move.
    fn move_of(&self, leg: &Leg) -> Option<MoveIn<S>> {
        let space: &S = &self.space;
        leg.in_space(space, self.footprint.ticks_per_step().max(1))
    }
}

impl<S, F, H, L> AnyClass for Typed<'_, S, F, H, L>
where
    S: SyncSpace,
    F: Footprint<S> + Send + Sync,
    H: HeuristicSource<S> + Send + Sync,
    L: CostLayer<S> + Send + Sync,
{
    fn copy<'c>(&self, copies: &mut Copies) -> Option<Box<dyn AnyClass + 'c>>
    where
        Self: 'c,
    {
        let mut copy = self.copied()?;
        copy.layer.detach(copies);
        copy.heuristics.detach(copies);
        Some(Box::new(copy))
    }

    fn cells(&self) -> Cells {
        self.footprint.cells(&self.space)
    }

    fn ticks_per_step(&self) -> Ticks {
        self.footprint.ticks_per_step().max(1)
    }

    fn step(&self) -> Option<Ticks> {
        self.step.or_else(|| self.footprint.ticks_of_step(&self.space)).filter(|ticks| *ticks > 0)
    }

    fn revision(&self) -> u64 {
        self.space.revision()
    }

    fn edits_since(&self, revision: u64) -> Edits<'_> {
        self.space.edits_since(revision)
    }

    fn contains(&self, node: NodeId) -> bool {
        self.space.contains(node)
    }

    fn plan(
        &mut self,
        question: &Question<'_>,
        reservations: &Store,
        manners: &Manners<'_>,
        fuel: &mut Fuel,
    ) -> Answer<&Found> {
        let step = self.step().unwrap_or_default().max(self.footprint.ticks_per_step()).max(1);
        let Self { space, footprint, heuristics, layer, search, path, found, asked, .. } = self;
        *asked = None;
        let (space, footprint): (&S, &F) = (space, footprint);
        let charges = heuristics.charges();
        let mut heuristic = heuristics.heuristic(space, question.goals, question.start);
        let charges = charges.only_if(heuristic.is_priced(space, question.start));
        let mut heuristic = heuristic.begin(space);
        match heuristic.estimate(space, question.start, fuel) {
            Ok(Some(_)) => {}
            Ok(None) => return Answer { found: Err(NoPlan::Unreachable), expanded: 0 },
            Err(why) => return Answer { found: Err(why.into()), expanded: 0 },
        }
        let manners = manners.of(footprint);
        let layer = (&*layer, (&manners, &charges));
        let scene = Scene { space, footprint, reservations, layer: &layer };
        let mut stepped = 0;
        if question.descends {
            match descend(&scene, question, &mut heuristic, fuel, &mut stepped, path) {
                Ok(true) => {
                    let found = Ok(found.set(space, footprint, path, &mut heuristic));
                    return Answer { found, expanded: stepped };
                }
                Ok(false) => {}
                Err(why) => return Answer { found: Err(why.into()), expanded: stepped },
            }
        }
        *asked = Some(question.claim.agent);
        // Beyond the end of the estimates nothing is found. In narrow places it takes long to see that.
        let end = heuristic.reach(space, question.start).map(|moves| step.saturating_mul(moves.max(LEAST_REACH)));
        let ends = end.map_or(FOREVER, |end| question.depart.saturating_add(end));
        let (horizon, latest) =
            if question.to_goal { (FOREVER, question.horizon) } else { (question.horizon.min(ends), FOREVER) };
        search.begin(Query {
            depart: question.depart,
            horizon,
            latest,
            ends_on_goal: question.at_end == AtEnd::Stay,
            at_end: question.at_end,
            yields_until: question.yields_until,
            ..Query::new(question.claim, question.start, question.goals.clone())
        });
        let found = match search.advance(&scene, &mut heuristic, fuel, &mut ()) {
            Ok(path) => {
                let found = found.set(space, footprint, &path, &mut heuristic);
                search.give_back(path);
                Ok(found)
            }
            Err(NoPath::Suspended(why)) => Err(why.into()),
            Err(_) => Err(NoPlan::Blocked),
        };
        Answer { found, expanded: stepped + search.expanded() }
    }

    fn extend(
        &mut self,
        question: &Question<'_>,
        kept: &[Leg],
        reservations: &Store,
        manners: &Manners<'_>,
        fuel: &mut Fuel,
    ) -> Answer<&Found> {
        let ticks_per_step = <Self as AnyClass>::ticks_per_step(self);
        let Self { space, footprint, heuristics, layer, path, found, .. } = self;
        let (space, footprint): (&S, &F) = (space, footprint);
        let charges = heuristics.charges();
        let mut heuristic = heuristics.heuristic(space, question.goals, question.start);
        let charges = charges.only_if(heuristic.is_priced(space, question.start));
        let mut heuristic = heuristic.begin(space);
        let manners = manners.of(footprint);
        let layer = (&*layer, (&manners, &charges));
        let Question { claim, goals, depart, yields_until, .. } = *question;
        let asker = Asker { claim, goals, depart, yields_until };
        let scene = Scene { space, footprint, reservations, layer: &layer };
        let blocked = Answer { found: Err(NoPlan::Blocked), expanded: 0 };
        let mut cost = S::Cost::zero();
        for leg in kept {
            let Some(m) = leg.in_space(space, ticks_per_step) else { return blocked };
            cost = cost.plus(m.cost).plus(layer.surcharge(space, &m, leg.depart, &asker));
        }
        let (end, arrive) = kept.last().map_or((question.start, depart), |leg| (leg.to, leg.arrive));
        let (Ok(Some(here)), Ok(Some(left))) =
            (heuristic.estimate(space, question.start, fuel), heuristic.estimate(space, end, fuel))
        else {
            return blocked;
        };
        if cost.plus(left) > here {
            return blocked;
        }
        let question = Question { start: end, depart: arrive, ..*question };
        let mut stepped = 0;
        let found = match descend(&scene, &question, &mut heuristic, fuel, &mut stepped, path) {
            Ok(true) => Ok(found.set(space, footprint, path, &mut heuristic)),
            Ok(false) => Err(NoPlan::Blocked),
            Err(why) => Err(why.into()),
        };
        Answer { found, expanded: stepped }
    }

    fn route(&mut self, routing: Routing, trip: &Trip<'_>, fuel: &mut Fuel) -> Answer<Vec<Leg>> {
        let index = self.router(routing);
        let Self { space, footprint, heuristics, layer, routers, .. } = self;
        let (space, footprint): (&S, &F) = (space, footprint);
        let charges = heuristics.charges();
        let mut heuristic = heuristics.heuristic(space, trip.goals, trip.start);
        let charges = charges.only_if(heuristic.is_priced(space, trip.start));
        let layer = (&*layer, &charges);
        let terrain = Terrain { space, footprint, layer: &layer };
        let router = &mut routers[index];
        let leg = |m: &MoveIn<S>| leg_of(space, footprint, m, trip.depart);
        let found = match router.route_with(&terrain, trip, &mut heuristic, fuel, &mut ()) {
            Ok(route) => Ok(route.moves.iter().filter_map(leg).collect()),
            Err(NoPath::Suspended(why)) => Err(why.into()),
            Err(_) if trip.walls.is_empty() => Err(NoPlan::Unreachable),
            Err(_) => Err(NoPlan::Blocked),
        };
        Answer { found, expanded: router.expanded() }
    }

    fn moved(&self, leg: &Leg) {
        if self.layer.learns()
            && let Some(m) = self.move_of(leg)
        {
            self.layer.moved(&self.space, &m);
        }
    }

    fn longest(&self, agent: AgentId) -> Option<Found> {
        let Self { space, footprint, .. } = self;
        if self.asked != Some(agent) {
            return None;
        }
        let (space, footprint): (&S, &F) = (space, footprint);
        let mut found = Found::default();
        found.set_motions(space, footprint, &self.search.longest(space)?);
        Some(found)
    }

    fn sweep(&self, leg: &Leg, entries: &mut Vec<Entry>) {
        let Self { space, footprint, .. } = self;
        let space: &S = space;
        let mut collect = |motion: MotionIn<S>, depart: Tick| footprint.collect(space, &motion, depart, entries);
        let rest = |node| Motion::Rest { node, ticks: rest_of(leg.depart, leg.arrive) };
        if !leg.is_move() {
            return collect(rest(leg.to), leg.depart);
        }
        match self.move_of(leg) {
            Some(m) => collect(Motion::Move(m), leg.depart),
            None => [leg.from, leg.to].into_iter().for_each(|node| collect(rest(node), leg.depart)),
        }
    }

    fn holds_whole_moves(&self) -> bool {
        self.footprint.holds_whole_moves()
    }

    fn uniform_duration(&self) -> Option<Ticks> {
        self.footprint.uniform_duration(&self.space).filter(|_| self.space.facts().period <= 1)
    }

    fn distance(&mut self, goals: &Goals, node: NodeId, fuel: &mut Fuel) -> Result<f64, Suspended> {
        let Self { space, heuristics, .. } = self;
        let estimate = heuristics.heuristic(space, goals, node).estimate(space, node, fuel)?;
        Ok(estimate.map_or(f64::INFINITY, in_steps))
    }

    fn touch(&self, goals: &Goals, node: NodeId) -> bool {
        self.heuristics.touch(goals, node)
    }

    fn epoch(&mut self, goals: &Goals, node: NodeId) -> u64 {
        let Self { space, heuristics, .. } = self;
        heuristics.epoch(space, goals, node)
    }

    fn distances(&mut self, goals: &Goals, nodes: &[NodeId], found: &mut Vec<Option<f64>>) {
        let Self { space, heuristics, .. } = self;
        let Some(first) = nodes.first() else { return };
        let mut heuristic = heuristics.heuristic(space, goals, *first);
        found.extend(nodes.iter().map(|node| {
            let estimate = heuristic.estimate(space, *node, &mut Fuel::none()).ok()?;
            Some(estimate.map_or(f64::INFINITY, in_steps))
        }));
    }

    fn set_currents(&mut self, currents: &Arc<[Current]>) {
        let Self { space, heuristics, .. } = self;
        heuristics.set(space, currents);
    }

    fn heed_currents(&mut self, goals: &Goals, node: NodeId, moves: usize, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Self { space, heuristics, .. } = self;
        heuristics.heed(space, (goals, node), moves, fuel)
    }

    fn detour(
        &mut self,
        currents: &Arc<[Current]>,
        goals: &Goals,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<f64, Suspended> {
        let Self { space, heuristics, .. } = self;
        let Some(both) = heuristics.tried(space, currents, (goals, node), fuel)? else { return Ok(f64::INFINITY) };
        let [own, priced] = both.map(|cost| cost.map_or(f64::INFINITY, in_steps));
        Ok(if own.is_finite() { priced - own } else { f64::INFINITY })
    }

    fn period(&self) -> Ticks {
        self.space.facts().period
    }

    fn renew(&mut self, goals: &Goals, node: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Self { space, heuristics, .. } = self;
        heuristics.renew(space, goals, node, fuel)
    }

    fn revision_of(&self, goals: &Goals) -> u64 {
        self.heuristics.revision(&self.space, goals)
    }

    fn begin_tick(&mut self, work: u64) {
        self.heuristics.begin_tick(work);
    }

    fn end_tick(&mut self, asks: &mut dyn Iterator<Item = (&Goals, NodeId)>, fuel: &mut Fuel) {
        let Self { space, heuristics, .. } = self;
        heuristics.end_tick(space, asks, fuel);
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.heuristics.keep_only(needed);
    }

    fn release(&mut self, goals: &Goals) {
        self.heuristics.release(goals);
    }

    fn must_wait(&self, leg: &Leg) -> bool {
        self.move_of(leg).is_some_and(|m| !self.space.departs(&m, leg.depart))
    }

    fn allows(&self, leg: &Leg) -> bool {
        let Self { space, footprint, .. } = self;
        let space: &S = space;
        let in_time = |m: MoveIn<S>| {
            let departs = space.departs(&m, leg.depart);
            departs && footprint.duration(space, &m) == Some(leg.arrive - leg.depart)
        };
        if leg.is_move() { self.move_of(leg).is_some_and(in_time) } else { space.contains(leg.to) }
    }

    fn for_each_move(&self, from: NodeId, depart: Tick, each: &mut dyn FnMut(Leg, f64)) {
        let Self { space, footprint, .. } = self;
        let space: &S = space;
        for (m, action) in space.moves(from).zip(0..) {
            if let Some(duration) = footprint.duration(space, &m) {
                each(Leg::moving(from, m.to, depart, depart.saturating_add(duration), action), in_steps(m.cost));
            }
        }
    }

    fn space(&self) -> Option<&dyn Any> {
        self.embedding.as_ref().map(|embedded| (embedded.as_any)(&self.space))
    }

    fn position(&self, node: NodeId) -> Option<[f32; 3]> {
        let Self { space, embedding, .. } = self;
        embedding.as_ref().map(|embedded| (embedded.position)(space, node))
    }

    fn heading(&self, node: NodeId) -> f32 {
        let Self { space, embedding, .. } = self;
        embedding.as_ref().map_or(0.0, |embedded| (embedded.heading)(space, node))
    }

    fn begin(&self, leg: &Leg, entries: &mut Vec<Entry>) -> Option<Trajectory> {
        let Self { space, footprint, embedding, .. } = self;
        let space: &S = space;
        let Some(m) = self.move_of(leg) else {
            self.sweep(leg, entries);
            return None;
        };
        // Not by `collect`: footprints inline sweeps.
        let _ = footprint.sweep(space, &Motion::Move(m), leg.depart, &mut |entry| {
            entries.push(entry);
            ControlFlow::Continue(())
        });
        (embedding.as_ref()?.trajectory)(space, &m).cloned()
    }

    fn body(&self) -> Option<&TracedBody> {
        self.body.as_deref()
    }

    fn depth(&self) -> Option<Depth> {
        self.depth
    }

    fn chain(&self) -> Option<&Arc<Chain>> {
        self.chain.as_ref()
    }

    fn set_open(&mut self, node: NodeId, open: bool) -> Option<bool> {
        let Self { space, edits, edit_log, .. } = self;
        let edits = edits.as_ref()?;
        let space = space.change(edits.copy)?;
        let (before, changed) = (space.revision(), (edits.set_open)(space, node, open));
        if changed || space.revision() != before {
            edit_log.note_set_open(node, open);
        }
        Some(changed)
    }

    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        let Self { space, edits, .. } = self;
        edits.as_ref().is_some_and(|edits| (edits.needs)(space, node, closed))
    }

    fn is_editable(&self) -> bool {
        self.edits.is_some()
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        let Self { space, edits, .. } = self;
        edits.as_ref().is_some_and(|edits| (edits.is_inside)(space, node, area))
    }

    fn may_have_nodes_in(&self, area: &Area) -> bool {
        let Self { space, embedding, .. } = self;
        let Some(embedded) = embedding else { return true };
        space.nodes().any(|node| space.contains(node) && area.contains((embedded.position)(space, node)))
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        let Self { space, edits, edit_log, .. } = self;
        let Some(edits) = edits else { return false };
        let Some(space) = space.change(edits.copy) else { return false };
        let (before, changed) = (space.revision(), (edits.change)(space, area, change));
        if changed || space.revision() != before {
            edit_log.note_change(area, change);
        }
        changed
    }

    fn check_slowness(&self, slowness: f32) -> Result<(), TooCoarse> {
        self.footprint.check_slowness(&self.space, slowness)
    }

    fn reverse_expanded(&self) -> u64 {
        self.heuristics.reverse_expanded()
    }

    fn distance_bytes(&self) -> usize {
        self.heuristics.bytes()
    }

    fn node_bound(&self) -> usize {
        self.space.node_bound()
    }

    fn feed_node(&self, node: NodeId, digest: &mut Digest) {
        digest.pair(node.0, self.space.contains(node).into());
        for m in self.space.moves(node) {
            digest.pair(m.to.0, m.length.to_bits());
            digest.number(in_steps(m.cost));
        }
    }

    fn learned(&self) -> u64 {
        self.layer.learned()
    }

    fn layer_part(&self, kind: TypeId) -> Option<&dyn Any> {
        self.layer.part(kind)
    }

    fn edit_log(&self) -> &[u8] {
        self.edit_log.words()
    }

    fn edit_as(&mut self, log: &[u8]) -> Result<(), Garbled> {
        let mut words = WordReader::new(&log[self.edit_log.words().len().min(log.len())..]);
        while !words.is_at_end() {
            match EditLog::next(&mut words, self.node_bound())? {
                Edit::SetOpen(node, open) => drop(self.set_open(node, open)),
                Edit::Change(area, change) => {
                    self.change(&area, change);
                }
            }
        }
        // An edit that changes nothing was not noted.
        if self.edit_log.words() == log { Ok(()) } else { Err(Garbled::new("edits of the space")) }
    }

    fn write_to(&self, words: &mut Words) {
        self.layer.write_to(words);
        self.heuristics.write_to(&self.space, words);
        words.size(self.routers.len());
        for router in &self.routers {
            write_routing(router.routing(), words);
            router.write_to(words);
        }
    }

    fn read_from(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.layer.read_from(words)?;
        self.heuristics.read_from(&self.space, words)?;
        self.routers.clear();
        for _ in 0..words.count()? {
            let routing = read_routing(words)?;
            let router = self.router(routing);
            self.routers[router].read_from(&self.space, words)?;
        }
        Ok(())
    }

    fn write_layer(&self, words: &mut Words) {
        self.layer.write_to(words);
    }

    fn read_layer(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.layer.read_from(words)
    }
}

impl Found {
    /// Makes it `path`, with what `heuristic` knows about the way that is left after each move.
    fn set<S: SpaceGraph>(
        &mut self,
        space: &S,
        footprint: &impl Footprint<S>,
        path: &PathIn<S>,
        heuristic: &mut impl Heuristic<S>,
    ) -> &Self {
        self.set_motions(space, footprint, path);
        for leg in &mut self.legs {
            if let Ok(Some(left)) = heuristic.estimate(space, leg.to, &mut Fuel::none()) {
                leg.set_left(in_steps(left));
            }
        }
        self
    }

    /// Makes it `path`.
    fn set_motions<S: SpaceGraph>(&mut self, space: &S, footprint: &impl Footprint<S>, path: &PathIn<S>) {
        self.entries.clear();
        path.collect(space, footprint, &mut self.entries);
        self.legs.clear();
        self.legs.extend(legs_of(space, path));
    }
}

/// A path that leads nowhere.
fn nowhere<S: SpaceGraph>() -> PathIn<S> {
    PathIn::<S>::standing(NodeId(0), 0, AtEnd::Disappear)
}

fn in_steps<C: Cost>(cost: C) -> f64 {
    cost.to_f64().unwrap_or(f64::INFINITY) / C::STEP.to_f64().unwrap_or(1.0)
}

fn rest_of(depart: Tick, arrive: Tick) -> Ticks {
    if arrive == FOREVER { FOREVER } else { arrive - depart }
}

/// `m`, begun at `depart`; `None`: units with `footprint` cannot make it.
fn leg_of<S: SpaceGraph>(space: &S, footprint: &impl Footprint<S>, m: &MoveIn<S>, depart: Tick) -> Option<Leg> {
    let arrive = depart.saturating_add(footprint.duration(space, m)?);
    let (action, _) = space.find_move(m.from, m.action)?;
    Some(Leg::moving(m.from, m.to, depart, arrive, u32::try_from(action).ok()?))
}

/// The steps of `path` as legs; each move is named by its position among the moves out of its node, unless it is a
/// shortcut.
fn legs_of<'p, S: SpaceGraph>(space: &'p S, path: &'p PathIn<S>) -> impl Iterator<Item = Leg> + 'p {
    let position = move |m: &MoveIn<S>| space.find_move(m.from, m.action).map(|(index, _)| index);
    let leg = move |step: &giveway_core::Step<S::Action, S::Cost>| match &step.motion {
        Motion::Rest { node, .. } => Leg::resting(*node, step.depart, step.arrive),
        Motion::Move(m) => match position(m).and_then(|action| u32::try_from(action).ok()) {
            Some(action) => Leg::moving(m.from, m.to, step.depart, step.arrive, action),
            None => Leg::straight(m.from, m.to, step.depart, step.arrive, m.length),
        },
    };
    path.steps.iter().map(leg)
}
