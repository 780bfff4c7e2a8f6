//! Reservation cells: the common numbering in which all classes of a crowd reserve room.

use crate::vocabulary::time::Span;

/// The id of a reservation cell: a place, or a crossing between places. All ids are below [`Cells::bound`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellId(pub u32);

impl CellId {
    /// The id as an index into an array of [`Cells::bound`] elements.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The rule that says when two units conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConflictRule {
    /// For points on unit steps. An agent holds its place at each tick at which it is there, and the crossing of an
    /// edge during the step over it. Agents may follow each other without a gap, also in a circle; they may not
    /// exchange places.
    ///
    /// The rule ignores extent: points that follow each other round a corner come within 0.71 of a step.
    Swap,
    /// A move holds both of its places while it lasts: no agent enters a place that another agent is still leaving.
    /// Right for every shape, speed and curve.
    Following,
}

/// The reservation cells that a crowd shares: the number of places and crossings, and the conflict rule.
///
/// Places come first, `0..places`, then crossings. Every class names its cells by
/// [`Footprint::cells`](crate::Footprint::cells). A crowd's store has room for the cells of all its classes,
/// [joined](Self::join).
///
/// ```
/// use giveway_core::{Cells, ConflictRule};
///
/// let infantry = Cells::new(ConflictRule::Following, 64 * 64, 0);
/// let points = Cells::new(ConflictRule::Swap, 64 * 64, 2 * 64 * 64);
/// assert!(infantry.join(points).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cells {
    rule: ConflictRule,
    places: u32,
    crossings: u32,
    layout: u64,
    /// Whether cells without a layout do not match.
    apart: bool,
}

impl Cells {
    /// Cells for `places` places and `crossings` crossings. If the sum does not fit 32 bits, there are fewer crossings,
    /// so that it fits.
    pub const fn new(rule: ConflictRule, places: u32, crossings: u32) -> Self {
        let room = u32::MAX - places;
        Self { rule, places, crossings: if crossings < room { crossings } else { room }, layout: 0, apart: false }
    }

    /// Sets the layout: a number that says how the ground is divided into places. Cells with two different layouts do
    /// not [join](Self::join), even if the numbers of places are equal. 0, the default, means no particular layout:
    /// such cells join the cells of every layout whose places are not private.
    #[must_use]
    pub const fn laid_out(self, layout: u64) -> Self {
        Self { layout, ..self }
    }

    /// Marks the places as private to this layout: [`join`](Self::join) then also refuses cells without a layout.
    #[must_use]
    pub const fn apart(self) -> Self {
        Self { apart: true, ..self }
    }

    /// The conflict rule.
    pub const fn rule(self) -> ConflictRule {
        self.rule
    }

    /// The number of places.
    pub const fn places(self) -> u32 {
        self.places
    }

    /// The number of crossings.
    pub const fn crossings(self) -> u32 {
        self.crossings
    }

    /// One more than the largest cell id.
    pub const fn bound(self) -> usize {
        self.places as usize + self.crossings as usize
    }

    /// The cell of the place numbered `place`, which must be below the number of places. With a larger number, the
    /// result is the cell of a crossing, or a cell that does not exist.
    #[inline]
    pub const fn place(self, place: u32) -> CellId {
        CellId(place)
    }

    /// The cell of the crossing numbered `crossing`, which must be below the number of crossings.
    #[inline]
    pub const fn crossing(self, crossing: u32) -> CellId {
        CellId(self.places.saturating_add(crossing))
    }

    /// The cells of a crowd after a class joins. `self` are the cells of the crowd, and `other` are the cells of the
    /// class. A class without crossings may join a crowd with crossings.
    ///
    /// # Errors
    /// * The rules differ.
    /// * The numbers of places differ.
    /// * The numbers of crossings differ, and neither number is 0.
    /// * Both `self` and `other` have a layout, and the layouts differ.
    /// * Only one of `self` and `other` has a layout, and the cells with the layout are [apart](Self::apart).
    pub fn join(self, other: Self) -> Result<Self, CellsDiffer> {
        let crossings = self.crossings.max(other.crossings);
        let agrees = |cells: Self| cells.crossings == 0 || cells.crossings == crossings;
        let layout = self.layout.max(other.layout);
        let apart = self.apart || other.apart;
        let laid_out = |cells: Self| (cells.layout == 0 && !apart) || cells.layout == layout;
        let alike = agrees(self) && agrees(other) && laid_out(self) && laid_out(other);
        if self.rule == other.rule && self.places == other.places && alike {
            Ok(Self { crossings, layout, apart, ..self })
        } else {
            Err(CellsDiffer { shared: self, joining: other })
        }
    }
}

/// A space has more nodes and crossings than there are cell ids: 2^32 - 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyCells {
    /// The [`node_bound`](crate::SpaceGraph::node_bound) of the space.
    pub node_bound: usize,
    /// The [`crossing_bound`](crate::Facts::crossing_bound) of the space.
    pub crossing_bound: usize,
}

impl std::fmt::Display for TooManyCells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { node_bound, crossing_bound } = self;
        write!(
            f,
            "node_bound() is {node_bound} and facts().crossing_bound is {crossing_bound}: together they must be at most {}",
            u32::MAX
        )
    }
}

impl std::error::Error for TooManyCells {}

/// A class cannot join a crowd: its reservation cells do not match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellsDiffer {
    /// The cells of the crowd.
    pub shared: Cells,
    /// The cells of the class.
    pub joining: Cells,
}

impl std::fmt::Display for CellsDiffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (shared, joining) = (self.shared, self.joining);
        if shared.rule == joining.rule {
            write!(
                f,
                "a class with {} places and {} crossings cannot share reservations with one of {} places and {} crossings{}: \
                 give all units of the crowd a body, and make each class by Body::on or Vehicle::on with one Ground",
                joining.places,
                joining.crossings,
                shared.places,
                shared.crossings,
                if shared.layout == joining.layout { "" } else { ", laid out in another way" }
            )
        } else {
            write!(
                f,
                "a class under the {:?} rule cannot share reservations with one under the {:?} rule: give all classes \
                 of a crowd the same rule (bodies with a size need Following)",
                joining.rule, shared.rule
            )
        }
    }
}

impl std::error::Error for CellsDiffer {}

/// A reservation cell and a span of ticks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The cell.
    pub cell: CellId,
    /// The ticks.
    pub span: Span,
}
