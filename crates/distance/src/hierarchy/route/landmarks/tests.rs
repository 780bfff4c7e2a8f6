use std::collections::BTreeSet;

use giveway_core::Fuel;
use proptest::prelude::*;

use super::super::{Found, Link, RouteSearch, SectorGraph};
use super::MOST;

/// Sectors with these links, and goals.
struct Net {
    links: Vec<Vec<Link>>,
    goals: Vec<u32>,
    is_two_way: bool,
}

impl SectorGraph for Net {
    fn len(&self) -> usize {
        self.links.len()
    }

    fn size(&self) -> usize {
        self.links.len()
    }

    fn links(&mut self, sector: u32) -> &[Link] {
        &self.links[sector as usize]
    }

    fn centre(&self, sector: u32) -> u32 {
        sector
    }

    fn left(&self, _sector: u32) -> u32 {
        0
    }

    fn has_goal(&self, sector: u32) -> bool {
        self.goals.contains(&sector)
    }

    fn goals(&mut self) -> Vec<u32> {
        self.goals.clone()
    }

    fn is_whole(&self, _sector: u32) -> bool {
        true
    }

    fn is_two_way(&self) -> bool {
        self.is_two_way
    }

    fn owed(&mut self) -> u64 {
        0
    }

    fn is_large(&self) -> bool {
        true
    }
}

const ARMS: u32 = 12;
const LENGTH: u32 = 20;

/// The sector at this place of an arm of a star.
fn at(arm: u32, place: u32) -> u32 {
    if place == 0 { 0 } else { arm * LENGTH + place }
}

impl Net {
    /// A net of `count` sectors. Each edge has two sectors, taken modulo `count`, and a length.
    fn of(count: u32, edges: &[(u32, u32, u32)], is_two_way: bool) -> Self {
        let mut links = vec![Vec::new(); count as usize];
        for (from, to, length) in edges.iter().map(|(from, to, length)| (from % count, to % count, *length)) {
            links[from as usize].push(Link { to, length });
            if is_two_way {
                links[to as usize].push(Link { to: from, length });
            }
        }
        Self { links, goals: Vec::new(), is_two_way }
    }

    /// `ARMS` corridors of `LENGTH` sectors that meet in sector 0.
    fn star() -> Self {
        let arm = |arm| (0..LENGTH).map(move |place| (at(arm, place), at(arm, place + 1), 1));
        Self::of(ARMS * LENGTH + 1, &(0..ARMS).flat_map(arm).collect::<Vec<_>>(), true)
    }

    /// The length of a shortest way from `from` to a goal, by relaxing all links as often as there are sectors.
    fn shortest(&self, from: u32) -> Option<u32> {
        let mut least: Vec<Option<u32>> = vec![None; self.links.len()];
        least[from as usize] = Some(0);
        for _ in 0..self.links.len() {
            for sector in 0..self.links.len() {
                let Some(length) = least[sector] else { continue };
                for link in &self.links[sector] {
                    let to = &mut least[link.to as usize];
                    *to = Some(to.map_or(length + link.length, |known| known.min(length + link.length)));
                }
            }
        }
        self.goals.iter().filter_map(|goal| least[*goal as usize]).min()
    }

    /// Looks for a route with so much fuel at a time. Returns whether there is one.
    fn finds(&mut self, routes: &mut RouteSearch, from: u32, goals: &[u32], fuel: u64) -> bool {
        self.goals = goals.to_vec();
        routes.begin(self, Some(from));
        loop {
            if let Ok(found) = routes.advance(self, &mut Fuel::work(fuel)) {
                return matches!(found, Found::Route(_));
            }
        }
    }
}

proptest! {
    #[test]
    fn no_way_is_shorter_than_landmarks_tell(
        count in 1_u32..40,
        edges in prop::collection::vec((any::<u32>(), any::<u32>(), 0_u32..50), 0..120),
        trips in prop::collection::vec((any::<u32>(), prop::collection::vec(any::<u32>(), 1..4)), 1..60),
        is_two_way in any::<bool>(),
        fuel in 1_u64..20,
    ) {
        let mut net = Net::of(count, &edges, is_two_way);
        let mut routes = RouteSearch::default();
        for (from, goals) in trips {
            let goals: Vec<u32> = goals.into_iter().map(|goal| goal % count).collect();
            let is_found = net.finds(&mut routes, from % count, &goals, fuel);
            prop_assert_eq!(is_found, net.shortest(from % count).is_some());
            for sector in 0..count {
                let bound = routes.landmarks.bound(sector, is_two_way);
                prop_assert!(net.shortest(sector).is_none_or(|shortest| bound <= shortest), "{} from {}", bound, sector);
            }
        }
    }
}

/// Lets units in a star look for routes from arm to arm. Returns the sectors that each search has taken from its open
/// list, and the landmarks.
fn search_in_star(routes: &mut RouteSearch) -> (Vec<u64>, BTreeSet<u32>) {
    let mut net = Net::star();
    let (mut popped, mut landmarks) = (Vec::new(), BTreeSet::new());
    for trip in 0..60 {
        assert!(net.finds(routes, at(trip % ARMS, 5), &[at((trip * 5 + 3) % ARMS, LENGTH - trip % 3)], 7));
        popped.push(routes.popped());
        landmarks.extend(routes.landmarks.next().map(|(landmark, _)| landmark));
    }
    (popped, landmarks)
}

#[test]
fn where_searches_go_astray_landmarks_lead_them() {
    let mut routes = RouteSearch::default();
    let (popped, landmarks) = search_in_star(&mut routes);
    let of = |range: std::ops::Range<usize>| popped[range].iter().sum::<u64>();
    assert!(2 * of(40..60) < of(0..20), "{popped:?}");
    let is_end = |landmark: &u32| landmark.is_multiple_of(LENGTH) && *landmark > 0;
    assert!(landmarks.len() > 1 && landmarks.iter().all(is_end), "{landmarks:?}");
    assert!(routes.landmarks.found <= MOST);
}

#[test]
fn what_has_become_shorter_is_no_longer_told() {
    let mut routes = RouteSearch::default();
    search_in_star(&mut routes);
    assert!((0..ARMS).any(|arm| routes.landmarks.bound(at(arm, 7), true) > 0));
    routes.landmarks.clear();
    assert!(routes.landmarks.are_none() && (0..ARMS).all(|arm| routes.landmarks.bound(at(arm, 7), true) == 0));
}
