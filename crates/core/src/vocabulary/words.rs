//! Words: numbers in a row, in few bytes, to be written to a save and read again.

use std::fmt;
use std::sync::Arc;

use super::area::{Area, Change, Surface};
use super::cells::{CellId, Entry};
use super::copies::Seen;
use super::cost::Cost;
use super::goals::Goals;
use super::motion::NodeId;
use super::time::{Span, Tick};

/// Numbers in a row, as bytes: what a crowd's save is made of. Small numbers take few bytes. A [`WordReader`] reads
/// them again; it has to ask for the kinds of numbers that were written.
///
/// Whole numbers are written as LEB128: 7 bits to a byte, the lowest first.
///
/// ```
/// use giveway_core::{WordReader, Words};
///
/// let mut words = Words::new();
/// words.word(300);
/// words.number(0.1);
/// let bytes = words.into_bytes();
/// let mut reader = WordReader::new(&bytes);
/// assert_eq!((reader.word()?, reader.number()?), (300, 0.1));
/// assert!(reader.word().is_err(), "nothing is left");
/// # Ok::<(), giveway_core::Garbled>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Words {
    bytes: Vec<u8>,
    is_lossy: bool,
    seen: Seen,
}

/// Equal bytes.
impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        (&self.bytes, self.is_lossy) == (&other.bytes, other.is_lossy)
    }
}

impl Eq for Words {}

/// Reads [`Words`]. Whatever the bytes are, reading ends with a number or an error, and takes no memory out of
/// proportion to the bytes.
#[derive(Clone, Debug)]
pub struct WordReader<'a> {
    left: &'a [u8],
    seen: Seen,
}

/// The words that were read are not words that the writer can have written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Garbled {
    /// What was expected.
    pub expected: &'static str,
}

impl Garbled {
    /// An error that tells what was `expected`.
    pub const fn new(expected: &'static str) -> Self {
        Self { expected }
    }
}

impl fmt::Display for Garbled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for Garbled {}

