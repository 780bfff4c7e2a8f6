//! Robots: a grid for units that go forward and turn on the spot, a quarter turn at a time.

use std::f32::consts::FRAC_PI_2;
use std::ops::{ControlFlow, RangeInclusive};

use giveway_core::adapter::Adapter;
use giveway_core::{
    Area, Cells, Change, ConflictRule, Cost, Editable, Edits, Entry, EntryVisitor, Facts, Footprint, Goals, Journal,
    Motion, MotionIn, Move, MoveIn, NodeId, Origins, SpaceGraph, Span, Stretch, Tick, Ticks, Trajectory,
};

use crate::directions::Direction;
use crate::grid::{Connectivity, Grid};

/// A grid for robots of a warehouse: in a step a robot goes one cell forward, or turns by 90 degrees on the spot.
///
/// A node is a pose: a cell and a heading. The id of the node is 4 times the id of the cell in the [grid](Self::grid),
/// plus a number for the heading: 0 for east, 1 for south, 2 for west and 3 for north. A step forward has the cost and
/// length of the step of the grid; a turn has the cost and length of a plain step.
///
/// The four poses of a cell are one place: use the footprint [`Robot`], so that no two robots are in one cell.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::SpatialSearch;
/// use giveway_spaces::{Direction, Grid, RobotStep, Robots};
///
/// let robots = Robots::new(Grid::from_ascii("
///     ..
///     #.
/// ")?);
/// let cell = |x, y| robots.grid().node(x, y).expect("on the grid");
/// let start = robots.pose(cell(0, 0), Direction::East).expect("a pose");
/// // Around the corner, whichever way the robot faces in the end.
/// let route = SpatialSearch::new().find(&robots, start, &robots.any_heading(cell(1, 1)), &mut Zero)?;
/// let steps: Vec<_> = route.moves.iter().map(|m| m.action).collect();
/// assert_eq!(steps, [RobotStep::Forward, RobotStep::Clockwise, RobotStep::Forward]);
/// assert_eq!(route.cost, 3000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Robots {
    grid: Grid,
    /// Per pose, the pattern of the moves into it: an index into `origins`.
    patterns: Vec<u8>,
    /// By pattern, what is added to a pose to get the poses where the moves into it begin; 0 for none.
    origins: Box<[[u32; 4]; PATTERNS]>,
    /// How a robot turns clockwise and counter-clockwise.
    turns: [Trajectory; 2],
    journal: Journal,
}

/// A move of a robot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RobotStep {
    /// A step of one cell forward.
    Forward,
    /// A quarter turn on the spot, as from east to south.
    Clockwise,
    /// A quarter turn on the spot, as from east to north.
    CounterClockwise,
}

/// The directions of the headings, in their order: each is a quarter turn clockwise from the one before.
const HEADINGS: [Direction; 4] = [Direction::East, Direction::South, Direction::West, Direction::North];

const COUNT: u32 = 4;

/// No moves; and, per heading, turns alone, and a step and turns.
const PATTERNS: usize = 1 + 2 * HEADINGS.len();

const STEP: u32 = <u32 as Cost>::STEP;

impl Robots {
    /// A space for robots on `grid`. Robots move in four directions, even if `grid` has diagonal moves. Walls and
    /// terrain come from `grid`. Takes time and memory in proportion to the number of cells.
    pub fn new(grid: Grid) -> Self {
        let grid = grid.with_connectivity(Connectivity::Four);
        let origins = std::array::from_fn(|pattern| {
            let Some(moves) = pattern.checked_sub(1) else { return [0; 4] };
            let (heading, step) = (moves / 2, moves % 2 == 1);
            #[allow(clippy::cast_possible_truncation)] // there are four headings
            let number = heading as u32;
            let turned = |by: u32| ((number + by) % COUNT).wrapping_sub(number);
            let behind = grid.step(NodeId(0), HEADINGS[heading].opposite()).0.wrapping_mul(COUNT);
            // As in `moves_into`: forward, from the heading before, and from the heading after.
            [if step { behind } else { 0 }, turned(COUNT - 1), turned(1), 0]
        });
        let turn = |turn: f32| Trajectory::new(vec![Stretch { share: 1.0, length: 0.0, turn }]);
        let mut robots = Self {
            patterns: vec![0; grid.node_bound() * HEADINGS.len()],
            origins: Box::new(origins),
            turns: [turn(FRAC_PI_2), turn(-FRAC_PI_2)],
            journal: Journal::default(),
            grid,
        };
        robots.survey();
        robots
    }

    /// The grid on which the robots move.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The pose on `cell` of the grid under the heading `direction`, whether the cell is free or not. `None`: there is
    /// no such cell, or the direction is diagonal.
    pub fn pose(&self, cell: NodeId, direction: Direction) -> Option<NodeId> {
        let heading = (0..).zip(HEADINGS).find(|(_, other)| *other == direction)?.0;
        (cell.index() < self.grid.node_bound()).then(|| pose(cell, heading))
    }

