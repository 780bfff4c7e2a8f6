//! The hierarchy as words. A window that is found again alike is not written.

use std::sync::Arc;

use giveway_core::{Cost, Garbled, Goals, NodeId, SpaceGraph, WordReader, Words};

use super::division::Division;
use super::route::{Landmarks, RouteSearch, Stop};
use super::tiles::TileDivision;
use super::way::{Way, Window};
use super::{Divided, Guide, Hierarchy, Pending, PieceDivision, pieces, tiles};

/// Lengths of routes are less than this.
const MOST_LENGTH: u32 = 1 << 30;

impl Divided {
    fn write(divided: Option<Self>, words: &mut Words) {
        words.word(match divided {
            None => 0,
            Some(Self::ByTiles) => 1,
            Some(Self::ByPieces) => 2,
        });
    }

    fn read(words: &mut WordReader<'_>) -> Result<Option<Self>, Garbled> {
        match words.word()? {
            0 => Ok(None),
            1 => Ok(Some(Self::ByTiles)),
            2 => Ok(Some(Self::ByPieces)),
            _ => Err(Garbled::new("a division")),
        }
    }
}

impl<S: SpaceGraph> Hierarchy<S> {
    /// [`HeuristicSource::write_to`](giveway_core::heuristic::HeuristicSource::write_to).
    pub(super) fn write_all(&self, space: &S, words: &mut Words) {
        self.tables.write_through(space, true, words);
        words.word(self.seen.map_or(0, |revision| revision + 1));
        words.flag(self.came_many);
        words.word(self.small.map_or(0, |work| work + 1));
        Divided::write(self.divided, words);
        Divided::write(self.surveyed.map(|(divided, _)| divided), words);
        words.word(self.surveyed.map_or(0, |(_, revision)| revision));
        self.tiled.write_to(words);
        self.pieced.write_to(words);
        self.routes.landmarks.write_to(words);
        words.flag(self.has_lost);
        words.word(self.ration);
        words.word(self.share);
        words.word(self.spare);
        words.word(self.table_ration);
        words.word(self.left_over);
        words.word(self.spent);
        words.word(self.asked);
        words.size(self.last);
        words.word(self.begun);
        let mut finder = Finder::of(self);
        words.size(self.guides.len());
        for (goals, guide) in &self.guides {
            words.goals(goals);
            words.word(guide.spent);
            words.flag(guide.by_table);
            words.flag(guide.is_lost);
            words.size(guide.shut_in.len());
            guide.shut_in.iter().for_each(|sector| words.word((*sector).into()));
            words.size(guide.ways.len());
            for way in &guide.ways {
                write_stops(&way.stops, words);
                words.size(way.next);
                words.word(way.number);
                words.word(way.revision);
                words.word(way.asked);
                words.word(way.origin.0.into());
                let is_found = finder.window(space, way, goals).as_ref() == Some(&way.window);
                words.flag(is_found);
                if !is_found {
                    write_window(&way.window, words);
                }
            }
        }
        words.flag(self.pending.is_some());
        if let Some(Pending { goals, origin }) = &self.pending {
            words.goals(goals);
            words.word(origin.0.into());
            words.word(self.routes.popped());
        }
    }

    /// [`HeuristicSource::read_from`](giveway_core::heuristic::HeuristicSource::read_from).
    pub(super) fn read_all(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let bound = space.node_bound();
        self.tables.read_through(space, words)?;
        self.guides.clear();
        (self.pending, self.used, self.routes) = (None, 0, RouteSearch::default());
        self.seen = words.word()?.checked_sub(1);
        self.came_many = words.flag()?;
        self.small = words.word()?.checked_sub(1);
        self.divided = Divided::read(words)?;
        let surveyed = Divided::read(words)?;
        self.surveyed = surveyed.zip(Some(words.word()?));
        self.tiled = TileDivision::read_from(space, words)?;
        self.pieced.read_from(space, words)?;
        let is_present = self.seen == Some(space.revision());
        let of_present = |revision: u64| revision <= space.revision();
        let fits = |divided: &Divided| match divided {
            Divided::ByTiles => self.tiled.fits(space),
            Divided::ByPieces => self.pieced.fits(space),
        };
        let is_of_space = (self.small, self.divided) == (self.small_as(space), self.divided_as(space));
        if is_present && !(is_of_space && self.divided.iter().all(fits))
            || self.divided.is_some() && self.surveyed.is_none_or(|(divided, _)| Some(divided) != self.divided)
            || !self.seen.into_iter().chain(self.surveyed.map(|(_, revision)| revision)).all(of_present)
        {
            return Err(Garbled::new("the division of the space"));
        }
        self.read_landmarks(space, words)?;
        self.has_lost = words.flag()?;
        (self.ration, self.share, self.spare) = (words.word()?, words.word()?, words.word()?);
        (self.table_ration, self.left_over) = (words.word()?, words.word()?);
        self.spent = words.tally()?;
        self.asked = words.tally()?;
        self.last = words.at_most(usize::MAX)?;
        self.begun = words.tally()?;
        let mut finder = Finder::of(self);
        for _ in 0..words.count()? {
            let goals = words.goals(bound)?;
            let mut guide = Guide { spent: words.tally()?, by_table: words.flag()?, ..Guide::default() };
            guide.is_lost = words.flag()?;
            for _ in 0..words.count()? {
                guide.shut_in.push(words.word_32()?);
            }
            for _ in 0..words.count()? {
                let stops: Arc<[Stop]> = read_stops(words)?.into();
                let next = words.at_most(stops.len())?;
                let (number, revision, asked) = (words.word()?, words.word()?, words.word()?);
                let origin = words.node(bound)?;
                let window = if words.flag()? {
                    let found = finder.window_of(space, &stops[next..], origin, &goals);
                    found.ok_or(Garbled::new("a window that is found again"))?
                } else {
                    read_window(words)?
                };
                if !of_present(revision) || self.divided.is_some_and(|divided| !fits_window(divided, &window)) {
                    return Err(Garbled::new("a way in the space"));
                }
                let way = Way { stops, next, window, number, revision, asked, origin };
                self.used += way.bytes();
                guide.ways.push(way);
            }
            guide.ways.shrink_to_fit();
            if self.guides.insert(goals, guide).is_some() {
                return Err(Garbled::new("goals that differ"));
            }
        }
        if words.flag()? {
            let goals = words.goals(bound)?;
            let origin = words.node(bound)?;
            let popped = words.word()?;
            let divided = self.divided.ok_or(Garbled::new("a search in the space"))?;
            // An edit that nobody has seen yet may have opened or closed goals. Then the search begins anew.
            let is_known = |goal: &NodeId| !space.contains(*goal) || self.known_number(divided, *goal).is_some();
            let is_as_before = is_present || goals.nodes().iter().all(is_known);
            if is_as_before && self.division().fits(space) {
                let is_as_far = self.search_again(|own| {
                    own.begin_route(space, origin, &goals);
                    let mut routes = std::mem::take(&mut own.routes);
                    let is_as_far = own.division().come_as_far(space, &mut routes, popped);
                    own.routes = routes;
                    is_as_far
                });
                if is_present && !is_as_far {
                    return Err(Garbled::new("a search that comes as far"));
                }
            }
            self.pending = Some(Pending { goals, origin });
        }
        Ok(())
    }

