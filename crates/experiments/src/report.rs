//! Reports: a table, findings and notes for people, and data for programs.

use std::fmt;

use clap::ValueEnum as _;
use serde::Serialize;

use crate::chart::Mark;
use crate::course::RADIUS;
use crate::figures::curve;
use crate::findings::{Finding, Measured as _, findings};
use crate::method::Method;
use crate::metric::{RunMetric, Spread};
use crate::notes::notes;
use crate::numbers::counted;
use crate::runs::Run;
use crate::setup::{Experiment, Setup};
use crate::summary::{Figure, MethodSummary};
use crate::world::World;

/// The report on an experiment that was run again. Displayed, it is a table, findings and notes; serialised, it is
/// their data.
#[derive(Serialize)]
pub struct Report {
    experiment: String,
    map: String,
    scenarios: Vec<String>,
    /// In each scenario, from the fewest to the most.
    agents: [usize; 2],
    loops: u32,
    rate: f32,
    weight: f32,
    seed: u64,
    /// The differences from the setup of the paper's figures.
    changed: Vec<String>,
    methods: Vec<MethodSummary>,
    /// For figure 8, coherence over time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curves: Vec<Curve>,
    findings: Vec<Finding>,
    notes: Vec<String>,
    #[serde(skip)]
    time_per_loop: bool,
    /// Whether the paper knows nothing of it.
    #[serde(skip)]
    is_beyond: bool,
    /// The experiment that the findings are about.
    #[serde(skip)]
    claims: &'static str,
}

#[derive(Serialize)]
struct Curve {
    method: Method,
    /// Times and coherences.
    points: Vec<[f64; 2]>,
}

impl Report {
    pub(crate) fn new(setup: &Setup, world: &World, methods: Vec<MethodSummary>, runs: &[Vec<Run>]) -> Self {
        let loops: Vec<f64> = world.scenarios.iter().map(|scenario| scenario.shortest_loop()).collect();
        let slowest = Spread::of(&loops).map_or(0.0, |spread| spread.mean);
        let is_over_time = setup.experiment == Experiment::Figure8;
        let marks: Vec<Vec<Mark>> = runs.iter().filter(|_| is_over_time).map(|runs| curve(setup, runs)).collect();
        let curve = |(method, marks): (&Method, &Vec<Mark>)| Curve {
            method: *method,
            points: marks.iter().map(|mark| [mark.x, mark.y]).collect(),
        };
        Self {
            experiment: setup
                .experiment
                .to_possible_value()
                .map(|value| value.get_name().to_owned())
                .unwrap_or_default(),
            map: world.map.clone(),
            scenarios: world.scenarios.iter().map(|scenario| scenario.name.clone()).collect(),
            agents: world.agents(),
            loops: setup.loops,
            rate: setup.rate,
            weight: setup.weight,
            seed: setup.seed,
            changed: setup.changed(world),
            findings: findings(setup, &methods, &marks),
            curves: setup.methods.iter().zip(&marks).map(curve).collect(),
            methods,
            notes: notes(setup, slowest),
            time_per_loop: setup.time_per_loop(),
            is_beyond: setup.experiment == Experiment::Hybrids,
            claims: match setup.experiment {
                Experiment::Hybrids => {
                    "Whether no move fails, coherence is at least the coherence of DM, paths are at most 5 % longer than the paths of \
                     WHCA*, and there are fewer expansions"
                }
                _ => "What the paper says, whether it is so here, and in how many scenarios",
            },
        }
    }

    /// How wide the names of the methods are, at least 10 characters.
    fn width(&self) -> usize {
        self.methods.iter().map(|summary| summary.method.to_string().len()).max().unwrap_or(0).max(10)
    }

    /// A line for each method: for what the paper has no figures of.
    fn write_methods(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width();
        let columns = ["expansions", "path length", "coherence", "failed", "stopped", "time"];
        write!(f, "\n  {:<width$}", "method")?;
        columns.iter().try_for_each(|column| write!(f, " {column:>16}"))?;
        writeln!(f)?;
        for summary in &self.methods {
            let method = summary.method;
            let of = |metric: RunMetric| (self.methods.figures(method, metric), metric.decimals());
            let figures = [
                (self.methods.expansions(method), 0),
                of(RunMetric::Path),
                of(RunMetric::Coherence),
                of(RunMetric::Failed),
                of(RunMetric::Stopped),
                of(RunMetric::Time),
            ];
            write!(f, "  {:<width$}", method.to_string())?;
            for (figures, decimals) in figures {
                let shown = match Spread::of(&figures) {
                    Some(Spread { mean, deviation: Some(deviation), .. }) => {
                        format!("{mean:.decimals$} ± {deviation:.decimals$}")
                    }
                    Some(Spread { mean, .. }) => format!("{mean:.decimals$}"),
                    None => "-".to_owned(),
                };
                write!(f, " {shown:>16}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    /// For each metric a line for each method, the paper's figures beside ours.
    fn write_metrics(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n  {:<16} {:<width$} {:>9} {:>9} {:>9} {:>8} {:>15} {:>6}",
            "",
            "method",
            "paper",
            "computed",
            "ours",
            "s.d.",
            "least..most",
            "ratio",
            width = self.width(),
        )?;
        RunMetric::value_variants().iter().try_for_each(|metric| self.write_metric(f, *metric))
    }

    fn write_metric(&self, f: &mut fmt::Formatter<'_>, metric: RunMetric) -> fmt::Result {
        let mut name = match metric {
            RunMetric::Time if self.time_per_loop => "time per loop",
            _ => metric.name(),
        };
        let width = self.width();
        for summary in &self.methods {
            if let Some(figure) = summary.figure(metric) {
                writeln!(f, "  {name:<16} {:<width$} {}", summary.method.to_string(), FigureLine(figure))?;
                name = "";
            }
        }
        Ok(())
    }
}

struct FigureLine<'a>(&'a Figure);

impl fmt::Display for FigureLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figure { metric, paper, computed, ours, ratio, .. } = self.0;
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

/// How many characters a line of notes has at most, unless a word is longer.
const WIDTH: usize = 100;

/// An item of a list, in lines.
fn write_wrapped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut column = 1;
    f.write_str("*")?;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 1 && column + 1 + length > WIDTH {
            f.write_str("\n ")?;
            column = 1;
        }
        write!(f, " {word}")?;
        column += 1 + length;
    }
    writeln!(f)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { experiment, map, agents: [fewest, most], loops, rate, weight, seed, .. } = self;
        let scenarios = counted(self.scenarios.len(), "scenario");
        let agents = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        writeln!(
            f,
            "{experiment}: {map}, {scenarios}, {agents} agents, {loops} loops, rate {rate}, weight {weight}, radius {RADIUS}, seed {seed}"
        )?;
        if !self.changed.is_empty() {
            let usual = if self.is_beyond { "Not as usual" } else { "Not as for the paper's figures" };
            writeln!(f, "{usual}: {}", self.changed.join(", "))?;
        }
        if self.is_beyond {
            self.write_methods(f)?;
        } else {
            self.write_metrics(f)?;
        }
        if !self.findings.is_empty() {
            writeln!(f, "\n{}:", self.claims)?;
        }
        for Finding { claim, measured, holds, held, remark } in &self.findings {
            let holds = match holds {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "?",
            };
            let held = held.map(|[held, of]| format!(", in {held} of {of}")).unwrap_or_default();
            let remark = remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
            writeln!(f, "  {holds:<3} {claim}: {measured}{held}{remark}")?;
        }
        writeln!(f)?;
        self.notes.iter().try_for_each(|note| write_wrapped(f, note))
    }
}
