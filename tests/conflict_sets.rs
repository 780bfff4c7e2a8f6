//! Conflict sets while the world changes: places open, close and are vacated, and no agent is where it excludes
//! another.

use giveway_check::BodyChecker;
use giveway_core::{
    Agent, AgentId, Area, ConflictRule, Editable, Footprint, NodeId, Point, Site, SpaceGraph, TracedBody,
};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Leg, Lra, Planner};
use giveway_sim::{Simulation, Task};
use giveway_spaces::{Connectivity, FnSpace, Grid, Positions};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// The moves that agents may not make at one time.
#[derive(Clone, Debug)]
struct Rules {
    rule: ConflictRule,
    pairs: Vec<[Site; 2]>,
}

impl Rules {
    /// Whether two motions, which share some time, break the rules.
    fn forbid(&self, one: &Leg, other: &Leg) -> bool {
        let swaps = one.is_move() && other.is_move() && (one.from, one.to) == (other.to, other.from);
        let meets = match self.rule {
            ConflictRule::Swap => one.to == other.to,
            ConflictRule::Following => [one.from, one.to].iter().any(|node| [other.from, other.to].contains(node)),
        };
        let is_at = |leg: &Leg, site: Site| match site {
            Site::Node(node) => !leg.is_move() && leg.to == node,
            Site::Way(from, to) => leg.is_move() && [(from, to), (to, from)].contains(&(leg.from, leg.to)),
        };
        let excluded = |[a, b]: &[Site; 2]| is_at(one, *a) && is_at(other, *b) || is_at(one, *b) && is_at(other, *a);
        swaps || meets || self.pairs.iter().any(excluded)
    }

    /// Checks the motions of the last tick.
    fn check(&self, crowd: &Crowd<'_>, what: &str) {
        let legs: Vec<(AgentId, Leg)> = crowd.agents().map(|id| (id, crowd.last_leg(id).unwrap())).collect();
        for (index, (a, one)) in legs.iter().enumerate() {
            for (b, other) in &legs[index + 1..] {
                assert!(!self.forbid(one, other), "{what}, tick {}: {a:?} {one:?}, {b:?} {other:?}", crowd.now());
            }
        }
    }
}

/// Points with conflict sets do not know a way that is opened later, and no agent goes there.
#[test]
fn nobody_goes_where_the_sets_know_no_way() {
    let rows =
        [(ConflictRule::Swap, "..@", 0.1, (2, 0), (1, 0)), (ConflictRule::Following, ".@@\n..@", 0.7, (2, 1), (1, 1))];
    for (rule, map, radius, (x, y), stander) in rows {
        for chain in [Chain::default(), Chain::new(Planner::Pibt)] {
            let grid = Grid::from_ascii(map).unwrap();
            let at = |x, y| grid.node(x, y).unwrap();
            let point = match rule {
                ConflictRule::Swap => Point::swap_rule(&grid),
                ConflictRule::Following => Point::following_rule(&grid),
            };
            let point = point.keep_apart(&grid, radius).unwrap();
            let mut crowd = Crowd::new(CrowdSettings::new().chain(chain));
            let class = Class::new(grid.clone(), point).editable();
            let class = crowd.add_class(class.body(disc(radius))).unwrap();
            let one = crowd.add(class, Agent::bystander(at(0, 0))).unwrap();
            let other = crowd.add(class, Agent::bystander(at(stander.0, stander.1)));
            assert!(crowd.open(&Area::cells(x, y, 1, 1).unwrap()).unwrap());
            let mut simulation = Simulation::new(crowd).recorded();
            if other.is_ok() {
                let _ = simulation.send(one, at(x, y));
            }
            simulation.run(80, Budget::unlimited());
            assert_eq!(BodyChecker::new().check(&simulation.trace().unwrap()), [], "{rule:?}, {map}");
        }
    }
}

fn disc(radius: f32) -> TracedBody {
    TracedBody::Disc { center: [0.0; 2], radius }
}

/// A unit passes a place where it may not stay, and its way on is closed: it does not stay there.
#[test]
fn nobody_stays_where_it_may_not() {
    for rule in [ConflictRule::Swap, ConflictRule::Following] {
        let line = FnSpace::new(4, |node| (node < 2).then_some((node + 1, 1000)).into_iter().collect::<Vec<_>>());
        let line = line.unwrap().with_positions(|node| [node as f32, 0.0, 0.0]).unwrap();
        let pairs = vec![[Site::Node(NodeId(1)), Site::Node(NodeId(3))]];
        let point = point_under(rule, &line).with_conflicts(&line, pairs.iter().copied()).unwrap();
        let rules = Rules { rule, pairs };
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(line, point).editable()).unwrap();
        crowd.add(class, Agent::bystander(NodeId(3))).unwrap();
        crowd.add(class, Agent::new(NodeId(0), NodeId(2))).unwrap();
        crowd.tick(Budget::unlimited());
        crowd.set_open(class, NodeId(2), false).unwrap();
        for _ in 0..40 {
            crowd.tick(Budget::unlimited());
            rules.check(&crowd, "the line");
        }
    }
}

fn point_under<S: SpaceGraph>(rule: ConflictRule, space: &S) -> Point {
    match rule {
        ConflictRule::Swap => Point::swap_rule(space),
        ConflictRule::Following => Point::following_rule(space),
    }
}

