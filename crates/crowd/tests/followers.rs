//! Crowds whose agents plan in space alone, by routes of any length, under layers that may learn.

use std::sync::Mutex;

use crate::world::{World, arrivals, assert_paths_legal, picture, pictures};
use giveway_check::Checker;
use giveway_core::ConflictRule::Swap;
use giveway_core::heuristic::{ByMetric, Octile};
use giveway_core::{Agent, AgentId, Asker, CostLayer, MoveIn, NodeId, Point, SpaceGraph, Tick};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, CrowdSolver, Lra, Planner, Report};
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Instance, Routing, SectorRouting, SolutionIn};
use proptest::prelude::*;

const ROUTINGS: [Routing; 4] = [
    Routing::Whole,
    Routing::Greedy,
    Routing::Sectors(SectorRouting::new(2)),
    Routing::Sectors(SectorRouting::new(3).refine(50)),
];

fn calm(routing: Routing) -> Lra {
    Lra::new(0).noise(0).routing(routing)
}

/// A class guided by positions, which cost nothing to look up.
fn class(grid: &Grid) -> Class<'_, Grid, Point, ByMetric<Octile<u32>>> {
    let octile = Octile { step: 1000, diagonal: 1414 };
    Class::new(grid, Point::swap_rule(grid)).heuristics(ByMetric(octile))
}

/// A crowd of `world` in the given classes, whose agents are bystanders where they have no other goals than their
/// starts.
struct Running<'a> {
    crowd: Crowd<'a>,
    ids: Vec<AgentId>,
    reports: Vec<Report>,
}

fn running<'a, L>(world: &'a World, layer: L, chains: impl IntoIterator<Item = Chain>) -> Running<'a>
where
    L: CostLayer<Grid> + Clone + Send + Sync + 'a,
{
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(class(&world.grid).layer(layer)).unwrap();
    let mut ids = Vec::new();
    for (agent, chain) in world.agents.iter().zip(chains) {
        let stays = agent.goals.contains(agent.start);
        let agent = if stays { Agent::bystander(agent.start) } else { agent.clone() };
        ids.push(crowd.add(class, agent).unwrap());
        crowd.set_chain(*ids.last().unwrap(), chain).unwrap();
    }
    Running { crowd, ids, reports: Vec::new() }
}

impl Running<'_> {
    /// Lets at most `ticks` ticks go by, until all are at rest. Returns the place of the first agent at each tick.
    fn run(&mut self, ticks: Tick) -> Vec<NodeId> {
        let first = |crowd: &Crowd<'_>| crowd.node(self.ids[0]).unwrap();
        let mut nodes = vec![first(&self.crowd)];
        while nodes.len() <= ticks as usize && !self.crowd.is_at_rest() {
            self.reports.push(self.crowd.tick(Budget::unlimited()));
            nodes.push(first(&self.crowd));
        }
        nodes
    }

    fn sum(&self, of: impl Fn(&Report) -> u64) -> u64 {
        self.reports.iter().map(of).sum()
    }
}

/// Solves `world` within `max_ticks`; whether everyone arrived or not, what they did must be legal.
fn solve(world: &World, lra: Lra, max_ticks: Tick) -> SolutionIn<Grid> {
    let point = Point::swap_rule(&world.grid);
    let instance = Instance::new(&world.grid, &point, world.agents.clone()).unwrap();
    let solution = CrowdSolver::lra_star(lra).latest(max_ticks).solve(&instance).map_details(drop);
    assert_paths_legal(&Checker::new(&world.grid, Swap).with_crossings(), 0, &solution.plan.paths);
    solution
}

