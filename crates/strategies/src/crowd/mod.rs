//! Crowds: units that are given orders at any time, plan a little ahead, and never collide.

mod any_class;
mod chain;
mod class;
mod depth;
mod descent;
mod destination;
mod error;
mod execution;
mod guard;
mod holding;
mod knots;
mod leg;
mod local_repair;
mod manners;
mod member;
mod near;
#[cfg(test)]
mod nearest_oracle;
mod orders;
mod outward;
mod planning;
mod pose;
mod progress;
mod push;
mod rank;
mod report;
mod sight;
mod solve;
mod transaction;
mod turns;
mod upkeep;
mod vacancy;
mod waiting;
mod whca;

use std::collections::BTreeSet;

use giveway_core::heuristic::HeuristicSource;
use giveway_core::store::WindowTable;
use giveway_core::{
    AgentId, Cells, ConflictRule, CostLayer, Course, Footprint, Fuel, Goals, NodeId, ReservationStore, SyncSpace, Tick,
    Ticks, TracedBody,
};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

pub use chain::{Chain, Link};
pub use class::Class;
pub use error::CrowdError;
pub use leg::Leg;
pub use local_repair::Lra;
pub use manners::{SoftRests, WaitPenalty};
pub use pose::Pose;
pub use report::{Explanation, NoPlan, Report, Served, Waiting};
pub use whca::{Depth, Holds, Replanning, Whca};

use any_class::AnyClass;
use destination::Destinations;
use execution::Presence;
use manners::Resters;
use member::{Errand, Member};
use near::Reaches;
use rank::Clock;

/// A class of a crowd: its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub u32);

/// How much work a crowd may do in one tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    expansions: u64,
}

impl Budget {
    /// At most so many expansions, of searches in space and time and of reverse searches together.
    pub const fn expansions(expansions: u64) -> Self {
        Self { expansions }
    }

    /// As much as it takes.
    pub const fn unlimited() -> Self {
        Self { expansions: u64::MAX }
    }

    fn fuel(self) -> Fuel {
        Fuel::expansions(self.expansions)
    }
}

/// What a game holds: classes of units, agents with orders, their reservations, and a strategy that plans them.
///
/// Time goes by in [ticks](Self::tick). Between two ticks agents may be [added](Self::add), [removed](Self::remove),
/// [sent](Self::send), [stopped](Self::stop) and [placed](Self::place). Whatever fails, no two agents ever overlap
/// (unless [`SoftRests`] permit it): who finds no way stays where it is, and nobody moves into it.
///
/// `'a` is the lifetime of spaces that are borrowed; `'static` if the crowd owns its spaces, or shares them. `R` is the
/// reservation store; see [`on`](Self::on).
///
/// ```
/// use giveway_core::{Agent, Point};
/// use giveway_spaces::Grid;
/// use giveway_strategies::{Budget, Class, Crowd, Whca};
///
/// let grid = Grid::from_ascii("
///     .......
///     @@@.@@@
/// ")?;
/// let at = |x, y| grid.node(x, y).expect("on the grid");
///
/// let mut crowd = Crowd::new(Whca::new().window(16));
/// let scouts = crowd.class(Class::new(&grid, Point::swap_rule(&grid)))?;
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
    whca: Whca,
    make_store: fn(Cells, Ticks) -> R,
    store: R,
    /// The reservation cells that all classes share; `None`: there is no class.
    cells: Option<Cells>,
    classes: Vec<Box<dyn AnyClass<R> + 'a>>,
    /// Of which revision the space of each class was at the last tick.
    revisions: Vec<u64>,
    /// How many ticks a plain step takes: as many as the finest class says.
    ticks_per_step: Ticks,
    members: IndexMap<AgentId, Member, FxBuildHasher>,
    destinations: Destinations,
    reaches: Reaches,
    next_id: u32,
    now: Tick,
    /// Who is where, at `now`; `None`: not looked up since things last moved.
    presence: Option<Presence>,
    resters: Resters,
    /// What reverse searches had expanded by the end of the last tick.
    reverse_before: u64,
    /// The classes of which some distances may be those of an earlier map.
    classes_to_renew: BTreeSet<ClassId>,
    /// In which class the fuel ended when distances were last found anew.
    renewed_last: ClassId,
    /// The classes of which some agent could not find its way for want of memory.
    classes_short_of_memory: BTreeSet<ClassId>,
}

