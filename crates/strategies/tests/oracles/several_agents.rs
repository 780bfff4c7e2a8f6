//! Several agents: no strategy beats the joint optimum, and each agent does as well as those before it permit.

use giveway_check::Checker;
use giveway_core::heuristic::{ByMetric, Euclidean, Metric};
use giveway_core::store::{IntervalTable, SparseTable, WindowTable};
use giveway_core::{
    Agent, AgentId, AtEnd, ConflictRule, Cost, Embedding, Footprint, Path, PathIn, SpaceGraph, TimeModel,
};
use giveway_distance::{Landmarks, TrueDistances};
use giveway_spaces::Grid;
use giveway_strategies::{
    Cooperative, CooperativeDetails, Hca, Independent, Instance, NoPlan, Order, Restart, SolutionIn,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::oracle::amid_others::{Others, Question};
use crate::oracle::distances::to_goals;
use crate::oracle::jointly::least_sum_of_costs;
use crate::oracles::roles::{Body, price_of_waiting};
use crate::oracles::scenarios::{Trips, agents, trips};
use crate::oracles::spaces::{Roads, any_grid, meet_head_on, meet_on, metric, plain_roads};
use crate::oracles::{Ends, Float, cases};
use crate::world::{Price, Priced, assert_legal, assert_paths_legal, point, same, steps};

use ConflictRule::{Following, Swap};

/// The result of every strategy, by name.
fn solutions<S: SpaceGraph, F: Footprint<S>>(
    instance: &Instance<'_, S, F>,
    metric: impl Metric<S> + Clone,
) -> Vec<(String, SolutionIn<S, CooperativeDetails>)> {
    let mut solutions = Vec::new();
    let restarts = [Restart::Never, Restart::default(), Restart::Shuffled { times: 9, seed: 1 }];
    for order in [Order::AsGiven, Order::NearestFirst, Order::Random { seed: 7 }] {
        for restart in restarts {
            let name = |strategy: &str| format!("{strategy}, {order:?}, {restart:?}");
            let mut ca = Cooperative::new(ByMetric(metric.clone())).order(order).restart(restart);
            solutions.push((name("CA*"), ca.solve(instance)));
            let mut hca = Hca::hca_star().order(order).restart(restart);
            solutions.push((name("HCA*"), hca.solve(instance)));
            let aimed = TrueDistances::aimed(metric.clone());
            let mut hca = Cooperative::new(aimed).order(order).restart(restart);
            solutions.push((name("HCA* by reverse A*"), hca.solve(instance)));
        }
    }
    solutions
}

fn check_jointly<S: Embedding>(
    space: &S,
    rule: ConflictRule,
    meet: &dyn Fn(Ends, Ends) -> bool,
    metric: impl Metric<S> + Clone,
    trips: &Trips,
    legal: impl Fn(&[Agent], &SolutionIn<S, CooperativeDetails>),
) {
    let agents = agents(space, trips);
    let point = point(space, rule);
    let instance = Instance::new(space, &point, agents.clone()).unwrap();
    let least = least_sum_of_costs(space, rule, meet, &agents);
    for (name, solution) in solutions(&instance, metric.clone()) {
        legal(&agents, &solution);
        if solution.is_complete() {
            let cost = solution.plan.sum_of_costs();
            assert!(least.is_some_and(|least| cost >= least), "{name}: {cost} is less than {least:?}: {solution:?}");
        }
        if agents.len() == 1 {
            assert_eq!(solution.is_complete(), least.is_some(), "{name}");
        }
        for none in &solution.unplanned {
            let agent = &agents[none.agent.index()];
            let reachable = to_goals(space, agent.goals.nodes())[agent.start.index()].is_finite();
            assert!(reachable || none.why != NoPlan::Stopped);
            assert!(!reachable || none.why != NoPlan::Unreachable, "{name}");
        }
    }
    let blind = Independent::new(ByMetric(metric)).solve(&instance);
    if blind.is_complete() {
        for (path, agent) in blind.plan.paths.iter().zip(&agents) {
            let alone = to_goals(space, agent.goals.nodes())[agent.start.index()];
            assert!(same(steps(path.cost), alone));
        }
    } else {
        assert_eq!(least, None);
    }
}

/// `space` is `grid`, at whatever cost type.
fn check_jointly_on_grid<S: Embedding<Cost: Price>>(space: &S, grid: &Grid, trips: &Trips) {
    for rule in [Swap, Following] {
        check_jointly(space, rule, &meet_on(grid), metric::<S::Cost>(grid), trips, |agents, solution| {
            assert_legal(space, rule, agents, solution);
        });
    }
}

/// The strategies plan as the oracle does, agent after agent.
fn check_one_after_the_other<S: SpaceGraph<Cost: Price>>(
    space: &S,
    body: &dyn Footprint<S>,
    meet: &dyn Fn(Ends, Ends) -> bool,
    trips: &Trips,
    time: TimeModel,
) {
    let (body, agents) = (&body, agents(space, trips));
    let instance = Instance::new(space, body, agents.clone()).unwrap();
    let mut strategy = Hca::hca_star().order(Order::AsGiven).restart(Restart::Never).time_model(time);
    let solution = strategy.solve(&instance);
    let reachable = |agent: &Agent| to_goals(space, agent.goals.nodes())[agent.start.index()].is_finite();
    let unreachable = |agent: &Agent| !reachable(agent);
    let mut known: Vec<PathIn<S>> = agents
        .iter()
        .filter(|agent| unreachable(agent))
        .map(|agent| Path::standing(agent.start, 0, AtEnd::Stay))
        .collect();
    for (index, agent) in agents.iter().enumerate() {
        let mut others = Others::none(body.rule(space));
        known.iter().for_each(|path| others.add::<S>(path));
        for (other, agent) in agents.iter().enumerate() {
            if other != index {
                others.add::<S>(&Path::standing(agent.start, 0, AtEnd::Disappear));
            }
        }
        let question = Question {
            space,
            meet,
            duration: &|m| body.duration(space, m),
            longest: body.longest(space),
            quantum: body.wait_quantum(),
            start: agent.start,
            depart: 0,
            goals: agent.goals.nodes(),
            at_end: AtEnd::Stay,
            latest: None,
            surcharge: &|_, _| 0.0,
            wait: &|_, tick| steps(price_of_waiting(u32::STEP, body.ticks_per_step(), tick, body.wait_quantum())),
            settled: 0,
        };
        let path = &solution.plan.paths[index];
        let unplanned = solution.unplanned.iter().find(|none| none.agent.index() == index);
        match unplanned.map(|none| none.why) {
            None => {
                let (told, cheapest) = (question.cost_of(path, &others), question.cheapest(&others));
                assert!(
                    told.zip(cheapest).is_some_and(|(a, b)| same(a, b)),
                    "{told:?} instead of {cheapest:?}: {path:?}\nafter {known:?}"
                );
                known.push(path.clone());
            }
            Some(NoPlan::Unreachable) => assert!(unreachable(agent)),
            Some(why) => {
                assert_eq!(why, NoPlan::Blocked);
                assert!(reachable(agent) && question.cheapest(&others).is_none());
                if others.free_for_ever(agent.start, 0) {
                    known.push(path.clone());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_strategy_beats_the_joint_optimum(grid in any_grid(3), trips in trips(3)) {
        check_jointly_on_grid(&grid, &grid, &trips);
        check_jointly_on_grid(&Priced::<Float>::new(grid.clone()), &grid, &trips);
    }

    #[test]
    fn no_strategy_beats_the_joint_optimum_in_a_corridor(
        length in 2_u32..9,
        bay in 0_u32..9,
        trips in trips(3),
    ) {
        let grid = Grid::from_fn(length, 2, |x, y| y == 0 || x == bay).unwrap();
        check_jointly_on_grid(&grid, &grid, &trips);
    }

    #[test]
    fn no_strategy_beats_the_joint_optimum_on_roads(roads in plain_roads(), trips in trips(3)) {
        let roads = Roads::<u32>::new(&roads);
        for rule in [Swap, Following] {
            let checker = Checker::new(&roads, rule);
            let legal = |_: &[Agent], solution: &SolutionIn<Roads<u32>, CooperativeDetails>| {
                let planned = (0..).zip(&solution.plan.paths).filter(|(id, _)| {
                    solution.unplanned.iter().all(|none| none.agent != AgentId(*id))
                });
                let paths: Vec<_> = planned.map(|(_, path)| path.clone()).collect();
                assert_paths_legal(&checker, 0, &paths);
            };
            check_jointly(&roads, rule, &meet_head_on, Euclidean::from_space(&roads), &trips, legal);
            check_jointly(&roads, rule, &meet_head_on, Landmarks::new(&roads, 2), &trips, legal);
        }
    }

    #[test]
    fn each_agent_does_as_well_as_those_before_it_permit(
        grid in any_grid(5),
        roads in plain_roads(),
        trips in trips(6),
    ) {
        let floats = Priced::<Float>::new(grid.clone());
        let roads = Roads::<u32>::new(&roads);
        let times = [TimeModel::Quanta, TimeModel::SafeIntervals];
        for (rule, time) in [Swap, Following].into_iter().flat_map(|rule| times.map(|time| (rule, time))) {
            let meet = &meet_on(&grid);
            check_one_after_the_other(&grid, &point(&grid, rule), meet, &trips, time);
            check_one_after_the_other(&floats, &point(&floats, rule), meet, &trips, time);
            check_one_after_the_other(&roads, &point(&roads, rule), &meet_head_on, &trips, time);
        }
    }

    #[test]
    fn crowds_are_legal_and_the_same_again_on_every_store(
        grid in any_grid(7),
        trips in trips(14),
        order in select(vec![Order::NearestFirst, Order::FarthestFirst, Order::Random { seed: 5 }]),
    ) {
        let agents = agents(&grid, &trips);
        for rule in [Swap, Following] {
            let point = point(&grid, rule);
            let cells = Footprint::<Grid>::cells(&point, &grid);
            let instance = Instance::new(&grid, &point, agents.clone()).unwrap();
            let solution = Hca::hca_star().order(order).solve(&instance);
            assert_legal(&grid, rule, &agents, &solution);
            let hca = || Hca::hca_star().order(order);
            let again = [
                hca().solve_on(&instance, &mut SparseTable::new(cells)),
                hca().solve_on(&instance, &mut IntervalTable::new(cells)),
                hca().solve_on(&instance, &mut WindowTable::new(cells, 5)),
            ];
            for again in again {
                prop_assert_eq!(&again, &solution);
            }
            let by_intervals = hca().time_model(TimeModel::SafeIntervals).solve(&instance);
            assert_legal(&grid, rule, &agents, &by_intervals);
            let hca = || hca().time_model(TimeModel::SafeIntervals);
            let again = [
                hca().solve_on(&instance, &mut SparseTable::new(cells)),
                hca().solve_on(&instance, &mut WindowTable::new(cells, 5)),
            ];
            for again in again {
                prop_assert_eq!(&again, &by_intervals);
            }
            // Aimed searches know the same distances.
            let mut aimed = Cooperative::new(TrueDistances::aimed(metric(&grid))).order(order);
            let aimed = aimed.solve(&instance);
            prop_assert_eq!((aimed.plan, aimed.expansions), (solution.plan, solution.expansions));
        }
    }
}
