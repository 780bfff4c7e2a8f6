//! Frames: what SVG pictures share: size, margins, title, theme, the map.

use std::fmt;

use crate::backdrop::{Backdrop, LayerKind};
use crate::extent::Extent;
use crate::markup::{Escaped, Number};

/// The size of the longer side of the map, in pixels, where cells would not become too large or too small.
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
    /// Where the map's top left corner is.
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

    /// Where `point` of the world is on the picture.
    pub(crate) fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.extent.min[0]) * self.scale + self.origin[0], (y - self.extent.min[1]) * self.scale + self.origin[1]]
    }

    /// How many pixels a world unit is long.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// The left end of the legend's middle line.
    pub(crate) fn legend(&self) -> [f64; 2] {
        [self.origin[0].min(MARGIN), self.height - FOOTER / 2.0 - MARGIN / 4.0]
    }

    /// Opens the picture and draws what lies behind; `style` is the picture's own CSS, and `kind` names a picture without a title to
    /// those who do not see it.
    pub(crate) fn open(&self, f: &mut fmt::Formatter<'_>, kind: &str, title: &str, style: &str) -> fmt::Result {
        let (width, height) = (Number(self.width, 0), Number(self.height, 0));
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" class=\"giveway\" style=\"max-width:100%;height:auto\">"
        )?;
        let shown = if title.is_empty() { kind } else { title };
        writeln!(f, "<title>{}</title>", Escaped(shown))?;
        writeln!(f, "<style>{THEME}{style}</style>")?;
        writeln!(f, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>")?;
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

    /// The layers of the map.
    pub(crate) fn layers(&self, f: &mut fmt::Formatter<'_>, backdrop: &Backdrop) -> fmt::Result {
        let [x, y] = self.pixel([0.0, 0.0]).map(|side| Number(side, 2));
        let scale = Number(self.scale, 6);
        for layer in backdrop.layers.iter().filter(|layer| !layer.path.is_empty()) {
            let line = match layer.kind {
                LayerKind::Walls => 0.0,
                LayerKind::Edges => 0.07,
                LayerKind::Nodes => 0.26,
            };
            let line = Number(backdrop.pitch * line, 9);
            let (name, path) = (layer.kind.name(), &layer.path);
            writeln!(
                f,
                "<path class=\"{name}\" transform=\"matrix({scale} 0 0 {scale} {x} {y})\" stroke-width=\"{line}\" d=\"{path}\"/>"
            )?;
        }
        Ok(())
    }
}

/// Colours and type, light and dark. Every rule stays inside the picture, which may stand in a page.
pub(crate) const THEME: &str = "\
.giveway{--page:#fff;--ground:#fff;--rim:#d9dce2;--wall:#ccd1d9;--edge:#c5cbd4;--ink:#20242c;--quiet:#656d7a;\
font:13px/1 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\
@media(prefers-color-scheme:dark){.giveway{--page:#14161a;--ground:#1b1e23;--rim:#353a43;--wall:#3b414b;--edge:#474e5a;\
--ink:#e8eaed;--quiet:#9aa2ae}}\
.giveway .page{fill:var(--page)}.giveway .ground{fill:var(--ground);stroke:var(--rim)}\
.giveway .walls{fill:var(--wall);stroke:none}.giveway .edges{fill:none;stroke:var(--edge);stroke-linecap:round}\
.giveway .nodes{fill:none;stroke:var(--edge);stroke-linecap:round}\
.giveway text{fill:var(--quiet)}.giveway .title{font-size:18px;font-weight:600;fill:var(--ink);letter-spacing:-.01em}";
