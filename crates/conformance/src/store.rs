//! Does a reservation store behave like a map from (cell, tick) to holder?

use std::collections::BTreeMap;

use rand_pcg::Pcg32;
use rand_pcg::rand_core::RngCore;

use super::breach::Breach;
use giveway_core::{
    AgentId, CellId, Claim, Entry, FOREVER, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore, Span, Tick,
};

/// Checks a reservation store against a plain map from (cell, tick) to holder, over random sequences of calls.
///
/// `empty` makes an empty store with exactly `cells` cells; at least 2. Equal values of `seed` make equal calls. If the
/// store has [free intervals](ReservationStore::free_intervals), they are checked, too.
///
/// ```
/// use giveway_core::store::IntervalTable;
/// use giveway_conformance as conformance;
/// use giveway_core::{Cells, ConflictRule};
///
/// let cells = Cells::new(ConflictRule::Swap, 4, 0);
/// conformance::reservation_store(|| IntervalTable::new(cells), 4, 1)?;
/// # Ok::<(), conformance::Breach>(())
/// ```
///
/// # Errors
/// The first breach found.
pub fn reservation_store<R: ReservationStore>(empty: impl Fn() -> R, cells: u32, seed: u64) -> Result<(), Breach> {
    enough(cells)?;
    for round in 0..ROUNDS {
        Trial::new(empty(), cells, seed.wrapping_add(round)).run(|store, model, claim, now| {
            store.free_intervals().map_or(Ok(()), |free| compare_free(&[free], model, cells, claim, now))
        })?;
    }
    Ok(())
}

/// Makes the checks of [`reservation_store`], and checks two more things: the store must have [free
/// intervals](ReservationStore::free_intervals); and each interval that the store returns must be free, maximal, and
/// the first such interval.
///
/// # Errors
/// The first breach found.
pub fn free_intervals<R>(empty: impl Fn() -> R, cells: u32, seed: u64) -> Result<(), Breach>
where
    R: ReservationStore + FreeIntervals,
{
    enough(cells)?;
    for round in 0..ROUNDS {
        Trial::new(empty(), cells, seed.wrapping_add(round)).run(|store, model, claim, now| {
            let offered = store.free_intervals().ok_or("free_intervals gives None, though the store can tell them")?;
            compare_free(&[store, offered], model, cells, claim, now)
        })?;
    }
    Ok(())
}

/// Whether `stores` and the model agree on when cells are free.
fn compare_free(
    stores: &[&dyn FreeIntervals],
    model: &Model,
    cells: u32,
    claim: Claim,
    now: Tick,
) -> Result<(), String> {
    let mut questions = (0..cells).map(CellId).flat_map(|cell| (now..PAST).step_by(37).map(move |tick| (cell, tick)));
    questions.try_for_each(|(cell, tick)| {
        let expected = model.next_free(cell, tick, claim, now);
        // Everything before `now` is forgotten, so a start before `now` may have any value.
        let clip = |span: Option<Span>, first: Tick| span.map(|span| Span::new(span.start.max(first), span.end));
        for store in stores {
            let next = clip(store.next_free(cell, tick, claim), now);
            let from = store.free_from(cell, tick, claim);
            for (name, found, expected) in
                [("next_free", next, clip(expected, now)), ("free_from", from, clip(expected, tick))]
            {
                if found != expected {
                    return Err(format!(
                        "{name} says {} for {} at {:?} in cell {} from tick {tick}; it should say {}",
                        show(found),
                        claim.agent,
                        claim.rank,
                        cell.0,
                        show(expected)
                    ));
                }
            }
        }
        Ok(())
    })
}

/// With fewer cells, the check could not find faults.
fn enough(cells: u32) -> Result<(), Breach> {
    if cells >= 2 {
        return Ok(());
    }
    Err(Breach { fault: format!("{cells} cells are not enough to check a store with: at least 2"), calls: Vec::new() })
}

fn show(span: Option<Span>) -> String {
    span.map_or_else(
        || "never".to_owned(),
        |span| {
            if span.is_endless() { format!("{}..", span.start) } else { format!("{}..{}", span.start, span.end) }
        },
    )
}

