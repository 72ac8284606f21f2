//! Values that may be absent.

use super::parameters::Optional;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::node::AttributeValue;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn optional<D: Dimension>(Optional { input, of }: Optional<'_, D>, output: &mut Output<'_, D>) -> Done {
    if input.is_none() && of.is_none() {
        return Err(Problem::Refused {
            code: Code::AttributeMissing,
            message: "the node has neither an input nor a type",
            expected: Detail::Text("an input or a type"),
            found: Detail::Text("neither"),
        }
        .into());
    }
    match (input, of) {
        (Some(input), _) => output.dims(Dims::Known(input.dims()?)),
        (None, Some(AttributeValue::TypeProto(ty))) => {
            let dim = |axis: usize| ty.dim(axis).map(D::from).ok_or(UnknownCause::NotGiven);
            output.dims(Dims::Each(ty.rank().ok_or(UnknownCause::NotGiven)?, &dim));
        }
        // A reference to a type that the caller of a function passes.
        (None, _) => return Err(UnknownCause::NotGiven.into()),
    }
    Ok(())
}
