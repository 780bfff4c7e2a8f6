//! Chains: by which planner each agent of a crowd plans, and to which planner it falls back.

mod lra;
mod planner;
mod written;

pub use lra::Lra;
pub use planner::{Planner, Served};

pub use planner::Kind;
pub use written::{read_routing, write_routing};

/// The planners of an agent: a first planner, and fallbacks. While the agent comes no nearer to its goal, the fallbacks
/// take over one after the other.
///
/// A count of steps decides which planner serves. The count starts at 0 when the agent gets an order, and again when
/// the agent has stood on its goal for 96 steps. Each step adds one; a step is
/// `Crowd::ticks_per_step` ticks. The agent *comes nearer* when it is nearer to its goal than
/// ever before since the count last started.
///
/// * While the first planner serves, the count returns to 0 whenever the agent comes nearer, and stands still while the
///   agent waits for work or memory: see `Report::postponed`.
/// * While a fallback serves, the count goes on. If the agent has come nearer by the end of the fallback's turn, the
///   count returns to 0, and the first planner serves again.
/// * If the moves of an agent do not all take equally long, the [step planner](Planner::Step) serves the agent in the
///   turn of [LaCAM](Planner::Lacam). LaCAM has no such turn if LaCAM is a fallback and the class of the agent has a
///   step of its own (`Class::step`).
/// * A [fallback](Self::fallback) takes over when the planner before it has served for `after` steps. The last fallback
///   serves for as many steps as its own `after` says. Then the first planner serves again, and the round repeats.
///
/// When a planner takes over, the agent first finishes its present plan, as long as this plan holds. So a change of
/// planners interrupts neither a plan that makes way for another agent, nor a plan whose first step has brought the
/// agent nearer.
///
/// ```
/// # use giveway_members::{Chain, Lra, Planner};
///
/// let repair = Planner::LocalRepair(Lra::new(7));
/// let chain = Chain::new(repair).fallback(Planner::Windowed, 20);
/// let serving = [0, 19, 20, 39, 40].map(|steps| chain.serving(steps));
/// assert_eq!(serving, [repair, repair, Planner::Windowed, Planner::Windowed, repair]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chain {
    first: Planner,
    /// The fallbacks, and the number of steps after which each takes over.
    fallbacks: Vec<(Planner, u32)>,
    steps: Steps,
}

/// When the step planner serves the agent beside the planners of the chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
enum Steps {
    Never,
    /// In place of them, while the budget is short.
    WhenShort,
    /// Where all of them have left it without a plan.
    Always,
}

impl Default for Chain {
    /// [`Planner::Windowed`], then [`Planner::Lacam`] after 24 steps, then [`Planner::Step`] after 24 more steps; and
    /// [steps while the budget is short](Self::with_steps_when_short).
    fn default() -> Self {
        let chain = Self::new(Planner::Windowed).fallback(Planner::Lacam, 24).fallback(Planner::Step, 24);
        chain.with_steps_when_short()
    }
}

impl From<Planner> for Chain {
    fn from(planner: Planner) -> Self {
        Self::new(planner)
    }
}

impl From<Lra> for Chain {
    fn from(repair: Lra) -> Self {
        Self::new(Planner::LocalRepair(repair))
    }
}

impl Chain {
    /// A chain of `first` alone, without fallbacks.
    pub fn new(first: Planner) -> Self {
        Self { first, fallbacks: Vec::new(), steps: Steps::Never }
    }

    /// A chain for units that follow a direction map: first routes around agents within sight ([`Lra`] with a radius of
    /// five steps), then windows, PIBT and LaCAM. A detour along a lane is no reason to give up a route, so each
    /// fallback waits for 24 steps. `seed` decides the noise of the routes.
    pub fn followers(seed: u64) -> Self {
        const SIGHT: u32 = 5000;
        const PATIENCE: u32 = 24;
        Self::from(Lra::new(seed).radius(SIGHT))
            .fallback(Planner::Windowed, PATIENCE)
            .fallback(Planner::Pibt, PATIENCE)
            .fallback(Planner::Lacam, PATIENCE)
    }

    /// Adds single steps to the chain. If the planners of the chain leave the agent without a plan at a tick, because
    /// they found no plan or the budget is used up, the [step planner](Planner::Step) gives the agent the best step
    /// that is possible.
    ///
    /// The agent plans by its chain again when its turn comes. Up to half of the budget of a tick is kept for these
    /// steps.
    #[must_use]
    pub fn with_steps(mut self) -> Self {
        self.steps = Steps::Always;
        self
    }

