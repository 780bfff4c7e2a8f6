//! Sites: where units exclude each other; and why conflict sets cannot be made.

use std::fmt;

use crate::vocabulary::NodeId;

/// Where a unit is: on a node, or on its way from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// The unit rests on a node.
    Node(NodeId),
    /// The unit goes between two nodes, in either direction, by any move that joins them.
    Way(NodeId, NodeId),
}

/// Why conflict sets cannot be made.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum ApartError {
    /// The radius is 0, negative, infinite or not a number.
    Radius {
        /// The radius.
        radius: f32,
    },
    /// A site is not in the space: its node does not exist, or no move joins its two nodes.
    NoSuchSite {
        /// The site.
        site: Site,
    },
    /// A position or a stretch of a trajectory is not finite, or a trajectory is absurdly long.
    Nowhere {
        /// The node where the motion begins.
        from: NodeId,
        /// The node where the motion ends.
        to: NodeId,
    },
    /// There are more than 2^24 pairs of motions that are near each other, or too many pairs to test, or too many nodes
    /// for the cell ids. Perhaps the radius is too large for the graph.
    TooMany,
}

impl fmt::Display for ApartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Radius { radius } => write!(f, "the radius is {radius}, and must be finite and more than 0"),
            Self::NoSuchSite { site: Site::Node(node) } => write!(f, "there is no node {}", node.0),
            Self::NoSuchSite { site: Site::Way(from, to) } => {
                write!(f, "there is no move between node {} and node {}", from.0, to.0)
            }
            Self::Nowhere { from, to } => {
                write!(f, "the way from node {} to node {} is not finite, or absurdly long", from.0, to.0)
            }
            Self::TooMany => {
                write!(f, "too many motions are near to each other: is the radius too large for the graph?")
            }
        }
    }
}

impl std::error::Error for ApartError {}
