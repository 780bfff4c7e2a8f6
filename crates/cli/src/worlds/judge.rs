//! The check of a run in a world, by positions and shapes alone.

use std::collections::BTreeSet;

use giveway::area::{Area, Change};
use giveway::check::{BodyChecker, Enclosure, Wall};
use giveway::plan::{Trace, TracedBody};
use giveway::scenario::{At, WorldArea};
use giveway::spaces::{Editable as _, Embedding as _};
use giveway::time::{Span, Tick};
use giveway::{AgentId, Checker, SpaceGraph as _};

use super::LoadedWorld;
use super::areas::area_of;
use super::kinds::{Kind, KindSpace, with_space};
use super::maps::Terrain;
use crate::violation_text::{Conflict, MOST, Violations, size};

/// The violations of `trace`, a recording of `world` or a piece of it, that begin during `span`. Bodies may be
/// `tolerance` deep in each other and in walls; by default as deep as rounding takes them.
pub(super) fn violations(world: &LoadedWorld, trace: &Trace, span: Span, tolerance: Option<f32>) -> Violations {
    let most = MOST + size(trace);
    let mut violations = Violations::default();
    for Period { span, opened } in periods(world, span) {
        let points = match world.kinds.first().map(|kind| &kind.space) {
            Some(KindSpace::Grid(on)) => {
                let mut space = on.space.clone();
                for area in &opened {
                    space.change(area, Change::Open);
                }
                Some(Violations::of_trace(trace, span, &space).named)
            }
            Some(KindSpace::Nodes(on, rule)) => {
                // Links of all classes.
                let mut space = on.space.clone().used_by(u64::MAX);
                for area in &opened {
                    space.change(area, Change::Open);
                }
                let checker = Checker::new(&space, *rule).at_most(most).during(span);
                Some(checker.check_trace(trace).into_iter().map(Conflict::Rule).collect())
            }
            _ => None,
        };
        let named = points.unwrap_or_else(|| of_bodies(world, trace, (span, &opened), (most, tolerance)));
        let cut = named.len() >= most;
        // What goes on from one period to the next is named once.
        violations.extend(Violations { named, cut });
    }
    violations
}

/// The violations of bodies that begin during a span in which areas are `opened`.
fn of_bodies(
    world: &LoadedWorld,
    trace: &Trace,
    (span, opened): (Span, &[Area]),
    (most, tolerance): (usize, Option<f32>),
) -> Vec<Conflict> {
    let mut checker = BodyChecker::new().at_most(most).during(span);
    checker = tolerance.into_iter().fold(checker, BodyChecker::tolerance);
    if world.floors.are_several() {
        let [lowest, height] = world.floors.levels();
        checker = checker.levels(lowest, height, world.floors.count());
    }
    let mut named: Vec<Conflict> = checker.check(trace).into_iter().map(Conflict::Overlap).collect();
    for (number, kind) in world.kinds.iter().enumerate() {
        let (own, ids) = of_kind(world, trace, number);
        if own.agents.is_empty() {
            continue;
        }
        named.extend(checker.check_walls(&own, &walls(world, kind, opened)).into_iter().map(|mut overlap| {
            overlap.agent = ids[overlap.agent.index()];
            Conflict::InWall(overlap)
        }));
        for map in &kind.on {
            if let (KindSpace::Mesh(_), Terrain::Mesh(mesh)) = (&kind.space, &world.maps[*map].terrain) {
                let enclosure = Enclosure::new(mesh.outlines(), mesh.walls());
                named.extend(checker.check_enclosure(&own, &enclosure).into_iter().map(|mut excursion| {
                    excursion.agent = ids[excursion.agent.index()];
                    Conflict::OffMesh(excursion)
                }));
            }
        }
    }
    named
}

/// A time during which the walls of a world stay as they are.
struct Period {
    span: Span,
    /// The areas that have been opened: walls of maps there are walls no more.
    opened: Vec<Area>,
}

