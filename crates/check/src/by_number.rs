//! A sort by numbers.

use std::mem;

/// The most bits of a digit: the counts of all digits fit into the nearest cache.
const MOST_BITS: u32 = 11;

/// Puts `items` in order of a `number`. Items with equal numbers keep their order.
///
/// A radix sort, the least significant digit first. Bits that are the same in all numbers take no time.
pub(super) fn sort_by_number<T: Copy>(items: &mut Vec<T>, number: impl Fn(&T) -> u32) {
    let (any, all) = items.iter().map(&number).fold((0, u32::MAX), |(any, all), n| (any | n, all & n));
    let varying = any & !all;
    let bits = u32::BITS - varying.leading_zeros();
    let passes = bits.div_ceil(MOST_BITS);
    if passes == 0 {
        return;
    }
    let width = bits.div_ceil(passes);
    let mut sorted = items.clone();
    for pass in 0..passes {
        let digit = |item: &T| ((number(item) >> (pass * width)) & ((1 << width) - 1)) as usize;
        // For each digit, where its items begin, and then where the next one goes.
        let mut places = [0; 1 << MOST_BITS];
        items.iter().for_each(|item| places[digit(item)] += 1);
        let mut before = 0;
        for place in &mut places {
            before += mem::replace(place, before);
        }
        for item in items.iter() {
            let place = &mut places[digit(item)];
            sorted[*place] = *item;
            *place += 1;
        }
        mem::swap(items, &mut sorted);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_stable_sort(
            numbers in prop::collection::vec(any::<u32>(), 0..200),
            mask in prop::sample::select(vec![0, 1, 0x1ff, 0x800, 0xffff, 0x8000_0001, u32::MAX]),
        ) {
            let mut items: Vec<(u32, usize)> = numbers.iter().map(|number| number & mask).zip(0..).collect();
            let mut expected = items.clone();
            expected.sort();
            sort_by_number(&mut items, |(number, _)| *number);
            prop_assert_eq!(items, expected);
        }
    }
}
