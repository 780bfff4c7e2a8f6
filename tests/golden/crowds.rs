//! Crowds of points on maps of all kinds, with settings of all kinds, that are given orders at random.

use giveway::Point;
use giveway::heuristic::{Manhattan, TrueDistances, Zero};
use giveway::scenario::MapKind;
use giveway::spaces::{Connectivity, Grid};
use giveway::store::IntervalTable;
use giveway::strategies::{Class, ClassId, Crowd, CrowdSettings, Lra, Planner, Routing};

use crate::golden::orders::{Enlisted, Orders, Work};
use crate::golden::settings::{chain, sectors, settings};
use crate::golden::table::{Cases, Row};
use crate::golden::worlds::{generated, nodes, random};

/// The life of one crowd.
struct Life {
    kind: MapKind,
    sides: [u32; 2],
    eight: bool,
    /// 0: the swap rule, 1: the following rule, else the ticks for a unit of length.
    ticks: u32,
    settings: CrowdSettings,
    work: Work,
    /// How many bytes the distances of a class may take.
    bytes: Option<usize>,
    agents: usize,
    length: u32,
    /// How often, of 1000 ticks, each kind of order is given.
    unrest: u32,
}

impl Life {
    fn new(kind: MapKind, side: u32, agents: usize) -> Self {
        Self {
            kind,
            sides: [side, side],
            eight: false,
            ticks: 0,
            settings: CrowdSettings::new(),
            work: Work::Unlimited,
            bytes: None,
            agents,
            length: 100,
            unrest: 60,
        }
    }
}

pub(crate) fn run(cases: &mut Cases) {
    use MapKind::{Caves, Maze, Open, Random, Room, Warehouse};
    let life = Life::new;
    for (seed, name, life) in [
        (0, "open", life(Open, 10, 30)),
        (2, "room", life(Room, 18, 24)),
        (4, "warehouse", Life { sides: [26, 13], ..life(Warehouse, 0, 30) }),
        (5, "caves", life(Caves, 18, 24)),
        (7, "maze-both-cells", Life { ticks: 1, ..life(Maze, 15, 12) }),
        (8, "room-timed", Life { ticks: 3, ..life(Room, 14, 14) }),
        (10, "caves-eight-both-cells", Life { eight: true, ticks: 1, ..life(Caves, 18, 24) }),
        (11, "random-eight-timed", Life { eight: true, ticks: 2, ..life(Random, 12, 14) }),
        (13, "room-budget-300", Life { work: Work::AtMost(300), ..life(Room, 18, 24) }),
        (15, "caves-budget-changing", Life { work: Work::Changing, ..life(Caves, 18, 24) }),
        (17, "room-memory-5k", Life { bytes: Some(5000), length: 60, ..life(Room, 18, 20) }),
        (19, "maze-memory-1", Life { bytes: Some(1), work: Work::Changing, ..life(Maze, 15, 10) }),
        (20, "open-quiet", Life { unrest: 5, length: 150, ..life(Open, 8, 40) }),
        (22, "room-restless", Life { unrest: 300, ..life(Room, 14, 20) }),
    ] {
        cases.run(format!("crowd/{name}"), |row| live(row, &life, seed, Crowd::new(life.settings.clone())));
    }
    for (seed, (name, settings)) in (100..109).chain(110..).zip(settings()) {
        let kind = [Maze, Random, Room, Caves][(seed % 4) as usize];
        let work = Work::AtMost(2500);
        let (ticks, eight) = ((seed % 3 / 2) as u32, seed % 5 == 0);
        let life = Life { ticks, eight, settings, work, length: 60, ..life(kind, 13, 22) };
        cases.run(format!("crowd/settings/{name}"), |row| live(row, &life, seed, Crowd::new(life.settings.clone())));
    }
    cases.run("crowd/on-intervals", |row| {
        let life = Life { work: Work::AtMost(300), ..life(Room, 16, 24) };
        let crowd = Crowd::new_on(life.settings.clone(), |cells, _| IntervalTable::new(cells));
        live(row, &life, 200, crowd);
    });
}

/// Lives through `life`.
fn live(row: &mut Row, life: &Life, seed: u64, mut crowd: Crowd<'static>) {
    let grid = generated(life.kind, life.sides, 1, seed).grid;
    let grid = if life.eight { grid.with_connectivity(Connectivity::Eight) } else { grid };
    let nodes = nodes(&grid);
    let classes = enlist(&mut crowd, &grid, life);
    let classes = classes.into_iter().map(|class| Enlisted { class, nodes: nodes.clone() }).collect();
    let mut orders = Orders::new(row, classes, random(seed));
    (0..life.agents).for_each(|_| orders.add(&mut crowd));
    (0..life.length).for_each(|_| orders.pass(&mut crowd, life.unrest, life.work));
}

/// Four classes: as the settings say, by repairs, guided by searches that are aimed, and by routes over sectors.
fn enlist(crowd: &mut Crowd<'static>, grid: &Grid, life: &Life) -> Vec<ClassId> {
    let point = || match life.ticks {
        0 => Point::swap_rule(grid),
        1 => Point::following_rule(grid),
        ticks => Point::rounded(grid, ticks),
    };
    let bytes = life.bytes.unwrap_or(1 << 30);
    let class = || Class::new(grid.clone(), point()).editable();
    let class = || class().heuristics(TrueDistances::<Grid, Zero>::tables().keep_at_most(bytes));
    let repairs = chain(Planner::LocalRepair(Lra::new(11).radius(2000)), &[(Planner::Windowed, 5)]);
    let aimed = TrueDistances::aimed(Manhattan { step: 600 }).keep_at_most(bytes);
    let by_sectors = Planner::LocalRepair(Lra::new(12).routing(sectors(4, 60)));
    let one_by_one = Planner::LocalRepair(Lra::new(13).routing(Routing::Greedy));
    [
        crowd.add_class(class()),
        crowd.add_class(class().chain(repairs)),
        crowd.add_class(class().heuristics(aimed)),
        crowd.add_class(class().chain(chain(by_sectors, &[(Planner::Pibt, 6), (one_by_one, 4), (Planner::Lacam, 4)]))),
    ]
    .map(|class| class.expect("they share their cells"))
    .into()
}
