//! Chains: by which strategy each agent of a crowd plans, and which takes over when that gets it nowhere.

use giveway_core::{AgentId, ReservationStore};

use super::local_repair::Lra;
use super::{ClassId, Crowd, CrowdError};

/// One way to plan an agent of a crowd.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Link {
    /// WHCA*: a window ahead, around all that others have reserved; see [`Whca`](super::Whca).
    Windowed,
    /// LRA*: the whole way as if alone, and around those next to it when they stand in the way; or [part of the way](Lra::routing) at a time,
    /// and around those [within sight](Lra::radius); see [`Lra`].
    LocalRepair(Lra),
    /// PIBT: one step at a time, and whoever stands in the way is pushed on, and whoever is in its way in turn. For units of any size and
    /// speed; motions under way are not turned back. In open places, where everybody can go round somebody else, the one that ranks highest comes nearer
    /// with every step; in dead ends it need not.
    Push,
    /// Together with those around, at most 16, of the same time for every move: one after the other to the end, in several orders, or else in
    /// all their configurations (LaCAM). Until all are there, or the first is 8 steps nearer if that is far, they follow that plan.
    Joint,
}

/// The strategies by which an agent plans: one, and those that take over, one after the other, when it comes no nearer to its goal.
///
/// What counts are the steps for which the agent has not come nearer to its goal than it ever was since it set out: since it was told
/// to go there, or last stood there for long, which is 96 steps. A step lasts [as many ticks](super::Crowd::ticks_per_step) as for the whole
/// crowd. Whenever the agent comes nearer by its first link they count from 0 again; if another one has taken over, when
/// that one's time is up.
///
/// Each link takes over when the one before has planned the agent for so many steps in vain. The last one has as many steps as the
/// one before it had; then it is the first one's turn again, and so on.
///
/// Who has moves left to make that another link has planned makes them first, as long as that plan holds; so an agent that makes
/// way for somebody, or has come nearer by the first step of a longer plan, does so to the end.
///
/// ```
/// use giveway_strategies::{Chain, Link, Lra};
///
/// let repair = Link::LocalRepair(Lra::new(7));
/// let chain = Chain::of(repair).then(Link::Windowed, 20);
/// assert_eq!([0, 19, 20, 39, 40].map(|steps| chain.serving(steps)), [repair, repair, Link::Windowed, Link::Windowed, repair]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    first: Link,
    /// Those that take over, and after how many steps.
    others: Vec<(Link, u32)>,
}

impl Default for Chain {
    /// [`Link::Windowed`], then [`Link::Push`] and [`Link::Joint`] after 24 steps each.
    fn default() -> Self {
        Self::of(Link::Windowed).then(Link::Push, 24).then(Link::Joint, 24)
    }
}

impl From<Link> for Chain {
    fn from(link: Link) -> Self {
        Self::of(link)
    }
}

impl Chain {
    /// `first` alone.
    pub fn of(first: Link) -> Self {
        Self { first, others: Vec::new() }
    }

    /// The same, where `link` takes over when the last one so far has planned the agent for `after` steps, and it has not come nearer; 0 is
    /// taken for 1.
    #[must_use]
    pub fn then(mut self, link: Link, after: u32) -> Self {
        self.others.push((link, after.max(1)));
        self
    }

    /// The links, and after how many steps of the one before each takes over; the first after 0.
    pub fn links(&self) -> impl Iterator<Item = (Link, u32)> {
        std::iter::once((self.first, 0)).chain(self.others.iter().copied())
    }

    /// Which link plans an agent that has not come nearer for `steps` steps.
    pub fn serving(&self, steps: u32) -> Link {
        self.link(self.turn(steps).0)
    }

    /// The link at `position`; the first one beyond the end.
    pub(super) fn link(&self, position: usize) -> Link {
        position.checked_sub(1).and_then(|other| self.others.get(other)).map_or(self.first, |(link, _)| *link)
    }

