//! Reproductions: an experiment run again, and its results.

use std::num::NonZeroUsize;

use anyhow::Result;
use giveway_lanes::DirectionMap;

use crate::chart::Chart;
use crate::figures::{self, Sample};
use crate::method::Method;
use crate::metric::RunMetric;
use crate::report::Report;
use crate::row::Row;
use crate::runs::{Run, RunEvent, run_all};
use crate::setup::Setup;
use crate::summary::MethodSummary;
use crate::world::World;

/// An experiment, run again.
pub struct Reproduction<'a> {
    setup: &'a Setup,
    world: &'a World,
    /// For each method, its runs on each scenario.
    runs: Vec<Vec<Run>>,
    summaries: Vec<MethodSummary>,
}

impl<'a> Reproduction<'a> {
    /// Runs each method on each scenario, on up to `threads` threads. `watch` gets an event at the begin and at the end
    /// of each run. The number of threads changes only the time that this takes, and the order of the events.
    ///
    /// # Errors
    /// A run cannot begin, or takes so long that it seems to be endless.
    pub fn run(
        setup: &'a Setup,
        world: &'a World,
        threads: NonZeroUsize,
        watch: impl Fn(RunEvent<'_>) + Sync,
    ) -> Result<Self> {
        let runs = run_all(setup, world, threads, watch)?;
        let of_method = |(method, runs): (&Method, &Vec<Run>)| MethodSummary::of(setup, *method, runs);
        let summaries = setup.methods.iter().zip(&runs).map(of_method).collect();
        Ok(Self { setup, world, runs, summaries })
    }

    /// A line for each run.
    pub fn rows(&self) -> Vec<Row> {
        self.runs.iter().flatten().map(|run| run.row.clone()).collect()
    }

    /// The coherence of each run at each moment until its end; for figure 8 only.
    pub fn samples(&self) -> Vec<Sample> {
        figures::samples(self.setup, &self.runs)
    }

    /// The name of the first scenario, and the direction map of `method` at the end of its run on that scenario.
    /// `None`: `method` is not among the methods of the experiment.
    pub fn learned(&self, method: Method) -> Option<(&str, &DirectionMap)> {
        let place = self.setup.methods.iter().position(|other| *other == method)?;
        let run = self.runs.get(place)?.first()?;
        Some((&run.row.scenario, &run.map))
    }

    /// The plot of `metric`, which must be one that the experiment [can show](crate::Experiment::plotted).
    pub fn chart(&self, metric: RunMetric) -> Chart {
        figures::chart(self.setup, &self.summaries, &self.runs, metric)
    }

    /// The report on the experiment.
    pub fn report(&self) -> Report {
        Report::new(self.setup, self.world, self.summaries.clone(), &self.runs)
    }
}
