//! Saves: a crowd in the middle of everything, as bytes.

#[cfg(feature = "serde")]
mod as_data;
mod check;
mod error;
mod fingerprint;
mod reading;

use giveway_core::{Digest, WordReader, Words};

pub use error::{OtherWorld, SaveError};

use crate::crowd::Crowd;

/// A crowd as it was between two ticks. A save can be written to a file, and [loaded](Crowd::load) into a crowd that
/// was built alike. The loaded crowd then goes on as the saved crowd does: with equal [hashes](Crowd::state_hash), and
/// with equal work at each tick.
///
/// A save contains what the crowd knows and the program does not: the clock, and for each agent its order, motion, plan
/// and progress; the [edits](crate::Class::editable) of spaces; what [layers](crate::Class::layer) have learned; how
/// far searches for distances have come. A save does not contain what only the program knows: the settings, and the
/// classes with their spaces, footprints and heuristics. The program must build these again. A save has fingerprints of
/// them, and loading compares the fingerprints.
///
/// # Sources and layers of your own
/// Built-in [sources of heuristics](giveway_core::heuristic::HeuristicSource) and layers are saved with what they
/// remember. A source or a layer of your own is saved if it implements `write_to` and `read_from`.
///
/// # Size
/// About 300 bytes for each agent under way, and a byte or two for each sector of its route. Distances that a search
/// can find again take some bytes for each set of goals. If a space was edited after a search had begun, the distances
/// of that search take about a byte for each node that the search has seen.
///
/// # The bytes
/// [`to_bytes`](Self::to_bytes) begins with eight letters, the version of the format, the length and a checksum. With
/// the feature `serde` a save can also be part of a document of the program.
///
/// ```
/// use giveway_core::{Agent, Point};
/// use giveway_crowd::{Budget, Class, Crowd, CrowdError, CrowdSettings, Save};
/// use giveway_spaces::Grid;
///
/// fn begin(grid: &Grid) -> Result<Crowd<'_>, CrowdError> {
///     let mut crowd = Crowd::new(CrowdSettings::new());
///     crowd.add_class(Class::new(grid, Point::swap_rule(grid)))?;
///     Ok(crowd)
/// }
///
/// let grid = Grid::open(20, 10)?;
/// let mut crowd = begin(&grid)?;
/// let at = |x, y| grid.node(x, y).expect("on the grid");
/// let scout = crowd.add(giveway_crowd::ClassId(0), Agent::new(at(0, 5), at(19, 5)))?;
/// (0..7).for_each(|_| drop(crowd.tick(Budget::work(2000))));
/// let file: Vec<u8> = crowd.save()?.to_bytes();
///
/// // Another day.
/// let mut again = begin(&grid)?;
/// again.load(&Save::from_bytes(&file)?)?;
/// assert_eq!(again.node(scout), Some(at(7, 5)));
/// assert_eq!(again.state_hash(), crowd.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Save {
    words: Vec<u8>,
    attached: Vec<u8>,
}

/// The first bytes of a save.
const MAGIC: [u8; 8] = *b"giveway\x01";

/// The version of the format.
const VERSION: u32 = 5;

/// The magic bytes, the version, the length of both parts, and the checksum.
const HEADER: usize = 8 + 4 + 2 * 8 + 8;

