//! Navigation meshes in test data, and discs that walk about on them.

use std::io::{self, Write as _};

use giveway_core::{Trace, TracedAgent, TracedBody, TracedMove, TracedPlace};
use giveway_spaces::NavMesh;

/// The mesh in `$GIVEWAY_DATA/navmesh`, the folder of test data that are too large for this repository. `None`, and a
/// word about it, without that folder.
pub(crate) fn mesh(name: &str) -> Option<NavMesh> {
    let Some(folder) = std::env::var_os("GIVEWAY_DATA") else {
        // Past what captures the output of tests that pass.
        let _ = writeln!(io::stderr(), "SKIPPED: {name} is in the folder that GIVEWAY_DATA names, and it names none");
        return None;
    };
    let path = std::path::Path::new(&folder).join("navmesh").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut words = text.split_whitespace().skip(2);
    let mut number = || words.next().unwrap().parse::<f32>().unwrap();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts and indices
    let count = |number: &mut dyn FnMut() -> f32| number() as u32;
    let [vertices, polygons] = [count(&mut number), count(&mut number)];
    // Of vertices and polygons, the numbers of polygons beside them are not needed.
    let vertices = (0..vertices).map(|_| {
        let at = [number(), number()];
        (0..count(&mut number)).for_each(|_| _ = number());
        at
    });
    let vertices = vertices.collect();
    let polygons = (0..polygons).map(|_| {
        let size = count(&mut number);
        let corners: Vec<u32> = (0..size).map(|_| count(&mut number)).collect();
        (0..size).for_each(|_| _ = number());
        corners
    });
    Some(NavMesh::new(vertices, polygons.collect::<Vec<_>>()).unwrap())
}

/// `count` discs of `radius` that walk from polygon to polygon of `mesh`, `steps` times. They do not give way.
pub(crate) fn walkers(mesh: &NavMesh, count: usize, radius: f32, steps: usize) -> Trace {
    #[allow(clippy::cast_precision_loss)] // few corners
    let middles: Vec<[f32; 3]> = mesh
        .outlines()
        .map(|corners| {
            let sum = corners.iter().fold([0.0, 0.0], |sum: [f32; 2], at| [sum[0] + at[0], sum[1] + at[1]]);
            [sum[0] / corners.len() as f32, sum[1] / corners.len() as f32, 0.0]
        })
        .collect();
    let mut at_vertex = vec![Vec::new(); mesh.vertices().len()];
    for (polygon, corners) in mesh.polygons().enumerate() {
        corners.iter().for_each(|corner| at_vertex[*corner as usize].push(polygon));
    }
    let corners: Vec<&[u32]> = mesh.polygons().collect();
    let mut state = 5_u32;
    let mut draw = |bound: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % bound
    };
    let place = |polygon: usize| TracedPlace::new(u32::try_from(polygon).unwrap(), middles[polygon]);
    let walk = |_| {
        let mut polygon = draw(middles.len());
        let (start, mut tick) = (place(polygon), 0);
        let step = |_| {
            let beside = &at_vertex[corners[polygon][draw(corners[polygon].len())] as usize];
            let depart = tick + u32::from(draw(8) == 0);
            polygon = beside[draw(beside.len())];
            tick = depart + 1 + u32::try_from(draw(3)).unwrap();
            TracedMove::new(depart, tick, place(polygon))
        };
        let moves: Vec<TracedMove> = (0..steps).map(step).collect();
        let body = Some(TracedBody::Disc { center: [0.0; 2], radius });
        TracedAgent { body, ..TracedAgent::new(start, vec![place(polygon)], moves) }
    };
    Trace::new(4, (0..count).map(walk).collect())
}
