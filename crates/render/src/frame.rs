//! Frames: the common part of SVG pictures: size, margins, title, theme, the map.

use std::fmt;

use giveway_core::Tick;

use crate::backdrop::{Backdrop, LayerKind};
use crate::extent::Extent;
use crate::markup::{Escaped, Number};
use crate::theme::{FONT, PAGE, SHARED, StyleSheet};

/// The longer side of the map, in pixels, unless cells would become too large or too small.
const MAP_SIDE: f64 = 960.0;
const PLACE: std::ops::RangeInclusive<f64> = 2.0..=40.0;
const MARGIN: f64 = 24.0;
const HEADER: f64 = 44.0;
const FOOTER: f64 = 40.0;
const LEAST_WIDTH: f64 = 340.0;

/// A picture's pixels over the world.
pub(crate) struct Frame {
    extent: Extent,
    /// Pixels per world unit.
    scale: f64,
    /// The size of a place in pixels.
    pub(crate) pitch: f64,
    width: f64,
    height: f64,
    /// The top left corner of the map.
    origin: [f64; 2],
}

impl Frame {
    pub(crate) fn new(backdrop: &Backdrop, extent: Extent, title: bool) -> Self {
        let longest = extent.width().max(extent.height()).max(f64::MIN_POSITIVE);
        let pitch = (MAP_SIDE * backdrop.pitch / longest).clamp(*PLACE.start(), *PLACE.end());
        let scale = pitch / backdrop.pitch;
        let (map_width, map_height) = (extent.width() * scale, extent.height() * scale);
        let width = (map_width + 2.0 * MARGIN).max(LEAST_WIDTH).ceil();
        let top = MARGIN + if title { HEADER } else { 0.0 };
        Self {
            extent,
            scale,
            pitch,
            width,
            height: (top + map_height + FOOTER + MARGIN / 2.0).ceil(),
            origin: [(width - map_width) / 2.0, top],
        }
    }

    /// Without room for a legend.
    pub(crate) fn without_legend(self) -> Self {
        Self { height: (self.origin[1] + self.extent.height() * self.scale + MARGIN).ceil(), ..self }
    }

    /// Where `point` of the world is in the picture.
    pub(crate) fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.extent.min[0]) * self.scale + self.origin[0], (y - self.extent.min[1]) * self.scale + self.origin[1]]
    }

    /// The pixels per world unit.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// The left end of the legend's middle line.
    pub(crate) fn legend(&self) -> [f64; 2] {
        [self.origin[0].min(MARGIN), self.height - FOOTER / 2.0 - MARGIN / 4.0]
    }

    /// Opens the picture and draws the ground behind it. `style` is the picture's own part of its [`StyleSheet`].
    /// `kind` names a picture without a title, for screen readers.
    pub(crate) fn open(&self, f: &mut fmt::Formatter<'_>, kind: &str, title: &str, style: &str) -> fmt::Result {
        let (width, height) = (Number(self.width, 0), Number(self.height, 0));
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" class=\"giveway\" font-family=\"{FONT}\" font-size=\"13\">"
        )?;
        let shown = if title.is_empty() { kind } else { title };
        writeln!(f, "<title>{}</title>", Escaped(shown))?;
        writeln!(f, "<style>{}</style>", StyleSheet(&format!("{SHARED}{style}")))?;
        writeln!(f, "<rect class=\"page\" width=\"{width}\" height=\"{height}\" fill=\"{PAGE}\"/>")?;
        if !title.is_empty() {
            let baseline = Number(MARGIN + 18.0, 1);
            writeln!(
                f,
                "<text class=\"title\" x=\"{}\" y=\"{baseline}\">{}</text>",
                Number(self.legend()[0], 2),
                Escaped(title)
            )?;
        }
        self.ground(f)
    }

    /// The ground of the map.
    fn ground(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.origin.map(|side| Number(side, 2));
        let [width, height] = [self.extent.width(), self.extent.height()].map(|side| Number(side * self.scale, 2));
        writeln!(f, "<rect class=\"ground\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>")
    }

    /// The layers of the map, as in a picture that does not move.
    pub(crate) fn layers(&self, f: &mut fmt::Formatter<'_>, backdrop: &Backdrop) -> fmt::Result {
        self.moving_layers(f, backdrop, |f, _| f.write_str(" opacity=\".5\"/>\n"))
    }

    /// The layers of the map. `passing` ends the path of a layer that is there between two ticks only; the tag of the
    /// path is still open.
    pub(crate) fn moving_layers(
        &self,
        f: &mut fmt::Formatter<'_>,
        backdrop: &Backdrop,
        passing: impl Fn(&mut fmt::Formatter<'_>, [Tick; 2]) -> fmt::Result,
    ) -> fmt::Result {
        let layers = || backdrop.layers.iter().filter(|layer| !layer.path.is_empty());
        let mut kinds: Vec<LayerKind> = layers().map(|layer| layer.kind).collect();
        kinds.dedup();
        let styles: String = kinds.into_iter().filter_map(LayerKind::style).collect();
        if !styles.is_empty() {
            writeln!(f, "<style>{}</style>", StyleSheet(&styles))?;
        }
        let [x, y] = self.pixel([0.0, 0.0]).map(|side| Number(side, 2));
        let scale = Number(self.scale, 6);
        for layer in layers() {
            let line = layer.line(backdrop.pitch).max(layer.kind.least_line() / self.scale);
            let (name, path) = (layer.kind.name(), &layer.path);
            write!(
                f,
                "<path class=\"{name}\" transform=\"matrix({scale} 0 0 {scale} {x} {y})\" stroke-width=\"{}\"",
                Number(line, 9)
            )?;
            if layer.kind == LayerKind::Links {
                let [dash, gap] = [1.6, 2.4].map(|share| Number(line * share, 9));
                write!(f, " stroke-dasharray=\"{dash} {gap}\"")?;
            }
            write!(f, " d=\"{path}\"")?;
            match layer.shown {
                Some(shown) => passing(f, shown)?,
                None => f.write_str("/>\n")?,
            }
        }
        Ok(())
    }
}
