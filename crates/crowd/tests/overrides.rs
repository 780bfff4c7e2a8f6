//! Reports of overrides: exactly the agents that owned an entry that another agent took are told.

use std::cell::RefCell;
use std::collections::BTreeSet;

use giveway_core::store::IntervalTable;
use giveway_core::{
    Agent, AgentId, Cells, Claim, Entry, FreeIntervals, Goals, Mark, NodeId, Point, Probe, Rank, Refused,
    ReservationStore, StaleMark, Tick, Ticks,
};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Planner};
use giveway_spaces::Grid;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// From this rank on, reservations belong to PIBT, to LaCAM and to moves that have begun.
const BEYOND_PLANS: Rank = Rank(u64::MAX, u32::MAX - 3);

thread_local! {
    /// The taker and the former owner of each taken entry, since the last look; a crowd stays on its thread.
    static TAKEN: RefCell<Vec<(Claim, AgentId)>> = const { RefCell::new(Vec::new()) };
}

/// A store that notes the owner of each taken entry, as the table says, whatever the commit tells. A rolled-back loss
/// is not noted.
#[derive(Clone)]
struct Recording {
    table: IntervalTable,
    /// The marks, and how much was noted when each was taken.
    open: Vec<(Mark, usize)>,
}

impl Recording {
    fn new(cells: Cells, _: Ticks) -> Self {
        Self { table: IntervalTable::new(cells), open: Vec::new() }
    }
}

impl ReservationStore for Recording {
    fn probe(&self, entry: &Entry, claim: Claim) -> Probe {
        self.table.probe(entry, claim)
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        let holders = |entry: &Entry| self.table.holders(entry.cell, entry.span);
        let owners: BTreeSet<AgentId> = entries.iter().flat_map(holders).map(|(_, holding)| holding.agent).collect();
        self.table.commit(claim, entries, evicted)?;
        let losers = owners.into_iter().filter(|owner| *owner != claim.agent);
        TAKEN.with_borrow_mut(|taken| taken.extend(losers.map(|owner| (claim, owner))));
        Ok(())
    }

    fn release(&mut self, agent: AgentId, from: Tick) {
        self.table.release(agent, from);
    }

    fn forget_before(&mut self, now: Tick) {
        self.table.forget_before(now);
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    fn settled_from(&self) -> Tick {
        self.table.settled_from()
    }

    fn mark(&mut self) -> Mark {
        let mark = self.table.mark();
        self.open.push((mark, TAKEN.with_borrow(Vec::len)));
        mark
    }

    fn rollback(&mut self, to: Mark) -> Result<(), StaleMark> {
        self.table.rollback(to)?;
        let (_, taken) = *self.open.iter().find(|(mark, _)| *mark == to).ok_or(StaleMark)?;
        TAKEN.with_borrow_mut(|all| all.truncate(taken));
        Ok(())
    }

    fn settle(&mut self) {
        self.open.clear();
        self.table.settle();
    }

    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        self.table.free_intervals()
    }
}

/// The counts of all runs together.
#[derive(Default, Debug)]
struct Totals {
    overridden: usize,
    rolled_back: u32,
    promoted: usize,
    /// Who lost what it held before it had ever planned.
    new: usize,
    pushed: usize,
}

/// Lives through 100 ticks of a crowd on a small map, where one after the other gets another goal, and compares at each
/// of them.
fn run(seed: u64, settings: CrowdSettings, totals: &mut Totals) {
    let mut random = Pcg64Mcg::new(u128::from(seed) << 64 | 0xCAFE_F00D_D15E_A5E5);
    let (width, height) = (random.random_range(6..14), random.random_range(4..14));
    let grid = Grid::from_fn(width, height, |x, y| !(x * 7 + y * 3 + x * y).is_multiple_of(8)).unwrap();
    let free: Vec<NodeId> = (0..width * height)
        .map(NodeId)
        .filter(|node| {
            let (x, y) = grid.xy(*node);
            grid.is_passable(x, y)
        })
        .collect();
    let any = |random: &mut Pcg64Mcg| free[random.random_range(0..free.len())];
    let mut crowd = Crowd::new_on(settings, Recording::new);
    let point = if seed.is_multiple_of(2) { Point::swap_rule(&grid) } else { Point::following_rule(&grid) };
    let class = crowd.add_class(Class::new(&grid, point)).unwrap();
    for _ in 0..free.len() * random.random_range(1..5) / 10 {
        let (start, goal, priority) = (any(&mut random), any(&mut random), random.random_range(0..3));
        let stands_by = random.random_ratio(1, 4);
        let agent = if stands_by { Agent::bystander(start) } else { Agent::new(start, goal) };
        // Some places are taken.
        let _ = crowd.add(class, Agent { priority, ..agent });
    }
    let agents: Vec<AgentId> = crowd.agents().collect();
    for _ in 0..100 {
        let mut new: BTreeSet<AgentId> = BTreeSet::new();
        for agent in &agents {
            if crowd.now() == 0 || crowd.is_home(*agent) == Some(true) && random.random_ratio(1, 6) {
                // Some goals are taken.
                let _ = crowd.send(*agent, Goals::one(any(&mut random)));
                new.insert(*agent);
            }
        }
        TAKEN.take();
        let report = crowd.tick(Budget::unlimited());
        let taken = TAKEN.take().into_iter().filter(|(claim, _)| claim.rank < BEYOND_PLANS);
        let owners: BTreeSet<AgentId> = taken.map(|(_, owner)| owner).collect();
        let told: BTreeSet<AgentId> = report.overridden.iter().copied().collect();
        assert_eq!(told.len(), report.overridden.len(), "told twice: {report:?}");
        assert!(told.is_subset(&owners), "seed {seed}: told {told:?} of {owners:?}: {report:?}");
        let silent: BTreeSet<AgentId> = owners.difference(&told).copied().collect();
        // Who has not planned yet does so anyway.
        assert!(silent.is_subset(&new), "seed {seed}: {silent:?} was not told: {report:?}");
        totals.overridden += told.len();
        totals.rolled_back += report.rolled_back;
        totals.promoted += report.promoted.len();
        totals.new += silent.len();
        totals.pushed += report.pushed.len();
    }
}

#[test]
fn those_are_told_whose_reservations_were_taken_and_nobody_else() {
    for settings in [
        CrowdSettings::new(),
        CrowdSettings::new().chain(Planner::Windowed),
        CrowdSettings::new().promotion(false).window(6),
    ] {
        let mut totals = Totals::default();
        for seed in 0..60 {
            run(seed, settings.clone(), &mut totals);
        }
        println!("{totals:?}");
        assert!(totals.overridden > 1000 && totals.rolled_back > 100, "{totals:?}");
    }
}
