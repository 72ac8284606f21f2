//! Floats that are quotients of sizes.

use crate::dimension::Dimension;

/// The quotient of an expression over sizes and a number, such as `N/32`, as an element of a tensor of floats.
///
/// With a power of two it is exact, and arithmetic goes on with it. Any other is rounded to the type, to a number that may
/// equal no fraction; but a quotient that is not whole is never rounded to a whole number, nor past one, so that Floor, Ceil
/// and the cast to an integer are exact too. Both is so as long as the dividend has no more digits than the type, which is
/// assumed of sizes wherever they become floats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ratio<D: Dimension> {
    of: D,
    is_size: bool,
    /// At least 2.
    by: u32,
}

impl<D: Dimension> Ratio<D> {
    /// A quotient that is not whole. The divisor is at least 2.
    pub(super) const fn new(of: D, is_size: bool, by: u32) -> Self {
        Self { of, is_size, by }
    }

    /// The expression that is divided, which may be below zero.
    #[must_use]
    pub const fn of(&self) -> &D {
        &self.of
    }

    /// What it is divided by: at least 2.
    #[must_use]
    pub const fn by(&self) -> u32 {
        self.by
    }

    /// Whether the element's type represents the quotient exactly, without rounding.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.by.is_power_of_two()
    }

    /// Whether it is 0 or more.
    pub(super) const fn is_size(&self) -> bool {
        self.is_size
    }
}
