//! Waypoints on a navigation mesh: places where a body fits, and the straight ways between them.

mod joining;
mod placing;
mod room;
mod rules;

pub use rules::{Mover, WaypointRules};

use giveway_core::{Facts, NodeId, SpaceGraph as _, Ticks};

use crate::adjacency::{Adjacency, Positions};
use crate::nav_mesh::NavMesh;
use crate::network::{Network, by_network};
use crate::segments::Segments;
use crate::space_error::SpaceError;
use room::{Clear, Room};

/// Waypoints on a [navigation mesh](NavMesh), for bodies of one size: see the chapter "From a navmesh" of the book.
///
/// * A waypoint is a place where the body fits. Waypoints lie around the ends of walls, so that ways lead close around
///   corners. Across passages up to four bodies wide, waypoints lie side by side, one for each lane, so that units can
///   pass each other. On open ground they lie in a square pattern.
/// * Moves lead straight to other waypoints, in up to about sixteen directions. Along each move the body keeps clear of
///   all walls.
/// * A move takes a whole number of ticks. This is the number nearest to the exact duration if the two differ by at
///   most 1 %; otherwise it is the next larger number. A move costs 1000 for each plain step of time.
/// * The action of a move is the node where it ends.
///
/// Waypoints are made for one unit alone. Give units a body, so that they hold the ground that they cover. Then bodies
/// of several sizes, each size with its own waypoints, can share one world, and areas can change. Waypoints can be
/// wrapped in a space with [links](crate::Linked).
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Goals, SpatialSearch};
/// use giveway_spaces::{Mover, NavMesh, WaypointRules, Waypoints};
///
/// // Two rooms, and a door between them that is two units wide.
/// let corners = [[0.0, 0.0], [9.0, 0.0], [9.0, 4.0], [9.0, 6.0], [9.0, 10.0], [0.0, 10.0]];
/// let right = [[10.0, 0.0], [20.0, 0.0], [20.0, 10.0], [10.0, 10.0], [10.0, 6.0], [10.0, 4.0]];
/// let rooms = vec![vec![0, 1, 2, 3, 4, 5], vec![6, 7, 8, 9, 10, 11], vec![2, 11, 10, 3]];
/// let mesh = NavMesh::new([corners, right].concat(), rooms)?;
///
/// // For a guard, which reaches half a unit around its position, and walks a unit in a plain step. Bodies are movers, too.
/// let rules = WaypointRules::new(&mesh, Mover { reach: 0.5, pace: 1.0 });
/// let ticks = (1..100).find(|ticks| rules.suits(*ticks)).expect("there is one");
/// let at = [[2.0, 5.0], [18.0, 5.0]].map(|point| rules.nearest_place(&mesh, point, 1.0).expect("room"));
/// let waypoints = Waypoints::with_places(&mesh, rules, ticks, &at)?;
/// let [west, east] = [0, 1].map(|place| waypoints.place(place).expect("given"));
/// let route = SpatialSearch::new().find(&waypoints, west, &Goals::one(east), &mut Zero)?;
/// // Sixteen units straight through the door.
/// assert!((16_000..16_500).contains(&route.cost));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Waypoints {
    network: Network<NodeId, u32, Positions>,
    /// How many waypoints are places that were asked for.
    places: u32,
    rules: WaypointRules,
    /// How far waypoints are apart in the open.
    step: f32,
    walls: Segments,
    clear: Clear,
}

impl Waypoints {
    /// The waypoints of `mesh`, placed by `rules`. A plain step at speed 1 takes `ticks_per_step` ticks.
    ///
    /// For most meshes, takes time and memory in proportion to the number of waypoints and walls.
    ///
    /// # Errors
    /// The body fits nowhere, its reach is not finite, or there would be more than four million waypoints.
    pub fn new(mesh: &NavMesh, rules: WaypointRules, ticks_per_step: Ticks) -> Result<Self, SpaceError> {
        Self::with_places(mesh, rules, ticks_per_step, &[])
    }

    /// Like [`new`](Self::new), with an additional waypoint at each of `places`: where units start, or where they want
    /// to go. [`WaypointRules::nearest_place`] finds places where the body fits.
    ///
    /// # Errors
    /// As for `new`; or the body does not fit at a place.
    pub fn with_places(
        mesh: &NavMesh,
        rules: WaypointRules,
        ticks_per_step: Ticks,
        places: &[[f32; 2]],
    ) -> Result<Self, SpaceError> {
        rules.check()?;
        let paced = rules.paced(ticks_per_step);
        let room = Room::new(mesh, rules.clearance);
        let exact: Vec<[f64; 2]> = places.iter().map(|place| place.map(f64::from)).collect();
        for (place, position) in places.iter().enumerate() {
            if !room.is_on_mesh(position.map(f64::from)) {
                return Err(SpaceError::NoRoom { place, position: *position });
            }
        }
        let placed = placing::place(mesh, &room, &paced, &exact)?;
        if placed.points.is_empty() {
            return Err(SpaceError::Nowhere);
        }
        let moves = joining::join(&placed, &room, &paced);
        let adjacency = Adjacency::from_moves(placed.points.len(), moves).ok_or(SpaceError::TooManyMoves)?;
        #[allow(clippy::cast_possible_truncation)] // they are rounded
        let network = Network::new(adjacency, [].into()).with_positions(|node| {
            let [x, y] = placed.points[node.index()];
            [x as f32, y as f32, 0.0]
        })?;
        let places = u32::try_from(places.len()).unwrap_or(u32::MAX);
        #[allow(clippy::cast_possible_truncation)] // rounded once
        let step = paced.spacing as f32;
        Ok(Self { network, places, rules, step, walls: mesh.segments().clone(), clear: room.clear() })
    }

    /// The waypoint at place number `number`, from 0, among the [additional places](Self::with_places). `None`: there
    /// is no such place.
    pub fn place(&self, number: usize) -> Option<NodeId> {
        u32::try_from(number).ok().filter(|number| *number < self.places).map(NodeId)
    }

    /// The rules by which the waypoints were made.
    pub fn rules(&self) -> WaypointRules {
        self.rules
    }
}

impl WaypointRules {
    /// The point of `mesh` nearest to `point` where the body fits, at most `within` world units away. `None`: there is
    /// no such point.
    ///
    /// Takes time in proportion to the number of polygons, plus the square of the number of walls around `point`.
    #[allow(clippy::cast_possible_truncation)] // positions have 32 bits
    pub fn nearest_place(&self, mesh: &NavMesh, point: [f32; 2], within: f32) -> Option<[f32; 2]> {
        let found = Room::new(mesh, self.clearance).nearest(point.map(f64::from), within.into())?;
        Some(found.map(|side| side as f32))
    }
}

by_network!(SpaceGraph for [] Waypoints {
    type Action = NodeId;
    type Cost = u32;

    /// Costs and lengths count as different, even if they happen to be equal.
    fn facts(&self) -> Facts<'_, u32> {
        Facts { step: self.step, crossing_bound: self.network.facts().crossing_bound, ..Facts::NONE }
    }
});

by_network!(Embedding for [] Waypoints {
    /// Between open waypoints, where the body keeps clear of all walls. Closed waypoints on the way do not matter.
    fn straight(&self, from: NodeId, to: NodeId) -> Option<NodeId> {
        if !self.contains(from) || !self.contains(to) || from == to {
            return None;
        }
        let way = [from, to].map(|node| {
            let [x, y, _] = self.position(node).map(f64::from);
            [x, y]
        });
        self.clear.is_along(&self.walls, way).then_some(to)
    }
});
