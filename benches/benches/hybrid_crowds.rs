//! Does a crowd that follows a direction map gain by searching windows only where that gets it nowhere, and is such a
//! crowd good company for a few heroes that always plan by windows? Patrols of the direction-map experiments, a hundred
//! agents on a map.
//!
//! Counts, not times. With an argument, `crowds` or `heroes`, it asks one of the two questions only.

#![allow(clippy::print_stderr, reason = "what is left out of a measurement must be seen")]

use std::fmt::Write;

use giveway::direction::{Coherence, DirectionMap, DirectionRules};
use giveway::heuristic::PricedDistances;
use giveway::plan::fewest_ticks;
use giveway::spaces::Grid;
use giveway::strategies::{Chain, Class, ClassId, Crowd, CrowdSettings, Lra, Planner};
use giveway::time::Tick;
use giveway::{Agent, AgentId, Instance, NodeId, Point};
use giveway_benches::{PatrolScenario, Table, patrol_scenarios};
use giveway_experiments::{CrowdPatrols, PatrolMetrics, PatrolRules, Patrols};

/// Maps, and their families of scenarios.
const MAPS: [(&str, &str); 2] = [("test_s1_64", "Map1Big_L50_R50"), ("test_s2_64", "Map2_L50_R50")];
const SCENARIOS: u32 = 3;
const LOOPS: u32 = 5;
/// A run is cut off at the latest time, or when no unit has come to an end for the stalled time; both in units of time.
const LATEST: f64 = 20_000.0;
const STALLED: f64 = 1500.0;
/// How long crowds with heroes are watched.
const HERO_TICKS: Tick = 1000;
/// One of this many agents is a hero.
const HEROES: usize = 10;
const HERO_WINDOW: u32 = 16;
const SEED: u64 = 1;
/// How much of a step agents see around them, in thousandths.
const RADIUS: u32 = 5000;
/// The weight by which maps that are learned before are learned and charge.
const LEARNED_WEIGHT: f32 = 2.0;

/// How a crowd plans.
#[derive(Clone, Copy)]
enum Way {
    /// No crowd: patrols that plan on their own, see those close by, and bump. From them a map is learned before.
    Alone,
    /// WHCA*, under a live map.
    Windowed { window: u32, weight: f32 },
    /// WHCA* that looks at the way straight down first, at the price of a map that was learned before.
    Straight { window: u32 },
    /// Local repair, and what takes over from it, with this window.
    Repair { map: Followed, noise: u32, then: Then, window: u32 },
}

/// Which direction map local repair follows.
#[derive(Clone, Copy, PartialEq)]
enum Followed {
    /// One that it learns itself, of this weight.
    Live(f32),
    /// The one that was learned before, whose prices guide its searches.
    Learned,
}

/// The planners that take over from local repair.
#[derive(Clone, Copy)]
enum Then {
    Nothing,
    /// Windows, after a number of steps.
    Windows(u32),
    /// Windows, after a number of steps, then PIBT and LaCAM.
    All(u32),
}

/// The methods of the crowds of the first question.
fn ways() -> Vec<Way> {
    let mut ways = vec![
        Way::Alone,
        Way::Windowed { window: 4, weight: 0.0 },
        Way::Windowed { window: 16, weight: 0.0 },
        Way::Windowed { window: 4, weight: 1.0 },
        Way::Windowed { window: 4, weight: 2.0 },
        Way::Straight { window: 4 },
    ];
    let repair = |map, noise, then| Way::Repair { map, noise, then, window: 4 };
    for map in [Followed::Live(2.0), Followed::Live(10.0)] {
        for noise in [0, 1000] {
            ways.extend(
                [Then::Nothing, Then::All(1), Then::All(4), Then::All(16)].map(|then| repair(map, noise, then)),
            );
        }
    }
    ways.push(repair(Followed::Live(2.0), 0, Then::Windows(4)));
    ways.push(Way::Repair { map: Followed::Live(2.0), noise: 0, then: Then::All(4), window: 16 });
    ways.extend([Then::Nothing, Then::All(4)].map(|then| repair(Followed::Learned, 0, then)));
    ways
}

