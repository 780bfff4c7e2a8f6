//! The facade: a crowd, and what can be asked of it.

use std::any::TypeId;
use std::sync::Arc;

use giveway_core::heuristic::HeuristicSource;
use giveway_core::{
    AgentId, Cells, CostLayer, Footprint, Goals, NodeId, ReservationStore, SpaceGraph, SyncSpace, Tick, Ticks,
    TracedBody, Trajectory,
};

use crate::budget::Budget;
use crate::calls::Call;
use crate::class::Class;
use crate::error::CrowdError;
use crate::hash::Hashes;
use crate::pose::Pose;
use crate::reason;
use crate::report::{Explanation, Waiting};
use crate::settings::CrowdSettings;
use crate::state::State;
use crate::stuck;
use crate::waiting;
use giveway_members::chain::Chain;
use giveway_members::class_id::ClassId;
use giveway_members::leg::Leg;
use giveway_members::roster::Member;
use giveway_members::store::{MakeStore, Store};
use giveway_members::world::Copying;

/// A crowd: agents that get orders while they move, with their classes, reservations and planners.
///
/// Each call of [`tick`](Self::tick) lets one tick go by. Between two ticks agents may be [added](Self::add),
/// [removed](Self::remove), [sent](Self::send), [stopped](Self::stop) and [placed](Self::place). No two agents ever
/// overlap, even if a search fails, unless `SoftRests` permit overlaps. An agent that finds no path stays where it is,
/// and no other agent moves there.
///
/// A clone is an independent crowd. If the original and the clone get equal orders, both do the same. The two share
/// spaces and footprints until one of them [edits](Class::editable) a space. Heuristics and [layers](Class::layer) are
/// cloned; a layer that [classes share](giveway_core::SharedLayer) is cloned once for all of them.
///
/// `'a` is the lifetime of borrowed spaces; it is `'static` if the crowd owns or shares its spaces.
///
/// ```
/// use giveway_core::{Agent, Point};
/// use giveway_spaces::Grid;
/// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
///
/// let grid = Grid::from_ascii("
///     .......
///     @@@.@@@
/// ")?;
/// let at = |x, y| grid.node(x, y).expect("on the grid");
///
/// let mut crowd = Crowd::new(CrowdSettings::new().window(16));
/// let scouts = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
/// let one = crowd.add(scouts, Agent::new(at(0, 0), at(6, 0)))?;
/// // This agent has no goal. It stands in the way, lets the other one pass, and comes back.
/// let two = crowd.add(scouts, Agent::bystander(at(3, 0)))?;
/// while !crowd.is_at_rest() {
///     crowd.tick(Budget::unlimited());
/// }
/// assert_eq!((crowd.node(one), crowd.node(two)), (Some(at(6, 0)), Some(at(3, 0))));
/// assert_eq!(crowd.now(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Crowd<'a> {
    pub(crate) state: State<'a>,
    /// Nodes that reverse searches had expanded by the end of the last tick.
    pub(crate) reverse_before: u64,
    pub(crate) hashes: Hashes,
    /// Calls since they were last taken; `None`: they are not recorded.
    pub(crate) calls: Option<Vec<Call>>,
    /// The number of calls so far, recorded or not.
    pub(crate) called: u64,
}

impl<'a> Crowd<'a> {
    /// An empty crowd that plans according to `settings`.
    pub fn new(settings: CrowdSettings) -> Self {
        Self::on(settings, Arc::new(Store::new))
    }

