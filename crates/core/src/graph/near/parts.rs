//! Parts: maximal sets of nodes that can all reach each other, and where their moves lead.
//!
//! Strongly connected components in one pass: D. J. Pearce, "A space-efficient algorithm for finding strongly connected
//! components", Information Processing Letters 116, 2016. Differs from the paper: without recursion, and incremental,
//! from the nodes asked for.

use super::ground::Ground;
use super::pace::Pace;
use crate::vocabulary::NodeId;

/// A part of a ground: a largest set of nodes that can all reach each other. So all units in a part can reach equal
/// sets of nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part(u32);

impl Part {
    /// Parts are numbered from 0, in the order in which they are found.
    pub(super) fn number(self) -> usize {
        self.0 as usize
    }
}

/// The parts of a ground that does not change. The ground is explored only as far as questions need it.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Per node: 0, not seen; counting up from 1, its order while it is being visited; counting down from `u32::MAX`,
    /// its part.
    index: Vec<u32>,
    /// Per part, the other parts that its moves lead to.
    onward: Vec<Vec<u32>>,
    pace: Pace,
}

/// The nodes that units in one part can reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// In ascending order.
    parts: Vec<u32>,
}

impl Reach {
    /// Whether `node` can be reached; `parts` must be the value that made this reach.
    #[inline]
    pub fn contains(&self, parts: &Parts, node: NodeId) -> bool {
        match (parts.known(node), self.parts.as_slice()) {
            (None, _) => false,
            (Some(Part(part)), [only]) => part == *only,
            (Some(Part(part)), several) => several.binary_search(&part).is_ok(),
        }
    }
}

/// Whether units can stand on `node` of `ground`, or a move leads out of it.
pub(super) fn is_in_a_part(ground: &impl Ground, node: NodeId) -> bool {
    if node.index() >= ground.node_bound() {
        return false;
    }
    let mut leads_on = ground.contains(node);
    if !leads_on {
        ground.for_each_move(node, &mut |_, _| leads_on = true);
    }
    leads_on
}

/// A node being visited, and its moves among the noted moves.
struct Visit {
    node: NodeId,
    /// Where its moves begin among the noted moves.
    begin: usize,
    is_root: bool,
}

impl Parts {
    /// The part of `node`; `None`: no unit can stand on `node`, and no move leads out of it.
    ///
    /// Time: linear in the nodes and moves that are reachable from `node` and that no earlier call has met; constant if
    /// earlier calls have met all of them.
    pub fn part(&mut self, ground: &impl Ground, node: NodeId) -> Option<Part> {
        if !is_in_a_part(ground, node) {
            return None;
        }
        if self.known(node).is_none() {
            self.explore(ground, node);
        }
        self.known(node)
    }

    /// The nodes that units in `part` can reach. Time: linear in the known parts and the moves between these parts;
    /// constant if no move leads out of `part`.
    pub fn reach(&self, part: Part) -> Reach {
        let mut parts = vec![part.0];
        if self.leads_on(part.0).is_empty() {
            return Reach { parts };
        }
        let mut seen = vec![false; self.onward.len()];
        seen[part.0 as usize] = true;
        let mut next = 0;
        while let Some(part) = parts.get(next).copied() {
            next += 1;
            for other in self.leads_on(part) {
                if !std::mem::replace(&mut seen[*other as usize], true) {
                    parts.push(*other);
                }
            }
        }
        parts.sort_unstable();
        Reach { parts }
    }

    /// Lower bounds on the cost of ways, learned from all moves met so far.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    fn leads_on(&self, part: u32) -> &[u32] {
        self.onward.get(part as usize).map_or(&[], Vec::as_slice)
    }

    /// The part of `node` as far as it is known.
    #[inline]
    pub(super) fn known(&self, node: NodeId) -> Option<Part> {
        let index = *self.index.get(node.index())?;
        (index != 0).then_some(Part(u32::MAX - index))
    }

    /// Numbers everything that can be reached from `start`, which has not been seen.
    fn explore(&mut self, ground: &impl Ground, start: NodeId) {
        let mut visits: Vec<Visit> = Vec::new();
        // The moves of all visits that have not been followed yet.
        let mut moves: Vec<NodeId> = Vec::new();
        // Nodes whose part is not complete.
        let mut pending: Vec<NodeId> = Vec::new();
        // Moves from one part to another.
        let mut leaving: Vec<(NodeId, u32)> = Vec::new();
        let mut order = 1;
        self.enter(ground, start, &mut order, &mut visits, &mut moves);
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            if let Some(to) = moves.get(visit.begin..).and_then(<[NodeId]>::last).copied() {
                let other = self.index.get(to.index()).copied().unwrap_or(0);
                let own = self.index[node.index()];
                if other == 0 {
                    // The move stays noted, and is looked at again when the node is done.
                    self.enter(ground, to, &mut order, &mut visits, &mut moves);
                    continue;
                }
                moves.pop();
                if self.is_part(other) {
                    leaving.push((node, u32::MAX - other));
                } else if other < own {
                    self.index[node.index()] = other;
                    visit.is_root = false;
                }
                continue;
            }
            let is_root = visit.is_root;
            visits.pop();
            if !is_root {
                pending.push(node);
                continue;
            }
            let (own, part) = (self.index[node.index()], self.next_part());
            order -= 1;
            while let Some(last) = pending.last().copied().filter(|last| self.index[last.index()] >= own) {
                pending.pop();
                self.index[last.index()] = part;
                order -= 1;
            }
            self.index[node.index()] = part;
            self.onward.push(Vec::new());
        }
        let mut links: Vec<(u32, u32)> =
            leaving.into_iter().filter_map(|(node, to)| Some((self.known(node)?.0, to))).collect();
        links.sort_unstable();
        links.dedup();
        for (part, to) in links {
            self.onward[part as usize].push(to);
        }
    }

    /// The number in `index` of the part that is completed next. Parts count down; they never meet the orders, since
    /// both together are no more than the nodes.
    #[allow(clippy::cast_possible_truncation)] // no more orders and parts than nodes, whose ids are u32
    fn next_part(&self) -> u32 {
        u32::MAX - self.onward.len() as u32
    }

    /// Whether `index` is the number of a part.
    fn is_part(&self, index: u32) -> bool {
        index > self.next_part()
    }

    fn enter(
        &mut self,
        ground: &impl Ground,
        node: NodeId,
        order: &mut u32,
        visits: &mut Vec<Visit>,
        moves: &mut Vec<NodeId>,
    ) {
        // As long as the nodes that exist need, not as long as the ground's bound.
        if self.index.len() <= node.index() {
            self.index.resize(node.index() + 1, 0);
        }
        self.index[node.index()] = *order;
        *order += 1;
        visits.push(Visit { node, begin: moves.len(), is_root: true });
        let from = ground.position(node);
        let (bound, pace) = (ground.node_bound(), &mut self.pace);
        ground.for_each_move(node, &mut |to, cost| {
            if to.index() >= bound {
                return;
            }
            pace.note(from, ground.position(to), cost);
            moves.push(to);
        });
    }
}
