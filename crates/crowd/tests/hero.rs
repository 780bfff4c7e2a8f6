//! A unit of high priority crosses a crowd about as fast as an empty map: units in its way make way.

use giveway_core::{Agent, AgentId, NodeId, Point, Tick};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
use giveway_spaces::Grid;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

const SIDE: u32 = 64;
/// On 30 % of the cells.
const CROWD: usize = 1228;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Others {
    /// They stand by.
    StandBy,
    /// Each is sent to one random place after the other.
    Wander,
}

/// How many times as long as alone the hero takes from one side of the map to the other.
fn stretch(others: Others, seed: u64) -> f64 {
    let grid = Grid::open(SIDE, SIDE).unwrap();
    let mut random = Pcg64Mcg::new(u128::from(seed) << 64 | 0xCAFE_F00D_D15E_A5E5);
    let mut side = |x| grid.node(x, random.random_range(0..SIDE)).unwrap();
    let (start, goal) = (side(0), side(SIDE - 1));
    let mut cells: Vec<NodeId> = (0..SIDE * SIDE).map(NodeId).filter(|node| *node != start).collect();
    cells.shuffle(&mut random);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).unwrap();
    let hero = crowd.add(class, Agent { priority: 1, ..Agent::new(start, goal) }).unwrap();
    let crowded: Vec<AgentId> =
        cells[..CROWD].iter().map(|node| crowd.add(class, Agent::bystander(*node)).unwrap()).collect();
    while crowd.node(hero) != Some(goal) {
        assert!(crowd.now() < 1000, "{others:?}, seed {seed}: the hero stands at {:?}", crowd.node(hero));
        if others == Others::Wander {
            for agent in &crowded {
                if crowd.is_home(*agent) == Some(true) {
                    // If another agent is sent to its goal, it is sent beside the goal.
                    crowd.send(*agent, NodeId(random.random_range(0..SIDE * SIDE))).unwrap();
                }
            }
        }
        crowd.tick(Budget::unlimited());
    }
    let steps = |from, to| {
        let [(x, y), (to_x, to_y)] = [from, to].map(|node| grid.xy(node));
        x.abs_diff(to_x) + y.abs_diff(to_y)
    };
    let alone: Tick = steps(start, goal);
    assert!(crowd.now() >= alone);
    f64::from(crowd.now()) / f64::from(alone)
}

/// The mean and the worst over `seeds` seeds; all of them run, on all threads.
fn stretches(others: Others, seeds: u64) -> (f64, f64) {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let all: Vec<f64> = std::thread::scope(|scope| {
        let part = |first: usize| (first as u64..seeds).step_by(threads).map(|seed| stretch(others, seed)).collect();
        let parts: Vec<_> = (0..threads).map(|first| scope.spawn(move || -> Vec<f64> { part(first) })).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    #[allow(clippy::cast_precision_loss)] // a hundred
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let worst = all.iter().copied().fold(0.0, f64::max);
    println!("{others:?}, {seeds} seeds: mean {mean:.4}, worst {worst:.4}");
    (mean, worst)
}

fn is_hardly_slowed(others: Others, seeds: u64) {
    let (mean, worst) = stretches(others, seeds);
    assert!(mean <= 1.1, "mean {mean}, worst {worst}");
}

#[test]
fn a_hero_crosses_those_who_stand_by() {
    is_hardly_slowed(Others::StandBy, if cfg!(debug_assertions) { 5 } else { 100 });
}

#[test]
fn a_hero_crosses_those_who_wander() {
    is_hardly_slowed(Others::Wander, 4);
}

/// `cargo test --release -p giveway-crowd --test tests hero -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_heroes_cross_those_who_wander() {
    is_hardly_slowed(Others::Wander, 100);
}
