//! From the text of a plan to its lists of cells.

use std::path::Path;

use giveway_core::Tick;

use super::contents::{Origin, PlanText};
use crate::file_error::FileError;
use crate::lines::{Line, Lines, quoted};

const TRUTH: &str = "1 or 0";

pub(super) fn parse(contents: &[u8], file: &Path) -> Result<PlanText, FileError> {
    let mut lines = Lines::new(contents, file)?;
    let origin = Origin { file: file.to_owned(), ..Origin::default() };
    let mut header = Header { plan: PlanText { origin, ..PlanText::default() }, agents: Agents::default() };
    while header.plan.origin.solution.is_none() {
        header.read(&lines.require("\"solution=\"")?)?;
    }
    let Header { mut plan, mut agents } = header;
    for line in &mut lines {
        if line.is_blank() {
            lines.require_end("the solution")?;
            break;
        }
        let cells = tick(&line, plan.solution.len())?;
        agents.agree(&line, cells.len())?;
        if plan.solution.is_empty() {
            check_starts(&line, plan.starts.as_deref().unwrap_or_default(), &cells)?;
        }
        plan.solution.push(cells);
    }
    plan.agents = agents.count.unwrap_or(0);
    // A plan without a solution must say `solved=0`.
    if plan.solution.is_empty() && plan.solved != Some(false) {
        return Err(lines.ended_before("\"0:\" and the cells of all agents, or \"solved=0\""));
    }
    Ok(plan)
}

/// The contents of the lines before the solution.
struct Header {
    plan: PlanText,
    agents: Agents,
}

impl Header {
    fn read(&mut self, line: &Line<'_>) -> Result<(), FileError> {
        if line.is_blank() {
            return Ok(());
        }
        let Some((key, value)) = line.text.split_once('=') else {
            return Err(line.expected("key=value or \"solution=\"", line.quoted()));
        };
        let word = value.trim();
        let plan = &mut self.plan;
        match key.trim() {
            "agents" => {
                let count = line.number(word, "the number of agents")?;
                self.agents.agree(line, count)?;
            }
            "map_file" => once(line, &mut plan.map_file, value.to_owned())?,
            "solver" => once(line, &mut plan.solver, value.to_owned())?,
            "solved" => {
                let solved = match word {
                    "1" | "true" => true,
                    "0" | "false" => false,
                    _ => return Err(line.expected_at(word, TRUTH, quoted(word))),
                };
                once(line, &mut plan.solved, solved)?;
            }
            "soc" => once(line, &mut plan.soc, line.number(word, "a whole number of ticks")?)?,
            "makespan" => once(line, &mut plan.makespan, line.number(word, "a whole number of ticks")?)?,
            "starts" => {
                let cells = self.agents.cells(line, value)?;
                once(line, &mut plan.starts, cells)?;
                plan.origin.starts = Some(line.number);
            }
            "goals" => {
                let cells = self.agents.cells(line, value)?;
                once(line, &mut plan.goals, cells)?;
                plan.origin.goals = Some(line.number);
            }
            "solution" if word.is_empty() => plan.origin.solution = Some(line.number),
            "solution" => {
                return Err(line.expected_at(word, "nothing after \"solution=\"", quoted(word)));
            }
            // Keys of other tools: lower bounds, times, seeds.
            _ => {}
        }
        Ok(())
    }
}

/// The number of agents, and the first line that tells it.
#[derive(Default)]
struct Agents {
    count: Option<usize>,
    line: usize,
}

impl Agents {
    /// The cells of all of them, which a line lists.
    fn cells(&mut self, line: &Line<'_>, list: &str) -> Result<Vec<(u32, u32)>, FileError> {
        let cells = cells(line, list)?;
        self.agree(line, cells.len())?;
        Ok(cells)
    }

    fn agree(&mut self, line: &Line<'_>, count: usize) -> Result<(), FileError> {
        match self.count {
            Some(before) if before != count => {
                Err(line.expected(format_args!("{before} {} as on line {}", plural(before), self.line), count))
            }
            Some(_) => Ok(()),
            None => {
                *self = Self { count: Some(count), line: line.number };
                Ok(())
            }
        }
    }
}

fn plural(agents: usize) -> &'static str {
    if agents == 1 { "agent" } else { "agents" }
}

fn once<T>(line: &Line<'_>, place: &mut Option<T>, value: T) -> Result<(), FileError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(line.expected("each key once", line.quoted())),
    }
}

/// The cells of the line of `tick`.
fn tick(line: &Line<'_>, tick: usize) -> Result<Vec<(u32, u32)>, FileError> {
    let Some((number, list)) = line.text.split_once(':') else {
        return Err(line.expected(format_args!("\"{tick}:\" and the cells of all agents"), line.quoted()));
    };
    let number = number.trim();
    let found: Tick = line.number(number, format_args!("tick {tick}"))?;
    if usize::try_from(found) != Ok(tick) {
        return Err(line.expected(format_args!("tick {tick}"), found));
    }
    cells(line, list)
}

/// The cells of a list: `(x,y),(x,y),`, with or without the last comma and white space.
fn cells(line: &Line<'_>, list: &str) -> Result<Vec<(u32, u32)>, FileError> {
    const CELL: &str = "a cell as (x,y)";
    let mut cells = Vec::new();
    let mut rest = list.trim();
    while !rest.is_empty() {
        let ((x, y), after) = rest
            .strip_prefix('(')
            .and_then(|inside| inside.split_once(')'))
            .and_then(|(pair, after)| Some((pair.split_once(',')?, after)))
            .ok_or_else(|| line.expected_at(rest, CELL, quoted(rest)))?;
        cells.push((coordinate(line, x)?, coordinate(line, y)?));
        let after = after.trim_start();
        rest = match after.strip_prefix(',') {
            Some(next) => next.trim_start(),
            None if after.is_empty() => after,
            None => return Err(line.expected_at(after, "a comma", quoted(after))),
        };
    }
    Ok(cells)
}

fn coordinate(line: &Line<'_>, text: &str) -> Result<u32, FileError> {
    line.number(text.trim(), "a coordinate from 0 to 4294967295")
}

fn check_starts(line: &Line<'_>, starts: &[(u32, u32)], found: &[(u32, u32)]) -> Result<(), FileError> {
    let mut agents = starts.iter().zip(found).enumerate();
    match agents.find(|(_, (start, found))| start != found) {
        None => Ok(()),
        Some((agent, ((x, y), (found_x, found_y)))) => {
            Err(line
                .expected(format_args!("agent {agent} at its start ({x},{y})"), format_args!("({found_x},{found_y})")))
        }
    }
}
