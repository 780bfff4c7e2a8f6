//! Facing: a space for bodies that face along their way and turn on the spot.

use std::f64::consts::{PI, TAU};
use std::ops::RangeInclusive;
use std::sync::Arc;

use giveway_core::adapter::Adapter;
use giveway_core::rows::Rows;
use giveway_core::{Cost, Embedding, Facts, Goals, Journal, Move, MoveIn, NodeId, Stretch, Trajectory, move_by_action};

use crate::adjacency::Adjacency;
use crate::space_error::SpaceError;

/// Any space with positions, for units that face in the direction of their moves, and turn on the spot between two
/// moves: vans on a road network, tanks on waypoints.
///
/// A node is a pose: a place of the [space](Self::space), and the direction of a move into or out of that place. A unit
/// drives from place to place without turning. At a place, it can turn to any other direction of that place.
/// Trajectories of the wrapped space are ignored: all moves are straight, except [jumps](Trajectory::JUMP).
///
/// With `Body::on`, this space suits a body that turns:
///
/// ```
/// use std::sync::Arc;
///
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{NodeId, SpatialSearch};
/// use giveway_spaces::{Facing, FnSpace};
///
/// // A road from (2, 2) east to (8, 2), and on south to (8, 6).
/// let at = [[2.0, 2.0], [8.0, 2.0], [8.0, 6.0]];
/// let roads = FnSpace::new(3, |node| [node.wrapping_sub(1), node + 1].into_iter().filter(|to| *to < 3).map(|to| (to, 1000)))?
///     .with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0])?;
/// let facing = Facing::new(Arc::new(roads), 2.0)?;
///
/// // From the west end, facing east: a road, a turn at the corner, a road.
/// let start = facing.any_heading(NodeId(0)).nodes()[0];
/// let route = SpatialSearch::new().find(&facing, start, &facing.any_heading(NodeId(2)), &mut Zero)?;
/// let places: Vec<_> = route.moves.iter().map(|m| facing.place(m.to)).collect();
/// assert_eq!(places, [1, 1, 2].map(|place| Some(NodeId(place))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Facing<S: Embedding> {
    space: Arc<S>,
    /// By place, its poses, each with its place and its heading. The index among all of them is the number of the pose.
    poses: Rows<(NodeId, f32)>,
    adjacency: Adjacency<FacingAction<S::Action>, S::Cost>,
    turns: Vec<Trajectory>,
}

/// A move between poses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FacingAction<A> {
    /// A move of the space, straight on.
    Drive(A),
    /// A turn on the spot. The number distinguishes the turns out of one pose.
    Turn(u32),
}

/// Headings at one place that are nearer to each other than this are one.
const ALIKE: f64 = 1e-3;

