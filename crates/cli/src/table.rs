//! Tables: numbers with their units for people, and as CSV for other tools.

use std::fmt;

use anyhow::{Context as _, Result};
use giveway::strategies::Served;
use serde::Serialize;

use crate::arguments::Strategy;

/// A row: a name, a number, and its unit or meaning.
pub(crate) fn row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    number: &dyn fmt::Display,
    unit: fmt::Arguments<'_>,
) -> fmt::Result {
    writeln!(f, "  {name:<18}  {:>12}  {unit}", number.to_string())
}

/// The shares of the planners in what agents did, unless windows planned all of it.
#[allow(clippy::cast_precision_loss)] // one decimal is shown
pub(crate) fn write_served(f: &mut fmt::Formatter<'_>, served: &Served) -> fmt::Result {
    let Served { windowed, local_repair, pibt, step, lacam, standing, .. } = *served;
    if local_repair + pibt + step + lacam == 0 {
        return Ok(());
    }
    let parts = [
        ("by windows", windowed, ""),
        ("by local repair", local_repair, ""),
        ("by PIBT", pibt, ""),
        ("by steps", step, ""),
        ("by LaCAM", lacam, ""),
        ("without a plan", standing, ", standing where other agents left no way"),
    ];
    for (name, count, why) in parts.into_iter().filter(|(_, count, _)| *count > 0) {
        let share = 100.0 * count as f64 / served.total() as f64;
        row(f, name, &format_args!("{share:.1}"), format_args!("% of the ticks of all agents{why}"))?;
    }
    Ok(())
}

/// The unit of expansions of `strategy`: local repair searches in space alone.
pub(crate) fn expanded(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Lra => "cells, for routes",
        Strategy::Dm => "cells, for routes, and states, each a cell and a tick",
        Strategy::Hca | Strategy::Ca | Strategy::Whca | Strategy::Independent => "states, each a cell and a tick",
    }
}

/// The first number as a multiple of the second, a lower bound.
pub(crate) struct Ratio(pub(crate) u64, pub(crate) u64);

impl fmt::Display for Ratio {
    #[allow(clippy::cast_precision_loss)] // three decimals are shown
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(_, 0) => Ok(()),
            Self(number, bound) => {
                write!(f, "; {:.3} times the lower bound, {bound}", *number as f64 / *bound as f64)
            }
        }
    }
}

/// The largest number of agents or conflicts that are listed.
const MOST_NAMED: usize = 10;

/// The first few of `items`, one line each, and how many more there are of `count`; then an empty line.
pub(crate) fn write_some(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = impl fmt::Display>,
    count: usize,
) -> fmt::Result {
    for item in items.take(MOST_NAMED) {
        writeln!(f, "  {item}")?;
    }
    if count > MOST_NAMED {
        writeln!(f, "  and {} more", count - MOST_NAMED)?;
    }
    writeln!(f)
}

/// `rows` as CSV, under the names of their fields, even if there are no rows.
pub(crate) fn csv<T: Serialize + Default>(rows: &[T]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).context("CSV")?;
    if rows.is_empty() {
        // The names are written with the first row, so a row is needed.
        writer.serialize(T::default()).context("CSV")?;
    }
    let text = String::from_utf8(writer.into_inner().context("CSV")?)?;
    let names = text.lines().next().unwrap_or_default();
    Ok(if rows.is_empty() { format!("{names}\n") } else { text })
}