    /// While the budget is short, the [step planner](Planner::Step) serves the agent, whichever planner has its turn.
    /// The agent first carries out the plan that it has. With enough budget this setting has an effect only in some
    /// [jams](Planner::Lacam). If an agent makes no progress for 256 steps, the planners of its chain serve the agent
    /// again until it makes progress: until it comes nearer to its goal than ever before. In a crowd of more than 64
    /// agents it goes on with steps while orders keep coming: lately one agent in 32 got another order after it had
    /// carried out one. If a tick has 320 units of work for each agent or less, and all agents occupy one cell, such an
    /// agent has the turns of its chain for 16 steps after every 256 steps without progress.
    ///
    /// The budget becomes short at a tick at which two conditions hold:
    /// * at least eight agents, and at least a quarter of all agents, know their way and are
    ///   postponed (`Report::postponed`) for want of budget;
    /// * in the last eight steps or so, searches for windows took more than 96 units of work for each window that they
    ///   found.
    ///
    /// The budget also becomes short at a tick at which all of these hold:
    /// * at least half of all agents, and at least eight, are postponed for want of budget, and would wait for windows
    ///   for more than eight steps, if each tick finds as many as this one;
    /// * in the last eight steps or so, searches for windows took more than 48 units of work for each window that they
    ///   found, and found 96 windows, and one for each eight agents;
    /// * all agents that are postponed would take plain steps, and plain steps would serve more of them with the work.
    ///
    /// The budget is then short for 64 steps. If the next shortage begins within 64 steps after the end of this one, it
    /// lasts 128 steps. In this way each shortage that soon follows another lasts twice as long, up to 512 steps. The
    /// budget also counts as short in some [jams](Planner::Lacam). After a shortage, agents plan by their chains again:
    /// where a tick has more than 320 units for each agent, one after the other, within 16 steps.
    ///
    /// While the budget is short, the step planner serves agents whose moves all take equally long. It serves all other
    /// agents, too, if no agent of the crowd has a move of two plain steps or more, or if the budget had 40 to 1,000
    /// units for each agent when it became short.
    #[must_use]
    pub fn with_steps_when_short(mut self) -> Self {
        self.steps = Steps::WhenShort;
        self
    }

    /// Whether the chain was made [with steps](Self::with_steps).
    #[inline]
    pub fn has_steps(&self) -> bool {
        self.steps == Steps::Always
    }

    /// Whether the step planner serves the agent while the budget is short.
    #[doc(hidden)]
    #[inline]
    pub fn has_steps_when_short(&self) -> bool {
        self.steps == Steps::WhenShort
    }

    /// Adds a fallback: `planner` takes over when the planner before it has served for `after` steps and the agent has
    /// come no nearer. An `after` of 0 counts as 1.
    #[must_use]
    pub fn fallback(mut self, planner: Planner, after: u32) -> Self {
        self.fallbacks.push((planner, after.max(1)));
        self
    }

    /// The planners, in order. The number beside a planner is the number of steps after which this planner takes over
    /// from the planner before it; the first planner has 0.
    pub fn planners(&self) -> impl Iterator<Item = (Planner, u32)> {
        std::iter::once((self.first, 0)).chain(self.fallbacks.iter().copied())
    }

    /// The planner of an agent that has come no nearer to its goal for `steps` steps.
    #[inline]
    pub fn serving(&self, steps: u32) -> Planner {
        self.at(self.turn(steps, true).0)
    }

    /// The planner at `position`; beyond the end, the first planner.
    #[doc(hidden)]
    #[inline]
    pub fn at(&self, position: usize) -> Planner {
        position.checked_sub(1).and_then(|other| self.fallbacks.get(other)).map_or(self.first, |(planner, _)| *planner)
    }

    /// The kind of the planner at `position`; beyond the end, of the first planner.
    #[doc(hidden)]
    #[inline]
    pub fn kind_at(&self, position: usize) -> Kind {
        self.at(position).into()
    }

    /// The position of the planner that serves after `steps` steps, and how many steps it has served so far. Without
    /// `has_joint_turn`, LaCAM has no turn as a fallback.
    #[doc(hidden)]
    pub fn turn(&self, steps: u32, has_joint_turn: bool) -> (usize, u64) {
        // Nearly always the first planner serves, for the first time.
        if self.fallbacks.first().is_some_and(|(_, after)| steps < *after) {
            return (0, u64::from(steps));
        }
        let mut left = u64::from(steps).checked_rem(self.round(has_joint_turn)).unwrap_or(0);
        let mut serving = 0;
        for (position, (_, after)) in self.turns(has_joint_turn) {
            match left.checked_sub(u64::from(*after)) {
                Some(less) => (serving, left) = (position, less),
                None => break,
            }
        }
        (serving, left)
    }

    /// How often all planners have served by `steps` steps, LaCAM among them; 0 without fallbacks.
    #[doc(hidden)]
    #[inline]
    pub fn rounds(&self, steps: u32) -> u64 {
        u64::from(steps).checked_div(self.round(true)).unwrap_or(0)
    }

