//! Where agents start and go on the nodes of a space: from a file, or drawn from a seed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use giveway::footprint::CellId;
use giveway::scenario::{AgentsFile, MapFile, Scenario, ScenarioGenerator};
use giveway::spaces::Embedding;
use giveway::{Agent, NodeId};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

use crate::arguments::InstanceArguments;
use crate::input_file;

/// Agents on nodes.
pub(crate) struct Placed {
    pub(crate) agents: Vec<Agent>,
    /// The goals of all rows of the file, if there is one; otherwise those of the agents. Each is listed once.
    pub(crate) goals: Vec<NodeId>,
}

/// How agents are to be placed.
pub(crate) struct Placing<'a> {
    pub(crate) arguments: &'a InstanceArguments,
    /// Whether agents stay at their goals: no two may overlap there, and goals of other rows do not count.
    pub(crate) once: bool,
    pub(crate) seed: u64,
    /// Where drawn agents may start, and may go; `None`: anywhere.
    pub(crate) marks: &'a [Option<Vec<NodeId>>; 2],
    /// How far from a place in the file an agent may be put.
    pub(crate) within: f32,
    /// How far two agents must be apart; 0: on different nodes.
    pub(crate) least: f32,
    /// Agents that are so far apart never hold a cell together.
    pub(crate) enough: f32,
}

impl Placing<'_> {
    /// The agents of `file`, or drawn ones. `cells` are those that an agent at rest on a node holds.
    pub(crate) fn place<S: Embedding>(
        &self,
        file: Option<&AgentsFile>,
        space: &S,
        cells: impl Fn(NodeId) -> Vec<CellId>,
    ) -> Result<Placed> {
        match file {
            Some(file) => self.of_file(file, space, cells),
            None => self.drawn(space),
        }
    }

    fn of_file<S: Embedding>(
        &self,
        file: &AgentsFile,
        space: &S,
        cells: impl Fn(NodeId) -> Vec<CellId>,
    ) -> Result<Placed> {
        let nearest = Nearest::new(space);
        let count = self.arguments.agents.map_or(file.entries().len(), |count| count as usize);
        let chosen = file.first(count)?;
        if chosen.is_empty() {
            let path = self.arguments.agents_file.as_deref().or(self.arguments.scen.as_deref());
            bail!("{}: expected at least one agent, found none", path.unwrap_or(self.arguments.map()).display());
        }
        let within = self.within;
        let place = |line: usize, what: &str, at: [f32; 2]| {
            nearest.node(at, within).ok_or_else(|| {
                let expected = format!("a {what} on the map, at most {within} from a place where the agent fits");
                file.error_at(line, expected, format_args!("({},{})", at[0], at[1]))
            })
        };
        let (mut ends, mut goals) = (Vec::new(), Vec::new());
        for entry in chosen {
            let both = [place(entry.line, "start", entry.start)?, place(entry.line, "goal", entry.goal)?];
            goals.push(both[1]);
            ends.push(both);
        }
        if !self.once {
            // Of rows beyond the agents only goals count, if they can be used.
            let others = file.entries()[count..].iter();
            goals.extend(others.filter_map(|entry| place(entry.line, "goal", entry.goal).ok()));
        }
        let lines: Vec<usize> = chosen.iter().map(|entry| entry.line).collect();
        let whats = if self.once { ["start", "goal"].as_slice() } else { &["start"] };
        for (end, what) in whats.iter().enumerate() {
            let at = |agent: usize| flat(space, ends[agent][end]).map(f64::from);
            check_apart(file, &lines, what, self.least, at)?;
            check_cells(file, &lines, what, self.enough, at, |agent| cells(ends[agent][end]))?;
        }
        goals.sort_unstable();
        goals.dedup();
        Ok(Placed { agents: ends.into_iter().map(|[start, goal]| Agent::new(start, goal)).collect(), goals })
    }

    /// Agents that `seed` draws, all in the largest part of the space in which every place can be reached from every
    /// other place. Starts are far enough from each other, and so are goals.
    fn drawn<S: Embedding>(&self, space: &S) -> Result<Placed> {
        let map = self.arguments.map().display();
        let Some(count) = self.arguments.agents else {
            bail!("{map}: expected --agents-file, or --agents with the number of agents to draw");
        };
        let part = largest_part(space);
        let mut chance = Pcg32::seed_from_u64(self.seed);
        let mut choose = |marked: &Option<Vec<NodeId>>| {
            let mut part = part.clone();
            if let Some(marked) = marked {
                let marked: BTreeSet<&NodeId> = marked.iter().collect();
                part.retain(|node| marked.contains(node));
            }
            for at in (1..part.len()).rev() {
                part.swap(at, chance.random_range(0..=at));
            }
            self.far_apart(space, &part, count as usize)
        };
        let (starts, mut goals) = (choose(&self.marks[0]), choose(&self.marks[1]));
        let room = starts.len().min(goals.len());
        if room < count as usize {
            bail!("{map}: expected room for {count} agents, found room for {room}");
        }
        // A goal where its agent starts is given to the next agent.
        for agent in 0..goals.len() {
            if goals[agent] == starts[agent] && goals.len() > 1 {
                goals.swap(agent, (agent + 1) % starts.len());
            }
        }
        let agents = starts.into_iter().zip(&goals).map(|(start, goal)| Agent::new(start, *goal)).collect();
        goals.sort_unstable();
        Ok(Placed { agents, goals })
    }

    /// The first `count` of `nodes` that are not too near to those before.
    fn far_apart<S: Embedding>(&self, space: &S, nodes: &[NodeId], count: usize) -> Vec<NodeId> {
        let side = f64::from(self.least.max(self.enough));
        if side <= 0.0 {
            return nodes.iter().copied().take(count).collect();
        }
        let mut chosen = Vec::new();
        let mut by_square: BTreeMap<[i64; 2], Vec<[f64; 2]>> = BTreeMap::new();
        for node in nodes {
            let at = flat(space, *node).map(f64::from);
            #[allow(clippy::cast_possible_truncation)] // saturates
            let square = at.map(|coordinate| (coordinate / side).floor() as i64);
            let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [square[0] + dx, square[1] + dy]));
            let is_near = |other: &[f64; 2]| (at[0] - other[0]).powi(2) + (at[1] - other[1]).powi(2) < side * side;
            if near.filter_map(|square| by_square.get(&square)).flatten().any(is_near) {
                continue;
            }
            by_square.entry(square).or_default().push(at);
            chosen.push(*node);
            if chosen.len() == count {
                break;
            }
        }
        chosen
    }
}

