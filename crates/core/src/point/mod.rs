//! The point: a unit without extent, under either conflict rule.

mod conflict_sets;
mod crossings;

use std::ops::ControlFlow;
use std::sync::Arc;

pub use conflict_sets::{ApartError, Site};

use crate::footprint::{EntryVisitor, Footprint};
use crate::space::{Embedding, MotionIn, MoveIn, SpaceGraph};
use crate::vocabulary::{
    Cells, ConflictRule, Entry, Motion, Move, NodeId, Span, Tick, Ticks, TooCoarse, TooManyCells, check_ticks,
    move_lengths,
};
use conflict_sets::ConflictSets;
use crossings::Crossings;

/// A unit without extent: the agent of the multi-agent pathfinding literature. A point takes one tick for every move,
/// unless it is [`timed`](Self::timed).
///
/// Under the [swap rule](ConflictRule::Swap) a move holds its crossing for its tick, and its target for the tick of
/// arrival. Under the [following rule](ConflictRule::Following) a move holds both of its places for its duration, and
/// its crossing, if the space numbers crossings: two diagonals that cross have no place in common.
#[derive(Clone, Debug)]
pub struct Point {
    cells: Cells,
    crossings: Option<Crossings>,
    /// Conflict sets; their cells come after the crossings.
    apart: Option<Arc<ConflictSets>>,
    /// `None`: every move takes one tick.
    pace: Option<Pace>,
    /// The revision of the space for which the point was made.
    revision: u64,
}

/// How long the moves of a timed point take.
#[derive(Clone, Debug)]
struct Pace {
    ticks_per_length: Ticks,
    /// The lengths of moves, for points that keep their speed.
    lengths: Arc<[f32]>,
    /// The duration of all moves, if it is the same for all.
    uniform: Option<Ticks>,
}

impl Pace {
    fn of<S: SpaceGraph>(space: &S, ticks_per_length: Ticks) -> Self {
        let lengths = if TooManyCells::check(space).is_ok() { move_lengths(space) } else { Vec::new() };
        let mut durations: Vec<Ticks> = lengths.iter().map(|length| ticks(*length, ticks_per_length)).collect();
        durations.dedup();
        // Lengths of 0 are not listed, and take one tick.
        let is_long = |node| space.moves(NodeId(node)).all(|m| m.length > 0.0);
        let uniform = match durations[..] {
            [only] if only == 1 || (0..clamp(space.node_bound())).all(is_long) => Some(only),
            _ => None,
        };
        Self { ticks_per_length, lengths: lengths.into(), uniform }
    }

    fn ticks(&self, length: f32) -> Ticks {
        ticks(length, self.ticks_per_length)
    }
}

/// The ticks of a move of `length`, at least one.
#[inline]
fn ticks(length: f32, ticks_per_length: Ticks) -> Ticks {
    // The cast takes NaN and negative values to 0, and saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ticks = (f64::from(length) * f64::from(ticks_per_length)).round() as Ticks;
    ticks.max(1)
}

impl Point {
    /// A point under the swap rule in `space`.
    ///
    /// Where the space does not number its crossings, this constructor numbers the pairs of connected nodes, in time
    /// linear in the number of moves. The numbers are for this revision of the space: if a move is added later between
    /// nodes that are not connected now, the point never makes this move. So make the point while no part of the space
    /// is closed. All spaces of one crowd that are numbered by this constructor must connect equal pairs of nodes;
    /// otherwise [`Cells::join`] refuses the class that differs.
    ///
    /// If the space's bounds are [too large](TooManyCells) to number its cells, nothing is numbered: instances and
    /// crowds refuse such a space.
    pub fn swap_rule<S: SpaceGraph>(space: &S) -> Self {
        let places = clamp(space.node_bound());
        let (crossings, count, layout) = match space.facts().crossing_bound {
            0 if TooManyCells::check(space).is_ok() => {
                let crossings = Crossings::number(space);
                let (count, layout) = (crossings.bound(), crossings.layout());
                (Some(crossings), count, layout)
            }
            count => (None, count, 0),
        };
        Self {
            cells: Cells::new(ConflictRule::Swap, places, clamp(count)).laid_out(layout),
            crossings,
            apart: None,
            pace: None,
            revision: space.revision(),
        }
    }

