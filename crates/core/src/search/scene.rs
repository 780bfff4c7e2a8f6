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
    /// The space: places and moves.
    pub space: &'a S,
    /// The footprint: what the agent occupies.
    pub footprint: &'a F,
    /// The store with the reservations of all agents.
    pub reservations: &'a R,
    /// The layer, whose costs are added to the costs of the space.
    pub layer: &'a L,
}

/// A [`Scene`] whose footprint, store and layer suit its space. Searches ask for this one trait instead of bounds on
/// each of the four types.
///
/// Implemented for every [`Scene`] of a [`SpaceGraph`], a [`Footprint`], a [`ReservationStore`] and a [`CostLayer`].
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

    /// The space: places and moves.
    fn space(&self) -> &Self::Space;

    /// The footprint: what the agent occupies.
    fn footprint(&self) -> &Self::Footprint;

    /// The store with the reservations of all agents.
    fn reservations(&self) -> &Self::Reservations;

    /// The layer, whose costs are added to the costs of the space.
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
