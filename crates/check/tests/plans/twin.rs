//! A slow twin of the checker names the same conflicts on random walks.

use giveway_check::{Checker, Violation};
use giveway_core::ConflictRule::{self, Following, Swap};
use giveway_core::{AgentId, AtEnd, Motion, NodeId, Path, PathIn, Plan, SpaceGraph, Step, Tick};
use giveway_spaces::Connectivity::{Eight, Four};
use giveway_spaces::{CornerCutting, Direction, Grid};
use proptest::prelude::*;

use crate::plans::routes::agents_of;

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
            (AtEnd::Disappear, Following) => end.max(1),
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

    fn violations(&self) -> Vec<Violation> {
        let ids: Vec<AgentId> = (0..).map(AgentId).take(self.paths.len()).collect();
        let ends = self.paths.iter().flat_map(|path| path.steps.iter().map(|step| step.arrive));
        let last = ends.max().unwrap_or(0) + 2;
        let mut violations = Vec::new();
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
                        violations.push(Violation::Vertex { agents, node, tick });
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
                        violations.push(Violation::Swap { agents, nodes, tick });
                    }
                    if self.cross((a_from, a_to), (b_from, b_to)) {
                        let moves = [[a_from, a_to], [b_from, b_to]];
                        violations.push(Violation::Crossing { agents, moves, tick });
                    }
                }
            }
        }
        violations.sort_by_key(|violation| (violation.tick(), *violation));
        violations
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_twin_names_the_same_conflicts(
        grid in grids(),
        whims in whims(),
        rule in prop::sample::select(vec![Swap, Following]),
    ) {
        let paths: Vec<_> = whims.iter().map(|whims| random_walk(&grid, rule, whims)).collect();
        let expected = Twin { grid: &grid, rule, paths: &paths }.violations();
        let agents = agents_of(&paths);
        let found = Checker::new(&grid, rule).with_crossings().check(&agents, &Plan { paths });
        prop_assert_eq!(found, expected);
    }
}
