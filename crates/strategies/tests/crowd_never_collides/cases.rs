//! Cases that went wrong once, as small as they get.

use giveway_core::{Agent, Point};
use giveway_spaces::Grid;
use giveway_strategies::{Budget, Class, Crowd, SoftRests, Whca};

/// With a window that ends with the move onto the goal, the tick after it was nobody's.
#[test]
fn nobody_slips_in_between_a_move_and_the_rest_after_it() {
    let grid = Grid::open(4, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut crowd = Crowd::new(Whca::new().window(1).interval(1));
    let class = crowd.class(Class::new(&grid, Point::both_cells(&grid))).unwrap();
    let one = crowd.add(class, Agent::new(at(1), at(2))).unwrap();
    let two = crowd.add(class, Agent::new(at(3), at(0))).unwrap();
    for _ in 0..20 {
        crowd.tick(Budget::unlimited());
        let ways = [one, two].map(|agent| crowd.last_leg(agent).unwrap());
        assert!(ways[0].from != ways[1].to && ways[0].to != ways[1].to && ways[0].to != ways[1].from, "{ways:?}");
    }
}

/// Two that share a place by leave must be able to part.
#[test]
fn who_overlaps_can_part() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    for point in [Point::swap_rule(&grid), Point::both_cells(&grid)] {
        let mut crowd = Crowd::new(Whca::new().soft_rests(SoftRests { price: 0 }));
        let class = crowd.class(Class::new(&grid, point)).unwrap();
        let one = crowd.add(class, Agent::new(at(0), at(5))).unwrap();
        let two = crowd.add(class, Agent::bystander(at(2))).unwrap();
        crowd.tick(Budget::unlimited());
        assert_eq!(crowd.tick(Budget::unlimited()).overlaps, 1);
        crowd.send(two, at(0)).unwrap();
        for _ in 0..10 {
            crowd.tick(Budget::unlimited());
        }
        assert_eq!((crowd.node(one), crowd.node(two)), (Some(at(5)), Some(at(0))));
    }
}
