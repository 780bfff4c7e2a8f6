//! Rows: runs as lines of CSV.

use serde::Serialize;

use crate::method::Method;

/// A run, as a line of CSV. Other tools read it: the names and their order are fixed.
#[derive(Clone, PartialEq, Serialize, Default, Debug)]
pub struct Row {
    pub(crate) scenario: String,
    pub(crate) method: Method,
    pub(crate) weight: f32,
    pub(crate) rate: f32,
    pub(crate) loops: u32,
    pub(crate) agents: usize,
    pub(crate) nodes: f64,
    pub(crate) reverse_nodes: f64,
    pub(crate) time: f64,
    pub(crate) path: f64,
    pub(crate) failed: f64,
    pub(crate) stopped: f64,
    pub(crate) random_steps: f64,
    pub(crate) stood: f64,
    pub(crate) coherence: Option<f64>,
}
