//! Stamps by move: in a space whose moves differ each move has a stamp, made when first needed.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use giveway_core::{
    CellId, Embedding, Entry, EntryVisitor, Motion, MotionIn, MoveIn, NodeId, SpaceGraph, Tick, Ticks, move_lengths,
};

use super::body_footprint::{BodyFootprint, Stamped, Stamps, nowhere};
use super::pace::Pace;
use super::stamp::ticks_met;
use crate::graph_clearance::GraphClearance;
use crate::survey::{Course, Survey};

/// The stamps of all nodes, as far as they are known.
pub(crate) struct MoveStamps {
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

impl MoveStamps {
    fn new(survey: Survey, nodes: usize, most: usize) -> Self {
        let of = std::iter::repeat_with(OnceLock::new).take(nodes).collect();
        Self { survey, of, bytes: AtomicUsize::new(0), most, recent: Mutex::new(Vec::new()) }
    }

    /// No stamps yet, of as many nodes, which may take `most` bytes.
    pub(crate) fn blank(&self, most: usize) -> Self {
        Self::new(self.survey.clone(), self.of.len(), most)
    }

    /// The bytes that kept stamps take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed) + self.of.len() * size_of::<OnceLock<NodeStamps>>()
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

    /// The stamp of a motion, among the `stamps` of its node. New memory counts if the stamps are `kept`.
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
            // The move as the whole space has it, on plain ground.
            _ => space.moves(node).nth(motion - 1).map_or((None, 1), |m| (Course::of(space, &m), pace.ticks(m.length))),
        };
        let mut marks = Vec::new();
        if let Some(course) = course {
            self.survey.cells(&course, &mut |cell, print| marks.push(Mark { cell, ticks: ticks_met(print, plain) }));
        }
        Stamp { marks: marks.into(), plain }
    }
}

impl fmt::Debug for MoveStamps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveStamps").field("nodes", &self.of.len()).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl BodyFootprint {
    pub(crate) fn by_move<S: Embedding>(survey: Survey, pace: Pace, space: &GraphClearance<S>) -> Self {
        let mut durations = space.all_moves().iter().map(|m| pace.ticks(m.length));
        let first = durations.next();
        let uniform = first.filter(|first| durations.all(|duration| duration == *first));
        let lengths = move_lengths(space.space()).into();
        let cells = survey.ground.cells();
        let stamps = Arc::new(MoveStamps::new(survey, space.node_bound(), MOST_BYTES));
        Self { cells, pace, uniform, lengths, stamps: Stamps::ByMove(stamps) }
    }
}

impl<S: Embedding> Stamped for GraphClearance<S> {
    fn are_moves_slow(&self) -> bool {
        !self.is_plain()
    }

    #[inline]
    fn duration(&self, of: &BodyFootprint, m: &MoveIn<Self>) -> Option<Ticks> {
        Some(of.pace.ticks(m.length))
    }

    #[inline]
    fn sweep(
        &self,
        of: &BodyFootprint,
        motion: &MotionIn<Self>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        let Stamps::ByMove(stamps) = &of.stamps else { return nowhere(depart, entry) };
        let pace = of.pace;
        let (node, number, takes) = match motion {
            Motion::Move(m) => (m.from, self.place_of(m).map(|place| place + 1), pace.ticks(m.length)),
            Motion::Rest { node, .. } => (*node, Some(0), 1),
        };
        let mut is_nowhere = true;
        let flow = number.and_then(|number| {
            stamps.with(self, pace, (node, number), |stamp| {
                for mark in &*stamp.marks {
                    is_nowhere = false;
                    let span = match motion {
                        Motion::Rest { ticks, .. } => pace.rest(depart, *ticks),
                        Motion::Move(_) => pace.span(depart, mark.ticks, takes, stamp.plain),
                    };
                    entry(Entry { cell: CellId(mark.cell), span })?;
                }
                ControlFlow::Continue(())
            })
        });
        if let (None, Motion::Move(m)) = (number, motion)
            && self.space().straight(m.from, m.to) == Some(m.action)
            && let Some(course) = Course::of(self.space(), m)
        {
            // A shortcut, which no node has a stamp for.
            let mut entries: Vec<Entry> = Vec::new();
            stamps.survey.cells(&course, &mut |cell, print| {
                let span = pace.span(depart, ticks_met(print, takes), takes, takes);
                entries.push(Entry { cell: CellId(cell), span });
            });
            is_nowhere = entries.is_empty();
            entries.into_iter().try_for_each(&mut *entry)?;
        }
        if is_nowhere {
            return nowhere(depart, entry);
        }
        flow.unwrap_or(ControlFlow::Continue(()))
    }
}
