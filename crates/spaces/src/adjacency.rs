//! Adjacency: the moves out of and into every node, side by side in memory.

use giveway_core::rows::Rows;
use giveway_core::{Cost, Move, NodeId, Origins, SpaceGraph};

use crate::space_error::SpaceError;

/// All moves of a space whose set of moves is fixed, indexed by the node where they begin, and by the node where they
/// end.
#[derive(Clone, Debug)]
pub struct Adjacency<A, C> {
    /// By node, the moves out of it.
    moves: Rows<Move<A, C>>,
    /// By node, the moves into it, ascending, as indices of all moves.
    into: Rows<u32>,
    origins: OriginTable,
    uniform_cost: Option<C>,
    uniform_length: Option<f32>,
    /// Whether moves have lengths of their own.
    has_lengths: bool,
}

/// Where the moves into nodes begin.
#[derive(Clone, Debug)]
enum OriginTable {
    /// By node, relative to its id; 0 for none. Takes half as much memory, and time to read, as lists.
    Near(Vec<[i16; 4]>),
    /// By index into `into`.
    Lists(Vec<NodeId>),
}

impl OriginTable {
    fn new<A, C>(moves: &[Move<A, C>], into: &Rows<u32>) -> Self {
        let near = |into: &[u32]| {
            let mut offsets = [0; 4];
            for (number, place) in into.iter().zip(0..) {
                let Move { from, to, .. } = &moves[*number as usize];
                let offset = i64::from(from.0) - i64::from(to.0);
                *offsets.get_mut::<usize>(place)? = i16::try_from(offset).ok()?;
            }
            Some(offsets)
        };
        let lists = || into.items().iter().map(|number| moves[*number as usize].from).collect();
        into.iter().map(near).collect::<Option<_>>().map_or_else(|| Self::Lists(lists()), Self::Near)
    }
}

impl<A: Copy, C: Cost> Adjacency<A, C> {
    /// The moves of the nodes below `bound`. For each node, `moves_out_of` gives the (end, action, cost) of each move
    /// out of the node. Each move has length 1. Moves from a node to itself are left out.
    pub fn new<I>(
        bound: usize,
        exists: impl Fn(NodeId) -> bool,
        mut moves_out_of: impl FnMut(NodeId) -> I,
    ) -> Result<Self, SpaceError>
    where
        I: IntoIterator<Item = (NodeId, A, C)>,
    {
        let nodes = u32::try_from(bound).map_err(|_| SpaceError::TooManyNodes { bound })?;
        let mut moves = Vec::new();
        for from in (0..nodes).map(NodeId) {
            for (to, action, cost) in moves_out_of(from) {
                if to.0 >= nodes || !exists(to) {
                    return Err(SpaceError::NoSuchNode { from, to });
                }
                let value = cost.to_f64().unwrap_or(0.0);
                if cost < C::zero() || !value.is_finite() {
                    return Err(SpaceError::Cost { from, to, cost: value });
                }
                if to != from {
                    moves.push(Move { from, to, action, cost, length: 1.0 });
                }
            }
        }
        let all = Self::from_moves(bound, moves).ok_or(SpaceError::TooManyMoves)?;
        Ok(Self { has_lengths: false, ..all })
    }

    /// The moves of `space`, in the order in which the space gives them.
    pub fn from_space<S: SpaceGraph<Action = A, Cost = C>>(space: &S) -> Result<Self, SpaceError> {
        let bound = space.node_bound();
        let nodes = u32::try_from(bound).map_err(|_| SpaceError::TooManyNodes { bound })?;
        let mut moves: Vec<Move<A, C>> = Vec::new();
        for from in (0..nodes).map(NodeId) {
            for m in space.moves(from) {
                if m.from != from || m.to.0 >= nodes {
                    return Err(SpaceError::NoSuchNode { from, to: m.to });
                }
                moves.push(m);
            }
        }
        Self::from_moves(bound, moves).ok_or(SpaceError::TooManyMoves)
    }

    /// The moves of a space of `bound` nodes. `moves` must be ordered by the node where they begin. `None`: there are
    /// more than 2^32 - 1 moves.
    pub fn from_moves(bound: usize, moves: Vec<Move<A, C>>) -> Option<Self> {
        u32::try_from(moves.len()).ok()?;
        Some(Self::of(Rows::of_sorted(bound, moves, |m| m.from.index())))
    }

    fn of(moves: Rows<Move<A, C>>) -> Self {
        let all = moves.items();
        let into = Rows::<u32>::positions(moves.len(), all.iter().map(|m| m.to.index()));
        let origins = OriginTable::new(all, &into);
        let (uniform_cost, uniform_length) = (shared(all, |m| m.cost), shared(all, |m| m.length));
        Self { uniform_cost, uniform_length, has_lengths: true, moves, into, origins }
    }

    /// One more than the largest node id.
    pub fn bound(&self) -> usize {
        self.moves.len()
    }

    /// Numbers the pairs of nodes that moves connect. Returns the number of the pair for each move, and the number of
    /// all pairs. A move and its reverse have one pair.
    pub fn pairs(&self) -> (Vec<u32>, u32) {
        let mut numbers = vec![0; self.all().len()];
        let mut count = 0;
        let mut at: Vec<(NodeId, usize)> = Vec::new();
        for lower in (0..u32::MAX).map(NodeId).take(self.bound()) {
            let out = self.numbers_out_of(lower).map(|number| (self.all()[number].to, number));
            let into = self.numbers_into(lower).iter().map(|number| *number as usize);
            let into = into.map(|number| (self.all()[number].from, number));
            at.clear();
            at.extend(out.chain(into).filter(|(upper, _)| *upper > lower));
            at.sort_unstable();
            for pair in at.chunk_by(|one, other| one.0 == other.0) {
                pair.iter().for_each(|(_, number)| numbers[*number] = count);
                count += 1;
            }
        }
        (numbers, count)
    }

