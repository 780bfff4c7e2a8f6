//! Endpoints: the places among which tasks draw goals.

use std::sync::Arc;

use giveway_core::NodeId;
use rand::Rng;
use rustc_hash::FxHashMap;

/// The places from which [lifelong](crate::Task::Lifelong) agents draw their goals. Each place is in the list once, in
/// the given order.
///
/// A draw takes constant time. Clones share one list.
#[derive(Clone, Debug)]
pub struct Endpoints(Arc<Listed>);

#[derive(Debug)]
struct Listed {
    nodes: Vec<NodeId>,
    /// Where each node is in the list.
    index: FxHashMap<NodeId, usize>,
}

impl Endpoints {
    /// The places in order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.0.nodes
    }

    /// One of the places other than `here`, all of them equally likely; `None`: there is no other.
    pub(crate) fn draw(&self, here: NodeId, random: &mut impl Rng) -> Option<NodeId> {
        let Listed { nodes, index } = &*self.0;
        let skipped = index.get(&here).copied();
        let others = nodes.len() - usize::from(skipped.is_some());
        if others == 0 {
            return None;
        }
        let drawn = random.random_range(0..others);
        nodes.get(drawn + usize::from(skipped.is_some_and(|skipped| drawn >= skipped))).copied()
    }

    /// Whether both are one list, clones of each other.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Equal places in equal order.
impl PartialEq for Endpoints {
    fn eq(&self, other: &Self) -> bool {
        self.is(other) || self.nodes() == other.nodes()
    }
}

impl Eq for Endpoints {}

/// Places that are named again are left out.
impl FromIterator<NodeId> for Endpoints {
    fn from_iter<I: IntoIterator<Item = NodeId>>(places: I) -> Self {
        let mut index = FxHashMap::default();
        let mut nodes = Vec::new();
        for node in places {
            index.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            });
        }
        Self(Arc::new(Listed { nodes, index }))
    }
}

/// Places that are named again are left out.
impl From<&[NodeId]> for Endpoints {
    fn from(places: &[NodeId]) -> Self {
        places.iter().copied().collect()
    }
}

/// Places that are named again are left out.
impl From<Vec<NodeId>> for Endpoints {
    fn from(places: Vec<NodeId>) -> Self {
        places.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg64Mcg;

    use super::*;

    #[test]
    fn all_others_are_equally_likely() {
        // Wherever the agent stands, on an endpoint or not, and however often an endpoint was named.
        let endpoints: Endpoints = [7, 3, 9, 3, 5, 7].map(NodeId).into_iter().collect();
        assert_eq!(endpoints.nodes(), [7, 3, 9, 5].map(NodeId));
        for (here, others) in [(7, vec![3, 5, 9]), (5, vec![3, 7, 9]), (4, vec![3, 5, 7, 9])] {
            let mut random = Pcg64Mcg::new(1);
            let mut drawn: Vec<u32> = (0..6000).map(|_| endpoints.draw(NodeId(here), &mut random).unwrap().0).collect();
            drawn.sort_unstable();
            let counts: Vec<(u32, usize)> = drawn.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect();
            assert_eq!(counts.iter().map(|(node, _)| *node).collect::<Vec<_>>(), others);
            let mean = 6000 / others.len();
            assert!(counts.iter().all(|(_, count)| count.abs_diff(mean) < mean / 10), "from {here}: {counts:?}");
        }
    }

    #[test]
    fn there_may_be_no_other() {
        let mut random = Pcg64Mcg::new(1);
        assert_eq!(Endpoints::from(vec![NodeId(2); 3]).draw(NodeId(2), &mut random), None);
        assert_eq!(Endpoints::from(vec![NodeId(2)]).draw(NodeId(0), &mut random), Some(NodeId(2)));
        assert_eq!(Endpoints::from(vec![]).draw(NodeId(2), &mut random), None);
    }
}
