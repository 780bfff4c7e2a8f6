//! Districts: parts that are kept while the ground changes.
//!
//! A district is a small set of nodes that lie near each other. Within each district, the nodes that reach each other
//! without leaving it form a piece. The pieces and the moves between them are a ground of their own, with far fewer
//! nodes, and with the parts of the real ground. An edit divides the districts that it touches anew.

use std::collections::VecDeque;

use super::ground::Ground;
use super::pace::Pace;
use super::parts::{Part, Parts, Reach, is_in_a_part};
use crate::vocabulary::NodeId;

/// The [parts](super::Parts) of a ground that changes. The ground is explored only as far as questions need it.
///
/// Takes eight bytes for every node, and four for every node at which a district can be entered.
#[derive(Clone, Debug)]
pub struct Districts {
    /// The largest number of nodes in a district.
    most: usize,
    /// Per node.
    places: Vec<Place>,
    districts: Vec<District>,
    /// By number. Numbers in `unused` have no nodes.
    pieces: Vec<Piece>,
    unused: Vec<NodeId>,
    /// Of the ground of pieces.
    parts: Parts,
    pace: Pace,
}

/// Where a node lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// One more than its district; 0: not seen.
    district: u32,
    piece: NodeId,
}

const UNSEEN: Place = Place { district: 0, piece: NodeId(0) };

#[derive(Clone, Debug, Default)]
struct District {
    nodes: Vec<NodeId>,
    /// The numbers of its pieces.
    pieces: Vec<NodeId>,
    /// In ascending order, the districts from which moves lead here, and some from which moves have led here.
    from: Vec<u32>,
}

/// Nodes of one district that reach each other within it.
#[derive(Clone, Debug, Default)]
struct Piece {
    /// The nodes outside the piece to which its moves lead, in ascending order.
    exits: Vec<NodeId>,
    /// The pieces of the exits, in ascending order.
    onward: Vec<NodeId>,
}

/// The pieces as a ground.
struct Pieces<'a>(&'a [Piece]);

impl Ground for Pieces<'_> {
    fn node_bound(&self) -> usize {
        self.0.len()
    }

    fn contains(&self, _: NodeId) -> bool {
        true
    }

    fn position(&self, _: NodeId) -> Option<[f32; 3]> {
        None
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        self.0[from.index()].onward.iter().for_each(|to| each(*to, 0));
    }
}

/// The moves within a district. Nodes are numbered by their order in the district.
#[derive(Default)]
struct Inside {
    /// Per node, where its moves begin in `targets`.
    begins: Vec<usize>,
    targets: Vec<NodeId>,
}

impl Inside {
    fn moves(&self, from: NodeId) -> &[NodeId] {
        let end = self.begins.get(from.index() + 1).copied().unwrap_or(self.targets.len());
        &self.targets[self.begins[from.index()]..end]
    }
}

impl Ground for Inside {
    fn node_bound(&self) -> usize {
        self.begins.len()
    }

    fn contains(&self, _: NodeId) -> bool {
        true
    }

    fn position(&self, _: NodeId) -> Option<[f32; 3]> {
        None
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        self.moves(from).iter().for_each(|to| each(*to, 0));
    }
}

