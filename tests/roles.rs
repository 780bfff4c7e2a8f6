//! The proof of the roles: points, a 2x2 unit at half speed and a car that drives arcs share one store, each with a space
//! and a footprint of its own, and no two of them ever overlap.
//!
//! The footprints ask which cells a shape meets by separating axes; the judge at the end samples points of one shape and
//! looks for them inside another. They share no code.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers, all of them

use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::ControlFlow;

use giveway::footprint::{CellId, Cells, Entry, EntryVisitor, Motion, MotionIn, MoveIn};
use giveway::heuristic::{DistanceTable, Predecessors};
use giveway::plan::{Path, PathIn};
use giveway::search::{Fuel, NoPath, Query, Scene, SpaceTimeSearch, Suspended};
use giveway::spaces::Grid;
use giveway::store::{Claim, IntervalTable, Probe, Rank, SparseTable, WindowTable};
use giveway::time::{FOREVER, Span, Tick, Ticks};
use giveway::{AgentId, ConflictRule, CostLayer, Footprint, Goals, Move, NodeId, Point, ReservationStore, SpaceGraph};
use proptest::prelude::*;

const WIDTH: u32 = 14;
const HEIGHT: u32 = 10;
const MAP: &str = "
    ..............
    ..............
    ....##........
    ....##........
    ..............
    ..........#...
    ..........#...
    ..............
    ..............
    ..............
";

/// Where a unit is at some instant: its centre in cells (cell centres are integers), its heading in radians.
#[derive(Clone, Copy, Debug)]
struct Placement {
    x: f64,
    y: f64,
    heading: f64,
}

/// The rectangle of a unit: length along its heading, width across.
#[derive(Clone, Copy, Debug)]
struct Rectangle {
    length: f64,
    width: f64,
}

// --- The 2x2 unit: its node is its top-left cell. -----------------------------------------------------------------

struct Big<'a> {
    ground: &'a Grid,
}

impl Big<'_> {
    fn cells_at(&self, node: NodeId) -> Option<[CellId; 4]> {
        let (x, y) = self.ground.xy(node);
        let cell = |(dx, dy)| self.ground.node(x + dx, y + dy).filter(|node| self.ground.contains(*node));
        let cells = [(0, 0), (1, 0), (0, 1), (1, 1)].map(cell);
        cells.iter().all(Option::is_some).then(|| cells.map(|node| CellId(node.map_or(0, |node| node.0))))
    }
}

impl Footprint<Grid> for Big<'_> {
    fn cells(&self, space: &Grid) -> Cells {
        Cells::new(ConflictRule::Following, u32::try_from(space.node_bound()).unwrap_or(u32::MAX), 0)
    }

    fn wait_quantum(&self) -> Ticks {
        1
    }

    fn duration(&self, _space: &Grid, m: &MoveIn<Grid>) -> Option<Ticks> {
        self.cells_at(m.to).map(|_| 2)
    }

    fn sweep(&self, _space: &Grid, motion: &MotionIn<Grid>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        let (nodes, ticks) = match motion {
            Motion::Move(m) => (vec![m.from, m.to], 2),
            Motion::Rest { node, ticks } => (vec![*node], (*ticks).max(1)),
        };
        let mut cells = nodes.iter().filter_map(|node| self.cells_at(*node)).flatten();
        cells.try_for_each(|cell| entry(Entry { cell, span: Span::lasting(depart, ticks) }))
    }
}

// --- The car: (x, y, heading), straight ahead or a quarter circle of radius 2. --------------------------------------

const CAR: Rectangle = Rectangle { length: 1.8, width: 0.8 };
const RADIUS: f64 = 2.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Drive {
    Straight,
    Left,
    Right,
}

/// What is left of placements when time is taken out: nodes are (y * width + x) * 4 + heading, east first, clockwise as seen
/// with y downwards.
struct CarLattice;

impl CarLattice {
    fn placement(node: NodeId) -> Placement {
        let (cell, heading) = (node.0 / 4, node.0 % 4);
        Placement { x: f64::from(cell % WIDTH), y: f64::from(cell / WIDTH), heading: f64::from(heading) * FRAC_PI_2 }
    }

