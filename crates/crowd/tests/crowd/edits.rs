//! Edits: a door that is closed and opened while units are on their way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use giveway_bodies::{Body, CommonTicks, GraphClearance, Ground};
use giveway_core::{
    Agent, AgentId, Area, Change, ConflictRule, Editable, Embedding, Move, NodeId, Point, SpaceGraph, Surface,
};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings, Leg};
use giveway_spaces::{Connectivity, Direction, Grid};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

/// A grid with a door.
struct House {
    grid: Grid,
    door: NodeId,
    open: AtomicBool,
    revision: AtomicU64,
}

impl House {
    fn set_open(&self, open: bool) {
        self.open.store(open, Ordering::Relaxed);
        self.revision.fetch_add(1, Ordering::Relaxed);
    }
}

impl SpaceGraph for House {
    type Action = Direction;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.grid.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, u32>> {
        self.grid
            .moves(from)
            .filter(|m| self.open.load(Ordering::Relaxed) || (m.to != self.door && m.from != self.door))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.grid.contains(node)
    }

    fn revision(&self) -> u64 {
        self.revision.load(Ordering::Relaxed)
    }
}

#[test]
fn a_door_that_is_closed_is_gone_round_and_one_that_is_opened_is_used() {
    let grid = Grid::from_ascii(
        "
        .........
        .@@@@.@@@
        .........
        ",
    )
    .unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let house = House { door: at(5, 1), grid: grid.clone(), open: true.into(), revision: 0.into() };
    for rule in [ConflictRule::Swap, ConflictRule::Following] {
        house.set_open(true);
        let mut crowd = Crowd::new(CrowdSettings::new());
        let point = if rule == ConflictRule::Swap { Point::swap_rule(&house) } else { Point::following_rule(&house) };
        let class = crowd.add_class(Class::bare(&house, point)).unwrap();
        let one = crowd.add(class, Agent::new(at(3, 0), at(3, 2))).unwrap();
        crowd.tick(Budget::unlimited());
        assert_eq!(crowd.node(one), Some(at(4, 0)), "towards the door");
        house.set_open(false);
        for tick in 2..=9 {
            crowd.tick(Budget::unlimited());
            assert_ne!(crowd.node(one), Some(house.door), "through a closed door at tick {tick}");
        }
        // Round the wall: four back, two down, three on.
        assert_eq!((crowd.node(one), crowd.now()), (Some(at(2, 2)), 9));
        crowd.send(one, at(6, 0)).unwrap();
        crowd.tick(Budget::unlimited());
        assert_eq!(crowd.node(one), Some(at(1, 2)), "back the way it came");
        house.set_open(true);
        (0..8).for_each(|_| drop(crowd.tick(Budget::unlimited())));
        assert_eq!((crowd.node(one), crowd.is_at_rest()), (Some(at(6, 0)), true));
    }
}

/// A wall far from all units changes nothing for them: they keep their plans, and plan when it is their turn. A unit
/// whose plan leads across the wall plans anew.
#[test]
fn an_edit_concerns_only_units_whose_plans_it_touches() {
    let grid = Grid::open(60, 12).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let crowd = || {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
        let ids: Vec<AgentId> =
            (0..12).map(|y| crowd.add(class, Agent::new(at(y % 3, y), at(57, 11 - y))).unwrap()).collect();
        (crowd, class, ids)
    };
    let (mut alone, _, _) = crowd();
    let (mut edited, class, ids) = crowd();
    for tick in 0..12_u32 {
        // Far away, by day and night.
        edited.set_open(class, at(50, tick % 12), false).unwrap();
        edited.set_open(class, at(50, (tick + 11) % 12), true).unwrap();
        let [one, other] = [&mut alone, &mut edited].map(|crowd| crowd.tick(Budget::unlimited()));
        assert_eq!(one.planned, other.planned, "at tick {tick}");
        assert!(tick == 0 || one.planned.len() < ids.len(), "turns are staggered");
    }
    let wall = edited.plan(ids[0])[5].to;
    let crosses = |crowd: &Crowd<'_>, id: AgentId| crowd.plan(id).iter().any(|leg| leg.to == wall);
    let cut: Vec<AgentId> = ids.iter().copied().filter(|id| crosses(&edited, *id)).collect();
    edited.set_open(class, wall, false).unwrap();
    let report = edited.tick(Budget::unlimited());
    assert!(cut.contains(&ids[0]) && cut.iter().all(|id| report.planned.contains(id)));
    assert!(report.planned.len() < ids.len());
    assert!(!ids.iter().any(|id| crosses(&edited, *id)));
}

