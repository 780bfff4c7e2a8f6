//! Beacons: the nodes of a class by their positions, so that a place of one class is found in another.

use std::sync::Arc;

use giveway_core::NodeId;
use rstar::RTree;
use rstar::primitives::GeomWithData;
use rustc_hash::FxHashMap;

use crate::class_id::ClassId;
use crate::world::AnyClass;

type Tree = RTree<GeomWithData<[f32; 3], u32>>;

/// For classes that were asked for, the nodes by their positions: a cache. Nodes keep their positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beacons {
    of: FxHashMap<ClassId, Arc<Tree>>,
}

impl Beacons {
    /// The node of `class` nearest to `position` on which units can stand; among equals the lowest. `None`: there is
    /// none. The first call for a class takes time in proportion to its nodes, a later one mostly that of a look-up.
    pub(crate) fn nearest(&mut self, id: ClassId, class: &dyn AnyClass, position: [f32; 3]) -> Option<NodeId> {
        let mut near = self.outward(id, class, position);
        let (least, first) = near.next()?;
        near.take_while(|(square, _)| *square <= least).map(|(_, node)| node).chain([first]).min()
    }

    /// The nodes of `class` on which units can stand, the nearest to `position` first, with the squares of their
    /// distances.
    pub(crate) fn outward<'b>(
        &'b mut self,
        id: ClassId,
        class: &'b dyn AnyClass,
        position: [f32; 3],
    ) -> impl Iterator<Item = (f32, NodeId)> + 'b {
        let tree = self.of.entry(id).or_insert_with(|| Arc::new(plant(class)));
        // From nowhere nothing is near.
        let is_finite = position.iter().all(|axis| axis.is_finite());
        let position = if is_finite { position } else { [0.0; 3] };
        let most = if is_finite { usize::MAX } else { 0 };
        tree.nearest_neighbor_iter_with_distance_2(position)
            .map(|(place, square)| (square, NodeId(place.data)))
            .take(most)
            .filter(|(_, node)| class.contains(*node))
    }
}

fn plant(class: &dyn AnyClass) -> Tree {
    let nodes = NodeId::below(class.node_bound());
    let places = nodes.filter_map(|node| {
        let position = class.position(node)?;
        position.iter().all(|axis| axis.is_finite()).then(|| GeomWithData::new(position, node.0))
    });
    RTree::bulk_load(places.collect())
}
