//! The files that `giveway solve` writes: as a whole or not at all, and never over its input.

use std::fs;

use crate::command_line::folder::{Folder, SMALL_MAP, assert_asks_nothing_of_the_network};

const SMALL: &str = "solve --map small.map --scen small.scen --agents 3";

#[test]
fn a_plan_replaces_what_was_there_and_leaves_nothing_beside_it() {
    let scen = "version 1\n0\tsmall.map\t5\t3\t0\t0\t0\t2\t2\n0\tsmall.map\t5\t3\t4\t1\t4\t0\t1\n";
    let folder = Folder::small("replace").with("small.scen", scen).with("plan.txt", "x".repeat(100_000));
    let run = folder.run("solve --map small.map --scen small.scen --agents 2 --out plan.txt");
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(folder.read("plan.txt"), @"
    agents=2
    map_file=small.map
    solver=hca
    solved=1
    soc=3
    makespan=2
    starts=(0,0),(4,1),
    goals=(0,2),(4,0),
    solution=
    0:(0,0),(4,1),
    1:(0,1),(4,0),
    2:(0,2),(4,0),
    ");
    assert_eq!(folder.names(), ["plan.txt", "small.map", "small.scen"]);
}

#[test]
fn a_trace_has_every_move() {
    let folder = Folder::small("trace");
    let run = folder.run(&format!("{SMALL} --trace trace.json --json"));
    let trace: serde_json::Value = serde_json::from_str(&folder.read("trace.json")).unwrap();
    assert_eq!((&trace["format"], &trace["ticks_per_step"]), (&"giveway-trace".into(), &1.into()));
    let agents = trace["agents"].as_array().unwrap();
    let arrival = |agent: &serde_json::Value| agent["moves"].as_array().unwrap().last().unwrap()["arrive"].as_u64();
    assert_eq!(agents.iter().map(arrival).sum::<Option<u64>>(), run.json()["sum_of_costs"].as_u64());
}

#[test]
fn pictures_show_a_plan() {
    let folder = Folder::bay("pictures");
    let run = folder.run("solve --map bay.map --scen bay.scen --agents 2 --html view.html --svg pic.svg");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.ends_with("Written: view.html\nWritten: pic.svg\n"), "{run:#?}");
    let (html, svg) = (folder.read("view.html"), folder.read("pic.svg"));
    for picture in [&html, &svg] {
        assert!(picture.contains("<title>2 agents on bay by hca</title>"));
    }
    assert!(html.contains(">Planned by hca: solved, sum of costs 6, makespan 3<"));
    assert!(html.contains("\"last_tick\":3,"));
    assert_asks_nothing_of_the_network(&html);
    assert_eq!(folder.names(), ["bay.map", "bay.scen", "pic.svg", "view.html"]);
}

#[test]
fn a_plan_that_is_not_solved_is_drawn_too() {
    let folder = Folder::small("unsolved_pictures");
    let arguments = format!("{SMALL} --html view.html --svg pic.svg");
    for (flags, solver, caption) in [
        ("--strategy independent", "independent", "Planned by independent: not solved, 1 conflict"),
        ("--max-ticks 1", "hca", "Planned by hca: not solved, 3 of 3 agents without a path"),
    ] {
        assert_eq!(folder.run(&format!("{arguments} {flags}")).code, Some(1), "{flags}");
        let html = folder.read("view.html");
        assert!(html.contains(&format!(">{caption}<")), "{flags}");
        for picture in [html, folder.read("pic.svg")] {
            assert!(picture.contains(&format!("<title>3 agents on small by {solver}, not solved</title>")));
        }
    }
}

