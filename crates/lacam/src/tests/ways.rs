//! A field that is no grid: several ways between two places, one-way ones, and distances that cost fuel.

use giveway_core::{CellId, ConflictRule, Entry, Fuel, NoPath, NodeId, Span, Suspended};

use crate::{Field, Step, plan_jointly};

/// Two units that meet head on collide if they take moves of the same position.
struct Ways {
    /// The ends of each way, in the order of the moves out of a place.
    ways: Vec<(u32, u32)>,
    /// The start and the goal of each unit.
    trips: Vec<(u32, u32)>,
    /// The fuel that a distance costs.
    price: u64,
}

impl Ways {
    fn new(ways: &[(u32, u32)], trips: &[(u32, u32)]) -> Self {
        Self { ways: ways.to_vec(), trips: trips.to_vec(), price: 0 }
    }

    fn plan(&mut self, fuel: u64) -> Result<Vec<Vec<Step>>, NoPath> {
        plan_jointly(self, &mut Fuel::work(fuel))
    }

    /// The steps of all units together; to stay on a goal counts as none.
    fn sum_of_costs(&self, plan: &[Vec<Step>]) -> usize {
        let counts = |unit: usize, step: &&Step| step.action.is_some() || !self.is_goal(unit, step.to, 0);
        plan.iter().enumerate().map(|(unit, steps)| steps.iter().filter(|step| counts(unit, step)).count()).sum()
    }
}

impl Ways {
    fn distance(&self, unit: usize, node: NodeId) -> Option<u32> {
        let mut reached = vec![self.trips[unit].1];
        for distance in 0.. {
            if reached.contains(&node.0) {
                return Some(1000 * distance);
            }
            let more = self.ways.iter().filter(|way| reached.contains(&way.1) && !reached.contains(&way.0));
            let mut more: Vec<u32> = more.map(|way| way.0).collect();
            if more.is_empty() {
                break;
            }
            reached.append(&mut more);
        }
        None
    }
}

impl Field for Ways {
    fn units(&self) -> usize {
        self.trips.len()
    }

    fn rule(&self) -> ConflictRule {
        ConflictRule::Swap
    }

    fn kind(&self, _unit: usize) -> u32 {
        0
    }

    fn start(&self, unit: usize) -> NodeId {
        NodeId(self.trips[unit].0)
    }

    fn moves(&self, _kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        let out = self.ways.iter().filter(|way| way.0 == from.0);
        found.extend(out.zip(0..).map(|(way, position)| (NodeId(way.1), position)));
    }

    fn occupies(&self, _kind: u32, step: Step, entries: &mut Vec<Entry>) {
        let mut add = |cell, span| entries.push(Entry { cell: CellId(cell), span });
        match step.action {
            None => add(step.to.0, Span::endless(0)),
            Some(action) => {
                let [low, high] = [step.from.0.min(step.to.0), step.from.0.max(step.to.0)];
                add((1 + action) << 16 | low << 8 | high, Span::tick(0));
                add(step.to.0, Span::endless(1));
            }
        }
    }

    fn is_blocked(&self, _entries: &[Entry]) -> bool {
        false
    }

    fn distances(
        &mut self,
        unit: usize,
        nodes: &[NodeId],
        found: &mut Vec<Option<u32>>,
        fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        for node in nodes {
            for _ in 0..self.price {
                fuel.burn()?;
            }
            found.push(self.distance(unit, *node));
        }
        Ok(())
    }

    fn is_goal(&self, unit: usize, node: NodeId, _distance: u32) -> bool {
        self.trips[unit].1 == node.0
    }
}

#[test]
fn two_exchange_places_on_different_ways() {
    let one = [(0, 1), (1, 0)];
    assert_eq!(Ways::new(&one, &[(0, 1), (1, 0)]).plan(1000), Err(NoPath::Exhausted));
    let two = [(0, 1), (0, 1), (1, 0), (1, 0)];
    let mut ways = Ways::new(&two, &[(0, 1), (1, 0)]);
    let plan = ways.plan(1000).unwrap();
    assert_eq!(ways.sum_of_costs(&plan), 2);
    let mut actions = [plan[0][0].action, plan[1][0].action];
    actions.sort_unstable();
    assert_eq!(actions, [Some(0), Some(1)]);
}

#[test]
fn nobody_goes_where_there_is_no_way_back() {
    let evade = |back: (u32, u32)| {
        let mut ways = Ways::new(&[(0, 1), (1, 3), (1, 2), back], &[(0, 3), (1, 1)]);
        ways.plan(1000).map(|plan| ways.sum_of_costs(&plan))
    };
    assert_eq!(evade((2, 1)), Ok(4));
    assert_eq!(evade((2, 4)), Err(NoPath::Exhausted));
}

#[test]
fn who_is_stuck_is_not_pushed_again() {
    // Rows of two places, all taken; each place leads to both places of the next row, and no unit can leave the last
    // row. To try all chains would take 2^60 pushes.
    let on = |place: u32| [place / 2 * 2 + 2, place / 2 * 2 + 3].map(|to| (place, to));
    let ways: Vec<(u32, u32)> = (0..120).flat_map(on).collect();
    let trips: Vec<(u32, u32)> = (0..122).map(|place| (place, place.max(120))).collect();
    let mut ways = Ways::new(&ways, &trips);
    assert_eq!(ways.plan(1), Err(NoPath::Suspended(Suspended::OutOfFuel)));
}

#[test]
fn a_move_that_ends_where_it_begins_is_not_staying() {
    // A distance costs one even on a goal.
    let mut ways = Ways::new(&[(0, 0)], &[(0, 0)]);
    let plan = ways.plan(1000).unwrap();
    assert_eq!(ways.sum_of_costs(&plan), 0);
    ways.trips = vec![(0, 0), (1, 2)];
    ways.ways.extend([(1, 2), (2, 1)]);
    let plan = ways.plan(1000).unwrap();
    assert_eq!((ways.sum_of_costs(&plan), plan[0].clone()), (1, vec![Step::stay(NodeId(0))]));
}

#[test]
fn distances_are_paid_for() {
    let ring = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (2, 1), (3, 2), (0, 3)];
    let mut ways = Ways::new(&ring, &[(0, 2), (2, 0), (1, 1)]);
    let free = ways.plan(1000).unwrap();
    ways.price = 10;
    // Three units on four places.
    assert_eq!(ways.plan(1000), Ok(free.clone()));
    for fuel in 0..200 {
        match ways.plan(fuel) {
            Ok(plan) => assert!(plan == free && fuel > 60),
            Err(why) => assert_eq!(why, NoPath::Suspended(Suspended::OutOfFuel)),
        }
    }
}
