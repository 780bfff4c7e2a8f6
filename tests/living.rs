//! Crowds that live in any space while areas close, are vacated, open and change their surface; and what they did, as a
//! trace.

use giveway_check::{BodyChecker, Checker};
use giveway_core::{
    Agent, AgentId, Area, Change, ConflictRule, Editable, Embedding, Footprint, NodeId, SpaceGraph, Surface, Tick,
    Trace, TracedAgent, TracedBody, TracedMove, TracedPlace,
};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
use giveway_spaces::SyncSpace;

/// Numbers from a seed: xorshift.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 16) % (bound as u64)).unwrap()
    }

    /// A number between two, in hundredths of their difference.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * f32::from(u8::try_from(self.below(101)).unwrap()) / 100.0
    }

    pub(crate) fn choose<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A disc, or a rectangle, around a point of a rectangle.
    pub(crate) fn area(&mut self, low: [f32; 2], high: [f32; 2]) -> Area {
        let center = [0, 1].map(|axis| self.between(low[axis], high[axis]));
        let [one, two] = [0.3, 0.3].map(|least| self.between(least, 2.5));
        let area = match self.below(2) {
            0 => Area::disc(center, one),
            _ => Area::rectangle(center, [center[0] + one, center[1] - two]),
        };
        area.unwrap()
    }
}

/// The record of a life.
#[derive(Debug)]
pub(crate) struct Life {
    pub(crate) trace: Trace,
    pub(crate) changes: usize,
    pub(crate) arrivals: usize,
}

pub(crate) fn nodes<S: SpaceGraph>(space: &S) -> impl Iterator<Item = NodeId> + use<S> {
    (0..u32::try_from(space.node_bound()).unwrap()).map(NodeId)
}

/// Lets `units` units live in `space` for `steps` plain steps: they are sent to and fro, and the world changes by areas
/// from `area`. Nobody may enter what is closed.
pub(crate) fn live<S, F>(
    space: S,
    footprint: F,
    body: Option<TracedBody>,
    [units, steps]: [usize; 2],
    random: &mut Random,
    mut area: impl FnMut(&mut Random) -> Area,
) -> Life
where
    S: Editable + SyncSpace + Clone + 'static,
    F: Footprint<S> + Send + Sync + 'static,
{
    let map = space.clone();
    let ticks_per_step = footprint.ticks_per_step();
    let free: Vec<NodeId> = nodes(&map).filter(|node| map.contains(*node)).collect();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::new(space, footprint).editable();
    let class = match &body {
        Some(body) => class.body(body.clone()),
        None => class,
    };
    let class = crowd.add_class(class).unwrap();
    let place = |node: NodeId| TracedPlace::from_node(&map, node);
    let mut traced: Vec<TracedAgent> = Vec::new();
    for _ in 0..units * 4 {
        let start = random.choose(&free);
        if traced.len() < units && crowd.add(class, Agent::bystander(start)).is_ok() {
            let agent = TracedAgent::new(place(start), Vec::new(), Vec::new());
            traced.push(TracedAgent { body: body.clone(), ..agent });
        }
    }
    let agents: Vec<AgentId> = crowd.agents().collect();
    let (mut changes, mut arrivals) = (0, 0);
    let last = Tick::try_from(steps).unwrap() * ticks_per_step;
    let mut sent = vec![None; agents.len()];
    while crowd.now() < last {
        if random.below(4) == 0 {
            let agent = random.choose(&agents);
            let goal = random.choose(&free);
            sent[agent.0 as usize] = crowd.send_near(agent, goal).ok();
        }
        if random.below(10) == 0 {
            let area = area(random);
            let weight = u32::try_from(random.below(3) + 1).unwrap();
            let changed = match random.below(6) {
                0 => crowd.close(&area).unwrap_or(false),
                1 | 2 => !crowd.vacate(&area).unwrap().is_empty(),
                3 | 4 => crowd.open(&area).unwrap(),
                _ => crowd.resurface(&area, Surface::new(weight, 1.0).unwrap()).unwrap(),
            };
            changes += usize::from(changed);
        }
        let begun = crowd.now();
        crowd.tick(Budget::unlimited());
        for (agent, traced) in agents.iter().zip(&mut traced) {
            if let Some(leg) = crowd.last_leg(*agent).filter(|leg| leg.is_move() && leg.depart == begun) {
                traced.moves.push(TracedMove::new(leg.depart, leg.arrive, place(leg.to)));
                let enters = crowd.has_node(class, leg.from) && !crowd.has_node(class, leg.to);
                assert!(!enters, "{agent:?} enters a closed place: {leg:?}");
            }
        }
        for (agent, sent) in agents.iter().zip(&mut sent) {
            if sent.is_some() && crowd.is_home(*agent) == Some(true) {
                *sent = None;
                arrivals += 1;
            }
        }
    }
    let trace = Trace { until: Some(crowd.now()), ..Trace::new(ticks_per_step, traced) };
    Life { trace, changes, arrivals }
}

