//! A breadth-first search that can pause between expansions, and takes memory only for what it has seen.

use crate::fuel::{Fuel, Suspended};
use crate::paged::Paged;
use crate::space::NodeId;

/// Numbers of moves to a goal, found outwards from the goals.
#[derive(Clone, Debug)]
pub(super) struct BreadthFirst {
    /// Per node, 1 + the number of moves to a goal. 0: not seen. [`FAR`]: see `far`.
    near: Paged<u16>,
    /// Per node, the value of `near` where 16 bits are too few.
    far: Paged<u32>,
    /// The nodes of one distance, in the order in which they were seen. Those before `next` have been expanded.
    frontier: Vec<NodeId>,
    next: usize,
    /// The nodes seen from the frontier, one move farther.
    coming: Vec<NodeId>,
    /// 1 + the number of moves from the nodes in `coming` to a goal; 0: the search has not begun.
    level: u32,
    /// The value of `near` for the nodes in `coming`.
    label: u16,
    /// How many bytes the frontier takes.
    frontier_bytes: usize,
    expanded: u64,
}

/// The mark in [`BreadthFirst::near`] of nodes that are too far for 16 bits.
const FAR: u16 = u16::MAX;

impl BreadthFirst {
    /// A search that has not begun. It takes no memory.
    pub(super) fn new() -> Self {
        Self {
            near: Paged::new(),
            far: Paged::new(),
            frontier: Vec::new(),
            next: 0,
            coming: Vec::new(),
            level: 0,
            label: 0,
            frontier_bytes: 0,
            expanded: 0,
        }
    }

    /// How many nodes have been expanded.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// How many bytes it takes, with the frontiers as they were when the present one began.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.near.bytes() + self.far.bytes() + self.frontier_bytes
    }

    /// The number of moves from `node` to a goal, if known.
    ///
    /// A node that was seen is final: breadth-first search first sees a node along a shortest way.
    #[inline(always)]
    pub(super) fn steps(&self, node: NodeId) -> Option<u32> {
        match self.near.get(node.index()) {
            0 => None,
            FAR => Some(self.far.get(node.index()) - 1),
            steps => Some(u32::from(steps) - 1),
        }
    }

    /// Whether every node from which a goal can be reached has been seen.
    pub(super) fn is_exhausted(&self) -> bool {
        self.level > 0 && self.next == self.frontier.len() && self.coming.is_empty()
    }

    /// Whether the goals have been put on the frontier.
    pub(super) fn is_begun(&self) -> bool {
        self.level > 0
    }

    /// Begins at `goals`, in a space of nodes below `bound`. The cost of the table of pages has been paid.
    pub(super) fn begin(
        &mut self,
        bound: usize,
        goals: impl Iterator<Item = NodeId>,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<(), Suspended> {
        Paged::<u16>::pay(bound, fuel, most_bytes)?;
        self.near.reset(bound);
        self.rise();
        for goal in goals {
            self.see(bound, goal);
        }
        self.turn_over();
        Ok(())
    }

    /// Makes the nodes seen last the frontier.
    fn turn_over(&mut self) {
        self.frontier.clear();
        std::mem::swap(&mut self.frontier, &mut self.coming);
        self.next = 0;
        self.frontier_bytes = self.frontier.len() * size_of::<NodeId>();
        self.rise();
    }

    fn rise(&mut self) {
        self.level = self.level.saturating_add(1);
        self.label = u16::try_from(self.level).unwrap_or(FAR);
    }

    /// The next node to expand; `None` if there is none. The nodes seen from it are one move farther.
    #[inline]
    pub(super) fn expand_next(&mut self, fuel: &mut Fuel, most_bytes: usize) -> Result<Option<NodeId>, Suspended> {
        let Some(&node) = self.frontier.get(self.next) else {
            return self.advance(fuel, most_bytes);
        };
        if self.bytes() >= most_bytes {
            return Err(Suspended::OutOfMemory);
        }
        fuel.burn()?;
        self.next += 1;
        self.expanded += 1;
        Ok(Some(node))
    }

    #[inline(never)]
    fn advance(&mut self, fuel: &mut Fuel, most_bytes: usize) -> Result<Option<NodeId>, Suspended> {
        if self.coming.is_empty() {
            // Everything is known: free the frontiers.
            (self.frontier, self.coming) = (Vec::new(), Vec::new());
            (self.next, self.frontier_bytes) = (0, 0);
            return Ok(None);
        }
        self.turn_over();
        self.expand_next(fuel, most_bytes)
    }

    /// Notes a move from `node` to the node expanded last.
    #[inline(always)]
    pub(super) fn see(&mut self, bound: usize, node: NodeId) {
        if node.index() >= bound {
            return;
        }
        if let Some(known @ 0) = self.near.get_mut(node.index()) {
            *known = self.label;
            self.coming.push(node);
            if self.label == FAR {
                self.note_far(bound, node);
            }
        }
    }

    #[cold]
    fn note_far(&mut self, bound: usize, node: NodeId) {
        if self.far.bytes() == 0 {
            self.far.reset(bound);
        }
        if let Some(far) = self.far.get_mut(node.index()) {
            *far = self.level;
        }
    }
}
