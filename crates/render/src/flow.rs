//! Direction maps as SVG: an arrow in every place that has a direction.

use std::f64::consts::TAU;
use std::fmt::{self, Write as _};

use crate::arrow::{Arrow, Drift};
use crate::backdrop::Backdrop;
use crate::frame::Frame;
use crate::markup::{Escaped, Number};
use crate::palette::{Color, HUES, hue};

/// A direction map as one SVG picture, with an arrow in every place that has a direction. A longer vector has a longer
/// and stronger arrow. The hue of an arrow shows its heading, so a lane is a band of one colour.
///
/// The colours of opposite headings differ in lightness or in blue, so people with the common kinds of colour blindness
/// can distinguish them. The picture follows the viewer's light or dark theme.
///
/// ```
/// use giveway_render::{Arrow, Backdrop, FlowPicture};
///
/// let there = |x: u8, y: u8, to: f32| Arrow::new([x.into(), y.into(), 0.0], [to, 0.0, 0.0]);
/// let arrows = [there(0, 0, 0.9), there(1, 0, 1.0), there(0, 1, -1.0), there(1, 1, 0.0)];
/// let picture = FlowPicture::new(&arrows, &Backdrop::cells(2, 2, |_, _| true)).title("Two lanes").to_string();
/// assert!(picture.contains("3 arrows"));
/// ```
#[derive(Clone, Debug)]
pub struct FlowPicture<'a> {
    arrows: &'a [Arrow],
    backdrop: &'a Backdrop,
    title: String,
}

impl<'a> FlowPicture<'a> {
    /// The picture of `arrows` over `backdrop`. Arrows outside the map are not drawn.
    pub fn new(arrows: &'a [Arrow], backdrop: &'a Backdrop) -> Self {
        Self { arrows, backdrop, title: String::new() }
    }

    /// Sets the title of the picture.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }
}

impl fmt::Display for FlowPicture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { arrows, backdrop, title } = self;
        let frame = Frame::new(backdrop, backdrop.extent(), !title.is_empty());
        let drifts: Vec<Drift> = Drift::within(arrows, backdrop.extent()).collect();
        frame.open(f, "A direction map", title, &style())?;
        frame.layers(f, backdrop)?;
        write_arrows(f, &frame, &drifts)?;
        legend(f, &frame, drifts.len())?;
        f.write_str("</svg>\n")
    }
}

/// The number of degrees of paleness.
const LEVELS: usize = 6;

/// The degree of paleness of a vector of `length`, the palest first.
fn level(length: f64) -> usize {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)] // of 0 to 6
    let level = (length * LEVELS as f64) as usize;
    level.min(LEVELS - 1)
}

/// One path per hue and paleness.
fn write_arrows(f: &mut fmt::Formatter<'_>, frame: &Frame, drifts: &[Drift]) -> fmt::Result {
    let mut paths = vec![String::new(); HUES * LEVELS];
    for drift in drifts {
        let path = &mut paths[hue(drift.direction) * LEVELS + level(drift.length)];
        let _ = write_arrow(path, frame.pixel(drift.at), drift, frame.pitch);
    }
    let line = Number((frame.pitch * 0.11).max(0.5), 2);
    for (index, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let (hue, level) = (index / LEVELS, index % LEVELS);
        writeln!(f, "<path class=\"flow d{hue} l{level}\" stroke-width=\"{line}\" d=\"{path}\"/>")?;
    }
    Ok(())
}