impl<'a> Crowd<'a> {
    /// An empty crowd whose agents plan as `whca` says.
    pub fn new(whca: Whca) -> Self {
        Self::on(whca, |cells, horizon| WindowTable::new(cells, horizon.min(LONGEST_WINDOW_IN_BITS)))
    }
}

/// Beyond this many ticks, the window store's bits would take more memory than they save time.
const LONGEST_WINDOW_IN_BITS: Ticks = 256;

impl<'a, R: ReservationStore> Crowd<'a, R> {
    /// An empty crowd on a store that `make_store` makes, for so many cells and windows of so many ticks.
    pub fn on(whca: Whca, make_store: fn(Cells, Ticks) -> R) -> Self {
        Self {
            whca,
            make_store,
            store: make_store(Cells::new(ConflictRule::Swap, 0, 0), 0),
            cells: None,
            classes: Vec::new(),
            revisions: Vec::new(),
            ticks_per_step: 1,
            members: IndexMap::default(),
            destinations: Destinations::default(),
            reaches: Reaches::default(),
            next_id: 0,
            now: 0,
            presence: None,
            resters: Resters::default(),
            reverse_before: 0,
            classes_to_renew: BTreeSet::new(),
            renewed_last: ClassId(0),
            classes_short_of_memory: BTreeSet::new(),
        }
    }

    /// Adds a class of units. The first one decides on the reservation cells of the crowd.
    ///
    /// # Errors
    /// [`CrowdError::CellsDiffer`]: the class speaks of other cells than the ones before, or follows another conflict rule.
    /// [`CrowdError::TooManyCells`]: the bounds of its space are too large to number cells.
    /// [`CrowdError::NotEditable`]: it was made [editable](Class::editable), and does not own its space.
    pub fn class<S, F, H, L>(&mut self, class: Class<'a, S, F, H, L>) -> Result<ClassId, CrowdError>
    where
        S: SyncSpace + 'a,
        F: Footprint<S> + Send + Sync + 'a,
        H: HeuristicSource<S> + Send + Sync + 'a,
        L: CostLayer<S> + Send + Sync + 'a,
    {
        let id = u32::try_from(self.classes.len()).map_err(|_| CrowdError::TooMany)?;
        class.check_bounds()?;
        if class.edits_in_vain() {
            return Err(CrowdError::NotEditable(ClassId(id)));
        }
        let class: Box<dyn AnyClass<R> + 'a> = class.erase();
        let cells = match self.cells {
            None => class.cells(),
            Some(shared) => shared.join(class.cells())?,
        };
        let ticks_per_step = self.ticks_per_step.max(class.ticks_per_step());
        if (self.cells, self.ticks_per_step) != (Some(cells), ticks_per_step) {
            (self.cells, self.ticks_per_step) = (Some(cells), ticks_per_step);
            self.renew_store(cells);
        }
        self.revisions.push(class.revision());
        self.classes.push(class);
        Ok(ClassId(id))
    }

    fn clock(&self) -> Clock {
        Clock { now: self.now, ticks_per_step: self.ticks_per_step }
    }

    /// The tick that begins next.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// How many ticks a plain step takes: as many as the class with the finest ticks says, at least 1.
    pub fn ticks_per_step(&self) -> Ticks {
        self.ticks_per_step
    }

    /// The agents, in the order in which they were added.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> {
        self.members.keys().copied()
    }

    /// The id that the next agent will have.
    pub fn next_id(&self) -> AgentId {
        AgentId(self.next_id)
    }

    /// Where `agent` is; while it is under way, where its move began. `None`: there is no such agent.
    pub fn node(&self, agent: AgentId) -> Option<NodeId> {
        Some(self.members.get(&agent)?.node)
    }

