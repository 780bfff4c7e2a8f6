//! No two agents of a crowd ever overlap, whatever fails: random worlds, random orders, random settings, and a record
//! of what happens that trusts neither stores nor footprints.

mod cases;
mod record;
mod run;
mod scenario;
mod totals;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use giveway_crowd::Served;
use scenario::Scenario;
use totals::Totals;

/// The sum over the runs with the seeds from `first` on, whichever thread does which run.
fn runs(first: u64, count: u64, scenario: impl Fn(u64) -> Scenario + Sync) -> Totals {
    let next = AtomicU64::new(first);
    let (sum, failed) = (Mutex::new(Totals::default()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            // A few failures tell enough.
            if seed >= first + count || failed.lock().unwrap().len() > 3 {
                break;
            }
            let scenario = scenario(seed);
            match catch_unwind(AssertUnwindSafe(|| run::run(&scenario))) {
                Ok(totals) => sum.lock().unwrap().add(&totals),
                Err(_) => failed.lock().unwrap().push((seed, scenario)),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().unwrap();
    let of = |(seed, Scenario { map, rule, settings, .. }): &(u64, Scenario)| {
        format!("seed {seed}: {map:?}, {rule:?}, {settings:?}")
    };
    assert!(
        failed.is_empty(),
        "{} runs failed, see above:\n{}",
        failed.len(),
        failed.iter().map(of).collect::<Vec<_>>().join("\n")
    );
    sum.into_inner().unwrap()
}

#[test]
fn no_two_agents_ever_overlap() {
    let totals = runs(0, 144, |seed| Scenario::new(seed, 8000));
    totals.suffice(1_000_000);
    assert_eq!(totals.overlaps, 0);
}

/// `cargo test --release -p giveway-strategies --test tests crowd_never_collides -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn no_two_agents_ever_overlap_in_a_long_time() {
    runs(100_000, 4000, |seed| Scenario::new(seed, 8000)).suffice(28_000_000);
}

#[test]
fn only_those_who_rest_are_walked_through() {
    let totals = runs(200_000, 96, |seed| Scenario::new(seed, 1500).soft());
    assert!(totals.overlaps >= 1000, "{totals:#?}");
}

#[test]
fn chains_of_all_kinds_live_on_one_table() {
    let totals = runs(300_000, 144, |seed| Scenario::new(seed, 4000).mixed());
    assert_eq!(totals.overlaps, 0);
    let of_million = |count: usize| count as u64 * 1_000_000 / totals.agent_ticks;
    let Served { windowed, local_repair, standing, .. } = totals.served;
    assert!(totals.agent_ticks > 500_000 && totals.moves * 4 > totals.agent_ticks, "{totals:#?}");
    assert!(of_million(windowed) > 200_000 && of_million(local_repair) > 200_000, "{totals:#?}");
    assert!(standing > 0 && totals.calls["set chain"] > 1000 && totals.replayed > 100_000, "{totals:#?}");
}

#[test]
fn whoever_plans_by_steps_never_collides_and_goes_on() {
    let totals = runs(400_000, 96, |seed| Scenario::new(seed, 4000).stepping());
    assert_eq!(totals.overlaps, 0);
    let of_million = |count: u64| count * 1_000_000 / totals.agent_ticks;
    assert!(totals.agent_ticks > 300_000 && totals.moves * 4 > totals.agent_ticks, "{totals:#?}");
    assert!(of_million(totals.served.step as u64) > 500_000, "{totals:#?}");
    assert!(totals.operations > totals.agent_ticks && of_million(totals.inheritances) > 20_000, "{totals:#?}");
    assert!(totals.replayed > 60_000, "{totals:#?}");
}
