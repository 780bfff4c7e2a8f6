//! The walls that a class of a world meets.

use giveway::area::Area;
use giveway::scenario::WorldLink;

use super::maps::WorldPart;

/// Convex shapes, and the number of the map that has them.
pub(super) type Shapes = (usize, Vec<Vec<[f32; 2]>>);

/// The walls of the maps of a class, and of the other solid maps of the world.
#[derive(Default)]
pub(super) struct KindWalls {
    maps: Vec<usize>,
    passages: Vec<Passage>,
    /// How far walls are from the middle of a passage.
    margin: f32,
}

/// Stairs, which lead through walls on their way.
struct Passage {
    floors: [i32; 2],
    ends: [[f32; 2]; 2],
}

/// A cell of which no part is on the way of an agent without extent.
const HALF: f32 = 0.75;

impl KindWalls {
    /// The walls for a class that reaches as far as `reach`, is on the maps `on`, and goes through `passages`.
    pub(super) fn new<'a>(
        maps: &[WorldPart],
        on: &[usize],
        passages: impl Iterator<Item = &'a WorldLink>,
        reach: f32,
    ) -> Self {
        let passage = |link: &WorldLink| Passage {
            floors: [link.from.floor, link.to.floor],
            ends: [link.from.position, link.to.position],
        };
        Self {
            maps: (0..maps.len()).filter(|map| on.contains(map) || maps[*map].solid).collect(),
            passages: passages.map(passage).collect(),
            margin: reach + HALF,
        }
    }

    /// The walls by map, in the world; without those in `opened`.
    pub(super) fn shapes(&self, maps: &[WorldPart], opened: &[Area]) -> Vec<Shapes> {
        let shapes = self.maps.iter().map(|number| {
            let part = &maps[*number];
            let is_spared = |at @ [x, y]: [f32; 2]| {
                let leads = |passage: &Passage| {
                    passage.floors.contains(&part.floor) && distance_to(at, passage.ends) < self.margin
                };
                self.passages.iter().any(leads) || opened.iter().any(|area| area.contains([x, y, part.height]))
            };
            (*number, part.walls(is_spared))
        });
        shapes.filter(|(_, walls)| !walls.is_empty()).collect()
    }
}

/// How far `at` is from a line between two points.
fn distance_to(at: [f32; 2], [from, to]: [[f32; 2]; 2]) -> f32 {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let [px, py] = [at[0] - from[0], at[1] - from[1]];
    let length = dx * dx + dy * dy;
    let share = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - share * dx).hypot(py - share * dy)
}
