//! A breadth-first search that can pause between expansions, and takes memory only for what it has seen.

mod written;

use giveway_core::origins::{self, Origins, Tables, Tiles};
use giveway_core::paged::Paged;
use giveway_core::{Fuel, NodeId, Suspended};

use super::credit::Credit;
use super::frontier::Frontier;
use super::repair::Reach;
use super::tile_search::Tiled;

/// Numbers of moves to a goal, found outwards from the goals.
#[derive(Clone, Debug)]
pub(super) struct BreadthFirst {
    /// Per node, 1 + the number of moves to a goal. 0: not seen. [`FAR`]: see `far`.
    near: Paged<u16>,
    /// Per node, the value of `near` where 16 bits are too few.
    far: Paged<u32>,
    /// The nodes of one distance, in the order in which they were seen. Those before `next` have been expanded.
    frontier: Frontier,
    next: usize,
    /// The nodes seen from the frontier, one move farther.
    coming: Frontier,
    /// The search on a plain grid, instead of the lists and of `near`.
    tiled: Option<Tiled>,
    /// 1 + the number of moves from the nodes in `coming` to a goal; 0: the search has not begun.
    level: u32,
    /// The value of `near` for the nodes in `coming`.
    label: u16,
    /// How many bytes the frontier takes.
    frontier_bytes: usize,
    expanded: u64,
    credit: Credit,
}

/// The mark in [`BreadthFirst::near`] of nodes that are too far for 16 bits.
const FAR: u16 = u16::MAX;

/// The nodes that a unit of work expands: by tiles, and by lists.
const BY_TILES: u64 = 64;

const BY_LISTS: u64 = 8;

impl BreadthFirst {
    /// A search that has not begun. It takes no memory.
    pub(super) fn new() -> Self {
        Self {
            near: Paged::new(),
            far: Paged::new(),
            frontier: Frontier::default(),
            next: 0,
            coming: Frontier::default(),
            tiled: None,
            level: 0,
            label: 0,
            frontier_bytes: 0,
            expanded: 0,
            credit: Credit::default(),
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

    /// How many bytes a search takes at most in a space of nodes below `bound`.
    #[cfg(feature = "rayon")]
    pub(super) fn most_bytes(bound: usize) -> usize {
        let far = if bound < usize::from(FAR) { 0 } else { Paged::<u32>::most_bytes(bound) };
        // A list may hold all nodes.
        let lists = Paged::<u16>::most_bytes(bound) + far + bound * size_of::<NodeId>();
        lists.max(Tiled::most_bytes(bound))
    }

    /// The number of moves from `node` to a goal, if known.
    ///
    /// A node that was seen is final: breadth-first search first sees a node along a shortest way.
    #[inline(always)]
    pub(super) fn steps(&self, node: NodeId) -> Option<u32> {
        let label = match &self.tiled {
            None => self.near.get(node.index()),
            Some(tiled) => tiled.label(node),
        };
        match label {
            0 => None,
            FAR => Some(self.far.get(node.index()) - 1),
            steps => Some(u32::from(steps) - 1),
        }
    }

    /// Whether every node from which a goal can be reached has been seen.
    pub(super) fn is_exhausted(&self) -> bool {
        let is_tiled = self.tiled.as_ref().is_some_and(|tiled| tiled.cells() > 0);
        self.level > 0 && !is_tiled && self.is_spent() && self.coming.nodes().is_empty()
    }

    /// How far it has come; `None`: it has not begun.
    pub(super) fn reach_of_steps(&self) -> Option<Reach> {
        let frontier = if self.is_exhausted() { u32::MAX } else { self.level.checked_sub(2)? };
        Some(Reach { frontier, is_whole: self.next == 0 })
    }

    /// Sets the number of moves from `node` to a goal, which is below the frontier before and after. Returns whether
    /// there is room for the number.
    pub(super) fn set_steps(&mut self, node: NodeId, steps: Option<u32>) -> bool {
        let label = steps.map_or(Some(0), |steps| u16::try_from(steps + 1).ok().filter(|label| *label != FAR));
        let Some(label) = label else { return false };
        let Some(tiled) = &mut self.tiled else {
            return self.near.get_mut(node.index()).is_some_and(|known| {
                *known = label;
                true
            });
        };
        let is_set = tiled.set_label(node, label);
        self.frontier_bytes = tiled.bytes();
        is_set
    }

    /// Whether the goals have been put on the frontier.
    pub(super) fn is_begun(&self) -> bool {
        self.level > 0
    }

    /// Begins at `goals`, in a space of nodes below `bound`; by `tiles`, if there are any.
    pub(super) fn begin(
        &mut self,
        bound: usize,
        goals: impl Iterator<Item = NodeId>,
        tiles: Option<Tiles<'_>>,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<(), Suspended> {
        // A grid that is narrow has many cells in tiles that are none of its own.
        let tiles = tiles.filter(|tiles| tiles.count() <= 2 * bound);
        // The price by nodes is the same for tiles: theirs is a smaller table of pages.
        Paged::<u16>::pay(tiles.map_or(bound, Tiles::count), fuel, most_bytes)?;
        self.rise();
        if let Some(tiles) = tiles {
            let tiled = Tiled::new(tiles, goals);
            self.frontier_bytes = tiled.bytes();
            self.tiled = Some(tiled);
            self.rise();
            return Ok(());
        }
        self.near.reset(bound);
        for goal in goals {
            self.see(bound, goal);
        }
        self.turn_over();
        Ok(())
    }

    /// The tiles, if the search goes by tiles. If it does and the grid has none any more, or has others, or distances
    /// need more than 16 bits, it goes by lists from now on.
    fn goes_by_tiles<'t>(&mut self, tiles: Option<Tiles<'t>>, bound: usize) -> Option<Tiles<'t>> {
        let tiled = self.tiled.as_ref()?;
        let tiles = tiles.filter(|tiles| self.label != FAR && tiled.is_in(*tiles));
        if tiles.is_none()
            && let Some(tiled) = self.tiled.take()
        {
            self.near.reset(bound);
            for node in tiled.all_seen() {
                if let Some(known) = self.near.get_mut(node.index()) {
                    *known = tiled.label(node);
                }
            }
            self.frontier.extend(tiled.nodes());
            self.frontier_bytes = size_of_val(self.frontier.nodes());
        }
        tiles
    }