    /// A point under the following rule in `space`.
    pub fn following_rule<S: SpaceGraph>(space: &S) -> Self {
        let (places, crossings) = (clamp(space.node_bound()), clamp(space.facts().crossing_bound));
        let cells = Cells::new(ConflictRule::Following, places, crossings);
        Self { cells, crossings: None, apart: None, pace: None, revision: space.revision() }
    }

    /// A point under the following rule that takes `ticks_per_length` ticks for each unit of a move's
    /// [length](crate::Move::length), within 1 %. So the moves of a graph take time by their lengths: at 1 tick per
    /// length, a track of length 7 takes 7 ticks. A move of length 0 takes one tick. (The swap rule is for unit steps
    /// only.)
    ///
    /// Takes time linear in the nodes and moves of the space. The error names the least number of ticks per length that
    /// is fine enough.
    ///
    /// A search that waits by quanta waits for one tick at a time, so its work grows with the ticks of a wait. Choose
    /// ticks no finer than the lengths need, or use [safe intervals](crate::TimeModel::SafeIntervals).
    ///
    /// ```
    /// use giveway_core::{Footprint, Move, NodeId, Point, SpaceGraph};
    ///
    /// /// Two stations, and a track of length 2.5 from the first to the second.
    /// struct Line;
    /// impl SpaceGraph for Line {
    ///     type Action = ();
    ///     type Cost = u32;
    ///     fn node_bound(&self) -> usize { 2 }
    ///     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
    ///         (from == NodeId(0)).then(|| Move { from, to: NodeId(1), action: (), cost: 2500, length: 2.5 }).into_iter()
    ///     }
    /// }
    /// let train = Point::timed(&Line, 4)?;
    /// let track = Line.moves(NodeId(0)).next().unwrap();
    /// assert_eq!(train.duration(&Line, &track), Some(10));
    /// // With one tick for each unit, the train would need two or three ticks, and exactly two and a half.
    /// assert_eq!(Point::timed(&Line, 1).unwrap_err().needed, Some(2));
    /// # Ok::<(), giveway_core::TooCoarse>(())
    /// ```
    ///
    /// # Errors
    /// The duration of a move, in whole ticks, would differ from its exact duration by more than 1 %.
    pub fn timed<S: SpaceGraph>(space: &S, ticks_per_length: Ticks) -> Result<Self, TooCoarse> {
        let pace = Pace::of(space, ticks_per_length);
        check_ticks(pace.lengths.iter().copied().map(f64::from), ticks_per_length)?;
        Ok(Self { pace: Some(pace), ..Self::following_rule(space) })
    }

    /// Like [`timed`](Self::timed), but without the limit of 1 %: every duration is rounded to whole ticks, at least
    /// one. For experiments in which speeds need not be exact.
    pub fn rounded<S: SpaceGraph>(space: &S, ticks_per_length: Ticks) -> Self {
        let pace = Pace { lengths: Arc::default(), ..Pace::of(space, ticks_per_length) };
        Self { pace: Some(pace), ..Self::following_rule(space) }
    }

