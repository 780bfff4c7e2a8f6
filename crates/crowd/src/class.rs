//! Classes: units of one kind, as a user describes them. In `giveway-members` their types are erased.

use std::sync::Arc;

use giveway_bodies::{BodyError, BodyFootprint, BodyIn, Ground, Stamped};
use giveway_core::heuristic::HeuristicSource;
use giveway_core::{
    CostLayer, Editable, Embedding, Footprint, Held, SpaceGraph, SyncSpace, Ticks, TooManyCells, TracedBody,
};
use giveway_distance::Hierarchy;

use giveway_members::chain::Chain;
use giveway_members::depth::Depth;
use giveway_members::world::{AnyClass, Copying, Editing, Embedded, Parts, erase};

/// A class of units: a space, a footprint, heuristics, and a layer of surcharges.
///
/// When the [revision](SpaceGraph::revision) of its space grows, the agents that the change concerns plan anew at the
/// next tick. The change concerns an agent if a node that has [changed](SpaceGraph::edits_since) is the node of the
/// agent, or lies on its plan, or is one of its goals. If the space cannot tell which nodes have changed, the change
/// concerns all agents of the class. Plans that can no longer be carried out are dropped; moves under way end as
/// planned. Until the budget allows for new distances, agents use the distances of the earlier map. If a space changes
/// without a new revision, agents may collide.
///
/// ```
/// use giveway_core::Point;
/// use giveway_core::heuristic::Zero;
/// use giveway_distance::TrueDistances;
/// use giveway_spaces::Grid;
/// use giveway_crowd::{Class, Crowd, CrowdSettings};
///
/// let grid = Grid::open(400, 300)?;
/// let point = Point::swap_rule(&grid);
/// // Exact distances to each goal, on a map of any size.
/// let class = Class::new(grid, point).heuristics(TrueDistances::<Grid, Zero>::tables());
/// let mut crowd = Crowd::new(CrowdSettings::new());
/// crowd.add_class(class)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Class<'a, S: SpaceGraph, F, H = Hierarchy<S>, L = ()> {
    space: Held<'a, S>,
    footprint: Held<'a, F>,
    heuristics: H,
    layer: L,
    embedding: Option<Embedded<S>>,
    body: Option<TracedBody>,
    edits: Option<Editing<S>>,
    chain: Option<Arc<Chain>>,
    step: Option<Ticks>,
    depth: Option<Depth>,
}

