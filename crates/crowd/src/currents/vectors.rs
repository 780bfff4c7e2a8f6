//! Vectors in the world.

/// The scalar product of two vectors.
pub(super) fn dot(one: [f32; 3], other: [f32; 3]) -> f32 {
    (0..3).map(|axis| one[axis] * other[axis]).sum()
}

/// From `other` to `one`.
pub(super) fn minus(one: [f32; 3], other: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| one[axis] - other[axis])
}

/// `vector`, made one long.
pub(super) fn unit(vector: [f32; 3]) -> [f32; 3] {
    let length = dot(vector, vector).sqrt();
    vector.map(|part| part / length)
}
