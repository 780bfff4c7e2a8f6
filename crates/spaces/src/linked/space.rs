//! A space with links.

use super::link::{Link, LinkAction};
use std::collections::BTreeSet;

use giveway_core::{
    Area, Change, Cost, Editable, Edits, Embedding, Facts, Gate, Journal, Move, NodeId, SpaceGraph, Tick, Ticks,
    Trajectory,
};

use crate::adjacency::Adjacency;
use crate::space_error::SpaceError;

/// A space with links: additional ways between places of the space.
///
/// * Nodes of the space keep their ids. The ids of the [places](Link::places) on links follow after the ids of the
///   nodes: link by link, and within a link in the order from its start to its end.
/// * Among the moves out of a node, the moves of the space come first, then the links in the order in which they were
///   given.
/// * The duration of a link follows from its length, so units need a footprint with durations by length:
///   [`Point::timed`](giveway_core::Point::timed), or a body. Under the swap rule each part of a link takes one tick.
/// * In a space with [positions](Embedding), units on a link move straight from place to place, unless the link
///   [jumps](Link::jumps). Units also jump where their [heading](Embedding::heading) would change.
/// * Links from or to a closed node are closed. A closed area closes the places in the area. A link that passes over
///   the area without a place in it stays open.
///
/// Different classes of a crowd may use different links: see [`used_by`](Self::used_by). Classes of points with
/// different links can share a crowd under the [following rule](giveway_core::ConflictRule::Following). Under the swap
/// rule, such classes can share a crowd only if the space numbers its crossings, as grids do.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Goals, NodeId, SpatialSearch};
/// use giveway_spaces::{Grid, Link, Linked};
///
/// // Two rooms without a door. A ladder of 3 world units leads over the wall; it has a place for one unit.
/// let rooms = Grid::from_ascii("..@..")?;
/// let at = |x| rooms.node(x, 0).unwrap();
/// let (start, foot, top, goal) = (at(0), at(1), at(3), at(4));
/// let ladder = Link::new(foot, top, 3000, 3.0).both_ways().places(1);
/// let rooms = Linked::new(rooms, vec![ladder])?;
///
/// // One step, a ladder of three, and one step.
/// let route = SpatialSearch::new().find(&rooms, start, &Goals::one(goal), &mut Zero)?;
/// assert_eq!(route.cost, 5000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Linked<S: SpaceGraph> {
    pub(super) space: S,
    pub(super) links: Vec<Link<S::Cost>>,
    /// Per link, its first place, beyond the nodes of the space; one more element than links.
    first_place: Vec<u32>,
    /// The link of each place.
    link_of: Vec<u32>,
    /// Per place, whether units can be there.
    gates: Vec<Gate>,
    /// The ends of links that units have to leave. They may leave by a link if there is no other way.
    left: BTreeSet<NodeId>,
    /// The parts of all links.
    parts: Adjacency<LinkAction<S::Action>, S::Cost>,
    users: u64,
    /// The ticks after which all timetables repeat together, of the links and of the space.
    period: Ticks,
    /// The number of changes of places.
    revision: u64,
    /// What has changed, as far as changes came through this space.
    journal: Journal,
}

/// The most ticks after which timetables may repeat together.
pub(super) const LONGEST_PERIOD: Ticks = 1 << 16;