/// The methods of the crowd around heroes.
fn ambient_ways() -> Vec<Way> {
    let mut ways = vec![
        Way::Windowed { window: HERO_WINDOW, weight: 0.0 },
        Way::Windowed { window: 4, weight: 0.0 },
        Way::Straight { window: HERO_WINDOW },
        Way::Straight { window: 4 },
    ];
    for map in [Followed::Live(2.0), Followed::Live(10.0)] {
        for after in [4, 16] {
            ways.push(Way::Repair { map, noise: 0, then: Then::All(after), window: HERO_WINDOW });
        }
    }
    ways.push(Way::Repair { map: Followed::Learned, noise: 0, then: Then::All(4), window: HERO_WINDOW });
    ways
}

fn main() {
    let count = if std::env::args().any(|argument| argument == "--quick") { 1 } else { SCENARIOS };
    let maps = MAPS.map(|(map, family)| {
        let worlds: Vec<World> = patrol_scenarios(map, family, count).into_iter().map(World::new).collect();
        (map, worlds)
    });
    if maps.iter().any(|(_, worlds)| worlds.len() < count as usize) {
        eprintln!(
            "STOPPED: nothing was measured, because this needs the direction-map scenarios, under $GIVEWAY_DATA/direction-maps"
        );
        return;
    }
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let asks = |question: &str| wanted.as_deref().is_none_or(|wanted| wanted == question);
    if asks("crowds") {
        crowds(&maps);
    }
    if asks("heroes") {
        heroes(&maps);
    }
}

