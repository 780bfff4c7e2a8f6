//! Rows worked out by hand.

use super::*;

#[test]
fn squares_side_by_side_may_touch() {
    let unit = || square(-0.5, 0.5);
    let east = agent(unit(), [0.0, 0.0], &[step(0, 4, [4.0, 0.0])]);
    assert_apart(&east, &agent(unit(), [4.0, 1.0], &[step(0, 4, [0.0, 1.0])]));
    assert_apart(&east, &agent(unit(), [0.0, 1.0], &[step(0, 4, [4.0, 1.0])]));
    assert_apart(&east, &agent(unit(), [5.0, 0.0], &[]));
    // They meet at 3 / 2, and the middle of the way is at 2.
    assert_overlap(&east, &agent(unit(), [4.0, 0.99], &[step(0, 4, [0.0, 0.99])]), 1.5, 0.01);
    assert_overlap(&east, &agent(unit(), [0.0, 0.99], &[step(0, 4, [4.0, 0.99])]), 0.0, 0.01);
    assert_overlap(&east, &agent(unit(), [4.99, 0.0], &[]), 3.99, 0.01);
}

#[test]
fn depths_up_to_the_tolerance_are_right() {
    let agents = [0.0, 0.99].map(|y| agent(square(0.0, 1.0), [0.0, y], &[step(3, 7, [4.0, y])]));
    let found = |tolerance| BodyChecker::new().tolerance(tolerance).check(&Trace::new(1, agents.to_vec())).len();
    assert_eq!([0.0, 0.009, 0.011, 1.0, f32::INFINITY].map(found), [1, 1, 0, 0, 0]);
    assert_eq!([-1.0, f32::NAN].map(found), [1, 1]);
    assert_eq!(BodyChecker::new().check(&Trace::new(1, agents.to_vec())).len(), 1);
}

#[test]
fn the_tick_is_when_the_tolerance_is_passed() {
    let agents = [agent(disc(0.5), [0.0, 0.0], &[step(0, 4, [4.0, 0.0])]), agent(disc(0.5), [4.0, 0.0], &[])];
    let found = BodyChecker::new().tolerance(0.25).check(&Trace::new(1, agents.to_vec()));
    assert!((found[0].tick - 3.25).abs() < 1e-9, "{found:?}");
    assert!((found[0].depth - 1.0).abs() < 1e-6, "{found:?}");
}

#[test]
fn discs_meet_head_on_and_pass() {
    let west = agent(disc(0.5), [10.0, 0.0], &[step(0, 10, [0.0, 0.0])]);
    assert_overlap(&agent(disc(0.5), [0.0, 0.0], &[step(0, 10, [10.0, 0.0])]), &west, 4.5, 1.0);
    // Three times as fast: 10 - 4 t = 1.
    let fast = agent(disc(0.5), [0.0, 0.0], &[step(0, 10, [30.0, 0.0])]);
    assert_overlap(&fast, &west, 2.25, 1.0);
    // It is as far off as the radii reach, or a bit less: (10 - 2 t)^2 + 0.8^2 = 1.
    assert_apart(&agent(disc(0.5), [0.0, 1.0], &[step(0, 10, [10.0, 1.0])]), &west);
    assert_overlap(&agent(disc(0.5), [0.0, 0.8], &[step(0, 10, [10.0, 0.8])]), &west, 4.7, 0.2);
    // An offset of the middle is as good as another place.
    let body = Some(TracedBody::Disc { center: [-3.0, 2.0], radius: 0.5 });
    assert_overlap(&agent(body, [3.0, -2.0], &[step(0, 10, [13.0, -2.0])]), &west, 4.5, 1.0);
}

#[test]
fn what_happens_between_two_ticks_is_seen() {
    // Two diagonals of one square cross in its middle; the discs are 1 apart at both ticks.
    let rises = agent(disc(0.3), [0.0, 0.0], &[step(5, 6, [1.0, 1.0])]);
    let falls = agent(disc(0.3), [0.0, 1.0], &[step(5, 6, [1.0, 0.0])]);
    assert_overlap(&rises, &falls, 5.2, 0.6);
    // If the one waits for the other, they stay 1 / sqrt 2 apart.
    assert_apart(&rises, &agent(disc(0.3), [0.0, 1.0], &[step(6, 7, [1.0, 0.0])]));
    // So fast that they are in each other for less than a thousandth of a tick.
    let bullet = agent(disc(0.25), [-4000.0, 0.5], &[step(5, 6, [4000.0, 0.5])]);
    assert_overlap(&bullet, &agent(None, [0.0, 0.5], &[]), 5.5 - 0.25 / 8000.0, 0.25);
}

