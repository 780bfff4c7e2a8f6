//! The spaces of bodies name all nodes that an edit has changed, and offer afterwards what is free of walls.

use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::{
    Area, Change, Editable, Embedding, Footprint, Gate, Motion, MotionIn, Move, NodeId, SpaceGraph, Trajectory,
};
use giveway_spaces::{Facing, FnSpace, Grid, Positions};
use proptest::prelude::*;

/// Closes and opens nodes and areas, and checks what `space` tells of it.
fn tell<S: Editable + Clone>(mut space: S) {
    let changes = [Change::Close, Change::Vacate, Change::Open, Change::Vacate, Change::Seal, Change::Open];
    let mut changed = 0;
    for round in 0..60_u32 {
        let before = space.clone();
        let bound = u32::try_from(space.node_bound()).unwrap();
        if round % 3 == 0 {
            let area = Area::cells(round * 5 % 9, round * 7 % 8, 1 + round % 3, 2).unwrap();
            changed += u32::from(space.change(&area, changes[(round / 3) as usize % changes.len()]));
        } else {
            changed += u32::from(space.set_open(NodeId(round * 37 % bound), round % 3 == 2));
        }
        assert_eq!(giveway_conformance::edits(&before, &space), Ok(()), "round {round}");
    }
    assert!(changed > 15, "{changed}");
}

#[test]
fn spaces_of_bodies_tell_what_has_changed() {
    let grid = Grid::open(12, 10).unwrap();
    let ground = || Ground::from_grid(&grid);
    let body = Body::disc(0.8).unwrap();
    tell(body.on(&grid, ground(), 4).unwrap().0);
    let primitives = Primitives::straight(Headings::Eight, 1).unwrap().arcs(2.0).unwrap();
    let vehicle = Vehicle::new(Body::rectangle(1.2, 0.6).unwrap(), primitives);
    let ticks = CommonTicks::new().of([&vehicle], &grid).fewest().unwrap();
    tell(vehicle.on(&grid, ground(), ticks).unwrap().0);
    let street = FnSpace::new(9, |place| (place < 8).then_some((place + 1, 1000)));
    #[allow(clippy::cast_precision_loss)]
    let street = street.and_then(|street| street.with_positions(|place| [place as f32 + 1.0, 4.0, 0.0])).unwrap();
    tell(body.on(&Arc::new(street), ground(), 4).unwrap().0);
}

type Places = FnSpace<u32, Positions>;

/// Moves there and back between places near each other in the list, some of which are jumps.
#[derive(Debug)]
struct Jumps(Places);

impl SpaceGraph for Jumps {
    type Action = <Places as SpaceGraph>::Action;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.0.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Self::Action, u32>> {
        self.0.moves(from)
    }
}

impl Embedding for Jumps {
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.0.position(node)
    }

    fn trajectory(&self, m: &Move<Self::Action, u32>) -> Option<&Trajectory> {
        static JUMP: Trajectory = Trajectory::JUMP;
        (m.from.0 + m.to.0).is_multiple_of(3).then_some(&JUMP)
    }
}

/// A ground of 16 x 12 world units on two levels.
#[derive(Clone, Copy)]
struct Raster {
    cell: f32,
    columns: u32,
    rows: u32,
}

const LEVELS: [[f64; 2]; 2] = [[f64::NEG_INFINITY, 2.0 - 1e-6], [2.0, f64::INFINITY]];

impl Raster {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers
    fn new(cell: f32) -> Self {
        let [columns, rows] = [16.0, 12.0].map(|side: f32| (side / cell).ceil() as u32);
        Self { cell, columns, rows }
    }

    fn ground(self) -> Ground {
        Ground::new([0.0, 0.0], [16.0, 12.0], self.cell).unwrap().levels(-1.0, 3.0, 2).unwrap()
    }

    /// Applies `change` to the cells that `area` meets.
    fn change(self, gates: &mut [Gate], area: &Area, change: Change) {
        let count = self.columns * self.rows;
        for (level, heights) in (0..).zip(LEVELS) {
            area.for_each_square(heights, [0.0, 0.0], self.cell.into(), [self.columns, self.rows], |column, row| {
                let gate = &mut gates[(level * count + row * self.columns + column) as usize];
                *gate = gate.after(change);
            });
        }
    }
}

