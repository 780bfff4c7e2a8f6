//! Divisions: a ground in districts, and these in pieces, kept while the ground changes.

use std::collections::VecDeque;

use crate::graph::near::ground::Ground;
use crate::graph::near::parts::{Part, Parts};
use crate::vocabulary::NodeId;

/// Districts are small sets of nodes that lie near each other. Within each district, the nodes that reach each other
/// without leaving it form a piece. The division is itself a ground: its nodes are the numbers of pieces, and a move
/// leads from one piece to another if a move leads from a node of the one to a node of the other.
#[derive(Clone, Debug)]
pub(super) struct Division {
    /// The largest number of nodes in a district.
    most: usize,
    /// Per node.
    places: Vec<Place>,
    districts: Vec<District>,
    /// Districts without nodes.
    vacant: Vec<u32>,
    /// By number.
    pieces: Vec<Piece>,
    /// The numbers that no piece has.
    unused: Vec<NodeId>,
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
    /// The numbers of its pieces, in ascending order.
    pieces: Vec<NodeId>,
    /// In ascending order, the districts from which moves lead here, and some from which moves have led here.
    from: Vec<u32>,
}

/// Nodes of one district that reach each other within it.
#[derive(Clone, Debug, Default)]
struct Piece {
    is_used: bool,
    /// The nodes outside the piece to which its moves lead, in ascending order.
    exits: Vec<NodeId>,
    /// The pieces of the exits, in ascending order.
    onward: Vec<NodeId>,
}

/// What an edit of a ground has changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Edited {
    /// The nodes whose moves have changed.
    pub(super) changed: Vec<NodeId>,
    /// The nodes that are gone, together with the moves into them and out of them.
    pub(super) gone: Vec<NodeId>,
}

impl Edited {
    pub(super) fn is_nothing(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty()
    }
}

impl Ground for Division {
    fn node_bound(&self) -> usize {
        self.pieces.len()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.pieces.get(node.index()).is_some_and(|piece| piece.is_used)
    }

    fn position(&self, _: NodeId) -> Option<[f32; 3]> {
        None
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        self.pieces[from.index()].onward.iter().for_each(|to| each(*to, 0));
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

impl Division {
    /// Nothing is divided yet. Districts have at most `most` nodes, at least one.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            places: Vec::new(),
            districts: Vec::new(),
            vacant: Vec::new(),
            pieces: Vec::new(),
            unused: Vec::new(),
        }
    }

    /// The piece of `node`; `None`: it has not been seen.
    #[inline]
    pub(super) fn piece(&self, node: NodeId) -> Option<NodeId> {
        self.places.get(node.index()).filter(|place| place.district != 0).map(|place| place.piece)
    }

    /// Divides everything that can be reached from `node` and has not been seen.
    pub(super) fn see(&mut self, ground: &impl Ground, node: NodeId) {
        if self.piece(node).is_none() {
            let made = self.explore(ground, VecDeque::from([node]));
            // Nothing that was seen before leads there.
            self.lead_on(made);
        }
    }

