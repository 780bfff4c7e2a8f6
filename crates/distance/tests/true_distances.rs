//! Distances that agents share: which searches are shared, renewed, suspended and given up.

use std::cell::Cell;

use giveway_core::heuristic::{HeuristicSource as _, Metric, Zero};
use giveway_core::{Facts, Fuel, Goals, Heuristic as _, Move, NodeId, SpaceGraph, Suspended};
use giveway_distance::TrueDistances;

/// A road, driven both ways, that can be rebuilt.
struct Road {
    places: u32,
    revision: Cell<u64>,
    /// Units cannot go on from here.
    cut: Cell<Option<u32>>,
}

fn road(places: u32) -> Road {
    Road { places, revision: Cell::new(0), cut: Cell::new(None) }
}

impl SpaceGraph for Road {
    type Action = bool;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.places as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<bool, u32>> {
        let step = |to: Option<u32>, action| {
            let cut = action && self.cut.get() == Some(from.0);
            let to = NodeId(to.filter(|to| *to < self.places && !cut)?);
            Some(Move { from, to, action, cost: 1000, length: 1.0 })
        };
        step(from.0.checked_add(1), true).into_iter().chain(step(from.0.checked_sub(1), false))
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts { uniform_cost: Some(1000), ..Facts::NONE }
    }

    fn revision(&self) -> u64 {
        self.revision.get()
    }
}

type Answer = Result<Option<u32>, Suspended>;

/// The distance, and the number of nodes expanded to find it.
fn ask_for<M: Metric<Road> + Clone>(
    distances: &mut TrueDistances<Road, M>,
    road: &Road,
    goals: &[u32],
    from: u32,
) -> (Answer, u64) {
    let (goals, from) = (goals.iter().copied().map(NodeId).collect(), NodeId(from));
    let before = distances.expanded();
    let distance = distances.to(road, &goals, from).estimate(road, from, &mut Fuel::unlimited());
    (distance, distances.expanded() - before)
}

#[test]
fn agents_with_the_same_goals_share_a_search() {
    let road = road(10);
    let mut distances = TrueDistances::<Road, Zero>::tables();
    let mut ask = |goals: &[u32], from| {
        let (distance, expanded) = ask_for(&mut distances, &road, goals, from);
        (distance, expanded, distances.searches())
    };
    assert_eq!(ask(&[9], 5), (Ok(Some(4000)), 4, 1));
    assert_eq!(ask(&[9], 6), (Ok(Some(3000)), 0, 1), "known already");
    assert_eq!(ask(&[9], 4), (Ok(Some(5000)), 1, 1), "resumed");
    assert_eq!(ask(&[0, 9], 4), (Ok(Some(4000)), 7, 2), "other goals, another search");
    assert_eq!(ask(&[9, 0, 9], 4), (Ok(Some(4000)), 0, 2), "the same set");
}

fn renew(distances: &mut TrueDistances<Road, Zero>, road: &Road, goal: u32, from: u32, fuel: u64) -> (bool, u64) {
    let before = distances.expanded();
    let fuel = &mut Fuel::work(fuel);
    let done = distances.renew(road, &Goals::one(NodeId(goal)), NodeId(from), fuel).is_ok();
    (done, distances.expanded() - before)
}

#[test]
fn a_search_outlives_an_edit_until_it_is_renewed() {
    // A unit of work pays for eight places.
    let road = road(80);
    let distances = &mut TrueDistances::<Road, Zero>::tables();
    let goals = Goals::one(NodeId(79));
    assert_eq!(ask_for(distances, &road, &[79], 47), (Ok(Some(32_000)), 32));
    assert_eq!((distances.revision(&road, &goals), renew(distances, &road, 79, 47, 0)), (0, (true, 0)));
    // The road is cut between 60 and 61.
    road.revision.set(1);
    road.cut.set(Some(60));
    assert_eq!(ask_for(distances, &road, &[79], 47), (Ok(Some(32_000)), 0), "as it was");
    assert_eq!(ask_for(distances, &road, &[79], 31), (Ok(Some(48_000)), 16), "goes on as if nothing had happened");
    assert_eq!((distances.revision(&road, &goals), distances.searches()), (0, 1));
    assert_eq!(renew(distances, &road, 79, 47, 2), (false, 16));
    assert_eq!(ask_for(distances, &road, &[79], 47), (Ok(Some(32_000)), 0), "as long as it is not renewed");
    // Mended before the renewal was done: the renewal ends in the old road, and is renewed in turn.
    road.revision.set(2);
    road.cut.set(None);
    assert_eq!(renew(distances, &road, 79, 47, 3), (false, 3 + 16));
    assert_eq!(distances.revision(&road, &goals), 1);
    assert_eq!(renew(distances, &road, 79, 47, 9), (true, 16));
    assert_eq!((distances.revision(&road, &goals), ask_for(distances, &road, &[79], 47).0), (2, Ok(Some(32_000))));
}

