//! Operators whose outputs are those of graphs in their attributes.

use super::arguments::GraphOutput;
use super::axes::axis;
use super::parameters::{If, Loop, Scan, SequenceMap};
use super::{Done, Output};
use crate::dims::{Dimension, Dims, Input, UnknownCause};
use crate::elements::Scalar;
use crate::elements::arithmetic::Undecided;

/// What holds of either of two sizes.
fn either<D: Dimension>(one: &D, other: &D, cause: UnknownCause) -> Result<D, UnknownCause> {
    // What is not even the same as itself is unknown, and tells why.
    match (one.same_as(one), other.same_as(other)) {
        (false, _) => Ok(one.clone()),
        (_, false) => Ok(other.clone()),
        _ if one.same_as(other) => Ok(one.clone()),
        _ => Err(cause),
    }
}

/// The axes of a value, behind those that its graph does not know of.
fn behind<D>(dims: &[D], batch: usize) -> &[D] {
    dims.get(batch..).unwrap_or_default()
}

pub(super) fn r#if<D: Dimension>(If { cond, then_branch, else_branch }: If<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (place, _) = output.part();
    let (then, otherwise) = (then_branch.output(place), else_branch.output(place));
    let chosen = match cond.elements().ok().and_then(|elements| elements.get(0)) {
        Some(Scalar::Bool(true)) => Some(then),
        Some(Scalar::Bool(false)) => Some(otherwise),
        _ => None,
    };
    if let Some(chosen) = chosen {
        output.dims(Dims::Known(chosen.dims()?));
        let elements = chosen.elements()?;
        output.elements(Ok((elements.len(), &|index| elements.get(index).unwrap_or_else(differ))));
        return Ok(());
    }
    let (one, other) = (then.dims()?, otherwise.dims()?);
    if one.len() != other.len() {
        return Err(UnknownCause::Branches.into());
    }
    let dim = |at: usize| match (one.get(at), other.get(at)) {
        (Some(one), Some(other)) => either(one, other, UnknownCause::Branches),
        _ => Err(UnknownCause::NotGiven),
    };
    output.dims(Dims::Each(one.len(), &dim));
    let (one, other) = (then.elements()?, otherwise.elements()?);
    if one.len() != other.len() {
        return Err(UnknownCause::Branches.into());
    }
    let each = |index: usize| match (one.get(index), other.get(index)) {
        (Some(one), Some(other)) if one.same_as(&other) => one,
        _ => differ(),
    };
    output.elements(Ok((one.len(), &each)));
    Ok(())
}

fn differ<D: Dimension>() -> Scalar<D> {
    Scalar::undecided(Undecided::Branches)
}

/// A value that each round is given and leaves again: without a round it stays as it was.
fn carried<D: Dimension>(
    initial: &Input<'_, D>,
    left: &GraphOutput<'_, D>,
    batch: &[D],
    output: &mut Output<'_, D>,
) -> Done {
    let (before, after) = (behind(initial.dims()?, batch.len()), left.dims()?);
    if before.len() != after.len() {
        return Err(UnknownCause::Rounds.into());
    }
    let dim = |at: usize| match (batch.get(at), at.checked_sub(batch.len())) {
        (Some(dim), _) => Ok(dim.clone()),
        (None, Some(at)) => match (after.get(at), before.get(at)) {
            (Some(after), Some(before)) => either(after, before, UnknownCause::Rounds),
            _ => Err(UnknownCause::NotGiven),
        },
        (None, None) => Err(UnknownCause::NotGiven),
    };
    output.dims(Dims::Each(batch.len() + after.len(), &dim));
    Ok(())
}

/// What each round gives, put side by side along an axis.
fn stacked<D: Dimension>(
    each: &GraphOutput<'_, D>,
    along: i64,
    rounds: &Result<D, UnknownCause>,
    batch: &[D],
    output: &mut Output<'_, D>,
) -> Done {
    let dims = each.dims()?;
    let along = axis(along, dims.len() + 1)?;
    let dim = |at: usize| match (batch.get(at), at.checked_sub(batch.len())) {
        (Some(dim), _) => Ok(dim.clone()),
        (None, Some(at)) if at == along => rounds.clone(),
        (None, Some(at)) => dims.get(if at < along { at } else { at - 1 }).cloned().ok_or(UnknownCause::NotGiven),
        (None, None) => Err(UnknownCause::NotGiven),
    };
    output.dims(Dims::Each(batch.len() + dims.len() + 1, &dim));
    Ok(())
}

pub(super) fn r#loop<D: Dimension>(Loop { m, cond, body, v_initial }: Loop<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (place, _) = output.part();
    // The first output of the body is its condition.
    let given = body.output(place + 1);
    let initial = v_initial.count();
    if place < initial {
        let (initial, _) = v_initial.place(place);
        return carried(&initial, &given, &[], output);
    }
    let is_true = |elements: Result<crate::elements::Elements<'_, D>, UnknownCause>| {
        matches!(elements.ok().and_then(|elements| elements.get(0)), Some(Scalar::Bool(true)))
    };
    let goes_on = cond.is_none_or(|cond| is_true(cond.elements())) && is_true(body.output(0).elements());
    let rounds = match m {
        Some(m) if goes_on => match m.elements().map(|elements| elements.get(0)) {
            Ok(Some(Scalar::Int(count))) => Ok(D::from(u64::try_from(count).unwrap_or(0))),
            Ok(Some(Scalar::Size(count))) => Ok(count),
            Ok(_) => Err(UnknownCause::Data),
            Err(cause) => Err(cause),
        },
        _ => Err(UnknownCause::Data),
    };
    stacked(&given, 0, &rounds, &[], output)
}

pub(super) fn scan<D: Dimension>(
    Scan { batch, body, num_scan_inputs, scan_input_axes, scan_output_axes, inputs }: Scan<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let number = |list: &Option<super::List<'_, D>>, at: usize| {
        list.as_ref().and_then(|list| list.numbers().ok()?.int(at)).unwrap_or(0)
    };
    let (place, _) = output.part();
    let given = body.output(place);
    let scanned =
        num_scan_inputs.known().and_then(|count| usize::try_from(count).ok()).ok_or(UnknownCause::NotGiven)?;
    let states = inputs.count().checked_sub(scanned).ok_or(UnknownCause::NotGiven)?;
    // The first version has a batch as the first axis of all its values, which the body does not know of.
    let first = inputs.place(0).0;
    let batch = match batch {
        true => first.dims()?.get(..1).ok_or(UnknownCause::Dims(first.index))?,
        false => &[],
    };
    if place < states {
        let (initial, _) = inputs.place(place);
        return carried(&initial, &given, batch, output);
    }
    let mut rounds = Err(UnknownCause::Data);
    for index in 0..scanned {
        let (input, _) = inputs.place(states + index);
        let Ok(dims) = input.dims() else { continue };
        let dims = behind(dims, batch.len());
        let along = axis(number(&scan_input_axes, index), dims.len())?;
        // The one that says most: a number before all others.
        if let Some(length) = dims.get(along)
            && (rounds.is_err() || length.known().is_some())
        {
            rounds = Ok(length.clone());
        }
    }
    stacked(&given, number(&scan_output_axes, place - states), &rounds, batch, output)
}

pub(super) fn sequence_map<D: Dimension>(SequenceMap { body }: SequenceMap<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (place, _) = output.part();
    output.dims(Dims::Known(body.output(place).dims()?));
    Ok(())
}
