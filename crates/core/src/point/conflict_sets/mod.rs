//! Conflict sets: motions on a graph that must not happen at one time, although they share neither a node nor an edge.
//!
//! Nodes and edges alone do not tell where units meet: edges cross, pass by a node, or run side by side. Each set of
//! motions that exclude each other is a reservation cell of its own, beside places and crossings.

mod course;
mod near_pairs;
mod site;

use rustc_hash::FxHashSet;

use crate::graph::rows::Rows;
use crate::point::crossings::fingerprint;
use crate::space::{Embedding, SpaceGraph};
use crate::vocabulary::{NodeId, TooManyCells};
use course::Course;
use near_pairs::MOST_PAIRS;
pub use site::{ApartError, Site};

/// A set of more motions is split.
const LARGEST_SET: usize = 8;

/// Numbers the sites of a space. Each node has a site for resting there, then a site for each node to which its moves
/// lead, ascending.
#[derive(Clone, Debug)]
struct Sites {
    /// Per node, the node where each of its sites ends; a rest ends where it is. The index among all sites is the
    /// number of the site.
    ends: Rows<NodeId>,
}

impl Sites {
    fn of<S: SpaceGraph>(space: &S) -> Result<Self, ApartError> {
        TooManyCells::check(space).map_err(|_| ApartError::TooMany)?;
        let mut ends = Rows::new();
        for node in space.nodes() {
            let to = space.moves(node).map(|m| m.to);
            let mut to: Vec<NodeId> = to.filter(|to| *to != node && to.index() < space.node_bound()).collect();
            to.sort_unstable();
            to.dedup();
            if !ends.push([node].into_iter().chain(to)) {
                return Err(ApartError::TooMany);
            }
        }
        Ok(Self { ends })
    }

    fn len(&self) -> usize {
        self.ends.items().len()
    }

    fn rest(&self, node: NodeId) -> Option<u32> {
        self.ends.first().get(node.index()).copied().filter(|_| node.index() < self.ends.len())
    }

    /// The site of moves from `from` to `to`. Degrees are small: a scan beats a binary search.
    fn way(&self, from: NodeId, to: NodeId) -> Option<u32> {
        let site = self.ends.range(from.index()).skip(1).find(|site| self.ends.items()[*site] == to)?;
        u32::try_from(site).ok()
    }

    /// The begin and the end of each site.
    fn ends(&self) -> impl Iterator<Item = [NodeId; 2]> {
        let nodes = (0..).map(NodeId).zip(self.ends.iter());
        nodes.flat_map(|(node, ends)| ends.iter().map(move |end| [node, *end]))
    }
}

/// Which cells each motion needs beside places and crossings.
///
/// A set that names rests only is held like a place: a unit that arrives on a node, and may have to stay there, needs
/// the sets of a rest there.
#[derive(Clone, Debug)]
pub(crate) struct ConflictSets {
    sites: Sites,
    /// Per site, its sets, ascending.
    sets: Rows<u32>,
    count: u32,
    /// The sets before this one name rests only.
    of_rests: u32,
}

impl ConflictSets {
    /// Units of `radius` never overlap. `together`: all moves take one tick, and units follow each other.
    pub(crate) fn by_radius<S: Embedding>(space: &S, radius: f32, together: bool) -> Result<Self, ApartError> {
        if !(radius > 0.0 && radius <= f32::MAX) {
            return Err(ApartError::Radius { radius });
        }
        let sites = Sites::of(space)?;
        let radius = f64::from(radius);
        let ends: Vec<[NodeId; 2]> = sites.ends().collect();
        let mut courses: Vec<Course> = Vec::with_capacity(ends.len());
        for [from, to] in &ends {
            let mut course = Course::default();
            if from == to {
                course.rest(space, *from);
            } else {
                space.moves(*from).filter(|m| m.to == *to).for_each(|m| course.add(space, &m, radius));
            }
            courses.push(course);
        }
        // Sites with a node in common exclude each other by that node, unless one unit follows another through it.
        let exclude = |[a, b]: [usize; 2]| {
            let ([a_from, a_to], [b_from, b_to]) = (ends[a], ends[b]);
            let one_follows = together && (a_to == b_from) != (a_from == b_to);
            a_from == b_from || a_to == b_to || (a_to == b_from || a_from == b_to) && !one_follows
        };
        if let Some(lost) = courses.iter().position(|course| !course.is_finite()) {
            return Err(ApartError::Nowhere { from: ends[lost][0], to: ends[lost][1] });
        }
        let pairs = near_pairs::near_pairs(&courses, radius, together, exclude)?;
        Ok(Self::of(sites, &pairs))
    }

