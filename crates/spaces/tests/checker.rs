//! The checker on grids: every fault is planted and found, legal plans pass, and a slow twin names the same conflicts.

use giveway_core::{
    Agent, AgentId, AtEnd, Checker, ConflictRule, FOREVER, Fault, Goals, Motion, Move, NodeId, Path, PathIn, Plan,
    SpaceGraph, Step, Tick,
};
use giveway_spaces::{Connectivity, CornerCutting, Direction, Grid};
use proptest::prelude::*;

use ConflictRule::{BothCells, Swap};
use Connectivity::{Eight, Four};

/// A grid whose cells are named by letters; `#` is a wall. Node ids run row by row.
struct Map {
    grid: Grid,
    names: Vec<char>,
}

fn map(picture: &str, connectivity: Connectivity) -> Map {
    Map {
        grid: Grid::from_ascii(picture).unwrap().with_connectivity(connectivity),
        names: picture.chars().filter(|name| !name.is_whitespace()).collect(),
    }
}

impl Map {
    fn node(&self, name: char) -> NodeId {
        let index = self.names.iter().position(|other| *other == name).unwrap();
        NodeId(u32::try_from(index).unwrap())
    }

    /// The path that is in the cells of `route`, one tick each; after `!` it disappears.
    fn path(&self, route: &str) -> PathIn<Grid> {
        let at_end = if route.ends_with('!') { AtEnd::Disappear } else { AtEnd::Stay };
        let nodes: Vec<NodeId> = route.trim_end_matches('!').chars().map(|name| self.node(name)).collect();
        let mut path = Path::standing(nodes[0], 0, at_end);
        path.steps =
            (0..).zip(nodes.windows(2)).map(|(tick, nodes)| step(nodes[0], nodes[1], tick, tick + 1)).collect();
        path
    }

    fn paths(&self, routes: &[&str]) -> Vec<PathIn<Grid>> {
        routes.iter().map(|route| self.path(route)).collect()
    }

    fn named(&self, rule: ConflictRule, agents: &[Agent], paths: Vec<PathIn<Grid>>) -> Vec<String> {
        let checker = Checker::new(&self.grid, rule).with_crossings();
        let faults = checker.check(agents, &Plan { paths });
        faults.iter().map(Fault::to_string).collect()
    }
}

/// The move, legal or not, with a guessed action; a rest if it leads nowhere.
fn step(from: NodeId, to: NodeId, depart: Tick, arrive: Tick) -> Step<Direction, u32> {
    let motion = if from == to {
        Motion::Rest { node: from, ticks: arrive - depart }
    } else {
        Motion::Move(Move { from, to, action: Direction::North, cost: 0, length: 1.0 })
    };
    Step { motion, depart, arrive }
}

/// The agents that want just what `paths` do.
fn agents_of(paths: &[PathIn<Grid>]) -> Vec<Agent> {
    paths.iter().map(|path| Agent::new(path.start, path.end())).collect()
}

/// What the checker says of routes over a picture.
fn check(picture: &str, connectivity: Connectivity, rule: ConflictRule, routes: &[&str], expected: &[&str]) {
    let map = map(picture, connectivity);
    let paths = map.paths(routes);
    let named = map.named(rule, &agents_of(&paths), paths);
    assert_eq!(named, expected, "{routes:?} by {rule:?} in {picture}");
}

const CORRIDOR: &str = "abcdef";
const SQUARE: &str = "ab
                      dc";

#[test]
fn followers_are_legal_by_the_swap_rule_only() {
    let routes = ["bcdef", "abcde"];
    check(CORRIDOR, Four, Swap, &routes, &[]);
    check(
        CORRIDOR,
        Four,
        BothCells,
        &routes,
        &[
            "agent 0 and agent 1 are both on node 1 at tick 0",
            "agent 0 and agent 1 are both on node 2 at tick 1",
            "agent 0 and agent 1 are both on node 3 at tick 2",
            "agent 0 and agent 1 are both on node 4 at tick 3",
        ],
    );
    check(CORRIDOR, Four, BothCells, &["bcdef", "aabcde"], &[]);
}

