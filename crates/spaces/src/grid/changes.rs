//! How a grid changes: walls that come and go, walls that units inside may leave, and surfaces.

use giveway_core::{Area, Change, Editable, Gate, NodeId};

use super::Grid;

impl Grid {
    /// Closes or opens cell (x, y). Returns whether the grid changed; a cell off the grid changes nothing. An opened
    /// wall has the [surface](Self::surface) that was set for the cell. The surface of a wall may be set to numbers
    /// that are out of range: then the opened cell has plain ground.
    pub fn set_passable(&mut self, x: u32, y: u32, passable: bool) -> bool {
        let Some(node) = self.node(x, y) else { return false };
        let changed = self.turn(node, if passable { Change::Open } else { Change::Close });
        if changed {
            self.resurvey(&[node], [x, y], [x, y]);
        }
        changed
    }

    /// Applies `change` to the gate of a cell. Returns whether that is a change.
    fn turn(&mut self, node: NodeId, change: Change) -> bool {
        let gate = &mut self.gates[node.index()];
        let old = std::mem::replace(gate, gate.after(change));
        self.vacated += usize::from(*gate == Gate::Vacated);
        self.vacated -= usize::from(old == Gate::Vacated);
        *gate != old
    }

    /// All walls as one area, at all heights. Close this area to give the other spaces of a world the same walls.
    /// `None`: there is no wall.
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

    /// Applies `change` to the cells that `area` covers at any height from the first to the second of `heights`.
    /// Returns the least and the greatest (column, row) of the cells that have changed; `None`: no cell has changed.
    #[doc(hidden)]
    pub fn change_cells(&mut self, area: &Area, change: Change, heights: [f64; 2]) -> Option<[[u32; 2]; 2]> {
        let mut cells: Vec<NodeId> = Vec::new();
        let (width, height) = (self.width, self.height);
        area.for_each_square(heights, [-0.5, -0.5], 1.0, [width, height], |x, y| cells.push(NodeId(y * width + x)));
        if let Change::Surface(surface) = change {
            cells.retain(|node| {
                let (x, y) = self.xy(*node);
                #[allow(clippy::cast_precision_loss)] // exact up to 2^24 columns or rows
                area.contains_between([x as f32, y as f32], heights)
            });
            cells = self.surfaces.cover(cells.into_iter(), surface, self.gates.len());
            if !cells.is_empty() {
                // Also the facts may have changed.
                self.journal.note_all();
            }
        } else {
            // A cell that comes twice is the same cell.
            cells.retain(|node| self.turn(*node, change));
        }
        let ends = |sides: &mut dyn Iterator<Item = u32>| {
            sides.fold(None, |ends: Option<[u32; 2]>, side| {
                let [least, most] = ends.unwrap_or([side; 2]);
                Some([least.min(side), most.max(side)])
            })
        };
        let columns = ends(&mut cells.iter().map(|node| self.xy(*node).0))?;
        let rows = ends(&mut cells.iter().map(|node| self.xy(*node).1))?;
        let changed = [[columns[0], rows[0]], [columns[1], rows[1]]];
        if !matches!(change, Change::Surface(_)) {
            self.resurvey(&cells, changed[0], changed[1]);
        }
        Some(changed)
    }

    /// Updates the exits of the cells between two corners and beside them, after the gates of `turned` have changed.
    fn resurvey(&mut self, turned: &[NodeId], least: [u32; 2], most: [u32; 2]) {
        let mut edited = turned.to_vec();
        let were_inverted = !self.entrances.is_empty();
        let near = |axis: usize, side: u32| least[axis].saturating_sub(1)..=(most[axis] + 1).min(side - 1);
        for y in near(1, self.height) {
            for x in near(0, self.width) {
                let (node, new) = (NodeId(y * self.width + x), self.exits_of(x, y));
                let old = std::mem::replace(&mut self.exits[node.index()], new);
                if new != old {
                    edited.push(node);
                    for direction in Self::directions(new ^ old).iter().copied() {
                        let to = self.step(node, direction);
                        edited.push(to);
                        if were_inverted {
                            self.entrances[to.index()] ^= 1 << direction.opposite() as u8;
                        }
                    }
                }
                self.note_tile(x, y);
            }
        }
        if were_inverted != self.is_directed() {
            self.invert_exits();
        }
        edited.sort_unstable();
        edited.dedup();
        self.journal.note(edited);
    }

    /// The least and the greatest height of a cell. All cells of a grid have one height, so the two numbers are equal.
    #[doc(hidden)]
    pub fn heights(&self) -> [f64; 2] {
        [self.altitude.into(); 2]
    }

    /// Whether `area` covers cell (x, y) at any height from the first to the second of `heights`.
    #[doc(hidden)]
    pub fn is_covered(&self, (x, y): (u32, u32), area: &Area, heights: [f64; 2]) -> bool {
        let mut met = false;
        let corner = [x, y].map(|side| f64::from(side) - 0.5);
        area.for_each_square(heights, corner, 1.0, [1, 1], |_, _| met = true);
        met
    }

    /// Whether some cell is [vacated](Gate::Vacated): a wall that units inside it may still leave.
    #[doc(hidden)]
    pub fn has_vacated(&self) -> bool {
        self.vacated > 0
    }

    /// Whether cell (x, y) is [vacated](Gate::Vacated): a wall that units inside it may still leave.
    #[doc(hidden)]
    pub fn is_vacated(&self, x: u32, y: u32) -> bool {
        self.node(x, y).is_some_and(|node| self.gates[node.index()] == Gate::Vacated)
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
