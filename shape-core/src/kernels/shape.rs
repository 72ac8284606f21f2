//! Shape: the dimensions of a tensor, or a slice of them.

use crate::check::Problem;
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::kernels::{Kernel, Node};

/// The rule of Shape. The output is 1-D, with the slice as its elements; with a rank that is not known neither is its
/// length. It refuses nothing.
#[derive(Clone, Copy, Debug)]
pub struct Shape;

impl Kernel for Shape {
    const ARGUMENTS: &'static [&'static str] = &["data", "start", "end"];

    fn infer<D: Dimension>(node: &Node<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
        let data = node.input("data");
        let Some(dims) = data.fact.dims else {
            outputs.dims(0, Dims::Each(1, &|_| Err(UnknownCause::Dims(data.index))));
            outputs.elements(0, Err(UnknownCause::Dims(data.index)));
            return Ok(());
        };
        let slice = shape(dims, node.attribute("start").unwrap_or(0), node.attribute("end"));
        outputs.dims(0, Dims::Known(&[D::from(slice.len() as u64)]));
        outputs.sizes(0, slice);
        Ok(())
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