#[test]
fn rotation_is_legal_by_the_swap_rule_only() {
    let routes = ["ab", "bc", "cd", "da"];
    check(SQUARE, Four, Swap, &routes, &[]);
    check(
        SQUARE,
        Four,
        BothCells,
        &routes,
        &[
            "agent 0 and agent 1 are both on node 1 at tick 0",
            "agent 0 and agent 3 are both on node 0 at tick 0",
            "agent 1 and agent 2 are both on node 3 at tick 0",
            "agent 2 and agent 3 are both on node 2 at tick 0",
        ],
    );
}

#[test]
fn exchanges_are_found() {
    let routes = ["ab", "ba"];
    check(SQUARE, Four, Swap, &routes, &["agent 0 and agent 1 exchange node 0 and node 1 at tick 0"]);
    check(
        SQUARE,
        Four,
        BothCells,
        &routes,
        &["agent 0 and agent 1 are both on node 0 at tick 0", "agent 0 and agent 1 are both on node 1 at tick 0"],
    );
    check(CORRIDOR, Four, Swap, &["eeedc", "bbbcd"], &["agent 0 and agent 1 exchange node 3 and node 2 at tick 3"]);
    // One after the other is no exchange.
    check(SQUARE, Four, Swap, &["abc", "dab"], &[]);
    // The way round the square.
    check(SQUARE, Four, Swap, &["ab", "bcda"], &[]);
}

#[test]
fn crossing_diagonals_are_found_by_either_rule() {
    for rule in [Swap, BothCells] {
        check(
            SQUARE,
            Eight,
            rule,
            &["ac", "bd"],
            &["agent 0, from node 0 to node 3, crosses agent 1, from node 1 to node 2, at tick 0"],
        );
        check(SQUARE, Eight, rule, &["ac!", "bbd"], &[]);
    }
    let row = "abc
               def";
    check(row, Eight, Swap, &["ae", "ec"], &[]);
    check(
        row,
        Eight,
        Swap,
        &["aae", "cbd"],
        &["agent 0, from node 0 to node 4, crosses agent 1, from node 1 to node 3, at tick 1"],
    );
}

#[test]
fn crossings_are_named_only_if_asked_for() {
    let map = map(SQUARE, Eight);
    let paths = map.paths(&["ac", "bd"]);
    let agents = agents_of(&paths);
    let faults = Checker::new(&map.grid, Swap).check(&agents, &Plan { paths });
    assert_eq!(faults, []);
}

#[test]
fn a_shared_node_is_one_fault_for_each_stretch() {
    // Resting in one place, for a while and for ever.
    check(CORRIDOR, Four, Swap, &["abbbc", "cbbba"], &["agent 0 and agent 1 are both on node 1 at tick 1"]);
    check(
        CORRIDOR,
        Four,
        Swap,
        &["ab", "cbabb"],
        &["agent 0 and agent 1 are both on node 1 at tick 1", "agent 0 and agent 1 are both on node 1 at tick 3"],
    );
    // Each pair is named.
    check(
        CORRIDOR,
        Four,
        BothCells,
        &["b", "ccb", "aaab"],
        &[
            "agent 0 and agent 1 are both on node 1 at tick 1",
            "agent 0 and agent 2 are both on node 1 at tick 2",
            "agent 1 and agent 2 are both on node 1 at tick 2",
        ],
    );
}

#[test]
fn agents_at_their_goals_stay_or_disappear() {
    check(CORRIDOR, Four, Swap, &["ab", "eeeedcba"], &["agent 0 and agent 1 are both on node 1 at tick 6"]);
    check(CORRIDOR, Four, Swap, &["ab!", "eeeedcba"], &[]);
    // The tick of arrival is the swap rule's alone.
    check(CORRIDOR, Four, Swap, &["ab!", "cb"], &["agent 0 and agent 1 are both on node 1 at tick 1"]);
    check(CORRIDOR, Four, BothCells, &["ab!", "ccb"], &[]);
    check(CORRIDOR, Four, BothCells, &["ab!", "cb"], &["agent 0 and agent 1 are both on node 1 at tick 0"]);
    // Who does nothing is there at tick 0.
    for rule in [Swap, BothCells] {
        let both = ["agent 0 and agent 1 are both on node 1 at tick 0"];
        check(CORRIDOR, Four, rule, &["b!", "bb"], &both);
        check(CORRIDOR, Four, rule, &["b!", "aab"], &[]);
    }
}

