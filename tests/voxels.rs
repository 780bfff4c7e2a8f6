//! Voxels: against the plain words of their contract, with blocks and areas that change, and crowds.

use giveway_bodies::Ground;
use giveway_check::BodyChecker;
use giveway_core::{Area, Change, Editable, Embedding, Move, NodeId, Point, SpaceGraph, Surface};
use giveway_spaces::{SpaceError, VoxelStep, Voxels};

use crate::living::{Fate, Random, any_change, discs_live, is_inverted, nodes, points_live};

/// A world of blocks by the plain words: which cells are solid.
#[derive(Clone, Debug)]
struct Blocks {
    size: [u32; 3],
    solid: Vec<bool>,
}

impl Blocks {
    /// Hills, some of them hollow, or chaos.
    fn random(random: &mut Random) -> Self {
        let size = [6, 5, 7];
        let hilly = random.below(2) == 0;
        let mut solid = Vec::new();
        let heights: Vec<u32> = (0..30).map(|_| u32::try_from(random.below(4)).unwrap()).collect();
        for z in 0..size[2] {
            for column in 0..size[0] * size[1] {
                let filled = if hilly { z <= heights[column as usize] } else { random.below(3) == 0 };
                solid.push(filled && random.below(12) > 0);
            }
        }
        Self { size, solid }
    }

    fn at(&self, [x, y, z]: [i64; 3]) -> Option<usize> {
        let [across, down, up] = self.size.map(i64::from);
        let inside = (0..across).contains(&x) && (0..down).contains(&y) && (0..up).contains(&z);
        inside.then(|| usize::try_from((z * down + y) * across + x).unwrap())
    }

    fn is_solid(&self, cell: [i64; 3]) -> bool {
        self.at(cell).is_some_and(|cell| self.solid[cell])
    }

    fn cells(&self) -> impl Iterator<Item = [i64; 3]> + use<> {
        let [across, down, up] = self.size.map(i64::from);
        (0..up).flat_map(move |z| (0..down).flat_map(move |y| (0..across).map(move |x| [x, y, z])))
    }

    /// Whether a unit that needs `height` cells can stand there.
    fn stands(&self, [x, y, z]: [i64; 3], height: i64) -> bool {
        self.at([x, y, z]).is_some()
            && self.is_solid([x, y, z - 1])
            && (0..height).all(|above| !self.is_solid([x, y, z + above]))
    }

    /// Whether a step leads from the one to the other.
    fn walks(&self, from: [i64; 3], to: [i64; 3], height: i64, step: i64) -> bool {
        let [low, high] = if from[2] <= to[2] { [from, to] } else { [to, from] };
        let aside = (from[0] - to[0]).abs() + (from[1] - to[1]).abs();
        let clear = (low[2]..high[2] + height).all(|z| !self.is_solid([low[0], low[1], z]));
        let stands = self.stands(from, height) && self.stands(to, height);
        aside == 1 && high[2] - low[2] <= step && stands && clear
    }

    fn flies(&self, from: [i64; 3], to: [i64; 3]) -> bool {
        let far: i64 = (0..3).map(|axis| (from[axis] - to[axis]).abs()).sum();
        far == 1 && [from, to].into_iter().all(|cell| self.at(cell).is_some() && !self.is_solid(cell))
    }

    fn solid(&self) -> impl Fn(u32, u32, u32) -> bool + '_ {
        |x, y, z| self.is_solid([x, y, z].map(i64::from))
    }

    fn walking(&self, height: u32, step: u32) -> Voxels {
        Voxels::walking(self.size, self.solid(), height, step).unwrap()
    }

    fn flying(&self) -> Voxels {
        Voxels::flying(self.size, |x, y, z| !self.solid()(x, y, z)).unwrap()
    }
}

/// The moves of a space, as pairs of cells.
fn ways(space: &Voxels) -> Vec<[[i64; 3]; 2]> {
    let cell = |node| space.xyz(node).map(i64::from);
    let mut ways: Vec<_> =
        nodes(space).flat_map(|node| space.moves(node)).map(|m| [cell(m.from), cell(m.to)]).collect();
    ways.sort_unstable();
    ways
}

