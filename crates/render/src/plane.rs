//! The plane of a picture: x and y.

use giveway_core::TracedPlace;

/// The position of a place in the picture's plane. Numbers that are not finite become 0.
pub(crate) fn plane(place: &TracedPlace) -> [f64; 2] {
    point(place.position)
}

/// `position` in the picture's plane. Numbers that are not finite become 0.
pub(crate) fn point(position: [f32; 3]) -> [f64; 2] {
    let [x, y, _] = position;
    [x, y].map(|side| if side.is_finite() { f64::from(side) } else { 0.0 })
}
