//! Walls, and the agents that are in them.

use std::fmt;

use super::checker::{BodyChecker, SHORT, Search, agent};
use super::firsts::Once;
use super::occupant::Occupant;
use super::shape::{Vector, contact, dot, minus, plus, times, turned, turned_back};
use super::wall::Wall;
use giveway_core::{AgentId, Trace};

/// An agent that overlaps a wall.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WallOverlap {
    /// The agent.
    pub agent: AgentId,
    /// The index of the wall.
    pub wall: usize,
    /// The first time at which the agent is deeper in the wall than the tolerance, in ticks; as exact as the
    /// [`tick`](super::Overlap::tick) of an overlap.
    pub tick: f64,
    /// The greatest depth in this wall, in world units, between this time and the end of the overlap.
    pub depth: f32,
    /// A point of the agent in the wall at that time: the deepest point, or a point near it.
    pub point: [f32; 2],
}

impl fmt::Display for WallOverlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, wall, tick, depth, .. } = self;
        write!(f, "agent {} is {depth} deep in wall {wall} from tick {tick} on", agent.0)
    }
}

impl BodyChecker {
    /// Every agent that is in one of `walls` in `trace`, ordered by the [tick](WallOverlap::tick) at which the overlap
    /// begins, then by agents.
    ///
    /// A wall is like an agent that never moves: for motion, depth, precision and limits, see [`BodyChecker`]. Agents
    /// without a body are points; points in walls are found, too. Walls are not compared with each other: they may
    /// touch and overlap.
    ///
    /// The depth is measured for each wall separately: the least distance by which the agent would have to be moved so
    /// that it only touches this wall. So if two walls are to act as one wall, let them overlap: a point on the border
    /// between them is in neither of them.
    ///
    /// An agent is named once, for the wall in which it is first deeper than the tolerance. If the agent is first
    /// deeper than the tolerance in several walls at exactly one time, the choice among these walls is not specified,
    /// but it is always the same choice.
    ///
    /// A wall is left out if its shape is not finite, has a negative radius or has no corners. With levels, a wall is
    /// also left out if its height is not finite.
    ///
    /// [`at_most`](Self::at_most) bounds the number of agents named. Time is near linear in the numbers of moves,
    /// stretches that moves drive along, walls, and pairs of a move and a wall whose bounding boxes overlap. Memory is
    /// near linear in the numbers of moves, of stretches that moves drive along, and of walls.
    ///
    /// ```
    /// use giveway_check::{BodyChecker, Wall};
    /// use giveway_core::{AgentId, Trace, TracedAgent, TracedMove, TracedPlace};
    ///
    /// let place = |x: f32, y: f32| TracedPlace::new(0, [x, y, 0.0]);
    /// let point = TracedAgent::new(place(0.0, 0.0), vec![], vec![TracedMove::new(0, 8, place(8.0, 0.0))]);
    /// let trace = Trace::new(1, vec![point]);
    ///
    /// // Along the side of a wall, and through one.
    /// let [beside, across] = [Wall::rectangle([2.0, 0.0], [3.0, 5.0]), Wall::rectangle([6.0, -1.0], [7.0, 1.0])];
    /// assert_eq!(BodyChecker::new().check_walls(&trace, &[beside.clone()]), []);
    /// let found = BodyChecker::new().tolerance(0.0).check_walls(&trace, &[beside, across]);
    /// assert_eq!(found.len(), 1);
    /// assert_eq!((found[0].agent, found[0].wall, found[0].point), (AgentId(0), 1, [6.0, 0.0]));
    /// assert!((found[0].tick - 6.0).abs() < 1e-6);
    /// assert!((found[0].depth - 0.5).abs() < 1e-6);
    /// ```
    pub fn check_walls(&self, trace: &Trace, walls: &[Wall]) -> Vec<WallOverlap> {
        self.wall_stretches(trace, walls).into_iter().map(|(overlap, _)| overlap).collect()
    }

    /// What [`check_walls`](Self::check_walls) finds, and the time until which each agent is in that wall.
    pub(super) fn wall_stretches(&self, trace: &Trace, walls: &[Wall]) -> Vec<(WallOverlap, f64)> {
        if self.most == 0 || walls.is_empty() {
            return Vec::new();
        }
        let walls = walls
            .iter()
            .enumerate()
            .filter_map(|(wall, it)| Some((wall, Occupant::of_wall(it, self.levels.as_ref())?)));
        let (walls, mut occupants): (Vec<usize>, Vec<Occupant>) = walls.unzip();
        occupants.extend(self.agents_of(trace));

        let search = Search::new(self, &occupants);
        let (of_walls, of_agents): (Vec<usize>, Vec<usize>) = search.parts_by(|occupant| occupant < walls.len());
        let found = search.first_overlaps(Once::Second, |near| near.between(&of_walls, &of_agents));
        let mut overlaps: Vec<(WallOverlap, f64)> = Vec::with_capacity(found.len());
        overlaps.extend(found.into_iter().map(|(tick, [wall, body])| {
            let pair = [&occupants[wall], &occupants[body]];
            let [depth, until] = search.deepest(pair, tick);
            #[allow(clippy::cast_possible_truncation)] // as exact as the trace
            let (depth, point) = (depth as f32, deepest_point(pair, tick).map(|c| c as f32));
            let (agent, wall) = (agent(&occupants[body]), walls[wall]);
            (WallOverlap { agent, wall, tick, depth, point }, until)
        }));
        overlaps.sort_by(|(a, _), (b, _)| a.tick.total_cmp(&b.tick).then(a.agent.cmp(&b.agent)));
        overlaps
    }
}

/// Where `agent` reaches deepest into `wall`: the middle of the parts of their edges that face each other.
fn deepest_point([wall, agent]: [&Occupant; 2], tick: f64) -> Vector {
    // At the very tick they may only touch, and rounding decides in which direction.
    let shortly_after =
        |body: &Occupant| body.pieces.get(body.piece_at(tick)).map(|piece| piece.movement(tick + SHORT));
    let (Some(p), Some(q)) = (shortly_after(wall), shortly_after(agent)) else { return [f64::NAN; 2] };
    let seen = minus(q.position, p.position);
    let (depth, out) = contact(&wall.shape, &agent.shape, seen, q.facing);
    let along = turned(out, [0.0, 1.0]);
    let of_wall = wall.shape.face(out, along);
    let [back, across] = [times(out, -1.0), along].map(|direction| turned_back(direction, q.facing));
    let of_agent = agent.shape.face(back, across).map(|c| c + dot(along, seen));
    let middle = f64::midpoint(of_wall[0].max(of_agent[0]), of_wall[1].min(of_agent[1]));
    // An agent may reach beyond the other side.
    let [near, far] = [wall.shape.support(out), -wall.shape.support(times(out, -1.0))];
    plus(p.position, plus(times(out, (near - depth).max(far)), times(along, middle)))
}
