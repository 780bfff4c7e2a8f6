//! The names of places in messages: cells of a map, ids of a graph, or positions on a mesh.

use std::fmt;
use std::sync::Arc;

use giveway::NodeId;
use giveway::scenario::GraphNodeId;
use giveway::spaces::{Embedding as _, Grid, Waypoints};

/// The places of a map.
#[derive(Clone)]
#[allow(clippy::large_enum_variant)] // there is one
pub(crate) enum Places {
    Cells(Grid),
    Mesh(Arc<Waypoints>),
    /// Cells, by node.
    Listed(Arc<Vec<[u32; 2]>>),
    /// The ids of a graph, by node.
    Named(Arc<Vec<GraphNodeId>>),
    /// Positions, by node.
    Positions(Arc<Vec<[f32; 3]>>),
}

impl Places {
    /// Numbers of one place, for people: `cells`, `nodes`, or `waypoints` of a mesh.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Self::Cells(_) | Self::Listed(_) => "cells",
            Self::Mesh(_) => "waypoints",
            Self::Named(_) => "nodes",
            Self::Positions(_) => "places",
        }
    }
}

/// The place of a node, as files write it.
pub(crate) struct Place<'a>(pub(crate) &'a Places, pub(crate) NodeId);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(places, node) = self;
        match places {
            Places::Cells(grid) => {
                let (x, y) = grid.xy(*node);
                write!(f, "({x},{y})")
            }
            Places::Mesh(waypoints) => {
                let [x, y, _] = waypoints.position(*node);
                write!(f, "({x},{y})")
            }
            Places::Listed(cells) => match cells.get(node.index()) {
                Some([x, y]) => write!(f, "({x},{y})"),
                None => write!(f, "node {}", node.0),
            },
            Places::Named(ids) => match ids.get(node.index()) {
                Some(id) => write!(f, "node {id}"),
                None => write!(f, "the node of number {}", node.0),
            },
            Places::Positions(positions) => match positions.get(node.index()) {
                Some([x, y, 0.0]) => write!(f, "({x},{y})"),
                Some([x, y, z]) => write!(f, "({x},{y}) at the height {z}"),
                None => write!(f, "the place of number {}", node.0),
            },
        }
    }
}
