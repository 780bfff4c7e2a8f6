//! What is known of (node, tick) pairs.

use crate::graph::generation::Generation;
use crate::vocabulary::motion::NodeId;
use crate::vocabulary::time::Tick;

/// An open-addressing table whose `clear` costs nothing: entries of an older generation are vacant.
///
/// A general hash map is cleared in time linear in its capacity: one large search would slow down every small
/// search after it.
#[derive(Clone, Debug)]
pub(crate) struct Seen<V> {
    buckets: Vec<Bucket<V>>,
    generation: Generation,
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bucket<V> {
    key: u64,
    /// Of the generation in which it was put in.
    stamp: u32,
    value: V,
}

/// Where to put a pair that has not been seen; valid until the table changes.
pub(crate) struct Vacancy {
    key: u64,
    bucket: usize,
}

const SMALLEST: usize = 256;

#[inline]
fn key(node: NodeId, tick: Tick) -> u64 {
    u64::from(node.0) << 32 | u64::from(tick)
}

impl<V: Copy + Default> Seen<V> {
    pub(crate) fn new() -> Self {
        Self { buckets: Vec::new(), generation: Generation::FIRST, len: 0 }
    }

    /// The value of the pair, or where to put it.
    #[inline]
    pub(crate) fn find(&mut self, node: NodeId, tick: Tick) -> Result<V, Vacancy> {
        if (self.len + 1) * 2 > self.buckets.len() {
            self.grow();
        }
        let key = key(node, tick);
        let bucket = self.locate(key);
        let found = &self.buckets[bucket];
        if found.stamp == self.generation.stamp() { Ok(found.value) } else { Err(Vacancy { key, bucket }) }
    }

    #[inline]
    pub(crate) fn insert(&mut self, vacancy: Vacancy, value: V) {
        self.buckets[vacancy.bucket] = Bucket { key: vacancy.key, stamp: self.generation.stamp(), value };
        self.len += 1;
    }

    /// Changes the value of a pair that has been seen.
    pub(crate) fn replace(&mut self, node: NodeId, tick: Tick, value: V) {
        if self.find(node, tick).is_ok() {
            let bucket = self.locate(key(node, tick));
            self.buckets[bucket].value = value;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
        if !self.generation.advance() {
            self.buckets.fill(Bucket::default());
        }
    }

    /// The bucket that holds `key`, or the vacant one where its probe sequence ends. Needs a vacant bucket.
    #[inline]
    fn locate(&self, key: u64) -> usize {
        let mask = self.buckets.len() - 1;
        // Fibonacci hashing; the high bits are the mixed ones.
        #[allow(clippy::cast_possible_truncation)] // the shift leaves 32 bits
        let mut bucket = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            let found = &self.buckets[bucket];
            if found.stamp != self.generation.stamp() || found.key == key {
                return bucket;
            }
            bucket = (bucket + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Bucket::default(); (self.buckets.len() * 2).max(SMALLEST)];
        let old = std::mem::replace(&mut self.buckets, larger);
        for bucket in old.into_iter().filter(|bucket| bucket.stamp == self.generation.stamp()) {
            let place = self.locate(bucket.key);
            self.buckets[place] = bucket;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in_through_growth_and_not_after_a_clear() {
        let mut seen = Seen::new();
        for round in 0..3 {
            for i in 0..2000_u32 {
                let Err(vacancy) = seen.find(NodeId(i * 7), i % 5) else {
                    panic!("round {round}: {i} was never put in")
                };
                seen.insert(vacancy, i);
            }
            assert!((0..2000_u32).all(|i| seen.find(NodeId(i * 7), i % 5).is_ok_and(|slot| slot == i)));
            seen.clear();
        }
    }

    #[test]
    fn generations_wrap_without_reviving_the_dead() {
        let mut seen = Seen::new();
        if let Err(vacancy) = seen.find(NodeId(1), 1) {
            seen.insert(vacancy, 0);
        }
        seen.clear();
        seen.generation = Generation::LAST;
        if let Err(vacancy) = seen.find(NodeId(2), 1) {
            seen.insert(vacancy, 0);
        }
        seen.clear();
        assert_eq!(seen.generation, Generation::FIRST);
        assert!(seen.find(NodeId(2), 1).is_err());
        assert!(seen.find(NodeId(1), 1).is_err());
    }
}
