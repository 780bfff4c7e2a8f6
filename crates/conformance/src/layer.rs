//! Does a cost layer only add costs, and settle when it says so?

use num_traits::{ToPrimitive, Zero};

use super::breach::{Breach, ask, exists, moves, require, sample, show};
use giveway_core::{AgentId, Asker, Claim, Cost, CostLayer, FOREVER, Goals, NodeId, SpaceGraph, Span, Tick, Ticks};

/// The number of nodes examined in larger spaces.
const MOST_NODES: u32 = 1 << 12;

/// The ticks at which layers are asked, counted from 0 and from the tick at which they say that they settle.
const LATER: [Tick; 8] = [0, 1, 2, 7, 30, 99, 1000, 54_321];

/// Checks a cost layer:
/// * no surcharge and no wait is negative, and equal questions have equal answers;
/// * from [`settled_from`](CostLayer::settled_from) on, costs do not depend on the tick;
/// * if the layer is [timeless](CostLayer::is_timeless), costs never depend on the tick, and the layer does not change
///   the costs of waits.
///
/// Examines 4096 nodes and the moves out of them, at some ticks from 0 to 54321, and at some ticks up to 54321 after
/// `settled_from`.
///
/// ```
/// use giveway_conformance as conformance;
/// use giveway_core::{Asker, CostLayer, Move, NodeId, SpaceGraph, Tick};
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
/// /// Until tick 20, entering node 3 is dangerous.
/// struct Danger;
///
/// impl CostLayer<Ring> for Danger {
///     fn surcharge(&self, _: &Ring, m: &Move<(), u32>, depart: Tick, _: &Asker<'_>) -> u32 {
///         if m.to == NodeId(3) && depart < 20 { 5000 } else { 0 }
///     }
/// }
///
/// let breach = conformance::cost_layer(&Ring(6), &Danger).unwrap_err(); // it does not say that it settles at tick 20
/// assert_eq!(
///     breach.fault,
///     "settled_from says that nothing changes from tick 0 on, but the surcharge of the move from node 2 to node 3 by \
///      action () is 5000 at tick 0 and 0 at tick 30"
/// );
/// ```
///
/// # Errors
/// The first breach found.
pub fn cost_layer<S: SpaceGraph, L: CostLayer<S>>(space: &S, layer: &L) -> Result<(), Breach> {
    let settled = layer.settled_from();
    let timeless = layer.is_timeless();
    let goals = Goals::one(NodeId(0));
    let asker = Asker { claim: Claim::plain(AgentId(0)), goals: &goals, depart: 0, yields_until: 0 };
    for node in sample(space, MOST_NODES)? {
        if !exists(space, node)? {
            continue;
        }
        for m in moves(space, node)? {
            let what = format!("the surcharge of {}", show::<S>(&m));
            let surcharge = |depart| layer.surcharge(space, &m, depart, &asker);
            steady::<S>(settled, &what, surcharge)?;
            if timeless {
                always::<S>(surcharge(0), &what, surcharge)?;
            }
        }
        for ticks in [1, 4] as [Ticks; 2] {
            let what = format!("a wait of {ticks} ticks on node {}", node.0);
            let base = S::Cost::STEP.times(ticks);
            let wait = |depart| layer.wait(space, node, Span::lasting(depart, ticks), base, &asker);
            steady::<S>(settled, &what, wait)?;
            if timeless {
                always::<S>(base, &what, wait)?;
            }
        }
    }
    let again = layer.settled_from();
    require(again == settled, || format!("settled_from is {settled}, and asked again {again}"))?;
    require(layer.is_timeless() == timeless, || format!("is_timeless is {timeless}, and asked again it is not"))
}

/// Whether `cost` is `expected` at all examined ticks.
fn always<S: SpaceGraph>(expected: S::Cost, what: &str, cost: impl Fn(Tick) -> S::Cost) -> Result<(), Breach> {
    for tick in LATER {
        let found = ask(|| format!("{what}, at tick {tick},"), || cost(tick))?;
        require(found == expected, || {
            format!(
                "is_timeless says that time makes no difference, but {what} is {found:?} at tick {tick}, not {expected:?}"
            )
        })?;
    }
    Ok(())
}

/// Whether `cost` is never negative, always equal at equal ticks, and constant from `settled` on.
fn steady<S: SpaceGraph>(settled: Tick, what: &str, cost: impl Fn(Tick) -> S::Cost) -> Result<(), Breach> {
    let checked = |tick: Tick| {
        let question = || format!("{what}, at tick {tick},");
        let [first, second] = [ask(question, || cost(tick))?, ask(question, || cost(tick))?];
        require(first >= S::Cost::zero() && first.to_f64().unwrap_or(0.0) >= 0.0, || {
            format!("{what} is {first:?} at tick {tick}: what a layer adds must not be negative, nor NaN")
        })?;
        require(first == second, || format!("{what} is {first:?} at tick {tick}, and asked again {second:?}"))?;
        Ok(first)
    };
    for tick in LATER {
        checked(tick)?;
    }
    if settled == FOREVER {
        return Ok(());
    }
    let first = checked(settled)?;
    for later in LATER.map(|later| settled.saturating_add(later)) {
        let cost = checked(later)?;
        require(cost == first, || {
            format!(
                "settled_from says that nothing changes from tick {settled} on, but {what} is {first:?} at tick {settled} and \
                 {cost:?} at tick {later}"
            )
        })?;
    }
    Ok(())
}