fn pairs(blocks: &Blocks, leads: impl Fn([i64; 3], [i64; 3]) -> bool) -> Vec<[[i64; 3]; 2]> {
    let leads = &leads;
    let mut pairs: Vec<_> = blocks
        .cells()
        .flat_map(|from| blocks.cells().filter(move |to| leads(from, *to)).map(move |to| [from, to]))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Walking and flying follow the written rules, before and after blocks are placed and broken.
#[test]
fn moves_are_those_of_the_plain_words() {
    let mut climbs = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut blocks = Blocks::random(&mut random);
        let height = u32::try_from(random.below(3) + 1).unwrap();
        let step = u32::try_from(random.below(4)).unwrap();
        let (mut walking, mut flying) = (blocks.walking(height, step), blocks.flying());
        for _ in 0..3 {
            let expected = pairs(&blocks, |from, to| blocks.walks(from, to, height.into(), step.into()));
            assert_eq!(ways(&walking), expected, "seed {seed}, {height} high, steps of {step}");
            climbs += expected.iter().filter(|[from, to]| from[2] != to[2]).count();
            assert_eq!(ways(&flying), pairs(&blocks, |from, to| blocks.flies(from, to)), "seed {seed}");
            for (space, is_place) in [
                (&walking, &(|cell| blocks.stands(cell, height.into())) as &dyn Fn([i64; 3]) -> bool),
                (&flying, &|cell| !blocks.is_solid(cell)),
            ] {
                for node in nodes(space) {
                    assert_eq!(space.contains(node), is_place(space.xyz(node).map(i64::from)), "seed {seed}");
                }
                is_inverted(space);
            }
            for _ in 0..10 {
                let cell = [6, 5, 7].map(|side| u32::try_from(random.below(side)).unwrap());
                let (filled, solid) = (blocks.at(cell.map(i64::from)).unwrap(), random.below(2) == 0);
                let changes = blocks.solid[filled] != solid;
                blocks.solid[filled] = solid;
                let revision = walking.revision();
                assert_eq!([walking.set_solid(cell, solid), flying.set_solid(cell, solid)], [changes; 2]);
                assert_eq!((walking.is_solid(cell), walking.revision() > revision), (solid, changes));
            }
        }
    }
    assert!(climbs > 1000, "{climbs}");
}

#[test]
fn voxels_conform_with_all_that_is_in_them() {
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let blocks = Blocks::random(&mut random);
        for mut space in [blocks.flying(), blocks.walking(1, 0), blocks.walking(2, 1), blocks.walking(1, 3)] {
            for change in [Change::Close, Change::Surface(Surface::new(3, 2.0).unwrap()), Change::Open] {
                giveway_conformance::space_graph(&space).unwrap();
                giveway_conformance::embedding(&space).unwrap();
                for point in [Point::swap_rule(&space), Point::following_rule(&space)] {
                    giveway_conformance::footprint(&space, &point).unwrap();
                }
                space.change(&random.area([0.0, 0.0], [5.0, 4.0]), change);
            }
        }
    }
}

#[test]
fn steps_have_a_length_a_cost_and_an_order() {
    let air = Voxels::flying([3, 3, 3], |_, _, _| true).unwrap();
    assert_eq!((air.facts().uniform_cost, air.size()), (Some(1000), [3, 3, 3]));
    let center = air.node([1, 1, 1]).unwrap();
    assert_eq!((center, air.xyz(center), air.position(center)), (NodeId(13), [1, 1, 1], [1.0, 1.0, 1.0]));
    let by: Vec<_> = air.moves(center).map(|m| (m.action.by, m.cost, m.length.to_bits())).collect();
    let one = 1.0_f32.to_bits();
    let sides = [[0, -1, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]];
    assert_eq!(by, sides.map(|by| (by, 1000, one)));
    // Three places above each other to the east. The roof over the lowest is in the way.
    let world = Voxels::walking([2, 1, 6], |x, _, z| x == 0 && z == 2 || x == 1 && z % 2 == 0 || z == 0, 1, 2).unwrap();
    let to: Vec<_> =
        world.moves(world.node([0, 0, 3]).unwrap()).map(|m| (m.action.by, m.cost, m.length.to_bits())).collect();
    assert_eq!(to, [([1, 0, 0], 1000, one), ([1, 0, 2], 2236, 5.0_f32.sqrt().to_bits())]);
    assert_eq!((world.facts().uniform_cost, world.node([2, 0, 0])), (None, None));
}

