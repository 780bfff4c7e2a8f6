//! The names of places in messages: cells of a grid, or positions on a mesh.

use std::fmt;
use std::sync::Arc;

use giveway::NodeId;
use giveway::spaces::{Embedding as _, Grid, Waypoints};

/// The places of a map.
#[derive(Clone)]
#[allow(clippy::large_enum_variant)] // there is one
pub(crate) enum Places {
    Cells(Grid),
    Mesh(Arc<Waypoints>),
}

impl Places {
    /// Numbers of one place, for people: `cells`, or `waypoints` of a mesh.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Self::Cells(_) => "cells",
            Self::Mesh(_) => "waypoints",
        }
    }
}

/// The place of a node, as files write it.
pub(crate) struct Place<'a>(pub(crate) &'a Places, pub(crate) NodeId);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Places::Cells(grid) => {
                let (x, y) = grid.xy(self.1);
                write!(f, "({x},{y})")
            }
            Places::Mesh(waypoints) => {
                let [x, y, _] = waypoints.position(self.1);
                write!(f, "({x},{y})")
            }
        }
    }
}
