//! Notes: where the paper contradicts itself or is silent, what was chosen, and what must not be compared.

use crate::method::Method;
use crate::metric::RunMetric;
use crate::published::known;
use crate::setup::{Experiment, Setup};

/// The notes that a reader of the figures needs. `slowest` is the time that the slowest agent needs for a loop if it is
/// alone, in units of time.
pub(crate) fn notes(setup: &Setup, slowest: f64) -> Vec<String> {
    let mut notes = vec![
        "computed: by another program, which follows the rules that the paper prints. s.d., least and most are over the \
         scenarios; the ratio is ours over the paper's figure, or over the computed one where there is none. Nodes, paths (in \
         cells) and failed moves are per loop and agent. Orders are compared where printed figures differ by 3 % or more."
            .to_owned(),
        format!(
            "Loops: here {}; the paper does not print how many. Its times fit 5 to 10 in table 1, and 20 in tables 2 and 3.",
            setup.loops
        ),
        "A blank cell is the zero vector, as in the paper's formula: a move between two of them costs half of the weight more. \
         If blanks cost nothing, paths are too long: in table 1, the other program has 84.6 instead of 76.0."
            .to_owned(),
        "Figure 3 of the paper contradicts itself: (0.5, 0.5) is not longer than 1. So nothing is normalised here, and the \
         middle of that example ends at (0.75, 0.25) instead of (0.85, 0.35)."
            .to_owned(),
    ];
    if setup.experiment == Experiment::Hybrids {
        // It has no columns for what others have printed and computed.
        notes.remove(0);
    }
    if setup.methods.iter().any(|method| matches!(method, Method::Whca { .. } | Method::Hybrid(_))) {
        notes.extend(about_whca(setup, slowest));
    }
    if setup.methods.iter().any(|method| method.sectors().is_some()) {
        notes.push(
            "DM-K plans in sectors of K x K cells. The paper does not print where these begin, what abstract edges cost, and how \
             much of a route is followed before the next is planned: here half of it, and all of it in DM-K/100. So what is said of \
             DM-K may be due to other details."
                .to_owned(),
        );
    }
    match setup.experiment {
        Experiment::Table1 => notes.push("The paper's table has no row for A*.".to_owned()),
        Experiment::Figure5 => notes.push(
            "The paper shows curves without figures. With weight 0 on an empty map, how many nodes are expanded is a matter of \
             ties, which go to the deeper node here."
                .to_owned(),
        ),
        Experiment::Figure8 => notes.push(
            "The paper shows curves without figures. DM+N: the cells that moves from a move's end lead to, up to eight, learn at a rate of 0.1, which \
             the paper does not print."
                .to_owned(),
        ),
        Experiment::Hybrids => notes.push(
            "Expansions are the expansions of searches and of reverse searches together; a stopped move is a move that a crowd's guard kept \
             from beginning. The bounds of hybrids are told if DM and WHCA* with their window are among the methods. H(W), hybrid:W in \
             --methods, is WHCA* with a window of W steps under the costs of a direction map of weight 2 (or as after @), and by distances at \
             the price of this map as it was at first. DM of equal weight learned the map in as many loops from the patrols of this scenario; \
             -next: from the patrols of the next scenario; -crowd: a crowd like it learned the map; -none: the map was blank, and distances \
             ignore it. The lessons are not counted: each costs what DM of equal weight costs. Units look straight ahead before they search, \
             unless +search follows."
                .to_owned(),
        ),
        Experiment::Table2 | Experiment::Table3 => {}
    }
    notes
}

fn about_whca(setup: &Setup, slowest: f64) -> Vec<String> {
    let mut notes = vec![
        format!(
            "WHCA* is a crowd under the clock of the other methods, 1.5 units of time for an action. No move of a crowd fails: units wait. It goes by \
             true distances, which are kept, and whose searches are counted apart as reverse nodes; the paper does not say what its \
             WHCA* keeps and counts. The slowest agent needs {slowest:.1} for a loop even if it is alone."
        ),
        "The coherence of A* and WHCA* is the coherence of a map that learns from their moves and costs them nothing."
            .to_owned(),
    ];
    let method = Method::Whca { window: 4 };
    let printed = known(setup.experiment, method, RunMetric::Time).paper.filter(|time| *time < slowest);
    if let Some(time) = printed {
        notes.insert(
            1,
            format!(
                "The paper's time for WHCA*, {time}, is less than {slowest:.1}, so it was taken by another clock than the time of DM. The printed \
                 pair is not reproduced and cannot be; ours are under one clock."
            ),
        );
    }
    notes
}
