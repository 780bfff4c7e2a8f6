//! Floors: against their single grids, at their heights, and crowds on them.

use std::sync::Arc;

use giveway_bodies::{Body, Clearance, Granularity, Ground};
use giveway_check::{BodyChecker, Checker};
use giveway_core::{
    Agent, Area, Change, ConflictRule, Editable, Embedding, Move, NodeId, Point, SpaceGraph, Trace, TracedAgent,
    TracedMove, TracedPlace,
};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
use giveway_spaces::{Connectivity, Direction, Floors, Grid, SpaceError};

use crate::living::{Random, any_change, discs_live, is_inverted, nodes, points_live};

const HEIGHTS: [f32; 3] = [0.0, 3.0, -3.0];

fn grids(random: &mut Random) -> Vec<Grid> {
    let grid = |(floor, height): (usize, f32)| {
        let size = [[7, 5], [4, 6], [5, 5]][floor];
        let connectivity = random.choose(&[Connectivity::Four, Connectivity::Eight]);
        let grid = Grid::from_fn(size[0], size[1], |_, _| random.below(6) > 0).unwrap();
        grid.with_connectivity(connectivity).at_height(height).unwrap()
    };
    HEIGHTS.into_iter().enumerate().map(grid).collect()
}

/// Every floor is its grid, with other ids, also after changes.
#[test]
fn floors_are_their_grids() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut grids = grids(&mut random);
        let mut floors = Floors::new(grids.clone()).unwrap();
        assert_eq!((floors.count(), floors.node_bound()), (3, 35 + 24 + 25));
        for _ in 0..6 {
            let mut first = 0;
            let mut crossings = Vec::new();
            for (floor, grid) in grids.iter().enumerate() {
                let lifted =
                    |m: Move<Direction, u32>| Move { from: NodeId(m.from.0 + first), to: NodeId(m.to.0 + first), ..m };
                for node in nodes(grid) {
                    let (x, y) = grid.xy(node);
                    let own = NodeId(node.0 + first);
                    assert_eq!((floors.node(floor, x, y), floors.place(own)), (Some(own), Some((floor, x, y))));
                    assert_eq!(
                        (floors.position(own), floors.contains(own)),
                        (grid.position(node), grid.contains(node))
                    );
                    assert_eq!(floors.moves(own).collect::<Vec<_>>(), grid.moves(node).map(lifted).collect::<Vec<_>>());
                    for m in grid.moves(node) {
                        crossings.push((floors.crossing(&lifted(m)).unwrap(), floor, grid.crossing(&m).unwrap()));
                    }
                }
                assert_eq!(floors.floor(floor), Some(grid));
                first += u32::try_from(grid.node_bound()).unwrap();
            }
            // One crossing of a grid, one crossing here.
            crossings.sort_unstable();
            crossings.dedup();
            assert!(crossings.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert!(crossings.iter().all(|(crossing, ..)| (*crossing as usize) < floors.facts().crossing_bound));
            is_inverted(&floors);

            let mut area = random.area([-1.0, -1.0], [7.0, 6.0]);
            if random.below(3) > 0 {
                let low = random.between(-4.0, 3.0);
                area = area.heights(low, low + 3.0).unwrap();
            }
            for node in nodes(&floors) {
                let (floor, x, y) = floors.place(node).unwrap();
                let inside = grids[floor].is_inside(grids[floor].node(x, y).unwrap(), &area);
                assert_eq!(floors.is_inside(node, &area), inside, "seed {seed}");
            }
            let (change, revision) = (any_change(&mut random), floors.revision());
            let changed = floors.change(&area, change);
            let each: Vec<bool> = grids.iter_mut().map(|grid| grid.change(&area, change)).collect();
            assert_eq!((changed, floors.revision() > revision), (each.contains(&true), changed), "seed {seed}");
        }
    }
}

