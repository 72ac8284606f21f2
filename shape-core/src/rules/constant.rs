//! What an attribute carries as a tensor.

use crate::check::Problem;
use crate::data_type::DataType;
use crate::dims::{Because, Dimension, Dims, Outputs};
use crate::elements::{Elements, Scalar};
use crate::node::AttributeValue;
use crate::rules::Arguments;

/// `constant(value?, value_float?, value_floats?, value_int?, value_ints?, value_string?, value_strings?)`: the tensor, or
/// the number or text as a scalar, or the list of them.
pub(super) fn constant<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'static>> {
    /// As many parameters as there are.
    const PARAMETERS: usize = 7;
    let list = |outputs: &mut dyn Outputs<D>, count: usize| given.give(outputs, Dims::Known(&[D::from(count as u64)]));
    match (0..PARAMETERS).find_map(|parameter| given.value(parameter)) {
        Some(AttributeValue::Tensor(tensor)) => {
            let dim = |axis: usize| tensor.dim(axis).map(D::from).ok_or(Because::Data);
            given.give(outputs, Dims::Each(tensor.rank(), &dim));
            if tensor.data_type() == Some(DataType::Int64)
                && let Some(bytes) = tensor.bytes()
            {
                let elements: Elements<'_, D> = Elements::Bytes(bytes);
                given.give_elements(
                    outputs,
                    Ok((elements.len(), &|index| elements.get(index).unwrap_or(Scalar::Int(0)))),
                );
            }
        }
        Some(AttributeValue::Int(number)) => {
            given.give(outputs, Dims::Known(&[]));
            given.give_elements(outputs, Ok((1, &|_| Scalar::Int(number))));
        }
        Some(AttributeValue::Float(number)) => {
            given.give(outputs, Dims::Known(&[]));
            given.give_elements(outputs, Ok((1, &|_| Scalar::Float(number.into()))));
        }
        Some(AttributeValue::String(_)) => given.give(outputs, Dims::Known(&[])),
        Some(AttributeValue::Ints(numbers)) => {
            list(outputs, numbers.len());
            let each = |index: usize| Scalar::Int(numbers.get(index).copied().unwrap_or(0));
            given.give_elements(outputs, Ok((numbers.len(), &each)));
        }
        Some(AttributeValue::Floats(numbers)) => {
            list(outputs, numbers.len());
            let each = |index: usize| Scalar::Float(numbers.get(index).copied().unwrap_or(0.0).into());
            given.give_elements(outputs, Ok((numbers.len(), &each)));
        }
        Some(AttributeValue::Strings(texts)) => list(outputs, texts.len()),
        // A sparse tensor, or a reference to what a caller gives.
        _ => {}
    }
    Ok(())
}
