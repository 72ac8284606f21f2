//! Values that may be absent.

use super::parameters::Optional;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
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
    output.dims(Dims::Known(input.ok_or(UnknownCause::NotGiven)?.dims()?));
    Ok(())
}
