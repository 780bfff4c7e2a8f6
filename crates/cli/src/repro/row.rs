//! Rows: runs as lines of CSV.

use serde::Serialize;

use super::method::Method;

/// A run, as a line of CSV. Other tools read it: the names and their order are fixed.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
pub(super) struct Row {
    pub(super) scenario: String,
    pub(super) method: Method,
    pub(super) weight: f32,
    pub(super) rate: f32,
    pub(super) loops: u32,
    pub(super) agents: usize,
    pub(super) nodes: f64,
    pub(super) reverse_nodes: f64,
    pub(super) time: f64,
    pub(super) path: f64,
    pub(super) failed: f64,
    pub(super) stopped: f64,
    pub(super) random_steps: f64,
    pub(super) stood: f64,
    pub(super) coherence: Option<f64>,
}
