//! How ways are found: for an agent, to the goals of a guide, within the fuel.

use giveway_core::{Fuel, Goals, NodeId, SpaceGraph, Suspended};

use super::route::{Found, Stop};
use super::way::{self, Last, Way};
use super::{Hierarchy, Pending, division_of};

/// The largest number of ways to one set of goals.
const MOST_WAYS: usize = 8;

/// The largest number of sectors, for one set of goals, of which it is known that no way leads from there.
const MOST_SHUT_IN: usize = 256;

impl<S: SpaceGraph> Hierarchy<S> {
    pub(super) fn begin_route(&mut self, space: &S, origin: NodeId, goals: &Goals) {
        let mut routes = std::mem::take(&mut self.routes);
        let number = self.division().number(space, origin);
        self.division().begin_route(space, &mut routes, number, goals);
        self.routes = routes;
    }

    /// Charges `work` units to the guide at `index`.
    pub(super) fn pay(&mut self, index: Option<usize>, work: u64) {
        self.spent += work;
        if let Some(index) = index {
            self.guides[index].spent += work;
        }
    }

    /// Finds a way for an agent at `origin`, after the pending search if there is one. If there is no way, the guide
    /// turns to a table.
    pub(super) fn find_way(
        &mut self,
        space: &S,
        guide: usize,
        origin: NodeId,
        fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        if fuel.left() == 0 {
            return Err(Suspended::OutOfFuel);
        }
        loop {
            let Some((goals, _)) = self.guides.get_index(guide) else { return Ok(()) };
            if self.pending.is_none() {
                let goals = goals.clone();
                self.begin_route(space, origin, &goals);
                self.pending = Some(Pending { goals, origin });
            }
            let most = fuel.left().min(self.ration);
            let mut part = Fuel::work(most);
            let mut routes = std::mem::take(&mut self.routes);
            let found = self.division().advance(space, &mut routes, &mut part);
            self.routes = routes;
            let work = most - part.left();
            fuel.burn_at_most(usize::try_from(work).unwrap_or(usize::MAX));
            let its = self.pending.as_ref().and_then(|pending| self.guides.get_index_of(&pending.goals));
            self.ration -= work.min(self.ration);
            let shared = self.routes.take_shared().min(work);
            self.pay(None, shared);
            self.pay(its, work - shared);
            let found = found?;
            let Some(pending) = self.pending.take() else { continue };
            if let Some(its) = its {
                self.take_up(space, its, pending.origin, found, fuel);
            }
            if its == Some(guide) && (pending.origin == origin || self.is_answered(space, guide, origin)) {
                return Ok(());
            }
        }
    }

    /// Adds the way along the route `found` to the guide at `index`, or turns the guide to a table. If there can be no
    /// way from `origin`, the guide notes that.
    pub(super) fn take_up(&mut self, space: &S, index: usize, origin: NodeId, found: Found, fuel: &mut Fuel) {
        let before = self.spent;
        let found = match found {
            Found::ShutIn(sectors) if sectors.len() + self.guides[index].shut_in.len() <= MOST_SHUT_IN => {
                self.has_lost = true;
                let guide = &mut self.guides[index];
                guide.is_lost = true;
                guide.shut_in.extend(sectors);
                return;
            }
            Found::Route(stops) => self.window(space, index, &stops, origin, fuel).zip(Some(stops)),
            _ => None,
        };
        self.ration = self.ration.saturating_sub(self.spent - before);
        self.begun += 1;
        let (number, revision, asked) = (self.begun, space.revision(), self.asked);
        let table_work = self.division().table_work();
        let guide = &mut self.guides[index];
        let is_lost = found.is_none();
        let Some(((next, window), stops)) = found.filter(|_| guide.spent <= table_work) else {
            return self.turn_to_table(index, is_lost);
        };
        let way = Way { stops: stops.into(), next, window, number, revision, asked, origin };
        self.used += way.bytes();
        if guide.ways.len() >= MOST_WAYS
            && let Some(oldest) = (0..guide.ways.len()).min_by_key(|way| guide.ways[*way].asked)
        {
            self.used -= guide.ways.swap_remove(oldest).bytes();
        }
        guide.ways.push(way);
        guide.ways.shrink_to_fit();
    }

    /// From now on distances to the goals of the guide at `index` come from a table. `is_lost`: because there is no
    /// way.
    pub(super) fn turn_to_table(&mut self, index: usize, is_lost: bool) {
        self.has_lost |= is_lost;
        let Some((goals, guide)) = self.guides.get_index_mut(index) else { return };
        // There may be a table of an earlier map.
        self.tables.renounce(goals);
        self.pending.take_if(|pending| pending.goals == *goals);
        (guide.by_table, guide.is_lost) = (true, is_lost);
        self.used -= guide.ways.drain(..).map(|way| way.bytes()).sum::<usize>();
    }

    /// Whether an agent at `node` needs no search for a way to the goals of the guide at `index`.
    pub(super) fn is_answered(&mut self, space: &S, index: usize, node: NodeId) -> bool {
        let number = self.division().number(space, node);
        let is_known = |way: &Way<S::Cost>| way.cost(number, &Last::default()).is_some();
        let guide = &self.guides[index];
        guide.by_table || guide.ways.iter().any(is_known) || self.is_shut_in(space, index, node)
    }

    /// Whether it is known that no way leads from `node` to the goals of the guide at `index`.
    pub(super) fn is_shut_in(&mut self, space: &S, index: usize, node: NodeId) -> bool {
        if self.guides[index].shut_in.is_empty() {
            return false;
        }
        let number = self.division().number(space, node);
        let sector = self.division().sector(space, number);
        sector.is_some_and(|sector| self.guides[index].shut_in.contains(&sector))
    }

    /// The [window](Division::window) of the guide at `index`, paid for.
    pub(super) fn window(
        &mut self,
        space: &S,
        index: usize,
        stops: &[Stop],
        origin: NodeId,
        fuel: &mut Fuel,
    ) -> Option<(usize, way::Window<S::Cost>)> {
        let division = division_of(self.divided, &mut self.tiled, &mut self.pieced);
        let (goals, _) = self.guides.get_index(index)?;
        let number = division.number(space, origin);
        let window = division.window(space, stops, number, goals);
        let work = division.take_work();
        fuel.burn_at_most(usize::try_from(work).unwrap_or(usize::MAX));
        self.pay(Some(index), work);
        window
    }
}
