//! The agents of a world: where they start, and what they do.

use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::TAU;

use anyhow::Result;
use giveway::area::Area;
use giveway::footprint::{CellId, Motion};
use giveway::scenario::{AgentsFile, At, WorldAgents, WorldArea, WorldFile, WorldPlace};
use giveway::sim::{Endpoints, Task};
use giveway::spaces::Embedding as _;
use giveway::{Agent, Footprint as _, Goals, NodeId, SpaceGraph as _};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

use super::areas::area_of;
use super::floors::Floors;
use super::kinds::{Kind, with_space};
use super::links::place_text;
use super::maps::WorldPart;
use crate::input_file;
use crate::placing::largest_part;
use crate::violation_text::Rounded;

/// An agent of a world.
#[derive(Clone)]
pub(crate) struct Member {
    /// The number of its class.
    pub(crate) kind: usize,
    pub(crate) agent: Agent,
    pub(crate) task: Task,
    /// The name by which orders mean it.
    pub(super) name: Option<String>,
    /// Where the file tells of the agent.
    pub(super) at: usize,
}

/// What agents are wanted for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// Each does what the file says.
    Tasks,
    /// Each goes to one goal and stays there.
    Once,
    /// A run of theirs is checked. Nothing is drawn: starts that would be drawn are [`UNKNOWN`], and there are no drawn
    /// goals.
    Check,
}

/// The start of an agent that would be drawn.
pub(crate) const UNKNOWN: NodeId = NodeId(u32::MAX);

/// The places of a class, as far as agents need them.
struct Known {
    /// By node; `None`: no agent can be there.
    positions: Vec<Option<[f32; 3]>>,
    headings: Vec<f32>,
    /// The largest part in which every place can be reached from every other place.
    part: Vec<NodeId>,
}

/// Where an agent may start.
const APART: &str = "a start beside the starts of others: no two agents hold one cell of the ground, or one node";
/// A vehicle counts as on a place that is so near, under any heading.
const SAME: f32 = 1e-3;

impl Known {
    fn of(kind: &Kind) -> Self {
        with_space!(&kind.space, on => {
            let space = &on.space;
            let position = |node: NodeId| space.contains(node).then(|| space.position(node));
            Self {
                positions: space.nodes().map(position).collect(),
                headings: space.nodes().map(|node| space.heading(node)).collect(),
                part: largest_part(space),
            }
        })
    }

    fn position(&self, node: NodeId) -> [f32; 3] {
        self.positions[node.index()].unwrap_or_default()
    }

    /// The places that are nearest to `place`, under all headings; none if they are farther than `within`.
    fn near(&self, place: &WorldPlace, within: f32, floors: Floors) -> Vec<NodeId> {
        let far = |[x, y, _]: [f32; 3]| (x - place.position[0]).hypot(y - place.position[1]);
        let all = (0..).map(NodeId).zip(&self.positions);
        let open = all.filter_map(|(node, position)| Some((node, (*position)?)));
        let here = open.filter(|(_, position)| floors.has(place.floor, position[2]));
        let near: Vec<(f32, NodeId)> =
            here.map(|(node, position)| (far(position), node)).filter(|(far, _)| *far <= within).collect();
        let Some(least) = near.iter().min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))) else {
            return Vec::new();
        };
        let [x, y, _] = self.position(least.1);
        let is_same = |node: &NodeId| {
            let [a, b, _] = self.position(*node);
            (a - x).hypot(b - y) < SAME
        };
        near.iter().map(|(_, node)| *node).filter(is_same).collect()
    }

    /// The one of `nodes` whose heading is nearest to `heading`, in radians; places that can be left and reached first.
    fn facing(&self, nodes: &[NodeId], heading: f32) -> Option<NodeId> {
        let off = |node: NodeId| {
            let turn = (self.headings[node.index()] - heading).rem_euclid(TAU);
            turn.min(TAU - turn)
        };
        let rank = |node: &NodeId| (self.part.binary_search(node).is_err(), off(*node));
        nodes.iter().copied().min_by(|one, other| {
            let ((a, b), (c, d)) = (rank(one), rank(other));
            a.cmp(&c).then(b.total_cmp(&d)).then(one.cmp(other))
        })
    }
}

/// The reservation cells that agents hold at rest: no two agents hold one together.
#[derive(Default)]
struct Taken(BTreeSet<CellId>);

impl Taken {
    /// Adds an agent of `kind` at `node`, if it has room there. Returns whether it has.
    fn add(&mut self, kind: &Kind, node: NodeId) -> bool {
        let cells: Vec<CellId> = with_space!(&kind.space, on => {
            let entries = on.footprint.entries(&on.space, &Motion::Rest { node, ticks: 0 }, 0);
            entries.into_iter().map(|entry| entry.cell).collect()
        });
        let has_room = cells.iter().all(|cell| !self.0.contains(cell));
        if has_room {
            self.0.extend(cells);
        }
        has_room
    }
}

