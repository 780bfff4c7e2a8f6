//! Hexagonal grids: rows, distances against breadth-first search, areas against samples, and crowds.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use approx::{assert_relative_eq, relative_eq};
use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_check::BodyChecker;
use giveway_core::heuristic::{Metric, ToGoals};
use giveway_core::{Area, Change, Editable, Embedding, Goals, NodeId, Point, SpaceGraph, Surface};
use giveway_spaces::{HexDistance, HexGrid, SpaceError};
use hexx::{EdgeDirection, Hex, HexLayout, Vec2, shapes};

use crate::living::{Fate, Random, any_change, discs_live, is_inverted, nodes, points_live};

fn layouts() -> [HexLayout; 4] {
    let odd = HexLayout::flat().with_scale(Vec2::new(-0.8, 1.3)).with_origin(Vec2::new(3.0, -2.0));
    [HexLayout::pointy(), HexLayout::flat().with_hex_size(0.6), HexLayout::pointy().with_hex_size(1.7), odd]
}

/// Hexes of three rings, without some.
fn ragged(random: &mut Random, layout: HexLayout) -> HexGrid {
    let all: Vec<Hex> = shapes::hexagon(Hex::new(2, -1), 4).collect();
    HexGrid::new(all.into_iter().filter(|_| random.below(8) > 0).collect::<Vec<_>>(), layout).unwrap()
}

fn steps(grid: &HexGrid, from: NodeId) -> BTreeMap<NodeId, u32> {
    let mut known = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for m in grid.moves(node) {
            if !known.contains_key(&m.to) {
                known.insert(m.to, known[&node] + 1);
                queue.push_back(m.to);
            }
        }
    }
    known
}

#[test]
fn ids_run_row_by_row_whatever_the_order() {
    let hexes = [(1, 0), (0, 1), (-3, 0), (0, 1), (5, -2)].map(|(x, y)| Hex::new(x, y));
    let grid = HexGrid::new(hexes, HexLayout::flat()).unwrap();
    let listed: Vec<_> = nodes(&grid).map(|node| grid.hex(node).unwrap()).map(|hex| (hex.x, hex.y)).collect();
    assert_eq!(listed, [(5, -2), (-3, 0), (1, 0), (0, 1)]);
    assert!(nodes(&grid).all(|node| grid.node(grid.hex(node).unwrap()) == Some(node)));
    assert_eq!((grid.node(Hex::new(9, 9)), grid.hex(NodeId(4))), (None, None));
    assert_eq!(grid.node(Hex::new(i32::MAX, i32::MIN)), None);
    // Neighbours in order, here the only one.
    let to: Vec<_> = grid.moves(NodeId(3)).map(|m| (m.action, m.to)).collect();
    assert_eq!(to, [(EdgeDirection::X_NEG_Y, NodeId(2))]);
}

#[test]
fn hexes_conform_with_all_that_is_in_them() {
    for (seed, layout) in (0..).zip(layouts()) {
        let mut random = Random::new(seed);
        let mut grid = ragged(&mut random, layout)
            .with_walls(|hex| (hex.x + 2 * hex.y) % 5 == 0)
            .with_terrain(|hex| hex.x.unsigned_abs() % 3 + 1)
            .unwrap()
            .with_slowness(|hex| if hex.y == 0 { 2.0 } else { 1.0 })
            .unwrap();
        for _ in 0..4 {
            giveway_conformance::space_graph(&grid).unwrap();
            giveway_conformance::embedding(&grid).unwrap();
            is_inverted(&grid);
            for point in [Point::swap_rule(&grid), Point::following_rule(&grid)] {
                giveway_conformance::footprint(&grid, &point).unwrap();
            }
            let goals = Goals::from_iter(nodes(&grid).filter(|node| grid.contains(*node)).step_by(9));
            let metric = HexDistance { step: 1000 };
            giveway_conformance::heuristic(&grid, &goals, || ToGoals { metric, goals: goals.clone() }).unwrap();
            grid.change(&random.area([-4.0, -4.0], [8.0, 4.0]), Change::Close);
        }
    }
}

