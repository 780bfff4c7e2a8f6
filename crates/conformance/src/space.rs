//! Does a space give equal nodes and moves each time, and in each of its methods?

use num_traits::{ToPrimitive, Zero};

use super::breach::{Breach, ask, exists, moves, require, sample, show};
use giveway_core::{Embedding, Move, MoveIn, NodeId, Origins, SpaceGraph};

/// The number of nodes examined in larger spaces.
const MOST_NODES: u32 = 1 << 16;

/// The number of moves out of a node whose actions are compared.
const MOST_ACTIONS: usize = 1000;

/// Checks a space:
/// * its nodes, and the contract of [`moves`](SpaceGraph::moves);
/// * [`moves_into`](SpaceGraph::moves_into) is the exact inverse of `moves`;
/// * [`origins`](giveway_core::Facts::origins) list the nodes where the moves of `moves_into` begin;
/// * a [`uniform_cost`](giveway_core::Facts::uniform_cost) is the cost of every move;
/// * [departures](SpaceGraph::departs) repeat after the period;
/// * moves that meet share a [`crossing`](SpaceGraph::crossing).
///
/// Examines 65536 nodes, their moves and their neighbours.
///
/// ```
/// use giveway_conformance as conformance;
/// use giveway_core::{Move, NodeId, SpaceGraph};
/// # struct Ring(u32);
/// impl SpaceGraph for Ring {
///     // ..
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
/// #         let to = NodeId((from.0 + 1) % self.0);
/// #         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
/// #     }
///     fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<(), u32>>> {
///         let from = NodeId((to.0 + 1) % self.0); // the wrong way round
///         Some(std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 }))
///     }
/// }
///
/// let breach = conformance::space_graph(&Ring(6)).unwrap_err();
/// assert_eq!(
///     breach.fault,
///     "moves_into(node 0) gives the move from node 1 to node 0 by action (), which moves(node 1) does not: \
///      moves_into must be exactly the inverse of moves"
/// );
/// ```
///
/// A move out of a node that does not exist is a breach here. A space in which an area is being vacated has such moves:
/// seal the area first.
///
/// # Errors
/// The first breach found.
pub fn space_graph<S: SpaceGraph>(space: &S) -> Result<(), Breach> {
    let revision = space.revision();
    let nodes = sample(space, MOST_NODES)?;
    beyond_the_bound(space)?;
    let mut listed = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let found = moves(space, *node)?;
        well_formed(space, *node, &found)?;
        same_again::<S>(*node, &found, &moves(space, *node)?)?;
        listed.push(found);
    }
    // Again, after the questions about other nodes.
    for (node, before) in nodes.iter().zip(&listed) {
        same_again::<S>(*node, before, &moves(space, *node)?)?;
    }
    // The actions of the next node may name no moves here.
    let next = listed.iter().cycle().skip(1);
    for ((node, moves), others) in nodes.iter().zip(&listed).zip(next) {
        named_by_actions(space, *node, moves, others)?;
    }
    let listed: Vec<MoveIn<S>> = listed.into_iter().flatten().collect();
    uniform(space, &listed)?;
    by_the_clock(space, &listed)?;
    let neighbourhood = Neighbourhood::of(space, &nodes, listed)?;
    inverse(space, &neighbourhood)?;
    origins(space, &nodes)?;
    crossings(space, &neighbourhood)?;
    require(space.revision() == revision, || {
        "revision changes although nobody changed the space: everything computed would be taken for stale".to_owned()
    })
}

/// Checks that every node has a finite position, and that each call gives an equal position. Examines 65536 nodes.
///
/// ```
/// use giveway_conformance as conformance;
/// use giveway_core::{Embedding, Move, NodeId, SpaceGraph};
/// # struct Ring(u32);
/// # impl SpaceGraph for Ring {
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
/// #         let to = NodeId((from.0 + 1) % self.0);
/// #         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
/// #     }
/// # }
/// impl Embedding for Ring {
///     fn position(&self, node: NodeId) -> [f32; 3] {
///         [1.0 / node.0 as f32, 0.0, 0.0]
///     }
/// }
///
/// let breach = conformance::embedding(&Ring(6)).unwrap_err();
/// assert_eq!(
///     breach.fault,
///     "position(node 0) is [inf, 0.0, 0.0]: positions must be finite, also where no node exists"
/// );
/// ```
///
/// # Errors
/// The first breach found.
pub fn embedding<S: Embedding>(space: &S) -> Result<(), Breach> {
    for node in sample(space, MOST_NODES)? {
        let position = || ask(|| format!("position(node {})", node.0), || space.position(node));
        let [first, second] = [position()?, position()?];
        require(first.iter().all(|coordinate| coordinate.is_finite()), || {
            format!("position(node {}) is {first:?}: positions must be finite, also where no node exists", node.0)
        })?;
        require(first == second, || format!("position(node {}) is {first:?}, and asked again {second:?}", node.0))?;
    }
    Ok(())
}

