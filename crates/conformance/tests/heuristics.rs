//! Heuristics and cost layers that break their contracts on purpose are caught, with the fault named.

use std::cell::Cell;

use giveway_core::heuristic::{Euclidean, Manhattan, Metric, Octile, ToGoals, Zero};
use giveway_core::{
    Asker, CostLayer, Embedding, FOREVER, Fuel, Goals, Heuristic, Move, NodeId, SpaceGraph, Span, Suspended, Tick,
};
use giveway_distance::{DistanceTable, Predecessors, ReverseAStar, TrueDistances};
use ordered_float::OrderedFloat;

type Cost = OrderedFloat<f64>;

/// A line of ten places, driven both ways; from the last, an eleventh can be reached and not left.
struct Line;

const PLACES: u32 = 11;

impl SpaceGraph for Line {
    type Action = i32;
    type Cost = Cost;

    fn node_bound(&self) -> usize {
        PLACES as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, Cost>> {
        [1, -1].into_iter().filter_map(move |action| {
            let to = from.0.checked_add_signed(action)?;
            (to < PLACES && from.0 < PLACES - 1).then_some(Move {
                from,
                to: NodeId(to),
                action,
                cost: OrderedFloat(1.1),
                length: 1.0,
            })
        })
    }
}

impl Embedding for Line {
    #[allow(clippy::cast_precision_loss)]
    fn position(&self, node: NodeId) -> [f32; 3] {
        [node.0 as f32, 0.0, 0.0]
    }
}

/// One way to get a heuristic wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    NotZeroOnTheGoal,
    OverestimatesAtOneNode,
    Inconsistent,
    Negative,
    NotANumber,
    UnreachableThoughReachable,
    ChangesItsAnswer,
    GivesUp,
    LosesProgress,
    GuessesWithoutFuel,
    MakesFuel,
    Panics,
}

/// The distance to 3 along the line; it takes an expansion for each step to find out.
struct Steps {
    fault: Fault,
    known: Cell<u32>,
    asked: u32,
}

impl Steps {
    fn new(fault: Fault) -> Self {
        let known = Cell::new(0);
        Self { fault, known, asked: 0 }
    }
}

impl Heuristic<Line> for Steps {
    fn estimate(&mut self, _: &Line, node: NodeId, fuel: &mut Fuel) -> Result<Option<Cost>, Suspended> {
        self.asked += 1;
        let steps = node.0.abs_diff(3);
        if self.fault == Fault::LosesProgress {
            self.known.set(0);
        }
        while self.known.get() < steps {
            match (fuel.burn(), self.fault) {
                (Ok(()), _) => self.known.set(self.known.get() + 1),
                (Err(_), Fault::GuessesWithoutFuel) => return Ok(Some(OrderedFloat(0.0))),
                (Err(_), Fault::MakesFuel) => *fuel = Fuel::work(100),
                (Err(out), _) => return Err(out),
            }
        }
        let distance = (node.0 < PLACES - 1).then_some(OrderedFloat(f64::from(steps) * 1.1));
        Ok(match (self.fault, node.0) {
            (Fault::NotZeroOnTheGoal, 3) => Some(OrderedFloat(0.5)),
            (Fault::OverestimatesAtOneNode, 6) => Some(OrderedFloat(3.5)),
            (Fault::Inconsistent, 6) => Some(OrderedFloat(0.0)),
            (Fault::Negative, 2) => Some(OrderedFloat(-0.1)),
            (Fault::NotANumber, 2) => Some(OrderedFloat(f64::NAN)),
            (Fault::UnreachableThoughReachable, 9) => None,
            (Fault::ChangesItsAnswer, _) if self.asked > 15 && steps > 0 => Some(OrderedFloat(0.0)),
            (Fault::GivesUp, 8) => return Err(Suspended::OutOfFuel),
            (Fault::Panics, 8) => panic!("there is no such place"),
            _ => distance,
        })
    }
}

fn goals() -> Goals {
    Goals::one(NodeId(3))
}

#[test]
fn a_heuristic_without_a_fault_conforms() {
    giveway_conformance::heuristic(&Line, &goals(), || Steps::new(Fault::None))
        .unwrap_or_else(|breach| panic!("{breach}"));
}

