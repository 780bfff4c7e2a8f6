//! Worlds: maps, classes, agents, links, areas and orders in one file, as TOML.

mod at;
mod document;
mod message;
mod names;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use giveway_lanes::DirectionRules;
use giveway_spaces::NavMesh;

pub use at::At;
pub use document::{
    WorldAgents, WorldArea, WorldClass, WorldDocument, WorldGround, WorldLink, WorldLinkKind, WorldMap, WorldOrder,
    WorldPlace, WorldRoads, WorldShape, WorldSide, WorldStrategy, WorldTurning,
};

use crate::colors::Colors;
use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::folder;
use crate::graph::GraphFile;
use crate::kind::FileKind;
use crate::lines::{decode, quoted};
use crate::map::MapFile;

/// Positions beyond this count as mistakes.
const FARTHEST: f64 = 1e5;
/// Floors beyond this count as mistakes.
const MOST_FLOORS: i32 = 1000;
/// The most agents.
const MOST_AGENTS: u64 = 1 << 20;
/// The most maps, classes, links and areas, each.
const MOST_PARTS: usize = 10_000;
/// The most places on stairs.
const MOST_PLACES: u32 = 10_000;

/// A world in one file: maps, classes of agents, agents, links, areas and orders, as TOML.
///
/// ```
/// use giveway_scenario::{WorldFile, WorldShape};
///
/// let world = WorldFile::parse(
///     r##"
///     [[map]]
///     cells = """
///     ....#....
///     .........
///     ....#...."""
///
///     [[class]]
///     name = "walker"
///     shape = { disc = 0.3 }
///
///     [[agents]]
///     class = "walker"
///     start = [0, 1]
///     goal = [8, 1]
///     "##,
///     "gap.toml",
/// )?;
/// let document = world.document();
/// assert_eq!(document.classes[0].shape.as_deref(), Some(&WorldShape::Disc(0.3)));
/// let gap = world.cells(&document.maps[0])?.expect("the cells are in the file");
/// assert!(gap.is_passable(4, 1) && !gap.is_passable(4, 0));
///
/// let unknown = WorldFile::parse("[[class]]\nname = \"walker\"\nsped = 2\n", "torn.toml");
/// assert_eq!(
///     unknown.unwrap_err().to_string(),
///     "torn.toml:3:1: expected a key of a class, found \"sped\": is \"speed\" meant?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The book has all keys: "A world in a file".
#[derive(Clone, PartialEq, Debug)]
pub struct WorldFile {
    file: PathBuf,
    text: String,
    document: WorldDocument,
}

impl WorldFile {
    file_methods! {
        /// Parses a world; `file` is its name in errors. The files that the world names are not opened.
        ///
        /// # Errors
        /// * `contents` is not TOML;
        /// * a key is unknown or missing, or has a value of a wrong type;
        /// * there is no map, or no class;
        /// * two things of one kind have one name, or nothing has a name that is used;
        /// * a number is out of range;
        /// * two keys exclude each other;
        /// * there are more than 2^20 agents, where a table of agents counts as one;
        /// * there are more than 10,000 maps, classes, links or areas.
        parse: FileKind::World, Self::parse_toml
    }

    fn parse_toml(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let text = decode(contents, file)?;
        let document = toml::from_str(text).map_err(|error| message::explain(&error, text, file))?;
        let mut world = Self { file: file.to_owned(), text: text.to_owned(), document };
        world.validate()?;
        world.find_places()?;
        Ok(world)
    }

    /// What the file says.
    pub fn document(&self) -> &WorldDocument {
        &self.document
    }

    /// The name of the world: as the file says, or else the name of the file without its extension.
    pub fn name(&self) -> String {
        let stem = || self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.document.name.clone().unwrap_or_else(stem)
    }

    /// An error for a value that does not suit the world: at `offset` in the text, in bytes, `expected` was expected
    /// and `found` was found.
    pub fn error_at(&self, offset: usize, expected: impl fmt::Display, found: impl fmt::Display) -> FileError {
        message::at(FileError::expected(&self.file, expected, found), &self.text, offset)
    }

    /// The error `why`, with the line and the column of `offset`, in bytes from the beginning of the text.
    pub fn error_why(&self, offset: usize, why: impl fmt::Display) -> FileError {
        message::at(FileError::new(&self.file, why), &self.text, offset)
    }