fn beyond_the_bound<S: SpaceGraph>(space: &S) -> Result<(), Breach> {
    let bound = u32::try_from(space.node_bound()).unwrap_or(u32::MAX);
    for node in [bound, u32::MAX].map(NodeId) {
        require(!exists(space, node)?, || {
            format!("contains(node {}) is true, which is out of bounds: node_bound is {bound}", node.0)
        })?;
    }
    Ok(())
}

/// Whether the `moves` out of `node` can be made.
fn well_formed<S: SpaceGraph>(space: &S, node: NodeId, moves: &[MoveIn<S>]) -> Result<(), Breach> {
    let asked = format!("moves(node {})", node.0);
    let bound = space.node_bound();
    require(moves.is_empty() || exists(space, node)?, || {
        format!("{asked} is not empty, but contains(node {}) is false: what does not exist has no moves", node.0)
    })?;
    for (index, m) in moves.iter().enumerate() {
        require(m.from == node, || format!("{asked} gives a move that begins at node {}", m.from.0))?;
        require(m.to.index() < bound, || {
            format!("{asked} leads to node {}, which is out of bounds: node_bound is {bound}", m.to.0)
        })?;
        require(exists(space, m.to)?, || {
            format!("{asked} leads to node {0}, but contains(node {0}) is false", m.to.0)
        })?;
        // A cost that cannot be a number is compared in its own order only.
        let value = m.cost.to_f64().unwrap_or(0.0);
        require(m.cost >= S::Cost::zero() && value >= 0.0, || {
            format!("{} costs {:?}: costs must not be negative, nor NaN", show::<S>(m), m.cost)
        })?;
        require(m.length >= 0.0 && m.length.is_finite(), || {
            format!("{} has length {}: lengths must be finite and not negative", show::<S>(m), m.length)
        })?;
        let others = &moves[..index.min(MOST_ACTIONS)];
        require(others.iter().all(|other| other.action != m.action), || {
            format!("{asked} gives two moves with the same action, {:?}: an action must name one move", m.action)
        })?;
    }
    Ok(())
}

/// Whether the actions of `moves`, which lead out of `node`, and of `others` name moves of `moves`, or none.
fn named_by_actions<S: SpaceGraph>(
    space: &S,
    node: NodeId,
    moves: &[MoveIn<S>],
    others: &[MoveIn<S>],
) -> Result<(), Breach> {
    // Of more moves only the first ones are known here, so that nothing is known of other actions.
    let others = if moves.len() > MOST_ACTIONS { &[] } else { others };
    for action in moves.iter().take(MOST_ACTIONS).chain(others.iter().take(MOST_ACTIONS)).map(|m| m.action) {
        let asked = || format!("find_move(node {}, {action:?})", node.0);
        let found = ask(asked, || space.find_move(node, action))?;
        let named = moves.iter().position(|m| m.action == action);
        require(found == named.map(|index| (index, moves[index])), || match named {
            Some(index) => {
                format!("{} is {found:?}, but move {index} of moves(node {}) is {:?}", asked(), node.0, moves[index])
            }
            None => format!("{} is {found:?}, but moves(node {}) has no such move", asked(), node.0),
        })?;
    }
    Ok(())
}

fn same_again<S: SpaceGraph>(node: NodeId, before: &[MoveIn<S>], after: &[MoveIn<S>]) -> Result<(), Breach> {
    require(before == after, || {
        let only_the_order = before.len() == after.len() && before.iter().all(|m| after.contains(m));
        let how = if only_the_order {
            "the same moves in another order: the order breaks ties, so it must not change"
        } else {
            "other moves, without a change of revision"
        };
        format!("moves(node {}), asked again, gives {how}", node.0)
    })
}

fn uniform<S: SpaceGraph>(space: &S, moves: &[MoveIn<S>]) -> Result<(), Breach> {
    let Some(cost) = space.facts().uniform_cost else {
        return Ok(());
    };
    moves.iter().try_for_each(|m| {
        require(m.cost == cost, || {
            format!("uniform_cost says that all moves cost {cost:?}, but {} costs {:?}", show::<S>(m), m.cost)
        })
    })
}

