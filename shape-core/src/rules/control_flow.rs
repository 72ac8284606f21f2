//! Operators whose outputs are those of graphs in their attributes.

use super::axes::axis;
use super::parameters::{If, Loop, Scan, SequenceMap};
use super::refuse::{length, mismatch, rank, shared};
use crate::code::Code;
use crate::dimension::Dimension;
use crate::dimension::Undecided;
use crate::elements::{Elements, Scalar};
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::GraphOutput;
use crate::rule::{Done, List, Output, size};

/// The size of a value that has either of two sizes.
fn either<D: Dimension>(one: &D, other: &D, cause: UnknownCause) -> Result<D, UnknownCause> {
    // Only an unknown size differs from itself; it carries the reason.
    match (one.same_as(one), other.same_as(other)) {
        (false, _) => Ok(one.clone()),
        (_, false) => Ok(other.clone()),
        _ if one.same_as(other) => Ok(one.clone()),
        _ => Err(cause),
    }
}

/// The axes of a value after those that its graph does not see.
fn behind<D>(dims: &[D], batch: usize) -> &[D] {
    dims.get(batch..).unwrap_or_default()
}

/// The common dimensions of two values, after other axes.
///
/// # Errors
/// They differ.
fn alike<D: Dimension>(
    [one, other]: [Result<&[D], UnknownCause>; 2],
    message: &'static str,
    batch: &[Result<D, UnknownCause>],
    output: &mut Output<'_, D>,
) -> Done {
    let (one, other) = match (one, other) {
        (Ok(one), Ok(other)) => (one, other),
        (Ok(known), Err(_)) | (Err(_), Ok(known)) => (known, known),
        (Err(cause), Err(_)) => return Err(cause.into()),
    };
    if one.len() != other.len() {
        return Err(rank(message, one.len(), other.len()).into());
    }
    if let Some((one, other)) = one.iter().zip(other).find(|(one, other)| !one.may_equal(other)) {
        return Err(mismatch(message, one.known(), other.known()).into());
    }
    let dim = |at: usize| match (batch.get(at), at.checked_sub(batch.len())) {
        (Some(dim), _) => dim.clone(),
        (None, Some(at)) => {
            let both = [one, other].into_iter().filter_map(|dims| dims.get(at).cloned().map(Ok));
            shared(both, message).unwrap_or(Err(UnknownCause::NotGiven))
        }
        (None, None) => Err(UnknownCause::NotGiven),
    };
    output.dims(Dims::Each(batch.len() + one.len(), &dim));
    Ok(())
}

pub(super) fn r#if<D: Dimension>(
    If { cond, then_branch, else_branch, same }: If<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (index, _) = output.part();
    let (then, otherwise) = (then_branch.output(index), else_branch.output(index));
    if same {
        alike([then.dims(), otherwise.dims()], "the branches return different dimensions", &[], output)?;
    }
    let chosen = match cond.elements().ok().and_then(|elements| elements.get(0)) {
        Some(Scalar::Bool(true)) => Some(then),
        Some(Scalar::Bool(false)) => Some(otherwise),
        _ => None,
    };
    if let Some(chosen) = chosen {
        if !same {
            output.dims(Dims::Known(chosen.dims()?));
        }
        let elements = chosen.elements()?;
        output.elements(Ok((elements.len(), &|index| elements.get(index).unwrap_or_else(differ))));
        return Ok(());
    }
    if !same {
        let (one, other) = (then.dims()?, otherwise.dims()?);
        if one.len() != other.len() {
            return Err(UnknownCause::Branches.into());
        }
        let dim = |at: usize| match (one.get(at), other.get(at)) {
            (Some(one), Some(other)) => either(one, other, UnknownCause::Branches),
            _ => Err(UnknownCause::NotGiven),
        };
        output.dims(Dims::Each(one.len(), &dim));
    }
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

/// A value carried from iteration to iteration, which may change its dimensions; without an iteration it is unchanged.
fn carried<D: Dimension>(initial: &Input<'_, D>, left: &GraphOutput<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (before, after) = (initial.dims()?, left.dims()?);
    if before.len() != after.len() {
        return Err(UnknownCause::Rounds.into());
    }
    let dim = |at: usize| match (after.get(at), before.get(at)) {
        (Some(after), Some(before)) => either(after, before, UnknownCause::Rounds),
        _ => Err(UnknownCause::NotGiven),
    };
    output.dims(Dims::Each(after.len(), &dim));
    Ok(())
}

/// The outputs of all iterations, stacked along an axis.
fn stacked<D: Dimension>(
    each: &GraphOutput<'_, D>,
    along: i64,
    rounds: &Result<D, UnknownCause>,
    batch: &[Result<D, UnknownCause>],
    output: &mut Output<'_, D>,
) -> Done {
    let dims = each.dims()?;
    let along = axis(along, dims.len() + 1)?;
    let dim = |at: usize| match (batch.get(at), at.checked_sub(batch.len())) {
        (Some(dim), _) => dim.clone(),
        (None, Some(at)) if at == along => rounds.clone(),
        (None, Some(at)) => dims.get(if at < along { at } else { at - 1 }).cloned().ok_or(UnknownCause::NotGiven),
        (None, None) => Err(UnknownCause::NotGiven),
    };
    output.dims(Dims::Each(batch.len() + dims.len() + 1, &dim));
    Ok(())
}

