//! Arrows: the directions in which units go through places, and their changes over time.

use giveway_core::{Embedding, Tick};
use giveway_lanes::DirectionMap;

use crate::extent::Extent;
use crate::plane::point;

/// The direction in which units go through one place: a vector of a direction map (Jansen and Sturtevant, "Direction
/// Maps for Cooperative Pathfinding", AIIDE 2008, *Definitions*).
///
/// Pictures show x and y. Vectors that are not finite, or shorter than 0.005, are not drawn: a place without a
/// direction has no arrow. Vectors longer than 1 are drawn with length 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arrow {
    /// The middle of the place, in world units.
    pub at: [f32; 3],
    /// The direction of units, of length 0 to 1. The longer the vector, the more units go in this direction.
    pub vector: [f32; 3],
}

impl Arrow {
    /// An arrow at `at`, in the direction `vector`.
    pub const fn new(at: [f32; 3], vector: [f32; 3]) -> Self {
        Self { at, vector }
    }

    /// The arrows of `map`, a direction map of `space`: one arrow in each place that has a direction.
    ///
    /// ```
    /// use giveway_lanes::{DirectionMap, DirectionRules};
    /// use giveway_render::Arrow;
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(4, 2)?;
    /// let map = DirectionMap::blank(&grid, DirectionRules::paper());
    /// map.set(grid.node(2, 1).unwrap(), [0.0, -0.5, 0.0])?;
    /// assert_eq!(Arrow::from_map(&grid, &map), [Arrow::new([2.0, 1.0, 0.0], [0.0, -0.5, 0.0])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_map<S: Embedding>(space: &S, map: &DirectionMap) -> Vec<Self> {
        map.directions().map(|(node, vector)| Self::new(space.position(node), vector)).collect()
    }

    /// The visible part; `None` if nothing is visible.
    pub(crate) fn drift(&self) -> Option<Drift> {
        let finite = self.at.iter().chain(&self.vector).all(|side| side.is_finite());
        let [x, y] = point(self.vector);
        let length = (x * x + y * y).sqrt();
        (finite && length >= SHORTEST).then(|| Drift {
            at: point(self.at),
            direction: [x / length, y / length],
            length: length.min(1.0),
        })
    }
}

/// A visible arrow in the plane of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift {
    pub(crate) at: [f64; 2],
    /// Of length 1.
    pub(crate) direction: [f64; 2],
    /// From [`SHORTEST`] to 1.
    pub(crate) length: f64,
}

impl Drift {
    /// The arrows that are drawn within `extent`.
    pub(crate) fn within(arrows: &[Arrow], extent: Extent) -> impl Iterator<Item = Self> {
        arrows.iter().filter_map(Arrow::drift).filter(move |drift| extent.contains(drift.at))
    }
}

/// The length of the shortest visible arrow: half of a hundredth, the unit of the player.
const SHORTEST: f64 = 0.005;

/// The directions in which units go through the places of a map, over time; for a [`Player`](crate::Player).
///
/// ```
/// use giveway_render::{Arrow, Flow};
///
/// let at = [0.0; 3];
/// let flow = Flow::new().at(0, [Arrow::new(at, [1.0, 0.0, 0.0])]).at(50, [Arrow::new(at, [0.2, 0.5, 0.0])]);
/// assert!(!flow.is_empty());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Flow {
    /// In ascending ticks, one snapshot per tick.
    snapshots: Vec<(Tick, Vec<Arrow>)>,
}

impl Flow {
    /// An empty flow, without snapshots.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flow in which `arrows` stay from the first tick to the last tick.
    pub fn still(arrows: impl Into<Vec<Arrow>>) -> Self {
        Self::new().at(0, arrows)
    }

    /// Adds a snapshot: `arrows` are all arrows from `tick` until the tick of the next snapshot. Replaces an earlier
    /// snapshot at the same tick. Of several arrows at one position, the last arrow counts.
    #[must_use]
    pub fn at(mut self, tick: Tick, arrows: impl Into<Vec<Arrow>>) -> Self {
        let arrows = arrows.into();
        match self.snapshots.binary_search_by_key(&tick, |(tick, _)| *tick) {
            Ok(index) => self.snapshots[index].1 = arrows,
            Err(index) => self.snapshots.insert(index, (tick, arrows)),
        }
        self
    }

    /// Whether there is no snapshot.
    pub fn is_empty(&self) -> bool {
        self.snapshots.is_empty()
    }

    /// The snapshots, in ascending ticks.
    pub(crate) fn snapshots(&self) -> &[(Tick, Vec<Arrow>)] {
        &self.snapshots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_are_in_the_order_of_their_ticks() {
        let to = |x| [Arrow::new([0.0; 3], [x, 0.0, 0.0])];
        let flow = Flow::new().at(9, to(0.9)).at(2, to(0.2)).at(5, to(0.1)).at(5, to(0.5));
        let found: Vec<(Tick, f32)> = flow.snapshots().iter().map(|(tick, all)| (*tick, all[0].vector[0])).collect();
        assert_eq!(found, [(2, 0.2), (5, 0.5), (9, 0.9)]);
        assert_eq!(Flow::still(to(1.0)), Flow::new().at(0, to(1.0)));
        assert!(Flow::new().is_empty() && !Flow::still([]).is_empty());
    }

    #[test]
    fn what_says_nothing_is_not_drawn() {
        let length = |at, vector| Arrow::new(at, vector).drift().map(|drift| drift.length);
        let here = [1.0, 2.0, 3.0];
        for (vector, expected) in [
            ([0.0; 3], None),
            ([0.0, 0.0, 1.0], None),
            ([0.0049, 0.0, 0.0], None),
            ([-0.0, 0.0051, 0.0], Some(0.0051_f32)),
            ([0.5, 0.0, 0.0], Some(0.5)),
            ([3.0, 4.0, 0.0], Some(1.0)),
            ([f32::MAX, f32::MIN, 0.0], Some(1.0)),
            ([f32::NAN, 1.0, 0.0], None),
            ([1.0, 0.0, f32::INFINITY], None),
        ] {
            assert_eq!(length(here, vector), expected.map(f64::from), "{vector:?}");
        }
        assert_eq!(length([f32::NAN, 0.0, 0.0], [1.0, 0.0, 0.0]), None);
        assert_eq!(length([0.0, f32::NEG_INFINITY, 0.0], [1.0, 0.0, 0.0]), None);
    }
}
