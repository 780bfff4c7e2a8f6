//! Layers: the shapes of a backdrop, sorted by what they are.

use std::fmt::Write as _;

use giveway_core::Tick;

use crate::markup::{Number, decimals_for};

/// One kind of shape on the map, as SVG path data in world units.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) kind: LayerKind,
    pub(crate) path: String,
    /// The width of lines in world units; `None`: by the size of a place.
    pub(crate) width: Option<f64>,
    /// The ticks from which and until which the layer is there; `None`: always.
    pub(crate) shown: Option<[Tick; 2]>,
}

/// The kinds of layers, from the lowest to the uppermost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum LayerKind {
    /// Filled: walls beneath a floor, which show where there is no floor.
    Solid,
    /// Filled, with a rim: where units can go.
    Floor,
    /// Filled: ground that is slow, or costs more.
    Rough,
    /// Wide lines.
    Lanes,
    /// Outlines of places.
    Tiles,
    /// Filled.
    Walls,
    /// Filled, with a rim, so that no seam shows between two blocks.
    Blocks,
    /// Dashed lines.
    Links,
    /// Lines.
    Edges,
    /// Very short lines, to be drawn with round ends.
    Nodes,
}

impl LayerKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Floor => "floor",
            Self::Rough => "rough",
            Self::Lanes => "lanes",
            Self::Tiles => "tiles",
            Self::Walls => "walls",
            Self::Blocks => "blocks",
            Self::Links => "links",
            Self::Edges => "edges",
            Self::Nodes => "nodes",
        }
    }

    /// The width of lines, in sizes of a place.
    pub(crate) fn line(self) -> f64 {
        match self {
            Self::Solid | Self::Rough | Self::Walls => 0.0,
            Self::Tiles => 0.04,
            Self::Blocks => 0.05,
            Self::Floor | Self::Edges => 0.07,
            Self::Links => 0.11,
            Self::Nodes => 0.26,
            Self::Lanes => 1.0,
        }
    }

    /// The least width of lines in pixels.
    pub(crate) fn least_line(self) -> f64 {
        if self == Self::Floor { 1.0 } else { 0.0 }
    }

    /// The style of the layer in SVG, for kinds that not every picture has.
    pub(crate) fn style(self) -> Option<&'static str> {
        match self {
            Self::Walls | Self::Edges | Self::Nodes => None,
            Self::Solid => Some(".giveway .solid{fill:$wall;stroke:none}"),
            Self::Floor => Some(".giveway .floor{fill:$ground;stroke:$shore;stroke-linejoin:round}"),
            Self::Rough => Some(".giveway .rough{fill:$rough;stroke:none}"),
            Self::Lanes => Some(".giveway .lanes{fill:none;stroke:$lane;stroke-linecap:round;stroke-linejoin:round}"),
            Self::Tiles => Some(".giveway .tiles{fill:none;stroke:$rim;stroke-linejoin:round}"),
            Self::Blocks => Some(".giveway .blocks{fill:$wall;stroke:$wall;stroke-linejoin:round}"),
            Self::Links => Some(".giveway .links{fill:none;stroke:$quiet;opacity:.6;stroke-linecap:round}"),
        }
    }
}

impl Layer {
    /// A layer that is always there.
    pub(crate) fn new(kind: LayerKind, path: String) -> Self {
        Self { kind, path, width: None, shown: None }
    }

    /// The width of lines in world units, where places are `pitch` wide.
    pub(crate) fn line(&self, pitch: f64) -> f64 {
        self.width.unwrap_or(pitch * self.kind.line())
    }
}

/// Path data that is being written.
pub(crate) struct Lines {
    path: String,
    decimals: usize,
    /// Of a line that is drawn as a dot.
    shortest: f64,
}

impl Lines {
    /// Lines with as many decimals as places that are `pitch` wide need.
    pub(crate) fn new(pitch: f64) -> Self {
        Self { path: String::new(), decimals: decimals_for(pitch), shortest: pitch / 500.0 }
    }

    pub(crate) fn path(self) -> String {
        self.path
    }

    /// Adds lines through points.
    pub(crate) fn open(mut self, lines: &[Vec<[f64; 2]>]) -> Self {
        for line in lines {
            self.line(line);
        }
        self
    }

    /// Adds shapes by their corners.
    pub(crate) fn closed(mut self, shapes: &[Vec<[f64; 2]>]) -> Self {
        for shape in shapes.iter().filter(|shape| !shape.is_empty()) {
            self.line(shape);
            self.path.push('z');
        }
        self
    }

    /// Adds dots. In SVG a line of length 0 has round ends, but on a canvas it has none.
    pub(crate) fn dots(mut self, points: impl Iterator<Item = [f64; 2]>) -> Self {
        let short = Number(self.shortest, self.decimals);
        for [x, y] in points.map(|point| point.map(|side| Number(side, self.decimals))) {
            let _ = write!(self.path, "M{x} {y}h{short}");
        }
        self
    }

    fn line(&mut self, points: &[[f64; 2]]) {
        for (index, point) in points.iter().enumerate() {
            let [x, y] = point.map(|side| Number(side, self.decimals));
            let _ = write!(self.path, "{}{x} {y}", if index == 0 { 'M' } else { 'L' });
        }
    }
}
