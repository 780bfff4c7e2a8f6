//! Roads: lanes with places one behind the other, and the ways through junctions.

mod curve;

use std::collections::BTreeMap;

use giveway_core::{Cost, Embedding, Facts, Goals, Move, NodeId, SpaceGraph, Trajectory};

use crate::adjacency::Adjacency;
use crate::space_error::SpaceError;
use curve::{Tangent, Way, way};

/// The geometry of [`Roads`]: the widths and lengths of lanes, and the side of traffic. Lengths are in world units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RoadRules {
    spacing: f32,
    lane: f32,
    setback: f32,
    keeps_left: bool,
    turns_round: bool,
}

impl RoadRules {
    /// Rules with three lengths.
    ///
    /// * `spacing` is the least distance between the positions of two vehicles that stand in one lane: the length of a
    ///   vehicle, and a gap.
    /// * `lane` is the width of a lane. In each direction of a two-way road, the middle of the first lane is at half of
    ///   this distance from the middle of the road. Each further lane lies one lane width farther out.
    /// * `setback` is the distance between a junction and the lanes that begin or end there, along the road.
    ///
    /// By default traffic keeps to the right, if x grows to the right and y downwards. Vehicles make U-turns only where
    /// a road ends.
    pub const fn new(spacing: f32, lane: f32, setback: f32) -> Self {
        Self { spacing, lane, setback, keeps_left: false, turns_round: false }
    }

    /// Makes traffic keep to the left.
    #[must_use]
    pub const fn keeping_left(self) -> Self {
        Self { keeps_left: true, ..self }
    }

    /// Lets vehicles make U-turns at every junction.
    #[must_use]
    pub const fn turning_round(self) -> Self {
        Self { turns_round: true, ..self }
    }

    fn check(&self) -> Result<(), SpaceError> {
        let sane = |length: f32, least: f32| length >= least && length <= 1e6;
        for length in [self.spacing, self.lane, self.setback] {
            if !sane(length, 0.0) || !sane(self.spacing.min(self.setback), 1e-3) {
                return Err(SpaceError::Length { from: NodeId(0), to: NodeId(0), length });
            }
        }
        Ok(())
    }
}

/// Roads with lanes, made from a road map. A road map is any space with positions: its nodes are junctions, and its
/// moves are lanes.
///
/// * A lane has places, one behind the other; the [spacing](RoadRules::new) says how many fit. The places are the nodes
///   of this space. So a vehicle holds only a part of a lane, and other vehicles follow behind it. The number of places
///   is the capacity of the lane.
/// * A move and its reverse make a road with a lane in each direction. Several moves from one junction to another are
///   lanes side by side. If there is no move in the other direction, the road is a one-way road: its lanes lie around
///   the straight line between the junctions.
/// * At a junction, a curve leads from the last place of each lane that ends there to the first place of each lane that
///   begins there. A curve is missing if the geometry does not permit it, or if it is a U-turn that the
///   [rules](RoadRules::turning_round) do not permit. A vehicle holds its curve, and not the whole junction: other
///   vehicles may pass if their ways do not cross this curve. The [heading](Embedding::heading) of a place is the
///   direction of its lane, so vehicles need not turn on the spot.
/// * In a lane, the cost per unit of length is the cost of the lane's move in the map, divided by the straight-line
///   distance between its two junctions. In a curve, the cost per unit of length is the mean of the costs in the two
///   lanes that the curve joins. If costs are integers, the cost of each move of this space is rounded down, and a cost
///   between 0 and 1 becomes 1. So choose large costs, such as 1000 for a world unit.
///
/// Give vehicles a body, so that they hold the ground that they cover. Cells of the `Ground` should be much smaller
/// than a lane is wide. If there is only one class of units, points with
/// [`Point::keep_apart`](giveway_core::Point::keep_apart) are enough.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{NodeId, SpatialSearch};
/// use giveway_spaces::{FnSpace, RoadRules, Roads};
///
/// // A crossroads: four roads of 20 world units meet in node 0.
/// let at = [[24.0, 24.0], [4.0, 24.0], [24.0, 4.0], [44.0, 24.0], [24.0, 44.0]];
/// let map = FnSpace::new(5, |node| if node == 0 { vec![(1, 20_000), (2, 20_000), (3, 20_000), (4, 20_000)] } else { vec![(0, 20_000)] })?
///     .with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0])?;
/// let roads = Roads::new(&map, RoadRules::new(5.0, 3.0, 5.0))?;
/// assert_eq!(roads.capacity(NodeId(1), NodeId(0)), 3);
///
/// // From the first place of the lane from the west to the first place of the lane to the east: ten world units along the lane, ten through the junction.
/// let start = roads.first(NodeId(1), NodeId(0)).unwrap();
/// let route = SpatialSearch::new().find(&roads, start, &roads.lane(NodeId(0), NodeId(3)), &mut Zero)?;
/// let length: f32 = route.moves.iter().map(|m| m.length).sum();
/// assert!((length - 20.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Roads<C = u32> {
    lanes: Vec<Lane>,
    /// Per pair of junctions, its lanes: numbers of `lanes`.
    between: BTreeMap<[NodeId; 2], Vec<u32>>,
    /// Per junction, the lanes that lead there.
    into: BTreeMap<NodeId, Vec<u32>>,
    positions: Vec<[f32; 3]>,
    /// Per place, its lane.
    lane_of: Vec<u32>,
    adjacency: Adjacency<u32, C>,
    /// Per move, in the order of the adjacency, its trajectory; `None`: straight on.
    curves: Vec<Option<Trajectory>>,
    /// The length of a usual move.
    step: f32,
}

