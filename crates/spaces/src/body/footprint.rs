//! The footprint of a body: the cells of the ground that its shape meets as it moves and rests, each for as long as it is met.

use std::ops::ControlFlow;

use giveway_core::{
    CellId, Cells, Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn, NodeId, SpaceGraph, Span, Tick, Ticks,
};

use super::ground::Ground;
use super::room::WayTable;
use super::shape::Shape;
use super::stamp::{Print, longest_part, stamp};
use super::trajectory::{Placement, Stroke};
use super::{BodyError, whole_ticks};
use crate::grid::Grid;

/// A space over the cells of a grid; a motion meets equal cells wherever it begins.
pub trait Tiled: SpaceGraph {
    /// The grid.
    fn grid(&self) -> &Grid;

    /// The cell of `node`, as a node of the grid.
    fn cell(&self, node: NodeId) -> NodeId;

    /// The number of the motion of a rest on `node`; rests come after all ways.
    fn rest(&self, node: NodeId) -> usize;

    /// The number of the way of `m`.
    fn way(&self, m: &MoveIn<Self>) -> usize;
}

/// The footprint of a body on a ground.
#[derive(Clone, Debug)]
pub struct BodyFootprint {
    ground: Ground,
    cells: Cells,
    columns: u32,
    wait_quantum: Ticks,
    ticks_per_step: Ticks,
    /// The duration of each motion, by number, on plain ground; 1 for rests.
    durations: Vec<Ticks>,
    /// The exact duration of each way, in fractional ticks.
    nominal: Vec<f64>,
    /// Whether all ways take equally long.
    uniform: bool,
    /// The number of ticks by which every entry is longer.
    after: Ticks,
    /// Per cell of the map, the factor of the duration of a step; empty on plain ground.
    slowness: Vec<f32>,
    /// The cells met in each motion, for each position of a map cell within a raster cell.
    tracks: Vec<Vec<MetCell>>,
    phases: u32,
}

/// A cell of the raster that a motion meets: the difference of its id from that of the cell where the motion begins, and the
/// shares of the motion between which it is met.
#[derive(Clone, Copy, Debug)]
struct MetCell {
    offset: i32,
    begin: Ticks,
    end: Ticks,
}

impl BodyFootprint {
    /// `nominal` is the exact duration of each way in fractional ticks, `durations` the whole number of ticks.
    pub(super) fn new(
        shape: &Shape,
        ground: Ground,
        ticks_per_step: Ticks,
        ways: &WayTable,
        nominal: Vec<f64>,
        mut durations: Vec<Ticks>,
    ) -> Self {
        let [columns, _] = ground.size();
        let phases = ground.phases();
        let uniform = durations.windows(2).all(|pair| pair[0] == pair[1]);
        durations.resize(ways.list.len() + ways.headings.len(), 1);
        let track = |corner: [f64; 2], heading: f64, strokes: &[Stroke], duration: Ticks| -> Vec<MetCell> {
            let mark = |print: Print| {
                let ticks = |share: f64| share * f64::from(duration);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_possible_wrap)]
                // shares are between 0 and 1, and ids of cells are below 2^32: the sum wraps
                MetCell {
                    offset: print.row.wrapping_mul(columns as i32).wrapping_add(print.column),
                    begin: ticks(print.begin).floor() as Ticks,
                    end: (ticks(print.end).ceil() as Ticks).max(1),
                }
            };
            stamp(shape, Placement::facing(heading), strokes, [ground.side(), longest_part(ground.side())], corner)
                .into_iter()
                .map(mark)
                .collect()
        };
        let tracks_at = |x: u32, y: u32| {
            let corner = [ground.corner(x), ground.corner(y)];
            let moves = ways.list.iter().map(|way| (ways.headings[way.from as usize], way.strokes.as_slice()));
            let rests = ways.headings.iter().map(|heading| (*heading, &[][..]));
            let motions = moves.chain(rests).zip(&durations);
            motions.map(|((heading, strokes), duration)| track(corner, heading, strokes, *duration)).collect::<Vec<_>>()
        };
        let tracks = (0..phases).flat_map(|y| (0..phases).map(move |x| (x, y))).flat_map(|(x, y)| tracks_at(x, y));
        Self {
            ground,
            cells: ground.cells(),
            columns,
            wait_quantum: ticks_per_step.div_ceil(4),
            ticks_per_step,
            tracks: tracks.collect(),
            durations,
            nominal,
            uniform,
            after: 0,
            slowness: Vec::new(),
            phases,
        }
    }

    /// With entries that also last for the tick of their end.
    pub(super) fn closed(self) -> Self {
        Self { after: 1, ..self }
    }

    /// In `space`, on terrain where motions take `slowness(x, y)` times as long.
    pub(crate) fn on_terrain<S: Tiled>(self, space: &S, slowness: impl Fn(u32, u32) -> f32) -> Result<Self, BodyError> {
        let grid = space.grid();
        let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
        let slowness = cells.map(|(x, y)| match slowness(x, y) {
            known if (0.01..=100.0).contains(&known) => Ok(known),
            found if grid.is_passable(x, y) => Err(BodyError::Slowness { x, y, found }),
            // A wall may be opened later.
            _ => Ok(1.0),
        });
        let slowed = Self { slowness: slowness.collect::<Result<_, _>>()?, ..self };
        let nodes = (0..u32::try_from(space.node_bound()).unwrap_or(u32::MAX)).map(NodeId);
        for m in nodes.flat_map(|node| space.moves(node)) {
            whole_ticks(slowed.nominal(space, &m), slowed.ticks_per_step)?;
        }
        Ok(slowed)
    }

    /// The number of ticks that a plain step at speed 1 takes.
    pub fn ticks_per_step(&self) -> Ticks {
        self.ticks_per_step
    }

    /// The exact duration of `m`, in fractional ticks.
    fn nominal<S: Tiled>(&self, space: &S, m: &MoveIn<S>) -> f64 {
        let plain = self.nominal.get(space.way(m)).copied().unwrap_or(0.0);
        let slowness = |node| self.slowness.get(space.cell(node).index());
        match (slowness(m.from), slowness(m.to)) {
            (Some(from), Some(to)) => plain * (f64::from(*from) + f64::from(*to)) / 2.0,
            _ => plain,
        }
    }

    #[inline]
    fn ticks<S: Tiled>(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        let plain = self.durations.get(space.way(m)).copied();
        if self.slowness.is_empty() {
            return plain;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let ticks = self.nominal(space, m).round() as Ticks;
        plain.map(|_| ticks.max(1))
    }

    /// The cells met in the motion numbered `motion` that begins at `node`, and the id of the cell where it begins.
    #[inline]
    fn track<S: Tiled>(&self, space: &S, node: NodeId, motion: usize) -> Option<(u32, &[MetCell])> {
        let cell = space.cell(node);
        if self.columns == space.grid().width() && self.phases == 1 {
            // Raster cells are map cells.
            return Some((cell.0, self.tracks.get(motion)?));
        }
        let (x, y) = space.grid().xy(cell);
        let base = self.ground.locate(y).wrapping_mul(self.columns).wrapping_add(self.ground.locate(x));
        let phase = (y % self.phases) * self.phases + x % self.phases;
        Some((base, self.tracks.get(phase as usize * self.durations.len() + motion)?))
    }
}

