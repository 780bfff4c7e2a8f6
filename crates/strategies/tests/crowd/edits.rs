//! Edits: a door that is closed and opened while units are on their way.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use giveway_core::{Agent, ConflictRule, Move, NodeId, Point, SpaceGraph};
use giveway_spaces::{Direction, Grid};
use giveway_strategies::{Budget, Class, Crowd, Whca};

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
    for rule in [ConflictRule::Swap, ConflictRule::BothCells] {
        house.set_open(true);
        let mut crowd = Crowd::new(Whca::new());
        let point = if rule == ConflictRule::Swap { Point::swap_rule(&house) } else { Point::both_cells(&house) };
        let class = crowd.class(Class::new(&house, point)).unwrap();
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

/// A unit in the doorway as the door is closed on it stays where it is, and nobody else is led astray by its plan.
#[test]
fn a_door_that_is_closed_on_somebody_holds_it() {
    let grid = Grid::from_ascii(".....").unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let house = House { door: at(2), grid: grid.clone(), open: true.into(), revision: 0.into() };
    let mut crowd = Crowd::new(Whca::new());
    let class = crowd.class(Class::new(&house, Point::timed(&house, 3))).unwrap();
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
