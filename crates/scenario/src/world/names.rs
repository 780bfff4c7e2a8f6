//! Names of places: where they are.

use std::collections::BTreeMap;

use super::at::At;
use super::document::{WorldDocument, WorldPlace};
use super::{WorldFile, message};
use crate::file_error::FileError;
use crate::lines::quoted;

impl WorldFile {
    /// Puts all places that have names where the file says.
    pub(super) fn find_places(&mut self) -> Result<(), FileError> {
        let document = &self.document;
        // A node of several graphs is nowhere.
        let mut known: BTreeMap<String, Option<([f32; 2], i32)>> = BTreeMap::new();
        for map in &document.maps {
            let [left, top] = map.offset.as_ref().map_or([0.0; 2], |offset| offset.value);
            for (name, [x, y]) in map.nodes.iter().flat_map(|nodes| &nodes.value) {
                let place = Some(([x + left, y + top], map.floor));
                known.entry(name.clone()).and_modify(|place| *place = None).or_insert(place);
            }
        }
        for (name, place) in &document.places {
            if let Some(other) = &place.name {
                return Err(self.error_at(place.at, "a place as [x, y] or [x, y, floor]", quoted(other)));
            }
            known.insert(name.clone(), Some((place.position, place.floor)));
        }
        let mut unknown = None;
        for place in places(&mut self.document) {
            let At { value: WorldPlace { position, floor, name: Some(name) }, at } = place else { continue };
            match known.get(name) {
                Some(Some(found)) => (*position, *floor) = *found,
                other => {
                    unknown = Some((*at, name.clone(), other.is_some()));
                    break;
                }
            }
        }
        let Some((at, name, is_several)) = unknown else { return Ok(()) };
        if is_several {
            return Err(self.error_at(at, "a node of one graph, or a name in [places]", quoted(&name)));
        }
        let meant = message::nearest(&name, known.keys().map(String::as_str));
        let meant = meant.map(|meant| format!(": is {meant:?} meant?")).unwrap_or_default();
        Err(self.error_at(at, "the name of a place", format!("{}{meant}", quoted(&name))))
    }
}

/// All places that may be meant by a name.
fn places(document: &mut WorldDocument) -> impl Iterator<Item = &mut At<WorldPlace>> {
    let WorldDocument { agents, links, orders, .. } = document;
    let of_agents = agents.iter_mut().flat_map(|agents| {
        let agents = &mut agents.value;
        agents.start.iter_mut().chain(&mut agents.goal).chain(agents.tour.iter_mut().flatten())
    });
    let of_links = links.iter_mut().flat_map(|link| [&mut link.value.from, &mut link.value.to]);
    of_agents.chain(of_links).chain(orders.iter_mut().filter_map(|order| order.value.goal.as_mut()))
}
