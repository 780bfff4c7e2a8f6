//! The execution guard: of the motions that are about to begin, it stops the motions that could end in a collision.
//!
//! The guard trusts no reservation. An agent stays if its move would meet a motion under way, an agent that stays, or
//! the move of an agent that has the way. The earlier one has it, unless only the earlier one needs the other's place:
//! then the later one may leave it. An agent that would run into an agent stopped in this way stays too. The set of
//! agents that stay only grows, so the loop ends. Staying is always safe, because all others are stopped from coming.
//! Agents that already share a place by [soft rests](super::SoftRests) may leave it.
//!
//! The guard looks only at the cells of moves that are about to begin. Agents elsewhere cost nothing.

use giveway_core::{AgentId, CellId, Entry, Span, Tick};

use crate::ledger::Presence;

/// A move that is about to begin.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) agent: AgentId,
    /// The entries that the agent occupies if it moves: the motion, and an endless rest at its end.
    pub(super) go: Vec<Entry>,
}

/// Which agent is where.
pub(super) struct Crowding<'a> {
    /// The entries of each agent from now on if it stays: an endless rest; with a motion under way, the remainder of
    /// that motion, and an endless rest at its end.
    pub(super) presence: &'a Presence,
    pub(super) now: Tick,
    /// Whether others may move through an agent if it stays.
    pub(super) yields: &'a dyn Fn(AgentId) -> bool,
}