impl<S: SpaceGraph> Linked<S> {
    /// `space` with `links`.
    ///
    /// # Errors
    /// It is an error
    /// * if a link begins or ends at a node beyond the bound of the space, or begins where it ends;
    /// * if a link has more than a million places;
    /// * if a cost or a length is negative or not finite;
    /// * if all timetables of the links and of the space together repeat only after more than 2^16 ticks;
    /// * if there are too many places or links for their ids.
    pub fn new(space: S, links: Vec<Link<S::Cost>>) -> Result<Self, SpaceError> {
        let own =
            u32::try_from(space.node_bound()).map_err(|_| SpaceError::TooManyNodes { bound: space.node_bound() })?;
        let (mut first_place, mut link_of, mut moves) = (vec![own], Vec::new(), Vec::new());
        let (mut next, mut period) = (own, space.facts().period.max(1));
        for (number, link) in (0..).zip(&links) {
            link.check(own)?;
            let first = next;
            let too_many = SpaceError::TooManyNodes { bound: (next as usize).saturating_add(link.places as usize) };
            next = next.checked_add(link.places).filter(|next| *next < u32::MAX).ok_or(too_many)?;
            first_place.push(next);
            link_of.resize(link_of.len() + link.places as usize, number);
            period = common_multiple(period, link.every)
                .filter(|period| *period <= LONGEST_PERIOD)
                .ok_or(SpaceError::Period { longest: LONGEST_PERIOD })?;
            let stops: Vec<NodeId> =
                [link.from].into_iter().chain((first..next).map(NodeId)).chain([link.to]).collect();
            let pieces = link.places + 1;
            for (piece, ends) in stops.windows(2).enumerate() {
                let (from, to) = (ends[0], ends[1]);
                let part = link.cost.part(pieces);
                let cost = if piece == 0 { link.cost.minus(part.times(link.places)) } else { part };
                #[allow(clippy::cast_precision_loss)] // links with more places are not as exact
                let length = link.length / pieces as f32;
                moves.push(Move { from, to, action: LinkAction::Link { number, back: false }, cost, length });
                if link.both_ways {
                    let action = LinkAction::Link { number, back: true };
                    moves.push(Move { from: to, to: from, action, cost, length });
                }
            }
        }
        moves.sort_by_key(|m| m.from);
        let parts = Adjacency::from_moves(next as usize, moves).ok_or(SpaceError::TooManyMoves)?;
        let gates = vec![Gate::Open; link_of.len()];
        let journal = Journal::at(space.revision());
        Ok(Self {
            space,
            links,
            first_place,
            link_of,
            gates,
            left: BTreeSet::new(),
            parts,
            users: u64::MAX,
            period,
            revision: 0,
            journal,
        })
    }

    /// Sets the kinds of units that move in this space, with one bit of `users` for each of up to 64 kinds. The space
    /// then has only the links that are [for](Link::only_for) one of these kinds. The default is all kinds.
    #[must_use]
    pub fn used_by(self, users: u64) -> Self {
        Self { users, ..self }
    }

    /// The space without links.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The links, in the order in which they were given.
    pub fn links(&self) -> &[Link<S::Cost>] {
        &self.links
    }

    /// The places on the link `number`, in the order from its start to its end. Empty if there is no such link.
    pub fn places(&self, number: usize) -> impl ExactSizeIterator<Item = NodeId> {
        let range = self.first_place.get(number).zip(self.first_place.get(number + 1));
        range.map_or(0..0, |(first, end)| *first..*end).map(NodeId)
    }

    /// The number of the link on which `node` is a place. `None`: `node` is a node of the space without links, or there
    /// is no such node.
    pub fn link_at(&self, node: NodeId) -> Option<usize> {
        Some(*self.link_of.get(self.place(node)?)? as usize)
    }

    fn own(&self) -> u32 {
        self.first_place[0]
    }

    /// The number of the place `node`; `None`: it is a node of the space.
    #[inline]
    fn place(&self, node: NodeId) -> Option<usize> {
        node.0.checked_sub(self.own()).map(|place| place as usize)
    }

    fn is_used(&self, link: u32) -> bool {
        self.links.get(link as usize).is_some_and(|link| link.users & self.users != 0)
    }

    /// Whether units may be on `node`.
    fn gate(&self, node: NodeId) -> Gate {
        if self.contains(node) {
            return Gate::Open;
        }
        let is_vacated = match self.place(node) {
            None => self.left.contains(&node) || self.space.moves(node).next().is_some(),
            Some(place) => self.gates.get(place) == Some(&Gate::Vacated),
        };
        if is_vacated { Gate::Vacated } else { Gate::Closed }
    }

    /// Whether the part `m` of a link is offered.
    fn is_offered(&self, m: &Move<LinkAction<S::Action>, S::Cost>) -> bool {
        let LinkAction::Link { number, .. } = m.action else { return false };
        self.gate(m.from).leads_to(self.gate(m.to)) && self.is_used(number)
    }

    fn of_space(m: Move<S::Action, S::Cost>) -> Move<LinkAction<S::Action>, S::Cost> {
        Move { from: m.from, to: m.to, action: LinkAction::Space(m.action), cost: m.cost, length: m.length }
    }

    /// `m` as the space knows it; `None`: it is part of a link.
    fn in_space(m: &Move<LinkAction<S::Action>, S::Cost>) -> Option<Move<S::Action, S::Cost>> {
        match m.action {
            LinkAction::Space(action) => Some(Move { from: m.from, to: m.to, action, cost: m.cost, length: m.length }),
            LinkAction::Link { .. } => None,
        }
    }

