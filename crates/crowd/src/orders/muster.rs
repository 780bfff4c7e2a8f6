//! Musters: where a group of agents goes, place by place.

use giveway_core::{Area, NodeId};

/// Where a [group](crate::Crowd::send_group) goes.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Muster {
    /// To these places, one agent to each.
    Places(Vec<NodeId>),
    /// To places in an area, from the middle of the area outwards.
    Area(Area),
    /// Into a formation.
    Formation {
        /// Its shape.
        formation: Formation,
        /// The position of the middle of the formation, in world units; for a wedge, the position of the leader. This
        /// is, for example, where the player has pointed.
        at: [f32; 3],
        /// The direction in which the formation faces, of any length. [0, 0] means [1, 0].
        towards: [f32; 2],
    },
}

impl From<Vec<NodeId>> for Muster {
    fn from(places: Vec<NodeId>) -> Self {
        Self::Places(places)
    }
}

impl From<&[NodeId]> for Muster {
    fn from(places: &[NodeId]) -> Self {
        Self::Places(places.to_vec())
    }
}

/// Around a position.
impl From<[f32; 3]> for Muster {
    fn from(position: [f32; 3]) -> Self {
        Formation::offsets([]).at(position, [1.0, 0.0])
    }
}

impl From<Area> for Muster {
    fn from(area: Area) -> Self {
        Self::Area(area)
    }
}

/// The shape of a formation: where its places lie, relative to its middle, or to the leader of a wedge. Lengths are in
/// world units.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Formation {
    shape: Shape,
}

#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
enum Shape {
    Block { abreast: u32, spacing: f32 },
    Wedge { spacing: f32 },
    Offsets(Vec<[f32; 2]>),
}

impl Formation {
    /// A block: ranks of `abreast` agents, one rank behind the other. Agents side by side are `spacing` apart, and so
    /// are ranks. The last rank may have fewer agents; its middle is in line with the middles of the other ranks. An
    /// `abreast` of 0 counts as 1.
    pub fn block(abreast: u32, spacing: f32) -> Self {
        Self { shape: Shape::Block { abreast: abreast.max(1), spacing } }
    }

    /// A wedge: the leader is in front, and each rank behind it has two agents; the last rank may have one. Ranks are
    /// `spacing` apart. The agents of a rank are as far to the left and to the right of the leader as the rank is
    /// behind the leader.
    pub fn wedge(spacing: f32) -> Self {
        Self { shape: Shape::Wedge { spacing } }
    }

    /// A formation with one place for each offset `[ahead, aside]` from the middle, in world units. If the formation
    /// faces along x, a positive `aside` is towards larger y. If there are fewer agents than offsets, the first offsets
    /// count. If there are more, the agents that are left over go near the middle of all places.
    pub fn offsets(offsets: impl IntoIterator<Item = [f32; 2]>) -> Self {
        Self { shape: Shape::Offsets(offsets.into_iter().collect()) }
    }

    /// This formation with its middle at `at`, facing `towards`. A wedge has its leader at `at`.
    pub fn at(self, at: [f32; 3], towards: [f32; 2]) -> Muster {
        Muster::Formation { formation: self, at, towards }
    }

    /// The positions of the places for `units` agents, with the middle at `at`, facing `towards`.
    pub(crate) fn positions(&self, units: usize, at: [f32; 3], towards: [f32; 2]) -> Vec<[f32; 3]> {
        let length = (towards[0] * towards[0] + towards[1] * towards[1]).sqrt();
        let is_known = length.is_finite() && length > 0.0;
        let [x, y] = if is_known { towards.map(|axis| axis / length) } else { [1.0, 0.0] };
        let place = |[ahead, aside]: [f32; 2]| [at[0] + x * ahead - y * aside, at[1] + y * ahead + x * aside, at[2]];
        self.offsets_of(units).into_iter().map(place).collect()
    }

    #[allow(clippy::cast_precision_loss)] // formations are not that large
    fn offsets_of(&self, units: usize) -> Vec<[f32; 2]> {
        match &self.shape {
            Shape::Block { abreast, spacing } => {
                // What was read from a text may be 0.
                let abreast = (*abreast).max(1) as usize;
                let ranks = units.div_ceil(abreast);
                let middle = |count: usize| (count.max(1) - 1) as f32 / 2.0;
                let offset = |index: usize| {
                    let (rank, file) = (index / abreast, index % abreast);
                    let in_rank = if rank + 1 == ranks { units - rank * abreast } else { abreast };
                    [(middle(ranks) - rank as f32) * spacing, (file as f32 - middle(in_rank)) * spacing]
                };
                (0..units).map(offset).collect()
            }
            Shape::Wedge { spacing } => {
                let offset = |index: usize| {
                    let rank = index.div_ceil(2) as f32 * spacing;
                    [-rank, if index.is_multiple_of(2) { rank } else { -rank }]
                };
                (0..units).map(offset).collect()
            }
            Shape::Offsets(offsets) => offsets.iter().copied().take(units).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_was_read_with_no_file_has_one() {
        let read = Formation { shape: Shape::Block { abreast: 0, spacing: 2.0 } };
        assert_eq!(read.offsets_of(3), Formation::block(1, 2.0).offsets_of(3));
    }

    #[test]
    fn ranks_stand_behind_each_other() {
        // Facing down: ahead is +y, and aside from there is -x.
        let block = Formation::block(3, 2.0).positions(5, [10.0, 20.0, 1.0], [0.0, 5.0]);
        let expected = [[12.0, 21.0], [10.0, 21.0], [8.0, 21.0], [11.0, 19.0], [9.0, 19.0]];
        assert_eq!(block, expected.map(|[x, y]| [x, y, 1.0]));
        let wedge = Formation::wedge(1.0).positions(5, [0.0; 3], [0.0; 2]);
        let expected = [[0.0, 0.0], [-1.0, -1.0], [-1.0, 1.0], [-2.0, -2.0], [-2.0, 2.0]];
        assert_eq!(wedge, expected.map(|[x, y]| [x, y, 0.0]));
        assert_eq!(Formation::offsets([[1.0, 0.0]]).positions(2, [0.0; 3], [1.0, 0.0]), [[1.0, 0.0, 0.0]]);
    }
}
