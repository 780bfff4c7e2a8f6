//! A survey: it finds the sectors of a space, bit by bit.

mod written;

use giveway_core::{Footprint, Fuel, MoveIn, NodeId, SpaceGraph, Suspended};
use num_traits::ToPrimitive;

use super::pace::{Pace, Prices, offsets};
use super::sectors::{NONE, Position, Sector, Sectors};
use super::terrain::Terrain;

/// A node costs a unit of work each time that its moves are looked at. Otherwise this number of nodes costs one unit.
const NODES_PER_UNIT: u32 = 8;

/// What is known of the sectors so far.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// The revision of the space as the survey began.
    revision: u64,
    stage: Stage,
    /// The next node, or sector, of the stage.
    next: u32,
    forest: Forest,
    prices: Prices,
    /// By node.
    sector: Vec<u32>,
    members: Vec<Vec<NodeId>>,
    sectors: Vec<Sector>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Moves within a square connect both ways.
    Join,
    /// Each tree of nodes is a sector.
    Number,
    /// Sectors get their nodes.
    Gather,
    /// Moves between sectors connect them.
    Link,
}

impl Survey {
    /// A survey of the present revision of `space`.
    pub(super) fn begin(space: &impl SpaceGraph) -> Self {
        let bound = u32::try_from(space.node_bound()).unwrap_or(NONE);
        Self {
            revision: space.revision(),
            stage: Stage::Join,
            next: 0,
            forest: Forest::new(bound),
            prices: Prices::default(),
            sector: vec![NONE; bound as usize],
            members: Vec::new(),
            sectors: Vec::new(),
        }
    }

    /// Goes on until the sectors of all nodes of `terrain` are known, in squares of `side` that begin at the origin.
    /// Takes time linear in the number of moves, except for sorting.
    ///
    /// # Errors
    /// [`Suspended::OutOfFuel`]: call it again, for the same space, which may have changed.
    pub(super) fn go_on<S, F, L>(
        &mut self,
        terrain: &Terrain<'_, S, F, L>,
        (side, position): (u32, Position<S>),
        fuel: &mut Fuel,
    ) -> Result<Sectors, Suspended>
    where
        S: SpaceGraph,
        F: Footprint<S>,
    {
        let Terrain { space, footprint, .. } = *terrain;
        let bound = u32::try_from(self.sector.len()).unwrap_or(NONE);
        let moves = |node: u32| {
            let can =
                move |m: &MoveIn<S>| m.to.0 < bound && space.contains(m.to) && footprint.duration(space, m).is_some();
            space.contains(NodeId(node)).then(|| space.moves(NodeId(node)).filter(can)).into_iter().flatten()
        };
        let place = |node| wide(position(space, node));
        let cost = |m: &MoveIn<S>| m.cost.to_f64().unwrap_or(0.0);
        loop {
            let sectors = u32::try_from(self.members.len()).unwrap_or(NONE);
            let end = if self.stage == Stage::Gather { sectors } else { bound };
            if self.next >= end {
                self.next = 0;
                self.stage = match self.stage {
                    Stage::Join => Stage::Number,
                    Stage::Number => Stage::Gather,
                    Stage::Gather => Stage::Link,
                    Stage::Link => return Ok(self.finish()),
                };
                continue;
            }
            if self.stage != Stage::Number || self.next.is_multiple_of(NODES_PER_UNIT) {
                fuel.burn()?;
            }
            let node = self.next;
            self.next += 1;
            match self.stage {
                Stage::Join => {
                    let here = place(NodeId(node));
                    let of_here = square(here, side);
                    moves(node).for_each(|m| {
                        let there = place(m.to);
                        if square(there, side) == of_here {
                            self.forest.join(m.from.0, m.to.0);
                        }
                        self.prices.note((offsets(here, there), cost(&m)));
                    });
                }
                Stage::Number if space.contains(NodeId(node)) => self.number(node),
                Stage::Number => {}
                Stage::Gather => {
                    let nodes = std::mem::take(&mut self.members[node as usize]);
                    fuel.burn_at_most(nodes.len() / NODES_PER_UNIT as usize);
                    self.sectors.push(Sector::of(&nodes, &place));
                }
                Stage::Link => {
                    let here = place(NodeId(node));
                    moves(node).for_each(|m| {
                        self.prices.fit((offsets(here, place(m.to)), cost(&m)));
                        let (from, to) = (self.sector[m.from.index()], self.sector[m.to.index()]);
                        // A sector may be unknown if the space has changed since.
                        if from != to && from != NONE && to != NONE {
                            let exits = &mut self.sectors[from as usize].exits;
                            if !exits.contains(&to) {
                                exits.push(to);
                            }
                        }
                    });
                }
            }
        }
    }

    /// Gives `node` its sector.
    fn number(&mut self, node: u32) {
        // The root is the smallest of its tree, so it comes first, unless it has been closed since.
        let root = self.forest.root(node) as usize;
        if self.sector[root] == NONE {
            self.sector[root] = u32::try_from(self.members.len()).unwrap_or(NONE);
            self.members.push(Vec::new());
        }
        self.sector[node as usize] = self.sector[root];
        self.members[self.sector[root] as usize].push(NodeId(node));
    }

    fn finish(&mut self) -> Sectors {
        for sector in &mut self.sectors {
            sector.exits.sort_unstable();
        }
        let Self { sector, sectors, .. } = self;
        let pace = self.prices.pace();
        Sectors { revision: self.revision, sector: std::mem::take(sector), sectors: std::mem::take(sectors), pace }
    }
}

/// A position in 64 bits.
fn wide(position: [f32; 3]) -> [f64; 3] {
    position.map(f64::from)
}

/// The square of the given side in which `place` lies.
fn square(place: [f64; 3], side: u32) -> [f64; 3] {
    place.map(|coordinate| (coordinate / f64::from(side)).floor())
}

impl Sector {
    /// The sector of `nodes`, at least one, without exits.
    fn of(nodes: &[NodeId], place: &dyn Fn(NodeId) -> [f64; 3]) -> Self {
        let mut sector = Self {
            nodes: nodes.iter().copied().collect(),
            lowest: [f64::INFINITY; 3],
            highest: [f64::NEG_INFINITY; 3],
            mean: [0.0; 3],
            exits: Vec::new(),
        };
        let mut count = 0.0;
        for node in nodes {
            count += 1.0;
            for (axis, coordinate) in place(*node).into_iter().enumerate() {
                sector.lowest[axis] = sector.lowest[axis].min(coordinate);
                sector.highest[axis] = sector.highest[axis].max(coordinate);
                sector.mean[axis] += coordinate;
            }
        }
        sector.mean = sector.mean.map(|sum| sum / count);
        sector
    }
}

/// Disjoint sets of nodes, as trees; the root of a tree is its smallest node.
#[derive(Clone, Debug)]
struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    fn new(nodes: u32) -> Self {
        Self { parents: (0..nodes).collect() }
    }

    fn root(&mut self, node: u32) -> u32 {
        let mut node = node;
        loop {
            let parent = self.parents[node as usize];
            if parent == node {
                return node;
            }
            let grandparent = self.parents[parent as usize];
            self.parents[node as usize] = grandparent;
            node = grandparent;
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}
