//! After each edit every ready-made space names all nodes that have changed, and after an edit of one node few others.

use giveway_core::{Area, Change, Editable, Edits, NodeId, Surface};
use giveway_spaces::{
    Connectivity, CornerCutting, Direction, Floors, FnSpace, Grid, HexGrid, Link, Linked, Robots, Voxels,
};
use hexx::{HexLayout, hex};
use proptest::prelude::*;

/// An edit: of a node, or of an area.
#[derive(Clone, Debug)]
enum Edit {
    Open(usize, bool),
    Area([u32; 4], u8),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let node = (any::<prop::sample::Index>(), any::<bool>()).prop_map(|(at, open)| Edit::Open(at.index(1000), open));
    let area =
        (0_u32..8, 0_u32..8, 1_u32..4, 1_u32..4, 0_u8..5).prop_map(|(x, y, w, h, c)| Edit::Area([x, y, w, h], c));
    prop::collection::vec(prop_oneof![2 => node, 1 => area], 1..40)
}

/// Carries `edits` out one by one, and checks what the space tells of each edit, and of the last few together.
fn tell<S: Editable + Clone>(space: S, edits: &[Edit]) -> Result<(), TestCaseError> {
    let mut versions = vec![space];
    for edit in edits {
        let mut space = versions[versions.len() - 1].clone();
        let before = space.revision();
        let changed = match edit {
            Edit::Open(at, open) => {
                let node = NodeId(u32::try_from(at % space.node_bound()).unwrap());
                space.set_open(node, *open)
            }
            Edit::Area([x, y, across, down], change) => {
                let swamp = Surface::new(2, 1.5).unwrap();
                let changes = [Change::Close, Change::Open, Change::Vacate, Change::Seal, Change::Surface(swamp)];
                space.change(&Area::cells(*x, *y, *across, *down).unwrap(), changes[usize::from(*change)])
            }
        };
        prop_assert_eq!(changed, space.revision() > before);
        if let Edit::Open(..) = edit {
            prop_assert!(matches!(space.edits_since(before), Edits::Nodes(nodes) if nodes.len() < 100));
        }
        prop_assert_eq!(space.edits_since(space.revision()), Edits::Nodes(&[]));
        for old in versions.iter().rev().take(4) {
            let told = giveway_conformance::edits(old, &space);
            prop_assert!(told.is_ok(), "{:?} after {:?}", told, edit);
        }
        versions.push(space);
    }
    Ok(())
}

fn grid(connectivity: Connectivity, corners: CornerCutting) -> Grid {
    let grid = Grid::from_fn(9, 8, |x, y| (x * 5 + y * 3) % 7 != 0).unwrap();
    grid.with_connectivity(connectivity).with_corner_cutting(corners)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn spaces_tell_what_has_changed(edits in edits()) {
        for corners in [CornerCutting::Never, CornerCutting::OneFree, CornerCutting::Always] {
            tell(grid(Connectivity::Eight, corners), &edits)?;
        }
        let four = || grid(Connectivity::Four, CornerCutting::Never);
        tell(four(), &edits)?;
        tell(Robots::new(four()), &edits)?;
        let way = |x, y| Direction::ALL.get((x * 3 + y * 5) as usize % 11).copied();
        tell(four().with_one_ways(way), &edits)?;
        tell(grid(Connectivity::Eight, CornerCutting::OneFree).with_one_ways(way), &edits)?;
        tell(Robots::new(four().with_one_ways(way)), &edits)?;
        tell(Floors::new([four(), four().at_height(3.0).unwrap()]).unwrap(), &edits)?;
        let link = |from, to| Link::new(NodeId(from), NodeId(to), 3000, 3.0).places(2);
        tell(Linked::new(four(), vec![link(1, 40).both_ways(), link(12, 60)]).unwrap(), &edits)?;
        let hexes = (0..60).map(|index| hex(index % 8, index / 8));
        tell(HexGrid::new(hexes, HexLayout::flat().with_hex_size(0.7)).unwrap(), &edits)?;
        tell(Voxels::flying([5, 5, 3], |_, _, _| true).unwrap(), &edits)?;
        tell(Voxels::walking([6, 6, 4], |x, y, z| z == 0 || (z == 1 && (x + y) % 3 == 0), 2, 1).unwrap(), &edits)?;
        let ring = FnSpace::new(50, |place| [((place + 1) % 50, 1000), ((place + 7) % 50, 5000)]);
        #[allow(clippy::cast_precision_loss)]
        tell(ring.and_then(|ring| ring.with_positions(|place| [(place % 8) as f32, (place / 8) as f32, 0.0])).unwrap(), &edits)?;
    }
}