    fn node(x: i64, y: i64, heading: u32) -> Option<NodeId> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < WIDTH && y < HEIGHT).then(|| NodeId((y * WIDTH + x) * 4 + heading % 4))
    }

    /// Where a car that drives `drive` from `from` is after a share of its way.
    fn along(from: Placement, drive: Drive, share: f64) -> Placement {
        let (sin, cos) = from.heading.sin_cos();
        let side = match drive {
            Drive::Straight => {
                return Placement { x: from.x + cos * share, y: from.y + sin * share, ..from };
            }
            Drive::Left => -1.0,
            Drive::Right => 1.0,
        };
        let turned = share * FRAC_PI_2;
        let (ahead, aside) = (RADIUS * turned.sin(), side * RADIUS * (1.0 - turned.cos()));
        Placement {
            x: from.x + cos * ahead - sin * aside,
            y: from.y + sin * ahead + cos * aside,
            heading: from.heading + side * turned,
        }
    }
}

impl SpaceGraph for CarLattice {
    type Action = Drive;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        (WIDTH * HEIGHT * 4) as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Drive, u32>> {
        let placement = Self::placement(from);
        [(Drive::Straight, 0, 1.0), (Drive::Right, 1, PI), (Drive::Left, 3, PI)].into_iter().filter_map(
            move |(action, turn, length)| {
                let end = Self::along(placement, action, 1.0);
                let to = Self::node(end.x.round() as i64, end.y.round() as i64, from.0 % 4 + turn)?;
                Some(Move { from, to, action, cost: (1000.0 * length) as u32, length: length as f32 })
            },
        )
    }
}

struct Car<'a> {
    ground: &'a Grid,
}

/// In how many places a motion is looked at. The car moves less than 0.02 cells between two of them, and its shape is
/// taken to be larger by as much.
const LOOKS: u32 = 160;

impl Car<'_> {
    fn ticks(drive: Drive) -> Ticks {
        if drive == Drive::Straight { 1 } else { 4 }
    }

    /// Every cell that the car meets, with the ticks in which it does; `None` if one of them is a wall or off the map.
    fn swept(&self, motion: &MotionIn<CarLattice>, depart: Tick) -> Option<Vec<Entry>> {
        let (from, drive, ticks) = match motion {
            Motion::Rest { node, ticks } => {
                let cells = self.met(CarLattice::placement(*node))?;
                let span = Span::lasting(depart, (*ticks).max(1));
                return Some(cells.into_iter().map(|cell| Entry { cell, span }).collect());
            }
            Motion::Move(m) => (CarLattice::placement(m.from), m.action, Self::ticks(m.action)),
        };
        let mut entries: Vec<Entry> = Vec::new();
        for look in 0..=LOOKS {
            let cells = self.met(CarLattice::along(from, drive, f64::from(look) / f64::from(LOOKS)))?;
            let tick = depart + (look * ticks / LOOKS).min(ticks - 1);
            // At the instant between two ticks it is there in both.
            let first = if look * ticks % LOOKS == 0 { tick.saturating_sub(1).max(depart) } else { tick };
            for cell in cells {
                match entries.iter_mut().find(|entry| entry.cell == cell) {
                    Some(entry) => entry.span.end = tick + 1,
                    None => entries.push(Entry { cell, span: Span::new(first, tick + 1) }),
                }
            }
        }
        Some(entries)
    }

    /// The cells that the car meets in `placement`, by separating axes.
    fn met(&self, placement: Placement) -> Option<Vec<CellId>> {
        let (sin, cos) = placement.heading.sin_cos();
        let (half_length, half_width) = (CAR.length / 2.0 + 0.02, CAR.width / 2.0 + 0.02);
        let reach_x = half_length * cos.abs() + half_width * sin.abs();
        let reach_y = half_length * sin.abs() + half_width * cos.abs();
        let reach_cell = (cos.abs() + sin.abs()) / 2.0;
        let mut cells = Vec::new();
        for y in (placement.y - 2.0).floor() as i64..=(placement.y + 2.0).ceil() as i64 {
            for x in (placement.x - 2.0).floor() as i64..=(placement.x + 2.0).ceil() as i64 {
                let (dx, dy) = (x as f64 - placement.x, y as f64 - placement.y);
                let meets = dx.abs() < reach_x + 0.5
                    && dy.abs() < reach_y + 0.5
                    && (dx * cos + dy * sin).abs() < half_length + reach_cell
                    && (dy * cos - dx * sin).abs() < half_width + reach_cell;
                if meets {
                    let node = self.ground.node(u32::try_from(x).ok()?, u32::try_from(y).ok()?)?;
                    if !self.ground.contains(node) {
                        return None;
                    }
                    cells.push(CellId(node.0));
                }
            }
        }
        Some(cells)
    }
}

