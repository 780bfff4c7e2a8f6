//! Teams: robots that turn, and robots that do not.

use anyhow::Result;
use giveway::plan::{Goals, Trace, TracedAgent, TracedMove, TracedOrder, TracedPlace, Trajectories};
use giveway::scenario::{ProblemAction, ProblemRecord};
use giveway::spaces::{Direction, Embedding, Grid, Robot, RobotStep, Robots};
use giveway::strategies::{ClassId, Crowd};
use giveway::{NodeId, Point, SpaceGraph};

use super::lanes::{Lanes, add_class};

/// Robots of one kind on a grid, whose cells are the places of the problem.
pub(super) trait Team {
    type Space: Embedding;

    /// In how many poses a robot can be on a place.
    const POSES: usize;

    fn space(&self) -> &Self::Space;

    fn grid(&self) -> &Grid;

    /// Adds the class of the robots, which keep to `lanes`, if there are any.
    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>, lanes: Option<Lanes>) -> Result<ClassId>;

    /// The node of a robot on `place` that faces `heading`, if it turns.
    fn node(&self, place: u32, heading: Direction) -> NodeId;

    /// The node of a robot that starts on `place`.
    fn start(&self, place: u32) -> NodeId {
        self.node(place, Direction::East)
    }

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

/// Robots that turn.
pub(super) struct Turners(Robots);

impl Turners {
    pub(super) fn new(grid: Grid) -> Self {
        Self(Robots::new(grid))
    }
}

impl Team for Turners {
    type Space = Robots;

    const POSES: usize = 4;

    fn space(&self) -> &Robots {
        &self.0
    }

    fn grid(&self) -> &Grid {
        self.0.grid()
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>, lanes: Option<Lanes>) -> Result<ClassId> {
        add_class(crowd, &self.0, Robot, lanes)
    }

    fn node(&self, place: u32, heading: Direction) -> NodeId {
        // A problem has no robots off its map.
        self.0.pose(NodeId(place), heading).unwrap_or(NodeId(u32::MAX))
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

    const POSES: usize = 1;

    fn space(&self) -> &Grid {
        &self.grid
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>, lanes: Option<Lanes>) -> Result<ClassId> {
        add_class(crowd, &self.grid, &self.point, lanes)
    }

    fn node(&self, place: u32, _: Direction) -> NodeId {
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
pub(super) fn trace<T: Team>(team: &T, record: ProblemRecord<'_>, starts: &[NodeId]) -> Trace {
    let (space, begins) = (team.space(), record.begins());
    let places = |place| team.goals(place).nodes().iter().map(|node| TracedPlace::from_node(space, *node)).collect();
    let mut trajectories = Trajectories::default();
    let mut agents = Vec::new();
    for (robot, (start, actions)) in starts.iter().zip(record.actions()).enumerate() {
        let mut node = *start;
        let mut traced = TracedAgent::new(TracedPlace::from_node(space, node), Vec::new(), Vec::new());
        traced.appears = begins;
        // No tick is counted that has no action: it may be beyond all.
        for (action, tick) in actions.iter().zip(begins..) {
            if let Some(m) = space.moves(node).find(|m| team.action(m.action) == *action) {
                let trajectory = trajectories.number(space.trajectory(&m));
                let to = TracedPlace::from_node(space, m.to);
                traced.moves.push(TracedMove { trajectory, ..TracedMove::new(tick, tick + 1, to) });
                node = m.to;
            }
        }
        for (tick, errand) in record.assigned(robot) {
            match tick {
                tick if tick == begins => traced.goals = places(errand.place),
                tick => traced.orders.push(TracedOrder { tick, goals: places(errand.place) }),
            }
        }
        agents.push(traced);
    }
    let until = record.actions().first().and_then(|actions| begins.checked_add(u32::try_from(actions.len()).ok()?));
    Trace { until, trajectories: trajectories.into_list(), ..Trace::new(1, agents) }
}