const ROUNDS: u64 = 24;
const CALLS: usize = 60;
/// After this many calls, every cell and tick is compared; in between, samples.
const FULL_EVERY: usize = 12;
/// Finite spans end before this tick. It covers several words of ticks, and rests that a store may treat as long.
const PAST: Tick = 400;
const AGENTS: u32 = 5;
/// They differ in either number.
const RANKS: [Rank; 3] = [Rank(0, 0), Rank(0, 1), Rank(1, 0)];
/// Holds nothing, and overrides no agent.
const STRANGER: Claim = Claim::plain(AgentId(AGENTS));

/// The reference model of a store.
#[derive(Clone, Debug, Default)]
struct Model {
    /// The tick `PAST` stands for itself and all later ticks.
    held: BTreeMap<(CellId, Tick), (AgentId, Rank)>,
}

impl Model {
    fn ticks(span: Span) -> std::ops::Range<Tick> {
        span.start..span.end.min(PAST + 1)
    }

    fn holder(&self, cell: CellId, tick: Tick) -> Option<(AgentId, Rank)> {
        self.held.get(&(cell, tick.min(PAST))).copied()
    }

    /// The agents that hold part of `entry` that `claim` may not have, each once, by the first such tick.
    fn blockers(&self, entry: &Entry, claim: Claim) -> Vec<AgentId> {
        once(Self::ticks(entry.span).filter_map(|tick| self.blocks(entry.cell, tick, claim)))
    }

    fn blocks(&self, cell: CellId, tick: Tick, claim: Claim) -> Option<AgentId> {
        self.holder(cell, tick)
            .filter(|(agent, rank)| *agent != claim.agent && *rank >= claim.rank)
            .map(|(agent, _)| agent)
    }

    fn probe(&self, entry: &Entry, claim: Claim) -> Probe {
        if let Some((tick, by)) =
            Self::ticks(entry.span).find_map(|tick| Some((tick, self.blocks(entry.cell, tick, claim)?)))
        {
            let holds = |tick: &Tick| self.holder(entry.cell, *tick).is_some_and(|(agent, _)| agent == by);
            let until = (tick..=PAST).find(|tick| !holds(tick)).unwrap_or(FOREVER);
            return Probe::Blocked { by, until };
        }
        Self::ticks(entry.span)
            .filter_map(|tick| self.holder(entry.cell, tick))
            .find(|(agent, _)| *agent != claim.agent)
            .map_or(Probe::Free, |(agent, _)| Probe::Overrides(agent))
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry]) -> Result<Vec<AgentId>, Refused> {
        for entry in entries {
            if let Probe::Blocked { by, .. } = self.probe(entry, claim) {
                return Err(Refused::Held { entry: *entry, by });
            }
        }
        let mut evicted = Vec::new();
        for entry in entries {
            for tick in Self::ticks(entry.span) {
                evicted.extend(self.held.insert((entry.cell, tick), (claim.agent, claim.rank)));
            }
        }
        let mut evicted: Vec<AgentId> =
            evicted.into_iter().map(|(agent, _)| agent).filter(|agent| *agent != claim.agent).collect();
        evicted.sort_unstable();
        evicted.dedup();
        Ok(evicted)
    }

    fn next_free(&self, cell: CellId, from: Tick, claim: Claim, now: Tick) -> Option<Span> {
        let free = |tick: &Tick| self.blocks(cell, *tick, claim).is_none();
        let inside = (from..=PAST).find(free)?;
        let start = (now..inside).rev().take_while(free).last().unwrap_or(inside);
        let end = (inside..=PAST).find(|tick| !free(tick)).unwrap_or(FOREVER);
        Some(Span::new(start, end))
    }
}

/// `agents`, each where it comes first.
fn once(agents: impl IntoIterator<Item = AgentId>) -> Vec<AgentId> {
    let mut once = Vec::new();
    agents.into_iter().for_each(|agent| {
        if !once.contains(&agent) {
            once.push(agent);
        }
    });
    once
}

/// One random sequence of calls, made to a store and to the model.
struct Trial<R: ReservationStore> {
    store: R,
    model: Model,
    cells: u32,
    random: Pcg32,
    now: Tick,
    marks: Vec<(Mark, Model)>,
    stale: Vec<Mark>,
    calls: Vec<String>,
}