/// The periods of `span`.
fn periods(world: &LoadedWorld, span: Span) -> Vec<Period> {
    let areas = world.file.document().areas.iter();
    let first = |area: &At<WorldArea>| area.opens.iter().min().copied();
    // All areas are known to be well formed.
    let opened = areas.filter_map(|area| Some((first(area)?, area_of(&world.file, area, world.floors).ok()?)));
    let mut opened: Vec<(Tick, Area)> = opened.collect();
    opened.sort_by_key(|(tick, _)| *tick);
    let mut starts: Vec<Tick> = opened.iter().map(|(tick, _)| *tick).filter(|tick| *tick > span.start).collect();
    starts.insert(0, span.start);
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([span.end]);
    let period = |(start, end): (&Tick, Tick)| Period {
        span: Span::new(*start, end.min(span.end)),
        opened: opened.iter().filter(|(tick, _)| tick <= start).map(|(_, area)| area.clone()).collect(),
    };
    starts.iter().zip(ends).map(period).filter(|period| !period.span.is_empty()).collect()
}

/// The walls that agents of `kind` must not enter, while areas are `opened`.
fn walls(world: &LoadedWorld, kind: &Kind, opened: &[Area]) -> Vec<Wall> {
    let of_map = |(map, walls): (usize, Vec<Vec<[f32; 2]>>)| {
        let height = Some(world.maps[map].height);
        walls.into_iter().map(move |corners| Wall { shape: TracedBody::Polygon { corners }, height })
    };
    kind.walls.shapes(&world.maps, opened).into_iter().flat_map(of_map).collect()
}

/// Where agents of `trace`, a run of bodies, begin and end moves beside the places of their classes. On a navigation
/// mesh every place is one.
pub(super) fn misplaced(world: &LoadedWorld, trace: &Trace) -> Vec<Conflict> {
    let mut named = Vec::new();
    for (number, kind) in world.kinds.iter().enumerate() {
        if matches!(kind.space, KindSpace::Mesh(_) | KindSpace::Grid(_) | KindSpace::Nodes(..)) {
            continue;
        }
        let (own, ids) = of_kind(world, trace, number);
        let known: BTreeSet<[i64; 3]> =
            with_space!(&kind.space, on => on.space.nodes().map(|node| key(on.space.position(node))).collect());
        let is_place = |position: [f32; 3]| {
            let near = key(position);
            let beside = || (-1..=1).flat_map(|dx| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dz| [dx, dy, dz])));
            known.contains(&near)
                || beside()
                    .any(|by: [i64; 3]| known.contains(&[0, 1, 2].map(|axis| near[axis].saturating_add(by[axis]))))
        };
        for (agent, id) in own.agents.iter().zip(ids) {
            let places = [(agent.appears, &agent.start)].into_iter();
            let places = places.chain(agent.moves.iter().map(|step| (step.arrive, &step.to)));
            named.extend(places.filter(|(_, place)| !is_place(place.position)).map(|(tick, place)| {
                Conflict::OffPlaces { agent: id, tick, position: place.position, class: kind.name.clone() }
            }));
        }
    }
    named
}

/// Positions of a place differ by less than this.
const SAME: f64 = 0.002;

fn key(position: [f32; 3]) -> [i64; 3] {
    #[allow(clippy::cast_possible_truncation)] // saturates
    position.map(|side| (f64::from(side) / SAME).round() as i64)
}

/// The agents of `kind` in `trace` alone, and their ids.
fn of_kind(world: &LoadedWorld, trace: &Trace, kind: usize) -> (Trace, Vec<AgentId>) {
    let is_own = |number: usize| world.crew.get(number).is_some_and(|member| member.kind == kind);
    let numbers: Vec<usize> = (0..trace.agents.len()).filter(|number| is_own(*number)).collect();
    let agents = numbers.iter().map(|number| trace.agents[*number].clone()).collect();
    let own = Trace { agents, trajectories: trace.trajectories.clone(), ..*trace };
    let ids = (0..).map(AgentId).take(trace.agents.len()).filter(|id| is_own(id.index()));
    (own, ids.collect())
}
