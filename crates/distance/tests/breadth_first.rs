//! Tables of origins do not change breadth-first searches: distances, expansions, bytes and the moments of suspension
//! are equal with and without tables.

use std::cell::Cell;

use giveway_core::heuristic::{HeuristicSource as _, Zero};
use giveway_core::{Facts, Fuel, Goals, Heuristic as _, Move, NodeId, Origins, SpaceGraph, Suspended, Tiles};
use giveway_distance::TrueDistances;

use crate::draws::Draws;

const WIDTH: u8 = 37;
const BOUND: u32 = WIDTH as u32 * 31;

/// In the order in which moves into a cell are given.
const BESIDE: [i16; 4] = [-(WIDTH as i16), 1, WIDTH as i16, -1];

/// Which tables a space has.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tables {
    None,
    Patterns,
    Offsets,
    Lists,
    Tiles,
}

/// Cells in rows, and one-way steps between neighbours. A row ends where the next one begins.
struct Cells {
    tables: Tables,
    has_inverse: bool,
    /// By cell, which of the neighbours in `BESIDE` have a step into it.
    patterns: Vec<u8>,
    of_pattern: Vec<[u32; 4]>,
    offsets: Vec<[i16; 4]>,
    first: Vec<u32>,
    origins: Vec<NodeId>,
    tiles: Vec<u64>,
    /// How often moves into a cell were asked for.
    looks: Cell<u64>,
}

impl Cells {
    /// Each possible step exists with a chance of `steps` in 16.
    fn random(draws: &mut Draws, steps: usize) -> Self {
        let exists = |to: u32, beside: i16| to.checked_add_signed(beside.into()).is_some_and(|from| from < BOUND);
        let pattern = |to: u32| {
            let picked = BESIDE.into_iter().enumerate().filter(|(_, beside)| exists(to, *beside));
            picked.fold(0, |pattern, (bit, _)| pattern | u8::from(draws.below(16) < steps) << bit)
        };
        Self::of_patterns((0..BOUND).map(pattern).collect())
    }

    /// A plain grid, on which each cell is open with a chance of `open` in 16.
    fn grid(draws: &mut Draws, open: usize) -> Self {
        let width = u32::from(WIDTH);
        let open: Vec<bool> = (0..BOUND).map(|_| draws.below(16) < open).collect();
        let leads = |to: u32, beside: i16| {
            let from = to.checked_add_signed(beside.into()).filter(|from| *from < BOUND);
            let is_row = |from: u32| from / width == to / width || from % width == to % width;
            from.is_some_and(|from| is_row(from) && open[to as usize] && open[from as usize])
        };
        let bits = |to| (0..4).fold(0, |pattern, bit| pattern | u8::from(leads(to, BESIDE[bit])) << bit);
        let mut cells = Self::of_patterns((0..BOUND).map(bits).collect());
        cells.tables = Tables::Tiles;
        cells.tiles = vec![0; 5 * 4];
        for cell in (0..BOUND).filter(|cell| open[*cell as usize]) {
            let (x, y) = (cell % width, cell / width);
            cells.tiles[(y / 8 * 5 + x / 8) as usize] |= 1 << (y % 8 * 8 + x % 8);
        }
        cells
    }

    fn of_patterns(patterns: Vec<u8>) -> Self {
        let of = |pattern: u8| std::array::from_fn(|bit| if pattern >> bit & 1 == 1 { BESIDE[bit] } else { 0 });
        let offsets: Vec<[i16; 4]> = patterns.iter().map(|pattern| of(*pattern)).collect();
        let of_pattern =
            (0..16).map(|pattern| of(pattern).map(|offset: i16| i32::from(offset).cast_unsigned())).collect();
        let (mut first, mut origins) = (vec![0], Vec::new());
        for (to, offsets) in (0..BOUND).zip(&offsets) {
            let there = offsets.iter().filter(|offset| **offset != 0);
            origins.extend(there.map(|offset| NodeId(to.wrapping_add_signed((*offset).into()))));
            first.push(u32::try_from(origins.len()).unwrap());
        }
        let (tables, has_inverse, looks) = (Tables::None, true, Cell::new(0));
        let tiles = Vec::new();
        Self { tables, has_inverse, patterns, of_pattern, offsets, first, origins, tiles, looks }
    }

