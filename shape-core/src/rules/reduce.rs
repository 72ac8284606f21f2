//! Axes whose elements are combined.

use super::axes::{Axes, axes};
use super::grid::{Grid, nothing, placed};
use super::parameters::{Reduce, ReduceMax, ReduceMin, ReduceProd, ReduceSum};
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::dimension::Undecided;
use crate::elements::Scalar;
use crate::elements::arithmetic::float_digits;
use crate::facts::{Dims, Input, UnknownCause};
use crate::rule::{Done, List, Output};

pub(super) fn reduce<D: Dimension>(
    Reduce { data, axes: listed, keepdims, noop_with_empty_axes }: Reduce<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = data.dims()?;
    match axes(listed, dims.len())?.or_all() {
        Axes::All if noop_with_empty_axes => output.dims(Dims::Known(dims)),
        Axes::Unknown(cause, _) if keepdims => {
            // An axis of size 1 keeps its size, reduced or not.
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

/// The maximum number of pairs of an input element and a result for which elements are computed.
pub(super) const MAX_PAIRS: usize = 1 << 14;

/// How elements are combined.
pub(super) struct Combination<D: Dimension> {
    pub(super) of_two: fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
    /// The result without any element.
    pub(super) of_none: Option<Scalar<D>>,
    /// Computes an upper bound for the size of a result from the sizes of floats; if absent, no result is rounded.
    bound: Option<fn(f64, f64) -> f64>,
}

impl<D: Dimension> Combination<D> {
    const MAX: Self = Self { of_two: Scalar::max, of_none: None, bound: None };
    const MIN: Self = Self { of_two: Scalar::min, of_none: None, bound: None };
    pub(super) const PRODUCT: Self = Self {
        of_two: Scalar::mul,
        of_none: Some(Scalar::Int(1)),
        bound: Some(|left, right| left.max(1.0) * right.max(1.0)),
    };
    pub(super) const SUM: Self =
        Self { of_two: Scalar::add, of_none: Some(Scalar::Int(0)), bound: Some(|left, right| left + right) };

    /// Whether the result does not depend on the order of the elements, which ONNX leaves open: floats may be rounded at each
    /// step, unless they are whole numbers and the result fits their type.
    pub(super) fn any_order(&self, elements: impl Iterator<Item = Scalar<D>>, ty: Option<DataType>) -> bool {
        let Some(bound) = self.bound else { return true };
        let (mut count, mut size, mut whole) = (0, None, true);
        for element in elements {
            let Scalar::Float(number) = element else { continue };
            count += 1;
            whole &= number % 1.0 == 0.0;
            size = Some(size.map_or(number.abs(), |size| bound(size, number.abs())));
        }
        let limit = ty.and_then(float_digits).map_or(0.0, |digits| (1_u64 << digits) as f64);
        count <= 2 || whole && size.is_some_and(|size| size <= limit)
    }
}

/// The elements of the output of `reduce`.
fn combined<D: Dimension>(
    data: &Input<'_, D>,
    (listed, noop_with_empty_axes): (Option<List<'_, D>>, bool),
    output: &mut Output<'_, D>,
    combination: &Combination<D>,
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
    // Reduced axes count as size 1, even if the output drops them.
    let to = Grid::new(grid.rank(), |axis| Some(if axes.has(axis) { 1 } else { grid.size(axis) as u64 }));
    let to = to.filter(|to| to.count().saturating_mul(grid.count()) <= MAX_PAIRS).ok_or(unknown)?;
    let each = |index: usize| {
        let is_of = |source: &usize| {
            let of = to.index_of(|axis| Some(if axes.has(axis) { 0 } else { grid.coordinate(*source, axis) }));
            of == Some(index)
        };
        let of = || (0..grid.count()).filter(is_of).filter_map(|source| elements.get(source));
        if !combination.any_order(of(), data.element_type()) {
            return Scalar::undecided(Undecided::NotFollowed);
        }
        let result = of().reduce(|left, right| (combination.of_two)(&left, &right));
        result.or_else(|| combination.of_none.clone()).unwrap_or_else(nothing)
    };
    output.elements(Ok((to.count(), &each)));
    Ok(())
}

macro_rules! reduce {
    ($($name:ident($parameters:ident) = $combination:ident),* $(,)?) => { $(
        pub(super) fn $name<D: Dimension>(
            $parameters { data, axes, keepdims: _, noop_with_empty_axes }: $parameters<'_, D>,
            output: &mut Output<'_, D>,
        ) -> Done {
            combined(&data, (axes, noop_with_empty_axes), output, &Combination::$combination)
        }
    )* };
}
reduce! {
    reduce_max(ReduceMax) = MAX,
    reduce_min(ReduceMin) = MIN,
    reduce_prod(ReduceProd) = PRODUCT,
    reduce_sum(ReduceSum) = SUM,
}
