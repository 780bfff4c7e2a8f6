//! Distances: how they keep up with a space that changes, and within their memory bound.

use giveway_core::{AgentId, Fuel, Goals, NodeId, Suspended, Ticks};
use rustc_hash::FxHashSet;

use super::classes::World;
use crate::class_id::ClassId;
use crate::clock::Clock;
use crate::roster::{Member, Roster};
use crate::work::{Work, burn_part};

/// Before any agent plans, this part of the budget goes into distances that an edit may have changed. The budget left
/// after planning goes there, too.
const PARTS: u64 = 4;

/// The number of agents whose distances are checked for their age in the time of a unit of work.
const LOOKED_AT_ONCE: usize = 2;

/// An agent that has known its way for this many steps, and has come no nearer for this many steps, gives up the memory
/// of its distances to others.
const STUCK: Ticks = 32;

/// An agent that has stood in one place for so many steps needs a better estimate more than the ones that go.
pub const STANDS: Ticks = 2;

impl World<'_> {
    /// The distance of `member` to its goals, if it is known by now. An unknown distance is no reason to search.
    #[inline]
    pub fn known_distance(&mut self, member: &Member) -> Option<f64> {
        self[member.class()].distance(member.order.goals(), member.motion.node(), &mut Fuel::none()).ok()
    }

    /// Reads what the distance from `node` to the goals of `member` needs from memory. The answer means nothing.
    #[inline]
    pub fn touch(&self, member: &Member, node: NodeId) -> bool {
        self[member.class()].touch(member.order.goals(), node)
    }

    /// Finds the distance from where `member` is free to go to its goals, unless it is known, and notes since when it is
    /// known.
    #[inline]
    pub fn find_distance(&mut self, member: &mut Member, clock: Clock, work: &mut Work) -> Result<f64, Suspended> {
        let class = &mut *self.classes[member.class().0 as usize];
        let (start, _) = member.motion.free_at(clock.now);
        // No agent had these goals at the last edit. If fuel or memory is short, the agent uses old distances; the
        // class is to be renewed.
        if class.revision_of(member.order.goals()) != class.revision() && !self.to_renew.contains(&member.class()) {
            self.to_renew.insert(member.class());
            let _ = work.find_way(|fuel| class.renew(member.order.goals(), start, fuel));
        }
        let known = work.find_way(|fuel| class.distance(member.order.goals(), start, fuel));
        member.turn.note_way(known.is_ok(), clock.now);
        member.approach.note_epoch(class.epoch(member.order.goals(), start), clock.now);
        known
    }

    /// Notes that the space of `class` has changed: distances may belong to an earlier map.
    #[inline]
    pub fn note_edit(&mut self, class: ClassId) {
        self.to_renew.insert(class);
        self.longest_moves[class.0 as usize] = 0;
    }

    /// Notes that an agent of `class` gets `goals`.
    #[inline]
    pub fn seek(&mut self, class: ClassId, goals: &Goals) {
        if let Some(sought) = self.sought.get_mut(class.0 as usize).filter(|_| !goals.nodes().is_empty()) {
            *sought.entry(goals.clone()).or_default() += 1;
        }
    }

    /// Notes that an agent of `class` no longer has `goals`. If it was the last one, their distances may be given up.
    #[inline]
    pub fn stop_seeking(&mut self, class: ClassId, goals: &Goals) {
        let Some(sought) = self.sought.get_mut(class.0 as usize) else { return };
        let Some(count) = sought.get_mut(goals) else { return };
        *count -= 1;
        if *count == 0 {
            sought.remove(goals);
            self[class].release(goals);
        }
    }

    /// Notes that an agent of `class` could not find its way for want of memory.
    #[inline]
    pub fn note_lack_of_memory(&mut self, class: ClassId) {
        self.short_of_memory.insert(class);
    }

    /// Tells the heuristics of all classes that a tick begins, which has `work` units of work. No class
    /// has a part of its own: one class with many new ways to find would wait for the others.
    #[inline]
    pub fn begin_tick(&mut self, work: u64) {
        self.classes.iter_mut().for_each(|class| class.begin_tick(work));
    }

    /// Lets the heuristics of all classes use the fuel that is left at the end of a tick for agents that go by rough
    /// estimates: first the ones that stand.
    #[inline]
    pub fn end_tick(&mut self, roster: &Roster, clock: Clock, fuel: &mut Fuel) {
        for class in self.ids() {
            let is_rough = |member: &Member| member.class() == class && member.approach.is_rough() && !member.is_home();
            let those = |stand: bool| {
                let rough = roster.members().filter(move |member| is_rough(member));
                rough.filter(move |member| member.stands_for(STANDS, clock) == stand)
            };
            let mut asks = those(true)
                .chain(those(false))
                .map(|member| (member.order.goals(), member.motion.free_at(clock.now).0));
            self[class].end_tick(&mut asks, fuel);
        }
    }

    /// Makes room for distances where memory was short. Agents at their goals lose their distances. So do agents that
    /// have known their way for long and come no nearer: the agents in their way may be waiting for memory.
    #[inline]
    pub fn make_room(&mut self, roster: &Roster, clock: Clock) {
        let long = clock.ticks(STUCK);
        let comes_on = |member: &Member| {
            let since = member.turn.knows_since().map(|since| since.max(member.approach.since()));
            since.is_none_or(|since| clock.now - since < long)
        };
        for class in std::mem::take(&mut self.short_of_memory) {
            let of_class = roster.members().filter(|member| member.class() == class);
            let needs = of_class.filter(|member| !member.is_home() && comes_on(member));
            let needed: FxHashSet<&Goals> = needs.map(|member| member.order.goals()).collect();
            self[class].keep_only(&mut |goals| needed.contains(goals));
        }
    }

    /// Renews distances of earlier maps before agents plan, with a part of the budget. Returns the work done.
    #[inline]
    pub fn renew_some(&mut self, roster: &Roster, clock: Clock, fuel: &mut Fuel) -> u64 {
        if self.to_renew.is_empty() {
            return 0;
        }
        let part = fuel.left() / PARTS;
        burn_part(fuel, part, |fuel| self.renew_while_possible(roster, clock, fuel)).1
    }

    /// Renews distances of earlier maps while there is fuel, in each class the oldest first. The class in which the
    /// fuel ends is the last one next time.
    pub fn renew_while_possible(&mut self, roster: &Roster, clock: Clock, fuel: &mut Fuel) {
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

    /// Renews the distances of `class`; distances for which there is no memory are left as they are.
    fn renew(&mut self, class: ClassId, roster: &Roster, clock: Clock, fuel: &mut Fuel) -> Result<(), Suspended> {
        let space = &mut self[class];
        let present = space.revision();
        let away = roster.members().filter(|member| member.class() == class && !member.is_home());
        let revised = away.map(|member| (space.revision_of(member.order.goals()), member.id(), member));
        let mut old: Vec<(u64, AgentId, &Member)> = revised.filter(|(revision, ..)| *revision != present).collect();
        old.sort_unstable_by_key(|(revision, agent, _)| (*revision, *agent));
        // Whatever the fuel, some of it is left for the distances themselves.
        let half = usize::try_from(fuel.left() / 2).unwrap_or(usize::MAX);
        fuel.burn_at_most(half.min(old.len() / LOOKED_AT_ONCE));
        let mut outcome = Ok(());
        for (.., member) in old {
            let (node, _) = member.motion.free_at(clock.now);
            match space.renew(member.order.goals(), node, fuel) {
                Err(Suspended::OutOfMemory) => outcome = Err(Suspended::OutOfMemory),
                other => other?,
            }
        }
        outcome
    }
}
