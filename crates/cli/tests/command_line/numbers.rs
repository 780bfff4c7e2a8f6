//! Every option that takes a number says what it expected instead of what it was given.

use crate::command_line::folder::Folder;

const SOLVE: &str = "solve --map small.map --scen small.scen --agents 3";
const SIMULATE: &str = "simulate --map small.map --scen small.scen --agents 3";
const COMPARE: &str = "compare --map small.map --scen small.scen --agents 3";
const GENERATE: &str = "generate open --size 9x9 --agents 3 --map-out made.map --scen-out made.scen";
const REPRO: &str = "repro table1 --map small.map --scen small.scen";

/// Commands that are good without the option, the option, and what it expects. Whoever adds an option that takes a
/// number adds a row.
const OPTIONS: [(&str, &str, &str); 37] = [
    ("solve --map small.map --scen small.scen", "--agents", "a whole number from 1 to 4294967295"),
    (SOLVE, "--restarts", "a whole number from 0 to 4294967295"),
    (SOLVE, "--seed", "a whole number from 0 to 18446744073709551615"),
    (SOLVE, "--time-limit", "a number of seconds above 0, as 10 or 0.5"),
    (SOLVE, "--max-ticks", "a whole number from 0 to 4294967295"),
    (SOLVE, "--window", "a whole number from 1 to 10000"),
    (SOLVE, "--interval", "a whole number from 1 to 4294967295"),
    (SOLVE, "--weight", "a number of steps from 0 to 1000000"),
    (SOLVE, "--connectivity", "possible values: 4, 8"),
    ("simulate --map small.map --scen small.scen", "--agents", "a whole number from 1 to 4294967295"),
    (SIMULATE, "--ticks", "a whole number from 1 to 4294967295"),
    (SIMULATE, "--seed", "a whole number from 0 to 18446744073709551615"),
    (SIMULATE, "--budget", "a whole number from 2 to 18446744073709551615"),
    (SIMULATE, "--time-limit", "a number of seconds above 0, as 10 or 0.5"),
    (SIMULATE, "--window", "a whole number from 1 to 10000"),
    (SIMULATE, "--interval", "a whole number from 1 to 4294967295"),
    (SIMULATE, "--weight", "a number of steps from 0 to 1000000"),
    (SIMULATE, "--connectivity", "possible values: 4, 8"),
    ("compare --map small.map --scen small.scen", "--agents", "a whole number from 1 to 4294967295"),
    (COMPARE, "--seed", "a whole number from 0 to 18446744073709551615"),
    (COMPARE, "--weight", "a number of steps from 0 to 1000000"),
    (COMPARE, "--time-limit", "a number of seconds above 0, as 10 or 0.5"),
    (COMPARE, "--max-ticks", "a whole number from 0 to 4294967295"),
    (COMPARE, "--connectivity", "possible values: 4, 8"),
    ("check --map small.map --plan plan.txt", "--connectivity", "possible values: 4, 8"),
    ("draw --map small.map --plan plan.txt --svg a.svg", "--connectivity", "possible values: 4, 8"),
    ("demo", "--agents", "a whole number from 1 to 99"),
    ("demo", "--seed", "a whole number from 0 to 18446744073709551615"),
    (GENERATE, "--seed", "a whole number from 0 to 18446744073709551615"),
    (
        "generate open --size 9x9 --map-out made.map --scen-out made.scen",
        "--agents",
        "a whole number from 1 to 4294967295",
    ),
    ("repro table1", "--files", "a whole number from 1 to 10"),
    (REPRO, "--agents", "a whole number from 1 to 4294967295"),
    (REPRO, "--loops", "a whole number from 1 to 10000"),
    (REPRO, "--weight", "a number of steps from 0 to 1000000"),
    (REPRO, "--rate", "a number from 0 to 1"),
    (REPRO, "--seed", "a whole number from 0 to 18446744073709551615"),
    (REPRO, "--threads", "a whole number from 1 to "),
];

#[test]
fn what_is_no_number_in_range_is_refused_with_what_was_expected() {
    let folder = Folder::small("numbers");
    let files = folder.names();
    for (command, option, expected) in OPTIONS {
        let fractions = expected.contains("seconds") || expected.contains("steps");
        for number in ["x", "-1", "1.5", "99999999999999999999", "", "NaN", "0x10"] {
            let is_good = match number {
                "1.5" => fractions,
                // A long time, but a time.
                "99999999999999999999" => expected.contains("seconds"),
                _ => false,
            };
            if is_good {
                continue;
            }
            let arguments = format!("{command} {option}={number}");
            let run = folder.run(&arguments);
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments}: {run:#?}");
            let first = run.stderr.split("\n\n").next().unwrap();
            let says = |words: &str| first.contains(words);
            assert!(says(&format!("'{option}")) && says(expected), "{arguments}: {run:#?}");
            assert!(says("expected ") || says("possible values"), "{arguments}: {run:#?}");
        }
    }
    assert_eq!(folder.names(), files);
}

/// A number in range gets to the command.
#[test]
fn what_is_a_number_in_range_is_taken() {
    let folder = Folder::small("numbers_taken");
    for (command, option, expected) in OPTIONS {
        let number = match option {
            "--connectivity" => "8",
            "--rate" => "1",
            _ => "2",
        };
        let run = folder.run(&format!("{command} {option}={number}"));
        let refused = [expected, "Usage"].iter().any(|words| run.stderr.contains(words));
        assert!(!refused, "{command} {option}: {run:#?}");
    }
}

/// The help of every command names no option with a number that the table forgets.
#[test]
fn no_option_that_takes_a_number_is_forgotten() {
    let folder = Folder::new("numbers_help");
    for command in ["solve", "simulate", "compare", "check", "draw", "demo", "repro"] {
        let help = folder.run(&format!("{command} --help")).stdout;
        let options = help.lines().filter_map(|line| line.trim_start().strip_prefix("--")?.split_once(' '));
        let numbers = ["<N>", "<N,...>", "<K>", "<TICKS>", "<STEPS>", "<SECONDS>", "<RATE>", "<4|8>"];
        for (option, _) in options.filter(|(_, value)| numbers.contains(value)) {
            let is_row = |(row, other, _): &&(&str, &str, &str)| row.starts_with(command) && other[2..] == *option;
            assert!(OPTIONS.iter().any(|row| is_row(&row)), "{command} --{option}");
        }
    }
}
