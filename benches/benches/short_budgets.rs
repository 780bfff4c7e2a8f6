//! What is left of a crowd if its budget is short? Orders carried out by crowds that get one goal after another, on
//! generated maps: with so much work for each unit and tick, by the default chain, by windows alone, and by steps alone.
//! Counts, not times.
//!
//! `cargo bench --bench short_budgets -- CROWD` measures the crowds whose names contain CROWD.

use std::fmt::Display;

use giveway::scenario::{MapGenerator, MapKind};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Ground};
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings, Planner};
use giveway::{Agent, Point};
use giveway_benches::Table;
use giveway_benches::worlds::{largest_part, random};
use rand::seq::SliceRandom as _;

/// Windows alone take long where discs are dense.
const STEPS: u32 = 200;
const STEPS_OF_DISCS: u32 = 60;
const SEEDS: [u64; 3] = [1, 2, 3];

/// Units of work for each unit and tick, in tenths; 0: as many as they take.
const WORK: [u64; 7] = [10, 25, 50, 100, 200, 500, 0];

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let mut columns = vec!["crowd".to_owned(), "units".to_owned(), "planners".to_owned()];
    columns.extend(WORK.map(|work| if work == 0 { "no limit".to_owned() } else { (work as f64 / 10.0).to_string() }));
    let mut table = Table::begin(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    let mut raw = "crowd,units,planners,seed,work_per_unit,arrivals,moves,postponed\n".to_owned();
    for place in PLACES {
        if wanted.as_ref().is_none_or(|wanted| place.name.contains(wanted.as_str())) {
            for (planners, chain) in chains() {
                place.measure(&mut table, &mut raw, planners, &chain);
            }
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "short_budgets", &raw);
}

fn chains() -> [(&'static str, Chain); 3] {
    [
        ("default", Chain::default()),
        ("windows alone", Chain::new(Planner::Windowed)),
        ("steps alone", Chain::new(Planner::Step)),
    ]
}

/// A crowd on a kind of map.
#[derive(Clone, Copy)]
struct Place {
    name: &'static str,
    kind: MapKind,
    size: [u32; 2],
    units: usize,
    /// Of discs with eight neighbours; otherwise of points with four.
    is_of_discs: bool,
}

const PLACES: [Place; 7] = [
    Place { name: "rooms", kind: MapKind::Room, size: [32, 32], units: 60, is_of_discs: false },
    Place { name: "scattered walls", kind: MapKind::Random, size: [32, 32], units: 250, is_of_discs: false },
    Place { name: "scattered walls, wide", kind: MapKind::Random, size: [96, 96], units: 400, is_of_discs: false },
    Place { name: "caves", kind: MapKind::Caves, size: [96, 96], units: 150, is_of_discs: false },
    Place { name: "warehouse", kind: MapKind::Warehouse, size: [84, 44], units: 300, is_of_discs: false },
    Place { name: "discs, dense", kind: MapKind::Open, size: [32, 32], units: 260, is_of_discs: true },
    Place { name: "discs", kind: MapKind::Open, size: [32, 32], units: 100, is_of_discs: true },
];

/// What a crowd did.
struct Done {
    arrivals: u64,
    moves: u64,
    postponed: u64,
}

impl Place {
    fn measure(&self, table: &mut Table, raw: &mut String, planners: &str, chain: &Chain) {
        let mut cells = Vec::new();
        for work in WORK {
            let mut arrivals = 0;
            for seed in SEEDS {
                let done = self.run(chain, seed, work);
                arrivals += done.arrivals;
                use std::fmt::Write as _;
                // Writing to a string does not fail.
                let _ = writeln!(
                    raw,
                    "\"{}\",{},{planners},{seed},{},{},{},{}",
                    self.name,
                    self.units,
                    work as f64 / 10.0,
                    done.arrivals,
                    done.moves,
                    done.postponed
                );
            }
            cells.push(arrivals / SEEDS.len() as u64);
        }
        let mut row: Vec<&dyn Display> = vec![&self.name, &self.units, &planners];
        row.extend(cells.iter().map(|cell| -> &dyn Display { cell }));
        table.row(&row);
    }

    fn run(&self, chain: &Chain, seed: u64, work: u64) -> Done {
        let [width, height] = self.size;
        let grid = MapGenerator::new(self.kind, width, height).seed(seed).generate().expect("a map").grid();
        let grid = grid.expect("small").with_connectivity(self.connectivity());
        let places = largest_part(&grid);
        let mut crowd = Crowd::new(CrowdSettings::new().chain(chain.clone()));
        let class = if self.is_of_discs {
            let body = Body::disc(0.45).expect("a disc");
            let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
            crowd.add_class(Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).expect("it fits"))
        } else {
            let point = Point::swap_rule(&grid);
            crowd.add_class(Class::new(grid, point))
        };
        let class = class.expect("the first class");
        let steps = if self.is_of_discs { STEPS_OF_DISCS } else { STEPS };
        let ticks = steps * crowd.ticks_per_step();
        let mut simulation = Simulation::new(crowd);
        let mut starts = places.clone();
        starts.shuffle(&mut random(seed));
        let places = Endpoints::from(places);
        for start in starts.into_iter().take(self.units) {
            let task = Task::Lifelong { places: places.clone(), seed };
            simulation.add(class, Agent::bystander(start), task).expect("room for all");
        }
        let budget = if work == 0 { Budget::unlimited() } else { Budget::work(self.units as u64 * work / 10) };
        let mut done = Done { arrivals: 0, moves: 0, postponed: 0 };
        for _ in 0..ticks {
            let report = simulation.tick(budget);
            done.moves += report.moves as u64;
            done.postponed += report.postponed.len() as u64;
        }
        done.arrivals = simulation.metrics().arrivals;
        done
    }

    fn connectivity(&self) -> Connectivity {
        if self.is_of_discs { Connectivity::Eight } else { Connectivity::Four }
    }
}
