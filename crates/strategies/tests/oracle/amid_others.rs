//! One agent amid others whose paths are known: the cheapest it can do, tick by tick over the time-expanded graph.

use std::collections::{BTreeMap, BTreeSet};

use giveway_core::{AtEnd, ConflictRule, Motion, MoveIn, NodeId, PathIn, SpaceGraph, Tick};

use crate::world::steps;

/// Who is where, and on which way between two nodes, at each tick, by the words of the rule.
#[derive(Debug)]
pub(crate) struct Others {
    rule: ConflictRule,
    held: BTreeSet<(NodeId, Tick)>,
    /// The agents that stay for ever, each with its first tick.
    stays: BTreeMap<NodeId, Tick>,
    under_way: BTreeSet<(Tick, NodeId, NodeId)>,
    /// From here on nothing changes.
    last: Tick,
}

impl Others {
    pub(crate) fn none(rule: ConflictRule) -> Self {
        Self { rule, held: BTreeSet::new(), stays: BTreeMap::new(), under_way: BTreeSet::new(), last: 0 }
    }

    /// Adds an agent that follows `path`.
    pub(crate) fn add<S: SpaceGraph>(&mut self, path: &PathIn<S>) {
        self.hold(path.start, path.depart, path.depart);
        let (mut at, mut now) = (path.start, path.depart);
        for step in &path.steps {
            let (from, to) = match step.motion {
                Motion::Move(m) => (m.from, m.to),
                Motion::Rest { node, .. } => (node, node),
            };
            assert_eq!((from, step.depart), (at, now));
            match self.rule {
                // There while it rests, and when it arrives; between, on its way.
                ConflictRule::Swap => {
                    let present = if from == to { step.depart } else { step.arrive };
                    self.hold(to, present, step.arrive);
                }
                ConflictRule::Following => {
                    self.hold(from, step.depart, step.arrive - 1);
                    self.hold(to, step.depart, step.arrive - 1);
                }
            }
            if from != to {
                let ticks = step.depart..step.arrive;
                self.under_way.extend(ticks.map(|tick| (tick, from, to)));
            }
            (at, now) = (to, step.arrive);
        }
        if path.at_end == AtEnd::Stay {
            let since = self.stays.entry(at).or_insert(now);
            *since = now.min(*since);
        }
        self.last = self.last.max(now + 1);
    }

    fn hold(&mut self, node: NodeId, first: Tick, last: Tick) {
        self.held.extend((first..=last).map(|tick| (node, tick)));
    }

    /// Whether `node` is free at all of the ticks.
    pub(crate) fn free(&self, node: NodeId, mut ticks: impl Iterator<Item = Tick>) -> bool {
        ticks.all(|tick| !self.held.contains(&(node, tick)) && self.stays.get(&node).is_none_or(|since| tick < *since))
    }

    /// Whether `node` is free at `tick` and ever after.
    pub(crate) fn free_for_ever(&self, node: NodeId, tick: Tick) -> bool {
        !self.stays.contains_key(&node) && self.free(node, tick..=self.last.max(tick))
    }

    /// Whether a move, or a rest where `from` is `to`, from tick to tick is legal.
    fn permits(
        &self,
        [from, to]: [NodeId; 2],
        depart: Tick,
        arrive: Tick,
        meet: &dyn Fn([NodeId; 2], [NodeId; 2]) -> bool,
    ) -> bool {
        let (first, last) = ((depart, NodeId(0), NodeId(0)), (arrive, NodeId(0), NodeId(0)));
        let mut others = self.under_way.range(first..last);
        let on_the_way = from == to || others.all(|(_, a, b)| !meet([from, to], [*a, *b]));
        on_the_way
            && match self.rule {
                ConflictRule::Swap if from == to => self.free(from, depart + 1..=arrive),
                ConflictRule::Swap => self.free(to, arrive..=arrive),
                ConflictRule::Following => self.free(from, depart..arrive) && self.free(to, depart..arrive),
            }
    }
}

