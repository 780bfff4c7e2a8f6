//! LRA*: routes of one's own, repaired on the way; and chains, in which other strategies take over.

use crate::world::{World, arrivals, assert_paths_legal, picture, pictures};
use giveway_check::Checker;
use giveway_core::ConflictRule::Swap;
use giveway_core::{Agent, AgentId, NodeId, Point, Tick};
use giveway_crowd::{
    Budget, Chain, Class, Crowd, CrowdDetails, CrowdError, CrowdSettings, CrowdSolver, Lra, Planner, Served,
};
use giveway_spaces::Grid;
use giveway_strategies::{Instance, SolutionIn};
use proptest::prelude::*;

fn repair(seed: u64) -> Planner {
    Planner::LocalRepair(Lra::new(seed))
}

fn lra(seed: u64) -> CrowdSettings {
    CrowdSettings::new().chain(repair(seed))
}

/// Solves `world` within `max_ticks`; whether everyone arrived or not, what they did must be legal.
fn solve(world: &World, settings: &CrowdSettings, max_ticks: Tick) -> SolutionIn<Grid, CrowdDetails> {
    let point = Point::swap_rule(&world.grid);
    let instance = Instance::new(&world.grid, &point, world.agents.clone()).unwrap();
    let solution = CrowdSolver::new(settings.clone()).latest(max_ticks).solve(&instance);
    assert_paths_legal(&Checker::new(&world.grid, Swap).with_crossings(), 0, &solution.plan.paths);
    solution
}

/// The tick at which the last agent came to its goal; `None`: an agent never did.
fn solved_at(world: &World, settings: &CrowdSettings) -> Option<Tick> {
    let solution = solve(world, settings, 2000);
    solution.is_complete().then(|| arrivals(&solution.plan).into_iter().max()).flatten()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn alone_it_walks_a_shortest_way(walls in proptest::collection::vec(any::<[bool; 3]>(), 64), seed: u64) {
        // An eighth of the cells are walls.
        let grid = Grid::from_fn(8, 8, |x, y| walls[(y * 8 + x) as usize] != [true; 3]).unwrap();
        let at = |x, y| grid.node(x, y).filter(|node| grid.is_passable(grid.xy(*node).0, grid.xy(*node).1));
        if let (Some(start), Some(goal)) = (at(0, 0), at(7, 7)) {
            let world = World { agents: vec![Agent::new(start, goal)], grid };
            let one = solve(&world, &lra(seed), 200);
            let other = solve(&world, &CrowdSettings::new().window(100), 200);
            prop_assert_eq!(one.is_complete(), other.is_complete());
            prop_assert_eq!(one.plan.paths[0].cost, other.plan.paths[0].cost);
        }
    }
}

/// In a passage as wide as the columns of agents, the agents in front find no way round each other, whatever the noise,
/// and stand there for ever: no agent sees that others would have to step back first. In a window that is a plan like
/// any other.
#[test]
fn in_a_narrow_passage_it_never_gets_through_where_a_window_does() {
    let rows: [(&str, World); 4] = [
        ("one cell wide, a bay", pictures(["B...A.", "@@.@@@"], ["a....b", "@@.@@@"])),
        (
            "one cell wide, three bays",
            pictures(["AB...........CD", "@@@.@@@.@@@.@@@"], ["cd...........ab", "@@@.@@@.@@@.@@@"]),
        ),
        ("two cells wide", pictures(["A.........C", "B.........D"], ["c.........a", "d.........b"])),
        ("two cells wide, six agents", pictures(["AB........DE", "C..........F"], ["de........ab", "f..........c"])),
    ];
    let windowed = || CrowdSettings::new().chain(Planner::Windowed);
    for (name, world) in rows {
        for settings in [CrowdSettings::new(), windowed(), windowed().promotion(false).growth(None)] {
            let ticks = solved_at(&world, &settings);
            assert!(ticks.is_some_and(|ticks| ticks <= 100), "{name}: {ticks:?} by {settings:?}");
        }
        for seed in 0..8 {
            assert_eq!(solved_at(&world, &lra(seed)), None, "{name}, seed {seed}");
        }
    }
}

/// If there is another passage, agents that meet turn round. That takes longer, but not for ever, and less work.
fn two_passages() -> World {
    pictures(
        ["A.@@@@@.D", "B.......E", "..@@@@@..", ".........", "C.@@@@@.F"],
        ["d.@@@@@.a", "e.......b", "..@@@@@..", ".........", "f.@@@@@.c"],
    )
}