/// Whether a file can be written is known before anything is read, and long before anything is planned.
#[test]
fn outputs_come_first() {
    let folder = Folder::new("outputs_first");
    let run = folder.run("solve --map none.map --scen none.scen --agents 3 --out none/plan.txt");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: none/plan.txt: cannot be written"), "{run:#?}");
}

#[test]
fn a_failed_call_leaves_the_old_plan() {
    let folder = Folder::small("old_plan").with("plan.txt", "old").with("bad.map", "type octile\n");
    for arguments in [
        "solve --map bad.map --scen small.scen --agents 3 --out plan.txt",
        "solve --map small.map --scen small.scen --agents 30 --out plan.txt",
        "solve --map small.map --scen small.scen --agents 3 --out plan.txt --trace none/trace.json",
        "solve --map small.map --scen small.scen --agents 3 --out plan.txt --trace plan.txt",
        "solve --map small.map --scen small.scen --agents 3 --out plan.txt --html none/view.html",
        "solve --map small.map --scen small.scen --agents 30 --html plan.txt",
        "solve --map small.map --scen small.scen --agents 3 --svg plan.txt --html plan.txt",
        "draw --map small.map --plan plan.txt --svg small.svg --html plan.txt",
        "draw --map small.map --plan small.scen --svg plan.txt",
    ] {
        assert_eq!(folder.run(arguments).code, Some(2), "{arguments}");
        assert_eq!(folder.read("plan.txt"), "old", "{arguments}");
        assert_eq!(folder.names(), ["bad.map", "plan.txt", "small.map", "small.scen"], "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_hide_the_input() {
    use std::os::unix::fs::symlink;

    let folder = Folder::small("links").with("plan.txt", "old");
    symlink("small.map", folder.path("link.txt")).unwrap();
    let run = folder.run(&format!("{SMALL} --out link.txt"));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("link.txt: expected another file than the file of --map"), "{run:#?}");
    assert_eq!(folder.read("small.map"), SMALL_MAP);

    // A link to something else stays a link.
    symlink("plan.txt", folder.path("other.txt")).unwrap();
    assert_eq!(folder.run(&format!("{SMALL} --out other.txt")).code, Some(0));
    assert!(fs::symlink_metadata(folder.path("other.txt")).unwrap().is_symlink());
    assert!(folder.read("plan.txt").starts_with("agents=3\n"));
}

#[cfg(unix)]
#[test]
fn a_link_to_what_is_not_there_yet_is_followed() {
    use std::os::unix::fs::symlink;

    let folder = Folder::small("dangling");
    fs::create_dir(folder.path("plans")).unwrap();
    symlink("plans/new.txt", folder.path("link.txt")).unwrap();
    symlink("none/new.txt", folder.path("lost.txt")).unwrap();
    assert_eq!(folder.run(&format!("{SMALL} --out link.txt")).code, Some(0));
    assert!(fs::symlink_metadata(folder.path("link.txt")).unwrap().is_symlink());
    assert!(folder.read("plans/new.txt").starts_with("agents=3\n"));
    let run = folder.run(&format!("{SMALL} --out lost.txt --svg new.svg"));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: lost.txt: cannot be written: No such file"), "{run:#?}");
    // Two names of one file that is not there yet.
    fs::remove_file(folder.path("plans/new.txt")).unwrap();
    let run = folder.run(&format!("{SMALL} --out link.txt --svg plans/new.txt"));
    assert!(run.code == Some(2) && run.stderr.contains("another file than the file of --out"), "{run:#?}");
    assert_eq!(folder.names(), ["link.txt", "lost.txt", "plans", "small.map", "small.scen"]);
}

/// The name of a file must not command the terminal of its reader.
#[cfg(unix)]
#[test]
fn control_characters_are_spelt_out() {
    let name = "a\u{1b}[31m\r\u{9b}.txt";
    let spelt = "a\\u001b[31m\\u000d\\u009b.txt";
    let folder = Folder::small("control").with("plan.txt", format!("map_file={name}\nsolution=\n0:(0,0),\n"));
    let solve = "solve --map small.map --scen small.scen --agents 1 --out";
    let run = folder.run_with(solve, name.as_ref());
    assert!(run.stdout.ends_with(&format!("\nWritten: {spelt}\n")), "{run:#?}");
    let run = folder.run_with(solve, "two\nlines".as_ref());
    assert!(run.stdout.ends_with("\nWritten: two\\nlines\n"), "{run:#?}");
    for (arguments, path, error) in [
        (
            "solve --scen small.scen --agents 1 --map",
            format!("none/{name}"),
            format!("error: none/{spelt}: cannot be read: "),
        ),
        (solve, format!("none/{name}"), format!("error: none/{spelt}: cannot be written: ")),
        ("draw --map small.map --svg a.svg --plan", name.to_owned(), format!("error: {spelt}:")),
        ("solve", name.to_owned(), format!("error: unexpected argument '{spelt}' found")),
        (
            "solve --agents",
            name.to_owned(),
            format!("error: invalid value '{spelt}' for '--agents <N>': expected a whole"),
        ),
    ] {
        let folder = Folder::small("control_refused").with(name, "type \u{1b}[31m");
        let run = folder.run_with(arguments, path.as_ref());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments}: {run:#?}");
        assert!(run.stderr.starts_with(&error), "{arguments}: {error} is not in {run:#?}");
        assert!(!run.stderr.contains(|c: char| c.is_control() && c != '\n'), "{arguments}: {run:#?}");
    }
    let run = folder.run("check --map small.map --plan plan.txt");
    assert!(run.stdout.contains(&format!("the plan was made for {spelt}, and this is small.map\n")), "{run:#?}");
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::small("permissions").with("plan.txt", "old");
    fs::set_permissions(folder.path("plan.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(folder.run(&format!("{SMALL} --out plan.txt")).code, Some(0));
    assert_eq!(fs::metadata(folder.path("plan.txt")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_and_may_be_full() {
    let folder = Folder::small("devices");
    assert_eq!(folder.run(&format!("{SMALL} --out /dev/null")).code, Some(0));
    let run = folder.run(&format!("{SMALL} --out /dev/full --trace trace.json"));
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("error: /dev/full: cannot be written: No space left"), "{run:#?}");
    assert_eq!(folder.names(), ["small.map", "small.scen"]);

    // Full, after another file was written: neither remains.
    let run = folder.run(&format!("{SMALL} --html view.html --svg /dev/full"));
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert_eq!(folder.names(), ["small.map", "small.scen"]);

    let run = folder.run(&format!("{SMALL} --out /proc/plan.txt"));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: /proc/plan.txt: cannot be written"), "{run:#?}");

    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(SMALL).stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.starts_with("error: standard output cannot be written: No space left"), "{stderr}");
}