#[test]
fn a_disc_rounds_the_corner_of_a_square() {
    let block = agent(square(0.0, 2.0), [10.0, 10.0], &[]);
    // Past the corner at (10, 10), along a line at 45 degrees: the disc comes as near as 1 / sqrt 2.
    let past = |radius| agent(disc(radius), [4.0, 15.0], &[step(0, 10, [14.0, 5.0])]);
    assert_apart(&past(0.7), &block);
    // By half of sqrt(0.75^2 - 0.5) before the middle of the crossing, at 5.5.
    let half = (0.75_f64 * 0.75 - 0.5).sqrt() / 2.0_f64.sqrt();
    assert_overlap(&past(0.75), &block, 5.5 - half, 0.75 - 0.5_f32.sqrt());
    // Straight at a side, then on to the middle: half a side and the radius.
    let at_side = agent(disc(0.5), [5.0, 11.0], &[step(0, 6, [11.0, 11.0])]);
    assert_overlap(&at_side, &block, 4.5, 1.5);
    // Along a side.
    assert_apart(&agent(disc(0.5), [5.0, 9.5], &[step(0, 10, [15.0, 9.5])]), &block);
    // At the height of the side, its middle on the line: the corner is met a radius before.
    assert_overlap(&agent(disc(0.5), [5.0, 10.0], &[step(0, 10, [15.0, 10.0])]), &block, 4.5, 0.5);
    // At rest: on the side, inside, in the corner's shadow.
    assert_overlap(&agent(disc(0.5), [11.0, 9.75], &[]), &block, 0.0, 0.25);
    assert_overlap(&agent(disc(0.5), [11.0, 10.0], &[]), &block, 0.0, 0.5);
    assert_overlap(&agent(disc(0.5), [9.7, 9.6], &[]), &block, 0.0, 0.0);
}

#[test]
fn points_overlap_bodies_only() {
    let block = agent(square(0.0, 2.0), [0.0, 0.0], &[]);
    let through = agent(None, [-1.0, 0.5], &[step(0, 4, [3.0, 0.5])]);
    assert_overlap(&through, &block, 1.0, 0.5);
    assert_apart(&through, &agent(None, [1.0, 0.5], &[]));
    assert_apart(&agent(None, [-1.0, 2.0], &[step(0, 4, [3.0, 2.0])]), &block);
    assert_overlap(&agent(None, [1.0, 0.25], &[]), &block, 0.0, 0.25);
    // A disc without extent, and a polygon of one corner, are points too.
    let dot = Some(TracedBody::Polygon { corners: vec![[1.0, 0.25]; 3] });
    assert_overlap(&agent(dot.clone(), [0.0, 0.0], &[]), &block, 0.0, 0.25);
    assert_apart(&agent(dot, [0.0, 0.0], &[]), &agent(disc(0.0), [1.0, 0.25], &[]));
    // A line overlaps what it is in, by how far it reaches in.
    let line = || Some(TracedBody::Polygon { corners: vec![[-1.0, 0.0], [1.0, 0.0]] });
    assert_overlap(&agent(line(), [1.0, 3.0], &[step(0, 4, [1.0, -1.0])]), &block, 1.0, 1.0);
    assert_apart(&agent(line(), [1.0, 3.0], &[]), &agent(line(), [1.0, 3.0], &[]));
    assert_apart(&agent(line(), [1.0, 3.0], &[]), &agent(None, [1.0, 3.0], &[]));
}

#[test]
fn leaps_take_no_time() {
    let block = agent(square(-1.0, 1.0), [5.0, 0.0], &[]);
    assert_apart(&agent(disc(0.5), [0.0, 0.0], &[step(3, 3, [10.0, 0.0])]), &block);
    assert_overlap(&agent(disc(0.5), [0.0, 0.0], &[step(3, 3, [5.0, 0.0])]), &block, 3.0, 1.5);
    // It is put elsewhere in the tick in which it comes.
    assert_apart(&agent(disc(0.5), [0.0, 0.0], &[step(3, 3, [5.0, 0.0]), step(3, 3, [10.0, 0.0])]), &block);
    // A leap within the block does not end the stretch.
    let twice = [step(3, 3, [6.25, 0.0]), step(4, 4, [5.0, 0.0]), step(9, 9, [0.0, 0.0])];
    assert_overlap(&agent(disc(0.5), [0.0, 0.0], &twice), &block, 3.0, 1.5);
    // One out of it does: what comes later is not told.
    let twice = [step(3, 3, [6.25, 0.0]), step(4, 4, [9.0, 0.0]), step(5, 5, [5.0, 0.0])];
    assert_overlap(&agent(disc(0.5), [0.0, 0.0], &twice), &block, 3.0, 0.25);
}

