//! Areas as words.

use super::{ALL_HEIGHTS, Area, Part, Shape};
use crate::vocabulary::words::{Garbled, WordReader, Words};

const NO_AREA: Garbled = Garbled::new("an area");

impl Area {
    /// Appends the area to `words`.
    pub fn write_to(&self, words: &mut Words) {
        words.size(self.parts.len());
        for Part { shape, heights } in &self.parts {
            match shape {
                Shape::Disc { center, radius } => {
                    words.size(0);
                    center.iter().chain([radius]).for_each(|number| words.number(*number));
                }
                Shape::Polygon(corners) => {
                    words.size(corners.len());
                    corners.iter().flatten().for_each(|number| words.number(*number));
                }
            }
            words.flag(*heights != ALL_HEIGHTS);
            if *heights != ALL_HEIGHTS {
                heights.iter().for_each(|height| words.number(*height));
            }
        }
    }

    /// Reads an area that was [written](Self::write_to).
    ///
    /// # Errors
    /// The words are no area.
    pub fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut area = Self { parts: Vec::new() };
        for _ in 0..words.count()? {
            let corners = words.count()?;
            let pair = |words: &mut WordReader<'_>| Ok([words.real()?, words.real()?]);
            let part = if corners == 0 {
                let center = pair(words)?;
                Self::disc_at(center, words.real()?)
            } else {
                let corners = (0..corners).map(|_| pair(words)).collect::<Result<Vec<_>, Garbled>>()?;
                let hull = Self::hull_of(corners.clone());
                // The corners that were written are those of a hull.
                let is_hull = |area: &Self| matches!(&area.parts[0].shape, Shape::Polygon(known) if *known == corners);
                if hull.as_ref().is_ok_and(is_hull) { hull } else { return Err(NO_AREA) }
            };
            let mut parts = part.map_err(|_| NO_AREA)?.parts;
            if words.flag()? {
                let heights = pair(words)?;
                if !heights.iter().all(|height| height.is_finite()) || heights[0] > heights[1] {
                    return Err(NO_AREA);
                }
                parts.iter_mut().for_each(|part| part.heights = heights);
            }
            area.parts.append(&mut parts);
        }
        if area.parts.is_empty() { Err(NO_AREA) } else { Ok(area) }
    }
}