/// An arrow around `middle`: a line to the foot of the head, and the head.
fn write_arrow(path: &mut String, middle: [f64; 2], drift: &Drift, pitch: f64) -> fmt::Result {
    let decimals = if pitch < 8.0 { 2 } else { 1 };
    let number = |value: f64| Number(value, decimals);
    let [along_x, along_y] = drift.direction;
    // Round ends reach slightly further than the lines.
    let (length, head, half) = (pitch * (0.3 + 0.48 * drift.length), pitch * 0.24, pitch * 0.15);
    let shaft = length - head;
    let [x, y] = [middle[0] - along_x * length / 2.0, middle[1] - along_y * length / 2.0].map(number);
    let [shaft_x, shaft_y] = [along_x * shaft, along_y * shaft].map(number);
    let [side_x, side_y] = [-along_y * half, along_x * half].map(number);
    let [tip_x, tip_y] = [along_x * head + along_y * half, along_y * head - along_x * half].map(number);
    let [back_x, back_y] = [-along_x * head + along_y * half, -along_y * head - along_x * half].map(number);
    write!(path, "M{x} {y}l{shaft_x} {shaft_y}m{side_x} {side_y}l{tip_x} {tip_y}l{back_x} {back_y}z")
}

/// The key: a ring of hues by heading, a short and a long arrow, and the number of arrows.
fn legend(f: &mut fmt::Formatter<'_>, frame: &Frame, count: usize) -> fmt::Result {
    const RADIUS: f64 = 11.5;
    let [x, y] = frame.legend();
    let text = Number(y + 4.5, 1);
    let at = |offset: f64| Number(x + offset, 1);
    writeln!(f, "<g class=\"legend\">")?;
    let middle = [x + RADIUS + 3.5, y];
    for hue in 0..HUES {
        #[allow(clippy::cast_precision_loss)] // few
        let heading = TAU * hue as f64 / HUES as f64;
        // Slightly more than its share, so that no seam shows.
        let [from, to] = [-0.55, 0.55].map(|part| {
            #[allow(clippy::cast_precision_loss)] // few
            let (sin, cos) = (heading + part * TAU / HUES as f64).sin_cos();
            [middle[0] + RADIUS * cos, middle[1] + RADIUS * sin].map(|side| Number(side, 2))
        });
        writeln!(
            f,
            "<path class=\"hue d{hue}\" d=\"M{} {}A{RADIUS} {RADIUS} 0 0 1 {} {}\"/>",
            from[0], from[1], to[0], to[1]
        )?;
    }
    writeln!(f, "<text x=\"{}\" y=\"{text}\">heading</text>", at(37.0))?;
    let line = Number(2.0, 0);
    for (offset, length) in [(108.0, 0.25), (170.0, 1.0)] {
        let drift = Drift { at: [0.0; 2], direction: [1.0, 0.0], length };
        let mut path = String::new();
        write_arrow(&mut path, [x + offset, y], &drift, 20.0)?;
        let level = level(length);
        writeln!(f, "<path class=\"flow mark l{level}\" stroke-width=\"{line}\" d=\"{path}\"/>")?;
        writeln!(f, "<text x=\"{}\" y=\"{text}\">{length}</text>", at(offset + 14.0))?;
    }
    let arrows = if count == 1 { "arrow" } else { "arrows" };
    writeln!(f, "<text x=\"{}\" y=\"{text}\">{}</text>", at(218.0), Escaped(&format!("{count} {arrows}")))?;
    writeln!(f, "</g>")
}

fn style() -> String {
    let hues = |dark: bool| -> String {
        Color::headings(dark).enumerate().map(|(hue, color)| format!(".giveway .d{hue}{{color:{color}}}")).collect()
    };
    let levels: String = (0..LEVELS)
        .map(|level| {
            #[allow(clippy::cast_precision_loss)] // few
            let opacity = 0.25 + 0.75 * (level as f64) / (LEVELS - 1) as f64;
            format!(".giveway .l{level}{{opacity:{}}}", Number(opacity, 2))
        })
        .collect();
    let (light, dark) = (hues(false), hues(true));
    format!("{STYLE}{levels}{light}@media(prefers-color-scheme:dark){{{dark}}}")
}

const STYLE: &str = "\
.giveway .flow{fill:currentColor;stroke:currentColor;stroke-linejoin:round;stroke-linecap:round}\
.giveway .hue{fill:none;stroke:currentColor;stroke-width:7}.giveway .mark{color:$quiet}";
