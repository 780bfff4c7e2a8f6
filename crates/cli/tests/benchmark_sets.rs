//! HCA* and WHCA* on the benchmark sets: everything solved, every plan valid, and not far above the lower bounds.
//!
//! `GIVEWAY_DATA` names a folder with `movingai/maps/NAME.map` and `movingai/scens/NAME-random-K.scen`, as the Moving AI benchmarks have
//! them: `cargo test --release -p giveway-cli --test tests benchmark_sets -- --ignored`.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

/// Runs the binary with `arguments`, separated by spaces, and these paths at the end.
fn run(arguments: &str, paths: [(&str, &Path); 3]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_giveway"));
    command.args(arguments.split_whitespace());
    for (flag, path) in paths {
        command.arg(flag).arg(path);
    }
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
#[ignore = "needs data"]
fn hca_stays_near_the_lower_bounds() {
    stays_near_the_lower_bounds(
        "--strategy hca",
        &[
            ("random-32-32-20", 50, 1.07),
            ("random-32-32-20", 100, 1.13),
            ("den312d", 200, 1.14),
            ("empty-32-32", 200, 1.06),
            ("warehouse-10-20-10-2-1", 100, 1.02),
            ("Berlin_1_256", 200, 1.01),
            // Nearest first fails on these.
            ("random-32-32-20", 300, 1.66),
            ("den312d", 400, 1.58),
        ],
    );
}

#[test]
#[ignore = "needs data"]
fn whca_stays_near_the_lower_bounds() {
    stays_near_the_lower_bounds(
        "--strategy whca --max-ticks 1000 --time-limit 30",
        &[
            ("random-32-32-20", 50, 1.15),
            ("empty-32-32", 200, 1.15),
            ("den312d", 100, 1.12),
            ("Berlin_1_256", 200, 1.05),
            ("lak303d", 200, 1.10),
        ],
    );
}

/// Maps, how many agents of the scenarios 1 to 3, and how many times the lower bound the mean of their costs may be.
fn stays_near_the_lower_bounds(strategy: &str, sets: &[(&str, u32, f64)]) {
    let data =
        std::env::var_os("GIVEWAY_DATA").expect("set GIVEWAY_DATA to a folder with movingai/maps/ and movingai/scens/");
    let data = Path::new(&data);
    // The tests run side by side.
    let name = strategy.split_whitespace().nth(1).unwrap();
    let plan = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("benchmark_sets_{name}.txt"));
    let mut failed = Vec::new();
    for &(map, agents, most) in sets {
        let map_file = data.join(format!("movingai/maps/{map}.map"));
        let ratios = [1, 2, 3].map(|number| {
            let scen = data.join(format!("movingai/scens/{map}-random-{number}.scen"));
            let files = [("--map", map_file.as_path()), ("--scen", scen.as_path())];
            let solve = format!("solve {strategy} --agents {agents} --json");
            let (code, json) = run(&solve, [files[0], files[1], ("--out", &plan)]);
            assert_eq!(code, Some(0), "{map}, {agents} agents, scenario {number}: {json}");
            let (code, violations) = run("check", [files[0], files[1], ("--plan", &plan)]);
            assert_eq!(code, Some(0), "{map}, {agents} agents, scenario {number}: {violations}");
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            json["sum_of_costs"].as_f64().unwrap() / json["sum_of_costs_lower_bound"].as_f64().unwrap()
        });
        let mean = ratios.iter().sum::<f64>() / 3.0;
        let row = format!("{name}, {map}, {agents} agents: {mean:.4} times the lower bound; at most {most}");
        let _ = writeln!(io::stderr(), "{row}");
        if mean > most {
            failed.push(row);
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
