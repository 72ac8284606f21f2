//! Elements added around a tensor.

use super::axes::{Axes, axes};
use super::parameters::Pad;
use super::refuse::length;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output, size};

pub(super) fn pad<D: Dimension>(Pad { data, pads, axes: listed }: Pad<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = data.dims()?;
    let axes = axes(listed, dims.len())?;
    if let Axes::Unknown(cause, _) = axes {
        output.rank(dims.len(), cause);
        return Ok(());
    }
    let numbers = match pads.numbers() {
        Ok(numbers) => numbers,
        Err(cause) => {
            output.rank(dims.len(), cause);
            return Ok(());
        }
    };
    let count = axes.count(dims.len());
    let expected = count * 2;
    if numbers.len() != expected {
        return Err(length("the number of pads is not twice the number of axes", expected, numbers.len()).into());
    }
    let sum = |index: usize| {
        let (before, behind) = numbers.int(index).zip(numbers.int(index + count)).ok_or(pads.cause())?;
        before.checked_add(behind).ok_or(UnknownCause::PastLargest)
    };
    for at in 0..dims.len() {
        let (size, sum) = (dims.get(at).and_then(D::known), axes.position(at).and_then(|index| sum(index).ok()));
        let rest = size.and_then(|size| i64::try_from(size).ok()).zip(sum).map(|(size, sum)| size.saturating_add(sum));
        if let Some(rest) = rest.filter(|rest| *rest < 0) {
            return Err(Problem::Refused {
                code: Code::DimsNegative,
                message: "negative pads remove more than the size of an axis",
                expected: Detail::Text("a size of at least 0"),
                found: Detail::Int(rest),
            }
            .into());
        }
    }
    let dim = |at: usize| {
        let dim = data.dim(at)?;
        let Some(index) = axes.position(at) else { return Ok(dim) };
        let pad = |index: usize| numbers.get(index).ok_or(pads.cause());
        let (before, behind) = (pad(index)?, pad(index + count)?);
        if !matches!((&before, &behind), (Scalar::Int(_), Scalar::Int(_))) {
            // Negative pads remove; a node that removes more than there is does not run.
            return size(Scalar::size(dim).add(&before).add(&behind)).ok_or(pads.cause());
        }
        let sum = sum(index)?;
        let by = D::from(sum.unsigned_abs());
        if sum < 0 { dim.sub(&by).ok_or(UnknownCause::TooLarge) } else { dim.add(&by).ok_or(UnknownCause::PastLargest) }
    };
    output.dims(Dims::Each(dims.len(), &dim));
    if (0..numbers.len()).all(|index| numbers.int(index) == Some(0)) {
        output.elements_of(&data);
    }
    Ok(())
}
