//! Maps and agents: the Moving AI benchmark, from the project's own test data and from `GIVEWAY_DATA`.

#![allow(clippy::print_stderr, reason = "what is left out of a measurement must be seen")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use giveway::Agent;
use giveway::scenario::{MapFile, Scenario};
use giveway::spaces::{Connectivity, Grid};

/// A map, four-connected, and the agents of its first scenario.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// The map's file name without its ending.
    pub name: String,
    /// The map.
    pub grid: Grid,
    /// The first agents of the scenario `random-1`, in its order.
    pub agents: Vec<Agent>,
}

/// Every map, by name, with at most `agents` agents. See [`benchmark`].
pub fn benchmarks(agents: usize) -> Vec<Benchmark> {
    let found = maps();
    let benchmarks: Vec<Benchmark> = found.iter().filter_map(|(name, root)| load(name, root, agents)).collect();
    if benchmarks.is_empty() {
        eprintln!("SKIPPED: everything, because there is no map to run on");
    }
    benchmarks
}

/// The map `name`, with at most `agents` agents.
///
/// Looks into `testdata/movingai` and `$GIVEWAY_DATA/movingai`; what is missing is named on standard error and left
/// out. If the program has an argument that is no option, maps whose name does not contain it are left out too.
pub fn benchmark(name: &str, agents: usize) -> Option<Benchmark> {
    match maps().get(name) {
        Some(root) => load(name, root, agents),
        None => {
            eprintln!("SKIPPED: {name}: there is no such map");
            None
        }
    }
}

/// The names of the maps, and under which root each was found.
fn maps() -> BTreeMap<String, PathBuf> {
    let more = std::env::var_os("GIVEWAY_DATA").map(PathBuf::from);
    if more.is_none() {
        eprintln!("SKIPPED: every map that is not in testdata/, because GIVEWAY_DATA is not set");
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let mut maps = BTreeMap::new();
    for root in more.into_iter().chain([own]) {
        let root = root.join("movingai");
        let Ok(directory) = std::fs::read_dir(root.join("maps")) else {
            eprintln!("SKIPPED: every map of {}, which cannot be read", root.display());
            continue;
        };
        for path in directory.flatten().map(|entry| entry.path()) {
            let is_map = path.extension().is_some_and(|ending| ending == "map");
            if let Some(name) = path.file_stem().filter(|_| is_map) {
                maps.insert(name.to_string_lossy().into_owned(), root.clone());
            }
        }
    }
    maps
}

fn load(name: &str, root: &Path, agents: usize) -> Option<Benchmark> {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if wanted.is_some_and(|wanted| !name.contains(&wanted)) {
        return None;
    }
    read(name, root, agents).inspect_err(|why| eprintln!("SKIPPED: {name}: {why}")).ok()
}

fn read(name: &str, root: &Path, agents: usize) -> Result<Benchmark, Box<dyn Error>> {
    let grid = MapFile::read(root.join(format!("maps/{name}.map")))?.grid()?;
    let scenario = Scenario::read(root.join(format!("scens/{name}-random-1.scen")))?;
    let agents = scenario.agents(agents.min(scenario.entries().len()), &grid)?;
    Ok(Benchmark { name: name.to_owned(), grid, agents })
}

/// An eight-connected map of the direction-map experiments, and agents that go back and forth on it.
#[derive(Clone, Debug)]
pub struct PatrolScenario {
    /// The scenario's file name without its ending.
    pub name: String,
    /// The map.
    pub grid: Grid,
    /// Each begins at one end, and its goal is the other.
    pub agents: Vec<Agent>,
}

/// The scenarios `family`_1 to `family`_`count` on `map`, with all of their agents.
///
/// Looks into `$GIVEWAY_DATA/direction-maps`; what is missing is named on standard error and left out.
pub fn patrol_scenarios(map: &str, family: &str, count: u32) -> Vec<PatrolScenario> {
    let Some(root) = std::env::var_os("GIVEWAY_DATA").map(PathBuf::from) else {
        eprintln!("SKIPPED: {family}_1 to _{count}, because GIVEWAY_DATA is not set");
        return Vec::new();
    };
    let root = root.join("direction-maps");
    let load = |number| {
        let name = format!("{family}_{number}");
        read_patrols(name.clone(), map, &root).inspect_err(|why| eprintln!("SKIPPED: {name}: {why}")).ok()
    };
    (1..=count).filter_map(load).collect()
}

fn read_patrols(name: String, map: &str, root: &Path) -> Result<PatrolScenario, Box<dyn Error>> {
    let grid = MapFile::read(root.join(format!("maps/{map}.map")))?.grid()?.with_connectivity(Connectivity::Eight);
    let scenario = Scenario::read(root.join(format!("scens/{name}.txt")))?;
    let agents = scenario.agents(scenario.entries().len(), &grid)?;
    Ok(PatrolScenario { name, grid, agents })
}
