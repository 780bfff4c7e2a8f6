//! The common parts of most programs, compiled with this crate: points on grids.
//!
//! Searches are generic over spaces and footprints, and generic code is compiled where it is used. Builds without
//! optimisation, or with little, take instances of a generic function from the crate that has some.

use giveway_check::Checker;
use giveway_core::{ConflictRule, Point};
use giveway_crowd::{Class, ClassId, Crowd, CrowdError};
use giveway_spaces::Grid;
use giveway_strategies::{Hca, Instance};

/// Uses points on a grid. This function is never called.
#[doc(hidden)]
pub fn points_on_a_grid<'a>(
    crowd: &mut Crowd<'a>,
    grid: &'a Grid,
    instance: &Instance<'a, Grid, Point>,
) -> Result<(ClassId, bool), CrowdError> {
    let plan = Hca::hca_star().solve(instance).plan;
    let legal = Checker::new(grid, ConflictRule::Swap).check(instance.agents(), &plan).is_empty();
    Ok((crowd.add_class(Class::new(grid, Point::swap_rule(grid)))?, legal))
}