    /// The costs of the link `number` from its begin to its place `node`, and from there to its end.
    pub(super) fn split(&self, node: NodeId, number: usize) -> [S::Cost; 2] {
        let Link { cost, places, .. } = self.links[number];
        let after = cost.part(places + 1).times(self.first_place[number + 1] - node.0);
        [cost.minus(after), after]
    }

    /// Applies `change` to the gate of a place. Returns whether that is a change.
    fn turn(&mut self, place: usize, change: Change) -> bool {
        let Some(gate) = self.gates.get_mut(place) else { return false };
        let old = std::mem::replace(gate, gate.after(change));
        *gate != old
    }
}

impl<S: SpaceGraph> Linked<S> {
    /// Notes what has changed since the space itself had the revision `own`, and this space the revision `before`:
    /// beside what the space tells, `places`.
    fn note(&mut self, own: u64, before: u64, mut places: Vec<NodeId>) {
        let revision = self.revision();
        match self.space.edits_since(own) {
            _ if revision == before => return,
            Edits::Nodes(nodes) if self.journal.revision() == before => places.extend(nodes),
            _ => return self.journal.note_all_until(revision),
        }
        let ends = places.iter().flat_map(|node| {
            let out = self.parts.out_of(*node).iter().map(|m| m.to);
            out.chain(self.parts.moves_into(*node).map(|m| m.from))
        });
        let ends: Vec<NodeId> = ends.collect();
        self.journal.note_until(revision, places.into_iter().chain(ends));
    }
}

pub(super) fn common_multiple(a: Ticks, b: Ticks) -> Option<Ticks> {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).checked_mul(b)
}

impl<S: SpaceGraph> SpaceGraph for Linked<S> {
    type Action = LinkAction<S::Action>;
    type Cost = S::Cost;

    fn node_bound(&self) -> usize {
        self.own() as usize + self.link_of.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Self::Action, Self::Cost>> {
        let own = (from.0 < self.own()).then(|| self.space.moves(from).map(Self::of_space));
        own.into_iter().flatten().chain(self.parts.moves(from).filter(|m| self.is_offered(m)))
    }

    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Self::Action, Self::Cost>>> {
        // Whether the space can tell does not depend on the node.
        let own = if to.0 < self.own() { Some(self.space.moves_into(to)?.map(Self::of_space)) } else { None };
        Some(own.into_iter().flatten().chain(self.parts.moves_into(to).filter(|m| self.is_offered(m))))
    }

    fn contains(&self, node: NodeId) -> bool {
        match self.place(node) {
            None => self.space.contains(node),
            Some(place) => self.gates.get(place) == Some(&Gate::Open) && self.is_used(self.link_of[place]),
        }
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        let Facts { uniform_cost, uniform_length: _, step, crossing_bound, period: _, origins: _ } = self.space.facts();
        let links_cost = |cost: &S::Cost| self.links.is_empty() || self.parts.uniform_cost() == Some(*cost);
        Facts {
            uniform_cost: uniform_cost.filter(links_cost),
            uniform_length: None,
            step,
            crossing_bound: match crossing_bound {
                0 => 0,
                bound => bound + self.link_of.len() + self.links.len(),
            },
            period: self.period,
            origins: None,
        }
    }

    fn crossing(&self, m: &Move<Self::Action, Self::Cost>) -> Option<u32> {
        let LinkAction::Link { number, back } = m.action else { return self.space.crossing(&Self::in_space(m)?) };
        let first = u32::try_from(self.space.facts().crossing_bound).ok().filter(|bound| *bound > 0)?;
        let link = self.links.get(number as usize)?;
        // Whatever leads directly from one node of the space to another is one crossing.
        let between = |from: NodeId, to: NodeId| self.space.moves(from).find(|m| m.to == to);
        let direct = (link.places == 0).then(|| between(link.from, link.to).or_else(|| between(link.to, link.from)));
        if let Some(direct) = direct.flatten() {
            return self.space.crossing(&direct);
        }
        let joins = |other: &Link<S::Cost>| {
            other.places == 0 && [[other.from, other.to], [other.to, other.from]].contains(&[link.from, link.to])
        };
        let alike = if link.places == 0 { self.links.iter().position(joins) } else { None };
        let number = alike.and_then(|number| u32::try_from(number).ok()).unwrap_or(number);
        // The number of parts before this link; a part and its reverse are one.
        let before = self.first_place[number as usize] - self.own() + number;
        let lower = if back { m.to } else { m.from };
        let of_place = || lower.0.checked_sub(self.first_place[number as usize])?.checked_add(1);
        let part = if lower.0 < self.own() { 0 } else { of_place()? };
        first.checked_add(before)?.checked_add(part)
    }

    fn departs(&self, m: &Move<Self::Action, Self::Cost>, tick: Tick) -> bool {
        match m.action {
            LinkAction::Space(_) => Self::in_space(m).is_none_or(|m| self.space.departs(&m, tick)),
            // On the way nothing waits for the clock.
            LinkAction::Link { number, .. } => {
                self.place(m.from).is_some() || self.links.get(number as usize).is_none_or(|link| link.sails(tick))
            }
        }
    }

    fn revision(&self) -> u64 {
        self.space.revision().wrapping_add(self.revision)
    }

    fn edits_since(&self, revision: u64) -> Edits<'_> {
        // The space itself may have changed unnoticed.
        if self.journal.revision() == self.revision() { self.journal.since(revision) } else { Edits::All }
    }
}