    /// The folder of the world file. All files that the world names lie in this folder, or in folders in it.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    /// The path of a file that the world names. The file must lie in the [folder](Self::folder) of the world, or in a
    /// folder in it. So a world from an unknown source cannot make a program read other files.
    ///
    /// # Errors
    /// The file would lie elsewhere, or its name begins at the root of a disk.
    pub fn path(&self, name: &At<PathBuf>) -> Result<PathBuf, FileError> {
        let folder = self.folder();
        folder::within(folder, folder, name).ok_or_else(|| {
            let expected = format!("a file in the folder {:?}", folder::named(folder));
            self.error_at(name.at, expected, quoted(&name.to_string_lossy()))
        })
    }

    /// The cells of `map` that the world file contains. `None`: `map` is not given by cells in the world file.
    ///
    /// # Errors
    /// There is no row; the rows differ in length; or a row has a character that is no cell of a `.map` file and not
    /// `#`. Spaces around rows, and empty lines, are ignored.
    pub fn cells(&self, map: &WorldMap) -> Result<Option<MapFile>, FileError> {
        let Some(cells) = &map.cells else { return Ok(None) };
        let rows: Vec<&str> = cells.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let wrong = |expected: &dyn fmt::Display, found: &dyn fmt::Display| self.error_at(cells.at, expected, found);
        let Some(width) = rows.first().map(|row| row.chars().count()) else {
            return Err(wrong(&"rows of cells", &"none"));
        };
        let mut passable = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let count = row.chars().count();
            if count != width {
                let expected = format!("{width} cells in row {} as in the first one", number + 1);
                return Err(wrong(&expected, &count));
            }
            for cell in row.chars() {
                passable.push(match cell {
                    '.' | 'G' | 'S' | 'E' => true,
                    '#' | '@' | 'O' | 'T' | 'W' => false,
                    _ => return Err(wrong(&"cells of .GSE#@OTW", &format_args!("{cell:?} in row {}", number + 1))),
                });
            }
        }
        let [width, height] = [width, rows.len()].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        Ok(Some(MapFile::of_cells(width, height, passable)))
    }

    /// The graph of `map` that the world file contains. `None`: `map` has no `nodes`.
    ///
    /// # Errors
    /// There is no node; a coordinate is not a number from -10^5 to 10^5; or an edge ends at a name that no node has.
    pub fn graph(&self, map: &WorldMap) -> Result<Option<GraphFile>, FileError> {
        let Some(nodes) = &map.nodes else { return Ok(None) };
        if nodes.is_empty() {
            return Err(self.error_at(nodes.at, "at least one node", "none"));
        }
        let is_near = |side: &f32| f64::from(side.abs()) <= FARTHEST;
        if let Some((name, [x, y])) = nodes.iter().find(|(_, place)| !place.iter().all(is_near)) {
            let expected = format!("coordinates of at most {FARTHEST}");
            return Err(self.error_at(nodes.at, expected, format!("[{x}, {y}] of {}", quoted(name))));
        }
        let numbers: BTreeMap<&str, usize> = nodes.keys().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let mut ends = Vec::new();
        for edge in map.edges.iter().flatten() {
            let [from, to] = [&edge[0], &edge[1]].map(|name| {
                let unknown = || self.error_at(edge.at, "an edge between two nodes", quoted(name));
                numbers.get(name.as_str()).copied().ok_or_else(unknown)
            });
            let [from, to] = [from?, to?];
            if from != to {
                ends.push([from, to]);
                ends.extend((!map.directed).then_some([to, from]));
            }
        }
        let named = nodes.iter().map(|(name, place)| (name.clone(), *place));
        Ok(Some(GraphFile::of_nodes(&self.file, named, ends)))
    }

    /// The table of colours of `map`. `None`: `map` has no `colors`.
    ///
    /// # Errors
    /// As for [`Colors::new`].
    pub fn colors(&self, map: &WorldMap) -> Result<Option<Colors>, FileError> {
        let Some(colors) = &map.colors else { return Ok(None) };
        for (name, ground) in &colors.value {
            Colors::new([(name, &ground.0)]).map_err(|why| self.error_why(ground.at, why))?;
        }
        let entries = colors.iter().map(|(name, ground)| (name, &ground.0));
        Colors::new(entries).map(Some).map_err(|why| self.error_why(colors.at, why))
    }

    /// The navigation mesh of `map` that the world file contains. `None`: `map` has no `vertices`.
    ///
    /// # Errors
    /// As for [`NavMesh::new`].
    pub fn mesh(&self, map: &WorldMap) -> Result<Option<NavMesh>, FileError> {
        let (Some(vertices), Some(polygons)) = (&map.vertices, &map.polygons) else { return Ok(None) };
        let mesh = NavMesh::new(vertices.value.clone(), polygons.value.iter());
        mesh.map(Some).map_err(|why| self.error_why(polygons.at, why))
    }

    fn validate(&self) -> Result<(), FileError> {
        let WorldDocument { maps, classes, agents, links, areas, orders, .. } = &self.document;
        let end = self.text.len();
        for (what, count) in [("[[map]]", maps.len()), ("[[class]]", classes.len())] {
            if count == 0 {
                return Err(self.error_at(end, format_args!("at least one {what}"), "none"));
            }
        }
        let counts = [("maps", maps.len()), ("classes", classes.len()), ("links", links.len()), ("areas", areas.len())];
        for (what, count) in counts {
            if count > MOST_PARTS {
                return Err(self.error_at(end, format_args!("at most {MOST_PARTS} {what}"), count));
            }
        }
        self.validate_whole()?;
        let of_maps = self.names("map", maps.iter().filter_map(|map| map.name.as_ref()))?;
        let of_classes = self.names("class", classes.iter().map(|class| &class.name))?;
        let of_areas = self.names("area", areas.iter().filter_map(|area| area.name.as_ref()))?;
        let of_agents = self.names("agent", agents.iter().filter_map(|agents| agents.name.as_ref()))?;
        maps.iter().try_for_each(|map| self.validate_map(map))?;
        classes.iter().try_for_each(|class| self.validate_class(class, &of_maps))?;
        self.validate_sides()?;
        areas.iter().try_for_each(|area| self.validate_area(area))?;
        let mut sum = 0;
        for entry in agents {
            self.known("class", &entry.class, &of_classes)?;
            for area in entry.from.iter().chain(&entry.to).flatten() {
                self.known("area", area, &of_areas)?;
            }
            sum += self.validate_agents(entry)?;
            if sum > MOST_AGENTS {
                return Err(self.error_at(entry.at, format_args!("at most {MOST_AGENTS} agents"), sum));
            }
        }
        for link in links {
            link.classes.iter().flatten().try_for_each(|class| self.known("class", class, &of_classes))?;
            self.validate_link(link)?;
        }
        orders.iter().try_for_each(|order| self.known("agent", &order.agent, &of_agents))
    }

    fn validate_whole(&self) -> Result<(), FileError> {
        let WorldDocument { ticks_per_step, cell, floor_height, window, .. } = &self.document;
        if let Some(ticks) = ticks_per_step.as_ref().filter(|ticks| !(1..=4096).contains(&ticks.value)) {
            return Err(self.error_at(ticks.at, "a number of ticks from 1 to 4096", ticks.value));
        }
        if let Some(cell) = cell {
            self.number(cell, "a side of cells", 0.001, 1024.0)?;
        }
        self.window(window.as_ref())?;
        self.number(floor_height, "a height of floors", 0.001, 1000.0)
    }

    fn validate_map(&self, map: &At<WorldMap>) -> Result<(), FileError> {
        let kinds = [map.file.is_some(), map.cells.is_some(), map.nodes.is_some(), map.vertices.is_some()];
        let count = kinds.into_iter().filter(|given| *given).count();
        if count != 1 {
            let found = if count == 0 { "none" } else { "several" };
            return Err(self.error_at(map.at, "a map of one of file, cells, nodes and vertices", found));
        }
        if let Some(edge) = map.edges.as_ref().and_then(|edges| edges.first()).filter(|_| map.nodes.is_none()) {
            return Err(self.error_at(edge.at, "edges only beside nodes", "no nodes"));
        }
        match (&map.vertices, &map.polygons) {
            (Some(vertices), None) => {
                return Err(self.error_at(vertices.at, "vertices beside polygons", "no polygons"));
            }
            (None, Some(polygons)) => {
                return Err(self.error_at(polygons.at, "polygons beside vertices", "no vertices"));
            }
            _ => {}
        }
        self.graph(map)?;
        self.colors(map)?;
        if let Some(colors) = map.colors.as_ref().filter(|_| map.file.is_none()) {
            return Err(self.error_at(colors.at, "colors only beside the file of a picture", "no file"));
        }
        if map.name.is_none() && self.document.maps.len() > 1 {
            return Err(self.error_at(map.at, "a name for each of several maps", "none"));
        }
        if let Some(neighbours) = map.neighbours.as_ref().filter(|count| ![4, 8].contains(&count.value)) {
            return Err(self.error_at(neighbours.at, "4 or 8 neighbours", neighbours.value));
        }
        if let Some(offset) = &map.offset {
            let found = || format!("[{}, {}]", offset[0], offset[1]);
            if offset.iter().any(|side| f64::from(side.abs()) > FARTHEST || side.is_nan()) {
                return Err(self.error_at(offset.at, format_args!("an offset of at most {FARTHEST}"), found()));
            }
        }
        if map.floor.abs() > MOST_FLOORS {
            return Err(self.error_at(map.at, format_args!("a floor of at most {MOST_FLOORS}"), map.floor));
        }
        let Some(roads) = &map.roads else { return Ok(()) };
        for (what, length) in [("spacing", roads.spacing), ("lane", roads.lane), ("setback", roads.setback)] {
            if !(0.001..=1000.0).contains(&length) {
                return Err(self.error_at(roads.at, format_args!("a {what} from 0.001 to 1000"), length));
            }
        }
        Ok(())
    }

    fn validate_class(&self, class: &WorldClass, maps: &BTreeMap<&str, usize>) -> Result<(), FileError> {
        class.on.iter().flatten().try_for_each(|map| self.known("map", map, maps))?;
        if let Some(on) = class.on.as_ref().filter(|on| on.is_empty()) {
            return Err(self.error_at(class.name.at, "a class on at least one map", on.len()));
        }
        if let Some(speed) = &class.speed {
            self.number(speed, "a speed", 0.001, 1000.0)?;
        }
        self.window(class.window.as_ref())?;
        let Some(turning) = &class.turning else { return Ok(()) };
        if ![4, 8, 16].contains(&turning.headings) {
            return Err(self.error_at(turning.at, "4, 8 or 16 headings", turning.headings));
        }
        Ok(())
    }

    fn validate_sides(&self) -> Result<(), FileError> {
        let WorldDocument { sides, classes, .. } = &self.document;
        for side in sides.values() {
            let numbers = [
                (&side.cell, "a side of cells", 0.001, 1024.0),
                (&side.weight, "a weight in steps", 0.0, DirectionRules::HEAVIEST),
                (&side.neighbours, "a learning rate of neighbours", 0.0, 1.0),
            ];
            for (number, what, least, most) in numbers {
                number.iter().try_for_each(|number| self.number(number, what, least, most))?;
            }
            let rules = [&side.weight, &side.neighbours].into_iter().flatten().next();
            if let (Some(_), Some(rule)) = (&side.learned, rules) {
                return Err(self.error_at(rule.at, "the rules of a direction map that was learned", "other rules"));
            }
        }
        let known = sides.keys().map(String::as_str).zip(0..).collect();
        classes.iter().filter_map(|class| class.side.as_ref()).try_for_each(|side| self.known("side", side, &known))
    }

    fn validate_area(&self, area: &At<WorldArea>) -> Result<(), FileError> {
        let shapes = [area.rectangle.is_some(), area.polygon.is_some(), area.disc.is_some()];
        match shapes.into_iter().filter(|given| *given).count() {
            1 => Ok(()),
            0 => Err(self.error_at(area.at, "a rectangle, a polygon or a disc", "none")),
            count => Err(self.error_at(area.at, "one rectangle, polygon or disc", count)),
        }
    }

    /// The number of agents that `agents` are, as far as it is known.
    fn validate_agents(&self, agents: &At<WorldAgents>) -> Result<u64, FileError> {
        let (one, many, table) = (agents.start.is_some(), &agents.count, &agents.file);
        let given = [one, many.is_some(), table.is_some()].into_iter().filter(|given| *given).count();
        if given != 1 {
            return Err(self.error_at(
                agents.at,
                "one of start, count and file",
                if given == 0 { "none" } else { "several" },
            ));
        }
        let exact = [
            ("name", agents.name.as_ref().map(|name| name.at)),
            ("heading", agents.heading.as_ref().map(|heading| heading.at)),
            ("tour", agents.tour.as_ref().map(|tour| tour.first().map_or(agents.at, |first| first.at))),
        ];
        if let Some((key, offset)) = exact.into_iter().find_map(|(key, at)| Some((key, at?))).filter(|_| !one) {
            return Err(self.error_at(offset, format_args!("{key} only beside start"), "no start"));
        }
        let drawn = agents.from.as_ref().and_then(|areas| areas.first()).filter(|_| many.is_none());
        if let Some(area) = drawn {
            return Err(self.error_at(area.at, "from only beside count", "no count"));
        }
        let goals = [
            ("goal", agents.goal.as_ref().map(|goal| goal.at)),
            ("tour", agents.tour.as_ref().map(|_| agents.at)),
            ("to", agents.to.as_ref().map(|_| agents.at)),
            ("file", table.as_ref().map(|table| table.at)),
        ];
        let mut goals = goals.into_iter().filter_map(|(key, at)| Some((key, at?)));
        if let (Some((first, _)), Some((second, at))) = (goals.next(), goals.next()) {
            return Err(self.error_at(at, format_args!("either {first} or {second}"), "both"));
        }
        if let Some(goal) = agents.goal.as_ref().filter(|_| !one) {
            return Err(self.error_at(goal.at, "goal only beside start", "no start"));
        }
        if agents.tour.as_ref().is_some_and(Vec::is_empty) {
            return Err(self.error_at(agents.at, "a tour of at least one place", "none"));
        }
        Ok(many.as_ref().map_or(1, |count| u64::from(count.value)))
    }

    fn validate_link(&self, link: &At<WorldLink>) -> Result<(), FileError> {
        if let Some(duration) = &link.duration {
            self.number(duration, "a duration in steps", 0.0, 1e6)?;
        } else if link.kind.value == WorldLinkKind::Lift {
            return Err(self.error_at(link.at, "the duration of a lift, in steps", "none"));
        }
        if let Some(cost) = &link.cost {
            self.number(cost, "a cost in steps", 0.0, 1e6)?;
        }
        let Some(places) = &link.places else { return Ok(()) };
        if link.kind.value == WorldLinkKind::Lift {
            return Err(self.error_at(places.at, "places of stairs only", "a lift, which takes one agent"));
        }
        if places.value > MOST_PLACES {
            return Err(self.error_at(places.at, format_args!("at most {MOST_PLACES} places"), places.value));
        }
        Ok(())
    }

    fn window(&self, window: Option<&At<u32>>) -> Result<(), FileError> {
        match window.filter(|window| !(1..=10_000).contains(&window.value)) {
            Some(window) => Err(self.error_at(window.at, "a window from 1 to 10000", window.value)),
            None => Ok(()),
        }
    }

    fn number(&self, number: &At<f32>, what: &str, least: f32, most: f32) -> Result<(), FileError> {
        if (least..=most).contains(&number.value) {
            return Ok(());
        }
        Err(self.error_at(number.at, format_args!("{what} from {least} to {most}"), number.value))
    }

    /// The names of all things of a kind, with their numbers; no name may be used twice.
    fn names<'a>(
        &self,
        what: &str,
        names: impl Iterator<Item = &'a At<String>>,
    ) -> Result<BTreeMap<&'a str, usize>, FileError> {
        let mut known = BTreeMap::new();
        for (number, name) in names.enumerate() {
            if known.insert(name.value.as_str(), number).is_some() {
                let expected = format!("a name that no other {what} has");
                return Err(self.error_at(name.at, expected, quoted(name)));
            }
        }
        Ok(known)
    }

    fn known(&self, what: &str, name: &At<String>, known: &BTreeMap<&str, usize>) -> Result<(), FileError> {
        if known.contains_key(name.as_str()) {
            return Ok(());
        }
        let meant = message::nearest(name, known.keys().copied());
        let meant = meant.map(|meant| format!(": is {meant:?} meant?")).unwrap_or_default();
        let article = if matches!(what, "area" | "agent") { "an" } else { "a" };
        Err(self.error_at(name.at, format_args!("the name of {article} {what}"), format!("{}{meant}", quoted(name))))
    }
}
