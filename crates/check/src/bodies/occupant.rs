//! Occupants: shapes and their motion, and the boxes that these cover.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::checker::BodyChecker;
use super::levels::Levels;
use super::near::Bounds;
use super::pieces::{Piece, pieces_of};
use super::shape::{Shape, Vector, length, minus, plus, times};
use super::wall::Wall;
use giveway_core::{FOREVER, Trace, TracedAgent};

/// The direction of heading 0.
const ALONG_X: [f64; 2] = [1.0, 0.0];

/// An agent while it has one shape, or a wall.
pub(super) struct Occupant {
    /// The number of the agent; 0 for a wall.
    pub(super) owner: usize,
    pub(super) shape: Shape,
    pub(super) pieces: Vec<Piece>,
}

impl Occupant {
    /// The agent of this number, once for each of its shapes.
    pub(super) fn of_agent(
        (owner, traced): (usize, &TracedAgent),
        trace: &Trace,
        most: usize,
        checker: &BodyChecker,
    ) -> impl Iterator<Item = Self> {
        let pieces = pieces_of(traced, trace, most, checker.levels.as_ref());
        let during = checker.during;
        traced.bodies().into_iter().filter_map(move |(span, body)| {
            let shape = Shape::of(body)?;
            let tick = |tick| if tick == FOREVER { f64::INFINITY } else { f64::from(tick) };
            let begin = tick(span.start.max(during.start));
            let end = tick(span.end.min(during.end));
            let first = pieces.partition_point(|piece| piece.end <= begin);
            let during = pieces[first..].iter().take_while(|piece| piece.begin < end);
            let pieces = during.map(|piece| piece.part(begin, end, shape.is_round())).collect();
            Some(Self { owner, shape, pieces })
        })
    }

    /// A wall stands in that point of its extent that is nearest to the origin. Edges near the origin stay exact,
    /// however far the others are.
    pub(super) fn of_wall(wall: &Wall, levels: Option<&Levels>) -> Option<Self> {
        let shape = Shape::of(Some(&wall.shape))?;
        let [least, largest] = shape.bounds(ALONG_X);
        let stand = [0, 1].map(|axis| least[axis].max(largest[axis].min(0.0)));
        let levels = match (levels, wall.height) {
            (Some(levels), Some(height)) => [levels.of(height); 2],
            _ => [f64::NEG_INFINITY, f64::INFINITY],
        };
        let piece = (!levels[0].is_nan()).then(|| Piece::always(stand, levels))?;
        Some(Self { owner: 0, shape: shape.moved(times(stand, -1.0)), pieces: vec![piece] })
    }

    /// The least and the largest coordinates of a wall.
    pub(super) fn bounds_at_rest(&self) -> [Vector; 2] {
        let stand = self.pieces.first().map_or([0.0; 2], |piece| piece.at(0.0));
        self.shape.bounds(ALONG_X).map(|corner| plus(corner, stand))
    }

    /// Whether it is there at `tick`.
    pub(super) fn is_there(&self, tick: f64) -> bool {
        self.pieces.get(self.piece_at(tick)).is_some_and(|piece| piece.begin <= tick)
    }

    /// The index of the first piece that ends after `tick`.
    pub(super) fn piece_at(&self, tick: f64) -> usize {
        self.pieces.partition_point(|piece| piece.end <= tick)
    }

    /// The box that the body covers from `begin` to `end`, in a part of `piece`.
    fn bounds(&self, piece: &Piece, begin: f64, end: f64) -> Bounds {
        let [from, to] = [piece.at(begin), piece.at(end)];
        let [least, largest] = if piece.spin == 0.0 {
            self.shape.bounds(piece.facing)
        } else {
            // The distance of the arc from its chord, and the radius of the shape under any heading.
            let radius = length(piece.velocity) / piece.spin.abs();
            let half = (piece.spin * (end - begin) / 2.0).abs();
            let aside = 2.0 * radius * if half < FRAC_PI_2 { libm::sin(half / 2.0).powi(2) } else { 1.0 };
            let around = self.shape.reach() + aside;
            [[-around; 2], [around; 2]]
        };
        let low = plus([from[0].min(to[0]), from[1].min(to[1])], least);
        let high = plus([from[0].max(to[0]), from[1].max(to[1])], largest);
        Bounds { low: [low[0], low[1], begin], high: [high[0], high[1], end] }
    }
}

/// A part of a piece of the motion of a body.
pub(super) struct PiecePart {
    pub(super) body: usize,
    pub(super) piece: usize,
    pub(super) bounds: Bounds,
}

/// The pieces of all bodies. Pieces longer than the mean are divided, so that boxes are not much larger than what they
/// cover. There are at most twice as many parts as pieces.
pub(super) fn parts_of(bodies: &[Occupant]) -> Vec<PiecePart> {
    let way = |piece: &Piece| {
        if piece.spin != 0.0 {
            // An agent that drives round and round covers the circle all the time.
            let (speed, ticks, spin) = (length(piece.velocity), piece.end - piece.begin, piece.spin.abs());
            return if spin * ticks <= TAU { speed * ticks } else { 4.0 * speed / spin };
        }
        let [x, y] = minus(piece.at(piece.end), piece.at(piece.begin));
        x.abs().max(y.abs())
    };
    let (mut extent, mut count) = (0.0, 0.0);
    for body in bodies {
        let [least, largest] = body.shape.bounds(ALONG_X);
        let [width, height] = minus(largest, least);
        for piece in &body.pieces {
            extent += way(piece) + width.max(height);
            count += 1.0;
        }
    }
    let mean = extent / count;
    let mut parts = Vec::new();
    for (body_index, body) in bodies.iter().enumerate() {
        for (piece_index, piece) in body.pieces.iter().enumerate() {
            // 0 / 0 is NaN, which is 0 as an integer.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, and cannot be large
            let divided = ((way(piece) / mean).ceil() as u32).max(1);
            let time = |part: u32| {
                if part == divided {
                    piece.end
                } else {
                    piece.begin + (piece.end - piece.begin) * (f64::from(part) / f64::from(divided))
                }
            };
            parts.extend((0..divided).map(|part| PiecePart {
                body: body_index,
                piece: piece_index,
                bounds: body.bounds(piece, time(part), time(part + 1)),
            }));
        }
    }
    parts
}