/// The agents of `world`, for an aim.
pub(super) fn crew(
    world: &WorldFile,
    maps: &[WorldPart],
    kinds: &[Kind],
    floors: Floors,
    (seed, aim): (u64, Aim),
) -> Result<Vec<Member>> {
    let document = world.document();
    let number = |name: &str| document.classes.iter().position(|class| class.name.value == name).unwrap_or_default();
    let used: BTreeSet<usize> = document.agents.iter().map(|agents| number(&agents.class)).collect();
    let known: BTreeMap<usize, Known> = used.iter().map(|kind| (*kind, Known::of(&kinds[*kind]))).collect();
    let mut placing =
        Placing { world, floors, seed, aim, starts: Taken::default(), goals: Taken::default(), members: Vec::new() };
    // Those whose places are known are put there before others are drawn.
    for is_drawn in [false, true] {
        for (row, agents) in document.agents.iter().enumerate().filter(|(_, agents)| agents.count.is_some() == is_drawn)
        {
            let kind = number(&agents.class);
            placing.add(row, agents, kind, &kinds[kind], &known[&kind], maps)?;
        }
    }
    if aim == Aim::Once {
        placing.draw_goals(kinds)?;
    }
    if placing.members.is_empty() {
        return Err(world.error_at(usize::MAX, "at least one of [[agents]]", "none").into());
    }
    Ok(placing.members)
}

struct Placing<'a> {
    world: &'a WorldFile,
    floors: Floors,
    seed: u64,
    aim: Aim,
    starts: Taken,
    goals: Taken,
    members: Vec<Member>,
}

