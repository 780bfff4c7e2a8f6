//! Scenarios: a map, a rule and a crowd's settings, all drawn from one seed.

use giveway_core::{ConflictRule, NodeId, Point, Tick};
use giveway_crowd::{Chain, CrowdSettings, Depth, Lra, Planner, Replanning, SoftRests, WaitPenalty};
use giveway_spaces::{Connectivity, CornerCutting, Grid};
use giveway_strategies::Order;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

pub(crate) type Random = Pcg64Mcg;

pub(crate) fn random(seed: u64) -> Random {
    // The generator's state must not be small numbers that differ in a few bits only.
    Pcg64Mcg::new(u128::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) | 1)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Map {
    /// Without walls, and with room.
    Open,
    /// Without walls, agents on 20 to 50 % of the cells.
    Crowded,
    /// Passages one cell wide, dead ends and a few bays.
    Maze,
    /// Walls on a third of the cells: parts are cut off from each other.
    Scattered,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    Swap,
    Following,
    /// The following rule, with the number of ticks per unit of length: motions outlast the tick in which they begin.
    Timed(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budgets {
    Unlimited,
    /// Enough at most ticks. Where many block each other, or steps take many ticks, deep windows and LaCAM would take
    /// all the time that there is for all scenarios.
    Ample,
    /// Now and then enough for one or two agents only.
    Small,
    /// Mostly not enough for a single agent.
    Tiny,
}

#[derive(Debug)]
pub(crate) struct Scenario {
    pub(crate) seed: u64,
    pub(crate) map: Map,
    pub(crate) rule: Rule,
    pub(crate) grid: Grid,
    pub(crate) settings: CrowdSettings,
    /// Whether agents may walk through agents at rest.
    pub(crate) soft: bool,
    /// The chains that agents draw from; none: all plan by the chain of the crowd.
    pub(crate) chains: Vec<Chain>,
    pub(crate) aimed: bool,
    pub(crate) budgets: Budgets,
    pub(crate) agents: usize,
    pub(crate) ticks: Tick,
    /// How often, of 1000 ticks, each kind of thing happens that no plan foresees.
    pub(crate) unrest: u32,
    /// The kind of the scenario, for the count of tried kinds.
    pub(crate) traits: Vec<&'static str>,
}

impl Scenario {
    /// The scenario of `seed`; maps and rules take turns, the rest is random.
    pub(crate) fn new(seed: u64, agent_ticks: usize) -> Self {
        let mut random = random(seed);
        let map = [Map::Open, Map::Crowded, Map::Maze, Map::Scattered][(seed % 4) as usize];
        let rules = [Rule::Swap, Rule::Following, Rule::Swap, Rule::Following, Rule::Timed(2), Rule::Timed(3)];
        let rule = rules[(seed / 4 % 6) as usize];
        let eight = if matches!(rule, Rule::Timed(_)) { random.random() } else { seed / 4 % 4 >= 2 };
        let grid = draw(map, &mut random);
        let corners = [CornerCutting::Never, CornerCutting::OneFree, CornerCutting::Always][random.random_range(0..3)];
        let grid = if eight { grid.with_connectivity(Connectivity::Eight).with_corner_cutting(corners) } else { grid };
        let share = match map {
            Map::Open => random.random_range(4..16),
            Map::Crowded => random.random_range(20..=50),
            Map::Maze => random.random_range(4..25),
            Map::Scattered => random.random_range(5..30),
        };
        let agents = (free_nodes(&grid).len() * share / 100).max(2);
        let mut traits = vec![
            match map {
                Map::Open => "open",
                Map::Crowded => "crowded",
                Map::Maze => "maze",
                Map::Scattered => "scattered",
            },
            match rule {
                Rule::Swap => "swap rule",
                Rule::Following => "both cells",
                Rule::Timed(_) => "timed",
            },
            if eight { "eight neighbours" } else { "four neighbours" },
        ];
        let settings = settings(&mut random, &mut traits);
        // Of every second round of maps and rules, agents are pushed by PIBT, too.
        let pushes = seed / 24 % 2 == 1;
        let pushing = Chain::new(Planner::Windowed).fallback(Planner::Pibt, 24).fallback(Planner::Lacam, 24);
        let settings = if pushes { settings.chain(pushing) } else { settings };
        traits.push(if pushes { "PIBT" } else { "default chain" });
        let budgets = match random.random_range(0..10) {
            0..6 if agents <= 5 && !matches!(rule, Rule::Timed(_)) => Budgets::Unlimited,
            ..6 => Budgets::Ample,
            6..8 => Budgets::Small,
            _ => Budgets::Tiny,
        };
        traits.push(match budgets {
            Budgets::Unlimited => "unlimited budget",
            Budgets::Ample => "ample budget",
            Budgets::Small => "small budget",
            Budgets::Tiny => "tiny budget",
        });
        let aimed = random.random_ratio(1, 3);
        traits.push(if aimed { "aimed" } else { "tables" });
        let ticks = Tick::try_from((agent_ticks / agents).clamp(60, 1500)).unwrap();
        let unrest = [10, 50, 200][random.random_range(0..3)];
        Self {
            seed,
            map,
            rule,
            grid,
            settings,
            soft: false,
            chains: Vec::new(),
            aimed,
            budgets,
            agents,
            ticks,
            unrest,
            traits,
        }
    }

    /// This scenario, but agents may walk through agents at rest.
    pub(crate) fn soft(self) -> Self {
        let price = u32::try_from(self.seed % 3).unwrap() * 2500;
        Self { settings: self.settings.soft_rests(SoftRests { price }), soft: true, ..self }
    }

    /// This scenario, but every agent plans by another chain.
    pub(crate) fn mixed(self) -> Self {
        let lra = Lra::new(self.seed).noise(u32::try_from(self.seed % 3).unwrap() * 700);
        let repair = Planner::LocalRepair(lra);
        let windowed = Chain::new(Planner::Windowed);
        let chains = vec![
            repair.into(),
            Chain::new(repair).fallback(Planner::Windowed, 5),
            windowed.clone().fallback(repair, 3),
            Chain::new(repair).fallback(Planner::Windowed, 1).fallback(Planner::LocalRepair(Lra::new(1)), 4),
            windowed,
        ];
        Self { chains, ..self }
    }

    /// This scenario, but all agents plan by the step planner; of every second one, some only when windows lead nowhere, or
    /// leave them without a plan.
    pub(crate) fn stepping(self) -> Self {
        let step = Chain::new(Planner::Step);
        let repair = Planner::LocalRepair(Lra::new(self.seed));
        let chains = match self.seed % 8 {
            0..4 => vec![step],
            4 => vec![Chain::new(Planner::Windowed).fallback(Planner::Step, 6).fallback(Planner::Lacam, 6)],
            5 => vec![Chain::default().with_steps()],
            6 => vec![
                Chain::new(Planner::Windowed).with_steps(),
                Chain::new(repair).with_steps().fallback(Planner::Windowed, 5),
                Chain::new(Planner::Pibt).with_steps(),
                Chain::default(),
                step,
            ],
            _ => vec![
                step.clone(),
                step.fallback(Planner::Lacam, 9),
                Chain::new(Planner::Windowed).fallback(Planner::Step, 3),
                Chain::new(Planner::Pibt).fallback(Planner::Step, 5),
                Chain::new(repair).fallback(Planner::Step, 5),
                Chain::new(repair),
            ],
        };
        Self { chains, ..self }
    }

    pub(crate) fn conflict_rule(&self) -> ConflictRule {
        if self.rule == Rule::Swap { ConflictRule::Swap } else { ConflictRule::Following }
    }

    pub(crate) fn point(&self) -> Point {
        match self.rule {
            Rule::Swap => Point::swap_rule(&self.grid),
            Rule::Following => Point::following_rule(&self.grid),
            Rule::Timed(ticks) => Point::rounded(&self.grid, ticks),
        }
    }
}

/// The contents of a good sample of settings.
pub(crate) const TRAITS: [&str; 36] = [
    "PIBT",
    "default chain",
    "open",
    "crowded",
    "maze",
    "scattered",
    "swap rule",
    "both cells",
    "timed",
    "four neighbours",
    "eight neighbours",
    "window of 1",
    "short window",
    "long window",
    "by crowding",
    "usual interval",
    "interval of 1",
    "own interval",
    "longer interval than window",
    "staggered",
    "all at once",
    "as given",
    "rotating",
    "nearest first",
    "farthest first",
    "by priority",
    "random order",
    "wait penalty",
    "no override price",
    "override price",
    "no descent",
    "descent",
    "unlimited budget",
    "ample budget",
    "small budget",
    "tiny budget",
];

fn settings(random: &mut Random, traits: &mut Vec<&'static str>) -> CrowdSettings {
    let most = if random.random_ratio(1, 8) { 1 } else { random.random_range(2..=24) };
    let depth = if random.random_ratio(1, 4) {
        traits.push("by crowding");
        Depth::ByCrowding { least: random.random_range(1..=most), most }
    } else {
        traits.push(match most {
            1 => "window of 1",
            ..8 => "short window",
            _ => "long window",
        });
        Depth::Fixed(most)
    };
    let mut settings = CrowdSettings::new().depth(depth);
    match random.random_range(0..6) {
        0..3 => traits.push("usual interval"),
        3 => {
            traits.push("interval of 1");
            settings = settings.interval(1);
        }
        4 => {
            traits.push("own interval");
            settings = settings.interval(random.random_range(1..=most));
        }
        _ => {
            traits.push("longer interval than window");
            settings = settings.interval(random.random_range(most..=2 * most + 1));
        }
    }
    let mut choose = |likely: &'static str, other: &'static str, odds: u32| {
        let takes_other = random.random_ratio(1, odds);
        traits.push(if takes_other { other } else { likely });
        takes_other
    };
    if choose("staggered", "all at once", 3) {
        settings = settings.replanning(Replanning::AllAtOnce);
    }
    if choose("no wait penalty", "wait penalty", 3) {
        settings = settings.wait_penalty(WaitPenalty::default());
    }
    if choose("no descent", "descent", 3) {
        settings = settings.descent(true);
    }
    if choose("override price", "no override price", 3) {
        settings = settings.override_price(0);
    } else if random.random() {
        settings = settings.override_price(random.random_range(1..20_000));
    }
    let orders = [
        ("as given", Order::AsGiven),
        ("rotating", Order::Rotating),
        ("nearest first", Order::NearestFirst),
        ("farthest first", Order::FarthestFirst),
        ("by priority", Order::ByPriority),
        ("random order", Order::Random { seed: random.random() }),
    ];
    let (name, order) = orders[random.random_range(0..6)];
    traits.push(name);
    settings.order(order)
}

/// The cells that are no walls, by id.
pub(crate) fn free_nodes(grid: &Grid) -> Vec<NodeId> {
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
    cells.filter_map(|(x, y)| grid.node(x, y).filter(|_| grid.is_passable(x, y))).collect()
}

fn draw(map: Map, random: &mut Random) -> Grid {
    let mut side = |least, most| random.random_range(least..=most);
    let (width, height) = match map {
        Map::Open => (side(9, 26), side(9, 26)),
        Map::Crowded => (side(5, 16), side(5, 16)),
        Map::Maze => (2 * side(3, 9) + 1, 2 * side(2, 9) + 1),
        Map::Scattered => (side(6, 22), side(6, 22)),
    };
    let walls = match map {
        Map::Open | Map::Crowded => vec![vec![false; width as usize]; height as usize],
        Map::Maze => maze(width as usize, height as usize, random),
        Map::Scattered => {
            let share = random.random_range(20..45);
            (0..height).map(|_| (0..width).map(|_| random.random_ratio(share, 100)).collect()).collect()
        }
    };
    let grid = Grid::from_fn(width, height, |x, y| !walls[y as usize][x as usize]).unwrap();
    // An unlucky seed leaves no room to do anything.
    if free_nodes(&grid).len() < 8 { draw(map, random) } else { grid }
}

/// A tree of passages, by a random walk that backs out of dead ends, and a few more openings: rings and bays.
fn maze(width: usize, height: usize, random: &mut Random) -> Vec<Vec<bool>> {
    let mut walls = vec![vec![true; width]; height];
    walls[1][1] = false;
    let mut trail = vec![(1, 1)];
    while let Some((x, y)) = trail.last().copied() {
        let around: [(usize, usize); 4] = [(x + 2, y), (x.wrapping_sub(2), y), (x, y + 2), (x, y.wrapping_sub(2))];
        let ahead: Vec<_> = around.into_iter().filter(|(x, y)| *x < width && *y < height && walls[*y][*x]).collect();
        if ahead.is_empty() {
            trail.pop();
            continue;
        }
        let (to_x, to_y) = ahead[random.random_range(0..ahead.len())];
        walls[to_y][to_x] = false;
        walls[usize::midpoint(y, to_y)][usize::midpoint(x, to_x)] = false;
        trail.push((to_x, to_y));
    }
    for _ in 0..width * height / 40 {
        walls[random.random_range(1..height - 1)][random.random_range(1..width - 1)] = false;
    }
    walls
}