impl Footprint<CarLattice> for Car<'_> {
    fn cells(&self, _space: &CarLattice) -> Cells {
        Cells::new(ConflictRule::Following, WIDTH * HEIGHT, 0)
    }

    fn duration(&self, _space: &CarLattice, m: &MoveIn<CarLattice>) -> Option<Ticks> {
        self.swept(&Motion::Move(*m), 0).map(|_| Self::ticks(m.action))
    }

    fn sweep(
        &self,
        _space: &CarLattice,
        motion: &MotionIn<CarLattice>,
        depart: Tick,
        entry: EntryVisitor<'_>,
    ) -> ControlFlow<()> {
        self.swept(motion, depart).into_iter().flatten().try_for_each(entry)
    }
}

// --- A crowd of all three on one store. -------------------------------------------------------------------------------

/// A place for each cell; and the crossings of the points, for which the others have no use.
fn shared_cells() -> Cells {
    Cells::new(ConflictRule::Following, WIDTH * HEIGHT, 2 * WIDTH * HEIGHT)
}

/// What became of a unit, in the terms of its own class.
enum Planned {
    Point(PathIn<Grid>),
    Big(PathIn<Grid>),
    Car(PathIn<CarLattice>),
}

impl Planned {
    fn shape(&self) -> Rectangle {
        match self {
            // A point has no extent; under the following rule there is room for a unit of nearly a cell.
            Self::Point(_) => Rectangle { length: 0.9, width: 0.9 },
            Self::Big(_) => Rectangle { length: 1.98, width: 1.98 },
            Self::Car(_) => CAR,
        }
    }

    fn placement(&self, time: f64) -> Placement {
        match self {
            Self::Point(path) => Self::straight(path, time, 0.0),
            Self::Big(path) => Self::straight(path, time, 0.5),
            Self::Car(path) => match Self::under_way(path, time) {
                Some((m, share)) => CarLattice::along(CarLattice::placement(m.from), m.action, share),
                None => CarLattice::placement(path.node_at(time as Tick)),
            },
        }
    }

    fn straight(path: &PathIn<Grid>, time: f64, offset: f64) -> Placement {
        let place = |node: NodeId| (f64::from(node.0 % WIDTH) + offset, f64::from(node.0 / WIDTH) + offset);
        let (x, y) = match Self::under_way(path, time) {
            Some((m, share)) => {
                let ((x, y), (to_x, to_y)) = (place(m.from), place(m.to));
                (x + (to_x - x) * share, y + (to_y - y) * share)
            }
            None => place(path.node_at(time as Tick)),
        };
        Placement { x, y, heading: 0.0 }
    }

    /// The move that is being made, and the share of it that is done.
    fn under_way<A: Copy, C: Copy>(path: &Path<A, C>, time: f64) -> Option<(Move<A, C>, f64)> {
        path.steps.iter().find_map(|step| match step.motion {
            Motion::Move(m) if f64::from(step.depart) <= time && time < f64::from(step.arrive) => {
                Some((m, (time - f64::from(step.depart)) / f64::from(step.arrive - step.depart)))
            }
            _ => None,
        })
    }
}