#[test]
fn moves_that_the_space_does_not_offer_are_found() {
    let walls = "ab#
                 c#d";
    let illegal = |from, to| format!("agent 0 moves from node {from} to node {to} at tick 0, where no move leads");
    check(walls, Eight, Swap, &["ab"], &[]);
    check(walls, Eight, Swap, &["ad"], &[&illegal(0, 5)]);
    // Past the corner of a wall.
    check(walls, Eight, Swap, &["cb"], &[&illegal(3, 1)]);
    check(walls, Four, Swap, &["bd"], &[&illegal(1, 5)]);
    check(
        walls,
        Four,
        Swap,
        &["b##b"],
        &[
            &illegal(1, 2),
            "agent 0 stands on node 2 at tick 1, where nobody can",
            "agent 0 moves from node 2 to node 1 at tick 2, where no move leads",
        ],
    );
    check(walls, Four, BothCells, &["##"], &["agent 0 stands on node 2 at tick 0, where nobody can"]);
    // A jump across a diagonal is illegal, and nothing that could cross.
    check(
        SQUARE,
        Four,
        Swap,
        &["bd", "ac"],
        &[
            "agent 0 moves from node 1 to node 2 at tick 0, where no move leads",
            "agent 1 moves from node 0 to node 3 at tick 0, where no move leads",
        ],
    );
}

/// A change to a right plan, the rules by which it becomes wrong, and the faults.
type Planted<'a> = (fn(&mut Vec<PathIn<Grid>>), &'a [ConflictRule], &'a [&'a str]);

#[test]
fn ill_formed_paths_are_found() {
    let map = map(
        "abc
         def",
        Four,
    );
    let right = map.paths(&["aabc", "fed"]);
    let agents = agents_of(&right);
    for rule in [Swap, BothCells] {
        assert_eq!(map.named(rule, &agents, right.clone()), [""; 0]);
    }
    let both = &[Swap, BothCells];
    let rows: &[Planted] = &[
        (|paths| paths.truncate(1), both, &["the number of paths, 1, is not that of the agents, 2"]),
        (
            |paths| paths.push(Path::standing(NodeId(9), 0, AtEnd::Stay)),
            both,
            &[
                "the number of paths, 3, is not that of the agents, 2",
                "agent 2 stands on node 9 at tick 0, where nobody can",
            ],
        ),
        (
            |paths| {
                let goal = paths[1].end();
                paths[1] = Path::standing(goal, 0, AtEnd::Stay);
            },
            both,
            &["agent 1 starts on node 3 at tick 0 and not on node 5"],
        ),
        (
            |paths| paths[1].start = NodeId(4),
            both,
            &[
                "agent 1 starts on node 4 at tick 0 and not on node 5",
                "agent 1 is on node 4 but its step at tick 0 begins on node 5",
            ],
        ),
        (|paths| paths[1].steps.truncate(1), both, &["agent 1 ends on node 4 at tick 1, which is none of its goals"]),
        (
            |paths| {
                paths[1].depart = 1;
                for step in &mut paths[1].steps {
                    step.depart += 1;
                    step.arrive += 1;
                }
            },
            both,
            &["agent 1 is on node 5 at tick 0 but its next step begins at tick 1"],
        ),
        (
            |paths| {
                paths[0].steps.remove(0);
            },
            both,
            &["agent 0 is on node 0 at tick 0 but its next step begins at tick 1"],
        ),
        (
            |paths| {
                paths[0].steps.remove(1);
            },
            both,
            &[
                "agent 0 is on node 0 at tick 1 but its next step begins at tick 2",
                "agent 0 is on node 0 but its step at tick 2 begins on node 1",
            ],
        ),
        (
            |paths| {
                let last = &mut paths[0].steps[2];
                (last.depart, last.arrive) = (1, 2);
            },
            both,
            &["agent 0 is on node 1 at tick 2 but its next step begins at tick 1"],
        ),
        (
            |paths| paths[0].steps[2].arrive = 4,
            &[Swap],
            &["the step of agent 0 from node 1 at tick 2 ends at tick 4 but must last 1"],
        ),
        (|paths| paths[0].steps[2].arrive = 4, &[BothCells], &[]),
        (
            |paths| {
                let node = paths[0].end();
                let steps = &mut paths[0].steps;
                steps.push(step(node, node, 3, FOREVER));
                steps[3].motion = Motion::Rest { node, ticks: FOREVER };
            },
            both,
            &[],
        ),
        (
            |paths| {
                let node = paths[0].start;
                paths[0].steps = vec![
                    step(node, node, 0, 9),
                    step(node, node, 1, 2),
                    step(node, NodeId(1), 2, 3),
                    step(NodeId(1), NodeId(2), 3, 4),
                ];
                let node = paths[1].end();
                paths[1].steps.push(step(node, node, 2, 8));
                paths[1].steps.push(step(node, NodeId(0), 8, 9));
                paths[1].steps.push(step(NodeId(0), node, 9, 10));
            },
            &[BothCells],
            &[
                "agent 0 is on node 0 at tick 9 but its next step begins at tick 1",
                "agent 0 and agent 1 are both on node 0 at tick 8",
            ],
        ),
        (
            |paths| paths[0].steps[2].arrive = 2,
            both,
            &["the step of agent 0 from node 1 at tick 2 ends at tick 2 but must last 1"],
        ),
        (
            |paths| paths[0].steps[2].arrive = 0,
            both,
            &["the step of agent 0 from node 1 at tick 2 ends at tick 0 but must last 1"],
        ),
        (
            |paths| {
                let node = paths[0].start;
                paths[0].steps[0].motion = Motion::Rest { node, ticks: 5 };
            },
            both,
            &["the step of agent 0 from node 0 at tick 0 ends at tick 1 but must last 5"],
        ),
        (
            |paths| {
                let node = paths[0].start;
                paths[0].steps.insert(0, step(node, node, 0, 0));
            },
            both,
            &["the step of agent 0 from node 0 at tick 0 ends at tick 0 but must last 1"],
        ),
    ];
    for (plant, rules, expected) in rows {
        let mut paths = right.clone();
        plant(&mut paths);
        for rule in *rules {
            let named = map.named(*rule, &agents, paths.clone());
            assert_eq!(named, *expected, "{paths:?} by {rule:?}");
        }
    }
}

