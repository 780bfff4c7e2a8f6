//! Bodies in any space with positions: the part of the space in which a body fits, and its footprint.

mod footprint;
mod survey;
mod walls;

use std::ops::RangeInclusive;
use std::sync::Arc;

use giveway_core::{
    Area, Change, Cost, Editable, Embedding, Facts, Move, MoveIn, NodeId, SpaceGraph, Surface, Tick, Ticks, Trajectory,
    check_ticks,
};

pub use footprint::GraphFootprint;

use crate::body::Body;
use crate::error::BodyError;
use crate::ground::Ground;
use giveway_spaces::{Adjacency, SpaceError, Surfaces};
use survey::{Course, Survey};
use walls::{Corners, Wall, Walls};

/// A space for a body, made by [`Body::on_graph`]: only the places where the body fits, and only the moves on whose way it fits. So
/// reverse searches follow the body's own ways, and a goal that the body cannot reach is known to be unreachable.
///
/// Node ids, actions and the order of moves are those of the [whole space](Self::space). The space is asked for its moves once, and has to stay as
/// it is. Walls are cells of the [`Ground`]: they close and open by [`change`](Editable::change).
#[derive(Clone, Debug)]
pub struct GraphClearance<S: Embedding> {
    space: Arc<S>,
    survey: Survey,
    /// All moves of the space, whether free or not, on the present surfaces.
    adjacency: Adjacency<S::Action, S::Cost>,
    /// Per move, whether it is offered.
    offered: Vec<bool>,
    /// Per move, whether it lies on the ground as a whole, walls or not.
    on_ground: Vec<bool>,
    /// Per node, where the body is if it rests there.
    rooms: Vec<Room>,
    walls: Walls,
    surfaces: Surfaces,
    revision: u64,
}

/// Stamps of wider bodies would be too large.
const MOST_CELLS_ACROSS: f64 = 1024.0;

/// What there is at a place, or on a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    /// The place does not exist, or the body would be in a wall, or beyond the ground.
    Nowhere,
    /// The body is in a wall that it may leave.
    Inside,
    Free,
}

impl Body {
    /// The part of `space` in which the body fits, and its footprint on `ground`; a plain step at speed 1 takes `ticks_per_step` ticks. The
    /// body waits for a quarter of a step at a time.
    ///
    /// The space is any with positions: a waypoint graph, a road network, a game's own. The body is where the space says: it goes straight from
    /// place to place, or along the [trajectory](Embedding::trajectory) of a move, and turns as the [headings](Embedding::heading) and trajectories
    /// say; a space without headings never turns it. A move takes the [length](Move::length) of the move divided by the speed of the body. Moves of
    /// length 0 take one tick.
    ///
    /// There are no walls but the end of the ground; more are [closed](Editable::change) by area, for instance those of a
    /// grid.
    ///
    /// Takes time and memory in proportion to the moves. What the body meets on its way, its stamp, is found when first needed, and kept; see
    /// [`GraphFootprint::keep_at_most`].
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use giveway_core::{Area, Change, Editable, SpaceGraph};
    /// use giveway_bodies::{Body, CommonTicks, Ground};
    /// use giveway_spaces::FnSpace;
    ///
    /// // Four waypoints: a street from 0 to 2, and a way round by 3.
    /// let at = [[1.0, 2.0], [5.0, 2.0], [9.0, 2.0], [5.0, 5.0]];
    /// let ways = [(0, 1), (1, 2), (0, 3), (3, 2)];
    /// let near = |node| ways.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).filter(move |way| way.0 == node);
    /// let waypoints = FnSpace::new(4, |node| near(node).map(|(_, to)| (to, 4000)))?
    ///     .with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0])?;
    ///
    /// let (waypoints, walker) = (Arc::new(waypoints), Body::disc(0.4)?);
    /// let ticks = CommonTicks::new().on_graph(&walker, &*waypoints).fewest()?;
    /// let ground = Ground::new([0.0, 0.0], [10.0, 7.0], 1.0)?;
    /// let (mut space, footprint) = walker.on_graph(waypoints, ground, ticks)?;
    /// // A barrier across the street; the way round passes at a distance.
    /// space.change(&Area::rectangle([5.0, 1.0], [6.0, 3.0])?, Change::Close);
    /// let ends = |node| space.moves(giveway_core::NodeId(node)).map(|m| m.to.0).collect::<Vec<u32>>();
    /// assert_eq!((ends(0), ends(3)), (vec![3], vec![0, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The body fits nowhere, or is more than 1024 cells of the ground wide; a move would differ from its exact time by more than 1 % (the error says which number of ticks would do); the
    /// trajectory of a move does not end, within 1e-4, where the move ends; or the space has more than 2^32 - 1 nodes or moves, or a
    /// move to a node that is beyond its bound.
    pub fn on_graph<S: Embedding>(
        &self,
        space: Arc<S>,
        ground: Ground,
        ticks_per_step: Ticks,
    ) -> Result<(GraphClearance<S>, GraphFootprint), BodyError> {
        let bound = space.node_bound();
        if u32::try_from(bound).is_err() {
            return Err(SpaceError::TooManyNodes { bound }.into());
        }
        check_ticks(self.times(&*space), ticks_per_step)?;
        let survey = Survey::new(Arc::new(self.shape.clone()), ground);
        if survey.cells_across() > MOST_CELLS_ACROSS {
            return Err(BodyError::GroundFine { cells: survey.cells_across() });
        }
        let clearance = GraphClearance::new(space, survey.clone())?;
        if !clearance.rooms.contains(&Room::Free) {
            return Err(BodyError::FitsNowhere);
        }
        let footprint = GraphFootprint::new(survey, self.pace(ticks_per_step), &clearance);
        Ok((clearance, footprint))
    }
}

