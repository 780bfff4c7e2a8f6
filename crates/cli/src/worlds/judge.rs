//! The check of a run in a world, by positions and shapes alone.

use giveway::check::{BodyChecker, Enclosure, Wall};
use giveway::plan::{Trace, TracedBody};
use giveway::time::Span;
use giveway::{AgentId, Checker};

use super::LoadedWorld;
use super::kinds::{Kind, KindSpace};
use super::maps::Terrain;
use crate::violation_text::{Conflict, MOST, Violations, size};

/// The violations of `trace`, a recording of `world` or a piece of it, that begin during `span`.
pub(super) fn violations(world: &LoadedWorld, trace: &Trace, span: Span) -> Violations {
    let most = MOST + size(trace);
    match world.kinds.first().map(|kind| &kind.space) {
        Some(KindSpace::Grid(on)) => return Violations::of_trace(trace, span, &on.space),
        Some(KindSpace::Nodes(on, rule)) => {
            // Links of all classes.
            let space = on.space.clone().used_by(u64::MAX);
            let checker = Checker::new(&space, *rule).at_most(most).during(span);
            let named: Vec<Conflict> = checker.check_trace(trace).into_iter().map(Conflict::Rule).collect();
            return Violations { cut: named.len() >= most, named };
        }
        _ => {}
    }
    let mut checker = BodyChecker::new().at_most(most).during(span);
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
        named.extend(checker.check_walls(&own, &walls(world, kind)).into_iter().map(|mut overlap| {
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
    Violations { cut: named.len() >= most, named }
}

/// The walls that agents of `kind` must not enter.
fn walls(world: &LoadedWorld, kind: &Kind) -> Vec<Wall> {
    let of_map = |(map, walls): &(usize, Vec<Vec<[f32; 2]>>)| {
        let height = Some(world.maps[*map].height);
        let wall =
            move |corners: &Vec<[f32; 2]>| Wall { shape: TracedBody::Polygon { corners: corners.clone() }, height };
        walls.iter().map(wall).collect::<Vec<_>>()
    };
    kind.walls.iter().flat_map(of_map).collect()
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
