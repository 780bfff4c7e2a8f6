//! Units that are late: nothing overlaps, and all arrive.

mod life;

use giveway_crowd::{Budget, CrowdSettings, Lateness};

use life::{Counts, KINDS, Kind, Life, open_map};

const WAYS: [Lateness; 2] = [Lateness::KeepOrder, Lateness::PlanAnew];

/// How many percent of the moves are late.
const RATES: [u32; 4] = [0, 1, 5, 20];

/// Lets units of `kind` go about for `agent_ticks`, while `percent` of their moves are late.
fn go_about(kind: Kind, lateness: Lateness, percent: u32, agent_ticks: u64, seed: u64) -> Counts {
    let (side, units) = if kind == Kind::Vehicles { (16, 10) } else { (16, 30) };
    let settings = CrowdSettings::new().lateness(lateness);
    let mut life = Life::new(kind, &open_map(kind, side), settings, seed);
    life.populate(units);
    while life.counts.agent_ticks < agent_ticks {
        life.send_idle();
        life.tick(Budget::unlimited(), percent);
    }
    life.check();
    life.counts
}

#[test]
fn nobody_overlaps_while_some_are_late() {
    for kind in KINDS {
        for lateness in WAYS {
            for percent in RATES {
                let agent_ticks = if kind == Kind::Points { 3000 } else { 12_000 };
                let counts = go_about(kind, lateness, percent, agent_ticks, u64::from(percent));
                eprintln!("{kind:?} {lateness:?} {percent}: {counts:?}");
                assert!(counts.moves > 100 && (percent == 0) == (counts.holds == 0), "{kind:?}: {counts:?}");
            }
        }
    }
}

#[test]
#[ignore = "takes minutes: 10^5 agent-ticks for each kind of unit, way of carrying on and rate"]
fn nobody_overlaps_while_some_are_late_for_long() {
    for kind in KINDS {
        for lateness in WAYS {
            for percent in RATES {
                let counts = go_about(kind, lateness, percent, 100_000, 7 + u64::from(percent));
                eprintln!("{kind:?} {lateness:?} {percent}: {counts:?}");
            }
        }
    }
}
