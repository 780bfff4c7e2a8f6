//! Whole numbers of ticks for exact durations.

use giveway_core::{check_ticks, common_ticks};

#[test]
fn common_ticks_are_the_fewest() {
    let common = |durations: &[f64], least| common_ticks(durations.iter().copied(), |ticks| ticks >= least);
    assert_eq!(common(&[1.0, 0.5, 2.0], 1), Some(2));
    assert_eq!(common(&[1.0, 0.5, 2.0], 5), Some(6));
    // A diagonal takes 17 ticks, and exactly 16.97.
    assert_eq!(common(&[1.0, 2.0_f64.sqrt()], 1), Some(12));
    assert_eq!([common(&[1.0, 1e-6], 1), common(&[1.0], 4097)], [None; 2]);
}

#[test]
fn the_error_says_which_resolution_would_do() {
    let error = check_ticks([1.0, 2.0_f64.sqrt()], 5).unwrap_err();
    assert_eq!(error.needed, Some(12));
    assert_eq!(
        error.to_string(),
        "a move would have to take 7.071 ticks, which is more than 1 % from a whole number: 5 ticks per step do not suit it, 12 do"
    );
    assert!(check_ticks([1.0, 1e-9], 8).unwrap_err().to_string().ends_with("nor does any number up to 4096"));
    assert!(check_ticks([f64::NAN], 8).is_err());
    assert_eq!(check_ticks([1.0, 1.5], 2), Ok(()));
}
