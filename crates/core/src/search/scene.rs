//! Scenes: the world in which a search takes place.

use std::fmt::Debug;

use crate::footprint::Footprint;
use crate::layer::CostLayer;
use crate::reservation::ReservationStore;
use crate::space::SpaceGraph;
use crate::vocabulary::Cost;

/// The world in which an agent searches.
#[derive(Debug)]
pub struct Scene<'a, S, F, R, L> {
    /// The places and moves.
    pub space: &'a S,
    /// What the agent occupies.
    pub footprint: &'a F,
    /// The reservations of all agents.
    pub reservations: &'a R,
    /// What actions cost in addition to the space's own costs.
    pub layer: &'a L,
}

/// The bounds on the types of a [`Scene`]'s parts, under one name: the footprint, the store and the layer suit the
/// space.
///
/// Implemented for every `Scene` whose parts have these traits.
pub trait SceneParts {
    /// The actions of the space.
    type Action: Copy + Eq + Debug;
    /// The costs of the space.
    type Cost: Cost;
    /// The type of [`Scene::space`].
    type Space: SpaceGraph<Action = Self::Action, Cost = Self::Cost>;
    /// The type of [`Scene::footprint`].
    type Footprint: Footprint<Self::Space>;
    /// The type of [`Scene::reservations`].
    type Reservations: ReservationStore;
    /// The type of [`Scene::layer`].
    type Layer: CostLayer<Self::Space>;

    /// The places and moves.
    fn space(&self) -> &Self::Space;

    /// What the agent occupies.
    fn footprint(&self) -> &Self::Footprint;

    /// The reservations of all agents.
    fn reservations(&self) -> &Self::Reservations;

    /// What actions cost in addition to the space's own costs.
    fn layer(&self) -> &Self::Layer;
}

impl<S: SpaceGraph, F: Footprint<S>, R: ReservationStore, L: CostLayer<S>> SceneParts for Scene<'_, S, F, R, L> {
    type Action = S::Action;
    type Cost = S::Cost;
    type Space = S;
    type Footprint = F;
    type Reservations = R;
    type Layer = L;

    #[inline(always)]
    fn space(&self) -> &S {
        self.space
    }

    #[inline(always)]
    fn footprint(&self) -> &F {
        self.footprint
    }

    #[inline(always)]
    fn reservations(&self) -> &R {
        self.reservations
    }

    #[inline(always)]
    fn layer(&self) -> &L {
        self.layer
    }
}
