//! The classes of a crowd, by id, and the cells that they share.

mod written;

use std::collections::BTreeSet;
use std::ops::{Index, IndexMut, RangeInclusive};
use std::sync::Arc;

use giveway_core::{Area, Cells, CellsDiffer, Copies, Digest, Edits, Goals, NodeId, Ticks};
use rustc_hash::{FxHashMap, FxHashSet};

use super::any_class::AnyClass;
use super::currents::Current;
use super::operations::{Operations, SLOW};
use crate::class_id::ClassId;
use crate::clock::Clock;
use crate::leg::Leg;
use crate::roster::{Member, Patience, Roster, TurnTerms};

/// The units of work, for each unit and tick, with which steps serve slow units well. With less, steps come too late,
/// because slow units compare more ways. With more, windows and joint plans come farther: steps alone pass no corridor.
const WORK_FOR_SLOW: RangeInclusive<u64> = 40..=1000;

/// The classes of a crowd, and what is known of distances.
pub struct World<'a> {
    pub(super) classes: Vec<Box<dyn AnyClass + 'a>>,
    /// The reservation cells that all classes share; `None`: there is no class.
    cells: Option<Cells>,
    /// The areas that units are leaving, and that are closed once they are empty.
    pub vacating: Vec<Area>,
    /// The revision of the space of each class at the last tick.
    revisions: Vec<u64>,
    /// The revision of the space of each class up to which it was noted what agents occupy where they are.
    placed: Vec<u64>,
    /// By class, how long the longest move takes, as far as is known since the space last changed.
    pub(super) longest_moves: Vec<Ticks>,
    /// The classes with distances that may belong to an earlier map.
    pub(super) to_renew: BTreeSet<ClassId>,
    /// The class in which the fuel ended when distances were last renewed.
    pub(super) renewed_last: ClassId,
    /// By class, how many agents have the same goals.
    pub(super) sought: Vec<FxHashMap<Goals, u32>>,
    /// The classes with agents that could not find their way for want of memory.
    pub(super) short_of_memory: BTreeSet<ClassId>,
    /// What units can do next.
    pub(super) operations: Operations,
}

/// Why a class was not added.
#[derive(Clone, Copy, Debug)]
pub enum CannotAdd {
    /// The class does not share the reservation cells of the earlier classes.
    CellsDiffer(CellsDiffer),
    /// No id is left.
    TooMany,
}

impl<'a> World<'a> {
    #[inline]
    #[allow(clippy::new_without_default)] // there is one world for each crowd
    pub fn new() -> Self {
        Self {
            classes: Vec::new(),
            cells: None,
            vacating: Vec::new(),
            revisions: Vec::new(),
            placed: Vec::new(),
            longest_moves: Vec::new(),
            to_renew: BTreeSet::new(),
            renewed_last: ClassId(0),
            sought: Vec::new(),
            short_of_memory: BTreeSet::new(),
            operations: Operations::default(),
        }
    }

    /// Adds a class. The first one decides on the reservation cells.
    ///
    /// # Errors
    /// [`CannotAdd::CellsDiffer`]: the class has other cells than the earlier classes, or follows another conflict
    /// rule.
    #[inline]
    pub fn add(&mut self, class: Box<dyn AnyClass + 'a>) -> Result<ClassId, CannotAdd> {
        let id = self.next_id()?;
        self.cells = Some(match self.cells {
            None => class.cells(),
            Some(shared) => shared.join(class.cells()).map_err(CannotAdd::CellsDiffer)?,
        });
        self.revisions.push(class.revision());
        self.placed.push(class.revision());
        self.longest_moves.push(0);
        self.sought.push(FxHashMap::default());
        self.classes.push(class);
        Ok(id)
    }