impl<S: Embedding> GraphClearance<S> {
    fn new(space: Arc<S>, survey: Survey) -> Result<Self, BodyError> {
        let adjacency = Adjacency::from_space(&*space)?;
        let mut clearance = Self {
            offered: vec![false; adjacency.all().len()],
            on_ground: Vec::with_capacity(adjacency.all().len()),
            rooms: vec![Room::Nowhere; space.node_bound()],
            walls: Walls::on(survey.ground),
            surfaces: Surfaces::default(),
            revision: 0,
            space,
            survey,
            adjacency,
        };
        for m in clearance.adjacency.all() {
            let course = Course::of(&*clearance.space, m).ok_or(BodyError::Course { from: m.from, to: m.to })?;
            let survey = &clearance.survey;
            clearance.on_ground.push(survey.is_well_within(&course) || survey.cells(&course, |_, _| {}));
        }
        clearance.look_again(|_, _| true);
        Ok(clearance)
    }

    /// The whole space.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The ground.
    pub fn ground(&self) -> Ground {
        self.survey.ground
    }

    /// Updates the places and moves whose course may meet what has changed.
    fn look_again(&mut self, concerns: impl Fn(&Survey, &Course) -> bool) {
        for node in (0..u32::try_from(self.rooms.len()).unwrap_or(u32::MAX)).map(NodeId) {
            if self.space.contains(node) {
                let course = Course::rest(&*self.space, node);
                if concerns(&self.survey, &course) {
                    self.rooms[node.index()] = self.room(&course);
                }
            }
        }
        for (number, m) in self.adjacency.all().iter().enumerate() {
            let is_offered = self.on_ground[number]
                && match (self.rooms[m.from.index()], self.rooms[m.to.index()]) {
                    (Room::Nowhere, _) | (_, Room::Nowhere) | (Room::Free, Room::Inside) => false,
                    (from, _) => match Course::of(&*self.space, m) {
                        // What has not changed stays as it was, unless the room at an end has.
                        Some(course) if concerns(&self.survey, &course) || !self.offered[number] => {
                            let room = self.room(&course);
                            room == Room::Free || from == Room::Inside && room == Room::Inside
                        }
                        Some(_) => true,
                        None => false,
                    },
                };
            self.offered[number] = is_offered;
        }
    }

    /// Updates what meets columns and rows between two corners.
    fn look_near(&mut self, corners: Option<Corners>) {
        let Some([least, most]) = corners else { return };
        self.look_again(|survey, course| {
            survey
                .bounds(course)
                .is_some_and(|[low, high]| (0..2).all(|axis| low[axis] <= most[axis] && least[axis] <= high[axis]))
        });
        self.revision += 1;
    }

    /// What there is on `course`.
    fn room(&self, course: &Course) -> Room {
        let corners = self.survey.bounds(course);
        let may_meet_walls = corners.is_some_and(|corners| self.walls.are_between(corners, self.survey.levels(course)));
        if !may_meet_walls && self.survey.is_well_within(course) {
            return Room::Free;
        }
        let mut room = Room::Free;
        let walls = &self.walls;
        let is_on_ground = self.survey.cells(course, |cell, _| match walls.get(cell) {
            Wall::Closed => room = Room::Nowhere,
            Wall::Vacated if room == Room::Free => room = Room::Inside,
            _ => {}
        });
        if is_on_ground { room } else { Room::Nowhere }
    }

    /// Gives `surface` to the places in `area`. Returns whether anything changed.
    fn resurface(&mut self, area: &Area, surface: Surface) -> bool {
        let nodes = (0..u32::try_from(self.rooms.len()).unwrap_or(u32::MAX)).map(NodeId);
        let covered = nodes.filter(|node| area.contains(self.space.position(*node)));
        let changed = self.surfaces.cover(covered, surface, self.rooms.len());
        for node in &changed {
            let (space, surfaces) = (&self.space, &self.surfaces);
            self.adjacency.set_moves_into(*node, |from, place| Some(surfaces.apply(space.moves(from).nth(place)?)));
        }
        if !changed.is_empty() {
            self.adjacency.note_costs();
        }
        !changed.is_empty()
    }