#[test]
fn an_agent_stays_where_it_was_during_a_gap() {
    let map = map(CORRIDOR, Four);
    for (rule, tick, waiting_from) in [(Swap, 1, 0), (Swap, 1, 3), (BothCells, 0, 0), (BothCells, 0, 3)] {
        let mut waiting = map.path("ba");
        let last = waiting.steps.last_mut().unwrap();
        (last.depart, last.arrive) = (3, 4);
        waiting.depart = waiting_from;
        let paths = vec![waiting, map.path("cbc")];
        assert_eq!(
            map.named(rule, &agents_of(&paths), paths),
            [
                "agent 0 is on node 1 at tick 0 but its next step begins at tick 3".to_owned(),
                format!("agent 0 and agent 1 are both on node 1 at tick {tick}"),
            ]
        );
    }
}

#[test]
fn any_goal_of_a_set_will_do() {
    let map = map(CORRIDOR, Four);
    let paths = map.paths(&["abc"]);
    let reached = Agent::new(NodeId(0), [5, 2].into_iter().map(NodeId).collect::<Goals>());
    let missed = Agent::new(NodeId(0), [5, 1].into_iter().map(NodeId).collect::<Goals>());
    assert_eq!(map.named(Swap, &[reached], paths.clone()), [""; 0]);
    assert_eq!(map.named(Swap, &[missed], paths), ["agent 0 ends on node 2 at tick 2, which is none of its goals"]);
}

#[test]
fn the_end_of_time_is_a_tick_like_any_other() {
    let map = map(CORRIDOR, Four);
    let resting = |from: NodeId, until: Tick, at_end| Path {
        start: from,
        depart: 0,
        steps: vec![step(from, from, 0, until)],
        cost: 0,
        at_end,
    };
    // Some that rest for ever, and one that comes to the first of them at the end of the last tick but one.
    let mut late = resting(NodeId(3), FOREVER - 2, AtEnd::Stay);
    late.steps.push(step(NodeId(3), NodeId(2), FOREVER - 2, FOREVER - 1));
    late.steps.push(step(NodeId(2), NodeId(1), FOREVER - 1, FOREVER));
    let paths = vec![resting(NodeId(1), FOREVER, AtEnd::Disappear), late, resting(NodeId(5), FOREVER, AtEnd::Stay)];
    let agents = agents_of(&paths);
    for (rule, tick) in [(Swap, FOREVER), (BothCells, FOREVER - 1)] {
        assert_eq!(
            map.named(rule, &agents, paths.clone()),
            [format!("agent 0 and agent 1 are both on node 1 at tick {tick}")]
        );
    }
    let mut paths = paths;
    paths[0] = Path::standing(NodeId(1), 0, AtEnd::Stay);
    paths[1].steps.pop();
    paths[1].steps.push(step(NodeId(2), NodeId(2), FOREVER - 1, FOREVER));
    paths[1].steps.push(step(NodeId(2), NodeId(1), FOREVER, FOREVER));
    let agents = agents_of(&paths);
    for rule in [Swap, BothCells] {
        let end = FOREVER;
        assert_eq!(
            map.named(rule, &agents, paths.clone()),
            [
                format!("the step of agent 1 from node 2 at tick {end} ends at tick {end} but must last 1"),
                format!("agent 0 and agent 1 are both on node 1 at tick {end}"),
            ]
        );
    }
}

