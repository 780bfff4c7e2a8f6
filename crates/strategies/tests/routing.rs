//! Routes in space alone: whole ones, single moves, and by sectors.

use giveway_core::heuristic::{ByMetric, HeuristicSource, Octile, Zero};
use giveway_core::{
    AgentId, Asker, Claim, CostLayer, Fuel, Goals, MoveIn, NoPath, NodeId, Point, Route, SpaceGraph, Suspended, Tick,
};
use giveway_spaces::{Connectivity, Direction, Grid};
use giveway_strategies::{Noise, Router, Routing, SectorRouting, Terrain, Trip};
use proptest::prelude::*;

type Found = Result<Route<Direction, u32>, NoPath>;

const SECTORS: Routing = Routing::Sectors(SectorRouting::new(2));

/// Up to two steps for each move, as if at random.
struct Bumps(u64);

impl Bumps {
    fn at(&self, from: NodeId, to: NodeId) -> u32 {
        let mixed = (self.0 ^ (u64::from(from.0) << 32 | u64::from(to.0))).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        u32::try_from((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 44).unwrap() % 2001
    }
}

impl<S: SpaceGraph<Cost = u32>> CostLayer<S> for Bumps {
    fn surcharge(&self, _space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> u32 {
        self.at(m.from, m.to)
    }
}

fn claim() -> Claim {
    Claim::plain(AgentId(0))
}

fn octile() -> Octile<u32> {
    Octile { step: 1000, diagonal: 1414 }
}

/// The route that `router` finds on `grid`, guided by a metric, and the nodes that it expands, sectors included.
fn route(router: &mut Router<Grid>, grid: &Grid, layer: &impl CostLayer<Grid>, trip: &Trip<'_>) -> (Found, u64) {
    let terrain = Terrain { space: grid, footprint: &Point::swap_rule(grid), layer };
    let mut heuristic = ByMetric(octile()).heuristic(grid, trip.goals, trip.start);
    let mut fuel = Fuel::work(1_000_000);
    let mut seen: Vec<u32> = Vec::new();
    let found = router.route_with(&terrain, trip, &mut heuristic, &mut fuel, &mut seen);
    let burnt = 1_000_000 - fuel.left();
    let on_nodes = seen.iter().map(|count| u64::from(*count)).sum::<u64>();
    let expanded = router.expanded();
    // Sectors cost fuel when they are made, too.
    let is_plain = !matches!(router.routing(), Routing::Sectors(_));
    assert!(on_nodes <= expanded && expanded <= burnt && (!is_plain || on_nodes == burnt));
    (found, expanded)
}

/// The cells that `found` goes through.
fn cells(grid: &Grid, start: NodeId, found: &Found) -> Vec<(u32, u32)> {
    let moves = found.iter().flat_map(|route| &route.moves);
    std::iter::once(start).chain(moves.map(|m| m.to)).map(|node| grid.xy(node)).collect()
}

#[test]
fn a_clone_of_a_router_finds_the_same_routes_by_itself() {
    let grid = Grid::open(12, 1).unwrap();
    let [start, goal] = [0, 11].map(|x| grid.node(x, 0).unwrap());
    let goals = Goals::one(goal);
    let trip = Trip::new(claim(), start, &goals);
    for routing in [Routing::Whole, SECTORS] {
        let mut one = Router::embedded(routing);
        let before = route(&mut one, &grid, &(), &trip);
        let mut two = one.clone();
        assert_eq!((two.routing(), two.expanded()), (routing, one.expanded()));
        let walls = [grid.node(1, 0).unwrap()];
        assert_eq!(route(&mut one, &grid, &(), &Trip { walls: &walls, ..trip }).0, Err(NoPath::Exhausted));
        assert_eq!(route(&mut two, &grid, &(), &trip), before);
    }
}

#[test]
fn a_route_leads_as_far_as_it_is_asked_to_for_so_much_work() {
    let grid = Grid::open(12, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let goals = Goals::one(at(11));
    let sectors = |side, percent| Routing::Sectors(SectorRouting::new(side).refine(percent));
    // The routing, the end of the route from 0, and the number of expansions, sectors included.
    let rows = [
        (Routing::Whole, 11, 12),
        (Routing::Greedy, 1, 1),
        (SECTORS, 4, 6 + 5),
        (sectors(4, 100), 8, 3 + 9),
        (sectors(4, 99), 8, 3 + 9),
        (sectors(4, 50), 4, 3 + 9),
        (sectors(4, 51), 5, 3 + 9),
        (sectors(4, 1), 1, 3 + 9),
        (sectors(4, 0), 1, 3 + 9),
        (sectors(4, 101), 8, 3 + 9),
        (sectors(6, 100), 11, 2 + 12),
        (sectors(6, 50), 6, 2 + 12),
        (sectors(100, 100), 11, 1 + 12),
        (sectors(0, 100), 2, 12 + 3),
    ];
    for (routing, end, work) in rows {
        let (found, burnt) = route(&mut Router::embedded(routing), &grid, &(), &Trip::new(claim(), at(0), &goals));
        let found = found.unwrap();
        assert_eq!((found.moves.last().unwrap().to, burnt), (at(end), work), "{routing:?}");
        assert_eq!((found.start, found.cost), (at(0), 1000 * end), "{routing:?}");
    }
    let mut unplaced = Router::new(SECTORS);
    let (found, burnt) = route(&mut unplaced, &grid, &(), &Trip::new(claim(), at(0), &goals));
    assert_eq!((found.unwrap().moves.len(), burnt), (11, 12), "without positions");
    for routing in [Routing::Whole, Routing::Greedy, SECTORS] {
        let mut router = Router::embedded(routing);
        let (found, _) = route(&mut router, &grid, &(), &Trip::new(claim(), at(11), &goals));
        assert_eq!(found.unwrap().moves, [], "{routing:?}: it is there");
        let (found, _) = route(&mut router, &grid, &(), &Trip::new(claim(), NodeId(12), &goals));
        assert_eq!(found, Err(NoPath::Exhausted), "{routing:?}: from nowhere");
        let nowhere = Goals::one(NodeId(12));
        let (found, _) = route(&mut router, &grid, &(), &Trip::new(claim(), NodeId(12), &nowhere));
        assert_eq!(found, Err(NoPath::Exhausted), "{routing:?}: from nowhere to nowhere");
    }
}

#[test]
fn fuel_ends_every_routing() {
    let grid = Grid::open(12, 1).unwrap();
    let [start, goal] = [0, 11].map(|x| grid.node(x, 0).unwrap());
    let (goals, footprint) = (Goals::one(goal), Point::swap_rule(&grid));
    let terrain = Terrain { space: &grid, footprint: &footprint, layer: &() };
    let trip = Trip::new(claim(), start, &goals);
    for (routing, needs) in [(Routing::Whole, 12), (Routing::Greedy, 1), (SECTORS, 11)] {
        let mut router = Router::embedded(routing);
        let find = |router: &mut Router<Grid>, fuel: u64| {
            let mut heuristic = ByMetric(octile()).heuristic(&grid, &goals, start);
            router.route_with(&terrain, &trip, &mut heuristic, &mut Fuel::work(fuel), &mut ())
        };
        if routing == SECTORS {
            // The six sectors cost two units for each node, one for each sector, and one for eight nodes.
            for fuel in [31, 1] {
                assert_eq!(find(&mut router, fuel), Err(NoPath::Suspended(Suspended::OutOfFuel)));
            }
        }
        for fuel in 0..=needs {
            let found = find(&mut router, fuel);
            assert_eq!(
                found.err(),
                (fuel < needs).then_some(NoPath::Suspended(Suspended::OutOfFuel)),
                "{routing:?} with {fuel}"
            );
            assert_eq!(router.expanded(), fuel, "{routing:?}");
        }
    }
}

#[test]
fn walls_are_not_entered_and_fall_with_the_next_route() {
    let grid = Grid::from_ascii("....\n....\n..@.\n....").unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let goals = Goals::one(at(3, 0));
    for routing in [Routing::Whole, Routing::Greedy, SECTORS] {
        let mut router = Router::embedded(routing);
        let mut way = |walls: &[NodeId]| {
            let trip = Trip { walls, ..Trip::new(claim(), at(0, 0), &goals) };
            let (found, _) = route(&mut router, &grid, &(), &trip);
            (cells(&grid, at(0, 0), &found).get(1).copied(), found.err())
        };
        assert_eq!(way(&[]), (Some((1, 0)), None), "{routing:?}");
        assert_eq!(way(&[at(1, 0)]), (Some((0, 1)), None), "{routing:?}");
        assert_eq!(way(&[at(0, 1), at(0, 0)]), (Some((1, 0)), None), "{routing:?}: it may stand on one");
        assert_eq!(way(&[at(1, 0), at(0, 1)]), (None, Some(NoPath::Exhausted)), "{routing:?}");
        assert_eq!(way(&[]), (Some((1, 0)), None), "{routing:?}");
    }
}

/// A route that leads through other sectors than it was planned over leads on through them.
#[test]
fn a_route_is_cut_short_only_on_the_way_over_sectors() {
    /// The square in the middle, of three by three, is dear.
    struct Middle;
    impl CostLayer<Grid> for Middle {
        fn surcharge(&self, space: &Grid, m: &MoveIn<Grid>, _depart: Tick, _asker: &Asker<'_>) -> u32 {
            let (x, y) = space.xy(m.to);
            if (3..6).contains(&x) && (3..6).contains(&y) { 100_000 } else { 0 }
        }
    }
    let grid = Grid::open(9, 9).unwrap();
    let [start, goal] = [0, 8].map(|x| grid.node(x, 4).unwrap());
    let goals = Goals::one(goal);
    for (percent, length) in [(10, 1), (50, 9), (80, 9), (100, 9)] {
        let mut router = Router::embedded(Routing::Sectors(SectorRouting::new(3).refine(percent)));
        let (found, _) = route(&mut router, &grid, &Middle, &Trip::new(claim(), start, &goals));
        assert_eq!(found.unwrap().cost, 1000 * length, "{percent} percent");
    }
}

#[test]
fn where_walls_close_the_next_sector_the_route_is_whole() {
    // By threes: the way over sectors is along the top, and its third sector has two doors.
    let grid = Grid::from_ascii("......@..@..\n......@..@..\n............\n.@@@@@@@@@@.\n............").unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let goals = Goals::one(at(11, 0));
    let mut router = Router::embedded(Routing::Sectors(SectorRouting::new(3)));
    let trip = Trip::new(claim(), at(0, 0), &goals);
    let (found, _) = route(&mut router, &grid, &(), &trip);
    assert_eq!(found.unwrap().moves.last().unwrap().to, at(6, 2));
    let (found, _) = route(&mut router, &grid, &(), &Trip { walls: &[at(6, 2), at(8, 2)], ..trip });
    assert_eq!(found.unwrap().moves.last().unwrap().to, at(11, 0));
}

#[test]
fn a_goal_among_the_walls_is_none() {
    let grid = Grid::open(5, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let goals: Goals = [at(1), at(4)].into_iter().collect();
    let trip = Trip { walls: &[at(1)], ..Trip::new(claim(), at(2), &goals) };
    let mut router = Router::new(Routing::Whole);
    assert_eq!(route(&mut router, &grid, &(), &trip).0.unwrap().moves.last().unwrap().to, at(4));
    let trip = Trip { walls: &[at(1), at(4)], ..trip };
    assert_eq!(route(&mut router, &grid, &(), &trip).0, Err(NoPath::Exhausted));
}

#[test]
fn sectors_are_made_anew_when_the_map_changes() {
    let mut grid = Grid::from_ascii("..@..\n..@..").unwrap();
    let [start, goal] = [0, 4].map(|x| grid.node(x, 0).unwrap());
    let goals = Goals::one(goal);
    let trip = Trip::new(claim(), start, &goals);
    let mut router = Router::embedded(SECTORS);
    assert_eq!(route(&mut router, &grid, &(), &trip).0, Err(NoPath::Exhausted));
    grid.set_passable(2, 1, true);
    assert_eq!(route(&mut router, &grid, &(), &trip).0.unwrap().moves.len(), 5);
    grid.set_passable(2, 1, false);
    assert_eq!(route(&mut router, &grid, &(), &trip).0, Err(NoPath::Exhausted));
}

#[test]
fn noise_bends_routes_of_every_kind() {
    let grid = Grid::open(9, 9).unwrap();
    let [start, goal] = [0, 8].map(|x| grid.node(x, x).unwrap());
    let goals = Goals::one(goal);
    for routing in [Routing::Whole, Routing::Greedy, Routing::Sectors(SectorRouting::new(3))] {
        let mut ways: Vec<_> = (0..20)
            .map(|seed| {
                let noise = Noise::new(2000, seed, 1, 2);
                let trip = Trip { noise, ..Trip::new(claim(), start, &goals) };
                cells(&grid, start, &route(&mut Router::embedded(routing), &grid, &(), &trip).0)
            })
            .collect();
        ways.sort_unstable();
        ways.dedup();
        assert!(ways.len() > 1, "{routing:?}");
    }
}

/// A map of up to 12 x 12, whose walls are a quarter of the cells, with diagonals or without.
fn maps() -> impl Strategy<Value = Grid> {
    let cells = proptest::collection::vec(0..4_u8, 144);
    (1..=12_u32, 1..=12_u32, cells, any::<bool>()).prop_map(|(width, height, cells, diagonals)| {
        let grid = Grid::from_fn(width, height, |x, y| cells[(y * 12 + x) as usize] > 0).unwrap();
        grid.with_connectivity(if diagonals { Connectivity::Eight } else { Connectivity::Four })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_single_move_is_the_best_of_all(grid in maps(), ends: [u32; 3], walls in proptest::collection::vec(0..144_u32, 0..9), seed: u64, bumpy: bool) {
        let bound = u32::try_from(grid.node_bound()).unwrap();
        let [start, goal, other] = ends.map(|node| NodeId(node % bound));
        prop_assume!(grid.contains(start) && start != goal && start != other);
        let goals: Goals = [goal, other].into_iter().collect();
        let walls: Vec<NodeId> = walls.into_iter().map(NodeId).collect();
        let bumps = Bumps(seed);
        // By 500s, lest there be no ties.
        let surcharge = |m: &MoveIn<Grid>| if bumpy { bumps.at(m.from, m.to) / 500 * 500 } else { 0 };
        struct Layer<F>(F);
        impl<F: Fn(&MoveIn<Grid>) -> u32> CostLayer<Grid> for Layer<F> {
            fn surcharge(&self, _space: &Grid, m: &MoveIn<Grid>, _depart: Tick, _asker: &Asker<'_>) -> u32 {
                (self.0)(m)
            }
        }
        let trip = Trip { walls: &walls, ..Trip::new(claim(), start, &goals) };
        let (found, burnt) = route(&mut Router::new(Routing::Greedy), &grid, &Layer(surcharge), &trip);
        prop_assert_eq!(burnt, 1);
        let mut all: Vec<MoveIn<Grid>> = grid.moves(start).filter(|m| !walls.contains(&m.to)).collect();
        if all.iter().any(|m| goals.contains(m.to)) {
            all.retain(|m| goals.contains(m.to));
        }
        let left = |m: &MoveIn<Grid>| [goal, other].iter().map(|goal| giveway_core::heuristic::Metric::distance(&octile(), &grid, m.to, *goal)).min();
        // The first of the least.
        let best = all.iter().min_by_key(|m| (surcharge(m), left(m)));
        let expected = best.map(|m| (m.to, m.cost + surcharge(m))).ok_or(NoPath::Exhausted);
        prop_assert_eq!(found.map(|route| (route.moves[0].to, route.cost)), expected);
    }

    #[test]
    fn routes_follow_one_another_to_the_goal(grid in maps(), ends: [u32; 2], side in 1..=14_u32, refine in 1..=100_u32, seed: u64) {
        let bound = u32::try_from(grid.node_bound()).unwrap();
        let [start, goal] = ends.map(|node| NodeId(node % bound));
        prop_assume!(grid.contains(start));
        let (goals, bumps) = (Goals::one(goal), Bumps(seed));
        let (whole, _) = route(&mut Router::new(Routing::Whole), &grid, &bumps, &Trip::new(claim(), start, &goals));
        let mut router = Router::embedded(Routing::Sectors(SectorRouting::new(side).refine(refine)));
        let mut node = start;
        for _ in 0..2000 {
            let (found, _) = route(&mut router, &grid, &bumps, &Trip::new(claim(), node, &goals));
            prop_assert_eq!(found.is_ok(), whole.is_ok());
            let Ok(found) = found else {
                return Ok(());
            };
            prop_assert_eq!(found.start, node);
            if node == goal {
                return Ok(());
            }
            prop_assert!(!found.moves.is_empty());
            let mut cost = 0;
            for m in &found.moves {
                prop_assert_eq!(m.from, node);
                prop_assert!(grid.moves(node).any(|known| known.to == m.to));
                cost += m.cost;
                node = m.to;
            }
            prop_assert_eq!(cost, found.cost);
        }
        prop_assert!(false, "2000 routes, and still under way");
    }

    #[test]
    fn in_one_sector_a_route_costs_what_a_whole_one_does(grid in maps(), ends: [u32; 2], side in 12..=14_u32, seed: u64) {
        let bound = u32::try_from(grid.node_bound()).unwrap();
        let [start, goal] = ends.map(|node| NodeId(node % bound));
        let (goals, bumps) = (Goals::one(goal), Bumps(seed));
        let trip = Trip::new(claim(), start, &goals);
        let (whole, _) = route(&mut Router::new(Routing::Whole), &grid, &bumps, &trip);
        let (found, _) = route(&mut Router::embedded(Routing::Sectors(SectorRouting::new(side))), &grid, &bumps, &trip);
        prop_assert_eq!(found, whole);
    }

    /// A search that knows nothing finds no cheaper way there.
    #[test]
    fn a_route_to_a_sector_is_a_cheapest_to_where_it_ends(grid in maps(), ends: [u32; 2], side in 1..=6_u32, seed: u64) {
        let bound = u32::try_from(grid.node_bound()).unwrap();
        let [start, goal] = ends.map(|node| NodeId(node % bound));
        let (goals, bumps) = (Goals::one(goal), Bumps(seed));
        let mut router = Router::embedded(Routing::Sectors(SectorRouting::new(side)));
        let (found, _) = route(&mut router, &grid, &bumps, &Trip::new(claim(), start, &goals));
        let Ok(found) = found else { return Ok(()) };
        let Some(last) = found.moves.last() else { return Ok(()) };
        let end = Goals::one(last.to);
        let terrain = Terrain { space: &grid, footprint: &Point::swap_rule(&grid), layer: &bumps };
        let trip = Trip::new(claim(), start, &end);
        let known = Router::new(Routing::Whole).route(&terrain, &trip, &mut Zero);
        prop_assert_eq!(known.map(|route| route.cost), Ok(found.cost));
    }
}
