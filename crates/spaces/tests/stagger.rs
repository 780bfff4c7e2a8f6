//! Grids of hexagons in offset coordinates, as tile editors make them.

use giveway_core::{Embedding as _, SpaceGraph as _};
use giveway_spaces::{HexGrid, Stagger};
use hexx::Hex;

const ALL: [Stagger; 4] = [Stagger::OddRows, Stagger::EvenRows, Stagger::OddColumns, Stagger::EvenColumns];

/// Where the hexagon of a cell lies if neighbours are 1 apart: every other line is shifted by half a cell, and lines are
/// as far apart as the height of a triangle.
fn place(stagger: Stagger, [x, y]: [u32; 2]) -> [f32; 2] {
    let across = 3.0_f32.sqrt() / 2.0;
    if stagger.is_of_rows() {
        [x as f32 + stagger.halves(y) as f32 / 2.0, y as f32 * across]
    } else {
        [x as f32 * across, y as f32 + stagger.halves(x) as f32 / 2.0]
    }
}

#[test]
fn hexagons_lie_where_an_editor_draws_them_and_neighbours_are_1_apart() {
    let cells: Vec<[u32; 2]> = (0..5).flat_map(|y| (0..6).map(move |x| [x, y])).collect();
    for stagger in ALL {
        let is_wall = |x: u32, y: u32| (x * 7 + y * 3).is_multiple_of(5);
        let grid = HexGrid::staggered(6, 5, stagger, |x, y| !is_wall(x, y)).unwrap();
        assert_eq!(grid.node_bound(), cells.len());
        let node = |cell: [u32; 2]| grid.node(Hex::from(stagger.axial(cell))).unwrap();
        for cell in &cells {
            let ([x, y, _], expected) = (grid.position(node(*cell)), place(stagger, *cell));
            assert!((x - expected[0]).abs() < 1e-5 && (y - expected[1]).abs() < 1e-5, "{stagger:?} {cell:?}");
            assert_eq!(grid.contains(node(*cell)), !is_wall(cell[0], cell[1]), "{stagger:?} {cell:?}");
            let mut found: Vec<u32> = grid.moves(node(*cell)).map(|m| m.to.0).collect();
            let near = cells.iter().filter(|other| {
                let [a, b] = [place(stagger, *cell), place(stagger, **other)];
                let far = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
                (far - 1.0).abs() < 1e-3 && !is_wall(cell[0], cell[1]) && !is_wall(other[0], other[1])
            });
            let mut expected: Vec<u32> = near.map(|other| node(*other).0).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{stagger:?} {cell:?}");
        }
    }
}

#[test]
fn the_first_line_of_a_shifted_map_swaps_the_stagger() {
    for stagger in ALL {
        assert_eq!(stagger.swapped().swapped(), stagger);
        assert_eq!(stagger.swapped().halves(1), -stagger.halves(1));
        assert_eq!((stagger.halves(0), stagger.halves(2), stagger.axial([0, 0])), (0, 0, [0, 0]));
    }
}

#[test]
fn a_grid_without_cells_or_with_too_many_is_an_error() {
    for [width, height] in [[0, 3], [3, 0], [u32::MAX, u32::MAX], [200_000, 1]] {
        assert!(HexGrid::staggered(width, height, Stagger::OddRows, |_, _| true).is_err(), "{width} x {height}");
    }
}

#[test]
fn the_farthest_cells_have_coordinates() {
    for stagger in ALL {
        let [x, y] = stagger.axial([0, u32::MAX]);
        let [far_x, far_y] = stagger.axial([u32::MAX; 2]);
        let most = i32::MAX;
        if stagger.is_of_rows() {
            assert!(x <= -most && y == most && [far_x, far_y] == [most; 2], "{stagger:?}");
        } else {
            assert_eq!(([x, y], [far_x, far_y]), ([0, most], [most; 2]), "{stagger:?}");
        }
    }
}
