//! Errors: why a crowd refuses an order.

use std::fmt;

use giveway_core::{AgentId, CellsDiffer, NodeId, Tick, TooCoarse, TooManyCells};

use giveway_members::class_id::ClassId;
use giveway_members::world::CannotAdd;

/// Why a crowd refused a call. The crowd is unchanged.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum CrowdError {
    /// There is no agent with this id, or the agent was removed.
    NoSuchAgent(AgentId),
    /// There is no class with this id.
    NoSuchClass(ClassId),
    /// The node is a wall or does not exist.
    NoSuchNode(NodeId),
    /// The footprint of the class was made for another space: at this node it needs a reservation cell beyond the cells
    /// of the crowd.
    OutOfCells(NodeId),
    /// An agent is on the node, or under way to it.
    Occupied {
        /// The node.
        node: NodeId,
        /// The agent.
        by: AgentId,
    },
    /// No free place is left. After `send_near`, and after `stop` on a closed place: all places that the agent can
    /// reach are goals of other agents. After all other calls: all places that can be reached from the goals are goals
    /// of other agents. A bystander has its place as its goal.
    NoFreePlace {
        /// One of the requested goals.
        goal: NodeId,
    },
    /// An order to a group names no agent.
    NoAgent,
    /// A place of a [group](crate::Crowd::send_group) is a wall or does not exist in the class of this agent.
    NoPlaceOf {
        /// The first such agent, in the order in which agents were named.
        agent: AgentId,
        /// The node.
        node: NodeId,
    },
    /// A place of a [group](crate::Crowd::send_group) has another position in the class of this agent than in the class
    /// of the first agent.
    OtherPlaceOf {
        /// The first such agent, in the order in which agents were named.
        agent: AgentId,
        /// The node.
        node: NodeId,
    },
    /// The set of goals is empty. An order needs at least one goal; to take an order away,
    /// [stop](crate::Crowd::stop) the agent.
    NoGoal,
    /// A position is not finite.
    NotFinite,
    /// The class does not share the crowd's reservation cells.
    CellsDiffer(CellsDiffer),
    /// The bounds of the class's space are too large to number its cells.
    TooManyCells(TooManyCells),
    /// The node has another position in the new class.
    OtherPlace(NodeId),
    /// Units of the class give places up before a move has ended: the footprint of the class does not hold [whole
    /// moves](giveway_core::WholeMoves).
    NotWhole(ClassId),
    /// The class was not made [editable](super::Class::editable), or does not own its space.
    NotEditable(ClassId),
    /// The class has too few ticks per step for a new [surface](super::Crowd::resurface) of an area. On this surface
    /// the duration of a move would be wrong by more than 1 %.
    TooCoarse {
        /// The class.
        class: ClassId,
        /// The misfit, and the number of ticks that would fit.
        coarse: TooCoarse,
    },
    /// No id is left for another agent or class.
    TooMany,
    /// No place near this node is left: every place is closed or occupied, or an agent is under way to it.
    NoRoom {
        /// The node.
        near: NodeId,
    },
    /// No move from one node to the other begins at this tick: the nodes are not neighbours, the agent is still under
    /// way, or moves begin only at [certain ticks](giveway_core::SpaceGraph::departs).
    NoSuchMove {
        /// Where the move would begin.
        from: NodeId,
        /// Where the move would end.
        to: NodeId,
        /// The tick at which the move would begin.
        depart: Tick,
    },
    /// The call needs the positions of nodes, and the class is [bare](crate::Class::bare): its space has none.
    /// [`send_near`](crate::Crowd::send_near) and [`place_near`](crate::Crowd::place_near) need positions only if no
    /// moves lead from the given node to a free place.
    Bare(ClassId),
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchAgent(agent) => write!(f, "there is no {agent} in this crowd"),
            Self::NoSuchClass(class) => write!(f, "there is no class {} in this crowd", class.0),
            Self::NoSuchNode(node) => write!(f, "node {} is a wall or does not exist", node.0),
            Self::OutOfCells(node) => {
                write!(f, "node {} is outside the cells of its class's footprint, which is for another space", node.0)
            }
            Self::Occupied { node, by } => write!(f, "node {} is taken: {by} is there or under way to it", node.0),
            Self::NoFreePlace { goal } => write!(f, "node {} and all places around it are goals of others", goal.0),
            Self::NoAgent => f.write_str("an order to a group needs at least one agent"),
            Self::NoPlaceOf { agent, node } => {
                write!(
                    f,
                    "node {} is no place for {agent}: it is a wall or does not exist in the agent's class",
                    node.0
                )
            }
            Self::OtherPlaceOf { agent, node } => write!(
                f,
                "node {} lies elsewhere for {agent} than for the first agent: the spaces of their classes differ",
                node.0
            ),
            Self::NoGoal => f.write_str("an order needs at least one goal; to send an agent nowhere, stop it"),
            Self::NotFinite => f.write_str("a position is not finite"),
            Self::CellsDiffer(differ) => differ.fmt(f),
            Self::TooManyCells(bounds) => bounds.fmt(f),
            Self::OtherPlace(node) => {
                write!(f, "node {} lies elsewhere in that class: its space is another one", node.0)
            }
            Self::NotWhole(class) => write!(
                f,
                "units of class {} give places up before a move has ended: give it a footprint of WholeMoves",
                class.0
            ),
            Self::NotEditable(class) => {
                write!(
                    f,
                    "the space of class {} cannot be edited: let it own the space, and make it Class::editable",
                    class.0
                )
            }
            Self::TooCoarse { class, coarse } => write!(f, "class {} would lose its speed there: {coarse}", class.0),
            Self::TooMany => f.write_str("there is no id left for another agent or class"),
            Self::NoRoom { near } => {
                write!(f, "no place near node {} is free: on each somebody is, or is under way to it", near.0)
            }
            Self::NoSuchMove { from, to, depart } => {
                write!(f, "no move from node {} to node {} begins at tick {depart}", from.0, to.0)
            }
            Self::Bare(class) => {
                write!(f, "the nearest place is not known in class {}: make it by Class::new", class.0)
            }
        }
    }
}

impl std::error::Error for CrowdError {}

impl From<CellsDiffer> for CrowdError {
    fn from(differ: CellsDiffer) -> Self {
        Self::CellsDiffer(differ)
    }
}

impl From<CannotAdd> for CrowdError {
    fn from(why: CannotAdd) -> Self {
        match why {
            CannotAdd::CellsDiffer(differ) => Self::CellsDiffer(differ),
            CannotAdd::TooMany => Self::TooMany,
        }
    }
}

impl From<TooManyCells> for CrowdError {
    fn from(bounds: TooManyCells) -> Self {
        Self::TooManyCells(bounds)
    }
}
