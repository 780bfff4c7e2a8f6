//! Generated worlds: blocks on a plaza, as cells or as a mesh, and streets between junctions.

use std::fmt::Write as _;

use rand::Rng as _;

use super::chance::{self, Chance};
use super::error::CannotGenerate;

/// The kinds of generated worlds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WorldKind {
    /// A map of cells: a plaza with blocks, for walkers and carts.
    Grid,
    /// A map of roads: streets between junctions, for vans that drive in lanes.
    Graph,
    /// A navigation mesh: a plaza with blocks, for walkers of two sizes.
    Mesh,
    /// A plaza of cells, beside it a plaza that is a navigation mesh, and a street around both. Walkers are on both
    /// plazas, carts on the plaza of cells, and vans on the street.
    Mixed,
}

/// Makes a world of a kind, as the text of a world file.
///
/// ```
/// use giveway_scenario::{WorldGenerator, WorldKind};
///
/// let text = WorldGenerator::new(WorldKind::Mixed, 24, 16).agents(20).seed(3).generate()?;
/// assert!(text.contains("[[map]]") && text.contains("vertices = "));
/// # Ok::<(), giveway_scenario::CannotGenerate>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorldGenerator {
    kind: WorldKind,
    width: u32,
    height: u32,
    agents: u32,
    seed: u64,
}

/// Blocks are so far apart, from the beginning of one to the beginning of the next.
const PERIOD: [u32; 2] = [7, 6];
/// How large blocks are.
const BLOCK: [u32; 2] = [4, 3];
/// Free ground before the first block.
const RIM: u32 = 3;
/// From junction to junction.
const STREET: u32 = 20;
/// So many cells for each agent, and so much of a street for each van.
const CELLS: u32 = 6;
const VAN: u32 = 10;

impl WorldGenerator {
    /// The largest number of cells of a generated world.
    pub const MOST_CELLS: u32 = 1 << 20;
    /// The least width and height.
    pub const LEAST: u32 = 8;

    /// A generator of worlds of `kind`. Each plaza has `width` columns and `height` rows of cells. The streets of a
    /// world of roads cover about `width` by `height` world units. By default there are 10 agents, and the seed is 0.
    pub fn new(kind: WorldKind, width: u32, height: u32) -> Self {
        Self { kind, width, height, agents: 10, seed: 0 }
    }

    /// Sets the number of agents.
    #[must_use]
    pub fn agents(self, agents: u32) -> Self {
        Self { agents, ..self }
    }

    /// Sets the seed, which decides all random draws.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Makes the world.
    ///
    /// # Errors
    /// The width or the height is below [`LEAST`](Self::LEAST); there are more than [`MOST_CELLS`](Self::MOST_CELLS)
    /// cells; or there is no room for so many agents.
    pub fn generate(&self) -> Result<String, CannotGenerate> {
        let Self { kind, width, height, agents, seed } = *self;
        if width < Self::LEAST || height < Self::LEAST {
            return Err(CannotGenerate::TooSmall { width, height, least: Self::LEAST });
        }
        if u64::from(width) * u64::from(height) > u64::from(Self::MOST_CELLS) {
            return Err(CannotGenerate::TooManyCells { width, height, most: Self::MOST_CELLS });
        }
        let mut chance = chance::of_map(seed);
        let mut text = format!("seed = {seed}\n");
        let room = match kind {
            WorldKind::Grid => {
                let plaza = Plaza::new(width, height, &mut chance);
                plaza.write_cells(&mut text, "plaza", 0);
                let carts = agents / 4;
                class(&mut text, "walker", &["plaza"], "{ disc = 0.35 }", 1.0, agents - carts);
                class(&mut text, "cart", &["plaza"], "{ square = 1 }", 0.5, carts);
                plaza.free() / CELLS
            }
            WorldKind::Graph => {
                let length = streets(&mut text, width, height, &mut chance);
                class(&mut text, "van", &["streets"], "{ rectangle = [2.4, 1.2] }", 1.5, agents);
                length / VAN
            }
            WorldKind::Mesh => {
                let plaza = Plaza::new(width, height, &mut chance);
                plaza.write_mesh(&mut text, "plaza", 0);
                let giants = agents / 4;
                class(&mut text, "walker", &["plaza"], "{ disc = 0.35 }", 1.0, agents - giants);
                class(&mut text, "giant", &["plaza"], "{ disc = 0.6 }", 0.75, giants);
                plaza.free() / CELLS
            }
            WorldKind::Mixed => {
                let plazas = [Plaza::new(width, height, &mut chance), Plaza::new(width, height, &mut chance)];
                plazas[0].write_cells(&mut text, "square", 0);
                plazas[1].write_mesh(&mut text, "park", width + 1);
                let (right, bottom) = (2 * width + 4, height + 3);
                let corners = [("a", "-4", "-4"), ("b", &right.to_string(), "-4")];
                let lower = [("c", right.to_string(), bottom.to_string()), ("d", "-4".to_owned(), bottom.to_string())];
                let nodes: Vec<String> = corners
                    .iter()
                    .map(|(name, x, y)| format!("{name} = [{x}, {y}]"))
                    .chain(lower.iter().map(|(name, x, y)| format!("{name} = [{x}, {y}]")))
                    .collect();
                let edges = r#"[["a", "b"], ["b", "c"], ["c", "d"], ["d", "a"]]"#;
                roads(&mut text, &nodes, edges);
                // A gate at each end of the border between the plazas, where both have free ground.
                for y in [1, height - 2] {
                    let (from, to) = (width - 1, width + 1);
                    let _ = writeln!(
                        text,
                        "\n[[link]]\nkind = \"stairs\"\nfrom = [{from}, {y}]\nto = [{to}, {y}]\nplaces = 0"
                    );
                }
                let (vans, carts) = (agents / 8, agents / 4);
                class(&mut text, "walker", &["square", "park"], "{ disc = 0.35 }", 1.0, agents - vans - carts);
                class(&mut text, "cart", &["square"], "{ square = 1 }", 0.5, carts);
                class(&mut text, "van", &["streets"], "{ rectangle = [2.4, 1.2] }", 1.5, vans);
                (plazas[0].free().min(plazas[1].free()) / CELLS * 2).min((right + bottom + 8) * 2 / VAN * 8)
            }
        };
        if agents > room {
            return Err(CannotGenerate::Crowded { agents, room });
        }
        Ok(text)
    }
}