#[test]
fn the_seed_decides_and_nothing_else() {
    let world = two_passages();
    let run = |seed| solve(&world, &lra(seed), 2000);
    assert_eq!([0, 1, 2].map(|seed| solved_at(&world, &lra(seed))), [Some(42), Some(42), Some(40)]);
    assert_eq!(solved_at(&world, &CrowdSettings::new()), Some(17));
    assert_eq!(run(3), run(3));
    assert_ne!(run(3).plan, run(0).plan);
    let calm = |seed| solve(&world, &CrowdSettings::new().chain(Planner::LocalRepair(Lra::new(seed).noise(0))), 2000);
    assert_eq!(calm(0), calm(1), "without noise there is nothing to decide");
    let point = Point::swap_rule(&world.grid);
    let instance = Instance::new(&world.grid, &point, world.agents.clone()).unwrap();
    assert_eq!(CrowdSolver::lra_star(Lra::new(3)).latest(2000).solve(&instance), run(3));
}

/// A crowd on a map, whose agents are named in pictures as everywhere.
struct Running<'a> {
    crowd: Crowd<'a>,
    ids: Vec<AgentId>,
    /// The record of each tick.
    reports: Vec<giveway_crowd::Report>,
}

/// A crowd of `world` where each agent plans by its chain.
fn crowd<'a, const N: usize>(world: &'a World, settings: CrowdSettings, chains: [Chain; N]) -> Running<'a> {
    let mut crowd = Crowd::new(settings);
    let class = crowd.add_class(Class::new(&world.grid, Point::swap_rule(&world.grid))).unwrap();
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
    /// Lets at most `ticks` ticks go by, until all are at rest. Returns the place of each agent.
    fn run(&mut self, ticks: Tick) -> Vec<NodeId> {
        for _ in 0..ticks {
            if self.crowd.is_at_rest() {
                break;
            }
            let report = self.crowd.tick(Budget::unlimited());
            assert_eq!(report.served.total(), self.ids.len());
            self.reports.push(report);
        }
        self.ids.iter().map(|id| self.crowd.node(*id).unwrap()).collect()
    }

    fn count(&self, of: impl Fn(&giveway_crowd::Report) -> usize) -> usize {
        self.reports.iter().map(of).sum()
    }

    fn served(&self) -> Served {
        self.reports.iter().fold(Served::default(), |mut sum, report| {
            sum += report.served;
            sum
        })
    }
}

#[test]
fn others_are_no_obstacle_before_they_are_near() {
    // B stands in the way. A does not see that until it stands before it: two steps more than if it had.
    let world = picture(["........", "A...B..a", "........"]);
    let mut running = crowd(&world, CrowdSettings::new(), [repair(1).into(), repair(1).into()]);
    let is_agitated = |running: &Running<'_>| format!("{:?}", running.crowd).contains("agitation: 1");
    running.run(5);
    assert!(is_agitated(&running));
    assert_eq!(running.run(50)[0], world.agents[0].goals.nodes()[0]);
    assert!(!is_agitated(&running), "on its goal it is calm");
    assert_eq!(running.crowd.now(), 9);
    assert_eq!(running.count(|report| report.planned.len()), 2, "one route, one forced replan");
    assert_eq!((running.count(|report| report.failed.len()), running.count(|report| report.stopped.len())), (0, 0));
}

#[test]
fn where_there_is_no_way_round_it_stands_and_tries_again() {
    let world = picture(["A..B..a"]);
    let mut running = crowd(&world, CrowdSettings::new(), [repair(1).into(), repair(1).into()]);
    let [a, b] = running.ids[..] else { unreachable!() };
    running.run(10);
    assert_eq!(running.crowd.node(a), world.grid.node(2, 0));
    assert_eq!(running.count(|report| report.failed.len()), 8);
    running.crowd.remove(b).unwrap();
    running.ids.pop();
    running.run(10);
    assert_eq!(running.crowd.now(), 14, "four more steps");
}

#[test]
fn where_its_goal_is_taken_it_does_not_search() {
    let world = pictures(["B.A", "..."], ["...", "..."]);
    let goal = world.grid.node(0, 0).unwrap();
    let mut running = crowd(&world, CrowdSettings::new(), [repair(1).into(), repair(1).into()]);
    let [a, b] = running.ids[..] else { unreachable!() };
    // A shared goal belongs to no agent.
    running.crowd.send(b, [goal, world.grid.node(0, 1).unwrap()].into_iter().collect::<giveway_core::Goals>()).unwrap();
    running.crowd.send(a, [goal].into_iter().collect::<giveway_core::Goals>()).unwrap();
    running.run(20);
    assert_eq!(running.crowd.node(a), world.grid.node(1, 0));
    let searches: Vec<u32> = running.reports.iter().map(|report| report.searches).collect();
    assert_eq!(searches.iter().sum::<u32>(), 1, "{searches:?}");
}