/// A unit two cells high, and a step of one, under a low ceiling.
#[test]
fn who_climbs_needs_room_above_the_lower_place() {
    let world = |ceiling: u32| {
        Voxels::walking([2, 1, 6], |x, _, z| z == 0 || x == 1 && z == 1 || x == 0 && z == ceiling, 2, 1).unwrap()
    };
    let climbs = |space: &Voxels| space.moves(space.node([0, 0, 1]).unwrap()).count();
    assert_eq!([climbs(&world(3)), climbs(&world(4))], [0, 1]);
    assert!(world(3).contains(world(3).node([0, 0, 1]).unwrap()), "it can stand there");
    // Above the box all is free, and below it there is no ground.
    let flat = Voxels::walking([2, 1, 1], |_, _, _| false, 3, 1).unwrap();
    assert!(nodes(&flat).all(|node| !flat.contains(node)));
    let roof = Voxels::walking([2, 1, 2], |_, _, z| z == 0, 3, 1).unwrap();
    assert_eq!(nodes(&roof).filter(|node| roof.contains(*node)).count(), 2);
}

/// Moves share a crossing if one is the way back of the other, and only then.
#[test]
fn crossings_are_those_of_a_way_and_its_way_back() {
    let mut random = Random::new(4);
    let blocks = Blocks::random(&mut random);
    for space in [blocks.flying(), blocks.walking(1, 3)] {
        let moves: Vec<Move<VoxelStep, u32>> = nodes(&space).flat_map(|node| space.moves(node)).collect();
        let crossing = |m: &Move<VoxelStep, u32>| space.crossing(m).unwrap();
        for one in &moves {
            assert!((crossing(one) as usize) < space.facts().crossing_bound);
            let ends = |m: &Move<VoxelStep, u32>| (m.from.min(m.to), m.from.max(m.to));
            for other in &moves {
                assert_eq!(crossing(one) == crossing(other), ends(one) == ends(other), "{one:?}, {other:?}");
            }
        }
    }
    let foreign = Move { from: NodeId(0), to: NodeId(1), action: VoxelStep { by: [2, 0, 0] }, cost: 1, length: 1.0 };
    assert_eq!(blocks.flying().crossing(&foreign), None);
    let wild = Move { action: VoxelStep { by: [i32::MIN, 0, i32::MAX] }, ..foreign };
    assert_eq!(blocks.walking(1, 2).crossing(&wild), None);
}

#[test]
fn terrain_costs_and_slows() {
    let air = Voxels::flying([3, 1, 2], |x, _, z| (x, z) != (2, 1)).unwrap();
    let air = air.with_terrain(|x, _, z| if (x, z) == (1, 0) { 3 } else { u32::from((x, z) != (2, 1)) }).unwrap();
    let air = air.with_slowness(|x, _, z| if (x, z) == (0, 1) { 2.5 } else { 1.0 }).unwrap();
    let told = |x, z| air.moves(air.node([x, 0, z]).unwrap()).map(|m| (m.cost, m.length.to_bits())).collect::<Vec<_>>();
    assert_eq!(told(0, 0), [(3000, 1.0_f32.to_bits()), (1000, 2.5_f32.to_bits())]);
    assert_eq!(air.facts().uniform_cost, None);
    let error = air.clone().with_terrain(|_, _, _| 0).unwrap_err();
    assert_eq!(error.to_string(), "the weight 0 of cell (0, 0, 0) is not between 1 and 1000");
    let error = air.with_slowness(|_, _, _| 0.0).unwrap_err();
    assert_eq!(error.to_string(), "the slowness 0 of cell (0, 0, 0) is not between 0.01 and 100");
}

#[test]
fn what_is_no_box_is_refused() {
    let air = |size| Voxels::flying(size, |_, _, _| true).unwrap_err();
    assert!(matches!(air([0, 1, 1]), SpaceError::Empty { .. }));
    for size in [[1 << 10, 1 << 10, 1 << 10], [u32::MAX; 3]] {
        assert_eq!(air(size), SpaceError::BoxTooLarge { size });
    }
    assert!(matches!(Voxels::walking([2, 2, 2], |_, _, _| true, 0, 1), Err(SpaceError::Empty { .. })));
    // More steps need more ids, and no step is higher than the box.
    assert!(Voxels::walking([1, 1, 100_000], |_, _, _| true, 1, u32::MAX).is_err());
    let tall = Voxels::walking([2, 2, 50], |_, _, _| true, u32::MAX, u32::MAX).unwrap();
    assert_eq!(nodes(&tall).flat_map(|node| tall.moves(node)).count(), 0);
    assert!(!tall.clone().set_solid([2, 0, 0], false) && !tall.is_solid([2, 0, 0]));
}

