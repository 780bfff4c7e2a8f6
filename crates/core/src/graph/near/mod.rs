//! Nearest places: where a unit goes if it cannot reach the place it was sent to.
//!
//! "Nearest" has one meaning, for crowds and for files:
//!
//! 1. A place counts if it is free and the unit can reach it.
//! 2. The place with the least straight-line distance to the target wins.
//! 3. Ties: the place with the least path cost from the unit wins; [`Ground::for_each_move`] gives the unit of cost.
//! 4. Ties again: the lower node id wins.
//!
//! [`Parts`] knows what can be reached, [`ByLine`] lists places by straight-line distance, and [`Ways`] compares path costs. [`Nearest`]
//! combines the three for a caller that asks for one place after another.

mod by_line;
mod pace;
mod parts;
mod passable;
mod ways;

use crate::vocabulary::motion::NodeId;

pub use by_line::{ByLine, Listed};
pub use pace::Pace;
pub use parts::{Part, Parts, Reach};
pub use passable::Passable;
pub use ways::Ways;

/// Where units of one kind can stand, and which moves they can make.
pub trait Ground {
    /// One more than the largest node id.
    fn node_bound(&self) -> usize;

    /// Whether a unit can stand on `node`.
    fn contains(&self, node: NodeId) -> bool;

    /// The position of `node` in world units, for every node below [`node_bound`](Self::node_bound), walls included. `None`: the space does
    /// not know.
    fn position(&self, node: NodeId) -> Option<[f32; 3]>;

    /// Calls `each` for every move out of `from` that a unit can make, with the node where it ends and its cost in whole thousandths of a
    /// plain step.
    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64));
}

/// The square of the straight-line distance; 0 where positions are not known.
fn square(from: Option<[f32; 3]>, to: Option<[f32; 3]>) -> f64 {
    match (from, to) {
        (Some(from), Some(to)) => {
            from.iter().zip(to).map(|(a, b)| f64::from(*a) - f64::from(b)).map(|offset| offset * offset).sum()
        }
        _ => 0.0,
    }
}

/// Nearest places on a ground that does not change, for one unit after another.
///
/// Keeps the parts of the ground and the last list of places: units sent to one place one after another share the list.
#[derive(Clone, Debug, Default)]
pub struct Nearest {
    parts: Parts,
    ways: Ways,
    list: Option<(Part, ByLine)>,
}

impl Nearest {
    /// A search that has not been used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a unit on `from` can reach `to`. The first question in a part of the ground takes time linear in that part.
    pub fn is_reachable(&mut self, ground: &impl Ground, from: NodeId, to: NodeId) -> bool {
        let part = self.parts.part(ground, from);
        part.is_some_and(|part| self.parts.reach(part).contains(&self.parts, to))
    }

    /// The nearest place to `target` that is `free` and that a unit on `from` can reach; `None`: there is none.
    ///
    /// Time: once per `target`, linear in what the unit can reach; then linear in the nearer places that are not free; with ties, plus the
    /// time of [`Ways`].
    pub fn find(
        &mut self,
        ground: &impl Ground,
        from: NodeId,
        target: NodeId,
        mut free: impl FnMut(NodeId) -> bool,
    ) -> Option<NodeId> {
        let part = self.parts.part(ground, from)?;
        let reach = self.parts.reach(part);
        let known = self.list.take().filter(|(of, list)| *of == part && list.target() == target);
        let (_, list) = self.list.insert(known.unwrap_or_else(|| (part, ByLine::new(target))));
        let mut index = 0;
        let mut equals: Vec<Listed> = Vec::new();
        while let Some(place) = list.get(index, ground, |node| reach.contains(&self.parts, node)) {
            if equals.first().is_some_and(|first| first.square < place.square) {
                break;
            }
            if free(place.node) {
                equals.push(place);
            }
            index += 1;
        }
        self.ways.cheapest(ground, self.parts.pace(), from, &equals)
    }
}

#[cfg(test)]
mod tests;