/// A lane: its vehicles drive one behind the other.
#[derive(Clone, Copy, Debug)]
struct Lane {
    from: NodeId,
    to: NodeId,
    first: NodeId,
    places: u32,
    heading: f64,
    /// The cost of a world unit.
    rate: f64,
}

/// No lane has more places.
const MOST_PLACES: f64 = 1e6;

impl<C: Cost> Roads<C> {
    /// The roads of `map`. All roads are straight: trajectories and lengths of the moves of `map` are ignored.
    ///
    /// Takes time and memory in proportion to the number of places, plus the square of the number of lanes at each
    /// junction.
    ///
    /// # Errors
    /// * A length of the rules is negative, more than a million or not a number.
    /// * The spacing or the setback is less than 0.001.
    /// * A road is not longer than two setbacks.
    /// * A lane ends at a junction where lanes begin, but no curve leads from this lane into any of them.
    /// * There are more than 2^32 - 1 places or moves, or more than a million places in a lane.
    pub fn new<S: Embedding<Cost = C>>(map: &S, rules: RoadRules) -> Result<Self, SpaceError> {
        Self::with_capacities(map, rules, |_, fits| fits)
    }

    /// Like [`new`](Self::new), but `capacity` sets the number of places in the lane of each move. `capacity` is called
    /// with the move and with the number of places that fit into the lane. The result is clamped: at least 1, and at
    /// most the number that fit. With fewer places, vehicles keep larger distances.
    ///
    /// # Errors
    /// As for `new`.
    pub fn with_capacities<S: Embedding<Cost = C>>(
        map: &S,
        rules: RoadRules,
        mut capacity: impl FnMut(&Move<S::Action, C>, u32) -> u32,
    ) -> Result<Self, SpaceError> {
        rules.check()?;
        let bound = map.node_bound();
        let junctions = u32::try_from(bound).map_err(|_| SpaceError::TooManyNodes { bound })?;
        let mut lanes_of: BTreeMap<[NodeId; 2], Vec<Move<S::Action, C>>> = BTreeMap::new();
        for m in (0..junctions).flat_map(|node| map.moves(NodeId(node))).filter(|m| m.from != m.to) {
            lanes_of.entry([m.from, m.to]).or_default().push(m);
        }
        let mut roads = Self {
            lanes: Vec::new(),
            between: BTreeMap::new(),
            into: BTreeMap::new(),
            positions: Vec::new(),
            lane_of: Vec::new(),
            adjacency: Adjacency::from_moves(0, Vec::new()).ok_or(SpaceError::TooManyMoves)?,
            step: 1.0,
            curves: Vec::new(),
        };
        for ([from, to], moves) in &lanes_of {
            let is_one_way = !lanes_of.contains_key(&[*to, *from]);
            for (number, m) in moves.iter().enumerate() {
                #[allow(clippy::cast_precision_loss)] // a road has far fewer lanes than 2^24
                let number = number as f32;
                #[allow(clippy::cast_precision_loss)]
                let half = moves.len() as f32 / 2.0;
                let beside = rules.lane * (number + 0.5 - if is_one_way { half } else { 0.0 });
                let beside = if rules.keeps_left { -beside } else { beside };
                let ends = [*from, *to].map(|node| map.position(node));
                roads.add_lane(m.from, m.to, ends, beside, &rules, m.cost, |fits| capacity(m, fits))?;
            }
        }
        roads.join(rules.turns_round)?;
        Ok(roads)
    }