/// The agents of the scenario or the agents file that `arguments` name; `None`: there is neither.
pub(crate) fn read_agents(arguments: &InstanceArguments) -> Result<Option<AgentsFile>> {
    if let Some(path) = &arguments.agents_file {
        return Ok(Some(input_file::read(path, AgentsFile::read, AgentsFile::parse)?));
    }
    let Some(path) = &arguments.scen else { return Ok(None) };
    let scenario = input_file::read(path, Scenario::read, Scenario::parse)?;
    #[allow(clippy::cast_precision_loss)] // a grid has fewer columns
    let place = |(x, y): (u32, u32)| [x as f32, y as f32];
    let ends = scenario.entries().iter().map(|entry| [place(entry.start), place(entry.goal)]);
    Ok(Some(AgentsFile::new(path, ends)))
}

/// A scenario of agents that `seed` draws on `map`, as `giveway generate scen` does.
pub(crate) fn drawn_scenario(map: &MapFile, path: &Path, agents: u32, seed: u64) -> Result<Scenario> {
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    let generator = ScenarioGenerator::new(map).with_context(|| path.display().to_string())?;
    generator.generate(&name.to_string_lossy(), agents, seed).with_context(|| path.display().to_string())
}

fn flat<S: Embedding>(space: &S, node: NodeId) -> [f32; 2] {
    let [x, y, _] = space.position(node);
    [x, y]
}

/// The nodes of a space, to find the nearest one.
struct Nearest {
    /// By x, then y, then node.
    nodes: Vec<([f32; 2], NodeId)>,
}

impl Nearest {
    fn new<S: Embedding>(space: &S) -> Self {
        let open = space.nodes().filter(|node| space.contains(*node));
        let mut nodes: Vec<_> = open.map(|node| (flat(space, node), node)).collect();
        nodes.sort_by(|(one, a), (other, b)| {
            one[0].total_cmp(&other[0]).then(one[1].total_cmp(&other[1])).then(a.cmp(b))
        });
        Self { nodes }
    }

