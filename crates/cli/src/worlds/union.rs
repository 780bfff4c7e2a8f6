//! Several maps as one graph, with links.

use anyhow::{Context as _, Result, bail};
use giveway::spaces::{Embedding, FnSpace, Link, Linked, Positions};
use giveway::{NodeId, SpaceGraph};

/// The places and moves of several maps.
#[derive(Clone, Default)]
pub(super) struct Union {
    positions: Vec<[f32; 3]>,
    /// Out of each place: where to, the cost, and the length.
    moves: Vec<Vec<(u32, u32, f32)>>,
}

/// A graph of several maps has at most so many places: each takes some hundred bytes.
const MOST_PLACES: usize = 1 << 21;

/// Several maps with their links.
pub(super) type Joined = Linked<FnSpace<u32, Positions>>;

impl Union {
    /// Adds the open places of `space`, all moved by `shift`.
    ///
    /// # Errors
    /// There would be more than [`MOST_PLACES`] places.
    pub(super) fn add<S: Embedding + SpaceGraph<Cost = u32>>(&mut self, space: &S, shift: [f32; 3]) -> Result<()> {
        let count = space.nodes().filter(|node| space.contains(*node)).count();
        if self.positions.len() + count > MOST_PLACES {
            bail!("expected at most {MOST_PLACES} places on its maps together, found more");
        }
        let mut numbers = vec![u32::MAX; space.node_bound()];
        let open: Vec<NodeId> = space.nodes().filter(|node| space.contains(*node)).collect();
        for node in &open {
            numbers[node.index()] = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
            let position = space.position(*node);
            self.positions.push([0, 1, 2].map(|axis| position[axis] + shift[axis]));
        }
        for node in open {
            let out = space.moves(node).map(|m| (numbers[m.to.index()], m.cost, m.length));
            self.moves.push(out.filter(|(to, ..)| *to != u32::MAX).collect());
        }
        Ok(())
    }

    pub(super) fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// The graph. Moves are `slowness` times as long.
    pub(super) fn graph(&self, slowness: f32) -> Result<FnSpace<u32, Positions>> {
        let count = u32::try_from(self.positions.len()).ok().filter(|count| *count > 0).context("there is no place")?;
        let out = |node: u32| self.moves[node as usize].iter().map(|(to, cost, _)| (*to, *cost));
        let graph = FnSpace::new(count, out)?;
        let graph = graph.with_lengths(|m| self.moves[m.from.index()][m.action as usize].2 * slowness)?;
        Ok(graph.with_positions(|node| self.positions[node as usize])?)
    }

    /// The graph with `links`.
    pub(super) fn joined(&self, slowness: f32, links: Vec<Link>) -> Result<Joined> {
        Ok(Linked::new(self.graph(slowness)?, links)?)
    }
}
