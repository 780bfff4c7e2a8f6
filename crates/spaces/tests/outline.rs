//! Meshes from an outline with obstacles: what is inside of the mesh is inside of the outline and outside of all
//! obstacles.

use giveway_spaces::{NavMesh, SpaceError};
use proptest::prelude::*;

/// Nothing is left of the outline.
const NO_AREA: SpaceError = SpaceError::Empty { needs: "expected at least one polygon that has an area" };

pub(crate) type Polygon = Vec<[f32; 2]>;

pub(crate) fn rectangle(left: f32, top: f32, right: f32, bottom: f32) -> Polygon {
    vec![[left, top], [right, top], [right, bottom], [left, bottom]]
}

/// The area, by the shoelace formula.
fn area(mesh: &NavMesh) -> f64 {
    let ring = |ring: Vec<[f32; 2]>| -> f64 {
        let exact = |at: [f32; 2]| at.map(f64::from);
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| exact(*a)[0] * exact(*b)[1] - exact(*a)[1] * exact(*b)[0]).sum()
    };
    mesh.outlines().map(ring).sum::<f64>() / 2.0
}

/// Whether `point` is in `polygon`, by the even-odd rule.
pub(crate) fn is_in(polygon: &[[f32; 2]], [x, y]: [f64; 2]) -> bool {
    let next = polygon.iter().cycle().skip(1);
    let crossed = polygon.iter().zip(next).filter(|(a, b)| {
        let ([ax, ay], [bx, by]) = (a.map(f64::from), b.map(f64::from));
        (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
    });
    crossed.count() % 2 == 1
}

/// The distance from `point` to the nearest edge.
pub(crate) fn distance(polygon: &[[f32; 2]], point: [f64; 2]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let edges = polygon.iter().zip(next).map(|(a, b)| [a.map(f64::from), b.map(f64::from)]);
    edges.map(|edge| giveway_core::plane::point_to_segment(point, edge)).fold(f64::INFINITY, f64::min)
}

#[test]
fn obstacles_are_cut_out() {
    let yard = || rectangle(0.0, 0.0, 10.0, 8.0);
    let turned = |mut polygon: Polygon| {
        polygon.reverse();
        polygon
    };
    let bow = vec![[2.0, 2.0], [6.0, 6.0], [6.0, 2.0], [2.0, 6.0]];
    // The outline, obstacles, the area that is left, and the most polygons.
    let cases: [(Polygon, Vec<Polygon>, f64, usize); 15] = [
        (yard(), vec![], 80.0, 1),
        (turned(yard()), vec![rectangle(2.0, 2.0, 4.0, 4.0)], 76.0, 5),
        (yard(), vec![turned(rectangle(2.0, 2.0, 4.0, 4.0))], 76.0, 5),
        // They overlap, touch along an edge, hold each other, and are the same.
        (yard(), vec![rectangle(2.0, 2.0, 4.0, 4.0), rectangle(3.0, 3.0, 5.0, 5.0)], 73.0, 8),
        (yard(), vec![rectangle(2.0, 2.0, 4.0, 4.0), rectangle(4.0, 2.0, 6.0, 4.0)], 72.0, 6),
        (yard(), vec![rectangle(2.0, 2.0, 6.0, 6.0), rectangle(3.0, 3.0, 5.0, 5.0)], 64.0, 5),
        (yard(), vec![rectangle(2.0, 2.0, 4.0, 4.0), turned(rectangle(2.0, 2.0, 4.0, 4.0))], 76.0, 5),
        // On the outline, across it, beside it, and far away.
        (yard(), vec![rectangle(0.0, 0.0, 2.0, 8.0)], 64.0, 1),
        (yard(), vec![rectangle(-5.0, 2.0, 5.0, 4.0)], 70.0, 3),
        (yard(), vec![rectangle(10.0, 0.0, 12.0, 8.0), rectangle(9e5, 9e5, 1e6, 1e6)], 80.0, 1),
        // A spike of the outline, an obstacle without area, corners more than once.
        (vec![[0.0, 0.0], [10.0, 0.0], [15.0, 0.0], [10.0, 0.0], [10.0, 8.0], [0.0, 8.0]], vec![], 80.0, 1),
        (yard(), vec![vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [9.0, 7.0]], vec![[1.0, 1.0]; 5]], 80.0, 9),
        (yard().repeat(3), vec![rectangle(2.0, 2.0, 4.0, 4.0)], 76.0, 5),
        // What a polygon goes round twice is outside of it.
        (yard().repeat(2), vec![], 0.0, 0),
        (yard(), vec![bow], 72.0, 8),
    ];
    for (outline, obstacles, expected, most) in cases {
        match NavMesh::from_outline(&outline, &obstacles) {
            Err(error) => assert_eq!((error, expected), (NO_AREA, 0.0), "{outline:?} {obstacles:?}"),
            Ok(mesh) => {
                assert!((area(&mesh) - expected).abs() < 1e-5, "{}: {outline:?} {obstacles:?}", area(&mesh));
                assert!(mesh.polygons().len() <= most, "{}: {outline:?} {obstacles:?}", mesh.polygons().len());
            }
        }
    }
}

