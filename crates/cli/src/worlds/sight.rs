//! The picture of a world: its maps, floor beside floor.

use std::ops::Range;

use anyhow::Result;
use giveway::render::{Backdrop, FloorPlan};
use giveway::spaces::{Embedding as _, FnSpace, Grid, Positions};
use giveway::time::Tick;
use giveway::{NodeId, SpaceGraph as _};

use super::LoadedWorld;
use super::areas::corners;
use super::maps::{Terrain, WorldPart, roads};
use crate::node_map::NodeSpace;
use crate::pictures;

/// Between two floors, as a share of a floor.
const GAP: f32 = 0.08;
/// Agents without a shape are drawn this wide on a mesh.
const POINT: f32 = 0.8;

impl LoadedWorld {
    /// How floors are drawn beside each other; `None`: there is one floor.
    pub(crate) fn plan(&self) -> Option<FloorPlan> {
        if !self.floors.are_several() {
            return None;
        }
        let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for [low, high] in self.maps.iter().map(WorldPart::bounds) {
            least = [0, 1].map(|axis| least[axis].min(low[axis]));
            most = [0, 1].map(|axis| most[axis].max(high[axis]));
        }
        let [across, down] = [0, 1].map(|axis| (most[axis] - least[axis]) * (1.0 + GAP) + 1.0);
        let height = self.floors.height;
        // Wide floors above each other, tall floors side by side.
        Some(FloorPlan::new(if across > down { [0.0, -down / height] } else { [across / height, 0.0] }))
    }

    /// The maps, and the areas that were closed.
    pub(crate) fn backdrop(&self, closed: impl IntoIterator<Item = (usize, Range<Tick>)>) -> Result<Backdrop> {
        let plan = self.plan().unwrap_or(FloorPlan::new([0.0; 2]));
        let mut parts = Vec::new();
        for part in &self.maps {
            parts.push(self.part(part, plan)?);
        }
        // Lines are drawn in a size that suits the places of the first one: cells, if there are any.
        let first = self.maps.iter().position(|part| matches!(part.terrain, Terrain::Cells { .. })).unwrap_or(0);
        parts.swap(0, first);
        let backdrop = parts.into_iter().reduce(Backdrop::and).unwrap_or_else(|| Backdrop::cells(1, 1, |_, _| true));
        let end = |place: &giveway::scenario::WorldPlace| {
            #[allow(clippy::cast_precision_loss)] // at most 1000 floors
            plan.place([place.position[0], place.position[1], place.floor as f32 * self.floors.height])
        };
        let links = self.file.document().links.iter().map(|link| [end(&link.from), end(&link.to)]);
        let backdrop = if links.len() > 0 { backdrop.with_links(links) } else { backdrop };
        Ok(closed.into_iter().fold(backdrop, |backdrop, (number, ticks)| {
            let area = &self.file.document().areas[number];
            let floors: Vec<f32> = match area.floor {
                #[allow(clippy::cast_precision_loss)] // at most 1000 floors
                Some(floor) => vec![floor as f32 * self.floors.height],
                None => {
                    let mut heights: Vec<f32> = self.maps.iter().map(|part| part.height).collect();
                    heights.sort_by(f32::total_cmp);
                    heights.dedup();
                    heights
                }
            };
            let shown = floors.into_iter().map(|height| {
                let shape = corners(area).into_iter().map(|[x, y]| plan.place([x, y, height]));
                shape.map(|[x, y, _]| [x, y]).collect::<Vec<_>>()
            });
            backdrop.with_walls_during(ticks, shown)
        }))
    }

    fn part(&self, part: &WorldPart, plan: FloorPlan) -> Result<Backdrop> {
        let [left, top, height] = part.shift();
        let place = |[x, y]: [f32; 2]| {
            let [x, y, _] = plan.place([x + left, y + top, height]);
            [x, y]
        };
        Ok(match &part.terrain {
            Terrain::Cells { grid, .. } if self.maps.len() == 1 && place([0.0; 2]) == [0.0; 2] => {
                pictures::backdrop(grid)
            }
            // A floor between walls, as a mesh is one.
            Terrain::Cells { grid, .. } => {
                Backdrop::mesh(borders(grid).into_iter().map(|ends| ends.map(place)), self.least_width())
            }
            Terrain::Nodes(nodes) if place([0.0; 2]) == [0.0; 2] => nodes.facts.backdrop.clone(),
            Terrain::Nodes(nodes) => match &nodes.space {
                NodeSpace::Hexes(hexes) => Backdrop::tiles(hexes, |node| hexes.corners(node).map(place)),
                NodeSpace::Graph(graph) => {
                    let count = u32::try_from(graph.node_bound())?;
                    let moved: FnSpace<u32, Positions> = FnSpace::new(count, |node| {
                        graph.moves(NodeId(node)).map(|m| (m.to.0, m.cost)).collect::<Vec<_>>()
                    })?
                    .with_positions(|node| {
                        let [x, y, z] = graph.position(NodeId(node));
                        let [x, y] = place([x, y]);
                        [x, y, z]
                    })?;
                    Backdrop::graph(&moved)
                }
            },
            Terrain::Roads { of, nodes, rules } => {
                let [x, y] = place([0.0; 2]);
                let width = rules.lane;
                if [x, y] == [left, top] {
                    Backdrop::roads(&**of, width)
                } else {
                    Backdrop::roads(&roads(nodes, *rules, [x, y, height])?, width)
                }
            }
            Terrain::Mesh(mesh) => Backdrop::mesh(mesh.walls().map(|ends| ends.map(place)), self.least_width()),
        })
    }

    /// The width of the narrowest shape, for lines.
    fn least_width(&self) -> f32 {
        self.kinds.iter().map(|kind| 2.0 * kind.reach).filter(|width| *width > 0.0).fold(POINT, f32::min)
    }
}

/// The sides of free cells beside which there is none, with the free cell on the right.
fn borders(grid: &Grid) -> Vec<[[f32; 2]; 2]> {
    let mut borders = Vec::new();
    let is_free = |x: i64, y: i64| match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) => grid.is_passable(x, y),
        _ => false,
    };
    for (x, y) in (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y))) {
        if !grid.is_passable(x, y) {
            continue;
        }
        // Round the cell, from its first corner on.
        const CORNERS: [[f32; 2]; 4] = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        for (side, (dx, dy)) in [(0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().enumerate() {
            if !is_free(i64::from(x) + dx, i64::from(y) + dy) {
                #[allow(clippy::cast_precision_loss)] // less than 2^24 cells
                let corner = |[across, down]: [f32; 2]| [x as f32 + across, y as f32 + down];
                borders.push([corner(CORNERS[side]), corner(CORNERS[(side + 1) % 4])]);
            }
        }
    }
    borders
}