pub(super) fn r#loop<D: Dimension>(Loop { m, cond, body, v_initial }: Loop<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (index, _) = output.part();
    // The first output of the body is its condition.
    let given = body.output(index + 1);
    let initial = v_initial.count();
    if index < initial {
        let (initial, _) = v_initial.at(index);
        return carried(&initial, &given, output);
    }
    let truth = |elements: Result<Elements<'_, D>, UnknownCause>| match elements.ok()?.get(0)? {
        Scalar::Bool(value) => Some(value),
        _ => None,
    };
    let begins = cond.map_or(Some(true), |cond| truth(cond.elements()));
    let goes_on = begins == Some(true) && truth(body.output(0).elements()) == Some(true);
    let most = m.map(|m| match m.elements().map(|elements| elements.get(0)) {
        Ok(Some(Scalar::Int(count))) => Ok(D::from(u64::try_from(count).unwrap_or(0))),
        Ok(Some(count)) => size(count.max(&Scalar::Int(0))).ok_or(UnknownCause::Data),
        Ok(None) => Err(UnknownCause::Data),
        Err(cause) => Err(cause),
    });
    let rounds = match most {
        _ if begins == Some(false) => Ok(D::from(0)),
        Some(Ok(most)) if goes_on || most.known() == Some(0) => Ok(most),
        Some(Err(cause)) => Err(cause),
        _ => Err(UnknownCause::Common),
    };
    stacked(&given, 0, &rounds, &[], output)
}

pub(super) fn scan<D: Dimension>(
    Scan { batch, body, num_scan_inputs, scan_input_axes, scan_output_axes, inputs }: Scan<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let number = |list: &Option<List<'_, D>>, at: usize| {
        list.as_ref().and_then(|list| list.numbers().ok()?.int(at)).unwrap_or(0)
    };
    let (index, outputs) = output.part();
    let given = body.output(index);
    let scanned =
        num_scan_inputs.known().and_then(|count| usize::try_from(count).ok()).ok_or(UnknownCause::NotGiven)?;
    let Some(states) = inputs.count().checked_sub(scanned) else {
        return Err(Problem::Refused {
            code: Code::InputCount,
            message: "the node has fewer inputs than scan inputs",
            expected: Detail::Counted(scanned as u64, "inputs or more"),
            found: Detail::Counted(inputs.count() as u64, "inputs"),
        }
        .into());
    };
    let Some(stacked_outputs) = outputs.checked_sub(states) else {
        return Err(Problem::Refused {
            code: Code::OutputCount,
            message: "the node has fewer outputs than state variables",
            expected: Detail::Counted(states as u64, "outputs or more"),
            found: Detail::Counted(outputs as u64, "outputs"),
        }
        .into());
    };
    let lists = [(&scan_input_axes, scanned), (&scan_output_axes, stacked_outputs)];
    for (list, count) in lists {
        if let Some(found) = list.as_ref().and_then(List::len).filter(|found| *found != count) {
            return Err(
                length("the number of axes differs from the number of scan inputs or outputs", count, found).into()
            );
        }
    }
    // In the first version all values have a batch as their first axis, which the body does not see.
    let mut entries = Err(UnknownCause::NotGiven);
    for index in 0..if batch { inputs.count() } else { 0 } {
        let input = inputs.at(index).0;
        let first = match input.dims() {
            Ok([]) => {
                return Err(Problem::rank(
                    "an input is a scalar; it must have a batch dimension",
                    Detail::Text("1 dimension or more"),
                    0,
                )
                .into());
            }
            Ok(_) => input.dim(0),
            Err(cause) => Err(cause),
        };
        entries = shared([entries, first], "the inputs have different batch sizes")?;
    }
    let entries = [entries];
    let batch = if batch { entries.as_slice() } else { &[] };
    if index < states {
        let initial = inputs.at(index).0;
        let before = initial.dims().map(|dims| behind(dims, batch.len()));
        return alike([before, given.dims()], "the body changes the dimensions of a state variable", batch, output);
    }
    let mut rounds = Err(UnknownCause::NotGiven);
    for index in 0..scanned {
        let (input, _) = inputs.at(states + index);
        let length = match input.dims() {
            Ok(dims) => {
                let along = axis(number(&scan_input_axes, index), dims.len().saturating_sub(batch.len()))?;
                input.dim(along + batch.len())
            }
            Err(cause) => Err(cause),
        };
        rounds = shared([rounds, length], "the scan inputs have different lengths")?;
    }
    stacked(&given, number(&scan_output_axes, index - states), &rounds, batch, output)
}

pub(super) fn sequence_map<D: Dimension>(SequenceMap { body }: SequenceMap<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (index, _) = output.part();
    output.dims(Dims::Known(body.output(index).dims()?));
    Ok(())
}
