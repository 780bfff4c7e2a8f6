//! Adjacency: the moves out of and into every node, side by side in memory.

use giveway_core::{Cost, Move, NodeId, Origins, SpaceGraph};

use crate::space_error::SpaceError;

/// All moves of a space that does not change, indexed by where they begin and by where they end.
#[derive(Clone, Debug)]
pub struct Adjacency<A, C> {
    /// Per node, where the moves out of it begin in `moves`; one more element than nodes.
    first_out: Vec<u32>,
    moves: Vec<Move<A, C>>,
    /// Per node, where the moves into it begin in `into`; one more element than nodes.
    first_into: Vec<u32>,
    /// Indices into `moves`, ordered by the node where the move ends, then by index.
    into: Vec<u32>,
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
    fn new<A, C>(moves: &[Move<A, C>], first_into: &[u32], into: &[u32]) -> Self {
        let near = |ends: &[u32]| {
            let into = &into[ends[0] as usize..ends[1] as usize];
            let mut offsets = [0; 4];
            for (number, place) in into.iter().zip(0..) {
                let Move { from, to, .. } = &moves[*number as usize];
                let offset = i64::from(from.0) - i64::from(to.0);
                *offsets.get_mut::<usize>(place)? = i16::try_from(offset).ok()?;
            }
            Some(offsets)
        };
        let lists = || into.iter().map(|number| moves[*number as usize].from).collect();
        first_into.windows(2).map(near).collect::<Option<_>>().map_or_else(|| Self::Lists(lists()), Self::Near)
    }
}

