//! Beacons: the nodes of a class by their positions, so that a place of one class is found in another.

mod tree;

use std::sync::{Arc, Mutex, PoisonError};

use giveway_core::NodeId;
use rustc_hash::FxHashMap;

use giveway_members::class_id::ClassId;
use giveway_members::world::AnyClass;
pub(crate) use tree::Cursor;
use tree::Tree;

/// The squares of equal distances differ by less than this part.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// For classes that were asked for, the nodes by their positions: a cache. Nodes keep their positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beacons {
    /// Clones share the trees. Where ranges are halved does not depend on who looks into a tree, or when.
    of: FxHashMap<ClassId, Arc<Mutex<Tree>>>,
}

impl Beacons {
    /// The node of `class` nearest to `position` on which units can stand; among equals the lowest. `None`: there is
    /// none. The first call for a class takes time in proportion to its nodes, and so does a later one for a place where
    /// nobody has asked yet, but mostly a small part of it; from so far off that squares cannot tell the nodes apart,
    /// again in proportion to these.
    pub(crate) fn nearest(&mut self, id: ClassId, class: &dyn AnyClass, position: [f32; 3]) -> Option<NodeId> {
        let mut near = self.by_square(id, class, position).peekable();
        let (least, _) = *near.peek()?;
        // From far off, squares are equal, or in a wrong order, where distances are not.
        let near = near.take_while(|(square, _)| *square <= least * (1.0 + ROUNDING)).map(|(_, node)| node);
        let mut near: Vec<NodeId> = near.collect();
        near.sort_unstable();
        near.into_iter().reduce(|best, node| {
            let places = class.position(node).zip(class.position(best));
            if places.is_some_and(|(one, other)| is_nearer(one, other, position)) { node } else { best }
        })
    }

    /// The nodes of `class` on which units can stand, the nearest to `position` first, among equals the lowest first.
    pub(crate) fn outward<'b>(
        &'b mut self,
        id: ClassId,
        class: &'b dyn AnyClass,
        position: [f32; 3],
    ) -> impl Iterator<Item = NodeId> + 'b {
        self.by_square(id, class, position).map(|(_, node)| node)
    }

    /// The nodes of `class` on which units can stand by their distances to `position`: of each distance all nodes, the
    /// nearest first.
    pub(crate) fn rings<'b>(
        &'b mut self,
        id: ClassId,
        class: &'b dyn AnyClass,
        position: [f32; 3],
    ) -> impl Iterator<Item = Vec<NodeId>> + 'b {
        let mut nodes = self.by_square(id, class, position).peekable();
        std::iter::from_fn(move || {
            let (least, first) = nodes.next()?;
            let is_equal = |(square, _): &(f64, NodeId)| *square <= least * (1.0 + ROUNDING);
            let others = std::iter::from_fn(|| nodes.next_if(is_equal).map(|(_, node)| node));
            Some(std::iter::once(first).chain(others).collect())
        })
    }

    /// The nodes of `class` on which units can stand, the nearest to `position` first, with the squares of their
    /// distances; among equals the lowest first.
    fn by_square<'b>(
        &'b mut self,
        id: ClassId,
        class: &'b dyn AnyClass,
        position: [f32; 3],
    ) -> impl Iterator<Item = (f64, NodeId)> + 'b {
        let mut cursor = self.around(id, class, position);
        std::iter::from_fn(move || self.next(id, class, cursor.as_mut()?))
    }

    /// A list of the nodes of `class` around `position`, from which nothing was taken yet. `None`: the position is not
    /// finite, so that nothing is near.
    pub(crate) fn around(&mut self, id: ClassId, class: &dyn AnyClass, position: [f32; 3]) -> Option<Cursor> {
        let tree = self.of.entry(id).or_insert_with(|| Arc::new(Mutex::new(plant(class))));
        let is_finite = position.iter().all(|axis| axis.is_finite());
        is_finite.then(|| tree.lock().unwrap_or_else(PoisonError::into_inner).around(position))
    }

    /// Takes the next node of `class` from the list of `cursor` on which units can stand, with the square of its
    /// distance: the nearest one, and of equals the lowest one.
    pub(crate) fn next(&self, id: ClassId, class: &dyn AnyClass, cursor: &mut Cursor) -> Option<(f64, NodeId)> {
        let mut tree = self.of.get(&id)?.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| cursor.next(&mut tree)).find(|(_, node)| class.contains(*node))
    }
}

/// Whether `one` is nearer to `position` than `other`: from far off, too, where the squares of their distances are
/// equal.
fn is_nearer(one: [f32; 3], other: [f32; 3], position: [f32; 3]) -> bool {
    let axis = |axis: usize| {
        let [one, other, at] = [one, other, position].map(|place| f64::from(place[axis]));
        (one - other) * (2.0 * at - one - other)
    };
    axis(0) + axis(1) + axis(2) > 0.0
}

fn plant(class: &dyn AnyClass) -> Tree {
    let nodes = NodeId::below(class.node_bound());
    let places = nodes.filter_map(|node| {
        let position = class.position(node)?;
        position.iter().all(|axis| axis.is_finite()).then_some((position, node))
    });
    Tree::new(places.collect())
}
