//! Arithmetic on elements, as ONNX defines it for tensors of int64, but without wrapping.
//!
//! The result of numbers is a number, or unknown if it does not fit int64. The result of expressions is an expression if
//! that is correct for all sizes of the symbols. An unknown operand makes the result unknown for the same reason, unless the
//! result does not depend on it: zero times anything, false and anything.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use shape_core::elements::Scalar;
//! use shape_core::symbolic::Symbols;
//! let mut symbols = Symbols::default();
//! let n = Scalar::Size(symbols.dim("N"));
//! assert_eq!(n.add(&Scalar::Int(1)).sub(&n), Scalar::Int(1));
//! assert_eq!(n.divided(&Scalar::Int(2)), Scalar::Size(symbols.dim("N//2")));
//! assert_eq!(n.sub(&Scalar::Int(5)), Scalar::Expression(symbols.dim("N - 5")));
//! assert_eq!(n.equals(&Scalar::Int(-1)), Scalar::Bool(false));
//! assert_eq!(Scalar::Bool(false).select(&Scalar::Int(1), &n), n);
//! # }
//! ```

use core::cmp::Ordering;

use super::fraction::Fraction;
use super::rounding::{floor, truncated, whole};
use super::scalar::Scalar;
use crate::data_type::DataType;
use crate::dimension::{Dimension, Integer, Operation, Undecided, floor_quotient, floor_remainder};

impl Operation {
    #[inline]
    pub(crate) fn on_numbers(self, left: i64, right: i64) -> Result<i64, Undecided> {
        let rounded = |how: fn(i128, i128) -> Option<i128>| {
            let result = how(left.into(), right.into()).ok_or(Undecided::ZeroDivisor)?;
            i64::try_from(result).map_err(|_| Undecided::Overflow)
        };
        match self {
            Self::Add => left.checked_add(right).ok_or(Undecided::Overflow),
            Self::Sub => left.checked_sub(right).ok_or(Undecided::Overflow),
            Self::Mul => left.checked_mul(right).ok_or(Undecided::Overflow),
            Self::FloorDiv => rounded(floor_quotient),
            Self::Mod => rounded(floor_remainder),
            Self::Max => Ok(left.max(right)),
            Self::Min => Ok(left.min(right)),
        }
    }

    fn on_floats(self, left: f64, right: f64) -> Option<f64> {
        Some(match self {
            Self::Add => left + right,
            Self::Sub => left - right,
            Self::Mul => left * right,
            // NaN stays NaN.
            Self::Max | Self::Min if left.is_nan() || right.is_nan() => f64::NAN,
            Self::Max => left.max(right),
            Self::Min => left.min(right),
            Self::FloorDiv | Self::Mod => return None,
        })
    }

    const fn divides(self) -> bool {
        matches!(self, Self::FloorDiv | Self::Mod)
    }

    /// Whether the result is never negative, if `left` and `right` say this of the operands. A divisor is not zero.
    const fn keeps_sign(self, left: bool, right: bool) -> bool {
        match self {
            Self::Add | Self::Mul | Self::FloorDiv | Self::Min => left && right,
            Self::Max => left || right,
            Self::Mod => right,
            Self::Sub => false,
        }
    }
}

/// Which orders of two integers are possible.
#[derive(Clone, Copy)]
struct Orders {
    less: bool,
    equal: bool,
    greater: bool,
}

impl Orders {
    /// From the bounds of the difference.
    fn of(lower: Option<i64>, upper: Option<i64>) -> Self {
        Self {
            less: lower.is_none_or(|lower| lower < 0),
            equal: lower.is_none_or(|lower| lower <= 0) && upper.is_none_or(|upper| upper >= 0),
            greater: upper.is_none_or(|upper| upper > 0),
        }
    }

    const fn and(self, other: Self) -> Self {
        Self { less: self.less && other.less, equal: self.equal && other.equal, greater: self.greater && other.greater }
    }

