//! Spaces with links: the contract of spaces, ferries against an oracle, metrics, edits, and crowds.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, GraphClearance, Ground, Headings, Primitives, Vehicle};
use giveway_check::{BodyChecker, Checker, Violation};
use giveway_core::heuristic::{Manhattan, Metric, Zero};
use giveway_core::{
    Agent, Area, Change, ConflictRule, Editable, Embedding, Footprint, Goals, Motion, Move, NodeId, Point, SpaceGraph,
    SpatialSearch, Ticks,
};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};
use giveway_sim::{Endpoints, Simulation, Task};
use giveway_spaces::{ByLinks, Connectivity, FnSpace, Grid, Link, LinkAction, Linked, SpaceError};
use giveway_strategies::{Hca, Instance};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

fn seeded(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::new(u128::from(seed) * 2 + 1)
}

fn nodes_of<S: SpaceGraph>(space: &S) -> Vec<NodeId> {
    let bound = u32::try_from(space.node_bound()).unwrap();
    (0..bound).map(NodeId).filter(|node| space.contains(*node)).collect()
}

/// Some links at random between nodes of `space`, whole steps long.
fn links<S: SpaceGraph<Cost = u32>>(space: &S, most: u32, random: &mut Pcg64Mcg) -> Vec<Link> {
    let nodes = nodes_of(space);
    let mut links = Vec::new();
    for _ in 0..random.random_range(1..=most) {
        let [from, to] = [0, 1].map(|_| nodes[random.random_range(0..nodes.len())]);
        if from == to {
            continue;
        }
        let (steps, places) = (random.random_range(1_u16..4), random.random_range(0_u16..3));
        let steps = steps * (places + 1);
        let mut link = Link::new(from, to, u32::from(steps) * 1000, f32::from(steps)).places(places.into());
        if random.random() {
            link = link.both_ways();
        }
        if random.random() {
            link = link.jumps();
        }
        if random.random_ratio(1, 3) {
            link = link.only_for(1 << random.random_range(0..3));
        }
        if random.random_ratio(1, 2) {
            link = link.sails_every(random.random_range(2..7), random.random_range(0..9));
        }
        links.push(link);
    }
    links
}

fn grid(connectivity: Connectivity, random: &mut Pcg64Mcg) -> Grid {
    let mut row = || -> String { (0..7).map(|_| if random.random_ratio(1, 5) { '@' } else { '.' }).collect() };
    let rows: Vec<String> = (0..5).map(|_| row()).collect();
    Grid::from_ascii(&format!(".......\n{}", rows.join("\n"))).unwrap().with_connectivity(connectivity)
}

#[test]
fn linked_spaces_keep_the_contract() {
    for seed in 0..60 {
        let mut random = seeded(seed);
        let users = random.random_range(1..8);
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let grid = grid(connectivity, &mut random);
            let links = links(&grid, 6, &mut random);
            let space = Linked::new(grid, links).unwrap().used_by(users);
            giveway_conformance::space_graph(&space).unwrap();
            giveway_conformance::embedding(&space).unwrap();
            let mut crossings = BTreeMap::new();
            for m in nodes_of(&space).into_iter().flat_map(|node| space.moves(node).collect::<Vec<_>>()) {
                let Some(crossing) = space.crossing(&m) else { continue };
                assert!((crossing as usize) < space.facts().crossing_bound);
                // Whatever joins two places directly is one crossing, and no other.
                let ends = [m.from.min(m.to), m.from.max(m.to)];
                if let LinkAction::Link { .. } = m.action {
                    assert_eq!(*crossings.entry(crossing).or_insert(ends), ends);
                }
            }
        }
        let ring = FnSpace::new(9, |node| [((node + 1) % 9, 1000)]).unwrap();
        let more = links(&ring, 4, &mut random);
        giveway_conformance::space_graph(&Linked::new(ring, more).unwrap()).unwrap();
        let map = Grid::open(4, 3).unwrap();
        let vehicle = Vehicle::new(
            Body::rectangle(0.8, 0.5).unwrap(),
            Primitives::straight(Headings::Four, 1).unwrap().pivoting(2.0).unwrap(),
        );
        let (lattice, _) = vehicle.on(&map, Ground::from_grid(&map), 12).unwrap();
        let more = links(&lattice, 4, &mut random);
        giveway_conformance::space_graph(&Linked::new(lattice, more).unwrap()).unwrap();
    }
}

