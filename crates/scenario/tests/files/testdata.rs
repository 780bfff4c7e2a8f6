//! The maps, meshes and scenarios that the repository keeps.

use std::path::{Path, PathBuf};

use giveway_core::Point;
use giveway_scenario::{MapFile, MeshFile, Problem, Scenario};
use giveway_strategies::Instance;

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

#[test]
fn every_problem_is_read() {
    let problems = files("problems", "json");
    let read = problems.iter().map(|path| Problem::read(path).unwrap());
    let sizes: Vec<_> = read.map(|problem| (problem.starts().len(), problem.tasks().len())).collect();
    assert_eq!(sizes, [(6, 10)]);
}

#[test]
fn every_map_is_read() {
    let read = |path: &PathBuf| {
        let map = MapFile::read(path).unwrap();
        let free = (0..map.height())
            .flat_map(|y| (0..map.width()).map(move |x| (x, y)))
            .filter(|(x, y)| map.is_passable(*x, *y));
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, map.width(), map.height(), free.count())
    };
    let maps: Vec<_> = files("movingai/maps", "map").iter().map(read).collect();
    let expected = [
        ("den312d", 65, 81, 2445),
        ("empty-8-8", 8, 8, 64),
        ("maze-32-32-4", 32, 32, 790),
        ("random-32-32-20", 32, 32, 819),
    ];
    assert_eq!(maps, expected.map(|(name, width, height, free)| (name.to_owned(), width, height, free)));
}

#[test]
fn every_scenario_is_an_instance_with_all_its_agents() {
    let scenarios = files("movingai/scens", "scen");
    assert_eq!(scenarios.len(), 6);
    for path in scenarios {
        let scenario = Scenario::read(&path).unwrap();
        let map = scenario.entries()[0].map.clone();
        let grid = MapFile::read(path.parent().unwrap().join("../maps").join(map)).unwrap().grid().unwrap();
        let agents = scenario.agents(scenario.entries().len(), &grid).unwrap();
        Instance::new(&grid, &Point::swap_rule(&grid), agents).unwrap();
        // The written file equals the read file, to the byte.
        assert_eq!(scenario.to_string(), std::fs::read_to_string(&path).unwrap(), "{path:?}");
    }
}

#[test]
fn every_mesh_is_read() {
    let read = |path: &PathBuf| {
        let file = MeshFile::read(path).unwrap();
        assert_eq!(MeshFile::parse(file.to_string(), path).unwrap(), file, "{path:?}");
        // All but the order of polygons around vertices is as it was.
        let contents = std::fs::read_to_string(path).unwrap();
        let sorted = |contents: &str| {
            let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let mut lines: Vec<Vec<String>> = contents.lines().map(words).collect();
            let vertices = file.mesh().vertices().len();
            lines[3..3 + vertices].iter_mut().for_each(|words| words[3..].sort_unstable());
            lines
        };
        assert_eq!(sorted(&file.to_string()), sorted(&contents), "{path:?}");
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, file.mesh().vertices().len(), file.mesh().polygons().len(), file.mesh().walls().count())
    };
    let meshes: Vec<_> = files("navmesh", "mesh").iter().map(read).collect();
    let expected = [("arena-merged", 112, 55, 112), ("arena", 112, 120, 112)];
    assert_eq!(meshes, expected.map(|(name, vertices, polygons, walls)| (name.to_owned(), vertices, polygons, walls)));
}
