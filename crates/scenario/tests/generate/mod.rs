//! Generated worlds: what every map and every scenario keeps, and what makes a kind what it is.

mod kinds;
mod worlds;

use std::collections::HashSet;

use giveway_scenario::{Density, MapFile, MapGenerator, MapKind};

fn map(kind: MapKind, width: u32, height: u32, density: Option<f64>, seed: u64) -> MapFile {
    let generator = MapGenerator::new(kind, width, height).seed(seed);
    let generator = match density {
        Some(share) => generator.density(Density::new(share).unwrap()),
        None => generator,
    };
    generator.generate().unwrap()
}

/// The map of a picture with `.` and `@`.
fn picture(rows: &[&str]) -> MapFile {
    let text = format!("type octile\nheight {}\nwidth {}\nmap\n{}\n", rows.len(), rows[0].len(), rows.join("\n"));
    MapFile::parse(text, "picture").unwrap()
}

fn rows(map: &MapFile) -> Vec<String> {
    map.to_string().lines().skip(4).map(str::to_owned).collect()
}

fn cells(map: &MapFile) -> impl Iterator<Item = (u32, u32)> {
    (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (x, y)))
}

fn free(map: &MapFile) -> usize {
    cells(map).filter(|(x, y)| map.is_passable(*x, *y)).count()
}

/// By cell, the number of the connected part that it belongs to, or `None` for a wall. Labels spread until nothing
/// changes, and nothing is shared with what the crate does.
fn parts(map: &MapFile) -> Vec<Vec<Option<usize>>> {
    let mut labels = vec![vec![None; map.width() as usize]; map.height() as usize];
    for (number, (x, y)) in cells(map).enumerate() {
        let mut open = vec![(x, y)];
        while let Some((x, y)) = open.pop() {
            let label = &mut labels[y as usize][x as usize];
            if map.is_passable(x, y) && label.is_none() {
                *label = Some(number);
                for (x, y) in [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))] {
                    if x < map.width() && y < map.height() {
                        open.push((x, y));
                    }
                }
            }
        }
    }
    labels
}

/// How many cells each part has, the largest first.
fn sizes(map: &MapFile) -> Vec<usize> {
    let labels: Vec<usize> = parts(map).into_iter().flatten().flatten().collect();
    let distinct: HashSet<usize> = labels.iter().copied().collect();
    let mut sizes: Vec<usize> =
        distinct.iter().map(|part| labels.iter().filter(|label| *label == part).count()).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}
