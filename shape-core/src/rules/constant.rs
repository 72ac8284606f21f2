//! What an attribute carries as a tensor.

use crate::check::Problem;
use crate::data_type::DataType;
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::elements::{Elements, Scalar};
use crate::node::AttributeValue;
use crate::rules::Arguments;
use crate::rules::grid::nothing;

/// More elements than this are not decoded: nobody follows them.
const MOST_ELEMENTS: usize = 1024;

/// The most elements of what is no list of sizes: a scale for each axis. More are weights.
const MOST_WEIGHTS: usize = 16;

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
            let dim = |axis: usize| tensor.dim(axis).map(D::from).ok_or(UnknownCause::Data);
            given.give(outputs, Dims::Each(tensor.rank(), &dim));
            if let Some(ty) = tensor.data_type().filter(|ty| Elements::<'_, D>::width(*ty).is_some()) {
                tensor.read(MOST_ELEMENTS, |bytes| {
                    let elements: Elements<'_, D> = Elements::Bytes(ty, bytes);
                    let each = |index: usize| elements.get(index).unwrap_or_else(nothing);
                    given.give_elements(outputs, Ok((elements.len(), &each)));
                });
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

/// `filled(shape, value?)`: as many times the one element of `value`, or 0 as a float, as `shape` asks for.
pub(super) fn filled<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'static>> {
    let numbers = match given.numbers(0) {
        Ok(Some(numbers)) => numbers,
        Ok(None) => return Ok(()),
        Err(because) => {
            given.give_elements(outputs, Err(because));
            return Ok(());
        }
    };
    let count = (0..numbers.len()).try_fold(1_usize, |count, index| {
        usize::try_from(numbers.int(index)?).ok().and_then(|size| count.checked_mul(size))
    });
    let integers = match given.value(1) {
        Some(AttributeValue::Tensor(tensor)) => {
            matches!(tensor.data_type(), Some(DataType::Int64 | DataType::Int32 | DataType::Bool))
        }
        _ => false,
    };
    let most = if integers { MOST_ELEMENTS } else { MOST_WEIGHTS };
    let Some(count) = count.filter(|count| *count <= most) else {
        given.give_elements(outputs, Err(given.blame(&[0])));
        return Ok(());
    };
    match given.value(1) {
        Some(AttributeValue::Tensor(tensor)) => {
            let Some(ty) = tensor.data_type() else { return Ok(()) };
            tensor.read(MOST_ELEMENTS, |bytes| {
                if let Some(element) = Elements::<'_, D>::Bytes(ty, bytes).get(0) {
                    given.give_elements(outputs, Ok((count, &|_| element.clone())));
                }
            });
        }
        _ => given.give_elements(outputs, Ok((count, &|_| Scalar::Float(0.0)))),
    }
    Ok(())
}