#[test]
fn distances_are_those_of_breadth_first_search() {
    let metric = HexDistance { step: 1000 };
    let open = HexGrid::new(shapes::hexagon(Hex::new(-4, 7), 5), HexLayout::pointy()).unwrap();
    let walled = open.clone().with_walls(|hex| hex.x == -4 && hex.y != 3);
    for from in nodes(&open) {
        let (free, around) = (steps(&open, from), steps(&walled, from));
        for to in nodes(&open) {
            assert_eq!(metric.distance(&open, from, to), free[&to] * 1000);
            assert!(around.get(&to).is_none_or(|steps| metric.distance(&walled, from, to) <= steps * 1000));
        }
    }
    assert_eq!(metric.distance(&open, NodeId(0), NodeId(999)), 0);
    assert_eq!(HexDistance { step: u32::MAX }.distance(&open, NodeId(0), NodeId(90)), u32::MAX);
}

#[test]
fn steps_are_as_long_as_centres_are_apart() {
    for layout in layouts() {
        let is_regular = layout.scale.x.to_bits() == layout.scale.y.to_bits();
        let grid = HexGrid::new(shapes::hexagon(Hex::new(3, 2), 3), layout.clone()).unwrap();
        let moves: Vec<_> = nodes(&grid).flat_map(|node| grid.moves(node)).collect();
        for m in &moves {
            let [a, b] = [m.from, m.to].map(|node| grid.position(node));
            assert_relative_eq!(m.length, (b[0] - a[0]).hypot(b[1] - a[1]), max_relative = 1e-5);
            assert_eq!((m.cost, a[2].to_bits()), (1000, 0));
        }
        assert!(!is_regular || moves.iter().all(|m| m.length.to_bits() == moves[0].length.to_bits()));
        for node in nodes(&grid) {
            let hex = grid.hex(node).unwrap();
            let position = layout.hex_to_world_pos(hex);
            assert_eq!(grid.position(node), [position.x, position.y, 0.0]);
            for (corner, expected) in grid.corners(node).into_iter().zip(layout.hex_corners(hex)) {
                assert!(
                    relative_eq!(corner[..], expected.to_array()[..], epsilon = 1e-4),
                    "{corner:?}, not {expected:?}"
                );
            }
        }
    }
    // As long as a step on a square grid.
    let small = HexLayout::pointy().with_hex_size(1.0 / 3.0_f32.sqrt());
    let grid = HexGrid::new(shapes::hexagon(Hex::ZERO, 1), small).unwrap();
    assert_relative_eq!(grid.moves(NodeId(3)).next().unwrap().length, 1.0);
    assert_eq!(CommonTicks::new().points(&grid).fewest(), Ok(1));
}

#[test]
fn terrain_costs_and_slows() {
    let grid = HexGrid::new(shapes::hexagon(Hex::ZERO, 1), HexLayout::pointy()).unwrap();
    assert_eq!(grid.facts().uniform_cost, Some(1000));
    let last = grid.revision();
    let grid = grid.with_terrain(|hex| if hex == Hex::X { 3 } else { 1 }).unwrap();
    let grid = grid.with_slowness(|hex| if hex == Hex::Y { 2.5 } else { 1.0 }).unwrap();
    assert!(grid.revision() > last && grid.facts().uniform_cost.is_none());
    let center = grid.node(Hex::ZERO).unwrap();
    let costs: Vec<_> = grid.moves(center).map(|m| m.cost).collect();
    assert_eq!(costs, [3000, 1000, 1000, 1000, 1000, 1000]);
    let plain = grid.moves(center).next().unwrap().length;
    assert_relative_eq!(grid.moves(center).nth(1).unwrap().length, plain * 2.5);
    assert_eq!(grid.surface(grid.node(Hex::X).unwrap()), Surface::new(3, 1.0).unwrap());
}

