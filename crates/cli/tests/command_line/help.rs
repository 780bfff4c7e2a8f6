//! Help.

use crate::command_line::folder::Folder;

#[test]
fn help_is_a_pleasure_to_read() {
    let folder = Folder::new("help");
    for (name, arguments) in [
        ("help", "--help"),
        ("help_short", "-h"),
        ("help_solve", "solve --help"),
        ("help_solve_short", "solve -h"),
        ("help_check", "check --help"),
        ("help_demo", "demo --help"),
        ("help_draw", "draw --help"),
        ("help_generate", "generate --help"),
        ("help_simulate", "simulate --help"),
        ("help_compare", "compare --help"),
        ("help_replay", "replay --help"),
        ("help_repro", "repro --help"),
    ] {
        let run = folder.run(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments}");
        insta::assert_snapshot!(name, run.stdout);
    }
}

#[test]
fn the_version_is_the_crates() {
    let run = Folder::new("version").run("--version");
    assert_eq!(run.stdout, concat!("giveway ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(run.code, Some(0));
}

#[test]
fn without_a_command_there_is_help_and_an_error() {
    let run = Folder::new("no_command").run("");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("Usage: giveway <COMMAND>"), "{run:#?}");
}
