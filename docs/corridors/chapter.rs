//! The parts of the chapter that are made from the cases: their pictures, and the table.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::Anything;
use super::case::Case;
use super::least::least;
use super::run::{Outcome, STRATEGIES, alone, run};

pub(crate) fn file() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/corridors.md"))
}

/// `chapter` with what stands between its markers made anew.
pub(crate) fn renewed(chapter: &str, cases: &[Case]) -> Result<String, Anything> {
    let chapter = replaced(chapter, "cases", &pictures(cases)?)?;
    replaced(&chapter, "table", &table(cases)?)
}

/// `chapter` with `content` between the comments `name` and `end of name`.
fn replaced(chapter: &str, name: &str, content: &str) -> Result<String, Anything> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let missing = || format!("the chapter has no {begin}.. {end}");
    let (before, rest) = chapter.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n{content}\n{end}{after}"))
}

fn pictures(cases: &[Case]) -> Result<String, Anything> {
    let mut out = String::new();
    for case in cases {
        write!(out, "### {}\n\n{}\n\n```case\n{}\n```\n\n", case.name, case.what, case.picture)?;
    }
    Ok(out.trim_end().to_owned() + "\n")
}

fn table(cases: &[Case]) -> Result<String, Anything> {
    let names: String = STRATEGIES.iter().map(|(name, _)| format!(" {name} |")).collect();
    let mut out =
        format!("| case | units | alone | least |{names}\n|---|---|---|---|{}\n", "---|".repeat(STRATEGIES.len()));
    for case in cases {
        let least = least(case)?;
        let shown = least.map_or(String::new(), |least| least.map_or("none".to_owned(), |sum| sum.to_string()));
        let (name, alone) = (&case.name, alone(case)?);
        write!(out, "| [{name}](#{name}) | {} | {alone} | {shown} |", case.units.len())?;
        for (strategy, how) in &STRATEGIES {
            let outcome = run(case, how)?;
            let possible = |sum| sum >= alone && least.is_none_or(|least| least.is_some_and(|least| least <= sum));
            if matches!(outcome, Outcome::Solved { sum, .. } if !possible(sum)) {
                return Err(format!("{name}: {strategy} is better than the best plan, {outcome}").into());
            }
            write!(out, " {outcome} |")?;
        }
        writeln!(out)?;
    }
    Ok(out)
}
