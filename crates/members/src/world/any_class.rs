//! The questions of a crowd to a class with erased types, and the answers.

use std::any::{Any, TypeId};
use std::sync::Arc;

use giveway_core::{
    AgentId, Area, AtEnd, Cells, Change, Claim, Copies, Digest, Edits, Entry, Fuel, Garbled, Goals, NodeId, Suspended,
    Tick, Ticks, TooCoarse, TracedBody, Trajectory, WordReader, Words,
};

use super::currents::Current;
use crate::chain::Chain;
use crate::depth::Depth;
use crate::leg::Leg;
use crate::manners::Manners;
use crate::store::Store;
use giveway_strategies::{NoPlan, Routing, Trip};

/// The question to a class when one of its agents plans.
pub struct Question<'a> {
    pub claim: Claim,
    pub start: NodeId,
    pub depart: Tick,
    /// The plan leads as far as this. With [`AtEnd::Stay`] it may end before, on a goal.
    pub horizon: Tick,
    pub goals: &'a Goals,
    pub at_end: AtEnd,
    /// Whether the plan has to lead to a goal by the horizon. Pauses on a goal then cost as much as elsewhere, so that an
    /// agent that makes way leaves in good time.
    pub to_goal: bool,
    pub yields_until: Tick,
    /// Whether a greedy descent comes before a search, even if it costs more than a search would find.
    pub descends: bool,
}

/// A plan without its types.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub legs: Vec<Leg>,
    /// Everything that the plan occupies.
    pub entries: Vec<Entry>,
}

/// The outcome of a search for a plan or a route, and its cost.
pub struct Answer<T> {
    pub found: Result<T, NoPlan>,
    pub expanded: u64,
}

/// A class with erased types: one virtual call per plan, never per probe.
pub trait AnyClass: Send + Sync {
    /// A class that does the same from now on, and learns on its own, together with the copies of other classes from
    /// which its layer takes `copies`. `None`: the class cannot be copied.
    fn copy<'c>(&self, copies: &mut Copies) -> Option<Box<dyn AnyClass + 'c>>
    where
        Self: 'c;

    fn cells(&self) -> Cells;

    fn ticks_per_step(&self) -> Ticks;

    /// The ticks of a step of its own; `None`: a plain step.
    fn step(&self) -> Option<Ticks>;

    /// A number that grows whenever the space changes.
    fn revision(&self) -> u64;

    /// What has changed in the space since an earlier revision.
    fn edits_since(&self, revision: u64) -> Edits<'_>;

    fn contains(&self, node: NodeId) -> bool;

    /// A plan. What is found stays until the next question.
    fn plan(
        &mut self,
        question: &Question<'_>,
        reservations: &Store,
        manners: &Manners<'_>,
        fuel: &mut Fuel,
    ) -> Answer<&Found>;

    /// The best moves from the end of `kept` on, one after the other, until the horizon. An error: `kept` costs more
    /// than the distance to the goals says, or no such way leads on, or another agent is in the way, or the fuel has
    /// run out. What is found stays until the next question.
    fn extend(
        &mut self,
        question: &Question<'_>,
        kept: &[Leg],
        reservations: &Store,
        manners: &Manners<'_>,
        fuel: &mut Fuel,
    ) -> Answer<&Found>;

