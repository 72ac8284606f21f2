//! The dimensions of a tensor as its elements.

use super::parameters::Shape;
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::facts::Dims;
use crate::rule::{Done, Output};

pub(super) fn shape<D: Dimension>(Shape { data, start, end }: Shape<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = match data.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            output.rank(1, cause);
            return Err(cause.into());
        }
    };
    let slice = dims_between(dims, start.known().unwrap_or(0), end.and_then(|end| end.known()));
    output.dims(Dims::Known(&[D::from(slice.len() as u64)]));
    let size = |index: usize| slice.get(index).map_or(Scalar::Int(0), |size| Scalar::size(size.clone()));
    output.elements(Ok((slice.len(), &size)));
    Ok(())
}

/// The dimensions from axis `start` up to, and without, axis `end`.
///
/// A negative axis counts from the end: the rank is added to it once. Then both are clamped to [0, rank], so that no
/// axis is out of range, and a slice that begins at or after its end is empty.
///
/// ```
/// use shape_core::rules::shape::dims_between;
/// let dims = [2, 3, 4];
/// assert_eq!(dims_between(&dims, 0, None), [2, 3, 4]);
/// assert_eq!(dims_between(&dims, -1, None), [4]);
/// assert_eq!(dims_between(&dims, 1, Some(-4)), []);
/// ```
#[inline]
#[must_use]
pub fn dims_between<D>(dims: &[D], start: i64, end: Option<i64>) -> &[D] {
    let rank = dims.len();
    let start = axis(start, rank);
    let end = end.map_or(rank, |end| axis(end, rank));
    dims.get(start..end).unwrap_or_default()
}

/// The axis that a possibly negative number means, clamped to [0, rank].
#[inline]
fn axis(axis: i64, rank: usize) -> usize {
    if axis < 0 {
        // The distance from the end. It fits u64 for i64::MIN too; a rank is never past usize.
        usize::try_from(axis.unsigned_abs()).map_or(0, |back| rank.saturating_sub(back))
    } else {
        usize::try_from(axis).map_or(rank, |axis| axis.min(rank))
    }
}