    #[allow(clippy::too_many_arguments)] // private, and called once
    fn add_lane(
        &mut self,
        from: NodeId,
        to: NodeId,
        [begin, end]: [[f32; 3]; 2],
        beside: f32,
        rules: &RoadRules,
        cost: C,
        capacity: impl FnOnce(u32) -> u32,
    ) -> Result<(), SpaceError> {
        let by: [f64; 3] = std::array::from_fn(|axis| f64::from(end[axis]) - f64::from(begin[axis]));
        let flat = (by[0] * by[0] + by[1] * by[1]).sqrt();
        let usable = flat - 2.0 * f64::from(rules.setback);
        let spacing = f64::from(rules.spacing);
        if !(usable > 0.0 && usable / spacing < MOST_PLACES) {
            #[allow(clippy::cast_possible_truncation)] // for a message
            return Err(SpaceError::Road { from, to, length: flat as f32, setback: rules.setback });
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked just now
        let fits = (usable / spacing * (1.0 + 1e-9)).floor() as u32 + 1;
        let places = capacity(fits).clamp(1, fits);
        let number = u32::try_from(self.lanes.len()).map_err(|_| SpaceError::TooManyMoves)?;
        let bound = self.positions.len();
        let first = u32::try_from(bound).map_err(|_| SpaceError::TooManyNodes { bound })?;
        first.checked_add(places).ok_or(SpaceError::TooManyNodes { bound: bound + places as usize })?;
        // To the right of the direction, where y grows downwards.
        let right = [-by[1] / flat, by[0] / flat];
        for place in 0..places {
            let along = match places {
                1 => 0.5 * usable,
                _ => usable * f64::from(place) / f64::from(places - 1),
            };
            let share = (f64::from(rules.setback) + along) / flat;
            let at = |axis: usize| {
                let right = if axis < 2 { right[axis] * f64::from(beside) } else { 0.0 };
                f64::from(begin[axis]) + by[axis] * share + right
            };
            #[allow(clippy::cast_possible_truncation)] // as exact as positions
            self.positions.push(std::array::from_fn(|axis| at(axis) as f32));
            self.lane_of.push(number);
        }
        let heading = libm::atan2(by[1], by[0]);
        let length = (by[0] * by[0] + by[1] * by[1] + by[2] * by[2]).sqrt();
        let rate = cost.to_f64().unwrap_or(0.0) / length;
        self.lanes.push(Lane { from, to, first: NodeId(first), places, heading, rate });
        self.between.entry([from, to]).or_default().push(number);
        self.into.entry(to).or_default().push(number);
        Ok(())
    }

    /// Adds the moves along lanes and through junctions.
    fn join(&mut self, turns_round: bool) -> Result<(), SpaceError> {
        let mut out_of: BTreeMap<NodeId, Vec<u32>> = BTreeMap::new();
        for (number, lane) in (0..).zip(&self.lanes) {
            out_of.entry(lane.from).or_default().push(number);
        }
        let mut moves = Vec::new();
        for lane in &self.lanes {
            for (from, to) in (lane.first.0..).zip(lane.first.0 + 1..).take(lane.places as usize - 1) {
                let (from, to) = (NodeId(from), NodeId(to));
                let length = self.distance(from, to);
                moves.push(priced(from, to, 0, length, lane.rate));
                self.curves.push(None);
            }
            let last = NodeId(lane.first.0 + lane.places - 1);
            let onward = out_of.get(&lane.to).map_or(&[][..], Vec::as_slice);
            let goes_on = onward.iter().any(|next| self.lanes[*next as usize].to != lane.from);
            let next = onward.iter().map(|next| &self.lanes[*next as usize]);
            // Where a road ends there is only the way back.
            let next = next.filter(|next| turns_round || !goes_on || next.to != lane.from);
            let mut ways = 0;
            for (action, next) in (1..).zip(next) {
                let (length, curve) = match way(self.tangent(last, lane), self.tangent(next.first, next)) {
                    None => continue,
                    Some(Way::Straight) => (self.distance(last, next.first), None),
                    #[allow(clippy::cast_possible_truncation)] // as exact as positions
                    Some(Way::Curve(curve, length)) => (length as f32, Some(curve)),
                };
                moves.push(priced(last, next.first, action, length, lane.rate.midpoint(next.rate)));
                self.curves.push(curve);
                ways += 1;
            }
            if ways == 0 && !onward.is_empty() {
                return Err(SpaceError::Junction { node: lane.to });
            }
        }
        self.step = usual(moves.iter().map(|m| m.length).collect());
        self.adjacency = Adjacency::from_moves(self.positions.len(), moves).ok_or(SpaceError::TooManyMoves)?;
        Ok(())
    }

    fn tangent(&self, place: NodeId, lane: &Lane) -> Tangent {
        let [x, y, _] = self.positions[place.index()].map(f64::from);
        Tangent { at: [x, y], along: [libm::cos(lane.heading), libm::sin(lane.heading)] }
    }

    fn distance(&self, from: NodeId, to: NodeId) -> f32 {
        let [a, b] = [from, to].map(|node| self.positions[node.index()].map(f64::from));
        let square: f64 = (0..3).map(|axis| (b[axis] - a[axis]) * (b[axis] - a[axis])).sum();
        #[allow(clippy::cast_possible_truncation)] // as exact as positions
        {
            square.sqrt() as f32
        }
    }

    fn lanes_between(&self, from: NodeId, to: NodeId) -> impl Iterator<Item = &Lane> {
        let numbers = self.between.get(&[from, to]).into_iter().flatten();
        numbers.map(|number| &self.lanes[*number as usize])
    }

    /// All places in all lanes from the junction `from` to the junction `to`, as goals. Empty if there is no such lane.
    pub fn lane(&self, from: NodeId, to: NodeId) -> Goals {
        self.lanes_between(from, to).flat_map(|lane| (lane.first.0..).take(lane.places as usize)).map(NodeId).collect()
    }

    /// The first place of the first lane from the junction `from` to the junction `to`. `None`: there is no such lane.
    pub fn first(&self, from: NodeId, to: NodeId) -> Option<NodeId> {
        self.lanes_between(from, to).next().map(|lane| lane.first)
    }

    /// The last places of all lanes into `junction`: goals at which vehicles stop before that junction. Empty if no
    /// lane leads there.
    pub fn at_junction(&self, junction: NodeId) -> Goals {
        let lanes = self.into.get(&junction).into_iter().flatten().map(|number| &self.lanes[*number as usize]);
        lanes.map(|lane| NodeId(lane.first.0 + lane.places - 1)).collect()
    }

    /// The number of places in all lanes from the junction `from` to the junction `to`.
    pub fn capacity(&self, from: NodeId, to: NodeId) -> u32 {
        self.lanes_between(from, to).map(|lane| lane.places).sum()
    }

    /// The junction where the lane of `place` begins, and the junction where it ends. `None`: there is no such place.
    pub fn ends(&self, place: NodeId) -> Option<[NodeId; 2]> {
        let lane = &self.lanes[*self.lane_of.get(place.index())? as usize];
        Some([lane.from, lane.to])
    }
}

/// The median of `lengths`, if it is several plain steps; otherwise a plain step.
fn usual(mut lengths: Vec<f32>) -> f32 {
    const SEVERAL: f32 = 2.0;
    let half = lengths.len() / 2;
    let median = (half > 0).then(|| *lengths.select_nth_unstable_by(half, f32::total_cmp).1);
    median.filter(|median| *median >= SEVERAL).unwrap_or(1.0)
}

/// A move that costs `rate` for each world unit.
fn priced<C: Cost>(from: NodeId, to: NodeId, action: u32, length: f32, rate: f64) -> Move<u32, C> {
    let exact = rate * f64::from(length);
    let cost = match C::floor(exact) {
        // Where integers are too coarse, the way costs 1 rather than nothing.
        cost if cost == C::zero() => C::floor(exact.ceil()),
        cost => cost,
    };
    Move { from, to, action, cost, length }
}

impl<C: Cost> SpaceGraph for Roads<C> {
    type Action = u32;
    type Cost = C;

    fn node_bound(&self) -> usize {
        self.positions.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, C>> {
        self.adjacency.moves(from)
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<u32, C>>> {
        Some(self.adjacency.moves_into(to))
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts { uniform_cost: self.adjacency.uniform_cost(), step: self.step, ..Facts::NONE }
    }
}

impl<C: Cost> Embedding for Roads<C> {
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.positions.get(node.index()).copied().unwrap_or_default()
    }

    fn heading(&self, node: NodeId) -> f32 {
        #[allow(clippy::cast_possible_truncation)] // as exact as headings
        self.lane_of.get(node.index()).map_or(0.0, |lane| self.lanes[*lane as usize].heading as f32)
    }

    fn trajectory(&self, m: &Move<u32, C>) -> Option<&Trajectory> {
        let range = self.adjacency.numbers_out_of(m.from);
        let place = self.adjacency.all()[range.clone()].iter().position(|other| other.action == m.action)?;
        self.curves.get(range.start + place)?.as_ref()
    }
}
