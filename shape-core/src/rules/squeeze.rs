//! Axes of size 1 removed or inserted.

use super::axes::{Axes, axes};
use super::parameters::{Squeeze, Unsqueeze};
use super::refuse::mismatch;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::rule::{Done, Output};

pub(super) fn squeeze<D: Dimension>(
    Squeeze { data, axes: listed }: Squeeze<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.elements_of(&data);
    let dims = data.dims()?;
    let axes = axes(listed, dims.len())?;
    match &axes {
        Axes::Unknown(cause, count) => {
            output.rank(count.and_then(|count| dims.len().checked_sub(count)).ok_or(*cause)?, *cause);
            return Ok(());
        }
        Axes::All if dims.iter().any(may_be_one) => return Err(UnknownCause::Dims(data.index).into()),
        Axes::Listed(..) => {
            let mut gone = dims.iter().enumerate().filter(|(at, _)| axes.has(*at));
            if let Some((_, dim)) = gone.find(|(_, dim)| dim.known().is_some_and(|size| size != 1)) {
                let message = "the size of an axis to remove is not 1";
                return Err(mismatch(message, Some(1), dim.known()).into());
            }
            let gone = dims.iter().enumerate().filter(|(at, _)| axes.has(*at));
            gone.for_each(|(_, dim)| output.implies_equal(dim, &D::from(1)));
        }
        Axes::All => {}
    }
    let goes = |at: usize, dim: &D| if let Axes::All = axes { dim.known() == Some(1) } else { axes.has(at) };
    let stays = || dims.iter().enumerate().filter(|(at, dim)| !goes(*at, dim)).map(|(_, dim)| dim);
    let dim = |at: usize| stays().nth(at).cloned().ok_or(UnknownCause::NotGiven);
    output.dims(Dims::Each(stays().count(), &dim));
    Ok(())
}

/// Whether some sizes of its symbols make it 1, so that the rank depends on them.
fn may_be_one<D: Dimension>(dim: &D) -> bool {
    dim.known().is_none() && dim.lower_bound().is_none_or(|least| least < 2)
}

pub(super) fn unsqueeze<D: Dimension>(
    Unsqueeze { data, axes: listed }: Unsqueeze<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.elements_of(&data);
    let dims = data.dims()?;
    let rank = dims.len().saturating_add(listed.len().ok_or(listed.cause())?);
    let axes = axes(Some(listed), rank)?;
    if let Axes::Unknown(cause, _) = axes {
        output.rank(rank, cause);
        return Ok(());
    }
    let dim = |at: usize| {
        if axes.has(at) {
            return Ok(D::from(1));
        }
        let before = (0..at).filter(|before| !axes.has(*before)).count();
        dims.get(before).cloned().ok_or(UnknownCause::NotGiven)
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
