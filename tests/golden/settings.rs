//! Settings of strategies, each on its own.

use giveway::strategies::{
    Chain, CrowdSettings, Depth, Lra, Order, Planner, Replanning, Restart, Routing, SectorRouting, SoftRests,
    WaitPenalty,
};

pub(crate) const ORDERS: [(&str, Order); 7] = [
    ("as-given", Order::AsGiven),
    ("farthest", Order::FarthestFirst),
    ("nearest", Order::NearestFirst),
    ("nearest-else-farthest", Order::NearestElseFarthest),
    ("priority", Order::ByPriority),
    ("rotating", Order::Rotating),
    ("random", Order::Random { seed: 2005 }),
];

pub(crate) const RESTARTS: [(&str, Restart); 3] = [
    ("never", Restart::Never),
    ("failed-first", Restart::FailedFirst { times: 3 }),
    ("shuffled", Restart::Shuffled { times: 4, seed: 7 }),
];

/// One planner, and its fallbacks.
pub(crate) fn chain(first: Planner, others: &[(Planner, u32)]) -> Chain {
    others.iter().fold(Chain::new(first), |chain, (planner, after)| chain.fallback(*planner, *after))
}

/// PIBT, with LaCAM after a while.
pub(crate) fn push() -> Chain {
    chain(Planner::Pibt, &[(Planner::Lacam, 5)])
}

pub(crate) fn sectors(side: u32, refine: u32) -> Routing {
    Routing::Sectors(SectorRouting::new(side).refine(refine))
}

/// Chains of every kind.
pub(crate) fn chains() -> [(&'static str, Chain); 11] {
    use Planner::{Lacam, Pibt, Windowed};
    let repair = Planner::LocalRepair(Lra::new(5));
    [
        ("windowed", Windowed.into()),
        ("push", Pibt.into()),
        ("joint", Lacam.into()),
        ("repair", repair.into()),
        ("windowed-push", chain(Windowed, &[(Pibt, 4)])),
        ("windowed-joint", chain(Windowed, &[(Lacam, 4)])),
        ("push-windowed", chain(Pibt, &[(Windowed, 6)])),
        ("push-joint", push()),
        ("repair-windowed", chain(repair, &[(Windowed, 3)])),
        ("repair-push-joint", chain(repair, &[(Pibt, 3), (Lacam, 3)])),
        ("all", chain(Windowed, &[(repair, 3), (Pibt, 3), (Lacam, 5)])),
    ]
}

/// How a crowd deals with agents that rest.
pub(crate) fn manners() -> [(&'static str, CrowdSettings); 8] {
    let plain = CrowdSettings::new;
    [
        ("plain", plain()),
        ("polite", plain().wait_penalty(WaitPenalty::default())),
        ("polite-at-once", plain().wait_penalty(WaitPenalty { first: 900, decay: 3 })),
        ("polite-for-long", plain().wait_penalty(WaitPenalty { first: 50, decay: 60 })),
        ("soft", plain().soft_rests(SoftRests::default())),
        ("free", plain().override_price(0)),
        ("cascade-8", plain().cascade(8)),
        ("no-promotion", plain().promotion(false)),
    ]
}

/// Every setting on its own.
pub(crate) fn settings() -> Vec<(String, CrowdSettings)> {
    let plain = CrowdSettings::new;
    let mut all: Vec<(String, CrowdSettings)> = [
        ("plain", plain()),
        ("window-1", plain().window(1)),
        ("window-4", plain().window(4)),
        ("window-32", plain().window(32)),
        ("by-crowding", plain().depth(Depth::ByCrowding { least: 4, most: 24 })),
        ("interval-1", plain().interval(1)),
        ("interval-5", plain().interval(5)),
        ("interval-40", plain().interval(40)),
        ("all-at-once", plain().replanning(Replanning::AllAtOnce)),
        ("wait-penalty", plain().wait_penalty(WaitPenalty::default())),
        ("override-price-0", plain().override_price(0)),
        ("override-price-9000", plain().override_price(9000)),
        ("soft-rests", plain().soft_rests(SoftRests { price: 2500 })),
        ("no-promotion", plain().promotion(false)),
        ("cascade-1", plain().cascade(1)),
        ("cascade-4", plain().cascade(4)),
        ("no-growth", plain().growth(None)),
        ("growth-2", plain().growth(Some(2))),
        ("descent", plain().descent(true)),
    ]
    .map(|(name, settings)| (name.to_owned(), settings))
    .into();
    let others = ORDERS.iter().filter(|(name, _)| *name != "rotating");
    all.extend(others.map(|(name, order)| (format!("order-{name}"), plain().order(*order))));
    all.extend(chains().map(|(name, chain)| (format!("chain-{name}"), plain().chain(chain))));
    all
}