#[test]
fn who_is_not_there_overlaps_nothing() {
    let block = agent(square(-1.0, 1.0), [5.0, 0.0], &[]);
    let comes = agent(disc(0.5), [0.0, 0.0], &[step(0, 10, [10.0, 0.0])]);
    assert_overlap(&comes, &block, 3.5, 1.5);
    let vanishes = |tick, of: &TracedAgent| TracedAgent { vanishes: Some(tick), ..of.clone() };
    let appears = |tick, of: &TracedAgent| TracedAgent { appears: tick, ..of.clone() };
    assert_apart(&comes, &vanishes(3, &block));
    assert_overlap(&comes, &vanishes(4, &block), 3.5, 0.5);
    assert_apart(&vanishes(3, &comes), &block);
    assert_apart(&comes, &appears(7, &block));
    assert_overlap(&comes, &appears(6, &block), 6.0, 0.5);
    assert_overlap(&appears(5, &comes), &block, 5.0, 1.5);
    assert_apart(&vanishes(0, &block), &block);
    assert_apart(&vanishes(5, &block), &appears(5, &block));
    assert_overlap(&vanishes(6, &block), &appears(5, &block), 5.0, 2.0);
}

#[test]
fn moves_in_a_row_are_one_stretch() {
    // Turns of speed and direction inside of the block, deepest in the last of them.
    let moves = [step(0, 5, [5.0, 0.5]), step(5, 6, [5.5, 1.0]), step(8, 11, [5.5, 2.0]), step(11, 12, [20.0, 2.0])];
    let block = agent(square(0.0, 4.0), [4.0, 0.0], &[]);
    assert_overlap(&agent(None, [0.0, 0.5], &moves), &block, 4.0, 2.0);
}

#[test]
fn an_even_square_stands_between_its_cells() {
    // Two cells wide, its position is the middle of one of the four: from -0.5 to 1.5.
    let pair = || square(-0.5, 1.5);
    let stands = agent(pair(), [4.0, 4.0], &[]);
    assert_apart(&agent(pair(), [0.0, 2.0], &[step(0, 8, [8.0, 2.0])]), &stands);
    assert_apart(&agent(square(-0.5, 0.5), [0.0, 3.0], &[step(0, 8, [8.0, 3.0])]), &stands);
    assert_apart(&agent(square(-0.5, 0.5), [6.0, 0.0], &[step(0, 8, [6.0, 8.0])]), &stands);
    assert_overlap(&agent(pair(), [0.0, 3.0], &[step(0, 8, [8.0, 3.0])]), &stands, 2.0, 1.0);
    assert_overlap(&agent(square(-0.5, 0.5), [5.0, 0.0], &[step(0, 8, [5.0, 8.0])]), &stands, 3.0, 1.0);
}

#[test]
fn names_all_pairs_in_order() {
    let mut agents = [0.0, 9.0, 6.0, 3.0].map(|x| agent(disc(0.5), [x, 0.0], &[])).to_vec();
    agents.push(agent(disc(0.5), [-2.0, 0.0], &[step(0, 20, [18.0, 0.0])]));
    let named = |most| {
        let found = BodyChecker::new().at_most(most).check(&Trace::new(1, agents.clone()));
        found.iter().map(|overlap| overlap.agents.map(|agent| agent.0)).collect::<Vec<_>>()
    };
    assert_eq!(named(usize::MAX), [[0, 4], [3, 4], [2, 4], [1, 4]]);
    assert_eq!(named(2), [[0, 4], [3, 4]]);
    assert_eq!(named(1), [[0, 4]]);
    assert_eq!(named(0), [[0; 2]; 0]);
    let overlap = Overlap { agents: [AgentId(3), AgentId(4)], tick: 4.5, depth: 0.25 };
    assert_eq!(overlap.to_string(), "agent 3 and agent 4 overlap by 0.25 from tick 4.5 on");
}

#[test]
fn many_in_one_place_are_bounded() {
    let moves: Vec<TracedMove> =
        (0..100_u8).map(|tick| step(tick.into(), u32::from(tick) + 1, [tick.into(), 0.0])).collect();
    let agents = vec![agent(square(-1.0, 1.0), [0.0, 0.0], &moves); 3000];
    assert_eq!(BodyChecker::new().at_most(7).check(&Trace::new(1, agents)).len(), 7);
}

