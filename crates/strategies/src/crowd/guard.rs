//! The execution guard: of the motions that are about to begin, those that could end in a collision do not.
//!
//! It trusts no reservation. An agent stays if its move would meet a motion under way, somebody who stays, or the move of
//! somebody who goes before it; and whoever would run into one that stays for that, stays too. The set of those who stay
//! only grows, so this ends; and staying is always safe, because everybody else is stopped from coming. Those who are in one
//! place already, where [soft rests](super::SoftRests) permit it, may leave it.

use giveway_core::{AgentId, Entry};

/// What an agent is about to do.
#[derive(Debug)]
pub(super) struct Intent {
    pub(super) agent: AgentId,
    /// What it occupies from now on if it stays: an endless rest; with a motion under way, what is left of that, and an
    /// endless rest at its end.
    pub(super) stay: Vec<Entry>,
    /// What it occupies if it moves: the motion, and an endless rest at its end. Empty: it stays.
    pub(super) go: Vec<Entry>,
}

/// Which of the `intents`, by position, that move must not. Those that come first have the way.
pub(super) fn stopped(intents: &[Intent]) -> Vec<usize> {
    let mut stays: Vec<bool> = intents.iter().map(|intent| intent.go.is_empty()).collect();
    let meets = meetings(intents);
    // Among movers that would meet, the first has the way.
    let mut found: Vec<usize> = Vec::new();
    for (index, met) in meets.iter().enumerate() {
        if !stays[index] && met.movers.iter().any(|other| *other < index && !stays[*other]) {
            stays[index] = true;
            found.push(index);
        }
    }
    // Whoever would run into one that stays, stays, until nothing changes.
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

/// Whom a mover would meet: by their moves, and by their staying.
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
        // Where two are in one place by leave, neither keeps the other from going.
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
    use super::*;
    use giveway_core::{CellId, Span, Tick};

    /// Agents on numbered places, a tick for every move: where each is, and where it is about to go.
    fn stopped_of(ways: &[(u32, Option<u32>)]) -> Vec<usize> {
        let rest = |place, from: Tick| Entry { cell: CellId(place), span: Span::from(from) };
        let intent = |(agent, (from, to)): (u32, &(u32, Option<u32>))| Intent {
            agent: AgentId(agent),
            stay: vec![rest(*from, 0)],
            go: to.map(|to| rest(to, 1)).into_iter().collect(),
        };
        stopped(&(0..).zip(ways).map(intent).collect::<Vec<_>>())
    }

    #[test]
    fn those_stay_who_would_run_into_somebody() {
        let row = |ways: &[(u32, Option<u32>)], expected: &[usize]| assert_eq!(stopped_of(ways), expected, "{ways:?}");
        row(&[(0, Some(1)), (1, Some(2)), (2, Some(3))], &[]);
        // A ring turns.
        row(&[(0, Some(1)), (1, Some(2)), (2, Some(0))], &[]);
        // The head of a queue stays, and so does whoever follows.
        row(&[(0, Some(1)), (1, Some(2)), (2, None)], &[0, 1]);
        // Two to one place: the first has the way, and who follows the other stays with it.
        row(&[(0, Some(1)), (2, Some(1)), (3, Some(2)), (4, Some(5))], &[1, 2]);
        // Who is stopped stops nobody else's way to where it does not go.
        row(&[(0, Some(1)), (2, Some(1)), (3, Some(1)), (4, Some(6))], &[1, 2]);
        // The first would have the way, but has none, so that nobody goes.
        row(&[(0, Some(1)), (1, None), (2, Some(1))], &[0, 2]);
    }

    #[test]
    fn those_who_are_together_may_part() {
        let both = |agent, go: Option<u32>| {
            let entry = |cell, span| Entry { cell: CellId(cell), span };
            let go = go.map(|to| vec![entry(7, Span::at(0)), entry(to, Span::from(0))]);
            Intent { agent: AgentId(agent), stay: vec![entry(7, Span::from(0))], go: go.unwrap_or_default() }
        };
        assert_eq!(stopped(&[both(0, Some(8)), both(1, None)]), []);
        assert_eq!(stopped(&[both(0, Some(8)), both(1, Some(6))]), []);
        // But not to the same place.
        assert_eq!(stopped(&[both(0, Some(8)), both(1, Some(8))]), [1]);
    }
}
