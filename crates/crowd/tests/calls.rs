//! Recorded calls: another crowd that gets them does the same, and a call that differs is found where it differs.

use giveway_core::{Agent, AgentId, Area, Goals, NodeId, Point, Surface};
#[cfg(feature = "serde")]
use giveway_crowd::Lra;
use giveway_crowd::{
    Budget, Call, Chain, Class, ClassId, Crowd, CrowdSettings, Depth, Follow, Formation, March, Planner, Round, Stages,
};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

const CLASS: ClassId = ClassId(0);
const ACROSS: u32 = 24;
const DOWN: u32 = 18;
const TICKS: u32 = 5000;

fn begin() -> Crowd<'static> {
    let grid = Grid::from_fn(ACROSS, DOWN, |x, y| !(x * 7 + y * 3 + x * y).is_multiple_of(11)).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    for _ in 0..2 {
        crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
    }
    crowd
}

/// What a crowd is told in `TICKS` ticks, and its hash after each: about 1,000 orders and 200 edits, of which some are
/// refused.
fn story() -> (Vec<Call>, Vec<u64>) {
    let mut random = Pcg64Mcg::new(0xFACE_0000_0000_0000_0000_0000_0000_0007);
    let mut crowd = begin();
    crowd.record_calls(true);
    let node = |random: &mut Pcg64Mcg| NodeId(random.random_range(0..ACROSS * DOWN));
    for unit in 0..40 {
        let (start, class) = (node(&mut random), ClassId(u32::from(unit % 8 == 0)));
        let _ = crowd.add_near(class, Agent::bystander(start));
    }
    let (mut orders, mut edits) = (0, 0);
    let mut hashes = Vec::new();
    for _ in 0..TICKS {
        let agents: Vec<AgentId> = crowd.agents().collect();
        let agent = *agents.choose(&mut random).unwrap();
        let goal = node(&mut random);
        if random.random_ratio(1, 5) {
            orders += 1;
            let _ = match random.random_range(0..40) {
                0 => crowd.place_near(agent, goal).map(drop),
                1 => crowd.remove(agent),
                2 => crowd.add(CLASS, Agent::new(goal, NodeId(3)).priority(1)).map(drop),
                3 => crowd.stop(agent).map(drop),
                4 => crowd.send_shared(agent, Goals::from_iter([goal, NodeId(7)])),
                5 => crowd.change_class(agent, ClassId(random.random_range(0..2))),
                6 => crowd.set_chain(agent, Chain::new(Planner::Pibt).fallback(Planner::Windowed, 9)),
                7 => crowd.set_depth(agent, Depth::Fixed(12)),
                8 => crowd.hold(agent, goal.0 % 12).map(drop),
                9..11 => crowd.send_near(agent, goal).map(drop),
                11 => crowd.follow(agent, *agents.choose(&mut random).unwrap(), Follow::new().within(2.0)),
                12 => crowd.queue(agent, [goal, NodeId(9)]),
                13 => crowd.patrol(agent, Stages::from([goal, NodeId(40)]).waiting(), Round::ToAndFro),
                14 => {
                    let wedge = Formation::wedge(1.0).at([9.0, 9.0, 0.0], [1.0, 0.5]);
                    crowd.send_group(&agents[..4], wedge, March::together(3.0)).map(drop)
                }
                15 => crowd.aim(agent, goal),
                16 => crowd.send_within(agent, goal, 4.0).map(drop),
                _ => crowd.send(agent, goal).map(drop),
            };
        }
        if random.random_ratio(1, 25) {
            edits += 1;
            let (x, y) = (random.random_range(0..ACROSS - 2), random.random_range(0..DOWN - 2));
            let area = Area::cells(x, y, 2, 1).unwrap();
            let _ = match random.random_range(0..6) {
                0 => crowd.close(&area).map(drop),
                1 | 2 => crowd.open(&area).map(drop),
                3 => crowd.vacate(&area).map(drop),
                4 => crowd.resurface(&area, Surface::new(random.random_range(1..3), 1.0).unwrap()).map(drop),
                _ => crowd.set_open(CLASS, goal, random.random_ratio(1, 2)).map(drop),
            };
        }
        if random.random_ratio(1, 50) {
            crowd.waiting();
            crowd.explain(agent);
            crowd.distance(agent, Budget::work(100));
        }
        crowd.tick(Budget::work(3000));
        hashes.push(crowd.state_hash());
    }
    assert!(orders > 900 && edits > 150, "{orders} orders, {edits} edits");
    (crowd.take_calls(), hashes)
}

/// The hashes after each tick of a crowd that gets `calls`.
fn replay(calls: &[Call]) -> impl Iterator<Item = u64> {
    let mut crowd = begin();
    calls.iter().filter_map(move |call| {
        let _ = crowd.apply(call);
        matches!(call, Call::Tick { .. }).then(|| crowd.state_hash())
    })
}