impl<R: ReservationStore> Trial<R> {
    fn new(store: R, cells: u32, seed: u64) -> Self {
        Self {
            store,
            model: Model::default(),
            cells,
            random: Pcg32::new(seed, 0),
            now: 0,
            marks: Vec::new(),
            stale: Vec::new(),
            calls: Vec::new(),
        }
    }

    fn run(mut self, also: impl Fn(&R, &Model, Claim, Tick) -> Result<(), String>) -> Result<(), Breach> {
        for call in 1..=CALLS {
            let claim = self.claim();
            self.call()
                .and_then(|()| if call % FULL_EVERY == 0 { self.compare_everything(claim) } else { Ok(()) })
                .and_then(|()| self.compare(claim))
                .and_then(|()| also(&self.store, &self.model, claim, self.now))
                .map_err(|fault| Breach { fault, calls: std::mem::take(&mut self.calls) })?;
        }
        Ok(())
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.random.next_u32() % bound
    }

    fn claim(&mut self) -> Claim {
        Claim { agent: AgentId(self.below(AGENTS)), rank: RANKS[self.below(3) as usize] }
    }

    fn entry(&mut self) -> Entry {
        let start = self.now + self.below(PAST - self.now);
        let span = match self.below(8) {
            0 => Span::endless(start),
            1 => Span::new(start, start + self.below(PAST - start) + 1),
            2 => Span::new(start, start),
            _ => Span::new(start, (start + 1 + self.below(6)).min(PAST)),
        };
        Entry { cell: CellId(self.below(self.cells)), span }
    }

    /// Makes one call to both, and compares the results.
    fn call(&mut self) -> Result<(), String> {
        match self.below(20) {
            0..=9 => self.commit(),
            10..=13 => {
                let (agent, from) = (AgentId(self.below(AGENTS)), self.now + self.below(PAST - self.now));
                self.calls.push(format!("release({agent}, from {from})"));
                self.store.release(agent, from);
                self.model.held.retain(|(_, tick), (holder, _)| *holder != agent || *tick < from);
                Ok(())
            }
            14..=15 => {
                self.calls.push(format!("mark() -> mark {}", self.marks.len()));
                let mark = self.store.mark();
                self.marks.push((mark, self.model.clone()));
                Ok(())
            }
            16..=17 => self.rollback(),
            18 => {
                self.calls.push("settle()".to_owned());
                self.store.settle();
                self.stale.extend(self.marks.drain(..).map(|(mark, _)| mark));
                Ok(())
            }
            _ => {
                self.now = (self.now + self.below(40)).min(PAST - 1);
                let now = self.now;
                self.calls.push(format!("forget_before({now})"));
                self.store.forget_before(now);
                self.model.held.retain(|(_, tick), _| *tick >= now);
                self.stale.extend(self.marks.drain(..).map(|(mark, _)| mark));
                Ok(())
            }
        }
    }

    fn commit(&mut self) -> Result<(), String> {
        let claim = self.claim();
        let mut entries: Vec<Entry> = (0..=self.below(4)).map(|_| self.entry()).collect();
        if self.below(12) == 0 {
            entries.push(Entry { cell: CellId(self.cells), span: Span::tick(self.now) });
        }
        let bystander = AgentId(u32::MAX);
        let mut evicted = vec![bystander];
        let found = self.store.commit(claim, &entries, &mut evicted);
        let outside = entries.iter().any(|entry| entry.cell.0 >= self.cells);
        let expected = if outside { None } else { self.model.commit(claim, &entries).ok() };
        self.calls.push(format!("commit({} at {:?}, {entries:?}) -> {found:?}", claim.agent, claim.rank));
        match (found, expected) {
            (Ok(()), None) if outside => Err("commit accepted a cell that the store does not have".to_owned()),
            (Ok(()), None) => Err("commit took what another agent holds at a rank that is not lower".to_owned()),
            (Err(_), Some(_)) => {
                Err("commit refused entries of which none is held at a rank that is not lower".to_owned())
            }
            (Err(_), None) if evicted != [bystander] => Err("a refused commit reports evictions".to_owned()),
            (Err(_), None) => Ok(()),
            (Ok(()), Some(losers)) => {
                if evicted.first() == Some(&bystander) && evicted[1..] == losers {
                    return Ok(());
                }
                Err(format!(
                    "commit should append {losers:?} to the evicted, ascending and once each, and keep what was there; \
                     it left {evicted:?} where there was [{bystander:?}]"
                ))
            }
        }
    }

