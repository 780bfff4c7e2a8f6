//! Maps and agents.

use std::path::{Path, PathBuf};

use giveway::scenario::{MapFile, MapGenerator, MapKind, Scenario, ScenarioGenerator};
use giveway::spaces::{Connectivity, CornerCutting, Grid};
use giveway::{Agent, NodeId, SpaceGraph};
use rand_pcg::Pcg64Mcg;

/// Random numbers that the seed decides.
pub(crate) fn random(seed: u64) -> Pcg64Mcg {
    // The generator's state must not be small numbers that differ in a few bits only.
    Pcg64Mcg::new(u128::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) | 1)
}

pub(crate) struct World {
    pub(crate) grid: Grid,
    pub(crate) agents: Vec<Agent>,
}

impl World {
    /// This world with eight neighbours.
    pub(crate) fn eight(self, corners: CornerCutting) -> Self {
        let grid = self.grid.with_connectivity(Connectivity::Eight).with_corner_cutting(corners);
        Self { grid, ..self }
    }

    /// This world with priorities from -1 to 2.
    pub(crate) fn prioritised(mut self) -> Self {
        for (agent, index) in self.agents.iter_mut().zip(0_i32..) {
            agent.priority = index * 7 % 4 - 1;
        }
        self
    }
}

fn testdata(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/movingai")).join(path)
}

/// So many agents of a benchmark set.
pub(crate) fn benchmark(map: &str, number: u32, agents: usize) -> World {
    let grid = MapFile::read(testdata(&format!("maps/{map}.map"))).expect("it is there").grid().expect("a grid");
    let scenario = Scenario::read(testdata(&format!("scens/{map}-random-{number}.scen"))).expect("it is there");
    let agents = scenario.agents(agents, &grid).expect("so many");
    World { grid, agents }
}

/// A map that is made, and agents on it.
pub(crate) fn generated(kind: MapKind, [width, height]: [u32; 2], agents: u32, seed: u64) -> World {
    let map = MapGenerator::new(kind, width, height).seed(seed).generate().expect("a map");
    let grid = map.grid().expect("a grid");
    let scenario = ScenarioGenerator::new(&map).expect("free cells").generate("made.map", agents, seed);
    let agents = scenario.expect("room").agents(agents as usize, &grid).expect("so many");
    World { grid, agents }
}

/// The nodes of a space.
pub(crate) fn nodes<S: SpaceGraph>(space: &S) -> Vec<NodeId> {
    (0..).map(NodeId).take(space.node_bound()).filter(|node| space.contains(*node)).collect()
}