    /// All moves, ordered by the node where they begin.
    #[inline]
    pub fn all(&self) -> &[Move<A, C>] {
        self.moves.items()
    }

    /// The indices of the moves out of `from`.
    #[inline]
    pub fn numbers_out_of(&self, from: NodeId) -> std::ops::Range<usize> {
        self.moves.range(from.index())
    }

    /// The moves out of `from`.
    #[inline]
    pub fn out_of(&self, from: NodeId) -> &[Move<A, C>] {
        self.moves.get(from.index())
    }

    /// The indices of the moves into `to`.
    #[inline]
    pub fn numbers_into(&self, to: NodeId) -> &[u32] {
        self.into.get(to.index())
    }

    /// For each node, the nodes where the moves into this node begin.
    pub fn origins(&self) -> Origins<'_> {
        match &self.origins {
            OriginTable::Near(offsets) => Origins::offsets(offsets),
            OriginTable::Lists(origins) => Origins::lists(self.into.first(), origins),
        }
    }

    /// Replaces moves into `to`. `renewed` is called for each of these moves, with two arguments: the node where the
    /// move begins, and the index of the move among the moves out of that node. The result replaces the move; after
    /// `None` the move stays as it is.
    pub fn set_moves_into(&mut self, to: NodeId, mut renewed: impl FnMut(NodeId, usize) -> Option<Move<A, C>>) {
        for number in self.into.get(to.index()) {
            let number = *number as usize;
            let from = self.moves.items()[number].from;
            let place = number - self.moves.range(from.index()).start;
            if let Some(m) = renewed(from, place) {
                self.moves.items_mut()[number] = m;
            }
        }
    }

    /// Computes the [uniform cost](Self::uniform_cost) anew. Call this method after costs have changed.
    pub fn note_costs(&mut self) {
        self.uniform_cost = shared(self.all(), |m| m.cost);
    }

    /// Sets the length of every move.
    pub fn set_lengths(&mut self, mut length_of: impl FnMut(&Move<A, C>) -> f32) -> Result<(), SpaceError> {
        for m in self.moves.items_mut() {
            let length = length_of(m);
            if length < 0.0 || !length.is_finite() {
                let Move { from, to, .. } = *m;
                return Err(SpaceError::Length { from, to, length });
            }
            m.length = length;
        }
        self.has_lengths = true;
        self.uniform_length = shared(self.all(), |m| m.length);
        Ok(())
    }

    /// Makes moves as long as the straight lines between `positions`, unless [`set_lengths`](Self::set_lengths) was
    /// called.
    pub fn measure(&mut self, positions: &[[f32; 3]]) {
        for m in self.moves.items_mut().iter_mut().filter(|_| !self.has_lengths) {
            let [from, to] = [m.from, m.to].map(|node| positions[node.index()].map(f64::from));
            let square: f64 = (0..3).map(|axis| (to[axis] - from[axis]) * (to[axis] - from[axis])).sum();
            #[allow(clippy::cast_possible_truncation)] // as exact as positions
            let length = square.sqrt() as f32;
            m.length = length.min(f32::MAX);
        }
        self.uniform_length = shared(self.all(), |m| m.length);
    }

    /// The cost of each move, if all moves cost equally much.
    pub fn uniform_cost(&self) -> Option<C> {
        self.uniform_cost
    }

    /// The length of each move, if all moves are equally long.
    pub fn uniform_length(&self) -> Option<f32> {
        self.uniform_length
    }

    /// The moves out of `from`.
    #[inline]
    pub fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<A, C>> {
        self.moves.get(from.index()).iter().copied()
    }

    /// The moves into `to`.
    #[inline]
    pub fn moves_into(&self, to: NodeId) -> impl Iterator<Item = Move<A, C>> {
        let all = self.all();
        self.into.get(to.index()).iter().map(|number| all[*number as usize])
    }
}

/// The value that all `moves` share.
fn shared<A, C, T: PartialEq>(moves: &[Move<A, C>], value: impl Fn(&Move<A, C>) -> T) -> Option<T> {
    let first = value(moves.first()?);
    moves.iter().all(|m| value(m) == first).then_some(first)
}

/// The position of each node, asked once and checked.
pub(crate) fn positions(
    bound: usize,
    mut position_of: impl FnMut(NodeId) -> [f32; 3],
) -> Result<Box<[[f32; 3]]>, SpaceError> {
    let nodes = u32::try_from(bound).map_err(|_| SpaceError::TooManyNodes { bound })?;
    let position = |node| {
        let position = position_of(node);
        if position.iter().all(|coordinate| coordinate.is_finite()) {
            Ok(position)
        } else {
            Err(SpaceError::Position { node, position })
        }
    };
    (0..nodes).map(NodeId).map(position).collect()
}

/// The positions of nodes: they make a [`GraphSpace`](crate::GraphSpace) or an [`FnSpace`](crate::FnSpace) an
/// [`Embedding`](giveway_core::Embedding).
#[derive(Clone, PartialEq, Debug)]
pub struct Positions(pub Box<[[f32; 3]]>);

impl Positions {
    #[inline]
    pub(crate) fn of(&self, node: NodeId) -> [f32; 3] {
        self.0.get(node.index()).copied().unwrap_or_default()
    }
}
