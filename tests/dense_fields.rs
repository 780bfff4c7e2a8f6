//! Dense fields: twenty units on thirty-six places come to rest, whatever they are, if all their moves take equally
//! long.

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_core::{Agent, Area, Change, Editable, Footprint, NodeId, Point, Surface, SyncSpace};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
use giveway_spaces::{Connectivity, Grid};
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// How many of twelve crowds of `units` units come to rest in 500 steps.
fn at_rest<S, F>(space: &S, footprint: &F, units: usize) -> usize
where
    S: SyncSpace + Clone,
    F: Footprint<S> + Clone + Send + Sync,
{
    let nodes: Vec<NodeId> =
        (0..u32::try_from(space.node_bound()).unwrap()).map(NodeId).filter(|node| space.contains(*node)).collect();
    let comes_to_rest = |seed: &u64| {
        let random = &mut Pcg64Mcg::new(u128::from(*seed) * 2 + 1);
        let [mut starts, mut goals] = [nodes.clone(), nodes.clone()];
        starts.shuffle(random);
        goals.shuffle(random);
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::bare(space.clone(), footprint.clone())).unwrap();
        for (start, goal) in starts.into_iter().zip(goals).take(units) {
            crowd.add(class, Agent::new(start, goal)).unwrap();
        }
        while !crowd.is_at_rest() && crowd.now() < 500 * crowd.ticks_per_step() {
            crowd.tick(Budget::unlimited());
        }
        crowd.is_at_rest()
    };
    (0..12_u64).filter(comes_to_rest).count()
}

#[test]
fn crowds_on_a_field_come_to_rest_if_all_moves_take_equally_long() {
    let field = Grid::open(6, 6).unwrap();
    assert_eq!(at_rest(&field, &Point::swap_rule(&field), 20), 12, "the swap rule");
    assert_eq!(at_rest(&field, &Point::following_rule(&field), 20), 12, "the following rule");
    assert_eq!(at_rest(&field, &Point::timed(&field, 1).unwrap(), 20), 12, "timed points");
    let disc = Body::disc(0.45).unwrap();
    let ticks = CommonTicks::new().of([&disc], &field).fewest().unwrap();
    let (space, footprint) = disc.on(&field, Ground::from_grid(&field), ticks).unwrap();
    assert_eq!(at_rest(&space, &footprint, 20), 12, "discs");
}

/// A surface that is equally slow everywhere leaves durations equal, one that is slow somewhere does not: knots are
/// planned as long as they are.
#[test]
fn durations_are_equal_as_long_as_the_ground_is() {
    let mut field = Grid::open(5, 3).unwrap();
    let point = Point::timed(&field, 4).unwrap();
    let uniform = |field: &Grid| Footprint::<Grid>::uniform_duration(&point, field);
    assert_eq!(uniform(&field), Some(4));
    let node = field.node(1, 1).unwrap();
    field.set_open(node, false);
    assert_eq!(uniform(&field), Some(4), "a place that closed");
    field.change(&Area::cells(3, 0, 1, 1).unwrap(), Change::Surface(Surface::new(1, 2.0).unwrap()));
    assert_eq!(uniform(&field), None, "a slow place");
    let eight = Grid::open(5, 3).unwrap().with_connectivity(Connectivity::Eight);
    assert_eq!(Footprint::<Grid>::uniform_duration(&Point::rounded(&eight, 4), &eight), None);
}
