//! Why a graph or a list of moves is not a space.

use std::fmt;

use giveway_core::NodeId;

/// Why a graph or a list of moves cannot be a space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SpaceError {
    /// A node id does not fit 32 bits.
    TooManyNodes {
        /// One more than the largest node id.
        bound: usize,
    },
    /// There are more than 2^32 - 1 moves.
    TooManyMoves,
    /// More places can be reached than expected.
    Explored {
        /// The largest number of places expected.
        most: usize,
    },
    /// A move leads to a node that does not exist.
    NoSuchNode {
        /// The node where the move begins.
        from: NodeId,
        /// The node where it would end.
        to: NodeId,
    },
    /// A cost is negative, infinite or not a number.
    Cost {
        /// The node where the move begins.
        from: NodeId,
        /// The node where it ends.
        to: NodeId,
        /// The cost.
        cost: f64,
    },
    /// A length is negative, infinite or not a number.
    Length {
        /// The node where the move begins.
        from: NodeId,
        /// The node where it ends.
        to: NodeId,
        /// The length.
        length: f32,
    },
    /// A position is infinite or not a number.
    Position {
        /// The node.
        node: NodeId,
        /// The position.
        position: [f32; 3],
    },
    /// A link begins where it ends, or has too many places.
    Link {
        /// The node where the link begins.
        from: NodeId,
        /// The node where it ends.
        to: NodeId,
        /// The number of places on it.
        places: u32,
        /// The largest number of places that is possible.
        most: u32,
    },
    /// Two lanes meet at a junction, and no curve leads from one to the other: they lie on each other, or side by side.
    Junction {
        /// The junction.
        node: NodeId,
    },
    /// A road is too short for its setbacks, or so long that it cannot be divided into places.
    Road {
        /// The node where the road begins.
        from: NodeId,
        /// The node where it ends.
        to: NodeId,
        /// Its length in the plane.
        length: f32,
        /// How far its lanes end before either junction.
        setback: f32,
    },
    /// The timetables of links repeat together only after too long a time.
    Period {
        /// The longest period that is possible, in ticks.
        longest: u32,
    },
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyNodes { bound } => {
                let largest = bound.saturating_sub(1);
                write!(f, "node ids go up to {largest}, and the largest that fits is {}", u32::MAX - 1)
            }
            Self::TooManyMoves => write!(f, "there are more than {} moves", u32::MAX),
            Self::Explored { most } => {
                write!(
                    f,
                    "more than {most} places can be reached: give a larger bound, or leave out moves that lead away"
                )
            }
            Self::NoSuchNode { from, to } => {
                write!(f, "a move leads from node {} to node {}, which does not exist", from.0, to.0)
            }
            Self::Cost { from, to, cost } => write!(
                f,
                "the move from node {} to node {} costs {cost}: costs must be finite and not negative",
                from.0, to.0
            ),
            Self::Length { from, to, length } => write!(
                f,
                "the move from node {} to node {} has length {length}: lengths must be finite and not negative",
                from.0, to.0
            ),
            Self::Position { node, position } => {
                write!(f, "node {} is at {position:?}: positions must be finite", node.0)
            }
            Self::Link { from, to, places, most } => write!(
                f,
                "the link from node {} to node {} has {places} places: a link leads from one node to another, and has at most {most} places",
                from.0, to.0
            ),
            Self::Junction { node } => write!(
                f,
                "no curve leads from a lane through the junction at node {}: give lanes a width, and a larger setback",
                node.0
            ),
            Self::Road { from, to, length, setback } => write!(
                f,
                "the road from node {} to node {} is {length} long: it must be longer than two setbacks of {setback}, and hold at most a \
                 million places",
                from.0, to.0
            ),
            Self::Period { longest } => {
                write!(
                    f,
                    "all timetables together repeat only after more than {longest} ticks: choose periods with common divisors"
                )
            }
        }
    }
}

impl std::error::Error for SpaceError {}
