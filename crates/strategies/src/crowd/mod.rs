//! Crowds: units that are given orders at any time, plan a little ahead, and never collide.
//!
//! Each part knows those above it in this list only:
//!
//! * `leg`, `clock`, `budget`, `rank`, `chain`, `manners`, `settings`, `report`, `error`: what is spoken of;
//! * `roster`: who there is, told what, under way how;
//! * `world`: the classes, and the distances in their spaces;
//! * `destinations`: whose place is whose;
//! * `ledger`: what everybody has reserved and will do; nothing else in a crowd changes its reservation store;
//! * `state`: all of these together;
//! * `orders`: what a crowd is told: `send`, `stop`, `place` and the like;
//! * `planners`: the ways to plan an agent, each in a file of its own;
//! * `waiting`, `guard`, `pose`: why an agent does not go on, which moves are not safe, where to draw whom;
//! * `tick`: what happens in a tick;
//! * [`Crowd`], the facade, and `solver`, which runs one until all are at their goals.

mod budget;
mod chain;
mod clock;
mod destinations;
mod error;
mod guard;
mod ledger;
mod leg;
mod manners;
mod orders;
mod planners;
mod pose;
mod rank;
mod report;
mod roster;
mod settings;
mod solver;
mod state;
mod tick;
mod waiting;
mod world;

use giveway_core::heuristic::HeuristicSource;
use giveway_core::store::WindowTable;
use giveway_core::{
    AgentId, Cells, CostLayer, Footprint, Goals, NodeId, ReservationStore, SyncSpace, Tick, Ticks, TracedBody,
    Trajectory,
};

pub use budget::Budget;
pub use chain::{Chain, Lra, Planner, Served};
pub use error::CrowdError;
pub use leg::Leg;
pub use manners::{SoftRests, WaitPenalty};
pub use pose::Pose;
pub use report::{Explanation, Report, Waiting};
pub use settings::{CrowdSettings, Depth, Replanning};
pub use solver::{CrowdDetails, CrowdSolver};
pub use world::Class;

use roster::{Errand, Member};
use state::State;

/// A class of a crowd: its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub u32);

/// What a game holds: classes of units, agents with orders, their reservations, and a strategy that plans them.
///
/// Time goes by in [ticks](Self::tick). Between two ticks agents may be [added](Self::add), [removed](Self::remove),
/// [sent](Self::send), [stopped](Self::stop) and [placed](Self::place). Whatever fails, no two agents ever overlap
/// (unless [`SoftRests`] permit it): who finds no way stays where it is, and nobody moves into it.
///
/// `'a` is the lifetime of spaces that are borrowed; `'static` if the crowd owns its spaces, or shares them. `R` is the
/// reservation store; see [`new_on`](Self::new_on).
///
/// ```
/// use giveway_core::{Agent, Point};
/// use giveway_spaces::Grid;
/// use giveway_strategies::{Budget, Class, Crowd, CrowdSettings};
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
/// // Nobody sent this one anywhere. It stands in the way, lets the other pass, and comes back.
/// let two = crowd.add(scouts, Agent::bystander(at(3, 0)))?;
/// while !crowd.is_at_rest() {
///     crowd.tick(Budget::unlimited());
/// }
/// assert_eq!((crowd.node(one), crowd.node(two)), (Some(at(6, 0)), Some(at(3, 0))));
/// assert_eq!(crowd.now(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Crowd<'a, R = WindowTable> {
    state: State<'a, R>,
    /// What reverse searches had expanded by the end of the last tick.
    reverse_before: u64,
}

impl Crowd<'_> {
    /// An empty crowd whose agents plan as `settings` say.
    pub fn new(settings: CrowdSettings) -> Self {
        Self::new_on(settings, |cells, horizon| WindowTable::new(cells, horizon.min(LONGEST_WINDOW_IN_BITS)))
    }
}

/// Beyond this many ticks, the window store's bits would take more memory than they save time.
const LONGEST_WINDOW_IN_BITS: Ticks = 256;

