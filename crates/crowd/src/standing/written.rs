//! Standing orders as words.

use std::collections::VecDeque;

use giveway_core::{AgentId, Garbled, NodeId, Tick, WordReader, Words};

use super::follow::{Aim, Approach, Follow, Pursuit, Target};
use super::group::{Group, Marcher};
use super::stages::{Round, Route, Stage};
use super::{Standing, StandingOrders};

/// What is known of an agent: the bound of the nodes of its class. `None`: there is no such agent.
type Bounds<'b> = &'b dyn Fn(AgentId) -> Option<usize>;

impl StandingOrders {
    /// Appends the orders to `words`.
    pub(crate) fn write_to(&self, words: &mut Words) {
        words.size(self.of.len());
        for (agent, order) in &self.of {
            words.word(agent.0.into());
            match order {
                Standing::Follow(pursuit) => {
                    words.word(0);
                    pursuit.write_to(words);
                }
                Standing::Route(route) => {
                    words.word(1);
                    route.write_to(words);
                }
                Standing::Approach(approach) => {
                    words.word(2);
                    words.number(approach.range);
                }
            }
        }
        words.size(self.marches.len());
        for Group { spread, of } in &self.marches {
            words.number(*spread);
            words.size(of.len());
            for Marcher { agent, goals, held } in of {
                words.word(agent.0.into());
                words.goals(goals);
                words.flag(held.is_some());
                words.number(held.unwrap_or(0.0));
            }
        }
    }

    /// Reads the orders, at tick `now`, of agents of which `bounds` knows.
    pub(crate) fn read_from(now: Tick, bounds: Bounds<'_>, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut orders = Self::default();
        for _ in 0..words.count()? {
            let (agent, bound) = agent(bounds, words)?;
            if orders.of.last().is_some_and(|(last, _)| *last >= agent) {
                return Err(Garbled::new("agents in order"));
            }
            let order = match words.word()? {
                0 => Standing::Follow(Pursuit::read_from(now, agent, bound, words)?),
                1 => Standing::Route(Route::read_from(now, bound, words)?),
                2 => Standing::Approach(Approach { range: steps(words)? }),
                _ => return Err(Garbled::new("a standing order")),
            };
            orders.of.push((agent, order));
        }
        for _ in 0..words.count()? {
            let spread = steps(words)?;
            let mut of: Vec<Marcher> = Vec::new();
            for _ in 0..words.count()? {
                let (agent, bound) = agent(bounds, words)?;
                let goals = words.goals(bound)?;
                let (is_held, held) = (words.flag()?, steps(words)?);
                let is_new = orders.get(agent).is_none() && !orders.marches(agent);
                if !is_new || of.last().is_some_and(|last| last.agent >= agent) || goals.nodes().is_empty() {
                    return Err(Garbled::new("an agent of one group"));
                }
                of.push(Marcher { agent, goals, held: is_held.then_some(held) });
            }
            if of.is_empty() {
                return Err(Garbled::new("a group with agents"));
            }
            orders.set_out(Group { spread, of });
        }
        Ok(orders)
    }
}

/// An agent that exists, and the bound of its nodes.
fn agent(bounds: Bounds<'_>, words: &mut WordReader<'_>) -> Result<(AgentId, usize), Garbled> {
    let agent = AgentId(words.word_32()?);
    bounds(agent).map(|bound| (agent, bound)).ok_or(Garbled::new("an agent of the crowd"))
}

/// When an agent last tried in vain, at `now` at the latest.
fn failed(now: Tick, words: &mut WordReader<'_>) -> Result<Option<Tick>, Garbled> {
    let failed = words.option()?;
    if failed.is_some_and(|failed| failed > now) { Err(Garbled::new("a tick that has passed")) } else { Ok(failed) }
}

/// A number of steps.
fn steps(words: &mut WordReader<'_>) -> Result<f64, Garbled> {
    let steps = words.number()?;
    if steps.is_finite() && steps >= 0.0 { Ok(steps) } else { Err(Garbled::new("a number of steps")) }
}

impl Pursuit {
    fn write_to(&self, words: &mut Words) {
        let (kind, target) = match self.target {
            Target::Agent(agent) => (false, agent.0),
            Target::Place(node) => (true, node.0),
        };
        words.flag(kind);
        words.word(target.into());
        let (within, flags) = self.follow.parts();
        words.number(within);
        flags.into_iter().chain([self.in_reach]).for_each(|flag| words.flag(flag));
        words.option(self.aim.map(|aim| aim.node.0));
        words.flag(self.aim.is_some_and(|aim| aim.stays));
        words.option(self.held.map(|(_, node)| node.0));
        words.number(self.held.map_or(0.0, |(steps, _)| steps));
        words.option(self.failed);
    }