    /// Copies of the classes. What their layers share, the copies of these share, and nobody else; `None`: a class
    /// cannot be copied.
    #[inline]
    pub(super) fn copied_classes(&self) -> Option<Vec<Box<dyn AnyClass + 'a>>> {
        let mut copies = Copies::new();
        self.classes.iter().map(|class| class.copy(&mut copies)).collect()
    }

    /// The id of the class that is added next.
    #[inline]
    pub fn next_id(&self) -> Result<ClassId, CannotAdd> {
        u32::try_from(self.classes.len()).map(ClassId).map_err(|_| CannotAdd::TooMany)
    }

    /// The number of classes.
    #[inline]
    pub fn count(&self) -> u32 {
        self.next_id().map_or(u32::MAX, |id| id.0)
    }

    /// The reservation cells that all classes share; `None`: there is no class.
    #[inline]
    pub fn cells(&self) -> Option<Cells> {
        self.cells
    }

    /// Whether the space of a class is large, so that what is known of its nodes waits in memory.
    #[inline]
    pub fn is_large(&self) -> bool {
        self.classes.iter().any(|class| giveway_distance::is_large(class.node_bound()))
    }

    /// The ticks that a plain step takes: the largest number that a class asks for, at least 1.
    #[inline]
    pub fn ticks_per_step(&self) -> Ticks {
        self.classes.iter().map(|class| class.ticks_per_step()).max().unwrap_or(1)
    }

    /// The ticks of the longest step that a class counts by; `None`: there is no class.
    #[inline]
    pub fn longest_step(&self) -> Option<Ticks> {
        let plain = self.ticks_per_step();
        self.classes.iter().map(|class| class.step().unwrap_or(plain)).max()
    }

    /// The ids of all classes.
    #[inline]
    pub fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.count()).map(ClassId)
    }

    #[inline]
    pub fn get(&self, class: ClassId) -> Option<&(dyn AnyClass + 'a)> {
        self.classes.get(class.0 as usize).map(|class| &**class)
    }

    #[inline]
    pub fn get_mut(&mut self, class: ClassId) -> Option<&mut (dyn AnyClass + 'a)> {
        self.classes.get_mut(class.0 as usize).map(|class| &mut **class)
    }

    /// The classes with spaces changed since the last call, and what has changed.
    #[inline]
    pub fn edited(&mut self) -> Vec<(ClassId, Edited)> {
        let known = self.revisions.iter_mut().zip(&self.classes);
        let changed = (0..).map(ClassId).zip(known).filter_map(|(id, (known, class))| {
            let before = std::mem::replace(known, class.revision());
            (before != *known).then(|| (id, Edited::of(class.edits_since(before))))
        });
        changed.collect()
    }

    /// Whether what agents occupy where they are was [noted](Self::note_placed) for the space of `class` as it is now.
    pub fn is_placed(&self, class: ClassId) -> bool {
        self.placed[class.0 as usize] == self[class].revision()
    }

    /// Notes that it was noted what agents occupy where they are, with all edits of the space of `class` since the
    /// revision `before`. If there were others before, all are looked at again at the next tick.
    pub fn note_placed(&mut self, class: ClassId, before: u64) {
        let revision = self[class].revision();
        let placed = &mut self.placed[class.0 as usize];
        if *placed >= before {
            *placed = revision;
        }
    }

    /// By class, what decides which planners serve its members. LaCAM can serve them if all moves take equally long, at
    /// any time. Where the budget `is_short`, steps serve them well if so, and also where no unit of `roster` is slow,
    /// or the `work` for each unit suits slow ones.
    #[inline]
    pub fn turn_terms(
        &self,
        is_short: bool,
        work: u64,
        roster: &Roster,
        clock: Clock,
    ) -> impl Iterator<Item = TurnTerms> {
        let is_slow = |member: &Member| self.longest_moves[member.class().0 as usize] >= clock.ticks(SLOW);
        let serves_all = is_short && (WORK_FOR_SLOW.contains(&work) || !roster.members().any(is_slow));
        self.classes.iter().map(move |class| {
            let fits_knots = class.uniform_duration().is_some();
            let is_short = is_short && (fits_knots || serves_all);
            TurnTerms { fits_knots, is_short, patience: Patience::Long, over_for: 0 }
        })
    }

    /// Notes that a unit of `class` has carried out `leg`.
    #[inline]
    pub fn note_move(&mut self, class: ClassId, leg: &Leg) {
        // A shortcut stands for several moves.
        if leg.action().is_some() {
            let longest = &mut self.longest_moves[class.0 as usize];
            *longest = (*longest).max(leg.arrive - leg.depart);
        }
    }

    /// Adds what may change of the class `id` to `digest`, but for its space.
    pub fn feed(&self, id: ClassId, digest: &mut Digest) {
        let (class, index) = (&self[id], id.0 as usize);
        digest.pair(self.longest_moves[index], u32::from(self.revisions[index] != class.revision()));
        digest.word(class.learned());
    }

    /// Changes the currents of all classes.
    pub fn set_currents(&mut self, currents: &Arc<[Current]>) {
        self.classes.iter_mut().for_each(|class| class.set_currents(currents));
    }

    /// The nodes that reverse searches have expanded so far.
    #[inline]
    pub fn reverse_expanded(&self) -> u64 {
        self.classes.iter().map(|class| class.reverse_expanded()).sum()
    }

    /// The bytes that the distances of all classes take.
    #[inline]
    pub fn distance_bytes(&self) -> usize {
        self.classes.iter().map(|class| class.distance_bytes()).sum()
    }
}

