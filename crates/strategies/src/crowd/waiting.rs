//! Waiting: who waits for whom, and whether they wait for each other.

use giveway_core::{AgentId, Fuel, Probe, ReservationStore};

use super::Crowd;
use super::report::{Explanation, Report, Waiting};

impl<R: ReservationStore> Crowd<'_, R> {
    /// Why `agent` does not go on: whom it waits for, whom that one waits for, and so on. Empty for an agent that moves, or
    /// stands where it wants to be, or does not exist.
    ///
    /// An agent waits for whoever holds what it would need for its first move nearer to its goal, as things are reserved
    /// for the tick that begins next.
    pub fn explain(&mut self, agent: AgentId) -> Explanation {
        let mut chain: Vec<Waiting> = Vec::new();
        let mut next = agent;
        while let Some(waiting) = self.waits_for(next) {
            if let Some(begin) = chain.iter().position(|earlier| earlier.agent == waiting.agent) {
                let cycle = Some(begin..chain.len());
                return Explanation { chain, cycle };
            }
            next = waiting.by;
            chain.push(waiting);
        }
        Explanation { chain, cycle: None }
    }

    /// Notes who would like to go on and stays.
    pub(super) fn note_waiting(&mut self, report: &mut Report) {
        let stays = |member: &super::member::Member| member.is_under_way() && member.motion.is_none();
        let stayers: Vec<AgentId> =
            self.members.iter().filter(|(_, member)| stays(member)).map(|(agent, _)| *agent).collect();
        report.waiting = stayers.into_iter().filter_map(|agent| self.waits_for(agent)).collect();
    }

    /// What keeps `agent` from moving nearer to its goal at this tick, if it does not move.
    fn waits_for(&mut self, agent: AgentId) -> Option<Waiting> {
        let (now, clock) = (self.now, self.clock());
        let member = self.members.get(&agent)?;
        if !member.is_under_way() || member.motion.is_some() || member.plan.move_at(now).is_some() {
            return None;
        }
        let class = &mut self.classes[member.class.0 as usize];
        // What is not known by now is no reason to search.
        let fuel = &mut Fuel::expansions(0);
        let here = class.distance(&member.goals, member.node, fuel).ok()?;
        let mut moves = Vec::new();
        class.for_each_move(member.node, now, &mut |leg, _| moves.push(leg));
        let mut nearer = Vec::new();
        for leg in moves {
            match class.distance(&member.goals, leg.to, fuel) {
                Ok(distance) if distance < here => nearer.push((distance, leg)),
                _ => {}
            }
        }
        nearer.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let claim = member.claim(agent, clock);
        let store = &self.store;
        let mut entries = Vec::new();
        nearer.into_iter().find_map(|(_, leg)| {
            entries.clear();
            class.sweep(&leg, &mut entries);
            entries.iter().find_map(|entry| match store.probe(entry, claim) {
                Probe::Blocked { by, until } => Some(Waiting { agent, to: leg.to, entry: *entry, by, until }),
                Probe::Overrides(by) => Some(Waiting { agent, to: leg.to, entry: *entry, by, until: entry.span.end }),
                _ => None,
            })
        })
    }
}
