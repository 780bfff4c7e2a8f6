//! `giveway demo`: no files needed, and what it says is so.

use std::fs;

use crate::command_line::folder::{Folder, assert_asks_nothing_of_the_network};

#[test]
fn a_crowd_gives_way() {
    let folder = Folder::new("demo");
    let run = folder.run("demo");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:#?}");
    assert_eq!(folder.names(), ["giveway-demo.html"]);

    let conflicts = number_after(&run.stdout, "each as if alone");
    assert!(conflicts > 100, "{run:#?}");
    assert!(run.stdout.contains("planned together  no conflicts"), "{run:#?}");
    assert!(run.stdout.contains("Written: giveway-demo.html\n"), "{run:#?}");
    let path = fs::canonicalize(folder.path("giveway-demo.html")).unwrap();
    if cfg!(unix) {
        let path = path.display().to_string().replace(' ', "%20");
        let address = format!("Open it in a browser: file://{path}\n");
        assert!(run.stdout.ends_with(&address), "{run:#?}");
    }

    let html = folder.read("giveway-demo.html");
    assert!(html.contains("<title>99 units give way</title>"));
    assert!(
        html.contains(&format!("Each as if alone: {conflicts} conflicts. Planned together, by HCA*: no conflicts<"))
    );
    let makespan = number_after(&run.stdout, "makespan");
    assert!(html.contains(&format!("\"last_tick\":{makespan},")));
    // Everyone arrives.
    assert_eq!(html.matches("\"arrival\":").count(), 99);
    assert!(!html.contains("\"arrival\":null"));
    assert_asks_nothing_of_the_network(&html);
}

#[test]
fn the_same_command_gives_the_same_file() {
    let folder = Folder::new("demo_again").with("giveway-demo.html", "of an earlier demo");
    assert_eq!(folder.run("demo").code, Some(0));
    assert_eq!(folder.run("demo --out again.html --agents 99 --seed 0").code, Some(0));
    assert_eq!(folder.run("demo --out other.html --seed 1").code, Some(0));
    assert!(folder.read("giveway-demo.html") == folder.read("again.html"));
    assert!(folder.read("giveway-demo.html") != folder.read("other.html"));
    assert_eq!(folder.names(), ["again.html", "giveway-demo.html", "other.html"]);
}

#[test]
fn one_unit_is_a_crowd_too() {
    let folder = Folder::new("demo_one");
    let run = folder.run("demo --agents 1 --out one.html");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.starts_with("1 unit wants to cross a river, which has two bridges.\n"), "{run:#?}");
    assert!(folder.read("one.html").contains("<title>1 unit gives way</title>"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_has_no_address() {
    let run = Folder::new("demo_device").run("demo --out /dev/null");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.ends_with("Written: /dev/null\n"), "{run:#?}");
}

fn number_after(text: &str, words: &str) -> u64 {
    let (_, rest) = text.split_once(words).unwrap();
    rest.split_whitespace().next().unwrap().parse().unwrap()
}
