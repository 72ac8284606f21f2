//! Rules that take axes together.

use crate::check::{Detail, Problem};
use crate::dims::{Because, Dimension, Dims, Outputs};
use crate::rules::Arguments;
use crate::rules::axes::{Axes, axes};
use crate::rules::given::rank;

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
            let dim = |at: usize| stays().nth(at).cloned().ok_or(Because::Dims(usize::MAX));
            given.give(outputs, Dims::Each(dims.len() - axes.count(dims.len()), &dim));
        }
    }
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
