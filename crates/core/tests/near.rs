//! Nearest places against the rule, and parts of a ground against what can be reached.

use std::collections::BTreeMap;

use giveway_core::NodeId;
use giveway_core::near::{ByLine, Districts, Ground, Listed, Nearest, Parts};
use proptest::prelude::*;

/// Nodes in a row of `width`, some of them walls, and one-way moves between any of them.
#[derive(Clone, Debug)]
struct Field {
    width: u32,
    open: Vec<bool>,
    moves: Vec<(u32, u32, u64)>,
}

impl Ground for Field {
    fn node_bound(&self) -> usize {
        self.open.len()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.open.get(node.index()).copied().unwrap_or(false)
    }

    #[allow(clippy::cast_precision_loss)]
    fn position(&self, node: NodeId) -> Option<[f32; 3]> {
        Some([(node.0 % self.width) as f32, (node.0 / self.width) as f32, 0.0])
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        for (begin, end, cost) in &self.moves {
            if *begin == from.0 && self.contains(from) && self.contains(NodeId(*end)) {
                each(NodeId(*end), *cost);
            }
        }
    }
}

impl Field {
    /// The least cost from `from` to every reachable node, by relaxing until nothing changes.
    fn costs(&self, from: NodeId) -> BTreeMap<NodeId, u64> {
        let mut costs = BTreeMap::from([(from, 0)]);
        loop {
            let before = costs.clone();
            for (node, cost) in &before {
                self.for_each_move(*node, &mut |to, price| {
                    let known = costs.entry(to).or_insert(u64::MAX);
                    *known = (*known).min(cost + price);
                });
            }
            if costs == before {
                return costs;
            }
        }
    }

    /// The nearest place, straight from the rule.
    fn nearest(&self, from: NodeId, target: NodeId, free: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let (width, x, y) = (self.width, target.0 % self.width, target.0 / self.width);
        let line = |node: NodeId| (node.0 % width).abs_diff(x).pow(2) + (node.0 / width).abs_diff(y).pow(2);
        let costs = self.costs(from);
        let places = costs.iter().filter(|(node, _)| free(**node));
        places.map(|(node, cost)| (line(*node), *cost, *node)).min().map(|(.., node)| node)
    }
}

fn fields() -> impl Strategy<Value = Field> {
    (1..6_u32, 1..6_u32).prop_flat_map(|(width, height)| {
        let nodes = width * height;
        let open = proptest::collection::vec(proptest::bool::weighted(0.8), nodes as usize);
        let moves = proptest::collection::vec((0..nodes, 0..nodes, 0..4_u64), 0..60);
        (open, moves).prop_map(move |(open, moves)| Field { width, open, moves })
    })
}

proptest! {
    #[test]
    fn the_nearest_place_is_the_nearest_by_definition(
        field in fields(),
        asked in proptest::collection::vec((0..25_u32, 0..25_u32), 1..12),
        free in proptest::collection::vec(any::<bool>(), 25),
    ) {
        let mut nearest = Nearest::new();
        for (from, target) in asked {
            let bound = u32::try_from(field.open.len()).unwrap();
            let (from, target) = (NodeId(from % bound), NodeId(target % bound));
            let is_free = |node: NodeId| free[node.index()];
            let expected = field.contains(from).then(|| field.nearest(from, target, is_free)).flatten();
            prop_assert_eq!(nearest.find(&field, from, target, is_free), expected, "{:?} to {:?}", from, target);
            let reached = field.contains(from) && field.costs(from).contains_key(&target);
            prop_assert_eq!(nearest.is_reachable(&field, from, target), reached);
        }
    }

    /// Two nodes are in one part if each can reach the other, in whatever order they are asked for.
    #[test]
    fn parts_are_what_can_be_reached_to_and_fro(field in fields(), asked in proptest::collection::vec(0..25_u32, 1..25)) {
        let mut parts = Parts::default();
        let bound = u32::try_from(field.open.len()).unwrap();
        let asked: Vec<NodeId> = asked.into_iter().map(|node| NodeId(node % bound)).collect();
        for one in &asked {
            for other in &asked {
                let together = field.contains(*one)
                    && field.contains(*other)
                    && field.costs(*one).contains_key(other)
                    && field.costs(*other).contains_key(one);
                let same = parts.part(&field, *one).is_some() && parts.part(&field, *one) == parts.part(&field, *other);
                prop_assert_eq!(same, together, "{:?} and {:?}", one, other);
            }
        }
    }
}

/// An edit of a field: a node opens or closes, or a move comes or goes, one way or both ways.
#[derive(Clone, Copy, Debug)]
enum Change {
    Turn(u32),
    Move(u32, u32, bool),
}