/// Whether departures repeat after the period. Examines two periods for the first thousand moves, 64 ticks of each at
/// most.
fn by_the_clock<S: SpaceGraph>(space: &S, moves: &[MoveIn<S>]) -> Result<(), Breach> {
    let period = space.facts().period;
    require(period > 0, || "period() is 0: departures repeat after at least 1 tick".to_owned())?;
    // Later than the last tick nothing can be asked.
    let ticks = if period > u32::MAX / 2 { 0 } else { period.min(64) };
    for m in moves.iter().take(MOST_ACTIONS) {
        for tick in 0..ticks {
            let [now, later] = [tick, tick.saturating_add(period)].map(|tick| space.departs(m, tick));
            require(now == later, || {
                format!(
                    "{} may begin at one of the ticks {tick} and {tick} + {period}, which is the period",
                    show::<S>(m)
                )
            })?;
            require(now || period > 1, || {
                format!("{} may not begin at tick {tick}, but the period is 1: it could never begin", show::<S>(m))
            })?;
        }
    }
    Ok(())
}

/// The examined nodes, and all moves that touch them, asked from either end.
struct Neighbourhood<S: SpaceGraph> {
    /// The moves out of the examined nodes, by `moves`.
    listed: Vec<MoveIn<S>>,
    /// The moves into the examined nodes, by `moves_into`; `None` if the space does not give them.
    listed_into: Option<Vec<MoveIn<S>>>,
    /// The moves out of the examined nodes and of their neighbours, by `moves`; ascending by (from, to).
    out: Vec<MoveIn<S>>,
}

impl<S: SpaceGraph> Neighbourhood<S> {
    fn of(space: &S, nodes: &[NodeId], listed: Vec<MoveIn<S>>) -> Result<Self, Breach> {
        let listed_into = moves_into(space, nodes)?;
        let ends = listed.iter().map(|m| m.to);
        let origins = listed_into.iter().flatten().map(|m| m.from);
        let mut near: Vec<NodeId> = nodes.iter().copied().chain(ends).chain(origins).collect();
        near.sort_unstable();
        near.dedup();
        let mut out = Vec::new();
        for node in near {
            out.extend(moves(space, node)?);
        }
        sort_by_ends(&mut out);
        Ok(Self { listed, listed_into, out })
    }
}

/// Puts `moves` in the order that [`between`] wants.
fn sort_by_ends<A, C>(moves: &mut [Move<A, C>]) {
    moves.sort_by_key(|m| (m.from, m.to));
}

/// The moves from `from` to `to` among `moves`, which are ascending by (from, to).
fn between<S: SpaceGraph>(moves: &[MoveIn<S>], from: NodeId, to: NodeId) -> &[MoveIn<S>] {
    let begin = moves.partition_point(|m| (m.from, m.to) < (from, to));
    let end = moves.partition_point(|m| (m.from, m.to) <= (from, to));
    &moves[begin..end]
}

/// All moves into `nodes`; `None` if the space does not give them.
fn moves_into<S: SpaceGraph>(space: &S, nodes: &[NodeId]) -> Result<Option<Vec<MoveIn<S>>>, Breach> {
    let bound = space.node_bound();
    let tell = |node: NodeId| {
        let question = || format!("moves_into(node {})", node.0);
        ask(question, || space.moves_into(node).map(|moves| moves.take(crate::breach::MOST_MOVES).collect::<Vec<_>>()))
    };
    let mut all = Vec::new();
    let mut answers: Option<(NodeId, bool)> = None;
    for node in nodes {
        let told = tell(*node)?;
        if exists(space, *node)? {
            let (other, before) = *answers.get_or_insert((*node, told.is_some()));
            require(before == told.is_some(), || {
                let (some, none) = if before { (other, *node) } else { (*node, other) };
                format!(
                    "moves_into(node {}) is Some and moves_into(node {}) is None: a space knows the inverse of all its moves, or \
                     says None throughout",
                    some.0, none.0
                )
            })?;
        }
        for m in told.iter().flatten() {
            require(m.to == *node, || {
                format!("moves_into(node {}) gives a move that ends at node {}", node.0, m.to.0)
            })?;
            require(m.from.index() < bound, || {
                let from = m.from.0;
                format!(
                    "moves_into(node {}) gives a move from node {from}, which is out of bounds: node_bound is {bound}",
                    node.0
                )
            })?;
        }
        all.extend(told.into_iter().flatten());
    }
    Ok(answers.is_none_or(|(_, some)| some).then_some(all))
}