    /// The four poses on `cell` of the grid, whether the cell is free or not. Empty: there is no such cell.
    pub fn any_heading(&self, cell: NodeId) -> Goals {
        let exists = cell.index() < self.grid.node_bound();
        (0..COUNT).filter(|_| exists).map(|heading| pose(cell, heading)).collect()
    }

    /// The cell of the grid on which a robot in `pose` stands. For a pose that does not exist, the result is a cell off
    /// the grid.
    #[inline]
    pub fn place(&self, pose: NodeId) -> NodeId {
        NodeId(pose.0 / COUNT)
    }

    /// The direction in which a robot in `pose` goes forward.
    #[inline]
    pub fn direction(&self, pose: NodeId) -> Direction {
        HEADINGS[(pose.0 % COUNT) as usize]
    }

    /// Closes or opens cell (x, y) of the grid, as [`Grid::set_passable`] does.
    pub fn set_passable(&mut self, x: u32, y: u32, passable: bool) -> bool {
        self.edit(|grid| grid.set_passable(x, y, passable))
    }

    /// Changes the grid by `edit`, which returns whether anything has changed.
    fn edit(&mut self, edit: impl FnOnce(&mut Grid) -> bool) -> bool {
        let before = self.grid.revision();
        let changed = edit(&mut self.grid);
        match self.grid.edits_since(before) {
            _ if !changed => {}
            Edits::All => {
                self.journal.note_all();
                self.survey();
            }
            Edits::Nodes(cells) => {
                let cells = cells.to_vec();
                cells.iter().for_each(|cell| self.note_patterns(*cell));
                let poses = |cell: &NodeId| (0..COUNT).map(|heading| pose(*cell, heading)).collect::<Vec<_>>();
                self.journal.note(cells.iter().flat_map(poses));
            }
        }
        changed
    }

    /// Notes the moves into all poses.
    fn survey(&mut self) {
        NodeId::below(self.grid.node_bound()).for_each(|cell| self.note_patterns(cell));
    }

    /// Notes the moves into the poses on `cell`.
    fn note_patterns(&mut self, cell: NodeId) {
        let turns = self.turns_on(cell);
        for (heading, direction) in (0..).zip(HEADINGS) {
            let step = self.grid.leads(self.behind(cell, direction), direction);
            let pattern = if turns { 1 + 2 * heading + u8::from(step) } else { 0 };
            if let Some(noted) = self.patterns.get_mut(pose(cell, heading.into()).index()) {
                *noted = pattern;
            }
        }
    }

    /// Whether a robot on `cell` can turn: on a free cell, and on a wall that it may leave.
    #[inline]
    fn turns_on(&self, cell: NodeId) -> bool {
        self.grid.contains(cell)
            || self.grid.has_vacated() && {
                let (x, y) = self.grid.xy(cell);
                self.grid.is_vacated(x, y)
            }
    }

    /// The cell from which a step in `direction` leads to `cell`, if one does.
    #[inline]
    fn behind(&self, cell: NodeId, direction: Direction) -> NodeId {
        self.grid.step(cell, direction.opposite())
    }

    /// The step from one cell to another, in `direction`, as a move between poses.
    #[inline]
    fn forward(&self, from: NodeId, direction: Direction, heading: u32) -> Option<Move<RobotStep, u32>> {
        self.grid.leads(from, direction).then(|| {
            let m = self.grid.make_move(from, self.grid.step(from, direction), direction);
            let (from, to) = (pose(from, heading), pose(m.to, heading));
            Move { from, to, action: RobotStep::Forward, cost: m.cost, length: m.length }
        })
    }

    /// The turns between two headings on `cell`, if a robot can turn there.
    #[inline]
    fn turn(&self, cell: NodeId, from: u32, to: u32, action: RobotStep) -> Option<Move<RobotStep, u32>> {
        let (from, to) = (pose(cell, from % COUNT), pose(cell, to % COUNT));
        self.turns_on(cell).then_some(Move { from, to, action, cost: STEP, length: 1.0 })
    }
}

#[inline]
fn pose(cell: NodeId, heading: u32) -> NodeId {
    NodeId(cell.0 * COUNT + heading)
}

impl Adapter for Robots {
    type Base = Grid;
    type Action = RobotStep;
    type Cost = u32;

    fn base(&self) -> &Grid {
        &self.grid
    }

    #[inline]
    fn base_node(&self, node: NodeId) -> NodeId {
        self.place(node)
    }

    fn base_move(&self, _m: &Move<RobotStep, u32>) -> Option<MoveIn<Grid>> {
        None
    }

