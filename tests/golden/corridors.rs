//! The corridor suite: every strategy of the book's chapter on every case.

use std::path::Path;

use giveway::heuristic::Manhattan;
use giveway::spaces::Embedding;
use giveway::{Agent, Footprint, Instance, SpaceGraph};

use crate::golden::api::{self, Class, Turns};
use crate::golden::bodies::until_there;
use crate::golden::case::Case;
use crate::golden::hashes::{Cases, Hash};
use crate::golden::run::{LIMIT, Question, STRATEGIES, Strategy, World, ask};
use crate::golden::{Anything, digest};

pub(crate) fn run(cases: &mut Cases) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/corridors");
    for entry in std::fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it is there").path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy();
        let case = Case::parse(&name, &std::fs::read_to_string(&path).expect("text")).expect("a case");
        cases.run(format!("corridors/{name}"), |hash| {
            for (_, strategy) in &STRATEGIES {
                ask(&case, Hashed { hash, strategy }).expect("a case that can be run");
            }
        });
    }
}

struct Hashed<'h> {
    hash: &'h mut Hash,
    strategy: &'h Strategy,
}

impl Question for Hashed<'_> {
    type Answer = ();

    fn ask<S, F>(self, case: &Case, worlds: &[World<S, F>]) -> Result<(), Anything>
    where
        S: SpaceGraph<Cost = u32> + Embedding + Clone + Send + Sync + 'static,
        S::Action: Send + Sync,
        F: Footprint<S> + Clone + Send + Sync + 'static,
    {
        let Self { hash, strategy } = self;
        if let Strategy::Crowd(settings) = strategy {
            let mut crowd = api::crowd(settings());
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
            until_there(hash, &mut crowd, LIMIT);
        } else if let [world] = worlds {
            let agents = case.units.iter().map(|unit| Agent::new(unit.start, unit.goal.unwrap_or(unit.start)));
            let instance = Instance::new(&world.space, &world.footprint, agents.collect())?;
            let turns = Turns { latest: LIMIT, ..Turns::default() };
            let solution = match strategy {
                Strategy::Ca => api::ca(&instance, Manhattan { step: 1000 }, turns),
                _ => api::hca(&instance, turns),
            };
            digest::solution(hash, &world.space, &solution);
        }
        Ok(())
    }
}
