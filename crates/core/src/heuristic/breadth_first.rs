//! A breadth-first search that can be interrupted between any two expansions, and takes memory only for what it sees.

use crate::fuel::{Fuel, Suspended};
use crate::paged::Paged;
use crate::space::NodeId;

/// Numbers of moves to a goal, found outwards from the goals.
#[derive(Clone, Debug)]
pub(super) struct BreadthFirst {
    /// Per node, one more than the number of moves to a goal; 0: not seen; [`FAR`]: as many as `far` says.
    near: Paged<u16>,
    /// The same of nodes that are farther than 16 bits can tell.
    far: Paged<u32>,
    /// The nodes of one distance, in the order in which they were seen. Those before `next` have been expanded.
    frontier: Vec<NodeId>,
    next: usize,
    /// The nodes seen from there, one move farther.
    coming: Vec<NodeId>,
    /// One more than the number of moves from the nodes of the frontier to a goal; 0: nothing has been seen yet.
    level: u32,
    expanded: u64,
}

/// What [`BreadthFirst::near`] says of nodes that are too far for it.
const FAR: u16 = u16::MAX;

impl BreadthFirst {
    /// A search of which nothing is done yet. It takes no memory.
    pub(super) fn new() -> Self {
        let (near, far) = (Paged::new(), Paged::new());
        Self { near, far, frontier: Vec::new(), next: 0, coming: Vec::new(), level: 0, expanded: 0 }
    }

    /// How many nodes have been expanded.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let frontiers = (self.frontier.capacity() + self.coming.capacity()) * size_of::<NodeId>();
        self.near.bytes() + self.far.bytes() + frontiers
    }

    /// How many moves lead from `node` to a goal, as far as that is known.
    ///
    /// Seen is certain: breadth-first, the first sight is along a shortest way.
    #[inline]
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

    /// Begins at `goals`, in a space of nodes below `bound`. What its table of pages costs is paid.
    pub(super) fn begin(
        &mut self,
        bound: usize,
        goals: impl Iterator<Item = NodeId>,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<(), Suspended> {
        Paged::<u16>::pay(bound, fuel, most_bytes)?;
        self.near.reset(bound);
        self.level = 1;
        for goal in goals {
            self.see(bound, goal, 1);
        }
        std::mem::swap(&mut self.frontier, &mut self.coming);
        Ok(())
    }

    /// The next node to expand; `None` if all have been. Those seen from it are one move farther.
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
            // All is known: what is left of the frontiers is of no use.
            (self.frontier, self.coming, self.next) = (Vec::new(), Vec::new(), 0);
            return Ok(None);
        }
        self.frontier.clear();
        std::mem::swap(&mut self.frontier, &mut self.coming);
        (self.next, self.level) = (0, self.level.saturating_add(1));
        self.expand_next(fuel, most_bytes)
    }

    /// Notes that a move leads from `node` to the node that was expanded last.
    #[inline]
    pub(super) fn see_from_frontier(&mut self, bound: usize, node: NodeId) {
        self.see(bound, node, self.level.saturating_add(1));
    }

    #[inline]
    fn see(&mut self, bound: usize, node: NodeId, steps: u32) {
        if node.index() >= bound {
            return;
        }
        if let Some(known @ 0) = self.near.get_mut(node.index()) {
            *known = u16::try_from(steps).unwrap_or(FAR);
            self.coming.push(node);
            if *known == FAR {
                self.note_far(bound, node, steps);
            }
        }
    }

    #[cold]
    fn note_far(&mut self, bound: usize, node: NodeId, steps: u32) {
        if self.far.bytes() == 0 {
            self.far.reset(bound);
        }
        if let Some(far) = self.far.get_mut(node.index()) {
            *far = steps;
        }
    }
}
