//! Outsiders in exact cases.

use std::collections::BTreeSet;

use giveway_core::{Agent, AgentId, Area, ConflictRule, NodeId, SpaceGraph as _, Tick};
use giveway_crowd::{Budget, ClassId, Crowd, CrowdError, CrowdSettings, Margin, Reason, Region};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;

/// A crowd on `grid` with an agent on `(x, y)`.
fn outsider_at(grid: &Grid, x: u32, y: u32) -> (Run<'_>, AgentId) {
    let mut run = Run::empty(grid, ConflictRule::Swap, CrowdSettings::new());
    let agent = run.crowd.add(run.class, Agent::bystander(run.at(x, y))).unwrap();
    (run, agent)
}

/// Where an agent that sets out from the first node of `track` at tick 0 may be at each tick up to `last`, if it is never
/// more moves off `track` than `margin` says: the node of each tick.
fn may_be(grid: &Grid, track: &[NodeId], margin: Margin, last: Tick) -> Vec<BTreeSet<NodeId>> {
    let is_within = |node: NodeId, tick: Tick| {
        let (x, y) = grid.xy(node);
        let expected = track[(tick as usize).min(track.len() - 1)];
        let (to_x, to_y) = grid.xy(expected);
        x.abs_diff(to_x) + y.abs_diff(to_y) <= margin.at(tick)
    };
    let mut all = vec![BTreeSet::from([track[0]])];
    for tick in 1..=last {
        let before = all.last().unwrap();
        let next = before.iter().flat_map(|node| grid.moves(*node).map(|m| m.to).chain([*node]));
        all.push(next.filter(|node| is_within(*node, tick)).collect());
    }
    all
}

#[test]
#[allow(clippy::cast_possible_truncation)] // a few ticks
fn all_places_within_the_margin_are_held_that_are_in_reach_and_no_others() {
    let grid = Grid::open(12, 9).unwrap();
    let mut random = Pcg64Mcg::new(5);
    for seed in 0..40 {
        let (mut run, agent) = outsider_at(&grid, random.random_range(0..12), random.random_range(0..9));
        let mut track = vec![run.crowd.node(agent).unwrap()];
        for _ in 0..random.random_range(0..9) {
            let ends: Vec<NodeId> = grid.moves(*track.last().unwrap()).map(|m| m.to).collect();
            track.push(*ends.choose(&mut random).unwrap());
        }
        let path: Vec<(Tick, NodeId)> = (0..).zip(track[1..].iter().copied()).collect();
        let margin = Margin::new(random.random_range(0..3)).growing(random.random_range(1..6)).at_most(4).ahead(12);
        run.crowd.predict(agent, &path, margin).unwrap();
        let may_be = may_be(&grid, &track, margin, 12);
        let held = run.crowd.reservations(Region::All, 12);
        let holds = |node: NodeId, tick: Tick| {
            held.iter().any(|held| held.cell.0 == node.0 && held.from <= tick && tick < held.until)
        };
        for tick in 0..11 {
            let [now, next] = [0, 1].map(|ahead| &may_be[tick + ahead]);
            for node in now {
                assert!(holds(*node, tick as Tick), "seed {seed}, {margin:?}: {node:?} is free at {tick}");
            }
            // Where it may go next nobody may be when it sets out.
            let is_held = |node: &NodeId| holds(*node, tick as Tick);
            // A stay holds the tick in which it ends, too.
            let away = |node: &NodeId| !now.contains(node) && !next.contains(node) && (tick > 2 || *node != track[0]);
            let expected = |node: &NodeId| {
                let on = [tick.saturating_sub(1), tick, tick + 1].map(|tick| track[tick.min(track.len() - 1)]);
                on.iter().any(|on| {
                    let [(x, y), (to_x, to_y)] = [*node, *on].map(|node| grid.xy(node));
                    x.abs_diff(to_x) + y.abs_diff(to_y) <= margin.at(tick as Tick + 1)
                })
            };
            let in_vain: Vec<NodeId> =
                grid.nodes().filter(|node| is_held(node) && away(node) && !expected(node)).collect();
            let places: Vec<_> = in_vain.iter().map(|node| grid.xy(*node)).collect();
            let track: Vec<_> = track.iter().map(|node| grid.xy(*node)).collect();
            assert_eq!(places, [], "seed {seed}, {margin:?}, tick {tick}, on {track:?}: {held:?}");
        }
    }
}

#[test]
fn it_goes_where_it_is_told_and_is_one_of_the_crowd_after_an_order() {
    let grid = Grid::open(9, 5).unwrap();
    let (mut run, agent) = outsider_at(&grid, 2, 2);
    let other = run.crowd.add(run.class, Agent::bystander(run.at(6, 2))).unwrap();
    assert_eq!(run.crowd.is_outsider(agent), Some(false));
    run.crowd.walk(agent, run.at(3, 2)).unwrap();
    assert_eq!((run.crowd.is_outsider(agent), run.crowd.is_outsider(other)), (Some(true), Some(false)));
    run.tick();
    assert_eq!(run.xy(0), (3, 2));
    // Nobody tells it to go on.
    (0..5).for_each(|_| drop(run.tick()));
    assert_eq!(run.xy(0), (3, 2));
    // The last word counts.
    run.crowd.walk(agent, run.at(3, 1)).unwrap();
    run.crowd.walk(agent, run.at(4, 2)).unwrap();
    run.tick();
    assert_eq!(run.xy(0), (4, 2));
    assert_eq!(run.crowd.explain(agent).reason, Some(Reason::Rests));

    run.crowd.send(agent, run.at(0, 2)).unwrap();
    assert_eq!(run.crowd.is_outsider(agent), Some(false));
    run.until_rest(20);
    assert_eq!(run.xy(0), (0, 2));
}