    /// Where `agent` was sent; for a bystander, where it comes back to. `None`: there is no such agent.
    pub fn goals(&self, agent: AgentId) -> Option<&Goals> {
        Some(&self.members.get(&agent)?.goals)
    }

    /// Whether `agent` has no goal. `None`: there is no such agent.
    pub fn is_bystander(&self, agent: AgentId) -> Option<bool> {
        Some(self.members.get(&agent)?.errand == Errand::StandBy)
    }

    /// Whether `agent` stands where it wants to be. `None`: there is no such agent.
    pub fn is_home(&self, agent: AgentId) -> Option<bool> {
        Some(self.members.get(&agent)?.is_home())
    }

    /// Whether every agent stands where it wants to be.
    pub fn is_at_rest(&self) -> bool {
        self.members.values().all(Member::is_home)
    }

    /// What `agent` will do, as far as it has planned: all of it is reserved. Empty: it stays.
    pub fn plan(&self, agent: AgentId) -> &[Leg] {
        self.members.get(&agent).map_or(&[], |member| member.plan.ahead())
    }

    /// What `agent` did in the tick that has passed, or is doing. `None`: there is no such agent.
    pub fn last_leg(&self, agent: AgentId) -> Option<Leg> {
        Some(self.members.get(&agent)?.last)
    }

    /// Whether there is such a class.
    pub fn has_class(&self, class: ClassId) -> bool {
        (class.0 as usize) < self.classes.len()
    }

    /// Whether units of `class` have a node `node`.
    pub fn has_node(&self, class: ClassId, node: NodeId) -> bool {
        self.classes.get(class.0 as usize).is_some_and(|class| class.contains(node))
    }

    /// The class of `agent`. `None`: there is no such agent.
    pub fn class_of(&self, agent: AgentId) -> Option<ClassId> {
        Some(self.members.get(&agent)?.class)
    }

    /// Where `node` of `class` lies, in world units; `None` if there is no such class, or it is not
    /// [embedded](Class::embedded).
    pub fn position(&self, class: ClassId, node: NodeId) -> Option<[f32; 3]> {
        self.classes.get(class.0 as usize)?.position(node)
    }

    /// The heading of units of `class` on `node`, in radians from x towards y. 0 where they do not turn, and where it is not known.
    pub fn heading(&self, class: ClassId, node: NodeId) -> f32 {
        self.classes.get(class.0 as usize).map_or(0.0, |class| class.heading(node))
    }

    /// How `agent` drives its [last leg](Self::last_leg), if that is a move; `None`: straight on, or there is no such agent.
    pub fn course(&self, agent: AgentId) -> Option<&Course> {
        self.members.get(&agent)?.course.as_ref()
    }

    /// The shape of units of `class`; `None` if there is no such class, or it was not [given](Class::body).
    pub fn body(&self, class: ClassId) -> Option<&TracedBody> {
        self.classes.get(class.0 as usize)?.body()
    }

    /// How many nodes reverse searches have expanded so far.
    pub fn reverse_expanded(&self) -> u64 {
        self.classes.iter().map(|class| class.reverse_expanded()).sum()
    }

    /// How many bytes the distances of all classes take. Each class has a
    /// [bound](giveway_core::heuristic::TrueDistances::keep_at_most) of its own.
    pub fn distance_bytes(&self) -> usize {
        self.classes.iter().map(|class| class.distance_bytes()).sum()
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
        let member = self.members.get(&agent)?;
        let class = &mut self.classes[member.class.0 as usize];
        let fuel = &mut budget.fuel();
        let renewed = class.renew(&member.goals, member.node, fuel);
        let distance = renewed.and_then(|()| class.distance(&member.goals, member.node, fuel));
        // No tick did this.
        self.reverse_before += self.reverse_expanded() - before;
        distance.ok()
    }
}

impl<R> std::fmt::Debug for Crowd<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crowd")
            .field("whca", &self.whca)
            .field("now", &self.now)
            .field("members", &self.members)
            .finish_non_exhaustive()
    }
}
