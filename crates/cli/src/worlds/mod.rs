//! Worlds in one file: their maps, classes and agents.

mod areas;
mod crew;
mod floors;
mod ground;
mod joining;
mod judge;
mod kinds;
mod links;
mod maps;
mod sides;
mod sight;
mod site;
mod union;
mod walls;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use giveway::direction::WorldDirectionMap;
use giveway::plan::Trace;
use giveway::plan::fewest_ticks;
use giveway::scenario::WorldFile;
use giveway::sim::{Simulation, Task};
use giveway::spaces::Embedding as _;
use giveway::strategies::{ClassId, Crowd, CrowdSettings};
use giveway::time::{Span, Tick, Ticks};
use giveway::{Agent, AgentId, Instance, SpaceGraph as _};

pub(crate) use areas::Course;
pub(crate) use crew::{Member, UNKNOWN};
pub(crate) use kinds::{Kind, KindSpace};
pub(crate) use site::Outcome;

use crate::input_file;
use crate::places::Places;
use crate::violation_text::Violations;
use areas::Told;
use crew::Aim;
use floors::Floors;
use kinds::{Kinds, with_space};
use maps::WorldPart;
use sides::Sides;

/// By default agents plan this many moves ahead, if moves take more than a tick.
const MOVES_AHEAD: Tick = 8;

/// All maps together have at most so many cells, those before an offset included.
const MOST_CELLS: u64 = 1 << 25;

/// A world that has been read, with all that it names.
pub(crate) struct LoadedWorld {
    pub(crate) file: WorldFile,
    /// The time after reading the files.
    pub(crate) begin: Instant,
    maps: Vec<WorldPart>,
    floors: Floors,
    pub(crate) kinds: Vec<Kind>,
    sides: Sides,
    pub(crate) ticks_per_step: Ticks,
    /// In the order of the file, but those that are drawn last.
    pub(crate) crew: Vec<Member>,
    /// Of all that is drawn.
    pub(crate) seed: u64,
}

impl LoadedWorld {
    /// The world in the file at `path`, with agents. `seed` is added to the seed of the file. With `once`, each agent
    /// goes to one goal and stays there.
    pub(crate) fn read(path: &Path, seed: u64, once: bool) -> Result<Self> {
        Self::read_with(path, seed, if once { Aim::Once } else { Aim::Tasks })
    }

    /// The world in the file at `path`, with the agents whose runs are checked: nothing is drawn.
    pub(crate) fn read_to_check(path: &Path) -> Result<Self> {
        Self::read_with(path, 0, Aim::Check)
    }

    fn read_with(path: &Path, seed: u64, aim: Aim) -> Result<Self> {
        let mut world = Self::read_empty(path)?;
        world.seed = world.file.document().seed.wrapping_add(seed);
        let Kinds { kinds, ticks_per_step } = Kinds::new(&world.file, &world.maps, world.floors)?;
        world.sides = Sides::new(&world.file, &world.maps, world.floors)?;
        world.crew = crew::crew(&world.file, &world.maps, &kinds, world.floors, (world.seed, aim))?;
        Ok(Self { kinds, ticks_per_step, ..world })
    }

    /// The world in the file at `path`, without classes and agents.
    pub(crate) fn read_empty(path: &Path) -> Result<Self> {
        let file = input_file::read(path, WorldFile::read, WorldFile::parse)?;
        let (mut maps, mut size) = (Vec::new(), 0);
        for map in &file.document().maps {
            let part = WorldPart::read(&file, map)?;
            size += part.size();
            if size > MOST_CELLS {
                return Err(file.error_at(map.at, format_args!("at most {MOST_CELLS} cells in all"), "more").into());
            }
            maps.push(part);
        }
        let floors = Floors::of(&maps, file.document().floor_height.value);
        let begin = Instant::now();
        let (kinds, crew, sides) = (Vec::new(), Vec::new(), Sides::default());
        Ok(Self { file, begin, maps, floors, kinds, sides, ticks_per_step: 1, crew, seed: 0 })
    }

    /// What happens at ticks.
    pub(crate) fn course(&self) -> Result<Course> {
        let mut orders = Vec::new();
        for order in &self.file.document().orders {
            let is_meant = |member: &Member| member.name.as_ref() == Some(&order.agent.value);
            let found = (0..).map(AgentId).zip(&self.crew).find(|(_, member)| is_meant(member));
            let Some((agent, member)) = found else { continue };
            let goal = match &order.goal {
                None => None,
                Some(place) => Some(crew::place_of(&self.file, place, &self.kinds[member.kind], self.floors)?),
            };
            orders.push(Told { tick: order.tick, agent, goal, at: order.at });
        }
        Course::new(&self.file, self.floors, orders)
    }

