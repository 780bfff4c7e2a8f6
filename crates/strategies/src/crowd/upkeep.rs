//! Upkeep: distances keep up with a space that changes, and within the memory that they may take.

use giveway_core::{AgentId, Fuel, Goals, ReservationStore, Suspended, Ticks};
use rustc_hash::FxHashSet;

use super::member::Member;
use super::planning::Share;
use super::{ClassId, Crowd};

/// One part in so many of a budget goes into finding anew what an edit may have changed, before anybody plans. What is left when all
/// have planned goes there, too.
const PARTS: u64 = 4;

/// Who has known its way for so many steps, and come no nearer for as many, does not keep the memory of its distances from others.
const STUCK: Ticks = 32;

impl<R: ReservationStore> Crowd<'_, R> {
    /// Notes that the space of `class` has changed: agents plan anew, and lose plans that cannot be carried out any more.
    pub(super) fn note_edit(&mut self, class: ClassId) {
        let now = self.now;
        let of_class = self.members.iter().filter(|(_, member)| member.class == class);
        let agents: Vec<AgentId> = of_class.map(|(agent, _)| *agent).collect();
        for agent in agents {
            let is_kept = self.can_go_on(agent);
            let Some(member) = self.members.get_mut(&agent) else { continue };
            member.note_edit();
            if !is_kept {
                self.lose_plan(agent, now);
            } else if !member.is_at_ease() {
                member.due = member.due.or(Some(now));
            }
        }
        self.presence = None;
        self.classes_to_renew.insert(class);
    }

    /// Whether all that `agent` has planned, and what it rests on afterwards, is still there, and would take what is reserved.
    fn can_go_on(&self, agent: AgentId) -> bool {
        self.members.get(&agent).is_some_and(|member| {
            let class = &self.classes[member.class.0 as usize];
            let claim = member.claim_at_rest(agent);
            let mut entries = Vec::new();
            let mut can = |leg| {
                entries.clear();
                class.sweep(leg, &mut entries);
                class.allows(leg) && entries.iter().all(|entry| self.store.permits(entry, claim))
            };
            let (start, _) = member.free_at(self.now);
            let end = member.plan.ahead().last().map_or(start, |leg| leg.to);
            class.contains(end) && member.plan.ahead().iter().all(&mut can)
        })
    }

    /// Makes room for distances where there was none, at the expense of those of agents that are where they want to be, and of those that
    /// have known their way for long and come no nearer: who is in their way may be waiting for memory.
    pub(super) fn make_room(&mut self) {
        let long = STUCK.saturating_mul(self.ticks_per_step);
        let comes_on = |member: &Member| {
            let since = member.knows_since.map(|since| since.max(member.progress.since()));
            since.is_none_or(|since| self.now - since < long)
        };
        for class in std::mem::take(&mut self.classes_short_of_memory) {
            let of_class = self.members.values().filter(|member| member.class == class);
            let needs = of_class.filter(|member| !member.is_home() && comes_on(member));
            let needed: FxHashSet<&Goals> = needs.map(|member| &member.goals).collect();
            self.classes[class.0 as usize].keep_only(&mut |goals| needed.contains(goals));
        }
    }

    /// Lets distances of earlier maps be found anew before agents plan, for a part of the budget; how much that took.
    pub(super) fn renew_distances(&mut self, fuel: &mut Fuel) -> u64 {
        let before = fuel.left();
        if !self.classes_to_renew.is_empty() {
            Share::of(fuel, before / PARTS).spend(|fuel| self.renew_while_possible(fuel));
        }
        before - fuel.left()
    }

    /// Finds distances of earlier maps anew for as long as there is fuel: in each class those first that are the oldest. The class in which the
    /// fuel ends is the last one at the next time.
    pub(super) fn renew_while_possible(&mut self, fuel: &mut Fuel) {
        let after = |class: &ClassId| *class <= self.renewed_last;
        let mut classes: Vec<ClassId> = self.classes_to_renew.iter().copied().collect();
        classes.sort_by_key(|class| (after(class), *class));
        for class in classes {
            match self.renew_class(class, fuel) {
                Ok(()) => {
                    self.classes_to_renew.remove(&class);
                }
                Err(Suspended::OutOfMemory) => {
                    self.classes_short_of_memory.insert(class);
                }
                Err(Suspended::OutOfFuel) => {
                    self.renewed_last = class;
                    return;
                }
            }
        }
    }

    /// Finds the distances of `class` anew; those for which there is no memory are left as they are.
    fn renew_class(&mut self, class: ClassId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let space = &mut self.classes[class.0 as usize];
        let present = space.revision();
        let away = self.members.iter().filter(|(_, member)| member.class == class && !member.is_home());
        let revised = away.map(|(agent, member)| (space.revision_of(&member.goals), *agent, member));
        let mut old: Vec<(u64, AgentId, &Member)> = revised.filter(|(revision, ..)| *revision != present).collect();
        old.sort_unstable_by_key(|(revision, agent, _)| (*revision, *agent));
        let mut outcome = Ok(());
        for (.., member) in old {
            let (node, _) = member.free_at(self.now);
            match space.renew(&member.goals, node, fuel) {
                Err(Suspended::OutOfMemory) => outcome = Err(Suspended::OutOfMemory),
                other => other?,
            }
        }
        outcome
    }
}
