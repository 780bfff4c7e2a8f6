//! Plots of the runs.

use serde::Serialize;

use crate::chart::{Chart, Mark};
use crate::method::Method;
use crate::metric::{RunMetric, Spread};
use crate::published::known;
use crate::runs::{Run, rounded};
use crate::setup::{Experiment, Setup};
use crate::summary::MethodSummary;

/// The coherence of a method at a moment.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
pub struct Sample {
    pub(crate) scenario: String,
    pub(crate) method: Method,
    pub(crate) time: f64,
    pub(crate) coherence: Option<f64>,
}

/// The samples of each run, at each moment until its end.
pub(crate) fn samples(setup: &Setup, runs: &[Vec<Run>]) -> Vec<Sample> {
    let of_run = |run: &Run| {
        let row = run.row.clone();
        let moments = run.samples.clone().into_iter().zip(1_u32..);
        moments.map(move |(coherence, number)| Sample {
            scenario: row.scenario.clone(),
            method: row.method,
            time: f64::from(number) * setup.set.interval,
            coherence: coherence.map(rounded),
        })
    };
    runs.iter().flatten().flat_map(of_run).collect()
}

/// The mean coherence of the runs of a method at each moment. A map that learns no more stays as it is.
pub(crate) fn curve(setup: &Setup, runs: &[Run]) -> Vec<Mark> {
    let longest = runs.iter().map(|run| run.samples.len()).max().unwrap_or(0);
    let at = |moment: usize| {
        let coherence = |run: &Run| run.samples.get(moment).copied().unwrap_or(run.row.coherence);
        let known: Vec<f64> = runs.iter().filter_map(coherence).collect();
        let time = f64::from(u32::try_from(moment + 1).unwrap_or(u32::MAX)) * setup.set.interval;
        Spread::of(&known).map(|spread| Mark::at(time, spread.mean))
    };
    (0..longest).filter_map(at).collect()
}

/// The plot of an experiment.
pub(crate) fn chart<'s>(setup: &Setup, summaries: &'s [MethodSummary], runs: &[Vec<Run>], metric: RunMetric) -> Chart {
    let name = metric.name();
    match setup.experiment {
        Experiment::Figure8 => {
            let empty = Chart::new("simulation time", name).title("Figure 8: coherence over time");
            setup
                .methods
                .iter()
                .zip(runs)
                .fold(empty, |chart, (method, runs)| chart.series(method.to_string(), curve(setup, runs)))
        }
        Experiment::Figure5 => {
            let label = format!("{name} (mean, least, most)");
            let plain =
                |summary: &'s MethodSummary| Some((f64::from(summary.method.plain_weight(setup.weight)?), summary));
            let mut points: Vec<(f64, &MethodSummary)> = summaries.iter().filter_map(plain).collect();
            points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            let ours = points.iter().filter_map(|(weight, summary)| Some(whisker(*weight, summary.spread(metric)?)));
            let computed = points.iter().filter_map(|(weight, summary)| {
                Some(Mark::at(*weight, known(setup.experiment, summary.method, metric).computed?))
            });
            let chart = Chart::new("weight", label).title(format!("Figure 5: {name} by the weight"));
            chart.series("ours", ours).series("computed before", computed)
        }
        Experiment::Hybrids => {
            let empty = Chart::new("path length", format!("{name} (mean, least, most)"))
                .title(format!("{name} over path length"));
            summaries.iter().fold(empty, |chart, summary| {
                let path = summary.spread(RunMetric::Path);
                let mark = path.zip(summary.spread(metric)).map(|(path, spread)| whisker(path.mean, spread));
                chart.series(summary.method.to_string(), mark)
            })
        }
        Experiment::Table1 | Experiment::Table2 | Experiment::Table3 => {
            let number = match setup.experiment {
                Experiment::Table1 => 1,
                Experiment::Table2 => 2,
                _ => 3,
            };
            let label = format!("{name} (mean, least, most)");
            let empty =
                Chart::new("nodes expanded", label).title(format!("Table {number}: {name} over nodes expanded"));
            summaries.iter().fold(empty, |chart, summary| {
                let method = summary.method;
                let at = |metric| known(setup.experiment, method, metric).paper;
                let paper = at(RunMetric::Nodes).zip(at(metric)).map(|(nodes, figure)| Mark::at(nodes, figure));
                let nodes = summary.spread(RunMetric::Nodes);
                let ours = nodes.zip(summary.spread(metric)).map(|(nodes, spread)| whisker(nodes.mean, spread));
                let chart = chart.series(format!("{method}, ours"), ours);
                if paper.is_some() { chart.series(format!("{method}, paper"), paper) } else { chart }
            })
        }
    }
}

fn whisker(x: f64, spread: Spread) -> Mark {
    Mark { x, y: spread.mean, low: spread.least, high: spread.most }
}