#[test]
fn what_is_replayed_ends_with_equal_hashes_and_a_flipped_order_is_found_at_its_tick() {
    let (calls, hashes) = story();
    assert!(replay(&calls).eq(hashes.iter().copied()));

    let mut random = Pcg64Mcg::new(0xFACE_0000_0000_0000_0000_0000_0000_0009);
    for _ in 0..6 {
        let mut flipped = calls.clone();
        let sends: Vec<usize> = (0..calls.len()).filter(|at| matches!(calls[*at], Call::Send { .. })).collect();
        let at = *sends.choose(&mut random).unwrap();
        let Call::Send { agent, goals } = &calls[at] else { unreachable!() };
        // The order takes the place of another one, which may have been refused.
        let other = Goals::one(NodeId((goals.nodes()[0].0 + 5) % (ACROSS * DOWN)));
        flipped[at] = Call::Send { agent: *agent, goals: other };
        let tick = calls[..at].iter().filter(|call| matches!(call, Call::Tick { .. })).count();
        let found = replay(&flipped).zip(&hashes).position(|(one, other)| one != *other);
        let mut crowds = [&calls, &flipped].map(|calls| {
            let mut crowd = begin();
            calls[..at].iter().for_each(|call| {
                let _ = crowd.apply(call);
            });
            (crowd.apply(&calls[at]), crowd)
        });
        let is_told_otherwise = crowds[0].1.goals(*agent) != crowds[1].1.goals(*agent);
        let [one, two] = crowds.each_mut().map(|(_, crowd)| {
            crowd.tick(Budget::work(3000));
            crowd.agent_hash(*agent)
        });
        assert_eq!(found, is_told_otherwise.then_some(tick), "call {at}");
        assert_eq!(one != two, is_told_otherwise, "call {at}");
    }
}

#[test]
fn a_crowd_records_what_it_is_told_to_record() {
    let mut crowd = begin();
    let tick = Call::Tick { budget: Budget::unlimited() };
    crowd.tick(Budget::unlimited());
    assert_eq!(crowd.take_calls(), []);
    crowd.record_calls(true);
    crowd.tick(Budget::unlimited());
    let mut clone = crowd.clone();
    crowd.record_calls(true);
    let agent = crowd.add_near(CLASS, Agent::bystander(NodeId(5)));
    assert!(crowd.send(AgentId(9), NodeId(5)).is_err());
    let add = Call::AddNear { class: CLASS, agent: Agent::bystander(NodeId(5)) };
    let refused = Call::Send { agent: AgentId(9), goals: Goals::one(NodeId(5)) };
    assert_eq!(crowd.take_calls(), [tick.clone(), add, refused], "and not what these call themselves");
    assert!(crowd.place_near(agent.unwrap(), NodeId(6)).is_ok());
    assert_eq!(crowd.take_calls().len(), 1);
    assert_eq!(clone.take_calls(), [tick]);
    crowd.record_calls(false);
    crowd.tick(Budget::unlimited());
    assert_eq!(crowd.take_calls(), []);
}

#[cfg(feature = "serde")]
#[test]
fn calls_come_back_from_their_text_and_impossible_ones_are_refused() {
    let (mut calls, _) = story();
    let agent = AgentId(1);
    let bottom =
        Area::disc([0.1, 2.7], 1.3).unwrap().and(Area::polygon(&[[0.0, 0.1], [3.3, 0.0], [1.0, 7.7]]).unwrap());
    let lra = Lra::new(u64::MAX).noise(3).radius(70);
    calls.extend([
        Call::Vacate { area: bottom.heights(-0.3, 1.7).unwrap() },
        Call::Resurface { area: Area::cells(1, 2, 3, 4).unwrap(), surface: Surface::new(7, 0.3).unwrap() },
        Call::SetChain { agent, chain: Chain::from(lra).fallback(Planner::Step, 3).with_steps() },
        Call::SetDepth { agent, depth: Some(Depth::ByCrowding { least: 3, most: 9 }) },
        Call::SetDepth { agent, depth: None },
        Call::Tick { budget: Budget::unlimited() },
    ]);
    let text = serde_json::to_string(&calls).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Call>>(&text).unwrap(), calls);
    let mean = text.len() / calls.len();
    assert!(mean < 40, "{mean} bytes for each call");
    assert_eq!(
        serde_json::to_string(&calls[calls.len() - 5..]).unwrap(),
        concat!(
            r#"[{"resurface":{"area":[{"polygon":[[0.5,1.5],[3.5,1.5],[3.5,5.5],[0.5,5.5]]}],"surface":[7,0.3]}},"#,
            r#"{"set_chain":{"agent":1,"chain":{"first":{"local_repair":{"seed":18446744073709551615,"noise":3,"#,
            r#""routing":"whole","radius":70}},"fallbacks":[["step",3]],"steps":"always"}}},"#,
            r#"{"set_depth":{"agent":1,"depth":{"by_crowding":{"least":3,"most":9}}}},"#,
            r#"{"set_depth":{"agent":1,"depth":null}},{"tick":{"budget":null}}]"#
        )
    );
    for (text, expected) in [
        (r#"{"close":{"area":[]}}"#, "0.001 wide"),
        (r#"{"close":{"area":[{"disc":[1,2,-3]}]}}"#, "0.001 wide"),
        (r#"{"close":{"area":[{"disc":[1,2e300,3]}]}}"#, "10^9"),
        (r#"{"close":{"area":[{"polygon":[[0,0],[1,1]]}]}}"#, "0.001 wide"),
        (r#"{"close":{"area":[{"disc":[1,2,3],"heights":[2,1]}]}}"#, "height"),
        (r#"{"resurface":{"area":[{"disc":[1,2,3]}],"surface":[0,1]}}"#, "weight"),
        (r#"{"jump":{"agent":1}}"#, "unknown variant"),
    ] {
        let error = serde_json::from_str::<Call>(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
