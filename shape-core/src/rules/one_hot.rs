//! Indices as vectors with a single one.

use super::axes::axis;
use super::parameters::OneHot;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn one_hot<D: Dimension>(
    OneHot { indices, axis: along, depth }: OneHot<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if let Some(length) = depth.known().filter(|length| *length < 0) {
        return Err(Problem::Refused {
            code: Code::DimsNegative,
            message: "the depth is negative",
            expected: Detail::Text("0 or greater"),
            found: Detail::Int(length),
        }
        .into());
    }
    let dims = indices.dims()?;
    if dims.is_empty() {
        return Err(Problem::rank(
            "the indices are a scalar; they must have at least 1 dimension",
            Detail::Text("1 dimension or more"),
            0,
        )
        .into());
    }
    let rank = dims.len() + 1;
    let along = axis(along.known().ok_or(along.cause())?, rank)?;
    let dim = |at: usize| {
        if at == along {
            return depth.size();
        }
        dims.get(at - usize::from(at > along)).cloned().ok_or(UnknownCause::NotGiven)
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