    fn read_from(now: Tick, agent: AgentId, bound: usize, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let node = |node: u32| {
            if (node as usize) < bound { Ok(NodeId(node)) } else { Err(Garbled::new("a node below the bound")) }
        };
        let (is_place, target) = (words.flag()?, words.word_32()?);
        let target = if is_place { Target::Place(node(target)?) } else { Target::Agent(AgentId(target)) };
        if target == Target::Agent(agent) {
            return Err(Garbled::new("another agent to follow"));
        }
        let within = steps(words)?;
        let follow = Follow::of_parts(within, [words.flag()?, words.flag()?]);
        let in_reach = words.flag()?;
        let (aimed, stays) = (words.option()?, words.flag()?);
        let aim = aimed.map(node).transpose()?.map(|node| Aim { node, stays });
        let (was, gap) = (words.option()?, steps(words)?);
        let held = was.map(node).transpose()?.map(|node| (gap, node));
        Ok(Self { target, follow, aim, held, failed: failed(now, words)?, in_reach })
    }
}

impl Route {
    fn write_to(&self, words: &mut Words) {
        words.word(self.round.map_or(0, |round| 1 + round as u64));
        words.size(self.stages.len());
        for Stage { number, goals, waits } in &self.stages {
            words.word((*number).into());
            words.goals(goals);
            words.flag(*waits);
        }
        words.word(self.at.into());
        words.flag(self.goes_back);
        words.flag(self.is_sent);
        words.flag(self.is_reached);
        words.option(self.failed);
        words.word(self.skipped.into());
        words.word(self.next.into());
    }

    fn read_from(now: Tick, bound: usize, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let round = match words.word()? {
            0 => None,
            1 => Some(Round::Around),
            2 => Some(Round::ToAndFro),
            _ => return Err(Garbled::new("a round")),
        };
        let mut stages = VecDeque::new();
        for _ in 0..words.count()? {
            let (number, goals) = (words.word_32()?, words.goals(bound)?);
            if goals.nodes().is_empty() {
                return Err(Garbled::new("a stage with goals"));
            }
            stages.push_back(Stage { number, goals, waits: words.flag()? });
        }
        let at = words.word_32()?;
        if at as usize >= stages.len().max(1) || round.is_none() && at > 0 || round.is_some() && stages.is_empty() {
            return Err(Garbled::new("a present stage"));
        }
        let mut flag = || words.flag();
        let (goes_back, is_sent, is_reached) = (flag()?, flag()?, flag()?);
        let (failed, skipped, next) = (failed(now, words)?, words.word_32()?, words.word_32()?);
        Ok(Self { stages, round, at, goes_back, is_sent, failed, is_reached, skipped, next })
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::Goals;

    use super::*;

    /// What is read at tick 9 of what was written; all agents below 5 exist.
    fn read(orders: &StandingOrders) -> Result<StandingOrders, Garbled> {
        let mut words = Words::new();
        orders.write_to(&mut words);
        let bytes = words.into_bytes();
        StandingOrders::read_from(9, &|agent| (agent.0 < 5).then_some(100), &mut WordReader::new(&bytes))
    }

    fn failed(at: Tick) -> [Standing; 2] {
        let pursuit = Pursuit::new(Target::Place(NodeId(7)), Follow::new());
        let mut route = Route::patrol([NodeId(3)].into(), Round::Around);
        route.failed = Some(at);
        [Standing::Follow(Pursuit { failed: Some(at), ..pursuit }), Standing::Route(route)]
    }

    #[test]
    fn what_lies_ahead_cannot_have_failed() {
        for (at, is_read) in [(0, true), (9, true), (10, false), (Tick::MAX, false)] {
            for order in failed(at) {
                let mut orders = StandingOrders::default();
                orders.give(AgentId(1), order.clone());
                let read = read(&orders);
                assert_eq!(read.is_ok(), is_read, "{at}");
                assert!(read.is_err() || read.is_ok_and(|read| read.get(AgentId(1)) == Some(&order)));
            }
        }
    }

    #[test]
    fn an_agent_is_in_one_group_that_is_not_empty() {
        let group = |agents: &[u32]| {
            let of = agents.iter().map(|agent| Marcher {
                agent: AgentId(*agent),
                goals: Goals::one(NodeId(agent + 1)),
                held: Some(2.0),
            });
            Group { spread: 3.0, of: of.collect() }
        };
        let cases: [(&[&[u32]], bool); 6] = [
            (&[&[1, 2]], true),
            (&[&[1], &[2, 4]], true),
            (&[&[]], false),
            (&[&[1, 1]], false),
            (&[&[2, 1]], false),
            (&[&[1, 2], &[2, 3]], false),
        ];
        for (groups, is_read) in cases {
            let mut orders = StandingOrders::default();
            groups.iter().for_each(|agents| orders.set_out(group(agents)));
            let read = read(&orders);
            assert_eq!(read.is_ok(), is_read, "{groups:?}");
            assert!(read.is_err() || read.is_ok_and(|read| read.marches == orders.marches));
        }
    }
}
