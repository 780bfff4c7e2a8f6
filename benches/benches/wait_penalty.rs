//! Should all waits have a price, so that a unit steps aside early? Forms of such a price, as layers of a crowd where it
//! is dense: how many orders are carried out, and how often a unit goes back to where it has just come from. Counts, not
//! times.
//!
//! Granberg, "Cooperative Pathfinding Experiments", 2018, has a price that falls off with time for all waits.

#![allow(clippy::cast_precision_loss, reason = "small numbers")]

use std::fmt::Write as _;
use std::sync::{Arc, RwLock};

use giveway::footprint::MoveIn;
use giveway::search::{Asker, CostLayer};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::time::{FOREVER, Span, Tick};
use giveway::{AgentId, NodeId, Point, SpaceGraph as _};
use giveway_benches::Table;
use giveway_benches::worlds::{WorldKind, agents, largest_part, random};
use rand::seq::IndexedRandom as _;

const SEEDS: u64 = 10;
const TICKS: Tick = 400;
/// The price of waits falls to nothing in so many ticks.
const DECAY: Tick = 16;

const WORLDS: [(WorldKind, usize); 3] = [(WorldKind::Scattered, 150), (WorldKind::Maze, 10), (WorldKind::Maze, 30)];

/// A price of waits, in thousandths of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// All waits cost as much as moves.
    Without,
    /// All waits have the price.
    All(u32),
    /// A tenth of it beside somebody who is known to leave.
    KnownDeparture(u32),
    /// Who stands already pays nothing at first, and who goes back to where it has just come from pays the price.
    Hysteresis(u32),
}

const FORMS: [(&str, Form); 7] = [
    ("without", Form::Without),
    ("all waits, 100", Form::All(100)),
    ("all waits, 300", Form::All(300)),
    ("known departure, 100", Form::KnownDeparture(100)),
    ("known departure, 300", Form::KnownDeparture(300)),
    ("hysteresis, 100", Form::Hysteresis(100)),
    ("hysteresis, 300", Form::Hysteresis(300)),
];

/// What a layer has to know of the crowd: as it was before the tick.
#[derive(Default)]
struct Known {
    /// By agent, where it came from with its last move, and whether it has stood since.
    before: Vec<(Option<NodeId>, bool)>,
    /// By node, when an agent is there by its plan and is to leave.
    leaves: Vec<Vec<Span>>,
}

#[derive(Clone)]
struct Impatience {
    form: Form,
    known: Arc<RwLock<Known>>,
}

impl Impatience {
    /// The price of a wait of a tick at `tick` after `depart`.
    fn at(price: u32, tick: Tick, depart: Tick) -> u32 {
        let after = tick.saturating_sub(depart).min(DECAY);
        price * (DECAY - after) / DECAY
    }
}

impl CostLayer<Grid> for Impatience {
    fn surcharge(&self, _: &Grid, m: &MoveIn<Grid>, depart: Tick, asker: &Asker<'_>) -> u32 {
        let Form::Hysteresis(price) = self.form else { return 0 };
        let known = self.known.read().expect("nobody has panicked");
        let before = known.before.get(asker.claim.agent.index());
        let goes_back = depart == asker.depart && before.is_some_and(|(node, _)| *node == Some(m.to));
        if goes_back { price } else { 0 }
    }

    fn wait(&self, grid: &Grid, node: NodeId, span: Span, base: u32, asker: &Asker<'_>) -> u32 {
        if asker.goals.contains(node) || self.form == Form::Without {
            return base;
        }
        let known = self.known.read().expect("nobody has panicked");
        let price = |tick: Tick| match self.form {
            Form::Without => 0,
            Form::All(price) => Self::at(price, tick, asker.depart),
            Form::KnownDeparture(price) => {
                let leaves = |node: NodeId| known.leaves[node.index()].iter().any(|span| span.contains(tick));
                let share = if grid.moves(node).any(|m| leaves(m.to)) { 10 } else { 1 };
                Self::at(price, tick, asker.depart) / share
            }
            Form::Hysteresis(price) => {
                let stands = known.before.get(asker.claim.agent.index()).is_some_and(|(_, stands)| *stands);
                if stands && tick == asker.depart { 0 } else { Self::at(price, tick, asker.depart) }
            }
        };
        base + (span.start..span.end.min(span.start + 4 * DECAY)).map(price).sum::<u32>()
    }