/// One agent's question, in plain terms. Costs are in steps.
pub(crate) struct Question<'a, S: SpaceGraph> {
    pub(crate) space: &'a S,
    /// Whether an agent on the first way meets an agent on the second.
    pub(crate) meet: &'a dyn Fn([NodeId; 2], [NodeId; 2]) -> bool,
    /// How many ticks a move takes; `None`: it cannot be made.
    pub(crate) duration: &'a dyn Fn(&MoveIn<S>) -> Option<Tick>,
    pub(crate) longest: Tick,
    pub(crate) quantum: Tick,
    pub(crate) start: NodeId,
    pub(crate) depart: Tick,
    pub(crate) goals: &'a [NodeId],
    pub(crate) at_end: AtEnd,
    pub(crate) latest: Option<Tick>,
    pub(crate) surcharge: &'a dyn Fn(&MoveIn<S>, Tick) -> f64,
    /// The cost of a wait of one quantum.
    pub(crate) wait: &'a dyn Fn(NodeId, Tick) -> f64,
    /// When surcharges and waits cease to change.
    pub(crate) settled: Tick,
}

impl<S: SpaceGraph> Question<'_, S> {
    /// The least cost of a legal path amid `others`; `None`: there is none.
    pub(crate) fn cheapest(&self, others: &Others) -> Option<f64> {
        let nodes = self.space.node_bound();
        // Once nothing changes, a cheapest path goes through no node twice.
        let settled = others.last.max(self.settled).max(self.depart) + self.quantum;
        let last = settled + self.longest * (Tick::try_from(nodes).unwrap() + 1);
        let last = self.latest.map_or(last, |latest| latest.min(last));
        let mut costs: BTreeMap<(Tick, NodeId), f64> = BTreeMap::new();
        let mut best: Option<f64> = None;
        if self.space.contains(self.start) {
            costs.insert((self.depart, self.start), 0.0);
        }
        let offer = |costs: &mut BTreeMap<(Tick, NodeId), f64>, tick: Tick, node: NodeId, cost: f64| {
            if tick <= last {
                let known = costs.entry((tick, node)).or_insert(f64::INFINITY);
                *known = known.min(cost);
            }
        };
        while let Some(((tick, node), cost)) = costs.pop_first() {
            let may_end = self.at_end == AtEnd::Disappear || others.free_for_ever(node, tick);
            if self.goals.contains(&node) && may_end {
                best = Some(best.map_or(cost, |best| best.min(cost)));
            }
            let arrive = tick + self.quantum;
            if others.permits([node, node], tick, arrive, self.meet) {
                offer(&mut costs, arrive, node, cost + (self.wait)(node, tick));
            }
            for m in self.space.moves(node) {
                let Some(duration) = (self.duration)(&m) else {
                    continue;
                };
                let arrive = tick + duration;
                if others.permits([m.from, m.to], tick, arrive, self.meet) {
                    let price = steps(m.cost) + (self.surcharge)(&m, tick);
                    offer(&mut costs, arrive, m.to, cost + price);
                }
            }
        }
        best
    }

    /// The cost of `path`; `None` if the path is not legal.
    pub(crate) fn cost_of(&self, path: &PathIn<S>, others: &Others) -> Option<f64> {
        let (mut at, mut now, mut cost) = (self.start, self.depart, 0.0);
        if (path.start, path.depart, path.at_end) != (at, now, self.at_end) {
            return None;
        }
        for step in &path.steps {
            let permitted = |ends, depart, arrive| others.permits(ends, depart, arrive, self.meet).then_some(());
            if step.depart != now || self.latest.is_some_and(|latest| step.arrive > latest) {
                return None;
            }
            match &step.motion {
                Motion::Move(m) => {
                    self.space.moves(at).find(|known| known == m)?;
                    (step.arrive - now == (self.duration)(m)?).then_some(())?;
                    permitted([m.from, m.to], now, step.arrive)?;
                    cost += steps(m.cost) + (self.surcharge)(m, now);
                    at = m.to;
                }
                Motion::Rest { node, ticks } => {
                    if *node != at || *ticks != step.arrive - now || ticks % self.quantum != 0 {
                        return None;
                    }
                    for tick in (now..step.arrive).step_by(self.quantum as usize) {
                        permitted([at, at], tick, tick + self.quantum)?;
                        cost += (self.wait)(at, tick);
                    }
                }
            }
            now = step.arrive;
        }
        let may_end = self.at_end == AtEnd::Disappear || others.free_for_ever(at, now);
        (may_end && self.goals.contains(&at)).then_some(cost)
    }
}
