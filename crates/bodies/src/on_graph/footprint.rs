//! The footprint of a body in a space whose moves differ: a stamp for each move, made when first needed.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use giveway_core::{
    CellId, Cells, Embedding, Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn, NodeId, SpaceGraph, Span, Tick,
    Ticks, TooCoarse, move_lengths,
};

use super::GraphClearance;
use super::survey::{Course, Survey};
use crate::footprint::{Pace, ticks_met};

/// The footprint of a body on a ground, in any space with positions; made by [`Body::on_graph`](crate::Body::on_graph).
///
/// It keeps the stamp of a move, the cells that the body meets on it, from the first question on, as it keeps that of a rest. Clones share them.
#[derive(Clone, Debug)]
pub struct GraphFootprint {
    cells: Cells,
    pace: Pace,
    /// The duration of all moves on plain ground, if it is the same for all.
    uniform: Option<Ticks>,
    stamps: Arc<Stamps>,
}

/// The stamps of all nodes, as far as they are known.
struct Stamps {
    survey: Survey,
    /// Per node; empty: none has been asked for yet, or they are beyond the bound.
    of: Box<[OnceLock<NodeStamps>]>,
    /// The bytes that the stamps in `of` take, and how many they may take.
    bytes: AtomicUsize,
    most: usize,
    /// Beyond the bound: the stamps used last, at the place of the node's id modulo their number.
    recent: Mutex<Vec<Option<Recent>>>,
}

/// A node, and its stamps.
type Recent = (NodeId, Arc<NodeStamps>);

/// The number of nodes beyond the bound whose stamps are kept for a while.
const RECENT: usize = 1024;
/// By default stamps take up to this many bytes.
const MOST_BYTES: usize = 256 << 20;

/// What a body meets on a node, and on the moves out of it, as far as it is known; the first motion is the rest.
#[derive(Clone, Debug)]
struct NodeStamps(Box<[OnceLock<Stamp>]>);

/// What a body meets in a motion.
#[derive(Clone, Debug)]
struct Stamp {
    marks: Box<[Mark]>,
    /// The duration of the motion on plain ground.
    plain: Ticks,
}

/// A cell that a motion meets, and the ticks of the motion between which it is met.
#[derive(Clone, Copy, Debug)]
struct Mark {
    cell: u32,
    ticks: [Ticks; 2],
}

impl Stamps {
    fn new(survey: Survey, nodes: usize, most: usize) -> Self {
        let of = std::iter::repeat_with(OnceLock::new).take(nodes).collect();
        Self { survey, of, bytes: AtomicUsize::new(0), most, recent: Mutex::new(Vec::new()) }
    }

    /// Calls `with` with the stamp of the motion numbered `motion` of `node`; `None`: there is no such motion.
    #[inline]
    fn with<S: Embedding, T>(
        &self,
        space: &GraphClearance<S>,
        pace: Pace,
        (node, motion): (NodeId, usize),
        with: impl FnOnce(&Stamp) -> T,
    ) -> Option<T> {
        let known = self.of.get(node.index())?;
        match known.get().map(|stamps| (stamps, stamps.0.get(motion).map(OnceLock::get))) {
            Some((_, Some(Some(stamp)))) => Some(with(stamp)),
            Some((_, None)) => None,
            Some((stamps, _)) => self.get_or_make(stamps, space, pace, (node, motion), true).map(with),
            None => self.find(space, pace, (node, motion), known, with),
        }
    }

    /// The stamps of a node of which none is known.
    #[cold]
    fn find<S: Embedding, T>(
        &self,
        space: &GraphClearance<S>,
        pace: Pace,
        (node, motion): (NodeId, usize),
        known: &OnceLock<NodeStamps>,
        with: impl FnOnce(&Stamp) -> T,
    ) -> Option<T> {
        let blank = || {
            let motions = 1 + space.space().moves(node).count();
            NodeStamps(std::iter::repeat_with(OnceLock::new).take(motions).collect())
        };
        // Which stamps are kept has no influence on any result: a stamp is always the same.
        if self.bytes.load(Ordering::Relaxed) < self.most {
            let stamps = known.get_or_init(|| {
                let stamps = blank();
                self.bytes.fetch_add(stamps.0.len() * size_of::<OnceLock<Stamp>>(), Ordering::Relaxed);
                stamps
            });
            return self.get_or_make(stamps, space, pace, (node, motion), true).map(with);
        }
        let place = node.index() % RECENT;
        let found = {
            let recent = self.recent.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            recent.get(place).cloned().flatten().filter(|(of, _)| *of == node)
        };
        let stamps = found.map_or_else(|| Arc::new(blank()), |(_, stamps)| stamps);
        {
            let mut recent = self.recent.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            recent.resize(RECENT, None);
            recent[place] = Some((node, Arc::clone(&stamps)));
        }
        self.get_or_make(&stamps, space, pace, (node, motion), false).map(with)
    }