impl<A: Copy, C: Cost> Adjacency<A, C> {
    /// Asks `moves_out_of` for the (end, action, cost) of each move out of each node below `bound`. Each move has
    /// length 1. Moves from a node to itself are left out.
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
        let mut first_out = vec![0];
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
            first_out.push(u32::try_from(moves.len()).map_err(|_| SpaceError::TooManyMoves)?);
        }
        Ok(Self { has_lengths: false, ..Self::of(bound, moves, first_out) })
    }

    /// The moves of `space`, in its order.
    pub fn from_space<S: SpaceGraph<Action = A, Cost = C>>(space: &S) -> Result<Self, SpaceError> {
        let bound = space.node_bound();
        let nodes = u32::try_from(bound).map_err(|_| SpaceError::TooManyNodes { bound })?;
        let mut moves: Vec<Move<A, C>> = Vec::new();
        let mut first_out = vec![0];
        for from in (0..nodes).map(NodeId) {
            for m in space.moves(from) {
                if m.from != from || m.to.0 >= nodes {
                    return Err(SpaceError::NoSuchNode { from, to: m.to });
                }
                moves.push(m);
            }
            first_out.push(u32::try_from(moves.len()).map_err(|_| SpaceError::TooManyMoves)?);
        }
        Ok(Self::of(bound, moves, first_out))
    }

    /// The moves of a space of `bound` nodes, ordered by the node where they begin. `None`: there are more than 2^32 - 1.
    pub fn from_moves(bound: usize, moves: Vec<Move<A, C>>) -> Option<Self> {
        u32::try_from(moves.len()).ok()?;
        let first = |node: usize| moves.partition_point(|m| m.from.index() < node);
        let first_out = (0..=bound).map(|node| u32::try_from(first(node)).unwrap_or(u32::MAX)).collect();
        Some(Self::of(bound, moves, first_out))
    }

    fn of(bound: usize, moves: Vec<Move<A, C>>, first_out: Vec<u32>) -> Self {
        let (first_into, into) = invert(bound, &moves);
        let origins = OriginTable::new(&moves, &first_into, &into);
        let (uniform_cost, uniform_length) = (shared(&moves, |m| m.cost), shared(&moves, |m| m.length));
        Self { uniform_cost, uniform_length, has_lengths: true, first_out, moves, first_into, into, origins }
    }

    /// One more than the largest node id.
    pub fn bound(&self) -> usize {
        self.first_out.len() - 1
    }

    /// Per move, a number for its pair of nodes, which moves between the two share either way; and the number of pairs.
    pub fn pairs(&self) -> (Vec<u32>, u32) {
        let mut numbers = vec![0; self.moves.len()];
        let mut count = 0;
        let mut at: Vec<(NodeId, usize)> = Vec::new();
        for lower in (0..u32::MAX).map(NodeId).take(self.bound()) {
            let out = self.numbers_out_of(lower).map(|number| (self.moves[number].to, number));
            let into = self.numbers_into(lower).iter().map(|number| *number as usize);
            let into = into.map(|number| (self.moves[number].from, number));
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
        &self.moves
    }

    /// The indices of the moves out of `from`.
    #[inline]
    pub fn numbers_out_of(&self, from: NodeId) -> std::ops::Range<usize> {
        range(&self.first_out, from)
    }

    /// The moves out of `from`.
    #[inline]
    pub fn out_of(&self, from: NodeId) -> &[Move<A, C>] {
        &self.moves[range(&self.first_out, from)]
    }

    /// The indices of the moves into `to`.
    #[inline]
    pub fn numbers_into(&self, to: NodeId) -> &[u32] {
        &self.into[range(&self.first_into, to)]
    }

    /// Where the moves into every node begin.
    pub fn origins(&self) -> Origins<'_> {
        match &self.origins {
            OriginTable::Near(offsets) => Origins::offsets(offsets),
            OriginTable::Lists(origins) => Origins::lists(&self.first_into, origins),
        }
    }

    /// Replaces each move into `to` by the answer of `renewed` to the node where the move begins, and its place among the moves out of that node.
    pub fn set_moves_into(&mut self, to: NodeId, mut renewed: impl FnMut(NodeId, usize) -> Option<Move<A, C>>) {
        for number in range(&self.first_into, to) {
            let number = self.into[number] as usize;
            let from = self.moves[number].from;
            let place = number - range(&self.first_out, from).start;
            if let Some(m) = renewed(from, place) {
                self.moves[number] = m;
            }
        }
    }

    /// Notes that costs have changed.
    pub fn note_costs(&mut self) {
        self.uniform_cost = shared(&self.moves, |m| m.cost);
    }

    /// Sets the length of every move.
    pub fn set_lengths(&mut self, mut length_of: impl FnMut(&Move<A, C>) -> f32) -> Result<(), SpaceError> {
        for m in &mut self.moves {
            let length = length_of(m);
            if length < 0.0 || !length.is_finite() {
                let Move { from, to, .. } = *m;
                return Err(SpaceError::Length { from, to, length });
            }
            m.length = length;
        }
        self.has_lengths = true;
        self.uniform_length = shared(&self.moves, |m| m.length);
        Ok(())
    }

    /// Makes moves as long as the straight lines between `positions`, unless they have lengths of their own.
    pub fn measure(&mut self, positions: &[[f32; 3]]) {
        for m in self.moves.iter_mut().filter(|_| !self.has_lengths) {
            let [from, to] = [m.from, m.to].map(|node| positions[node.index()].map(f64::from));
            let square: f64 = (0..3).map(|axis| (to[axis] - from[axis]) * (to[axis] - from[axis])).sum();
            #[allow(clippy::cast_possible_truncation)] // as exact as positions
            let length = square.sqrt() as f32;
            m.length = length.min(f32::MAX);
        }
        self.uniform_length = shared(&self.moves, |m| m.length);
    }

    /// What all moves cost, if all cost as much.
    pub fn uniform_cost(&self) -> Option<C> {
        self.uniform_cost
    }

    /// How long all moves are, if all are as long.
    pub fn uniform_length(&self) -> Option<f32> {
        self.uniform_length
    }

    /// The moves out of `from`.
    #[inline]
    pub fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<A, C>> {
        self.moves[range(&self.first_out, from)].iter().copied()
    }

    /// The moves into `to`.
    #[inline]
    pub fn moves_into(&self, to: NodeId) -> impl Iterator<Item = Move<A, C>> {
        let into = self.into[range(&self.first_into, to)].iter();
        into.map(|index| self.moves[*index as usize])
    }
}

/// The range of `node`, given where the range of each node begins; empty if `node` is out of bounds.
#[inline]
fn range(first: &[u32], node: NodeId) -> std::ops::Range<usize> {
    match first.get(node.index()..) {
        Some([begin, end, ..]) => *begin as usize..*end as usize,
        _ => 0..0,
    }
}

/// A counting sort by where moves end.
fn invert<A, C>(bound: usize, moves: &[Move<A, C>]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0; bound + 1];
    for m in moves {
        first[m.to.index() + 1] += 1;
    }
    for node in 1..first.len() {
        first[node] += first[node - 1];
    }
    let mut next = first.clone();
    let mut into = vec![0; moves.len()];
    for (index, m) in (0..).zip(moves) {
        let place = &mut next[m.to.index()];
        into[*place as usize] = index;
        *place += 1;
    }
    (first, into)
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
