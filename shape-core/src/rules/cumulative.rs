//! Running sums and products.

use super::axes::axis;
use super::grid::{nothing, placed};
use super::parameters::{CumProd, CumSum};
use super::reduce::{Combination, MAX_PAIRS};
use crate::dimension::{Dimension, Undecided};
use crate::elements::Scalar;
use crate::facts::{Input, UnknownCause};
use crate::rule::{Done, Integer, Output};

/// The elements of the output: each is combined from those before it along an axis, or behind it if `reverse`.
fn running<D: Dimension>(
    x: &Input<'_, D>,
    along: &Integer<'_, D>,
    (exclusive, reverse): (bool, bool),
    output: &mut Output<'_, D>,
    combination: &Combination<D>,
) -> Done {
    let unknown = UnknownCause::Elements(x.index);
    let (elements, grid) = placed(x).ok_or(unknown)?;
    let number = along.known().ok_or_else(|| along.size().err().unwrap_or(unknown))?;
    let along = axis(number, grid.rank())?;
    let size = grid.size(along);
    if grid.count().saturating_mul(size) > MAX_PAIRS {
        return Err(unknown.into());
    }
    let each = |index: usize| {
        let at = grid.coordinate(index, along);
        let (from, to) = if reverse { (at + usize::from(exclusive), size) } else { (0, at + usize::from(!exclusive)) };
        let of = || {
            let source =
                |of: usize| grid.index_of(|axis| Some(if axis == along { of } else { grid.coordinate(index, axis) }));
            (from..to).filter_map(source).filter_map(|source| elements.get(source))
        };
        if !combination.any_order(of(), x.element_type()) {
            return Scalar::undecided(Undecided::NotFollowed);
        }
        let result = of().reduce(|left, right| (combination.of_two)(&left, &right));
        result.or_else(|| combination.of_none.clone()).unwrap_or_else(nothing)
    };
    output.elements(Ok((grid.count(), &each)));
    Ok(())
}

pub(super) fn cum_sum<D: Dimension>(
    CumSum { x, axis, exclusive, reverse }: CumSum<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    running(&x, &axis, (exclusive, reverse), output, &Combination::SUM)
}

pub(super) fn cum_prod<D: Dimension>(
    CumProd { x, axis, exclusive, reverse }: CumProd<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    running(&x, &axis, (exclusive, reverse), output, &Combination::PRODUCT)
}
