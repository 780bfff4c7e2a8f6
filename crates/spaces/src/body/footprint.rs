//! What a body occupies as it moves and rests: the cells of the ground that its shape meets, each for as long as it does.

use std::ops::ControlFlow;

use giveway_core::{
    CellId, Cells, Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn, NodeId, Span, Tick, Ticks,
};

use super::clearance::Clearance;
use super::ground::Ground;
use super::shape::Shape;
use super::stamp::stamp;
use crate::directions::Direction;

/// The footprint of a body on a ground.
#[derive(Clone, Debug)]
pub struct BodyFootprint {
    ground: Ground,
    cells: Cells,
    columns: u32,
    wait_quantum: Ticks,
    ticks_per_step: Ticks,
    /// How long a straight step and a diagonal one take, where nothing slows them.
    durations: [Ticks; 2],
    /// By how many ticks every entry is longer.
    after: Ticks,
    /// By node, how many times as long a step takes there; empty: nothing slows them.
    slowness: Vec<f32>,
    /// By how the cell of the map lies in that of the raster: what is met at rest, then by direction.
    tracks: Vec<[Vec<Mark>; 9]>,
    phases: u32,
}

/// A cell of the raster that is met in a motion: by how much its id is larger than that of the cell where the motion begins, and
/// from when to when.
#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: i32,
    begin: Ticks,
    end: Ticks,
}

const REST: usize = 8;

impl BodyFootprint {
    pub(super) fn new(
        shape: &Shape,
        ground: Ground,
        [ticks_per_step, wait_quantum]: [Ticks; 2],
        durations: [Ticks; 2],
    ) -> Self {
        let [columns, _] = ground.size();
        let phases = ground.phases();
        let tracks_at = |x: u32, y: u32| {
            let corner = [ground.corner(x), ground.corner(y)];
            let track = |by: [f64; 2], duration: Ticks| -> Vec<Mark> {
                let mark = |print: super::stamp::Print| {
                    let ticks = |share: f64| share * f64::from(duration);
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_possible_wrap)]
                    // shares are between 0 and 1, and ids of cells are below 2^32: they wrap as they are added
                    Mark {
                        offset: print.row.wrapping_mul(columns as i32).wrapping_add(print.column),
                        begin: ticks(print.begin).floor() as Ticks,
                        end: (ticks(print.end).ceil() as Ticks).max(1),
                    }
                };
                stamp(shape, by, ground.side(), corner).into_iter().map(mark).collect()
            };
            std::array::from_fn(|index| match Direction::ALL.get(index) {
                None => track([0.0, 0.0], 1),
                Some(direction) => {
                    let (dx, dy) = direction.offset();
                    track([f64::from(dx), f64::from(dy)], durations[usize::from(direction.is_diagonal())])
                }
            })
        };
        let tracks = (0..phases).flat_map(|y| (0..phases).map(move |x| (x, y))).map(|(x, y)| tracks_at(x, y)).collect();
        Self {
            ground,
            cells: ground.cells(),
            columns,
            wait_quantum,
            ticks_per_step,
            durations,
            after: 0,
            slowness: Vec::new(),
            tracks,
            phases,
        }
    }

    /// The same with entries that last for the tick of their end, too.
    pub(super) fn closed(self) -> Self {
        Self { after: 1, ..self }
    }

    /// The same on terrain that makes steps take `slowness` times as long, by node.
    pub(super) fn slowed(self, slowness: Vec<f32>) -> Self {
        Self { slowness, ..self }
    }

    /// How long `m` would take if time were not in ticks.
    pub(super) fn nominal(&self, m: &MoveIn<Clearance>) -> f64 {
        let plain = f64::from(self.durations[usize::from(m.action.is_diagonal())]);
        match (self.slowness.get(m.from.index()), self.slowness.get(m.to.index())) {
            (Some(from), Some(to)) => plain * (f64::from(*from) + f64::from(*to)) / 2.0,
            _ => plain,
        }
    }

    #[inline]
    fn ticks(&self, m: &MoveIn<Clearance>) -> Ticks {
        if self.slowness.is_empty() {
            return self.durations[usize::from(m.action.is_diagonal())];
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let ticks = self.nominal(m).round() as Ticks;
        ticks.max(1)
    }

    /// What is met in the motion numbered `motion` that begins at `node`, and the id of the cell in which that lies.
    #[inline]
    fn track(&self, space: &Clearance, node: NodeId, motion: usize) -> (u32, &[Mark]) {
        if self.columns == space.grid().width() && self.phases == 1 {
            // The cells of the raster are those of the map.
            return (node.0, &self.tracks[0][motion]);
        }
        let (x, y) = space.grid().xy(node);
        let base = self.ground.locate(y).wrapping_mul(self.columns).wrapping_add(self.ground.locate(x));
        let phase = (y % self.phases) * self.phases + x % self.phases;
        (base, &self.tracks[phase as usize][motion])
    }
}

impl Footprint<Clearance> for BodyFootprint {
    fn cells(&self, _space: &Clearance) -> Cells {
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
    fn duration(&self, _space: &Clearance, m: &MoveIn<Clearance>) -> Option<Ticks> {
        Some(self.ticks(m))
    }

    fn uniform_duration(&self) -> Option<Ticks> {
        (self.durations[0] == self.durations[1] && self.slowness.is_empty()).then_some(self.durations[0])
    }

    #[inline]
    fn sweep(
        &self,
        space: &Clearance,
        motion: &MotionIn<Clearance>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        // How long it takes, and how long it would take if nothing slowed it.
        let (node, number, takes, plain) = match motion {
            Motion::Move(m) => {
                let plain = self.durations[usize::from(m.action.is_diagonal())];
                (m.from, m.action as usize, self.ticks(m), plain)
            }
            Motion::Rest { node, .. } => (*node, REST, 1, 1),
        };
        let (base, marks) = self.track(space, node, number);
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
