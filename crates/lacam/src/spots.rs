//! The spots that are known, by unit and place.

use rustc_hash::FxHashMap;

use super::choices::SpotId;
use super::moves::{NONE, PlaceId};

/// Keeps the number of the spot of each unit at each place.
pub(super) trait SpotsKnown {
    /// Whether it is for one step only, at which other agents may be in the way that are not there later.
    const IS_FOR_ONE_STEP: bool;

    /// `NONE`: there is no spot.
    fn get(&self, unit: u32, place: PlaceId) -> SpotId;

    fn set(&mut self, unit: u32, place: PlaceId, spot: SpotId);

    /// Forgets all spots.
    fn forget(&mut self);
}

/// For searches, in which units come to many places: quick to read.
#[derive(Clone, Debug, Default)]
pub(super) struct Paged {
    /// By unit, the spots by place. Only the pages in use take memory; places near each other have near numbers.
    of: Vec<Vec<Option<Box<[SpotId; PAGE]>>>>,
}

const PAGE: usize = 64;

impl SpotsKnown for Paged {
    const IS_FOR_ONE_STEP: bool = false;

    #[inline]
    fn get(&self, unit: u32, place: PlaceId) -> SpotId {
        let page = self.of.get(unit as usize).and_then(|of| of.get(place as usize / PAGE)?.as_ref());
        page.map_or(NONE, |page| page[place as usize % PAGE])
    }

    #[inline]
    fn set(&mut self, unit: u32, place: PlaceId, spot: SpotId) {
        let (unit, page) = (unit as usize, place as usize / PAGE);
        self.of.resize_with(self.of.len().max(unit + 1), Vec::new);
        let of = &mut self.of[unit];
        of.resize_with(of.len().max(page + 1), || None);
        of[page].get_or_insert_with(|| Box::new([NONE; PAGE]))[place as usize % PAGE] = spot;
    }

    fn forget(&mut self) {
        self.of.clear();
    }
}

/// For one step, in which units come to few places: quick to forget.
#[derive(Clone, Debug, Default)]
pub(super) struct Hashed(FxHashMap<(u32, PlaceId), SpotId>);

impl SpotsKnown for Hashed {
    const IS_FOR_ONE_STEP: bool = true;

    #[inline]
    fn get(&self, unit: u32, place: PlaceId) -> SpotId {
        self.0.get(&(unit, place)).copied().unwrap_or(NONE)
    }

    #[inline]
    fn set(&mut self, unit: u32, place: PlaceId, spot: SpotId) {
        self.0.insert((unit, place), spot);
    }

    fn forget(&mut self) {
        self.0.clear();
    }
}