impl<S: Tiled> Footprint<S> for BodyFootprint {
    fn cells(&self, _space: &S) -> Cells {
        self.cells
    }

    #[inline]
    fn wait_quantum(&self) -> Ticks {
        self.wait_quantum
    }

    #[inline]
    fn ticks_per_step(&self) -> Ticks {
        self.ticks_per_step
    }

    #[inline]
    fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        self.ticks(space, m)
    }

    fn uniform_duration(&self) -> Option<Ticks> {
        let first = *self.durations.first()?;
        (self.slowness.is_empty() && self.uniform).then_some(first)
    }

    #[inline]
    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        // The duration, and the duration on plain ground.
        let (node, number, takes, plain) = match motion {
            Motion::Move(m) => {
                let way = space.way(m);
                let plain = self.durations.get(way).copied().unwrap_or(1);
                (m.from, way, self.ticks(space, m).unwrap_or(1), plain)
            }
            Motion::Rest { node, .. } => (*node, space.rest(*node), 1, 1),
        };
        let Some((base, marks)) = self.track(space, node, number) else {
            // The move is of another space: no store has this cell.
            return entry(Entry { cell: CellId(u32::MAX), span: Span::lasting(depart, 1) });
        };
        for mark in marks {
            let cell = CellId(base.wrapping_add_signed(mark.offset));
            let span = match motion {
                Motion::Rest { ticks, .. } => Span::lasting(depart, (*ticks).max(1 - self.after)),
                Motion::Move(_) if takes == plain => {
                    Span::new(depart.saturating_add(mark.begin), depart.saturating_add(mark.end))
                }
                Motion::Move(_) => {
                    let scaled = |ticks: Ticks| u64::from(ticks) * u64::from(takes);
                    #[allow(clippy::cast_possible_truncation)] // a part of `takes`
                    let [begin, end] = [
                        (scaled(mark.begin) / u64::from(plain)) as Ticks,
                        scaled(mark.end).div_ceil(u64::from(plain)) as Ticks,
                    ];
                    Span::new(depart.saturating_add(begin), depart.saturating_add(end))
                }
            };
            entry(Entry { cell, span: Span::new(span.start, span.end.saturating_add(self.after)) })?;
        }
        ControlFlow::Continue(())
    }
}
