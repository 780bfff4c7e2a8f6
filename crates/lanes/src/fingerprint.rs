//! Fingerprints: numbers that identify a space.

use giveway_core::{Embedding, NodeId, SpaceGraph};

/// The 64-bit FNV-1a hash of the nodes of `space`, their positions, the moves out of them in order, and the numbers of
/// nodes and moves. O(moves).
pub(super) fn of_places<S: Embedding>(space: &S) -> u64 {
    hash(space, |node| space.position(node).map(f32::to_bits))
}

/// The 64-bit FNV-1a hash of the nodes and moves of `space`, without positions.
pub(super) fn of_moves<S: SpaceGraph>(space: &S) -> u64 {
    hash(space, |_| [])
}

fn hash<S: SpaceGraph, const N: usize>(space: &S, place: impl Fn(NodeId) -> [u32; N]) -> u64 {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    let mut feed = |word: u32| {
        for byte in word.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    feed(u32::try_from(space.node_bound()).unwrap_or(u32::MAX));
    for node in space.nodes().filter(|node| space.contains(*node)) {
        feed(node.0);
        place(node).into_iter().for_each(&mut feed);
        let mut moves = 0;
        for m in space.moves(node) {
            feed(m.to.0);
            moves += 1;
        }
        feed(moves);
    }
    hash
}