/// Without work for new plans: an edit takes the plans that it makes impossible, and no others.
#[test]
fn an_edit_takes_the_plans_that_it_makes_impossible() {
    let grid = Grid::open(20, 14).unwrap().with_connectivity(Connectivity::Eight);
    let body = Body::disc(0.45).unwrap();
    let places = Arc::new(grid.clone());
    let ticks = CommonTicks::new().of([&body], &places).fewest().unwrap();
    let (space, footprint) = body.on(&places, Ground::from_grid(&grid), ticks).unwrap();
    let mut map = space.clone();
    let mut crowd = Crowd::new(CrowdSettings::new().window(10));
    let class = crowd.add_class(Class::new(space, footprint).editable()).unwrap();
    let mut random = Pcg64Mcg::new(5);
    let ids: Vec<AgentId> =
        (0..14).map(|y| crowd.add(class, Agent::bystander(grid.node(y % 3, y).unwrap())).unwrap()).collect();
    let [mut kept, mut lost] = [0; 2];
    for _ in 0..30 {
        for id in &ids {
            crowd.send_near(*id, NodeId(random.random_range(0..280))).unwrap();
        }
        for _ in 0..2 * ticks {
            crowd.tick(Budget::unlimited());
        }
        let plans: Vec<&[Leg]> = ids.iter().map(|id| crowd.plan(*id)).collect();
        let Some(leg) = plans.choose(&mut random).and_then(|plan| plan.last()) else { continue };
        let [x, y, _] = map.position(leg.to);
        let area = Area::rectangle([x - 0.3, y - 0.3], [x + 0.7, y + 0.3]).unwrap();
        let plans: Vec<Vec<Leg>> = plans.into_iter().map(<[Leg]>::to_vec).collect();
        if crowd.close(&area) != Ok(true) {
            continue;
        }
        let before = map.clone();
        assert!(map.change(&area, Change::Close));
        let now = crowd.now();
        let is_possible = |leg: &Leg| {
            let place = |map: &GraphClearance<Grid>| map.moves(leg.from).position(|m| m.to == leg.to);
            if leg.is_move() { place(&before) == place(&map) } else { map.contains(leg.to) }
        };
        let report = crowd.tick(Budget::work(0));
        assert_eq!((&report.planned[..], &report.stopped[..]), (&[][..], &[][..]));
        for (id, plan) in ids.iter().zip(&plans) {
            let ahead = crowd.plan(*id);
            if plan.iter().all(is_possible) {
                kept += usize::from(!plan.is_empty());
                assert!(plan.iter().filter(|leg| leg.arrive > crowd.now()).all(|leg| ahead.contains(leg)));
            } else {
                lost += 1;
                assert!(!plan.iter().any(|leg| leg.depart >= now && leg.is_move() && ahead.contains(leg)));
            }
        }
        crowd.open(&area).unwrap();
        map.change(&area, Change::Open);
    }
    assert!(kept > 100 && lost > 30, "{kept} and {lost}");
}

/// Searches from before an edit are checked when an agent has that goal again.
#[test]
fn a_goal_of_before_an_edit_is_gone_to_by_what_the_map_is_now() {
    // The other way is longer than a window sees.
    let grid = Grid::from_ascii(
        "
        ........................................
        .@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@.@@@@
        ........................................
        ",
    )
    .unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let house = House { door: at(35, 1), grid: grid.clone(), open: true.into(), revision: 0.into() };
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::bare(&house, Point::swap_rule(&house))).unwrap();
    let one = crowd.add(class, Agent::bystander(at(33, 0))).unwrap();
    let mut trip = |goal, open: Option<bool>| {
        crowd.send(one, goal).unwrap();
        if let Some(open) = open {
            house.set_open(open);
        }
        let begin = crowd.now();
        while !crowd.is_at_rest() {
            crowd.tick(Budget::unlimited());
            assert!(crowd.now() - begin < 200);
        }
        crowd.now() - begin
    };
    assert_eq!([trip(at(33, 2), None), trip(at(33, 0), None)], [6, 6], "through the door");
    // It is closed while the unit goes elsewhere.
    assert_eq!([trip(at(34, 0), Some(false)), trip(at(33, 2), None)], [1, 34 + 2 + 33], "round the wall");
    assert_eq!([trip(at(34, 2), Some(true)), trip(at(33, 0), None)], [1, 1 + 2 + 2], "through the door again");
}