impl Placing<'_> {
    fn add(
        &mut self,
        row: usize,
        agents: &At<WorldAgents>,
        number: usize,
        kind: &Kind,
        known: &Known,
        maps: &[WorldPart],
    ) -> Result<()> {
        let begin = |start: NodeId| Agent::bystander(start).priority(kind.priority);
        let name = agents.name.as_ref().map(|name| name.value.clone());
        if let Some(file) = &agents.file {
            let path = self.world.path(file)?;
            let table = input_file::read(&path, AgentsFile::read, AgentsFile::parse)?;
            let floor = kind.on.iter().map(|map| maps[*map].floor).min().unwrap_or(0);
            for entry in table.entries() {
                let place = |what: &str, position: [f32; 2]| {
                    let near = known.near(&WorldPlace::new(position, floor), within(kind), self.floors);
                    if near.is_empty() {
                        let expected = format!("a {what} at most {} from a place where the agent fits", told(kind));
                        let found = format!("({},{})", position[0], position[1]);
                        return Err(table.error_at(entry.line, expected, found));
                    }
                    Ok(near)
                };
                let (starts, goals) = (place("start", entry.start)?, place("goal", entry.goal)?);
                let towards = heading(entry.start, entry.goal);
                let start = known.facing(&starts, towards).unwrap_or(starts[0]);
                if !self.starts.add(kind, start) {
                    let found = format!("({},{})", entry.start[0], entry.start[1]);
                    return Err(table.error_at(entry.line, APART, found).into());
                }
                self.goals.add(kind, goals[0]);
                let agent = Agent { goals: goals.into_iter().collect(), ..begin(start) };
                self.members.push(Member { kind: number, agent, task: Task::Once, name: None, at: file.at });
            }
            return Ok(());
        }
        let Some(start) = &agents.start else { return self.draw(row, agents, number, kind, known) };
        let starts = self.near(start, "start", kind, known)?;
        let ends = agents.goal.iter().chain(agents.tour.iter().flatten());
        let ends = ends.map(|place| self.near(place, "goal", kind, known)).collect::<Result<Vec<_>>>()?;
        let places: Vec<&At<WorldPlace>> = agents.goal.iter().chain(agents.tour.iter().flatten()).collect();
        let towards = match (&agents.heading, places.first()) {
            (Some(heading), _) => heading.value.to_radians(),
            (None, Some(first)) => heading(start.position, first.position),
            (None, None) => 0.0,
        };
        let first = known.facing(&starts, towards).unwrap_or(starts[0]);
        if !self.starts.add(kind, first) {
            return Err(self.world.error_at(start.at, APART, place_text(start, self.floors)).into());
        }
        let mut agent = begin(first);
        let task = if agents.goal.is_some() || (self.aim != Aim::Tasks && !ends.is_empty()) {
            self.goals.add(kind, ends[0][0]);
            agent.goals = ends[0].iter().copied().collect();
            Task::Once
        } else if self.aim == Aim::Check {
            Task::Once
        } else if ends.is_empty() {
            self.lifelong(agents, kind, known)?
        } else {
            // A vehicle faces along its way.
            let from = [start].into_iter().chain(places.iter().copied());
            let ways = from.zip(&places).map(|(from, to)| heading(from.position, to.position));
            let poses = ends.iter().zip(ways).map(|(nodes, way)| known.facing(nodes, way).unwrap_or(nodes[0]));
            Task::Patrol(poses.collect())
        };
        self.members.push(Member { kind: number, agent, task, name, at: agents.at });
        Ok(())
    }

    /// The places nearest to `place`, under all headings.
    fn near(&self, place: &At<WorldPlace>, what: &str, kind: &Kind, known: &Known) -> Result<Vec<NodeId>> {
        let near = known.near(place, within(kind), self.floors);
        if near.is_empty() {
            let expected =
                format!("a {what} at most {} from a place where an agent of class {:?} fits", told(kind), kind.name);
            return Err(self.world.error_at(place.at, expected, place_text(place, self.floors)).into());
        }
        Ok(near)
    }

    /// The places in one of the areas of these names; all, if there are no names.
    fn places(&self, names: Option<&Vec<At<String>>>, kind: &Kind, known: &Known) -> Result<Vec<NodeId>> {
        let Some(names) = names else { return Ok(known.part.clone()) };
        let document = self.world.document();
        let of_name = |name: &At<String>| {
            let has_name = |area: &&At<WorldArea>| area.name.as_ref().is_some_and(|known| known.value == name.value);
            document.areas.iter().find(has_name).map(|area| area_of(self.world, area, self.floors))
        };
        let areas: Vec<Area> = names.iter().filter_map(of_name).collect::<Result<_>>()?;
        let is_inside = |node: &NodeId| areas.iter().any(|area| area.contains(known.position(*node)));
        let inside: Vec<NodeId> = known.part.iter().copied().filter(is_inside).collect();
        if inside.is_empty() {
            let at = names.first().map_or(0, |name| name.at);
            let expected = format!("an area with places where agents of class {:?} fit", kind.name);
            return Err(self.world.error_at(at, expected, "none").into());
        }
        Ok(inside)
    }

    fn lifelong(&self, agents: &At<WorldAgents>, kind: &Kind, known: &Known) -> Result<Task> {
        let places = self.places(agents.to.as_ref(), kind, known)?;
        Ok(Task::Lifelong { places: places.into_iter().collect::<Endpoints>(), seed: self.seed })
    }

    fn draw(&mut self, row: usize, agents: &At<WorldAgents>, number: usize, kind: &Kind, known: &Known) -> Result<()> {
        let count = agents.count.as_ref().map_or(0, |count| count.value as usize);
        if self.aim == Aim::Check {
            let agent = Agent::bystander(UNKNOWN);
            let member = Member { kind: number, agent, task: Task::Once, name: None, at: agents.at };
            self.members.extend(std::iter::repeat_n(member, count));
            return Ok(());
        }
        let mut places = self.places(agents.from.as_ref(), kind, known)?;
        shuffle(&mut places, self.seed ^ (row as u64 + 1) << 32);
        let task = self.lifelong(agents, kind, known)?;
        let mut found = 0;
        for start in places {
            if found == count {
                break;
            }
            if !self.starts.add(kind, start) {
                continue;
            }
            let agent = Agent::bystander(start).priority(kind.priority);
            self.members.push(Member { kind: number, agent, task: task.clone(), name: None, at: agents.at });
            found += 1;
        }
        if found < count {
            let at = agents.count.as_ref().map_or(agents.at, |count| count.at);
            let expected = format!("room for {count} agents of class {:?}", kind.name);
            return Err(self.world.error_at(at, expected, format_args!("room for {found}")).into());
        }
        Ok(())
    }

    /// Draws a goal for each agent that has none.
    fn draw_goals(&mut self, kinds: &[Kind]) -> Result<()> {
        let mut chance = Pcg32::seed_from_u64(self.seed ^ 0x676F_616C);
        for member in &mut self.members {
            let Task::Lifelong { places, .. } = &member.task else { continue };
            let kind = &kinds[member.kind];
            let nodes = places.nodes();
            let first = chance.random_range(0..nodes.len().max(1));
            let mut all = nodes[first..].iter().chain(&nodes[..first]).filter(|node| **node != member.agent.start);
            let Some(goal) = all.find(|node| self.goals.add(kind, **node)) else {
                let expected = format!("room for the goals of class {:?}", kind.name);
                return Err(self.world.error_at(member.at, expected, "none").into());
            };
            member.agent.goals = Goals::one(*goal);
            member.task = Task::Once;
        }
        Ok(())
    }
}

/// The place of `kind` that is nearest to `place`.
pub(super) fn place_of(world: &WorldFile, place: &At<WorldPlace>, kind: &Kind, floors: Floors) -> Result<NodeId> {
    let known = Known::of(kind);
    let near = known.near(place, within(kind), floors);
    known.facing(&near, 0.0).ok_or_else(|| {
        let expected =
            format!("a goal at most {} from a place where an agent of class {:?} fits", told(kind), kind.name);
        world.error_at(place.at, expected, place_text(place, floors)).into()
    })
}

/// How far from the place that a file names an agent may be put.
fn within(kind: &Kind) -> f32 {
    (3.0 * kind.reach).max(1.0)
}

/// As messages tell it.
fn told(kind: &Kind) -> Rounded {
    Rounded(within(kind).into())
}

/// The direction from one point to another, in radians.
fn heading(from: [f32; 2], to: [f32; 2]) -> f32 {
    (to[1] - from[1]).atan2(to[0] - from[0])
}

fn shuffle(nodes: &mut [NodeId], seed: u64) {
    let mut chance = Pcg32::seed_from_u64(seed);
    for at in (1..nodes.len()).rev() {
        nodes.swap(at, chance.random_range(0..=at));
    }
}
