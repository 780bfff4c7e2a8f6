//! Units that are late: nothing overlaps, and all arrive.

mod bodies;
pub(crate) mod life;
mod reported;
mod rows;

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
            for percent in [5, 20] {
                let agent_ticks = if kind == Kind::Points { 3000 } else { 8000 };
                let counts = go_about(kind, lateness, percent, agent_ticks, u64::from(percent));
                assert!(counts.moves > 100 && counts.holds > 10, "{kind:?}: {counts:?}");
            }
        }
    }
}

/// Every move is late, and some are late again and again, in crowds without much room.
#[test]
fn whatever_is_late_nobody_overlaps() {
    for kind in KINDS {
        for lateness in WAYS {
            let settings = CrowdSettings::new().lateness(lateness);
            let mut life = Life::new(kind, &open_map(kind, 9), settings, 77);
            life.populate(if kind == Kind::Points { 40 } else { 14 });
            let ticks = if kind == Kind::Points { 200 } else { 900 };
            for tick in 0..ticks {
                life.send_idle();
                life.tick(Budget::work(if tick % 3 == 0 { 300 } else { 100_000 }), 100);
                for agent in life.agents() {
                    if (agent.0 * 7 + tick) % 29 == 0 {
                        life.hold(agent, 1 + tick % 4);
                    }
                }
            }
            life.check();
            assert!(life.counts.moves > 40, "{kind:?}: {:?}", life.counts);
        }
    }
}

/// On an open map lateness costs time, and nothing else.
#[test]
fn all_arrive_where_all_arrive_undisturbed() {
    for kind in KINDS {
        for lateness in WAYS {
            let arrive = |percent| {
                let settings = CrowdSettings::new().lateness(lateness);
                let mut life = Life::new(kind, &open_map(kind, 20), settings, 5);
                life.populate(if kind == Kind::Vehicles { 10 } else { 24 });
                life.send_idle();
                while !life.crowd.is_at_rest() {
                    assert!(life.crowd.now() < 20_000, "{kind:?}, {lateness:?}, {percent} %");
                    life.tick(Budget::unlimited(), percent);
                }
                life.check();
                (life.crowd.now(), life.counts.arrivals)
            };
            let (undisturbed, arrivals) = arrive(0);
            for percent in [5, 20] {
                let (late, all) = arrive(percent);
                assert!(all == arrivals && late >= undisturbed / 2, "{kind:?}: {undisturbed} and {late}");
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