impl Districts {
    /// Knows no parts yet. Districts have at most `most` nodes, at least one. The results do not depend on `most`;
    /// larger districts make edits slower, and the first question after an edit faster.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            places: Vec::new(),
            districts: Vec::new(),
            pieces: Vec::new(),
            unused: Vec::new(),
            parts: Parts::default(),
            pace: Pace::default(),
        }
    }

    /// The part of `node`; `None`: no unit can stand on `node`, and no move leads out of it. Compare parts only until
    /// the next [edit](Self::renew).
    ///
    /// Time: linear in the nodes and moves that are reachable from `node` and that no earlier call has met. The first
    /// call after an edit also takes time linear in the districts. Otherwise constant.
    pub fn part(&mut self, ground: &impl Ground, node: NodeId) -> Option<Part> {
        if !is_in_a_part(ground, node) {
            return None;
        }
        if self.piece(node).is_none() {
            let divided = self.explore(ground, VecDeque::from([node]));
            self.lead_on(divided);
        }
        let piece = self.piece(node)?;
        self.parts.part(&Pieces(&self.pieces), piece)
    }

    /// The nodes that units in `part` can reach, until the next [edit](Self::renew). Time: linear in the known parts and
    /// the moves between these parts; constant if no move leads out of `part`.
    pub fn reach(&self, part: Part) -> Reach {
        self.parts.reach(part)
    }

    /// Whether a unit with this `reach` can reach `node`.
    #[inline]
    pub fn reaches(&self, reach: &Reach, node: NodeId) -> bool {
        self.piece(node).is_some_and(|piece| reach.contains(&self.parts, piece))
    }

    /// Lower bounds on the cost of ways, learned from all moves met so far, those that are gone included.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Takes note of an edit of the ground. All nodes that exist now and did not exist before, or the reverse, have to
    /// be among `nodes`, and all nodes with a move into them or out of them that has changed.
    ///
    /// Time: linear in the nodes and moves of the districts of `nodes`, and of the districts beside these.
    pub fn renew(&mut self, ground: &impl Ground, nodes: &[NodeId]) {
        let known = nodes.iter().filter_map(|node| self.places.get(node.index())?.district.checked_sub(1));
        let mut touched: Vec<u32> = known.collect();
        if touched.is_empty() {
            return;
        }
        touched.sort_unstable();
        touched.dedup();
        let mut beyond = VecDeque::new();
        touched.iter().for_each(|district| self.divide(ground, *district, &mut beyond));
        touched.extend(self.explore(ground, beyond));
        self.lead_on(touched);
        self.parts = Parts::default();
    }

    #[inline]
    fn piece(&self, node: NodeId) -> Option<NodeId> {
        self.places.get(node.index()).filter(|place| place.district != 0).map(|place| place.piece)
    }

    /// The place of `node`, which may not have been seen.
    fn place(&mut self, node: NodeId) -> &mut Place {
        // As long as the nodes that exist need, not as long as the ground's bound.
        if self.places.len() <= node.index() {
            self.places.resize(node.index() + 1, UNSEEN);
        }
        &mut self.places[node.index()]
    }

    /// Makes districts of everything that can be reached from `seeds` and has not been seen. Returns these districts.
    fn explore(&mut self, ground: &impl Ground, mut seeds: VecDeque<NodeId>) -> Vec<u32> {
        let mut made = Vec::new();
        while let Some(seed) = seeds.pop_front() {
            if self.place(seed).district != 0 {
                continue;
            }
            #[allow(clippy::cast_possible_truncation)] // no more districts than nodes, whose ids are u32
            let district = self.districts.len() as u32;
            self.districts.push(District { nodes: vec![seed], ..District::default() });
            self.place(seed).district = district + 1;
            self.divide(ground, district, &mut seeds);
            made.push(district);
        }
        made
    }

    /// Finds the pieces of `district` and their exits. Where there is room, it grows by nodes that have not been seen;
    /// the others that its moves lead to are appended to `beyond`.
    fn divide(&mut self, ground: &impl Ground, district: u32, beyond: &mut VecDeque<NodeId>) {
        let mut nodes = std::mem::take(&mut self.districts[district as usize].nodes);
        for (node, order) in nodes.iter().zip(NodeId::below(nodes.len())) {
            // Until the pieces are known, the order in the district.
            self.place(*node).piece = order;
        }
        let (bound, mut inside, mut leaving) = (ground.node_bound(), Inside::default(), Vec::new());
        let mut targets: Vec<NodeId> = Vec::new();
        while let Some(node) = nodes.get(inside.begins.len()).copied() {
            let (from, pace) = (ground.position(node), &mut self.pace);
            ground.for_each_move(node, &mut |to, cost| {
                if to.index() < bound {
                    pace.note(from, ground.position(to), cost);
                    targets.push(to);
                }
            });
            let order = self.place(node).piece;
            inside.begins.push(inside.targets.len());
            for to in targets.drain(..) {
                let (has_room, next) = (nodes.len() < self.most, nodes.len());
                let place = self.place(to);
                if place.district == 0 && has_room {
                    *place = Place { district: district + 1, piece: order_of(next) };
                    nodes.push(to);
                } else if place.district == 0 {
                    beyond.push_back(to);
                }
                let Place { district: other, piece } = *self.place(to);
                if other == district + 1 {
                    inside.targets.push(piece);
                } else {
                    leaving.push((order, to));
                }
            }
        }
        let numbers = self.number(district, &inside);
        let mut own = numbers.clone();
        own.sort_unstable();
        own.dedup();
        for (order, piece) in NodeId::below(nodes.len()).zip(&numbers) {
            let others = inside.moves(order).iter().filter(|to| numbers[to.index()] != *piece);
            self.pieces[piece.index()].exits.extend(others.map(|to| nodes[to.index()]));
        }
        for (order, to) in leaving {
            self.pieces[numbers[order.index()].index()].exits.push(to);
        }
        for piece in &own {
            let exits = &mut self.pieces[piece.index()].exits;
            exits.sort_unstable();
            exits.dedup();
        }
        for (node, piece) in nodes.iter().zip(numbers) {
            self.place(*node).piece = piece;
        }
        let known = &mut self.districts[district as usize];
        (known.nodes, known.pieces) = (nodes, own);
    }

    /// The number of the piece of each node in `district`, instead of the numbers that its pieces have had.
    fn number(&mut self, district: u32, inside: &Inside) -> Vec<NodeId> {
        let mut former = std::mem::take(&mut self.districts[district as usize].pieces);
        former.iter().for_each(|piece| self.pieces[piece.index()] = Piece::default());
        former.reverse();
        self.unused.append(&mut former);
        let mut parts = Parts::default();
        let mut named: Vec<NodeId> = Vec::new();
        let mut numbers = Vec::with_capacity(inside.begins.len());
        for order in NodeId::below(inside.begins.len()) {
            // Each node of this ground has a part, and parts are numbered from 0.
            let part = parts.part(inside, order).map_or(0, Part::number);
            while named.len() <= part {
                named.push(self.unused.pop().unwrap_or_else(|| {
                    self.pieces.push(Piece::default());
                    order_of(self.pieces.len() - 1)
                }));
            }
            numbers.push(named[part]);
        }
        numbers
    }

    /// Finds the pieces to which moves lead from the pieces of `divided`, and from the districts beside these.
    fn lead_on(&mut self, divided: Vec<u32>) {
        let beside = divided.iter().flat_map(|district| &self.districts[*district as usize].from);
        let mut all: Vec<u32> = beside.chain(&divided).copied().collect();
        all.sort_unstable();
        all.dedup();
        for district in all {
            let Self { places, districts, pieces, .. } = self;
            for index in 0..districts[district as usize].pieces.len() {
                let number = districts[district as usize].pieces[index];
                let Piece { exits, onward } = &mut pieces[number.index()];
                onward.clear();
                for exit in exits.iter() {
                    let Place { district: other, piece } = places[exit.index()];
                    if onward.last() == Some(&piece) {
                        continue;
                    }
                    onward.push(piece);
                    if other == district + 1 {
                        continue;
                    }
                    // Each exit has been explored.
                    let from = &mut districts[other as usize - 1].from;
                    if let Err(place) = from.binary_search(&district) {
                        from.insert(place, district);
                    }
                }
                onward.sort_unstable();
                onward.dedup();
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation)] // no more than the nodes, whose ids are u32
fn order_of(index: usize) -> NodeId {
    NodeId(index as u32)
}
