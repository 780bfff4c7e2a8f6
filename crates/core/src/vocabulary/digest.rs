//! Digests: hashes of numbers, equal on every platform.

use rapidhash::v3::rapidhash_v3;

/// A 64-bit hash of a sequence of numbers. Equal sequences have equal hashes, on every platform and in every build.
/// Different sequences have different hashes, but for one pair in 2^64. Not for secrets: two sequences with one hash
/// can be found on purpose.
///
/// The numbers are words of eight bytes, the lowest byte first, and are hashed by rapidhash V3 with the default seed. A
/// sequence of more than 64 words is hashed in blocks of 64 words. The hash of a block becomes the first word of the
/// next block.
///
/// ```
/// use giveway_core::Digest;
///
/// let mut digest = Digest::new();
/// digest.word(7);
/// digest.pair(1, 2);
/// let hash = digest.finish();
/// // After `finish` the digest is empty again.
/// digest.pair(7, 0);
/// digest.word(2 << 32 | 1);
/// assert_eq!(digest.finish(), hash);
/// ```
#[derive(Clone, Debug)]
pub struct Digest {
    bytes: [u8; BLOCK],
    /// So many bytes are filled.
    filled: usize,
}

const WORD: usize = size_of::<u64>();

/// The bytes of 64 words.
const BLOCK: usize = 64 * WORD;

impl Default for Digest {
    fn default() -> Self {
        Self { bytes: [0; BLOCK], filled: 0 }
    }
}

impl Digest {
    /// A digest of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        if self.filled >= BLOCK {
            self.fold();
        }
        let end = self.filled + WORD;
        self.bytes[self.filled..end].copy_from_slice(&word.to_le_bytes());
        self.filled = end;
    }

    #[inline(never)]
    fn fold(&mut self) {
        let hash = rapidhash_v3(&self.bytes);
        self.bytes[..WORD].copy_from_slice(&hash.to_le_bytes());
        self.filled = WORD;
    }

    /// Adds a word of two numbers.
    #[inline]
    pub fn pair(&mut self, one: u32, other: u32) {
        self.word(u64::from(one) | u64::from(other) << 32);
    }

    /// Adds the bits of a number. Zero and minus zero differ, and so do kinds of NaN.
    #[inline]
    pub fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    /// Adds a text: its length in bytes, and its bytes, filled up with zeros to whole words.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for part in text.as_bytes().chunks(WORD) {
            let mut word = [0; WORD];
            word[..part.len()].copy_from_slice(part);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The hash of all that was added since the last call.
    #[inline]
    pub fn finish(&mut self) -> u64 {
        let hash = rapidhash_v3(&self.bytes[..self.filled]);
        self.filled = 0;
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of these numbers changes the hashes in all recordings.
    #[test]
    fn hashes_stay_what_they_are() {
        let mut digest = Digest::new();
        assert_eq!(digest.finish(), 0x0338_dc4b_e2ce_cdae, "the reference implementation's hash of nothing");
        digest.word(1);
        let one = digest.finish();
        digest.number(1.0);
        digest.text("crowd");
        (0..100).for_each(|word| digest.word(word));
        assert_eq!([one, digest.finish()], [13_745_399_687_937_306_556, 833_640_768_659_127_502]);
    }

    #[test]
    fn order_and_length_count() {
        let mut digest = Digest::new();
        let mut of = |words: &[u64]| {
            words.iter().for_each(|word| digest.word(*word));
            digest.finish()
        };
        let all = [of(&[]), of(&[0]), of(&[0, 0]), of(&[0, 1]), of(&[1, 0]), of(&[1])];
        for (index, hash) in all.iter().enumerate() {
            assert!(!all[..index].contains(hash), "{index}");
        }
        let [mut one, mut other] = [0, 1].map(|first| {
            let mut words = [0; 200];
            words[0] = first;
            words
        });
        assert_ne!(of(&one), of(&other));
        assert_ne!(of(&one[..64]), of(&one[..65]));
        (one[199], other[0], other[199]) = (1, 0, 1);
        assert_eq!(of(&one), of(&other));
    }
}
