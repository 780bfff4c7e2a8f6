//! Orders against their definition: a plain search for every order, with nothing remembered.

use std::collections::BTreeMap;

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_core::near::Ground as _;
use giveway_core::{Agent, AgentId, FOREVER, Goals, NodeId};
use giveway_spaces::{Connectivity, CornerCutting, Grid};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashSet;

use super::outward::Footing;
use crate::budget::Budget;
use crate::class::Class;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::settings::CrowdSettings;
use giveway_members::class_id::ClassId;

/// The goal of `agent` if it were sent to `goal`: Dijkstra's algorithm from there, until a place is the goal of no
/// other agent.
fn sent(crowd: &Crowd<'_>, agent: AgentId, goal: NodeId) -> Result<NodeId, CrowdError> {
    let state = &crowd.state;
    let class = &state.world[state.roster.get(agent).unwrap().class()];
    let owners = |node| crowd.state.destinations.owners(agent, &class.room(node, 0, FOREVER));
    if !class.contains(goal) {
        return Err(CrowdError::NoSuchNode(goal));
    }
    if owners(goal).iter().all(|owner| crowd.state.roster.get(*owner).unwrap().order.stands_by()) {
        return Ok(goal);
    }
    let mut open = vec![(0.0, 0, goal)];
    let (mut found, mut closed) = (0, FxHashSet::default());
    while let Some(least) = { (0..open.len()).min_by(|a, b| open[*a].partial_cmp(&open[*b]).unwrap()) } {
        let (cost, _, node) = open.swap_remove(least);
        if !closed.insert(node) {
            continue;
        }
        if owners(node).is_empty() {
            return Ok(node);
        }
        class.for_each_move(node, 0, &mut |leg, price| {
            found += 1;
            open.push((cost + price, found, leg.to));
        });
    }
    Err(CrowdError::NoFreePlace { goal })
}

/// The goal of `agent` if it were sent near `goal`: of all places that it can reach, the first by the rule.
fn sent_near(crowd: &Crowd<'_>, agent: AgentId, goal: NodeId) -> Result<NodeId, CrowdError> {
    let member = crowd.state.roster.get(agent).unwrap();
    let class = &crowd.state.world[member.class()];
    let owners = |node| crowd.state.destinations.owners(agent, &class.room(node, 0, FOREVER));
    let mut costs = BTreeMap::from([(member.motion.free_at(crowd.state.clock.now).0, 0)]);
    loop {
        let before = costs.clone();
        for (node, cost) in &before {
            Footing(class).for_each_move(*node, &mut |to, price| {
                let known = costs.entry(to).or_insert(u64::MAX);
                *known = (*known).min(cost + price);
            });
        }
        if costs == before {
            break;
        }
    }
    let stands_by = |owner: &AgentId| crowd.state.roster.get(*owner).unwrap().order.stands_by();
    if costs.contains_key(&goal) && owners(goal).iter().all(stands_by) {
        return Ok(goal);
    }
    let square = |node| {
        let (from, to) = (class.position(node).unwrap(), class.position(goal).unwrap());
        (from[0] - to[0]).powi(2) + (from[1] - to[1]).powi(2)
    };
    let free = costs.iter().filter(|(node, _)| owners(**node).is_empty());
    let best =
        free.min_by(|(a, cost), (b, other)| square(**a).total_cmp(&square(**b)).then(cost.cmp(other)).then(a.cmp(b)));
    best.map(|(node, _)| *node).ok_or(CrowdError::NoFreePlace { goal })
}

/// Counts of the tried cases.
#[derive(Default, Debug)]
struct Totals {
    elsewhere: usize,
    near_elsewhere: usize,
    refused: usize,
    edits: usize,
}

/// Gives a crowd of two sizes on a random map random orders, stops, removals and edits.
fn live(seed: u64, totals: &mut Totals) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let (width, height) = (random.random_range(4..12_u32), random.random_range(4..10_u32));
    let walls = random.random_range(0..40_u32);
    let mut row = || (0..width).map(|_| if random.random_ratio(walls, 100) { '@' } else { '.' }).collect::<String>();
    let rows: Vec<String> = (0..height).map(|_| row()).collect();
    let grid = Grid::from_ascii(&rows.join("\n")).unwrap();
    let grid = match seed % 2 {
        0 => grid,
        _ => grid.with_connectivity(Connectivity::Eight).with_corner_cutting(CornerCutting::Never),
    };
    let mut crowd = Crowd::new(CrowdSettings::new());
    let bodies = [Body::disc(0.4).unwrap(), Body::square(2).unwrap()];
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().unwrap();
    let classes: Vec<ClassId> = bodies
        .into_iter()
        // The large one may fit nowhere.
        .filter_map(|body| body.on(&grid, Ground::from_grid(&grid), ticks).ok())
        .map(|(space, footprint)| crowd.add_class(Class::new(space, footprint).editable()).unwrap())
        .collect();
    if classes.is_empty() {
        return;
    }
    let nodes: Vec<NodeId> = (0..width * height).map(NodeId).collect();
    // Most orders are to the same few places.
    let favourites: Vec<NodeId> = (0..3).map(|_| *nodes.choose(&mut random).unwrap()).collect();
    for _ in 0..120 {
        let node = *if random.random_ratio(3, 4) { &favourites } else { &nodes }.choose(&mut random).unwrap();
        let agents: Vec<AgentId> = crowd.agents().collect();
        let kind = random.random_range(0..100);
        let Some(agent) = agents.choose(&mut random).copied().filter(|_| kind >= 20) else {
            let agent = Agent::bystander(*nodes.choose(&mut random).unwrap());
            let _ = crowd.add(*classes.choose(&mut random).unwrap(), agent);
            continue;
        };
        match kind {
            ..55 => {
                let expected = sent(&crowd, agent, node).map(Goals::one);
                assert_eq!(crowd.send(agent, node), expected, "seed {seed}: {agent} to {node:?}");
                totals.refused += usize::from(expected.is_err());
                totals.elsewhere += usize::from(expected.is_ok_and(|goals| goals != Goals::one(node)));
            }
            55..85 => {
                let expected = sent_near(&crowd, agent, node).map(Goals::one);
                assert_eq!(crowd.send_near(agent, node), expected, "seed {seed}: {agent} near {node:?}");
                totals.refused += usize::from(expected.is_err());
                totals.near_elsewhere += usize::from(expected.is_ok_and(|goals| goals != Goals::one(node)));
            }
            85..88 => crowd.remove(agent).unwrap(),
            88..90 => drop(crowd.place(agent, *nodes.choose(&mut random).unwrap())),
            90..92 => drop(crowd.stop(agent)),
            92..94 => {
                let class = *classes.choose(&mut random).unwrap();
                let open = random.random();
                totals.edits += usize::from(crowd.set_open(class, node, open) == Ok(true));
            }
            _ => drop(crowd.tick(Budget::unlimited())),
        }
    }
}

#[test]
fn orders_are_what_the_plain_search_says() {
    let mut totals = Totals::default();
    for seed in 0..150 {
        live(seed, &mut totals);
    }
    let Totals { elsewhere, near_elsewhere, refused, edits } = totals;
    assert!(elsewhere > 500 && near_elsewhere > 500 && refused > 100 && edits > 50, "{totals:?}");
}
