//! Homecoming: agents that push each other from home, one after the other, plan to the end.

use std::sync::Arc;

use giveway_check::Checker;
use giveway_core::{Agent, AgentId, AtEnd, ConflictRule, Motion, NodeId, Path, PathIn, Plan, Point, SpaceGraph, Step};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Planner};
use giveway_spaces::{FnSpace, RoadRules, Roads};
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

/// Lanes between four by four junctions: whoever stands in a lane is in the way of all that come along the lane.
fn lanes() -> Arc<Roads> {
    const SIDE: u32 = 4;
    let streets = FnSpace::new(SIDE * SIDE, |place| {
        let (x, y) = (place % SIDE, place / SIDE);
        let beside = [
            (x + 1 < SIDE).then_some(place + 1),
            (x > 0).then(|| place - 1),
            (y + 1 < SIDE).then_some(place + SIDE),
            (y > 0).then(|| place - SIDE),
        ];
        beside.into_iter().flatten().map(|to| (to, 20_000_u32)).collect::<Vec<_>>()
    });
    #[allow(clippy::cast_precision_loss)] // small numbers
    let position = |place: u32| [(place % SIDE) as f32 * 20.0, (place / SIDE) as f32 * 20.0, 0.0];
    let streets = streets.and_then(|streets| streets.with_positions(position)).unwrap();
    Arc::new(Roads::new(&streets, RoadRules::new(5.0, 3.0, 5.0)).unwrap())
}

/// What has become of 30 agents on `lanes`.
struct Outcome {
    ticks: u32,
    /// The ticks at which agents planned to the end.
    joint: Vec<u32>,
    is_at_rest: bool,
}

/// Lets 30 agents with chains like `chain` drive home on `lanes`, for 600 ticks at most, within `budget` for each tick.
fn drive(lanes: &Arc<Roads>, seed: u128, chain: &Chain, budget: Budget) -> Outcome {
    const UNITS: usize = 30;
    let mut random = Pcg64Mcg::new(seed);
    let mut starts: Vec<NodeId> = lanes.nodes().filter(|node| lanes.contains(*node)).collect();
    let mut goals = starts.clone();
    starts.shuffle(&mut random);
    goals.shuffle(&mut random);
    let agents: Vec<Agent> =
        starts.into_iter().zip(goals).take(UNITS).map(|(start, goal)| Agent::new(start, goal)).collect();
    let mut crowd = Crowd::new(CrowdSettings::new().chain(chain.clone()));
    let class = crowd.add_class(Class::new(lanes.clone(), Point::rounded(&**lanes, 1))).unwrap();
    let ids: Vec<AgentId> = agents.iter().map(|agent| crowd.add(class, agent.clone()).unwrap()).collect();
    let standing = |agent: &Agent| Path::standing(agent.start, 0, AtEnd::Stay);
    let mut paths: Vec<PathIn<Roads>> = agents.iter().map(standing).collect();
    let mut joint = Vec::new();
    while !crowd.is_at_rest() && crowd.now() < 600 {
        let report = crowd.tick(budget);
        joint.extend((!report.knots.is_empty()).then_some(report.tick));
        for (path, agent) in paths.iter_mut().zip(&ids) {
            let leg = crowd.last_leg(*agent).unwrap();
            if leg.depart < report.tick && leg.is_move() {
                continue;
            }
            match lanes.moves(leg.from).find(|m| leg.is_move() && m.to == leg.to) {
                Some(m) => path.steps.push(Step { motion: Motion::Move(m), depart: leg.depart, arrive: leg.arrive }),
                None => path.push_rest(leg.from, report.tick, 1),
            }
        }
    }
    let is_at_rest = crowd.is_at_rest();
    if is_at_rest {
        let checker = Checker::new(&**lanes, ConflictRule::Following);
        let violations = checker.check(&agents, &Plan { paths });
        assert_eq!(violations.first(), None, "seed {seed}");
    }
    Outcome { ticks: crowd.now(), joint, is_at_rest }
}

/// Without homecomings this takes 2,600 ticks.
#[test]
fn agents_that_push_each_other_from_home_come_to_rest() {
    let lanes = lanes();
    let mut ticks = 0;
    for seed in [1, 3, 5, 7, 9, 11] {
        let outcome = drive(&lanes, seed, &Chain::default(), Budget::unlimited());
        assert!(outcome.is_at_rest && !outcome.joint.is_empty(), "seed {seed}: {:?}", outcome.joint);
        assert!(outcome.joint.iter().all(|tick| tick % 32 == 0), "seed {seed}: {:?}", outcome.joint);
        ticks += outcome.ticks;
    }
    assert!(ticks < 1700, "{ticks}");
}

#[test]
fn there_is_no_homecoming_without_lacam_or_without_work() {
    let lanes = lanes();
    let windows = Chain::new(Planner::Windowed);
    for seed in [1, 3] {
        let alone = drive(&lanes, seed, &windows, Budget::unlimited());
        assert_eq!(alone.joint, [0; 0], "seed {seed}");
        let short = drive(&lanes, seed, &Chain::default(), Budget::work(500));
        assert_eq!(short.joint, [0; 0], "seed {seed}");
    }
}