impl Clone for World<'_> {
    fn clone(&self) -> Self {
        let classes = self.copied_classes();
        Self {
            classes: classes.expect("only a crowd that is not handed out has classes that cannot be copied"),
            cells: self.cells,
            vacating: self.vacating.clone(),
            revisions: self.revisions.clone(),
            placed: self.placed.clone(),
            longest_moves: self.longest_moves.clone(),
            to_renew: self.to_renew.clone(),
            renewed_last: self.renewed_last,
            sought: self.sought.clone(),
            short_of_memory: self.short_of_memory.clone(),
            operations: self.operations.clone(),
        }
    }
}

impl<'a> Index<ClassId> for World<'a> {
    type Output = dyn AnyClass + 'a;

    #[inline]
    fn index(&self, class: ClassId) -> &Self::Output {
        &*self.classes[class.0 as usize]
    }
}

impl IndexMut<ClassId> for World<'_> {
    #[inline]
    fn index_mut(&mut self, class: ClassId) -> &mut Self::Output {
        &mut *self.classes[class.0 as usize]
    }
}

/// What has changed in the space of a class: the nodes, if they are known.
pub struct Edited(Option<EditedNodes>);

struct EditedNodes {
    /// From the least node to the greatest one: most nodes of a large space lie outside.
    range: RangeInclusive<NodeId>,
    nodes: FxHashSet<NodeId>,
}

impl Edited {
    /// What `edits` say.
    #[inline]
    pub fn of(edits: Edits<'_>) -> Self {
        Self(match edits {
            Edits::All => None,
            Edits::Nodes(nodes) => {
                let [least, greatest] = [nodes.iter().min(), nodes.iter().max()].map(|node| node.copied());
                // Without nodes the range is empty.
                let range = least.unwrap_or(NodeId(1))..=greatest.unwrap_or(NodeId(0));
                Some(EditedNodes { range, nodes: nodes.iter().copied().collect() })
            }
        })
    }

    /// Whether `node` may have changed, or its moves.
    #[inline]
    pub fn concerns(&self, node: NodeId) -> bool {
        self.0.as_ref().is_none_or(|edited| edited.range.contains(&node) && edited.nodes.contains(&node))
    }

    /// Whether a unit may have to go another way than `leg`.
    #[inline]
    pub fn concerns_leg(&self, leg: &Leg) -> bool {
        leg.is_shortcut() || self.concerns(leg.from) || self.concerns(leg.to)
    }

    /// Whether it may concern a node from `least` to `greatest`.
    #[inline]
    pub fn comes_near(&self, [least, greatest]: [NodeId; 2]) -> bool {
        self.0.as_ref().is_none_or(|edited| *edited.range.start() <= greatest && least <= *edited.range.end())
    }
}
