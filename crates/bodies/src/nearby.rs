//! Which places of a space a change of the ground may concern.

use giveway_core::NodeId;
use giveway_core::rows::Rows;

use crate::walls::Corners;

/// The places of a space, by the squares of the ground that a body can meet there, or on a move out of there.
#[derive(Debug)]
pub(crate) struct Nearby {
    /// How many cells of the ground a block is wide.
    side: u32,
    /// How many blocks are beside each other.
    columns: u32,
    /// By block of the ground, row by row, the places.
    places: Rows<NodeId>,
    /// The places that concern too many blocks.
    everywhere: Vec<NodeId>,
}

/// The side of a block, in cells of the ground, is at least `LEAST`, and at least `BODIES` times the width of the body.
const LEAST: u32 = 8;
const BODIES: u32 = 2;

/// A place that concerns more blocks than this is not listed by block.
const MOST: u32 = 64;

impl Nearby {
    /// `bounds`: by place, the corners of what a body can meet there, or on a move out of there; `None`: nothing.
    /// `size`: the columns and rows of the ground. `across`: the width of the body, in cells.
    pub(crate) fn new(bounds: &[Option<Corners>], size: [u32; 2], across: u32) -> Self {
        let mut side = across.saturating_mul(BODIES).max(LEAST);
        let blocks_at = |side: u32| size.map(|cells| cells.div_ceil(side));
        // No more blocks than places, however large the ground is.
        while blocks_at(side).into_iter().map(u64::from).product::<u64>() > bounds.len().max(1) as u64 {
            side = side.saturating_mul(2);
        }
        let [columns, rows] = blocks_at(side);
        let (mut listed, mut everywhere) = (Vec::with_capacity(bounds.len() * 2), Vec::new());
        for (node, corners) in NodeId::below(bounds.len()).zip(bounds) {
            let Some(corners) = corners else { continue };
            let [least, most] = blocks(*corners, side);
            if (most[0] - least[0] + 1).saturating_mul(most[1] - least[1] + 1) > MOST {
                everywhere.push(node);
                continue;
            }
            for row in least[1]..=most[1] {
                listed.extend((least[0]..=most[0]).map(|column| (row * columns + column, node)));
            }
        }
        listed.sort_unstable();
        let places = Rows::of_sorted((columns * rows) as usize, listed, |(block, _)| *block as usize);
        Self { side, columns, places: places.map(|(_, node)| node), everywhere }
    }

    /// The places that a change between `corners` may concern, in ascending order.
    pub(crate) fn of(&self, corners: Corners) -> Vec<NodeId> {
        let [least, most] = blocks(corners, self.side);
        let mut found = self.everywhere.clone();
        for row in least[1]..=most[1] {
            for column in least[0]..=most[0] {
                found.extend(self.places.get((row * self.columns + column) as usize));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Makes `bounds` reach around `corners`, too.
pub(crate) fn widen(bounds: &mut Option<Corners>, corners: Corners) {
    let [least, most] = bounds.unwrap_or(corners);
    let pick = |one: [u32; 2], other: [u32; 2], of: fn(u32, u32) -> u32| [of(one[0], other[0]), of(one[1], other[1])];
    *bounds = Some([pick(least, corners[0], u32::min), pick(most, corners[1], u32::max)]);
}

/// The first and the last blocks, `side` cells wide, that lie between `corners`.
fn blocks(corners: Corners, side: u32) -> Corners {
    corners.map(|corner| corner.map(|cell| cell / side))
}
