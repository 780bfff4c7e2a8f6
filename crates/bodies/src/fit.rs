//! Fit: where on a grid a shape fits, under which headings, and on which ways.

use std::sync::Arc;

use giveway_core::{Area, Change, Journal, NodeId};

use crate::footprint::stamp::{longest_part, stamp};
use crate::ground::Ground;
use crate::shape::Shape;
use crate::trajectory::{Placement, Stroke};
use giveway_spaces::{Direction, Grid};

/// A way that exists at every place: its headings at both ends, its displacement in cells, and its strokes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Way {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) by: [i32; 2],
    pub(crate) strokes: Vec<Stroke>,
}

impl Way {
    /// The world units of driving for which it counts.
    pub(crate) fn counts(&self) -> f64 {
        self.strokes.iter().map(Stroke::counts).sum()
    }
}

/// All ways of a kind of unit: its headings, as angles, and the ways, ordered by the heading where they begin.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WayTable {
    pub(crate) headings: Vec<f64>,
    pub(crate) list: Vec<Way>,
    /// Per heading, where its ways begin in the list; one more element than headings.
    first: Vec<usize>,
}

impl WayTable {
    /// A table of one, four, eight or sixteen headings, and at most 32 ways for each heading. Sorts the ways by
    /// heading; ways of one heading keep their order.
    pub(crate) fn new(headings: Vec<f64>, mut list: Vec<Way>) -> Self {
        list.sort_by_key(|way| way.from);
        let first = (0..=headings.len()).map(|heading| list.partition_point(|way| (way.from as usize) < heading));
        Self { first: first.collect(), headings, list }
    }

    /// The numbers of the ways that begin under `heading`.
    #[inline]
    pub(crate) fn out_of(&self, heading: u32) -> std::ops::Range<usize> {
        self.first[heading as usize]..self.first[heading as usize + 1]
    }
}

/// A grid, and where a shape fits on it. A node is a cell and a heading: its id is the id of the cell times the number
/// of headings, plus the heading.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    grid: Grid,
    /// Whether each way is a move of the grid, in the direction with the number of the way. Such a way is free only
    /// where the grid has the move.
    follows_grid: bool,
    ways: Arc<WayTable>,
    /// The cells met at rest, by heading, then on each way, relative to where the motion begins.
    met: Arc<[Vec<[i32; 2]>]>,
    /// The greatest distance of all these cells, in columns or rows.
    reach: u32,
    /// The heights of the level of the ground.
    heights: [f64; 2],
    fits: Vec<bool>,
    /// Per node, the free ways out of it, one bit each. Nodes where the shape meets walls that units inside may leave
    /// have free ways, too.
    exits: Vec<u32>,
    journal: Journal,
}

impl Fit {
    /// Ways are divided into parts as on `ground`.
    pub(crate) fn new(grid: &Grid, shape: &Shape, ground: Ground, ways: WayTable, follows_grid: bool) -> Self {
        let cells = |heading: u32, strokes: &[Stroke]| -> Vec<[i32; 2]> {
            let start = Placement::facing(ways.headings[heading as usize]);
            stamp(shape, start, strokes, [1.0, longest_part(ground.side())], [-0.5, -0.5])
                .iter()
                .map(|print| [print.column, print.row])
                .collect()
        };
        let rests = (0..).zip(&ways.headings).map(|(heading, _)| cells(heading, &[]));
        let met: Arc<[_]> = rests.chain(ways.list.iter().map(|way| cells(way.from, &way.strokes))).collect();
        let farthest = |cells: &[[i32; 2]]| cells.iter().flatten().map(|side| side.unsigned_abs()).max().unwrap_or(0);
        // Whether a way is free also depends on the rest at its end.
        let at_ends = ways.list.iter().map(|way| farthest(&[way.by]) + farthest(&met[way.to as usize]));
        let reach = met.iter().map(|cells| farthest(cells)).chain(at_ends).max().unwrap_or(0);
        let nodes = grid.width() as usize * grid.height() as usize * ways.headings.len();
        let heights = ground.heights_around(grid.heights());
        let mut fit = Self {
            grid: grid.clone(),
            follows_grid,
            ways: Arc::new(ways),
            met,
            reach,
            heights,
            fits: vec![false; nodes],
            exits: vec![0; nodes],
            journal: Journal::default(),
        };
        fit.survey([[0, 0], [grid.width() - 1, grid.height() - 1]]);
        fit.journal.note_all();
        fit
    }

