//! Numbers in the names of methods.

use giveway::direction::DirectionRules;

/// The whole number from 1 to `most` that `text` spells.
pub(super) fn whole(text: &str, most: u32) -> Option<u32> {
    text.parse().ok().filter(|number| (1..=most).contains(number))
}

/// The weight of a direction map that `text` spells.
pub(super) fn weight(text: &str) -> Option<f32> {
    text.parse().ok().filter(|weight| (0.0..=DirectionRules::HEAVIEST).contains(weight))
}