    fn settled_from(&self) -> Tick {
        FOREVER
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    arrivals: usize,
    moves: usize,
    /// Moves back to where the unit came from with the move before, with no arrival between the two.
    back: usize,
    expansions: u64,
}

fn run(kind: WorldKind, count: usize, seed: u64, form: Form) -> Counts {
    let grid = kind.grid(seed);
    let places = largest_part(&grid);
    let known = Arc::new(RwLock::new(Known::default()));
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::new(&grid, Point::swap_rule(&grid)).layer(Impatience { form, known: known.clone() });
    let class = crowd.add_class(class).expect("the first class");
    let units: Vec<AgentId> =
        agents(&places, count, seed).into_iter().map(|agent| crowd.add(class, agent).expect("starts differ")).collect();
    let mut draw = random(seed);
    let mut counts = Counts::default();
    for _ in 0..TICKS {
        {
            let mut known = known.write().expect("nobody has panicked");
            known.before.resize(units.len(), (None, false));
            known.leaves = vec![Vec::new(); grid.node_bound()];
            for unit in &units {
                let last = crowd.plan(*unit).iter().rposition(|leg| leg.is_move());
                for leg in crowd.plan(*unit).iter().take(last.map_or(0, |last| last + 1)) {
                    known.leaves[leg.from.index()].push(Span::new(leg.depart, leg.arrive.max(leg.depart + 1)));
                }
            }
        }
        let report = crowd.tick(Budget::unlimited());
        counts.moves += report.moves;
        counts.expansions += report.expansions;
        let mut known = known.write().expect("nobody has panicked");
        for unit in &units {
            let before = &mut known.before[unit.index()];
            match crowd.last_leg(*unit).filter(|leg| leg.is_move() && leg.depart == report.tick) {
                Some(leg) => {
                    counts.back += usize::from(before.0 == Some(leg.to));
                    *before = (Some(leg.from), false);
                }
                None => before.1 = true,
            }
        }
        for unit in report.arrived {
            counts.arrivals += 1;
            known.before[unit.index()].0 = None;
            let goal = *places.choose(&mut draw).expect("there are places");
            // If all is taken, it stays.
            let _ = crowd.send(unit, goal);
        }
    }
    counts
}

fn main() {
    let seeds = if std::env::args().any(|argument| argument == "--quick") { 3 } else { SEEDS };
    let mut raw = "map,units,form,seed,arrivals,moves,back,expansions\n".to_owned();
    let mut table = Table::begin(&[
        "map",
        "units",
        "form",
        "arrivals",
        "± of mean",
        "moves/arrival",
        "back/1000 moves",
        "expansions/tick",
    ]);
    for (kind, count) in WORLDS {
        for (name, form) in FORMS {
            let runs: Vec<Counts> = (0..seeds).map(|seed| run(kind, count, seed, form)).collect();
            for (run, seed) in runs.iter().zip(0..) {
                let Counts { arrivals, moves, back, expansions } = run;
                // Writing to a string does not fail.
                let _ =
                    writeln!(raw, "{},{count},\"{name}\",{seed},{arrivals},{moves},{back},{expansions}", kind.name());
            }
            summarise(&mut table, (kind, count, name), &runs);
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "wait_penalty", &raw);
}

fn summarise(table: &mut Table, (kind, count, name): (WorldKind, usize, &str), runs: &[Counts]) {
    let sum = |of: fn(&Counts) -> f64| runs.iter().map(of).sum::<f64>();
    let all = runs.len().max(2) as f64;
    let [arrivals, moves, back, expansions] = [
        sum(|run| run.arrivals as f64),
        sum(|run| run.moves as f64),
        sum(|run| run.back as f64),
        sum(|run| run.expansions as f64),
    ];
    let mean = arrivals / all;
    let variance = runs.iter().map(|run| (run.arrivals as f64 - mean).powi(2)).sum::<f64>() / (all - 1.0);
    table.row(&[
        &kind.name(),
        &count,
        &name,
        &format!("{mean:.0}"),
        &format!("{:.0}", (variance / all).sqrt()),
        &format!("{:.2}", moves / arrivals),
        &format!("{:.1}", 1000.0 * back / moves),
        &format!("{:.0}", expansions / all / f64::from(TICKS)),
    ]);
}
