//! `giveway generate`: maps of a kind, and agents on any map.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use giveway::scenario::{
    CannotGenerate, MapGenerator, MapKind, Scenario, ScenarioGenerator, WorldGenerator, WorldKind,
};

use crate::arguments::{Form, GenerateArguments, Size};
use crate::count::Count;
use crate::input_file;
use crate::output_file::{FileList, OutputFile, StagedFile};
use crate::planning::read_map;
use crate::table::row;
use crate::verdict::Verdict;

/// Makes what `arguments` ask for.
pub(crate) fn generate(arguments: &GenerateArguments) -> Result<Verdict> {
    match arguments.form()? {
        Form::World { kind, size, world_out } => world(arguments, kind, size, world_out),
        Form::Map { kind, size, density, map_out, scen_out } => {
            let map_file = OutputFile::claim(map_out, &[])?;
            let scen_file = OutputFile::claim(scen_out, &[("--map-out", map_out)])?;
            let name = map_name(map_out)?;
            let generator = MapGenerator::new(kind, size.width, size.height).seed(arguments.seed);
            let generator = density.into_iter().fold(generator, MapGenerator::density);
            let map = generator.generate().map_err(|error| match error {
                CannotGenerate::DensityMeansNothing(_) => anyhow!("--density does nothing with {kind}: {error}"),
                error => error.into(),
            })?;
            let agents = ScenarioGenerator::new(&map)?;
            let scenario = agents.generate(name, arguments.agents, arguments.seed)?;
            let generated = Generated::new(Some(kind), (map.width(), map.height()), name, &agents, &scenario);
            let files = vec![map_file.stage(&map)?, scen_file.stage(&scenario)?];
            Ok(generated.written([map_out, scen_out], files))
        }
        Form::Scenario { map: file, scen_out } => {
            let scen_file = OutputFile::claim(scen_out, &input_file::files([("--map", file)]))?;
            let name = map_name(file)?;
            let map = read_map(file)?;
            let here = || file.display().to_string();
            let agents = ScenarioGenerator::new(&map).with_context(here)?;
            let scenario = agents.generate(name, arguments.agents, arguments.seed).with_context(here)?;
            let generated = Generated::new(None, (map.width(), map.height()), name, &agents, &scenario);
            let files = vec![scen_file.stage(&scenario)?];
            Ok(generated.written([scen_out], files))
        }
    }
}

/// Makes a world.
fn world(arguments: &GenerateArguments, kind: WorldKind, size: Size, world_out: &Path) -> Result<Verdict> {
    let file = OutputFile::claim(world_out, &[])?;
    let text =
        WorldGenerator::new(kind, size.width, size.height).agents(arguments.agents).seed(arguments.seed).generate()?;
    let files = vec![file.stage(&text)?];
    let agents = Count(arguments.agents.into(), "agent");
    let made = format!("Generated: a world of {} x {} cells, {agents}.\n\n", size.width, size.height);
    Ok(Verdict { good: true, text: Box::new(made + &FileList::of([world_out]).to_string()), files })
}

/// The name of the map in a scenario: the name of the file, without its folder.
fn map_name(file: &Path) -> Result<&str> {
    // Tabs and line ends separate the fields of a scenario, and its text is UTF-8.
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| !name.trim().is_empty() && !name.contains(char::is_control));
    name.with_context(|| format!("{}: expected a file name that a scenario can hold", file.display()))
}

/// The result of generating.
struct Generated {
    /// `None`: the map existed before.
    kind: Option<MapKind>,
    sides: (u32, u32),
    name: String,
    free: u32,
    parts: usize,
    largest: u32,
    agents: usize,
    /// Agents whose part is a single cell.
    stay: usize,
    written: FileList,
}

impl Generated {
    fn new(
        kind: Option<MapKind>,
        sides: (u32, u32),
        name: &str,
        generator: &ScenarioGenerator,
        scenario: &Scenario,
    ) -> Self {
        let entries = scenario.entries();
        Self {
            kind,
            sides,
            name: name.to_owned(),
            free: generator.room(),
            parts: generator.parts(),
            largest: generator.largest_part(),
            agents: entries.len(),
            stay: entries.iter().filter(|entry| entry.start == entry.goal).count(),
            written: FileList::of([]),
        }
    }

    /// The verdict that the files of these `names` are made, once `files` are written.
    fn written<'a>(self, names: impl IntoIterator<Item = &'a Path>, files: Vec<StagedFile>) -> Verdict {
        let written = FileList::of(names);
        Verdict { good: true, text: Box::new(Self { written, ..self }), files }
    }
}

/// The summary for people.
impl fmt::Display for Generated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = self.sides;
        let agents = Count(self.agents as u64, "agent");
        match self.kind {
            Some(kind) => writeln!(f, "Generated: a map of the kind {kind}, and a scenario of {agents} on it.\n")?,
            None => writeln!(f, "Generated: a scenario of {agents} on {}.\n", self.name)?,
        }
        let cells = u64::from(width) * u64::from(height);
        row(f, "size", &format_args!("{width}x{height}"), format_args!("{}", Count(cells, "cell")))?;
        row(f, "free cells", &self.free, format_args!("{} % of all", Percent(self.free.into(), cells)))?;
        let share = Percent(self.largest.into(), self.free.into());
        let parts = Count(self.parts as u64, "connected part");
        row(f, "largest part", &self.largest, format_args!("cells; {share} % of the free ones, of {parts}"))?;
        row(f, "agents", &self.agents, format_args!("{}", Whereabouts(self)))?;
        writeln!(f)?;
        write!(f, "{}", self.written)
    }
}

/// Where agents are.
struct Whereabouts<'a>(&'a Generated);

impl fmt::Display for Whereabouts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Generated { agents, largest, stay, .. } = self.0;
        match agents.saturating_sub(*largest as usize) {
            0 => f.write_str("all in the largest part")?,
            elsewhere => write!(f, "{elsewhere} of them outside the largest part, which is full")?,
        }
        if *stay > 0 { write!(f, "; {stay} that cannot move") } else { Ok(()) }
    }
}

/// The first number as a share of the second, in percent.
struct Percent(u64, u64);

impl fmt::Display for Percent {
    #[allow(clippy::cast_precision_loss)] // one decimal is shown
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", 100.0 * self.0 as f64 / self.1.max(1) as f64)
    }
}