    /// Goes one move farther by `tiles`. Returns whether there was anything to expand.
    ///
    /// # Errors
    /// The fuel did not suffice; what was paid is kept. Or the search takes `most_bytes` or more.
    fn step(&mut self, tiles: Tiles<'_>, fuel: &mut Fuel, most_bytes: usize) -> Result<bool, Suspended> {
        let bytes = self.bytes();
        let Some(tiled) = self.tiled.as_mut().filter(|tiled| tiled.cells() > 0) else { return Ok(false) };
        if bytes >= most_bytes {
            return Err(Suspended::OutOfMemory);
        }
        let due = tiled.cells() - tiled.paid;
        let paid = self.credit.spend(due, BY_TILES, fuel);
        tiled.paid += paid;
        self.expanded += paid;
        if paid < due {
            return Err(Suspended::OutOfFuel);
        }
        tiled.step(tiles, self.label);
        self.frontier_bytes = tiled.bytes();
        self.rise();
        Ok(true)
    }

    /// Makes the nodes seen last the frontier.
    fn turn_over(&mut self) {
        self.frontier.clear();
        std::mem::swap(&mut self.frontier, &mut self.coming);
        self.next = 0;
        self.frontier_bytes = size_of_val(self.frontier.nodes());
        self.rise();
    }

    fn rise(&mut self) {
        self.level = self.level.saturating_add(1);
        self.label = u16::try_from(self.level).unwrap_or(FAR);
    }

    /// Whether every node of the frontier has been expanded.
    fn is_spent(&self) -> bool {
        self.next == self.frontier.nodes().len()
    }

    /// Goes one move farther if every node of the frontier has been expanded. Returns whether there is a node to
    /// expand.
    pub(super) fn advance(&mut self) -> bool {
        if !self.is_spent() {
            return true;
        }
        if self.coming.nodes().is_empty() {
            // Everything is known: free the frontiers.
            (self.frontier, self.coming) = (Frontier::default(), Frontier::default());
            (self.next, self.frontier_bytes) = (0, 0);
            return false;
        }
        self.turn_over();
        true
    }

    /// The next node of the frontier to expand; `None` if there is none. The nodes seen from it are one move farther.
    #[inline]
    pub(super) fn expand_next(&mut self, fuel: &mut Fuel, most_bytes: usize) -> Result<Option<NodeId>, Suspended> {
        let Some(&node) = self.frontier.nodes().get(self.next) else {
            return Ok(None);
        };
        if self.bytes() >= most_bytes {
            return Err(Suspended::OutOfMemory);
        }
        if self.credit.spend(1, BY_LISTS, fuel) == 0 {
            return Err(Suspended::OutOfFuel);
        }
        self.next += 1;
        self.expanded += 1;
        Ok(Some(node))
    }

