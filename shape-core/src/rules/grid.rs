//! Elements by their coordinates.
//!
//! What follows elements follows few of them, so that a coordinate may be computed each time it is asked for, and
//! nothing is allocated.

use crate::dimension::Dimension;
use crate::dimension::Undecided;
use crate::elements::{Elements, Scalar};
use crate::facts::{Input, UnknownCause};
use crate::rule::Output;

/// The most axes of a tensor whose elements are followed.
const MOST_AXES: usize = 8;

/// The most elements of it.
const MOST_ELEMENTS: usize = 1024;

/// The dimensions of a tensor with few elements, all of them numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    sizes: [usize; MOST_AXES],
    rank: usize,
}

impl Grid {
    /// A grid of so many axes; `None` where one is no number, or there are too many of them or of elements.
    pub(super) fn new(rank: usize, size: impl Fn(usize) -> Option<u64>) -> Option<Self> {
        let mut sizes = [1; MOST_AXES];
        let mut count = 1_usize;
        for axis in 0..rank {
            let size = usize::try_from(size(axis)?).ok()?;
            *sizes.get_mut(axis)? = size;
            count = count.saturating_mul(size);
        }
        (count <= MOST_ELEMENTS).then_some(Self { sizes, rank })
    }

    /// The grid of dimensions.
    pub(super) fn of<D: Dimension>(dims: &[D]) -> Option<Self> {
        Self::new(dims.len(), |axis| dims.get(axis).and_then(D::known))
    }

    /// What several tensors are stretched to, where each is 1 or as large as the others.
    pub(super) fn stretched(self, other: Self) -> Self {
        let rank = self.rank.max(other.rank);
        let mut sizes = [1; MOST_AXES];
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

    /// The coordinate along an axis of the element at a place.
    pub(super) fn coordinate(&self, index: usize, axis: usize) -> usize {
        let behind = self.sizes.iter().skip(axis + 1).product::<usize>().max(1);
        (index / behind) % self.size(axis).max(1)
    }

    /// The place of the element at some coordinates; `None` where one is outside.
    pub(super) fn place(&self, coordinate: impl Fn(usize) -> Option<usize>) -> Option<usize> {
        (0..self.rank).try_fold(0_usize, |place, axis| {
            let at = coordinate(axis).filter(|at| *at < self.size(axis))?;
            Some(place * self.size(axis) + at)
        })
    }

    /// This grid where it is a part of another one that begins at an axis of it, with axes of size 1 for those behind.
    pub(super) fn begun_at(self, axis: usize, of: &Self) -> Option<Self> {
        let rank = of.rank.checked_sub(axis).filter(|rank| *rank >= self.rank)?;
        (0..self.rank).all(|at| self.size(at) == of.size(axis + at)).then_some(Self { rank, ..self })
    }

    /// The place in this grid of what stands at a place of a larger one that this is stretched to.
    pub(super) fn stretched_from(&self, to: &Self, index: usize) -> Option<usize> {
        match self.count() {
            1 => return Some(0),
            count if count == to.count() => return Some(index),
            _ => {}
        }
        self.place(|axis| {
            if self.size(axis) == 1 {
                return Some(0);
            }
            Some(to.coordinate(index, axis + to.rank.checked_sub(self.rank)?))
        })
    }
}

/// What stands where there is no element; tensors that do not go together are refused before.
pub(super) fn nothing<D: Dimension>() -> Scalar<D> {
    Scalar::undecided(Undecided::NotFollowed)
}

/// The elements of an input and where they stand.
pub(super) fn placed<'a, D: Dimension>(input: &Input<'a, D>) -> Option<(Elements<'a, D>, Grid)> {
    input.fact.elements.zip(input.fact.dims.and_then(Grid::of))
}

/// Gives the elements of an output that are those of an input in other places: `from` says where the one comes from that
/// is to stand at some coordinates of `to`, axis by axis of the input.
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
        let place = grid.place(|axis| from(&coordinate, axis));
        place.and_then(|place| elements.get(place)).unwrap_or_else(nothing)
    };
    output.elements(Ok((to.count(), &each)));
}