    /// The result of a comparison, if it is the same for all possible orders.
    fn decide(self, on: &impl Fn(Ordering) -> bool) -> Option<bool> {
        let orders = [(self.less, Ordering::Less), (self.equal, Ordering::Equal), (self.greater, Ordering::Greater)];
        let may = |asked: bool| orders.iter().any(|(may, order)| *may && on(*order) == asked);
        match (may(true), may(false)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

/// The bytes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementBytes {
    bytes: [u8; 8],
    width: usize,
}

impl AsRef<[u8]> for ElementBytes {
    fn as_ref(&self) -> &[u8] {
        self.bytes.get(..self.width).unwrap_or_default()
    }
}

impl<D: Dimension> Scalar<D> {
    /// A dimension as an element.
    #[inline]
    #[must_use]
    pub fn size(dim: D) -> Self {
        match dim.known().map(i64::try_from) {
            Some(Ok(number)) => Self::Int(number),
            Some(Err(_)) => Self::undecided(Undecided::Overflow),
            None => Self::Size(dim),
        }
    }

    /// Unknown, because arithmetic has no answer.
    #[must_use]
    pub fn undecided(why: Undecided) -> Self {
        Self::Unknown(D::reason(why))
    }

    /// Whether it is a number, a boolean, or an expression, rather than unknown.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match self {
            Self::Size(_) | Self::Expression(_) | Self::Ratio(_) => self.dim().is_some_and(|dim| dim.same_as(dim)),
            Self::Int(_) | Self::Bool(_) | Self::Float(_) => true,
            Self::Unknown(_) => false,
        }
    }

