//! The chapter on performance, which is written whole from the raw results in `benches/results`:
//! `GIVEWAY_UPDATE=1 cargo test -p giveway-book --test performance`. Nothing is timed here.

mod chapter;
mod results;

use results::{Results, SingleAgent};

type Anything = Box<dyn std::error::Error>;

#[test]
fn the_chapter_says_what_the_results_are() -> Result<(), Anything> {
    let renewed = chapter::written(&SingleAgent::read()?, &Results::read()?)?;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/performance.md");
    if std::env::var_os("GIVEWAY_UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(file, renewed)?;
        return Ok(());
    }
    let written = std::fs::read_to_string(file)?;
    for (written, renewed) in written.lines().zip(renewed.lines()) {
        assert_eq!(written, renewed, "write it anew by GIVEWAY_UPDATE=1 cargo test -p giveway-book --test performance");
    }
    assert_eq!(written.len(), renewed.len());
    Ok(())
}