/// An area covers cells as on a grid, at the heights of their middles; what has become of each cell is told by the
/// areas one after the other.
#[test]
fn areas_cover_cells_at_their_heights() {
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let blocks = Blocks::random(&mut random);
        let fresh =
            if seed % 2 == 0 { blocks.walking(1, 1) } else { Voxels::flying([6, 5, 7], |_, _, _| true).unwrap() };
        let mut space = fresh.clone();
        let mut fates = vec![Fate::Open; space.node_bound()];
        for _ in 0..6 {
            let low = random.between(-1.0, 6.0);
            let area = random.area([-1.0, -1.0], [6.0, 5.0]).heights(low, low + random.between(0.0, 3.0)).unwrap();
            let change = any_change(&mut random);
            let before = fates.clone();
            for node in nodes(&space) {
                let [x, y, z] = space.position(node);
                let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
                    .map(|[dx, dy]| [f64::from(x) + dx, f64::from(y) + dy]);
                let is_inside = area.meets_polygon(&corners, [z.into(); 2]);
                assert_eq!(space.is_inside(node, &area), is_inside, "seed {seed}");
                if is_inside && fresh.contains(node) {
                    fates[node.index()] = fates[node.index()].after(change);
                }
            }
            let changed = space.change(&area, change);
            assert!(matches!(change, Change::Surface(_)) || changed == (before != fates), "seed {seed}");
            is_inverted(&space);
            for node in nodes(&space) {
                assert_eq!(space.contains(node), fresh.contains(node) && fates[node.index()] == Fate::Open);
                let leads = |m: &Move<VoxelStep, u32>| fates[m.from.index()].leads(fates[m.to.index()]);
                let expected: Vec<_> = fresh.moves(node).filter(leads).map(|m| m.to).collect();
                assert_eq!(space.moves(node).map(|m| m.to).collect::<Vec<_>>(), expected, "seed {seed}");
            }
        }
    }
}

#[test]
fn what_flies_may_have_cells_emptied_by_name() {
    let mut air = Voxels::flying([2, 1, 1], |x, _, _| x == 0).unwrap();
    assert!(air.set_open(NodeId(1), true) && !air.set_open(NodeId(1), true) && !air.is_solid([1, 0, 0]));
    assert_eq!(air.moves(NodeId(0)).count(), 1);
    assert!(air.set_open(NodeId(1), false) && !air.contains(NodeId(1)) && !air.set_open(NodeId(2), true));
    // In a world of blocks, a closed place stays a place where no unit may stand, until the place is another.
    let mut world = Voxels::walking([2, 1, 3], |_, _, z| z == 0, 1, 1).unwrap();
    let place = world.node([1, 0, 1]).unwrap();
    assert!(world.set_open(place, false) && !world.contains(place));
    assert!(world.set_solid([1, 0, 0], false) && world.set_solid([1, 0, 0], true) && world.contains(place));
    assert!(!world.set_open(world.node([1, 0, 0]).unwrap(), true), "a block is no place");
    let area = Area::cells(0, 0, 2, 1).unwrap();
    assert!(world.change(&area, Change::Surface(Surface::new(2, 3.0).unwrap())));
    let m = world.moves(NodeId(2)).next().unwrap();
    assert_eq!((m.cost, m.length.to_bits(), world.facts().uniform_cost), (2000, 3.0_f32.to_bits(), None));
    assert_eq!(world.surface(place), Surface::new(2, 3.0).unwrap());
}

fn voxel_area(random: &mut Random) -> Area {
    let low = random.between(-1.0, 5.0);
    random.area([-1.0, -1.0], [6.0, 5.0]).heights(low, low + 2.0).unwrap()
}

#[test]
fn points_live_among_voxels() {
    points_live(0..20, |_| Voxels::flying([5, 4, 3], |_, _, _| true).unwrap(), voxel_area);
    let hills = |random: &mut Random| {
        let heights: Vec<u32> = (0..48).map(|_| u32::try_from(random.below(3)).unwrap()).collect();
        Voxels::walking([8, 6, 6], move |x, y, z| z <= heights[(y * 8 + x) as usize], 2, 1).unwrap()
    };
    points_live(20..50, hills, voxel_area);
}

#[test]
fn discs_live_among_voxels() {
    let ground = Ground::new([-1.5, -1.5], [9.0, 8.0], 0.5).unwrap().levels(-0.5, 1.0, 7).unwrap();
    let checker = BodyChecker::new().levels(-0.5, 1.0, 7);
    discs_live(0..15, (ground, checker.clone()), |random| Blocks::random(random).flying(), voxel_area);
    let hills = |random: &mut Random| {
        let heights: Vec<u32> = (0..30).map(|_| u32::try_from(random.below(2)).unwrap()).collect();
        Voxels::walking([6, 5, 5], move |x, y, z| z <= heights[(y * 6 + x) as usize], 1, 1).unwrap()
    };
    discs_live(15..30, (ground, checker), hills, voxel_area);
}
