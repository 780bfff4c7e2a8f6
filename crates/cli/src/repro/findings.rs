//! Findings: what the paper claims, and whether it holds here.

use serde::Serialize;

use super::method::{Method, Variant};
use super::metric::Metric;
use super::published::{differ, known};
use super::setup::Setup;
use crate::arguments::Experiment;

/// A claim of the paper, beside what was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Finding {
    pub(super) claim: String,
    pub(super) measured: String,
    /// `None`: it cannot be compared, and `remark` says why.
    pub(super) holds: Option<bool>,
    pub(super) remark: Option<&'static str>,
}

/// Means by method and metric.
pub(super) trait Means {
    /// The mean of `metric` over the runs of a method; `None` if it is not known.
    fn mean(&self, method: Method, metric: Metric) -> Option<f64>;
}

/// The claims that are made of these methods.
pub(super) fn findings(setup: &Setup, means: &impl Means) -> Vec<Finding> {
    match setup.experiment {
        Experiment::Table1 | Experiment::Table2 | Experiment::Table3 => printed_orders(setup, means),
        Experiment::Figure5 => by_weight(setup, means),
        Experiment::Figure8 => at_the_end(setup, means),
        Experiment::Hybrids => of_hybrids(setup, means),
    }
}

/// For each metric, the orders of two methods whose printed figures are far enough apart.
fn printed_orders(setup: &Setup, means: &impl Means) -> Vec<Finding> {
    let mut findings = Vec::new();
    for metric in Metric::ALL {
        for (index, one) in setup.methods.iter().enumerate() {
            for other in &setup.methods[index + 1..] {
                let printed = [one, other].map(|method| known(setup.experiment, *method, metric).paper);
                if let [Some(a), Some(b)] = printed
                    && differ(a, b)
                {
                    let (less, more) = if a < b { (*one, *other) } else { (*other, *one) };
                    findings.extend(order(setup, means, metric, less, more));
                }
            }
        }
    }
    findings
}

/// Whether `less` has less of `metric` than `more`.
fn order(setup: &Setup, means: &impl Means, metric: Metric, less: Method, more: Method) -> Option<Finding> {
    let (a, b) = (means.mean(less, metric)?, means.mean(more, metric)?);
    let decimals = metric.decimals();
    let other_clock = setup.experiment == Experiment::Table1 && metric == Metric::Time;
    let remark = if other_clock {
        Some("the paper timed WHCA* by another clock")
    } else if less.sectors().or(more.sectors()).is_some() {
        Some("depends on details that are not printed")
    } else {
        None
    };
    Some(Finding {
        claim: format!("{}: {less} less than {more}", metric.name()),
        measured: format!("{a:.decimals$} against {b:.decimals$}"),
        holds: (!other_clock).then_some(a < b),
        remark,
    })
}

/// Which part of the gain in coherence comes with a weight of 5 or less.
const MOST_OF_IT: f64 = 0.8;

/// Figure 5: "most of the coherence gains can be achieved with a weight of 5 or less"; nodes rise.
fn by_weight(setup: &Setup, means: &impl Means) -> Vec<Finding> {
    let mut weighted: Vec<(f32, Method)> =
        setup.methods.iter().map(|method| (method.weight(setup.weight), *method)).collect();
    weighted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let coherence = |weight: f32| {
        let (_, method) = weighted.iter().find(|(other, _)| other.to_bits() == weight.to_bits())?;
        means.mean(*method, Metric::Coherence)
    };
    let mut findings = Vec::new();
    if let (Some(none), Some(five), Some(fifteen)) = (coherence(0.0), coherence(5.0), coherence(15.0)) {
        findings.push(Finding {
            claim: "coherence: 80 % or more of what a weight of 15 gains over none is there at 5".to_owned(),
            measured: format!("{none:.3}, {five:.3} at 5, {fifteen:.3} at 15"),
            holds: Some(fifteen > none && five - none >= MOST_OF_IT * (fifteen - none)),
            remark: None,
        });
    }
    let nodes: Option<Vec<f64>> = weighted.iter().map(|(_, method)| means.mean(*method, Metric::Nodes)).collect();
    if let Some(nodes) = nodes.filter(|nodes| nodes.len() > 1) {
        let shown: Vec<String> = nodes.iter().map(|nodes| format!("{nodes:.0}")).collect();
        findings.push(Finding {
            claim: "nodes expanded: the more, the larger the weight".to_owned(),
            measured: shown.join(", "),
            holds: Some(nodes.is_sorted_by(|a, b| a < b)),
            remark: None,
        });
    }
    findings
}

/// Figure 8: neighbours are best, then the plain map, then A*, and WHCA* is worst.
fn at_the_end(setup: &Setup, means: &impl Means) -> Vec<Finding> {
    let ranking = ["whca:4", "astar", "dm", "dm+n"].map(str::parse::<Method>);
    let present: Vec<Method> = ranking.into_iter().flatten().filter(|method| setup.methods.contains(method)).collect();
    let pairs = present.iter().zip(present.iter().skip(1));
    pairs.filter_map(|(less, more)| order(setup, means, Metric::Coherence, *less, *more)).collect()
}

