//! Areas: which squares of a raster they meet, and what they refuse.

use giveway_core::{Area, AreaError, Surface};

fn squares(area: &Area, side: f64) -> Vec<(u32, u32)> {
    let mut met = Vec::new();
    area.for_each_square([0.0, 0.0], [-0.5, -0.5], side, [8, 8], |column, row| met.push((column, row)));
    met
}

#[test]
fn cells_are_met_and_their_neighbours_only_touched() {
    let area = Area::cells(2, 1, 2, 1).unwrap();
    assert_eq!(squares(&area, 1.0), [(2, 1), (3, 1)]);
    assert_eq!(squares(&area, 0.5).len(), 8);
    assert_eq!(squares(&area, 2.0), [(1, 0)]);
    assert!(area.contains([1.5, 1.5, 7.0]) && !area.contains([1.4, 1.0, 0.0]));
}

#[test]
fn a_disc_meets_what_is_nearer_than_its_radius() {
    let area = Area::disc([2.0, 2.0], 0.7).unwrap();
    // The corners of the middle square are 0.707 away, its neighbours half a unit.
    assert_eq!(squares(&area, 1.0), [(2, 1), (1, 2), (2, 2), (3, 2), (2, 3)]);
    assert!(area.contains([2.0, 2.6, 0.0]) && !area.contains([2.5, 2.5, 0.0]));
}

/// A square is a polygon, whichever way round.
#[test]
fn polygons_are_met_as_squares_are() {
    let areas = [
        Area::disc([2.3, 3.1], 0.7),
        Area::disc([4.0, 4.0], 0.2),
        Area::rectangle([1.5, 1.5], [3.5, 4.0]),
        Area::polygon(&[[0.0, 0.0], [5.0, 1.0], [1.0, 6.0]]),
        Area::disc([3.0, 3.0], 2.0).and_then(|area| area.heights(1.0, 2.0)),
    ];
    for area in areas.map(Result::unwrap) {
        let met = squares(&area, 1.0);
        for (column, row) in (0..8).flat_map(|row| (0..8).map(move |column| (column, row))) {
            let [x, y] = [column, row].map(|side| f64::from(side) - 0.5);
            let mut corners = [[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]];
            let is_met = met.contains(&(column, row));
            assert_eq!(area.meets_polygon(&corners, [0.0, 0.0]), is_met, "({column}, {row}) of {area:?}");
            corners.reverse();
            assert_eq!(area.meets_polygon(&corners, [0.0, 0.0]), is_met, "({column}, {row}) of {area:?}");
            let near = |[low, high]: [[f64; 2]; 2]| {
                (0..2).all(|axis| low[axis] < corners[1][axis] && corners[3][axis] < high[axis])
            };
            assert!(!is_met || area.boxes().any(near), "({column}, {row}) of {area:?}");
        }
        assert!(!area.meets_polygon(&[[2.0, 2.0], [3.0, 3.0]], [0.0, 0.0]));
    }
}

#[test]
fn what_lies_off_the_raster_meets_nothing() {
    for (x, y) in [(-9.0, 3.0), (3.0, -9.0), (30.0, 3.0), (3.0, 30.0)] {
        assert_eq!(squares(&Area::disc([x, y], 1.0).unwrap(), 1.0), []);
    }
    assert_eq!(squares(&Area::rectangle([-100.0, 2.6], [100.0, 3.4]).unwrap(), 1.0).len(), 8);
}

#[test]
fn corners_may_come_in_any_order() {
    let one = Area::polygon(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]).unwrap();
    assert_eq!(one, Area::rectangle([2.0, 0.0], [0.0, 2.0]).unwrap());
    assert!(one.contains([1.9, 0.1, 0.0]));
}

#[test]
fn heights_tell_floors_apart() {
    let floor = Area::disc([0.0, 0.0], 1.0).unwrap().heights(2.5, 5.0).unwrap();
    assert!(floor.contains([0.0, 0.0, 3.0]) && !floor.contains([0.0, 0.0, 2.0]));
    let both = floor.clone().and(Area::disc([5.0, 0.0], 1.0).unwrap());
    assert!(both.contains([5.0, 0.0, 0.0]) && !both.contains([0.0, 0.0, 0.0]));
    let met = |heights| {
        let mut count = 0;
        floor.for_each_square(heights, [-2.0, -2.0], 4.0, [1, 1], |_, _| count += 1);
        count
    };
    assert_eq!([met([0.0, 2.5]), met([5.1, 9.0]), met([f64::NEG_INFINITY, f64::INFINITY])], [1, 0, 1]);
}

#[test]
fn nonsense_is_refused() {
    let told = |area: Result<Area, AreaError>| area.unwrap_err();
    assert_eq!(told(Area::disc([f32::NAN, 0.0], 1.0)), AreaError::Far);
    assert_eq!(told(Area::disc([0.0, 0.0], -1.0)), AreaError::Narrow);
    assert_eq!(told(Area::polygon(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])), AreaError::Narrow);
    assert_eq!(told(Area::polygon(&[])), AreaError::Narrow);
    assert_eq!(told(Area::cells(0, 0, 0, 3)), AreaError::Narrow);
    assert_eq!(told(Area::cells(0, 0, 1, 1).and_then(|area| area.heights(2.0, 1.0))), AreaError::Heights);
    assert!(Surface::new(0, 1.0).is_err() && Surface::new(1, f32::NAN).is_err() && Surface::new(1000, 100.0).is_ok());
}
