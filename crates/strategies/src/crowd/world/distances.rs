//! Distances: how they keep up with a space that changes, and within the memory that they may take.

use giveway_core::{AgentId, Fuel, Goals, ReservationStore, Suspended, Ticks};
use rustc_hash::FxHashSet;

use super::World;
use crate::crowd::ClassId;
use crate::crowd::budget::{Work, burn_part};
use crate::crowd::clock::Clock;
use crate::crowd::roster::{Member, Roster};

/// One part in so many of a budget goes into finding anew what an edit may have changed, before anybody plans. What is left when all
/// have planned goes there, too.
const PARTS: u64 = 4;

/// Who has known its way for so many steps, and come no nearer for as many, does not keep the memory of its distances from others.
const STUCK: Ticks = 32;

impl<R: ReservationStore> World<'_, R> {
    /// How far `member` has to go from where it is, if that is known by now: what is not is no reason to search.
    pub(in crate::crowd) fn known_distance(&mut self, member: &Member) -> Option<f64> {
        self[member.class].distance(&member.goals, member.node, &mut Fuel::none()).ok()
    }

    /// Finds out how far `member` has to go, if that is not known yet, and notes since when it is.
    pub(in crate::crowd) fn find_distance(
        &mut self,
        member: &mut Member,
        clock: Clock,
        work: &mut Work,
    ) -> Result<(), Suspended> {
        let class = &mut *self.classes[member.class.0 as usize];
        let (start, _) = member.free_at(clock.now);
        // Goals that nobody had at the last edit. Where fuel or memory are short the agent goes by what there is, as the class is to be renewed.
        if class.revision_of(&member.goals) != class.revision() && !self.to_renew.contains(&member.class) {
            self.to_renew.insert(member.class);
            let _ = work.find_way(|fuel| class.renew(&member.goals, start, fuel));
        }
        let known = work.find_way(|fuel| class.distance(&member.goals, start, fuel)).map(drop);
        member.knows_since = known.is_ok().then(|| member.knows_since.unwrap_or(clock.now));
        known
    }

    /// Distances of `class` may be those of an earlier map.
    pub(in crate::crowd) fn note_edit(&mut self, class: ClassId) {
        self.to_renew.insert(class);
    }

    /// Some agent of `class` could not find its way for want of memory.
    pub(in crate::crowd) fn note_lack_of_memory(&mut self, class: ClassId) {
        self.short_of_memory.insert(class);
    }

    /// Makes room for distances where there was none, at the expense of those of agents that are where they want to be, and of those that
    /// have known their way for long and come no nearer: who is in their way may be waiting for memory.
    pub(in crate::crowd) fn make_room(&mut self, roster: &Roster, clock: Clock) {
        let long = clock.ticks(STUCK);
        let comes_on = |member: &Member| {
            let since = member.knows_since.map(|since| since.max(member.approach.since()));
            since.is_none_or(|since| clock.now - since < long)
        };
        for class in std::mem::take(&mut self.short_of_memory) {
            let of_class = roster.members().filter(|member| member.class == class);
            let needs = of_class.filter(|member| !member.is_home() && comes_on(member));
            let needed: FxHashSet<&Goals> = needs.map(|member| &member.goals).collect();
            self[class].keep_only(&mut |goals| needed.contains(goals));
        }
    }

    /// Lets distances of earlier maps be found anew before agents plan, for a part of the budget; how much that took.
    pub(in crate::crowd) fn renew_some(&mut self, roster: &Roster, clock: Clock, fuel: &mut Fuel) -> u64 {
        if self.to_renew.is_empty() {
            return 0;
        }
        let part = fuel.left() / PARTS;
        burn_part(fuel, part, |fuel| self.renew_while_possible(roster, clock, fuel)).1
    }

    /// Finds distances of earlier maps anew for as long as there is fuel: in each class those first that are the oldest. The class in which the
    /// fuel ends is the last one at the next time.
    pub(in crate::crowd) fn renew_while_possible(&mut self, roster: &Roster, clock: Clock, fuel: &mut Fuel) {
        let after = |class: &ClassId| *class <= self.renewed_last;
        let mut classes: Vec<ClassId> = self.to_renew.iter().copied().collect();
        classes.sort_by_key(|class| (after(class), *class));
        for class in classes {
            match self.renew(class, roster, clock, fuel) {
                Ok(()) => {
                    self.to_renew.remove(&class);
                }
                Err(Suspended::OutOfMemory) => {
                    self.short_of_memory.insert(class);
                }
                Err(Suspended::OutOfFuel) => {
                    self.renewed_last = class;
                    return;
                }
            }
        }
    }

    /// Finds the distances of `class` anew; those for which there is no memory are left as they are.
    fn renew(&mut self, class: ClassId, roster: &Roster, clock: Clock, fuel: &mut Fuel) -> Result<(), Suspended> {
        let space = &mut self[class];
        let present = space.revision();
        let away = roster.members().filter(|member| member.class == class && !member.is_home());
        let revised = away.map(|member| (space.revision_of(&member.goals), member.id, member));
        let mut old: Vec<(u64, AgentId, &Member)> = revised.filter(|(revision, ..)| *revision != present).collect();
        old.sort_unstable_by_key(|(revision, agent, _)| (*revision, *agent));
        let mut outcome = Ok(());
        for (.., member) in old {
            let (node, _) = member.free_at(clock.now);
            match space.renew(&member.goals, node, fuel) {
                Err(Suspended::OutOfMemory) => outcome = Err(Suspended::OutOfMemory),
                other => other?,
            }
        }
        outcome
    }
}