    /// The crowd of `settings`, with its classes, and without agents.
    pub(crate) fn crowd(&self, settings: CrowdSettings, course: &Course) -> Result<(Crowd<'static>, Vec<ClassId>)> {
        let mut crowd = Crowd::new(settings);
        let mut classes = Vec::new();
        let sides = self.sides.begin();
        for kind in &self.kinds {
            let why =
                |error: anyhow::Error| self.file.error_why(kind.at, format_args!("class {:?}: {error:#}", kind.name));
            classes.push(kind.add_to(&mut crowd, &sides, self.seed, course.has_areas()).map_err(why)?);
        }
        Ok((crowd, classes))
    }

    /// A simulation of the crowd of `settings`, recorded, before its first tick. With `calls` the crowd notes what it
    /// is told.
    pub(crate) fn simulation(
        &self,
        settings: CrowdSettings,
        course: &Course,
        calls: bool,
    ) -> Result<Simulation<'static>> {
        let (mut crowd, classes) = self.crowd(settings, course)?;
        crowd.record_calls(calls);
        let mut simulation = Simulation::new(crowd).recorded();
        for member in &self.crew {
            let added = simulation.add(classes[member.kind], member.agent.clone(), member.task.clone());
            added.map_err(|error| self.file.error_why(member.at, error))?;
        }
        Ok(simulation)
    }

    /// Refuses a world without one side whose direction map can be written.
    pub(crate) fn require_one_side(&self) -> Result<()> {
        match self.file.document().sides.len() {
            1 if self.kinds.iter().any(|kind| kind.side.is_some()) => Ok(()),
            count => bail!(
                "--learned writes what the one side of a world has learned, and this one has {}",
                match count {
                    0 => "no side".to_owned(),
                    1 => "no class on its side".to_owned(),
                    _ => format!("{count} sides"),
                }
            ),
        }
    }

    /// What the first side of `crowd`, a crowd of this world, has learned.
    pub(crate) fn learned<'c>(&self, crowd: &'c Crowd<'_>) -> Option<&'c WorldDirectionMap> {
        let (class, _) = (0..).map(ClassId).zip(&self.kinds).find(|(_, kind)| kind.side.is_some())?;
        crowd.layer(class)
    }

    /// How far ahead agents plan, as the file says, or as suits its moves; `None`: the default.
    pub(crate) fn window(&self) -> Option<Tick> {
        let document = self.file.document();
        document.window.as_ref().map(|window| window.value).or((!self.is_of_steps()).then_some(MOVES_AHEAD))
    }

    /// Whether agents get new goals for ever.
    pub(crate) fn is_endless(&self) -> bool {
        self.crew.iter().any(|member| member.task != Task::Once)
    }

    /// Whether all moves take a tick.
    pub(crate) fn is_of_steps(&self) -> bool {
        use giveway::footprint::ConflictRule;
        let in_steps = |kind: &Kind| matches!(kind.space, KindSpace::Grid(_) | KindSpace::Nodes(_, ConflictRule::Swap));
        self.kinds.iter().all(in_steps)
    }

    /// How many ticks each agent would need if it were alone; `None`: an agent cannot arrive.
    pub(crate) fn fewest_ticks(&self) -> Result<Option<Vec<Tick>>> {
        let mut fewest = vec![None; self.crew.len()];
        for (number, kind) in self.kinds.iter().enumerate() {
            let own: Vec<usize> = (0..self.crew.len()).filter(|agent| self.crew[*agent].kind == number).collect();
            let agents: Vec<Agent> = own.iter().map(|agent| self.crew[*agent].agent.clone()).collect();
            let found = with_space!(&kind.space, on => fewest_ticks(&Instance::new(&on.space, &on.footprint, agents)?));
            for (agent, ticks) in own.into_iter().zip(found) {
                fewest[agent] = ticks;
            }
        }
        Ok(fewest.into_iter().collect())
    }

    /// The violations of a recording, or of a piece of it, that begin during `span`.
    pub(crate) fn violations(&self, trace: &Trace, span: Span) -> Violations {
        judge::violations(self, trace, span, None)
    }

    /// The violations of a trace of any program, and its agents beside the places of their classes.
    pub(crate) fn check(&self, trace: &Trace, tolerance: Option<f32>) -> Violations {
        let mut violations = judge::violations(self, trace, Span::endless(0), tolerance);
        violations.named.extend(judge::misplaced(self, trace));
        violations
    }

    /// The names of places in messages.
    pub(crate) fn places(&self) -> Places {
        let Some(kind) = self.kinds.first() else { return Places::Positions(Arc::new(Vec::new())) };
        if let KindSpace::Grid(on) = &kind.space {
            return Places::Cells(on.space.clone());
        }
        let positions = with_space!(&kind.space, on => on.space.nodes().map(|node| on.space.position(node)).collect());
        Places::Positions(Arc::new(positions))
    }
}