    /// Notes a move from `node` to the node expanded last.
    #[inline(always)]
    pub(super) fn see(&mut self, bound: usize, node: NodeId) {
        if node.index() >= bound {
            return;
        }
        if let Some(known @ 0) = self.near.get_mut(node.index()) {
            *known = self.label;
            self.coming.make_room(1);
            self.coming.offer(node, true);
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

    /// Goes on until it has seen the node that is `sought`, or every node from which a goal can be reached. `origins`
    /// are the tables of where the moves into each node begin, if there are such tables.
    ///
    /// # Errors
    /// The work needs more fuel, or more than `most_bytes` bytes.
    #[inline]
    pub(super) fn reach<B, E>(
        &mut self,
        sought: &Sought<B, E>,
        origins: Option<Origins<'_>>,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<(), Suspended>
    where
        B: Fn(&Self) -> bool,
        E: Fn(&mut Self, NodeId),
    {
        // What is paid for may be left, but a look at what is known changes nothing.
        if fuel.left() == 0 && self.steps(sought.node).is_none() && !self.is_exhausted() {
            return Err(Suspended::OutOfFuel);
        }
        if let Some(tiles) = self.goes_by_tiles(origins.and_then(Origins::tiles), sought.bound) {
            while self.steps(sought.node).is_none() && self.step(tiles, fuel, most_bytes)? {}
            return Ok(());
        }
        while self.steps(sought.node).is_none() && self.advance() {
            // The node is not seen before a node to which one of its moves leads. Until then no look between expansions
            // is needed.
            if let Some(origins) = origins
                && self.may_expand_all(sought.bound, most_bytes)
                && !(sought.borders)(self)
            {
                self.expand_all(origins, fuel)?;
                continue;
            }
            while let Some(expanded) = self.expand_next(fuel, most_bytes)? {
                (sought.see_around)(self, expanded);
                if self.steps(sought.node).is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether the frontier may be [expanded at once](Self::expand_all): it cannot exceed `most_bytes` in a space of
    /// nodes below `bound`, and the distances have 16 bits.
    pub(super) fn may_expand_all(&self, bound: usize, most_bytes: usize) -> bool {
        self.label != FAR && Paged::<u16>::most_bytes(bound).saturating_add(self.frontier_bytes) < most_bytes
    }

    /// Expands every node of the frontier that has not been expanded, one after the other. Needs
    /// [`may_expand_all`](Self::may_expand_all).
    ///
    /// # Errors
    /// The fuel did not suffice for all of them.
    pub(super) fn expand_all(&mut self, origins: Origins<'_>, fuel: &mut Fuel) -> Result<(), Suspended> {
        let waiting = &self.frontier.nodes()[self.next..];
        #[allow(clippy::cast_possible_truncation)] // no more than `waiting`
        let paid = self.credit.spend(waiting.len() as u64, BY_LISTS, fuel) as usize;
        let (near, coming) = (&mut self.near, &mut self.coming);
        let mut seen = Seen { near, label: self.label, coming };
        let nodes = &waiting[..paid];
        match origins.tables() {
            Tables::Patterns { patterns, offsets, .. } => {
                seen.note_four(nodes, |node| origins::by_pattern(patterns, offsets, node));
            }
            Tables::Offsets { offsets } => seen.note_four(nodes, |node| origins::by_offsets(offsets, node)),
            Tables::Lists { first, origins } => {
                for node in nodes {
                    let list = origins::list(first, origins, *node);
                    seen.coming.make_room(list.len());
                    list.iter().for_each(|origin| seen.note(*origin));
                }
            }
        }
        let is_short = paid < waiting.len();
        self.next += paid;
        self.expanded += paid as u64;
        if is_short { Err(Suspended::OutOfFuel) } else { Ok(()) }
    }
}

/// A node that a search has to see, in a space of nodes below `bound`.
pub(super) struct Sought<B, E> {
    pub(super) node: NodeId,
    pub(super) bound: usize,
    /// Whether a move leads from the node to one that the search has seen.
    pub(super) borders: B,
    /// [Notes](BreadthFirst::see) the origins of all moves into a node.
    pub(super) see_around: E,
}

/// The number of nodes that are expanded between two looks at the room in the frontier.
const CHUNK: usize = 16;

/// The parts of a search that change when nodes are seen.
struct Seen<'a> {
    near: &'a mut Paged<u16>,
    label: u16,
    coming: &'a mut Frontier,
}

impl Seen<'_> {
    /// Notes the origins of four moves into each of `nodes`. What is not the origin of a move is the node itself, which
    /// is seen already.
    #[inline(always)]
    fn note_four(&mut self, nodes: &[NodeId], origins: impl Fn(NodeId) -> [NodeId; 4]) {
        for nodes in nodes.chunks(CHUNK) {
            self.coming.make_room(CHUNK * 4);
            for node in nodes {
                origins(*node).into_iter().for_each(|origin| self.note(origin));
            }
        }
    }

    #[inline(always)]
    fn note(&mut self, node: NodeId) {
        if let Some(known) = self.near.get_mut(node.index()) {
            let is_new = *known == 0;
            *known = if is_new { self.label } else { *known };
            self.coming.offer(node, is_new);
        }
    }
}