    /// Keeps points apart: discs of `radius` around any two points never overlap, whether the points rest or move.
    /// Edges may cross, edges may pass by a node, and nodes may lie close together. `radius` is in world units.
    /// Distances count in all three dimensions.
    ///
    /// Under the following rule, two motions that come nearer than two radii exclude each other for their whole
    /// durations. Under the swap rule all moves take one tick, so the distance of two points is known at each moment: a
    /// point may follow another point if there is room.
    ///
    /// The sets of motions that exclude each other are made once, in time and memory in proportion to the motions and
    /// the pairs that are near. The sets are for this revision of the space: a move that is added later is never
    /// permitted, so make the point while everything is open. All classes of a crowd must use clones of one point, or
    /// [`Cells::join`] refuses them. For units of different sizes, give each a body instead.
    ///
    /// Replaces all sets so far, also the sets from [`with_conflicts`](Self::with_conflicts). Trajectories are followed
    /// to within a thousandth of the radius. A move is expected to lead from the position of its first node to the
    /// position of its last node.
    ///
    /// ```
    /// use giveway_core::{Embedding, Move, NodeId, Point, SpaceGraph};
    ///
    /// /// Two roads that cross without a junction: from 0 to 1, and from 2 to 3.
    /// struct Flyover([f32; 4]);
    /// impl SpaceGraph for Flyover {
    ///     type Action = ();
    ///     type Cost = u32;
    ///     fn node_bound(&self) -> usize { 4 }
    ///     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
    ///         let to = NodeId(from.0 + 1);
    ///         (from.0 % 2 == 0).then(|| Move { from, to, action: (), cost: 1000, length: 1.0 }).into_iter()
    ///     }
    /// }
    /// impl Embedding for Flyover {
    ///     fn position(&self, node: NodeId) -> [f32; 3] {
    ///         let [x, y] = [[0.0, 1.0], [2.0, 1.0], [1.0, 0.0], [1.0, 2.0]][node.index()];
    ///         [x, y, self.0[node.index()]]
    ///     }
    /// }
    /// let sets = |heights, radius| Point::following_rule(&Flyover(heights)).keep_apart(&Flyover(heights), radius).unwrap().conflict_sets();
    /// assert_eq!(sets([0.0; 4], 0.3), 1);
    /// // A bridge: nothing excludes anything. Larger units: one that waits is in the way of the other road, too.
    /// assert_eq!(sets([0.0, 0.0, 4.0, 4.0], 0.3), 0);
    /// assert!(sets([0.0; 4], 0.6) > 1);
    /// ```
    ///
    /// # Errors
    /// * The radius is not positive and finite.
    /// * A position or a stretch of a trajectory is not finite, or a trajectory is absurdly long.
    /// * More than 2^24 pairs of motions are near each other, or there are too many pairs to test.
    /// * There are too many nodes, crossings and sets for the ids of cells.
    pub fn keep_apart<S: Embedding>(self, space: &S, radius: f32) -> Result<Self, ApartError> {
        let sets = ConflictSets::by_radius(space, radius, self.cells.rule() == ConflictRule::Swap)?;
        self.with_sets(sets)
    }

    /// Makes the two sites of each pair exclude each other: while a unit is at one site, no other unit is at the other
    /// site. For graphs without positions, or for rules of your own: signals, level crossings. Replaces all sets so
    /// far.
    ///
    /// The sets are for this revision of the space, as with [`keep_apart`](Self::keep_apart).
    ///
    /// # Errors
    /// A site is not in the space; there are more than 2^24 pairs; or there are too many nodes, crossings and sets for
    /// the ids of cells.
    pub fn with_conflicts<S: SpaceGraph>(
        self,
        space: &S,
        pairs: impl IntoIterator<Item = [Site; 2]>,
    ) -> Result<Self, ApartError> {
        let sets = ConflictSets::given(space, pairs)?;
        self.with_sets(sets)
    }

    /// The number of conflict sets: see [`keep_apart`](Self::keep_apart).
    #[inline]
    pub fn conflict_sets(&self) -> u32 {
        self.apart.as_ref().map_or(0, |sets| sets.count())
    }

    fn with_sets(self, sets: ConflictSets) -> Result<Self, ApartError> {
        let crossings = self.first_set();
        let total = u32::MAX - self.cells.places();
        let all = crossings.checked_add(sets.count()).filter(|all| *all <= total).ok_or(ApartError::TooMany)?;
        let cells = Cells::new(self.cells.rule(), self.cells.places(), all).laid_out(sets.layout()).apart();
        Ok(Self { cells, apart: Some(Arc::new(sets)), ..self })
    }

    /// The number of crossings, after which sets are numbered.
    #[inline]
    fn first_set(&self) -> u32 {
        self.cells.crossings() - self.conflict_sets()
    }

    /// Calls `entry` for the sets of `motion`.
    ///
    /// Sets that name rests only are held as places are. Under the following rule all sets of rests are held as places
    /// are: then a unit that arrives holds what it needs to stay, while others are under way. Under the swap rule all
    /// ways take one tick, so no unit is under way when a unit arrives.
    #[inline(never)]
    fn sweep_sets<A, C>(
        &self,
        sets: &ConflictSets,
        motion: &Motion<A, C>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        let first = self.first_set();
        let mut hold = |sets: &[u32], span| {
            sets.iter().try_for_each(|set| entry(Entry { cell: self.cells.crossing(first + set), span }))
        };
        let rule = self.cells.rule();
        match motion {
            Motion::Move(m) => {
                let span = Span::lasting(depart, self.ticks(m));
                // A move that came later is never made: it has no duration.
                hold(sets.of_way(m.from, m.to).unwrap_or_default(), span)?;
                match rule {
                    ConflictRule::Swap => hold(sets.among_rests(m.to), Span::tick(depart.saturating_add(1))),
                    ConflictRule::Following => {
                        hold(sets.of_rest(m.to), span)?;
                        hold(sets.of_rest(m.from), span)
                    }
                }
            }
            Motion::Rest { node, ticks } => match rule {
                ConflictRule::Swap => {
                    hold(sets.among_rests(*node), Span::lasting(depart, ticks.saturating_add(1)))?;
                    // Being there at one tick blocks no move: what comes before and after does.
                    if *ticks == 0 {
                        ControlFlow::Continue(())
                    } else {
                        hold(sets.with_ways(*node), Span::lasting(depart, *ticks))
                    }
                }
                ConflictRule::Following => hold(sets.of_rest(*node), Span::lasting(depart, (*ticks).max(1))),
            },
        }
    }

