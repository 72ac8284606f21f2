//! Shape: the dimensions of a tensor, or a slice of them.

use crate::check::Problem;
use crate::dims::{Because, Dimension, Dims, Input, Outputs};

/// What the rule reads of a node.
#[derive(Debug)]
pub struct Arguments<'a, D> {
    /// The tensor whose dimensions are asked for.
    pub data: Input<'a, D>,
    /// First axis of the slice.
    pub start: i64,
    /// Axis before which the slice ends; `None` for the rank.
    pub end: Option<i64>,
}

impl<D> Default for Arguments<'_, D> {
    fn default() -> Self {
        Self { data: Input::default(), start: 0, end: None }
    }
}

/// The dimensions from axis `start` up to, and without, axis `end`.
///
/// A negative axis counts from the end: the rank is added to it once. Then both are clamped to [0, rank], so that no
/// axis is out of range, and a slice that begins at or after its end is empty.
///
/// ```
/// use shape_core::kernels::shape::shape;
/// let dims = [2, 3, 4];
/// assert_eq!(shape(&dims, 0, None), [2, 3, 4]);
/// assert_eq!(shape(&dims, -1, None), [4]);
/// assert_eq!(shape(&dims, 1, Some(-4)), []);
/// ```
#[inline]
#[must_use]
pub fn shape<D>(dims: &[D], start: i64, end: Option<i64>) -> &[D] {
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

/// The output: 1-D, with the slice as its elements. With a rank that is not known neither is its length.
///
/// # Errors
/// None: every node that the checker accepts has a result.
pub fn infer<D: Dimension>(arguments: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
    let Arguments { data, start, end } = *arguments;
    let Some(dims) = data.fact.dims else {
        outputs.dims(0, Dims::Each(1, &|_| Err(Because::Dims(data.index))));
        return Ok(());
    };
    let slice = shape(dims, start, end);
    outputs.dims(0, Dims::Known(&[D::from(slice.len() as u64)]));
    outputs.sizes(0, slice);
    Ok(())
}