    /// Whether two elements are always equal. An unknown one does not even equal itself.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Size(left) | Self::Expression(left), Self::Size(right) | Self::Expression(right)) => {
                left.same_as(right)
            }
            (Self::Ratio(left), Self::Ratio(right)) => left.by() == right.by() && left.of().same_as(right.of()),
            (Self::Unknown(_), _) => false,
            (left, right) => left == right,
        }
    }

    /// The expression in it: the element itself, or the dividend of a quotient.
    #[inline]
    #[must_use]
    pub fn dim(&self) -> Option<&D> {
        match self {
            Self::Size(dim) | Self::Expression(dim) => Some(dim),
            Self::Ratio(ratio) => Some(ratio.of()),
            Self::Int(_) | Self::Bool(_) | Self::Float(_) | Self::Unknown(_) => None,
        }
    }

    fn integer(&self) -> Option<Integer<&D>> {
        match self {
            Self::Int(number) => Some(Integer::Number(*number)),
            Self::Size(dim) | Self::Expression(dim) => Some(Integer::Open(dim)),
            Self::Bool(_) | Self::Float(_) | Self::Ratio(_) | Self::Unknown(_) => None,
        }
    }

    /// A lower bound of an integer.
    fn lower_bound(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Size(dim) => Some(dim.lower_bound().map_or(0, |lower| lower.max(0))),
            Self::Expression(dim) => dim.lower_bound(),
            Self::Bool(_) | Self::Float(_) | Self::Ratio(_) | Self::Unknown(_) => None,
        }
    }

    /// An upper bound of an integer.
    fn upper_bound(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Size(dim) | Self::Expression(dim) => dim.upper_bound(),
            Self::Bool(_) | Self::Float(_) | Self::Ratio(_) | Self::Unknown(_) => None,
        }
    }

    /// Whether the bounds show that one integer is at least another.
    fn is_never_below(&self, other: &Self) -> bool {
        self.lower_bound().zip(other.upper_bound()).is_some_and(|(lower, upper)| lower >= upper)
    }

    fn never_negative(&self) -> bool {
        match self {
            Self::Int(number) => *number >= 0,
            Self::Size(_) => true,
            Self::Expression(dim) => dim.lower_bound().is_some_and(|lower| lower >= 0),
            Self::Ratio(ratio) => ratio.is_size(),
            Self::Bool(_) | Self::Float(_) | Self::Unknown(_) => false,
        }
    }

    /// The result of an operation.
    #[inline]
    #[must_use]
    pub fn compute(&self, operation: Operation, other: &Self) -> Self {
        if let (Self::Int(left), Self::Int(right)) = (self, other) {
            return operation.on_numbers(*left, *right).map_or_else(Self::undecided, Self::Int);
        }
        self.compute_open(operation, other)
    }

    fn compute_open(&self, operation: Operation, other: &Self) -> Self {
        let zero = |scalar: &Self| matches!(scalar, Self::Int(0));
        match (self, other) {
            // Between floats, a whole number is combined with an expression like an integer.
            (Self::Float(number), Self::Size(_) | Self::Expression(_)) if whole(*number).is_some() => {
                return Self::whole(*number).compute(operation, other);
            }
            (Self::Size(_) | Self::Expression(_), Self::Float(number)) if whole(*number).is_some() => {
                return self.compute(operation, &Self::whole(*number));
            }
            (Self::Ratio(_) | Self::Float(_), Self::Ratio(_) | Self::Size(_) | Self::Expression(_))
            | (Self::Ratio(_) | Self::Size(_) | Self::Expression(_), Self::Ratio(_) | Self::Float(_))
            | (Self::Ratio(_), Self::Int(_))
            | (Self::Int(_), Self::Ratio(_)) => return self.compute_fractions(operation, other),
            _ => {}
        }
        match (self, other) {
            (left, right) if operation == Operation::Mul && (zero(left) || zero(right)) => Self::Int(0),
            (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) => Self::Unknown(reason.clone()),
            (Self::Size(_) | Self::Expression(_), Self::Int(0)) if operation.divides() => {
                Self::undecided(Undecided::ZeroDivisor)
            }
            (Self::Float(_), Self::Float(_) | Self::Int(_)) | (Self::Int(_), Self::Float(_)) => {
                let sides = self.float().zip(other.float());
                let result = sides.and_then(|(left, right)| operation.on_floats(left, right));
                result.map_or_else(|| Self::undecided(Undecided::NotFollowed), Self::Float)
            }
            // The bounds decide simple cases cheaply: max(N, 0) is N.
            (left, right) if operation == Operation::Max && left.is_never_below(right) => left.clone(),
            (left, right) if operation == Operation::Max && right.is_never_below(left) => right.clone(),
            (left, right) if operation == Operation::Min && left.is_never_below(right) => right.clone(),
            (left, right) if operation == Operation::Min && right.is_never_below(left) => left.clone(),
            _ => {
                let Some((left, right)) = self.integer().zip(other.integer()) else {
                    return Self::undecided(Undecided::NotFollowed);
                };
                let never_negative = || operation.keeps_sign(self.never_negative(), other.never_negative());
                match D::compute(operation, left, right) {
                    Ok(Integer::Number(number)) => Self::Int(number),
                    Ok(Integer::Open(dim)) => {
                        let size = never_negative() || dim.lower_bound().is_some_and(|lower| lower >= 0);
                        if size { Self::Size(dim) } else { Self::Expression(dim) }
                    }
                    Err(reason) if never_negative() => {
                        D::unknown(reason.clone()).map_or(Self::Unknown(reason), Self::Size)
                    }
                    Err(reason) => Self::Unknown(reason),
                }
            }
        }
    }

    /// The result where one operand is a quotient.
    fn compute_fractions(&self, operation: Operation, other: &Self) -> Self {
        let result = Fraction::of(self).zip(Fraction::of(other)).and_then(|(left, right)| {
            let one_divisor = |operation| {
                let (left, right, by) = left.with_one_divisor(&right);
                left.compute(operation, &right).over(by)
            };
            match operation {
                Operation::Mul => left.dividend.mul(&right.dividend).over(left.by.checked_mul(right.by)?),
                Operation::Add | Operation::Sub | Operation::Max | Operation::Min => one_divisor(operation),
                Operation::FloorDiv | Operation::Mod => None,
            }
        });
        result.unwrap_or_else(|| Self::undecided(Undecided::NotFollowed))
    }

    /// Adjusts a result to the element type of its tensor: arithmetic itself neither rounds nor overflows like a type.
    #[must_use]
    pub fn of_type(self, ty: Option<DataType>) -> Self {
        match ty {
            Some(DataType::Int64 | DataType::Bool) | None => self,
            Some(ty) => self.cast(ty),
        }
    }

    /// Its bytes in a tensor of a type, little-endian; `None` if it is not a number, or the elements of the type are not
    /// computed.
    #[must_use]
    pub fn bytes(&self, ty: DataType) -> Option<ElementBytes> {
        let width = super::Elements::<'_, D>::width(ty)?;
        let mut bytes = [0; 8];
        match (self, ty) {
            (Self::Float(number), DataType::Double) => bytes = number.to_le_bytes(),
            (Self::Float(number), DataType::Float) => {
                bytes.first_chunk_mut().map(|bytes: &mut [u8; 4]| *bytes = (*number as f32).to_le_bytes())?;
            }
            (Self::Bool(value), DataType::Bool) => bytes = i64::from(*value).to_le_bytes(),
            (Self::Int(number), ty) if !matches!(ty, DataType::Double | DataType::Float) => {
                bytes = number.to_le_bytes();
            }
            _ => return None,
        }
        Some(ElementBytes { bytes, width })
    }

    /// Add: the sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.compute(Operation::Add, other)
    }

    /// Sub: the difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.compute(Operation::Sub, other)
    }

    /// Mul: the product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        self.compute(Operation::Mul, other)
    }

    /// Max of two: the larger.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        self.compute(Operation::Max, other)
    }

    /// Min of two: the smaller.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        self.compute(Operation::Min, other)
    }

    /// Div: the quotient; of integers, truncated. Of expressions it is known if it equals the floor, is whole, or the signs are
    /// known.
    #[must_use]
    pub fn divided(&self, divisor: &Self) -> Self {
        match (self, divisor) {
            (Self::Int(_), Self::Int(0)) => Self::undecided(Undecided::ZeroDivisor),
            (Self::Int(left), Self::Int(right)) => {
                left.checked_div(*right).map_or_else(|| Self::undecided(Undecided::Overflow), Self::Int)
            }
            (Self::Float(_) | Self::Ratio(_), _) | (_, Self::Float(_) | Self::Ratio(_)) => self.ratio(divisor),
            _ => self.truncated(divisor, Operation::FloorDiv),
        }
    }

    /// Div of floats. Of an expression it is known if it is whole, or the divisor is a number.
    #[must_use]
    pub fn ratio(&self, divisor: &Self) -> Self {
        match (self, divisor) {
            (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) => Self::Unknown(reason.clone()),
            (Self::Size(_) | Self::Expression(_), Self::Float(number)) if whole(*number).is_some() => {
                self.ratio(&Self::whole(*number))
            }
            (Self::Float(number), Self::Size(_) | Self::Expression(_)) => Self::whole(*number).ratio(divisor),
            (Self::Float(_) | Self::Int(_), Self::Float(_) | Self::Int(_)) => {
                let sides = self.float().zip(divisor.float());
                sides.map_or_else(|| Self::undecided(Undecided::NotFollowed), |(left, right)| Self::Float(left / right))
            }
            (Self::Ratio(_), _) | (_, Self::Float(_) | Self::Int(1..)) => {
                let quotient = || {
                    let (of, by) = (Fraction::of(self)?, Fraction::of(divisor)?);
                    let Self::Int(number @ 1..) = by.dividend else { return None };
                    of.dividend.mul(&Self::Int(by.by)).over(of.by.checked_mul(number)?)
                };
                quotient().unwrap_or_else(|| Self::undecided(Undecided::NotFollowed))
            }
            _ => match self.compute(Operation::Mod, divisor) {
                Self::Int(0) => self.compute(Operation::FloorDiv, divisor),
                Self::Unknown(reason) => Self::Unknown(reason),
                _ => Self::undecided(Undecided::NotFollowed),
            },
        }
    }

    /// A float that is a whole number, as an integer.
    fn whole(number: f64) -> Self {
        whole(number).map_or_else(|| Self::undecided(Undecided::NotFollowed), Self::Int)
    }

    /// A number as a float.
    fn float(&self) -> Option<f64> {
        match self {
            Self::Float(number) => Some(*number),
            Self::Int(number) if number.unsigned_abs() <= 1 << 53 => Some(*number as f64),
            _ => None,
        }
    }

    /// A float rounded to a whole number; a whole number is unchanged.
    fn made_whole(&self, how: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::Float(number) => Self::Float(how(*number)),
            Self::Bool(_) | Self::Ratio(_) => Self::undecided(Undecided::NotFollowed),
            integer => integer.clone(),
        }
    }

    /// Floor: rounded down.
    #[must_use]
    pub fn floor(&self) -> Self {
        match self {
            Self::Ratio(ratio) => ratio.dividend().compute(Operation::FloorDiv, &Self::Int(ratio.by().into())),
            _ => self.made_whole(floor),
        }
    }

    /// Ceil: rounded up.
    #[must_use]
    pub fn ceiling(&self) -> Self {
        match self {
            Self::Ratio(ratio) => {
                let by = i64::from(ratio.by());
                ratio.dividend().add(&Self::Int(by - 1)).compute(Operation::FloorDiv, &Self::Int(by))
            }
            _ => self.made_whole(|number| -floor(-number)),
        }
    }

    /// Round: the nearest whole number; half way, the even one.
    #[must_use]
    pub fn rounded(&self) -> Self {
        self.made_whole(|number| {
            let below = floor(number);
            let up = match (number - below).partial_cmp(&0.5) {
                Some(Ordering::Greater) => true,
                Some(Ordering::Equal) => below % 2.0 != 0.0,
                _ => false,
            };
            (if up { below + 1.0 } else { below }).copysign(number)
        })
    }

    /// Sqrt: the square root of a number. Without the standard library it is not computed.
    #[must_use]
    pub fn root(&self) -> Self {
        match (self, self.float()) {
            (Self::Unknown(reason), _) => Self::Unknown(reason.clone()),
            #[cfg(feature = "std")]
            (_, Some(number)) => Self::Float(number.sqrt()),
            _ => Self::undecided(Undecided::NotFollowed),
        }
    }

    /// Reciprocal: one divided by a number.
    #[must_use]
    pub fn reciprocal(&self) -> Self {
        Self::Float(1.0).ratio(self)
    }

    /// Mod: the remainder, with the sign of the divisor; with `fmod`, of the dividend.
    #[must_use]
    pub fn remainder(&self, divisor: &Self, fmod: bool) -> Self {
        match (self, divisor) {
            _ if !fmod => self.compute(Operation::Mod, divisor),
            (Self::Int(_), Self::Int(0)) => Self::undecided(Undecided::ZeroDivisor),
            // The quotient overflows only for a divisor of -1; the remainder is 0.
            (Self::Int(left), Self::Int(right)) => Self::Int(left.checked_rem(*right).unwrap_or(0)),
            (Self::Float(left), Self::Float(right)) => Self::Float(left % right),
            _ => self.truncated(divisor, Operation::Mod),
        }
    }

    /// The truncated quotient or remainder of expressions, computed with floor division.
    fn truncated(&self, divisor: &Self, operation: Operation) -> Self {
        let floor = |left: &Self, right: &Self| left.compute(operation, right);
        let never_positive = |scalar: &Self| scalar.upper_bound().is_some_and(|upper| upper <= 0);
        let quotient = operation == Operation::FloorDiv;
        match (self.never_negative(), divisor.never_negative()) {
            (true, true) => floor(self, divisor),
            (true, false) if never_positive(divisor) => {
                let result = floor(self, &divisor.negated());
                if quotient { result.negated() } else { result }
            }
            (false, true) if never_positive(self) => floor(&self.negated(), divisor).negated(),
            // A whole quotient needs no rounding.
            _ => match self.compute(Operation::Mod, divisor) {
                Self::Int(0) => floor(self, divisor),
                Self::Unknown(reason) => Self::Unknown(reason),
                // The part above zero and the part below it, of which one is zero.
                _ if divisor.never_negative() => {
                    let part = |of: &Self| floor(&of.max(&Self::Int(0)), divisor);
                    part(self).sub(&part(&self.negated()))
                }
                _ => Self::undecided(Undecided::Sign),
            },
        }
    }

    /// Neg: the negated number.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Self::Float(number) => Self::Float(-number),
            Self::Ratio(ratio) => {
                let negated = ratio.dividend().negated().over(ratio.by().into());
                negated.unwrap_or_else(|| Self::undecided(Undecided::NotFollowed))
            }
            integer => Self::Int(0).sub(integer),
        }
    }

    /// Abs: the absolute value.
    #[must_use]
    pub fn absolute(&self) -> Self {
        match self {
            Self::Float(number) => Self::Float(number.abs()),
            integer if integer.never_negative() => integer.clone(),
            integer => match integer.max(&integer.negated()) {
                Self::Expression(dim) => Self::Size(dim),
                other => other,
            },
        }
    }

    /// Pow: the power; its exponent is a whole number of any type that is not negative. For floats it is at most 2, and only
    /// small whole numbers are squared.
    #[must_use]
    pub fn power(&self, exponent: &Self) -> Self {
        let exponent = match (self, exponent) {
            (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) => return Self::Unknown(reason.clone()),
            (_, Self::Int(exponent)) => u32::try_from(*exponent).ok(),
            (_, Self::Float(exponent)) => whole(*exponent).and_then(|exponent| u32::try_from(exponent).ok()),
            _ => None,
        };
        let not_followed = Self::undecided(Undecided::NotFollowed);
        match (self, exponent) {
            (Self::Int(number), Some(exponent)) => {
                number.checked_pow(exponent).map_or_else(|| Self::undecided(Undecided::Overflow), Self::Int)
            }
            (Self::Float(_), Some(0)) => Self::Float(1.0),
            (Self::Float(number), Some(1)) => Self::Float(*number),
            // Runtimes round other squares differently.
            (Self::Float(number), Some(2)) if whole(*number).is_some_and(|whole| whole.unsigned_abs() <= 1 << 12) => {
                Self::Float(number * number)
            }
            (Self::Size(_) | Self::Expression(_), Some(exponent @ 0..=MAX_EXPONENT)) => {
                (0..exponent).fold(Self::Int(1), |power, _| power.mul(self))
            }
            _ => not_followed,
        }
    }

    /// The possible orders of two integers by their bounds.
    fn orders_by_bounds(&self, other: &Self) -> Orders {
        let between = |low: Option<i64>, high: Option<i64>| low.zip(high).map(|(low, high)| low.saturating_sub(high));
        Orders::of(between(self.lower_bound(), other.upper_bound()), between(self.upper_bound(), other.lower_bound()))
    }

    /// The possible orders of two integers by the bounds of their difference.
    fn orders_by_difference(&self, other: &Self) -> Result<Orders, D::Reason> {
        let Some((left, right)) = self.integer().zip(other.integer()) else {
            return Err(D::reason(Undecided::NotFollowed));
        };
        Ok(match D::compute(Operation::Sub, left, right)? {
            Integer::Number(number) => Orders::of(Some(number), Some(number)),
            Integer::Open(dim) => {
                let orders = Orders::of(dim.lower_bound(), dim.upper_bound());
                Orders { equal: orders.equal && dim.may_equal(&D::from(0)), ..orders }
            }
        })
    }

    /// A comparison: of floats and booleans by value, of integers by their possible orders.
    pub(crate) fn compared(&self, other: &Self, on: impl Fn(Ordering) -> bool) -> Self {
        match (self, other) {
            (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) => Self::Unknown(reason.clone()),
            (Self::Int(left), Self::Int(right)) => Self::Bool(on(left.cmp(right))),
            (Self::Bool(left), Self::Bool(right)) => Self::Bool(on(left.cmp(right))),
            // No comparison with NaN holds.
            (Self::Float(left), Self::Float(right)) => Self::Bool(left.partial_cmp(right).is_some_and(on)),
            (Self::Ratio(_), _)
            | (_, Self::Ratio(_))
            | (Self::Float(_), Self::Int(_) | Self::Size(_) | Self::Expression(_))
            | (Self::Int(_) | Self::Size(_) | Self::Expression(_), Self::Float(_)) => {
                let sides = Fraction::of(self).zip(Fraction::of(other));
                let Some((left, right)) = sides else { return Self::undecided(Undecided::NotFollowed) };
                let (left, right, _) = left.with_one_divisor(&right);
                left.compared(&right, on)
            }
            (Self::Bool(_) | Self::Float(_), _) | (_, Self::Bool(_)) => Self::undecided(Undecided::NotFollowed),
            _ => {
                let by_bounds = self.orders_by_bounds(other);
                if let Some(decided) = by_bounds.decide(&on) {
                    return Self::Bool(decided);
                }
                match self.orders_by_difference(other).map(|orders| by_bounds.and(orders).decide(&on)) {
                    Ok(Some(decided)) => Self::Bool(decided),
                    Ok(None) => Self::undecided(Undecided::Comparison),
                    Err(reason) => Self::Unknown(reason),
                }
            }
        }
    }

    /// Equal.
    #[must_use]
    pub fn equals(&self, other: &Self) -> Self {
        self.compared(other, Ordering::is_eq)
    }

    /// Less.
    #[must_use]
    pub fn is_less(&self, other: &Self) -> Self {
        self.compared(other, Ordering::is_lt)
    }

    /// `LessOrEqual`.
    #[must_use]
    pub fn is_at_most(&self, other: &Self) -> Self {
        self.compared(other, Ordering::is_le)
    }

    /// Greater.
    #[must_use]
    pub fn is_greater(&self, other: &Self) -> Self {
        self.compared(other, Ordering::is_gt)
    }

    /// `GreaterOrEqual`.
    #[must_use]
    pub fn is_at_least(&self, other: &Self) -> Self {
        self.compared(other, Ordering::is_ge)
    }

    /// And.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Bool(false), _) | (_, Self::Bool(false)) => Self::Bool(false),
            (Self::Bool(true), Self::Bool(true)) => Self::Bool(true),
            _ => self.open_logic(other),
        }
    }

    /// Or.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Bool(true), _) | (_, Self::Bool(true)) => Self::Bool(true),
            (Self::Bool(false), Self::Bool(false)) => Self::Bool(false),
            _ => self.open_logic(other),
        }
    }

    /// Xor.
    #[must_use]
    pub fn xor(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => Self::Bool(left != right),
            _ => self.open_logic(other),
        }
    }

    /// Not.
    #[must_use]
    pub fn negation(&self) -> Self {
        match self {
            Self::Bool(value) => Self::Bool(!value),
            other => other.open_logic(other),
        }
    }

    fn open_logic(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Unknown(reason), _) | (_, Self::Unknown(reason)) => Self::Unknown(reason.clone()),
            _ => Self::undecided(Undecided::NotFollowed),
        }
    }

    /// Where, with `self` as the condition: the first if it is true, otherwise the second. If both are equal, the condition
    /// does not matter.
    #[must_use]
    pub fn select(&self, then: &Self, otherwise: &Self) -> Self {
        match self {
            Self::Bool(true) => then.clone(),
            Self::Bool(false) => otherwise.clone(),
            _ if then.same_as(otherwise) => then.clone(),
            condition => condition.open_logic(condition),
        }
    }

    /// Cast: the element as another type. An expression counts as an integer that fits any type of at least 32 bits, floats
    /// too. A number that does not fit becomes unknown, since runtimes differ.
    #[must_use]
    pub fn cast(&self, to: DataType) -> Self {
        let target = Target::of(to);
        match (self, target) {
            (Self::Unknown(reason), _) => Self::Unknown(reason.clone()),
            (_, None) => Self::undecided(Undecided::NotFollowed),
            (Self::Bool(_), Some(Target::Bool)) => self.clone(),
            (Self::Bool(value), Some(Target::Integer { .. })) => Self::Int((*value).into()),
            (Self::Bool(value), Some(Target::Float { .. })) => Self::Float(f64::from(u8::from(*value))),
            (Self::Float(number), Some(Target::Bool)) => Self::Bool(*number != 0.0),
            (Self::Float(number), Some(target @ Target::Integer { .. })) => match truncated(*number) {
                Some(number) if target.holds(number) => Self::Int(number),
                _ => Self::undecided(Undecided::Overflow),
            },
            (Self::Float(number), Some(target)) => {
                target.round(*number).map_or_else(|| Self::undecided(Undecided::NotFollowed), Self::Float)
            }
            (Self::Ratio(ratio), Some(Target::Integer { .. })) => {
                ratio.dividend().divided(&Self::Int(ratio.by().into())).cast(to)
            }
            (Self::Ratio(ratio), Some(Target::Bool)) => ratio.dividend().cast(to),
            (Self::Ratio(_), Some(Target::Float { digits: 24.. })) => self.clone(),
            (Self::Ratio(_), _) => Self::undecided(Undecided::NotFollowed),
            (integer, Some(Target::Bool)) => integer.equals(&Self::Int(0)).negation(),
            (Self::Int(number), Some(target @ Target::Integer { .. })) => {
                if target.holds(*number) {
                    Self::Int(*number)
                } else {
                    Self::undecided(Undecided::Overflow)
                }
            }
            (Self::Int(number), Some(target)) => {
                // An integer past 2^53 would be rounded twice when cast to a narrower type.
                let exact = number.unsigned_abs() <= 1 << 53 || to == DataType::Double;
                let rounded = target.round(*number as f64).filter(|_| exact);
                rounded.map_or_else(|| Self::undecided(Undecided::NotFollowed), Self::Float)
            }
            // Any integer fits none but the largest type.
            (Self::Size(dim) | Self::Expression(dim), _) if to != DataType::Int64 && !dim.of_sizes() => {
                Self::undecided(Undecided::NotFollowed)
            }
            (expression, Some(Target::Integer { signed, bits: 32.. })) if signed || expression.never_negative() => {
                expression.clone()
            }
            (expression, Some(Target::Float { digits: 24.. })) => expression.clone(),
            _ => Self::undecided(Undecided::NotFollowed),
        }
    }
}

