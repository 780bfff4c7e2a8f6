//! States that wait, in a ring of stacks: one stack for each whole value of f in a window that moves upwards.

use crate::vocabulary::Cost;

/// States by whole values of f, in constant time. The window begins at the largest f that was [reached](Self::advance).
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    /// Where the window begins. No state has a smaller f.
    from: u32,
    /// By f modulo the size, the link of the newest state; of no meaning where there is none. Empty until a state
    /// comes.
    newest: Vec<u32>,
    /// By f modulo the size, a bit: whether there is a state.
    occupied: [u64; WORDS],
    /// For each of these words, a bit: whether it is not zero.
    words: u64,
    /// The links of all states since everything was forgotten.
    links: Vec<Link<T>>,
}

/// A state, and the link of the one before it in its stack.
#[derive(Clone, Copy, Debug)]
struct Link<T> {
    state: T,
    older: u32,
}

/// No link.
const NONE: u32 = u32::MAX;

const WORDS: usize = 64;

/// The number of values in the window. A move on plain ground adds at most 2828 to f where a diagonal step costs 1414.
const SIZE: u32 = 4096;

/// There is room for this many states at once.
const FEW: usize = 64;

/// The whole value of `f`, if it has one that fits.
#[inline]
fn whole<C: Cost>(f: C) -> Option<u32> {
    f.to_u32().filter(|value| cost::<C>(*value) == f)
}

/// The cost that is `value`.
#[inline]
fn cost<C: Cost>(value: u32) -> C {
    C::floor(1.0).times(value)
}

/// The word of `value`, and its bit in that word.
#[inline]
fn place(value: u32) -> (usize, u32) {
    ((value % SIZE / u64::BITS) as usize, value % u64::BITS)
}

impl<T: Copy> Ring<T> {
    pub(crate) fn new() -> Self {
        Self { from: 0, newest: Vec::new(), occupied: [0; WORDS], words: 0, links: Vec::new() }
    }

    /// Forgets everything. The window begins at 0.
    pub(crate) fn clear(&mut self) {
        self.from = 0;
        self.occupied = [0; WORDS];
        self.words = 0;
        self.links.clear();
    }

    /// Gives back memory beyond that for `states` states.
    pub(crate) fn give_back_memory(&mut self, states: usize) {
        self.links.shrink_to(states);
    }

    /// Moves the window upwards to begin at `f`. No state has a smaller f.
    #[inline]
    pub(crate) fn advance<C: Cost>(&mut self, f: C) {
        // Rounds down, so nothing is lost where f is not whole.
        self.from = self.from.max(f.to_u32().unwrap_or(0));
    }

    /// Adds a state, unless its f is not whole or not in the window. Returns whether it did.
    #[inline(always)]
    pub(crate) fn push<C: Cost>(&mut self, f: C, state: T) -> bool {
        let Some(value) = whole(f).filter(|value| value.checked_sub(self.from).is_some_and(|ahead| ahead < SIZE))
        else {
            return false;
        };
        if self.newest.is_empty() {
            self.make_room();
        }
        let (word, bit) = place(value);
        // A search does not get as far as 2^32 links: they and its states take over 100 GiB.
        #[allow(clippy::cast_possible_truncation)]
        let link = self.links.len() as u32;
        let newest = std::mem::replace(&mut self.newest[(value % SIZE) as usize], link);
        let older = if self.occupied[word] >> bit & 1 == 1 { newest } else { NONE };
        self.occupied[word] |= 1 << bit;
        self.words |= 1 << word;
        self.links.push(Link { state, older });
        true
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.newest = vec![0; SIZE as usize];
        self.links.reserve(FEW);
    }

    /// The least f.
    pub(crate) fn least<C: Cost>(&self) -> Option<C> {
        self.least_value().map(cost)
    }

    fn least_value(&self) -> Option<u32> {
        let (word, bit) = place(self.from);
        let ahead = self.occupied[word] >> bit;
        if ahead != 0 {
            return Some(self.from + ahead.trailing_zeros());
        }
        // The words after this one, and at the end what lies before `from` in this one.
        #[allow(clippy::cast_possible_truncation)] // below 64
        let words = self.words.rotate_right(word as u32).rotate_right(1);
        if words == 0 {
            return None;
        }
        let skipped = 1 + words.trailing_zeros();
        let found = self.occupied[(word + skipped as usize) % WORDS];
        Some(self.from - bit + skipped * u64::BITS + found.trailing_zeros())
    }

    /// Takes all states with the least f, and appends them to `states`, in the order in which they came.
    pub(crate) fn take_least(&mut self, states: &mut Vec<T>) {
        let Some(value) = self.least_value() else {
            return;
        };
        let (word, bit) = place(value);
        self.occupied[word] &= !(1 << bit);
        if self.occupied[word] == 0 {
            self.words &= !(1 << word);
        }
        let begin = states.len();
        let mut link = self.newest[(value % SIZE) as usize];
        while link != NONE {
            let Link { state, older } = self.links[link as usize];
            states.push(state);
            link = older;
        }
        states[begin..].reverse();
    }
}
