//! Schedules: the reserved motions of an agent.

mod written;

use giveway_core::{CellId, Digest, Entry, NodeId, Rank, Tick};

use giveway_members::chain::{Kind, Planner};
use giveway_members::leg::Leg;
use giveway_members::rank::RESTING;

/// The future motions of an agent, all reserved.
///
/// First comes what each tick reads.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Schedule {
    /// The first leg that has not passed; `None`: there is none.
    front: Option<Leg>,
    /// The planner that made the plan; `None`: it is no plan, and the agent stands where it has to.
    pub(crate) by: Option<Kind>,
    /// The position of `front`.
    next: u32,
    /// From the least node of its legs to the greatest one, passed legs included.
    nodes: [NodeId; 2],
    legs: Vec<Leg>,
    /// The endless rest after the last leg, if the store holds it.
    pub(crate) rest: Option<Rest>,
    /// The rank at which the last part of it was reserved.
    pub(super) rank: Rank,
}

/// An endless rest.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    /// The tick from which others may plan through it, if they may.
    pub(crate) from: Tick,
    /// The cells where others may plan through it; empty: nowhere.
    pub(crate) cells: Box<[CellId]>,
}

impl Rest {
    /// The rest that `entries` reserve, and that others may plan through.
    pub(crate) fn new(from: Tick, entries: &[Entry]) -> Self {
        Self { from, cells: entries.iter().map(|entry| entry.cell).collect() }
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Self::new(Vec::new(), None)
    }
}

impl Schedule {
    /// `legs`, and then `rest`.
    pub(crate) fn new(legs: Vec<Leg>, rest: Option<Rest>) -> Self {
        let front = legs.first().copied();
        let nodes = nodes_of(&legs);
        Self { legs, next: 0, nodes, front, rest, by: None, rank: RESTING }
    }

    /// Adds `legs`; there is no rest yet.
    pub(super) fn extend(&mut self, legs: &[Leg]) {
        self.legs.drain(..self.next as usize);
        self.next = 0;
        self.legs.reserve_exact(legs.len());
        self.legs.extend_from_slice(legs);
        self.front = self.legs.first().copied();
        self.nodes = nodes_of(&self.legs);
    }

    /// Forgets the distances from the ends of its moves.
    pub(super) fn forget_distances(&mut self) {
        self.legs.iter_mut().for_each(Leg::forget_left);
        self.front = self.legs.get(self.next as usize).copied();
    }

    /// Makes the last leg, which is a rest, last until `until`.
    pub(super) fn prolong(&mut self, until: Tick) {
        if let Some(last) = self.legs[self.next as usize..].last_mut() {
            last.arrive = until;
        }
        self.front = self.legs.get(self.next as usize).copied();
    }

    /// Sets the planner that made the plan.
    pub(crate) fn by(self, planner: Planner) -> Self {
        Self { by: Some(planner.into()), ..self }
    }

    /// Whether `planner` made the plan.
    #[inline]
    pub(crate) fn is_by(&self, planner: Planner) -> bool {
        self.by == Some(planner.into())
    }

    /// The memory of its legs, for another plan.
    pub(super) fn into_legs(self) -> Vec<Leg> {
        self.legs
    }

    /// The legs that are left.
    pub(crate) fn ahead(&self) -> &[Leg] {
        &self.legs[self.next as usize..]
    }

    /// The least node and the greatest one between which all its nodes are, and all that lies on its way.
    #[inline]
    pub(crate) fn nodes(&self) -> [NodeId; 2] {
        self.nodes
    }

    pub(crate) fn has_moves(&self) -> bool {
        self.ahead().iter().any(Leg::is_move)
    }

    /// Whether a move begins at `tick` or later.
    pub(crate) fn has_moves_after(&self, tick: Tick) -> bool {
        self.ahead().iter().any(|leg| leg.is_move() && leg.depart >= tick)
    }

    /// Whether the schedule still has moves of another planner than `planner`.
    pub(crate) fn follows_another(&self, planner: Planner) -> bool {
        self.by.is_some_and(|by| by != planner.into()) && self.has_moves()
    }

    /// Drops the legs that end by `now`.
    #[inline]
    pub(super) fn pass(&mut self, now: Tick) {
        while self.front.is_some_and(|leg| leg.arrive <= now) {
            self.next += 1;
            self.front = self.legs.get(self.next as usize).copied();
        }
    }

    /// Adds the plan to `digest` as it was when it last changed, so that a leg that passes leaves the hash.
    pub(crate) fn feed(&self, digest: &mut Digest) {
        digest.word(self.by.map_or(0, |by| 1 + by as u64));
        digest.pair(self.rank.1, self.rest.is_some().into());
        digest.word(self.rank.0);
        self.legs.iter().for_each(|leg| leg.feed(digest));
        if let Some(Rest { from, cells }) = &self.rest {
            digest.word((*from).into());
            cells.iter().for_each(|cell| digest.word(cell.0.into()));
        }
    }

    /// Whether the schedule says what to do at `now`, be it to stay.
    #[inline]
    pub(crate) fn covers(&self, now: Tick) -> bool {
        self.front.map_or(self.rest.is_some(), |leg| leg.depart <= now)
    }

    /// Whether the schedule says what to do at `tick`, which is still to come.
    pub(crate) fn lasts_until(&self, tick: Tick) -> bool {
        self.rest.is_some() || self.ahead().last().is_some_and(|leg| tick < leg.arrive)
    }

    /// The move that begins at `now`.
    #[inline]
    pub(crate) fn move_at(&self, now: Tick) -> Option<&Leg> {
        self.front.as_ref().filter(|leg| leg.is_move() && leg.depart == now)
    }
}

/// The least node and the greatest one of `legs`. Shortcuts may lead by any node.
fn nodes_of(legs: &[Leg]) -> [NodeId; 2] {
    const NO_NODES: [NodeId; 2] = [NodeId(u32::MAX), NodeId(0)];
    const ALL: [NodeId; 2] = [NodeId(0), NodeId(u32::MAX)];
    legs.iter().fold(NO_NODES, |[least, greatest], leg| {
        let [from, to] = if leg.is_shortcut() { ALL } else { [leg.from.min(leg.to), leg.from.max(leg.to)] };
        [least.min(from), greatest.max(to)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_nodes_of_a_schedule_are_between_its_least_and_its_greatest_one() {
        let leg = |from, to, depart| Leg::moving(NodeId(from), NodeId(to), depart, depart + 1, 0);
        let mut plan = Schedule::new(vec![leg(5, 9, 0), leg(9, 7, 1)], None);
        assert_eq!(plan.nodes(), [NodeId(5), NodeId(9)]);
        plan.pass(1);
        plan.extend(&[leg(7, 3, 2), Leg::resting(NodeId(3), 3, 8)]);
        assert_eq!(plan.nodes(), [NodeId(3), NodeId(9)], "the leg that has passed led to 9, the next one begins there");
        plan.extend(&[Leg::straight(NodeId(3), NodeId(4), 8, 9, 1.0)]);
        assert_eq!(plan.nodes(), [NodeId(0), NodeId(u32::MAX)], "a shortcut leads by any node");
        let [least, greatest] = Schedule::default().nodes();
        assert!(least > greatest, "there are none");
    }
}