impl<'a, R: ReservationStore> Crowd<'a, R> {
    /// An empty crowd on a store that `make_store` makes, for so many cells and windows of so many ticks.
    pub fn new_on(settings: CrowdSettings, make_store: fn(Cells, Ticks) -> R) -> Self {
        Self { state: State::new(settings, make_store), reverse_before: 0 }
    }

    /// Adds a class of units. The first one decides on the reservation cells of the crowd.
    ///
    /// # Errors
    /// [`CrowdError::CellsDiffer`]: the class speaks of other cells than the ones before, or follows another conflict rule.
    /// [`CrowdError::TooManyCells`]: the bounds of its space are too large to number cells.
    /// [`CrowdError::NotEditable`]: it was made [editable](Class::editable), and does not own its space. The error names the id that the class would
    /// have had.
    /// [`CrowdError::TooMany`]: there is no id left.
    pub fn add_class<S, F, H, L>(&mut self, class: Class<'a, S, F, H, L>) -> Result<ClassId, CrowdError>
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
        let before = (state.world.cells(), state.world.ticks_per_step());
        let id = state.world.add(class.erase())?;
        state.clock.ticks_per_step = state.world.ticks_per_step();
        if let Some(cells) = state.world.cells()
            && before != (Some(cells), state.clock.ticks_per_step)
        {
            state.renew_store(cells);
        }
        Ok(id)
    }

    /// The tick that begins next.
    pub fn now(&self) -> Tick {
        self.state.clock.now
    }

    /// How many ticks a plain step takes: as many as the class with the finest ticks says, at least 1.
    pub fn ticks_per_step(&self) -> Ticks {
        self.state.clock.ticks_per_step
    }

