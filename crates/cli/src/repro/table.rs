//! What is printed: a table, findings and notes for people, and one JSON object for programs.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::ValueEnum as _;
use serde::Serialize;

use super::experiment::Run;
use super::figures::curve;
use super::findings::{Finding, findings};
use super::method::Method;
use super::metric::{Metric, Spread};
use super::published::notes;
use super::setup::Setup;
use super::summary::{Figure, Summary};
use super::world::{Files, World};
use crate::arguments::Experiment;
use crate::count::Count;

/// An experiment, run again.
#[derive(Serialize)]
pub(super) struct Reproduction {
    experiment: String,
    map: String,
    scenarios: Vec<String>,
    /// In each scenario, from the fewest to the most.
    agents: [usize; 2],
    loops: u32,
    rate: f32,
    weight: f32,
    seed: u64,
    /// What is not as it was for the paper's figures.
    changed: Vec<String>,
    methods: Vec<Summary>,
    /// For figure 8, coherence over time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curves: Vec<Curve>,
    findings: Vec<Finding>,
    notes: Vec<String>,
    #[serde(skip)]
    written: Vec<PathBuf>,
    #[serde(skip)]
    time_per_loop: bool,
    /// Whose the findings are.
    #[serde(skip)]
    claims: &'static str,
}

#[derive(Serialize)]
struct Curve {
    method: Method,
    /// Times and coherences.
    points: Vec<[f64; 2]>,
}

impl Reproduction {
    pub(super) fn new(
        setup: &Setup,
        world: &World,
        files: &Files,
        seed: u64,
        methods: Vec<Summary>,
        runs: &[Vec<Run>],
        written: Vec<PathBuf>,
    ) -> Self {
        let loops: Vec<f64> = world.scenarios.iter().map(|scenario| scenario.shortest_loop()).collect();
        let slowest = Spread::of(&loops).map_or(0.0, |spread| spread.mean);
        let curves = |(method, runs): (&Method, &Vec<Run>)| Curve {
            method: *method,
            points: curve(setup, runs).iter().map(|mark| [mark.x, mark.y]).collect(),
        };
        let is_over_time = setup.experiment == Experiment::Figure8;
        let name = setup.experiment.to_possible_value().map(|value| value.get_name().to_owned());
        Self {
            experiment: name.unwrap_or_default(),
            map: files.map.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            scenarios: world.scenarios.iter().map(|scenario| scenario.name.clone()).collect(),
            agents: world.agents(),
            loops: setup.loops,
            rate: setup.rate,
            weight: setup.weight,
            seed,
            changed: setup.changed.clone(),
            findings: findings(setup, &methods),
            curves: setup.methods.iter().zip(runs).filter(|_| is_over_time).map(curves).collect(),
            methods,
            notes: notes(setup, slowest),
            written,
            time_per_loop: setup.time_per_loop(),
            claims: match setup.experiment {
                Experiment::Hybrids => "What a hybrid is to do",
                _ => "What the paper says",
            },
        }
    }

    /// One object in one line.
    pub(super) fn json(&self) -> Result<String> {
        Ok(serde_json::to_string(self).context("JSON")? + "\n")
    }

    fn write_metric(&self, f: &mut fmt::Formatter<'_>, metric: Metric) -> fmt::Result {
        let mut name = match metric {
            Metric::Time if self.time_per_loop => "time per loop",
            _ => metric.name(),
        };
        for summary in &self.methods {
            if let Some(figure) = summary.figure(metric) {
                writeln!(f, "  {name:<16} {:<10} {}", summary.method.to_string(), Line(figure))?;
                name = "";
            }
        }
        Ok(())
    }
}

struct Line<'a>(&'a Figure);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figure { metric, paper, computed, ours, ratio } = self.0;
        let decimals = metric.decimals();
        let number = |figure: f64, decimals: usize| format!("{figure:.decimals$}");
        let optional = |figure: Option<f64>, decimals| figure.map_or("-".to_owned(), |figure| number(figure, decimals));
        // As many decimals as the paper has.
        let paper = optional(*paper, 2);
        let range = format!("{}..{}", number(ours.least, decimals), number(ours.most, decimals));
        write!(
            f,
            "{paper:>9} {:>9} {:>9} {:>8} {range:>15} {:>6}",
            optional(*computed, decimals),
            number(ours.mean, decimals),
            optional(ours.deviation, decimals),
            optional(*ratio, 2),
        )
    }
}

impl fmt::Display for Reproduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { experiment, map, agents: [fewest, most], loops, rate, weight, seed, .. } = self;
        let scenarios = Count(self.scenarios.len() as u64, "scenario");
        let agents = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        writeln!(
            f,
            "{experiment}: {map}, {scenarios}, {agents} agents, {loops} loops, rate {rate}, weight {weight}, seed {seed}"
        )?;
        if !self.changed.is_empty() {
            writeln!(f, "Not as for the paper's figures: {}", self.changed.join(", "))?;
        }
        writeln!(
            f,
            "\n  {:<16} {:<10} {:>9} {:>9} {:>9} {:>8} {:>15} {:>6}",
            "", "method", "paper", "computed", "ours", "s.d.", "least..most", "ratio"
        )?;
        Metric::ALL.into_iter().try_for_each(|metric| self.write_metric(f, metric))?;
        if !self.findings.is_empty() {
            writeln!(f, "\n{}, and whether it is so here:", self.claims)?;
        }
        for Finding { claim, measured, holds, remark } in &self.findings {
            let holds = match holds {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "?",
            };
            let remark = remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
            writeln!(f, "  {holds:<3} {claim}: {measured}{remark}")?;
        }
        writeln!(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "* {note}"))?;
        if !self.written.is_empty() {
            writeln!(f)?;
        }
        self.written.iter().try_for_each(|file| writeln!(f, "Written: {}", file.display()))
    }
}