fn crowds(maps: &Worlds) {
    let mut raw =
        "scenario,crowd,window,weight,noise,loops,expansions,reverse_expansions,path,time,stood,coherence\n".to_owned();
    let mut table = Table::begin(&[
        "map",
        "crowd",
        "window",
        "W",
        "noise",
        "done",
        "loops",
        "expansions/loop",
        "reverse/loop",
        "path/loop",
        "time",
        "stood/loop",
        "coherence",
    ]);
    for (map, worlds) in maps {
        for way in ways() {
            let runs = in_each(worlds, |world| world.patrol(way));
            for (run, world) in runs.iter().zip(worlds) {
                run.write(&mut raw, &world.name, way);
            }
            let all: u64 = worlds.iter().map(World::loops).sum();
            let loops: u64 = runs.iter().map(|run| run.metrics.loops).sum();
            let per_loop = |value: &dyn Fn(&PatrolMetrics) -> f64| {
                mean(runs.iter().map(|run| run.metrics.per_loop(value(&run.metrics))))
            };
            let done = runs.iter().zip(worlds).filter(|(run, world)| run.metrics.loops == world.loops()).count();
            table.row(&[
                map,
                &way.name(),
                &way.window(),
                &way.weight(),
                &way.noise(),
                &format!("{done}/{}", runs.len()),
                &format!("{loops}/{all}"),
                &format!("{:.1}", per_loop(&|metrics| float(metrics.nodes))),
                &format!("{:.1}", per_loop(&|metrics| float(metrics.reverse_nodes))),
                &format!("{:.1}", per_loop(&|metrics| metrics.path)),
                &format!("{:.0}", mean(runs.iter().map(|run| run.metrics.time))),
                &format!("{:.1}", per_loop(&|metrics| float(metrics.stood))),
                &format!("{:.3}", mean(runs.iter().map(|run| run.coherence))),
            ]);
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "hybrid_crowds", &raw);
}

fn heroes(maps: &Worlds) {
    let mut raw =
        "scenario,crowd,window,weight,noise,legs,late_sum,late_most,ambient_legs,expansions,reverse_expansions,coherence\n"
            .to_owned();
    let mut table = Table::begin(&[
        "map",
        "crowd around them",
        "window",
        "W",
        "heroes' legs",
        "late, mean",
        "late, worst",
        "ambient loops/1000 ticks",
        "expansions/tick",
        "reverse/tick",
        "coherence",
    ]);
    for (map, worlds) in maps {
        for way in ambient_ways() {
            let runs = in_each(worlds, |world| world.accompany(way));
            for (run, world) in runs.iter().zip(worlds) {
                run.write(&mut raw, &world.name, way);
            }
            let sum = |value: &dyn Fn(&Accompanied) -> u64| runs.iter().map(value).sum::<u64>();
            let ticks = float(u64::from(HERO_TICKS)) * float(runs.len() as u64);
            let legs = sum(&|run| run.legs);
            table.row(&[
                map,
                &way.name(),
                &way.window(),
                &way.weight(),
                &legs,
                &format!("{:.3}", runs.iter().map(|run| run.late_sum).sum::<f64>() / float(legs)),
                &format!("{:.2}", runs.iter().map(|run| run.late_most).fold(0.0, f64::max)),
                &format!("{:.0}", 1000.0 * float(sum(&|run| run.ambient_legs)) / 2.0 / ticks),
                &format!("{:.0}", float(sum(&|run| run.metrics.nodes)) / ticks),
                &format!("{:.1}", float(sum(&|run| run.metrics.reverse_nodes)) / ticks),
                &format!("{:.3}", mean(runs.iter().map(|run| run.coherence))),
            ]);
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "hybrid_crowds_heroes", &raw);
}

impl Way {
    fn name(self) -> String {
        let Self::Repair { map, then, .. } = self else {
            let name = match self {
                Self::Alone => "none: each on its own",
                Self::Straight { .. } => "WHCA*, straight down a map learned before",
                Self::Windowed { weight: 0.0, .. } => "WHCA*",
                _ => "WHCA*, live map",
            };
            return name.to_owned();
        };
        let first = if map == Followed::Learned { "repair, map learned before" } else { "repair" };
        match then {
            Then::Nothing => first.to_owned(),
            Then::Windows(after) => format!("{first}; windows after {after}"),
            Then::All(after) => format!("{first}; windows after {after}; PIBT; LaCAM"),
        }
    }

    fn weight(self) -> f32 {
        match self {
            Self::Windowed { weight, .. } | Self::Repair { map: Followed::Live(weight), .. } => weight,
            Self::Alone | Self::Straight { .. } | Self::Repair { map: Followed::Learned, .. } => LEARNED_WEIGHT,
        }
    }

    fn noise(self) -> u32 {
        if let Self::Repair { noise, .. } = self { noise } else { 0 }
    }

    /// 0: there are no windows.
    fn window(self) -> u32 {
        match self {
            Self::Alone | Self::Repair { then: Then::Nothing, .. } => 0,
            Self::Windowed { window, .. } | Self::Straight { window } | Self::Repair { window, .. } => window,
        }
    }

    fn settings(self) -> CrowdSettings {
        CrowdSettings::new().window(self.window()).descent(matches!(self, Self::Straight { .. }))
    }

    fn chain(self) -> Chain {
        let Self::Repair { noise, then, .. } = self else {
            return Chain::default();
        };
        let repair = Chain::new(Planner::LocalRepair(Lra::new(SEED).noise(noise).radius(RADIUS)));
        match then {
            Then::Nothing => repair,
            Then::Windows(after) => repair.fallback(Planner::Windowed, after),
            Then::All(after) => {
                repair.fallback(Planner::Windowed, after).fallback(Planner::Pibt, 24).fallback(Planner::Lacam, 24)
            }
        }
    }

    /// The class of agents that plan like this.
    fn class<'a>(self, crowd: &mut Crowd<'a>, grid: &'a Grid, maps: &'a Maps) -> ClassId {
        let class = Class::new(grid, Point::swap_rule(grid)).chain(self.chain());
        let added = if matches!(self, Self::Straight { .. } | Self::Repair { map: Followed::Learned, .. }) {
            let distances = PricedDistances::tables(&maps.learned);
            crowd.add_class(class.heuristics(distances).layer((&maps.learned, &maps.seen)))
        } else {
            crowd.add_class(class.layer((&maps.live, &maps.seen)))
        };
        added.expect("the grid's own cells")
    }
}

/// The map that a crowd follows, and the map that watches it.
struct Maps {
    /// Learned before; it does not change.
    learned: DirectionMap,
    /// Learns from the crowd that follows it.
    live: DirectionMap,
    /// Learns from all agents and charges nothing.
    seen: DirectionMap,
}

/// The worlds of each map, by its name.
type Worlds = [(&'static str, Vec<World>); MAPS.len()];

/// A map, patrols on it, and what they learn by themselves.
struct World {
    name: String,
    grid: Grid,
    ends: Vec<[NodeId; 2]>,
    /// How many ticks each takes from end to end if it is alone.
    alone: Vec<Tick>,
    /// The results of agents that each planned on their own, and the map learned from them.
    before: Patrolled,
    learned: DirectionMap,
}

impl World {
    fn new(scenario: PatrolScenario) -> Self {
        let PatrolScenario { name, grid, agents } = scenario;
        let ends: Vec<[NodeId; 2]> = agents.iter().map(|agent| [agent.start, agent.goals.nodes()[0]]).collect();
        let point = Point::swap_rule(&grid);
        let instance = Instance::new(&grid, &point, agents).expect("starts and goals differ");
        let alone = fewest_ticks(&instance).into_iter().map(|ticks| ticks.expect("goals are reachable")).collect();
        let live = blank(&grid, LEARNED_WEIGHT);
        let mut patrols = Patrols::new(&grid, &live, &ends, PatrolRules::loops(LOOPS)).expect("ends differ");
        while patrols.now() < LATEST && patrols.advance() {}
        let before = Patrolled { metrics: patrols.metrics(), coherence: coherence(&grid, &live) };
        let learned = live.snapshot();
        Self { name, grid, ends, alone, before, learned }
    }

    /// How many all agents go, there and back.
    fn loops(&self) -> u64 {
        u64::from(LOOPS) * self.ends.len() as u64
    }

    fn maps(&self, way: Way) -> Maps {
        let live = blank(&self.grid, way.weight());
        Maps { learned: self.learned.clone(), live, seen: blank(&self.grid, 0.0) }
    }

    /// All agents go back and forth as `way` says, until they are done or it takes too long.
    fn patrol(&self, way: Way) -> Patrolled {
        if let Way::Alone = way {
            return self.before.clone();
        }
        let maps = self.maps(way);
        let mut crowd = Crowd::new(way.settings());
        let class = way.class(&mut crowd, &self.grid, &maps);
        let add = |ends: &[NodeId; 2]| {
            let agent = crowd.add(class, Agent::bystander(ends[0])).expect("starts differ");
            (agent, *ends)
        };
        let patrols: Vec<(AgentId, [NodeId; 2])> = self.ends.iter().map(add).collect();
        let mut patrols = CrowdPatrols::new(&mut crowd, &patrols, LOOPS).expect("ends exist");
        let mut arrived = 0.0;
        while patrols.now() < LATEST && patrols.now() - arrived < STALLED {
            let Some(report) = patrols.advance() else { break };
            if !report.arrived.is_empty() {
                arrived = patrols.now();
            }
        }
        Patrolled { metrics: patrols.metrics(), coherence: coherence(&self.grid, &maps.seen) }
    }

    /// Every tenth agent is a hero and plans by windows, whatever the others do.
    fn accompany(&self, way: Way) -> Accompanied {
        let maps = self.maps(way);
        let mut crowd = Crowd::new(way.settings());
        let ambient = way.class(&mut crowd, &self.grid, &maps);
        let heroic = Class::new(&self.grid, Point::swap_rule(&self.grid)).layer(&maps.seen).chain(Chain::default());
        let heroic = crowd.add_class(heroic).expect("the grid's own cells");
        let mut patrols = Vec::new();
        for (index, ends) in self.ends.iter().enumerate() {
            let (class, priority) = if is_hero(index) { (heroic, 1) } else { (ambient, 0) };
            let agent = Agent::bystander(ends[0]).priority(priority);
            patrols.push((crowd.add(class, agent).expect("starts differ"), *ends));
        }
        let mut patrols = CrowdPatrols::new(&mut crowd, &patrols, u32::MAX).expect("ends exist");
        let mut sent = vec![0; self.ends.len()];
        let (mut legs, mut late_sum, mut late_most, mut ambient_legs) = (0, 0.0, 0.0_f64, 0);
        let late = |index: usize, since: Tick, now: Tick| f64::from(now - since) / f64::from(self.alone[index]);
        for now in 1..=HERO_TICKS {
            let report = patrols.advance().expect("they go on for ever");
            for index in report.arrived.iter().map(|agent| agent.0 as usize) {
                if is_hero(index) {
                    let late = late(index, sent[index], now);
                    (legs, late_sum, late_most) = (legs + 1, late_sum + late, late_most.max(late));
                } else {
                    ambient_legs += 1;
                }
                sent[index] = now;
            }
        }
        // An agent that has not arrived may be later than all that have.
        let under_way =
            (0..sent.len()).filter(|index| is_hero(*index)).map(|index| late(index, sent[index], HERO_TICKS));
        let late_most = under_way.fold(late_most, f64::max);
        let (metrics, coherence) = (patrols.metrics(), coherence(&self.grid, &maps.seen));
        Accompanied { legs, late_sum, late_most, ambient_legs, metrics, coherence }
    }
}

/// The results of patrolling agents.
#[derive(Clone)]
struct Patrolled {
    metrics: PatrolMetrics,
    coherence: f64,
}

impl Patrolled {
    fn write(&self, raw: &mut String, scenario: &str, way: Way) {
        let PatrolMetrics { loops, nodes, reverse_nodes, path, time, stood, .. } = &self.metrics;
        write_way(raw, scenario, way);
        // Writing to a string does not fail.
        let _ = writeln!(raw, "{loops},{nodes},{reverse_nodes},{path:.3},{time:.1},{stood},{:.6}", self.coherence);
    }
}

/// The results of heroes, and of the crowd around them.
struct Accompanied {
    /// How often heroes came to an end.
    legs: u64,
    /// The ticks from end to end, in units of the ticks that a hero alone takes: the sum, and the most.
    late_sum: f64,
    late_most: f64,
    ambient_legs: u64,
    metrics: PatrolMetrics,
    coherence: f64,
}

impl Accompanied {
    fn write(&self, raw: &mut String, scenario: &str, way: Way) {
        let Self { legs, late_sum, late_most, ambient_legs, metrics, coherence } = self;
        let PatrolMetrics { nodes, reverse_nodes, .. } = metrics;
        write_way(raw, scenario, way);
        // Writing to a string does not fail.
        let _ =
            writeln!(raw, "{legs},{late_sum:.4},{late_most:.4},{ambient_legs},{nodes},{reverse_nodes},{coherence:.6}");
    }
}

/// Begins a row: which scenario, and how its crowd plans.
fn write_way(raw: &mut String, scenario: &str, way: Way) {
    let name = way.name().replace(',', "");
    // Writing to a string does not fail.
    let _ = write!(raw, "{scenario},{name},{},{},{},", way.window(), way.weight(), way.noise());
}

/// The results of `run` on each of `worlds`, all at the same time.
fn in_each<T: Send>(worlds: &[World], run: impl Fn(&World) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = worlds.iter().map(|world| scope.spawn(move || run(world))).collect();
        threads.into_iter().map(|thread| thread.join().expect("runs do not panic")).collect()
    })
}

fn is_hero(index: usize) -> bool {
    index.is_multiple_of(HEROES)
}

fn blank(grid: &Grid, weight: f32) -> DirectionMap {
    DirectionMap::blank(grid, DirectionRules::default().weight(weight))
}

fn coherence(grid: &Grid, map: &DirectionMap) -> f64 {
    Coherence::default().of(grid, map).unwrap_or(0.0)
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as u64;
    values.sum::<f64>() / float(count)
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}
