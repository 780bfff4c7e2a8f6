//! Pace: lower bounds on the cost of ways, from the costs of moves.

/// Lower bounds on the cost of ways, learned from moves. Where moves have four directions, the bounds are as tight as
/// Manhattan distances; where moves have eight directions, as tight as octile distances.
///
/// Suppose that every move costs at least `rate` times the norm of its displacement. Then, by the triangle inequality,
/// every way costs at least `rate` times the norm of its displacement. Three norms are used, each with the least rate
/// of all moves seen. The bound is the largest of the three results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    rates: [f64; 3],
}

impl Default for Pace {
    /// Without any move.
    fn default() -> Self {
        Self { rates: [f64::INFINITY; 3] }
    }
}

impl Pace {
    /// Notes a move between two positions, and its cost.
    pub fn note(&mut self, from: Option<[f32; 3]>, to: Option<[f32; 3]>, cost: u64) {
        for (rate, length) in self.rates.iter_mut().zip(norms(from, to)) {
            if length > 0.0 {
                #[allow(clippy::cast_precision_loss)] // costs of moves are far below 2^52
                let seen = cost as f64 / length;
                *rate = rate.min(seen);
            }
        }
    }

    /// A lower bound on the cost of ways between two positions, if all moves have been noted. 0 where positions are not
    /// known.
    pub fn at_least(&self, from: Option<[f32; 3]>, to: Option<[f32; 3]>) -> u64 {
        let bounds = self.rates.iter().zip(norms(from, to)).filter(|(rate, _)| rate.is_finite());
        let bound = bounds.map(|(rate, length)| rate * length).fold(0.0, f64::max);
        // Costs are whole numbers, so the bound is rounded up; the rounding of floating-point numbers must not add one.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is clamped
        {
            (bound - 1e-3).ceil().clamp(0.0, 1e15) as u64
        }
    }
}

/// Manhattan, octile (a diagonal in a plane counts 1.414, as on grids), Euclidean.
fn norms(from: Option<[f32; 3]>, to: Option<[f32; 3]>) -> [f64; 3] {
    let Some((from, to)) = from.zip(to) else {
        return [0.0; 3];
    };
    let along = |axis: usize| (f64::from(from[axis]) - f64::from(to[axis])).abs();
    let [x, y, z] = [along(0), along(1), along(2)];
    let (most, least, sum) = (x.max(y).max(z), x.min(y).min(z), x + y + z);
    // Weights that do not increase from the longest side to the shortest make a norm.
    let octile = most + 0.414 * (sum - most - least) + 0.3 * least;
    [sum, octile, (x * x + y * y + z * z).sqrt()]
}