    /// The nearest node, at most `within` from `at`; among equals the first one.
    fn node(&self, at: [f32; 2], within: f32) -> Option<NodeId> {
        let within = f64::from(within);
        let at = at.map(f64::from);
        let first = self.nodes.partition_point(|(place, _)| f64::from(place[0]) < at[0] - within);
        let near = self.nodes[first..].iter().take_while(|(place, _)| f64::from(place[0]) <= at[0] + within);
        let far = |place: &[f32; 2]| {
            let [x, y] = place.map(f64::from);
            (x - at[0]).powi(2) + (y - at[1]).powi(2)
        };
        let known = near.map(|(place, node)| (far(place), *node)).filter(|(far, _)| *far <= within * within);
        known.min_by(|(one, a), (other, b)| one.total_cmp(other).then(a.cmp(b))).map(|(_, node)| node)
    }
}

/// The nodes of the largest part of `space` in which every node can be reached from every other node; among equals that
/// with the first node. By Kosaraju's algorithm.
pub(crate) fn largest_part<S: Embedding>(space: &S) -> Vec<NodeId> {
    let open: Vec<NodeId> = space.nodes().filter(|node| space.contains(*node)).collect();
    let mut into: Vec<Vec<NodeId>> = vec![Vec::new(); space.node_bound()];
    let mut finished = Vec::with_capacity(open.len());
    let mut seen = vec![false; space.node_bound()];
    for root in &open {
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        let mut stack = vec![(*root, ends(space, *root).into_iter())];
        while let Some((node, ways)) = stack.last_mut() {
            let node = *node;
            match ways.next() {
                Some(to) => {
                    into[to.index()].push(node);
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        stack.push((to, ends(space, to).into_iter()));
                    }
                }
                None => {
                    finished.push(node);
                    stack.pop();
                }
            }
        }
    }
    let mut best: Vec<NodeId> = Vec::new();
    while let Some(root) = finished.pop() {
        if !std::mem::replace(&mut seen[root.index()], false) {
            continue;
        }
        let mut part = vec![root];
        let mut next = 0;
        while let Some(node) = part.get(next).copied() {
            next += 1;
            let others = into[node.index()].iter();
            part.extend(others.filter(|from| std::mem::replace(&mut seen[from.index()], false)));
        }
        part.sort_unstable();
        if part.len() > best.len() || (part.len() == best.len() && part < best) {
            best = part;
        }
    }
    best
}

fn ends<S: Embedding>(space: &S, node: NodeId) -> Vec<NodeId> {
    space.moves(node).map(|m| m.to).collect()
}

/// Refuses agents that would overlap at their starts, or at their goals: what they are is `what`, agent i is on line
/// `lines[i]` of `file`, and there `at(i)`.
pub(crate) fn check_apart(
    file: &AgentsFile,
    lines: &[usize],
    what: &str,
    least: f32,
    at: impl Fn(usize) -> [f64; 2],
) -> Result<()> {
    // Only agents near in x can be near.
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|one, other| at(*one)[0].total_cmp(&at(*other)[0]).then(one.cmp(other)));
    for (place, one) in order.iter().enumerate() {
        for other in &order[place + 1..] {
            let [a, b] = [at(*one), at(*other)];
            if b[0] - a[0] > f64::from(least) {
                break;
            }
            let far = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
            if far < f64::from(least) * (1.0 - 1e-6) || far == 0.0 {
                let (first, second) = (lines[*one].min(lines[*other]), lines[*one].max(lines[*other]));
                let expected = format!("a {what} at least {least} from the {what} of line {first}");
                bail!(file.error_at(second, expected, format_args!("a distance of {far:.3}")));
            }
        }
    }
    Ok(())
}

/// Refuses agents that would hold a cell of the ground together. Agents that are `enough` apart never do.
pub(crate) fn check_cells(
    file: &AgentsFile,
    lines: &[usize],
    what: &str,
    enough: f32,
    at: impl Fn(usize) -> [f64; 2],
    cells: impl Fn(usize) -> Vec<CellId>,
) -> Result<()> {
    let mut held: Vec<(CellId, usize)> = Vec::new();
    for agent in 0..lines.len() {
        held.extend(cells(agent).into_iter().map(|cell| (cell, agent)));
    }
    held.sort_unstable();
    held.dedup();
    let together = held.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| [pair[1].1, pair[0].1]);
    if let Some([other, one]) = together.min() {
        let [a, b] = [at(one), at(other)];
        let far = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
        let expected = format!(
            "a {what} that shares no cell of the ground with the {what} of line {}: {enough:.3} away is enough",
            lines[one]
        );
        bail!(file.error_at(lines[other], expected, format_args!("a distance of {far:.3}")));
    }
    Ok(())
}