    /// The position of the link whose turn it is after so many steps, and for how many steps it has been.
    pub(super) fn turn(&self, steps: u32) -> (usize, u64) {
        let last = self.others.last().map_or(0, |(_, after)| u64::from(*after));
        let round = self.others.iter().map(|(_, after)| u64::from(*after)).sum::<u64>() + last;
        let mut left = u64::from(steps).checked_rem(round).unwrap_or(0);
        let mut serving = 0;
        for (_, after) in &self.others {
            match left.checked_sub(u64::from(*after)) {
                Some(less) => (serving, left) = (serving + 1, less),
                None => break,
            }
        }
        (serving, left)
    }

    /// Whether an agent can be told to make way for others: all can, but for those that have no link but
    /// [`Link::LocalRepair`].
    pub(super) fn makes_way(&self) -> bool {
        self.links().any(|(link, _)| !matches!(link, Link::LocalRepair(_)))
    }
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// By which strategies `agent` plans: as it was [told](Self::set_chain), else as its [class](super::Class::chain) does, else as the
    /// [crowd](super::Whca::chain) does. `None`: there is no such agent.
    pub fn chain(&self, agent: AgentId) -> Option<&Chain> {
        Some(&self.members.get(&agent)?.chain)
    }

    /// Lets `agent` plan by `chain` from now on, in whatever class it is. It loses its plan and plans anew at the next tick, beginning with
    /// the first link; a move that it is making ends as it began.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn set_chain(&mut self, agent: AgentId, chain: impl Into<Chain>) -> Result<(), CrowdError> {
        let now = self.now;
        let member = self.members.get_mut(&agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        (member.chain, member.own_chain) = (chain.into(), true);
        member.set_out(now);
        self.lose_plan(agent, now);
        Ok(())
    }

    /// By which chain the units of `class` plan.
    pub(super) fn chain_of(&self, class: ClassId) -> Chain {
        self.classes[class.0 as usize].chain().unwrap_or(&self.whca.chain).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPAIR: Link = Link::LocalRepair(Lra::new(0));

    /// Who serves at each step from 0 on, a letter each.
    fn row(chain: &Chain, steps: u32) -> String {
        let letter = |link| match link {
            Link::Windowed => 'W',
            Link::LocalRepair(_) => 'L',
            Link::Push => 'P',
            Link::Joint => 'J',
        };
        (0..steps).map(|steps| letter(chain.serving(steps))).collect()
    }

    #[test]
    fn links_take_turns_and_the_round_begins_again() {
        let windowed = || Chain::of(Link::Windowed);
        assert_eq!(row(&windowed(), 5), "WWWWW", "alone");
        assert_eq!(row(&windowed().then(REPAIR, 3), 14), "WWWLLLWWWLLLWW");
        assert_eq!(row(&windowed().then(REPAIR, 1).then(Link::Joint, 3), 15), "WLLLJJJWLLLJJJW");
        assert_eq!(row(&windowed().then(REPAIR, 3).then(Link::Joint, 1), 12), "WWWLJWWWLJWW");
        assert_eq!(row(&windowed().then(REPAIR, 2).then(Link::Windowed, 2).then(Link::Push, 1), 12), "WWLLWPWWLLWP");
    }

    #[test]
    fn every_link_has_its_turn() {
        assert_eq!(row(&Chain::of(REPAIR).then(Link::Windowed, 0), 5), "LWLWL", "no steps are taken for one");
        assert_eq!(row(&Chain::of(REPAIR).then(Link::Windowed, 2).then(Link::Joint, 0), 9), "LLWJLLWJL");
    }

    #[test]
    fn long_patience_does_not_overflow() {
        let chain = Chain::of(REPAIR).then(Link::Windowed, u32::MAX).then(Link::Push, u32::MAX);
        assert_eq!((chain.serving(u32::MAX - 1), chain.serving(u32::MAX)), (REPAIR, Link::Windowed));
    }

    #[test]
    fn links_are_told_with_their_patience() {
        let chain = Chain::from(Link::Windowed).then(REPAIR, 4);
        assert_eq!(chain.links().collect::<Vec<_>>(), [(Link::Windowed, 0), (REPAIR, 4)]);
        let default: Vec<Link> = Chain::default().links().map(|(link, _)| link).collect();
        assert_eq!(default, [Link::Windowed, Link::Push, Link::Joint]);
    }
}
