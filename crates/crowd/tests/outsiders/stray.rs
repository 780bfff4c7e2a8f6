//! Lives with an outsider that does not keep to its path.

use std::collections::BTreeSet;

use giveway_bodies::Lattice;
use giveway_core::{AgentId, NodeId, SpaceGraph as _, Tick};
use giveway_crowd::{Budget, ClassId, CrowdError, CrowdSettings};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::IndexedRandom as _;

use super::margin;
use crate::late::life::{Kind, Life, open_map};

/// What came of the walks of an outsider.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) walks: u64,
    pub(super) predictions: u64,
    /// Walks that were not predicted, within the margin.
    pub(super) off_path: u64,
    /// Walks out of the margin.
    pub(super) off_margin: u64,
    /// Somebody was where the outsider wanted to go within its margin, although it was told in time.
    pub(super) touched_within: u64,
    /// The same, so shortly after a prediction that nobody could have left.
    pub(super) touched_at_once: u64,
    /// Somebody was where the outsider wanted to go outside of its margin.
    pub(super) touched_outside: u64,
    pub(super) arrivals: u64,
}

impl Counts {
    pub(super) fn add(&mut self, other: &Self) {
        let Self { walks, predictions, off_path, off_margin, .. } = other;
        self.walks += walks;
        self.predictions += predictions;
        self.off_path += off_path;
        self.off_margin += off_margin;
        self.touched_within += other.touched_within;
        self.touched_at_once += other.touched_at_once;
        self.touched_outside += other.touched_outside;
        self.arrivals += other.arrivals;
    }
}

/// A crowd with an outsider.
pub(super) struct Stray {
    life: Life,
    grid: Grid,
    kind: Kind,
    class: ClassId,
    outsider: AgentId,
    /// The ticks of its longest move.
    move_ticks: Tick,
    /// What was predicted: the nodes, each with the tick at which it is reached; first where it was then.
    path: Vec<(Tick, NodeId)>,
    told: Tick,
    /// When it was last where it was expected.
    since: Tick,
    /// Who is in its way, and where.
    blocked: Option<(AgentId, NodeId)>,
    pub(super) counts: Counts,
}

impl Stray {
    pub(super) fn new(kind: Kind, seed: u64) -> Self {
        let (side, units) = match kind {
            Kind::Points => (20, 100),
            Kind::TimedPoints => (20, 60),
            Kind::Discs | Kind::Squares => (20, 20),
            Kind::Vehicles => (20, 7),
        };
        let grid = open_map(kind, side);
        let mut life = Life::new(kind, &grid, CrowdSettings::new(), seed);
        let class = life.classes[0];
        // Not beside a wall: there the longest moves are possible.
        let is_inside = |life: &Life, node: &NodeId| {
            let [x, y, _] = life.crowd.position(class, *node).unwrap();
            (6.0..14.0).contains(&x) && (6.0..14.0).contains(&y)
        };
        let inside: Vec<NodeId> = life.nodes(class).into_iter().filter(|node| is_inside(&life, node)).collect();
        let start = *inside.choose(&mut life.random).unwrap();
        assert!(life.add(class, start));
        life.populate(units);
        let counts = Counts::default();
        let mut stray = Self {
            life,
            grid,
            kind,
            class,
            outsider: AgentId(0),
            move_ticks: 1,
            path: vec![],
            told: 0,
            since: 0,
            blocked: None,
            counts,
        };
        // The first tick at which a second move may begin.
        let is_too_soon = |stray: &mut Self, there: NodeId| {
            let (next, ticks) = (stray.moves(there)[0], stray.move_ticks);
            stray.life.crowd.predict(AgentId(0), &[(0, there), (ticks, next)], margin(1)).is_err()
        };
        for there in stray.moves(start) {
            while is_too_soon(&mut stray, there) {
                stray.move_ticks += 1;
            }
        }
        stray.predict();
        stray
    }

    /// Where the moves of the outsider from `node` lead.
    fn moves(&self, node: NodeId) -> Vec<NodeId> {
        let ends: Vec<NodeId> = match self.kind {
            Kind::Vehicles => {
                let lattice = self.life.crowd.space::<Lattice>(self.class).unwrap();
                lattice.moves(node).map(|m| m.to).collect()
            }
            _ => self.grid.moves(node).map(|m| m.to).collect(),
        };
        ends.into_iter().filter(|node| self.life.crowd.has_node(self.class, *node)).collect()
    }

    fn now(&self) -> Tick {
        self.life.crowd.now()
    }

