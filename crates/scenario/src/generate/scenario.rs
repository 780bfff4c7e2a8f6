//! Agents on a map: starts and goals, from a seed.

use std::path::Path;

use rand::Rng as _;

use super::chance::{self, Chance};
use super::error::CannotGenerate;
use super::frame::Frame;
use super::parts::Parts;
use crate::map::MapFile;
use crate::scen::{Scenario, ScenarioEntry};

/// Places agents on a map.
///
/// No two agents have the same start, and no two agents have the same goal. The start and the goal of an agent are in
/// one connected part of the map, where cells are connected by straight steps. The start differs from the goal, unless
/// this part is a single cell. The largest part is filled first, then the second largest, and so on. So if the largest
/// part has a cell for every agent, all agents are in this part.
///
/// The generator takes 4 bytes of memory per free cell, and 8 bytes while it generates.
#[derive(Clone, Debug)]
pub struct ScenarioGenerator {
    frame: Frame,
    parts: Parts,
}

/// With more cells than this no grid can be made.
const MOST_CELLS: u32 = u32::MAX / 4;

impl ScenarioGenerator {
    /// A generator of scenarios on `map`.
    ///
    /// # Errors
    /// The map has more than 2^30 - 1 cells.
    pub fn new(map: &MapFile) -> Result<Self, CannotGenerate> {
        let frame = Frame::new(map.width(), map.height(), MOST_CELLS)?;
        Ok(Self { frame, parts: Parts::new(frame, map.cells()) })
    }

    /// The largest number of agents, which is the number of free cells of the map.
    pub fn room(&self) -> u32 {
        self.parts.cells()
    }

    /// The number of connected parts of the map.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The number of cells of the largest connected part; 0 if there is no free cell.
    pub fn largest_part(&self) -> u32 {
        self.parts.largest()
    }

    /// A scenario of `agents` agents. `seed` decides all random draws, and `map` is the name of the map in the entries.
    ///
    /// Lengths of paths are not computed, so the `optimal` and the `bucket` of each entry are 0.
    ///
    /// # Errors
    /// There are more agents than [`room`](Self::room).
    pub fn generate(&self, map: &str, agents: u32, seed: u64) -> Result<Scenario, CannotGenerate> {
        let room = self.room();
        if agents > room {
            return Err(CannotGenerate::TooManyAgents { agents, room });
        }
        let mut chance = chance::of_scenario(seed);
        let mut entries = Vec::with_capacity(agents as usize);
        let Frame { width, height } = self.frame;
        let cell = |cell: u32| (cell % width, cell / width);
        let mut left = agents as usize;
        for part in self.parts.iter() {
            if left == 0 {
                break;
            }
            let count = left.min(part.len());
            left -= count;
            entries.extend(pairs(part, count, &mut chance).map(|(start, goal)| ScenarioEntry {
                bucket: 0,
                map: map.to_owned(),
                width,
                height,
                start: cell(start),
                goal: cell(goal),
                optimal: 0.0,
            }));
        }
        Ok(Scenario::new(Path::new(map).with_extension("scen"), entries))
    }
}

/// `count` pairs of a start and a goal in `part`; `count` is at most the number of its cells.
fn pairs(part: &[u32], count: usize, chance: &mut Chance) -> impl Iterator<Item = (u32, u32)> {
    let mut cells = part.to_vec();
    shuffle_first(&mut cells, count, chance);
    let starts = cells[..count].to_vec();
    shuffle_first(&mut cells, count, chance);
    for agent in 0..count {
        if cells[agent] == starts[agent] && cells.len() > 1 {
            // Any other cell will do: it is not this start, and this start belongs to no other pair.
            let other = below(cells.len() - 1, chance);
            cells.swap(agent, if other < agent { other } else { other + 1 });
        }
    }
    cells.truncate(count);
    starts.into_iter().zip(cells)
}

/// Puts a random choice of `cells`, in random order, at the first `count` positions.
fn shuffle_first(cells: &mut [u32], count: usize, chance: &mut Chance) {
    for place in 0..count {
        let other = place + below(cells.len() - place, chance);
        cells.swap(place, other);
    }
}

/// A number below `bound`, which is above 0 and below 2^30.
fn below(bound: usize, chance: &mut Chance) -> usize {
    #[allow(clippy::cast_possible_truncation)] // it is below 2^30
    let number = chance.random_range(0..bound as u32);
    number as usize
}