    fn rollback(&mut self) -> Result<(), String> {
        if let Some(mark) = self.stale.pop() {
            self.calls.push("rollback(a stale mark)".to_owned());
            return match self.store.rollback(mark) {
                Ok(()) => Err("rollback accepted a mark of a transaction that has ended".to_owned()),
                Err(_) => Ok(()),
            };
        }
        let Ok(marks @ 1..) = u32::try_from(self.marks.len()) else {
            return Ok(());
        };
        let chosen = self.below(marks) as usize;
        self.calls.push(format!("rollback(mark {chosen})"));
        self.stale.extend(self.marks.drain(chosen + 1..).map(|(mark, _)| mark));
        let (mark, model) = &self.marks[chosen];
        self.model = model.clone();
        self.store.rollback(*mark).map_err(|_| "rollback refused a mark of an open transaction".to_owned())
    }

    /// Whether the store and the model agree on every cell and tick, as `claim` and as a stranger see them.
    fn compare_everything(&self, claim: Claim) -> Result<(), String> {
        let ticks = (self.now..PAST).map(Span::tick).chain([Span::endless(PAST)]);
        let every = ticks.flat_map(|span| (0..self.cells).map(move |cell| Entry { cell: CellId(cell), span }));
        for entry in every {
            self.ask(&entry, claim)?;
            self.ask(&entry, STRANGER)?;
        }
        Ok(())
    }

    /// Whether the store and the model agree on some entries, on the bounds, and on when everything is settled.
    fn compare(&mut self, claim: Claim) -> Result<(), String> {
        for _ in 0..60 {
            let entry = self.entry();
            self.ask(&entry, claim)?;
            self.ask(&entry, STRANGER)?;
        }
        let outside = Entry { cell: CellId(self.cells), span: Span::tick(self.now) };
        if self.store.probe(&outside, claim) != Probe::OutOfBounds || self.store.permits(&outside, claim) {
            return Err("a cell that the store does not have should be out of bounds, and not permitted".to_owned());
        }
        let settled = self.store.settled_from().max(self.now);
        for cell in (0..self.cells).map(CellId) {
            let end = self.model.holder(cell, PAST);
            if let Some(tick) = (settled..PAST).find(|tick| self.model.holder(cell, *tick) != end) {
                return Err(format!(
                    "settled_from says that nothing changes from tick {settled} on, but cell {} changes after tick {tick}",
                    cell.0
                ));
            }
        }
        Ok(())
    }

    fn ask(&self, entry: &Entry, claim: Claim) -> Result<(), String> {
        let question = || {
            let end = if entry.span.is_endless() { String::new() } else { entry.span.end.to_string() };
            format!(
                "{} at {:?} about cell {}, ticks {}..{end}",
                claim.agent, claim.rank, entry.cell.0, entry.span.start
            )
        };
        let (found, expected) = (self.store.probe(entry, claim), self.model.probe(entry, claim));
        if found != expected {
            return Err(format!("probe answers {found:?} to {}; it should be {expected:?}", question()));
        }
        let permitted = matches!(expected, Probe::Free | Probe::Overrides(_));
        if self.store.permits(entry, claim) != permitted {
            return Err(format!("permits answers {} to {}, which is not what probe says", !permitted, question()));
        }
        let mut calls = Vec::new();
        let all = self.store.for_each_blocker(entry, claim, &mut |agent| {
            calls.push(agent);
            true
        });
        let (found, expected) = (once(calls), self.model.blockers(entry, claim));
        if found != expected || !all {
            return Err(format!("for_each_blocker names {found:?} to {}; it should name {expected:?}", question()));
        }
        let mut calls = 0;
        let all = self.store.for_each_blocker(entry, claim, &mut |_| {
            calls += 1;
            false
        });
        if all != expected.is_empty() || calls > 1 {
            return Err(format!("for_each_blocker goes on to {} after it was told to stop", question()));
        }
        Ok(())
    }
}
