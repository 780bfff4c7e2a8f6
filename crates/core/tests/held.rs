//! Spaces that are owned, borrowed or shared.

use std::sync::Arc;

use giveway_core::{Held, Move, NodeId, SpaceGraph};

/// Places without moves.
#[derive(Clone)]
struct Islands(usize);

impl SpaceGraph for Islands {
    type Action = ();
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.0
    }

    fn moves(&self, _from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
        std::iter::empty()
    }
}

#[test]
fn only_an_owner_changes_a_space() {
    fn add_one<'a>(space: impl Into<Held<'a, Islands>>) -> (usize, String) {
        let mut held = space.into();
        let before = held.clone();
        if let Some(islands) = held.get_mut() {
            islands.0 += 1;
        }
        assert_eq!(before.node_bound(), 3);
        (held.node_bound(), format!("{held:?}"))
    }
    let islands = Islands(3);
    assert_eq!(add_one(&islands), (3, "Borrowed(..)".to_owned()));
    assert_eq!(add_one(Arc::new(islands.clone())), (3, "Shared(..)".to_owned()));
    assert_eq!(add_one(islands), (4, "Owned(..)".to_owned()));
}
