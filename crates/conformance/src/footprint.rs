//! Does a footprint hold what the unit occupies, for as long as it does, and nothing else?

use std::ops::ControlFlow;

use super::breach::{Breach, ask, moves, refuse, require, sample, show};
use giveway_core::{
    CellId, ConflictRule, Entry, FOREVER, Footprint, Motion, MotionIn, MoveIn, NodeId, SpaceGraph, Span, Tick, Ticks,
};

/// The number of nodes examined in larger spaces.
const MOST_NODES: u32 = 1 << 11;

/// The departures at which motions are examined.
const DEPARTURES: [Tick; 4] = [0, 1, 7, 1000];

/// If a motion has more entries than this, the sweep counts as endless.
const MOST_ENTRIES: usize = 1 << 20;

/// Checks the entries of a footprint, for every move that the unit can make, and for rests at the ends of these moves:
/// * durations are at least one tick, and a [`uniform_duration`](Footprint::uniform_duration) is the duration of every
///   move; the [`wait_quantum`](Footprint::wait_quantum) is at least one tick;
/// * entries lie within the footprint's own cells, and within the ticks of the motion, including the tick of arrival;
/// * a move holds at least one cell at every tick; under the swap rule, it need not hold a cell at its first tick,
///   because the motion before still holds the cells where the move begins;
/// * a rest holds at least one cell; it holds its cells for the whole rest, and an endless rest holds them for ever;
/// * a rest of five ticks holds the same cells at the same ticks as five rests of one tick, one after the other;
/// * when a move ends, the move holds all cells that a rest on its last node holds; under the following rule, a move
///   also holds, at its first tick, all cells that a rest on its first node holds;
/// * if a motion begins `n` ticks later, each of its entries is `n` ticks later;
/// * equal questions have equal answers;
/// * a sweep ends, and a sweep that is broken off stops.
///
/// Examines at most 2048 nodes and the moves out of these nodes, at the ticks 0, 1, 7 and 1000. The check does not know
/// the shape of a body: use the `BodyChecker`, and a test of your own, to find out whether the cells suit the shape.
///
/// ```
/// use giveway_conformance as conformance;
/// use giveway_core::{Move, NodeId, Point, SpaceGraph};
/// # struct Ring(u32);
/// # impl SpaceGraph for Ring {
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
/// #         let to = NodeId((from.0 + 1) % self.0);
/// #         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
/// #     }
/// # }
/// let ring = Ring(6);
/// conformance::footprint(&ring, &Point::following_rule(&ring))?;
/// # Ok::<(), conformance::Breach>(())
/// ```
///
/// # Errors
/// The first breach found.
pub fn footprint<S: SpaceGraph, F: Footprint<S> + ?Sized>(space: &S, footprint: &F) -> Result<(), Breach> {
    let unit = Unit { space, footprint };
    let quantum = footprint.wait_quantum();
    require(quantum > 0, || "wait_quantum is 0: a search that waits so would never get anywhere".to_owned())?;
    require(footprint.cells(space) == footprint.cells(space), || "cells, asked again, are others".to_owned())?;
    let mut entered = Vec::new();
    for node in sample(space, MOST_NODES)? {
        for m in moves(space, node)? {
            if let Some(duration) = unit.duration(&m)? {
                unit.check_move(m, duration)?;
                entered.push(m.to);
            }
        }
    }
    entered.sort_unstable();
    entered.dedup();
    for node in &entered {
        for ticks in [0, 1, quantum, 5, FOREVER] {
            unit.check_rest(*node, ticks)?;
        }
    }
    entered.iter().try_for_each(|node| unit.check_sum_of_rests(*node, 5))
}

/// What is checked, in which space.
struct Unit<'a, S, F: ?Sized> {
    space: &'a S,
    footprint: &'a F,
}

