//! `giveway compare`: strategies side by side.

use crate::command_line::folder::Folder;

#[test]
fn a_table_has_a_line_for_each_strategy_and_number_of_agents() {
    let folder = Folder::small("compare_table").with("again.scen", crate::command_line::folder::SMALL_SCEN);
    let run = folder.run(
        "compare --map small.map --scen small.scen again.scen --agents 3,1,3 --strategies hca,whca:8,whca:4,independent \
         --csv runs.csv --svg cost.svg",
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "small, 2 scenarios; means over the solved ones");
    let heads: Vec<[&str; 5]> = lines[3..11].iter().map(|line| [line[0], line[1], line[2], line[3], line[4]]).collect();
    assert_eq!(
        heads,
        [
            ["hca", "1", "2/2", "1.000", "4.0"],
            ["hca", "3", "2/2", "1.700", "8.0"],
            ["whca:8", "1", "2/2", "1.000", "4.0"],
            ["whca:8", "3", "2/2", "1.700", "8.0"],
            // The way round is longer than this window, until it has grown.
            ["whca:4", "1", "2/2", "1.000", "4.0"],
            ["whca:4", "3", "2/2", "3.900", "19.0"],
            ["independent", "1", "2/2", "1.000", "4.0"],
            ["independent", "3", "0/2", "-", "-"],
        ]
    );
    assert!(run.stdout.ends_with(
        "\nPlans with conflicts, which do not count as solved: 2.\n\nWritten: runs.csv\nWritten: cost.svg\n"
    ));

    let csv = folder.read("runs.csv");
    let mut rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = rows.next().unwrap();
    assert_eq!(
        names.join(", "),
        "scenario, strategy, agents, solved, sum_of_costs, sum_of_costs_lower_bound, makespan, makespan_lower_bound, \
         expansions, reverse_expansions, planning_ms, conflicts"
    );
    let rows: Vec<Vec<&str>> = rows.collect();
    assert_eq!(rows.len(), 2 * 2 * 4);
    assert_eq!(rows[0][..8], ["small", "hca", "1", "true", "4", "4", "4", "4"]);
    assert_eq!(rows[7][..8], ["small", "independent", "3", "false", "", "10", "", "4"]);
    assert_eq!((rows[7][11], rows[8][0]), ("1", "again"));
    let svg = folder.read("cost.svg");
    assert!(["hca", "whca:8", "independent"].iter().all(|name| svg.contains(name)), "{svg}");
}

/// `compare` compares the solutions that `solve` finds.
#[test]
fn figures_are_those_of_solve() {
    let folder = Folder::new("compare_solve").with_benchmark("random-32-32-20");
    let world = "--map random-32-32-20.map --scen random-32-32-20.scen --agents 40";
    let run = folder.run(&format!("compare {world} --strategies hca,ca,whca,whca:8 --csv runs.csv"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let csv = folder.read("runs.csv");
    for (flags, row) in ["hca", "ca", "whca", "whca --window 8"].iter().zip(csv.lines().skip(1)) {
        let json = folder.run(&format!("solve {world} --max-ticks 1000 --json --strategy {flags}")).json();
        let row: Vec<&str> = row.split(',').collect();
        for (column, key) in [
            (4, "sum_of_costs"),
            (5, "sum_of_costs_lower_bound"),
            (6, "makespan"),
            (7, "makespan_lower_bound"),
            (8, "expansions"),
            (9, "reverse_expansions"),
        ] {
            assert_eq!(json[key].to_string(), row[column], "{flags}: {key}");
        }
    }
}

#[test]
fn every_plot_is_another_picture() {
    let folder = Folder::new("compare_plots").with_benchmark("random-32-32-20");
    let mut labels = Vec::new();
    for plot in ["cost", "solved", "time", "expansions"] {
        let run = folder.run(&format!(
            "compare --map random-32-32-20.map --scen random-32-32-20.scen --agents 10,20 --plot {plot} --svg {plot}.svg"
        ));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let svg = folder.read(&format!("{plot}.svg"));
        let label = ["sum of costs / lower bound", "share of scenarios solved", "planning, milliseconds", "expansions"]
            .into_iter()
            .find(|label| svg.contains(label));
        labels.extend(label);
    }
    assert_eq!(labels.len(), 4);
    labels.dedup();
    assert_eq!(labels.len(), 4, "{labels:?}");
}
