//! Cases that once went wrong, or could go wrong unnoticed, as small as possible.

use giveway_core::{Agent, Move, NodeId, Point, SpaceGraph};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner, SoftRests};
use giveway_spaces::{Connectivity, Direction, Grid};

/// With a window that ends with the move onto the goal, the tick after the window was reserved by no agent.
#[test]
fn nobody_slips_in_between_a_move_and_the_rest_after_it() {
    let grid = Grid::open(4, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new().window(1).interval(1));
    let class = crowd.add_class(Class::new(&grid, Point::following_rule(&grid))).unwrap();
    let one = crowd.add(class, Agent::new(at(1), at(2))).unwrap();
    let two = crowd.add(class, Agent::new(at(3), at(0))).unwrap();
    for _ in 0..20 {
        crowd.tick(Budget::unlimited());
        let ways = [one, two].map(|agent| crowd.last_leg(agent).unwrap());
        assert!(ways[0].from != ways[1].to && ways[0].to != ways[1].to && ways[0].to != ways[1].from, "{ways:?}");
    }
}

/// Under the following rule a move holds the place that it leaves. Nobody pays for pushing itself aside from there.
#[test]
fn nobody_is_in_its_own_way() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    for (window, point) in
        [1, 2, 16].into_iter().flat_map(|w| [(w, Point::swap_rule(&grid)), (w, Point::following_rule(&grid))])
    {
        let mut crowd = Crowd::new(CrowdSettings::new().window(window));
        let class = crowd.add_class(Class::new(&grid, point)).unwrap();
        let one = crowd.add(class, Agent::new(at(0), at(3))).unwrap();
        for goal in [at(3), at(5)] {
            crowd.send(one, goal).unwrap();
            while crowd.node(one) != Some(goal) {
                assert_eq!(crowd.tick(Budget::unlimited()).moves, 1, "with a window of {window}");
            }
            crowd.tick(Budget::unlimited());
        }
    }
}

/// Two that share a place by leave must be able to part.
#[test]
fn who_overlaps_can_part() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    for point in [Point::swap_rule(&grid), Point::following_rule(&grid)] {
        let mut crowd = Crowd::new(CrowdSettings::new().soft_rests(SoftRests { price: 0 }));
        let class = crowd.add_class(Class::new(&grid, point)).unwrap();
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

/// Who has begun a move keeps the room for it, whatever its rank: others plan around it, and need not be stopped.
#[test]
fn a_move_that_has_begun_is_not_overridden() {
    let grid = Grid::from_ascii("....#.").unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new().override_price(0));
    let class = crowd.add_class(Class::new(&grid, Point::timed(&grid, 3).unwrap())).unwrap();
    let one = crowd.add(class, Agent::bystander(at(1))).unwrap();
    let two = crowd.add(class, Agent::bystander(at(2))).unwrap();
    // It cannot get there, but the first one makes room for it, and no agent has to be told to make way.
    crowd.add(class, Agent::new(at(5), at(1))).unwrap();
    crowd.tick(Budget::unlimited());
    assert!(crowd.last_leg(one).is_some_and(|leg| (leg.to, leg.arrive) == (at(0), 3)));
    crowd.send(two, at(1)).unwrap();
    while !crowd.is_at_rest() {
        assert_eq!(crowd.tick(Budget::unlimited()).stopped, []);
    }
    assert_eq!(crowd.now(), 6);
}

/// A grid that does not number its crossings.
struct Plain(Grid);

impl SpaceGraph for Plain {
    type Action = Direction;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.0.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, u32>> {
        self.0.moves(from)
    }

    fn contains(&self, node: NodeId) -> bool {
        self.0.contains(node)
    }
}

/// The second class needs cells that the store does not have: it is made anew, with all agents in it.
#[test]
fn a_class_that_comes_late_finds_everybody_where_they_are() {
    let grid = Grid::open(4, 1).unwrap().with_connectivity(Connectivity::Eight);
    let at = |x| grid.node(x, 0).unwrap();
    let plain = Plain(grid.clone());
    let mut crowd = Crowd::new(CrowdSettings::new());
    let slow = crowd.add_class(Class::bare(&plain, Point::timed(&plain, 3).unwrap())).unwrap();
    let one = crowd.add(slow, Agent::new(at(1), at(0))).unwrap();
    crowd.tick(Budget::unlimited());
    let quick = crowd.add_class(Class::new(&grid, Point::following_rule(&grid))).unwrap();
    let two = crowd.add(quick, Agent::new(at(3), at(1))).unwrap();
    while !crowd.is_at_rest() {
        let report = crowd.tick(Budget::unlimited());
        assert_eq!(report.stopped, []);
        let ways = [one, two].map(|agent| crowd.last_leg(agent).unwrap());
        assert!(ways[1].to != at(1) || report.tick >= 3, "{ways:?}");
    }
    assert_eq!(crowd.now(), 4);
}

/// An agent that has just come plans because another one needs its place, and is overridden again in the same
/// transaction.
#[test]
fn who_is_new_may_be_overridden_twice() {
    let grid = Grid::open(4, 3).unwrap();
    let chain = Chain::new(Planner::LocalRepair(Lra::new(0))).fallback(Planner::Windowed, 3);
    let mut crowd = Crowd::new(CrowdSettings::new().window(7).promotion(false));
    let class = crowd.add_class(Class::new(&grid, Point::following_rule(&grid)).chain(chain)).unwrap();
    for (start, goal) in [(6, 10), (5, 10), (1, 3), (8, 7), (11, 6)] {
        crowd.add(class, Agent::new(NodeId(start), NodeId(goal))).unwrap();
    }
    for budget in [0, 1, 1, 0, 1, 0, 0, 0, 1, 1_000_000] {
        crowd.tick(Budget::work(budget));
    }
    assert_eq!(crowd.now(), 10);
}