#[test]
fn every_way_to_get_a_heuristic_wrong_is_caught_and_named() {
    let rows = [
        (Fault::NotZeroOnTheGoal, "the estimate of node 3 is 0.5, but it is a goal: there it must be zero"),
        (Fault::OverestimatesAtOneNode, "the estimate of node 6 is 3.5, more than the distance to the goals, 3.3"),
        (
            Fault::Inconsistent,
            "inconsistent: the move from node 5 to node 6 by action 1 costs 1.1, but the estimate falls from 2.2",
        ),
        (Fault::Negative, "the estimate of node 2 is -0.1: it must not be negative"),
        (Fault::NotANumber, "the estimate of node 2 is NaN"),
        (
            Fault::UnreachableThoughReachable,
            "the estimate of node 9 is None (unreachable), but a goal can be reached from there at cost",
        ),
        (Fault::ChangesItsAnswer, "and asked again is 0"),
        (Fault::GivesUp, "estimate of node 8 says that it is out of fuel, but had no limit"),
        (Fault::LosesProgress, "what is done before the fuel runs out must be kept"),
        (Fault::GuessesWithoutFuel, "with fuel for one expansion at a time, is 0.0, with plenty 6.6"),
        (Fault::MakesFuel, "makes more fuel than it was given"),
        (Fault::Panics, "estimate of node 8 panics: there is no such place"),
    ];
    for (fault, named) in rows {
        let result = giveway_conformance::heuristic(&Line, &goals(), || Steps::new(fault));
        let breach = result.expect_err(&format!("{fault:?} was not caught"));
        assert!(breach.fault.contains(named), "{fault:?} should name {named:?}: {breach}");
    }
}

#[test]
fn all_heuristics_conform() {
    let one = goals();
    let several = Goals::from_iter([NodeId(0), NodeId(7), NodeId(10)]);
    let none = Goals::from_iter([]);
    for goals in [one, several, none] {
        let check = |name: &str, result: Result<(), giveway_conformance::Breach>| {
            result.unwrap_or_else(|breach| panic!("{name} to {goals:?}: {breach}"));
        };
        let predecessors = Predecessors::from_space(&Line);
        let table = || DistanceTable::new(&Line, predecessors.clone(), goals.clone());
        check("table", giveway_conformance::heuristic(&Line, &goals, table));
        let aimed = |metric| {
            let predecessors = &predecessors;
            let goals = &goals;
            move || ReverseAStar::new(predecessors.clone(), goals.clone(), NodeId(8), metric)
        };
        check("aimed", giveway_conformance::heuristic(&Line, &goals, aimed(Manhattan { step: OrderedFloat(1.1) })));
        check("zero", giveway_conformance::heuristic(&Line, &goals, || Zero));
        let shared = std::cell::RefCell::new(TrueDistances::<Line, Zero>::tables());
        let distances = || Shared { distances: &shared, goals: &goals };
        check("true distances", giveway_conformance::heuristic(&Line, &goals, distances));
        check("euclidean", by_metric(Euclidean::from_space(&Line), &goals));
        check("manhattan", by_metric(Manhattan { step: OrderedFloat(1.1) }, &goals));
        let octile = Octile { step: OrderedFloat(1.1), diagonal: OrderedFloat(1.5) };
        check("octile", by_metric(octile, &goals));
    }
}

/// A metric to no goals calls everything unreachable, as nothing can be reached.
fn by_metric<M: Metric<Line> + Clone>(metric: M, goals: &Goals) -> Result<(), giveway_conformance::Breach> {
    let to_goals = || ToGoals { metric: metric.clone(), goals: goals.clone() };
    giveway_conformance::heuristic(&Line, goals, to_goals)
}

/// The search that agents with the same goals share.
struct Shared<'a> {
    distances: &'a std::cell::RefCell<TrueDistances<Line, Zero>>,
    goals: &'a Goals,
}

impl Heuristic<Line> for Shared<'_> {
    fn estimate(&mut self, space: &Line, node: NodeId, fuel: &mut Fuel) -> Result<Option<Cost>, Suspended> {
        self.distances.borrow_mut().to(space, self.goals, node).estimate(space, node, fuel)
    }
}

// --- Cost layers. ----------------------------------------------------------------------------------------------------

/// One way to get a layer wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slip {
    None,
    NegativeSurcharge,
    SurchargeIsNotANumber,
    NegativeWait,
    SurchargeNeverSettles,
    WaitNeverSettles,
    OtherAnswer,
    OtherSettling,
    TimelessTolls,
    TimelessPauses,
}