    /// Follows an edit of the ground. Returns what that has changed in the ground of pieces.
    ///
    /// Time: linear in the nodes and moves of the districts that the edit touches, and of the districts beside these.
    pub(super) fn renew(&mut self, ground: &impl Ground, edited: &Edited) -> Edited {
        let nodes = edited.changed.iter().chain(&edited.gone);
        let seen = nodes.filter_map(|node| self.places.get(node.index())?.district.checked_sub(1));
        let mut touched: Vec<u32> = seen.collect();
        touched.sort_unstable();
        touched.dedup();
        for node in &edited.gone {
            if let Some(place) = self.places.get_mut(node.index()) {
                *place = UNSEEN;
            }
        }
        let Self { places, districts, .. } = self;
        let mut former: Vec<NodeId> = Vec::new();
        for index in &touched {
            let District { nodes, pieces, .. } = &mut districts[*index as usize];
            nodes.retain(|node| places[node.index()].district == index + 1);
            former.extend(&*pieces);
        }
        let mut beyond = VecDeque::new();
        touched.iter().for_each(|district| self.divide(ground, *district, &mut beyond));
        touched.extend(self.explore(ground, beyond));
        let changed = self.lead_on(touched);
        former.retain(|piece| !self.pieces[piece.index()].is_used);
        former.iter().for_each(|piece| self.pieces[piece.index()] = Piece::default());
        Edited { changed, gone: former }
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
            let district = self.vacant.pop().unwrap_or_else(|| {
                self.districts.push(District::default());
                order_of(self.districts.len() - 1).0
            });
            self.districts[district as usize].nodes.push(seed);
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
            ground.for_each_move(node, &mut |to, _| {
                if to.index() < bound {
                    targets.push(to);
                }
            });
            let order = self.place(node).piece;
            inside.begins.push(inside.targets.len());
            for to in targets.drain(..) {
                let (has_room, next) = (nodes.len() < self.most, order_of(nodes.len()));
                let place = self.place(to);
                if place.district == 0 && has_room {
                    *place = Place { district: district + 1, piece: next };
                    nodes.push(to);
                }
                let Place { district: other, piece } = *place;
                if other == district + 1 {
                    inside.targets.push(piece);
                    continue;
                }
                if other == 0 {
                    beyond.push_back(to);
                }
                leaving.push((order, to));
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
        if nodes.is_empty() {
            self.vacant.push(district);
        }
        let known = &mut self.districts[district as usize];
        (known.nodes, known.pieces) = (nodes, own);
    }

    /// The number of the piece of each node in `district`, instead of the numbers that its pieces have had.
    fn number(&mut self, district: u32, inside: &Inside) -> Vec<NodeId> {
        let mut former = std::mem::take(&mut self.districts[district as usize].pieces);
        for piece in &former {
            // The pieces that it has led to stay, to be compared.
            let piece = &mut self.pieces[piece.index()];
            (piece.is_used, piece.exits) = (false, Vec::new());
        }
        former.reverse();
        self.unused.append(&mut former);
        let mut parts = Parts::default();
        let mut named: Vec<NodeId> = Vec::new();
        let mut numbers = Vec::with_capacity(inside.begins.len());
        for order in NodeId::below(inside.begins.len()) {
            // Each node of this ground has a part, and parts are numbered from 0.
            let part = parts.part(inside, order).map_or(0, Part::number);
            while named.len() <= part {
                let number = self.unused.pop().unwrap_or_else(|| {
                    self.pieces.push(Piece::default());
                    order_of(self.pieces.len() - 1)
                });
                self.pieces[number.index()].is_used = true;
                named.push(number);
            }
            numbers.push(named[part]);
        }
        numbers
    }

    /// Finds the pieces to which moves lead from the pieces of `divided`, and from the districts beside these. Returns
    /// the pieces for which that has changed.
    fn lead_on(&mut self, divided: Vec<u32>) -> Vec<NodeId> {
        let beside = divided.iter().flat_map(|district| &self.districts[*district as usize].from);
        let mut all: Vec<u32> = beside.chain(&divided).copied().collect();
        all.sort_unstable();
        all.dedup();
        let (mut changed, mut leads) = (Vec::new(), Vec::new());
        let Self { places, districts, pieces, .. } = self;
        for district in all {
            for index in 0..districts[district as usize].pieces.len() {
                let number = districts[district as usize].pieces[index];
                let Piece { exits, onward, .. } = &mut pieces[number.index()];
                leads.clear();
                for exit in exits.iter() {
                    let Place { district: other, piece } = places[exit.index()];
                    leads.push(piece);
                    // Each exit has been seen.
                    let from = &mut districts[other as usize - 1].from;
                    if other != district + 1
                        && let Err(place) = from.binary_search(&district)
                    {
                        from.insert(place, district);
                    }
                }
                leads.sort_unstable();
                leads.dedup();
                if *onward != leads {
                    onward.clone_from(&leads);
                    changed.push(number);
                }
            }
        }
        changed
    }
}

#[allow(clippy::cast_possible_truncation)] // no more than the nodes, whose ids are u32
fn order_of(index: usize) -> NodeId {
    NodeId(index as u32)
}
