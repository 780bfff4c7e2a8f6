//! Navigation meshes: the ground on which units can walk, as convex polygons.

#[cfg(feature = "spade")]
mod convex;
mod finder;
mod mesh;
#[cfg(feature = "spade")]
mod outline;
mod overlaps;
mod polygons;
#[cfg(feature = "spade")]
mod snap_rounding;
#[cfg(feature = "spade")]
mod triangles;
mod walls;
pub use mesh::NavMesh;
