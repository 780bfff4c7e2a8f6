//! A search looks at no more than it has to.

use giveway_core::heuristic::Manhattan;
use giveway_core::store::IntervalTable;
use giveway_core::{
    AgentId, AtEnd, Claim, Footprint, Fuel, Goals, Heuristic, NodeId, Path, Point, Query, ReservationStore, Scene,
    SpaceGraph, SpaceTimeSearch, Suspended,
};
use giveway_distance::{Predecessors, ReverseAStar};
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Hca, Instance};
use proptest::prelude::*;

use crate::oracle::distances::to_goals;
use crate::oracles::cases;
use crate::oracles::scenarios::{Trips, agents, scenarios, trips, wander};
use crate::oracles::spaces::{Roads, any_grid, grids, pick, plain_roads};
use crate::world::{Price, steps};

/// Notes every node that it is asked about.
struct Recorder<H> {
    heuristic: H,
    asked: Vec<NodeId>,
}

impl<S: SpaceGraph, H: Heuristic<S>> Heuristic<S> for Recorder<H> {
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        self.asked.push(node);
        self.heuristic.estimate(space, node, fuel)
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_lone_agent_expands_its_path_and_no_more(
        grid in any_grid(7),
        roads in plain_roads(),
        trip in trips(1),
    ) {
        fn check<S: SpaceGraph<Cost: Price>>(space: &S, trip: &Trips) {
            let point = Point::swap_rule(space);
            let instance = Instance::new(space, &point, agents(space, trip)).unwrap();
            let solution = Hca::hca_star().solve(&instance);
            if solution.is_complete() {
                assert_eq!(solution.expansions, u64::from(solution.plan.paths[0].arrival()) + 1);
            } else {
                assert_eq!(solution.expansions, 0);
            }
        }
        check(&grid, &trip);
        // Over a road that costs nothing, g does not grow, and ties do not end at the goal.
        let mut roads = roads;
        roads.roads.retain(|(_, _, price)| *price > 0);
        check(&Roads::<u32>::new(&roads), &trip);
    }

    /// A delay of k steps widens the question by the k steps, and one step away and back.
    #[test]
    fn a_delayed_agent_asks_no_further_than_its_delay(grid in grids(7, Connectivity::Four, false), scenario in scenarios()) {
        let point = Point::swap_rule(&grid);
        let mut store = IntervalTable::new(Footprint::<Grid>::cells(&point, &grid));
        let start = pick(&grid, scenario.start);
        let goals = Goals::one(pick(&grid, scenario.goals[0]));
        let claim = Claim::plain(AgentId(0));
        let standing = Path::standing(start, 0, AtEnd::Disappear);
        store.reserve(claim, &standing.entries(&grid, &point)).unwrap();
        for ((choice, choices, stays), id) in scenario.others.iter().zip(1..) {
            let path = wander(&grid, &point, 0, pick(&grid, *choice), choices, *stays);
            let _ = store.reserve(Claim::plain(AgentId(id)), &path.entries(&grid, &point));
        }
        let scene = Scene { space: &grid, footprint: &point, reservations: &store, layer: &() };
        let query = Query::new(claim, start, goals.clone());
        let aimed = ReverseAStar::new(Predecessors::from_space(&grid), goals.clone(), start, Manhattan { step: 1000 });
        let mut recorder = Recorder { heuristic: aimed, asked: Vec::new() };
        let found = SpaceTimeSearch::new().find(&scene, query, &mut recorder);
        if let Ok(path) = found {
            let to_goal = to_goals(&grid, goals.nodes());
            // Every grid move leads back at the same cost.
            let from_start = to_goals(&grid, &[start]);
            let delayed = steps(path.cost) - to_goal[start.index()];
            for node in recorder.asked {
                let f = from_start[node.index()] + to_goal[node.index()];
                prop_assert!(f <= to_goal[start.index()] + delayed + 2.0, "{node:?}: {f}, delay {delayed}");
            }
        }
    }
}
