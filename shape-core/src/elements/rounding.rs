//! Floats as whole numbers.

/// Rounds down; a number without a fraction is unchanged.
pub(super) fn floor(number: f64) -> f64 {
    const ALL_WHOLE: f64 = 9_007_199_254_740_992.0;
    if number.is_nan() || number.abs() >= ALL_WHOLE {
        return number;
    }
    let towards_zero = number as i64 as f64;
    if towards_zero > number { towards_zero - 1.0 } else { towards_zero.copysign(number) }
}

/// A whole float as an integer.
pub(super) fn whole(number: f64) -> Option<i64> {
    truncated(number).filter(|whole| *whole as f64 == number)
}

/// The truncated float, if it fits int64.
pub(super) fn truncated(number: f64) -> Option<i64> {
    const PAST: f64 = 9_223_372_036_854_775_808.0;
    (-PAST..PAST).contains(&number).then_some(number as i64)
}
