//! Colours: one per agent, and a ramp for quantities.

use std::fmt;

/// An opaque colour. Displayed as `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Color {
    /// Red, green and blue of sRGB.
    pub rgb: [u8; 3],
}

impl Color {
    /// The colour of agent `id`, the same in every picture; from 48 agents on they repeat.
    ///
    /// The first eight are told apart under the common kinds of colour blindness (after Okabe and Ito). Later ones spread
    /// over all hues, neighbours in id far apart, and differ in lightness too.
    ///
    /// ```
    /// use giveway_render::Color;
    ///
    /// assert_eq!(Color::of_agent(0).to_string(), "#0072b2");
    /// ```
    pub fn of_agent(id: u32) -> Self {
        Self::from_hex(AGENTS[id as usize % AGENTS.len()])
    }

    /// The colours of agents 0, 1, .. up to where they repeat.
    pub(crate) fn agents() -> impl Iterator<Item = Self> {
        AGENTS.into_iter().map(Self::from_hex)
    }

    /// Step `step` of the ramp of [`RAMP_STEPS`] steps, light to dark; lightness falls evenly.
    pub(crate) fn ramp(step: usize) -> Self {
        let last_step = RAMP_STEPS - 1;
        let last_anchor = RAMP.len() - 1;
        let place = step.min(last_step) * last_anchor;
        let (anchor, part) = (place / last_step, place % last_step);
        let (from, to) = (Self::from_hex(RAMP[anchor]), Self::from_hex(RAMP[(anchor + 1).min(last_anchor)]));
        let mix = |channel: usize| {
            let (a, b) = (usize::from(from.rgb[channel]), usize::from(to.rgb[channel]));
            u8::try_from((a * (last_step - part) + b * part + last_step / 2) / last_step).unwrap_or(u8::MAX)
        };
        Self { rgb: std::array::from_fn(mix) }
    }

    /// Black or white, nearly: whichever is read better on this colour.
    pub(crate) fn ink(self) -> &'static str {
        // Relative luminance with a gamma of 2, in 65025 * 10000ths.
        let [red, green, blue] = self.rgb.map(|channel| u32::from(channel).pow(2));
        if 2126 * red + 7152 * green + 722 * blue > 65_025 * 3_900 { "#15181d" } else { "#fff" }
    }

    const fn from_hex(hex: u32) -> Self {
        let [_, rgb @ ..] = hex.to_be_bytes();
        Self { rgb }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.rgb;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// How many steps a quantity's ramp has.
pub(crate) const RAMP_STEPS: usize = 24;

/// The middle of the "magma" map of matplotlib (public domain), from light to dark.
const RAMP: [u32; 9] = [0xfde2a3, 0xfeb77e, 0xf98a65, 0xeb5760, 0xc83e73, 0x9c2e7f, 0x721f81, 0x4a1079, 0x231151];

/// Eight after Okabe and Ito, made to be seen on light and dark ground alike; then OKLCH hues a golden angle apart, at
/// three lightnesses in turn.
const AGENTS: [u32; 48] = [
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x7b5bd6, 0xa89400, 0xc13a46, 0x16c37a, 0x926fe3,
    0x9a650b, 0x14b9cf, 0xcf579c, 0x5f7e01, 0x74a3fd, 0xdb5d2c, 0x118471, 0xcc80ed, 0xa4860d, 0x107ca3, 0xfa7091,
    0x33a340, 0x675ed0, 0xee870d, 0x089ca0, 0xaa4298, 0xa7ae0c, 0x1a8ceb, 0xc13d34, 0x08c18d, 0x9e6bdd, 0x93690d,
    0x16b7d8, 0xd4558e, 0x4c8301, 0x839efd, 0xd86108, 0x0e8379, 0xd67ce2, 0x9c8a05, 0x0d7aae, 0xfc7181, 0x05a456,
    0x7459cc, 0xe48e01, 0x0c9ba8, 0xb03f8c,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance times 10^6, by integer arithmetic good enough for an order.
    fn luminance(color: Color) -> u64 {
        let linear = |channel: u8| u64::from(channel).pow(2);
        let [red, green, blue] = color.rgb.map(linear);
        2126 * red + 7152 * green + 722 * blue
    }

    #[test]
    fn no_two_agents_share_a_color_before_they_repeat() {
        let mut colors: Vec<String> = Color::agents().map(|color| color.to_string()).collect();
        assert_eq!(Color::of_agent(48), Color::of_agent(0));
        colors.sort();
        colors.dedup();
        assert_eq!(colors.len(), 48);
    }

    #[test]
    fn the_ramp_falls_in_lightness_at_every_step() {
        let ramp: Vec<u64> = (0..RAMP_STEPS).map(|step| luminance(Color::ramp(step))).collect();
        assert!(ramp.is_sorted_by(|a, b| a > b), "{ramp:?}");
        assert_eq!(Color::ramp(0).to_string(), "#fde2a3");
        assert_eq!(Color::ramp(RAMP_STEPS + 5).to_string(), "#231151");
    }
}