/// Until tick 50, place 3 is dangerous; waiting there is free.
struct Danger {
    slip: Slip,
    asked: Cell<u32>,
}

impl Danger {
    fn new(slip: Slip) -> Self {
        let asked = Cell::new(0);
        Self { slip, asked }
    }

    fn ask(&self) -> u32 {
        self.asked.replace(self.asked.get() + 1)
    }
}

impl CostLayer<Line> for Danger {
    fn surcharge(&self, _: &Line, m: &Move<i32, Cost>, depart: Tick, _asker: &Asker<'_>) -> Cost {
        let at_3 = m.to == NodeId(3);
        OrderedFloat(match self.slip {
            Slip::NegativeSurcharge if at_3 => -0.5,
            Slip::SurchargeIsNotANumber if at_3 => f64::NAN,
            Slip::SurchargeNeverSettles if at_3 => f64::from(depart),
            Slip::OtherAnswer => f64::from(self.ask()),
            Slip::TimelessPauses => 5.0,
            _ if at_3 && depart < 50 => 5.0,
            _ => 0.0,
        })
    }

    fn wait(&self, _: &Line, node: NodeId, span: Span, base: Cost, _asker: &Asker<'_>) -> Cost {
        match self.slip {
            Slip::NegativeWait if node == NodeId(3) => -base,
            Slip::WaitNeverSettles => OrderedFloat(f64::from(span.end % 5)),
            _ if node == NodeId(3) => OrderedFloat(0.0),
            _ => base,
        }
    }

    fn settled_from(&self) -> Tick {
        match self.slip {
            Slip::OtherSettling => 50 + self.ask(),
            _ => 50,
        }
    }

    fn is_timeless(&self) -> bool {
        matches!(self.slip, Slip::TimelessTolls | Slip::TimelessPauses)
    }
}

#[test]
fn layers_without_a_fault_conform() {
    let check = |result: Result<(), giveway_conformance::Breach>| result.unwrap_or_else(|breach| panic!("{breach}"));
    check(giveway_conformance::cost_layer(&Line, &()));
    check(giveway_conformance::cost_layer(&Line, &Danger::new(Slip::None)));
    check(giveway_conformance::cost_layer(&Line, &((), Danger::new(Slip::None))));
    check(giveway_conformance::cost_layer(&Line, &Tide));
}

/// It comes and goes for ever, and says so.
struct Tide;

impl CostLayer<Line> for Tide {
    fn surcharge(&self, _: &Line, _: &Move<i32, Cost>, depart: Tick, _asker: &Asker<'_>) -> Cost {
        OrderedFloat(f64::from(depart % 10))
    }

    fn settled_from(&self) -> Tick {
        FOREVER
    }
}

#[test]
fn every_way_to_get_a_layer_wrong_is_caught_and_named() {
    let rows = [
        (
            Slip::NegativeSurcharge,
            "the surcharge of the move from node 2 to node 3 by action 1 is -0.5 at tick 0: what a layer adds must not be negative",
        ),
        (Slip::SurchargeIsNotANumber, "is NaN at tick 0"),
        (Slip::NegativeWait, "a wait of 1 ticks on node 3 is -1.0 at tick 0"),
        (
            Slip::SurchargeNeverSettles,
            "settled_from says that nothing changes from tick 50 on, but the surcharge of the move from node 2 to node 3 by action 1 is 50.0 at tick 50 and 51.0 at tick 51",
        ),
        (
            Slip::WaitNeverSettles,
            "settled_from says that nothing changes from tick 50 on, but a wait of 1 ticks on node 0 is",
        ),
        (Slip::OtherAnswer, "and asked again"),
        (Slip::OtherSettling, "settled_from is 50, and asked again 51"),
        (
            Slip::TimelessTolls,
            "is_timeless says that time makes no difference, but the surcharge of the move from node 2 to node 3 by action 1 is 0.0 at tick 99",
        ),
        (
            Slip::TimelessPauses,
            "is_timeless says that time makes no difference, but a wait of 1 ticks on node 3 is 0.0 at tick 0, not 1.0",
        ),
    ];
    for (slip, named) in rows {
        let result = giveway_conformance::cost_layer(&Line, &Danger::new(slip));
        let breach = result.expect_err(&format!("{slip:?} was not caught"));
        assert!(breach.fault.contains(named), "{slip:?} should name {named:?}: {breach}");
    }
}
