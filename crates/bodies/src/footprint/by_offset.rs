//! Stamps by offset: if a motion on a grid begins in another cell, the cells that it meets are shifted with it.

use std::ops::ControlFlow;

use giveway_core::{CellId, Entry, EntryVisitor, Motion, MotionIn, MoveIn, NodeId, SpaceGraph, Tick, Ticks};
use giveway_spaces::Grid;

use super::body_footprint::{BodyFootprint, Stamped, Stamps, nowhere};
use super::pace::Pace;
use super::stamp::{Print, longest_part, stamp, ticks_met};
use crate::fit::{Fit, WayTable};
use crate::ground::{Alignment, Ground};
use crate::shape::Shape;
use crate::trajectory::{Placement, Stroke};

/// A space over the cells of a grid, in which motions can be shifted. If a motion begins in another cell, all cells
/// that it meets are shifted by the same number of columns and rows.
pub trait OverGrid: SpaceGraph {
    /// The grid, and where the body fits on it.
    fn fit(&self) -> &Fit;

    /// The number of the way of `m` among all motions. Moves with equal ways have equal numbers.
    fn way(&self, m: &MoveIn<Self>) -> usize;
}

/// The stamps of a body on a ground under a grid.
#[derive(Clone, Debug)]
pub(crate) struct OffsetStamps {
    /// The columns of the raster.
    columns: u32,
    /// Whether the cells of the raster are the cells of the grid, in equal order.
    is_map: bool,
    /// Where the columns and rows of the grid lie on the raster.
    alignment: [Alignment; 2],
    /// The first cell of the level of the grid.
    level: u32,
    /// The duration of each motion, by number, on plain ground; 1 for rests.
    durations: Vec<Ticks>,
    /// The cells met in each motion, for each position of a map cell within the raster.
    tracks: Vec<Vec<MetCell>>,
}

/// A cell of the raster that a motion meets: its id less the id of the cell where the motion begins, and the ticks of
/// the motion between which the cell is met.
#[derive(Clone, Copy, Debug)]
struct MetCell {
    offset: i32,
    begin: Ticks,
    end: Ticks,
}

impl BodyFootprint {
    /// On `ground`, whose raster repeats under `grid` as `alignment` says. `durations` has the duration of each way on
    /// plain ground.
    pub(crate) fn by_offset(
        shape: &Shape,
        ground: Ground,
        grid: &Grid,
        alignment: [Alignment; 2],
        pace: Pace,
        ways: &WayTable,
        mut durations: Vec<Ticks>,
    ) -> Self {
        #[allow(clippy::cast_possible_truncation)] // as exact as the lengths of moves
        let lengths = ways.list.iter().map(|way| way.counts() as f32).collect();
        let first = durations.first().copied();
        let uniform = first.filter(|first| durations.iter().all(|duration| duration == first));
        let [columns, rows] = ground.size();
        durations.resize(ways.list.len() + ways.headings.len(), 1);
        let track = |corner: [f64; 2], heading: f64, strokes: &[Stroke], duration: Ticks| -> Vec<MetCell> {
            let mark = |print: &Print| {
                let [begin, end] = ticks_met(print, duration);
                // Ids of cells are below 2^32: the sum wraps.
                let offset = print.row.wrapping_mul(columns.cast_signed()).wrapping_add(print.column);
                MetCell { offset, begin, end }
            };
            let prints =
                stamp(shape, Placement::facing(heading), strokes, [ground.side(), longest_part(ground.side())], corner);
            prints.iter().map(mark).collect()
        };
        let [across, down] = &alignment;
        let tracks_at = |[x, y]: [f64; 2]| {
            let moves = ways.list.iter().map(|way| (ways.headings[way.from as usize], way.strokes.as_slice()));
            let rests = ways.headings.iter().map(|heading| (*heading, &[][..]));
            let motions = moves.chain(rests).zip(&durations);
            motions.map(|((heading, strokes), duration)| track([x, y], heading, strokes, *duration)).collect::<Vec<_>>()
        };
        let corners = down.corners.iter().flat_map(|y| across.corners.iter().map(move |x| [*x, *y]));
        let tracks = corners.flat_map(tracks_at).collect();
        let stamps = OffsetStamps {
            columns,
            is_map: ground.is_map(grid),
            level: *ground.levels_between(grid.heights()).start() * columns * rows,
            alignment,
            durations,
            tracks,
        };
        Self { cells: ground.cells(), pace, uniform, lengths, stamps: Stamps::ByOffset(stamps) }
    }
}

impl OffsetStamps {
    /// The bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        self.tracks.iter().map(|track| size_of::<Vec<MetCell>>() + track.len() * size_of::<MetCell>()).sum()
    }

    /// The cells met in the motion numbered `motion` that begins at `node`, and the id of the cell where it begins.
    #[inline]
    fn track(&self, fit: &Fit, node: NodeId, motion: usize) -> Option<(u32, &[MetCell])> {
        let cell = fit.cell(node);
        if self.is_map {
            return Some((cell.0, self.tracks.get(motion)?));
        }
        let (x, y) = fit.grid().xy(cell);
        let [across, down] = &self.alignment;
        let base = self.level.wrapping_add(down.locate(y).wrapping_mul(self.columns)).wrapping_add(across.locate(x));
        let phase = (y % down.period) * across.period + x % across.period;
        Some((base, self.tracks.get(phase as usize * self.durations.len() + motion)?))
    }
}

impl<S: OverGrid> Stamped for S {
    fn are_moves_slow(&self) -> bool {
        self.fit().grid().is_slow()
    }

    #[inline]
    fn duration(&self, of: &BodyFootprint, m: &MoveIn<Self>) -> Option<Ticks> {
        let Stamps::ByOffset(stamps) = &of.stamps else { return None };
        let way = self.way(m);
        let plain = *of.lengths.get(way)?;
        #[allow(clippy::float_cmp)] // on plain ground they are the same number
        if m.length == plain { stamps.durations.get(way).copied() } else { Some(of.pace.ticks(m.length)) }
    }

    #[inline]
    fn sweep(
        &self,
        of: &BodyFootprint,
        motion: &MotionIn<Self>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        let Stamps::ByOffset(stamps) = &of.stamps else { return nowhere(depart, entry) };
        // The duration, and the duration on plain ground.
        let (node, number, takes, plain) = match motion {
            Motion::Move(m) => {
                let way = self.way(m);
                let plain = stamps.durations.get(way).copied().unwrap_or(1);
                (m.from, way, self.duration(of, m).unwrap_or(1), plain)
            }
            // Numbers of rests come after the numbers of all ways.
            Motion::Rest { node, .. } => {
                let fit = self.fit();
                (*node, fit.ways().list.len() + fit.heading(*node) as usize, 1, 1)
            }
        };
        let Some((base, marks)) = stamps.track(self.fit(), node, number) else { return nowhere(depart, entry) };
        for mark in marks {
            let cell = CellId(base.wrapping_add_signed(mark.offset));
            let span = match motion {
                Motion::Rest { ticks, .. } => of.pace.rest(depart, *ticks),
                Motion::Move(_) => of.pace.span(depart, [mark.begin, mark.end], takes, plain),
            };
            entry(Entry { cell, span })?;
        }
        ControlFlow::Continue(())
    }
}