#[test]
fn links_that_lead_nowhere_are_refused() {
    let hall = || Grid::open(3, 1).unwrap();
    let refused = |link: Link| Linked::new(hall(), vec![link]).unwrap_err();
    let at = NodeId;
    assert_eq!(refused(Link::new(at(0), at(3), 1, 1.0)), SpaceError::NoSuchNode { from: at(0), to: at(3) });
    assert_eq!(
        refused(Link::new(at(1), at(1), 1, 1.0)).to_string(),
        "the link from node 1 to node 1 has 0 places: a link leads from one node to another, and has at most 1000000 places"
    );
    assert!(matches!(refused(Link::new(at(0), at(1), 1, f32::NAN)), SpaceError::Length { .. }));
    assert!(matches!(refused(Link::new(at(0), at(1), 1, 1.0).places(u32::MAX)), SpaceError::Link { .. }));
    let timetable = |every| Link::new(at(0), at(1), 1, 1.0).sails_every(every, 0);
    let error = Linked::new(hall(), vec![timetable(9973), timetable(9967)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "all timetables together repeat only after more than 65536 ticks: choose periods with common divisors"
    );
    // No timetable, rather than a division by zero.
    assert_eq!(Linked::new(hall(), vec![timetable(0)]).unwrap().facts().period, 1);
}

/// The fewest ticks from `start` to `goal` when moves begin by the clock, by trying all ticks.
fn fewest_by_the_clock<S: SpaceGraph>(space: &S, start: NodeId, goal: NodeId, most: Ticks) -> Option<Ticks> {
    let mut reached: Vec<BTreeSet<NodeId>> = vec![BTreeSet::new(); most as usize + 1];
    reached[0].insert(start);
    for tick in 0..=most {
        let here = std::mem::take(&mut reached[tick as usize]);
        if here.contains(&goal) {
            return Some(tick);
        }
        for node in here {
            let waits = [(node, tick + 1)].into_iter();
            let moves = space.moves(node).filter(|m| space.departs(m, tick));
            for (to, arrives) in waits.chain(moves.map(|m| (m.to, tick + (m.length.round() as Ticks).max(1)))) {
                if arrives <= most {
                    reached[arrives as usize].insert(to);
                }
            }
        }
    }
    None
}

#[test]
fn a_lone_agent_takes_the_ferry_that_brings_it_there_first() {
    let (mut waited, mut rode) = (0, 0);
    for seed in 0..400 {
        let mut random = seeded(1000 + seed);
        // Two roads, and whatever leads across.
        let roads = FnSpace::new(10, |node| (node % 5 < 4).then(|| (node + 1, 1000))).unwrap();
        let links = links(&roads, 6, &mut random);
        let space = Linked::new(roads, links).unwrap();
        let point = Point::timed(&space, 1).unwrap();
        let nodes = nodes_of(&space);
        let [start, goal] = [0, 1].map(|_| nodes[random.random_range(0..nodes.len())]);
        let instance = Instance::new(&space, &point, vec![Agent::new(start, goal)]).unwrap();
        let expected = fewest_by_the_clock(&space, start, goal, 400);
        for latest in [u32::MAX, 300] {
            let mut hca = Hca::hca_star();
            if latest < u32::MAX {
                hca = hca.latest(latest);
            }
            let solution = hca.solve(&instance);
            let violations = Checker::new(&space, ConflictRule::Following).check(instance.agents(), &solution.plan);
            assert_eq!(solution.is_complete(), expected.is_some(), "seed {seed}");
            if let Some(expected) = expected {
                assert_eq!(violations, [], "seed {seed}");
                assert_eq!(solution.plan.sum_of_costs(), u64::from(expected), "seed {seed}, latest {latest}");
                let steps = &solution.plan.paths[0].steps;
                waited += u32::from(steps.iter().any(|step| matches!(step.motion, Motion::Rest { .. })));
                rode += u32::from(space.facts().period > 1);
            }
        }
    }
    assert!(waited > 40 && rode > 100, "{waited} waited, {rode} rode");
}

#[test]
fn the_checker_names_those_who_sail_out_of_time() {
    let quay = FnSpace::new(2, |_| [] as [(u32, u32); 0]).unwrap();
    let ferry = |every| Link::new(NodeId(0), NodeId(1), 1000, 1.0).sails_every(every, 1);
    let (daily, weekly) =
        (Linked::new(quay.clone(), vec![ferry(2)]).unwrap(), Linked::new(quay, vec![ferry(7)]).unwrap());
    let point = Point::timed(&daily, 1).unwrap();
    let agents = vec![Agent::new(NodeId(0), NodeId(1))];
    let instance = Instance::new(&daily, &point, agents.clone()).unwrap();
    let plan = Hca::hca_star().solve(&instance).plan;
    assert_eq!(Checker::new(&daily, ConflictRule::Following).check(&agents, &plan), []);
    assert_eq!(Checker::new(&weekly, ConflictRule::Following).check(&agents, &plan), []);
    let late = Linked::new(weekly.space().clone(), vec![ferry(7).sails_every(7, 2)]).unwrap();
    let found = Checker::new(&late, ConflictRule::Following).check(&agents, &plan);
    assert!(matches!(found[..], [Violation::OutOfTime { tick: 1, .. }]), "{found:?}");
    assert_eq!(found[0].to_string(), "agent 0 goes from node 0 to node 1 at tick 1, when no step begins there");
}

#[test]
fn distances_by_links_are_lower_bounds_and_consistent() {
    for seed in 0..120 {
        let mut random = seeded(5000 + seed);
        let grid = grid(Connectivity::Four, &mut random);
        let links = links(&grid, 4, &mut random);
        let space = Linked::new(grid, links).unwrap();
        let metric = ByLinks::new(&space, Manhattan { step: 1000 });
        let nodes = nodes_of(&space);
        let mut search = SpatialSearch::new();
        for goal in nodes.iter().copied().step_by(3) {
            for start in nodes.iter().copied() {
                let bound = metric.distance(&space, start, goal);
                let found = search.find(&space, start, &Goals::one(goal), &mut Zero);
                assert!(found.is_err() || found.is_ok_and(|route| bound <= route.cost), "seed {seed}");
                for m in space.moves(start) {
                    assert!(bound <= m.cost + metric.distance(&space, m.to, goal), "seed {seed}: {m:?}");
                    let back = |to| metric.distance(&space, goal, to);
                    assert!(back(m.to) <= back(m.from) + m.cost, "seed {seed}: {m:?}");
                }
            }
        }
    }
}

/// Runs `agents` agents at random in `space`, lifelong, by `chain`; checks the trace.
fn run_points(space: Linked<Grid>, agents: usize, chain: Chain, random: &mut Pcg64Mcg) -> u64 {
    let (ticks, nodes) = (2, nodes_of(&space));
    let point = Point::timed(&space, ticks).unwrap();
    let oracle = space.clone();
    let mut crowd = Crowd::new(CrowdSettings::new().chain(chain));
    let class = crowd.add_class(Class::new(space, point)).unwrap();
    let mut simulation = Simulation::new(crowd).recorded();
    let mut starts = nodes.clone();
    let mut ids = Vec::new();
    for _ in 0..agents {
        let start = starts.swap_remove(random.random_range(0..starts.len()));
        ids.push(simulation.add(class, Agent::bystander(start), Task::Once).unwrap());
    }
    for _ in 0..30 {
        for id in &ids {
            if random.random_ratio(1, 3) {
                let _ = simulation.send_near(*id, nodes[random.random_range(0..nodes.len())]);
            }
        }
        simulation.run(20, Budget::unlimited());
    }
    let trace = simulation.trace().unwrap();
    assert_eq!(Checker::new(&oracle, ConflictRule::Following).check_trace(&trace), []);
    simulation.metrics().arrivals
}

#[test]
fn crowds_of_every_chain_keep_to_the_clock() {
    let chains = [
        Chain::from(Planner::Windowed),
        Chain::from(Lra::new(1)),
        Chain::from(Planner::Pibt),
        Chain::new(Planner::Windowed).fallback(Planner::Pibt, 16).fallback(Planner::Lacam, 48),
    ];
    for (number, chain) in chains.into_iter().enumerate() {
        let mut arrivals = 0;
        for seed in 0..12 {
            let mut random = seeded(9000 + seed);
            let grid = grid(Connectivity::Four, &mut random);
            let links = links(&grid, 6, &mut random);
            let space = Linked::new(grid, links).unwrap().used_by(0b11);
            arrivals += run_points(space, 6, chain.clone(), &mut random);
        }
        assert!(arrivals > 100, "chain {number}: {arrivals} arrivals");
    }
}

#[test]
fn units_follow_each_other_up_the_stairs_and_meet_nobody() {
    // Two floors side by side, joined by stairs of four steps. Without places on them, one unit at a time is on the
    // stairs.
    let arrivals = |places: u32| {
        let floors = Grid::from_ascii("......@......").unwrap();
        let at = |x| floors.node(x, 0).unwrap();
        let stairs = Link::new(at(5), at(7), 4000, 4.0).places(places);
        let agents: Vec<Agent> = (0..5).rev().map(|x| Agent::new(at(x), at(8 + x))).collect();
        let space = Linked::new(floors, vec![stairs]).unwrap();
        let point = Point::timed(&space, 1).unwrap();
        let instance = Instance::new(&space, &point, agents.clone()).unwrap();
        let solution = Hca::hca_star().solve(&instance);
        assert_eq!(Checker::new(&space, ConflictRule::Following).check(&agents, &solution.plan), []);
        assert!(solution.is_complete());
        solution.plan.makespan()
    };
    let (none, three) = (arrivals(0), arrivals(3));
    assert!(three + 8 <= none, "{none} ticks, with places {three}");
}

#[test]
fn links_are_for_those_who_may_use_them() {
    let (giants, dwarfs) = (1 << 0, 1 << 1);
    let rooms = Grid::from_ascii("..@..").unwrap();
    let at = |x| rooms.node(x, 0).unwrap();
    let (one, other) = (at(0), at(4));
    let burrow = Link::new(at(1), at(3), 1000, 1.0).both_ways().places(1).only_for(dwarfs);
    let space = Linked::new(rooms, vec![burrow]).unwrap();
    let reaches = |space: &Linked<Grid>| SpatialSearch::new().find(space, one, &Goals::one(other), &mut Zero).is_ok();
    assert!(reaches(&space) && reaches(&space.clone().used_by(dwarfs)) && !reaches(&space.clone().used_by(giants)));
    // Ids are alike for all.
    assert_eq!(space.clone().used_by(giants).node_bound(), space.node_bound());
}

#[test]
fn bodies_go_by_portals_past_walls_and_units_and_overlap_nobody() {
    let mut arrivals = 0;
    for seed in 0..25 {
        let mut random = seeded(20_000 + seed);
        let map =
            Grid::from_ascii("......@......\n......@......\n......@......\n......@......\n......@......").unwrap();
        let at = |x, y| map.node(x, y).unwrap();
        let y = random.random_range(0..5);
        let portals = vec![
            Link::new(at(1, y), at(11, 4 - y), 1000, 2.0).jumps(),
            Link::new(at(9, y), at(2, 0), 1000, 2.0).jumps(),
        ];
        let walls = map.walls().unwrap();
        let ground = Ground::from_grid(&map);
        let space = Arc::new(Linked::new(map, portals).unwrap());
        let disc = Body::disc(0.4).unwrap();
        let ticks = CommonTicks::new().of([&disc], &space).fewest().unwrap();
        let (mut clearance, footprint) = disc.on(&space, ground, ticks).unwrap();
        clearance.change(&walls, Change::Close);
        let nodes = nodes_of(&clearance);
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = Class::new(clearance, footprint).body(disc.outline());
        let class = crowd.add_class(class).unwrap();
        let mut simulation = Simulation::new(crowd).recorded();
        let mut starts = nodes.clone();
        let places = Endpoints::from(nodes);
        for _ in 0..8 {
            let start = starts.swap_remove(random.random_range(0..starts.len()));
            let places = places.clone();
            simulation.add(class, Agent::bystander(start), Task::Lifelong { places, seed }).unwrap();
        }
        simulation.run(80 * ticks, Budget::unlimited());
        let trace = simulation.trace().unwrap();
        assert_eq!(BodyChecker::new().check(&trace), []);
        assert_eq!(Checker::new(&*space, ConflictRule::Following).check_trace(&trace), []);
        assert!(trace.trajectories.iter().any(giveway_core::Trajectory::is_jump));
        arrivals += simulation.metrics().arrivals;
    }
    assert!(arrivals > 300, "{arrivals} arrivals");
}

#[test]
fn closed_places_close_their_links() {
    let floors = Grid::from_ascii("...@...").unwrap();
    let at = |x| floors.node(x, 0).unwrap();
    let bridge = Link::new(at(2), at(4), 3000, 2.0).both_ways().places(1);
    let (left, right) = (at(0), at(6));
    let mut space = Linked::new(floors, vec![bridge]).unwrap();
    let deck = space.places(0).next().unwrap();
    assert_eq!((space.position(deck), space.link_at(deck), space.link_at(left)), ([3.0, 0.0, 0.0], Some(0), None));
    let reaches = |space: &Linked<Grid>| SpatialSearch::new().find(space, left, &Goals::one(right), &mut Zero).is_ok();
    let flood = Area::rectangle([2.9, -0.1], [3.1, 0.1]).unwrap();
    let revision = space.revision();
    assert!(reaches(&space) && space.is_inside(deck, &flood));
    for (change, is_passable) in
        [(Change::Vacate, false), (Change::Seal, false), (Change::Open, true), (Change::Close, false)]
    {
        assert!(space.change(&flood, change), "{change:?}");
        assert_eq!(reaches(&space), is_passable, "{change:?}");
        // From what is to be vacated there is a way out.
        assert_eq!(
            space.moves(deck).count(),
            if change == Change::Vacate || is_passable { 2 } else { 0 },
            "{change:?}"
        );
    }
    assert!(space.revision() > revision);
    assert!(space.set_open(deck, true) && reaches(&space) && !space.set_open(deck, true));
    // An end that was to be left, and is closed for good, has no way out any more.
    let (mut left, landing) = (space.clone(), Area::rectangle([1.9, -0.1], [2.1, 0.1]).unwrap());
    assert!(left.change(&landing, Change::Vacate) && left.moves(NodeId(2)).next().is_some());
    left.set_open(NodeId(2), false);
    assert_eq!(left.moves(NodeId(2)).count(), 0);
    // An end that is closed closes the link, too.
    assert!(space.set_open(NodeId(4), false) && !reaches(&space));
    assert_eq!(space.moves(deck).count(), 1);
}

#[test]
fn views_of_links_share_a_crowd_only_if_their_crossings_are_one_numbering() {
    let path =
        FnSpace::new(6, |node| [node.wrapping_sub(1), node + 1].into_iter().filter(|to| *to < 6).map(|to| (to, 1000)))
            .unwrap();
    let links = vec![
        Link::new(NodeId(0), NodeId(2), 1000, 1.0).only_for(1),
        Link::new(NodeId(1), NodeId(3), 1000, 1.0).only_for(2),
    ];
    let views = [1, 2].map(|users| Linked::new(path.clone(), links.clone()).unwrap().used_by(users));
    let join = |points: [Point; 2]| {
        let [a, b] = [0, 1].map(|view| Footprint::cells(&points[view], &views[view]));
        a.join(b).is_ok()
    };
    // Equal numbers of pairs, of which some are others.
    assert!(!join([0, 1].map(|view| Point::swap_rule(&views[view]))));
    assert!(join([0, 1].map(|view| Point::following_rule(&views[view]))));
    assert!(join([Point::swap_rule(&views[0]), Point::swap_rule(&views[0].clone())]));
    // A grid numbers its crossings, and links come after them.
    let grid = Grid::open(6, 1).unwrap();
    let views = [1, 2].map(|users| Linked::new(grid.clone(), links.clone()).unwrap().used_by(users));
    let [a, b] = [0, 1].map(|view| Footprint::cells(&Point::swap_rule(&views[view]), &views[view]));
    assert!(a.join(b).is_ok());
}

#[test]
fn units_leave_stairs_that_are_to_be_vacated() {
    // Two islands, joined by nothing but stairs of four places; the landing on the left is a place of its own.
    let floors = Grid::from_ascii("..@.@...").unwrap();
    let at = |x| floors.node(x, 0).unwrap();
    let stairs = [Link::new(at(3), at(5), 5000, 5.0).both_ways().places(4), Link::new(at(1), at(3), 2000, 2.0)];
    let space = Linked::new(floors.clone(), stairs.to_vec()).unwrap();
    let places: Vec<NodeId> = space.places(0).collect();
    // The stairs and the landing at their foot, which has no way out but by them.
    let area = Area::rectangle([2.6, -0.2], [4.45, 0.2]).unwrap();
    for start in [at(3), places[0], places[1]] {
        let point = Point::timed(&space, 1).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(space.clone(), point).editable()).unwrap();
        let mut simulation = Simulation::new(crowd);
        let climber = simulation.add(class, Agent::bystander(start), Task::Once).unwrap();
        assert_eq!(simulation.crowd_mut().vacate(&area).unwrap(), [climber]);
        simulation.run(60, Budget::unlimited());
        let left = simulation.crowd().inside(&area);
        assert!(left.is_empty(), "{:?}", simulation.crowd().node(climber));
        // Sealed: no agent goes back.
        assert!(simulation.add(class, Agent::bystander(places[0]), Task::Once).is_err());
    }
}

