//! Directions learned from moves: one for each place, or one for each move.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use giveway_core::{Cost, Digest, Garbled, WordReader, Words};

use crate::rules::DirectionRules;
use crate::vector::length;

/// The common type of all direction maps: a vector of `N` components for each place, move or crossing of a space, or for
/// each cell of a raster. The key `K` says to which of these the vectors belong: see
/// [`DirectionMap`](crate::DirectionMap), [`EdgeDirectionMap`](crate::EdgeDirectionMap),
/// [`CrossingMap`](crate::CrossingMap) and [`WorldDirectionMap`](crate::WorldDirectionMap).
pub struct Directions<K, const N: usize> {
    rules: DirectionRules,
    pub(crate) key: K,
    /// The components of the vectors, as the bits of `f32`. Atomic, so that a shared map can learn; they impose no
    /// memory order.
    slots: Vec<[AtomicU32; N]>,
    frozen: AtomicBool,
    nodes: usize,
    fingerprint: u64,
}

/// Rounded numbers may be slightly longer than 1.
const LONGEST: f64 = 1.0 + 1e-6;

impl<K: Clone, const N: usize> Directions<K, N> {
    /// A blank map of `count` directions, for `nodes` nodes.
    pub(crate) fn new(rules: DirectionRules, key: K, (nodes, count): (usize, usize), fingerprint: u64) -> Self {
        let slots = (0..count).map(|_| [const { AtomicU32::new(0) }; N]).collect();
        let (rules, frozen) = (rules.in_range(), AtomicBool::new(false));
        Self { rules, key, slots, frozen, nodes, fingerprint }
    }

    /// Sets the rules, and keeps the directions.
    #[must_use]
    pub fn with_rules(self, rules: DirectionRules) -> Self {
        Self { rules: rules.in_range(), ..self }
    }

    /// The rules by which the map learns and charges.
    pub fn rules(&self) -> &DirectionRules {
        &self.rules
    }

