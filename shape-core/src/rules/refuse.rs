//! The most frequent problems that rules report, and sizes that several inputs share.

use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::Numbers;

/// An input whose rank is not the required one.
pub(super) const fn rank(message: &'static str, expected: usize, found: usize) -> Problem<'static> {
    Problem::rank(message, Detail::Counted(expected as u64, "dimensions"), found)
}

/// Checks that an input has a rank, if its rank is known.
///
/// # Errors
/// It has another rank.
pub(super) fn has_rank<D: Dimension>(
    input: &Input<'_, D>,
    expected: usize,
    message: &'static str,
) -> Result<(), Problem<'static>> {
    match input.dims() {
        Ok(dims) if dims.len() != expected => Err(rank(message, expected, dims.len())),
        _ => Ok(()),
    }
}

/// A list whose length is not the required one.
pub(super) const fn length(message: &'static str, expected: usize, found: usize) -> Problem<'static> {
    let expected = Detail::Counted(expected as u64, "numbers");
    Problem::Refused { code: Code::RankMismatch, message, expected, found: Detail::Counted(found as u64, "numbers") }
}

/// Two sizes that must be equal and are not.
pub(super) fn mismatch(message: &'static str, left: Option<u64>, right: Option<u64>) -> Problem<'static> {
    let side = |size: Option<u64>| size.map_or(Detail::Text("another size"), Detail::Size);
    Problem::Refused { code: Code::DimsMismatch, message, expected: side(left), found: side(right) }
}

/// Checks that none of several numbers is negative.
///
/// # Errors
/// One of them is.
pub(super) fn negative<D: Dimension>(message: &'static str, numbers: &Numbers<'_, D>) -> Result<(), Problem<'static>> {
    for index in 0..numbers.len() {
        if let Some(value) = numbers.int(index).filter(|number| *number < 0) {
            let expected = Detail::Text("numbers that are 0 or greater");
            return Err(Problem::Refused {
                code: Code::DimsNegative,
                message,
                expected,
                found: Detail::Entry { index, value },
            });
        }
    }
    Ok(())
}

/// Checks that the sizes of the parts of an axis add up to its size, as far as both are known.
///
/// # Errors
/// They add up to another size.
pub(super) fn add_up<D: Dimension>(parts: &Numbers<'_, D>, whole: Option<u64>) -> Result<(), Problem<'static>> {
    let sum = (0..parts.len()).try_fold(0_i64, |sum, index| sum.checked_add(parts.int(index)?));
    match (sum.and_then(|sum| u64::try_from(sum).ok()), whole) {
        (Some(sum), Some(whole)) if sum != whole => {
            Err(mismatch("the sizes of the parts do not add up to the size of the axis", Some(whole), Some(sum)))
        }
        _ => Ok(()),
    }
}

/// A size that several inputs share: the most specific one, or why none is known.
///
/// # Errors
/// Two of them differ.
pub(super) fn shared<D: Dimension>(
    sizes: impl IntoIterator<Item = Result<D, UnknownCause>>,
    message: &'static str,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    let mut shared: Result<D, _> = Err(UnknownCause::NotGiven);
    for size in sizes {
        shared = match (shared, size) {
            (Ok(found), Ok(size)) => {
                if !found.may_equal(&size) {
                    return Err(mismatch(message, found.known(), size.known()));
                }
                Ok(found.refine(size))
            }
            (Ok(found), Err(_)) => Ok(found),
            (Err(UnknownCause::NotGiven), other) => other,
            (Err(_), Ok(size)) => Ok(size),
            (Err(cause), Err(_)) => Err(cause),
        };
    }
    Ok(shared)
}