/// The largest whole number that is written as such.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl Words {
    /// No words.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The number of bytes so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether some cost was written that cannot be read again as it was.
    pub fn is_lossy(&self) -> bool {
        self.is_lossy
    }

    /// Appends a whole number.
    #[inline]
    pub fn word(&mut self, word: u64) {
        let mut left = word;
        while left >= 0x80 {
            #[allow(clippy::cast_possible_truncation)] // the lowest bits
            self.bytes.push(left as u8 | 0x80);
            left >>= 7;
        }
        #[allow(clippy::cast_possible_truncation)] // less than 2^7
        self.bytes.push(left as u8);
    }

    /// Appends a size or an index.
    #[inline]
    pub fn size(&mut self, size: usize) {
        self.word(size as u64);
    }

    /// Appends a whole number that may be negative.
    #[inline]
    pub fn signed(&mut self, number: i64) {
        self.word((number << 1 ^ number >> 63).cast_unsigned());
    }

    /// Appends the difference of two numbers.
    #[inline]
    pub fn difference(&mut self, from: u32, to: u32) {
        self.signed(i64::from(to) - i64::from(from));
    }

    /// Appends whether something holds.
    #[inline]
    pub fn flag(&mut self, flag: bool) {
        self.bytes.push(flag.into());
    }

    /// Appends a number, to the last bit.
    pub fn number(&mut self, number: f64) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // compared
        let whole = if (0.0..LARGEST_WHOLE).contains(&number) { number as u64 } else { u64::MAX };
        #[allow(clippy::cast_precision_loss)] // compared
        if whole < u64::MAX && (whole as f64).to_bits() == number.to_bits() {
            self.word(whole + 1);
        } else {
            self.word(0);
            self.bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    /// Appends 64 bits, always as 8 bytes. Use this method for values that are seldom small, such as hashes.
    pub fn bits(&mut self, bits: u64) {
        self.bytes.extend_from_slice(&bits.to_le_bytes());
    }

    /// Appends a cost. If it cannot be read again as it is, the words are [lossy](Self::is_lossy).
    pub fn cost<C: Cost>(&mut self, cost: C) {
        let number = cost.to_f64().unwrap_or(f64::NAN);
        self.is_lossy |= C::floor(number) != cost;
        self.number(number);
    }

    /// Appends a number that may be missing.
    pub fn option(&mut self, word: Option<u32>) {
        self.word(word.map_or(0, |word| 1 + u64::from(word)));
    }

    /// Appends a text.
    pub fn text(&mut self, text: &str) {
        self.all_bytes(text.as_bytes());
    }

    /// Appends bytes, with their number.
    pub fn all_bytes(&mut self, bytes: &[u8]) {
        self.size(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends `part`, by `write`, if it has not come up in these words; else only which part it is. For what several
    /// parts of a crowd share.
    pub fn once<T: Send + Sync + 'static>(&mut self, part: &Arc<T>, write: impl FnOnce(&mut Self)) {
        let (number, is_new) = self.seen.number(part);
        self.size(number);
        if is_new {
            write(self);
        }
    }

    /// Appends many numbers, without their count: the reader has to know the count. Takes few bytes if the difference
    /// of each number and the number before it seldom changes: two to four bytes for each 256 numbers.
    pub fn series(&mut self, numbers: impl IntoIterator<Item = u32>) {
        let (mut last, mut run) = (0, (0_i64, 0_u64));
        for number in numbers {
            let step = i64::from(number) - i64::from(last);
            last = number;
            if run.1 == LONGEST_RUN || run.1 > 0 && run.0 != step {
                self.run(run);
                run.1 = 0;
            }
            run = (step, run.1 + 1);
        }
        if run.1 > 0 {
            self.run(run);
        }
    }

    /// Of a run of one the length is left out: steps are even then, else odd.
    fn run(&mut self, (step, length): (i64, u64)) {
        self.signed(step << 1 | i64::from(length > 1));
        if length > 1 {
            self.word(length);
        }
    }

    /// Appends nodes.
    pub fn nodes(&mut self, nodes: &[NodeId]) {
        self.size(nodes.len());
        self.series(nodes.iter().map(|node| node.0));
    }

    /// Appends goals.
    pub fn goals(&mut self, goals: &Goals) {
        self.nodes(goals.nodes());
    }

    /// Appends a span of time. Takes few bytes if the span begins about `now`. The reader has to give an equal `now`.
    pub fn span(&mut self, now: Tick, span: Span) {
        self.difference(now, span.start);
        if span.is_endless() {
            self.word(0);
        } else {
            self.word(1 + u64::from(span.end.saturating_sub(span.start)));
        }
    }

    /// Appends entries.
    pub fn entries(&mut self, now: Tick, entries: &[Entry]) {
        self.size(entries.len());
        let mut last = 0;
        for entry in entries {
            self.difference(last, entry.cell.0);
            self.span(now, entry.span);
            last = entry.cell.0;
        }
    }

    /// Appends a change of the world, and where it was made.
    pub fn change(&mut self, area: &Area, change: Change) {
        area.write_to(self);
        match change {
            Change::Close => self.word(0),
            Change::Vacate => self.word(1),
            Change::Seal => self.word(2),
            Change::Open => self.word(3),
            Change::Surface(surface) => {
                self.word(4);
                self.word(surface.weight().into());
                self.number(surface.slowness().into());
            }
        }
    }
}

/// Longer runs of a series are several. So what a reader makes of some bytes takes no memory out of proportion to them.
const LONGEST_RUN: u64 = 256;

/// More bytes than this are not reserved at once, whatever the words say.
const MOST_AT_ONCE: usize = 1 << 16;

impl<'a> WordReader<'a> {
    /// A reader of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes, seen: Seen::default() }
    }

    /// Whether all was read.
    pub fn is_at_end(&self) -> bool {
        self.left.is_empty()
    }

    /// The number of bytes that are left.
    pub fn bytes_left(&self) -> usize {
        self.left.len()
    }

    fn byte(&mut self) -> Result<u8, Garbled> {
        let (first, left) = self.left.split_first().ok_or(Garbled::new("more words"))?;
        self.left = left;
        Ok(*first)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Garbled> {
        let (taken, left) = self.left.split_at_checked(count).ok_or(Garbled::new("more words"))?;
        self.left = left;
        Ok(taken)
    }

    /// A whole number.
    #[inline]
    pub fn word(&mut self) -> Result<u64, Garbled> {
        let mut word = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            word |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(word);
            }
        }
        Err(Garbled::new("a number of 64 bits"))
    }

    /// A whole number below 2^60. A larger number is an error. Use this method for a count that will grow further: the
    /// count has room to grow.
    pub fn tally(&mut self) -> Result<u64, Garbled> {
        Some(self.word()?).filter(|tally| *tally < 1 << 60).ok_or(Garbled::new("a smaller number"))
    }

    /// A number of 32 bits.
    #[inline]
    pub fn word_32(&mut self) -> Result<u32, Garbled> {
        u32::try_from(self.word()?).map_err(|_| Garbled::new("a number of 32 bits"))
    }

    /// A size or an index of at most `most`.
    #[inline]
    pub fn at_most(&mut self, most: usize) -> Result<usize, Garbled> {
        let size = usize::try_from(self.word()?).ok().filter(|size| *size <= most);
        size.ok_or(Garbled::new("a smaller number"))
    }

    /// An index below `bound`.
    #[inline]
    pub fn below(&mut self, bound: usize) -> Result<usize, Garbled> {
        Some(self.at_most(bound)?).filter(|index| *index < bound).ok_or(Garbled::new("a smaller number"))
    }

    /// The number of elements that follow. Each element takes at least one byte, so a number above the number of bytes
    /// left is an error.
    pub fn count(&mut self) -> Result<usize, Garbled> {
        self.at_most(self.left.len())
    }

    /// A whole number that may be negative.
    #[inline]
    pub fn signed(&mut self) -> Result<i64, Garbled> {
        let word = self.word()?;
        Ok((word >> 1).cast_signed() ^ -((word & 1).cast_signed()))
    }

    /// The sum of `from` and the difference that was written. A sum that does not fit 32 bits is an error.
    #[inline]
    pub fn difference(&mut self, from: u32) -> Result<u32, Garbled> {
        let number = i64::from(from).checked_add(self.signed()?);
        number.and_then(|number| u32::try_from(number).ok()).ok_or(Garbled::new("a number of 32 bits"))
    }

    /// Whether something holds.
    #[inline]
    pub fn flag(&mut self) -> Result<bool, Garbled> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Garbled::new("a yes or a no")),
        }
    }

    /// A number.
    pub fn number(&mut self) -> Result<f64, Garbled> {
        match self.word()? {
            0 => Ok(f64::from_bits(self.bits()?)),
            #[allow(clippy::cast_precision_loss)] // the next line
            whole if whole as f64 <= LARGEST_WHOLE => Ok((whole - 1) as f64),
            _ => Err(Garbled::new("a number of 53 bits")),
        }
    }

    /// A number that is not NaN.
    pub fn real(&mut self) -> Result<f64, Garbled> {
        Some(self.number()?).filter(|number| !number.is_nan()).ok_or(Garbled::new("a number"))
    }

    /// A number that was written from 32 bits.
    pub fn number_32(&mut self) -> Result<f32, Garbled> {
        let number = self.number()?;
        #[allow(clippy::cast_possible_truncation)] // compared
        let narrow = number as f32;
        let is_exact = f64::from(narrow).to_bits() == number.to_bits() || narrow.is_nan();
        if is_exact { Ok(narrow) } else { Err(Garbled::new("a number of 32 bits")) }
    }

    /// 64 bits.
    pub fn bits(&mut self) -> Result<u64, Garbled> {
        let bytes = self.take(size_of::<u64>())?;
        bytes.try_into().map(u64::from_le_bytes).map_err(|_| Garbled::new("64 bits"))
    }

    /// A cost.
    pub fn cost<C: Cost>(&mut self) -> Result<C, Garbled> {
        let number = self.real()?;
        let cost = C::floor(number);
        if cost.to_f64() == Some(number) { Ok(cost) } else { Err(Garbled::new("a cost")) }
    }

    /// A number that may be missing.
    pub fn option(&mut self) -> Result<Option<u32>, Garbled> {
        match self.word()? {
            0 => Ok(None),
            more => u32::try_from(more - 1).map(Some).map_err(|_| Garbled::new("a number of 32 bits")),
        }
    }

    /// A text.
    pub fn text(&mut self) -> Result<&'a str, Garbled> {
        std::str::from_utf8(self.all_bytes()?).map_err(|_| Garbled::new("a text"))
    }

    /// Bytes, with their number before them.
    pub fn all_bytes(&mut self) -> Result<&'a [u8], Garbled> {
        let count = self.count()?;
        self.take(count)
    }

    /// Reads `part`, by `read`, if it has not come up in these words.
    ///
    /// # Errors
    /// What was written is not shared as `part` is; or the error of `read`.
    pub fn once<T: Send + Sync + 'static>(
        &mut self,
        part: &Arc<T>,
        read: impl FnOnce(&mut Self) -> Result<(), Garbled>,
    ) -> Result<(), Garbled> {
        let (number, is_new) = self.seen.number(part);
        if self.word()? != number as u64 {
            return Err(Garbled::new("parts that are shared alike"));
        }
        if is_new { read(self) } else { Ok(()) }
    }

    /// Calls `each` for the `count` numbers of a series.
    pub fn series(&mut self, count: usize, mut each: impl FnMut(u32) -> Result<(), Garbled>) -> Result<(), Garbled> {
        let (mut left, mut last) = (count as u64, 0_u32);
        while left > 0 {
            let run = self.signed()?;
            let length = if run & 1 == 1 { self.word()? } else { 1 };
            if length == 0 || length > left.min(LONGEST_RUN) {
                return Err(Garbled::new("a run within its series"));
            }
            for _ in 0..length {
                let number = i64::from(last) + (run >> 1);
                last = u32::try_from(number).map_err(|_| Garbled::new("a number of 32 bits"))?;
                each(last)?;
            }
            left -= length;
        }
        Ok(())
    }

    /// At most `most` nodes with ids below `bound`.
    pub fn nodes(&mut self, bound: usize, most: usize) -> Result<Vec<NodeId>, Garbled> {
        let count = self.at_most(most)?;
        let mut nodes = Vec::with_capacity(count.min(MOST_AT_ONCE));
        self.series(count, |node| {
            nodes.push(NodeId(node));
            if (node as usize) < bound { Ok(()) } else { Err(Garbled::new("a node of the space")) }
        })?;
        Ok(nodes)
    }

    /// A node with an id below `bound`.
    pub fn node(&mut self, bound: usize) -> Result<NodeId, Garbled> {
        let node = self.word_32()?;
        if (node as usize) < bound { Ok(NodeId(node)) } else { Err(Garbled::new("a node of the space")) }
    }

    /// Goals with ids below `bound`.
    pub fn goals(&mut self, bound: usize) -> Result<Goals, Garbled> {
        let nodes = self.nodes(bound, bound)?;
        let count = nodes.len();
        let goals: Goals = nodes.into_iter().collect();
        if goals.nodes().len() == count { Ok(goals) } else { Err(Garbled::new("goals that differ")) }
    }

    /// A span of time.
    pub fn span(&mut self, now: Tick) -> Result<Span, Garbled> {
        let start = self.difference(now)?;
        let ticks = self.word()?;
        let Some(ticks) = ticks.checked_sub(1) else { return Ok(Span::endless(start)) };
        let end = u32::try_from(u64::from(start).saturating_add(ticks)).map_err(|_| Garbled::new("a tick"))?;
        Ok(Span::new(start, end))
    }

    /// Entries in cells below `bound`.
    pub fn entries(&mut self, now: Tick, bound: usize) -> Result<Vec<Entry>, Garbled> {
        let count = self.count()?;
        let mut entries = Vec::with_capacity(count.min(MOST_AT_ONCE));
        let mut last = 0;
        for _ in 0..count {
            last = self.difference(last)?;
            if last as usize >= bound {
                return Err(Garbled::new("a cell of the world"));
            }
            entries.push(Entry { cell: CellId(last), span: self.span(now)? });
        }
        Ok(entries)
    }

    /// A change of the world, and where it was made.
    pub fn change(&mut self) -> Result<(Area, Change), Garbled> {
        let area = Area::read_from(self)?;
        let change = match self.word()? {
            0 => Change::Close,
            1 => Change::Vacate,
            2 => Change::Seal,
            3 => Change::Open,
            4 => {
                let (weight, slowness) = (self.word_32()?, self.number_32()?);
                Change::Surface(Surface::new(weight, slowness).map_err(|_| Garbled::new("a surface"))?)
            }
            _ => return Err(Garbled::new("a change of the world")),
        };
        Ok((area, change))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_written_is_read(
            word: u64, other: u32, signed: i64, number: f64, bits: u64, whole: u32, series: Vec<u32>, runs in prop::collection::vec((0..90_u32, 0..4_u32), 0..9)
        ) {
            let mut words = Words::new();
            words.word(word);
            words.signed(signed);
            words.number(number);
            words.number(whole.into());
            words.bits(bits);
            words.number(f64::from_bits(bits));
            words.option(Some(whole));
            words.option(None);
            words.difference(whole, other);
            let long: Vec<u32> = runs.iter().flat_map(|(length, step)| (0..*length).map(move |at| at * step)).collect();
            words.series(series.iter().copied());
            words.series(long.iter().copied());
            let bytes = words.into_bytes();
            let mut reader = WordReader::new(&bytes);
            prop_assert_eq!(reader.word(), Ok(word));
            prop_assert_eq!(reader.signed(), Ok(signed));
            prop_assert_eq!(reader.number().map(f64::to_bits), Ok(number.to_bits()));
            prop_assert_eq!(reader.number(), Ok(whole.into()));
            prop_assert_eq!(reader.bits(), Ok(bits));
            prop_assert_eq!(reader.number().map(f64::to_bits), Ok(bits));
            prop_assert_eq!(reader.option(), Ok(Some(whole)));
            prop_assert_eq!(reader.option(), Ok(None));
            prop_assert_eq!(reader.difference(whole), Ok(other));
            for numbers in [series, long] {
                let mut found = Vec::new();
                reader.series(numbers.len(), |number| { found.push(number); Ok(()) }).unwrap();
                prop_assert_eq!(found, numbers);
            }
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn whatever_is_read_ends(bytes: Vec<u8>, kinds in prop::collection::vec(0..10, 0..20)) {
            let mut reader = WordReader::new(&bytes);
            for kind in kinds {
                let _ = match kind {
                    0 => reader.word().map(drop),
                    1 => reader.signed().map(drop),
                    2 => reader.number().map(drop),
                    3 => reader.text().map(drop),
                    4 => reader.nodes(100, 1000).map(drop),
                    5 => reader.goals(100).map(drop),
                    6 => reader.entries(7, 90).map(drop),
                    7 => reader.change().map(drop),
                    8 => reader.cost::<u32>().map(drop),
                    _ => reader.option().map(drop),
                };
            }
        }
    }

    #[test]
    fn a_series_of_equal_steps_takes_few_bytes() {
        let mut words = Words::new();
        words.series(5..100_000);
        // The first number, and 391 runs.
        assert_eq!(words.len(), 1 + 391 * 3);
    }

    /// What some bytes become takes at most 256 numbers for each run.
    #[test]
    fn runs_are_short() {
        let read = |length: u32| {
            let mut words = Words::new();
            words.signed(1 << 1 | 1);
            words.word(length.into());
            let bytes = words.into_bytes();
            WordReader::new(&bytes).series(length as usize, |_| Ok(()))
        };
        assert_eq!((read(256), read(257)), (Ok(()), Err(Garbled::new("a run within its series"))));
    }
}