    /// A frozen copy, which does not learn, for uses that need a constant map: a heuristic, a picture, a file.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let copy = self.clone();
        copy.freeze();
        copy
    }

    /// Stops learning, until [`thaw`](Self::thaw) is called.
    pub fn freeze(&self) {
        self.frozen.store(true, Ordering::Relaxed);
    }

    /// Resumes learning.
    pub fn thaw(&self) {
        self.frozen.store(false, Ordering::Relaxed);
    }

    /// Whether the map is frozen, so that it does not learn.
    pub fn is_frozen(&self) -> bool {
        self.frozen.load(Ordering::Relaxed)
    }

    /// The number of nodes, or of the cells of the raster.
    pub fn node_bound(&self) -> usize {
        self.nodes
    }

    /// A number that identifies the space of the map, or its raster. The number depends on the nodes, positions and
    /// moves of the space; for a map of moves, only on the nodes and moves. Costs do not matter.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// A number for the space, the directions, and whether the map is frozen. Takes time in proportion to the map.
    pub(crate) fn hash(&self) -> u64 {
        let mut digest = Digest::new();
        digest.word(self.fingerprint);
        digest.word(self.is_frozen().into());
        // Most directions are blank, and the others are few for each unit.
        for (index, vector) in self.all().enumerate().filter(|(_, vector)| *vector != [0.0; N]) {
            digest.word(index as u64);
            vector.into_iter().for_each(|part| digest.number(part.into()));
        }
        digest.finish()
    }

    /// Appends what was learned to `words`.
    pub(crate) fn write(&self, words: &mut Words) {
        words.bits(self.fingerprint);
        words.flag(self.is_frozen());
        let learned: Vec<(usize, [f32; N])> =
            self.all().enumerate().filter(|(_, vector)| *vector != [0.0; N]).collect();
        words.size(learned.len());
        let mut last = 0;
        for (index, vector) in learned {
            words.size(index - last);
            vector.into_iter().for_each(|part| words.number(part.into()));
            last = index;
        }
    }

    /// Becomes what was written.
    ///
    /// # Errors
    /// The words are not those of a map of such a space. Nothing has changed.
    pub(crate) fn read(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        if words.bits()? != self.fingerprint {
            return Err(Garbled::new("directions in the same space"));
        }
        let is_frozen = words.flag()?;
        let (mut index, mut learned) = (0, Vec::new());
        for _ in 0..words.count()? {
            index += words.at_most(self.slots.len())?;
            let mut vector = [0.0; N];
            for part in &mut vector {
                *part = words.number_32()?;
            }
            // A vector that is not finite has no finite length.
            let is_direction = length(vector.map(f64::from)) <= LONGEST;
            if index >= self.slots.len() || !is_direction {
                return Err(Garbled::new("a direction"));
            }
            learned.push((index, vector));
        }
        self.clear();
        learned.into_iter().for_each(|(index, vector)| {
            self.put(index, vector);
        });
        self.frozen.store(is_frozen, Ordering::Relaxed);
        Ok(())
    }

    /// Forgets all directions, even if the map is frozen.
    pub fn clear(&self) {
        self.slots.iter().flatten().for_each(|part| part.store(0, Ordering::Relaxed));
    }

    /// The direction with this index; blank if there is none.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> [f32; N] {
        self.slots.get(index).map_or([0.0; N], read)
    }

    /// All directions, by index.
    pub(crate) fn all(&self) -> impl Iterator<Item = [f32; N]> {
        self.slots.iter().map(read)
    }

    /// Sets the direction with this index; `false`: there is none.
    pub(crate) fn put(&self, index: usize, vector: [f32; N]) -> bool {
        let slot = self.slots.get(index);
        let parts = slot.into_iter().flatten().zip(vector);
        parts.for_each(|(part, value)| part.store(value.to_bits(), Ordering::Relaxed));
        slot.is_some()
    }

    /// Turns the direction with this index towards `movement`.
    pub(crate) fn turn(&self, index: usize, movement: [f64; N], rate: f32) {
        let (rate, vector) = (f64::from(rate), self.at(index).map(f64::from));
        let turned: [f64; N] = std::array::from_fn(|axis| (1.0 - rate) * vector[axis] + rate * movement[axis]);
        // Sums of rounded numbers may be slightly longer than 1.
        let cut = length(turned).max(1.0);
        #[allow(clippy::cast_possible_truncation)] // rounded to the nearest
        self.put(index, turned.map(|part| (part / cut) as f32));
    }
}

#[inline]
fn read<const N: usize>(slot: &[AtomicU32; N]) -> [f32; N] {
    slot.each_ref().map(|part| f32::from_bits(part.load(Ordering::Relaxed)))
}

impl<K: Clone, const N: usize> Clone for Directions<K, N> {
    fn clone(&self) -> Self {
        Self {
            rules: self.rules,
            key: self.key.clone(),
            slots: self.all().map(|vector| vector.map(|part| AtomicU32::new(part.to_bits()))).collect(),
            frozen: AtomicBool::new(self.is_frozen()),
            nodes: self.nodes,
            fingerprint: self.fingerprint,
        }
    }
}

/// Equal rules and directions for equal spaces, frozen or not.
impl<K: PartialEq, const N: usize> PartialEq for Directions<K, N> {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
            && self.fingerprint == other.fingerprint
            && self.key == other.key
            && self.slots.iter().map(read).eq(other.slots.iter().map(read))
    }
}

impl<K, const N: usize> fmt::Debug for Directions<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, nodes, slots, frozen, .. } = self;
        let directions = slots.iter().filter(|slot| read(slot) != [0.0; N]).count();
        f.debug_struct("Directions")
            .field("rules", rules)
            .field("nodes", nodes)
            .field("directions", &directions)
            .field("frozen", frozen)
            .finish_non_exhaustive()
    }
}

/// `steps` plain steps as a cost, rounded down.
#[inline]
pub(crate) fn from_steps<C: Cost>(steps: f64) -> C {
    C::floor(steps * C::STEP.to_f64().unwrap_or(0.0))
}
