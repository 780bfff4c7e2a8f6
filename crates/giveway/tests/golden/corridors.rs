//! The corridor suite: every strategy of the book's chapter on every case.

use std::path::Path;

use giveway::heuristic::{ByMetric, Manhattan};
use giveway::spaces::{Embedding, SyncSpace};
use giveway::strategies::{Class, Cooperative, Crowd, Hca};
use giveway::{Agent, Footprint, Instance};

use crate::golden::Anything;
use crate::golden::bodies::until_there;
use crate::golden::case::Case;
use crate::golden::run::{LIMIT, Question, STRATEGIES, Strategy, World, ask};
use crate::golden::table::{Cases, Row};

pub(crate) fn run(cases: &mut Cases) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/corridors");
    for entry in std::fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it is there").path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy();
        let case = Case::parse(&name, &std::fs::read_to_string(&path).expect("text")).expect("a case");
        cases.run(format!("corridors/{name}"), |row| {
            for (_, strategy) in &STRATEGIES {
                ask(&case, Asked { row, strategy }).expect("a case that can be run");
            }
        });
    }
}

struct Asked<'h> {
    row: &'h mut Row,
    strategy: &'h Strategy,
}

impl Question for Asked<'_> {
    type Answer = ();

    fn ask<S, F>(self, case: &Case, worlds: &[World<S, F>]) -> Result<(), Anything>
    where
        S: Embedding<Cost = u32> + SyncSpace + Clone + 'static,
        F: Footprint<S> + Clone + Send + Sync + 'static,
    {
        let Self { row, strategy } = self;
        if let Strategy::Crowd(settings) = strategy {
            let mut crowd = Crowd::new(settings());
            let mut classes = Vec::new();
            for World { kind, space, footprint, .. } in worlds.iter().cloned() {
                classes.push((kind, crowd.add_class(Class::new(space, footprint).embedded())?));
            }
            for unit in &case.units {
                let (_, class) =
                    classes.iter().find(|(kind, _)| *kind == unit.kind).ok_or("every kind has its class")?;
                let agent = unit.goal.map_or(Agent::bystander(unit.start), |goal| Agent::new(unit.start, goal));
                crowd.add(*class, agent)?;
            }
            until_there(row, &mut crowd, LIMIT);
        } else if let [world] = worlds {
            let agents = case.units.iter().map(|unit| Agent::new(unit.start, unit.goal.unwrap_or(unit.start)));
            let instance = Instance::new(&world.space, &world.footprint, agents.collect())?;
            let solution = match strategy {
                Strategy::Ca => Cooperative::new(ByMetric(Manhattan { step: 1000 })).latest(LIMIT).solve(&instance),
                _ => Hca::hca_star().latest(LIMIT).solve(&instance),
            };
            row.plan(&instance, &solution);
        }
        Ok(())
    }
}