#[test]
fn what_was_searched_before_an_edit_never_says_that_there_is_no_way() {
    let road = road(10);
    road.cut.set(Some(6));
    let distances = &mut TrueDistances::<Road, Zero>::tables();
    assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(None), 3));
    road.revision.set(1);
    road.cut.set(None);
    // One move to a known node suffices; beyond that, the new road is searched.
    assert_eq!(ask_for(distances, &road, &[9], 6), (Ok(Some(3000)), 0));
    assert_eq!(distances.revision(&road, &Goals::one(NodeId(9))), 0);
    assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(Some(4000)), 4));
    assert_eq!(distances.revision(&road, &Goals::one(NodeId(9))), 1);
    road.revision.set(2);
    road.cut.set(Some(6));
    assert_eq!(renew(distances, &road, 9, 5, 9), (true, 3));
    assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(None), 0));
}

/// The bytes of a table that has seen all of a road of 10 places.
fn whole_table() -> usize {
    let mut one = TrueDistances::<Road, Zero>::tables();
    assert_eq!(ask_for(&mut one, &road(10), &[0], 9).0, Ok(Some(9000)));
    one.bytes()
}

#[test]
fn searches_wait_for_memory_and_none_that_is_needed_is_begun_again() {
    let road = road(10);
    // Room for two and a half tables: the third search exceeds it, and the fourth has to wait.
    let mut distances = TrueDistances::<Road, Zero>::tables().keep_at_most(whole_table() * 5 / 2);
    let ask = |distances: &mut TrueDistances<Road, Zero>, goal: u32| ask_for(distances, &road, &[goal], 9);
    for goal in 0..3_u32 {
        assert_eq!(ask(&mut distances, goal), (Ok(Some((9 - goal) * 1000)), 9));
    }
    assert_eq!(ask(&mut distances, 3), (Err(Suspended::OutOfMemory), 0));
    let bytes = distances.bytes();
    let goal = |goal| Goals::one(NodeId(goal));
    // All are needed: nothing is given up, and all go on.
    distances.keep_only(&mut |goals| *goals != goal(3));
    assert_eq!((distances.bytes(), ask(&mut distances, 3).0), (bytes, Err(Suspended::OutOfMemory)));
    assert!((0..3).all(|goal| ask(&mut distances, goal).1 == 0));
    // The first has arrived.
    distances.keep_only(&mut |goals| *goals != goal(0));
    assert_eq!(distances.bytes(), bytes - whole_table());
    assert_eq!(ask(&mut distances, 3), (Ok(Some(6000)), 9));
    assert!((1..4).all(|goal| ask(&mut distances, goal).1 == 0));
    assert_eq!(ask(&mut distances, 0), (Err(Suspended::OutOfMemory), 0));
    // Of the searches not needed, the ones not asked for longest go first, until half is free.
    assert_eq!(ask(&mut distances, 1).1, 0);
    distances.keep_only(&mut |goals| *goals == goal(0));
    let kept = |goal: &u32| matches!(ask(&mut distances, *goal), (Ok(_), 0));
    assert_eq!((0..4).filter(kept).collect::<Vec<u32>>(), [1]);
    distances.forget();
    assert_eq!((distances.bytes(), distances.searches()), (0, 0));
}

#[test]
fn with_room_for_nothing_one_search_at_a_time_comes_to_an_end() {
    let road = road(10);
    let mut distances = TrueDistances::<Road, Zero>::tables().keep_at_most(0);
    assert_eq!(ask_for(&mut distances, &road, &[9], 5), (Ok(Some(4000)), 4));
    assert_eq!(ask_for(&mut distances, &road, &[8], 5), (Err(Suspended::OutOfMemory), 0));
    assert_eq!(ask_for(&mut distances, &road, &[9], 3), (Ok(Some(6000)), 2), "which may grow");
    assert_eq!(ask_for(&mut distances, &road, &[8], 8), (Ok(Some(0)), 0), "there is nothing to search");
    distances.keep_only(&mut |goals| *goals == Goals::one(NodeId(8)));
    assert_eq!(ask_for(&mut distances, &road, &[8], 5), (Ok(Some(3000)), 4));
    assert_eq!(ask_for(&mut distances, &road, &[9], 5), (Err(Suspended::OutOfMemory), 0));
}