/// After each of `changes` the part of `space` for `body` offers what was offered without walls, as far as the walls
/// allow that are met.
fn offers_what_is_free<S: Embedding>(
    body: &Body,
    space: &Arc<S>,
    raster: Raster,
    changes: &[(Area, Change)],
) -> Result<(), TestCaseError> {
    let Ok((whole, footprint)) = body.on(space, raster.ground(), 100) else { return Ok(()) };
    let mut gates = vec![Gate::Open; 2 * (raster.columns * raster.rows) as usize];
    let gate = |gates: &[Gate], motion: MotionIn<S>| {
        let met = footprint.entries(&whole, &motion, 0);
        let met: Vec<Gate> = met.into_iter().map(|entry| gates[entry.cell.index()]).collect();
        let worst = [Gate::Closed, Gate::Vacated].into_iter().find(|gate| met.contains(gate));
        worst.unwrap_or_default()
    };
    let mut edited = whole.clone();
    for (area, change) in changes {
        let before = edited.clone();
        let changed = edited.change(area, *change);
        let gates_before = gates.clone();
        raster.change(&mut gates, area, *change);
        prop_assert_eq!(changed, gates != gates_before);
        prop_assert_eq!(giveway_conformance::edits(&before, &edited), Ok(()));
        let rests = NodeId::below(whole.node_bound()).map(|node| match whole.contains(node) {
            true => gate(&gates, Motion::Rest { node, ticks: 1 }),
            false => Gate::Closed,
        });
        let rests: Vec<Gate> = rests.collect();
        for node in NodeId::below(whole.node_bound()) {
            let from = rests[node.index()];
            prop_assert_eq!(edited.contains(node), from == Gate::Open, "{:?}", node);
            let is_free =
                |m: &Move<_, _>| from.leads_to(rests[m.to.index()]) && from.leads_to(gate(&gates, Motion::Move(*m)));
            let expected: Vec<_> = whole.moves(node).filter(is_free).collect();
            prop_assert_eq!(edited.moves(node).collect::<Vec<_>>(), expected, "{:?}", node);
        }
    }
    Ok(())
}

fn any_area() -> impl Strategy<Value = Area> {
    let (corner, heights) = ([0.0_f32..15.0, 0.0_f32..11.0], prop::option::of((0.0_f32..3.0, 0.0_f32..2.0)));
    let area = prop_oneof![
        (corner.clone(), 0.1_f32..1.5).prop_map(|(center, radius)| Area::disc(center, radius)),
        (corner, 0.1_f32..2.5, 0.1_f32..1.0)
            .prop_map(|([x, y], across, down)| Area::rectangle([x, y], [x + across, y + down])),
    ];
    (area, heights).prop_map(|(area, heights)| {
        let area = area.unwrap();
        heights.map_or(area.clone(), |(low, high)| area.heights(low, low + high).unwrap())
    })
}

fn any_change() -> impl Strategy<Value = Change> {
    prop::sample::select(vec![Change::Close, Change::Close, Change::Vacate, Change::Seal, Change::Open])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn an_edit_gives_what_is_found_from_scratch(
        at in prop::collection::vec(([1.0_f32..15.0, 1.0_f32..11.0], any::<bool>()), 4..14),
        size in [0.2_f32..1.6, 0.2_f32..1.6], kind in 0..5, cell in prop::sample::select(vec![0.25_f32, 0.4, 1.0]),
        changes in prop::collection::vec((any_area(), any_change()), 1..9),
    ) {
        let raster = Raster::new(cell);
        let body = if kind % 2 == 0 { Body::disc(size[0] / 2.0) } else { Body::rectangle(size[0], size[1]) }.unwrap();
        let count = u32::try_from(at.len()).unwrap();
        let near = |node: u32| [1, 3].into_iter().flat_map(move |by| [node.wrapping_sub(by), node + by]);
        let next = |node: u32| near(node).filter(|to| *to < count).map(|to| (to, 1000)).collect::<Vec<_>>();
        let place = |node: u32| {
            let ([x, y], is_up) = at[node as usize];
            [x, y, if is_up { 3.0 } else { 0.0 }]
        };
        let places = FnSpace::new(count, next).unwrap().with_positions(place).unwrap().with_lengths(|_| 20.0).unwrap();
        match kind {
            0 | 1 => offers_what_is_free(&body, &Arc::new(places), raster, &changes)?,
            2 | 3 => offers_what_is_free(&body, &Arc::new(Jumps(places)), raster, &changes)?,
            _ => {
                let facing = Facing::new(Arc::new(places), 20.0).unwrap();
                offers_what_is_free(&Body::rectangle(size[0], size[1]).unwrap(), &Arc::new(facing), raster, &changes)?;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    /// Vehicles drive along curves.
    #[test]
    fn an_edit_of_curved_ways_gives_what_is_found_from_scratch(
        size in [0.3_f32..1.6, 0.3_f32..0.9], changes in prop::collection::vec((any_area(), any_change()), 1..4),
    ) {
        let grid = Grid::open(6, 5).unwrap();
        let primitives = Primitives::straight(Headings::Eight, 1).unwrap().arcs(1.5).unwrap().pivoting(2.0).unwrap();
        let body = Body::rectangle(size[0], size[1]).unwrap();
        let vehicle = Vehicle::new(body.clone(), primitives);
        let (lattice, _) = vehicle.on(&grid, Ground::from_grid(&grid), 100).unwrap();
        offers_what_is_free(&body, &Arc::new(lattice), Raster::new(0.5), &changes)?;
    }
}
