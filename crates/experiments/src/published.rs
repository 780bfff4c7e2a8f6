//! Published figures: printed in the paper, or computed by an independent program by the printed rules.

use crate::method::Method;
use crate::metric::RunMetric;
use crate::setup::Experiment;

/// A figure as known from elsewhere.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct KnownFigure {
    /// Printed in the paper.
    pub(crate) paper: Option<f64>,
    /// Computed by another program that follows the printed rules: a yardstick where the paper prints none.
    pub(crate) computed: Option<f64>,
}

/// The known figures of a method in an experiment: nodes expanded, simulation time, path length, failed moves.
struct Fact {
    method: &'static str,
    paper: [Option<f64>; 4],
    computed: [Option<f64>; 4],
}

const UNKNOWN: [Option<f64>; 4] = [None; 4];

const fn all(figures: [f64; 4]) -> [Option<f64>; 4] {
    let [nodes, time, path, failed] = figures;
    [Some(nodes), Some(time), Some(path), Some(failed)]
}

/// Times are per loop. The other program ran 10 loops.
const TABLE1: [Fact; 3] = [
    Fact { method: "A*", paper: UNKNOWN, computed: [Some(765.0), None, Some(69.6), Some(6.8)] },
    Fact { method: "DM", paper: all([1065.74, 110.55, 76.44, 1.98]), computed: all([1096.0, 109.1, 76.0, 1.74]) },
    Fact { method: "WHCA*(4)", paper: all([5813.43, 83.02, 70.25, 0.33]), computed: UNKNOWN },
];

const TABLE2: [Fact; 4] = [
    Fact { method: "A*", paper: all([4000.82, 5003.94, 149.49, 21.55]), computed: all([4479.0, 5115.0, 149.5, 23.1]) },
    Fact { method: "DM", paper: all([5438.95, 4644.99, 150.45, 8.08]), computed: all([6645.0, 4611.0, 149.0, 7.66]) },
    Fact { method: "DM-8", paper: all([1426.57, 4730.37, 151.95, 7.54]), computed: UNKNOWN },
    Fact { method: "DM-12", paper: all([3127.52, 4737.54, 150.94, 8.96]), computed: UNKNOWN },
];

const TABLE3: [Fact; 4] = [
    Fact { method: "A*", paper: all([2187.73, 4993.83, 140.00, 19.92]), computed: UNKNOWN },
    Fact { method: "DM", paper: all([4001.19, 4382.55, 131.60, 6.59]), computed: all([4515.0, 4260.0, 130.5, 5.84]) },
    Fact { method: "DM-8", paper: all([2078.51, 4580.88, 135.66, 7.81]), computed: UNKNOWN },
    Fact { method: "DM-16", paper: all([2795.56, 4491.18, 131.77, 7.18]), computed: UNKNOWN },
];

/// Weight, coherence, nodes. The paper shows curves without figures.
const FIGURE5: [(&str, f64, f64); 8] = [
    ("DM@0", 0.804, 148.0),
    ("DM@1", 0.858, 798.0),
    ("DM@2", 0.864, 1036.0),
    ("DM@3", 0.860, 1228.0),
    ("DM@5", 0.861, 1425.0),
    ("DM@10", 0.856, 1854.0),
    ("DM@15", 0.861, 2181.0),
    ("DM@20", 0.861, 2475.0),
];

/// The known figure for a metric of a method.
pub(crate) fn known(experiment: Experiment, method: Method, metric: RunMetric) -> KnownFigure {
    let name = method.to_string();
    let facts: &[Fact] = match experiment {
        Experiment::Table1 => &TABLE1,
        Experiment::Table2 => &TABLE2,
        Experiment::Table3 => &TABLE3,
        Experiment::Figure5 => {
            let computed =
                FIGURE5.iter().find(|(method, ..)| *method == name).and_then(|(_, coherence, nodes)| match metric {
                    RunMetric::Coherence => Some(*coherence),
                    RunMetric::Nodes => Some(*nodes),
                    _ => None,
                });
            return KnownFigure { paper: None, computed };
        }
        Experiment::Figure8 | Experiment::Hybrids => return KnownFigure::default(),
    };
    let column = match metric {
        RunMetric::Nodes => 0,
        RunMetric::Time => 1,
        RunMetric::Path => 2,
        RunMetric::Failed => 3,
        RunMetric::Reverse | RunMetric::Stopped | RunMetric::Coherence => return KnownFigure::default(),
    };
    let fact = facts.iter().find(|fact| fact.method == name);
    fact.map_or(KnownFigure::default(), |fact| KnownFigure {
        paper: fact.paper[column],
        computed: fact.computed[column],
    })
}

/// Whether two printed figures are so far apart that their order can be claimed: by 3 % of the smaller one, or more.
pub(crate) fn differ(one: f64, other: f64) -> bool {
    (one - other).abs() >= 0.03 * one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_of_a_method() {
        for fact in TABLE1.iter().chain(&TABLE2).chain(&TABLE3) {
            assert_eq!(fact.method.parse::<Method>().unwrap().to_string(), fact.method);
        }
        for (method, ..) in FIGURE5 {
            assert_eq!(method.parse::<Method>().unwrap().to_string(), method);
        }
    }

    /// Table 2's path is within noise; the paper's other contrasts of A* and DM are not.
    #[test]
    fn orders_are_claimed_from_three_percent_on() {
        let printed = |metric| {
            ["astar", "dm"].map(|method| known(Experiment::Table2, method.parse().unwrap(), metric).paper.unwrap())
        };
        let claimed = [RunMetric::Nodes, RunMetric::Time, RunMetric::Path, RunMetric::Failed].map(|metric| {
            let [astar, dm] = printed(metric);
            differ(astar, dm)
        });
        assert_eq!(claimed, [true, true, false, true]);
        assert!(differ(100.0, 103.0) && !differ(100.0, 102.9));
    }
}