    fn moves_to(&self, to: NodeId) -> impl Iterator<Item = Move<NodeId, u32>> {
        let list = Origins::lists(&self.first, &self.origins);
        list.of(to).map(move |from| Move { from, to, action: to, cost: 10, length: 1.0 })
    }
}

impl SpaceGraph for Cells {
    type Action = NodeId;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        BOUND as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<NodeId, u32>> {
        let to = BESIDE.into_iter().filter_map(move |beside| from.0.checked_add_signed(i32::from(-beside)));
        let steps = to.filter(|to| *to < BOUND).map(NodeId).flat_map(|to| self.moves_to(to));
        steps.filter(move |m| m.from == from)
    }

    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<NodeId, u32>>> {
        self.looks.set(self.looks.get() + 1);
        self.has_inverse.then(|| self.moves_to(to))
    }

    fn facts(&self) -> Facts<'_, u32> {
        let patterns = || Origins::patterns(&self.patterns, &self.of_pattern);
        let origins = match self.tables {
            Tables::None => None,
            Tables::Patterns => Some(patterns()),
            Tables::Tiles => Some(patterns().on_tiles(Tiles::new(WIDTH.into(), 5, &self.tiles))),
            Tables::Offsets => Some(Origins::offsets(&self.offsets)),
            Tables::Lists => Some(Origins::lists(&self.first, &self.origins)),
        };
        Facts { uniform_cost: Some(10), origins, ..Facts::NONE }
    }
}

/// The result of a question: the answer, all expansions so far, and all bytes.
type Told = (Result<Option<u32>, Suspended>, u64, usize);

/// Questions to searches that share little memory, with little fuel.
fn ask(cells: &Cells, draws: &mut Draws) -> Vec<Told> {
    let mut kept = TrueDistances::<Cells, Zero>::tables().keep_at_most(draws.pick(&[600, 3000, 7000, 1 << 20]));
    let mut draw = |bound: u32| u32::try_from(draws.below(bound as usize)).unwrap();
    let goals: Vec<Goals> = (0..4).map(|_| (0..=draw(2)).map(|_| NodeId(draw(BOUND))).collect()).collect();
    let mut told = Vec::new();
    for _ in 0..60 {
        let (goals, node) = (&goals[draw(4) as usize], NodeId(draw(BOUND + 2)));
        let fuel = &mut Fuel::work([0, 1, 2, 3, 16, u64::MAX][draw(6) as usize]);
        let before = kept.expanded();
        let answer = kept.to(cells, goals, node).estimate(cells, node, fuel);
        assert!(kept.expanded() - before <= u64::MAX - fuel.left() || answer.is_ok());
        told.push((answer, kept.expanded(), kept.bytes()));
        if answer == Err(Suspended::OutOfMemory) {
            kept.keep_only(&mut |other| other == goals);
        }
    }
    told
}

/// The number of steps from each cell to the nearest of `goals`, by relaxing until nothing changes.
fn plain(cells: &Cells, goals: &Goals) -> Vec<Option<u32>> {
    let mut steps: Vec<Option<u32>> = (0..BOUND).map(|cell| goals.contains(NodeId(cell)).then_some(0)).collect();
    loop {
        let mut changed = false;
        for from in (0..BOUND).map(NodeId) {
            let best = cells.moves(from).filter_map(|m| Some(steps[m.to.index()]? + 1)).min();
            let present = &mut steps[from.index()];
            if best.is_some() && (present.is_none() || best < *present) {
                (*present, changed) = (best, true);
            }
        }
        if !changed {
            return steps;
        }
    }
}

