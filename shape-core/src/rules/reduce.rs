//! Axes whose elements are combined.

use super::axes::{Axes, axes};
use super::grid::{Grid, nothing, placed};
use super::parameters::{Reduce, ReduceMax, ReduceMin, ReduceProd, ReduceSum};
use super::{Done, List, Output};
use crate::dims::{Dimension, Dims, Input, UnknownCause};
use crate::elements::Scalar;

pub(super) fn reduce<D: Dimension>(
    Reduce { data, axes: listed, keepdims, noop_with_empty_axes }: Reduce<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = data.dims()?;
    match axes(listed, dims.len())?.or_all() {
        Axes::All if noop_with_empty_axes => output.dims(Dims::Known(dims)),
        Axes::Unknown(cause, _) if keepdims => {
            // What has the size 1 keeps it, reduced or not.
            let dim = |at: usize| dims.get(at).filter(|dim| dim.known() == Some(1)).cloned().ok_or(cause);
            output.dims(Dims::Each(dims.len(), &dim));
        }
        Axes::Unknown(cause, count) => {
            let rank = count.filter(|count| *count > 0).and_then(|count| dims.len().checked_sub(count));
            output.rank(rank.ok_or(cause)?, cause);
        }
        axes if keepdims => {
            let dim = |at: usize| match dims.get(at) {
                Some(dim) if !axes.has(at) => Ok(dim.clone()),
                _ => Ok(D::from(1)),
            };
            output.dims(Dims::Each(dims.len(), &dim));
        }
        axes => {
            let stays = || dims.iter().enumerate().filter(|(at, _)| !axes.has(*at)).map(|(_, dim)| dim);
            let dim = |at: usize| stays().nth(at).cloned().ok_or(UnknownCause::NotGiven);
            output.dims(Dims::Each(dims.len() - axes.count(dims.len()), &dim));
        }
    }
    Ok(())
}

/// The most pairs of an element and a result that are looked at.
const MAX_PAIRS: usize = 1 << 14;

/// The elements of what `reduce` gives, each made of those that it stands for, in their order.
fn combined<D: Dimension>(
    data: &Input<'_, D>,
    (listed, noop_with_empty_axes): (Option<List<'_, D>>, bool),
    output: &mut Output<'_, D>,
    how: impl Fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
    of_none: Option<&Scalar<D>>,
) -> Done {
    let unknown = UnknownCause::Elements(data.index);
    let (elements, grid) = placed(data).ok_or(unknown)?;
    let axes = axes(listed, grid.rank())?.or_all();
    match axes {
        Axes::Unknown(cause, _) => return Err(cause.into()),
        Axes::All if noop_with_empty_axes => {
            output.elements_of(data);
            return Ok(());
        }
        _ => {}
    }
    // With the size 1 in place of what goes, whether the output keeps these axes or not.
    let to = Grid::new(grid.rank(), |axis| Some(if axes.has(axis) { 1 } else { grid.size(axis) as u64 }));
    let to = to.filter(|to| to.count().saturating_mul(grid.count()) <= MAX_PAIRS).ok_or(unknown)?;
    let each = |index: usize| {
        let is_of = |place: &usize| {
            let of = to.place(|axis| Some(if axes.has(axis) { 0 } else { grid.coordinate(*place, axis) }));
            of == Some(index)
        };
        let of = (0..grid.count()).filter(is_of).filter_map(|place| elements.get(place));
        of.reduce(|left, right| how(&left, &right)).or_else(|| of_none.cloned()).unwrap_or_else(nothing)
    };
    output.elements(Ok((to.count(), &each)));
    Ok(())
}

macro_rules! reduce {
    ($($name:ident($parameters:ident) = $method:ident, $of_none:expr;)*) => { $(
        pub(super) fn $name<D: Dimension>(
            $parameters { data, axes, keepdims: _, noop_with_empty_axes }: $parameters<'_, D>,
            output: &mut Output<'_, D>,
        ) -> Done {
            combined(&data, (axes, noop_with_empty_axes), output, Scalar::$method, $of_none)
        }
    )* };
}
reduce! {
    reduce_max(ReduceMax) = max, None;
    reduce_min(ReduceMin) = min, None;
    reduce_prod(ReduceProd) = mul, Some(&Scalar::Int(1));
    reduce_sum(ReduceSum) = add, Some(&Scalar::Int(0));
}
