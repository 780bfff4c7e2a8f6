//! Timing: whole numbers of ticks for exact durations.

use std::fmt;

use crate::space::SpaceGraph;
use crate::vocabulary::time::Ticks;

/// Durations differ from the exact ones by at most this share.
const WITHIN: f64 = 0.01;
/// With more ticks per step, 2^32 ticks would be few steps.
const FINEST: Ticks = 4096;

/// The duration of a move is more than 1 % away from a whole number of ticks, so a unit could not keep its speed within
/// 1 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TooCoarse {
    /// The exact duration of the move, in ticks.
    pub nominal: f64,
    /// The number of ticks that a plain step at speed 1 takes.
    pub ticks_per_step: Ticks,
    /// The least number of ticks per plain step that is fine enough for all moves; `None`: no number up to 4096 is.
    pub needed: Option<Ticks>,
}

impl fmt::Display for TooCoarse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nominal, ticks_per_step, needed } = self;
        write!(
            f,
            "a move would have to take {nominal:.3} ticks, which is more than 1 % from a whole number: {ticks_per_step} ticks per step do \
             not suit it, "
        )?;
        match needed {
            Some(needed) => write!(f, "{needed} do"),
            None => write!(f, "nor does any number up to {FINEST}"),
        }
    }
}

impl std::error::Error for TooCoarse {}

/// The whole number of ticks nearest to `nominal`, an exact duration in ticks. `None` if this number is 0, or differs
/// from `nominal` by more than 1 %.
#[must_use]
pub fn whole_ticks(nominal: f64) -> Option<Ticks> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
    let whole = nominal.round() as Ticks;
    (whole > 0 && (f64::from(whole) / nominal - 1.0).abs() <= WITHIN).then_some(whole)
}

/// The smallest number of ticks per plain step, from 1 to 4096, for which two conditions hold:
/// * each of `durations`, given in plain steps, is within 1 % of a whole number of ticks;
/// * `suits` returns `true` for the number.
///
/// `None`: no number up to 4096 satisfies both conditions.
#[must_use]
pub fn common_ticks(durations: impl IntoIterator<Item = f64>, suits: impl Fn(Ticks) -> bool) -> Option<Ticks> {
    let mut durations: Vec<f64> = durations.into_iter().collect();
    // The shortest durations refuse the most numbers.
    durations.sort_unstable_by(f64::total_cmp);
    durations.dedup();
    let are_whole = |ticks: Ticks| durations.iter().all(|steps| whole_ticks(steps * f64::from(ticks)).is_some());
    (1..=FINEST).find(|ticks| are_whole(*ticks) && suits(*ticks))
}

/// Checks that each of `durations`, given in plain steps, is within 1 % of a whole number of ticks. A plain step takes
/// `ticks_per_step` ticks.
///
/// # Errors
/// A duration is more than 1 % away from a whole number of ticks. The error names the shortest of these durations.
pub fn check_ticks(durations: impl IntoIterator<Item = f64>, ticks_per_step: Ticks) -> Result<(), TooCoarse> {
    let durations: Vec<f64> = durations.into_iter().collect();
    let in_ticks = durations.iter().map(|steps| steps * f64::from(ticks_per_step));
    match in_ticks.filter(|nominal| whole_ticks(*nominal).is_none()).min_by(f64::total_cmp) {
        Some(nominal) => Err(TooCoarse { nominal, ticks_per_step, needed: common_ticks(durations, |_| true) }),
        None => Ok(()),
    }
}

/// The lengths of all moves of `space`, in world units and in ascending order. Each value comes once, and 0 is left
/// out.
#[must_use]
pub fn move_lengths<S: SpaceGraph>(space: &S) -> Vec<f32> {
    let mut lengths: Vec<f32> = Vec::new();
    for m in space.nodes().flat_map(|node| space.moves(node)) {
        // On regular spaces neighbouring moves are alike, so that the list stays short.
        if m.length > 0.0 && lengths.iter().rev().take(8).all(|length| *length != m.length) {
            lengths.push(m.length);
        }
    }
    lengths.sort_unstable_by(f32::total_cmp);
    lengths.dedup();
    lengths
}