/// Doors by room, and whether the room is open. Panics when asked of a room that it does not have.
struct Rooms(Vec<(bool, Vec<u32>)>);

impl SpaceGraph for Rooms {
    type Action = u32;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.0.len()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.0[node.index()].0
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, u32>> {
        self.0[from.index()].1.iter().map(move |to| Move {
            from,
            to: NodeId(*to),
            action: *to,
            cost: 1000,
            length: 1.0,
        })
    }
}

/// One move, from and to, of each agent, and the faults.
type Moved<'a> = (&'a [(u32, u32)], &'a [&'a str]);

#[test]
fn spaces_are_asked_only_of_what_they_have() {
    // A loop at 0, a door to the closed room 1, and one out of it.
    let rooms = Rooms(vec![(true, vec![0, 1]), (false, vec![0])]);
    let path = |from, to| {
        let m = Move { from: NodeId(from), to: NodeId(to), action: to, cost: 1000, length: 1.0 };
        let mut path = Path::standing(NodeId(from), 0, AtEnd::Disappear);
        path.steps.push(Step { motion: Motion::Move(m), depart: 0, arrive: 1 });
        path
    };
    let rows: &[Moved] = &[
        (&[(0, 0)], &[]),
        // Along a loop nothing is exchanged.
        (&[(0, 0), (0, 0)], &["agent 0 and agent 1 are both on node 0 at tick 0"]),
        (&[(0, 1)], &["agent 0 moves from node 0 to node 1 at tick 0, where no move leads"]),
        (
            &[(1, 0)],
            &[
                "agent 0 stands on node 1 at tick 0, where nobody can",
                "agent 0 moves from node 1 to node 0 at tick 0, where no move leads",
            ],
        ),
        (
            &[(7, 8)],
            &[
                "agent 0 stands on node 7 at tick 0, where nobody can",
                "agent 0 moves from node 7 to node 8 at tick 0, where no move leads",
            ],
        ),
    ];
    for (moves, expected) in rows {
        let agents: Vec<Agent> = moves.iter().map(|(from, to)| Agent::new(NodeId(*from), NodeId(*to))).collect();
        let paths = moves.iter().map(|(from, to)| path(*from, *to)).collect();
        let faults = Checker::new(&rooms, Swap).check(&agents, &Plan { paths });
        let named: Vec<String> = faults.iter().map(Fault::to_string).collect();
        assert_eq!(named, *expected, "{moves:?}");
    }
}

#[test]
fn a_bound_keeps_the_earliest_faults() {
    let map = map(CORRIDOR, Four);
    // All pairs would be 5e7 faults.
    let mut paths = vec![map.path("a"); 10_000];
    paths[7] = map.path("ba");
    let agents = agents_of(&paths);
    let faults = Checker::new(&map.grid, Swap).at_most(3).check(&agents, &Plan { paths });
    assert_eq!(faults.len(), 3);
    assert!(faults.iter().all(|fault| fault.tick() == 0));
}

/// What one agent of a random walk does, from a start, by numbers: which way, and for how long.
type Whims = (u8, Vec<(u8, Tick)>, bool);

fn whims() -> impl Strategy<Value = Vec<Whims>> {
    let steps = prop::collection::vec((any::<u8>(), 1_u32..4), 0..9);
    prop::collection::vec((any::<u8>(), steps, any::<bool>()), 1..6)
}

