//! Slices that a condition selects.

use super::axes::axis;
use super::grid::{Grid, moved, nothing};
use super::parameters::Compress;
use super::reduce::MAX_PAIRS;
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Integer, Output};

pub(super) fn compress<D: Dimension>(
    Compress { input, condition, axis: along }: Compress<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if matches!(input.dims(), Ok([])) {
        return Err(Problem::rank(
            "the input is a scalar; it must have at least 1 dimension",
            Detail::Text("1 dimension or more"),
            0,
        )
        .into());
    }
    let has_length = along.is_some() || input.fact.dims.is_some();
    let Some(kept) = condition.fact.elements.filter(|_| has_length) else {
        return some_slices(input, along, UnknownCause::Data, output);
    };
    let dims = input.dims()?;
    let along = along.and_then(|along| along.known()).map(|along| axis(along, dims.len())).transpose()?;
    // What the condition is on: the entries of the axis, or all elements.
    let least = match along {
        Some(along) => dims.get(along).and_then(D::lower_bound),
        None => dims.iter().map(D::lower_bound).try_fold(1_i64, |all, least| all.checked_mul(least?)),
    };
    let is_true = |index: usize| matches!(kept.get(index), Some(Scalar::Bool(true)));
    let is_decided = kept.iter().all(|element| matches!(element, Scalar::Bool(_)))
        && (0..kept.len()).rfind(|index| is_true(*index)).is_none_or(|last| i64::try_from(last).ok() < least);
    if !is_decided {
        // A condition that is longer than the axis, runtimes cut; ONNX has none.
        let is_known = kept.iter().all(|element| matches!(element, Scalar::Bool(_)));
        let cause = if is_known { UnknownCause::ToolsDiffer } else { UnknownCause::Elements(condition.index) };
        let dim = |at: usize| match along {
            Some(along) if at != along => dims.get(at).cloned().ok_or(cause),
            _ => Err(cause),
        };
        output.dims(Dims::Each(along.map_or(1, |_| dims.len()), &dim));
        return Ok(());
    }
    let count = (0..kept.len()).filter(|index| is_true(*index)).count();
    let (is_short, unknown) =
        (count.saturating_mul(kept.len()) <= MAX_PAIRS, UnknownCause::Elements(input.index).into());
    let nth = |index: usize| (0..kept.len()).filter(|index| is_true(*index)).nth(index);
    let Some(along) = along else {
        output.each_dim(&[Ok(D::from(count as u64))]);
        let elements = if is_short { input.elements()? } else { return Err(unknown) };
        output.elements(Ok((count, &|index| nth(index).and_then(|at| elements.get(at)).unwrap_or_else(nothing))));
        return Ok(());
    };
    let dim = |at: usize| {
        let dim = if at == along { Some(D::from(count as u64)) } else { dims.get(at).cloned() };
        dim.ok_or(UnknownCause::NotGiven)
    };
    output.dims(Dims::Each(dims.len(), &dim));
    let to = Grid::new(dims.len(), |at| dim(at).ok()?.known()).filter(|_| is_short);
    moved(&input, output, to, |coordinate, at| if at == along { nth(coordinate(at)) } else { Some(coordinate(at)) });
    Ok(())
}

/// As many slices of a tensor along an axis as the condition selects; without an axis, a list of the selected elements.
pub(super) fn some_slices<D: Dimension>(
    input: Input<'_, D>,
    along: Option<Integer<'_, D>>,
    cause: UnknownCause,
    output: &mut Output<'_, D>,
) -> Done {
    let Some(along) = along.and_then(|along| along.known()) else {
        output.each_dim(&[Err(cause)]);
        return Ok(());
    };
    let dims = input.dims()?;
    let along = axis(along, dims.len())?;
    let dim = |at: usize| dims.get(at).filter(|_| at != along).cloned().ok_or(cause);
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
