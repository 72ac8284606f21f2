//! Tensors whose axes of size 1 are repeated to fit the other tensors.

use core::borrow::Borrow;

use super::grid::{Grid, moved, same_dims};
use super::parameters::{Broadcast, BroadcastTo, Expand};
use super::refuse::mismatch;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, InputList, Output};

/// The common size of two axes.
///
/// # Errors
/// There is none, or it is not known which of the two it is.
pub(super) fn common<D: Dimension>(left: &D, right: &D) -> Result<D, Option<UnknownCause>> {
    is_right(left, right).map(|is_right| if is_right { right.clone() } else { left.clone() })
}

/// Whether the common size of two axes is that on the right, and not that on the left.
fn is_right<D: Dimension>(left: &D, right: &D) -> Result<bool, Option<UnknownCause>> {
    match (left.known(), right.known()) {
        (Some(1), _) => Ok(true),
        (_, Some(1)) => Ok(false),
        (Some(left), Some(right)) if left != right => Err(None),
        // A size that fits one above 1 is broadcast to it: it is 1, or that size itself.
        (Some(_), _) => Ok(false),
        (_, Some(_)) => Ok(true),
        (None, None) if left.same_size(right) => Ok(false),
        // Only an unknown size differs from itself; it carries the reason.
        (None, None) if !left.same_as(left) => Ok(false),
        (None, None) if !right.same_as(right) => Ok(true),
        (None, None) if decides(left, right) => Ok(false),
        (None, None) if decides(right, left) => Ok(true),
        (None, None) => Err(Some(UnknownCause::MayDiffer)),
    }
}

/// Whether the common size of two axes, which are equal or of which one is 1, is always the first: it is never 1, or the
/// other one is the smaller of it and a number, and so is 1 wherever the two differ.
fn decides<D: Dimension>(size: &D, other: &D) -> bool {
    let capped = |most: u64| most > 0 && size.min(&D::from(most)).is_some_and(|capped| capped.same_as(other));
    !size.may_equal(&D::from(1)) || other.upper_bound().and_then(|most| u64::try_from(most).ok()).is_some_and(capped)
}

/// Why there is no common size.
pub(super) enum NoCommon {
    /// It is not known.
    Unknown(UnknownCause),
    /// These two differ, and neither is 1.
    Differ(Option<u64>, Option<u64>),
}

impl NoCommon {
    fn cause(self) -> UnknownCause {
        match self {
            Self::Unknown(cause) => cause,
            Self::Differ(..) => UnknownCause::MayDiffer,
        }
    }
}

/// The common size of any number of axes, as far as they are known.
pub(super) fn common_of<D: Dimension, S: Borrow<D>>(
    sizes: impl IntoIterator<Item = Result<S, UnknownCause>>,
) -> Result<S, NoCommon> {
    let mut found: Option<S> = None;
    let mut open = None;
    for size in sizes {
        match (size, found.as_ref().map(S::borrow)) {
            (Err(cause), _) => open = open.or(Some(cause)),
            (Ok(size), None) => found = Some(size),
            (Ok(size), Some(first)) => match is_right(first, size.borrow()) {
                Ok(true) => found = Some(size),
                Ok(false) => {}
                Err(None) => return Err(NoCommon::Differ(first.known(), size.borrow().known())),
                // A later number may decide it.
                Err(cause) => open = open.or(cause),
            },
        }
    }
    let settled = found.as_ref().is_some_and(|found| found.borrow().known().is_some_and(|size| size != 1));
    match open.filter(|_| !settled) {
        Some(cause) => Err(NoCommon::Unknown(cause)),
        None => found.ok_or(NoCommon::Unknown(UnknownCause::NotGiven)),
    }
}

/// The common size along an axis that is counted from the last one.
fn from_last<'a, D: Dimension>(inputs: &InputList<'a, D>, from_last: usize) -> Result<&'a D, NoCommon> {
    let sizes = inputs.iter().filter_map(|input| match input.dims() {
        Err(cause) => Some(Err(cause)),
        Ok(dims) => dims.len().checked_sub(from_last + 1).and_then(|at| dims.get(at)).map(Ok),
    });
    common_of::<D, _>(sizes)
}

pub(super) fn broadcast<D: Dimension>(Broadcast { inputs }: Broadcast<'_, D>, output: &mut Output<'_, D>) -> Done {
    let mut rank = 0;
    for input in inputs.iter() {
        rank = rank.max(input.dims()?.len());
    }
    for axis in 0..rank {
        if let Err(NoCommon::Differ(left, right)) = from_last(&inputs, axis) {
            let message = "the inputs cannot be broadcast: their sizes differ along an axis, and neither is 1";
            return Err(mismatch(message, left, right).into());
        }
    }
    let dim = |at: usize| from_last(&inputs, rank - 1 - at).cloned().map_err(NoCommon::cause);
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}

pub(super) fn broadcast_to<D: Dimension>(
    BroadcastTo { x, other }: BroadcastTo<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = x.dims()?;
    output.dims(Dims::Known(dims));
    let Ok(others) = other.dims() else { return Ok(()) };
    if others.len() > dims.len() {
        let expected = Detail::Counted(dims.len() as u64, "dimensions or fewer");
        let message = "an input has more dimensions than the one to which it is broadcast";
        return Err(Problem::rank(message, expected, others.len()).into());
    }
    for (dim, other) in dims.iter().rev().zip(others.iter().rev()) {
        if !other.may_equal(&D::from(1)) && !other.may_equal(dim) {
            let message = "an input cannot be broadcast to the other: a size is neither 1 nor that of the other";
            return Err(mismatch(message, dim.known(), other.known()).into());
        }
    }
    Ok(())
}

pub(super) fn expand<D: Dimension>(Expand { input, shape }: Expand<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = input.dims()?;
    let length = shape.len().ok_or(shape.cause())?;
    let rank = dims.len().max(length);
    let current = |at: usize| (at + dims.len()).checked_sub(rank).and_then(|at| dims.get(at));
    let requested = |at: usize| (at + length).checked_sub(rank).map_or(Ok(D::from(1)), |at| shape.size(at));
    let dim = |at: usize| match (current(at), requested(at)) {
        (None, requested) => requested.map_err(Some),
        (Some(current), Ok(requested)) => common(current, &requested),
        // A size of 2 or more does not depend on the requested size.
        (Some(current), Err(_)) if current.known().is_some_and(|size| size > 1) => Ok(current.clone()),
        (_, Err(cause)) => Err(Some(cause)),
    };
    // Axes added in front always fit; there may be too many to loop over.
    for at in rank - dims.len()..rank {
        if let Err(None) = dim(at) {
            let (current, requested) =
                (current(at).and_then(D::known), requested(at).ok().and_then(|requested| requested.known()));
            return Err(mismatch("the tensor cannot be expanded to the requested size", current, requested).into());
        }
    }
    output.dims(Dims::Each(rank, &|at| dim(at).map_err(|cause| cause.unwrap_or(UnknownCause::MayDiffer))));
    if same_dims(dims, rank, |at| dim(at).ok()) {
        output.elements_of(&input);
        return Ok(());
    }
    let to = Grid::new(rank, |at| dim(at).ok()?.known());
    let before = rank - dims.len();
    moved(&input, output, to, |coordinate, axis| {
        let repeated = dims.get(axis).and_then(D::known) == Some(1);
        Some(if repeated { 0 } else { coordinate(before + axis) })
    });
    Ok(())
}