fn inverse<S: SpaceGraph>(space: &S, neighbourhood: &Neighbourhood<S>) -> Result<(), Breach> {
    let Some(listed_into) = &neighbourhood.listed_into else {
        return Ok(());
    };
    const RULE: &str = "moves_into must be exactly the inverse of moves";
    for m in listed_into {
        let out = between::<S>(&neighbourhood.out, m.from, m.to);
        require(out.contains(m), || match out.iter().find(|other| other.action == m.action) {
            Some(other) => format!(
                "moves_into(node {}) gives {} cost {:?} and length {}, moves(node {}) gives it {:?} and {}: {RULE}",
                m.to.0,
                show::<S>(m),
                m.cost,
                m.length,
                m.from.0,
                other.cost,
                other.length
            ),
            None => format!(
                "moves_into(node {}) gives {}, which moves(node {}) does not: {RULE}",
                m.to.0,
                show::<S>(m),
                m.from.0
            ),
        })?;
    }
    let mut ends: Vec<NodeId> = neighbourhood.listed.iter().map(|m| m.to).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut into = moves_into(space, &ends)?.unwrap_or_default();
    sort_by_ends(&mut into);
    for m in &neighbourhood.listed {
        let same = between::<S>(&into, m.from, m.to).iter().filter(|other| *other == m);
        let (count, to) = (same.count(), m.to.0);
        require(count > 0, || {
            format!("moves_into(node {to}) lacks {}, which moves(node {}) gives: {RULE}", show::<S>(m), m.from.0)
        })?;
        require(count < 2, || format!("moves_into(node {to}) gives {} more than once: {RULE}", show::<S>(m)))?;
    }
    Ok(())
}

/// Whether tables of origins tell the origins of the moves into `nodes`.
fn origins<S: SpaceGraph>(space: &S, nodes: &[NodeId]) -> Result<(), Breach> {
    for node in nodes {
        let question = || format!("origins().of(node {})", node.0);
        let Some(told) = ask(question, || Some(space.facts().origins?.of(*node).collect::<Vec<_>>()))? else {
            continue;
        };
        // Moves from a node to itself may be left out.
        let into = moves_into(space, &[*node])?.unwrap_or_default();
        let into: Vec<NodeId> = into.iter().map(|m| m.from).filter(|from| from != node).collect();
        let told: Vec<NodeId> = told.into_iter().filter(|from| from != node).collect();
        if let Some(tiles) = space.facts().origins.and_then(Origins::tiles) {
            let (mut beside, mut into): (Vec<NodeId>, _) = (tiles.origins(*node).collect(), into.clone());
            beside.sort_unstable();
            into.sort_unstable();
            require(beside == into, || {
                let [beside, into] = [beside, into].map(|nodes| nodes.iter().map(|node| node.0).collect::<Vec<_>>());
                format!(
                    "by the tiles of origins() moves into node {0} begin at {beside:?}, but the moves of moves_into(node {0}) begin at {into:?}",
                    node.0
                )
            })?;
        }
        require(told == into, || {
            let [told, into] = [told, into].map(|nodes| nodes.iter().map(|node| node.0).collect::<Vec<_>>());
            format!(
                "origins().of(node {0}) gives the nodes {told:?}, but the moves of moves_into(node {0}) begin at {into:?}",
                node.0
            )
        })?;
    }
    Ok(())
}

fn crossings<S: SpaceGraph>(space: &S, neighbourhood: &Neighbourhood<S>) -> Result<(), Breach> {
    let bound = space.facts().crossing_bound;
    for m in &neighbourhood.listed {
        let crossing = |m| ask(|| format!("crossing of {}", show::<S>(m)), || space.crossing(m));
        let number = crossing(m)?;
        if let Some(number) = number {
            require((number as usize) < bound, || {
                let what = show::<S>(m);
                format!("{what} has crossing {number}, which is out of bounds: crossing_bound is {bound}")
            })?;
        }
        let back = between::<S>(&neighbourhood.out, m.to, m.from);
        if bound == 0 || back.is_empty() || m.from == m.to {
            continue;
        }
        let name = |number: Option<u32>| number.map_or("none".to_owned(), |number| number.to_string());
        require(number.is_some(), || {
            let what = show::<S>(m);
            format!(
                "{what} has no crossing, so that a unit coming back would pass through it: crossing_bound is {bound}"
            )
        })?;
        // Of several tracks between two nodes, one must be the way back.
        let mut shared = false;
        for other in back {
            shared |= crossing(other)? == number;
        }
        require(shared, || {
            format!(
                "{} has crossing {}, and back {}: a move and its reverse must share one",
                show::<S>(m),
                name(number),
                name(back.first().and_then(|other| space.crossing(other)))
            )
        })?;
    }
    Ok(())
}
