//! Terrain: what a route goes through.

/// Where routes lead. All trips of a [`Router`] must have the same terrain, except for the costs of the layer.
#[derive(Debug)]
pub struct Terrain<'a, S, F, L> {
    /// The moves that there are.
    pub space: &'a S,
    /// Which of these moves can be made.
    pub footprint: &'a F,
    /// The surcharges of moves.
    pub layer: &'a L,
}
