//! Recordings in pieces: what is taken while the simulation goes on is what a recording of the whole has.

use giveway_check::{Checker, Violation};
use giveway_core::{Agent, AgentId, ConflictRule, NodeId, Point, Span, Tick, Trace};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, SoftRests};
use giveway_sim::{Endpoints, Simulation, Task};
use giveway_spaces::Grid;

const TICKS: Tick = 120;

/// A crowd in a small room, whose agents at rest others may walk through: agents overlap. Moves take `ticks` ticks.
fn crowded(grid: &Grid, ticks: u32) -> (Simulation<'_>, ClassId) {
    let mut crowd = Crowd::new(CrowdSettings::new().soft_rests(SoftRests { price: 0 }));
    let point = if ticks == 1 { Point::swap_rule(grid) } else { Point::timed(grid, ticks).unwrap() };
    let class = crowd.add_class(Class::new(grid, point)).unwrap();
    let mut simulation = Simulation::new(crowd).recorded();
    let endpoints: Endpoints = (0..35).map(NodeId).collect();
    for index in 0..12 {
        simulation.add(class, Agent::bystander(NodeId(index)), Task::Once).unwrap();
    }
    for seed in 0..3 {
        let task = Task::Lifelong { places: endpoints.clone(), seed };
        simulation.add(class, Agent::bystander(NodeId(20 + u32::try_from(seed).unwrap())), task).unwrap();
    }
    (simulation, class)
}

/// Whatever changes between ticks: an agent goes, comes, or is put elsewhere, in the middle of moves, too.
fn change(simulation: &mut Simulation<'_>, class: ClassId) {
    match simulation.crowd().now() {
        31 => simulation.remove(AgentId(12)).unwrap(),
        32 => drop(simulation.add(class, Agent::bystander(NodeId(34)), Task::Patrol(vec![NodeId(0), NodeId(34)]))),
        50 => drop(simulation.place_near(AgentId(13), NodeId(17)).unwrap()),
        51 => drop(simulation.stop(AgentId(14)).unwrap()),
        _ => {}
    }
}

/// What is wrong with a run, by the traces that are taken every so many ticks, and how many moves the largest one has.
fn violations(grid: &Grid, ticks: u32, every: Tick) -> (Vec<Violation>, usize) {
    let rule = if ticks == 1 { ConflictRule::Swap } else { ConflictRule::Following };
    let (mut simulation, class) = crowded(grid, ticks);
    let (mut named, mut most, mut from) = (Vec::new(), 0, 0);
    for tick in 1..=TICKS {
        change(&mut simulation, class);
        simulation.tick(Budget::unlimited());
        if tick % every == 0 || tick == TICKS {
            let trace = simulation.take_trace().unwrap();
            let span = Span::new(from, tick);
            named.extend(Checker::new(grid, rule).with_crossings().during(span).check_trace(&trace));
            most = most.max(trace.agents.iter().map(|agent| agent.moves.len()).sum());
            from = tick;
        }
    }
    (named, most)
}

#[test]
fn overlaps_across_the_borders_of_pieces_are_found() {
    let grid = Grid::open(7, 5).unwrap();
    for ticks in [1, 3] {
        let (whole, most) = violations(&grid, ticks, TICKS);
        assert!(whole.len() > 20, "{} violations with moves of {ticks} ticks", whole.len());
        for every in [1, 2, 7, 50] {
            let (named, largest) = violations(&grid, ticks, every);
            assert_eq!(named, whole, "pieces of {every} ticks, moves of {ticks}");
            assert!(
                largest < most.min(12 * usize::try_from(every).unwrap()),
                "{largest} moves in a piece of {every} ticks, {most} in all"
            );
        }
    }
}

#[test]
fn pieces_have_every_move() {
    let grid = Grid::open(7, 5).unwrap();
    let moves = |trace: &Trace, agent: usize| -> Vec<(Tick, Tick, u32)> {
        let moves = trace.agents.get(agent).into_iter().flat_map(|agent| &agent.moves);
        moves.map(|step| (step.depart, step.arrive, step.to.node)).collect()
    };
    let ((mut whole, class), (mut taken, _)) = (crowded(&grid, 1), crowded(&grid, 1));
    let mut all: Vec<Vec<(Tick, Tick, u32)>> = vec![Vec::new(); 16];
    for tick in 1..=TICKS {
        for simulation in [&mut whole, &mut taken] {
            change(simulation, class);
            simulation.tick(Budget::unlimited());
        }
        if tick % 9 == 0 || tick == TICKS {
            let piece = taken.take_trace().unwrap();
            for (agent, all) in all.iter_mut().enumerate() {
                // Moves that end at the border come twice.
                let new = moves(&piece, agent).into_iter().filter(|step| all.last() != Some(step));
                all.extend(new.collect::<Vec<_>>());
            }
        }
    }
    let whole = whole.take_trace().unwrap();
    for (agent, all) in all.iter().enumerate() {
        assert_eq!(all, &moves(&whole, agent), "agent {agent}");
    }
    assert_eq!(taken.trace().map(|trace| trace.agents.len()), Some(16));
}

#[test]
fn a_simulation_without_a_recording_has_no_trace() {
    let grid = Grid::open(3, 1).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).unwrap();
    let mut simulation = Simulation::new(crowd);
    simulation.add(class, Agent::new(NodeId(0), NodeId(2)), Task::Once).unwrap();
    let mut ticks = 0;
    simulation.tick_by(|crowd| {
        ticks += 1;
        crowd.tick(Budget::unlimited())
    });
    assert_eq!((simulation.take_trace(), simulation.trace(), ticks), (None, None, 1));
    assert_eq!(simulation.into_crowd().node(AgentId(0)), Some(NodeId(1)));
}