/// A unit in the doorway as the door is closed on it stays where it is, and its plan leads no other unit astray.
#[test]
fn a_door_that_is_closed_on_somebody_holds_it() {
    let grid = Grid::from_ascii(".....").unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let house = House { door: at(2), grid: grid.clone(), open: true.into(), revision: 0.into() };
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::bare(&house, Point::timed(&house, 3).unwrap())).unwrap();
    let one = crowd.add(class, Agent::new(at(1), at(4))).unwrap();
    let two = crowd.add(class, Agent::new(at(0), at(3))).unwrap();
    crowd.tick(Budget::unlimited());
    house.set_open(false);
    let mut unreachable = Vec::new();
    for _ in 0..12 {
        unreachable.extend(crowd.tick(Budget::unlimited()).unreachable);
    }
    // The move that had begun ends as it began.
    assert_eq!(crowd.node(one), Some(house.door));
    assert!(unreachable.contains(&one) && unreachable.contains(&two), "{unreachable:?}");
    assert!(crowd.is_bystander(two) == Some(true) && crowd.node(two) != Some(house.door));
}

/// A wall is closed and opened for a body: the places near it are examined again, and a unit in the way of a wall keeps
/// it open.
#[test]
fn walls_are_closed_and_opened_around_bodies() {
    let grid = Grid::from_ascii(
        "
        ..........
        ..........
        @@@..@@@..
        ..........
        ..........
        ",
    )
    .unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let (space, footprint) = Body::square(2).unwrap().on(&grid, Ground::from_grid(&grid), 1).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let carts = crowd.add_class(Class::new(space, footprint).editable()).unwrap();
    let cart = crowd.add(carts, Agent::new(at(0, 0), at(0, 3))).unwrap();
    crowd.tick(Budget::unlimited());
    assert_eq!(crowd.distance(cart, Budget::unlimited()), Some(8.0));
    // The near gap is too narrow for two cells from now on, so it goes by the far one.
    assert_eq!(crowd.set_open(carts, at(4, 2), false), Ok(true));
    assert_eq!(crowd.set_open(carts, at(4, 2), false), Ok(false));
    assert_eq!(crowd.distance(cart, Budget::unlimited()), Some(18.0));
    // It stands there, and reaches one cell farther to the right and down.
    for node in [at(1, 0), at(2, 1)] {
        assert_eq!(crowd.set_open(carts, node, false), Err(CrowdError::Occupied { node, by: cart }));
        assert_eq!(crowd.set_open(carts, node, true), Ok(false));
    }
    while crowd.node(cart).unwrap().0 < at(0, 2).0 {
        crowd.tick(Budget::unlimited());
        assert!(crowd.now() < 30);
    }
    assert_eq!(crowd.node(cart), Some(at(8, 2)));
    // Closed behind it.
    assert_eq!(crowd.set_open(carts, at(8, 1), false), Ok(true));
    while !crowd.is_at_rest() {
        crowd.tick(Budget::unlimited());
        assert!(crowd.now() < 60);
    }
    let points = crowd.add_class(Class::new(&grid, Point::timed(&grid, 1).unwrap())).unwrap();
    assert_eq!(crowd.set_open(points, at(0, 0), false), Err(CrowdError::NotEditable(points)));
}

