//! Exchanges: two units that face each other get past each other. One unit goes back, and the other unit follows.
//!
//! Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding", IJCAI 2023, section 4.

use giveway_core::ConflictRule;

use super::choices::OptionId;
use super::field::Field;
use super::generator::Turn;
use super::moves::{NONE, PlaceId};
use super::spots::SpotsKnown;

/// The number of steps within which a third way is looked for.
const LONGEST_CORRIDOR: usize = 1000;

impl<F: Field, K: SpotsKnown> Turn<'_, F, K> {
    /// The unit with which `unit` has to exchange places, and can; `NONE`: there is none. `best`: the option that
    /// `unit` likes best.
    ///
    /// `unit` then goes away from its goal, to where a third way begins.
    pub(super) fn exchange(&mut self, unit: u32, best: Option<OptionId>) -> u32 {
        if self.field.rule() != ConflictRule::Swap {
            return NONE;
        }
        let Some(best) = best else { return NONE };
        let (here, there) = (self.choices.at(self.spots[unit as usize]).place, self.choices.option(best).place);
        if here == there {
            return NONE;
        }
        let ahead = self.occupant(there);
        if ahead != NONE
            && ahead != unit
            && !self.is_done(ahead)
            && self.must_exchange(unit, ahead, [here, there])
            && self.can_exchange([there, here])
        {
            return ahead;
        }
        // A neighbour that wants to go where `unit` is, and has to exchange places with it there.
        for choice in self.choices.moves.of(self.field, here).skip(1) {
            let beside = self.choices.moves.end(choice);
            let pusher = self.occupant(beside);
            if pusher != NONE
                && pusher != unit
                && beside != there
                && self.must_exchange(pusher, unit, [here, there])
                && self.can_exchange([there, here])
            {
                return pusher;
            }
        }
        NONE
    }

    /// The places to which a unit at `place` can go on, not counting `from`, and dead ends whose occupant is at home:
    /// how many, and the last of them.
    fn ways_on(&mut self, place: PlaceId, from: PlaceId) -> (usize, PlaceId) {
        let (mut count, mut last) = (0, NONE);
        for choice in self.choices.moves.of(self.field, place).skip(1) {
            let to = self.choices.moves.end(choice);
            if to == from || to == place {
                continue;
            }
            let occupant = self.occupant(to);
            let is_home = occupant != NONE && self.choices.at(self.spots[occupant as usize]).is_goal;
            if is_home && self.choices.moves.of(self.field, to).len() == 2 {
                continue;
            }
            (count, last) = (count + 1, to);
        }
        (count, last)
    }

    /// Whether `pusher` gets past `puller` only by an exchange of places, where it drives `puller` before it, which
    /// wants to come back.
    fn must_exchange(&mut self, pusher: u32, puller: u32, [mut behind, mut ahead]: [PlaceId; 2]) -> bool {
        loop {
            let (ways, on) = self.ways_on(ahead, behind);
            // Mostly there is a third way, so this comes before all questions that take longer.
            if ways > 1 && self.choices.distance(self.field, pusher, behind) != Some(0) {
                return false;
            }
            let nears = self.nears(pusher, [behind, ahead]);
            match ways {
                1 if nears => (behind, ahead) = (ahead, on),
                2.. if nears => return false,
                _ => {
                    let drives = nears || self.choices.distance(self.field, pusher, behind) == Some(0);
                    return drives && self.nears(puller, [ahead, behind]);
                }
            }
        }
    }

    /// Whether `unit` comes nearer to its goals from one place to another.
    fn nears(&mut self, unit: u32, [from, to]: [PlaceId; 2]) -> bool {
        let [from, to] = [from, to].map(|place| self.choices.distance(self.field, unit, place));
        from.zip(to).is_some_and(|(from, to)| to < from)
    }

    /// Whether two units can exchange places where the one in front goes back from `ahead`, and the other follows:
    /// there is a third way somewhere.
    fn can_exchange(&mut self, [origin, back]: [PlaceId; 2]) -> bool {
        let (mut behind, mut ahead) = (origin, back);
        for _ in 0..LONGEST_CORRIDOR {
            match self.ways_on(ahead, behind) {
                _ if ahead == origin => return false,
                (0, _) => return false,
                (1, on) => (behind, ahead) = (ahead, on),
                _ => return true,
            }
        }
        false
    }
}
