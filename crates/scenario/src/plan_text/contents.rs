//! The contents of a plan's text.

use std::fmt;
use std::path::PathBuf;

use giveway_core::Tick;

use super::parse::parse;
use crate::file_methods::file_methods;
use crate::kind::FileKind;

/// A plan as text: the cell of every agent at every tick.
///
/// ```text
/// agents=2
/// map_file=random-32-32-20.map
/// solver=hca
/// solved=1
/// soc=17
/// makespan=9
/// starts=(5,16),(21,29),
/// goals=(6,18),(14,29),
/// solution=
/// 0:(5,16),(21,29),
/// 1:(5,17),(20,29),
/// ```
///
/// Every agent is a point on the unit grid. (x, y) is a column and a row; (0, 0) is at the top left. On reading, only
/// `solution=` is required; if no tick follows, `solved=0` is required, too. Unknown keys are ignored, and the comma at
/// the end of a list may be missing. All lines must agree on the number of agents. Tick 0 must agree with `starts=`.
///
/// This crate does not check whether the values of `solved`, `soc` and `makespan` agree with the solution.
#[derive(Clone, Debug, Default)]
pub struct PlanText {
    /// The number of agents.
    pub agents: usize,
    /// The name of the map, as the file has it.
    pub map_file: Option<String>,
    /// The solver that found the plan.
    pub solver: Option<String>,
    /// Whether every agent arrives, according to the file.
    pub solved: Option<bool>,
    /// The sum of costs, in ticks, according to the file.
    pub soc: Option<u64>,
    /// The makespan, which is the tick at which the last agent arrives, according to the file.
    pub makespan: Option<Tick>,
    /// The start of each agent.
    pub starts: Option<Vec<(u32, u32)>>,
    /// The goal of each agent.
    pub goals: Option<Vec<(u32, u32)>>,
    /// For each tick from 0, the cell of each agent. Empty if no plan was found.
    pub solution: Vec<Vec<(u32, u32)>>,
    pub(super) origin: Origin,
}

/// The file and the lines of a plan, for errors that only a map can show.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    pub(super) file: PathBuf,
    pub(super) starts: Option<usize>,
    pub(super) goals: Option<usize>,
    /// The line `solution=`; tick 0 follows it.
    pub(super) solution: Option<usize>,
}

impl PlanText {
    file_methods! {
        /// Parses a plan; `file` is its name in errors.
        ///
        /// # Errors
        /// `contents` is not a plan, or its lines contradict each other.
        parse: FileKind::Plan, parse; write
    }
}

/// The contents of a plan file. Fields that are `None` are left out.
impl fmt::Display for PlanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "agents={}", self.agents)?;
        for (key, name) in [("map_file", &self.map_file), ("solver", &self.solver)] {
            if let Some(name) = name {
                // A line end in a name would end the line.
                writeln!(f, "{key}={}", name.replace(['\n', '\r'], " "))?;
            }
        }
        if let Some(solved) = self.solved {
            writeln!(f, "solved={}", u8::from(solved))?;
        }
        if let Some(soc) = self.soc {
            writeln!(f, "soc={soc}")?;
        }
        if let Some(makespan) = self.makespan {
            writeln!(f, "makespan={makespan}")?;
        }
        for (key, cells) in [("starts", &self.starts), ("goals", &self.goals)] {
            if let Some(cells) = cells {
                writeln!(f, "{key}={}", CellList(cells))?;
            }
        }
        writeln!(f, "solution=")?;
        for (tick, cells) in self.solution.iter().enumerate() {
            writeln!(f, "{tick}:{}", CellList(cells))?;
        }
        Ok(())
    }
}

/// A list of cells. Without the comma at the end mapf-visualizer overlooks the last cell.
struct CellList<'a>(&'a [(u32, u32)]);

impl fmt::Display for CellList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(x, y)| write!(f, "({x},{y}),"))
    }
}
