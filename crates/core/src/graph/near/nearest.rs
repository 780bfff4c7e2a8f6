//! Nearest places, for a caller that asks for one place after another.

use super::by_line::{ByLine, Listed};
use super::ground::Ground;
use super::parts::{Part, Parts};
use super::ways::Ways;
use crate::vocabulary::NodeId;

/// Finds nearest places on a ground that does not change, for one unit after another.
///
/// Two things are kept between questions: the [parts](super::Parts) of the ground, and the list of the places around
/// the last target that units in one part can reach. So several questions about one target, one after another, share
/// the list if the units are in one part.
#[derive(Clone, Debug, Default)]
pub struct Nearest {
    parts: Parts,
    ways: Ways,
    list: Option<(Part, ByLine)>,
}

impl Nearest {
    /// A new search, which knows no parts and no places yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a unit on `from` can reach `to`. Takes the time of [`Parts::part`] and [`Parts::reach`].
    pub fn is_reachable(&mut self, ground: &impl Ground, from: NodeId, to: NodeId) -> bool {
        let part = self.parts.part(ground, from);
        part.is_some_and(|part| self.parts.reach(part).contains(&self.parts, to))
    }

    /// The place nearest to `target` that is `free`, and that a unit on `from` can reach; `None`: there is no such
    /// place. Among several such places at one distance, the result is the place with the cheapest way from `from`;
    /// among equals, the place with the lowest node id.
    ///
    /// Time: for a new `target`, or a `from` in another part, linear in the nodes of the ground. Otherwise linear in
    /// the number of places that are nearer than the result or equally near. If the [list](ByLine) of places is too
    /// short, it is built anew, in time linear in the nodes of the ground. In addition, each question takes the time of
    /// [`Parts::part`] and [`Parts::reach`], and ties take the time of [`Ways::cheapest`].
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
