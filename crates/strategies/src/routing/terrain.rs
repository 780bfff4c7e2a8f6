//! Terrain: the ground of routes.

/// The ground of routes: a space, a footprint and a layer. All trips of a `Router` must have the same space and
/// footprint; the layer may differ.
#[derive(Debug)]
pub struct Terrain<'a, S, F, L> {
    /// The space, which gives the moves.
    pub space: &'a S,
    /// The footprint, which decides which moves of the space can be made.
    pub footprint: &'a F,
    /// The surcharges of moves.
    pub layer: &'a L,
}