    /// The agents, in the order in which they were added.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> {
        self.state.roster.members().map(|member| member.id)
    }

    /// The id that the next agent will have; 2^32 - 1 if there is none left.
    pub fn next_id(&self) -> AgentId {
        self.state.roster.next_id().unwrap_or(AgentId(u32::MAX))
    }

    /// Where `agent` is; while it is under way, where its move began. `None`: there is no such agent.
    pub fn node(&self, agent: AgentId) -> Option<NodeId> {
        Some(self.member(agent)?.node)
    }

    /// Where `agent` was sent; for a bystander, where it comes back to. `None`: there is no such agent.
    pub fn goals(&self, agent: AgentId) -> Option<&Goals> {
        Some(&self.member(agent)?.goals)
    }

    /// Whether `agent` has no goal. `None`: there is no such agent.
    pub fn is_bystander(&self, agent: AgentId) -> Option<bool> {
        Some(self.member(agent)?.errand == Errand::StandBy)
    }

    /// Whether `agent` stands where it wants to be. `None`: there is no such agent.
    pub fn is_home(&self, agent: AgentId) -> Option<bool> {
        Some(self.member(agent)?.is_home())
    }

    /// Whether every agent stands where it wants to be.
    pub fn is_at_rest(&self) -> bool {
        self.state.roster.members().all(Member::is_home)
    }

    /// What `agent` will do, as far as it has planned: all of it is reserved. Empty: it stays.
    pub fn plan(&self, agent: AgentId) -> &[Leg] {
        self.state.roster.slot(agent).map_or(&[], |slot| self.state.ledger.plan(slot).ahead())
    }

    /// What `agent` did in the tick that has passed, or is doing. `None`: there is no such agent.
    pub fn last_leg(&self, agent: AgentId) -> Option<Leg> {
        Some(self.member(agent)?.last)
    }

    /// Whether there is such a class.
    pub fn has_class(&self, class: ClassId) -> bool {
        self.state.world.get(class).is_some()
    }

    /// Whether units of `class` have a node `node`.
    pub fn has_node(&self, class: ClassId, node: NodeId) -> bool {
        self.state.world.get(class).is_some_and(|class| class.contains(node))
    }

    /// The class of `agent`. `None`: there is no such agent.
    pub fn class_of(&self, agent: AgentId) -> Option<ClassId> {
        Some(self.member(agent)?.class)
    }

    /// Where `node` of `class` lies, in world units; `None` if there is no such class, or it is not
    /// [embedded](Class::embedded).
    pub fn position(&self, class: ClassId, node: NodeId) -> Option<[f32; 3]> {
        self.state.world.get(class)?.position(node)
    }

    /// The heading of units of `class` on `node`, in radians from x towards y. 0 where they do not turn, and where it is not known.
    pub fn heading(&self, class: ClassId, node: NodeId) -> f32 {
        self.state.world.get(class).map_or(0.0, |class| class.heading(node))
    }

    /// How `agent` drives its [last leg](Self::last_leg), if that is a move; `None`: straight on, or there is no such agent.
    pub fn trajectory(&self, agent: AgentId) -> Option<&Trajectory> {
        self.member(agent)?.trajectory.as_ref()
    }

    /// The shape of units of `class`; `None` if there is no such class, or it was not [given](Class::body).
    pub fn body(&self, class: ClassId) -> Option<&TracedBody> {
        self.state.world.get(class)?.body()
    }

    /// How many nodes reverse searches have expanded so far.
    pub fn reverse_expanded(&self) -> u64 {
        self.state.world.reverse_expanded()
    }

    /// How many bytes the distances of all classes take. Each class has a
    /// [bound](giveway_core::heuristic::TrueDistances::keep_at_most) of its own.
    pub fn distance_bytes(&self) -> usize {
        self.state.world.distance_bytes()
    }

    /// How far `agent` is from its goals, in plain steps, if nobody is in its way; infinite: they cannot be reached. At the price of a layer, if its class
    /// goes by [such](giveway_core::heuristic::PricedDistances) distances.
    /// `None`: there is no such agent, or it takes more than `budget` to find out, or more memory than
    /// [distances may take](giveway_core::heuristic::TrueDistances::keep_at_most).
    ///
    /// A reverse search that goes on for this has less to do later. So where budgets decide what is planned, to ask is to
    /// give an order: a replay has to ask the same. An agent that has planned is asked for nothing, as a rule.
    pub fn distance(&mut self, agent: AgentId, budget: Budget) -> Option<f64> {
        let before = self.reverse_expanded();
        let State { world, roster, .. } = &mut self.state;
        let member = roster.get(agent)?;
        let class = &mut world[member.class];
        let fuel = &mut budget.fuel();
        let renewed = class.renew(&member.goals, member.node, fuel);
        let distance = renewed.and_then(|()| class.distance(&member.goals, member.node, fuel));
        // No tick did this.
        self.reverse_before += self.reverse_expanded() - before;
        distance.ok()
    }

    /// By which planners `agent` plans: as it was [told](Self::set_chain), else as its [class](Class::chain) does, else as the
    /// [crowd](CrowdSettings::chain) does. `None`: there is no such agent.
    pub fn chain(&self, agent: AgentId) -> Option<&Chain> {
        Some(&self.member(agent)?.chain)
    }

    /// Where everyone is, `fraction` of a tick after the tick before the present one: at 0 the last call of
    /// [`tick`](Self::tick) is about to take effect, at 1 it has.
    ///
    /// So draw one tick behind: call `tick` when it is due, and in between let `fraction` grow from 0 to 1.
    pub fn poses(&self, fraction: f32) -> impl Iterator<Item = Pose> {
        let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 1.0 };
        let State { world, roster, clock, .. } = &self.state;
        roster.members().map(move |member| Pose::new(member, &world[member.class], clock.now, fraction))
    }

    /// Why `agent` does not go on: whom it waits for, whom that one waits for, and so on. Empty for an agent that moves, or
    /// stands where it wants to be, or does not exist.
    ///
    /// An agent waits for whoever holds what it would need for its first move nearer to its goal, as things are reserved
    /// for the tick that begins next.
    pub fn explain(&mut self, agent: AgentId) -> Explanation {
        let slot = self.state.roster.slot(agent);
        slot.map_or_else(Explanation::default, |slot| waiting::explain(&mut self.state, slot))
    }

    fn member(&self, agent: AgentId) -> Option<&Member> {
        self.state.roster.get(agent)
    }
}

impl<R> std::fmt::Debug for Crowd<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crowd")
            .field("settings", &self.state.settings)
            .field("now", &self.state.clock.now)
            .field("roster", &self.state.roster)
            .field("ledger", &self.state.ledger)
            .finish_non_exhaustive()
    }
}