    /// Each pair of `given` sites excludes each other.
    pub(crate) fn given<S: SpaceGraph>(
        space: &S,
        given: impl IntoIterator<Item = [Site; 2]>,
    ) -> Result<Self, ApartError> {
        let sites = Sites::of(space)?;
        let numbers = |site: Site| {
            let found: Vec<u32> = match site {
                Site::Node(node) => sites.rest(node).into_iter().collect(),
                Site::Way(from, to) => sites.way(from, to).into_iter().chain(sites.way(to, from)).collect(),
            };
            if found.is_empty() { Err(ApartError::NoSuchSite { site }) } else { Ok(found) }
        };
        let mut pairs = Vec::new();
        for [one, other] in given {
            let others = numbers(other)?;
            for a in numbers(one)? {
                pairs.extend(others.iter().filter(|b| **b != a).map(|b| [a.min(*b), a.max(*b)]));
            }
            if pairs.len() > MOST_PAIRS {
                return Err(ApartError::TooMany);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(Self::of(sites, &pairs))
    }

    /// Covers `pairs`, ascending, by sets in which each site excludes each other. Greedy: the least number of sets is
    /// hard to find. Pairs of rests have sets of their own, which come first.
    fn of(sites: Sites, pairs: &[[u32; 2]]) -> Self {
        let mut is_rest = vec![false; sites.len()];
        sites.ends().zip(&mut is_rest).for_each(|([from, to], rest)| *rest = from == to);
        let are_rests = |[a, b]: &[u32; 2]| is_rest[*a as usize] && is_rest[*b as usize];
        let (rests, others): (Vec<[u32; 2]>, Vec<[u32; 2]>) = pairs.iter().copied().partition(are_rests);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); sites.len()];
        let of_rests = cover(&rests, &mut members, 0);
        let count = cover(&others, &mut members, of_rests);
        let mut sets = Rows::new();
        for list in members {
            sets.push(list);
        }
        Self { sites, sets, count, of_rests }
    }

    /// The number of sets.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// A number that tells these sets from other sets; never 0.
    pub(crate) fn layout(&self) -> u64 {
        let Self { sites, sets, count, of_rests } = self;
        let ends = sites.ends.items().iter().map(|end| end.0);
        let sets = sets.first().iter().chain(sets.items()).copied();
        let all = sites.ends.first().iter().copied().chain(ends).chain(sets);
        fingerprint(all.chain([*count, *of_rests]))
    }

    /// The sets of a rest on `node`.
    #[inline]
    pub(crate) fn of_rest(&self, node: NodeId) -> &[u32] {
        self.sites.rest(node).map_or(&[], |site| self.of_site(site))
    }

    /// The sets of a rest on `node` that name rests only.
    #[inline]
    pub(crate) fn among_rests(&self, node: NodeId) -> &[u32] {
        let sets = self.of_rest(node);
        &sets[..sets.partition_point(|set| *set < self.of_rests)]
    }

    /// The sets of a rest on `node` that also name ways.
    #[inline]
    pub(crate) fn with_ways(&self, node: NodeId) -> &[u32] {
        let sets = self.of_rest(node);
        &sets[sets.partition_point(|set| *set < self.of_rests)..]
    }

    /// The sets of moves from `from` to `to`. `None`: there were no such moves.
    #[inline]
    pub(crate) fn of_way(&self, from: NodeId, to: NodeId) -> Option<&[u32]> {
        Some(self.of_site(self.sites.way(from, to)?))
    }

    fn of_site(&self, site: u32) -> &[u32] {
        self.sets.get(site as usize)
    }
}

/// Covers `pairs`, ascending, by sets numbered from `next` on, and notes them with their members. Returns the number
/// after the last set.
fn cover(pairs: &[[u32; 2]], members: &mut [Vec<u32>], mut next: u32) -> u32 {
    let mut others: Vec<Vec<u32>> = vec![Vec::new(); members.len()];
    for [a, b] in pairs {
        others[*a as usize].push(*b);
        others[*b as usize].push(*a);
    }
    others.iter_mut().for_each(|list| list.sort_unstable());
    let exclude = |a: u32, b: u32| others[a as usize].binary_search(&b).is_ok();
    let mut covered: FxHashSet<[u32; 2]> = FxHashSet::default();
    for [a, b] in pairs {
        if covered.contains(&[*a, *b]) {
            continue;
        }
        let mut set = vec![*a, *b];
        let later = others[*a as usize].partition_point(|other| other <= b);
        for c in &others[*a as usize][later..] {
            if set.len() < LARGEST_SET && set.iter().all(|member| exclude(*member, *c)) {
                set.push(*c);
            }
        }
        for (place, one) in set.iter().enumerate() {
            covered.extend(set[place + 1..].iter().map(|other| [*one, *other]));
            members[*one as usize].push(next);
        }
        next += 1;
    }
    next
}