#[test]
fn floors_conform_with_all_that_is_in_them() {
    for seed in 0..10 {
        let mut floors = Floors::new(grids(&mut Random::new(seed))).unwrap();
        for _ in 0..2 {
            giveway_conformance::space_graph(&floors).unwrap();
            giveway_conformance::embedding(&floors).unwrap();
            for point in [Point::swap_rule(&floors), Point::following_rule(&floors)] {
                giveway_conformance::footprint(&floors, &point).unwrap();
            }
            floors.set_passable(1, 2, 2, false);
            floors.set_open(NodeId(3), true);
        }
        assert!(!floors.set_passable(3, 0, 0, true) && !floors.set_open(NodeId(84), true));
        assert_eq!((floors.place(NodeId(84)), floors.node(3, 0, 0), floors.node(1, 4, 0)), (None, None, None));
        assert_eq!(floors.position(NodeId(84)), [0.0; 3]);
    }
    let flat = |height| Grid::open(2, 2).unwrap().at_height(height).unwrap();
    assert_eq!(Floors::new([flat(0.0), flat(1.0)]).unwrap().facts().uniform_cost, Some(1000));
    let eight = flat(1.0).with_connectivity(Connectivity::Eight);
    assert_eq!(Floors::new([flat(0.0), eight]).unwrap().facts().uniform_cost, None);
}

#[test]
fn what_are_no_floors_is_refused() {
    let flat = |height| Grid::open(3, 1).unwrap().at_height(height);
    assert_eq!(Floors::new([]).unwrap_err(), SpaceError::Empty { needs: "expected at least one floor" });
    let same = Floors::new([0.0, 3.0, 3.0].map(|height| flat(height).unwrap())).unwrap_err();
    assert_eq!(same, SpaceError::SameHeight { floors: [1, 2], height: 3.0 });
    assert_eq!(same.to_string(), "floors 1 and 2 are both at height 3: put each at a height of its own");
    for height in [f32::NAN, f32::INFINITY] {
        assert!(matches!(flat(height).unwrap_err(), SpaceError::Height(_)));
    }
}

/// An area with heights concerns the floors at these heights, and walls belong to their floor alone.
#[test]
fn heights_tell_floors_apart() {
    let floor = |height| Grid::from_ascii("...\n...").unwrap().at_height(height).unwrap();
    let mut floors = Floors::new([floor(0.0), floor(3.0)]).unwrap();
    assert_eq!(floors.walls(), None);
    let upstairs = Area::cells(1, 0, 1, 2).unwrap().heights(2.5, 4.0).unwrap();
    assert!(floors.change(&upstairs, Change::Close));
    let free = |floors: &Floors, floor| floors.floor(floor).unwrap().is_passable(1, 1);
    assert_eq!((free(&floors, 0), free(&floors, 1)), (true, false));
    // A body finds the walls on its own level.
    let ground = Ground::new([-0.5, -0.5], [3.0, 2.0], 0.5).unwrap().levels(-1.5, 3.0, 2).unwrap();
    let open = Arc::new(Floors::new([floor(0.0), floor(3.0)]).unwrap());
    let (mut space, _) = Body::disc(0.4).unwrap().on(&open, ground, 1).unwrap();
    assert!(space.change(&floors.walls().unwrap(), Change::Close));
    let there: Vec<bool> = nodes(&space).map(|node| space.contains(node)).collect();
    let expected: Vec<bool> = nodes(&floors).map(|node| floors.contains(node)).collect();
    assert_eq!(there, expected);
}

fn floors_area(random: &mut Random) -> Area {
    let low = random.between(-4.0, 4.0);
    random.area([-1.0, -1.0], [7.0, 6.0]).heights(low, low + 3.0).unwrap()
}

fn open_floors(_: &mut Random) -> Floors {
    let grid = |height| Grid::open(7, 5).unwrap().with_connectivity(Connectivity::Eight).at_height(height).unwrap();
    Floors::new(HEIGHTS.map(grid)).unwrap()
}

#[test]
fn points_live_on_floors() {
    points_live(0..20, open_floors, floors_area);
}

#[test]
fn discs_live_on_floors() {
    let ground = Ground::new([-0.5, -0.5], [7.0, 6.0], 0.5).unwrap().levels(-4.5, 3.0, 3).unwrap();
    let checker = BodyChecker::new().levels(-4.5, 3.0, 3);
    discs_live(0..20, (ground, checker), |random| Floors::new(grids(random)).unwrap(), floors_area);
}

