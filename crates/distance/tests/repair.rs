//! Tables keep up with edits: after each edit all distances are those of a plain search, and mostly without a search.

use std::collections::VecDeque;

use giveway_core::heuristic::{HeuristicSource as _, Zero};
use giveway_core::{Facts, Fuel, Goals, Heuristic as _, Journal, Move, NodeId, Origins, SpaceGraph, Tiles};
use giveway_distance::TrueDistances;

use crate::draws::Draws;

const WIDTH: u32 = 23;
const HEIGHT: u32 = 19;
const BOUND: u32 = WIDTH * HEIGHT;
const PER_ROW: u32 = WIDTH / 8 + 1;

/// What is peculiar about a space.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// A plain grid in tiles.
    Tiles,
    /// A plain grid.
    Plain,
    /// A third of the steps lead one way only, and nothing tells what leads into a cell.
    OneWay,
    /// Some cells also have a link to a cell far away, and closed cells may be left.
    Linked,
}

struct Cells {
    kind: Kind,
    open: Vec<bool>,
    exits: Vec<u8>,
    entrances: Vec<u8>,
    tiles: Vec<u64>,
    of_pattern: Vec<[u32; 4]>,
    journal: Journal,
}

/// North, east, south, west; a step and its reverse are two numbers apart.
const BESIDE: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

impl Cells {
    fn new(kind: Kind, draws: &mut Draws) -> Self {
        let open = (0..BOUND).map(|_| draws.below(16) < 12).collect();
        let empty = || vec![0; BOUND as usize];
        let tiles = vec![0; (PER_ROW * HEIGHT.div_ceil(8)) as usize];
        let step = |bit: usize| WIDTH.wrapping_mul(BESIDE[bit].1.cast_unsigned()).wrapping_add_signed(BESIDE[bit].0);
        let of_pattern =
            (0..16_usize).map(|bits| [0, 1, 2, 3].map(|bit| if bits >> bit & 1 == 1 { step(bit) } else { 0 }));
        let of_pattern = of_pattern.collect();
        let mut cells =
            Self { kind, open, exits: empty(), entrances: empty(), tiles, of_pattern, journal: Journal::default() };
        cells.survey();
        cells
    }

    fn is_open(&self, node: u32) -> bool {
        self.open[node as usize]
    }

    fn survey(&mut self) {
        self.entrances.fill(0);
        for from in 0..BOUND {
            let (x, y) = ((from % WIDTH).cast_signed(), (from / WIDTH).cast_signed());
            let mut exits = 0;
            for (bit, (dx, dy)) in BESIDE.into_iter().enumerate() {
                let (x, y) = (x + dx, y + dy);
                let is_inside = (0..WIDTH.cast_signed()).contains(&x) && (0..HEIGHT.cast_signed()).contains(&y);
                let to = (y * WIDTH.cast_signed() + x).cast_unsigned();
                let one_way = self.kind == Kind::OneWay && (from * 7 + u32::try_from(bit).unwrap() * 5) % 3 == 0;
                let leaves = self.kind == Kind::Linked || self.is_open(from);
                if is_inside && self.is_open(to) && leaves && !one_way {
                    exits |= 1 << bit;
                    self.entrances[to as usize] |= 1 << ((bit + 2) % 4);
                }
            }
            self.exits[from as usize] = exits;
            let (tile, bit) = (from / WIDTH / 8 * PER_ROW + from % WIDTH / 8, from / WIDTH % 8 * 8 + from % WIDTH % 8);
            let open = &mut self.tiles[tile as usize];
            *open = if self.open[from as usize] { *open | 1 << bit } else { *open & !(1 << bit) };
        }
    }

    fn link(&self, from: u32) -> Option<u32> {
        let to = (from * 5 + 17) % BOUND;
        (self.kind == Kind::Linked && from.is_multiple_of(11) && self.is_open(from) && self.is_open(to)).then_some(to)
    }

    fn toggle(&mut self, node: u32) {
        self.open[node as usize] ^= true;
        self.survey();
        let around =
            BESIDE.map(|(dx, dy)| node.wrapping_add(WIDTH.wrapping_mul(dy.cast_unsigned())).wrapping_add_signed(dx));
        let linked = (0..BOUND).filter(|from| from * 5 % BOUND == (node + BOUND - 17) % BOUND);
        let linked: Vec<u32> = linked.chain([(node * 5 + 17) % BOUND]).filter(|_| self.kind == Kind::Linked).collect();
        let near = around.into_iter().filter(|node| *node < BOUND).chain([node]).chain(linked);
        self.journal.note(near.map(NodeId).collect::<Vec<_>>());
    }

    fn step(node: NodeId, bit: usize) -> NodeId {
        let (dx, dy) = BESIDE[bit];
        NodeId(node.0.wrapping_add(WIDTH.wrapping_mul(dy.cast_unsigned())).wrapping_add_signed(dx))
    }
}

impl SpaceGraph for Cells {
    type Action = usize;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        BOUND as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<usize, u32>> {
        let exits = self.exits[from.index()];
        let steps = (0..4).filter(move |bit| exits >> bit & 1 == 1).map(move |bit| (bit, Self::step(from, bit)));
        let link = self.link(from.0).map(|to| (4, NodeId(to)));
        steps.chain(link).map(move |(action, to)| Move { from, to, action, cost: 1000, length: 1.0 })
    }

    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<usize, u32>>> {
        let entrances = self.entrances[to.index()];
        let steps = (0..4_usize).filter(move |bit| entrances >> bit & 1 == 1);
        let steps = steps.map(move |bit| ((bit + 2) % 4, Self::step(to, bit)));
        let all = steps.map(move |(action, from)| Move { from, to, action, cost: 1000, length: 1.0 });
        matches!(self.kind, Kind::Tiles | Kind::Plain).then_some(all)
    }

