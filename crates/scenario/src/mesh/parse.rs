//! From the words of a mesh file to the mesh.

use std::path::Path;

use giveway_spaces::{NavMesh, SpaceError};

use super::edges::Edges;
use crate::file_error::FileError;
use crate::lines::Lines;
use crate::words::{Word, Words};

/// The mesh that `contents` describe. Memory grows with the words: a header can promise any number of vertices and
/// polygons.
pub(super) fn mesh(contents: &[u8], file: &Path) -> Result<NavMesh, FileError> {
    const HEADER: &str = "\"mesh\"";
    const VERSION: &str = "the version, 1 or 2";
    let mut words = Words::new(Lines::new(contents, file)?);
    let header = words.require(HEADER)?;
    if header.text != "mesh" {
        return Err(header.expected(HEADER));
    }
    let version = words.require(VERSION)?;
    let first_edge = match version.text {
        "1" => FirstEdge::AfterFirstCorner,
        "2" => FirstEdge::BeforeFirstCorner,
        _ => return Err(version.expected(VERSION)),
    };
    let (vertices, _) = count(&mut words, "the number of vertices")?;
    let (polygons, counts_line) = count(&mut words, "the number of polygons")?;

    let Vertices { positions, lines } = Vertices::parse(&mut words, vertices, polygons)?;
    let section = words.clone();
    let rings = Rings::parse(&mut words, polygons, vertices)?;
    words.require_end(format_args!("{polygons} polygons"))?;
    rings.check_neighbours(section, &Edges::new(&positions, rings.iter()), first_edge)?;

    NavMesh::new(positions, rings.iter()).map_err(|error| {
        let line_of = |polygon: usize| rings.lines.get(polygon).copied();
        if let SpaceError::Overlap { polygons } = error
            && let [Some(one), Some(other)] = polygons.map(line_of)
        {
            return FileError::new(file, format_args!("{error}: they are on lines {one} and {other}"))
                .at_line(Some(one));
        }
        let line = match error {
            SpaceError::Vertex { vertex, .. } => lines.get(vertex).copied(),
            SpaceError::FewCorners { polygon, .. }
            | SpaceError::NoSuchVertex { polygon, .. }
            | SpaceError::NotConvex { polygon } => line_of(polygon),
            _ => Some(counts_line),
        };
        FileError::new(file, error).at_line(line)
    })
}

/// The edge to which the first neighbour of a polygon belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstEdge {
    AfterFirstCorner,
    BeforeFirstCorner,
}

/// A whole number, and its line.
fn count(words: &mut Words<'_>, what: &str) -> Result<(u32, usize), FileError> {
    let expected = format!("{what} as a whole number up to 4294967295");
    let word = words.require(&expected)?;
    Ok((word.whole(&expected)?, word.line()))
}

/// The index that `word` is, below `bound`.
fn index(word: &Word<'_>, bound: u32, expected: &str) -> Result<u32, FileError> {
    Some(word.whole(expected)?).filter(|index| *index < bound).ok_or_else(|| word.expected(expected))
}

/// The index of a polygon; `None` for -1.
fn neighbour(word: &Word<'_>, polygons: u32) -> Result<Option<u32>, FileError> {
    if word.text == "-1" { Ok(None) } else { index(word, polygons, &neighbours_of(polygons)).map(Some) }
}

/// The expectation beyond an edge.
fn neighbours_of(polygons: u32) -> String {
    format!("-1 or one of the {polygons} polygons, from 0 on")
}

/// The vertices, and the line of each.
struct Vertices {
    positions: Vec<[f32; 2]>,
    lines: Vec<usize>,
}

impl Vertices {
    fn parse(words: &mut Words<'_>, count: u32, polygons: u32) -> Result<Self, FileError> {
        const AROUND: &str = "the number of polygons around the vertex";
        let mut vertices = Self { positions: Vec::new(), lines: Vec::new() };
        for vertex in 1..=count {
            let x = words.require(format_args!("vertex {vertex} of {count}"))?;
            let y = words.require("y")?;
            vertices.positions.push([x.finite("x as a finite number")?, y.finite("y as a finite number")?]);
            vertices.lines.push(x.line());
            let around = words.require(AROUND)?.whole(AROUND)?;
            for _ in 0..around {
                neighbour(&words.require(neighbours_of(polygons))?, polygons)?;
            }
        }
        Ok(vertices)
    }
}

/// The corners of polygons, one polygon after the other.
struct Rings {
    corners: Vec<u32>,
    /// Where the corners of each polygon begin; one more element than polygons.
    first: Vec<usize>,
    /// The line of each polygon.
    lines: Vec<usize>,
}

impl Rings {
    fn parse(words: &mut Words<'_>, count: u32, vertices: u32) -> Result<Self, FileError> {
        const CORNERS: &str = "the number of corners, at least 3";
        let expected_vertex = format!("one of the {vertices} vertices, from 0 on");
        let mut rings = Self { corners: Vec::new(), first: vec![0], lines: Vec::new() };
        for polygon in 1..=count {
            let number = words.require(format_args!("polygon {polygon} of {count}"))?;
            let corners = number.whole(CORNERS)?;
            if corners < 3 {
                return Err(number.expected(CORNERS));
            }
            for _ in 0..corners {
                let word = words.require(&expected_vertex)?;
                rings.corners.push(index(&word, vertices, &expected_vertex)?);
            }
            for _ in 0..corners {
                neighbour(&words.require(neighbours_of(count))?, count)?;
            }
            rings.first.push(rings.corners.len());
            rings.lines.push(number.line());
        }
        Ok(rings)
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.first.windows(2).map(|ends| self.corners.get(ends[0]..ends[1]).unwrap_or_default())
    }

    /// Reads the polygons again, from the begin of their `section`: each polygon beyond an edge must be another one
    /// that has this edge.
    fn check_neighbours(&self, section: Words<'_>, edges: &Edges, first_edge: FirstEdge) -> Result<(), FileError> {
        let polygons = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        let mut words = section;
        for (polygon, ring) in (0_u32..).zip(self.iter()) {
            let (last, next) = (ring.iter().cycle().skip(ring.len() - 1), ring.iter().cycle().skip(1));
            let words = words.by_ref().skip(ring.len() + 1).take(ring.len());
            for ((word, corner), (last, next)) in words.zip(ring).zip(last.zip(next)) {
                let ends = match first_edge {
                    FirstEdge::AfterFirstCorner => [*corner, *next],
                    FirstEdge::BeforeFirstCorner => [*last, *corner],
                };
                if let Some(other) = neighbour(&word, polygons)?
                    && (other == polygon || !edges.has(other, ends))
                {
                    let [from, to] = ends;
                    return Err(word.expected(format_args!(
                        "another polygon that has the edge between vertices {from} and {to}, or -1"
                    )));
                }
            }
        }
        Ok(())
    }
}
