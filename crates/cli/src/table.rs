//! Tables: numbers with their units for people, and as CSV for other tools.

use std::fmt;

use anyhow::{Context as _, Result};
use serde::Serialize;

/// A number, under its name and with what it is.
pub(crate) fn row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    number: &dyn fmt::Display,
    unit: fmt::Arguments<'_>,
) -> fmt::Result {
    writeln!(f, "  {name:<18}  {:>12}  {unit}", number.to_string())
}

/// How many times the second, a lower bound, the first is.
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

/// How many agents or conflicts are named.
const MOST_NAMED: usize = 10;

/// The first few of `items`, a line each, and how many more of the `count` there are; then an empty line.
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

/// `rows` as CSV, under the names of their fields, which are there without any row, too.
pub(crate) fn csv<T: Serialize + Default>(rows: &[T]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).context("CSV")?;
    if rows.is_empty() {
        // The names are written with the first row, so there has to be one.
        writer.serialize(T::default()).context("CSV")?;
    }
    let text = String::from_utf8(writer.into_inner().context("CSV")?)?;
    let names = text.lines().next().unwrap_or_default();
    Ok(if rows.is_empty() { format!("{names}\n") } else { text })
}
