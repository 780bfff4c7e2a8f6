//! The footprint of a body: the cells of the ground that its shape meets as it moves and rests, each for as long as it is met.

use std::ops::ControlFlow;

use giveway_core::{
    CellId, Cells, Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn, NodeId, SpaceGraph, Span, Tick, Ticks,
    TooCoarse, check_ticks,
};

use super::ground::{Alignment, Ground};
use super::room::WayTable;
use super::shape::Shape;
use super::stamp::{Print, longest_part, stamp};
use super::trajectory::{Placement, Stroke};
use giveway_spaces::Grid;

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

/// The footprint of a body on a ground, in a space over the cells of a grid.
#[derive(Clone, Debug)]
pub struct BodyFootprint {
    cells: Cells,
    /// The columns of the raster.
    columns: u32,
    /// Whether the cells of the raster are those of the grid, in equal order.
    is_map: bool,
    /// Where the columns and rows of the grid lie on the raster.
    alignment: [Alignment; 2],
    /// The first cell of the level of the grid.
    level: u32,
    pace: Pace,
    /// The duration of each motion, by number, on plain ground; 1 for rests.
    durations: Vec<Ticks>,
    /// The length of each way on plain ground.
    lengths: Vec<f32>,
    /// Whether all ways take equally long.
    uniform: bool,
    /// The cells met in each motion, for each position of a map cell within the raster.
    tracks: Vec<Vec<MetCell>>,
}

/// How long motions of a class take, and what is held of them beyond that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) ticks_per_step: Ticks,
    /// The exact number of ticks for a world unit.
    pub(super) ticks_per_length: f64,
    /// The number of ticks by which every entry is longer.
    pub(super) after: Ticks,
}

impl Pace {
    /// How long the class waits at a time.
    #[inline]
    pub(super) fn wait_quantum(self) -> Ticks {
        self.ticks_per_step.div_ceil(4)
    }

    /// The exact duration of a move of `length`, in ticks.
    #[inline]
    pub(super) fn nominal(self, length: f32) -> f64 {
        f64::from(length) * self.ticks_per_length
    }

    /// Checks that moves of `lengths` on plain ground keep their speed where they take `slowness` times as long.
    pub(super) fn check_slowness(self, lengths: &[f32], slowness: f32) -> Result<(), TooCoarse> {
        let steps = |length: &f32| self.nominal(*length) * f64::from(slowness) / f64::from(self.ticks_per_step.max(1));
        check_ticks(lengths.iter().map(steps), self.ticks_per_step)
    }

    /// The duration of a move of `length`, rounded to whole ticks.
    #[inline]
    pub(super) fn ticks(self, length: f32) -> Ticks {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let ticks = self.nominal(length).round() as Ticks;
        ticks.max(1)
    }

    /// The span in which a cell is held from `begin` to `end` of a motion begun at `depart` that takes `takes` ticks, if these are given for a
    /// motion of `plain` ticks.
    #[inline]
    pub(super) fn span(self, depart: Tick, [begin, end]: [Ticks; 2], takes: Ticks, plain: Ticks) -> Span {
        let (begin, end) = if takes == plain {
            (begin, end)
        } else {
            let scaled = |ticks: Ticks| u64::from(ticks) * u64::from(takes);
            #[allow(clippy::cast_possible_truncation)] // parts of `takes`
            ((scaled(begin) / u64::from(plain)) as Ticks, scaled(end).div_ceil(u64::from(plain)) as Ticks)
        };
        Span::new(depart.saturating_add(begin), depart.saturating_add(end).saturating_add(self.after))
    }

    /// The span in which cells are held by a rest of `ticks` ticks.
    #[inline]
    pub(super) fn rest(self, depart: Tick, ticks: Ticks) -> Span {
        let span = Span::lasting(depart, ticks.max(1 - self.after.min(1)));
        Span::new(span.start, span.end.saturating_add(self.after))
    }
}

/// A cell of the raster that a motion meets: the difference of its id from that of the cell where the motion begins, and the
/// shares of the motion between which it is met.
#[derive(Clone, Copy, Debug)]
struct MetCell {
    offset: i32,
    begin: Ticks,
    end: Ticks,
}

