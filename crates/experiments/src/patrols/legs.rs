//! Legs: the ways between the two ends of a patrol.

use giveway_core::NodeId;

/// The end to which an agent goes after it has been at `legs` ends.
pub(super) fn towards(ends: [NodeId; 2], legs: u64) -> NodeId {
    if legs.is_multiple_of(2) { ends[1] } else { ends[0] }
}

/// The straight line from one place to another.
pub(super) fn straight(a: [f32; 3], b: [f32; 3]) -> f64 {
    let squares = [0, 1, 2].map(|axis| (f64::from(a[axis]) - f64::from(b[axis])).powi(2));
    squares.iter().sum::<f64>().sqrt()
}