/// A class on some maps, and so many agents of it that are drawn.
fn class(text: &mut String, name: &str, on: &[&str], shape: &str, speed: f32, count: u32) {
    let _ = writeln!(text, "\n[[class]]\nname = {name:?}\non = {on:?}\nshape = {shape}\nspeed = {speed}");
    if count > 0 {
        let _ = writeln!(text, "\n[[agents]]\nclass = {name:?}\ncount = {count}");
    }
}

fn roads(text: &mut String, nodes: &[String], edges: &str) {
    let _ = writeln!(
        text,
        "\n[[map]]\nname = \"streets\"\nroads = {{ spacing = 3.6, lane = 1.9, setback = 4 }}\nnodes = {{ {} }}\nedges = {edges}",
        nodes.join(", ")
    );
}

/// Streets between junctions that are about equally far apart. Returns their length, about.
fn streets(text: &mut String, width: u32, height: u32, chance: &mut Chance) -> u32 {
    let [columns, rows] = [width, height].map(|side| side / STREET + 2);
    let mut nodes = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            // To the eighth of a world unit.
            let [x, y] =
                [column, row].map(|line| f64::from(line * STREET) + f64::from(chance.random_range(0..33_u32)) / 8.0);
            nodes.push(format!("j{column}_{row} = [{x}, {y}]"));
        }
    }
    let mut edges = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            if column + 1 < columns {
                edges.push(format!("[\"j{column}_{row}\", \"j{}_{row}\"]", column + 1));
            }
            // Streets along x, and the outer ones along y, join all junctions: others may be missing.
            let is_outer = column == 0 || column + 1 == columns;
            if row + 1 < rows && (is_outer || chance.random_range(0..4_u32) > 0) {
                edges.push(format!("[\"j{column}_{row}\", \"j{column}_{}\"]", row + 1));
            }
        }
    }
    roads(text, &nodes, &format!("[{}]", edges.join(", ")));
    u32::try_from(edges.len()).unwrap_or(u32::MAX).saturating_mul(STREET)
}

/// A field with blocks.
struct Plaza {
    width: u32,
    height: u32,
    /// The first cell of each block.
    blocks: Vec<[u32; 2]>,
}

impl Plaza {
    fn new(width: u32, height: u32, chance: &mut Chance) -> Self {
        let starts = |side: u32, axis: usize| {
            (0..).map(move |line| RIM + line * PERIOD[axis]).take_while(move |at| at + BLOCK[axis] + RIM <= side)
        };
        let all = starts(height, 1).flat_map(|y| starts(width, 0).map(move |x| [x, y]));
        // Three of four, in the mean.
        let blocks = all.filter(|_| chance.random_range(0..4_u32) > 0).collect();
        Self { width, height, blocks }
    }

    fn free(&self) -> u32 {
        let taken = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX) * BLOCK[0] * BLOCK[1];
        self.width * self.height - taken
    }

    /// Runs of free cells in a row: from and to, exclusive.
    fn runs(&self, y: u32) -> Vec<[u32; 2]> {
        let in_row = self.blocks.iter().filter(|[_, top]| (*top..top + BLOCK[1]).contains(&y));
        let (mut runs, mut at) = (Vec::new(), 0);
        for [left, _] in in_row {
            runs.push([at, *left]);
            at = left + BLOCK[0];
        }
        runs.push([at, self.width]);
        runs
    }

    fn write_cells(&self, text: &mut String, name: &str, left: u32) {
        let _ = writeln!(text, "\n[[map]]\nname = {name:?}\noffset = [{left}, 0]\nneighbours = 8\ncells = \"\"\"");
        for y in 0..self.height {
            let mut row = vec!['#'; self.width as usize];
            for [from, to] in self.runs(y) {
                row[from as usize..to as usize].fill('.');
            }
            let _ = writeln!(text, "{}", row.iter().collect::<String>());
        }
        let _ = writeln!(text, "\"\"\"");
    }

    /// Rectangles, each as high as there are equal rows.
    fn write_mesh(&self, text: &mut String, name: &str, left: u32) {
        let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
        let mut top = 0;
        while top < self.height {
            let runs = self.runs(top);
            let mut bottom = top + 1;
            while bottom < self.height && self.runs(bottom) == runs {
                bottom += 1;
            }
            for [from, to] in runs {
                let first = vertices.len();
                let [x0, x1, y0, y1] = [from, to, top, bottom].map(|side| f64::from(side) - 0.5);
                vertices.extend([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]);
                polygons.push([first, first + 1, first + 2, first + 3]);
            }
            top = bottom;
        }
        let _ = writeln!(
            text,
            "\n[[map]]\nname = {name:?}\noffset = [{left}, 0]\nvertices = {vertices:?}\npolygons = {polygons:?}"
        );
    }
}