    /// Whether `m` was a move when the point was made. For a way that came later, the units that it meets are not
    /// known.
    #[inline]
    fn knows<A, C>(&self, m: &Move<A, C>) -> bool {
        self.apart.as_ref().is_none_or(|sets| sets.of_way(m.from, m.to).is_some())
            && self.crossings.as_ref().is_none_or(|crossings| m.from == m.to || crossings.of(m.from, m.to).is_some())
    }

    #[inline]
    fn ticks<A, C>(&self, m: &Move<A, C>) -> Ticks {
        self.pace.as_ref().map_or(1, |pace| pace.ticks(m.length))
    }
}

fn clamp(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl<S: SpaceGraph> Footprint<S> for Point {
    #[inline]
    fn cells(&self, _space: &S) -> Cells {
        self.cells
    }

    #[inline]
    fn ticks_per_step(&self) -> Ticks {
        self.pace.as_ref().map_or(1, |pace| pace.ticks_per_length.max(1))
    }

    fn ticks_of_step(&self, space: &S) -> Option<Ticks> {
        let pace = self.pace.as_ref()?;
        Some(pace.ticks(space.facts().step)).filter(|ticks| *ticks > pace.ticks_per_length)
    }

    #[inline]
    fn duration(&self, _space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        self.knows(m).then(|| self.ticks(m))
    }

    fn uniform_duration(&self, space: &S) -> Option<Ticks> {
        match &self.pace {
            None => Some(1),
            Some(pace) if space.revision() == self.revision => pace.uniform,
            Some(pace) => space.facts().uniform_length.map(|length| pace.ticks(length)),
        }
    }

    fn makes_all_moves(&self, space: &S) -> bool {
        self.crossings.is_none() && self.apart.is_none() || space.revision() == self.revision
    }

    fn check_slowness(&self, _space: &S, slowness: f32) -> Result<(), TooCoarse> {
        let Some(pace) = &self.pace else { return Ok(()) };
        let lengths = pace.lengths.iter().map(|length| f64::from(*length) * f64::from(slowness));
        check_ticks(lengths, pace.ticks_per_length)
    }

    #[inline(always)] // into the search, where the kind of the motion is known
    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        if let Some(sets) = &self.apart {
            self.sweep_sets(sets, motion, depart, entry)?;
        }
        let place = |node: NodeId, span| Entry { cell: self.cells.place(node.0), span };
        let crossing = |m: &MoveIn<S>| match &self.crossings {
            Some(crossings) => crossings.of(m.from, m.to),
            None if self.first_set() > 0 => space.crossing(m),
            None => None,
        };
        match (self.cells.rule(), motion) {
            (rule, Motion::Move(m)) => {
                let span = Span::lasting(depart, self.ticks(m));
                match rule {
                    // The motion before holds the place that is left: it ended there at this tick.
                    ConflictRule::Swap => entry(place(m.to, Span::tick(depart.saturating_add(1))))?,
                    ConflictRule::Following => {
                        entry(place(m.to, span))?;
                        entry(place(m.from, span))?;
                    }
                }
                match crossing(m) {
                    Some(crossing) => entry(Entry { cell: self.cells.crossing(crossing), span }),
                    None => ControlFlow::Continue(()),
                }
            }
            (ConflictRule::Swap, Motion::Rest { node, ticks }) => {
                // Held at the first and at the last tick: an arrival at either is a conflict.
                entry(place(*node, Span::lasting(depart, ticks.saturating_add(1))))
            }
            (ConflictRule::Following, Motion::Rest { node, ticks }) => {
                entry(place(*node, Span::lasting(depart, (*ticks).max(1))))
            }
        }
    }
}
