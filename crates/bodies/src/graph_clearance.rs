//! Clearance in any space with positions: the part of the space in which a body fits.

use std::ops::RangeInclusive;
use std::sync::Arc;

use giveway_core::adapter::Adapter;
use giveway_core::{
    Area, Change, Cost, Editable, Embedding, Facts, Gate, Journal, Move, MoveIn, NodeId, Surface, Trajectory,
};
use giveway_spaces::{Adjacency, SpaceError, Surfaces};

use crate::body_error::BodyError;
use crate::ground::Ground;
use crate::nearby::{Nearby, widen};
use crate::survey::{Course, Survey};
use crate::walls::{Corners, Walls, overlap};

/// A space for a body, made by [`Body::on`](crate::Body::on). The space has only the places where the body fits, and
/// only the moves along which the body fits. So distances are lengths of ways of this body, and searches find out that
/// a goal is unreachable for this body.
///
/// Node ids, actions and the order of moves are as in the [whole space](Self::space). The whole space must not change,
/// because its moves are read only once. Walls are cells of the [`Ground`]: [`change`](Editable::change) closes and
/// opens these cells.
#[derive(Debug)]
pub struct GraphClearance<S: Embedding> {
    space: Arc<S>,
    survey: Survey,
    /// All moves of the space, whether free or not, on the present surfaces.
    adjacency: Adjacency<S::Action, S::Cost>,
    /// Per move, whether it is offered.
    offered: Vec<bool>,
    /// Per move, whether it lies on the ground as a whole, walls or not.
    on_ground: Vec<bool>,
    /// Per node, whether the body may rest there; closed if the node does not exist.
    gates: Vec<Gate>,
    walls: Walls,
    surfaces: Surfaces,
    /// Which places a change of the ground may concern.
    nearby: Arc<Nearby>,
    journal: Journal,
}

/// Shares the whole space.
impl<S: Embedding> Clone for GraphClearance<S> {
    fn clone(&self) -> Self {
        Self {
            space: Arc::clone(&self.space),
            survey: self.survey.clone(),
            adjacency: self.adjacency.clone(),
            offered: self.offered.clone(),
            on_ground: self.on_ground.clone(),
            gates: self.gates.clone(),
            walls: self.walls.clone(),
            surfaces: self.surfaces.clone(),
            nearby: Arc::clone(&self.nearby),
            journal: self.journal.clone(),
        }
    }
}

/// Stamps of wider bodies would be too large.
const MOST_CELLS_ACROSS: f64 = 1024.0;

