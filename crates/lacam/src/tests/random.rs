//! Random boards: every plan is legal, and if there is a plan, one is found.

use giveway_core::{Fuel, NoPath, NodeId, SpaceGraph, Suspended};
use giveway_spaces::Grid;
use proptest::prelude::*;

use super::board::{Board, Rule, Unit};
use super::oracle::least_sum_of_costs;
use crate::{plan_jointly, plan_jointly_as_far};

/// Up to nine cells, up to three units, up to two outsiders.
pub(super) fn boards() -> impl Strategy<Value = Board> {
    let sizes = prop_oneof![Just((3_u32, 3_u32)), Just((8, 1)), Just((4, 2)), Just((5, 2)), Just((2, 2))];
    let walls = prop::collection::vec(prop::bool::weighted(0.25), 10);
    let units = prop::collection::vec((any::<usize>(), prop::collection::vec(any::<usize>(), 1..3)), 1..4);
    let outsiders = prop::collection::vec(any::<usize>(), 0..3);
    let rules = prop_oneof![Just((Rule::Swap, 1)), Just((Rule::Following, 1)), Just((Rule::Following, 2))];
    (sizes, walls, units, outsiders, rules).prop_filter_map(
        "no room",
        |((width, height), walls, units, outsiders, (rule, wide))| {
            let grid = Grid::from_fn(width, height, |x, y| !walls[(y * width + x) as usize]).ok()?;
            let empty = Board::new(grid.clone(), rule, wide, Vec::new(), Vec::new());
            let nodes = (0..grid.node_bound()).map(|node| NodeId(u32::try_from(node).unwrap()));
            let mut free: Vec<NodeId> = nodes.filter(|node| empty.covered(*node).is_some()).collect();
            let goals = free.clone();
            let mut chosen = Vec::new();
            for (start, ends) in units {
                if free.is_empty() {
                    break;
                }
                let start = free.remove(start % free.len());
                let taken = empty.covered(start)?;
                free.retain(|node| empty.covered(*node).unwrap().iter().all(|cell| !taken.contains(cell)));
                let goals = ends.iter().map(|end| goals[end % goals.len()]).collect();
                chosen.push(Unit { start, goals });
            }
            let cell = |cell: usize| NodeId(u32::try_from(cell % grid.node_bound()).unwrap());
            // Nobody begins where an outsider is.
            let starts: Vec<NodeId> = chosen.iter().flat_map(|unit| empty.covered(unit.start).unwrap()).collect();
            let outsiders = outsiders.into_iter().map(cell).filter(|cell| !starts.contains(cell));
            (!chosen.is_empty()).then(|| Board::new(grid.clone(), rule, wide, chosen, outsiders.collect()))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn there_is_a_plan_if_there_is_one(mut board in boards(), little in 0_u64..60) {
        let least = least_sum_of_costs(&board);
        for fuel in [little, 10_000_000] {
            match plan_jointly(&mut board, &mut Fuel::work(fuel)) {
                Ok(plan) => assert!(least.is_some_and(|least| board.sum_of_costs(&plan) >= least)),
                Err(NoPath::Exhausted) => assert_eq!(least, None),
                Err(why) => assert_eq!((why, fuel), (NoPath::Suspended(Suspended::OutOfFuel), little)),
            }
        }
    }

    #[test]
    fn as_far_as_the_fuel_goes_units_come_nearer(mut board in boards(), little in 0_u64..60, least in 1_usize..4) {
        let whole = plan_jointly(&mut board, &mut Fuel::work(little));
        let part = plan_jointly_as_far(&mut board, least, &mut Fuel::work(little));
        match (whole, part) {
            (Err(NoPath::Suspended(_)), Ok(plan)) => {
                let starts: Vec<NodeId> = board.units.iter().map(|unit| unit.start).collect();
                let (_, ends) = board.follow(&plan);
                assert!(plan[0].len() >= least && board.steps_left(&ends) < board.steps_left(&starts));
            }
            (whole, part) => assert_eq!(whole, part),
        }
    }

    /// In so small a space, where units may rotate, every order can be reached.
    #[test]
    fn sixteen_in_a_dense_knot_get_there(
        (width, height) in prop_oneof![Just((5, 5)), Just((6, 4)), Just((9, 3))],
        starts in Just((0_u32..24).collect::<Vec<u32>>()).prop_shuffle(),
        goals in Just((0_u32..24).collect::<Vec<u32>>()).prop_shuffle(),
    ) {
        let trips = starts.into_iter().zip(goals).take(16);
        let units = trips.map(|(start, goal)| Unit { start: NodeId(start), goals: vec![NodeId(goal)] }).collect();
        let mut board = Board::new(Grid::open(width, height).unwrap(), Rule::Swap, 1, units, Vec::new());
        let plan = plan_jointly(&mut board, &mut Fuel::work(30_000));
        board.sum_of_costs(&plan.unwrap());
    }
}