/// Agents that cannot search in a window are walls, under way and at rest; with windows in their chains they make way.
#[test]
fn who_has_no_other_link_makes_way_for_nobody() {
    let world = picture(["A..B..a", "@@.@@@@"]);
    let windowed = || Chain::new(Planner::Windowed);
    for (chain, passes) in [
        (repair(1).into(), false),
        (Chain::new(repair(1)).fallback(repair(2), 2), false),
        (Chain::new(repair(1)).fallback(Planner::Windowed, 1000), true),
        (windowed(), true),
    ] {
        let mut running = crowd(&world, CrowdSettings::new(), [windowed(), chain.clone()]);
        let nodes = running.run(60);
        assert_eq!(nodes[0] == world.agents[0].goals.nodes()[0], passes, "{chain:?}");
        assert_eq!(nodes[1], world.agents[1].start, "{chain:?}");
        assert_eq!(running.count(|report| report.overridden.len()) > 0, passes, "{chain:?}");
    }
}

/// The agent came by a step that no agent may override; from then on it rests like all others.
#[test]
fn who_has_come_by_repairs_makes_way_by_windows() {
    let world = pictures(["B.......A", "@@@.@@@@@"], ["a...b....", "@@@.@@@@@"]);
    let chain = || Chain::new(repair(1)).fallback(Planner::Windowed, 1000);
    let mut running = crowd(&world, CrowdSettings::new(), [chain(), chain()]);
    let [a, b] = running.ids[..] else { unreachable!() };
    running.crowd.stop(a).unwrap();
    running.run(10);
    assert_eq!((running.crowd.node(b), running.served().windowed), (world.grid.node(4, 0), 0));
    running.crowd.set_chain(a, Planner::Windowed).unwrap();
    running.crowd.send(a, world.agents[0].goals.clone()).unwrap();
    running.run(40);
    assert!(running.crowd.is_at_rest() && running.count(|report| report.overridden.len()) > 0);
}

/// It steps aside, and does not come back before the other one has passed.
#[test]
fn who_makes_way_does_so_to_the_end() {
    let world = picture(["....B....A", "@@@@.@@@@@"]);
    let at = |x| world.grid.node(x, 0).unwrap();
    for chain in [Chain::new(Planner::Windowed), Chain::new(repair(1)).fallback(Planner::Windowed, 1000)] {
        let mut running = crowd(&world, CrowdSettings::new(), [Planner::Windowed.into(), chain]);
        running.crowd.send(running.ids[0], at(0)).unwrap();
        assert_eq!(running.run(50), [at(0), at(4)]);
        assert_eq!((running.crowd.now(), running.count(|report| report.stopped.len())), (9, 0));
    }
}

#[test]
fn windows_take_over_where_repairs_lead_nowhere() {
    let world = pictures(["A.........C", "B.........D"], ["c.........a", "d.........b"]);
    let chain = || Chain::new(repair(1)).fallback(Planner::Windowed, 30);
    let mut running = crowd(&world, lra(0), [chain(), chain(), chain(), chain()]);
    running.run(2000);
    assert!(running.crowd.is_at_rest() && running.crowd.now() < 100, "{}", running.crowd.now());
    // The first ones have come as near as they can after four steps.
    let served = running.reports.iter().map(|report| report.served.windowed).collect::<Vec<usize>>();
    assert_eq!(served.iter().position(|count| *count > 0), Some(34));
    assert!(running.served().windowed > 20 && running.served().local_repair > 100, "{:?}", running.served());
}

#[test]
fn what_cannot_be_reached_is_told_once() {
    let world = picture(["A.@.a"]);
    let mut running = crowd(&world, CrowdSettings::new(), [repair(1).into()]);
    running.run(5);
    assert_eq!(running.count(|report| report.unreachable.len()), 1);
    assert_eq!(running.crowd.is_bystander(running.ids[0]), Some(true));
}

#[test]
fn the_nearest_word_counts_the_agents_then_its_classes_then_the_crowds() {
    let world = picture(["A.B.C.D"]);
    let at = |index: usize| Agent::bystander(world.agents[index].start);
    let mut crowd = Crowd::new(lra(1));
    let plain = crowd.add_class(Class::new(&world.grid, Point::swap_rule(&world.grid))).unwrap();
    let own = Class::new(&world.grid, Point::swap_rule(&world.grid)).chain(repair(2));
    let other = crowd.add_class(own).unwrap();
    let [a, b] = [(plain, 0), (other, 1)].map(|(class, index)| crowd.add(class, at(index)).unwrap());
    let of = |crowd: &Crowd<'_>, agent| crowd.chain(agent).cloned();
    assert_eq!((of(&crowd, a), of(&crowd, b)), (Some(repair(1).into()), Some(repair(2).into())));
    crowd.change_class(a, other).unwrap();
    assert_eq!(of(&crowd, a), Some(repair(2).into()), "as the class that it is in now");
    let third = Chain::new(Planner::Windowed).fallback(repair(3), 5);
    crowd.set_chain(b, third.clone()).unwrap();
    crowd.change_class(b, plain).unwrap();
    assert_eq!(of(&crowd, b), Some(third), "its own goes with it");
    assert_eq!(of(&crowd, AgentId(9)), None);
    assert_eq!(crowd.set_chain(AgentId(9), repair(1)), Err(CrowdError::NoSuchAgent(AgentId(9))));
}