/// The positions of the `starts` that must not begin, ascending. Of two that meet the earlier one has the way, or the
/// one whose place the other one needs.
pub(super) fn stopped(starts: &[Start], crowding: &Crowding<'_>) -> Vec<usize> {
    let meets = meetings(starts, crowding);
    let mut stays = vec![false; starts.len()];
    // Of two movers that would meet, the first has the way. But who could not go if the other one stayed would keep
    // both.
    let needs = |mover: usize, other: usize| meets[mover].stayers.contains(&other);
    for (index, met) in meets.iter().enumerate() {
        for other in met.earlier.iter().copied() {
            if !stays[index] && !stays[other] {
                stays[if needs(other, index) && !needs(index, other) { other } else { index }] = true;
            }
        }
    }
    // A mover that would run into an agent that stays, stays too, until nothing changes.
    loop {
        let mut changed = false;
        for (index, met) in meets.iter().enumerate() {
            if !stays[index] && (met.is_blocked || met.stayers.iter().any(|other| stays[*other])) {
                stays[index] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    (0..starts.len()).filter(|index| stays[*index]).collect()
}

/// The agents that a mover would meet.
#[derive(Clone, Default)]
struct Met {
    /// The earlier starts whose moves the mover would meet, in order.
    earlier: Vec<usize>,
    /// The starts that the mover would meet if they stay.
    stayers: Vec<usize>,
    /// Whether the mover would meet an agent that stays in any case.
    is_blocked: bool,
}

fn meetings(starts: &[Start], crowding: &Crowding<'_>) -> Vec<Met> {
    let mut positions: Vec<(AgentId, usize)> = starts.iter().map(|start| start.agent).zip(0..).collect();
    positions.sort_unstable();
    let position =
        |agent| positions.binary_search_by_key(&agent, |(known, _)| *known).ok().map(|found| positions[found].1);

    let mut ways: Vec<(CellId, usize, Span)> = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        ways.extend(start.go.iter().map(|entry| (entry.cell, index, entry.span)));
    }
    ways.sort_unstable_by_key(|(cell, index, span)| (*cell, *index, span.start));
    let mut meets = vec![Met::default(); starts.len()];
    let mut stays: Vec<(Span, AgentId)> = Vec::new();
    for group in ways.chunk_by(|(one, ..), (other, ..)| one == other) {
        stays.clear();
        stays.extend(crowding.stays_in(group[0].0));
        // Two agents that share a place by permission do not keep each other from going.
        let spans = |agent| stays.iter().filter(move |(_, other)| *other == agent).map(|(span, _)| *span);
        let together = |a, b| spans(a).any(|one| spans(b).any(|two| one.overlaps(two)));
        for (_, index, span) in group {
            let (agent, met) = (starts[*index].agent, &mut meets[*index]);
            for (stay, other) in &stays {
                if *other != agent && stay.overlaps(*span) && !together(agent, *other) {
                    match position(*other) {
                        Some(other) => met.stayers.push(other),
                        None => met.is_blocked = true,
                    }
                }
            }
            for (_, other, way) in group {
                if other < index && way.overlaps(*span) && !together(agent, starts[*other].agent) {
                    met.earlier.push(*other);
                }
            }
        }
    }
    meets.iter_mut().for_each(|met| met.earlier.sort_unstable());
    meets
}

impl Crowding<'_> {
    /// When agents are in `cell`, from now on, if they stay and others may not move through them.
    fn stays_in(&self, cell: CellId) -> impl Iterator<Item = (Span, AgentId)> {
        self.presence.in_cell(cell).filter(|(span, agent)| span.end > self.now && !(self.yields)(*agent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agents in a row of cells, under the swap rule, at tick 0: where each is and where it is about to go.
    fn row(agents: &[(u32, Option<u32>)]) -> Vec<usize> {
        let place = |cell, span| Entry { cell: CellId(cell), span };
        let mut presence = Presence::new(256);
        let mut starts = Vec::new();
        for ((at, to), agent) in agents.iter().zip((0..).map(AgentId)) {
            presence.note(agent, &[place(*at, Span::endless(0))]);
            // The crossing of `x` and `x + 1` is cell 100 + x.
            let go = |to| {
                vec![place(to, Span::tick(1)), place(100 + at.min(&to), Span::tick(0)), place(to, Span::endless(1))]
            };
            starts.extend(to.map(|to| Start { agent, go: go(to) }));
        }
        let found = stopped(&starts, &Crowding { presence: &presence, now: 0, yields: &|_| false });
        found.into_iter().map(|index| starts[index].agent.index()).collect()
    }

    #[test]
    fn nobody_is_stopped_without_need() {
        assert_eq!(row(&[(0, Some(1)), (1, Some(2)), (2, Some(3)), (5, None)]), [], "a convoy");
        assert_eq!(row(&[(3, Some(2)), (4, Some(3))]), []);
        assert_eq!(row(&[]), []);
    }

    #[test]
    fn who_would_run_into_one_that_stays_stays_too() {
        assert_eq!(row(&[(0, Some(1)), (1, None)]), [0]);
        assert_eq!(
            row(&[(0, Some(1)), (1, Some(2)), (2, Some(3)), (3, None)]),
            [0, 1, 2],
            "back to the end of the queue"
        );
        assert_eq!(row(&[(3, None), (2, Some(3)), (1, Some(2)), (5, Some(6))]), [1, 2], "and nobody else");
    }

    #[test]
    fn of_two_that_would_meet_the_first_has_the_way() {
        assert_eq!(row(&[(0, Some(1)), (2, Some(1))]), [1]);
        assert_eq!(row(&[(2, Some(1)), (0, Some(1)), (3, Some(2))]), [1]);
        // The one that stays stops the one behind it, and so on.
        assert_eq!(row(&[(2, Some(1)), (0, Some(1)), (9, Some(8)), (10, Some(0))]), [1, 3]);
    }

    #[test]
    fn who_leaves_a_place_has_the_way_before_the_one_that_comes_to_it() {
        // Bodies of two cells. The first one comes to the cells that the second one is about to leave, but where that
        // ends its move, it would still be in the way.
        let bodies = |order: [u32; 2]| {
            let body =
                |at: u32, since| [at, at + 1].map(|cell| Entry { cell: CellId(cell), span: Span::endless(since) });
            let mut presence = Presence::new(256);
            presence.note(AgentId(0), &body(2, 0));
            presence.note(AgentId(1), &body(5, 0));
            let start = |agent: u32| {
                let (from, to) = [(2, 4), (5, 6)][agent as usize];
                let through = (from..to + 2).map(|cell| Entry { cell: CellId(cell), span: Span::new(0, 4) });
                Start { agent: AgentId(agent), go: through.chain(body(to, 4)).collect() }
            };
            let starts = order.map(start);
            let found = stopped(&starts, &Crowding { presence: &presence, now: 0, yields: &|_| false });
            found.into_iter().map(|index| starts[index].agent.0).collect::<Vec<_>>()
        };
        assert_eq!([bodies([0, 1]), bodies([1, 0])], [[0], [0]]);
    }

    #[test]
    fn two_that_would_exchange_their_places_both_stay() {
        assert_eq!(row(&[(0, Some(1)), (1, Some(0))]), [0, 1]);
        assert_eq!(row(&[(0, Some(1)), (1, Some(0)), (2, Some(1))]), [0, 1, 2]);
    }
}