#[test]
fn corners_are_as_exact_as_the_largest_coordinate() {
    let outline = vec![[0.1, 0.3], [7.7, 0.1], [100.3, 9.9], [0.7, 1.1]];
    let mesh = NavMesh::from_outline(&outline, &[]).unwrap();
    let near = |a: &[f32; 2], b: &[f32; 2]| (a[0] - b[0]).abs() < 4e-6 && (a[1] - b[1]).abs() < 4e-6;
    assert!(outline.iter().all(|corner| mesh.vertices().iter().any(|vertex| near(corner, vertex))), "{mesh:?}");
    assert!(mesh.vertices().iter().any(|vertex| vertex[0] == 100.3));
    // Thin walls stay.
    let fence = rectangle(100.0, 1.0, 100.001, 9.0);
    let mesh = NavMesh::from_outline(&rectangle(0.0, 0.0, 1000.0, 10.0), &[fence]).unwrap();
    assert_eq!(mesh.walls().len(), 8);
}

#[test]
fn walls_are_outlines_and_obstacles_only() {
    let obstacles = [rectangle(2.0, 2.0, 4.0, 4.0), rectangle(3.0, 3.0, 5.0, 5.0)];
    let mesh = NavMesh::from_outline(&rectangle(0.0, 0.0, 10.0, 8.0), &obstacles).unwrap();
    let length = |[[a, b], [c, d]]: [[f32; 2]; 2]| f64::from(c - a).hypot(f64::from(d - b));
    assert!((mesh.walls().map(length).sum::<f64>() - 36.0 - 12.0).abs() < 1e-4);
}

#[test]
fn what_is_no_outline_is_an_error() {
    let yard = || rectangle(0.0, 0.0, 10.0, 8.0);
    for side in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1.1e6] {
        let wrong = vec![[0.0, 0.0], [1.0, 0.0], [1.0, side]];
        let message = NavMesh::from_outline(&wrong, &[yard()]).unwrap_err().to_string();
        assert!(message.starts_with("corner 2 of the outline is at (1, "), "{message}");
        let message = NavMesh::from_outline(&yard(), &[yard(), wrong]).unwrap_err().to_string();
        assert!(message.starts_with("corner 2 of obstacle 1 is at (1, "), "{message}");
    }
    let empty: [(Polygon, Vec<Polygon>); 6] = [
        (vec![], vec![]),
        (vec![[0.0; 2]; 9], vec![]),
        (vec![[0.0; 2], [1.0; 2]], vec![]),
        (vec![[0.0; 2], [1.0; 2], [2.0; 2]], vec![yard()]),
        (rectangle(0.0, 0.0, 1e-30, 1e-30), vec![]),
        (yard(), vec![rectangle(-1.0, -1.0, 11.0, 9.0)]),
    ];
    for (outline, obstacles) in empty {
        assert_eq!(NavMesh::from_outline(&outline, &obstacles), Err(NO_AREA), "{outline:?}");
    }
}

/// Polygons of few places, of places that are nearly one, and of any.
fn polygon(corners: usize) -> impl Strategy<Value = Polygon> {
    #[allow(clippy::cast_precision_loss)] // small
    let whole = (-6_i16..7).prop_map(f32::from);
    let near = (-9_i16..10).prop_map(|step| 3.0 + f32::from(step) * 3e-7);
    let side = prop_oneof![4 => whole, 1 => near, 2 => -7_f32..7.0];
    prop::collection::vec([side.clone(), side], 0..corners)
}