#[test]
fn a_table_on_a_large_map_costs_fuel_and_takes_memory_for_what_it_has_seen() {
    let road = road(1 << 20);
    let mut distances = TrueDistances::<Road, Zero>::tables();
    let goal = 1 << 19;
    let mut ask = |from, fuel| {
        let fuel = &mut Fuel::work(fuel);
        let found = distances.to(&road, &Goals::one(NodeId(goal)), NodeId(from)).estimate(&road, NodeId(from), fuel);
        (found, fuel.left(), distances.bytes())
    };
    assert_eq!(ask(goal + 50, 0), (Err(Suspended::OutOfFuel), 0, 0));
    let (found, left, bytes) = ask(goal + 50, 200);
    assert_eq!((found, left), (Ok(Some(50_000)), 200 - 8 - 100_u64.div_ceil(8)));
    // Two pages, the table of all pages, and two small frontiers.
    assert!((32_768 + 1024..32_768 + 2048).contains(&bytes), "{bytes}");
}

#[test]
fn distances_beyond_sixteen_bits_are_exact() {
    let road = road(70_000);
    let mut distances = TrueDistances::<Road, Zero>::tables();
    for from in [69_999, 65_533, 65_534, 65_535, 65_536, 7] {
        assert_eq!(ask_for(&mut distances, &road, &[0], from).0, Ok(Some(from * 1000)));
    }
    assert_eq!(distances.expanded(), 69_999);
}

/// The distance along a road.
#[derive(Clone)]
struct Along;

impl Metric<Road> for Along {
    fn distance(&self, _road: &Road, from: NodeId, to: NodeId) -> u32 {
        from.0.abs_diff(to.0) * 1000
    }
}

#[test]
fn agents_on_all_sides_do_not_make_a_search_begin_again_for_ever() {
    let road = road(100);
    let mut distances = TrueDistances::aimed(Along);
    for round in 0..200_u32 {
        for from in [52, 20, 90, 49] {
            let (distance, spent) = ask_for(&mut distances, &road, &[50], from);
            assert_eq!(distance, Ok(Some(from.abs_diff(50) * 1000)));
            assert!(round < 20 || spent == 0, "round {round}: {spent}");
        }
    }
}

#[test]
fn an_aimed_search_that_has_outgrown_its_first_way_is_aimed_anew() {
    let road = road(100);
    let mut distances = TrueDistances::aimed(Along);
    let mut ask = |from| ask_for(&mut distances, &road, &[50], from);
    assert_eq!(ask(52), (Ok(Some(2000)), 3), "50, 51, 52");
    assert_eq!(ask(61), (Ok(Some(11_000)), 17), "the other way too: it is aimed at 52");
    assert_eq!(ask(39), (Ok(Some(11_000)), 12), "began again, straight to where it is asked from");
    assert_eq!(ask(38), (Ok(Some(12_000)), 1), "which has not grown much");
    assert_eq!(ask(45), (Ok(Some(5000)), 0));
    assert_eq!(distances.expanded(), 33, "what was found in vain counts");
    distances.forget();
    assert_eq!(distances.expanded(), 33);
}

#[test]
fn a_clone_goes_on_by_itself() {
    let road = road(100);
    for mut one in [TrueDistances::<Road, Along>::tables(), TrueDistances::aimed(Along)] {
        assert_eq!(ask_for(&mut one, &road, &[50], 55).0, Ok(Some(5000)));
        let mut two = one.clone();
        assert_eq!((two.searches(), two.bytes(), two.expanded()), (1, one.bytes(), one.expanded()));
        assert_eq!(ask_for(&mut two, &road, &[50], 55), (Ok(Some(5000)), 0), "known already");
        let found = ask_for(&mut two, &road, &[50], 60);
        assert_eq!(found.0, Ok(Some(10_000)));
        assert!(found.1 > 0);
        assert_eq!(ask_for(&mut one, &road, &[50], 60), found, "which the other has not found");
        two.forget();
        assert_eq!((one.searches(), two.searches()), (1, 0));
    }
}
