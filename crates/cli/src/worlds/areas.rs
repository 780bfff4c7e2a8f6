//! Areas of a world, and what happens at ticks.

use std::ops::Range;

use anyhow::{Context as _, Result};
use giveway::area::Area;
use giveway::scenario::{At, WorldArea, WorldFile};
use giveway::sim::Simulation;
use giveway::strategies::CrowdError;
use giveway::time::Tick;
use giveway::words::{Garbled, WordReader, Words};
use giveway::{AgentId, NodeId};

use super::floors::Floors;

/// The corners of a disc, as it is drawn.
const CORNERS: u8 = 32;

/// An area as the file describes it.
pub(super) fn area_of(world: &WorldFile, area: &At<WorldArea>, floors: Floors) -> Result<Area> {
    let shape = match (&area.rectangle, &area.polygon, &area.disc) {
        (Some(corners), ..) => Area::rectangle(corners[0], corners[1]),
        (_, Some(corners), _) => Area::polygon(corners),
        (_, _, Some(disc)) => Area::disc([disc[0], disc[1]], disc[2]),
        _ => return Err(world.error_at(area.at, "a rectangle, a polygon or a disc", "none").into()),
    };
    let placed = shape.and_then(|shape| floors.on(shape, area.floor));
    placed.map_err(|why| world.error_why(area.at, why).into())
}

/// The corners of an area.
pub(super) fn corners(area: &WorldArea) -> Vec<[f32; 2]> {
    if let Some(rectangle) = &area.rectangle {
        let [[left, top], [right, bottom]] = rectangle.value;
        return vec![[left, top], [right, top], [right, bottom], [left, bottom]];
    }
    if let Some(polygon) = &area.polygon {
        return polygon.value.clone();
    }
    let Some(disc) = &area.disc else { return Vec::new() };
    let angle = |corner: u8| f32::from(corner) / f32::from(CORNERS) * std::f32::consts::TAU;
    (0..CORNERS)
        .map(|corner| [disc[0] + disc[2] * angle(corner).cos(), disc[1] + disc[2] * angle(corner).sin()])
        .collect()
}

/// What happens in a world at ticks.
pub(crate) struct Course {
    areas: Vec<Timed>,
    orders: Vec<Told>,
}

/// An area that closes and opens.
struct Timed {
    /// Its number in the file.
    number: usize,
    area: Area,
    closes: Vec<Tick>,
    opens: Vec<Tick>,
    state: State,
    /// When it was closed.
    closed: Vec<Range<Tick>>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    /// Agents leave.
    Vacated,
    /// Since a tick.
    Closed(Tick),
}

/// An order to an agent.
pub(super) struct Told {
    pub(super) tick: Tick,
    pub(super) agent: AgentId,
    /// `None`: it stops.
    pub(super) goal: Option<NodeId>,
    /// Where the file tells of it.
    pub(super) at: usize,
}

impl Course {
    pub(super) fn new(world: &WorldFile, floors: Floors, orders: Vec<Told>) -> Result<Self> {
        let mut areas = Vec::new();
        for (number, area) in world.document().areas.iter().enumerate() {
            if area.closes.is_empty() && area.opens.is_empty() {
                continue;
            }
            let (closes, opens) = (area.closes.clone(), area.opens.clone());
            let area = area_of(world, area, floors)?;
            areas.push(Timed { number, area, closes, opens, state: State::Open, closed: Vec::new() });
        }
        Ok(Self { areas, orders })
    }

    /// Whether areas close or open.
    pub(super) fn has_areas(&self) -> bool {
        !self.areas.is_empty()
    }

    /// The last tick at which something happens; 0 if nothing does.
    pub(crate) fn last(&self) -> Tick {
        let of_areas = self.areas.iter().flat_map(|timed| timed.closes.iter().chain(&timed.opens));
        of_areas.chain(self.orders.iter().map(|order| &order.tick)).copied().max().unwrap_or(0)
    }

    /// Whether anything is still to happen at `now` or later.
    pub(crate) fn goes_on(&self, now: Tick) -> bool {
        let of_areas = self.areas.iter().flat_map(|timed| timed.closes.iter().chain(&timed.opens));
        of_areas.chain(self.orders.iter().map(|order| &order.tick)).any(|tick| *tick >= now)
    }

