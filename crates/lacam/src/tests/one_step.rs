//! One step after the other without a search: every step is legal, and memory of earlier steps changes nothing.

use giveway_core::{ConflictRule, Entry, Fuel, NodeId, Suspended};
use proptest::prelude::*;

use super::board::{Board, Rule};
use super::random::boards;
use crate::{Field, Step, Stepper};

/// A board whose outsiders are somewhere else at each step.
struct Passing(Board);

impl Field for Passing {
    fn units(&self) -> usize {
        self.0.units()
    }

    fn rule(&self) -> ConflictRule {
        Field::rule(&self.0)
    }

    fn kind(&self, unit: usize) -> u32 {
        self.0.kind(unit)
    }

    fn start(&self, unit: usize) -> NodeId {
        self.0.start(unit)
    }

    fn moves(&self, kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        self.0.moves(kind, from, found);
    }

    fn occupies(&self, kind: u32, step: Step, entries: &mut Vec<Entry>) {
        self.0.occupies(kind, step, entries);
    }

    fn is_blocked(&self, _entries: &[Entry]) -> bool {
        false
    }

    fn is_taken_now(&self, entry: &Entry) -> bool {
        self.0.is_blocked(&[*entry])
    }

    fn distances(
        &mut self,
        unit: usize,
        nodes: &[NodeId],
        found: &mut Vec<Option<u32>>,
        fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        self.0.distances(unit, nodes, found, fuel)
    }

    fn is_goal(&self, unit: usize, node: NodeId, distance: u32) -> bool {
        self.0.is_goal(unit, node, distance)
    }
}

impl Passing {
    /// The steps of all units, where those of `order` choose.
    fn step(&mut self, stepper: &mut Stepper, order: &[u32], seed: u32) -> Vec<Step> {
        let (mut left, mut steps) = (Vec::new(), Vec::new());
        for unit in 0..self.units() {
            self.0.distances(unit, &[self.0.start(unit)], &mut left, &mut Fuel::none()).unwrap();
        }
        stepper.step(self, |unit| left[unit].unwrap_or(0), order, seed, &mut steps);
        steps
    }

    /// Makes the units take `steps`.
    fn take(&mut self, steps: &[Step]) {
        let plan: Vec<Vec<Step>> = steps.iter().map(|step| vec![*step]).collect();
        let (_, ends) = self.0.follow(&plan);
        for (unit, end) in self.0.units.iter_mut().zip(ends) {
            unit.start = end;
        }
    }
}

#[test]
fn who_does_not_choose_stays_unless_pushed() {
    let board = || Passing(Board::pictures(&["AB..", "C..."], &["..a.", "..cb"]));
    let ends = |order: &[u32]| -> Vec<u32> {
        let steps = board().step(&mut Stepper::default(), order, 0);
        steps.iter().map(|step| step.to.0).collect()
    };
    assert_eq!(ends(&[]), [0, 1, 4]);
    assert_eq!(ends(&[2]), [0, 1, 5]);
    assert_eq!(ends(&[0])[0], 1, "the second unit has to go");
    assert_eq!(ends(&[0, 1, 2, 7])[0], 1, "there is no unit 7");
}

#[test]
fn under_the_following_rule_who_is_in_the_way_leaves_first() {
    let mut following = Passing(Board::pictures(&["AB..", "...."], &["..ab", "...."]).rule(Rule::Following));
    let steps = following.step(&mut Stepper::default(), &[0], 0);
    assert_eq!(steps[0].to, NodeId(0));
    assert_ne!(steps[1].to, NodeId(1), "the second unit makes room");
    // In a dead end it cannot, and the first unit goes elsewhere.
    let mut shut = Passing(Board::pictures(&["AB@.", "...."], &[".a@b", "@@.."]).rule(Rule::Following));
    shut.0.outsiders = vec![NodeId(5)];
    let steps = shut.step(&mut Stepper::default(), &[0], 0);
    assert_eq!(steps[1].to, NodeId(1));
}

#[test]
fn on_a_long_way_places_are_forgotten_and_found_anew() {
    let row = |letter: char, column: usize| -> String {
        (0..3000).map(|other| if other == column { letter } else { '.' }).collect()
    };
    let picture = |above: String, below: String| Board::pictures(&[&above, &below], &[&row('b', 0), &row('a', 2999)]);
    let mut field = Passing(picture(row('A', 0), row('B', 2999)));
    let mut stepper = Stepper::default();
    for tick in 0..3100 {
        let steps = field.step(&mut stepper, &[0, 1], tick);
        assert_eq!(steps, field.step(&mut Stepper::default(), &[0, 1], tick), "at tick {tick}");
        field.take(&steps);
    }
    assert_eq!([0, 1].map(|unit| field.0.start(unit).0), [5999, 0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn steps_are_legal_and_do_not_depend_on_what_is_remembered(
        board in boards(),
        choosing in prop::collection::vec(any::<bool>(), 12),
        elsewhere in prop::collection::vec(any::<usize>(), 4),
    ) {
        let mut field = Passing(board);
        let mut stepper = Stepper::default();
        let cells: Vec<NodeId> = (0..9).map(NodeId).collect();
        for (tick, place) in (0..).zip(elsewhere) {
            let order: Vec<u32> =
                (0..3).filter(|unit| (*unit as usize) < field.units() && choosing[(3 * tick + unit) as usize]).collect();
            // An outsider goes where no unit is.
            let here: Vec<NodeId> = { field.0.units.iter() }.flat_map(|unit| field.0.covered(unit.start).unwrap()).collect();
            let free: Vec<NodeId> = cells.iter().copied().filter(|cell| !here.contains(cell)).collect();
            if !free.is_empty() {
                field.0.outsiders = vec![free[place % free.len()]];
            }
            let steps = field.step(&mut stepper, &order, tick);
            assert_eq!(steps, field.step(&mut Stepper::default(), &order, tick));
            field.take(&steps);
        }
    }
}