impl<S: Embedding> Embedding for Linked<S> {
    fn position(&self, node: NodeId) -> [f32; 3] {
        let Some(number) = self.link_at(node) else { return self.space.position(node) };
        let Link { from, to, places, .. } = self.links[number];
        let [from, to] = [from, to].map(|end| self.space.position(end));
        #[allow(clippy::cast_precision_loss)] // places of longer links lie less evenly
        let share = (node.0 - self.first_place[number] + 1) as f32 / (places + 1) as f32;
        std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share)
    }

    fn heading(&self, node: NodeId) -> f32 {
        self.space.heading(self.link_at(node).map_or(node, |number| self.links[number].from))
    }

    fn straight(&self, from: NodeId, to: NodeId) -> Option<Self::Action> {
        let is_own = |node: NodeId| self.place(node).is_none();
        let action = if is_own(from) && is_own(to) { self.space.straight(from, to)? } else { return None };
        Some(LinkAction::Space(action))
    }

    fn trajectory(&self, m: &Move<Self::Action, Self::Cost>) -> Option<&Trajectory> {
        static JUMP: Trajectory = Trajectory::JUMP;
        match m.action {
            LinkAction::Space(_) => self.space.trajectory(&Self::in_space(m)?),
            LinkAction::Link { number, .. } => {
                let turns = self.heading(m.from).to_bits() != self.heading(m.to).to_bits();
                (turns || self.links.get(number as usize)?.jumps).then_some(&JUMP)
            }
        }
    }
}

/// Places on links close and open by their positions. Surfaces do not change links.
impl<S: Editable> Editable for Linked<S> {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        let (own, before) = (self.space.revision(), self.revision());
        let changed = if let Some(place) = self.place(node) {
            let changed = self.turn(place, if open { Change::Open } else { Change::Close });
            self.revision += u64::from(changed);
            changed
        } else {
            let changed = self.space.set_open(node, open);
            self.left.retain(|end| *end != node || !changed);
            changed
        };
        self.note(own, before, vec![node]);
        changed
    }

    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        match [node, closed].map(|node| self.place(node)) {
            [None, None] => self.space.needs(node, closed),
            _ => node == closed,
        }
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        match self.place(node) {
            None => self.space.is_inside(node, area),
            Some(_) => area.contains(self.position(node)),
        }
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        let (own, before) = (self.space.revision(), self.revision());
        let (mut changed, mut edited) = (false, Vec::new());
        for place in 0..self.gates.len() {
            #[allow(clippy::cast_possible_truncation)] // places are numbered by 32 bits
            let node = NodeId(self.own() + place as u32);
            if area.contains(self.position(node)) && self.turn(place, change) {
                changed = true;
                edited.push(node);
            }
        }
        self.revision += u64::from(changed);
        let ends: BTreeSet<NodeId> = self.links.iter().flat_map(|link| [link.from, link.to]).collect();
        let within = |space: &S, end: &NodeId| space.is_inside(*end, area);
        let inside: Vec<NodeId> = ends.into_iter().filter(|end| within(&self.space, end)).collect();
        let open: Vec<NodeId> = inside.iter().copied().filter(|end| self.space.contains(*end)).collect();
        changed |= self.space.change(area, change);
        match change {
            Change::Vacate => self.left.extend(open.iter().filter(|end| !self.space.contains(**end))),
            Change::Close | Change::Seal | Change::Open => self.left.retain(|end| !inside.contains(end)),
            _ => {}
        }
        edited.extend(inside);
        self.note(own, before, edited);
        changed
    }
}
