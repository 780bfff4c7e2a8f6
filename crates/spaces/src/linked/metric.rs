//! Distances in a space with links: links shorten the way.

use giveway_core::heuristic::Metric;
use giveway_core::{Cost, NodeId, SpaceGraph};
use num_traits::Zero;

use super::link::Link;
use super::space::Linked;

/// Makes a metric of a space suit the space with links. The distance is the least cost over all ways: the way without
/// links, and the ways along one or more links. Between links, a way costs what the metric of the space says.
///
/// Without this wrapper, a metric is no lower bound where links shorten the way: a portal leads across the map in one
/// step. Closed links count, too, and so do links for other [kinds](Linked::used_by) of units. So the distance is still
/// a lower bound after links have been opened or closed.
///
/// For n links: the memory is in proportion to n^2, and the time of [`new`](Self::new) to n^3. A distance takes about
/// n^2 distances of the metric of the space. For more than a few dozen links, distance tables or landmarks are faster.
///
/// ```
/// use giveway_core::heuristic::{Manhattan, Metric};
/// use giveway_distance::TrueDistances;
/// use giveway_spaces::{ByLinks, Grid, Link, Linked};
///
/// let hall = Grid::open(100, 1)?;
/// let at = |x| hall.node(x, 0).unwrap();
/// let (here, near, far, there) = (at(0), at(2), at(90), at(99));
/// let hall = Linked::new(hall, vec![Link::new(near, far, 5000, 5.0)])?;
/// let metric = ByLinks::new(&hall, Manhattan { step: 1000 });
/// assert_eq!(metric.distance(&hall, here, there), 16_000);
/// // The link leads one way.
/// assert_eq!(metric.distance(&hall, there, here), 99_000);
/// let distances = TrueDistances::<Linked<Grid>, _>::aimed(metric);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByLinks<M, C> {
    metric: M,
    links: Vec<Link<C>>,
    /// The ends of links, ascending.
    ends: Vec<NodeId>,
    /// The least cost from one end to another, with links.
    between: Vec<Vec<C>>,
}

impl<M, C: Cost> ByLinks<M, C> {
    /// `metric`, made to suit the links of `space`.
    pub fn new<S: SpaceGraph<Cost = C>>(space: &Linked<S>, metric: M) -> Self
    where
        M: Metric<S>,
    {
        let links = space.links.clone();
        let mut ends: Vec<NodeId> = links.iter().flat_map(|link| [link.from, link.to]).collect();
        ends.sort_unstable();
        ends.dedup();
        let direct = |from: &NodeId| ends.iter().map(|to| metric.distance(&space.space, *from, *to)).collect();
        let mut between: Vec<Vec<C>> = ends.iter().map(direct).collect();
        for link in &links {
            let [from, to] = [link.from, link.to].map(|end| ends.partition_point(|other| *other < end));
            between[from][to] = between[from][to].min(link.cost);
            if link.both_ways {
                between[to][from] = between[to][from].min(link.cost);
            }
        }
        for via in 0..ends.len() {
            for from in 0..ends.len() {
                for to in 0..ends.len() {
                    let round = between[from][via].plus(between[via][to]);
                    between[from][to] = between[from][to].min(round);
                }
            }
        }
        Self { metric, links, ends, between }
    }

    /// The ends of links where a unit at `node` can get off, or where a unit gets on to come to `node`; each with its
    /// number and the cost of that way.
    fn costs<S: SpaceGraph<Cost = C>>(&self, space: &Linked<S>, node: NodeId, leaves: bool) -> Vec<(usize, C)>
    where
        M: Metric<S>,
    {
        // Of a link that the metric does not know, nothing is known.
        let Some((number, link)) = space.link_at(node).and_then(|number| Some((number, self.links.get(number)?)))
        else {
            let cost = |end: NodeId| match leaves {
                true => self.metric.distance(&space.space, node, end),
                false => self.metric.distance(&space.space, end, node),
            };
            return self.ends.iter().map(|end| cost(*end)).enumerate().collect();
        };
        let [before, after] = space.split(node, number);
        // Forwards to the end or from the begin, and backwards to the begin or from the end.
        let (forwards, backwards) = if leaves { (after, before) } else { (before, after) };
        let (ahead, behind) = if leaves { (link.to, link.from) } else { (link.from, link.to) };
        let number_of = |end: NodeId| self.ends.partition_point(|other| *other < end);
        let mut costs = vec![(number_of(ahead), forwards)];
        if link.both_ways {
            costs.push((number_of(behind), backwards));
        }
        costs
    }
}

impl<S: SpaceGraph, M: Metric<S>> Metric<Linked<S>> for ByLinks<M, S::Cost> {
    fn distance(&self, space: &Linked<S>, from: NodeId, to: NodeId) -> S::Cost {
        let direct = match [from, to].map(|node| space.link_at(node)) {
            [None, None] => Some(self.metric.distance(&space.space, from, to)),
            [Some(one), Some(other)] if one == other => {
                // Along the link, in either direction: at least as cheap as the way is.
                let [a, b] = [from, to].map(|node| space.split(node, one)[0]);
                Some(a.max(b).minus(a.min(b)))
            }
            _ => None,
        };
        let ends = self.costs(space, to, false);
        let by_links = self.costs(space, from, true).into_iter().flat_map(|(off, leaves)| {
            ends.iter().map(move |(on, comes)| leaves.plus(self.between[off][*on]).plus(*comes))
        });
        by_links.chain(direct).min().unwrap_or_else(S::Cost::zero)
    }
}