fn grids() -> impl Strategy<Value = Grid> {
    let pictures = vec!["..", "... ...", ".. ..", "... .#. ...", "... ... ...", ".#.. .... ...#"];
    (prop::sample::select(pictures), prop::sample::select(vec![Four, Eight])).prop_map(|(picture, connectivity)| {
        Grid::from_ascii(&picture.replace(' ', "\n"))
            .unwrap()
            .with_connectivity(connectivity)
            .with_corner_cutting(CornerCutting::Always)
    })
}

fn random_walk(grid: &Grid, rule: ConflictRule, (start, whims, stays): &Whims) -> PathIn<Grid> {
    let nodes: Vec<NodeId> = (0..).map(NodeId).take(grid.node_bound()).collect();
    let free: Vec<NodeId> = nodes.into_iter().filter(|node| grid.contains(*node)).collect();
    let at_end = if *stays { AtEnd::Stay } else { AtEnd::Disappear };
    let mut path = Path::standing(free[usize::from(*start) % free.len()], 0, at_end);
    let (mut at, mut now) = (path.start, 0);
    for (way, ticks) in whims {
        let moves: Vec<_> = grid.moves(at).collect();
        // Some rest, a few ticks at a time; by the swap rule a move takes one.
        let (motion, to, lasts) = match moves.get(usize::from(*way) % (moves.len() + 1)) {
            None => {
                let rest = Motion::Rest { node: at, ticks: *ticks };
                (rest, at, *ticks)
            }
            Some(m) => (Motion::Move(*m), m.to, if rule == Swap { 1 } else { *ticks }),
        };
        path.steps.push(Step { motion, depart: now, arrive: now + lasts });
        (at, now) = (to, now + lasts);
    }
    path
}

/// The twin: looks at every pair of agents at every tick.
struct Twin<'a> {
    grid: &'a Grid,
    rule: ConflictRule,
    paths: &'a [PathIn<Grid>],
}

impl Twin<'_> {
    /// The step that the agent is making at `tick`.
    fn doing(&self, agent: usize, tick: Tick) -> Option<&Step<Direction, u32>> {
        let mut steps = self.paths[agent].steps.iter();
        steps.find(|step| (step.depart..step.arrive).contains(&tick))
    }

    fn moving(&self, agent: usize, tick: Tick) -> Option<(NodeId, NodeId, Tick)> {
        match self.doing(agent, tick)? {
            Step { motion: Motion::Move(m), depart, .. } => Some((m.from, m.to, *depart)),
            _ => None,
        }
    }

    fn held(&self, agent: usize, tick: Tick) -> Vec<NodeId> {
        let path = &self.paths[agent];
        let end = path.steps.last().map_or(0, |step| step.arrive);
        let leaves = match (path.at_end, self.rule) {
            (AtEnd::Stay, _) => Tick::MAX,
            (AtEnd::Disappear, Swap) => end + 1,
            (AtEnd::Disappear, BothCells) => end.max(1),
        };
        match self.doing(agent, tick).map(|step| step.motion) {
            _ if tick >= leaves => vec![],
            None => vec![path.end()],
            Some(Motion::Rest { node, .. }) => vec![node],
            Some(Motion::Move(m)) if self.rule == Swap => vec![m.from],
            Some(Motion::Move(m)) => vec![m.from, m.to],
        }
    }

    /// On a grid, two moves cross if they are different diagonals with the same middle.
    fn cross(&self, (a, b): (NodeId, NodeId), (c, d): (NodeId, NodeId)) -> bool {
        let [(ax, ay), (bx, by), (cx, cy), (dx, dy)] = [a, b, c, d].map(|node| self.grid.xy(node));
        let diagonal = ax != bx && ay != by && cx != dx && cy != dy;
        diagonal && ax + bx == cx + dx && ay + by == cy + dy && a != c && a != d
    }

    fn faults(&self) -> Vec<Fault> {
        let ids: Vec<AgentId> = (0..).map(AgentId).take(self.paths.len()).collect();
        let ends = self.paths.iter().flat_map(|path| path.steps.iter().map(|step| step.arrive));
        let last = ends.max().unwrap_or(0) + 2;
        let mut faults = Vec::new();
        for tick in 0..last {
            for a in 0..ids.len() {
                for b in a + 1..ids.len() {
                    let agents = [ids[a], ids[b]];
                    let shared = |tick| -> Vec<NodeId> {
                        let theirs = self.held(b, tick);
                        let ours = self.held(a, tick).into_iter();
                        ours.filter(|node| theirs.contains(node)).collect()
                    };
                    let before = tick.checked_sub(1).map(shared).unwrap_or_default();
                    for node in shared(tick).into_iter().filter(|node| !before.contains(node)) {
                        faults.push(Fault::Vertex { agents, node, tick });
                    }
                    let (Some((a_from, a_to, a_depart)), Some((b_from, b_to, b_depart))) =
                        (self.moving(a, tick), self.moving(b, tick))
                    else {
                        continue;
                    };
                    if tick != a_depart.max(b_depart) {
                        continue;
                    }
                    if self.rule == Swap && (a_from, a_to) == (b_to, b_from) {
                        let nodes = [a_from, b_from];
                        faults.push(Fault::Swap { agents, nodes, tick });
                    }
                    if self.cross((a_from, a_to), (b_from, b_to)) {
                        let moves = [[a_from, a_to], [b_from, b_to]];
                        faults.push(Fault::Crossing { agents, moves, tick });
                    }
                }
            }
        }
        faults.sort_by_key(|fault| (fault.tick(), *fault));
        faults
    }
}

