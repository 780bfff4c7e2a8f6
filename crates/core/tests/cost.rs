//! Costs: integers saturate, and floors are never above.

use giveway_core::Cost;
use ordered_float::OrderedFloat;

#[test]
fn integers_saturate() {
    assert_eq!(u32::MAX.plus(1), u32::MAX);
    assert_eq!(1000_u32.times(u32::MAX), u32::MAX);
    assert_eq!(u32::floor(-3.0), 0);
    assert_eq!(u32::floor(f64::NAN), 0);
}

#[test]
fn a_floor_is_never_above() {
    let third = 1.0_f64 / 3.0;
    assert!(f64::from(OrderedFloat::<f32>::floor(third).0) <= third);
    assert_eq!(u32::floor(999.999), 999);
}
