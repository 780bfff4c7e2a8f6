//! Surfaces: what moves to the nodes of a space cost, and how long they take.

use giveway_core::{Cost, Move, NodeId, SpaceGraph, Surface};

use crate::space_error::SpaceError;

/// The surface of each node. Plain ground takes no memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Surfaces {
    /// Per node; empty on plain ground.
    of: Vec<Surface>,
    /// Whether all surfaces have the weight 1.
    is_unweighted: bool,
    /// Whether a surface has another slowness than 1.
    is_slow: bool,
}

impl Default for Surfaces {
    fn default() -> Self {
        Self { of: Vec::new(), is_unweighted: true, is_slow: false }
    }
}

impl Surfaces {
    /// The answers of `surface` for all nodes of `space`. Errors at a node that does not exist do not matter: the node
    /// gets plain ground.
    pub(crate) fn lay<S: SpaceGraph>(
        space: &S,
        mut surface: impl FnMut(NodeId) -> Result<Surface, SpaceError>,
    ) -> Result<Self, SpaceError> {
        let laid = space.nodes().map(|node| match surface(node) {
            Err(_) if !space.contains(node) => Ok(Surface::PLAIN),
            result => result,
        });
        Ok(Self::new(laid.collect::<Result<_, _>>()?))
    }

    /// Of nodes side by side, from the first on.
    fn new(of: Vec<Surface>) -> Self {
        let mut surfaces = Self { of, ..Self::default() };
        surfaces.note();
        surfaces
    }

    /// Whether all nodes lie on plain ground.
    #[inline]
    pub fn are_plain(&self) -> bool {
        self.of.is_empty()
    }

    /// Whether all surfaces have the weight 1.
    pub fn are_unweighted(&self) -> bool {
        self.is_unweighted
    }

    /// Whether some moves take more or less time than on plain ground.
    pub fn are_slow(&self) -> bool {
        self.is_slow
    }

    /// The surface of `node`; plain ground for a node that does not exist.
    #[inline]
    pub fn of(&self, node: NodeId) -> Surface {
        self.of.get(node.index()).copied().unwrap_or_default()
    }

    /// Turns `m`, with the length and cost of plain ground, into the move on the surface of the node where `m` ends.
    #[inline]
    pub fn apply<A, C: Cost>(&self, m: Move<A, C>) -> Move<A, C> {
        if self.are_plain() {
            return m;
        }
        let surface = self.of(m.to);
        Move { cost: m.cost.times(surface.weight()), length: m.length * surface.slowness(), ..m }
    }

    /// Gives `surface` to `nodes`. All ids of `nodes` must be below `bound`. Returns the nodes that have changed.
    pub fn cover(&mut self, nodes: impl Iterator<Item = NodeId>, surface: Surface, bound: usize) -> Vec<NodeId> {
        let changed: Vec<NodeId> = nodes.filter(|node| self.of(*node) != surface).collect();
        if !changed.is_empty() {
            self.of.resize(bound, Surface::PLAIN);
            for node in &changed {
                self.of[node.index()] = surface;
            }
            self.note();
        }
        changed
    }

    fn note(&mut self) {
        if self.of.iter().all(|surface| *surface == Surface::PLAIN) {
            self.of.clear();
        }
        self.is_unweighted = self.of.iter().all(|surface| surface.weight() == 1);
        self.is_slow = self.of.iter().any(|surface| surface.slowness() != 1.0);
    }
}