impl<'a, S: SpaceGraph, F: Footprint<S>> Class<'a, S, F> {
    /// A class of units that move in `space` and have `footprint`, guided by a [`Hierarchy`]: by exact distances, and
    /// on large grids by ways that are about a percent longer than shortest ones. Give an `S`, a `&S` or an
    /// [`Arc<S>`](std::sync::Arc): the crowd then owns, borrows or shares the space.
    ///
    /// The crowd takes [poses](crate::Crowd::poses) from the positions of the space, finds nearest places by these
    /// positions, and [returns](crate::Crowd::space) the space on request. For a space without positions, or with
    /// borrowed parts, see [`bare`](Self::bare).
    pub fn new(space: impl Into<Held<'a, S>>, footprint: F) -> Self
    where
        S: Embedding + 'static,
    {
        let embedded =
            Embedded { position: S::position, heading: S::heading, trajectory: S::trajectory, as_any: |space| space };
        let heuristics = Hierarchy::new().with_positions();
        Self { embedding: Some(embedded), heuristics, ..Self::bare(space, footprint) }
    }

    /// A class of units in a space without positions. The [poses](crate::Crowd::poses) of such units have no positions,
    /// and the nearest place is the place that is cheapest to reach.
    pub fn bare(space: impl Into<Held<'a, S>>, footprint: F) -> Self {
        Self::held(space.into(), Held::Owned(footprint))
    }

    /// [`bare`](Self::bare), with a footprint that may be borrowed.
    pub(super) fn held(space: Held<'a, S>, footprint: Held<'a, F>) -> Self {
        Self {
            space,
            footprint,
            heuristics: Hierarchy::new(),
            layer: (),
            embedding: None,
            body: None,
            edits: None,
            chain: None,
            step: None,
            depth: None,
        }
    }
}

impl<S: Embedding + Stamped + 'static> Class<'static, S, BodyFootprint> {
    /// A class of bodies or vehicles on `ground`. Units move in the part of `space` where they fit. A plain step at
    /// speed 1 takes `ticks_per_step` ticks. The class gets the shape of the unit, for traces and pictures.
    ///
    /// ```
    /// use giveway_bodies::{Body, CommonTicks, Ground};
    /// use giveway_crowd::{Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(9, 9)?;
    /// let cart = Body::square(2)?.speed(0.5)?;
    /// let ticks = CommonTicks::new().of([&cart], &grid).fewest()?;
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let carts = crowd.add_class(Class::for_body(&cart, &grid, Ground::from_grid(&grid), ticks)?)?;
    /// assert!(crowd.body(carts).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Body::on`](giveway_bodies::Body::on) and [`Vehicle::on`](giveway_bodies::Vehicle::on).
    pub fn for_body<T, B: BodyIn<T, Space = S>>(
        unit: &B,
        space: T,
        ground: Ground,
        ticks_per_step: Ticks,
    ) -> Result<Self, BodyError> {
        let (space, footprint) = unit.put(space, ground, ticks_per_step)?;
        Ok(Self::new(space, footprint).body(unit.outline()))
    }
}

impl<'a, S: SpaceGraph, F, H, L> Class<'a, S, F, H, L> {
    /// Sets the heuristics; a [`Hierarchy`] by default.
    #[must_use]
    pub fn heuristics<G: HeuristicSource<S>>(self, heuristics: G) -> Class<'a, S, F, G, L> {
        let Self { space, footprint, layer, embedding, body, edits, chain, step, depth, .. } = self;
        Class { space, footprint, heuristics, layer, embedding, body, edits, chain, step, depth }
    }