impl<S: Embedding> Facing<S> {
    /// The poses of `space`. Each turn on the spot, by any angle, has a length of `pivot` world units, and costs as
    /// much as `pivot` plain steps.
    ///
    /// Takes time and memory in proportion to the square of the number of directions at each place, because there is a
    /// turn from each direction to each other direction.
    ///
    /// # Errors
    /// `pivot` is not between 0.001 and 1000, or there are more than 2^32 - 1 poses or moves.
    pub fn new(space: Arc<S>, pivot: f32) -> Result<Self, SpaceError> {
        let bound = space.node_bound();
        if !(0.001..=1000.0).contains(&pivot) {
            return Err(SpaceError::Length { from: NodeId(0), to: NodeId(0), length: pivot });
        }
        let places = u32::try_from(bound).map_err(|_| SpaceError::TooManyNodes { bound })?;
        let mut headings: Vec<Vec<f64>> = vec![Vec::new(); bound];
        for m in (0..places).flat_map(|place| space.moves(NodeId(place))) {
            let heading = heading_of(&*space, m.from, m.to);
            for place in [m.from, m.to] {
                let known = headings.get_mut(place.index()).ok_or(SpaceError::NoSuchNode { from: m.from, to: m.to })?;
                if !known.iter().any(|other| apart(*other, heading).abs() < ALIKE) {
                    known.push(heading);
                }
            }
        }
        let mut poses = Rows::new();
        for (place, headings) in (0..places).map(NodeId).zip(&mut headings) {
            headings.sort_unstable_by(f64::total_cmp);
            #[allow(clippy::cast_possible_truncation)] // as exact as positions
            if !poses.push(headings.iter().map(|heading| (place, *heading as f32))) {
                return Err(SpaceError::TooManyNodes { bound: poses.items().len() });
            }
        }
        let mut turns = Vec::new();
        let poses_at =
            |place: NodeId| NodeId::below(poses.range(place.index()).end).skip(poses.range(place.index()).start);
        let pose_at = |place: NodeId, heading: f64| {
            let off = |pose: &NodeId| apart(poses.items()[pose.index()].1.into(), heading).abs();
            poses_at(place).min_by(|a, b| off(a).total_cmp(&off(b)))
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is at most a million
        let turn_cost = S::Cost::STEP.times((pivot * 1000.0).round() as u32).part(1000);
        let mut moves: Vec<Move<FacingAction<S::Action>, S::Cost>> = Vec::new();
        for (pose, (place, heading)) in (0..).map(NodeId).zip(poses.items()) {
            for m in space.moves(*place) {
                let drives = heading_of(&*space, m.from, m.to);
                if pose_at(m.from, drives) == Some(pose)
                    && let Some(to) = pose_at(m.to, drives)
                {
                    moves.push(Move {
                        from: pose,
                        to,
                        action: FacingAction::Drive(m.action),
                        cost: m.cost,
                        length: m.length,
                    });
                }
            }
            for other in poses_at(*place).filter(|other| *other != pose) {
                #[allow(clippy::cast_possible_truncation)] // as exact as headings
                let turn = apart((*heading).into(), poses.items()[other.index()].1.into()) as f32;
                let number = u32::try_from(turns.len()).map_err(|_| SpaceError::TooManyMoves)?;
                turns.push(Trajectory::new(vec![Stretch { share: 1.0, length: 0.0, turn }]));
                let action = FacingAction::Turn(number);
                moves.push(Move { from: pose, to: other, action, cost: turn_cost, length: pivot });
            }
        }
        let adjacency = Adjacency::from_moves(poses.items().len(), moves).ok_or(SpaceError::TooManyMoves)?;
        Ok(Self { space, poses, adjacency, turns })
    }

    /// The space without headings.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The place of `pose`; `None`: there is no such pose.
    pub fn place(&self, pose: NodeId) -> Option<NodeId> {
        Some(self.poses.items().get(pose.index())?.0)
    }

    /// The poses at `place`. Empty if no move begins or ends there.
    pub fn any_heading(&self, place: NodeId) -> Goals {
        let range = self.poses.range(place.index());
        NodeId::below(range.end).skip(range.start).collect()
    }
}

/// The direction from one place to another, in radians from x towards y; 0 if one lies above the other.
fn heading_of<S: Embedding>(space: &S, from: NodeId, to: NodeId) -> f64 {
    let [a, b] = [from, to].map(|node| space.position(node).map(f64::from));
    libm::atan2(b[1] - a[1], b[0] - a[0])
}

/// By how much a unit turns from one heading to another, by the shorter way: between -pi and pi.
fn apart(from: f64, to: f64) -> f64 {
    let turn = (to - from).rem_euclid(TAU);
    if turn > PI { turn - TAU } else { turn }
}

impl<S: Embedding> Adapter for Facing<S> {
    type Base = S;
    type Action = FacingAction<S::Action>;
    type Cost = S::Cost;

    fn base(&self) -> &S {
        &self.space
    }

    #[inline]
    fn base_node(&self, node: NodeId) -> NodeId {
        self.place(node).unwrap_or(NodeId(0))
    }

    fn base_move(&self, m: &Move<Self::Action, Self::Cost>) -> Option<MoveIn<S>> {
        let FacingAction::Drive(action) = m.action else { return None };
        move_by_action(&*self.space, self.place(m.from)?, action)
    }

    fn node_bound(&self) -> usize {
        self.poses.items().len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Self::Action, Self::Cost>> {
        self.adjacency.moves(from)
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Self::Action, Self::Cost>>> {
        Some(self.adjacency.moves_into(to))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.place(node).is_some_and(|place| self.space.contains(place))
    }

    fn facts<'a>(&'a self, base: Facts<'a, S::Cost>) -> Facts<'a, S::Cost> {
        let uniform_cost = self.adjacency.uniform_cost();
        let Facts { uniform_cost: _, uniform_length: _, step, crossing_bound: _, period, origins: _ } = base;
        Facts { uniform_cost, uniform_length: None, step, crossing_bound: 0, period, origins: None }
    }

    fn shortcut(&self, _from: NodeId, _to: NodeId, _lengths: RangeInclusive<f32>) -> Option<Self::Action> {
        None
    }

    fn journal(&self) -> Option<&Journal> {
        None
    }

    fn heading(&self, node: NodeId) -> f32 {
        self.poses.items().get(node.index()).map_or(0.0, |(_, heading)| *heading)
    }

    fn trajectory(&self, m: &Move<Self::Action, Self::Cost>) -> Option<&Trajectory> {
        match m.action {
            FacingAction::Drive(_) => {
                self.space.trajectory(&self.base_move(m)?).filter(|trajectory| trajectory.is_jump())
            }
            FacingAction::Turn(number) => self.turns.get(number as usize),
        }
    }
}
