//! Rules that take axes together.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::elements::Scalar;
use crate::rules::Arguments;
use crate::rules::axes::{Axes, axes, axis};
use crate::rules::given::rank;
use crate::rules::grid::{Grid, nothing, placed};

type Done = Result<(), Problem<'static>>;

/// `reduce(data, axes?, keepdims?, noop_with_empty_axes?)`: without the axes, or with the size 1 in place of theirs;
/// without any named, all of them, or none where the last parameter is 1.
pub(super) fn reduce<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let keeps = given.int(2).unwrap_or(1) != 0;
    let noop = given.int(3).unwrap_or(0) != 0;
    let axes = match axes(given, 1, dims.len(), true)? {
        // Nothing in the list means what no list does.
        Axes::Listed(numbers, _) if numbers.is_empty() => Axes::All,
        axes => axes,
    };
    match axes {
        Axes::All if noop => given.give(outputs, Dims::Known(dims)),
        Axes::Open(because, _) if keeps => {
            // What has the size 1 keeps it, reduced or not.
            let dim = |at: usize| dims.get(at).filter(|dim| dim.known() == Some(1)).cloned().ok_or(because);
            given.give(outputs, Dims::Each(dims.len(), &dim));
        }
        Axes::Open(because, count) => {
            match count.filter(|count| *count > 0).and_then(|count| dims.len().checked_sub(count)) {
                Some(rank) => given.give(outputs, Dims::Each(rank, &|_| Err(because))),
                None => given.give(outputs, Dims::Unknown(because)),
            }
        }
        axes if keeps => {
            let dim = |at: usize| match dims.get(at) {
                Some(dim) if !axes.has(at) => Ok(dim.clone()),
                _ => Ok(D::from(1)),
            };
            given.give(outputs, Dims::Each(dims.len(), &dim));
        }
        axes => {
            let stays = || dims.iter().enumerate().filter(|(at, _)| !axes.has(*at)).map(|(_, dim)| dim);
            let dim = |at: usize| stays().nth(at).cloned().ok_or(UnknownCause::Dims(usize::MAX));
            given.give(outputs, Dims::Each(dims.len() - axes.count(dims.len()), &dim));
        }
    }
    Ok(())
}

/// `reduce_from(X, axis)`: with the size 1 in place of an axis and of all behind it.
pub(super) fn reduce_from<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    let from = axis(given.int(1).unwrap_or(-1), dims.len())?;
    let dim = |at: usize| Ok(dims.get(at).filter(|_| at < from).cloned().unwrap_or_else(|| D::from(1)));
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// `global_pool(X)`: the batch, the channels, and 1 for every axis of space.
pub(super) fn global_pool<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => return given.unknown(outputs, because),
    };
    if dims.len() < 2 {
        return Err(rank(
            "a batch of channels has two dimensions at least",
            Detail::Text("2 dimensions or more"),
            dims.len(),
        ));
    }
    let dim = |at: usize| Ok(dims.get(at).filter(|_| at < 2).cloned().unwrap_or_else(|| D::from(1)));
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// The elements of what `reduce` gives, each made of those that it stands for, in their order.
fn folded<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
    how: impl Fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
    of_none: Option<&Scalar<D>>,
) -> Done {
    /// The most pairs of an element and a result that are looked at.
    const MOST_PAIRS: usize = 1 << 14;
    let Some(input) = given.input(0) else { return Ok(()) };
    let Some((elements, grid)) = placed(&input) else {
        given.give_elements(outputs, Err(UnknownCause::Elements(input.index)));
        return Ok(());
    };
    let noop = given.int(3).unwrap_or(0) != 0;
    let axes = match axes(given, 1, grid.rank(), true)? {
        Axes::Listed(numbers, _) if numbers.is_empty() => Axes::All,
        axes => axes,
    };
    if let Axes::Open(because, _) = axes {
        given.give_elements(outputs, Err(because));
        return Ok(());
    }
    if matches!(axes, Axes::All) && noop {
        given.give_elements_of(outputs, 0);
        return Ok(());
    }
    // With the size 1 in place of what goes, whether the output keeps these axes or not.
    let to = Grid::new(grid.rank(), |axis| Some(if axes.has(axis) { 1 } else { grid.size(axis) as u64 }));
    let Some(to) = to.filter(|to| to.count().saturating_mul(grid.count()) <= MOST_PAIRS) else {
        given.give_elements(outputs, Err(UnknownCause::Elements(input.index)));
        return Ok(());
    };
    let each = |index: usize| {
        let is_of = |place: &usize| {
            let of = to.place(|axis| Some(if axes.has(axis) { 0 } else { grid.coordinate(*place, axis) }));
            of == Some(index)
        };
        let of = (0..grid.count()).filter(is_of).filter_map(|place| elements.get(place));
        of.reduce(|left, right| how(&left, &right)).or_else(|| of_none.cloned()).unwrap_or_else(nothing)
    };
    given.give_elements(outputs, Ok((to.count(), &each)));
    Ok(())
}

/// `reduced_sum(data, axes?, keepdims?, noop_with_empty_axes?)`
pub(super) fn reduced_sum<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    folded(given, outputs, Scalar::add, Some(&Scalar::Int(0)))
}

/// `reduced_product(data, axes?, keepdims?, noop_with_empty_axes?)`
pub(super) fn reduced_product<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    folded(given, outputs, Scalar::mul, Some(&Scalar::Int(1)))
}

/// `reduced_larger(data, axes?, keepdims?, noop_with_empty_axes?)`
pub(super) fn reduced_larger<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    folded(given, outputs, Scalar::max, None)
}

/// `reduced_smaller(data, axes?, keepdims?, noop_with_empty_axes?)`
pub(super) fn reduced_smaller<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    folded(given, outputs, Scalar::min, None)
}