#[test]
fn the_first_of_many_are_the_first() {
    // 300 squares that run to and fro across one field: thousands of pairs.
    let there = |k: u16| [f32::from((k % 101) * (k % 103) % 101), f32::from(k * 53 % 97)];
    let agents: Vec<TracedAgent> = (0..300_u16)
        .map(|id| {
            let moves: Vec<TracedMove> = (1..9_u16)
                .map(|turn| {
                    step(u32::from(turn) * 40, u32::from(turn) * 40 + 30 + u32::from(id % 9), there(id + turn * 11))
                })
                .collect();
            agent(square(-2.0, 2.0), there(id), &moves)
        })
        .collect();
    let trace = Trace::new(1, agents);
    let all = BodyChecker::new().check(&trace);
    assert!(all.len() > 2000, "{}", all.len());
    for most in [1, 2, 70, 1500, all.len(), 100_000] {
        let ticks = |found: &[Overlap]| found.iter().map(|overlap| overlap.tick).collect::<Vec<f64>>();
        let found = BodyChecker::new().at_most(most).check(&trace);
        assert_eq!(ticks(&found), ticks(&all[..most.min(all.len())]));
        assert!(found.iter().all(|overlap| all.contains(overlap)));
    }
}

#[test]
fn crowds_take_near_linear_time() {
    // 4,000 discs on their own lanes, to and fro, and one that crosses all of them.
    let lanes = 4000_u16;
    let mut agents: Vec<TracedAgent> = (0..lanes)
        .map(|lane| {
            let y = f32::from(lane);
            let moves: Vec<TracedMove> = (0..50_u32)
                .map(|turn| step(4 * turn, 4 * turn + 4, [if turn % 2 == 0 { 4.0 } else { 0.0 }, y]))
                .collect();
            agent(disc(0.5), [0.0, y], &moves)
        })
        .collect();
    agents.push(agent(square(0.0, 1.0), [5.0, 0.0], &[step(0, 200, [5.0, 4000.0])]));
    assert_eq!(BodyChecker::new().check(&Trace::new(1, agents.clone())), []);
    agents.push(agent(disc(0.1), [2.0, -9.0], &[step(0, 200, [2.0, 4009.0])]));
    let found = BodyChecker::new().check(&Trace::new(1, agents));
    assert!(found.iter().all(
        |overlap| overlap.agents[1] == AgentId(lanes.into()) || overlap.agents[1] == AgentId(u32::from(lanes) + 1)
    ));
    assert!(found.len() > 500, "{}", found.len());
}

#[test]
fn nonsense_is_checked() {
    let block = agent(square(-1.0, 1.0), [5.0, 0.0], &[]);
    let polygon = |corners: &[[f32; 2]]| Some(TracedBody::Polygon { corners: corners.to_vec() });
    for nowhere in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_apart(&agent(disc(nowhere), [5.0, 0.0], &[]), &block);
        assert_apart(&agent(disc(1.0), [nowhere, 0.0], &[]), &block);
        assert_apart(&agent(polygon(&[[0.0, 0.0], [1.0, nowhere], [1.0, 0.0]]), [5.0, 0.0], &[]), &block);
        // It is there again once it is somewhere.
        let away = [step(0, 2, [5.0, nowhere]), step(2, 4, [5.0, 0.0]), step(4, 5, [5.0, 0.0])];
        assert_overlap(&agent(disc(1.0), [5.0, -9.0], &away), &block, 4.0, 2.0);
    }
    assert_apart(&agent(disc(-1.0), [5.0, 0.0], &[]), &block);
    assert_apart(&agent(polygon(&[]), [5.0, 0.0], &[]), &block);
    // Clockwise, with corners twice, on the sides and inside.
    let odd = polygon(&[[-1.0, -1.0], [-1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]);
    assert_overlap(&agent(odd, [0.0, 0.0], &[step(0, 10, [10.0, 0.0])]), &block, 3.0, 2.0);
    // The second move begins before the first has ended, the third ends before it begins.
    let moves = [step(0, 4, [0.0, 0.0]), step(2, 6, [8.0, 0.0]), step(9, 7, [5.0, 0.0])];
    assert_overlap(&agent(None, [0.0, 0.0], &moves), &block, 4.0, 1.0);
    let late = agent(disc(1.0), [f32::MAX, f32::MIN], &[step(u32::MAX, 0, [5.0, 0.0])]);
    assert_overlap(&late, &block, u32::MAX.into(), 2.0);
    let wide = agent(disc(f32::MAX), [0.0, 0.0], &[]);
    assert_eq!(check(&[wide, block]).len(), 1);
}