    /// Does what is to be done at the tick that begins next.
    pub(crate) fn go_on(&mut self, world: &WorldFile, simulation: &mut Simulation<'_>) -> Result<()> {
        let now = simulation.crowd().now();
        for timed in &mut self.areas {
            let why = |error: CrowdError| world.error_why(world.document().areas[timed.number].at, error);
            if timed.opens.contains(&now) {
                simulation.crowd_mut().open(&timed.area).map_err(why)?;
                if let State::Closed(since) = timed.state {
                    timed.closed.push(since..now);
                }
                timed.state = State::Open;
            }
            if timed.closes.contains(&now) && timed.state == State::Open {
                timed.state = match simulation.crowd_mut().close(&timed.area) {
                    Ok(_) => State::Closed(now),
                    Err(CrowdError::Occupied { .. }) => {
                        simulation.crowd_mut().vacate(&timed.area).map_err(why)?;
                        State::Vacated
                    }
                    Err(error) => return Err(why(error).into()),
                };
            }
            if timed.state == State::Vacated && simulation.crowd().inside(&timed.area).is_empty() {
                timed.state = State::Closed(now);
            }
        }
        for order in self.orders.iter().filter(|order| order.tick == now) {
            let done = match order.goal {
                Some(goal) => simulation.send_near(order.agent, goal).map(drop),
                None => simulation.stop(order.agent).map(drop),
            };
            done.map_err(|error| world.error_why(order.at, error)).context("an order cannot be given")?;
        }
        Ok(())
    }

    /// Appends which areas are closed, and were.
    pub(crate) fn write_to(&self, words: &mut Words) {
        for timed in &self.areas {
            match timed.state {
                State::Open => words.word(0),
                State::Vacated => words.word(1),
                State::Closed(since) => {
                    words.word(2);
                    words.word(since.into());
                }
            }
            words.size(timed.closed.len());
            for ticks in &timed.closed {
                words.word(ticks.start.into());
                words.word(ticks.end.into());
            }
        }
    }

    /// Reads which areas are closed, and were. The spaces know of that. What was read may not [fit](Self::fits).
    pub(crate) fn read_from(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        for timed in &mut self.areas {
            timed.state = match words.word()? {
                0 => State::Open,
                1 => State::Vacated,
                2 => State::Closed(words.word_32()?),
                _ => return Err(Garbled::new("an area that is open or closed")),
            };
            timed.closed.clear();
            for _ in 0..words.count()? {
                let ticks = words.word_32()?..words.word_32()?;
                timed.closed.push(ticks);
            }
        }
        Ok(())
    }

    /// Checks what was read: areas were closed before the tick `now`, at one time after the other.
    pub(crate) fn fits(&self, now: Tick) -> Result<(), Garbled> {
        for Timed { state, closed, .. } in &self.areas {
            let mut last = 0;
            for ticks in closed {
                if ticks.start < last || ticks.end <= ticks.start || ticks.end > now {
                    return Err(Garbled::new("ticks in order, at which an area was closed"));
                }
                last = ticks.end;
            }
            if matches!(state, State::Closed(since) if *since < last || *since >= now) {
                return Err(Garbled::new("an area that is closed since a tick that has gone by"));
            }
        }
        Ok(())
    }

    /// The ticks during which areas were closed, each with the number of the area in the file.
    pub(crate) fn closed(&self) -> impl Iterator<Item = (usize, Range<Tick>)> {
        self.areas.iter().flat_map(|timed| {
            let last = if let State::Closed(since) = timed.state { Some(since..Tick::MAX) } else { None };
            timed.closed.iter().cloned().chain(last).map(|ticks| (timed.number, ticks))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_that_were_closed_in_no_order_or_later_than_now_do_not_fit() {
        let area = Area::rectangle([0.0, 0.0], [1.0, 1.0]).unwrap();
        let timed = Timed { number: 0, area, closes: vec![3], opens: vec![5], state: State::Open, closed: Vec::new() };
        // The state, the ticks, and whether they fit tick 20.
        let rows: [(&[u64], bool); 14] = [
            (&[0, 0], true),
            (&[1, 0], true),
            (&[2, 19, 0], true),
            (&[2, 20, 0], false),
            (&[2, 7, 2, 3, 5, 5, 7], true),
            (&[2, 6, 2, 3, 5, 5, 7], false),
            (&[0, 1, 3, 20], true),
            (&[0, 1, 3, 21], false),
            (&[0, 1, 3, 3], false),
            (&[0, 1, 5, 3], false),
            (&[0, 2, 5, 7, 3, 5], false),
            (&[0, 2, 3, 6, 5, 7], false),
            (&[3, 0], false),
            (&[0, 1, 3], false),
        ];
        let mut course = Course { areas: vec![timed], orders: Vec::new() };
        for (numbers, fits) in rows {
            let mut words = Words::new();
            numbers.iter().for_each(|number| words.word(*number));
            let bytes = words.into_bytes();
            let read = course.read_from(&mut WordReader::new(&bytes)).and_then(|()| course.fits(20));
            assert_eq!(read.is_ok(), fits, "{numbers:?}");
        }
    }
}
