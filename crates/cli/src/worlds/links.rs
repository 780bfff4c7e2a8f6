//! Links of a world: stairs and lifts between places of its maps.

use anyhow::Result;
use giveway::NodeId;
use giveway::scenario::{At, WorldClass, WorldFile, WorldLink, WorldLinkKind, WorldPlace};
use giveway::spaces::Link;
use giveway::time::Ticks;

use super::floors::Floors;
use super::maps::WorldPart;
use super::union::Union;

/// How far from the place that a file names a link may begin or end.
pub(super) const LINK_WITHIN: f32 = 1.0;

/// Refuses a link whose ends are on no map.
pub(super) fn known_ends(world: &WorldFile, maps: &[WorldPart], link: &At<WorldLink>, floors: Floors) -> Result<()> {
    for end in [&link.from, &link.to] {
        if !maps.iter().any(|part| part.has_place(end, LINK_WITHIN)) {
            let expected = format!("a place at most {LINK_WITHIN} from a place of a map");
            return Err(world.error_at(end.at, expected, place_text(end, floors)).into());
        }
    }
    Ok(())
}

/// A place as messages name it.
pub(super) fn place_text(place: &WorldPlace, floors: Floors) -> String {
    let [x, y] = place.position;
    if let Some(name) = &place.name {
        return format!("{name:?}");
    }
    if floors.are_several() { format!("({x},{y}) on floor {}", place.floor) } else { format!("({x},{y})") }
}

/// The links that `class` may take.
pub(super) fn links_of<'a>(
    world: &'a WorldFile,
    class: &WorldClass,
    maps: &[WorldPart],
    on: &[usize],
) -> Vec<&'a At<WorldLink>> {
    let has = |end: &WorldPlace| on.iter().any(|map| maps[*map].has_place(end, LINK_WITHIN));
    let links = world.document().links.iter();
    let may = |link: &&At<WorldLink>| {
        let named = link.classes.as_ref();
        named.is_none_or(|named| named.iter().any(|name| name.value == class.name.value))
            && has(&link.from)
            && has(&link.to)
    };
    links.filter(may).collect()
}

/// How fast a class is.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// How far its units come in a step, in world units.
    pub(super) speed: f32,
    /// How far they come in a step by the lengths of their space, which may have their speed in it.
    pub(super) footprint: f32,
}

/// `link` between places of `union`, for a class of this pace; `None`: an end is not there.
pub(super) fn made(link: &WorldLink, union: &Union, pace: Pace, ticks: Ticks, floors: Floors) -> Option<Link> {
    let ends = [&link.from, &link.to].map(|end| nearest(union.positions(), end, LINK_WITHIN, floors));
    let [Some(from), Some(to)] = ends else { return None };
    let [a, b] = [from, to].map(|end| union.positions()[end.index()]);
    let straight = (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt();
    let is_lift = link.kind.value == WorldLinkKind::Lift;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 10^5
    let places = if is_lift { 0 } else { link.places.as_ref().map_or((straight / 2.0) as u32, |places| places.value) };
    let duration = link.duration.as_ref().map_or(straight / pace.speed, |duration| duration.value);
    #[allow(clippy::cast_precision_loss)] // small
    let (parts, ticks) = ((places + 1) as f32, ticks as f32);
    // Whole ticks for each part of the way.
    let length = (duration * ticks / parts).round().max(1.0) * parts / ticks * pace.footprint;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
    let cost = (link.cost.as_ref().map_or(length, |cost| cost.value) * 1000.0) as u32;
    let made = Link::new(from, to, cost.max(1), length).places(places);
    let made = if link.one_way { made } else { made.both_ways() };
    Some(if is_lift { made.jumps() } else { made })
}

/// The place nearest to `place` among `positions`, at most `within` away; among equals the first one.
fn nearest(positions: &[[f32; 3]], place: &WorldPlace, within: f32, floors: Floors) -> Option<NodeId> {
    let far = |[x, y, _]: &[f32; 3]| {
        let [dx, dy] = [f64::from(x - place.position[0]), f64::from(y - place.position[1])];
        dx.mul_add(dx, dy * dy)
    };
    let here = (0..).map(NodeId).zip(positions).filter(|(_, position)| floors.has(place.floor, position[2]));
    let near = here.map(|(node, position)| (far(position), node)).filter(|(far, _)| *far <= f64::from(within).powi(2));
    near.min_by(|(one, a), (other, b)| one.total_cmp(other).then(a.cmp(b))).map(|(_, node)| node)
}
