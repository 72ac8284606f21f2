//! Elements in a narrow type.

use super::parameters::Quantize;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::Dims;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn quantize<D: Dimension>(
    Quantize { x, y_zero_point, output_dtype }: Quantize<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if let (Some(current), Some(requested)) = (y_zero_point.and_then(|point| point.element_type()), output_dtype)
        && current != requested
    {
        return Err(Problem::Refused {
            code: Code::TypeMismatch,
            message: "the zero point and the requested output have different types",
            expected: Detail::Text(requested.name()),
            found: Detail::Text(current.name()),
        }
        .into());
    }
    output.dims(Dims::Known(x.dims()?));
    Ok(())
}
