//! Nearest places: where a unit goes if it cannot go where it was sent.
//!
//! "Nearest" has one meaning, for crowds and for files:
//!
//! 1. A place counts if the unit can reach it and it is free.
//! 2. The place with the least straight-line distance to the place that was asked for wins.
//! 3. Among equals, the place with the least path cost from the unit wins; see [`Ground::for_each_move`] for the unit of cost.
//! 4. Among equals again, the lower node id wins.
//!
//! Three parts answer that: [`Parts`] knows what can be reached, [`ByLine`] lists places by straight-line distance,
//! [`Ways`] compares path costs. [`Nearest`] puts them together for a caller who asks for one place after another.

mod by_line;
mod pace;
mod parts;
mod ways;

use crate::space::NodeId;

pub use by_line::{ByLine, Listed};
pub use pace::Pace;
pub use parts::{Part, Parts, Reach};
pub use ways::Ways;

/// Where units of one kind can stand, and which moves they can make.
pub trait Ground {
    /// One more than the largest node id.
    fn node_bound(&self) -> usize;

    /// Whether a unit can stand on `node`.
    fn contains(&self, node: NodeId) -> bool;

    /// Where `node` lies, in world units; of any node below [`node_bound`](Self::node_bound), also one on which nobody can stand.
    /// `None`: the space does not know.
    fn position(&self, node: NodeId) -> Option<[f32; 3]>;

    /// Calls `each` for every move out of `from` that a unit can make, with where it ends and its cost in whole thousandths of a plain step.
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

/// Nearest places on a ground that does not change, for one unit after the other.
///
/// Remembers the parts of the ground, and the last list of places: units that are sent to the same place one after the other share it.
#[derive(Clone, Debug, Default)]
pub struct Nearest {
    parts: Parts,
    ways: Ways,
    list: Option<(Part, ByLine)>,
}

impl Nearest {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a unit on `from` can reach `to`. The first question in a part of the ground takes time linear in that part.
    pub fn is_reachable(&mut self, ground: &impl Ground, from: NodeId, to: NodeId) -> bool {
        let part = self.parts.part(ground, from);
        part.is_some_and(|part| self.parts.reach(part).contains(&self.parts, to))
    }

    /// The nearest place to `target` that a unit on `from` can reach and that is `free`; `None`: there is none.
    ///
    /// Time: linear in what the unit can reach, once for every `target`; then in the places that are not free and nearer, and
    /// if several are as near, in what [`Ways`] takes.
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
