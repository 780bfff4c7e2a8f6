//! The spaces of bodies name all nodes that an edit has changed.

use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::{Area, Change, Editable, NodeId};
use giveway_spaces::{FnSpace, Grid};

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
    tell(body.on(&std::sync::Arc::new(street), ground(), 4).unwrap().0);
}
