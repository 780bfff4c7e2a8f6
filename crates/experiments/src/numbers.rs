//! Numbers in the names of methods, and in sentences.

use giveway_lanes::DirectionRules;

/// The whole number from 1 to `most` that `text` spells.
pub(crate) fn whole(text: &str, most: u32) -> Option<u32> {
    text.parse().ok().filter(|number| (1..=most).contains(number))
}

/// The weight of a direction map that `text` spells.
pub(crate) fn weight(text: &str) -> Option<f32> {
    text.parse().ok().filter(|weight| (0.0..=DirectionRules::HEAVIEST).contains(weight))
}

/// A number of things, in words.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