/// The only way out of a dead end leads through an empty area.
#[test]
fn areas_that_are_vacated_together_are_ways_out_of_each_other() {
    let grid = Grid::open(8, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    let one = crowd.add(class, Agent::bystander(at(0))).unwrap();
    let [end, way] = [0, 2].map(|x| Area::cells(x, 0, 2, 1).unwrap());
    assert_eq!(crowd.vacate(&end.and(way)), Ok(vec![one]));
    for _ in 0..8 {
        crowd.tick(Budget::unlimited());
    }
    assert_eq!(crowd.node(one), Some(at(4)));
    assert_eq!([0, 1, 2, 3, 4].map(|x| crowd.has_node(class, at(x))), [false, false, false, false, true]);
}

/// A tram that cannot be rebuilt runs along the last row. The tram does not prevent building elsewhere, but prevents
/// building on its rails. Nothing can be built if a class does not tell where its places are.
#[test]
fn rails_elsewhere_keep_nobody_from_building() {
    let grid = Grid::open(9, 6).unwrap();
    let rails = Grid::from_fn(9, 6, |_, y| y == 5).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let body = Body::square(1).unwrap();
    let on = |map: &Grid| body.on(map, Ground::from_grid(&grid), 1).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let (space, footprint) = on(&grid);
    let walkers = crowd.add_class(Class::new(space, footprint).editable()).unwrap();
    let (space, footprint) = on(&rails);
    let trams = crowd.add_class(Class::new(space, footprint)).unwrap();
    let one = crowd.add(walkers, Agent::bystander(at(4, 2))).unwrap();
    let tram = crowd.add(trams, Agent::new(at(0, 5), at(8, 5))).unwrap();

    let house = Area::cells(3, 1, 3, 4).unwrap();
    let swamp = Surface::new(2, 1.0).unwrap();
    assert_eq!(crowd.close(&house), Err(CrowdError::Occupied { node: at(4, 2), by: one }));
    assert_eq!(crowd.vacate(&house), Ok(vec![one]));
    while !crowd.inside(&house).is_empty() || !crowd.is_at_rest() {
        crowd.tick(Budget::unlimited());
        assert!(crowd.now() < 60);
    }
    assert!(!crowd.has_node(walkers, at(4, 2)) && crowd.node(tram) == Some(at(8, 5)));
    assert_eq!((crowd.close(&house), crowd.open(&house), crowd.open(&house)), (Ok(false), Ok(true), Ok(false)));
    assert_eq!((crowd.resurface(&house, swamp), crowd.close(&house)), (Ok(true), Ok(true)));

    // One cell of the rails inside.
    let refuse = |crowd: &mut Crowd<'_>, area: &Area, class| {
        let not_editable = CrowdError::NotEditable(class);
        assert_eq!((crowd.close(area), crowd.vacate(area)), (Err(not_editable), Err(not_editable)));
        assert_eq!((crowd.open(area), crowd.resurface(area, swamp)), (Err(not_editable), Err(not_editable)));
    };
    refuse(&mut crowd, &Area::cells(0, 1, 1, 5).unwrap(), trams);
    assert!(crowd.has_node(walkers, at(0, 1)));
    let (space, footprint) = on(&rails);
    let unknown = crowd.add_class(Class::bare(space, footprint)).unwrap();
    refuse(&mut crowd, &house, unknown);
    assert!(!crowd.has_node(walkers, at(4, 2)));
}

/// A unit that is slowed half-way ends its step as it began it, and takes twice as long for the next.
#[test]
fn a_unit_whose_speed_changes_keeps_its_promises() {
    let grid = Grid::open(9, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let ground = Ground::from_grid(&grid);
    let body = Body::disc(0.4).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut class = |speed: f32| {
        let (space, footprint) = body.clone().speed(speed).unwrap().on(&grid, ground, 4).unwrap();
        crowd.add_class(Class::new(space, footprint).body(body.outline())).unwrap()
    };
    let (quick, slow) = (class(1.0), class(0.5));
    let one = crowd.add(quick, Agent::new(at(0), at(8))).unwrap();
    let reached = |crowd: &Crowd<'_>| crowd.poses(1.0).next().unwrap().position.unwrap()[0];
    for tick in 1..=6_u8 {
        crowd.tick(Budget::unlimited());
        assert!((reached(&crowd) - f32::from(tick) / 4.0).abs() < 1e-6);
    }
    crowd.change_class(one, slow).unwrap();
    assert_eq!(crowd.class_of(one), Some(slow));
    let mut places = Vec::new();
    for _ in 7..=16 {
        crowd.tick(Budget::unlimited());
        places.push(reached(&crowd));
    }
    assert_eq!(places, [1.75, 2.0, 2.125, 2.25, 2.375, 2.5, 2.625, 2.75, 2.875, 3.0]);
    // And back again: it is on its way from 3 to 4.
    crowd.tick(Budget::unlimited());
    crowd.change_class(one, quick).unwrap();
    while !crowd.is_at_rest() {
        crowd.tick(Budget::unlimited());
    }
    assert_eq!((crowd.node(one), crowd.now()), (Some(at(8)), 16 + 8 + 4 * 4));
}

#[test]
fn a_class_edits_the_space_that_it_owns_and_no_other() {
    let grid = Grid::open(2, 1).unwrap();
    let point = || Point::swap_rule(&grid);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, point())).unwrap();
    assert_eq!(crowd.set_open(class, NodeId(0), false), Err(CrowdError::NotEditable(class)));
    let next = ClassId(1);
    assert_eq!(crowd.add_class(Class::new(&grid, point()).editable()), Err(CrowdError::NotEditable(next)));
    assert_eq!(
        crowd.add_class(Class::new(Arc::new(grid.clone()), point()).editable()),
        Err(CrowdError::NotEditable(next))
    );
    assert!(!crowd.has_class(next));
    assert_eq!(crowd.add_class(Class::new(grid.clone(), point()).editable()), Ok(next));
    assert_eq!(crowd.set_open(next, NodeId(0), false), Ok(true));
}