    /// Reads the landmarks, and goes on with the search for the next one as far as it had come.
    fn read_landmarks(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let divided = self.surveyed.map(|(divided, _)| divided);
        let division = super::division_of(divided, &mut self.tiled, &mut self.pieced);
        let (sectors, fits) = (division.sectors(), division.fits(space));
        let (landmarks, next) = Landmarks::read_from(words, sectors)?;
        self.routes.landmarks = landmarks;
        // In a space that does not fit, the next question ends all landmarks.
        let Some((next, popped)) = next.filter(|_| divided.is_some() && fits) else { return Ok(()) };
        let is_as_far = (next as usize) < sectors
            && self.search_again(|own| {
                let division = super::division_of(divided, &mut own.tiled, &mut own.pieced);
                division.find_landmark_as_far(space, &mut own.routes, next, popped)
            });
        if is_as_far { Ok(()) } else { Err(Garbled::new("a landmark in the space")) }
    }

    /// Goes on with a search as far as it had come, by `go_on`, which returns whether it came as far. What is found again
    /// is not paid for again.
    fn search_again(&mut self, go_on: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = Finder::of(self);
        let is_as_far = go_on(self);
        self.tiled.owe_as(&before.tiled);
        self.pieced.owe_as(&before.pieced);
        is_as_far
    }
}

/// Finds windows again, at no cost.
struct Finder<S: SpaceGraph> {
    divided: Option<Divided>,
    tiled: TileDivision,
    pieced: PieceDivision<S>,
}

impl<S: SpaceGraph> Finder<S> {
    fn of(hierarchy: &Hierarchy<S>) -> Self {
        let Hierarchy { divided, tiled, pieced, .. } = hierarchy;
        Self { divided: *divided, tiled: tiled.fresh(), pieced: pieced.fresh() }
    }

    fn window(&mut self, space: &S, way: &Way<S::Cost>, goals: &Goals) -> Option<Window<S::Cost>> {
        self.window_of(space, way.stops.get(way.next..)?, way.origin, goals)
    }

    fn window_of(&mut self, space: &S, stops: &[Stop], origin: NodeId, goals: &Goals) -> Option<Window<S::Cost>> {
        let division = super::division_of(Some(self.divided?), &mut self.tiled, &mut self.pieced);
        if !division.fits(space) {
            return None;
        }
        let number = division.number(space, origin);
        let (next, window) = division.window(space, stops, number, goals)?;
        (next == 0).then_some(window)
    }
}

fn write_stops(stops: &[Stop], words: &mut Words) {
    words.size(stops.len());
    let (mut centre, mut to_go) = (0, 0);
    for stop in stops {
        words.difference(centre, stop.centre);
        words.difference(to_go, stop.to_go);
        (centre, to_go) = (stop.centre, stop.to_go);
    }
}

fn read_stops(words: &mut WordReader<'_>) -> Result<Vec<Stop>, Garbled> {
    let mut stops = Vec::new();
    let (mut centre, mut to_go) = (0, 0);
    for _ in 0..words.count()? {
        (centre, to_go) = (words.difference(centre)?, words.difference(to_go)?);
        if to_go > MOST_LENGTH {
            return Err(Garbled::new("the length of a route"));
        }
        stops.push(Stop { centre, to_go });
    }
    Ok(stops)
}

fn fits_window<C>(divided: Divided, window: &Window<C>) -> bool {
    matches!((divided, window), (Divided::ByTiles, Window::Tiled { .. }) | (Divided::ByPieces, Window::Pieced(_)))
}

fn write_window<C: Cost>(window: &Window<C>, words: &mut Words) {
    match window {
        Window::Tiled { window, step } => {
            words.flag(false);
            words.cost(*step);
            window.write_to(words);
        }
        Window::Pieced(window) => {
            words.flag(true);
            window.write_to(words);
        }
    }
}

fn read_window<C: Cost>(words: &mut WordReader<'_>) -> Result<Window<C>, Garbled> {
    if words.flag()? {
        return Ok(Window::Pieced(Arc::new(pieces::Window::read_from(words)?)));
    }
    let step = words.cost()?;
    Ok(Window::Tiled { window: tiles::Window::read_from(words)?, step })
}
