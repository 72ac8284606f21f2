//! Elements by their coordinates.
//!
//! Only tensors with few elements are computed, so coordinates are recomputed on each use and nothing is allocated.

use crate::dimension::Dimension;
use crate::dimension::Undecided;
use crate::elements::{Elements, Scalar};
use crate::facts::{Input, UnknownCause};
use crate::rule::Output;

/// The maximum number of axes of a tensor whose elements are computed.
const MAX_AXES: usize = 8;

/// The maximum number of its elements.
const MAX_ELEMENTS: usize = 1024;

/// The dimensions of a tensor with few elements, all of them numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    sizes: [usize; MAX_AXES],
    rank: usize,
}

impl Grid {
    /// A grid of `rank` axes; `None` if a size is not a number, or there are too many axes or elements.
    pub(super) fn new(rank: usize, size: impl Fn(usize) -> Option<u64>) -> Option<Self> {
        let mut sizes = [1; MAX_AXES];
        let mut count = 1_usize;
        for axis in 0..rank {
            let size = usize::try_from(size(axis)?).ok()?;
            *sizes.get_mut(axis)? = size;
            count = count.saturating_mul(size);
        }
        (count <= MAX_ELEMENTS).then_some(Self { sizes, rank })
    }

    /// The grid of dimensions.
    pub(super) fn of<D: Dimension>(dims: &[D]) -> Option<Self> {
        Self::new(dims.len(), |axis| dims.get(axis).and_then(D::known))
    }

    /// The grid to which two tensors are broadcast, if each size is 1 or equal to the other.
    pub(super) fn stretched(self, other: Self) -> Self {
        let rank = self.rank.max(other.rank);
        let mut sizes = [1; MAX_AXES];
        for (axis, size) in sizes.iter_mut().enumerate().take(rank) {
            let of = |grid: &Self| (axis + grid.rank).checked_sub(rank).map_or(1, |axis| grid.size(axis));
            *size = if of(&self) == 1 { of(&other) } else { of(&self) };
        }
        Self { sizes, rank }
    }

    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// The size of an axis.
    pub(super) fn size(&self, axis: usize) -> usize {
        self.sizes.get(axis).copied().unwrap_or(1)
    }

    /// The number of elements.
    pub(super) fn count(&self) -> usize {
        self.sizes.iter().fold(1, |count: usize, size| count.saturating_mul(*size))
    }

    /// The coordinate along an axis of the element at an index.
    pub(super) fn coordinate(&self, index: usize, axis: usize) -> usize {
        let stride = self.sizes.iter().skip(axis + 1).product::<usize>().max(1);
        (index / stride) % self.size(axis).max(1)
    }

    /// The index of the element at some coordinates; `None` if one is outside.
    pub(super) fn index_of(&self, coordinate: impl Fn(usize) -> Option<usize>) -> Option<usize> {
        (0..self.rank).try_fold(0_usize, |index, axis| {
            let at = coordinate(axis).filter(|at| *at < self.size(axis))?;
            Some(index * self.size(axis) + at)
        })
    }

    /// This grid with axes of size 1 added at its end, if it matches the axes of another grid from `axis` on.
    pub(super) fn begun_at(self, axis: usize, of: &Self) -> Option<Self> {
        let rank = of.rank.checked_sub(axis).filter(|rank| *rank >= self.rank)?;
        (0..self.rank).all(|at| self.size(at) == of.size(axis + at)).then_some(Self { rank, ..self })
    }

    /// The index in this grid of the element at an index of a larger grid to which this one is broadcast.
    pub(super) fn stretched_from(&self, to: &Self, index: usize) -> Option<usize> {
        match self.count() {
            1 => return Some(0),
            count if count == to.count() => return Some(index),
            _ => {}
        }
        self.index_of(|axis| {
            if self.size(axis) == 1 {
                return Some(0);
            }
            Some(to.coordinate(index, axis + to.rank.checked_sub(self.rank)?))
        })
    }
}

/// The placeholder for a missing element; tensors that do not fit are refused before.
pub(super) fn nothing<D: Dimension>() -> Scalar<D> {
    Scalar::undecided(Undecided::NotFollowed)
}

/// Whether an output has the dimensions of an input, whatever the symbols are. Where an operator gives each element of the
/// output a place of its own in the input, and keeps their order, all elements then stay where they are.
pub(super) fn same_dims<D: Dimension>(dims: &[D], rank: usize, dim: impl Fn(usize) -> Option<D>) -> bool {
    dims.len() == rank && dims.iter().enumerate().all(|(at, size)| dim(at).is_some_and(|dim| dim.same_as(size)))
}

/// The elements of an input and their grid.
pub(super) fn placed<'a, D: Dimension>(input: &Input<'a, D>) -> Option<(Elements<'a, D>, Grid)> {
    input.fact.elements.zip(input.fact.dims.and_then(Grid::of))
}

/// Sets the elements of an output to those of an input in another order: for an element at coordinates of `to`, `from`
/// returns its coordinate along each axis of the input.
pub(super) fn moved<D: Dimension>(
    input: &Input<'_, D>,
    output: &mut Output<'_, D>,
    to: Option<Grid>,
    from: impl Fn(&dyn Fn(usize) -> usize, usize) -> Option<usize>,
) {
    let (Some((elements, grid)), Some(to)) = (placed(input), to) else {
        return output.elements(Err(UnknownCause::Elements(input.index)));
    };
    let each = |index: usize| {
        let coordinate = |axis: usize| to.coordinate(index, axis);
        let source = grid.index_of(|axis| from(&coordinate, axis));
        source.and_then(|source| elements.get(source)).unwrap_or_else(nothing)
    };
    output.elements(Ok((to.count(), &each)));
}