    fn contains(&self, node: NodeId) -> bool {
        node.0 < BOUND && self.is_open(node.0)
    }

    fn facts(&self) -> Facts<'_, u32> {
        let tiles = Tiles::new(WIDTH, PER_ROW, &self.tiles);
        let origins = Origins::patterns(&self.entrances, &self.of_pattern).on_tiles(tiles);
        let origins = (self.kind == Kind::Tiles).then_some(origins);
        Facts { uniform_cost: Some(1000), origins, ..Facts::NONE }
    }

    fn journal(&self) -> Option<&Journal> {
        Some(&self.journal)
    }
}

/// The distances by a plain search.
fn distances(cells: &Cells, goals: &Goals) -> Vec<Option<u32>> {
    let mut into = vec![Vec::new(); BOUND as usize];
    for m in cells.nodes().flat_map(|node| cells.moves(node)) {
        into[m.to.index()].push(m.from);
    }
    let mut found = vec![None; BOUND as usize];
    let mut queue: VecDeque<(NodeId, u32)> =
        goals.nodes().iter().filter(|goal| cells.contains(**goal)).map(|goal| (*goal, 0)).collect();
    while let Some((node, cost)) = queue.pop_front() {
        if found[node.index()].is_none() {
            found[node.index()] = Some(cost);
            queue.extend(into[node.index()].iter().map(|from| (*from, cost + 1000)));
        }
    }
    found
}

/// After every edit asks for all distances, or, `sparsely`, for a few near ones, so that tables end half-way. Returns
/// how many nodes were searched for each time that distances were renewed.
fn searched_per_edit(kind: Kind, sparsely: bool, seed: u64) -> f64 {
    let mut draws = Draws::new(seed);
    let mut cells = Cells::new(kind, &mut draws);
    let mut below = |bound: u32| u32::try_from(draws.below(bound as usize)).unwrap();
    let all_goals: Vec<Goals> = (1..5).map(|count| (0..count).map(|_| NodeId(below(BOUND))).collect()).collect();
    let mut table = TrueDistances::<Cells, Zero>::tables();
    let (mut renewed, mut before) = (0_u32, 0);
    for edit in 0..2000 {
        cells.toggle(below(BOUND));
        if below(8) == 0 {
            cells.toggle(below(BOUND));
        }
        for goals in &all_goals {
            let expected = distances(&cells, goals);
            let origins = if sparsely { 3 } else { 1 };
            for _ in 0..origins {
                // Sometimes the search goes on before it is renewed.
                let early = below(BOUND);
                if below(6) == 0 {
                    let _ = table.to(&cells, goals, NodeId(early)).estimate(&cells, NodeId(early), &mut Fuel::work(40));
                }
                let origin = if sparsely { (goals.nodes()[0].0 + below(70)) % BOUND } else { below(BOUND) };
                while table.renew(&cells, goals, NodeId(origin), &mut Fuel::work(100)).is_err() {}
                let found =
                    table.to(&cells, goals, NodeId(origin)).estimate(&cells, NodeId(origin), &mut Fuel::unlimited());
                assert_eq!(found, Ok(expected[origin as usize]), "{kind:?}, edit {edit}, from {origin}");
                assert_eq!(table.revision(&cells, goals), cells.revision());
            }
            renewed += 1;
            if !sparsely {
                for node in cells.nodes() {
                    let found = table.to(&cells, goals, node).estimate(&cells, node, &mut Fuel::unlimited());
                    assert_eq!(found, Ok(expected[node.index()]), "{kind:?}, edit {edit}, from {node:?}");
                }
            }
        }
        if edit == 0 || sparsely && edit % 50 == 0 {
            table.forget();
            before = if edit == 0 { table.expanded() } else { before };
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let searched = (table.expanded() - before) as f64 / f64::from(renewed);
    searched
}

#[test]
fn repaired_tables_are_those_of_a_new_search() {
    for kind in [Kind::Tiles, Kind::Plain, Kind::OneWay, Kind::Linked] {
        let [whole, sparse] = [false, true].map(|sparsely| searched_per_edit(kind, sparsely, 7));
        // A search of the whole space expands some 300 nodes.
        assert!(whole < 200.0, "{kind:?}: {whole}");
        assert!(sparse < 150.0, "{kind:?}: {sparse}");
    }
}

#[test]
fn released_distances_are_given_up_but_for_the_last_ones() {
    let cells = Cells::new(Kind::Tiles, &mut Draws::new(1));
    let mut table = TrueDistances::<Cells, Zero>::tables();
    let goals: Vec<Goals> = cells.nodes().filter(|node| cells.contains(*node)).map(Goals::one).take(300).collect();
    let far = NodeId(BOUND - 1);
    let ask = |table: &mut TrueDistances<Cells, Zero>, goals: &Goals| {
        let before = table.expanded();
        table.to(&cells, goals, far).estimate(&cells, far, &mut Fuel::unlimited()).unwrap();
        (table.expanded() > before, table.searches())
    };
    for (round, goal) in goals.iter().enumerate() {
        assert!(ask(&mut table, goal).0);
        // Ten agents, each with goals of its own.
        if let Some(old) = round.checked_sub(10) {
            table.release(&goals[old]);
        }
        // As many again as are in use, and some more.
        assert!(table.searches() <= 40, "{}", table.searches());
    }
    assert_eq!(ask(&mut table, &goals[285]), (false, table.searches()), "released lately");
    assert!(ask(&mut table, &goals[100]).0, "released long ago");
    // What is asked for again is in use again, and is not given up.
    for goal in &goals[286..] {
        table.release(goal);
    }
    assert_eq!((ask(&mut table, &goals[285]).0, ask(&mut table, &goals[100]).0), (false, false));
}
