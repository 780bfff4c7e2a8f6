use giveway_bodies::{Body, CommonTicks, Granularity, Ground};
use giveway_core::{Agent, NodeId};
use giveway_spaces::Grid;

use super::*;
use crate::ledger::Schedule;
use crate::{Budget, Chain, Class, Crowd, CrowdSettings};

/// A crowd with a slow body under way, and its slot. Without work nothing is planned, and the body stands.
fn crowd_with_a_slow_body() -> (Crowd<'static>, Slot) {
    let grid = Grid::open(12, 6).unwrap();
    let body = Body::square(2).unwrap().speed(0.25).unwrap();
    let ticks = CommonTicks::new().of([&body], &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).unwrap();
    let class = crowd.add_class(class).unwrap();
    let agent = crowd.add(class, Agent::new(NodeId(0), NodeId(9))).unwrap();
    let slot = crowd.state.roster.slot(agent).unwrap();
    (crowd, slot)
}

/// Lets a step go by in which nothing is planned.
fn pass(crowd: &mut Crowd<'_>) {
    (0..crowd.ticks_per_step()).for_each(|_| drop(crowd.tick(Budget::work(0))));
}

#[test]
fn an_agent_that_has_stood_for_long_in_traffic_sets_out_at_other_times_in_every_other_spell() {
    let (mut crowd, slot) = crowd_with_a_slow_body();
    let mut others = Vec::new();
    for step in 0..10 * SPELL {
        let state = &crowd.state;
        let member = &state.roster[slot];
        let since = u64::from(member.journey.since());
        assert_eq!(sets_out(state, member, false), since, "step {step}: without traffic nothing changes");
        let counts = sets_out(state, member, true);
        let is_other = step >= STOOD && step / SPELL % 2 == 1;
        assert_eq!(counts != since, is_other, "step {step}: {counts}, and it set out at {since}");
        others.extend(is_other.then_some(counts));
        pass(&mut crowd);
    }
    others.sort_unstable();
    others.dedup();
    assert!(others.len() > 16, "it sets out at {others:?}");
}

#[test]
fn an_agent_that_waits_for_its_window_without_a_place_of_its_own_is_stranded_after_some_steps() {
    let (mut crowd, slot) = crowd_with_a_slow_body();
    for step in 0..2 * PATIENCE {
        let is_stranded_in = |crowd: &Crowd<'_>| is_stranded(&crowd.state, crowd.state.unit(slot));
        assert!(!is_stranded_in(&crowd), "step {step}: it holds its place");
        let mut robbed = crowd.clone();
        robbed.state.ledger.change_plan(slot, Schedule::default());
        assert_eq!(is_stranded_in(&robbed), step >= PATIENCE, "step {step}: it holds nothing");
        pass(&mut crowd);
    }
}

#[test]
fn steps_short_of_work_are_briefer_for_bodies_that_leave_their_places_at_once() {
    // Cells, squares, or radii of discs, on ground of so many reservation cells for each cell.
    let bodies = [
        (Body::square(1).unwrap(), Granularity::Same, 4),
        (Body::disc(0.4).unwrap(), Granularity::Same, 4),
        (Body::disc(0.4).unwrap(), Granularity::Finer(4), 3),
        (Body::square(1).unwrap(), Granularity::Finer(2), 3),
        (Body::square(2).unwrap(), Granularity::Same, 4),
        (Body::disc(0.4).unwrap(), Granularity::Coarser(2), 4),
    ];
    for (row, (body, granularity, steps)) in bodies.into_iter().enumerate() {
        let grid = Grid::open(12, 12).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::new(Planner::Step)));
        let class = Class::for_body(&body, &grid, Ground::from_grid(&grid).granularity(granularity), 3).unwrap();
        let class = crowd.add_class(class).unwrap();
        crowd.state.clock.ticks_per_step = crowd.ticks_per_step();
        crowd.state.world.operations(class, NodeId(40), 0, 12, false);
        let lasts = |crowd: &mut Crowd<'_>| {
            let context = Context::new(&mut crowd.state, Budget::work(100));
            let now = context.now();
            horizon(&context, &[], false).until - now - 1
        };
        assert_eq!(lasts(&mut crowd), 4 * 3, "row {row}: there is enough work");
        let clock = crowd.state.clock;
        crowd.state.shortage.note_steps(clock);
        assert_eq!(lasts(&mut crowd), steps * 3, "row {row}: lately there was not");
    }
}