/// Many lives of points, under the swap rule and timed, in the space that each seed makes. The space has no walls that
/// could be opened.
pub(crate) fn points_live<S: Editable + SyncSpace + Clone + 'static>(
    seeds: std::ops::Range<u64>,
    make: impl Fn(&mut Random) -> S,
    area: impl Fn(&mut Random) -> Area,
) where
    S::Cost: Send + Sync,
{
    let (mut changes, mut arrivals) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let space = make(&mut random);
        for (rule, point) in [
            (ConflictRule::Swap, giveway_core::Point::swap_rule(&space)),
            (ConflictRule::Following, giveway_core::Point::following_rule(&space)),
        ] {
            let life = live(space.clone(), point, None, [9, 60], &mut random, &area);
            let violations = Checker::new(&space, rule).check_trace(&life.trace);
            assert!(violations.is_empty(), "seed {seed}, {rule:?}: {violations:?}");
            changes += life.changes;
            arrivals += life.arrivals;
        }
    }
    assert!(changes > 20 && arrivals > 100, "{changes} changes, {arrivals} arrivals");
}

/// Many lives of discs on `ground` in the space that each seed makes.
pub(crate) fn discs_live<S: Embedding + SyncSpace + Send + Sync + std::fmt::Debug + 'static>(
    seeds: std::ops::Range<u64>,
    (ground, checker): (giveway_bodies::Ground, BodyChecker),
    make: impl Fn(&mut Random) -> S,
    area: impl Fn(&mut Random) -> Area,
) where
    giveway_bodies::GraphClearance<S>: Clone,
{
    let (mut changes, mut arrivals) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let space = std::sync::Arc::new(make(&mut random));
        let body = giveway_bodies::Body::disc(random.between(0.2, 0.6)).unwrap();
        let ticks = giveway_bodies::CommonTicks::new().of([&body], &space).fewest().unwrap();
        let (clearance, footprint) = body.on(&space, ground, ticks).unwrap();
        let life = live(clearance, footprint, Some(body.outline()), [7, 50], &mut random, &area);
        let overlaps = checker.check(&life.trace);
        assert!(overlaps.is_empty(), "seed {seed}: {overlaps:?}");
        changes += life.changes;
        arrivals += life.arrivals;
    }
    assert!(changes > 10 && arrivals > 50, "{changes} changes, {arrivals} arrivals");
}

/// A change of any kind.
pub(crate) fn any_change(random: &mut Random) -> Change {
    let weight = u32::try_from(random.below(3) + 1).unwrap();
    random.choose(&[
        Change::Close,
        Change::Vacate,
        Change::Seal,
        Change::Open,
        Change::Surface(Surface::new(weight, 2.0).unwrap()),
    ])
}

/// Checks that moves into each node are the inverse of moves out, also where units leave.
pub(crate) fn is_inverted<S: SpaceGraph>(space: &S) {
    let key = |m: &giveway_core::Move<S::Action, S::Cost>| {
        (m.from, m.to, format!("{:?}, {:?}", m.action, m.cost), m.length.to_bits())
    };
    let mut out: Vec<_> = nodes(space).flat_map(|node| space.moves(node)).map(|m| key(&m)).collect();
    let mut into: Vec<_> = nodes(space).flat_map(|node| space.moves_into(node).unwrap()).map(|m| key(&m)).collect();
    out.sort();
    into.sort();
    assert_eq!(out, into);
}

/// The fate of a node, by the areas that have covered it one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    Open,
    Vacated,
    Closed,
}

impl Fate {
    pub(crate) fn after(self, change: Change) -> Self {
        match (change, self) {
            (Change::Close, _) | (Change::Seal, Self::Vacated) => Self::Closed,
            (Change::Vacate, Self::Open) => Self::Vacated,
            (Change::Open, _) => Self::Open,
            _ => self,
        }
    }

    /// Whether a move leads from the one to the other.
    pub(crate) fn leads(self, to: Self) -> bool {
        match self {
            Self::Open => to == Self::Open,
            Self::Vacated => to != Self::Closed,
            Self::Closed => false,
        }
    }
}
