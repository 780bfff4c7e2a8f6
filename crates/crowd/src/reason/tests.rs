//! Every agent that waits has a reason, and the agents that it names are those whose going lets the agent move.

use giveway_core::{Agent, AgentId, NodeId, Point, SpaceGraph as _};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_pcg::Pcg64Mcg;

use super::Reason;
use crate::class::Class;
use crate::settings::{CrowdSettings, Replanning};
use crate::{Budget, Crowd};

/// What became of agents that did not move.
#[derive(Debug, Default)]
struct Sample {
    in_the_way: usize,
    /// The named set gone, the agent moved.
    freed: usize,
    /// Some smaller set gone, the agent moved, too.
    smaller: usize,
    as_planned: usize,
    /// By a new plan the agent moved, as was told.
    moved: usize,
    others: Vec<(Reason, usize)>,
}

impl Sample {
    fn waits(&self) -> usize {
        self.in_the_way + self.as_planned + self.others.iter().map(|(_, count)| count).sum::<usize>()
    }
}

/// Whether `agent` moves at the next tick if `gone` are removed, and it plans anew.
fn moves_without(crowd: &Crowd<'_>, agent: AgentId, gone: &[AgentId]) -> bool {
    let mut other = crowd.clone();
    for gone in gone {
        other.remove(*gone).unwrap();
    }
    let now = other.now();
    other.state.lose_plan(other.state.roster.slot(agent).unwrap(), now);
    other.tick(Budget::unlimited());
    other.last_leg(agent).is_some_and(|leg| leg.is_move() && leg.depart == now)
}

/// Looks at a crowd of `units` on a random map every eighth tick, when few other agents plan.
fn look(units: usize, side: u32, walls: usize, seed: u128, sample: &mut Sample) {
    let mut random = Pcg64Mcg::new(seed);
    let mut grid = Grid::open(side, side).unwrap();
    for _ in 0..walls {
        let [x, y] = [(); 2].map(|()| random.random_range(0..side));
        grid.set_passable(x, y, false);
    }
    let mut places: Vec<NodeId> = grid.nodes().filter(|node| grid.contains(*node)).collect();
    places.shuffle(&mut random);
    let mut crowd = Crowd::new(CrowdSettings::new().replanning(Replanning::AllAtOnce));
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).unwrap();
    for start in &places[..units] {
        crowd.add_near(class, Agent::new(*start, *places.choose(&mut random).unwrap())).unwrap();
    }
    let mut arrived = Vec::new();
    for tick in 0..160 {
        let report = crowd.tick(Budget::unlimited());
        arrived.extend(report.arrived);
        if tick % 8 < 2 {
            for agent in arrived.drain(..) {
                // The place may be another agent's goal.
                let _ = crowd.send(agent, *places.choose(&mut random).unwrap());
            }
        }
        if tick % 8 == 4 {
            let agents: Vec<AgentId> = crowd.agents().collect();
            agents.into_iter().for_each(|agent| explain(&mut crowd, agent, sample));
        }
    }
}

/// Asks why `agent` does not move, and finds out whether that is so.
fn explain(crowd: &mut Crowd<'_>, agent: AgentId, sample: &mut Sample) {
    let why = crowd.explain(agent);
    let reason = why.reason.expect("the agent exists");
    assert_eq!(why.by.is_empty(), reason != Reason::InTheWay, "{why:?}");
    match reason {
        Reason::Moves | Reason::Rests => {}
        Reason::InTheWay => {
            assert!(why.by.contains(&why.chain[0].by) && why.chain[0].agent == agent, "{why:?}");
            sample.in_the_way += 1;
            sample.freed += usize::from(moves_without(crowd, agent, &why.by));
            let mut each_left_out = (0..why.by.len()).map(|left_out| {
                let mut fewer = why.by.clone();
                fewer.remove(left_out);
                fewer
            });
            sample.smaller += usize::from(each_left_out.any(|fewer| moves_without(crowd, agent, &fewer)));
        }
        Reason::AsPlanned { until } => {
            assert!(until >= crowd.now(), "{why:?}");
            sample.as_planned += 1;
            sample.moved += usize::from(moves_without(crowd, agent, &[]));
        }
        other => match sample.others.iter_mut().find(|(known, _)| *known == other) {
            Some((_, count)) => *count += 1,
            None => sample.others.push((other, 1)),
        },
    }
}

#[test]
fn the_named_agents_are_in_the_way_and_no_others() {
    let mut sample = Sample::default();
    for seed in 0..4 {
        for (units, side, walls) in [(60, 16, 30), (90, 20, 60), (160, 24, 100)] {
            look(units, side, walls, seed, &mut sample);
        }
    }
    assert!(sample.waits() >= 1000, "{sample:?}");
    assert!(sample.freed * 100 >= sample.in_the_way * 99, "{sample:?}");
    assert!(sample.smaller * 10 <= sample.in_the_way, "{sample:?}");
    assert!(sample.moved * 10 >= sample.as_planned * 9, "{sample:?}");
}

/// A corridor of `length` cells, and units on it.
fn corridor(length: u32, units: &[(u32, Option<u32>)]) -> Crowd<'static> {
    let grid = Grid::open(length, 1).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let footprint = Point::swap_rule(&grid);
    let class = crowd.add_class(Class::new(grid.clone(), footprint)).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    for (start, goal) in units {
        let agent = goal.map_or_else(|| Agent::bystander(at(*start)), |goal| Agent::new(at(*start), at(goal)));
        crowd.add(class, agent).unwrap();
    }
    crowd
}

#[test]
fn each_reason_has_its_row() {
    let reason = |crowd: &mut Crowd<'_>, agent| crowd.explain(AgentId(agent)).reason;
    let mut crowd = corridor(9, &[(0, Some(8)), (4, None)]);
    assert_eq!(reason(&mut crowd, 0), Some(Reason::WayUnknown), "no tick has gone by");
    assert_eq!(reason(&mut crowd, 1), Some(Reason::Rests));
    assert_eq!(crowd.explain(AgentId(7)), crate::Explanation::default(), "no such agent");
    crowd.tick(Budget::work(0));
    assert_eq!(reason(&mut crowd, 0), Some(Reason::WayUnknown), "no budget for the way");
    crowd.tick(Budget::work(20));
    assert_eq!(reason(&mut crowd, 0), Some(Reason::OutOfBudget), "enough for the way, and no more");
    crowd.tick(Budget::unlimited());
    assert_eq!(reason(&mut crowd, 0), Some(Reason::Moves));
    for _ in 0..40 {
        crowd.tick(Budget::unlimited());
    }
    let why = crowd.explain(AgentId(0));
    assert_eq!((why.reason, why.by, why.cycle), (Some(Reason::InTheWay), vec![AgentId(1)], None));
    assert_eq!(reason(&mut crowd, 1), Some(Reason::Rests), "the one in the way has no order");
}

#[test]
fn two_that_wait_for_each_other_are_a_circle() {
    let mut crowd = corridor(3, &[(0, Some(2)), (2, Some(0))]);
    for _ in 0..20 {
        crowd.tick(Budget::unlimited());
    }
    let why = crowd.explain(AgentId(0));
    let links: Vec<(u32, u32)> = why.chain.iter().map(|waiting| (waiting.agent.0, waiting.by.0)).collect();
    assert_eq!((links, why.cycle), (vec![(0, 1), (1, 0)], Some(0..2)));
}
