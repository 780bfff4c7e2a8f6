//! The flow of the page: the directions in which units go.

use std::fmt::{self, Write as _};

use giveway_core::Tick;

use crate::arrow::{Arrow, Drift, Flow};
use crate::extent::Extent;
use crate::markup::{Number, decimals_for};
use crate::palette::Color;

/// The JSON of a flow, in this form (without the line breaks):
///
/// ```json
/// {"scale": 1, "hues": {"light": ["#337bd0"], "dark": ["#59a0f9"]}, "places": [0, 0, 1, 0],
///  "snapshots": [[0, [0, 100, 0, 0, 98, -3]], [50, [1, 0, 0]]]}
/// ```
///
/// * `hues` are the colours of headings, by theme: the first is to the right; the others follow from x towards y.
/// * `places` are x and y of each place that ever has a direction, as whole numbers: `scale` of them are one world
///   unit.
/// * A snapshot is its tick and a flat list of three numbers per place that has changed since the snapshot before: the
///   number of unchanged places before it, and the new x and y in hundredths. Before the first snapshot all are 0.
pub(super) struct FlowData {
    /// The number of position units in one world unit.
    scale: f64,
    places: Vec<[i64; 2]>,
    /// By tick: the vectors by place, in hundredths.
    snapshots: Vec<(Tick, Vec<[i64; 2]>)>,
}

impl FlowData {
    /// The part of `flow` within `extent`, for places of size `pitch`.
    pub(super) fn new(flow: &Flow, extent: Extent, pitch: f64) -> Self {
        let drifts = |arrows: &[Arrow]| Drift::within(arrows, extent).collect::<Vec<_>>();
        let snapshots: Vec<(Tick, Vec<Drift>)> =
            flow.snapshots().iter().map(|(tick, arrows)| (*tick, drifts(arrows))).collect();
        let all = || snapshots.iter().flat_map(|(_, drifts)| drifts);
        let whole = all().all(|drift| drift.at.iter().all(|side| side.fract() == 0.0));
        let decimals = if whole { 0 } else { decimals_for(pitch) };
        let scale = (0..decimals).fold(1.0, |scale, _| scale * 10.0);

        // Row by row.
        let place = |drift: &Drift| drift.at.map(|side| rounded(side * scale));
        let row_by_row = |[x, y]: [i64; 2]| [y, x];
        let mut places: Vec<[i64; 2]> = all().map(place).collect();
        places.sort_unstable_by_key(|place| row_by_row(*place));
        places.dedup();
        let vectors = |drifts: &Vec<Drift>| {
            let mut vectors = vec![[0; 2]; places.len()];
            for drift in drifts {
                let found = places.binary_search_by_key(&row_by_row(place(drift)), |place| row_by_row(*place));
                if let Some(vector) = found.ok().and_then(|index| vectors.get_mut(index)) {
                    *vector = drift.direction.map(|side| rounded(side * drift.length * 100.0));
                }
            }
            vectors
        };
        let snapshots = snapshots.iter().map(|(tick, drifts)| (*tick, vectors(drifts))).collect();
        Self { scale, places, snapshots }
    }
}

impl fmt::Display for FlowData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hues = |dark| list(Color::headings(dark).map(|color| format!("\"{color}\"")));
        write!(
            f,
            "{{\"scale\":{},\"hues\":{{\"light\":[{}],\"dark\":[{}]}},\"places\":[{}],\"snapshots\":[",
            Number(self.scale, 0),
            hues(false),
            hues(true),
            list(self.places.as_flattened())
        )?;
        let mut before = &vec![[0; 2]; self.places.len()];
        for (index, (tick, vectors)) in self.snapshots.iter().enumerate() {
            let mut changes = Vec::new();
            let mut same = 0;
            for (old, new) in before.iter().zip(vectors) {
                if old == new {
                    same += 1;
                } else {
                    changes.extend([same, new[0], new[1]]);
                    same = 0;
                }
            }
            write!(f, "{}[{tick},[{}]]", if index == 0 { "" } else { "," }, list(changes))?;
            before = vectors;
        }
        f.write_str("]}")
    }
}

/// `items` with commas between.
pub(super) fn list(items: impl IntoIterator<Item = impl fmt::Display>) -> String {
    let mut list = String::new();
    for (index, item) in items.into_iter().enumerate() {
        let _ = write!(list, "{}{item}", if index == 0 { "" } else { "," });
    }
    list
}

/// The nearest whole number that a JavaScript number holds exactly.
pub(super) fn rounded(value: f64) -> i64 {
    const MOST: f64 = (1_u64 << 52) as f64;
    #[allow(clippy::cast_possible_truncation)] // clamped and rounded
    {
        value.round().clamp(-MOST, MOST) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(flow: &Flow) -> String {
        let text = FlowData::new(flow, Extent { min: [-0.5; 2], max: [3.5; 2] }, 1.0).to_string();
        let (scale, rest) = text.split_once("\"hues\"").unwrap();
        scale.to_owned() + rest.split_once("]},").unwrap().1
    }

    fn arrow(x: f32, y: f32, vector: [f32; 2]) -> Arrow {
        Arrow::new([x, y, 0.0], [vector[0], vector[1], 0.0])
    }

    #[test]
    fn places_come_once_and_vectors_where_they_change() {
        let flow = Flow::new()
            .at(0, [arrow(1.0, 0.0, [0.98, -0.029]), arrow(0.0, 1.0, [0.0, 2.0]), arrow(2.0, 2.0, [0.001, 0.0])])
            .at(50, [arrow(1.0, 0.0, [0.98, -0.03]), arrow(3.0, 0.0, [0.5, 0.0])])
            .at(60, []);
        let expected = "{\"scale\":1,\"places\":[1,0,3,0,0,1],\
             \"snapshots\":[[0,[0,98,-3,1,0,100]],[50,[1,50,0,0,0,0]],[60,[0,0,0,0,0,0]]]}";
        assert_eq!(written(&flow), expected);
    }

    #[test]
    fn the_last_of_several_at_one_place_holds_and_none_lies_outside() {
        let inside = [arrow(0.25, 0.0, [1.0, 0.0]), arrow(0.25, 0.0, [0.0, -0.6])];
        let odd = [arrow(f32::NAN, 0.0, [1.0, 0.0]), arrow(3.6, 0.0, [1.0, 0.0]), arrow(f32::MAX, 0.0, [1.0, 0.0])];
        let flow = Flow::still([&odd[..], &inside[..]].concat());
        assert_eq!(written(&flow), "{\"scale\":1000,\"places\":[250,0],\"snapshots\":[[0,[0,0,-60]]]}");
        assert_eq!(written(&Flow::still(odd)), "{\"scale\":1,\"places\":[],\"snapshots\":[[0,[]]]}");
    }
}