/// A few places with ways between some of them, some of them one-way.
fn network(random: &mut Pcg64Mcg) -> FnSpace<u32, Positions> {
    let nodes = random.random_range(5..10_u32);
    let ways: Vec<(u32, u32)> = (0..nodes * 2)
        .flat_map(|_| {
            let [a, b] = [0; 2].map(|_| random.random_range(0..nodes));
            let back = random.random_bool(0.7);
            [Some((a, b)), back.then_some((b, a))].into_iter().flatten()
        })
        .filter(|(a, b)| a != b)
        .collect();
    let space = FnSpace::new(nodes, |node| {
        ways.iter().filter(|(from, _)| *from == node).map(|(_, to)| (*to, 1000)).collect::<Vec<_>>()
    });
    let at = |node: u32| [(node % 3) as f32, (node / 3) as f32, 0.0];
    space.unwrap().with_positions(at).unwrap().with_lengths(|_| 1.0).unwrap()
}

/// The counts of all crowds.
#[derive(Debug, Default)]
struct Totals {
    moves: usize,
    edits: usize,
    arrivals: usize,
    stopped: usize,
}

/// Lets a crowd of points with conflict sets live for a while in a space that changes.
fn live<S: Editable + Clone + SpaceGraph<Cost = u32> + giveway_core::SyncSpace + 'static>(
    space: S,
    seed: u64,
    random: &mut Pcg64Mcg,
    totals: &mut Totals,
) {
    let rule = if seed.is_multiple_of(2) { ConflictRule::Swap } else { ConflictRule::Following };
    let point = match seed % 4 {
        3 => Point::timed(&space, 2).unwrap(),
        _ => point_under(rule, &space),
    };
    let nodes = u32::try_from(space.node_bound()).unwrap();
    let mut sites: Vec<Site> = (0..nodes).map(|node| Site::Node(NodeId(node))).collect();
    for m in (0..nodes).flat_map(|node| space.moves(NodeId(node)).collect::<Vec<_>>()) {
        sites.push(Site::Way(m.from, m.to));
    }
    let mut pick = || sites[random.random_range(0..sites.len())];
    let pairs: Vec<[Site; 2]> = (0..6).map(|_| [pick(), pick()]).filter(|[a, b]| a != b).collect();
    let radius = seed.is_multiple_of(3).then(|| random.random_range(0.1..0.7));
    let (point, pairs) = match radius {
        Some(radius) => (point.keep_apart(&space, radius).unwrap(), Vec::new()),
        None => (point.with_conflicts(&space, pairs.iter().copied()).unwrap(), pairs),
    };
    let rules = Rules { rule: Footprint::<S>::cells(&point, &space).rule(), pairs };
    let chain = match seed % 5 {
        0 => Chain::default(),
        1 => Chain::new(Planner::Pibt),
        2 => Chain::from(Lra::new(seed)),
        3 => Chain::new(Planner::Lacam),
        _ => Chain::new(Planner::Windowed).fallback(Planner::Pibt, 2).fallback(Planner::Lacam, 2),
    };
    let mut crowd = Crowd::new(CrowdSettings::new().chain(chain).window(random.random_range(1..9)));
    let class = Class::new(space, point).editable().body(disc(radius.unwrap_or(0.01)));
    let class = crowd.add_class(class).unwrap();
    let node = |random: &mut Pcg64Mcg| NodeId(random.random_range(0..nodes));
    let mut simulation = Simulation::new(crowd).recorded();
    for _ in 0..random.random_range(2..7) {
        let _ = simulation.add(class, Agent::bystander(node(random)), Task::Once);
    }
    let ids: Vec<AgentId> = simulation.crowd().agents().collect();
    let area = |random: &mut Pcg64Mcg| {
        let [x, y] = [0; 2].map(|_| random.random_range(0..3_u32));
        Area::cells(x, y, random.random_range(1..3), random.random_range(1..3)).unwrap()
    };
    for _ in 0..50 {
        for id in &ids {
            if random.random_bool(0.2) {
                let _ = simulation.send(*id, node(random));
            }
        }
        if random.random_bool(0.3) {
            let area = area(random);
            totals.edits += match random.random_range(0..3) {
                0 => usize::from(simulation.crowd_mut().open(&area).unwrap()),
                1 => usize::from(simulation.crowd_mut().close(&area) == Ok(true)),
                _ => usize::from(!simulation.crowd_mut().vacate(&area).unwrap().is_empty()),
            };
        }
        let report = simulation.tick(Budget::work(random.random_range(20..4000)));
        totals.moves += report.moves;
        totals.arrivals += report.arrived.len();
        totals.stopped += report.stopped.len();
        rules.check(simulation.crowd(), &format!("seed {seed}"));
    }
    if radius.is_some() {
        assert_eq!(BodyChecker::new().check(&simulation.trace().unwrap()), [], "seed {seed}");
    }
}

#[test]
fn two_thousand_crowds_keep_to_their_conflict_sets_whatever_opens_and_closes() {
    let mut totals = Totals::default();
    for seed in 0..2000 {
        let random = &mut Pcg64Mcg::new(u128::from(seed) * 2 + 1);
        if random.random_bool(0.5) {
            let free: Vec<bool> = (0..12).map(|_| random.random_bool(0.7)).collect();
            let grid = Grid::from_fn(4, 3, |x, y| free[(y * 4 + x) as usize]).unwrap();
            let connectivity =
                if seed % 4 == 3 || random.random_bool(0.5) { Connectivity::Four } else { Connectivity::Eight };
            live(grid.with_connectivity(connectivity), seed, random, &mut totals);
        } else {
            let space = network(random);
            live(space, seed, random, &mut totals);
        }
    }
    let Totals { moves, edits, arrivals, stopped } = totals;
    assert!(moves > 20_000 && edits > 5_000 && arrivals > 5_000 && stopped > 500, "{totals:?}");
}