impl<S: Embedding> GraphClearance<S> {
    /// The part of `space` with room for the body of `survey`.
    pub(crate) fn new(space: Arc<S>, survey: Survey) -> Result<Self, BodyError> {
        let bound = space.node_bound();
        if u32::try_from(bound).is_err() {
            return Err(SpaceError::TooManyNodes { bound }.into());
        }
        if survey.cells_across() > MOST_CELLS_ACROSS {
            return Err(BodyError::GroundFine { cells: survey.cells_across() });
        }
        let adjacency = Adjacency::from_space(&*space)?;
        let mut clearance = Self {
            offered: vec![false; adjacency.all().len()],
            on_ground: Vec::with_capacity(adjacency.all().len()),
            gates: vec![Gate::Closed; bound],
            walls: Walls::on(survey.ground),
            surfaces: Surfaces::default(),
            nearby: Arc::new(Nearby::new(&[], [0, 0], 0)),
            journal: Journal::default(),
            space,
            survey,
            adjacency,
        };
        let mut bounds: Vec<Option<Corners>> = vec![None; bound];
        for node in NodeId::below(bound).filter(|node| clearance.space.contains(*node)) {
            bounds[node.index()] = clearance.survey.bounds(&Course::rest(&*clearance.space, node));
        }
        for m in clearance.adjacency.all() {
            let course = Course::of(&*clearance.space, m).ok_or(BodyError::Course { from: m.from, to: m.to })?;
            let survey = &clearance.survey;
            clearance.on_ground.push(survey.is_well_within(&course) || survey.cells(&course, &mut |_, _| {}));
            if let Some(corners) = survey.bounds(&course) {
                widen(&mut bounds[m.from.index()], corners);
            }
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is not larger than the bound above
        let across = clearance.survey.cells_across().ceil() as u32;
        clearance.nearby = Arc::new(Nearby::new(&bounds, clearance.survey.ground.size(), across));
        clearance.look_everywhere();
        if clearance.gates.contains(&Gate::Open) { Ok(clearance) } else { Err(BodyError::FitsNowhere) }
    }

    /// All moves of the space, whether free or not, on the present surfaces.
    pub(crate) fn all_moves(&self) -> &[Move<S::Action, S::Cost>] {
        self.adjacency.all()
    }

    /// Whether all of the space is plain ground.
    pub(crate) fn is_plain(&self) -> bool {
        self.surfaces.are_plain()
    }

    /// The whole space, with the places where the body does not fit.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The ground.
    pub fn ground(&self) -> Ground {
        self.survey.ground
    }

    /// Updates all places and moves.
    fn look_everywhere(&mut self) {
        self.look_at_places(NodeId::below(self.gates.len()), |_| true);
        self.look_at_moves(0..self.offered.len(), |_, _| false);
    }

    /// Updates what meets columns and rows between two corners.
    fn look_near(&mut self, corners: Option<Corners>) {
        let Some(corners) = corners else { return };
        let near = self.nearby.of(corners);
        let concerns = |bounds: Option<Corners>| bounds.is_some_and(|bounds| overlap(bounds, corners));
        let mut edited = self.look_at_places(near.iter().copied(), concerns);
        // What is met at an end of a move is met on the move, too.
        let numbers: Vec<usize> = near.into_iter().flat_map(|node| self.adjacency.numbers_out_of(node)).collect();
        edited.extend(
            self.look_at_moves(numbers, |clearance, m| clearance.survey.is_apart(&*clearance.space, m, corners)),
        );
        edited.sort_unstable();
        edited.dedup();
        self.journal.note(edited);
    }

    /// Updates the nodes of `nodes` at which the body may meet a change. `concerns` tells from the bounds of a node
    /// whether it may. Returns the nodes that have changed.
    fn look_at_places(
        &mut self,
        nodes: impl IntoIterator<Item = NodeId>,
        concerns: impl Fn(Option<Corners>) -> bool,
    ) -> Vec<NodeId> {
        let mut changed = Vec::new();
        for node in nodes {
            let course = Course::rest(&*self.space, node);
            if self.space.contains(node) && concerns(self.survey.bounds(&course)) {
                let gate = self.gate(&course);
                if std::mem::replace(&mut self.gates[node.index()], gate) != gate {
                    changed.push(node);
                }
            }
        }
        changed
    }

    /// Updates the moves of these `numbers`, but for moves that stay as they were. Returns the ends of the moves that
    /// have changed.
    fn look_at_moves(
        &mut self,
        numbers: impl IntoIterator<Item = usize>,
        stays: impl Fn(&Self, &MoveIn<S>) -> bool,
    ) -> Vec<NodeId> {
        let mut changed = Vec::new();
        for number in numbers {
            let m = &self.adjacency.all()[number];
            if !self.on_ground[number] || stays(self, m) {
                continue;
            }
            let [from, to] = [m.from, m.to].map(|node| self.gates[node.index()]);
            let is_offered = from.leads_to(to)
                && Course::of(&*self.space, m).is_some_and(|course| from.leads_to(self.gate(&course)));
            if std::mem::replace(&mut self.offered[number], is_offered) != is_offered {
                changed.extend([m.from, m.to]);
            }
        }
        changed
    }

    /// Whether the body may be on `course`; closed where the course leaves the ground.
    fn gate(&self, course: &Course) -> Gate {
        if let Some(gate) = self.gate_by_walls(course) {
            return gate;
        }
        let mut gate = Gate::Open;
        let is_on_ground = self.survey.cells(course, &mut |cell, _| match self.walls.get(cell) {
            Gate::Closed => gate = Gate::Closed,
            Gate::Vacated if gate == Gate::Open => gate = Gate::Vacated,
            _ => {}
        });
        if is_on_ground { gate } else { Gate::Closed }
    }

    /// [`gate`](Self::gate), if the walls tell it that lie nearby, without looking at all cells that are met.
    fn gate_by_walls(&self, course: &Course) -> Option<Gate> {
        let corners = self.survey.bounds(course).filter(|_| self.survey.is_well_within(course))?;
        let mut gate = Gate::Open;
        for (place, wall) in self.walls.between(corners, self.survey.levels(course)) {
            match (self.survey.meets(course, place)?, wall) {
                (false, _) => {}
                (true, Gate::Closed) => return Some(Gate::Closed),
                (true, _) => gate = Gate::Vacated,
            }
        }
        Some(gate)
    }

    /// Gives `surface` to the places in `area`. Returns whether anything changed.
    fn resurface(&mut self, area: &Area, surface: Surface) -> bool {
        let nodes = NodeId::below(self.gates.len());
        let covered = nodes.filter(|node| area.contains(self.space.position(*node)));
        let changed = self.surfaces.cover(covered, surface, self.gates.len());
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
    pub(crate) fn place_of(&self, m: &MoveIn<S>) -> Option<usize> {
        self.adjacency.out_of(m.from).iter().position(|other| other.action == m.action)
    }
}

impl<S: Embedding> Adapter for GraphClearance<S> {
    type Base = S;
    type Action = S::Action;
    type Cost = S::Cost;

    fn base(&self) -> &S {
        &self.space
    }

    #[inline]
    fn base_node(&self, node: NodeId) -> NodeId {
        node
    }

    #[inline]
    fn base_move(&self, m: &MoveIn<S>) -> Option<MoveIn<S>> {
        Some(*m)
    }

    fn node_bound(&self) -> usize {
        self.gates.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<S::Action, S::Cost>> {
        let numbers = self.adjacency.numbers_out_of(from);
        let mut all = self.adjacency.all()[numbers.clone()].iter().zip(&self.offered[numbers]);
        // One function for all who ask, where adapters are compiled anew for each of them.
        std::iter::from_fn(move || {
            loop {
                let (m, offered) = all.next()?;
                if *offered {
                    return Some(*m);
                }
            }
        })
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<S::Action, S::Cost>>> {
        let mut numbers = self.adjacency.numbers_into(to).iter();
        Some(std::iter::from_fn(move || {
            loop {
                let number = *numbers.next()? as usize;
                if self.offered[number] {
                    return Some(self.adjacency.all()[number]);
                }
            }
        }))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.gates.get(node.index()) == Some(&Gate::Open)
    }

    /// Footprints tell durations, and need no crossings.
    fn facts<'a>(&'a self, base: Facts<'a, S::Cost>) -> Facts<'a, S::Cost> {
        let uniform_cost = self.adjacency.uniform_cost();
        let Facts { uniform_cost: _, uniform_length: _, step, crossing_bound: _, period, origins: _ } = base;
        Facts { uniform_cost, uniform_length: None, step, crossing_bound: 0, period, origins: None }
    }

    fn shortcut(&self, from: NodeId, to: NodeId, lengths: RangeInclusive<f32>) -> Option<S::Action> {
        let [a, b] = [from, to].map(|node| self.space.position(node));
        let square: f32 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
        let length = square.sqrt();
        if !lengths.contains(&length)
            || !self.surfaces.are_plain()
            || !Adapter::contains(self, from)
            || !Adapter::contains(self, to)
        {
            return None;
        }
        let action = self.space.straight(from, to)?;
        // A move that is there takes its own time.
        if self.adjacency.out_of(from).iter().any(|m| m.action == action) {
            return None;
        }
        let m = Move { from, to, action, cost: S::Cost::STEP, length };
        (self.gate(&Course::of(&*self.space, &m)?) == Gate::Open).then_some(action)
    }

    fn journal(&self) -> Option<&Journal> {
        Some(&self.journal)
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

/// An area covers the cells of the ground whose insides it meets, and gives its surface to the places whose position
/// lies in it.
impl<S: Embedding> Editable for GraphClearance<S> {
    /// Closes or opens the cells of the ground that a body on `node` meets.
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        if !self.space.contains(node) {
            return false;
        }
        let mut cells: Vec<u32> = Vec::new();
        let course = Course::rest(&*self.space, node);
        self.survey.cells(&course, &mut |cell, _| cells.push(cell));
        let change = if open { Change::Open } else { Change::Close };
        let mut changed = false;
        for cell in cells {
            changed |= self.walls.turn(cell, change);
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
        self.survey.cells(&Course::rest(&*self.space, closed), &mut |cell, _| cells.push(cell));
        self.survey.cells(&Course::rest(&*self.space, node), &mut |cell, _| meets |= cells.contains(&cell));
        meets
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        let course = Course::rest(&*self.space, node);
        if !self.survey.is_near(&course, area) {
            return false;
        }
        let mut meets = false;
        self.survey.cells(&course, &mut |cell, _| meets |= self.walls.is_covered(cell, area));
        meets
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        if let Change::Surface(surface) = change {
            let changed = self.resurface(area, surface);
            if changed {
                self.journal.note_all();
            }
            return changed;
        }
        let changed = self.walls.change(area, change);
        self.look_near(changed);
        changed.is_some()
    }
}
