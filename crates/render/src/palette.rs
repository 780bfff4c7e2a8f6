//! Colours: one per agent, and a ramp for quantities.

use std::f64::consts::TAU;
use std::fmt;

/// An opaque colour. Displayed as `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Color {
    /// The red, green and blue components, in sRGB.
    pub rgb: [u8; 3],
}

impl Color {
    /// The colour of agent `id`, which is equal in all pictures. There are 48 colours; ids from 48 on repeat them.
    ///
    /// People with the common kinds of colour blindness can distinguish the first eight colours (after Okabe and Ito).
    /// The other colours have all hues and several lightnesses, and the hues of neighbouring ids are far apart.
    ///
    /// ```
    /// use giveway_render::Color;
    ///
    /// assert_eq!(Color::from_agent(0).to_string(), "#0072b2");
    /// ```
    pub fn from_agent(id: u32) -> Self {
        Self::from_hex(AGENTS[id as usize % AGENTS.len()])
    }

    /// The colours of agents 0, 1, and so on, up to the first repetition.
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

    /// The colours of headings, on light or on dark ground, in the order of [`hue`].
    pub(crate) fn headings(dark: bool) -> impl Iterator<Item = Self> {
        if dark { ON_DARK } else { ON_LIGHT }.into_iter().map(Self::from_hex)
    }

    /// Black or white: the one with more contrast to this colour, at least 4.5 (WCAG 2.2, *contrast ratio*).
    pub(crate) fn ink(self) -> &'static str {
        // As a cubic, since powers with fractions differ between platforms.
        let linear = |channel: u8| {
            let part = f64::from(channel) / 255.0;
            part * (0.012_522_878 + part * (0.682_171_111 + part * 0.305_306_011))
        };
        let [red, green, blue] = self.rgb.map(linear);
        // Where black and white have the same contrast.
        if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 { "#000" } else { "#fff" }
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

/// The number of hues of headings.
pub(crate) const HUES: usize = 24;

/// The hue of the heading of `direction`, which is not 0: the first is to the right; the others follow from x towards
/// y.
pub(crate) fn hue([x, y]: [f64; 2]) -> usize {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // of -12 to 12
    let hue = (y.atan2(x) / TAU * HUES as f64).round() as isize;
    hue.rem_euclid(HUES as isize).unsigned_abs()
}

/// The number of steps of a quantity's ramp.
pub(crate) const RAMP_STEPS: usize = 24;

/// The middle of the "magma" map of matplotlib (public domain), from light to dark.
const RAMP: [u32; 9] = [0xfde2a3, 0xfeb77e, 0xf98a65, 0xeb5760, 0xc83e73, 0x9c2e7f, 0x721f81, 0x4a1079, 0x231151];

/// Eight colours after Okabe and Ito, visible on light and dark ground; then OKLCH hues a golden angle apart, at three
/// lightnesses in turn.
const AGENTS: [u32; 48] = [
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x7b5bd6, 0xa89400, 0xc13a46, 0x16c37a, 0x926fe3,
    0x9a650b, 0x14b9cf, 0xcf579c, 0x5f7e01, 0x74a3fd, 0xdb5d2c, 0x118471, 0xcc80ed, 0xa4860d, 0x107ca3, 0xfa7091,
    0x33a340, 0x675ed0, 0xee870d, 0x089ca0, 0xaa4298, 0xa7ae0c, 0x1a8ceb, 0xc13d34, 0x08c18d, 0x9e6bdd, 0x93690d,
    0x16b7d8, 0xd4558e, 0x4c8301, 0x839efd, 0xd86108, 0x0e8379, 0xd67ce2, 0x9c8a05, 0x0d7aae, 0xfc7181, 0x05a456,
    0x7459cc, 0xe48e01, 0x0c9ba8, 0xb03f8c,
];

/// OKLCH hues, once around: blue is to the right, orange to the left. They are darkest downwards and lightest upwards
/// (by 0.13 around 0.58 or 0.7), because a viewer that takes red for green still sees lightness.
const ON_LIGHT: [u32; HUES] = [
    0x337bd0, 0x4f68c7, 0x6156b9, 0x6e46a7, 0x793992, 0x822f7d, 0x8b2868, 0x942553, 0x9c293e, 0xa43427, 0xa84403,
    0xa55b00, 0xa46e01, 0xa18006, 0x9b9104, 0x8ba21f, 0x72b04a, 0x4eba6c, 0x09be8a, 0x00baa3, 0x02b2b3, 0x02a9bd,
    0x019cc5, 0x038dcf,
];
const ON_DARK: [u32; HUES] = [
    0x59a0f9, 0x718df0, 0x837be1, 0x916ace, 0x9d5db9, 0xa853a2, 0xb24d8b, 0xbc4c75, 0xc5505f, 0xcd5949, 0xd26832,
    0xd57a17, 0xd28f09, 0xcda30c, 0xc1b72c, 0xafc94f, 0x96d770, 0x77e191, 0x4ee6af, 0x13e5c9, 0x08dddd, 0x0bd2eb,
    0x09c5f7, 0x36b3fd,
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
        assert_eq!(Color::from_agent(48), Color::from_agent(0));
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

    #[test]
    fn numbers_are_read_on_every_color() {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        for color in Color::agents() {
            let [red, green, blue] = color.rgb.map(linear);
            let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
            let contrast = if color.ink() == "#000" { (luminance + 0.05) / 0.05 } else { 1.05 / (luminance + 0.05) };
            assert!(contrast >= 4.5, "{} on {color}: {contrast:.2}", color.ink());
        }
    }

    #[test]
    fn hues_go_around_with_the_heading() {
        let cases = [([1.0, 0.0], 0), ([1.0, 1.0], 3), ([0.0, 1.0], 6), ([-1.0, 0.0], 12), ([-1.0, -0.0], 12)];
        for (direction, expected) in cases {
            assert_eq!(hue(direction), expected, "{direction:?}");
        }
        assert_eq!([[0.0, -1.0], [1.0, -0.1], [1.0, 0.1], [1.0, -0.2]].map(hue), [18, 0, 0, 23]);
    }

    /// The colour as seen without the middle or the long cones, after Machado, Oliveira and Fernandes (2009).
    #[test]
    fn opposite_headings_are_told_apart_without_red_and_green() {
        const PROTAN: [[f64; 3]; 3] = [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ];
        const DEUTAN: [[f64; 3]; 3] =
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]];
        // In the square root of linear light, which is near to perception.
        let seen = |color: Color, eye: &[[f64; 3]; 3]| {
            let linear = color.rgb.map(|channel| (f64::from(channel) / 255.0).powf(2.2));
            eye.map(|row| row.iter().zip(linear).map(|(weight, part)| weight * part).sum::<f64>().max(0.0).sqrt())
        };
        for (dark, eye) in [(false, PROTAN), (false, DEUTAN), (true, PROTAN), (true, DEUTAN)] {
            let seen: Vec<[f64; 3]> = Color::headings(dark).map(|color| seen(color, &eye)).collect();
            for (hue, here) in seen.iter().enumerate() {
                let apart = |by: usize| {
                    let there = seen[(hue + by) % HUES];
                    here.iter().zip(there).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
                };
                let (opposite, square) = (apart(HUES / 2), apart(HUES / 4));
                assert!(opposite > 0.2 && square > 0.1, "hue {hue}, dark {dark}: {opposite:.3}, {square:.3}");
            }
        }
    }
}
