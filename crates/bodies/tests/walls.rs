//! The walls of navigation meshes: edges that polygons share are none, whatever rounding does, and all others are.

use giveway_bodies::Body;
use giveway_core::SpaceGraph;
use giveway_spaces::{NavMesh, SpaceError, WaypointRules, Waypoints};
use proptest::prelude::*;

fn length([[a, b], [c, d]]: [[f32; 2]; 2]) -> f64 {
    (f64::from(c) - f64::from(a)).hypot(f64::from(d) - f64::from(b))
}

fn length_of_walls(mesh: &NavMesh) -> f64 {
    mesh.walls().map(length).sum()
}

/// A mesh of polygons that list their own vertices.
fn mesh(polygons: &[Vec<[f32; 2]>]) -> NavMesh {
    try_mesh(polygons).expect("polygons are convex, and beside each other")
}

fn try_mesh(polygons: &[Vec<[f32; 2]>]) -> Result<NavMesh, SpaceError> {
    let mut numbers = 0..;
    let corners: Vec<Vec<u32>> =
        polygons.iter().map(|polygon| numbers.by_ref().take(polygon.len()).collect()).collect();
    NavMesh::new(polygons.concat(), corners)
}

/// A triangle with its longest edge on the diagonal from the origin to `end`, and `count` squares along that edge, on
/// the other side. Positions have `decimals` decimals.
fn squares_on_a_diagonal(end: [f64; 2], count: u32, decimals: i32) -> NavMesh {
    let scale = 10_f64.powi(decimals);
    #[allow(clippy::cast_possible_truncation)] // rounded on purpose
    let rounded = |at: [f64; 2]| at.map(|side| ((side * scale).round() / scale) as f32);
    let size = end[0].hypot(end[1]) / f64::from(count);
    let away = [end[1], -end[0]].map(|side| side / f64::from(count));
    let on = |number: u32| end.map(|side| side * f64::from(number) / f64::from(count));
    let beside = |number: u32| [0, 1].map(|axis| on(number)[axis] + away[axis]);
    let mut polygons = vec![vec![[0.0, 0.0], rounded(end), rounded([0.0, end[1]])]];
    for number in 0..count {
        polygons.push([on(number), beside(number), beside(number + 1), on(number + 1)].map(rounded).to_vec());
    }
    assert!(size > 0.0);
    mesh(&polygons)
}

#[test]
fn short_edges_along_a_long_one_are_no_walls() {
    for (count, decimals) in [(1, 6), (3, 6), (10, 4), (97, 4), (397, 6)] {
        let mesh = squares_on_a_diagonal([81.0, 70.0], count, decimals);
        let diagonal = 81.0_f64.hypot(70.0);
        let expected = 81.0 + 70.0 + diagonal + 2.0 * diagonal / f64::from(count);
        let found = length_of_walls(&mesh);
        assert!((found - expected).abs() < 1e-2, "{count} squares: {found} of walls, expected {expected}");
    }
}

#[test]
fn sides_of_narrow_corridors_are_walls_however_far_away() {
    for far in [0.0, 6e5, -9e5] {
        for width in [1.0, 5.0] {
            let corner = |x: f32, y: f32| [far + x, far / 3.0 + y];
            let tile = |x: f32| vec![corner(x, 0.0), corner(x + 10.0, 0.0), corner(x + 10.0, width), corner(x, width)];
            let tiles: Vec<Vec<[f32; 2]>> = (0..10_u8).map(|tile_number| tile(f32::from(tile_number) * 10.0)).collect();
            let found = length_of_walls(&mesh(&tiles));
            let expected = 200.0 + 2.0 * f64::from(width);
            assert!((found - expected).abs() < 0.5, "{width} wide at {far}: {found}");
        }
    }
}

#[test]
fn thin_fences_are_walls() {
    let yard = |left: f32, right: f32| vec![[left, 0.0], [right, 0.0], [right, 300.0], [left, 300.0]];
    let mesh = mesh(&[yard(0.0, 500.0), yard(500.005, 1000.0)]);
    assert_eq!(mesh.walls().len(), 8);
}

#[test]
fn zero_has_one_sign() {
    let around = |zero: f32| vec![[zero, zero], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
    let waypoints = [0.0, -0.0].map(|zero| {
        let mesh = mesh(&[around(zero)]);
        let rules = WaypointRules::new(&mesh, &Body::disc(1.0).unwrap());
        Waypoints::new(&mesh, rules, 12).unwrap().node_bound()
    });
    assert_eq!(waypoints[0], waypoints[1]);
}

#[test]
fn a_polygon_without_an_area_is_left_out_only_if_it_is_flat() {
    let square = vec![0, 1, 2, 3];
    let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [2.0, 0.0]];
    let bow = NavMesh::new(vertices.clone(), vec![square.clone(), vec![0, 1, 3, 2]]);
    assert_eq!(bow, Err(SpaceError::NotConvex { polygon: 1 }));
    let flat = NavMesh::new(vertices, vec![square, vec![0, 4, 1]]).unwrap();
    assert_eq!(flat.polygons().len(), 1);
}