#[test]
fn what_is_no_grid_is_an_error_that_says_why() {
    let grid = |layout| HexGrid::new([Hex::ZERO], layout);
    assert_eq!(
        HexGrid::new([], HexLayout::flat()).unwrap_err(),
        SpaceError::Empty { needs: "a grid needs at least one hex" }
    );
    for scale in [0.0, f32::NAN, f32::INFINITY, 1e7] {
        let refused = grid(HexLayout::flat().with_hex_size(scale)).unwrap_err();
        assert!(matches!(refused, SpaceError::Layout { .. }), "{refused}");
    }
    assert!(grid(HexLayout::flat().with_origin(Vec2::new(0.0, f32::NAN))).is_err());
    for far in [Hex::new(i32::MAX, 0), Hex::new(0, i32::MIN), Hex::new(200_000, 200_000)] {
        let refused = HexGrid::new([far], HexLayout::flat()).unwrap_err();
        assert_eq!(refused, SpaceError::FarHex { hex: [far.x, far.y] });
    }
    let walled = grid(HexLayout::flat()).unwrap().with_walls(|_| true);
    assert!(walled.clone().with_terrain(|_| 0).is_ok(), "what a wall weighs does not matter");
    let open = grid(HexLayout::flat()).unwrap();
    let error = open.clone().with_terrain(|_| 0).unwrap_err();
    assert_eq!(error.to_string(), "the weight 0 of hex (0, 0) is not between 1 and 1000");
    let error = open.with_slowness(|_| 0.0).unwrap_err();
    assert_eq!(error.to_string(), "the slowness 0 of hex (0, 0) is not between 0.01 and 100");
}

/// Points of a hexagon that is `part` of the one of `node` in size, inside and on its edge.
fn samples(grid: &HexGrid, node: NodeId, part: f32) -> Vec<[f32; 3]> {
    let [x, y, _] = grid.position(node);
    let corners = grid.corners(node);
    let mut points = vec![[x, y, 0.0]];
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        for out in 1..=20_u8 {
            for along in 0..20_u8 {
                let [out, along] = [f32::from(out) / 20.0 * part, f32::from(along) / 20.0];
                let at = |axis: usize, middle: f32| middle + (a[axis] + (b[axis] - a[axis]) * along - middle) * out;
                points.push([at(0, x), at(1, y), 0.0]);
            }
        }
    }
    points
}

/// An area covers the hexagons that it meets, and not only their centres; what it covers is what has become of each hex
/// alone.
#[test]
fn areas_cover_the_hexagons_that_they_meet() {
    let mut covered = [0; 2];
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let layout = random.choose(&[0, 1, 2, 3]);
        let fresh = ragged(&mut random, layouts()[layout].clone());
        let mut grid = fresh.clone();
        let mut fates = vec![Fate::Open; grid.node_bound()];
        let mut surfaces = vec![Surface::PLAIN; grid.node_bound()];
        for _ in 0..6 {
            let (area, change) = (random.area([-6.0, -6.0], [12.0, 6.0]), any_change(&mut random));
            let before = (fates.clone(), surfaces.clone());
            for node in nodes(&grid) {
                let is_inside = grid.is_inside(node, &area);
                if samples(&grid, node, 0.999).iter().any(|point| area.contains(*point)) {
                    assert!(is_inside, "seed {seed}: {node:?} {area:?}");
                }
                if is_inside {
                    assert!(
                        samples(&grid, node, 1.06).iter().any(|point| area.contains(*point)),
                        "seed {seed}: {node:?}"
                    );
                    covered[usize::from(area.contains(grid.position(node)))] += 1;
                }
                if is_inside {
                    fates[node.index()] = fates[node.index()].after(change);
                }
                if let Change::Surface(surface) = change
                    && area.contains(grid.position(node))
                {
                    surfaces[node.index()] = surface;
                }
            }
            let revision = grid.revision();
            let changed = grid.change(&area, change);
            assert_eq!(changed, before != (fates.clone(), surfaces.clone()), "seed {seed}");
            assert_eq!(changed, grid.revision() > revision);
            is_inverted(&grid);
            for node in nodes(&grid) {
                assert_eq!(grid.contains(node), fates[node.index()] == Fate::Open);
                let expected =
                    fresh.moves(node).filter(|m| fates[m.from.index()].leads(fates[m.to.index()])).map(|mut m| {
                        let surface = surfaces[m.to.index()];
                        (m.cost, m.length) = (m.cost * surface.weight(), m.length * surface.slowness());
                        m
                    });
                assert_eq!(grid.moves(node).collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "seed {seed}");
            }
        }
    }
    assert!(covered.iter().all(|count| *count > 500), "{covered:?}: without and with the centre");
}

