//! Summaries: a method's figures over all scenarios, beside what is known of them.

use clap::ValueEnum as _;
use serde::Serialize;

use crate::findings::Measured;
use crate::method::Method;
use crate::metric::{RunMetric, Spread};
use crate::published::known;
use crate::runs::Run;
use crate::setup::Setup;

/// A method's figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct MethodSummary {
    pub(crate) method: Method,
    pub(crate) figures: Vec<Figure>,
}

/// One of them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Figure {
    pub(crate) metric: RunMetric,
    pub(crate) paper: Option<f64>,
    pub(crate) computed: Option<f64>,
    #[serde(flatten)]
    pub(crate) ours: Spread,
    /// Ours over the paper's, or the computed one where the paper has none.
    pub(crate) ratio: Option<f64>,
    /// Ours in each scenario.
    pub(crate) by_scenario: Vec<f64>,
}

impl MethodSummary {
    pub(crate) fn of(setup: &Setup, method: Method, runs: &[Run]) -> Self {
        let figure = |metric: RunMetric| {
            let by_scenario: Vec<f64> =
                runs.iter().filter_map(|run| metric.of(&run.row, setup.time_per_loop())).collect();
            let ours = Spread::of(&by_scenario)?;
            let known = known(setup.experiment, method, metric);
            let ratio = known.paper.or(known.computed).map(|figure| ours.mean / figure);
            // Only crowds search backwards, and are stopped.
            let is_shown = !matches!(metric, RunMetric::Reverse | RunMetric::Stopped) || ours.most > 0.0;
            is_shown.then_some(Figure {
                metric,
                paper: known.paper,
                computed: known.computed,
                ours,
                ratio,
                by_scenario,
            })
        };
        Self { method, figures: RunMetric::value_variants().iter().copied().filter_map(figure).collect() }
    }

    pub(crate) fn figure(&self, metric: RunMetric) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.metric == metric)
    }

    pub(crate) fn spread(&self, metric: RunMetric) -> Option<Spread> {
        self.figure(metric).map(|figure| figure.ours)
    }
}

impl Measured for Vec<MethodSummary> {
    fn figures(&self, method: Method, metric: RunMetric) -> Vec<f64> {
        let summary = self.iter().find(|summary| summary.method == method);
        summary.and_then(|summary| summary.figure(metric)).map_or(Vec::new(), |figure| figure.by_scenario.clone())
    }
}
