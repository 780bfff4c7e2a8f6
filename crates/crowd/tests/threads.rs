//! With the feature `rayon`, plans and counts equal the results of one thread.

use giveway_core::heuristic::{HeuristicSource, Zero};
use giveway_core::{Agent, Fuel, Goals, NodeId, Point, SpaceGraph as _, Suspended};
use giveway_crowd::CrowdSolver;
use giveway_distance::{TrueDistance, TrueDistances};
use giveway_spaces::Grid;
use giveway_strategies::{Cooperative, Instance, SolutionIn};
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use rayon::ThreadPoolBuilder;

type Distances = TrueDistances<Grid, Zero>;

/// Distances as without the feature: nothing is found ahead.
struct OnDemand(Distances);

impl HeuristicSource<Grid> for OnDemand {
    type Heuristic<'a> = TrueDistance<'a, Grid, Zero>;

    fn heuristic<'a>(&'a mut self, grid: &Grid, goals: &Goals, origin: NodeId) -> TrueDistance<'a, Grid, Zero> {
        self.0.heuristic(grid, goals, origin)
    }

    fn forget(&mut self) {
        self.0.forget();
    }

    fn renew(&mut self, grid: &Grid, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.0.renew(grid, goals, origin, fuel)
    }

    fn revision(&self, grid: &Grid, goals: &Goals) -> u64 {
        HeuristicSource::revision(&self.0, grid, goals)
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.0.keep_only(needed);
    }

    fn reverse_expanded(&self) -> u64 {
        self.0.reverse_expanded()
    }
}

/// A grid of 64 x 64 cells, a fifth of them walls, and agents between random cells.
fn world(seed: u64) -> (Grid, Vec<Agent>) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let grid = Grid::from_fn(64, 64, |_, _| random.random_bool(0.8)).unwrap();
    let bound = u32::try_from(grid.node_bound()).unwrap();
    let mut free: Vec<NodeId> = (0..bound).map(NodeId).filter(|node| grid.contains(*node)).collect();
    free.shuffle(&mut random);
    let starts = free.clone();
    free.shuffle(&mut random);
    let agents = starts.into_iter().zip(free).map(|(start, goal)| Agent::new(start, goal)).take(150).collect();
    (grid, agents)
}

/// Compares what `solve` makes of distances found on demand with what it makes of distances found ahead, on 1, 2 and 4
/// threads.
fn check<D>(solve: impl Fn(&Instance<'_, Grid, Point>, Source) -> SolutionIn<Grid, D> + Sync) {
    for seed in 0..3 {
        let (grid, agents) = world(seed);
        let point = Point::swap_rule(&grid);
        let instance = Instance::new(&grid, &point, agents).unwrap();
        for most in [usize::MAX, 300_000] {
            let distances = || Distances::tables().keep_at_most(most);
            let expected = solve(&instance, Source::OnDemand(OnDemand(distances())));
            assert!(expected.reverse_expansions > 0);
            for threads in [1, 2, 4] {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (plan, unplanned, counts) = pool.install(|| {
                    let found = solve(&instance, Source::Ahead(distances()));
                    (found.plan, found.unplanned, [found.expansions, found.reverse_expansions])
                });
                assert_eq!(
                    counts,
                    [expected.expansions, expected.reverse_expansions],
                    "seed {seed}, {threads} threads"
                );
                assert_eq!((plan, unplanned), (expected.plan.clone(), expected.unplanned.clone()));
            }
        }
    }
}

enum Source {
    OnDemand(OnDemand),
    Ahead(Distances),
}

#[test]
fn a_crowd_is_the_same_on_any_number_of_threads() {
    let solver = CrowdSolver::whca_star().latest(60);
    check(|instance, source| match source {
        Source::OnDemand(distances) => solver.solve_under(instance, distances, (), &mut ()),
        Source::Ahead(distances) => solver.solve_under(instance, distances, (), &mut ()),
    });
}

#[test]
fn cooperative_plans_are_the_same_on_any_number_of_threads() {
    check(|instance, source| match source {
        Source::OnDemand(distances) => Cooperative::new(distances).latest(200).solve(instance),
        Source::Ahead(distances) => Cooperative::new(distances).latest(200).solve(instance),
    });
}