    /// Closes or opens cell (x, y) of the grid, as [`Grid::set_passable`] does.
    pub(crate) fn set_passable(&mut self, x: u32, y: u32, passable: bool) -> bool {
        let changed = self.grid.set_passable(x, y, passable);
        if changed {
            self.repair([[x, y]; 2]);
        }
        changed
    }

    /// Closes or opens the cell of `node`.
    pub(crate) fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        let (x, y) = self.grid.xy(self.cell(node));
        self.set_passable(x, y, open)
    }

    /// Applies `change` to the cells that `area` covers. Returns whether anything changed.
    pub(crate) fn change(&mut self, area: &Area, change: Change) -> bool {
        let changed = self.grid.change_cells(area, change, self.heights);
        match (changed, change) {
            // Ways may cost and take something else, and be as free as before.
            (Some(_), Change::Surface(_)) => self.journal.note_all(),
            (Some(corners), _) => self.repair(corners),
            (None, _) => {}
        }
        changed.is_some()
    }

    /// Updates what may have changed because cells between two corners were closed or opened.
    fn repair(&mut self, [least, most]: [[u32; 2]; 2]) {
        // The grid's own moves may change beside the cells.
        let reach = self.reach.max(1);
        let largest = [(most[0], self.grid.width()), (most[1], self.grid.height())];
        let largest = largest.map(|(side, count)| side.saturating_add(reach).min(count - 1));
        let edited = self.survey([least.map(|side| side.saturating_sub(reach)), largest]);
        self.journal.note(edited);
    }

    /// What has been repaired.
    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Updates all cells between two corners. Returns the nodes that have changed, or whose ways have.
    fn survey(&mut self, [least, most]: [[u32; 2]; 2]) -> Vec<NodeId> {
        let mut edited: Vec<NodeId> = Vec::new();
        let cells = || (least[1]..=most[1]).flat_map(|y| (least[0]..=most[0]).map(move |x| [x, y]));
        let Self { grid, follows_grid, ways, met, fits, exits, .. } = self;
        let offers = |cell: NodeId, way: usize| {
            !*follows_grid || Direction::ALL.get(way).is_some_and(|direction| grid.leads(cell, *direction))
        };
        let count = ways.headings.len();
        #[allow(clippy::cast_possible_truncation)] // nodes are numbered by 32 bits
        let id = |node: usize| NodeId(node as u32);
        let all = |[x, y]: [u32; 2], cells: &[[i32; 2]], free: fn(&Grid, u32, u32) -> bool| {
            cells.iter().all(|[dx, dy]| {
                let cell = x.checked_add_signed(*dx).zip(y.checked_add_signed(*dy));
                cell.is_some_and(|(x, y)| free(grid, x, y))
            })
        };
        let is_free = |at: [u32; 2], cells: &[[i32; 2]]| all(at, cells, Grid::is_passable);
        // To units inside walls that may be left, these walls are free.
        let is_left = |at: [u32; 2], cells: &[[i32; 2]]| {
            grid.has_vacated() && all(at, cells, |grid, x, y| grid.is_passable(x, y) || grid.is_vacated(x, y))
        };
        for at in cells() {
            let Some(cell) = grid.node(at[0], at[1]) else { continue };
            for heading in 0..count {
                let (node, fit) = (cell.index() * count + heading, is_free(at, &met[heading]));
                if std::mem::replace(&mut fits[node], fit) != fit {
                    edited.push(id(node));
                }
            }
        }
        for [x, y] in cells() {
            let Some(cell) = grid.node(x, y) else { continue };
            for (heading, first) in (0..count).zip(&ways.first) {
                let node = cell.index() * count + heading;
                let old = std::mem::take(&mut exits[node]);
                let leaves = !fits[node] && is_left([x, y], &met[heading]);
                let stands = fits[node] || leaves;
                for number in *first..ways.first[heading + 1] {
                    let Way { by, to, .. } = &ways.list[number];
                    let end = x.checked_add_signed(by[0]).zip(y.checked_add_signed(by[1]));
                    let Some((end, end_at)) = end.and_then(|(x, y)| Some((grid.node(x, y)?, [x, y]))) else { continue };
                    let to = *to as usize;
                    let is_way = stands
                        && offers(cell, number)
                        && if leaves {
                            is_left(end_at, &met[to]) && is_left([x, y], &met[count + number])
                        } else {
                            fits[end.index() * count + to] && is_free([x, y], &met[count + number])
                        };
                    let bit = 1 << (number - first);
                    if is_way {
                        exits[node] |= bit;
                    }
                    if is_way != (old & bit != 0) {
                        edited.extend([id(node), id(end.index() * count + to)]);
                    }
                }
            }
        }
        edited.sort_unstable();
        edited.dedup();
        edited
    }

    /// Whether the shape, at rest on `node`, meets the cell of the node `closed`.
    pub(crate) fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        let cell = self.grid.xy(self.cell(closed));
        self.met_at(node).any(|met| met == cell)
    }

    /// Whether the shape, at rest on `node`, meets a cell that `area` covers.
    pub(crate) fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        self.may_be_near(node, area) && self.met_at(node).any(|cell| self.grid.is_covered(cell, area, self.heights))
    }

    /// Whether the box around the cells that the shape meets on `node` meets that of a part of `area`, in case of doubt
    /// `true`. Most units are far from an area.
    fn may_be_near(&self, node: NodeId, area: &Area) -> bool {
        let (mut least, mut most) = ([u32::MAX; 2], [0; 2]);
        for (x, y) in self.met_at(node) {
            (least, most) = ([least[0].min(x), least[1].min(y)], [most[0].max(x), most[1].max(y)]);
        }
        area.is_near(least.map(|least| f64::from(least) - 1.0), most.map(|most| f64::from(most) + 1.0))
    }

    /// The cells that the shape meets at rest on `node`.
    fn met_at(&self, node: NodeId) -> impl Iterator<Item = (u32, u32)> {
        let (x, y) = self.grid.xy(self.cell(node));
        let met = self.met[self.heading(node) as usize].iter();
        met.filter_map(move |[dx, dy]| x.checked_add_signed(*dx).zip(y.checked_add_signed(*dy)))
    }

    #[inline]
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cell of `node`, as a node of the grid.
    #[inline]
    pub(crate) fn cell(&self, node: NodeId) -> NodeId {
        NodeId(node.0 >> self.ways.headings.len().trailing_zeros())
    }

    /// The heading of `node`.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // there are at most sixteen
    pub(crate) fn heading(&self, node: NodeId) -> u32 {
        node.0 & (self.ways.headings.len() as u32 - 1)
    }

    #[inline]
    pub(crate) fn ways(&self) -> &WayTable {
        &self.ways
    }

    pub(crate) fn is_somewhere(&self) -> bool {
        self.fits.contains(&true)
    }

    #[inline]
    pub(crate) fn node_bound(&self) -> usize {
        self.fits.len()
    }

    #[inline]
    pub(crate) fn fits(&self, node: NodeId) -> bool {
        self.fits.get(node.index()).copied().unwrap_or(false)
    }

    /// The free ways out of `node`, one bit each.
    #[inline]
    pub(crate) fn exits(&self, node: NodeId) -> u32 {
        self.exits.get(node.index()).copied().unwrap_or(0)
    }
}