/// Bodies of one class on a road and bodies of another on the bridge above: each is on the level of its grid. With one
/// level they meet.
#[test]
fn bodies_on_grids_are_on_the_level_of_their_grid() {
    let run = |levels: u32, granularity: Granularity| {
        let road = Grid::open(7, 3).unwrap();
        let bridge = Grid::open(7, 3).unwrap().at_height(3.0).unwrap();
        let ground = Ground::from_grid(&road).granularity(granularity).levels(-1.5, 3.0, levels).unwrap();
        let body = Body::disc(0.45).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let mut class = |grid: &Grid| {
            let (space, footprint) = body.on(grid, ground, 1).unwrap();
            crowd.add_class(Class::new(space, footprint).editable().body(body.outline())).unwrap()
        };
        let [below, above] = [class(&road), class(&bridge)];
        let at = |x, y| road.node(x, y).unwrap();
        let walker = crowd.add(below, Agent::new(at(0, 1), at(6, 1))).unwrap();
        // On one level they meet.
        if crowd.add(above, Agent::bystander(at(0, 1))).is_err() {
            return None;
        }
        for y in 0..3 {
            crowd.add(above, Agent::bystander(at(3, y))).unwrap();
        }
        // A building on the road does not concern the bridge.
        assert_eq!(crowd.close(&Area::cells(3, 2, 1, 1).unwrap().heights(-1.0, 1.0).unwrap()), Ok(true));
        let start = crowd.node(walker).unwrap();
        let place = |node| TracedPlace::from_node(&road, node);
        let mut moves = Vec::new();
        while !crowd.is_at_rest() && crowd.now() < 40 {
            let begun = crowd.now();
            crowd.tick(Budget::unlimited());
            if let Some(leg) = crowd.last_leg(walker).filter(|leg| leg.is_move() && leg.depart == begun) {
                moves.push(TracedMove::new(leg.depart, leg.arrive, place(leg.to)));
            }
        }
        let mut agents = vec![TracedAgent::new(place(start), Vec::new(), moves)];
        agents.extend(
            [at(0, 1), at(3, 0), at(3, 1), at(3, 2)]
                .map(|node| TracedAgent::new(TracedPlace::from_node(&bridge, node), Vec::new(), Vec::new())),
        );
        agents.iter_mut().for_each(|agent| agent.body = Some(body.outline()));
        let trace = Trace::new(1, agents);
        assert_eq!(BodyChecker::new().levels(-1.5, 3.0, levels).check(&trace), []);
        Some(crowd.now())
    };
    for granularity in [Granularity::Same, Granularity::Finer(2)] {
        assert_eq!(run(2, granularity), Some(6), "{granularity:?}");
        assert_eq!(run(1, granularity), None, "{granularity:?}");
    }
}

/// A change of an area reaches a clearance if the area and the level of its grid meet.
#[test]
fn a_clearance_at_a_height_changes_at_that_height() {
    let bridge = Grid::open(5, 1).unwrap().at_height(3.0).unwrap();
    let ground = Ground::from_grid(&bridge).levels(-1.5, 3.0, 2).unwrap();
    let (mut space, _): (Clearance, _) = Body::disc(0.4).unwrap().on(&bridge, ground, 1).unwrap();
    let area = |low, high| Area::cells(2, 0, 1, 1).unwrap().heights(low, high).unwrap();
    assert!(!space.change(&area(-5.0, 1.0), Change::Close) && !space.is_inside(NodeId(2), &area(-5.0, 1.0)));
    assert!(space.is_inside(NodeId(2), &area(2.0, 2.5)) && space.change(&area(2.0, 2.5), Change::Close));
    assert_eq!((space.contains(NodeId(2)), space.position(NodeId(1))), (false, [1.0, 0.0, 3.0]));
}

/// A plan of points on floors: each floor is a map of its own.
#[test]
fn points_on_floors_do_not_meet() {
    let floors = open_floors(&mut Random::new(0));
    let agents: Vec<Agent> = (0..3)
        .flat_map(|floor| {
            let at = |x, y| floors.node(floor, x, y).unwrap();
            [Agent::new(at(0, 2), at(6, 2)), Agent::new(at(6, 2), at(0, 2))]
        })
        .collect();
    let point = Point::swap_rule(&floors);
    let instance = giveway_strategies::Instance::new(&floors, &point, agents).unwrap();
    let solution = giveway_strategies::Hca::hca_star().solve(&instance);
    assert!(solution.is_complete());
    let violations =
        Checker::new(&floors, ConflictRule::Swap).with_crossings().check(instance.agents(), &solution.plan);
    assert_eq!(violations, []);
}