    /// Adds the surcharges of `layer` to the costs of moves. The layer is [told](CostLayer::moved) of every move that a
    /// unit of the class has made. A clone of the crowd clones the layer: then each crowd's layer learns from the moves
    /// of that crowd. A layer that several classes of one crowd have in common is a
    /// [`SharedLayer`](giveway_core::SharedLayer), which is cloned once for all of them. A layer behind a `&` or an
    /// `Arc` is one layer for all clones, and learns from the moves of all of them.
    ///
    /// If surcharges are large, use [heuristics](Self::heuristics) that include them, such as
    /// [`PricedDistances`](giveway_distance::PricedDistances); otherwise a unit may wait forever. A window
    /// compares moves with waits: a unit stays if a move costs more than the distance that the move seems to save.
    ///
    /// The layer is written for the space `S` itself, whether the crowd owns, borrows or shares that space:
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use giveway_core::{Asker, CostLayer, MoveIn, Point, Tick};
    /// use giveway_spaces::Grid;
    /// use giveway_crowd::{Class, Crowd, CrowdSettings};
    ///
    /// /// Downhill from west to east.
    /// #[derive(Clone)]
    /// struct Slope;
    ///
    /// impl CostLayer<Grid> for Slope {
    ///     fn surcharge(&self, grid: &Grid, m: &MoveIn<Grid>, _depart: Tick, _asker: &Asker<'_>) -> u32 {
    ///         let [from, to] = [m.from, m.to].map(|node| grid.xy(node).0);
    ///         if to < from { 500 } else { 0 }
    ///     }
    /// }
    ///
    /// let grid = Grid::open(6, 2)?;
    /// let point = || Point::swap_rule(&grid);
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// crowd.add_class(Class::new(&grid, point()).layer(Slope))?;
    /// crowd.add_class(Class::new(Arc::new(grid.clone()), point()).layer(Slope))?;
    /// crowd.add_class(Class::new(grid.clone(), point()).layer(Slope))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn layer<M: CostLayer<S>>(self, layer: M) -> Class<'a, S, F, H, M> {
        let Self { space, footprint, heuristics, embedding, body, edits, chain, step, depth, .. } = self;
        Class { space, footprint, heuristics, layer, embedding, body, edits, chain, step, depth }
    }

    /// Sets a shape, for traces and pictures. The footprint alone decides what is reserved.
    #[must_use]
    pub fn body(self, body: TracedBody) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Permits changes of the space: changes of single [nodes](crate::Crowd::set_open), and of whole
    /// [areas](crate::Crowd::close). An area can change only if all classes with places in the area are editable.
    ///
    /// The class must own its space: a crowd [refuses](crate::Crowd::add_class) an editable class with a borrowed or
    /// shared space. Clones of a crowd share the space until one of them changes it; the space is then copied.
    #[must_use]
    pub fn editable(self) -> Self
    where
        S: Editable + Clone,
    {
        let edits = Editing {
            copy: S::clone,
            set_open: S::set_open,
            needs: S::needs,
            is_inside: S::is_inside,
            change: S::change,
        };
        Self { edits: Some(edits), ..self }
    }

    /// Sets the chain of planners for units of the class, in place of the crowd's chain; see
    /// [`CrowdSettings::chain`](crate::CrowdSettings::chain).
    #[must_use]
    pub fn chain(self, chain: impl Into<Chain>) -> Self {
        Self { chain: Some(Arc::new(chain.into())), ..self }
    }

    /// Sets how far ahead units of the class plan, in place of the crowd's [depth](crate::CrowdSettings::depth).
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// Sets the step of the class, in ticks; 0 counts as 1. Windows of the class, and intervals between plans, are
    /// counted in such steps. Suppose that a move takes five [plain steps](crate::Crowd::ticks_per_step): a window of
    /// 16 plain steps sees three moves, but a window of 16 steps of the class sees 16 moves. The steps of
    /// [chains](crate::Chain) are always plain steps.
    ///
    /// By default the step is a plain step; on roads and on waypoints it is a [usual
    /// move](giveway_core::Facts::step), if such a move takes longer.
    ///
    /// ```
    /// use giveway_core::{NodeId, Point};
    /// use giveway_crowd::{Class, Crowd, CrowdSettings};
    /// use giveway_spaces::FnSpace;
    ///
    /// // Stations five steps apart.
    /// let rails = FnSpace::new(4, |at| [(at + 1) % 4, (at + 3) % 4].map(|to| (to, 5000)))?.with_lengths(|_| 5.0)?;
    /// let train = Point::timed(&rails, 2)?;
    /// let mut crowd = Crowd::new(CrowdSettings::new().window(8));
    /// // A move takes ten ticks, and a window is eight moves.
    /// crowd.add_class(Class::bare(&rails, train).step(10))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn step(self, ticks: Ticks) -> Self {
        Self { step: Some(ticks.max(1)), ..self }
    }

    /// Whether the nodes and crossings of the space can be numbered as cells.
    pub(super) fn check_bounds(&self) -> Result<(), TooManyCells> {
        TooManyCells::check(&*self.space)
    }

    /// Whether the class is editable but does not own its space.
    pub(super) fn edits_in_vain(&self) -> bool {
        self.edits.is_some() && !matches!(self.space, Held::Owned(_))
    }

    /// Erases the types of the class. Without `copying` the crowd must not be cloned.
    pub(super) fn erase(self, copying: Option<Copying<H, L>>) -> Box<dyn AnyClass + 'a>
    where
        S: SyncSpace + 'a,
        F: Footprint<S> + Send + Sync + 'a,
        H: HeuristicSource<S> + Send + Sync + 'a,
        L: CostLayer<S> + Send + Sync + 'a,
    {
        let Self { space, footprint, heuristics, layer, embedding, body, edits, chain, step, depth } = self;
        let parts = Parts { space, footprint, heuristics, layer, embedding, body, edits, chain, step, depth };
        erase(parts, copying)
    }
}