impl<S: SpaceGraph, F: Footprint<S> + ?Sized> Unit<'_, S, F> {
    fn duration(&self, m: &MoveIn<S>) -> Result<Option<Ticks>, Breach> {
        let what = || format!("the duration of {}", show::<S>(m));
        let duration = || ask(what, || self.footprint.duration(self.space, m));
        let [first, second] = [duration()?, duration()?];
        require(first == second, || format!("{} is {first:?}, and asked again {second:?}", what()))?;
        require(first != Some(0), || format!("{} is 0: a move takes at least one tick", what()))?;
        if let Some(uniform) = self.footprint.uniform_duration(self.space) {
            require(first == Some(uniform), || {
                let found = first.map_or("None: it cannot be made".to_owned(), |ticks| ticks.to_string());
                format!("uniform_duration says that all moves take {uniform}, but {} is {found}", what())
            })?;
        }
        Ok(first)
    }

    fn check_move(&self, m: MoveIn<S>, duration: Ticks) -> Result<(), Breach> {
        let motion = Motion::Move(m);
        self.check_sweep(&motion)?;
        for depart in DEPARTURES {
            let what = || begun::<S>(&motion, depart);
            let arrive = depart.saturating_add(duration);
            let entries = self.entries(&motion, depart)?;
            within(&entries, Span::new(depart, arrive), what)?;
            let [leaving, arriving] = [self.standing(m.from, depart)?, self.standing(m.to, arrive)?];
            // Under the swap rule, the motion before holds the place that is left.
            let left = match self.footprint.cells(self.space).rule() {
                ConflictRule::Swap => &leaving[..],
                ConflictRule::Following => &[],
            };
            let held = || entries.iter().chain(left).map(|entry| entry.span);
            refuse(first_gap(held, Span::new(depart, arrive)), |tick| {
                format!("{} takes until tick {arrive}, but holds nothing at tick {tick}", what())
            })?;
            let holds = |cell: CellId, ticks: Span| {
                let mut entries = entries.iter();
                entries.any(|entry| entry.cell == cell && entry.span.overlaps(ticks))
            };
            let last = Span::new(arrive - 1, arrive.saturating_add(1));
            refuse(arriving.iter().find(|entry| !holds(entry.cell, last)), |lacking| {
                format!(
                    "{} does not hold cell {} as it arrives at tick {arrive}, though the unit then stands on it: whoever holds it \
                     is run into",
                    what(),
                    lacking.cell.0
                )
            })?;
            let rule = self.footprint.cells(self.space).rule();
            let mut leaving = leaving.iter();
            let lacking =
                leaving.find(|entry| rule == ConflictRule::Following && !holds(entry.cell, Span::tick(depart)));
            refuse(lacking, |lacking| {
                let cell = lacking.cell.0;
                format!(
                    "{} does not hold cell {cell} in its first tick, though the unit still stands on it: the following rule",
                    what()
                )
            })?;
        }
        Ok(())
    }

    fn check_rest(&self, node: NodeId, ticks: Ticks) -> Result<(), Breach> {
        let motion = Motion::Rest { node, ticks };
        self.check_sweep(&motion)?;
        for depart in DEPARTURES {
            let what = || begun::<S>(&motion, depart);
            let entries = self.entries(&motion, depart)?;
            // A rest of 0 ticks is still there at its tick.
            let span = Span::lasting(depart, ticks.max(1));
            within(&entries, Span::lasting(depart, ticks), what)?;
            let standing = self.standing(node, depart)?;
            require(!standing.is_empty(), || {
                format!(
                    "{} holds nothing: who stands there is in nobody's way",
                    begun::<S>(&Motion::Rest { node, ticks: 0 }, depart)
                )
            })?;
            for cell in standing.iter().map(|entry| entry.cell) {
                let held = || entries.iter().filter(|entry| entry.cell == cell).map(|entry| entry.span);
                refuse(first_gap(held, span), |tick| {
                    format!("{} does not hold cell {} at tick {tick}, though the unit stands on it", what(), cell.0)
                })?;
            }
        }
        Ok(())
    }

    /// Whether a rest of `ticks` ticks holds what `ticks` rests of one tick hold.
    fn check_sum_of_rests(&self, node: NodeId, ticks: Ticks) -> Result<(), Breach> {
        let held = |rests: &[Entry]| {
            let ticks = |entry: &Entry| (entry.span.start..entry.span.end).map(|tick| (entry.cell, tick)).collect();
            let mut held: Vec<(CellId, Tick)> = rests.iter().flat_map(|entry| -> Vec<_> { ticks(entry) }).collect();
            held.sort_unstable();
            held.dedup();
            held
        };
        let motion = Motion::Rest { node, ticks };
        let at_once = held(&self.entries(&motion, DEPARTURES[0])?);
        let mut pieces = Vec::new();
        for tick in (0..ticks).map(|passed| DEPARTURES[0] + passed) {
            pieces.extend(self.entries(&Motion::Rest { node, ticks: 1 }, tick)?);
        }
        let pieces = held(&pieces);
        let of_one = |some: &[(CellId, Tick)], other: &[(CellId, Tick)]| {
            some.iter().copied().find(|held| other.binary_search(held).is_err())
        };
        let differ = of_one(&at_once, &pieces).or_else(|| of_one(&pieces, &at_once));
        refuse(differ, |(cell, tick)| {
            format!(
                "{} and {ticks} rests of one tick there, one after the other, differ in whether they hold cell {} at tick {tick}",
                begun::<S>(&motion, DEPARTURES[0]),
                cell.0
            )
        })
    }

    /// The entries of standing on `node` at `tick`.
    fn standing(&self, node: NodeId, tick: Tick) -> Result<Vec<Entry>, Breach> {
        self.entries(&Motion::Rest { node, ticks: 0 }, tick)
    }

    /// Whether the entries of `motion` are in bounds, equal each time, and equal but later for a later departure; and
    /// whether a sweep that is broken off stops.
    fn check_sweep(&self, motion: &MotionIn<S>) -> Result<(), Breach> {
        let cells = self.footprint.cells(self.space);
        let at_once = self.sweep(motion, DEPARTURES[0])?;
        refuse(at_once.iter().find(|entry| entry.cell.index() >= cells.bound()), |outside| {
            let (what, cell, bound) = (begun::<S>(motion, DEPARTURES[0]), outside.cell.0, cells.bound());
            format!("{what} holds cell {cell}, which is out of bounds: cells says that there are {bound}")
        })?;
        for depart in DEPARTURES {
            let entries = self.sweep(motion, depart)?;
            let shifted = at_once.iter().map(|entry| Entry {
                cell: entry.cell,
                span: if entry.span.is_endless() {
                    Span::endless(entry.span.start.saturating_add(depart))
                } else {
                    Span::new(entry.span.start.saturating_add(depart), entry.span.end.saturating_add(depart))
                },
            });
            let expected: Vec<Entry> = shifted.collect();
            require(entries == expected, || {
                let what = begun::<S>(motion, depart);
                if depart == DEPARTURES[0] {
                    return format!("sweep, asked again, gives other entries for {what}, or in another order");
                }
                format!(
                    "{what} should hold just what it holds when it begins at tick 0, so many ticks later: [{}]; it holds [{}]",
                    list(&expected),
                    list(&entries)
                )
            })?;
        }
        (1..=at_once.len().min(3)).try_for_each(|wanted| self.check_break(motion, wanted))
    }

    /// Whether a sweep stops when it is broken off at its entry number `wanted`, counted from 1.
    fn check_break(&self, motion: &MotionIn<S>, wanted: usize) -> Result<(), Breach> {
        let what = || begun::<S>(motion, DEPARTURES[0]);
        let mut given = 0;
        let flow = ask(
            || format!("sweep of {}", what()),
            || {
                self.footprint.sweep(self.space, motion, DEPARTURES[0], &mut |_| {
                    given += 1;
                    if given == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
            },
        )?;
        require(given == wanted, || format!("sweep goes on after it was broken off at entry {wanted} of {}", what()))?;
        require(flow.is_break(), || {
            format!("sweep does not return Break although it was broken off at entry {wanted} of {}", what())
        })
    }

    /// The entries with at least one tick.
    fn entries(&self, motion: &MotionIn<S>, depart: Tick) -> Result<Vec<Entry>, Breach> {
        let mut entries = self.sweep(motion, depart)?;
        entries.retain(|entry| !entry.span.is_empty());
        Ok(entries)
    }

    fn sweep(&self, motion: &MotionIn<S>, depart: Tick) -> Result<Vec<Entry>, Breach> {
        let question = || format!("sweep of {}", begun::<S>(motion, depart));
        let mut entries = Vec::new();
        let flow = ask(question, || {
            self.footprint.sweep(self.space, motion, depart, &mut |entry| {
                entries.push(entry);
                if entries.len() < MOST_ENTRIES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        })?;
        require(entries.len() < MOST_ENTRIES, || {
            format!("{} gives more than {MOST_ENTRIES} entries: does it ever end?", question())
        })?;
        require(flow.is_continue(), || format!("{} returns Break although nobody broke it off", question()))?;
        Ok(entries)
    }
}

/// Whether all of `entries` lie in `span` or the tick after it, which under the swap rule is the tick of arrival.
fn within(entries: &[Entry], span: Span, what: impl Fn() -> String) -> Result<(), Breach> {
    refuse(entries.iter().find(|entry| entry.span.start < span.start), |early| {
        format!("{} holds cell {} from tick {}, before it begins", what(), early.cell.0, early.span.start)
    })?;
    let end = span.end.saturating_add(1);
    refuse(entries.iter().find(|entry| entry.span.end > end), |late| {
        let held =
            if late.span.is_endless() { "for ever".to_owned() } else { format!("at tick {}", late.span.end - 1) };
        format!("{} holds cell {} {held}, but ends at tick {}", what(), late.cell.0, span.end)
    })
}

/// The first tick of `span` that no span of `held` contains.
fn first_gap<I: Iterator<Item = Span>>(held: impl Fn() -> I, span: Span) -> Option<Tick> {
    let mut tick = span.start;
    while tick < span.end {
        // There are few entries, and fewer ends that they lead to.
        tick = match held().filter(|held| held.contains(tick)).map(|held| held.end).max() {
            Some(end) => end,
            None => return Some(tick),
        };
    }
    None
}

/// A motion, in words.
fn begun<S: SpaceGraph>(motion: &MotionIn<S>, depart: Tick) -> String {
    match motion {
        Motion::Move(m) => format!("{}, begun at tick {depart},", show::<S>(m)),
        Motion::Rest { node, ticks: FOREVER } => format!("an endless rest on node {}, begun at tick {depart},", node.0),
        Motion::Rest { node, ticks } => format!("a rest of {ticks} ticks on node {}, begun at tick {depart},", node.0),
    }
}

/// Entries, in words.
fn list(entries: &[Entry]) -> String {
    let show = |entry: &Entry| match entry.span {
        span if span.is_endless() => format!("cell {} from tick {}", entry.cell.0, span.start),
        span => format!("cell {} in {}..{}", entry.cell.0, span.start, span.end),
    };
    entries.iter().map(show).collect::<Vec<_>>().join(", ")
}
