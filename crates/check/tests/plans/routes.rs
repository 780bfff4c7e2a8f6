//! Pictures with named cells, routes through them, and what the checker says of these routes.

use giveway_check::{Checker, Violation};
use giveway_core::{Agent, AtEnd, ConflictRule, Motion, Move, NodeId, Path, PathIn, Plan, Step, Tick};
use giveway_spaces::{Connectivity, Direction, Grid};

use Connectivity::Four;

/// Six places in a row.
pub(crate) const CORRIDOR: &str = "abcdef";

/// Four places round a corner.
pub(crate) const SQUARE: &str = "ab
                                 dc";

/// A grid whose cells are named by letters; `#` is a wall. Node ids run row by row.
pub(crate) struct Map {
    pub(crate) grid: Grid,
    names: Vec<char>,
}

pub(crate) fn map(picture: &str, connectivity: Connectivity) -> Map {
    Map {
        grid: Grid::from_ascii(picture).unwrap().with_connectivity(connectivity),
        names: picture.chars().filter(|name| !name.is_whitespace()).collect(),
    }
}

impl Map {
    pub(crate) fn node(&self, name: char) -> NodeId {
        let index = self.names.iter().position(|other| *other == name).unwrap();
        NodeId(u32::try_from(index).unwrap())
    }

    /// The path that is in the cells of `route`, one tick each; after `!` it disappears.
    pub(crate) fn path(&self, route: &str) -> PathIn<Grid> {
        let at_end = if route.ends_with('!') { AtEnd::Disappear } else { AtEnd::Stay };
        let nodes: Vec<NodeId> = route.trim_end_matches('!').chars().map(|name| self.node(name)).collect();
        let mut path = Path::standing(nodes[0], 0, at_end);
        path.steps =
            (0..).zip(nodes.windows(2)).map(|(tick, nodes)| step(nodes[0], nodes[1], tick, tick + 1)).collect();
        path
    }

    pub(crate) fn paths(&self, routes: &[&str]) -> Vec<PathIn<Grid>> {
        routes.iter().map(|route| self.path(route)).collect()
    }

    pub(crate) fn named(&self, rule: ConflictRule, agents: &[Agent], paths: Vec<PathIn<Grid>>) -> Vec<String> {
        let checker = Checker::new(&self.grid, rule).with_crossings();
        names(&checker.check(agents, &Plan { paths }))
    }
}

pub(crate) fn names(violations: &[Violation]) -> Vec<String> {
    violations.iter().map(Violation::to_string).collect()
}

/// The move, legal or not, with a guessed action; a rest if it leads nowhere.
pub(crate) fn step(from: NodeId, to: NodeId, depart: Tick, arrive: Tick) -> Step<Direction, u32> {
    let motion = if from == to {
        Motion::Rest { node: from, ticks: arrive - depart }
    } else {
        Motion::Move(Move { from, to, action: Direction::North, cost: 0, length: 1.0 })
    };
    Step { motion, depart, arrive }
}

/// The agents whose starts and goals are the ends of `paths`.
pub(crate) fn agents_of(paths: &[PathIn<Grid>]) -> Vec<Agent> {
    paths.iter().map(|path| Agent::new(path.start, path.end())).collect()
}

/// What the checker says of routes over a picture.
pub(crate) fn check(picture: &str, connectivity: Connectivity, rule: ConflictRule, routes: &[&str], expected: &[&str]) {
    let map = map(picture, connectivity);
    let paths = map.paths(routes);
    let named = map.named(rule, &agents_of(&paths), paths);
    assert_eq!(named, expected, "{routes:?} by {rule:?} in {picture}");
}

/// What the checker says of routes over a picture with four neighbours, where all violations are shared nodes: which
/// two agents share which node, and since when.
pub(crate) fn check_shared(picture: &str, rule: ConflictRule, routes: &[&str], expected: &[(u32, u32, u32, Tick)]) {
    let expected = expected.iter().map(|(first, second, node, tick)| {
        format!("agent {first} and agent {second} are both on node {node} at tick {tick}")
    });
    let expected: Vec<String> = expected.collect();
    check(picture, Four, rule, routes, &expected.iter().map(String::as_str).collect::<Vec<_>>());
}