    /// Predicts a walk on, in one direction as long as possible.
    fn predict(&mut self) {
        let now = self.now();
        let mut node = self.life.crowd.node(self.outsider).unwrap();
        self.path = vec![(now, node)];
        let mut stops = Vec::new();
        let mut probe = self.life.crowd.clone();
        for step in 0..12 {
            let ends = self.moves(node);
            let index =
                if self.life.random.random_ratio(3, 4) { 0 } else { self.life.random.random_range(0..ends.len()) };
            // The one that leads on as the last one did.
            let position = |node: NodeId| self.life.crowd.position(self.class, node).unwrap();
            let on = self.path.iter().rev().nth(1).map(|(_, before)| {
                let [from, to] = [*before, node].map(position);
                [2.0 * to[0] - from[0], 2.0 * to[1] - from[1]]
            });
            let off = |node: &NodeId| {
                let place = position(*node);
                on.map_or(0, |on| {
                    #[allow(clippy::cast_possible_truncation)] // hundredths of cells
                    let hundredths = ((place[0] - on[0]).hypot(place[1] - on[1]) * 100.0) as i32;
                    hundredths
                })
            };
            let straight = ends.iter().min_by_key(|node| off(node)).copied().unwrap();
            node = if index == 0 && on.is_some() { straight } else { ends[index] };
            let depart = now + step * self.move_ticks;
            stops.push((depart, node));
            // It is there at the first tick at which it may go on.
            let next = self.moves(node)[0];
            let mut may_go_on = |tick: &Tick| {
                let stops: Vec<(Tick, NodeId)> = stops.iter().copied().chain([(*tick, next)]).collect();
                probe.predict(self.outsider, &stops, margin(1)).is_ok()
            };
            self.path.push(((depart + 1..).find(&mut may_go_on).unwrap(), node));
        }
        self.life.crowd.predict(self.outsider, &stops, margin(self.move_ticks)).unwrap();
        (self.told, self.since) = (now, now);
        self.counts.predictions += 1;
    }

    /// The node that it is expected to have reached at `tick`, by its place in the path.
    fn station(&self, tick: Tick) -> usize {
        self.path.partition_point(|(reached, _)| *reached <= tick).saturating_sub(1)
    }

    /// Whether it is within its margin on `node` at `tick`.
    fn is_within(&self, node: NodeId, tick: Tick) -> bool {
        let off = margin(self.move_ticks).at(tick - self.since) as usize;
        let station = self.station(tick);
        (0..=off.min(station)).any(|back| {
            let mut around: BTreeSet<NodeId> = BTreeSet::from([self.path[station - back].1]);
            for _ in back..off {
                around = around.iter().flat_map(|node| self.moves(*node)).chain(around.iter().copied()).collect();
            }
            around.contains(&node)
        })
    }

    /// Lets `steps` steps go by. `percent` of the walks of the outsider were not predicted.
    pub(super) fn go_about(&mut self, percent: u32, steps: u32, budget: Budget) {
        let until = self.now() + steps * self.move_ticks;
        while self.now() < until {
            self.send_idle();
            self.decide(percent);
            let report = self.life.tick(budget, 0);
            assert!(!report.stopped.contains(&self.outsider), "a walk was stopped");
        }
        self.life.check();
        self.counts.arrivals = self.life.counts.arrivals;
    }

    fn send_idle(&mut self) {
        for agent in self.life.agents() {
            if agent != self.outsider && self.life.crowd.is_home(agent) == Some(true) {
                let class = self.life.crowd.class_of(agent).unwrap();
                let goal = *self.life.nodes(class).choose(&mut self.life.random).unwrap();
                let _ = self.life.crowd.send_near(agent, goal);
            }
        }
    }

    /// The outsider goes on, or elsewhere, or stays.
    fn decide(&mut self, percent: u32) {
        let now = self.now();
        if self.life.crowd.last_leg(self.outsider).is_some_and(|leg| leg.arrive > now) {
            return;
        }
        let here = self.life.crowd.node(self.outsider).unwrap();
        let station = self.station(now);
        if self.path[station].1 == here {
            self.since = now;
        } else if !self.is_within(here, now) {
            self.predict();
        }
        if self.station(now) + 1 >= self.path.len() {
            self.predict();
        }
        let (station, is_time) = (self.station(now), (now - self.told).is_multiple_of(self.move_ticks));
        let next = self.path[station + 1].1;
        let ends = self.moves(here);
        let to = if self.life.random.random_ratio(percent, 100 * if is_time { 1 } else { self.move_ticks }) {
            // It stays, or goes anywhere.
            let Some(to) = self.life.random.random_ratio(3, 4).then(|| ends.choose(&mut self.life.random)) else {
                return;
            };
            *to.unwrap()
        } else if self.path[station].1 == here {
            if !is_time {
                return;
            }
            next
        } else {
            // Towards where it is expected.
            let to = [next, self.path[station].1].into_iter().find(|node| ends.contains(node));
            match to {
                Some(to) => to,
                None => *ends.choose(&mut self.life.random).unwrap(),
            }
        };
        self.walk(to, to == next && self.path[station].1 == here);
    }

    fn walk(&mut self, to: NodeId, is_predicted: bool) {
        let now = self.now();
        // When it is there at the earliest, and at the latest.
        let is_within = [now + 1, now + self.move_ticks].into_iter().all(|tick| self.is_within(to, tick));
        self.counts.walks += 1;
        self.counts.off_path += u64::from(is_within && !is_predicted);
        self.counts.off_margin += u64::from(!is_within);
        match self.life.crowd.walk(self.outsider, to) {
            Ok(()) => self.blocked = None,
            Err(CrowdError::Occupied { by, .. }) => {
                assert_ne!(by, self.outsider);
                if self.blocked.replace((by, to)) == Some((by, to)) {
                    return;
                }
                let count = match (is_within, now < self.told + 6 * self.move_ticks) {
                    (false, _) => &mut self.counts.touched_outside,
                    (true, true) => &mut self.counts.touched_at_once,
                    (true, false) => &mut self.counts.touched_within,
                };
                *count += 1;
            }
            Err(error) => panic!("{error} ({:?})", self.kind),
        }
    }
}
