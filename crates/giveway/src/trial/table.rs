//! The table of a trial.

use std::fmt;

/// A strategy that trials run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum TrialStrategy {
    /// CA\*, guided by straight-line distances if the space has positions.
    Ca,
    /// HCA\*, guided by true distances.
    Hca,
    /// A crowd that plans by WHCA\*, with its fallbacks.
    Whca,
    /// A crowd that plans by LRA\*, without fallbacks.
    Lra,
    /// A crowd that follows a direction map, which it learns at the same time.
    DirectionMap,
}

impl TrialStrategy {
    /// All strategies, in the order of the columns of a [`Table`].
    pub const ALL: [Self; 5] = [Self::Ca, Self::Hca, Self::Whca, Self::Lra, Self::DirectionMap];
}

impl fmt::Display for TrialStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ca => "CA*",
            Self::Hca => "HCA*",
            Self::Whca => "WHCA*",
            Self::Lra => "LRA*",
            Self::DirectionMap => "direction map",
        })
    }
}

/// The outcome of one strategy in a trial.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The strategy.
    pub strategy: TrialStrategy,
    /// The number of agents.
    pub agents: usize,
    /// The number of agents that arrived.
    pub arrived: usize,
    /// The sum of the ticks of arrival, divided by the sum of the lower bounds of the [trial](crate::trial::Trial).
    /// `None`: not all agents arrived.
    pub cost_over_bound: Option<f64>,
    /// The violations that the checkers found, as texts. Empty for a sound plan.
    pub violations: Vec<String>,
}

/// `cost over bound`, or, if an agent did not arrive, the number of arrived agents and of all; then the number of
/// violations, if any.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cost_over_bound {
            Some(ratio) => write!(f, "{ratio:.2}")?,
            None => write!(f, "{} of {}", self.arrived, self.agents)?,
        }
        match self.violations.len() {
            0 => Ok(()),
            count => write!(f, " ({count} violations!)"),
        }
    }
}

/// The outcomes for one kind of unit in one space.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The name of the space.
    pub space: String,
    /// The kind of units.
    pub body: &'static str,
    /// One outcome for each strategy, in the order of [`TrialStrategy::ALL`].
    ///
    /// # Errors
    /// The reason why units of this kind cannot be tried in the space.
    pub outcomes: Result<Vec<Outcome>, String>,
}

impl Row {
    pub(super) fn new(space: &str, body: &'static str, outcomes: Result<Vec<Outcome>, String>) -> Self {
        Self { space: space.to_owned(), body, outcomes }
    }

    /// The outcomes; empty if units of this kind cannot be tried.
    pub fn tried(&self) -> &[Outcome] {
        self.outcomes.as_deref().unwrap_or_default()
    }
}

/// A line of a table in Markdown.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agents = self.tried().first().map_or(0, |outcome| outcome.agents);
        write!(f, "| {} | {} | {agents} |", self.space, self.body)?;
        match &self.outcomes {
            Ok(outcomes) => outcomes.iter().try_for_each(|outcome| write!(f, " {outcome} |")),
            Err(why) => write!(f, " {why} |{}", " |".repeat(TrialStrategy::ALL.len() - 1)),
        }
    }
}

/// The rows of one or several trials. `Display` writes a table in Markdown, with a column for each strategy: the ratio
/// of costs to lower bounds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
}

impl Table {
    pub(super) fn new(rows: Vec<Row>) -> Self {
        Self { rows }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether the checkers found no violation in any plan. Rows that could not be tried, and agents that did not
    /// arrive, do not matter.
    pub fn is_sound(&self) -> bool {
        self.rows.iter().flat_map(Row::tried).all(|outcome| outcome.violations.is_empty())
    }
}

/// Joins the tables of several spaces.
impl Extend<Table> for Table {
    fn extend<T: IntoIterator<Item = Table>>(&mut self, tables: T) {
        self.rows.extend(tables.into_iter().flat_map(|table| table.rows));
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| space | units | agents |")?;
        TrialStrategy::ALL
            .iter()
            .try_for_each(|strategy| write!(f, " {} |", strategy.to_string().replace('*', "\\*")))?;
        write!(f, "\n|---|---|---|{}", "---|".repeat(TrialStrategy::ALL.len()))?;
        self.rows.iter().try_for_each(|row| write!(f, "\n{row}"))
    }
}