    /// The moves of a route of `trip`, for an agent alone in the world. Each leg is given as if it began at the trip's
    /// departure.
    fn route(&mut self, routing: Routing, trip: &Trip<'_>, fuel: &mut Fuel) -> Answer<Vec<Leg>>;

    /// Tells the layer that a unit has made the move `leg`, unless the space has no such move any more.
    fn moved(&self, leg: &Leg);

    /// The plan by which `agent` can hold out longest before it has nowhere to go. `None`: the last search was not for
    /// `agent`.
    fn longest(&self, agent: AgentId) -> Option<Found>;

    /// Appends what `leg` occupies.
    fn sweep(&self, leg: &Leg, entries: &mut Vec<Entry>);

    /// Whether each move holds all that it touches until it has ended.
    fn holds_whole_moves(&self) -> bool;

    /// The duration of all moves, if all are equally long.
    fn uniform_duration(&self) -> Option<Ticks>;

    /// An estimate of the distance from `node` to `goals`, in plain steps, as far as is known of a space that
    /// changes; infinite: they cannot be reached.
    fn distance(&mut self, goals: &Goals, node: NodeId, fuel: &mut Fuel) -> Result<f64, Suspended>;

    /// The epoch of distances from `node` to `goals`: compare distances only within one epoch.
    fn epoch(&mut self, goals: &Goals, node: NodeId) -> u64;

    /// Appends to `found` the distance from each of `nodes` to `goals`, as [`distance`](Self::distance) knows it
    /// without more work; `None`: it is not known by now.
    fn distances(&mut self, goals: &Goals, nodes: &[NodeId], found: &mut Vec<Option<f64>>);

    /// The number of ticks after which the answers of [`must_wait`](Self::must_wait) repeat. 0 or 1: no move must wait.
    fn period(&self) -> Ticks;

    /// Changes the currents, against which ways cost more. A class without positions has none.
    fn set_currents(&mut self, currents: &Arc<[Current]>);

    /// Finds distances at the price of the currents if the way from `node` to `goals` leads against one of them within so
    /// many moves.
    fn heed_currents(&mut self, goals: &Goals, node: NodeId, moves: usize, fuel: &mut Fuel) -> Result<(), Suspended>;

    /// How much farther it would be from `node` to `goals` if there were `currents` alone, in plain steps; infinite: such
    /// distances are not known of this class.
    fn detour(
        &mut self,
        currents: &Arc<[Current]>,
        goals: &Goals,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<f64, Suspended>;

    /// Brings the distances to `goals` up to the present space, as far as `node`.
    fn renew(&mut self, goals: &Goals, node: NodeId, fuel: &mut Fuel) -> Result<(), Suspended>;

    /// The [revision](Self::revision) of the space for which the distances to `goals` were found.
    fn revision_of(&self, goals: &Goals) -> u64;

    /// Tells the heuristics that a tick begins, which has `work` units of work for all classes.
    fn begin_tick(&mut self, work: u64);

    /// Tells the heuristics that all agents have planned: see
    /// [`HeuristicSource::end_tick`](giveway_core::heuristic::HeuristicSource::end_tick).
    fn end_tick(&mut self, asks: &mut dyn Iterator<Item = (&Goals, NodeId)>, fuel: &mut Fuel);

    /// Reads what a distance to `goals` needs from memory. The answer means nothing.
    fn touch(&self, goals: &Goals, node: NodeId) -> bool;

    /// Makes room in memory: distances to goals that are not `needed` may be given up.
    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool);

    /// Tells that no agent of the class has `goals` any more.
    fn release(&mut self, goals: &Goals);

    /// Whether `leg` is a move that must not begin when it does, because moves go by the
    /// [clock](giveway_core::SpaceGraph::departs).
    fn must_wait(&self, leg: &Leg) -> bool;

    /// Whether units can carry out `leg` in the space as it is now.
    fn allows(&self, leg: &Leg) -> bool;

    /// Calls `each` for the moves out of `from`, begun at `depart`, that units of this class can make, with their costs
    /// in plain steps.
    fn for_each_move(&self, from: NodeId, depart: Tick, each: &mut dyn FnMut(Leg, f64));

    /// The space; `None`: the class is bare.
    fn space(&self) -> Option<&dyn Any>;

    /// `None`: the class is bare.
    fn position(&self, node: NodeId) -> Option<[f32; 3]>;

    /// 0 if the class is bare.
    fn heading(&self, node: NodeId) -> f32;

    /// [Sweeps](Self::sweep) `leg`, a move that begins. Returns how it is driven; `None`: straight on.
    fn begin(&self, leg: &Leg, entries: &mut Vec<Entry>) -> Option<Trajectory>;

    fn body(&self) -> Option<&TracedBody>;

    /// How far ahead units plan; `None`: as the crowd does.
    fn depth(&self) -> Option<Depth>;

    /// The chain of the units of the class; `None`: the crowd's chain.
    fn chain(&self) -> Option<&Arc<Chain>>;

    /// Closes or opens `node`. Returns whether that changed anything; `None`: the space cannot be edited.
    fn set_open(&mut self, node: NodeId, open: bool) -> Option<bool>;

    /// Whether a unit on `node` could not stay there if `closed` were closed.
    fn needs(&self, node: NodeId, closed: NodeId) -> bool;

    /// Whether the space can change.
    fn is_editable(&self) -> bool;

    /// Whether a unit on `node` is inside `area`; `false` if the space cannot change.
    fn is_inside(&self, node: NodeId, area: &Area) -> bool;

    /// Whether the position of a node lies in `area`, as far as is known: `true` if the class is bare.
    fn may_have_nodes_in(&self, area: &Area) -> bool;

    /// Applies `change` to what `area` covers. Returns whether anything changed.
    fn change(&mut self, area: &Area, change: Change) -> bool;

    /// Checks that units keep their speed within 1 % where moves take `slowness` times as long as on plain ground.
    fn check_slowness(&self, slowness: f32) -> Result<(), TooCoarse>;

    fn reverse_expanded(&self) -> u64;

    /// The bytes that distances take.
    fn distance_bytes(&self) -> usize;

    /// One more than the largest node id.
    fn node_bound(&self) -> usize;

    /// Adds `node` to `digest`: whether units can be there, and the moves out of it.
    fn feed_node(&self, node: NodeId, digest: &mut Digest);

    /// A number for what the layer has learned.
    fn learned(&self) -> u64;

    /// The layer, or a part of it, if that is of the type `kind`.
    fn layer_part(&self, kind: TypeId) -> Option<&dyn Any>;

    /// The edits of the space since the class was added, as words.
    fn edit_log(&self) -> &[u8];

    /// Makes the edits of `log`, which begins with the edits so far.
    fn edit_as(&mut self, log: &[u8]) -> Result<(), Garbled>;

    /// Appends what the layer and the heuristics remember.
    fn write_to(&self, words: &mut Words);

    /// Reads what the layer and the heuristics of such a class remember.
    fn read_from(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled>;

    /// Appends what the layer remembers.
    fn write_layer(&self, words: &mut Words);

    /// Reads what the layer of such a class remembers.
    fn read_layer(&self, words: &mut WordReader<'_>) -> Result<(), Garbled>;
}

impl dyn AnyClass + '_ {
    /// Adds to `digest` what the class says of its units that never changes.
    pub fn feed_rules(&self, digest: &mut Digest) {
        digest.pair(self.ticks_per_step(), self.step().unwrap_or(0));
        digest.text(&format!("{:?} {:?}", self.chain(), self.depth()));
    }

    /// The entries of a stay on `node` from one tick until another.
    pub fn room(&self, node: NodeId, from: Tick, until: Tick) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.sweep(&Leg::resting(node, from, until), &mut entries);
        entries
    }
}