    fn node_bound(&self) -> usize {
        self.patterns.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<RobotStep, u32>> {
        let (cell, heading) = (self.place(from), from.0 % COUNT);
        let moves = [
            self.forward(cell, self.direction(from), heading),
            self.turn(cell, heading, heading + 1, RobotStep::Clockwise),
            self.turn(cell, heading, heading + COUNT - 1, RobotStep::CounterClockwise),
        ];
        moves.into_iter().flatten()
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<RobotStep, u32>>> {
        let (cell, heading, direction) = (self.place(to), to.0 % COUNT, self.direction(to));
        let moves = [
            self.forward(self.behind(cell, direction), direction, heading),
            self.turn(cell, heading + COUNT - 1, heading, RobotStep::Clockwise),
            self.turn(cell, heading + 1, heading, RobotStep::CounterClockwise),
        ];
        Some(moves.into_iter().flatten())
    }

    fn contains(&self, node: NodeId) -> bool {
        self.grid.contains(self.place(node))
    }

    fn facts<'a>(&'a self, base: Facts<'a, u32>) -> Facts<'a, u32> {
        let Facts { uniform_cost, uniform_length, step, crossing_bound: _, period, origins } = base;
        let tiles = origins.and_then(Origins::tiles);
        let origins = Origins::patterns(&self.patterns, &self.origins[..]);
        let origins = Some(tiles.map_or(origins, |tiles| origins.on_tiles(tiles.poses())));
        // A robot makes way for another by its cell, not by its pose: `Robot` numbers cells and crossings.
        Facts { uniform_cost, uniform_length, step, crossing_bound: 0, period, origins }
    }

    fn shortcut(&self, _from: NodeId, _to: NodeId, _lengths: RangeInclusive<f32>) -> Option<RobotStep> {
        None
    }

    fn journal(&self) -> Option<&Journal> {
        Some(&self.journal)
    }

    #[allow(clippy::cast_precision_loss)] // there are four headings
    fn heading(&self, node: NodeId) -> f32 {
        (node.0 % COUNT) as f32 * FRAC_PI_2
    }

    fn trajectory(&self, m: &Move<RobotStep, u32>) -> Option<&Trajectory> {
        match m.action {
            RobotStep::Forward => None,
            RobotStep::Clockwise => Some(&self.turns[0]),
            RobotStep::CounterClockwise => Some(&self.turns[1]),
        }
    }
}

/// Closes or opens the cell of a pose, under all headings.
impl Editable for Robots {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        let cell = self.place(node);
        self.edit(|grid| grid.set_open(cell, open))
    }

    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        self.place(node) == self.place(closed)
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        self.grid.is_inside(self.place(node), area)
    }

    /// As on a [`Grid`].
    fn change(&mut self, area: &Area, change: Change) -> bool {
        self.edit(|grid| grid.change(area, change))
    }
}

/// The footprint of a robot: its cell, under any heading.
///
/// Every move takes one tick. The swap rule holds: no two robots are in one cell, and no two robots exchange their
/// cells. A robot may move into a cell while another robot moves out of it. On one grid with four neighbours, robots
/// and points under the swap rule have equal reservation cells, so they can share a crowd.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Robot;

impl Footprint<Robots> for Robot {
    #[inline]
    fn cells(&self, space: &Robots) -> Cells {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (grid, crossings) = (space.grid.node_bound(), space.grid.facts().crossing_bound);
        Cells::new(ConflictRule::Swap, count(grid), count(crossings))
    }

    #[inline]
    fn duration(&self, _space: &Robots, _m: &MoveIn<Robots>) -> Option<Ticks> {
        Some(1)
    }

    fn uniform_duration(&self, _space: &Robots) -> Option<Ticks> {
        Some(1)
    }

    fn makes_all_moves(&self, _space: &Robots) -> bool {
        true
    }

    #[inline(always)] // as for points
    fn sweep(
        &self,
        space: &Robots,
        motion: &MotionIn<Robots>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        let cells = Footprint::<Robots>::cells(self, space);
        let place = |node: NodeId, span| Entry { cell: cells.place(space.place(node).0), span };
        let arrives = Span::tick(depart.saturating_add(1));
        match motion {
            Motion::Move(m) if m.action == RobotStep::Forward => {
                // The motion before holds the cell that is left: it ended there at this tick.
                entry(place(m.to, arrives))?;
                let (from, to) = (space.place(m.from), space.place(m.to));
                let action = space.direction(m.from);
                match space.grid.crossing(&Move { from, to, action, cost: m.cost, length: m.length }) {
                    Some(crossing) => entry(Entry { cell: cells.crossing(crossing), span: Span::tick(depart) }),
                    None => ControlFlow::Continue(()),
                }
            }
            Motion::Move(m) => entry(place(m.to, Span::lasting(depart, 2))),
            // Held at the first and at the last tick: an arrival at either is a conflict.
            Motion::Rest { node, ticks } => entry(place(*node, Span::lasting(depart, ticks.saturating_add(1)))),
        }
    }
}