/// How much longer than the paths of WHCA* those of a hybrid may be.
const LONGEST: f64 = 1.05;

/// What a hybrid is to do: no failed move, the coherence of DM, nearly the paths of WHCA* with the same window, and fewer expansions.
fn of_hybrids(setup: &Setup, means: &impl Means) -> Vec<Finding> {
    let finding = |method: &Method| {
        let Method::Hybrid(hybrid) = method else { return None };
        let whca = Method::Whca { window: hybrid.window };
        let plain = Method::DirectionMap(Variant::default());
        let all =
            |method| Some(means.mean(method, Metric::Nodes)? + means.mean(method, Metric::Reverse).unwrap_or(0.0));
        let failed = means.mean(*method, Metric::Failed)?;
        let [coherence, least] = [means.mean(*method, Metric::Coherence)?, means.mean(plain, Metric::Coherence)?];
        let [path, most] = [means.mean(*method, Metric::Path)?, LONGEST * means.mean(whca, Metric::Path)?];
        let [expansions, bound] = [all(*method)?, all(whca)?];
        Some(Finding {
            claim: format!("{method}: nothing fails, coherent as DM, paths within 5 % of {whca}, fewer expansions"),
            measured: format!(
                "{failed:.0}; {coherence:.3} (least {least:.3}); {path:.1} (most {most:.1}); {expansions:.0} (below {bound:.0})"
            ),
            holds: Some(failed == 0.0 && coherence >= least && path <= most && expansions < bound),
            remark: None,
        })
    };
    setup.methods.iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::SetName;

    struct Given(Vec<(&'static str, Metric, f64)>);

    impl Means for Given {
        fn mean(&self, method: Method, metric: Metric) -> Option<f64> {
            let name = method.to_string();
            self.0.iter().find(|given| (given.0, given.1) == (name.as_str(), metric)).map(|given| given.2)
        }
    }

    fn setup(experiment: Experiment, methods: &[&str]) -> Setup {
        let methods = methods.iter().map(|name| name.parse().unwrap()).collect();
        let set = SetName::Table1.set();
        Setup { experiment, set, loops: 8, rate: 0.4, weight: 10.0, methods, changed: Vec::new() }
    }

    fn holds(findings: &[Finding]) -> Vec<Option<bool>> {
        findings.iter().map(|finding| finding.holds).collect()
    }

    #[test]
    fn orders_hold_or_not_and_the_two_clocks_are_not_compared() {
        let given = Given(vec![
            ("DM", Metric::Nodes, 900.0),
            ("WHCA*(4)", Metric::Nodes, 150.0),
            ("DM", Metric::Time, 109.0),
            ("WHCA*(4)", Metric::Time, 100.0),
            ("DM", Metric::Failed, 1.8),
            ("WHCA*(4)", Metric::Failed, 0.0),
        ]);
        let findings = findings(&setup(Experiment::Table1, &["astar", "dm", "whca:4"]), &given);
        assert_eq!(holds(&findings), [Some(false), None, Some(true)]);
        assert_eq!(findings[0].claim, "nodes expanded: DM less than WHCA*(4)");
        assert_eq!(findings[0].measured, "900 against 150");
    }

    #[test]
    fn hybrids_hold_if_all_bounds_do() {
        let of = |coherence: f64, path: f64, nodes: f64, failed: f64| {
            let given = Given(vec![
                ("DM", Metric::Coherence, 0.78),
                ("WHCA*(4)", Metric::Path, 100.0),
                ("WHCA*(4)", Metric::Nodes, 150.0),
                ("WHCA*(4)", Metric::Reverse, 200.0),
                ("H(4)", Metric::Coherence, coherence),
                ("H(4)", Metric::Path, path),
                ("H(4)", Metric::Nodes, nodes),
                ("H(4)", Metric::Reverse, 200.0),
                ("H(4)", Metric::Failed, failed),
            ]);
            holds(&findings(&setup(Experiment::Hybrids, &["dm", "whca:4", "hybrid:4", "hybrid:8"]), &given))
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
                ("DM@0", Metric::Coherence, 0.5),
                ("DM@5", Metric::Coherence, five),
                ("DM@15", Metric::Coherence, fifteen),
                ("DM@0", Metric::Nodes, 10.0),
                ("DM@5", Metric::Nodes, 30.0),
                ("DM@15", Metric::Nodes, 20.0),
            ]);
            holds(&findings(&setup(Experiment::Figure5, &["dm@15", "dm@0", "dm@5"]), &given))
        };
        assert_eq!(at(0.59, 0.6), [Some(true), Some(false)]);
        assert_eq!(at(0.57, 0.6), [Some(false), Some(false)]);
        assert_eq!(at(0.49, 0.4), [Some(false), Some(false)]);
    }
}
