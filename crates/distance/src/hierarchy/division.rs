//! Divisions: how a space is cut into sectors.

use giveway_core::{Fuel, Goals, NodeId, SpaceGraph, Suspended};

use super::route::{Found, RouteSearch, Stop};
use super::way::{Way, Window};

/// Whether a space with so many nodes is large. What is known of its places waits in memory: with 500 units on
/// 1024 x 1024 cells (`benches/budgets.rs`) routes and windows take two to three times as much time as one after the
/// other. On smaller maps that was not measured, and crowds that are short of work do better at the lower price.
#[doc(hidden)]
#[inline]
pub fn is_large(nodes: usize) -> bool {
    nodes >= 1 << 18
}

/// Takes the work out of `passed`, what a search for a window has passed and not paid for yet. Returns it in units.
pub(super) fn take_units(passed: &mut u64, is_large: bool) -> u64 {
    let at_once = if is_large { PASSED_IN_LARGE } else { PASSED_AT_ONCE };
    let work = *passed / at_once;
    *passed %= at_once;
    work
}

/// The number of moves or frontier boards per unit of work, and on [large](is_large) maps.
const PASSED_AT_ONCE: u64 = 24;
const PASSED_IN_LARGE: u64 = 8;

/// The sectors of a space, routes through them, and windows along routes. Nodes have numbers of the division's own.
pub(super) trait Division<S: SpaceGraph> {
    /// The size of the space, in lots of 64 nodes; 0 before the first [`reset`](Self::reset).
    fn size(&self) -> usize;

    /// The units of work that may go into new ways at a tick: about as much time as ten tables.
    fn ration(&self) -> u64;

    /// The work of a table of the whole space, in units.
    fn table_work(&self) -> u64;

    /// Whether the division was made for a space of this size.
    fn fits(&self, space: &S) -> bool;

    /// Forgets all sectors, and makes room for those of `space`.
    fn reset(&mut self, space: &S);

    /// Forgets the sectors that an edit of `nodes` has changed, and the landmarks if ways may have become shorter.
    /// Returns whether the edit concerns the search in `routes`.
    fn forget(&mut self, space: &S, nodes: &[NodeId], routes: &mut RouteSearch) -> bool;

    /// Whether so many sectors are of earlier revisions that all should be forgotten.
    fn is_stale(&self) -> bool;

    /// How many sectors are known.
    fn sectors(&self) -> usize;

    /// The number of `node`.
    fn number(&mut self, space: &S, node: NodeId) -> usize;

    /// The sector of the node with this `number`.
    fn sector(&mut self, space: &S, number: usize) -> Option<u32>;

    /// Begins a search in `routes` for a route from the node with the number `origin` to `goals`.
    fn begin_route(&mut self, space: &S, routes: &mut RouteSearch, origin: usize, goals: &Goals);

    /// Continues the search in `routes`: see [`RouteSearch::advance`].
    fn advance(&mut self, space: &S, routes: &mut RouteSearch, fuel: &mut Fuel) -> Result<Found, Suspended>;

    /// Continues the search in `routes`, without fuel and without pay: see [`RouteSearch::come_as_far`].
    fn come_as_far(&mut self, space: &S, routes: &mut RouteSearch, popped: u64) -> bool;

    /// Continues the search in `routes` for the landmark `next` in this way.
    fn find_landmark_as_far(&mut self, space: &S, routes: &mut RouteSearch, next: u32, popped: u64) -> bool;

    /// The window for the node with the number `origin` along `stops`, of a route to `goals`, and the index of the
    /// first stop that is still ahead. `None`: the stops do not lead on from there.
    fn window(&mut self, space: &S, stops: &[Stop], origin: usize, goals: &Goals) -> Option<(usize, Window<S::Cost>)>;

    /// Whether no edit since `way` was found has changed its window.
    fn is_as_before(&self, space: &S, way: &Way<S::Cost>) -> bool;

    /// About the least that a way from `node` to `goals` costs, without regard to walls.
    fn metric(&self, space: &S, node: NodeId, goals: &Goals) -> S::Cost;

    /// Returns the unpaid work, in units, and sets it to 0.
    fn take_work(&mut self) -> u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cost_three_times_as_much_on_large_maps_and_nothing_passed_is_lost() {
        for (nodes, units, left) in [(1 << 18, 62, 4), ((1 << 18) - 1, 20, 20)] {
            let mut passed = 500;
            assert_eq!((take_units(&mut passed, is_large(nodes)), passed), (units, left));
        }
    }
}
