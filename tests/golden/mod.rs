//! Golden cases: what strategies, crowds and simulations do, as a table with a row for each case. A failing test names
//! the numbers that differ: longer plans, more work, other planners. The table is written anew by
//! `GIVEWAY_UPDATE=1 cargo test -p giveway --test tests golden`.

mod bodies;
mod crowds;
mod orders;
mod plans;
mod resters;
mod settings;
mod simulations;
mod spaces;
mod table;
pub(crate) mod worlds;

use std::path::Path;

use table::{Cases, differences};

#[test]
fn all_is_as_it_was() {
    let mut cases = Cases::default();
    plans::run(&mut cases);
    spaces::run(&mut cases);
    resters::run(&mut cases);
    crowds::run(&mut cases);
    bodies::run(&mut cases);
    simulations::run(&mut cases);
    let (file, now) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/table.txt"), cases.table());
    let before = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    if std::env::var_os("GIVEWAY_UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(file, now).expect("the file can be written");
    } else if now != before {
        let (differences, bless) = (differences(&before, &now), "GIVEWAY_UPDATE=1 writes the table anew");
        panic!("{} cases differ:\n{differences}if this is meant, {bless}", differences.lines().count());
    }
}

#[test]
fn a_difference_is_told_by_case_and_column() {
    let before = "# a note\ncase ticks cost waits\na/b 1 20 .\ngone 1 2 3\nsame 1 2 3\n";
    let now = "case ticks cost waits\na/b 1 25 3\nsame 1 2 3\nnew 1 2 3\n";
    let told = "a/b: cost before 20, now 25; waits before 0, now 3\nnew: a new case\ngone: no such case any more\n";
    assert_eq!(differences(before, now), told);
}
