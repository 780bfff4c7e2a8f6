//! `-` as a file that is written: the file goes to standard output, and the summary to standard error.

use std::fs;

use crate::command_line::folder::{Folder, Run};

const SOLVE: &str = "solve --map small.map --scen small.scen --agents 3";
const SIMULATE: &str = "simulate --map small.map --scen small.scen --agents 3 --ticks 20 --strategy dm";

/// A folder with a plan, a direction map, and patrols in rows of their own.
fn folder(name: &str) -> Folder {
    let folder = Folder::small(name)
        .with("rows.map", "type octile\nheight 2\nwidth 4\nmap\n....\n....\n")
        .with("rows.scen", "0 rows.map 4 2 0 0 3 0 0\n0 rows.map 4 2 0 1 3 1 0\n");
    assert_eq!(folder.run(&format!("{SOLVE} --out plan.txt")).code, Some(0));
    assert_eq!(folder.run(&format!("{SIMULATE} --learned m.json")).code, Some(0));
    folder
}

/// Without what a clock decides.
fn redacted(run: &Run, text: &str) -> String {
    Run { stdout: text.to_owned(), code: run.code, stderr: String::new() }.redacted()
}

#[test]
fn every_file_can_go_to_standard_output() {
    let folder = folder("stdout_files");
    let before = folder.names();
    for (command, option) in [
        (SOLVE, "--out"),
        (SOLVE, "--trace"),
        (SOLVE, "--html"),
        (SOLVE, "--svg"),
        ("solve --map small.map --scen small.scen --agents 3 --strategy dm", "--learned"),
        (SIMULATE, "--csv"),
        (SIMULATE, "--trace"),
        (SIMULATE, "--html"),
        (SIMULATE, "--svg"),
        (SIMULATE, "--learned"),
        ("draw --map small.map --plan plan.txt", "--html"),
        ("draw --map small.map --plan plan.txt", "--svg"),
        ("draw --map small.map --direction-map m.json", "--svg"),
        ("draw --map small.map", "--svg"),
        ("demo --agents 3", "--out"),
        ("demo --agents 3 --out d.html", "--svg"),
        ("repro table1 --map rows.map --scen rows.scen --loops 1 --methods dm", "--csv"),
        ("repro table1 --map rows.map --scen rows.scen --loops 1 --methods dm", "--svg"),
        ("repro table1 --map rows.map --scen rows.scen --loops 1 --methods dm", "--arrows"),
    ] {
        let arguments = format!("{command} {option} -");
        let streamed = folder.run(&arguments);
        let filed = folder.run(&format!("{command} {option} ./-"));
        assert_eq!((streamed.code, filed.code), (Some(0), Some(0)), "{arguments}: {streamed:#?}");
        assert!(folder.read("-") == streamed.stdout && !streamed.stdout.is_empty(), "{arguments}");
        assert_eq!(filed.stderr, "", "{arguments}");
        assert!(filed.stdout.contains("Written: ./-\n"), "{arguments}: {filed:#?}");
        // The summary is the same, but for the file.
        let summary = filed.stdout.lines().filter(|line| *line != "Written: ./-" && !line.starts_with("Open it"));
        let said = streamed.stderr.lines();
        let [summary, said] = [summary.collect::<Vec<_>>(), said.collect::<Vec<_>>()].map(|lines| lines.join("\n"));
        let untimed = |text: &str| redacted(&streamed, text.trim_end()).split(", in ").next().unwrap().to_owned();
        assert_eq!(untimed(&said), untimed(&summary), "{arguments}");
        fs::remove_file(folder.path("-")).unwrap();
        let _ = fs::remove_file(folder.path("d.html"));
        assert_eq!(folder.names(), before, "{arguments}");
    }
    let csv = folder.run("compare --map small.map --scen small.scen --agents 3 --strategies hca,ca --csv -");
    assert!(csv.stdout.starts_with("scenario,strategy,agents,") && csv.stdout.lines().count() == 3, "{csv:#?}");
    assert!(csv.stderr.starts_with("small, 1 scenario;"), "{csv:#?}");
    let svg = folder.run("compare --map small.map --scen small.scen --agents 3 --strategies hca,ca --svg -");
    assert!(svg.stdout.starts_with("<svg") && svg.stderr.starts_with("small, 1 scenario;"), "{svg:#?}");
}

/// A plan that is not solved is as good as one that is.
#[test]
fn the_exit_code_is_that_of_the_answer() {
    let run = Folder::small("stdout_code").run(&format!("{SOLVE} --strategy independent --out - --svg a.svg"));
    assert!(run.code == Some(1) && run.stdout.starts_with("agents=3\n"), "{run:#?}");
    assert!(run.stderr.starts_with("Not solved: ") && run.stderr.ends_with("\nWritten: a.svg\n"), "{run:#?}");
}

#[test]
fn there_is_one_standard_output() {
    let folder = folder("stdout_twice");
    let before = folder.names();
    for (arguments, other) in [
        (format!("{SOLVE} --json --out -"), "--json"),
        (format!("{SOLVE} --svg - --json"), "--json"),
        (format!("{SIMULATE} --json --learned -"), "--json"),
        ("repro table1 --map small.map --scen small.scen --json --csv -".to_owned(), "--json"),
        (format!("{SOLVE} --out - --svg -"), "--out"),
        (format!("{SOLVE} --html - --trace -"), "--trace"),
        (format!("{SIMULATE} --csv - --html -"), "--csv"),
        ("draw --map small.map --plan plan.txt --html - --svg -".to_owned(), "--html"),
        ("compare --map small.map --scen small.scen --agents 3 --csv - --svg -".to_owned(), "--csv"),
        ("demo --out - --svg -".to_owned(), "--out"),
        ("repro table1 --map small.map --scen small.scen --csv - --arrows -".to_owned(), "--csv"),
    ] {
        let run = folder.run(&arguments);
        let error = format!(
            "error: -: expected another file than the file of {other}; - is standard output, and ./- a file of that name\n"
        );
        let expected = Run { code: Some(2), stdout: String::new(), stderr: error };
        assert_eq!(run, expected, "{arguments}");
        assert_eq!(folder.names(), before, "{arguments}");
    }
}

/// Exit code 2 is never given after a file was written.
#[cfg(target_os = "linux")]
#[test]
fn files_are_taken_back_if_standard_output_is_full() {
    let folder = Folder::small("stdout_full").with("plan.txt", "old");
    for outputs in ["--out plan.txt --svg new.svg", "--out plan.txt --json --svg new.svg", "--out plan.txt --svg -"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = folder.command(&format!("{SOLVE} {outputs}")).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{outputs}");
        assert!(stderr.starts_with("error: standard output cannot be written: No space left"), "{stderr}");
        assert_eq!(folder.read("plan.txt"), "old", "{outputs}");
        assert_eq!(folder.names(), ["plan.txt", "small.map", "small.scen"], "{outputs}");
    }
}