#[test]
fn a_hex_closes_and_opens_by_name() {
    let mut grid = HexGrid::new(shapes::hexagon(Hex::ZERO, 1), HexLayout::pointy()).unwrap();
    assert!(grid.set_passable(Hex::X, false) && !grid.set_passable(Hex::X, false) && !grid.is_passable(Hex::X));
    assert!(!grid.set_passable(Hex::new(5, 5), false) && !grid.set_open(NodeId(7), true));
    assert_eq!(grid.moves(grid.node(Hex::ZERO).unwrap()).count(), 5);
    assert!(grid.set_open(grid.node(Hex::X).unwrap(), true) && grid.is_passable(Hex::X));
}

#[test]
fn points_live_on_hexes() {
    let area = |random: &mut Random| random.area([-6.0, -6.0], [12.0, 6.0]);
    points_live(0..30, |random| ragged(random, HexLayout::pointy()), area);
}

#[test]
fn discs_live_on_hexes() {
    let ground = Ground::new([-9.0, -13.0], [24.0, 24.0], 0.4).unwrap();
    let area = |random: &mut Random| random.area([-6.0, -6.0], [12.0, 6.0]);
    discs_live(0..20, (ground, BodyChecker::new()), |random| ragged(random, HexLayout::flat()), area);
    // A disc as wide as a hex meets the hexes beside its own: it does not fit beside walls.
    let walled = Arc::new(ragged(&mut Random::new(3), HexLayout::flat()).with_walls(|hex| hex.x == 2));
    let wide = Body::disc(0.95).unwrap();
    let ticks = CommonTicks::new().of([&wide], &walled).fewest().unwrap();
    let (mut space, _) = wide.on(&walled, ground, ticks).unwrap();
    let (before, walls) = (nodes(&space).filter(|node| space.contains(*node)).count(), walled.walls().unwrap());
    assert!(nodes(&*walled).all(|node| walls.contains(walled.position(node)) != walled.contains(node)));
    assert!(space.change(&walls, Change::Close));
    let after = nodes(&space).filter(|node| space.contains(*node)).count();
    assert!(0 < after && after < before, "{after} of {before}");
    assert!(ragged(&mut Random::new(3), HexLayout::flat()).walls().is_none());
    // How many ticks a plain step has to take.
    let grid = HexGrid::new(shapes::hexagon(Hex::ZERO, 2), HexLayout::pointy()).unwrap();
    let body = Body::disc(0.85).unwrap();
    // Steps of 1.732 take 19 ticks.
    assert_eq!(CommonTicks::new().of([&body], &Arc::new(grid)).fewest().unwrap(), 11);
}

#[test]
fn a_wall_across_a_whole_map_is_found_at_once() {
    // Areas far away, and areas that cover all.
    let mut grid = HexGrid::new(shapes::hexagon(Hex::ZERO, 40), HexLayout::flat()).unwrap();
    for far in [1e9_f32, -1e9] {
        assert!(!grid.change(&Area::disc([far, far], 5.0).unwrap(), Change::Close));
    }
    assert!(grid.change(&Area::rectangle([-1e9, -1e9], [1e9, 1e9]).unwrap(), Change::Close));
    assert!(nodes(&grid).all(|node| !grid.contains(node)));
}
