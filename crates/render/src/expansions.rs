//! Expansions per place as an SVG heat map, which shows how much of the map a search expands.

use std::fmt::{self, Write as _};

use crate::backdrop::Backdrop;
use crate::frame::Frame;
use crate::markup::{Escaped, Number};
use crate::palette::{Color, RAMP_STEPS};

/// A heat map as one SVG picture: the colour of a place shows how often the place was expanded. Places without
/// expansions keep the colour of the ground.
///
/// A `Vec<u32>` is an [`Observer`](giveway_core::Observer) that counts expansions per node. To compare two pictures,
/// give both pictures the same number as [`max`](Self::max).
///
/// ```
/// use giveway_render::{Backdrop, ExpansionPicture};
///
/// let backdrop = Backdrop::cells(3, 1, |_, _| true);
/// let picture = ExpansionPicture::new(&[1, 8, 0], &backdrop).title("Where it searched");
/// assert!(picture.to_string().contains("9 expansions"));
/// ```
#[derive(Clone, Debug)]
pub struct ExpansionPicture<'a> {
    counts: &'a [u32],
    backdrop: &'a Backdrop,
    title: String,
    max: Option<u32>,
}

impl<'a> ExpansionPicture<'a> {
    /// The picture of `counts` over `backdrop`. `counts` has a number for each node id. If the backdrop does not have a
    /// node, the count of this node is not drawn.
    pub fn new(counts: &'a [u32], backdrop: &'a Backdrop) -> Self {
        Self { counts, backdrop, title: String::new(), max: None }
    }

    /// Sets the title of the picture.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Sets the number of expansions that gets the last colour of the scale. By default, this is the largest count.
    /// Counts above `max` get the last colour, too. 0 counts as 1.
    #[must_use]
    pub fn max(self, max: u32) -> Self {
        Self { max: Some(max), ..self }
    }

    fn largest(&self) -> u32 {
        let found = self.counts.iter().copied().max().unwrap_or(0);
        self.max.unwrap_or(found).max(1)
    }
}

impl fmt::Display for ExpansionPicture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { counts, backdrop, title, .. } = self;
        let frame = Frame::new(backdrop, backdrop.extent(), !title.is_empty());
        frame.open(f, "Expansions per place", title, &style())?;
        if backdrop.is_cells() {
            self.heat(f, &frame)?;
            frame.layers(f, backdrop)?;
        } else {
            frame.layers(f, backdrop)?;
            self.heat(f, &frame)?;
        }
        let total: u64 = counts.iter().copied().map(u64::from).sum();
        legend(f, &frame, self.largest(), total)?;
        f.write_str("</svg>\n")
    }
}

impl ExpansionPicture<'_> {
    /// One path per colour.
    fn heat(&self, f: &mut fmt::Formatter<'_>, frame: &Frame) -> fmt::Result {
        let max = self.largest();
        let mut paths = vec![String::new(); RAMP_STEPS];
        for (node, count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let Some(place) = self.backdrop.place(node) else {
                continue;
            };
            let [x, y] = frame.pixel(place);
            let path = &mut paths[step(*count, max)];
            let _ = if self.backdrop.is_cells() {
                // Slightly larger than the cell, so that no seam shows between neighbours.
                let side = frame.pitch + 0.1;
                let [left, top] = [x, y].map(|middle| Number(middle - side / 2.0, 2));
                let side = Number(side, 2);
                write!(path, "M{left} {top}h{side}v{side}h-{side}z")
            } else {
                let radius = 0.32 * frame.pitch;
                let (left, middle) = (Number(x - radius, 2), Number(y, 2));
                let (r, d) = (Number(radius, 2), Number(radius * 2.0, 2));
                write!(path, "M{left} {middle}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z")
            };
        }
        for (step, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            writeln!(f, "<path class=\"heat h{step}\" d=\"{path}\"/>")?;
        }
        Ok(())
    }
}

/// The step of the ramp for `count` of at most `max`, both at least 1.
fn step(count: u32, max: u32) -> usize {
    // All counts are equal: a colour that is visible.
    if max <= 1 {
        return RAMP_STEPS / 4;
    }
    let (count, max) = (u64::from(count.max(1) - 1), u64::from(max - 1));
    usize::try_from(count.min(max) * (RAMP_STEPS as u64 - 1) / max).unwrap_or(0)
}

fn legend(f: &mut fmt::Formatter<'_>, frame: &Frame, max: u32, total: u64) -> fmt::Result {
    const WIDTH: f64 = 6.0;
    let [x, y] = frame.legend();
    let (text, top) = (Number(y + 4.5, 1), Number(y - 6.0, 1));
    let mut x = x;
    writeln!(f, "<g class=\"legend\">")?;
    let steps = if max > 1 { 0..RAMP_STEPS } else { RAMP_STEPS / 4..RAMP_STEPS / 4 + 2 };
    if max > 1 {
        writeln!(f, "<text x=\"{}\" y=\"{text}\">1</text>", Number(x, 1))?;
        x += 13.0;
    }
    for step in steps {
        let at = Number(x, 1);
        let width = Number(WIDTH + 0.1, 1);
        writeln!(f, "<rect class=\"h{step}\" x=\"{at}\" y=\"{top}\" width=\"{width}\" height=\"12\"/>")?;
        x += WIDTH;
    }
    x += 6.0;
    let expansions = if total == 1 { "expansion" } else { "expansions" };
    let words = format!("{max} per place  \u{b7}  {total} {expansions}");
    writeln!(f, "<text x=\"{}\" y=\"{text}\">{}</text>", Number(x, 1), Escaped(&words))?;
    writeln!(f, "</g>")
}

/// The ramp leads away from the ground: to dark on light ground, to light on dark ground. On dark ground the ramp
/// begins with the first step that can be told from the ground.
fn style() -> String {
    let rules = |at: &dyn Fn(usize) -> usize| {
        let rule = |step: usize| format!(".giveway .h{step}{{fill:{}}}", Color::ramp(at(step)));
        (0..RAMP_STEPS).map(rule).collect::<String>()
    };
    let (light, dark) = (rules(&|step| step), rules(&|step| (RAMP_STEPS - 1 - step) * 4 / 5));
    format!("{light}@media(prefers-color-scheme:dark){{{dark}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_is_used_from_the_first_step_to_the_last() {
        let last = RAMP_STEPS - 1;
        for max in [2, 3, 100, u32::MAX] {
            assert_eq!([1, max].map(|count| step(count, max)), [0, last], "{max}");
        }
        assert_eq!(step(1, 1), RAMP_STEPS / 4);
        let steps: Vec<usize> = (1..=1000).map(|count| step(count, 1000)).collect();
        assert!(steps.is_sorted());
        assert_eq!(step(2000, 1000), last);
    }
}