    /// The steps of a round of all planners; 0: there are no fallbacks.
    #[inline]
    fn round(&self, has_joint_turn: bool) -> u64 {
        let patience = |(_, (_, after)): (usize, &(Planner, u32))| u64::from(*after);
        let last = self.turns(has_joint_turn).last().map_or(0, patience);
        self.turns(has_joint_turn).map(patience).sum::<u64>() + last
    }

    /// The fallbacks that have turns, each with its position in the chain.
    #[inline]
    fn turns(&self, has_joint_turn: bool) -> impl Iterator<Item = (usize, &(Planner, u32))> {
        let has_turn = move |(_, (planner, _)): &(usize, &(Planner, u32))| has_joint_turn || *planner != Planner::Lacam;
        (1..).zip(&self.fallbacks).filter(has_turn)
    }

    /// Whether an agent can be told to make way for others: by at least one of its planners.
    #[doc(hidden)]
    #[inline]
    pub fn makes_way(&self) -> bool {
        self.planners().any(|(planner, _)| planner.makes_way())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPAIR: Planner = Planner::LocalRepair(Lra::new(0));

    /// The planner that serves at each step from 0 on, one letter each.
    fn row(chain: &Chain, steps: u32) -> String {
        let letters = [(Planner::Windowed, 'W'), (REPAIR, 'L'), (Planner::Pibt, 'P'), (Planner::Lacam, 'J')];
        let letter = |planner| letters.iter().find(|(known, _)| *known == planner).map_or('?', |(_, letter)| *letter);
        (0..steps).map(|steps| letter(chain.serving(steps))).collect()
    }

    #[test]
    fn fallbacks_take_turns_and_the_round_begins_again() {
        let windowed = || Chain::new(Planner::Windowed);
        assert_eq!(row(&windowed(), 5), "WWWWW", "alone");
        assert_eq!(row(&windowed().fallback(REPAIR, 3), 14), "WWWLLLWWWLLLWW");
        assert_eq!(row(&windowed().fallback(REPAIR, 1).fallback(Planner::Lacam, 3), 15), "WLLLJJJWLLLJJJW");
        assert_eq!(row(&windowed().fallback(REPAIR, 3).fallback(Planner::Lacam, 1), 12), "WWWLJWWWLJWW");
        assert_eq!(
            row(&windowed().fallback(REPAIR, 2).fallback(Planner::Windowed, 2).fallback(Planner::Pibt, 1), 12),
            "WWLLWPWWLLWP"
        );
    }

    #[test]
    fn every_planner_has_its_turn() {
        assert_eq!(row(&Chain::new(REPAIR).fallback(Planner::Windowed, 0), 5), "LWLWL", "no steps are taken for one");
        let chain = Chain::new(REPAIR).fallback(Planner::Windowed, 5).fallback(Planner::Pibt, 10);
        assert_eq!([0, 24, 25, 49, 50].map(|steps| chain.rounds(steps)), [0, 0, 1, 1, 2]);
        assert_eq!(Chain::new(REPAIR).rounds(u32::MAX), 0, "alone, nobody begins again");
        assert_eq!(row(&Chain::new(REPAIR).fallback(Planner::Windowed, 2).fallback(Planner::Lacam, 0), 9), "LLWJLLWJL");
    }

    #[test]
    fn the_turn_of_lacam_can_be_left_out() {
        let turns = |chain: Chain| (0..9).map(|steps| chain.turn(steps, false).0).collect::<Vec<_>>();
        let windowed = Chain::new(Planner::Windowed).fallback(Planner::Lacam, 2);
        assert_eq!(turns(windowed.clone()), [0; 9]);
        assert_eq!(turns(windowed.clone().fallback(Planner::Step, 3)), [0, 0, 0, 2, 2, 2, 0, 0, 0]);
        assert_eq!(
            turns(Chain::new(Planner::Windowed).fallback(REPAIR, 1).fallback(Planner::Lacam, 2)),
            [0, 1, 0, 1, 0, 1, 0, 1, 0]
        );
    }

    #[test]
    fn long_patience_does_not_overflow() {
        let chain = Chain::new(REPAIR).fallback(Planner::Windowed, u32::MAX).fallback(Planner::Pibt, u32::MAX);
        assert_eq!((chain.serving(u32::MAX - 1), chain.serving(u32::MAX)), (REPAIR, Planner::Windowed));
    }

    #[test]
    fn planners_are_told_with_their_patience() {
        let chain = Chain::from(Planner::Windowed).fallback(REPAIR, 4);
        assert_eq!(chain.planners().collect::<Vec<_>>(), [(Planner::Windowed, 0), (REPAIR, 4)]);
        let default: Vec<Planner> = Chain::default().planners().map(|(planner, _)| planner).collect();
        assert_eq!(default, [Planner::Windowed, Planner::Lacam, Planner::Step]);
    }
}