#[test]
fn bodies_board_ferries_at_any_tick() {
    let quays = Grid::from_ascii("...@...").unwrap();
    let at = |x| quays.node(x, 0).unwrap();
    let (start, goal) = (at(0), at(6));
    for offset in 0..9 {
        let ferry = Link::new(at(2), at(4), 2000, 2.0).jumps().sails_every(60, offset);
        let space = Arc::new(Linked::new(quays.clone(), vec![ferry]).unwrap());
        let disc = Body::disc(0.4).unwrap();
        let (clearance, footprint) = disc.on(&space, Ground::from_grid(&quays), 8).unwrap();
        assert_eq!(Footprint::<GraphClearance<Linked<Grid>>>::wait_quantum(&footprint), 2);
        let instance = Instance::new(&clearance, &footprint, vec![Agent::new(start, goal)]).unwrap();
        for solution in [
            Hca::hca_star().solve(&instance).map_details(|_| ()),
            Hca::hca_star().latest(500).solve(&instance).map_details(|_| ()),
            giveway_crowd::CrowdSolver::whca_star().solve(&instance).map_details(|_| ()),
        ] {
            assert!(solution.is_complete(), "offset {offset}");
            // Two steps to the quay; away at the next departure; two steps' time on the way, and two more.
            let departs = if offset < 16 { 60 + offset } else { offset };
            assert_eq!(solution.plan.makespan(), departs + 32, "offset {offset}");
        }
    }
}