    /// An empty crowd that keeps its reservations in a store of your choice. `make_store` makes an empty store. Its
    /// arguments are the reservation cells, and the length of the longest window in ticks. The choice of the store does
    /// not change what the crowd does.
    pub fn new_on<R: ReservationStore + Clone + Send + Sync + 'static>(
        settings: CrowdSettings,
        make_store: impl Fn(Cells, Ticks) -> R + Send + Sync + 'static,
    ) -> Self {
        Self::on(settings, Arc::new(move |cells, horizon| Store::Own(Box::new(make_store(cells, horizon)))))
    }

    fn on(settings: CrowdSettings, make_store: MakeStore) -> Self {
        Self {
            state: State::new(settings, make_store),
            reverse_before: 0,
            hashes: Hashes::default(),
            calls: None,
            called: 0,
        }
    }

    /// A crowd without agents, with copies of the classes of this one; `None`: they cannot be copied.
    pub(crate) fn empty_copy(&self) -> Option<Self> {
        let state = self.state.empty_copy()?;
        Some(Self { state, reverse_before: 0, hashes: Hashes::default(), calls: None, called: 0 })
    }

    /// Adds a class of units. The first class decides on the reservation cells of the crowd.
    ///
    /// # Errors
    /// * [`CrowdError::CellsDiffer`]: the class has other cells than the earlier classes, or follows another conflict
    ///   rule.
    /// * [`CrowdError::TooManyCells`]: the node bound and the crossing bound of the space are too large for cell ids.
    /// * [`CrowdError::NotEditable`]: the class was made [editable](Class::editable), but does not own its space. The
    ///   error names the id that the class would have had.
    /// * [`CrowdError::TooMany`]: there is no class id left.
    pub fn add_class<S, F, H, L>(&mut self, class: Class<'a, S, F, H, L>) -> Result<ClassId, CrowdError>
    where
        S: SyncSpace + 'a,
        F: Footprint<S> + Send + Sync + 'a,
        H: HeuristicSource<S> + Clone + Send + Sync + 'a,
        L: CostLayer<S> + Clone + Send + Sync + 'a,
    {
        self.enter(class, Some(|heuristics, layer| (heuristics.clone(), layer.clone())))
    }

    /// [Adds](Self::add_class) a class; `copying` clones its heuristics and its layer. Without it the crowd must not be
    /// cloned.
    pub(crate) fn enter<S, F, H, L>(
        &mut self,
        class: Class<'a, S, F, H, L>,
        copying: Option<Copying<H, L>>,
    ) -> Result<ClassId, CrowdError>
    where
        S: SyncSpace + 'a,
        F: Footprint<S> + Send + Sync + 'a,
        H: HeuristicSource<S> + Send + Sync + 'a,
        L: CostLayer<S> + Send + Sync + 'a,
    {
        let state = &mut self.state;
        let next = state.world.next_id()?;
        class.check_bounds()?;
        if class.edits_in_vain() {
            return Err(CrowdError::NotEditable(next));
        }
        let before = (state.world.cells(), state.world.longest_step());
        let id = state.world.add(class.erase(copying))?;
        state.clock.ticks_per_step = state.world.ticks_per_step();
        if let Some(cells) = state.world.cells()
            && before != (Some(cells), state.world.longest_step())
        {
            state.renew_store(cells);
        }
        if !state.currents.is_empty() {
            state.let_flow();
        }
        Ok(id)
    }

    /// The tick that begins next.
    pub fn now(&self) -> Tick {
        self.state.clock.now
    }

    /// The number of ticks of a plain step. Each class of the crowd asks for a number; the largest of these numbers
    /// counts. At least 1.
    pub fn ticks_per_step(&self) -> Ticks {
        self.state.clock.ticks_per_step
    }

    /// The agents, in the order in which they were added.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> {
        self.state.roster.members().map(|member| member.id())
    }

    /// The id that the next agent will have; 2^32 - 1 if there is no id left.
    pub fn next_id(&self) -> AgentId {
        self.state.roster.next_id().unwrap_or(AgentId(u32::MAX))
    }

    /// The node of `agent`; while a move is under way, the node where the move began. `None`: there is no such agent.
    pub fn node(&self, agent: AgentId) -> Option<NodeId> {
        Some(self.member(agent)?.motion.node())
    }

    /// The goals to which `agent` was sent; for a bystander, the place to which it comes back. `None`: there is no such
    /// agent.
    pub fn goals(&self, agent: AgentId) -> Option<&Goals> {
        Some(self.member(agent)?.order.goals())
    }

    /// Whether `agent` has no goal. `None`: there is no such agent.
    pub fn is_bystander(&self, agent: AgentId) -> Option<bool> {
        Some(self.member(agent)?.order.stands_by())
    }

    /// Whether `agent` stands on one of its [goals](Self::goals). `None`: there is no such agent.
    pub fn is_home(&self, agent: AgentId) -> Option<bool> {
        Some(self.member(agent)?.is_home())
    }

    /// Whether every agent stands on one of its goals.
    pub fn is_at_rest(&self) -> bool {
        self.state.roster.members().all(Member::is_home)
    }

    /// The motions that `agent` has planned; all of them are reserved. Empty if the agent stays, or does not exist.
    pub fn plan(&self, agent: AgentId) -> &[Leg] {
        self.state.roster.slot(agent).map_or(&[], |slot| self.state.ledger.plan(slot).ahead())
    }

    /// The motion of `agent` in the last tick; a move that takes several ticks may still be under way. `None`: there is
    /// no such agent.
    pub fn last_leg(&self, agent: AgentId) -> Option<Leg> {
        Some(self.member(agent)?.motion.last(self.now()))
    }

    /// The number of classes.
    pub(crate) fn classes(&self) -> u32 {
        self.state.world.count()
    }

    /// Whether there is such a class.
    pub fn has_class(&self, class: ClassId) -> bool {
        self.state.world.get(class).is_some()
    }

    /// Whether the space of `class` contains `node`.
    pub fn has_node(&self, class: ClassId, node: NodeId) -> bool {
        self.state.world.get(class).is_some_and(|class| class.contains(node))
    }

    /// The class of `agent`. `None`: there is no such agent.
    pub fn class_of(&self, agent: AgentId) -> Option<ClassId> {
        Some(self.member(agent)?.class())
    }

    /// The space of `class`, with all changes so far. `None`: there is no such class, its space is of another type, or
    /// the class is [bare](Class::bare).
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(8, 8)?;
    /// let point = Point::swap_rule(&grid);
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// // The crowd owns the grid. The game asks for it where it needs nodes.
    /// let scouts = crowd.add_class(Class::new(grid, point).editable())?;
    /// let at = |crowd: &Crowd<'_>, x, y| crowd.space::<Grid>(scouts).and_then(|grid| grid.node(x, y));
    /// let gate = at(&crowd, 3, 3).expect("on the grid");
    /// let scout = crowd.add(scouts, Agent::bystander(gate))?;
    /// let corner = at(&crowd, 7, 7).expect("on the grid");
    /// crowd.send(scout, corner)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn space<S: SpaceGraph + 'static>(&self, class: ClassId) -> Option<&S> {
        self.state.world.get(class)?.space()?.downcast_ref()
    }

    /// The layer of `class`, or a part of it, if that is an `L`: to look at what the crowd has learned, or to change it.
    /// Of a [shared layer](giveway_core::SharedLayer) it is what is shared. `None`: there is no such class, or its
    /// layer has no such [part](CostLayer::part).
    ///
    /// The layer may change what units plan, and no call is [recorded](Self::record_calls): change it in a replay at
    /// equal ticks.
    pub fn layer<L: 'static>(&self, class: ClassId) -> Option<&L> {
        self.state.world.get(class)?.layer_part(TypeId::of::<L>())?.downcast_ref()
    }

    /// The position of `node` in the space of `class`, in world units. `None` if there is no such class, or the class
    /// is [bare](Class::bare).
    pub fn position(&self, class: ClassId, node: NodeId) -> Option<[f32; 3]> {
        self.state.world.get(class)?.position(node)
    }

    /// The node nearest to `position`, among the nodes on which units of `class` can stand. `position` is in world
    /// units. Among equally near nodes, the node with the lowest id. `None`: there is no such class; the class has no
    /// such node; the class is [bare](Class::bare); or the position is not finite. The first call for a class takes
    /// time in proportion to its nodes. A later call mostly takes a small part of that time.
    ///
    /// The distance includes the height, so floors are told apart. If units turn, there are several nodes at a place,
    /// one for each heading.
    pub fn nearest_node(&mut self, class: ClassId, position: [f32; 3]) -> Option<NodeId> {
        let State { world, standing, .. } = &mut self.state;
        standing.beacons.nearest(class, world.get(class)?, position)
    }

    /// The heading of units of `class` on `node`, in radians from x towards y. 0 if units do not turn, or if the
    /// heading is not known.
    pub fn heading(&self, class: ClassId, node: NodeId) -> f32 {
        self.state.world.get(class).map_or(0.0, |class| class.heading(node))
    }

    /// How `agent` drives its [last leg](Self::last_leg), if that leg is a move. `None`: straight on, or there is no
    /// such agent.
    pub fn trajectory(&self, agent: AgentId) -> Option<&Trajectory> {
        self.member(agent)?.motion.trajectory()
    }

    /// The shape of units of `class`. `None`: there is no such class, or it has no [body](Class::body).
    pub fn body(&self, class: ClassId) -> Option<&TracedBody> {
        self.state.world.get(class)?.body()
    }

    /// The shape of `agent`, which its class defines. After a [change of class](Self::change_class) a move under way
    /// ends with the shape that the agent had. `None`: there is no such agent, or its class has no [body](Class::body).
    pub fn body_of(&self, agent: AgentId) -> Option<&TracedBody> {
        self.body(self.member(agent)?.body_class(self.now()))
    }

    /// The number of nodes that reverse searches have expanded so far.
    pub fn reverse_expanded(&self) -> u64 {
        self.state.world.reverse_expanded()
    }

    /// The memory of the distances of all classes, in bytes. Each class has its own
    /// [bound](giveway_distance::TrueDistances::keep_at_most).
    pub fn distance_bytes(&self) -> usize {
        self.state.world.distance_bytes()
    }

    /// The distance of `agent` to its nearest goal, in plain steps, as if there were no other agents; infinite if no
    /// goal can be reached. With [`PricedDistances`](giveway_distance::PricedDistances) the surcharges of the
    /// layer are included. `None`: there is no such agent, `budget` is too small to find out, or distances have reached
    /// their [memory bound](giveway_distance::TrueDistances::keep_at_most).
    ///
    /// The call may advance the reverse search for the agent's goals, and so save work at later ticks. So under a
    /// budget a call may change later plans: a replay has to make equal calls. For an agent that has planned, the
    /// distance is usually known, and the call does no work.
    pub fn distance(&mut self, agent: AgentId, budget: Budget) -> Option<f64> {
        self.note(|| Call::Distance { agent, budget });
        let before = self.reverse_expanded();
        let State { world, roster, .. } = &mut self.state;
        let member = roster.get(agent)?;
        let class = &mut world[member.class()];
        let fuel = &mut budget.fuel();
        let renewed = class.renew(member.order.goals(), member.motion.node(), fuel);
        let distance = renewed.and_then(|()| class.distance(member.order.goals(), member.motion.node(), fuel));
        // No tick did this work.
        self.reverse_before += self.reverse_expanded() - before;
        distance.ok()
    }

    /// The chain of planners of `agent`: its [own](Self::set_chain) chain; without an own chain, the chain of its
    /// [class](Class::chain); without that, the chain of the [crowd](CrowdSettings::chain). `None`: there is no such
    /// agent.
    pub fn chain(&self, agent: AgentId) -> Option<&Chain> {
        Some(self.member(agent)?.chain())
    }

    /// Where each agent was at a moment of the last tick. A `fraction` of 0 means the beginning of that tick, and 1
    /// means its end; `fraction` is clamped to 0..=1; a `fraction` that is not finite counts as 1.
    ///
    /// To animate, draw one tick behind the crowd: let `fraction` grow from 0 to 1 between two calls of `tick`.
    pub fn poses(&self, fraction: f32) -> impl Iterator<Item = Pose> {
        let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 1.0 };
        let State { world, roster, clock, .. } = &self.state;
        roster.members().map(move |member| Pose::new(member, &world[member.class()], clock.now, fraction))
    }

    /// Where `agent` was at a moment of the last tick. `fraction` is as for [`poses`](Self::poses). `None`: there is no
    /// such agent.
    pub fn pose(&self, agent: AgentId, fraction: f32) -> Option<Pose> {
        let member = self.member(agent)?;
        let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 1.0 };
        Some(Pose::new(member, &self.state.world[member.class()], self.now(), fraction))
    }

    /// Why `agent` does not move at the next tick: a [reason](crate::Reason); the agents in its way, if there are any;
    /// and the chain of agents that wait for each other.
    ///
    /// The crowd finds the answer by trials: it tries plans as if some agents were gone. Each link of the chain takes
    /// up to a few dozen trials, and each trial takes at most 65,536 units of work. The chain ends after 256 links, or
    /// when 512 trials have been made. No budget limits the call. Like [`distance`](Self::distance), the call may find
    /// parts of the way, and so change later plans.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Reason};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(6, 1)?;
    /// let at = |x| grid.node(x, 0).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let one = crowd.add(class, Agent::new(at(0), at(5)))?;
    /// let two = crowd.add(class, Agent::bystander(at(2)))?;
    /// for _ in 0..40 {
    ///     crowd.tick(Budget::unlimited());
    /// }
    /// // The bystander stands in the corridor by now, at its end, and cannot make way.
    /// let why = crowd.explain(one);
    /// assert_eq!((why.reason, why.by), (Some(Reason::InTheWay), vec![two]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&mut self, agent: AgentId) -> Explanation {
        self.note(|| Call::Explain { agent });
        let slot = self.state.roster.slot(agent);
        let before = self.reverse_expanded();
        let explanation = slot.map_or_else(Explanation::default, |slot| reason::explain(&mut self.state, slot));
        // No tick did this work.
        self.reverse_before += self.reverse_expanded() - before;
        explanation
    }

    /// The agents that stay at the next tick although they would like to go on, in the order in which they were added.
    /// With each of these agents comes the agent for which it waits.
    ///
    /// Of the moves that an agent could begin at the next tick, some lead nearer to its goal. Such a move is blocked if
    /// another agent holds a reservation in its way. The agent waits for the other agent that blocks the best of the
    /// blocked moves. If no such move is blocked, the agent waits for something farther on, and is left out.
    /// [`explain`](Self::explain) says why such an agent waits.
    ///
    /// Takes time in proportion to the agents that are under way. Like [`distance`](Self::distance), the call may
    /// change later plans.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        self.note(|| Call::Waiting);
        waiting::all(&mut self.state)
    }

    /// The agent under way that has gone without progress for the longest time, and the number of ticks of that time.
    /// An agent makes progress when it comes nearer to its goals than ever before since its order, and while it stands on
    /// one of its goals. Among equals, the agent that was added first. `None`: no agent is under way. Takes time in
    /// proportion to the number of agents.
    pub fn longest_wait(&self) -> Option<(AgentId, Ticks)> {
        let (agent, since) = stuck::longest_wait(&self.state)?;
        Some((agent, self.now().saturating_sub(since)))
    }

    /// A hash of the state of the crowd. Two crowds with equal hashes go on alike if they get equal orders and budgets.
    /// By chance, one pair of different crowds in 2^64 has equal hashes, too. Games in lock-step, replays and tests
    /// compare such hashes.
    ///
    /// The hash is over what later ticks depend on: the clock, the settings, the spaces with their edits, what
    /// [layers](CostLayer::learned) have learned, and for each agent its order, motion, plan, progress and turns. For
    /// one version of giveway, the hash is equal on every platform, in every build and for every number of threads.
    ///
    /// Caches are not part of the hash, so a question does not change the hash. But caches hold work. Where a
    /// [budget](Budget) is too small, crowds with equal hashes may go on differently if only one of them was asked for
    /// [distances](Self::distance). The ways of a [hierarchy](giveway_distance::Hierarchy) depend on when they
    /// were looked for. Crowds that got equal calls have equal caches.
    ///
    /// The first call takes time in proportion to the maps and agents. A later call takes time in proportion to the
    /// agents that have been active since the call before, to the nodes that edits have changed since then, and to the
    /// maps of layers that learn.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(7, 3)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut one = Crowd::new(CrowdSettings::new());
    /// let class = one.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let agent = one.add(class, Agent::new(at(0, 1), at(6, 1)))?;
    /// let mut other = one.clone();
    /// for crowd in [&mut one, &mut other] {
    ///     crowd.tick(Budget::unlimited());
    /// }
    /// assert_eq!(one.state_hash(), other.state_hash());
    /// // One of the two players gets an order that the other one does not get.
    /// other.send(agent, at(6, 2))?;
    /// assert_ne!(one.state_hash(), other.state_hash());
    /// assert_ne!(one.agent_hash(agent), other.agent_hash(agent));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_hash(&mut self) -> u64 {
        let hash = self.state.hash(&mut self.hashes);
        debug_assert_eq!(hash, self.state.hash_anew(), "what is known is out of date");
        hash
    }

    /// The part of the [state hash](Self::state_hash) that belongs to `agent`, to find out in which agents two crowds
    /// differ. `None`: there is no such agent.
    pub fn agent_hash(&self, agent: AgentId) -> Option<u64> {
        Some(self.state.unit_hash(self.state.roster.slot(agent)?))
    }

    fn member(&self, agent: AgentId) -> Option<&Member> {
        self.state.roster.get(agent)
    }
}

impl std::fmt::Debug for Crowd<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crowd")
            .field("settings", &self.state.settings)
            .field("now", &self.state.clock.now)
            .field("roster", &self.state.roster)
            .field("ledger", &self.state.ledger)
            .finish_non_exhaustive()
    }
}
