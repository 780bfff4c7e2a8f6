//! Findings: what the paper claims, and whether it holds here.

use clap::ValueEnum as _;
use serde::Serialize;

use crate::chart::Mark;
use crate::method::{Method, Variant};
use crate::metric::{RunMetric, Spread};
use crate::published::{differ, known};
use crate::setup::{Experiment, Setup};

/// A claim of the paper, beside what was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) claim: String,
    pub(crate) measured: String,
    /// Of the means. `None`: it cannot be compared, and `remark` says why.
    pub(crate) holds: Option<bool>,
    /// The number of scenarios in which the claim holds, and the number of all; `None` if the claim is about means
    /// only.
    pub(crate) held: Option<[usize; 2]>,
    pub(crate) remark: Option<&'static str>,
}

/// Figures by method and metric.
pub(crate) trait Measured {
    /// A metric of a method in each scenario, in the order of the scenarios; where it is not known, it is left out.
    fn figures(&self, method: Method, metric: RunMetric) -> Vec<f64>;

    /// Nodes of both kinds together, in each scenario.
    fn expansions(&self, method: Method) -> Vec<f64> {
        let reverse = self.figures(method, RunMetric::Reverse);
        let nodes = self.figures(method, RunMetric::Nodes).into_iter().enumerate();
        nodes.map(|(place, nodes)| nodes + reverse.get(place).unwrap_or(&0.0)).collect()
    }

    /// The mean of these; `None` if there are none.
    fn mean(&self, method: Method, metric: RunMetric) -> Option<f64> {
        Spread::of(&self.figures(method, metric)).map(|spread| spread.mean)
    }
}

/// The claims that are made of these methods. For figure 8, `curves` has coherences over time by method.
pub(crate) fn findings(setup: &Setup, measured: &impl Measured, curves: &[Vec<Mark>]) -> Vec<Finding> {
    match setup.experiment {
        Experiment::Table1 | Experiment::Table2 | Experiment::Table3 => printed_orders(setup, measured),
        Experiment::Figure5 => by_weight(setup, measured),
        Experiment::Figure8 => at_the_end(setup, measured).into_iter().chain(slower(setup, curves)).collect(),
        Experiment::Hybrids => of_hybrids(setup, measured),
    }
}

/// For each metric, the orders of two methods whose printed figures are far enough apart.
fn printed_orders(setup: &Setup, measured: &impl Measured) -> Vec<Finding> {
    let mut findings = Vec::new();
    for metric in RunMetric::value_variants().iter().copied() {
        for (index, one) in setup.methods.iter().enumerate() {
            for other in &setup.methods[index + 1..] {
                let printed = [one, other].map(|method| known(setup.experiment, *method, metric).paper);
                if let [Some(a), Some(b)] = printed
                    && differ(a, b)
                {
                    let (less, more) = if a < b { (*one, *other) } else { (*other, *one) };
                    findings.extend(order(setup, measured, metric, less, more));
                }
            }
        }
    }
    findings
}

/// Whether `less` has less of `metric` than `more`.
fn order(setup: &Setup, measured: &impl Measured, metric: RunMetric, less: Method, more: Method) -> Option<Finding> {
    let (a, b) = (measured.mean(less, metric)?, measured.mean(more, metric)?);
    let (less_each, more_each) = (measured.figures(less, metric), measured.figures(more, metric));
    let held = less_each.iter().zip(&more_each).filter(|(a, b)| a < b).count();
    let decimals = metric.decimals();
    let other_clock = setup.experiment == Experiment::Table1 && metric == RunMetric::Time;
    let remark = if other_clock {
        Some("the paper timed WHCA* by another clock")
    } else if less.sectors().or(more.sectors()).is_some() {
        Some("unprinted details")
    } else {
        None
    };
    Some(Finding {
        claim: format!("{}: {less} less than {more}", metric.name()),
        measured: format!("{a:.decimals$} against {b:.decimals$}"),
        holds: (!other_clock).then_some(a < b),
        held: (!other_clock && less_each.len() == more_each.len()).then_some([held, less_each.len()]),
        remark,
    })
}

/// The part of the gain in coherence that comes with a weight of 5 or less.
const MOST_OF_IT: f64 = 0.8;

