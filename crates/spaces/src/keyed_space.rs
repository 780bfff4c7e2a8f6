//! The keyed space: a space whose places are values of a game's own, found by exploration.

use std::hash::Hash;

use giveway_core::{Cost, Facts, Move, NodeId};
use indexmap::IndexSet;

use crate::adjacency::Positions;
use crate::fn_space::FnSpace;
use crate::network::{Network, by_network};
use crate::space_error::SpaceError;

/// A space whose places are keys of any type: coordinates with a floor, entity ids, names.
///
/// * A closure is asked once for the moves out of each key. A move is a pair: the key where it ends, and its cost, 1000
///   for a plain step. A move leads one way.
/// * [`node`](Self::node) gives the id of a key, and [`key`](Self::key) the key of an id. Ids follow the order of
///   discovery: the starts first, then breadth-first, in the order of moves. Equal closures give equal ids.
/// * An action is the index of a move in the list of its key, from 0. Moves from a key to itself are left out.
/// * Lengths, positions and changes are as in an [`FnSpace`].
///
/// ```
/// use giveway_core::SpaceGraph;
/// use giveway_spaces::KeyedSpace;
///
/// // Two floors of five places. The stairs are at (4, 0) on both.
/// let house = KeyedSpace::explore([(0, 0, 0)], 100, |(x, y, floor)| {
///     let beside = [(x + 1, y, floor), (x - 1, y, floor)];
///     let stairs = ((x, y) == (4, 0)).then_some(((x, y, 1 - floor), 3000));
///     beside.into_iter().filter(|(x, ..)| (0..5).contains(x)).map(|place| (place, 1000)).chain(stairs)
/// })?;
/// assert_eq!(house.node_bound(), 10);
/// let upstairs = house.node(&(0, 0, 1)).expect("it is reached");
/// assert_eq!(house.key(upstairs), Some(&(0, 0, 1)));
/// assert_eq!(house.node(&(9, 0, 0)), None);
/// # Ok::<(), giveway_spaces::SpaceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyedSpace<K, C = u32, P = ()> {
    /// By node id.
    keys: IndexSet<K>,
    network: Network<u32, C, P>,
}

impl<K: Eq + Hash + Clone> KeyedSpace<K> {
    /// The space of all places that can be reached from `starts`. `moves(key)` lists the (end, cost) of each move out
    /// of `key`.
    ///
    /// # Errors
    /// There are more than `bound` places, or more than 2^32 - 1 moves.
    pub fn explore<I>(
        starts: impl IntoIterator<Item = K>,
        bound: usize,
        moves: impl FnMut(K) -> I,
    ) -> Result<Self, SpaceError>
    where
        I: IntoIterator<Item = (K, u32)>,
    {
        Self::explore_priced(starts, bound, moves)
    }
}

impl<K: Eq + Hash + Clone, C: Cost> KeyedSpace<K, C> {
    /// Like [`explore`](KeyedSpace::explore), with costs of any type.
    ///
    /// # Errors
    /// As for `explore`; or a cost is negative, infinite or not a number.
    pub fn explore_priced<I>(
        starts: impl IntoIterator<Item = K>,
        bound: usize,
        mut moves: impl FnMut(K) -> I,
    ) -> Result<Self, SpaceError>
    where
        I: IntoIterator<Item = (K, C)>,
    {
        let mut keys: IndexSet<K> = IndexSet::new();
        let number = |keys: &mut IndexSet<K>, key: K| {
            let (index, _) = keys.insert_full(key);
            u32::try_from(index).ok().filter(|_| index < bound).ok_or(SpaceError::Explored { most: bound })
        };
        for start in starts {
            number(&mut keys, start)?;
        }
        let mut listed: Vec<Vec<(u32, C)>> = Vec::new();
        while let Some(key) = keys.get_index(listed.len()).cloned() {
            let out = moves(key).into_iter().map(|(end, cost)| Ok((number(&mut keys, end)?, cost)));
            listed.push(out.collect::<Result<_, SpaceError>>()?);
        }
        let nodes = u32::try_from(listed.len()).map_err(|_| SpaceError::TooManyNodes { bound: listed.len() })?;
        let space = FnSpace::priced(nodes, |node| std::mem::take(&mut listed[node as usize]))?;
        Ok(Self { keys, network: space.network })
    }
}

impl<K: Eq + Hash, C: Cost, P> KeyedSpace<K, C, P> {
    /// The node of `key`. `None`: no way leads from the starts to `key`.
    pub fn node(&self, key: &K) -> Option<NodeId> {
        Some(NodeId(u32::try_from(self.keys.get_index_of(key)?).ok()?))
    }

    /// The key of `node`. `None`: there is no such node.
    pub fn key(&self, node: NodeId) -> Option<&K> {
        self.keys.get_index(node.index())
    }

    /// Sets the length of each move, in world units, as [`FnSpace::with_lengths`] does.
    ///
    /// # Errors
    /// A length is negative, infinite or not a number.
    pub fn with_lengths(self, length: impl FnMut(&Move<u32, C>) -> f32) -> Result<Self, SpaceError> {
        Ok(Self { network: self.network.with_lengths(length)?, ..self })
    }

    /// Sets the position of each key, in world units, as [`FnSpace::with_positions`] does. The space is then an
    /// [`Embedding`](giveway_core::Embedding).
    ///
    /// # Errors
    /// A position is infinite or not a number.
    pub fn with_positions(
        self,
        mut position: impl FnMut(&K) -> [f32; 3],
    ) -> Result<KeyedSpace<K, C, Positions>, SpaceError> {
        let Self { keys, network } = self;
        let network = network.with_positions(|node| position(&keys[node.index()]))?;
        Ok(KeyedSpace { keys, network })
    }

    /// Closes or opens a node, as [`FnSpace::set_open`] does.
    pub fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        self.network.set_open(node, open)
    }
}

by_network!(SpaceGraph for [K, C: Cost, P] KeyedSpace<K, C, P> {
    type Action = u32;
    type Cost = C;

    fn facts(&self) -> Facts<'_, C> {
        self.network.facts()
    }
});

by_network!(Embedding for [K, C: Cost] KeyedSpace<K, C, Positions> {});