    /// The stamp of a motion among `stamps`, those of its node, whose memory counts if they are `kept`.
    fn get_or_make<'a, S: Embedding>(
        &self,
        stamps: &'a NodeStamps,
        space: &GraphClearance<S>,
        pace: Pace,
        (node, motion): (NodeId, usize),
        kept: bool,
    ) -> Option<&'a Stamp> {
        let make = || {
            let stamp = self.make(space, pace, node, motion);
            if kept {
                self.bytes.fetch_add(stamp.marks.len() * size_of::<Mark>(), Ordering::Relaxed);
            }
            stamp
        };
        Some(stamps.0.get(motion)?.get_or_init(make))
    }

    fn make<S: Embedding>(&self, space: &GraphClearance<S>, pace: Pace, node: NodeId, motion: usize) -> Stamp {
        let space = space.space();
        let (course, plain) = match motion {
            0 => (Some(Course::rest(space, node)), 1),
            // As the whole space has it, on plain ground.
            _ => space.moves(node).nth(motion - 1).map_or((None, 1), |m| (Course::of(space, &m), pace.ticks(m.length))),
        };
        let mut marks = Vec::new();
        if let Some(course) = course {
            self.survey.cells(&course, |cell, print| marks.push(Mark { cell, ticks: ticks_met(print, plain) }));
        }
        Stamp { marks: marks.into(), plain }
    }
}

impl fmt::Debug for Stamps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stamps").field("nodes", &self.of.len()).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl GraphFootprint {
    pub(super) fn new<S: Embedding>(survey: Survey, pace: Pace, space: &GraphClearance<S>) -> Self {
        let mut durations = space.adjacency.all().iter().map(|m| pace.ticks(m.length));
        let first = durations.next();
        Self {
            cells: survey.ground.cells(),
            pace,
            uniform: first.filter(|first| durations.all(|duration| duration == *first)),
            stamps: Arc::new(Stamps::new(survey, space.node_bound(), MOST_BYTES)),
        }
    }

    /// Sets how many bytes stamps may take, 256 MiB by default; nodes take 40 bytes each beyond that. Stamps for which there is no room are
    /// made again, except for those of the last thousand nodes or so. Forgets the stamps so far.
    #[must_use]
    pub fn keep_at_most(self, bytes: usize) -> Self {
        let Stamps { survey, of, .. } = &*self.stamps;
        let stamps = Arc::new(Stamps::new(survey.clone(), of.len(), bytes));
        Self { stamps, ..self }
    }

    /// The bytes that kept stamps take now, without those of the last thousand nodes beyond the bound.
    pub fn stamp_bytes(&self) -> usize {
        self.stamps.bytes.load(Ordering::Relaxed) + self.stamps.of.len() * size_of::<OnceLock<NodeStamps>>()
    }
}

impl<S: Embedding> Footprint<GraphClearance<S>> for GraphFootprint {
    fn cells(&self, _space: &GraphClearance<S>) -> Cells {
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
    fn duration(&self, _space: &GraphClearance<S>, m: &MoveIn<GraphClearance<S>>) -> Option<Ticks> {
        Some(self.pace.ticks(m.length))
    }

    fn uniform_duration(&self, space: &GraphClearance<S>) -> Option<Ticks> {
        self.uniform.filter(|_| space.surfaces.are_plain())
    }

    fn check_slowness(&self, space: &GraphClearance<S>, slowness: f32) -> Result<(), TooCoarse> {
        self.pace.check_slowness(&move_lengths(space.space()), slowness)
    }

    #[inline]
    fn sweep(
        &self,
        space: &GraphClearance<S>,
        motion: &MotionIn<GraphClearance<S>>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        let (node, number, takes) = match motion {
            Motion::Move(m) => (m.from, space.place_of(m).map(|place| place + 1), self.pace.ticks(m.length)),
            Motion::Rest { node, .. } => (*node, Some(0), 1),
        };
        let mut nowhere = true;
        let flow = number.and_then(|number| {
            self.stamps.with(space, self.pace, (node, number), |stamp| {
                for mark in &*stamp.marks {
                    nowhere = false;
                    let span = match motion {
                        Motion::Rest { ticks, .. } => self.pace.rest(depart, *ticks),
                        Motion::Move(_) => self.pace.span(depart, mark.ticks, takes, stamp.plain),
                    };
                    entry(Entry { cell: CellId(mark.cell), span })?;
                }
                ControlFlow::Continue(())
            })
        });
        if let (None, Motion::Move(m)) = (number, motion)
            && space.space().straight(m.from, m.to) == Some(m.action)
            && let Some(course) = Course::of(space.space(), m)
        {
            // A shortcut, which no node has a stamp for.
            let mut entries: Vec<Entry> = Vec::new();
            self.stamps.survey.cells(&course, |cell, print| {
                let span = self.pace.span(depart, ticks_met(print, takes), takes, takes);
                entries.push(Entry { cell: CellId(cell), span });
            });
            nowhere = entries.is_empty();
            entries.into_iter().try_for_each(&mut *entry)?;
        }
        if nowhere {
            // The motion is of another space, or beyond the ground: no store has this cell.
            return entry(Entry { cell: CellId(u32::MAX), span: Span::lasting(depart, 1) });
        }
        flow.unwrap_or(ControlFlow::Continue(()))
    }
}