impl Save {
    /// The save as bytes, for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        for part in [&self.words, &self.attached] {
            bytes.extend((part.len() as u64).to_le_bytes());
        }
        bytes.extend(checksum([&self.words, &self.attached]).to_le_bytes());
        bytes.extend(&self.words);
        bytes.extend(&self.attached);
        bytes
    }

    /// The number of bytes.
    fn len(&self) -> usize {
        HEADER + self.words.len() + self.attached.len()
    }

    /// Attaches `bytes` to the save, such as the part of the program's state that belongs to the crowd. `bytes` replace
    /// the bytes that were attached before. Attach nothing to a save of a simulation: it already has tasks and counts
    /// attached, and cannot be loaded into a simulation without these.
    pub fn attach(&mut self, bytes: Vec<u8>) {
        self.attached = bytes;
    }

    /// The bytes that were [attached](Self::attach); empty if nothing was.
    pub fn attached(&self) -> &[u8] {
        &self.attached
    }

    /// Reads the save that [`to_bytes`](Self::to_bytes) has written. Takes about as much memory as `bytes`.
    ///
    /// # Errors
    /// The bytes are no save; the save is of another version of the format; the bytes are too few or too many; or the
    /// bytes have changed since they were written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SaveError> {
        let (magic, rest) = bytes.split_at_checked(MAGIC.len()).ok_or(SaveError::NoSave)?;
        if magic != MAGIC {
            return Err(SaveError::NoSave);
        }
        let cut = SaveError::Cut { expected: HEADER as u64, found: bytes.len() as u64 };
        let (version, rest) = rest.split_first_chunk().ok_or(cut.clone())?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(SaveError::OtherVersion { expected: VERSION, found: version });
        }
        let (length, rest) = rest.split_first_chunk().ok_or(cut.clone())?;
        let (more, rest) = rest.split_first_chunk().ok_or(cut.clone())?;
        let (sum, parts) = rest.split_first_chunk().ok_or(cut)?;
        let [length, more] = [length, more].map(|length| u64::from_le_bytes(*length));
        let all = length.saturating_add(more);
        let cut = SaveError::Cut { expected: all.saturating_add(HEADER as u64), found: bytes.len() as u64 };
        let first = usize::try_from(length).ok().filter(|_| all == parts.len() as u64).ok_or(cut)?;
        let (words, attached) = parts.split_at(first);
        if checksum([words, attached]) != u64::from_le_bytes(*sum) {
            return Err(SaveError::Damaged);
        }
        Ok(Self { words: words.to_vec(), attached: attached.to_vec() })
    }
}

impl std::fmt::Debug for Save {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Save").field("bytes", &self.len()).finish_non_exhaustive()
    }
}

/// A hash of two parts.
fn checksum(parts: [&[u8]; 2]) -> u64 {
    let mut digest = Digest::new();
    for part in parts {
        digest.word(part.len() as u64);
        for chunk in part.chunks(size_of::<u64>()) {
            let mut word = [0; size_of::<u64>()];
            word[..chunk.len()].copy_from_slice(chunk);
            digest.word(u64::from_le_bytes(word));
        }
    }
    digest.finish()
}

impl Crowd<'_> {
    /// The crowd as it is now, to be [loaded](Self::load) in another run of the program. Nothing changes.
    ///
    /// Takes time in proportion to the number of agents. The fingerprints of the spaces take time in proportion to the
    /// moves in the spaces.
    ///
    /// # Errors
    /// [`SaveError::Lossy`]: the costs of a space are of a kind that cannot be written.
    pub fn save(&self) -> Result<Save, SaveError> {
        let mut words = Words::new();
        self.write_to(&mut words);
        if words.is_lossy() {
            Err(SaveError::Lossy)
        } else {
            Ok(Save { words: words.into_bytes(), attached: Vec::new() })
        }
    }

    /// Makes the crowd equal to the crowd that was saved. This crowd must have been built like the saved crowd: with
    /// equal settings, and with equal classes in equal order. All agents of this crowd are replaced by the agents of
    /// the save, with the ids that they had. If spaces of this crowd were edited, the saved crowd must have begun with
    /// equal edits. It is simplest to load into a crowd whose spaces were not edited.
    ///
    /// A layer behind a `&` or an `Arc` is one layer for all clones, so loading changes the layer for all of them.
    /// [Recorded](Self::record_calls) calls are forgotten, because these calls do not lead to the loaded crowd.
    ///
    /// The call takes as long as a save. In addition, it repeats the searches for the distances that are in use, up to
    /// where they were. These searches take as long as they took before the save.
    ///
    /// # Errors
    /// The saved crowd was built in another way ([`SaveError::OtherWorld`]), the contents of the save are impossible
    /// ([`SaveError::Garbled`]), or no save can be loaded into this crowd ([`SaveError::NoCopy`]). Nothing has changed.
    pub fn load(&mut self, save: &Save) -> Result<(), SaveError> {
        let mut words = WordReader::new(&save.words);
        let layers = self.layers();
        let loaded = self.read_from(&mut words).inspect_err(|_| self.restore_layers(&layers))?;
        let called = self.called.wrapping_add(1);
        *self = Self { calls: self.calls.as_ref().map(|_| Vec::new()), called, ..loaded };
        Ok(())
    }
}