#[test]
fn polygons_that_overlap_are_refused() {
    let box_of = |[left, low, right, high]: [f32; 4]| vec![[left, low], [right, low], [right, high], [left, high]];
    let first = [0.0, 0.0, 4.0, 4.0];
    // Another box, and whether it overlaps the first.
    let table = [
        ([4.0, 0.0, 8.0, 4.0], false),
        ([4.0, 1.0, 8.0, 3.0], false),
        ([4.0, 4.0, 8.0, 8.0], false),
        ([9.0, 0.0, 10.0, 4.0], false),
        // As rounding has it: a gap and an overlap.
        ([4.000_001, 0.0, 8.0, 4.0], false),
        ([3.999_999, 0.0, 8.0, 4.0], false),
        ([3.999, 0.0, 8.0, 4.0], true),
        (first, true),
        ([1.0, 1.0, 3.0, 3.0], true),
        ([-1.0, -1.0, 5.0, 5.0], true),
        // Across, with no corner of one in the other.
        ([1.0, -1.0, 3.0, 5.0], true),
        ([0.0, 1.0, 4.0, 3.0], true),
    ];
    for (other, overlaps) in table {
        // Beside other polygons, one of them without an area.
        let far = [[20.0, 20.0], [30.0, 20.0], [30.0, 30.0]].to_vec();
        let flat = [[20.0, 20.0], [21.0, 20.0], [22.0, 20.0]].to_vec();
        let expected = overlaps.then_some(SpaceError::Overlap { polygons: [2, 3] });
        assert_eq!(try_mesh(&[far, flat, box_of(first), box_of(other)]).err(), expected, "{other:?}");
    }
    // A corner in the side of a triangle, and one beside it.
    let triangle = vec![[0.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    for (corner, overlaps) in [([2.0, 2.0], false), ([1.9, 2.1], true), ([2.1, 1.9], false)] {
        let found = try_mesh(&[triangle.clone(), vec![corner, [5.0, 0.0], [5.0, 1.0]]]);
        assert_eq!(found.is_err(), overlaps, "{corner:?}");
    }
}

/// The area that two convex polygons share: one of them is cut by the edges of the other.
fn shared_area(one: &[[f32; 2]], other: &[[f32; 2]]) -> f64 {
    let exact = |polygon: &[[f32; 2]]| -> Vec<[f64; 2]> {
        let mut polygon: Vec<[f64; 2]> = polygon.iter().map(|at| at.map(f64::from)).collect();
        if doubled_area(&polygon) < 0.0 {
            polygon.reverse();
        }
        polygon
    };
    let (mut left, cutter) = (exact(one), exact(other));
    if doubled_area(&cutter) == 0.0 {
        return 0.0;
    }
    for place in 0..cutter.len() {
        let [a, b] = [cutter[place], cutter[(place + 1) % cutter.len()]];
        let side = |at: [f64; 2]| (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
        let mut cut = Vec::new();
        for (from, to) in left.iter().zip(left.iter().cycle().skip(1)) {
            let sides = [side(*from), side(*to)];
            if sides[0] >= 0.0 {
                cut.push(*from);
            }
            if sides[0] * sides[1] < 0.0 {
                let share = sides[0] / (sides[0] - sides[1]);
                cut.push([0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share));
            }
        }
        left = cut;
    }
    doubled_area(&left) / 2.0
}

fn doubled_area(polygon: &[[f64; 2]]) -> f64 {
    let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
    edges.map(|(from, to)| from[0] * to[1] - from[1] * to[0]).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_shares_an_area_is_refused_and_nothing_else(
        triangles in prop::collection::vec(prop::array::uniform3(prop::array::uniform2(0_i8..12)), 1..7),
    ) {
        let at = |corner: &[i8; 2]| corner.map(f32::from);
        let polygons: Vec<Vec<[f32; 2]>> =
            triangles.iter().map(|corners| corners.iter().map(at).collect()).collect();
        let pairs = (0..polygons.len()).flat_map(|one| (one + 1..polygons.len()).map(move |other| [one, other]));
        let shares = |pair: &[usize; 2]| shared_area(&polygons[pair[0]], &polygons[pair[1]]) > 1e-6;
        let expected: Vec<[usize; 2]> = pairs.filter(shares).collect();
        match try_mesh(&polygons) {
            Err(SpaceError::Overlap { polygons }) => prop_assert!(expected.contains(&polygons), "{polygons:?}"),
            Ok(_) | Err(SpaceError::Empty { .. }) => prop_assert_eq!(expected, Vec::<[usize; 2]>::new()),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

proptest! {
    /// A rectangle cut into strips, and each strip into tiles by cuts of its own, turned and moved.
    #[test]
    fn tiles_have_walls_around_them_only(
        strips in prop::collection::vec(prop::collection::vec(1_u8..9, 1..6), 1..6),
        turn in 0.0..6.2_f64,
        far in prop::sample::select(vec![0.0, 300.0, -1e5]),
    ) {
        let (sine, cosine) = turn.sin_cos();
        #[allow(clippy::cast_possible_truncation)] // positions are rounded, on purpose
        let place = |x: f64, y: f64| [(x * cosine - y * sine + far) as f32, (x * sine + y * cosine - far) as f32];
        let mut polygons = Vec::new();
        for (number, cuts) in (0_u8..).zip(&strips) {
            let (low, high) = (f64::from(number) * 7.0, f64::from(number + 1) * 7.0);
            let whole: u8 = cuts.iter().sum();
            let mut done = 0;
            for cut in cuts {
                let [left, right] = [done, done + cut].map(|at| 60.0 * f64::from(at) / f64::from(whole));
                done += cut;
                polygons.push(vec![place(left, low), place(right, low), place(right, high), place(left, high)]);
            }
        }
        let expected = 2.0 * (60.0 + 7.0 * strips.len() as f64);
        let found = length_of_walls(&mesh(&polygons));
        prop_assert!((found - expected).abs() < 1e-3 * expected, "{found} of walls, expected {expected}");
    }
}
