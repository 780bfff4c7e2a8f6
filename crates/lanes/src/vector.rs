//! Vectors in three dimensions for direction maps: in `f64`, with operations that round equally on every platform.

use giveway_core::{Embedding, NodeId};

pub(super) type Vector = [f64; 3];

/// The unit vector from one place to another; `None` if both are equal, or not finite.
#[inline]
pub(super) fn direction<S: Embedding>(space: &S, from: NodeId, to: NodeId) -> Option<Vector> {
    between(space.position(from), space.position(to))
}

/// The unit vector from one position to another; `None` if both are equal, or not finite.
#[inline]
pub(super) fn between(from: [f32; 3], to: [f32; 3]) -> Option<Vector> {
    unit([0, 1, 2].map(|axis| f64::from(to[axis]) - f64::from(from[axis])))
}

/// The vector of length 1 in this direction.
#[inline]
pub(super) fn unit(vector: Vector) -> Option<Vector> {
    let length = length(vector);
    (length > 0.0 && length.is_finite()).then(|| vector.map(|part| part / length))
}

#[inline]
pub(super) fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.into_iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline]
pub(super) fn length<const N: usize>(vector: [f64; N]) -> f64 {
    dot(vector, vector).sqrt()
}
