//! Teams: robots that turn, and robots that do not.

use std::sync::Arc;

use anyhow::Result;
use giveway::direction::{Blank, CrossingMap, DirectionRules};
use giveway::heuristic::{PricedDistances, TrueDistances, Zero};
use giveway::plan::{Goals, Trace, TracedAgent, TracedMove, TracedOrder, TracedPlace, Trajectories};
use giveway::scenario::{ProblemAction, ProblemRecord};
use giveway::spaces::{Direction, Embedding, Grid, Robot, RobotStep, Robots};
use giveway::strategies::{Class, ClassId, Crowd};
use giveway::{NodeId, Point, SpaceGraph};

/// Robots of one kind on a grid, whose cells are the places of the problem.
pub(super) trait Team {
    type Space: Embedding;

    fn space(&self) -> &Self::Space;

    fn grid(&self) -> &Grid;

    /// Adds the class of a number of `robots`. `budget`: of a tick, if there is one.
    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>, robots: usize, budget: Option<u64>) -> Result<ClassId>;

    /// The node of a robot that starts on `place`.
    fn start(&self, place: u32) -> NodeId;

    /// The nodes on which a robot is on `place`.
    fn goals(&self, place: u32) -> Goals;

    /// The place of a robot on `node`.
    fn place(&self, node: NodeId) -> u32;

    fn action(&self, action: <Self::Space as SpaceGraph>::Action) -> ProblemAction;

    /// What a robot does that goes from one node to another in a step.
    fn action_between(&self, from: NodeId, to: NodeId) -> ProblemAction {
        let m = self.space().moves(from).find(|m| m.to == to);
        m.map_or(ProblemAction::Wait, |m| self.action(m.action))
    }
}

/// How fast robots that turn learn lanes, and what a move against a lane costs in plain steps. On a dense map lanes are
/// worth a quarter to a half more errands; robots that do not turn gain nothing.
const LANE_RATE: f32 = 0.05;
const LANE_WEIGHT: f32 = 4.0;

/// With less work per robot and tick there are no lanes: distances at their price take several times as much work.
const WORK_FOR_LANES: u64 = 100;

/// With more than three and a half free cells per robot there are no lanes: where there is room to go around others, they
/// cost a tenth of the errands.
const HALVES_OF_CELLS_FOR_LANES: usize = 7;

/// With more robots times free cells there are no lanes: distances at their price take four bytes for each of the four
/// poses on a cell, and those of as many former goals again, and should not fill the memory for distances.
const MOST_FOR_LANES: usize = TrueDistances::<Robots, Zero>::DEFAULT_BYTES / 32;

/// Robots that turn.
pub(super) struct Turners(Robots);

impl Turners {
    pub(super) fn new(grid: Grid) -> Self {
        Self(Robots::new(grid))
    }
}

impl Team for Turners {
    type Space = Robots;

    fn space(&self) -> &Robots {
        &self.0
    }

    fn grid(&self) -> &Grid {
        self.0.grid()
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>, robots: usize, budget: Option<u64>) -> Result<ClassId> {
        let cells = self.grid().nodes().filter(|cell| self.grid().contains(*cell)).count();
        let is_dense = robots * HALVES_OF_CELLS_FOR_LANES >= 2 * cells && robots * cells <= MOST_FOR_LANES;
        if !is_dense || budget.is_some_and(|budget| budget < WORK_FOR_LANES * robots as u64) {
            return Ok(crowd.add_class(Class::new(&self.0, Robot))?);
        }
        let rules = DirectionRules::paper().rate(LANE_RATE).weight(LANE_WEIGHT).blank(Blank::Free);
        let lanes = Arc::new(CrossingMap::blank(&self.0, rules));
        let class = Class::new(&self.0, Robot).heuristics(PricedDistances::tables(Arc::clone(&lanes)));
        Ok(crowd.add_class(class.layer(lanes))?)
    }

    fn start(&self, place: u32) -> NodeId {
        // A problem has no starts off its map.
        self.0.pose(NodeId(place), Direction::East).unwrap_or(NodeId(u32::MAX))
    }

    fn goals(&self, place: u32) -> Goals {
        self.0.any_heading(NodeId(place))
    }

    fn place(&self, node: NodeId) -> u32 {
        self.0.place(node).0
    }

    fn action(&self, action: RobotStep) -> ProblemAction {
        match action {
            RobotStep::Forward => ProblemAction::Forward,
            RobotStep::Clockwise => ProblemAction::Clockwise,
            RobotStep::CounterClockwise => ProblemAction::CounterClockwise,
        }
    }
}

/// Robots that do not turn.
pub(super) struct Plain {
    grid: Grid,
    point: Point,
}

impl Plain {
    pub(super) fn new(grid: Grid) -> Self {
        Self { point: Point::swap_rule(&grid), grid }
    }
}

impl Team for Plain {
    type Space = Grid;

    fn space(&self) -> &Grid {
        &self.grid
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>, _robots: usize, _budget: Option<u64>) -> Result<ClassId> {
        Ok(crowd.add_class(Class::new(&self.grid, &self.point))?)
    }

    fn start(&self, place: u32) -> NodeId {
        NodeId(place)
    }

    fn goals(&self, place: u32) -> Goals {
        Goals::one(NodeId(place))
    }

    fn place(&self, node: NodeId) -> u32 {
        node.0
    }

    fn action(&self, action: Direction) -> ProblemAction {
        match action {
            Direction::East => ProblemAction::East,
            Direction::South => ProblemAction::South,
            Direction::West => ProblemAction::West,
            Direction::North => ProblemAction::North,
            // A grid of four neighbours has no other moves.
            _ => ProblemAction::Wait,
        }
    }
}

/// What the robots of `team` have done from their `starts` on, with positions and headings.
pub(super) fn trace<T: Team>(team: &T, record: ProblemRecord<'_>, starts: &[u32]) -> Trace {
    let space = team.space();
    let places = |place| team.goals(place).nodes().iter().map(|node| TracedPlace::from_node(space, *node)).collect();
    let mut trajectories = Trajectories::default();
    let mut agents = Vec::new();
    for (robot, (start, actions)) in starts.iter().zip(record.actions()).enumerate() {
        let mut node = team.start(*start);
        let mut traced = TracedAgent::new(TracedPlace::from_node(space, node), Vec::new(), Vec::new());
        for (tick, action) in (0..).zip(actions) {
            if let Some(m) = space.moves(node).find(|m| team.action(m.action) == *action) {
                let trajectory = trajectories.number(space.trajectory(&m));
                let to = TracedPlace::from_node(space, m.to);
                traced.moves.push(TracedMove { trajectory, ..TracedMove::new(tick, tick + 1, to) });
                node = m.to;
            }
        }
        for (tick, errand) in record.assigned(robot) {
            match tick {
                0 => traced.goals = places(errand.place),
                tick => traced.orders.push(TracedOrder { tick, goals: places(errand.place) }),
            }
        }
        agents.push(traced);
    }
    let until = record.actions().first().and_then(|actions| u32::try_from(actions.len()).ok());
    Trace { until, trajectories: trajectories.into_list(), ..Trace::new(1, agents) }
}