/// The maximum exponent of an expression.
const MAX_EXPONENT: u32 = 16;

/// The binary digits of a float type: it represents every whole number up to 2 to the power of them.
pub(crate) const fn float_digits(ty: DataType) -> Option<u32> {
    match Target::of(ty) {
        Some(Target::Float { digits }) => Some(digits),
        _ => None,
    }
}

/// The types that elements are cast to.
#[derive(Clone, Copy)]
enum Target {
    Bool,
    Integer { signed: bool, bits: u32 },
    Float { digits: u32 },
}

impl Target {
    const fn of(ty: DataType) -> Option<Self> {
        let (signed, bits) = match ty {
            DataType::Bool => return Some(Self::Bool),
            DataType::Double => return Some(Self::Float { digits: 53 }),
            DataType::Float => return Some(Self::Float { digits: 24 }),
            DataType::Float16 => return Some(Self::Float { digits: 11 }),
            DataType::Bfloat16 => return Some(Self::Float { digits: 8 }),
            DataType::Int8 => (true, 8),
            DataType::Int16 => (true, 16),
            DataType::Int32 => (true, 32),
            DataType::Int64 => (true, 64),
            DataType::Uint8 => (false, 8),
            DataType::Uint16 => (false, 16),
            DataType::Uint32 => (false, 32),
            DataType::Uint64 => (false, 64),
            _ => return None,
        };
        Some(Self::Integer { signed, bits })
    }

    /// Whether a number fits an integer type.
    fn holds(self, number: i64) -> bool {
        let number = i128::from(number);
        match self {
            Self::Integer { signed: true, bits } => (-(1_i128 << (bits - 1))..1 << (bits - 1)).contains(&number),
            Self::Integer { signed: false, bits } => (0..1_i128 << bits).contains(&number),
            Self::Bool | Self::Float { .. } => false,
        }
    }

    /// The number rounded to a float type; for types below 32 bits, only one that the type has, since runtimes compute with
    /// more digits on their way.
    fn round(self, number: f64) -> Option<f64> {
        match self {
            Self::Float { digits: 53.. } => Some(number),
            Self::Float { digits: 24.. } => Some(f64::from(number as f32)),
            Self::Float { digits } => {
                let single = number as f32;
                let unused = (1 << (24 - digits)) - 1;
                let is_exact = f64::from(single) == number && single.to_bits() & unused == 0;
                // The range of float16, which is the smallest.
                let fits = number == 0.0 || (6.103_515_625e-5..=65_504.0).contains(&number.abs());
                Some(number).filter(|_| is_exact && fits)
            }
            Self::Bool | Self::Integer { .. } => None,
        }
    }
}
