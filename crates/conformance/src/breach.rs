//! Breaches, and the questions that find them.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rand_pcg::Pcg32;
use rand_pcg::rand_core::RngCore;

use giveway_core::{MoveIn, NodeId, SpaceGraph};

/// A broken contract: a description of the fault in plain words, and the calls that led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// A description of the fault.
    pub fault: String,
    /// The calls that led to the fault, oldest first; empty if `fault` names the call.
    pub calls: Vec<String>,
}

impl Breach {
    pub(super) fn new(fault: impl Into<String>) -> Self {
        Self { fault: fault.into(), calls: Vec::new() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fault)?;
        if !self.calls.is_empty() {
            f.write_str("\nafter these calls:")?;
        }
        self.calls.iter().try_for_each(|call| write!(f, "\n  {call}"))
    }
}

impl std::error::Error for Breach {}

/// Fails with `fault` unless `kept`.
pub(super) fn require(kept: bool, fault: impl FnOnce() -> String) -> Result<(), Breach> {
    if kept { Ok(()) } else { Err(Breach::new(fault())) }
}

/// Fails if something was `found` that must not be there.
pub(super) fn refuse<T>(found: Option<T>, fault: impl FnOnce(T) -> String) -> Result<(), Breach> {
    found.map_or(Ok(()), |found| Err(Breach::new(fault(found))))
}

/// Calls the implementation. A panic there is a breach too, named by the `question`.
pub(super) fn ask<T>(question: impl FnOnce() -> String, call: impl FnOnce() -> T) -> Result<T, Breach> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        let message = match (payload.downcast_ref::<String>(), payload.downcast_ref::<&str>()) {
            (Some(message), _) => message,
            (None, Some(message)) => *message,
            (None, None) => "no message",
        };
        Breach::new(format!("{} panics: {message}", question()))
    })
}

/// Up to `most` nodes of `space`, existing or not, ascending: all if there are no more; otherwise one at random from
/// each of `most` equal ranges of ids, so that no row or column of a map is preferred.
pub(super) fn sample<S: SpaceGraph>(space: &S, most: u32) -> Result<Vec<NodeId>, Breach> {
    let bound = ask(|| "node_bound()".to_owned(), || space.node_bound())?;
    let Ok(bound) = u32::try_from(bound) else {
        return Err(Breach::new(format!("node_bound is {bound}, but node ids have 32 bits")));
    };
    if bound <= most {
        return Ok((0..bound).map(NodeId).collect());
    }
    let mut random = Pcg32::new(0, 0);
    #[allow(clippy::cast_possible_truncation)] // below the bound
    let begin = |stretch: u32| (u64::from(stretch) * u64::from(bound) / u64::from(most)) as u32;
    Ok((0..most)
        .map(|stretch| {
            let (begin, end) = (begin(stretch), begin(stretch + 1));
            NodeId(begin + random.next_u32() % (end - begin))
        })
        .collect())
}

/// Whether `node` exists.
pub(super) fn exists<S: SpaceGraph>(space: &S, node: NodeId) -> Result<bool, Breach> {
    ask(|| format!("contains(node {})", node.0), || space.contains(node))
}

/// The moves out of `node`, in the space's order.
pub(super) fn moves<S: SpaceGraph>(space: &S, node: NodeId) -> Result<Vec<MoveIn<S>>, Breach> {
    let question = || format!("moves(node {})", node.0);
    let moves: Vec<_> = ask(question, || space.moves(node).take(MOST_MOVES + 1).collect())?;
    require(moves.len() <= MOST_MOVES, || {
        format!("{} gives more than {MOST_MOVES} moves: does it ever end?", question())
    })?;
    Ok(moves)
}

/// If a node has more moves than this, the iterator counts as endless.
pub(super) const MOST_MOVES: usize = 1 << 20;

/// A move, in words.
pub(super) fn show<S: SpaceGraph>(m: &MoveIn<S>) -> String {
    format!("the move from node {} to node {} by action {:?}", m.from.0, m.to.0, m.action)
}
