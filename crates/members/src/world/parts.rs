//! What a class is made of, with its types.

use std::any::Any;
use std::sync::Arc;

use giveway_core::{Area, Change, Held, MoveIn, NodeId, SpaceGraph, Ticks, TracedBody, Trajectory};

use crate::chain::Chain;
use crate::depth::Depth;

/// What a class is made of.
#[derive(Debug)]
pub struct Parts<'a, S: SpaceGraph, F, H, L> {
    pub space: Held<'a, S>,
    pub footprint: Held<'a, F>,
    pub heuristics: H,
    pub layer: L,
    pub embedding: Option<Embedded<S>>,
    pub body: Option<TracedBody>,
    pub edits: Option<Editing<S>>,
    pub chain: Option<Arc<Chain>>,
    pub step: Option<Ticks>,
    pub depth: Option<Depth>,
}

/// The methods of [`Embedding`](giveway_core::Embedding), for a space type without that bound.
#[derive(Debug)]
pub struct Embedded<S: SpaceGraph> {
    pub position: fn(&S, NodeId) -> [f32; 3],
    pub heading: fn(&S, NodeId) -> f32,
    pub trajectory: for<'s> fn(&'s S, &MoveIn<S>) -> Option<&'s Trajectory>,
    pub as_any: fn(&S) -> &dyn Any,
}

impl<S: SpaceGraph> Clone for Embedded<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: SpaceGraph> Copy for Embedded<S> {}

/// The methods of [`Editable`](giveway_core::Editable) and [`Clone`], for a space type without these bounds.
#[derive(Debug)]
pub struct Editing<S: SpaceGraph> {
    pub copy: fn(&S) -> S,
    pub set_open: fn(&mut S, NodeId, bool) -> bool,
    pub needs: fn(&S, NodeId, NodeId) -> bool,
    pub is_inside: fn(&S, NodeId, &Area) -> bool,
    pub change: fn(&mut S, &Area, Change) -> bool,
}

impl<S: SpaceGraph> Clone for Editing<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: SpaceGraph> Copy for Editing<S> {}