    /// The place of `m` among all moves out of its node; `None`: there is no such move.
    #[inline]
    fn place_of(&self, m: &MoveIn<S>) -> Option<usize> {
        self.adjacency.out_of(m.from).iter().position(|other| other.action == m.action)
    }
}

impl<S: Embedding> SpaceGraph for GraphClearance<S> {
    type Action = S::Action;
    type Cost = S::Cost;

    fn node_bound(&self) -> usize {
        self.rooms.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<S::Action, S::Cost>> {
        let numbers = self.adjacency.numbers_out_of(from);
        let all = self.adjacency.all()[numbers.clone()].iter().zip(&self.offered[numbers]);
        all.filter(|(_, offered)| **offered).map(|(m, _)| *m)
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<S::Action, S::Cost>>> {
        let numbers = self.adjacency.numbers_into(to).iter();
        Some(
            numbers
                .filter(|number| self.offered[**number as usize])
                .map(|number| self.adjacency.all()[*number as usize]),
        )
    }

    fn contains(&self, node: NodeId) -> bool {
        self.rooms.get(node.index()) == Some(&Room::Free)
    }

    /// Footprints tell durations, and need no crossings.
    fn facts(&self) -> Facts<'_, S::Cost> {
        let uniform_cost = self.adjacency.uniform_cost();
        let Facts { uniform_cost: _, uniform_length: _, crossing_bound: _, period, origins: _ } = self.space.facts();
        Facts { uniform_cost, uniform_length: None, crossing_bound: 0, period, origins: None }
    }

    fn shortcut(&self, from: NodeId, to: NodeId, lengths: RangeInclusive<f32>) -> Option<S::Action> {
        let [a, b] = [from, to].map(|node| self.space.position(node));
        let square: f32 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
        let length = square.sqrt();
        if !lengths.contains(&length) || !self.surfaces.are_plain() || !self.contains(from) || !self.contains(to) {
            return None;
        }
        let action = self.space.straight(from, to)?;
        // A move that is there takes its own time.
        if self.adjacency.out_of(from).iter().any(|m| m.action == action) {
            return None;
        }
        let m = Move { from, to, action, cost: S::Cost::STEP, length };
        (self.room(&Course::of(&*self.space, &m)?) == Room::Free).then_some(action)
    }

    fn departs(&self, m: &Move<S::Action, S::Cost>, tick: Tick) -> bool {
        self.space.departs(m, tick)
    }

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl<S: Embedding> Embedding for GraphClearance<S> {
    #[inline]
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.space.position(node)
    }

    fn heading(&self, node: NodeId) -> f32 {
        self.space.heading(node)
    }

    fn trajectory(&self, m: &Move<S::Action, S::Cost>) -> Option<&Trajectory> {
        if self.surfaces.are_plain() {
            return self.space.trajectory(m);
        }
        // As the space knows it.
        let plain = self.space.moves(m.from).nth(self.place_of(m)?)?;
        self.space.trajectory(&plain)
    }
}

/// An area covers the cells of the ground whose insides it meets, and gives its surface to the places whose position lies in it.
impl<S: Embedding> Editable for GraphClearance<S> {
    /// Closes or opens the cells of the ground that a body on `node` meets.
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        if !self.space.contains(node) {
            return false;
        }
        let mut cells: Vec<u32> = Vec::new();
        let course = Course::rest(&*self.space, node);
        self.survey.cells(&course, |cell, _| cells.push(cell));
        let new = if open { Wall::None } else { Wall::Closed };
        let mut changed = false;
        for cell in cells {
            changed |= self.walls.set(cell, new);
        }
        if changed {
            let near = self.survey.bounds(&course);
            self.look_near(near);
        }
        changed
    }

    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        let mut cells: Vec<u32> = Vec::new();
        let mut meets = false;
        self.survey.cells(&Course::rest(&*self.space, closed), |cell, _| cells.push(cell));
        self.survey.cells(&Course::rest(&*self.space, node), |cell, _| meets |= cells.contains(&cell));
        meets
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        let course = Course::rest(&*self.space, node);
        if !self.survey.is_near(&course, area) {
            return false;
        }
        let mut meets = false;
        self.survey.cells(&course, |cell, _| meets |= self.walls.is_covered(cell, area));
        meets
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        if let Change::Surface(surface) = change {
            let changed = self.resurface(area, surface);
            self.revision += u64::from(changed);
            return changed;
        }
        let changed = self.walls.change(area, change);
        self.look_near(changed);
        changed.is_some()
    }
}