/// Figure 5: "most of the coherence gains can be achieved with a weight of 5 or less"; nodes rise.
fn by_weight(setup: &Setup, measured: &impl Measured) -> Vec<Finding> {
    let plain = |method: &Method| Some((method.plain_weight(setup.weight)?, *method));
    let mut weighted: Vec<(f32, Method)> = setup.methods.iter().filter_map(plain).collect();
    weighted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let coherence = |weight: f32| {
        let (_, method) = weighted.iter().find(|(other, _)| other.to_bits() == weight.to_bits())?;
        measured.mean(*method, RunMetric::Coherence)
    };
    let mut findings = Vec::new();
    if let (Some(none), Some(five), Some(fifteen)) = (coherence(0.0), coherence(5.0), coherence(15.0)) {
        findings.push(Finding {
            claim: "coherence: 80 % or more of what a weight of 15 gains over none is there at 5".to_owned(),
            measured: format!("{none:.3}, {five:.3} at 5, {fifteen:.3} at 15"),
            holds: Some(fifteen > none && five - none >= MOST_OF_IT * (fifteen - none)),
            held: None,
            remark: None,
        });
    }
    let nodes: Option<Vec<f64>> = weighted.iter().map(|(_, method)| measured.mean(*method, RunMetric::Nodes)).collect();
    if let Some(nodes) = nodes.filter(|nodes| nodes.len() > 1) {
        let shown: Vec<String> = nodes.iter().map(|nodes| format!("{nodes:.0}")).collect();
        findings.push(Finding {
            claim: "nodes expanded: the more, the larger the weight".to_owned(),
            measured: shown.join(", "),
            holds: Some(nodes.is_sorted_by(|a, b| a < b)),
            held: None,
            remark: None,
        });
    }
    findings
}

/// Figure 8: neighbours are best, then the plain map, then A*, and WHCA* is worst.
fn at_the_end(setup: &Setup, measured: &impl Measured) -> Vec<Finding> {
    let ranking = ["whca:4", "astar", "dm", "dm+n"].map(str::parse::<Method>);
    let present: Vec<Method> = ranking.into_iter().flatten().filter(|method| setup.methods.contains(method)).collect();
    let pairs = present.iter().zip(present.iter().skip(1));
    pairs.filter_map(|(less, more)| order(setup, measured, RunMetric::Coherence, *less, *more)).collect()
}

/// Figure 8: with neighbours coherence is reached more gradually.
fn slower(setup: &Setup, curves: &[Vec<Mark>]) -> Option<Finding> {
    let curve = |name: &str| {
        let method: Method = name.parse().ok()?;
        curves.get(setup.methods.iter().position(|other| *other == method)?)
    };
    let (neighbours, plain) = (curve("dm+n")?, curve("dm")?);
    let begin = neighbours.first()?.y < plain.first()?.y;
    let pairs: Vec<_> = neighbours.iter().zip(plain).collect();
    let behind = pairs.iter().rposition(|(neighbours, plain)| neighbours.y <= plain.y);
    let passed = pairs.get(behind.map_or(0, |last| last + 1));
    Some(Finding {
        claim: "coherence: DM+N is behind DM at first, and ahead later".to_owned(),
        measured: passed.map_or("not in the end".to_owned(), |(mark, _)| format!("ahead from {} on", mark.x)),
        holds: Some(begin && passed.is_some()),
        held: None,
        remark: None,
    })
}

/// The largest ratio of the paths of a hybrid to the paths of WHCA*.
const LONGEST: f64 = 1.05;