#[test]
fn a_goal_out_of_reach_ends_a_search_by_the_clock() {
    let quays = Grid::open(30, 30).unwrap();
    let at = |x, y| quays.node(x, y).unwrap();
    let corner = at(29, 29);
    let (near, beside) = (at(28, 29), at(29, 28));
    let ferry = Link::new(at(0, 0), at(5, 5), 2000, 2.0).sails_every(7, 3);
    let space = Linked::new(quays, vec![ferry]).unwrap();
    let point = Point::timed(&space, 1).unwrap();
    // Two that stay lock the corner.
    let agents = vec![Agent::new(near, near), Agent::new(beside, beside), Agent::new(NodeId(3), corner)];
    let instance = Instance::new(&space, &point, agents).unwrap();
    let expansions = |latest| Hca::hca_star().latest(latest).solve(&instance).expansions;
    let (short, long) = (expansions(200), expansions(20_000));
    assert!(long <= short * 2, "{short} and {long} expansions");
}

/// What was made for another space has no crossing here.
#[test]
fn moves_of_links_that_do_not_exist_cross_nothing() {
    let linked = Linked::new(Grid::open(3, 3).unwrap(), vec![Link::new(NodeId(0), NodeId(8), 5000, 5.0).places(2)]);
    let linked = linked.unwrap();
    let rules = Point::swap_rule(&linked);
    for (number, from, to) in [(1, 0, 8), (7, 9, 10), (0, 0, u32::MAX), (u32::MAX, 9, 10)] {
        let action = LinkAction::Link { number, back: true };
        let m = Move { from: NodeId(from), to: NodeId(to), action, cost: 1000, length: 1.0 };
        rules.entries(&linked, &Motion::Move(m), 0);
    }
}
