//! The classes of a world, each on a space of its own.

use std::sync::Arc;

use anyhow::{Result, bail};
use giveway::area::{Area, Change};
use giveway::footprint::ConflictRule;
use giveway::plan::TracedBody;
use giveway::scenario::{
    At, FileError, WorldClass, WorldFile, WorldLink, WorldLinkKind, WorldShape, WorldStrategy, WorldTurning,
};
use giveway::spaces::{
    Body, BodyFootprint, Clearance, CommonTicks, Editable, GraphClearance, Grid, Ground, Headings, Lattice, NavMesh,
    Primitives, Roads, Vehicle, WaypointRules, Waypoints,
};
use giveway::time::Ticks;
use giveway::{Point, SpaceGraph as _};

use super::floors::Floors;
use super::ground::{ground, reach};
use super::links::{LINK_WITHIN, Pace, known_ends, links_of, made};
use super::maps::{Terrain, WorldPart};
use super::union::{Joined, Union};
use super::walls::KindWalls;

/// A class of a world.
pub(crate) struct Kind {
    pub(crate) name: String,
    /// Where the file tells of the class.
    pub(super) at: usize,
    pub(crate) space: KindSpace,
    /// `None`: points.
    pub(crate) outline: Option<TracedBody>,
    /// How far the shape reaches from its position.
    pub(super) reach: f32,
    pub(super) priority: i32,
    pub(super) strategy: Option<WorldStrategy>,
    pub(super) window: Option<u32>,
    /// The name of its side.
    pub(super) side: Option<String>,
    /// The maps on which it moves.
    pub(super) on: Vec<usize>,
    pub(super) walls: KindWalls,
}

/// A space, and what agents occupy in it.
pub(crate) struct OnSpace<S, F> {
    pub(crate) space: S,
    pub(crate) footprint: F,
}

/// The space of a class.
#[allow(clippy::large_enum_variant)] // there are few
pub(crate) enum KindSpace {
    /// Points on one map of square cells.
    Grid(OnSpace<Grid, Point>),
    /// Points on anything else.
    Nodes(OnSpace<Joined, Point>, ConflictRule),
    Cells(OnSpace<Clearance, BodyFootprint>),
    Vehicles(OnSpace<Lattice, BodyFootprint>),
    Roads(OnSpace<GraphClearance<Roads>, BodyFootprint>),
    Mesh(OnSpace<GraphClearance<Waypoints>, BodyFootprint>),
    Joined(OnSpace<GraphClearance<Joined>, BodyFootprint>),
}

/// Does something with the space of a class, whatever its type.
macro_rules! with_space {
    ($space:expr, $on:ident => $body:expr) => {
        match $space {
            $crate::worlds::KindSpace::Grid($on) => $body,
            $crate::worlds::KindSpace::Nodes($on, _) => $body,
            $crate::worlds::KindSpace::Cells($on) => $body,
            $crate::worlds::KindSpace::Vehicles($on) => $body,
            $crate::worlds::KindSpace::Roads($on) => $body,
            $crate::worlds::KindSpace::Mesh($on) => $body,
            $crate::worlds::KindSpace::Joined($on) => $body,
        }
    };
}
pub(crate) use with_space;

/// The classes of a world, and what they share.
pub(super) struct Kinds {
    pub(super) kinds: Vec<Kind>,
    pub(super) ticks_per_step: Ticks,
}

/// Vehicles see a whole manoeuvre ahead.
const WINDOW_OF_VEHICLES: u32 = 12;
/// Finer ticks make searches long.
const MOST_TICKS: Ticks = 4096;
/// A vehicle has at most so many cells times headings.
const MOST_POSES: u64 = 1 << 24;
/// A class before it is known how many ticks a step has.
pub(super) struct Draft<'a> {
    pub(super) class: &'a At<WorldClass>,
    on: Vec<usize>,
    pub(super) body: Option<Body>,
    links: Vec<&'a At<WorldLink>>,
    pub(super) space: DraftSpace<'a>,
}