/// Whether some point of a fine net over `a` lies inside `b`.
fn reaches_into(a: (Placement, Rectangle), b: (Placement, Rectangle)) -> bool {
    let steps = 12;
    let net = |i: i32, size: f64| (f64::from(i) / f64::from(steps) - 0.5) * size;
    let (sin, cos) = a.0.heading.sin_cos();
    let (b_sin, b_cos) = b.0.heading.sin_cos();
    (0..=steps).any(|i| {
        (0..=steps).any(|j| {
            let (u, v) = (net(i, a.1.length), net(j, a.1.width));
            let (x, y) = (a.0.x + u * cos - v * sin - b.0.x, a.0.y + u * sin + v * cos - b.0.y);
            (x * b_cos + y * b_sin).abs() < b.1.length / 2.0 - 1e-6
                && (y * b_cos - x * b_sin).abs() < b.1.width / 2.0 - 1e-6
        })
    })
}

/// The first two units that overlap, and when.
fn first_overlap(units: &[Planned], until: Tick) -> Option<(usize, usize, f64)> {
    (0..=until * 8).map(|eighth| f64::from(eighth) / 8.0).find_map(|time| {
        let placed: Vec<(Placement, Rectangle)> =
            units.iter().map(|unit| (unit.placement(time), unit.shape())).collect();
        let mut pairs = (0..units.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let overlap = pairs.find(|(a, b)| reaches_into(placed[*a], placed[*b]) || reaches_into(placed[*b], placed[*a]));
        overlap.map(|(a, b)| (a, b, time))
    })
}

/// Plans one unit on the store, or leaves it standing where it is, as it is reserved already.
fn plan<S, F, R>(space: &S, footprint: &F, store: &mut R, agent: AgentId, start: NodeId, goal: NodeId) -> PathIn<S>
where
    S: SpaceGraph,
    F: Footprint<S>,
    R: ReservationStore,
    (): CostLayer<S>,
{
    let claim = Claim::plain(agent);
    let goals = Goals::one(goal);
    let mut heuristic = DistanceTable::new(space, Predecessors::from_space(space), goals.clone());
    let scene = Scene { space, footprint, reservations: &*store, layer: &() };
    let query = Query::new(claim, start, goals);
    match SpaceTimeSearch::new().find_with(&scene, query, &mut heuristic, &mut Fuel::work(20_000), &mut ()) {
        Ok(path) => {
            store.release(agent, 0);
            store.reserve(claim, &path.entries(space, footprint)).expect("the search asked for every entry");
            path
        }
        Err(NoPath::Exhausted | NoPath::Suspended(Suspended::OutOfFuel) | NoPath::LimitReached) => {
            Path::standing(start, 0, giveway::plan::AtEnd::Stay)
        }
        Err(why) => panic!("unexpected: {why}"),
    }
}

/// Reserves a unit's start for good, if there is room.
fn stand<S: SpaceGraph, R: ReservationStore>(
    space: &S,
    footprint: &impl Footprint<S>,
    store: &mut R,
    agent: AgentId,
    start: NodeId,
) -> bool {
    let entries = footprint.entries(space, &Motion::Rest { node: start, ticks: FOREVER }, 0);
    !entries.is_empty() && store.reserve(Claim::plain(agent), &entries).is_ok()
}

/// What each store holds, as far as anyone can ask.
fn contents(store: &impl ReservationStore) -> Vec<(Probe, Probe)> {
    let stranger = Claim { agent: AgentId(u32::MAX), rank: Rank(0) };
    let entries = (0..WIDTH * HEIGHT).flat_map(|cell| (0..120).map(move |tick| (CellId(cell), tick)));
    entries
        .map(|(cell, tick)| {
            let ask = |span| store.probe(&Entry { cell, span }, stranger);
            (ask(Span::tick(tick)), ask(Span::endless(tick)))
        })
        .collect()
}

fn run<R: ReservationStore>(mut store: R, draws: &[(u8, u32, u32)]) -> (usize, Vec<PathEnds>) {
    let ground = Grid::from_ascii(MAP).unwrap();
    let (point, big, car) = (Point::following_rule(&ground), Big { ground: &ground }, Car { ground: &ground });
    let cells = point.cells(&ground);
    assert_eq!(cells.join(big.cells(&ground)).and_then(|cells| cells.join(car.cells(&CarLattice))), Ok(shared_cells()));

    let on_grid = |draw: u32| NodeId(draw % (WIDTH * HEIGHT));
    let on_lattice = |draw: u32| NodeId(draw % (WIDTH * HEIGHT * 4));
    let mut standing: Vec<(AgentId, u8, u32, u32)> = Vec::new();
    for (&(class, start, goal), id) in draws.iter().zip((0..).map(AgentId)) {
        let placed = match class {
            0 => ground.contains(on_grid(start)) && stand(&ground, &point, &mut store, id, on_grid(start)),
            1 => stand(&ground, &big, &mut store, id, on_grid(start)),
            _ => stand(&CarLattice, &car, &mut store, id, on_lattice(start)),
        };
        if placed {
            standing.push((id, class, start, goal));
        }
    }

    let mut units = Vec::new();
    for &(id, class, start, goal) in &standing {
        let before = contents(&store);
        let mark = store.mark();
        let mut planned = || match class {
            0 => Planned::Point(plan(&ground, &point, &mut store, id, on_grid(start), on_grid(goal))),
            1 => Planned::Big(plan(&ground, &big, &mut store, id, on_grid(start), on_grid(goal))),
            _ => Planned::Car(plan(&CarLattice, &car, &mut store, id, on_lattice(start), on_lattice(goal))),
        };
        let tried = ends(&planned());
        // Rollback is exact: nothing is left of the plan, and planning again finds it again.
        store.rollback(mark).unwrap();
        assert_eq!(contents(&store), before);
        let mut planned = || match class {
            0 => Planned::Point(plan(&ground, &point, &mut store, id, on_grid(start), on_grid(goal))),
            1 => Planned::Big(plan(&ground, &big, &mut store, id, on_grid(start), on_grid(goal))),
            _ => Planned::Car(plan(&CarLattice, &car, &mut store, id, on_lattice(start), on_lattice(goal))),
        };
        let unit = planned();
        assert_eq!(ends(&unit), tried);
        store.settle();
        units.push(unit);
    }
    let until = units.iter().map(|unit| ends(unit).1).max().unwrap_or(0);
    assert_eq!(first_overlap(&units, until + 1), None);
    let moved = units.iter().filter(|unit| ends(unit).1 > 0).count();
    (moved, units.iter().map(ends).collect())
}

/// Where a unit ends, when, and at what cost.
type PathEnds = (NodeId, Tick, u32);

fn ends(unit: &Planned) -> PathEnds {
    match unit {
        Planned::Point(path) | Planned::Big(path) => (path.end(), path.arrival(), path.cost),
        Planned::Car(path) => (path.end(), path.arrival(), path.cost),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn three_kinds_of_unit_share_a_store_without_an_overlap(
        draws in prop::collection::vec((0_u8..3, any::<u32>(), any::<u32>()), 4..14),
    ) {
        let cells = shared_cells();
        let (_, by_intervals) = run(IntervalTable::new(cells), &draws);
        let (_, by_ticks) = run(SparseTable::new(cells), &draws);
        let (_, by_bits) = run(WindowTable::new(cells, 64), &draws);
        prop_assert_eq!(&by_intervals, &by_ticks);
        prop_assert_eq!(&by_intervals, &by_bits);
    }
}

#[test]
fn all_three_kinds_move_through_each_other_s_ways() {
    // The point goes west along the row in which the big unit goes east; the car turns right across both.
    let cells = shared_cells();
    let at = |x: u32, y: u32| y * WIDTH + x;
    let draws = [(1, at(0, 7), at(11, 7)), (2, at(2, 5) * 4, at(7, 8) * 4 + 1), (0, at(13, 8), at(0, 8))];
    let (moved, ends) = run(IntervalTable::new(cells), &draws);
    assert_eq!(moved, 3, "{ends:?}");
    assert_eq!(ends[0].1, 22, "the big unit plans first, at half speed: 11 cells in 22 ticks");
}

#[test]
fn the_judge_sees_what_it_should() {
    // Two cars side by side, one turned into the other.
    let still = Placement { x: 5.0, y: 5.0, heading: 0.0 };
    let beside = Placement { x: 5.0, y: 5.9, heading: 0.0 };
    assert!(!reaches_into((still, CAR), (beside, CAR)));
    let turned = Placement { heading: FRAC_PI_2 / 2.0, ..beside };
    assert!(reaches_into((turned, CAR), (still, CAR)) || reaches_into((still, CAR), (turned, CAR)));
}