/// The claims about hybrids: no failed move, the coherence of DM, nearly the paths of WHCA* with the same window, and
/// fewer expansions.
fn of_hybrids(setup: &Setup, measured: &impl Measured) -> Vec<Finding> {
    let finding = |method: &Method| {
        let Method::Hybrid(hybrid) = method else { return None };
        let (plain, whca) = (Method::DirectionMap(Variant::default()), Method::Whca { window: hybrid.window });
        let of = |method, metric| measured.figures(method, metric);
        let figures = [
            of(*method, RunMetric::Failed),
            of(*method, RunMetric::Coherence),
            of(plain, RunMetric::Coherence),
            of(*method, RunMetric::Path),
            of(whca, RunMetric::Path).into_iter().map(|path| LONGEST * path).collect(),
            measured.expansions(*method),
            measured.expansions(whca),
        ];
        let holds = |[failed, coherence, least, path, longest, all, most]: [f64; 7]| {
            failed == 0.0 && coherence >= least && path <= longest && all < most
        };
        let scenarios = figures.each_ref().map(Vec::len);
        let held = (0..scenarios[0]).filter(|place| holds(figures.each_ref().map(|figures| figures[*place])));
        let held = scenarios.iter().all(|count| *count == scenarios[0]).then(|| [held.count(), scenarios[0]]);
        let mut means = [0.0; 7];
        for (mean, figures) in means.iter_mut().zip(&figures) {
            *mean = Spread::of(figures)?.mean;
        }
        let [failed, coherence, least, path, longest, all, most] = means;
        Some(Finding {
            claim: format!("{method}, DM and {whca}"),
            measured: format!(
                "failed {failed:.2}, coherence {coherence:.3} ({least:.3} or more), path {path:.1} ({longest:.1} or less), \
                 expansions {all:.0} (below {most:.0})"
            ),
            holds: Some(holds(means)),
            held,
            remark: None,
        })
    };
    setup.methods.iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Settings;

    struct Given(Vec<(&'static str, RunMetric, f64)>);

    impl Measured for Given {
        fn figures(&self, method: Method, metric: RunMetric) -> Vec<f64> {
            let name = method.to_string();
            let of_it = self.0.iter().filter(|given| (given.0, given.1) == (name.as_str(), metric));
            of_it.map(|given| given.2).collect()
        }
    }

    fn setup(experiment: Experiment, methods: &[&str]) -> Setup {
        let methods = methods.iter().map(|name| name.parse().unwrap()).collect();
        Setup::new(experiment, Settings { methods, ..Settings::default() })
    }

    fn holds(findings: &[Finding]) -> Vec<Option<bool>> {
        findings.iter().map(|finding| finding.holds).collect()
    }

    #[test]
    fn orders_hold_or_not_and_the_two_clocks_are_not_compared() {
        let given = Given(vec![
            ("DM", RunMetric::Nodes, 900.0),
            ("WHCA*(4)", RunMetric::Nodes, 150.0),
            ("DM", RunMetric::Time, 109.0),
            ("WHCA*(4)", RunMetric::Time, 100.0),
            ("DM", RunMetric::Failed, 1.8),
            ("DM", RunMetric::Failed, 0.2),
            ("WHCA*(4)", RunMetric::Failed, 0.0),
            ("WHCA*(4)", RunMetric::Failed, 0.3),
        ]);
        let findings = findings(&setup(Experiment::Table1, &["astar", "dm", "whca:4"]), &given, &[]);
        assert_eq!(holds(&findings), [Some(false), None, Some(true)]);
        assert_eq!(findings[0].claim, "nodes expanded: DM less than WHCA*(4)");
        assert_eq!(findings[0].measured, "900 against 150");
        assert_eq!(findings.iter().map(|finding| finding.held).collect::<Vec<_>>(), [Some([0, 1]), None, Some([1, 2])]);
    }

    #[test]
    fn hybrids_hold_if_all_bounds_do() {
        let of = |coherence: f64, path: f64, nodes: f64, failed: f64| {
            let given = Given(vec![
                ("DM", RunMetric::Coherence, 0.78),
                ("WHCA*(4)", RunMetric::Path, 100.0),
                ("WHCA*(4)", RunMetric::Nodes, 150.0),
                ("WHCA*(4)", RunMetric::Reverse, 200.0),
                ("H(4)", RunMetric::Coherence, coherence),
                ("H(4)", RunMetric::Path, path),
                ("H(4)", RunMetric::Nodes, nodes),
                ("H(4)", RunMetric::Reverse, 200.0),
                ("H(4)", RunMetric::Failed, failed),
            ]);
            holds(&findings(&setup(Experiment::Hybrids, &["dm", "whca:4", "hybrid:4", "hybrid:8"]), &given, &[]))
        };
        assert_eq!(of(0.78, 105.0, 149.0, 0.0), [Some(true)]);
        let broken = [
            (0.77, 105.0, 149.0, 0.0),
            (0.78, 106.0, 149.0, 0.0),
            (0.78, 105.0, 150.0, 0.0),
            (0.78, 105.0, 149.0, 0.1),
        ];
        for (coherence, path, nodes, failed) in broken {
            assert_eq!(of(coherence, path, nodes, failed), [Some(false)]);
        }
    }

    #[test]
    fn most_of_the_coherence_is_there_at_five() {
        let at = |five: f64, fifteen: f64| {
            let given = Given(vec![
                ("DM@0", RunMetric::Coherence, 0.5),
                ("DM@5", RunMetric::Coherence, five),
                ("DM@15", RunMetric::Coherence, fifteen),
                ("DM@0", RunMetric::Nodes, 10.0),
                ("DM@5", RunMetric::Nodes, 30.0),
                ("DM@15", RunMetric::Nodes, 20.0),
            ]);
            holds(&findings(&setup(Experiment::Figure5, &["dm@15", "dm@0", "whca:4", "dm@5"]), &given, &[]))
        };
        assert_eq!(at(0.59, 0.6), [Some(true), Some(false)]);
        assert_eq!(at(0.57, 0.6), [Some(false), Some(false)]);
        assert_eq!(at(0.49, 0.4), [Some(false), Some(false)]);
    }
    #[test]
    fn neighbours_are_slower_and_pass() {
        let setup = setup(Experiment::Figure8, &["dm+n", "dm"]);
        let holds = |neighbours: [f64; 3]| {
            let curve =
                |points: [f64; 3]| [10.0, 20.0, 30.0].into_iter().zip(points).map(|(x, y)| Mark::at(x, y)).collect();
            let finding = slower(&setup, &[curve(neighbours), curve([0.5, 0.6, 0.6])]).unwrap();
            (finding.holds, finding.measured)
        };
        assert_eq!(holds([0.4, 0.5, 0.7]), (Some(true), "ahead from 30 on".to_owned()));
        assert_eq!(holds([0.4, 0.7, 0.6]), (Some(false), "not in the end".to_owned()));
        assert_eq!(holds([0.6, 0.7, 0.8]), (Some(false), "ahead from 10 on".to_owned()));
    }
}
