//! The ground under all maps of a world, on which all its bodies reserve.

use anyhow::Result;
use giveway::plan::TracedBody;
use giveway::scenario::{WorldFile, WorldShape};
use giveway::spaces::Ground;

use super::floors::Floors;
use super::kinds::{Draft, DraftSpace};
use super::maps::WorldPart;

/// A ground has at most so many cells, if the file does not say how large they are.
const MOST_CELLS: f64 = (1_u32 << 26) as f64;

/// The ground under all maps.
pub(super) fn ground(world: &WorldFile, maps: &[WorldPart], drafts: &[Draft<'_>], floors: Floors) -> Result<Ground> {
    let outlines: Vec<TracedBody> = drafts.iter().filter_map(|draft| Some(draft.body.as_ref()?.outline())).collect();
    let margin = outlines.iter().map(reach).fold(0.0, f32::max).ceil() + 1.0;
    let has_grid = drafts.iter().any(|draft| matches!(draft.space, DraftSpace::Cells(..)));
    let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    // A grid in place has cells from (0, 0) on.
    let bounds = maps.iter().map(WorldPart::bounds).chain(has_grid.then_some([[-0.5; 2]; 2]));
    for [low, high] in bounds {
        least = [0, 1].map(|axis| least[axis].min(low[axis]));
        most = [0, 1].map(|axis| most[axis].max(high[axis]));
    }
    let origin = least.map(|side| side.floor() - margin - 0.5);
    let size = [0, 1].map(|axis| (most[axis] - origin[axis]).ceil() + margin);
    let squares = drafts.iter().all(|draft| {
        matches!(draft.class.shape.as_deref(), Some(WorldShape::Square(_)))
            && matches!(draft.space, DraftSpace::Cells(_, None))
    });
    let narrowest = outlines.iter().map(width).fold(f32::INFINITY, f32::min);
    let cell = match &world.document().cell {
        Some(cell) => cell.value,
        None if squares => 1.0,
        None => {
            // As many as are a cell of the map.
            let wanted = (0.35 * narrowest).max(0.02);
            let cell = if has_grid { 1.0 / (1.0 / wanted).round().clamp(1.0, 16.0) } else { wanted };
            let count = |cell: f32| f64::from(size[0] / cell) * f64::from(size[1] / cell) * f64::from(floors.count());
            let mut cell = if has_grid && wanted > 1.0 { 1.0 } else { cell };
            while count(cell) > MOST_CELLS {
                cell *= 2.0;
            }
            cell
        }
    };
    let at = world.document().cell.as_ref().map_or(0, |cell| cell.at);
    let ground = Ground::new(origin, size, cell).map_err(|why| world.error_why(at, why))?;
    if !floors.are_several() {
        return Ok(ground);
    }
    let [lowest, height] = floors.levels();
    Ok(ground.levels(lowest, height, floors.count()).map_err(|why| world.error_why(at, why))?)
}

/// How far a shape reaches from its position.
pub(super) fn reach(outline: &TracedBody) -> f32 {
    match outline {
        TracedBody::Disc { center: [x, y], radius } => x.hypot(*y) + radius,
        TracedBody::Polygon { corners } => corners.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f32::max),
    }
}

/// How wide a shape is, at least.
fn width(outline: &TracedBody) -> f32 {
    match outline {
        TracedBody::Disc { radius, .. } => 2.0 * radius,
        TracedBody::Polygon { corners } => {
            let side = |axis: usize| {
                let sides = corners.iter().map(|corner| corner[axis]);
                sides.clone().fold(f32::NEG_INFINITY, f32::max) - sides.fold(f32::INFINITY, f32::min)
            };
            side(0).min(side(1))
        }
    }
}
