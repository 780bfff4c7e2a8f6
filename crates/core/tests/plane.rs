//! Geometry of the plane.

use giveway_core::plane::hull;

#[test]
fn hulls_have_no_corners_within() {
    let points = vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [1.0, 1.0], [0.5, 0.5], [0.0, 1.0], [1.0, 1.0]];
    let mut hull = hull(points);
    hull.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    assert_eq!(hull, [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
}
