//! The corridor suite: small cases that decide whether units give way, and the book's chapter about them. With
//! `GIVEWAY_UPDATE=1` what the chapter says is made anew: `GIVEWAY_UPDATE=1 cargo test -p giveway-book --test
//! corridors`.

mod case;
mod chapter;
mod least;
mod run;

use case::{Case, Kind};
use least::least;

type Anything = Box<dyn std::error::Error>;

#[test]
fn the_chapter_says_what_every_strategy_does() -> Result<(), Anything> {
    let file = chapter::file();
    let written = std::fs::read_to_string(&file)?;
    let renewed = chapter::renewed(&written, &case::read_all()?)?;
    if std::env::var_os("GIVEWAY_UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&file, renewed)?;
        return Ok(());
    }
    for (written, renewed) in written.lines().zip(renewed.lines()) {
        assert_eq!(
            written, renewed,
            "see what has changed by GIVEWAY_UPDATE=1 cargo test -p giveway-book --test corridors"
        );
    }
    assert_eq!(written.len(), renewed.len());
    Ok(())
}

fn case(name: &str) -> Result<Case, Anything> {
    Ok(case::read_all()?.into_iter().find(|case| case.name == name).ok_or("there is such a case")?)
}

#[test]
fn the_best_plans_are_known() -> Result<(), Anything> {
    // Both are at the bay after three ticks. One goes in and out again, three more than if it were alone.
    assert_eq!(least(&case("swap")?)?, Some(Some(15)));
    assert_eq!(least(&case("swap-ids")?)?, Some(Some(15)));
    // The one is in the bay at tick 5, and only then the other may come on from its second place: it is there at 10. It
    // has left the way out at 9, from where on five steps are left.
    assert_eq!(least(&case("swap-large")?)?, Some(Some(10 + 14)));
    assert_eq!(least(&case("impassable")?)?, Some(None));
    assert_eq!(least(&case("impassable-slow")?)?, Some(None));
    assert_eq!(least(&case("bridge")?)?, None, "so many are not looked at");
    Ok(())
}

#[test]
fn a_case_is_read_as_it_is_drawn() -> Result<(), Anything> {
    let text = "what Three in a row.\nspeed C 1/2\nsize C 2\ngoal A C\n\nAb.C.\n@.B..\n";
    let case = Case::parse("row", text)?;
    assert_eq!((case.name.as_str(), case.what.as_str()), ("row", "Three in a row."));
    assert_eq!(case.picture, "speed C 1/2\nsize C 2\ngoal A C\n\nAb.C.\n@.B..");
    assert_eq!((case.grid.width(), case.grid.height(), case.grid.is_passable(0, 1)), (5, 2, false));
    assert!(case.grid.is_passable(0, 0) && case.grid.is_passable(1, 0) && case.grid.is_passable(3, 0));
    let units: Vec<_> = case.units.iter().map(|unit| (unit.start.0, unit.goal.map(|goal| goal.0), unit.kind)).collect();
    let slow = Kind { size: 2, speed: 0.5 };
    assert_eq!(units, [(0, Some(3), Kind::PLAIN), (7, Some(1), Kind::PLAIN), (3, None, slow)]);
    assert_eq!(case.kinds(), [Kind::PLAIN, slow]);
    Ok(())
}

#[test]
fn the_readme_shows_a_case() -> Result<(), Anything> {
    let readme = include_str!("../../testdata/corridors/README.md");
    let (_, example) = readme.split_once("```text\n").ok_or("it has an example")?;
    let (example, _) = example.split_once("```").ok_or("that ends")?;
    assert_eq!(Case::parse("readme", example)?.units.len(), 3);
    Ok(())
}

#[test]
fn what_is_malformed_is_named_with_its_line() {
    let rows = [
        ("", "1: expected what .., found the end"),
        ("size A 2\n\nA.a\n", "1: expected what .., found \"size A 2\""),
        ("what x\nA.a\n", "2: expected size A 2, speed A 1/2 or goal A B, found \"A.a\""),
        ("what x\n", "2: expected an empty line and a picture, found the end"),
        ("what x\n\n", "3: expected a picture, found none: a grid needs at least one row and one column"),
        ("what x\n\nA.a\n..\n", "4: expected 3 cells, found 2"),
        ("what x\n\nA.a\n\n...\n", "4: expected 3 cells, found 0"),
        ("what x\n\nA#a\n", "3: expected '.', '@' or a letter, found '#'"),
        ("what x\n\n...\n", "3: expected a unit, found none in the picture"),
        ("what x\n\n..A\nA.a\n", "4: expected 'A' once, found it again"),
        ("what x\n\na.A\n..a\n", "4: expected 'a' once, found it again"),
        ("what x\n\nA.a\n.b.\n", "4: expected 'B' somewhere, found only its goal"),
        ("what x\nwidth A 2\n\nA.a\n", "2: expected size A 2, speed A 1/2 or goal A B, found \"width A 2\""),
        ("what x\nsize A 2 3\n\nA.a\n", "2: expected size A 2, speed A 1/2 or goal A B, found \"size A 2 3\""),
        ("what x\nsize a 2\n\nA.a\n", "2: expected size A 2, speed A 1/2 or goal A B, found \"size a 2\""),
        ("what x\nsize B 2\n\nA.a\n", "2: expected a unit of the picture, found 'B'"),
        ("what x\nsize A 0\n\nA.a\n", "2: expected a number of cells, found \"0\""),
        ("what x\nsize A +2\n\nA.a\n", "2: expected a number of cells, found \"+2\""),
        ("what x\nsize A 2\nspeed A 1/0\n\nA.a\n", "3: expected a speed as 2 or 1/2, found \"1/0\""),
        ("what x\nspeed A 0.5\n\nA.a\n", "2: expected a speed as 2 or 1/2, found \"0.5\""),
        ("what x\ngoal A B\n\nA..\n", "2: expected the letter of a unit, found \"B\""),
        ("what x\ngoal A A\n\nA.a\n", "2: expected one goal of 'A', found another"),
        ("what x\nsize A 2\nsize A 3\n\nA.a\n", "3: expected one size of 'A', found another"),
        (
            "what x\ngoal A B\ngoal B B\n\nA.B\n",
            "3: expected goals that differ, found those of 'A' and 'B' in one place",
        ),
    ];
    for (text, expected) in rows {
        let found = Case::parse("case", text).map(|case| case.name);
        assert_eq!(found, Err(format!("case.txt:{expected}")), "{text}");
    }
}