#[test]
fn by_every_routing_agents_come_to_their_goals() {
    let rows: [(&str, World, [Option<Tick>; 4]); 3] = [
        (
            "across an open map",
            pictures(["A.....", "......", "B....C", "......"], ["....c.", "......", "......", "b.a..."]),
            [Some(5); 4],
        ),
        ("around a wall", picture(["A....", "@@@@.", "a...."]), [Some(10); 4]),
        (
            "around a wall, from both sides",
            pictures(["A.....", "@@@@..", "B....."], ["b.....", "@@@@..", "a....."]),
            // Agents that meet and look one step ahead go aside and come back together, for ever.
            [Some(13), None, Some(13), Some(13)],
        ),
    ];
    for (name, world, expected) in rows {
        let ticks = ROUTINGS.map(|routing| {
            let solution = solve(&world, calm(routing).radius(3000), 200);
            solution.is_complete().then(|| arrivals(&solution.plan).into_iter().max()).flatten()
        });
        assert_eq!(ticks, expected, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_routings_nobody_collides_and_runs_are_the_same(
        walls in proptest::collection::vec(0..6_u8, 64),
        places in proptest::collection::vec(0..64_usize, 16),
        radius in 0..6_u32,
        noise in 0..2_u32,
        routings in proptest::collection::vec(0..4_usize, 2),
        diagonals: bool,
    ) {
        let grid = Grid::from_fn(8, 8, |x, y| walls[(y * 8 + x) as usize] > 0).unwrap();
        let grid = grid.with_connectivity(if diagonals { Connectivity::Eight } else { Connectivity::Four });
        let free: Vec<NodeId> = (0..64).map(NodeId).filter(|node| grid.contains(*node)).collect();
        let mut taken: [Vec<NodeId>; 2] = [Vec::new(), Vec::new()];
        let mut agents = Vec::new();
        for pair in places.chunks(2) {
            let [start, goal] = [free[pair[0] % free.len()], free[pair[1] % free.len()]];
            if !taken[0].contains(&start) && !taken[1].contains(&goal) {
                taken[0].push(start);
                taken[1].push(goal);
                agents.push(Agent::new(start, goal));
            }
        }
        let world = World { grid, agents };
        let run = || {
            // Two ways to plan, in two classes on one table.
            let mut crowd = Crowd::new(CrowdSettings::new());
            let lras = routings.iter().map(|index| calm(ROUTINGS[*index]).radius(1000 * radius).noise(1000 * noise));
            let classes: Vec<_> = lras.map(|lra| {
                crowd.add_class(class(&world.grid).chain(Planner::LocalRepair(lra))).unwrap()
            }).collect();
            let ids: Vec<AgentId> = world.agents.iter().zip(0..).map(|(agent, index)| {
                crowd.add(classes[index % 2], agent.clone()).unwrap()
            }).collect();
            let mut seen = Vec::new();
            for _ in 0..60 {
                let report = crowd.tick(Budget::unlimited());
                let nodes: Vec<NodeId> = ids.iter().map(|id| crowd.node(*id).unwrap()).collect();
                seen.push((nodes, report.expansions, report.moves));
            }
            seen
        };
        let seen = run();
        prop_assert_eq!(&seen, &run());
        let mut before: Vec<NodeId> = world.agents.iter().map(|agent| agent.start).collect();
        for (nodes, ..) in seen {
            for one in 0..nodes.len() {
                for other in 0..one {
                    prop_assert_ne!(nodes[one], nodes[other], "in one place");
                    prop_assert!((nodes[one], nodes[other]) != (before[other], before[one]) , "swapped");
                }
                let stays = nodes[one] == before[one];
                prop_assert!(stays || world.grid.moves(before[one]).any(|m| m.to == nodes[one]));
            }
            before = nodes;
        }
    }
}

/// Silver's agents see others when they stand before them; with a radius they see them when they set out, or at the end
/// of a route.
#[test]
fn others_in_sight_are_walls_when_a_route_is_planned() {
    // B is five steps away.
    let world = picture(["..........", "A....B...a", ".........."]);
    let at = |x, y| world.grid.node(x, y).unwrap();
    // The radius, when A has come, how many routes it has planned.
    for (radius, routing, ticks, routes) in [
        (0, Routing::Whole, 11, 2),
        // The radius itself is outside.
        (5000, Routing::Whole, 11, 2),
        (5001, Routing::Whole, 11, 1),
        (1001, Routing::Greedy, 11, 11),
        (100_000, Routing::Sectors(SectorRouting::new(3)), 11, 2),
    ] {
        let chains = [calm(routing).radius(radius), calm(Routing::Whole)].map(|lra| Planner::LocalRepair(lra).into());
        let mut running = running(&world, (), chains);
        let nodes = running.run(50);
        assert_eq!(nodes.last(), Some(&at(9, 1)), "{radius} by {routing:?}");
        assert_eq!(
            (nodes.len() - 1, running.sum(|report| report.searches.into())),
            (ticks, routes),
            "{radius} by {routing:?}"
        );
    }
}

#[test]
fn its_own_goal_is_no_wall_and_others_out_of_sight_are_none() {
    // B stands on the goal of A, which comes as near as it can and waits.
    let world = picture(["A....B..."]);
    for (routing, radius) in ROUTINGS.into_iter().flat_map(|routing| [(routing, 1001), (routing, 100_000)]) {
        let lra = calm(routing).radius(radius);
        let mut running =
            running(&world, (), [Planner::LocalRepair(lra).into(), Planner::LocalRepair(calm(routing)).into()]);
        let [a, b] = running.ids[..] else { unreachable!() };
        running.crowd.send(b, [5, 8].map(NodeId).into_iter().collect::<giveway_core::Goals>()).unwrap();
        running.crowd.send(a, [NodeId(5)].into_iter().collect::<giveway_core::Goals>()).unwrap();
        assert_eq!(running.run(12).last(), Some(&NodeId(4)), "{routing:?} within {radius}");
        running.crowd.remove(b).unwrap();
        running.ids.pop();
        assert_eq!(running.run(12).last(), Some(&NodeId(5)), "{routing:?} within {radius}");
    }
}

#[test]
fn single_moves_take_as_many_expansions_as_steps() {
    let world = pictures(["A......", "B......", "C......"], ["......b", "......c", "......a"]);
    let chain = || Planner::LocalRepair(calm(Routing::Greedy).radius(5000)).into();
    let mut running = running(&world, (), [chain(), chain(), chain()]);
    running.run(50);
    assert!(running.crowd.is_at_rest());
    let moves = running.sum(|report| report.moves as u64);
    let blocked = running.sum(|report| report.failed.len() as u64);
    assert_eq!(
        (running.sum(|report| report.expansions), running.sum(|report| report.reverse_expansions)),
        (moves + blocked, 0)
    );
}

/// One that is blocked looks ahead once, and then stands.
#[test]
fn whoever_is_blocked_plans_once_in_a_tick() {
    let world = pictures(["A.B", "..."], ["b.a", "..."]);
    let chain = || Planner::LocalRepair(calm(Routing::Greedy).radius(5000)).into();
    let mut running = running(&world, (), [chain(), chain()]);
    running.run(1);
    let report = &running.reports[0];
    assert_eq!((report.failed.len(), report.moves, report.searches, report.expansions), (1, 1, 2, 2));
}

#[test]
fn units_of_one_class_plan_by_different_routings() {
    let world = picture(["A...a", "B...b"]);
    let chains = [Routing::Whole, Routing::Greedy].map(|routing| Planner::LocalRepair(calm(routing)).into());
    let mut running = running(&world, (), chains);
    running.run(50);
    assert!(running.crowd.is_at_rest());
    let searches = running.sum(|report| report.searches.into());
    assert_eq!((searches, running.sum(|report| report.expansions)), (1 + 4, 5 + 4));
}

/// Counts moves by node, and draws all agents to the right.
#[derive(Default)]
struct Diary(Mutex<Vec<(u32, u32)>>);

impl<S: SpaceGraph<Cost = u32>> CostLayer<S> for Diary {
    fn surcharge(&self, _space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> u32 {
        if m.to.0 == m.from.0 + 1 { 0 } else { 500 }
    }

    fn moved(&self, _space: &S, m: &MoveIn<S>) {
        self.0.lock().unwrap().push((m.from.0, m.to.0));
    }
}

#[test]
fn layers_are_told_of_every_move_that_has_ended_and_of_nothing_else() {
    // B is added before A, and plans in windows; C rests.
    let world = picture(["B...b", "C....", "A...a"]);
    let diary = Diary::default();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(class(&world.grid).layer(&diary)).unwrap();
    for (index, chain) in [
        (1, Chain::new(Planner::Windowed)),
        (0, Planner::LocalRepair(calm(Routing::Greedy)).into()),
        (2, Chain::default()),
    ] {
        let id = crowd.add(class, world.agents[index].clone()).unwrap();
        crowd.set_chain(id, chain).unwrap();
    }
    let told = || std::mem::take(&mut *diary.0.lock().unwrap());
    for step in 0..4 {
        assert_eq!(crowd.tick(Budget::unlimited()).moves, 2);
        assert_eq!(told(), [(step, step + 1), (10 + step, 11 + step)]);
    }
    assert!(crowd.is_at_rest());
    crowd.tick(Budget::unlimited());
    assert_eq!(told(), []);
}

/// A move is told when it ends, not when it begins; and not if its agent is taken away meanwhile.
#[test]
fn layers_are_told_of_moves_at_their_ends() {
    let world = picture(["A..a"]);
    let diary = Diary::default();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&world.grid, Point::timed(&world.grid, 3).unwrap()).layer(&diary)).unwrap();
    let a = crowd.add(class, world.agents[0].clone()).unwrap();
    let told = || diary.0.lock().unwrap().clone();
    let mut rows = Vec::new();
    for _ in 0..8 {
        crowd.tick(Budget::unlimited());
        rows.push(told().len());
    }
    assert_eq!(rows, [0, 0, 1, 1, 1, 2, 2, 2]);
    crowd.remove(a).unwrap();
    crowd.tick(Budget::unlimited());
    assert_eq!(told(), [(0, 1), (1, 2)]);
}

/// Of two ways of the same length the one is taken that was gone before; but the way over sectors is the same either
/// way.
#[test]
fn who_comes_later_goes_where_a_direction_map_has_seen_others_go() {
    let world = pictures(["A....", ".@@@.", "....."], [".....", ".@@@.", "....a"]);
    let at = |x, y| world.grid.node(x, y).unwrap();
    for routing in [Routing::Whole, Routing::Greedy] {
        for (sees_left, way) in [(true, at(0, 2)), (false, at(4, 0))] {
            let map = DirectionMap::blank(&world.grid, DirectionRules::paper());
            let seen = if sees_left { [at(0, 0), at(0, 1), at(0, 2)] } else { [at(0, 0), at(1, 0), at(2, 0)] };
            for pair in seen.windows(2) {
                map.learn(&world.grid, pair[0], pair[1]);
            }
            let before = map.directions().count();
            let mut running = running(&world, &map, [Planner::LocalRepair(calm(routing)).into()]);
            let nodes = running.run(20);
            assert_eq!((nodes.len(), nodes.contains(&way)), (7, true), "{routing:?}");
            assert!(map.directions().count() > before, "{routing:?}: it learns from this one, too");
        }
    }
}