impl Field {
    /// Makes the edit, and returns the nodes that it concerns, as spaces tell them.
    fn change(&mut self, change: Change) -> Vec<NodeId> {
        let bound = u32::try_from(self.open.len()).unwrap();
        let nodes = match change {
            Change::Turn(node) => {
                let node = node % bound;
                self.open[node as usize] ^= true;
                let beside = self.moves.iter().filter(|(from, to, _)| [*from, *to].contains(&node));
                std::iter::once(node).chain(beside.flat_map(|(from, to, _)| [*from, *to])).collect()
            }
            Change::Move(from, to, both_ways) => {
                let (from, to) = (from % bound, to % bound);
                for (from, to) in [(from, to), (to, from)].into_iter().take(1 + usize::from(both_ways)) {
                    match self.moves.iter().position(|(other, end, _)| (*other, *end) == (from, to)) {
                        Some(index) => drop(self.moves.remove(index)),
                        None => self.moves.push((from, to, 1)),
                    }
                }
                vec![from, to]
            }
        };
        nodes.into_iter().map(NodeId).collect()
    }

    /// Adds a way back to each move.
    fn both_ways(mut self) -> Self {
        let back: Vec<_> = self.moves.iter().map(|(from, to, cost)| (*to, *from, *cost)).collect();
        self.moves.extend(back);
        self
    }
}

fn changes() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..25_u32).prop_map(Change::Turn),
        (0..25_u32, 0..25_u32, any::<bool>()).prop_map(|(from, to, both)| Change::Move(from, to, both)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    /// After each edit, parts that were kept tell what parts found afresh tell, however small the districts are, and
    /// whatever was asked before.
    #[test]
    fn kept_parts_are_those_found_afresh(
        field in fields(),
        both_ways in any::<bool>(),
        most in 1..9_usize,
        first in 0..25_u32,
        steps in proptest::collection::vec((proptest::collection::vec(changes(), 1..4), 0..25_u32, any::<bool>()), 1..24),
    ) {
        let mut field = if both_ways { field.both_ways() } else { field };
        let bound = u32::try_from(field.open.len()).unwrap();
        let mut kept = Districts::new(most);
        kept.part(&field, NodeId(first % bound));
        for (changes, from, asks_all) in steps {
            let edited: Vec<NodeId> = changes.into_iter().flat_map(|change| field.change(change)).collect();
            kept.renew(&field, &edited);
            let mut fresh = Parts::default();
            let every = NodeId::below(bound as usize).filter(|from| asks_all || from.0 == bound - 1);
            for from in std::iter::once(NodeId(from % bound)).chain(every) {
                let (part, known) = (fresh.part(&field, from), kept.part(&field, from));
                prop_assert_eq!(part.is_some(), known.is_some(), "{:?}", from);
                let Some((part, known)) = part.zip(known) else { continue };
                prop_assert_eq!(kept.known_part(&field, from), Some(known));
                let (reach, of_kept) = (fresh.reach(part), kept.reach(known));
                for to in NodeId::below(bound as usize) {
                    prop_assert_eq!(reach.contains(&fresh, to), kept.reaches(&of_kept, to), "{:?} to {:?}", from, to);
                    if asks_all {
                        let together = fresh.part(&field, to) == Some(part);
                        prop_assert_eq!(kept.part(&field, to) == Some(known), together, "{:?} and {:?}", from, to);
                    }
                }
            }
        }
    }
}

#[test]
fn a_list_comes_in_pieces_and_in_order() {
    let width = 40;
    let field = Field { width, open: vec![true; 1600], moves: Vec::new() };
    let mut list = ByLine::new(NodeId(20 * width + 20));
    let places: Vec<Listed> = (0..).map_while(|index| list.get(index, &field, |node| node.0 % 2 == 0)).collect();
    assert_eq!(places.len(), 800);
    assert!(places.is_sorted_by(|a, b| (a.square, a.node) < (b.square, b.node)));
    assert_eq!((places[0].node, places[0].square), (NodeId(820), 0.0));
}

/// A move of zero length or zero cost makes straight-line bounds useless.
#[test]
fn moves_that_cost_nothing_are_no_reason_to_be_wrong() {
    let field = Field { width: 9, open: vec![true; 9], moves: vec![(4, 0, 3), (4, 7, 0), (7, 8, 2), (0, 8, 0)] };
    let target = NodeId(4);
    assert_eq!(Nearest::new().find(&field, target, target, |node| [0, 8].contains(&node.0)), Some(NodeId(8)));
}