#[test]
fn an_order_before_the_move_takes_the_move_back() {
    let grid = Grid::open(9, 3).unwrap();
    let (mut run, agent) = outsider_at(&grid, 4, 1);
    run.crowd.predict(agent, &[], Margin::new(2)).unwrap();
    run.crowd.walk(agent, run.at(5, 1)).unwrap();
    run.crowd.stop(agent).unwrap();
    run.tick();
    assert_eq!(run.xy(0), (4, 1));
    let held = run.crowd.reservations(Region::All, 20);
    assert!(held.iter().all(|held| held.cell.0 == run.at(4, 1).0), "{held:?}");
}

#[test]
fn nobody_stays_where_it_may_come_and_who_stands_there_cannot_be_walked_over() {
    let grid = Grid::open(12, 5).unwrap();
    let (mut run, agent) = outsider_at(&grid, 0, 2);
    let other = run.crowd.add(run.class, Agent::bystander(run.at(1, 2))).unwrap();
    let far = run.crowd.add(run.class, Agent::bystander(run.at(6, 3))).unwrap();
    let path: Vec<(Tick, NodeId)> = (1..12).map(|x| (x, run.at(x, 2))).collect();
    run.crowd.predict(agent, &path, Margin::new(3)).unwrap();
    let refused = Err(CrowdError::Occupied { node: run.at(1, 2), by: other });
    assert_eq!(run.crowd.walk(agent, run.at(1, 2)), refused);
    run.tick();
    for x in 1..12 {
        run.crowd.walk(agent, run.at(x, 2)).unwrap();
        run.tick();
        let there = run.crowd.node(far).unwrap();
        let (far_x, far_y) = grid.xy(there);
        assert!(far_x.abs_diff(x) + far_y.abs_diff(2) > 1, "it is at {far_x}, {far_y}, too near to {x}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let grid = Grid::from_ascii(".....\n.@...").unwrap();
    let (mut run, agent) = outsider_at(&grid, 0, 0);
    let nobody = AgentId(9);
    let margin = Margin::default();
    assert_eq!(run.crowd.predict(nobody, &[], margin), Err(CrowdError::NoSuchAgent(nobody)));
    assert_eq!(run.crowd.walk(nobody, run.at(1, 0)), Err(CrowdError::NoSuchAgent(nobody)));
    let rows: [&[(Tick, NodeId)]; 3] =
        [&[(0, run.at(2, 0))], &[(0, run.at(1, 0)), (0, run.at(2, 0))], &[(0, run.at(1, 0)), (3, run.at(1, 1))]];
    for stops in rows {
        let refused = run.crowd.predict(agent, stops, margin);
        assert!(matches!(refused, Err(CrowdError::NoSuchMove { .. })), "{stops:?}: {refused:?}");
    }
    assert!(matches!(run.crowd.walk(agent, run.at(3, 0)), Err(CrowdError::NoSuchMove { .. })));
    assert_eq!(run.crowd.is_outsider(agent), Some(false));
}

#[test]
fn two_outsiders_do_not_walk_into_each_other() {
    let grid = Grid::open(7, 3).unwrap();
    let (mut run, one) = outsider_at(&grid, 2, 1);
    let two = run.crowd.add(run.class, Agent::bystander(run.at(4, 1))).unwrap();
    for agent in [one, two] {
        run.crowd.predict(agent, &[], Margin::new(3)).unwrap();
    }
    run.crowd.walk(one, run.at(3, 1)).unwrap();
    let refused = Err(CrowdError::Occupied { node: run.at(3, 1), by: one });
    assert_eq!(run.crowd.walk(two, run.at(3, 1)), refused);
    run.crowd.walk(two, run.at(4, 2)).unwrap();
    run.tick();
    assert_eq!((run.xy(0), run.xy(1)), ((3, 1), (4, 2)));
}

#[test]
fn a_train_and_an_outsider_override_neither_each_other() {
    let grid = Grid::open(7, 3).unwrap();
    let (mut run, outsider) = outsider_at(&grid, 3, 0);
    let train = run.crowd.add(run.class, Agent::bystander(run.at(0, 2))).unwrap();
    let path = |run: &Run<'_>| (1..7).map(|x| (run.crowd.now() + Tick::from(x) - 1, run.at(x, 2))).collect::<Vec<_>>();
    // Where it may be, no path can be had.
    run.crowd.predict(outsider, &[], Margin::new(2)).unwrap();
    let refused = Err(CrowdError::Occupied { node: run.at(3, 2), by: outsider });
    assert_eq!(run.crowd.send_along(train, &path(&run)), refused);
    // A path that was there first is not taken away by what is expected, but by the outsider itself.
    run.crowd.predict(outsider, &[], Margin::new(0)).unwrap();
    run.tick();
    run.crowd.send_along(train, &path(&run)).unwrap();
    run.crowd.predict(outsider, &[], Margin::new(2)).unwrap();
    run.crowd.walk(outsider, run.at(3, 1)).unwrap();
    run.tick();
    assert_eq!((run.xy(0), run.xy(1)), ((3, 1), (1, 2)));
    run.crowd.walk(outsider, run.at(3, 2)).unwrap();
    let stopped: Vec<_> = (0..4).flat_map(|_| run.tick().stopped).collect();
    assert_eq!((run.xy(0), run.xy(1), stopped), ((3, 2), (2, 2), vec![train]));
    // It goes on once the way is free.
    run.crowd.stop(outsider).unwrap();
    run.crowd.place(outsider, run.at(3, 0)).unwrap();
    run.check();
    (0..20).for_each(|_| drop(run.tick()));
    assert_eq!(run.xy(1), (6, 2));
}

#[test]
fn a_failed_prediction_is_around_the_place_where_the_agent_is() {
    let grid = Grid::open(12, 5).unwrap();
    let (mut run, agent) = outsider_at(&grid, 3, 2);
    let path: Vec<(Tick, NodeId)> = (4..12).map(|x| (x - 4, run.at(x, 2))).collect();
    run.crowd.predict(agent, &path, Margin::new(0)).unwrap();
    run.crowd.walk(agent, run.at(2, 2)).unwrap();
    run.tick();
    run.tick();
    let held = run.crowd.reservations(Region::All, 30);
    assert!(held.iter().all(|held| held.cell.0 == run.at(2, 2).0), "{held:?}");
}

#[test]
fn it_may_be_put_elsewhere_and_remains_an_outsider() {
    let grid = Grid::open(12, 5).unwrap();
    let (mut run, agent) = outsider_at(&grid, 3, 2);
    run.crowd.predict(agent, &[], Margin::new(1)).unwrap();
    run.crowd.place(agent, run.at(8, 2)).unwrap();
    run.check();
    assert_eq!(run.crowd.is_outsider(agent), Some(true));
    run.tick();
    let held = run.crowd.reservations(Region::All, 4);
    assert!(held.iter().any(|held| held.cell.0 == run.at(8, 1).0), "{held:?}");
    assert!(held.iter().all(|held| held.cell.0 != run.at(3, 1).0), "{held:?}");
}

#[test]
fn a_saved_crowd_expects_what_it_expected() {
    let grid = Grid::open(12, 5).unwrap();
    let build = || {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = giveway_crowd::Class::new(grid.clone(), giveway_core::Point::swap_rule(&grid)).editable();
        crowd.add_class(class).unwrap();
        crowd
    };
    let at = |x, y| grid.node(x, y).unwrap();
    let mut crowd = build();
    let agent = crowd.add(ClassId(0), Agent::bystander(at(0, 2))).unwrap();
    for y in 1..4 {
        crowd.add(ClassId(0), Agent::new(at(11, y), at(0, y))).unwrap();
    }
    let path: Vec<(Tick, NodeId)> = (1..12).map(|x| (x - 1, at(x, 2))).collect();
    crowd.predict(agent, &path, Margin::new(1).growing(3).at_most(4).ahead(9)).unwrap();
    for tick in 0..24 {
        let mut again = build();
        again.load(&crowd.save().unwrap()).unwrap();
        assert_eq!(again.state_hash(), crowd.state_hash(), "tick {tick}");
        for crowd in [&mut crowd, &mut again] {
            let (x, y) = grid.xy(crowd.node(agent).unwrap());
            if tick == 12 {
                crowd.close(&Area::cells(3, 0, 1, 1).unwrap()).unwrap();
            }
            if tick % 3 > 0 && x < 11 {
                let _ = crowd.walk(agent, at(x + 1, y));
            }
            crowd.tick(Budget::work(3000));
        }
        assert_eq!(again.state_hash(), crowd.state_hash(), "after tick {tick}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn what_is_read_is_a_margin_that_could_be_made() {
    let read = |text: &str| serde_json::from_str::<Margin>(text).unwrap();
    let rows = [
        ("{}", Margin::default()),
        (r#"{"moves": 2, "growing": 4, "at_most": 3, "ahead": 9}"#, Margin::new(2).growing(4).at_most(3).ahead(9)),
        (r#"{"growing": 0, "ahead": 4294967295}"#, Margin::new(1).growing(0).ahead(4096)),
        (r#"{"moves": 4000000000, "at_most": 4000000000}"#, Margin::new(16)),
    ];
    for (text, margin) in rows {
        assert_eq!(read(text), margin, "{text}");
        assert_eq!(read(&serde_json::to_string(&margin).unwrap()), margin, "{text}");
    }
    assert_eq!(read(rows[2].0).at(5), 6);
    assert_eq!(read(rows[3].0).at(5), 16);
}