proptest! {
    #[test]
    fn the_mesh_is_in_the_outline_and_in_no_obstacle(
        outline in polygon(9),
        obstacles in prop::collection::vec(polygon(7), 0..7),
        far in prop_oneof![Just(0.0_f32), Just(1000.0)],
        samples in prop::collection::vec([-7_f32..7.0, -7_f32..7.0], 60),
    ) {
        let moved = |polygon: &Polygon| -> Polygon { polygon.iter().map(|[x, y]| [x + far, y - far]).collect() };
        let (outline, obstacles) = (moved(&outline), obstacles.iter().map(moved).collect::<Vec<_>>());
        let mesh = match NavMesh::from_outline(&outline, &obstacles) {
            Ok(mesh) => Some(mesh),
            Err(error) => {
                prop_assert_eq!(error, NO_AREA);
                None
            }
        };
        for sample in samples {
            let sample = [sample[0] + far, sample[1] - far];
            let point = sample.map(f64::from);
            let all = || std::iter::once(&outline).chain(&obstacles);
            if all().any(|polygon| distance(polygon, point) < 2e-6 + 2e-7 * f64::from(far)) {
                continue;
            }
            let expected = is_in(&outline, point) && !obstacles.iter().any(|obstacle| is_in(obstacle, point));
            prop_assert_eq!(mesh.as_ref().is_some_and(|mesh| mesh.contains(sample)), expected, "{:?}", sample);
        }
        // Walls go round the same area, so polygons do not overlap.
        if let Some(mesh) = mesh {
            let around: f64 = mesh.walls().map(|ends| ends.map(|at| [f64::from(at[0] - far), f64::from(at[1] + far)]))
                .map(|[a, b]| (a[0] * b[1] - a[1] * b[0]) / 2.0).sum();
            prop_assert!((around - area(&mesh)).abs() < 1e-3, "{around} {}", area(&mesh));
        }
    }
}

#[test]
fn thousands_of_nearly_equal_corners_are_few() {
    #[allow(clippy::cast_precision_loss)] // small
    let ring: Polygon = (0..4000_i16)
        .map(|step| {
            let angle = f32::from(step);
            [5.0 + angle.cos() * 1e-6, 4.0 + angle.sin() * 1e-6]
        })
        .collect();
    let mesh = NavMesh::from_outline(&rectangle(0.0, 0.0, 10.0, 8.0), &[ring]).unwrap();
    assert!((area(&mesh) - 80.0).abs() < 1e-3);
}

#[test]
fn many_obstacles_overlap() {
    let mut state = 7_u32;
    let mut draw = |bound: f32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        #[allow(clippy::cast_precision_loss)]
        let share = (state >> 8) as f32 / 16_777_216.0;
        share * bound
    };
    let obstacles: Vec<Polygon> = (0..1000)
        .map(|_| {
            let (x, y, size, turn) = (draw(100.0), draw(100.0), 0.5 + draw(2.0), draw(6.0));
            (0..5_u8).map(|k| f32::from(k) * 1.256 + turn).map(|a| [x + size * a.cos(), y + size * a.sin()]).collect()
        })
        .collect();
    let mesh = NavMesh::from_outline(&rectangle(0.0, 0.0, 100.0, 100.0), &obstacles).unwrap();
    let (mut samples, mut free) = (0.0, 0.0);
    for _ in 0..20_000 {
        let point = [f64::from(draw(100.0)), f64::from(draw(100.0))];
        samples += 1.0;
        free += f64::from(u8::from(!obstacles.iter().any(|obstacle| is_in(obstacle, point))));
    }
    let share = area(&mesh) / 1e4;
    assert!((share - free / samples).abs() < 0.015, "{share} {}", free / samples);
}

#[test]
fn an_outline_that_crosses_itself_tens_of_thousands_of_times_is_a_mesh() {
    let mut state = 3_u32;
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        #[allow(clippy::cast_precision_loss)]
        let share = (state >> 8) as f32 / 16_777_216.0;
        share * 100.0
    };
    let outline: Polygon = (0..700).map(|_| [draw(), draw()]).collect();
    let mesh = NavMesh::from_outline(&outline, &[]).unwrap();
    // By the even-odd rule, half of it is inside.
    assert!((area(&mesh) / 1e4 - 0.5).abs() < 0.1, "{}", area(&mesh));
}