#[test]
fn tables_of_origins_change_nothing_but_speed() {
    for seed in 0..120 {
        let mut cells = Cells::random(&mut Draws::new(seed), 6 + usize::try_from(seed).unwrap() % 11);
        let expected = ask(&cells, &mut Draws::new(seed));
        let looks = cells.looks.take();
        for tables in [Tables::Patterns, Tables::Offsets, Tables::Lists] {
            cells.tables = tables;
            assert_eq!(ask(&cells, &mut Draws::new(seed)), expected, "{tables:?}, seed {seed}");
            assert!(cells.looks.take() < looks, "{tables:?} are not used, seed {seed}");
        }
    }
}

#[test]
fn distances_are_those_of_plain_relaxation() {
    for seed in 0..40 {
        let draws = &mut Draws::new(seed);
        let steps = 8 + draws.below(9);
        let mut cells = Cells::random(draws, steps);
        cells.tables = draws.pick(&[Tables::Patterns, Tables::Offsets, Tables::Lists]);
        // Without an inverse, the moves are inverted once, into lists.
        cells.has_inverse = draws.below(3) > 0;
        let goals: Goals = (0..3).map(|_| NodeId(u32::try_from(draws.below(BOUND as usize)).unwrap())).collect();
        let expected = plain(&cells, &goals);
        let mut kept = TrueDistances::<Cells, Zero>::tables();
        for _ in 0..200 {
            let cell = draws.below(BOUND as usize);
            let node = NodeId(u32::try_from(cell).unwrap());
            let found = kept.to(&cells, &goals, node).estimate(&cells, node, &mut Fuel::unlimited());
            assert_eq!(found, Ok(expected[cell].map(|steps| steps * 10)), "{:?}, seed {seed}, {node:?}", cells.tables);
        }
    }
}

/// Tiles of 8 x 8 cells give the distances of plain relaxation, however little fuel and memory there is at a time.
#[test]
fn by_tiles_distances_are_those_of_plain_relaxation() {
    let (mut short_of_fuel, mut short_of_memory) = (0, 0);
    for seed in 0..120 {
        let draws = &mut Draws::new(seed);
        let open = 8 + draws.below(9);
        let cells = Cells::grid(draws, open);
        let mut kept = TrueDistances::<Cells, Zero>::tables().keep_at_most(draws.pick(&[900, 4000, 9000, 1 << 20]));
        let mut draw = |bound: u32| u32::try_from(draws.below(bound as usize)).unwrap();
        let goals: Vec<Goals> = (0..3).map(|_| (0..=draw(2)).map(|_| NodeId(draw(BOUND))).collect()).collect();
        let expected: Vec<_> = goals.iter().map(|goals| plain(&cells, goals)).collect();
        for _ in 0..200 {
            let (which, node) = (draw(3) as usize, draw(BOUND));
            let goals = &goals[which];
            let fuel = &mut Fuel::work([0, 1, 5, 100, 1000, u64::MAX][draw(6) as usize]);
            let before = kept.expanded();
            let found = kept.to(&cells, goals, NodeId(node)).estimate(&cells, NodeId(node), fuel);
            match found {
                Ok(found) => {
                    let steps = expected[which][node as usize];
                    assert_eq!(found, steps.map(|steps| steps * 10), "seed {seed}, {node}");
                }
                Err(Suspended::OutOfFuel) => {
                    assert_eq!(fuel.left(), 0);
                    short_of_fuel += 1;
                }
                Err(Suspended::OutOfMemory) => {
                    kept.keep_only(&mut |other| other == goals);
                    short_of_memory += 1;
                }
            }
            // A unit of work pays for 64 cells. What is left of one is kept, once per search.
            assert!(
                kept.expanded() - before <= 64 * 18 || fuel.left() > 1000,
                "seed {seed}: {}",
                kept.expanded() - before
            );
        }
    }
    assert!(short_of_fuel > 1000 && short_of_memory > 100, "{short_of_fuel}, {short_of_memory}");
}