/// A tick of any kind, those at both ends of time above all.
fn tick() -> impl Strategy<Value = Tick> {
    prop_oneof![4 => 0_u32..6, 1 => FOREVER - 2..=FOREVER, 1 => any::<u32>()]
}

/// A node on the grid, a wall, or none at all.
fn node() -> impl Strategy<Value = NodeId> {
    prop_oneof![6 => 0_u32..12, 1 => any::<u32>(), 1 => Just(u32::MAX)].prop_map(NodeId)
}

fn garbage() -> impl Strategy<Value = Vec<PathIn<Grid>>> {
    let motion = prop_oneof![
        (node(), node()).prop_map(|(from, to)| Motion::Move(Move {
            from,
            to,
            action: Direction::West,
            cost: 7,
            length: f32::NAN,
        })),
        (node(), tick()).prop_map(|(node, ticks)| Motion::Rest { node, ticks }),
    ];
    let step = (motion, tick(), tick()).prop_map(|(motion, depart, arrive)| Step { motion, depart, arrive });
    let steps = prop::collection::vec(step, 0..8);
    let path = (node(), tick(), steps, any::<bool>()).prop_map(|(start, depart, steps, stays)| Path {
        start,
        depart,
        steps,
        cost: 0,
        at_end: if stays { AtEnd::Stay } else { AtEnd::Disappear },
    });
    prop::collection::vec(path, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_twin_names_the_same_conflicts(
        grid in grids(),
        whims in whims(),
        rule in prop::sample::select(vec![Swap, BothCells]),
    ) {
        let paths: Vec<_> = whims.iter().map(|whims| random_walk(&grid, rule, whims)).collect();
        let expected = Twin { grid: &grid, rule, paths: &paths }.faults();
        let agents = agents_of(&paths);
        let found = Checker::new(&grid, rule).with_crossings().check(&agents, &Plan { paths });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn no_plan_makes_the_checker_panic(
        paths in garbage(),
        agents in prop::collection::vec((node(), node()), 0..6),
        rule in prop::sample::select(vec![Swap, BothCells]),
        most in 0_usize..20,
    ) {
        let grid = Grid::from_ascii("....\n.#..\n....").unwrap().with_connectivity(Eight);
        let agents: Vec<Agent> = agents.into_iter().map(|(start, goal)| Agent::new(start, goal)).collect();
        let count = agents.len().max(paths.len());
        let plan = Plan { paths };
        let faults = Checker::new(&grid, rule).with_crossings().check(&agents, &plan);
        let order = |fault: &Fault| (fault.tick(), *fault);
        prop_assert!(faults.is_sorted_by(|a, b| order(a) < order(b)));
        for fault in &faults {
            prop_assert!(fault.agents().is_sorted_by(|a, b| a < b), "{}", fault);
            prop_assert!(fault.agents().iter().all(|agent| agent.index() < count), "{}", fault);
        }
        let earliest = Checker::new(&grid, rule).with_crossings().at_most(most).check(&agents, &plan);
        let ticks = |faults: &[Fault]| faults.iter().map(Fault::tick).collect::<Vec<_>>();
        prop_assert_eq!(ticks(&earliest), ticks(&faults[..most.min(faults.len())]));
    }
}
