//! How a grid changes: walls that come and go, walls that units inside may leave, and surfaces.

use giveway_core::{Area, Change, Editable, NodeId, Surface};

use super::Grid;

impl Grid {
    /// Closes or opens cell (x, y). Returns whether the grid changed; a cell off the grid changes nothing. An opened wall has its
    /// [surface](Self::surface) if that was valid, else plain ground.
    pub fn set_passable(&mut self, x: u32, y: u32, passable: bool) -> bool {
        let Some(node) = self.node(x, y) else { return false };
        // A wall of its own kind that units may leave becomes a plain one.
        let was_vacated = self.vacated.get_mut(node.index()).is_some_and(std::mem::take);
        if self.passable[node.index()] == passable && !was_vacated {
            return false;
        }
        self.passable[node.index()] = passable;
        self.resurvey([x, y], [x, y]);
        true
    }

    /// All walls as an area at all heights, to close them to units in other spaces of the world. `None`: there is no wall.
    pub fn walls(&self) -> Option<Area> {
        let row = |y: u32| {
            let mut runs: Vec<(u32, u32)> = Vec::new();
            for x in (0..self.width).filter(|x| !self.is_passable(*x, y)) {
                match runs.last_mut() {
                    Some((first, count)) if *first + *count == x => *count += 1,
                    _ => runs.push((x, 1)),
                }
            }
            runs.into_iter().filter_map(move |(x, across)| Area::cells(x, y, across, 1).ok())
        };
        (0..self.height).flat_map(row).reduce(Area::and)
    }

    /// Applies `change` to the cells that `area` covers at one of `heights`. Returns the least and the greatest column and row of the cells that
    /// have changed.
    #[doc(hidden)]
    pub fn change_cells(&mut self, area: &Area, change: Change, heights: [f64; 2]) -> Option<[[u32; 2]; 2]> {
        let mut cells: Vec<[u32; 2]> = Vec::new();
        area.for_each_square(heights, [-0.5, -0.5], 1.0, [self.width, self.height], |x, y| cells.push([x, y]));
        cells.retain(|[x, y]| {
            let node = (y * self.width + x) as usize;
            let is_vacated = self.vacated.get(node).copied().unwrap_or(false);
            match change {
                // A cell that comes twice is the same cell.
                Change::Close => self.passable[node] || is_vacated,
                Change::Vacate => self.passable[node],
                Change::Seal => is_vacated,
                Change::Open => !self.passable[node],
                Change::Surface(surface) => {
                    #[allow(clippy::cast_precision_loss)] // exact up to 2^24 columns or rows
                    let covered = area.contains_between([*x as f32, *y as f32], heights);
                    covered && self.surface(NodeId(y * self.width + x)) != surface
                }
                _ => false,
            }
        });
        let range = |pick: fn(u32, u32) -> u32, axis: usize| cells.iter().map(|cell| cell[axis]).reduce(pick);
        let [least, most] = [u32::min as fn(u32, u32) -> u32, u32::max].map(|pick| [range(pick, 0), range(pick, 1)]);
        let changed = [[least[0]?, least[1]?], [most[0]?, most[1]?]];
        let nodes = cells.iter().map(|[x, y]| (y * self.width + x) as usize);
        match change {
            Change::Surface(surface) => {
                self.surfaces.resize(self.passable.len(), Surface::PLAIN);
                nodes.for_each(|node| self.surfaces[node] = surface);
                self.note_surfaces();
            }
            _ => {
                self.vacated.resize(self.passable.len(), false);
                for node in nodes {
                    self.passable[node] = change == Change::Open;
                    self.vacated[node] = change == Change::Vacate;
                }
                self.resurvey(changed[0], changed[1]);
            }
        }
        Some(changed)
    }

    /// Updates the exits of the cells between two corners and beside them.
    fn resurvey(&mut self, least: [u32; 2], most: [u32; 2]) {
        self.vacated.truncate(if self.vacated.contains(&true) { self.passable.len() } else { 0 });
        let near = |axis: usize, side: u32| least[axis].saturating_sub(1)..=(most[axis] + 1).min(side - 1);
        for y in near(1, self.height) {
            for x in near(0, self.width) {
                self.exits[(y * self.width + x) as usize] = self.exits_of(x, y);
                self.note_tile(x, y);
            }
        }
        self.invert_exits();
        self.revision += 1;
    }

    /// Updates the entrances.
    pub(super) fn invert_exits(&mut self) {
        self.entrances.clear();
        if self.vacated.is_empty() {
            return;
        }
        self.entrances.resize(self.passable.len(), 0);
        for node in (0..self.width * self.height).map(NodeId) {
            for direction in Self::directions(self.exits(node)) {
                let to = self.step(node, direction);
                self.entrances[to.index()] |= 1 << direction.opposite() as u8;
            }
        }
    }

    /// The height of all cells, twice: the range of heights at which areas concern the grid.
    #[doc(hidden)]
    pub fn heights(&self) -> [f64; 2] {
        [self.altitude.into(); 2]
    }

    /// Whether `area` covers cell (x, y) at one of `heights`.
    #[doc(hidden)]
    pub fn is_covered(&self, (x, y): (u32, u32), area: &Area, heights: [f64; 2]) -> bool {
        let mut met = false;
        let corner = [x, y].map(|side| f64::from(side) - 0.5);
        area.for_each_square(heights, corner, 1.0, [1, 1], |_, _| met = true);
        met
    }

    /// Whether there are walls that units inside may leave.
    #[doc(hidden)]
    pub fn has_vacated(&self) -> bool {
        !self.vacated.is_empty()
    }

    /// Whether cell (x, y) is a wall that units inside may leave.
    #[doc(hidden)]
    pub fn is_vacated(&self, x: u32, y: u32) -> bool {
        self.node(x, y).is_some_and(|node| self.vacated.get(node.index()).copied().unwrap_or(false))
    }
}

impl Editable for Grid {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        let (x, y) = self.xy(node);
        self.set_passable(x, y, open)
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        self.is_covered(self.xy(node), area, self.heights())
    }

    /// An area covers the cells whose insides it meets, and gives its surface to the cells whose middle lies in it.
    fn change(&mut self, area: &Area, change: Change) -> bool {
        self.change_cells(area, change, self.heights()).is_some()
    }
}
