//! Timing: contenders in turn, piece by piece, so that whatever else the machine does befalls them alike and seldom.

use std::time::Instant;

/// A contender whose time is taken.
pub struct Contender<'a> {
    /// Its name.
    pub name: &'static str,
    /// Does the piece of work of this number.
    pub work: &'a mut dyn FnMut(usize),
}

/// How long a contender took for each piece of work.
#[derive(Clone, Debug)]
pub struct Times {
    /// The contender.
    pub name: &'static str,
    /// By piece, in nanoseconds.
    pub pieces: Vec<Spread>,
}

/// The times of repetitions of one piece of work, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The shortest.
    pub least: f64,
    /// As many took longer as shorter.
    pub median: f64,
    /// The longest.
    pub most: f64,
}

impl Times {
    /// The sum of the pieces' medians, in nanoseconds.
    pub fn median(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.median).sum()
    }

    /// The pieces as one: the sums of their shortest times, of their medians and of their longest times.
    pub fn sum(&self) -> Spread {
        Spread { least: self.least(), median: self.median(), most: self.pieces.iter().map(|piece| piece.most).sum() }
    }

    /// The sum of the pieces' shortest times, in nanoseconds.
    pub fn least(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.least).sum()
    }
}

/// Times `pieces` pieces of work `repetitions` times each.
///
/// A repetition goes through the pieces in order; each is done by all contenders in turn. The first contender changes,
/// and so does the direction: no contender always finds the caches as one certain other left them. One repetition more
/// comes first and is not counted. A piece had better take a tenth of a millisecond to two: long beside reading the
/// clock, short beside the time that a busy machine leaves a program alone.
///
/// # Panics
/// There are no repetitions.
pub fn interleave(repetitions: usize, pieces: usize, contenders: &mut [Contender<'_>]) -> Vec<Times> {
    let count = contenders.len();
    let mut samples = vec![vec![Vec::with_capacity(repetitions); count]; pieces];
    for repetition in 0..=repetitions {
        for (piece, samples) in samples.iter_mut().enumerate() {
            for place in 0..count {
                let forwards = (repetition / 2 + place) % count;
                let who = if repetition % 2 == 0 { forwards } else { count - 1 - forwards };
                let begin = Instant::now();
                (contenders[who].work)(piece);
                let taken = begin.elapsed().as_secs_f64() * 1e9;
                if repetition > 0 {
                    samples[who].push(taken);
                }
            }
        }
    }
    let times = |(who, contender): (usize, &Contender<'_>)| Times {
        name: contender.name,
        pieces: samples.iter().map(|piece| Spread::of(piece[who].clone())).collect(),
    };
    contenders.iter().enumerate().map(times).collect()
}

impl Spread {
    fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let count = samples.len();
        Self {
            least: samples[0],
            median: f64::midpoint(samples[(count - 1) / 2], samples[count / 2]),
            most: samples[count - 1],
        }
    }
}
