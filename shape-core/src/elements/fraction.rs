//! Numbers and expressions as quotients, for arithmetic on floats that were sizes.

use super::ratio::Ratio;
use super::rounding::whole;
use super::scalar::Scalar;
use crate::dimension::Dimension;

/// The largest divisor: 24 digits are those of a 32-bit float.
const MAX_DIVISOR: i64 = 1 << 24;

/// The largest dividend, and divisor, of a float that is taken for a quotient: those that people write.
const MAX_WRITTEN: f64 = 4096.0;

impl<D: Dimension> Ratio<D> {
    /// The expression that is divided, as an integer.
    #[must_use]
    pub fn dividend(&self) -> Scalar<D> {
        if self.is_size() { Scalar::Size(self.of().clone()) } else { Scalar::Expression(self.of().clone()) }
    }
}

/// An exact quotient of an integer and a power of two.
pub(super) struct Fraction<D: Dimension> {
    pub(super) dividend: Scalar<D>,
    pub(super) by: i64,
}

impl<D: Dimension> Fraction<D> {
    /// A number or an expression; `None` for a float that is no simple fraction, and for a rounded quotient.
    pub(super) fn of(element: &Scalar<D>) -> Option<Self> {
        Some(match element {
            Scalar::Int(_) | Scalar::Size(_) | Scalar::Expression(_) => Self { dividend: element.clone(), by: 1 },
            Scalar::Ratio(ratio) if ratio.is_exact() => Self { dividend: ratio.dividend(), by: ratio.by().into() },
            Scalar::Float(number) => match whole(*number) {
                Some(number) => Self { dividend: Scalar::Int(number), by: 1 },
                None => {
                    let simple = |of: f64| of.abs() <= MAX_WRITTEN;
                    let (dividend, by) =
                        core::iter::successors(Some((*number, 1)), |(of, by)| Some((of * 2.0, by * 2)))
                            .take_while(|(of, by)| simple(*of) && simple(f64::from(*by)))
                            .find_map(|(of, by)| whole(of).map(|of| (of, by)))?;
                    Self { dividend: Scalar::Int(dividend), by: by.into() }
                }
            },
            Scalar::Ratio(_) | Scalar::Bool(_) | Scalar::Unknown(_) => return None,
        })
    }

    /// Both as quotients with one divisor, and this divisor.
    pub(super) fn with_one_divisor(&self, other: &Self) -> (Scalar<D>, Scalar<D>, i64) {
        let by = self.by.max(other.by);
        // Both are powers of two. A division would be one that can panic, for all that the compiler knows.
        let scaled = |of: &Self| of.dividend.mul(&Scalar::Int(by >> of.by.trailing_zeros()));
        (scaled(self), scaled(other), by)
    }
}

impl<D: Dimension> Scalar<D> {
    /// The quotient of an integer and a number above zero, in the simplest form; `None` if the divisor is too large.
    pub(super) fn over(&self, by: i64) -> Option<Self> {
        let divisible = |of: &Self, by: i64| by == 1 || matches!(of.remainder(&Self::Int(by), false), Self::Int(0));
        let quotient = |of: &Self, by: i64| if by == 1 { of.clone() } else { of.divided(&Self::Int(by)) };
        if divisible(self, by) {
            return Some(quotient(self, by));
        }
        let mut halvings = by.trailing_zeros();
        while !divisible(self, 1 << halvings) {
            halvings -= 1;
        }
        let by = u32::try_from(by >> halvings).ok().filter(|by| i64::from(*by) <= MAX_DIVISOR)?;
        Some(match quotient(self, 1 << halvings) {
            Self::Int(number) => Self::Float(number as f64 / f64::from(by)),
            Self::Size(of) => Self::Ratio(Ratio::new(of, true, by)),
            Self::Expression(of) => Self::Ratio(Ratio::new(of, false, by)),
            other => other,
        })
    }
}
