//! The execution guard: of the motions that are about to begin, it stops those that could end in a collision.
//!
//! The guard trusts no reservation. An agent stays if its move would meet a motion under way, an agent that stays, or the move of an agent that comes
//! before it. An agent that would run into one that stays for this reason, stays too. The set of agents that stay only grows, so the loop ends.
//! Staying is always safe, because all others are stopped from coming. Agents that share a place already, where [soft rests](super::SoftRests) permit
//! it, may leave it.

use giveway_core::Entry;

/// What an agent is about to do.
#[derive(Debug)]
pub(super) struct Intent {
    /// What the agent occupies from now on if it stays: an endless rest; with a motion under way, the remainder of that motion, and an endless
    /// rest at its end.
    pub(super) stay: Vec<Entry>,
    /// What the agent occupies if it moves: the motion, and an endless rest at its end. Empty: it stays.
    pub(super) go: Vec<Entry>,
}

/// The positions of the `intents` whose moves must not begin. Earlier intents have the way.
pub(super) fn stopped(intents: &[Intent]) -> Vec<usize> {
    let mut stays: Vec<bool> = intents.iter().map(|intent| intent.go.is_empty()).collect();
    let meets = meetings(intents);
    // Of two movers that would meet, the first has the way.
    let mut found: Vec<usize> = Vec::new();
    for (index, met) in meets.iter().enumerate() {
        if !stays[index] && met.movers.iter().any(|other| *other < index && !stays[*other]) {
            stays[index] = true;
            found.push(index);
        }
    }
    // A mover that would run into one that stays, stays too, until nothing changes.
    loop {
        let mut changed = false;
        for (index, met) in meets.iter().enumerate() {
            if !stays[index] && met.stayers.iter().any(|other| stays[*other]) {
                stays[index] = true;
                found.push(index);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    found.sort_unstable();
    found
}

/// The intents that a mover would meet: by their moves, and by their staying.
#[derive(Clone, Default)]
struct Met {
    movers: Vec<usize>,
    stayers: Vec<usize>,
}

fn meetings(intents: &[Intent]) -> Vec<Met> {
    let mut entries: Vec<(Entry, usize, bool)> = Vec::new();
    for (index, intent) in intents.iter().enumerate() {
        entries.extend(intent.stay.iter().map(|entry| (*entry, index, false)));
        entries.extend(intent.go.iter().map(|entry| (*entry, index, true)));
    }
    entries.sort_unstable_by_key(|(entry, index, goes)| (entry.cell, *index, *goes, entry.span.start));
    let mut meets = vec![Met::default(); intents.len()];
    for group in entries.chunk_by(|(a, ..), (b, ..)| a.cell == b.cell) {
        // Two agents that share a place by permission do not keep each other from going.
        let stays = |who: usize| group.iter().filter(move |(_, index, goes)| *index == who && !goes);
        let together = |a, b| stays(a).any(|(one, ..)| stays(b).any(|(two, ..)| one.span.overlaps(two.span)));
        for (entry, index, goes) in group {
            for (other, other_index, other_goes) in group {
                if *goes && index != other_index && entry.span.overlaps(other.span) && !together(*index, *other_index) {
                    let met = &mut meets[*index];
                    if *other_goes { met.movers.push(*other_index) } else { met.stayers.push(*other_index) }
                }
            }
        }
    }
    meets
}

#[cfg(test)]
mod tests {
    use giveway_core::{CellId, Span};

    use super::*;

    /// Agents in a row of cells, under the swap rule, at tick 0: where each is and where it is about to go.
    fn row(agents: &[(u32, Option<u32>)]) -> Vec<usize> {
        let place = |cell, span| Entry { cell: CellId(cell), span };
        // The crossing of `x` and `x + 1` is cell 100 + x.
        let intents: Vec<Intent> = agents
            .iter()
            .map(|(at, to)| Intent {
                stay: vec![place(*at, Span::endless(0))],
                go: to.map_or(Vec::new(), |to| {
                    vec![place(to, Span::tick(1)), place(100 + at.min(&to), Span::tick(0)), place(to, Span::endless(1))]
                }),
            })
            .collect();
        stopped(&intents)
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
    fn two_that_would_exchange_their_places_both_stay() {
        assert_eq!(row(&[(0, Some(1)), (1, Some(0))]), [0, 1]);
        assert_eq!(row(&[(0, Some(1)), (1, Some(0)), (2, Some(1))]), [0, 1, 2]);
    }
}
