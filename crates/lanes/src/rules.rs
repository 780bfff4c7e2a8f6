//! The rules of a direction map: how it learns, and what it charges.

/// The rules by which a direction map learns from moves, and charges for moves.
///
/// The default suits crowds that plan by windows: the weight is 0.5, and the other rules are the rules of the
/// [paper](Self::paper). Units that follow routes without windows need a larger weight.
///
/// Numbers out of range are clamped; NaN counts as 0.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DirectionRules {
    rate: f32,
    neighbours: f32,
    ends: Ends,
    weight: f32,
    blank: Blank,
}

/// The ends of a move at which vectors change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Ends {
    /// Both ends: a place that a unit passes learns twice, on entry and on exit.
    #[default]
    Both,
    /// The place where the move ends.
    Entered,
    /// The place where the move begins.
    Left,
}

/// The surcharge of places where no unit has moved yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Blank {
    /// A blank place counts as the zero vector, as in the paper's formula. A move between two blank places costs half
    /// of the weight, so units prefer ways that other units have used in their direction.
    #[default]
    Zero,
    /// A blank place at an end of a move adds no surcharge.
    Free,
}

impl Default for DirectionRules {
    fn default() -> Self {
        Self::paper().weight(Self::MILD)
    }
}

impl DirectionRules {
    /// The greatest weight, in plain steps.
    pub const HEAVIEST: f32 = 1_000_000.0;
    /// The default weight, in plain steps. Below 1, a step nearer to the goal never costs a window more than a wait
    /// does.
    const MILD: f32 = 0.5;

    /// The rules of the paper, which reproduce its figures. The learning rate is 0.4, and the weight is 10 plain steps.
    /// Both ends of a move learn, and the places around it do not. Blank places count as zero vectors.
    ///
    /// These rules suit units that follow routes at the prices of the map. With windows, use distances that include
    /// surcharges, such as `PricedDistances`; otherwise units wait instead of moving.
    #[must_use]
    pub fn paper() -> Self {
        Self { rate: 0.4, neighbours: 0.0, ends: Ends::Both, weight: 10.0, blank: Blank::Zero }
    }

    /// Sets the learning rate of the ends of a move, from 0 to 1: the share of the old vector that a move replaces. The
    /// paper calls it alpha.
    #[must_use]
    pub fn rate(self, rate: f32) -> Self {
        Self { rate: share(rate), ..self }
    }

    /// Sets the learning rate, from 0 to 1, of the places around the end of a move. 0, the default: these places do not
    /// learn. The paper gives no number; 0.1 widens lanes.
    ///
    /// The places around the end of a move are the places to which moves lead from this end. The place where the move
    /// began is not one of them. On an eight-connected grid without walls, these are seven places.
    #[must_use]
    pub fn neighbours(self, rate: f32) -> Self {
        Self { neighbours: share(rate), ..self }
    }

    /// Sets which ends of a move learn.
    #[must_use]
    pub fn ends(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    /// Sets the weight, from 0 to [1,000,000](Self::HEAVIEST) plain steps; the default is 0.5. A move that is opposite
    /// to the directions at both of its ends has the whole weight as its surcharge. The paper calls the weight `w_max`.
    /// With 0 the map learns, but has no surcharges.
    ///
    /// Searches with a short horizon, such as window searches, compare moves with waits, and waits have no surcharge.
    /// With plain distances, a unit waits when the surcharge of a move is larger than the distance that the move saves.
    /// Use `PricedDistances`, which include surcharges, so that units move.
    ///
    /// With `u32` costs, a cost that does not fit becomes the largest cost: with a weight above some thousands, all
    /// long routes cost equally much.
    #[must_use]
    pub fn weight(self, steps: f32) -> Self {
        Self { weight: in_steps(steps), ..self }
    }

    /// Sets the surcharge of blank places.
    #[must_use]
    pub fn blank(self, blank: Blank) -> Self {
        Self { blank, ..self }
    }

    /// The learning rate of the ends of a move, from 0 to 1.
    pub fn learning_rate(&self) -> f32 {
        self.rate
    }

    /// The learning rate of the places around the end of a move, from 0 to 1.
    pub fn neighbour_rate(&self) -> f32 {
        self.neighbours
    }

    /// Which ends of a move learn.
    pub fn learning_ends(&self) -> Ends {
        self.ends
    }

    /// The weight, in plain steps.
    pub fn weight_in_steps(&self) -> f32 {
        self.weight
    }

    /// These rules, with all numbers clamped to their ranges.
    #[must_use]
    pub fn in_range(self) -> Self {
        self.rate(self.rate).neighbours(self.neighbours).weight(self.weight)
    }

    /// The surcharge, in plain steps, of one end of a move whose direction there has this `agreement`, from -1 to 1.
    #[inline]
    pub(super) fn charge(&self, agreement: f64, is_blank: bool) -> f64 {
        if is_blank && self.blank == Blank::Free {
            return 0.0;
        }
        // Rounding must not make a surcharge negative.
        (0.25 * f64::from(self.weight) * (1.0 - agreement)).max(0.0)
    }
}

/// A surcharge in plain steps within its range.
pub(crate) fn in_steps(steps: f32) -> f32 {
    if steps.is_nan() { 0.0 } else { steps.clamp(0.0, DirectionRules::HEAVIEST) }
}

fn share(rate: f32) -> f32 {
    if rate.is_nan() { 0.0 } else { rate.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_taken_for_the_nearest() {
        let rules = DirectionRules::default().rate(7.0).neighbours(-1.0).weight(f32::INFINITY);
        assert_eq!((rules.rate, rules.neighbours, rules.weight), (1.0, 0.0, DirectionRules::HEAVIEST));
        let rules = DirectionRules::default().rate(f32::NAN).neighbours(f32::NAN).weight(f32::NAN);
        assert_eq!((rules.rate, rules.neighbours, rules.weight), (0.0, 0.0, 0.0));
    }
}
