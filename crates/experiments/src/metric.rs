//! Metrics of runs, and their spread.

use clap::ValueEnum;
use serde::{Serialize, Serializer};

use crate::row::Row;

/// A metric of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RunMetric {
    /// Nodes, sectors or states expanded, per loop and agent
    Nodes,
    /// Nodes expanded by reverse searches, per loop and agent
    Reverse,
    /// Simulation time; per loop for table 1
    Time,
    /// The length of the path, in cells, per loop and agent
    Path,
    /// Moves to where another agent stood, per loop and agent
    Failed,
    /// Moves that a crowd's guard kept from beginning, per loop and agent
    Stopped,
    /// Coherence of the direction map at the end
    Coherence,
}

impl RunMetric {
    /// Its name in tables and plots.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes expanded",
            Self::Reverse => "reverse nodes",
            Self::Time => "simulation time",
            Self::Path => "path length",
            Self::Failed => "failed moves",
            Self::Stopped => "stopped moves",
            Self::Coherence => "coherence",
        }
    }

    /// How many decimals it is shown with.
    pub(crate) const fn decimals(self) -> usize {
        match self {
            Self::Nodes | Self::Reverse => 0,
            Self::Time | Self::Path => 1,
            Self::Failed => 2,
            Self::Stopped | Self::Coherence => 3,
        }
    }

    /// The value of the metric in a run, if it is known.
    pub(crate) fn of(self, row: &Row, time_per_loop: bool) -> Option<f64> {
        match self {
            Self::Nodes => Some(row.nodes),
            Self::Reverse => Some(row.reverse_nodes),
            Self::Time if time_per_loop => Some(row.time / f64::from(row.loops)),
            Self::Time => Some(row.time),
            Self::Path => Some(row.path),
            Self::Failed => Some(row.failed),
            Self::Stopped => Some(row.stopped),
            Self::Coherence => row.coherence,
        }
    }
}

impl Serialize for RunMetric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The mean of some figures, and the spread of the figures.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, as for a sample. `None`: there is only one figure.
    pub deviation: Option<f64>,
    /// The least figure.
    pub least: f64,
    /// The greatest figure.
    pub most: f64,
}

impl Spread {
    /// The spread of `figures`; `None` if there are none.
    #[allow(clippy::cast_precision_loss)] // as many as there are files
    pub fn of(figures: &[f64]) -> Option<Self> {
        let least = figures.iter().copied().reduce(f64::min)?;
        let most = figures.iter().copied().reduce(f64::max)?;
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        let deviation = (figures.len() > 1).then(|| (squares / (figures.len() - 1) as f64).sqrt());
        Some(Self { mean, deviation, least, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_those_of_samples() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[3.0]), Some(Spread { mean: 3.0, deviation: None, least: 3.0, most: 3.0 }));
        // Squares 4, 0, 4 over two.
        let spread = Spread { mean: 3.0, deviation: Some(2.0), least: 1.0, most: 5.0 };
        assert_eq!(Spread::of(&[5.0, 1.0, 3.0]), Some(spread));
    }
}