/// The ticks of a motion of `duration` ticks between which a print is met.
pub(super) fn ticks_met(print: &Print, duration: Ticks) -> [Ticks; 2] {
    let ticks = |share: f64| share * f64::from(duration);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // shares are between 0 and 1
    [ticks(print.begin).floor() as Ticks, (ticks(print.end).ceil() as Ticks).max(1)]
}

impl BodyFootprint {
    /// On `ground`, whose raster repeats under `grid` as `alignment` says. `durations` are those of the ways on plain ground.
    pub(super) fn new(
        shape: &Shape,
        ground: Ground,
        grid: &Grid,
        alignment: [Alignment; 2],
        pace: Pace,
        ways: &WayTable,
        mut durations: Vec<Ticks>,
    ) -> Self {
        let [columns, rows] = ground.size();
        let uniform = durations.windows(2).all(|pair| pair[0] == pair[1]);
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
        #[allow(clippy::cast_possible_truncation)] // as exact as the lengths of moves
        let lengths = ways.list.iter().map(|way| way.counts() as f32).collect();
        Self {
            cells: ground.cells(),
            columns,
            is_map: ground.is_map(grid),
            level: *ground.levels_between(grid.heights()).start() * columns * rows,
            alignment,
            pace,
            lengths,
            durations,
            uniform,
            tracks,
        }
    }

    /// The number of ticks that a plain step at speed 1 takes.
    pub fn ticks_per_step(&self) -> Ticks {
        self.pace.ticks_per_step
    }

    /// The bytes that its stamps take: the cells met in each motion.
    pub fn stamp_bytes(&self) -> usize {
        self.tracks.iter().map(|track| size_of::<Vec<MetCell>>() + track.len() * size_of::<MetCell>()).sum()
    }

    #[inline]
    fn ticks<S: Tiled>(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        let way = space.way(m);
        let plain = *self.lengths.get(way)?;
        #[allow(clippy::float_cmp)] // on plain ground they are the same number
        if m.length == plain { self.durations.get(way).copied() } else { Some(self.pace.ticks(m.length)) }
    }

    /// The cells met in the motion numbered `motion` that begins at `node`, and the id of the cell where it begins.
    #[inline]
    fn track<S: Tiled>(&self, space: &S, node: NodeId, motion: usize) -> Option<(u32, &[MetCell])> {
        let cell = space.cell(node);
        if self.is_map {
            return Some((cell.0, self.tracks.get(motion)?));
        }
        let (x, y) = space.grid().xy(cell);
        let [across, down] = &self.alignment;
        let base = self.level.wrapping_add(down.locate(y).wrapping_mul(self.columns)).wrapping_add(across.locate(x));
        let phase = (y % down.period) * across.period + x % across.period;
        Some((base, self.tracks.get(phase as usize * self.durations.len() + motion)?))
    }
}

impl<S: Tiled> Footprint<S> for BodyFootprint {
    fn cells(&self, _space: &S) -> Cells {
        self.cells
    }

    #[inline]
    fn wait_quantum(&self) -> Ticks {
        self.pace.wait_quantum()
    }

    #[inline]
    fn ticks_per_step(&self) -> Ticks {
        self.pace.ticks_per_step
    }

    #[inline]
    fn duration(&self, space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        self.ticks(space, m)
    }

    fn uniform_duration(&self, space: &S) -> Option<Ticks> {
        let first = *self.durations.first()?;
        (self.uniform && !space.grid().is_slow()).then_some(first)
    }

    fn check_slowness(&self, _space: &S, slowness: f32) -> Result<(), TooCoarse> {
        self.pace.check_slowness(&self.lengths, slowness)
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
                Motion::Rest { ticks, .. } => self.pace.rest(depart, *ticks),
                Motion::Move(_) => self.pace.span(depart, [mark.begin, mark.end], takes, plain),
            };
            entry(Entry { cell, span })?;
        }
        ControlFlow::Continue(())
    }
}