pub(super) enum DraftSpace<'a> {
    Cells(&'a Grid, Option<Vehicle>),
    Roads(&'a Arc<Roads>),
    Mesh(&'a NavMesh, WaypointRules),
    /// All maps but meshes, and the meshes with their rules.
    Joined(Union, Vec<(usize, WaypointRules)>),
}

impl Kinds {
    /// The classes of `world` on `maps`.
    pub(super) fn new(world: &WorldFile, maps: &[WorldPart], floors: Floors) -> Result<Self> {
        let document = world.document();
        let is_point = |class: &At<WorldClass>| matches!(class.shape.as_deref(), None | Some(WorldShape::Point));
        let (points, bodies): (Vec<_>, Vec<_>) = document.classes.iter().partition(|class| is_point(class));
        if let (Some(point), Some(body)) = (points.first(), bodies.first()) {
            let expected = format!("a shape, as class {:?} has one: {{ disc = 0.2 }} is small", body.name.value);
            return Err(world.error_at(point.at, expected, "a class of points").into());
        }
        for link in &document.links {
            known_ends(world, maps, link, floors)?;
        }
        let kinds = if bodies.is_empty() { points_of(world, maps, floors) } else { bodies_of(world, maps, floors) }?;
        for (class, kind) in document.classes.iter().zip(&kinds.kinds) {
            kind.refuse_learning(world, class, maps)?;
        }
        Ok(kinds)
    }
}

/// The maps on which `class` moves.
fn maps_of(class: &WorldClass, maps: &[WorldPart]) -> Vec<usize> {
    let is_meant = |part: &WorldPart| {
        class.on.as_ref().is_none_or(|on| on.iter().any(|name| part.name.as_ref() == Some(&name.value)))
    };
    (0..maps.len()).filter(|map| is_meant(&maps[*map])).collect()
}

fn of_class(world: &WorldFile, class: &At<WorldClass>) -> impl Fn(&dyn std::fmt::Display) -> FileError {
    let (at, name) = (class.at, class.name.value.clone());
    move |why| world.error_why(at, format_args!("class {name:?}: {why}"))
}

/// Classes of points.
fn points_of(world: &WorldFile, maps: &[WorldPart], floors: Floors) -> Result<Kinds> {
    let document = world.document();
    for class in &document.classes {
        if let Some(turning) = &class.turning {
            return Err(world
                .error_at(turning.at, "a shape of a class that turns, as { rectangle = [1.8, 0.9] }", "points")
                .into());
        }
        if let Some(map) = maps_of(class, maps)
            .into_iter()
            .find(|map| matches!(maps[*map].terrain, Terrain::Mesh(_) | Terrain::Roads { .. }))
        {
            let expected = format!("a shape, as {{ disc = 0.3 }}, for agents on {}", maps[map].kind());
            return Err(world.error_at(class.at, expected, "points").into());
        }
    }
    let is_plain = document.links.is_empty()
        && document.classes.iter().all(|class| class.speed.as_ref().is_none_or(|speed| speed.value == 1.0));
    let kind = |class: &At<WorldClass>, space: KindSpace| Kind {
        name: class.name.value.clone(),
        at: class.at,
        space,
        outline: None,
        reach: 0.0,
        priority: class.priority,
        strategy: class.strategy.as_ref().map(|strategy| strategy.value),
        window: class.window.as_ref().map(|window| window.value),
        side: class.side.as_ref().map(|side| side.value.clone()),
        on: maps_of(class, maps),
        walls: KindWalls::default(),
    };
    if let ([WorldPart { terrain: Terrain::Cells { in_place: Some(grid), .. }, .. }], true) = (maps, is_plain) {
        whole_steps(world)?;
        let kinds = document.classes.iter().map(|class| {
            let on = OnSpace { space: grid.clone(), footprint: Point::swap_rule(grid) };
            kind(class, KindSpace::Grid(on))
        });
        return Ok(Kinds { kinds: kinds.collect(), ticks_per_step: 1 });
    }
    let mut union = Union::default();
    for part in maps {
        part.add_to(&mut union).map_err(|why| of_class(world, &document.classes[0])(&why))?;
    }
    let is_swapping =
        |part: &WorldPart| matches!(&part.terrain, Terrain::Nodes(nodes) if nodes.facts.rule == ConflictRule::Swap);
    if is_plain && maps.len() == 1 && is_swapping(&maps[0]) {
        whole_steps(world)?;
        let mut kinds = Vec::new();
        for class in &document.classes {
            let space = union.joined(1.0, Vec::new()).map_err(|why| of_class(world, class)(&why))?;
            let footprint = Point::swap_rule(&space);
            kinds.push(kind(class, KindSpace::Nodes(OnSpace { space, footprint }, ConflictRule::Swap)));
        }
        return Ok(Kinds { kinds, ticks_per_step: 1 });
    }
    let slowness = |class: &WorldClass| 1.0 / class.speed.as_ref().map_or(1.0, |speed| speed.value);
    let mut common = CommonTicks::new();
    for class in &document.classes {
        common = common.points(&union.graph(slowness(class)).map_err(|why| of_class(world, class)(&why))?);
    }
    // Ways much longer than the shortest one would need more ticks: then durations are rounded.
    let ticks =
        document.ticks_per_step.as_ref().map_or_else(|| common.fewest().unwrap_or(MOST_TICKS), |ticks| ticks.value);
    let mut kinds = Vec::new();
    for class in &document.classes {
        let on = maps_of(class, maps);
        let of_kind = links_of(world, class, maps, &on);
        // All classes number places alike, so all have all links.
        let mut links = Vec::new();
        for link in &document.links {
            let users = if of_kind.iter().any(|known| std::ptr::eq(*known, link)) { 1 } else { 2 };
            let link = made(link, &union, Pace { speed: 1.0 / slowness(class), footprint: 1.0 }, ticks, floors)
                .ok_or_else(|| {
                    world.error_at(
                        link.at,
                        format_args!("a link whose ends are at most {LINK_WITHIN} from places of maps"),
                        "none there",
                    )
                })?;
            links.push(link.only_for(users));
        }
        let space = union.joined(slowness(class), links).map_err(|why| of_class(world, class)(&why))?.used_by(1);
        let footprint = Point::timed(&space, ticks).unwrap_or_else(|_| Point::rounded(&space, ticks));
        kinds.push(kind(class, KindSpace::Nodes(OnSpace { space, footprint }, ConflictRule::Following)));
    }
    Ok(Kinds { kinds, ticks_per_step: ticks })
}

/// Refuses ticks within a step where all moves take a step.
fn whole_steps(world: &WorldFile) -> Result<()> {
    match world.document().ticks_per_step.as_ref().filter(|ticks| ticks.value != 1) {
        Some(ticks) => Err(world.error_at(ticks.at, "1 tick to a step, as for points on cells", ticks.value).into()),
        None => Ok(()),
    }
}

/// Classes of bodies.
fn bodies_of(world: &WorldFile, maps: &[WorldPart], floors: Floors) -> Result<Kinds> {
    let document = world.document();
    let mut drafts = Vec::new();
    for class in &document.classes {
        drafts.push(Draft::new(world, maps, class)?);
    }
    let mut common = CommonTicks::new();
    for draft in &drafts {
        let Some(body) = &draft.body else { continue };
        common = match &draft.space {
            DraftSpace::Cells(grid, Some(vehicle)) => common.of([vehicle], *grid),
            DraftSpace::Cells(grid, None) => common.of([body], *grid),
            DraftSpace::Roads(roads) => common.of([body], *roads),
            DraftSpace::Mesh(_, rules) => common.waypoints([rules]),
            DraftSpace::Joined(union, meshes) => {
                let common = common.waypoints(meshes.iter().map(|(_, rules)| rules));
                if union.positions().is_empty() {
                    common
                } else {
                    let graph = union.graph(1.0).map_err(|why| of_class(world, draft.class)(&why))?;
                    common.of([body], &Arc::new(graph))
                }
            }
        };
    }
    let ticks = match &document.ticks_per_step {
        Some(ticks) => ticks.value,
        None => common.fewest().map_err(|why| world.error_why(0, why))?,
    };
    let ground = ground(world, maps, &drafts, floors)?;
    let mut kinds = Vec::new();
    for draft in drafts {
        kinds.push(draft.finish(world, maps, ground, ticks, floors)?);
    }
    Ok(Kinds { kinds, ticks_per_step: ticks })
}

impl<'a> Draft<'a> {
    fn new(world: &'a WorldFile, maps: &'a [WorldPart], class: &'a At<WorldClass>) -> Result<Self> {
        let why = of_class(world, class);
        let shape_at = class.shape.as_ref().map_or(class.at, |shape| shape.at);
        let body = match class.shape.as_deref() {
            Some(WorldShape::Disc(radius)) => Body::disc(*radius),
            Some(WorldShape::Square(cells)) => Body::square(*cells),
            Some(WorldShape::Rectangle([across, down])) => Body::rectangle(*across, *down),
            Some(WorldShape::Polygon(corners)) => Body::polygon(corners),
            _ => bail!("a class of points among bodies"),
        };
        let body = body.map_err(|error| world.error_why(shape_at, error))?;
        let body = body.speed(class.speed.as_ref().map_or(1.0, |speed| speed.value)).map_err(|error| why(&error))?;
        let on = maps_of(class, maps);
        let links = links_of(world, class, maps, &on);
        let alone = match on[..] {
            [map] if links.is_empty() => Some(&maps[map]),
            _ => None,
        };
        let vehicle = class.turning.as_ref().map(|turning| {
            let vehicle = primitives(turning).map(|primitives| Vehicle::new(body.clone(), primitives));
            vehicle.map_err(|error| world.error_why(turning.at, error))
        });
        let vehicle = vehicle.transpose()?;
        let space = match alone.map(|part| (&part.terrain, part.shift())) {
            Some((Terrain::Cells { in_place: Some(grid), .. }, _)) => {
                let headings = class.turning.as_ref().map_or(1, |turning| u64::from(turning.headings));
                if vehicle.is_some() && grid.node_bound() as u64 * headings > MOST_POSES {
                    let at = class.turning.as_ref().map_or(class.at, |turning| turning.at);
                    let expected = format!("at most {MOST_POSES} cells times headings");
                    return Err(world.error_at(at, expected, grid.node_bound() as u64 * headings).into());
                }
                DraftSpace::Cells(grid, vehicle)
            }
            _ if vehicle.is_some() => {
                let found = match (&on[..], links.is_empty()) {
                    ([_], false) => "links that it may take: name other classes there".to_owned(),
                    ([map], true) => match maps[*map].terrain {
                        Terrain::Cells { .. } => "an offset that is negative or not whole".to_owned(),
                        _ => maps[*map].kind().to_owned(),
                    },
                    (several, _) => format!("{} maps", several.len()),
                };
                let at = class.turning.as_ref().map_or(class.at, |turning| turning.at);
                let expected = "a class that turns on one map of cells, without links";
                return Err(world.error_at(at, expected, found).into());
            }
            Some((Terrain::Roads { of, .. }, _)) => DraftSpace::Roads(of),
            Some((Terrain::Mesh(mesh), [0.0, 0.0, 0.0])) => DraftSpace::Mesh(mesh, WaypointRules::new(mesh, &body)),
            _ => {
                let (mut union, mut meshes) = (Union::default(), Vec::new());
                for map in &on {
                    match &maps[*map].terrain {
                        Terrain::Roads { .. } => {
                            let expected = "a class on roads to be on one map, without links";
                            return Err(world.error_at(class.at, expected, "several maps or links").into());
                        }
                        Terrain::Mesh(mesh) => meshes.push((*map, WaypointRules::new(mesh, &body))),
                        _ => maps[*map].add_to(&mut union).map_err(|error| why(&error))?,
                    }
                }
                DraftSpace::Joined(union, meshes)
            }
        };
        Ok(Self { class, on, body: Some(body), links, space })
    }

    fn finish(
        self,
        world: &WorldFile,
        maps: &[WorldPart],
        ground: Ground,
        ticks: Ticks,
        floors: Floors,
    ) -> Result<Kind> {
        let Self { class, on, body, links, space } = self;
        let why = of_class(world, class);
        let Some(body) = body else { bail!("a class without a body") };
        let (reach, speed) = (reach(&body.outline()), class.speed.as_ref().map_or(1.0, |speed| speed.value));
        let is_joined = matches!(space, DraftSpace::Joined(..));
        let passages = links.iter().filter(|link| is_joined && link.kind.value == WorldLinkKind::Stairs);
        let walls = KindWalls::new(maps, &on, passages.map(|link| &link.value), reach);
        let shapes = walls.shapes(maps, &[]);
        // A grid knows its own walls.
        let is_own =
            |map: &usize| !is_joined && on.contains(map) && matches!(maps[*map].terrain, Terrain::Cells { .. });
        let closed = shapes.iter().filter(|(map, _)| !is_own(map)).filter_map(|(map, walls)| {
            let area = walls.iter().filter_map(|corners| Area::polygon(corners).ok()).reduce(Area::and)?;
            floors.on(area, Some(maps[*map].floor)).ok()
        });
        let closed = closed.reduce(Area::and);
        let close = |space: &mut dyn Closing| {
            if let Some(area) = &closed {
                space.close(area);
            }
        };
        let space = match space {
            DraftSpace::Cells(grid, None) => {
                let (mut space, footprint) = body.on(grid, ground, ticks).map_err(|error| why(&error))?;
                close(&mut space);
                KindSpace::Cells(OnSpace { space, footprint })
            }
            DraftSpace::Cells(grid, Some(vehicle)) => {
                let (mut space, footprint) = vehicle.on(grid, ground, ticks).map_err(|error| why(&error))?;
                close(&mut space);
                KindSpace::Vehicles(OnSpace { space, footprint })
            }
            DraftSpace::Roads(roads) => {
                let (mut space, footprint) = body.on(roads, ground, ticks).map_err(|error| why(&error))?;
                close(&mut space);
                KindSpace::Roads(OnSpace { space, footprint })
            }
            DraftSpace::Mesh(mesh, rules) => {
                let waypoints = Waypoints::new(mesh, rules, ticks).map_err(|error| why(&error))?;
                let (mut space, footprint) =
                    body.on(&Arc::new(waypoints), ground, ticks).map_err(|error| why(&error))?;
                close(&mut space);
                KindSpace::Mesh(OnSpace { space, footprint })
            }
            DraftSpace::Joined(mut union, meshes) => {
                for (map, rules) in meshes {
                    let Terrain::Mesh(mesh) = &maps[map].terrain else { continue };
                    let [left, top, height] = maps[map].shift();
                    let ends =
                        links.iter().flat_map(|link| [&link.from, &link.to]).filter(|end| end.floor == maps[map].floor);
                    let places = ends.filter_map(|end| {
                        let [x, y] = end.position;
                        rules.nearest_place(mesh, [x - left, y - top], LINK_WITHIN)
                    });
                    let mut places: Vec<[f32; 2]> = places.collect();
                    places.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
                    places.dedup();
                    let waypoints = Waypoints::with_places(mesh, rules, ticks, &places).map_err(|error| why(&error))?;
                    union.add(&waypoints, [left, top, height]).map_err(|error| why(&error))?;
                }
                let mut of_kind = Vec::new();
                for link in &links {
                    match made(link, &union, Pace { speed, footprint: speed }, ticks, floors) {
                        Some(link) => of_kind.push(link),
                        // Other classes may have it.
                        None if link.classes.is_none() => {}
                        None => {
                            let expected = format!(
                                "a link whose ends are at most {LINK_WITHIN} from places of class {:?}",
                                class.name.value
                            );
                            return Err(world.error_at(link.at, expected, "none there").into());
                        }
                    }
                }
                let joined = union.joined(1.0, of_kind).map_err(|error| why(&error))?;
                let (mut space, footprint) = body.on(&Arc::new(joined), ground, ticks).map_err(|error| why(&error))?;
                close(&mut space);
                KindSpace::Joined(OnSpace { space, footprint })
            }
        };
        let is_vehicle = matches!(space, KindSpace::Vehicles(_));
        let window = class.window.as_ref().map(|window| window.value).or(is_vehicle.then_some(WINDOW_OF_VEHICLES));
        Ok(Kind {
            name: class.name.value.clone(),
            at: class.at,
            space,
            outline: Some(body.outline()),
            reach,
            priority: class.priority,
            strategy: class.strategy.as_ref().map(|strategy| strategy.value),
            window,
            side: class.side.as_ref().map(|side| side.value.clone()),
            walls,
            on,
        })
    }
}

/// A space in which areas can be closed.
trait Closing {
    fn close(&mut self, area: &Area);
}

impl<S: Editable> Closing for S {
    fn close(&mut self, area: &Area) {
        self.change(area, Change::Close);
    }
}

fn primitives(turning: &WorldTurning) -> Result<Primitives, giveway::spaces::BodyError> {
    let headings = match turning.headings {
        4 => Headings::Four,
        16 => Headings::Sixteen,
        _ => Headings::Eight,
    };
    let mut primitives = Primitives::straight(headings, 1)?;
    if let Some(radius) = turning.radius {
        primitives = primitives.arcs(radius)?;
    }
    if let Some(slowness) = turning.reversing {
        primitives = primitives.reversing(slowness)?;
    }
    if let Some(length) = turning.pivoting {
        primitives = primitives.pivoting(length)?;
    }
    Ok(primitives)
}
