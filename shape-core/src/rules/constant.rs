//! Values of attributes.

use super::grid::nothing;
use super::parameters::{Constant, ConstantOfShape, Sized};
use super::refuse::negative;
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::{Elements, Scalar};
use crate::facts::{Dims, UnknownCause};
use crate::node::AttributeValue;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

/// Larger tensors are not decoded: their elements are not computed with.
const MAX_ELEMENTS: usize = 1024;

/// The maximum number of elements of a tensor of another type than sizes, such as a scale for each axis. Larger ones are
/// weights.
const MAX_WEIGHTS: usize = 16;

pub(super) fn constant<D: Dimension>(
    Constant {
        value,
        sparse_value,
        value_float,
        value_floats,
        value_int,
        value_ints,
        value_string,
        value_strings,
    }: Constant<'_>,
    output: &mut Output<'_, D>,
) -> Done {
    let all = [value, sparse_value, value_float, value_floats, value_int, value_ints, value_string, value_strings];
    let list = |output: &mut Output<'_, D>, count: usize| output.dims(Dims::Known(&[D::from(count as u64)]));
    match all.into_iter().flatten().next() {
        Some(AttributeValue::Tensor(tensor)) => {
            let dim = |axis: usize| tensor.dim(axis).map(D::from).ok_or(UnknownCause::Data);
            output.dims(Dims::Each(tensor.rank(), &dim));
            if let Some(ty) = tensor.data_type().filter(|ty| Elements::<'_, D>::width(*ty).is_some()) {
                tensor.read(MAX_ELEMENTS, |bytes| {
                    let elements: Elements<'_, D> = Elements::Bytes(ty, bytes);
                    let each = |index: usize| elements.get(index).unwrap_or_else(nothing);
                    output.elements(Ok((elements.len(), &each)));
                });
            }
        }
        Some(AttributeValue::Int(number)) => {
            output.dims(Dims::Known(&[]));
            output.elements(Ok((1, &|_| Scalar::Int(number))));
        }
        Some(AttributeValue::Float(number)) => {
            output.dims(Dims::Known(&[]));
            output.elements(Ok((1, &|_| Scalar::Float(number.into()))));
        }
        Some(AttributeValue::String(_)) => output.dims(Dims::Known(&[])),
        Some(AttributeValue::Ints(numbers)) => {
            list(output, numbers.len());
            let each = |index: usize| Scalar::Int(numbers.get(index).copied().unwrap_or(0));
            output.elements(Ok((numbers.len(), &each)));
        }
        Some(AttributeValue::Floats(numbers)) => {
            list(output, numbers.len());
            let each = |index: usize| Scalar::Float(numbers.get(index).copied().unwrap_or(0.0).into());
            output.elements(Ok((numbers.len(), &each)));
        }
        Some(AttributeValue::Strings(texts)) => list(output, texts.len()),
        Some(AttributeValue::SparseTensor(tensor)) => {
            let dim = |axis: usize| tensor.dim(axis).map(D::from).ok_or(UnknownCause::Data);
            output.dims(Dims::Each(tensor.rank().ok_or(UnknownCause::Data)?, &dim));
        }
        // A reference to a value that the caller passes.
        _ => {}
    }
    Ok(())
}

pub(super) fn sized<D: Dimension>(Sized { shape }: Sized<'_, D>, output: &mut Output<'_, D>) -> Done {
    let rank = shape.len().ok_or(shape.cause())?;
    if let Ok(numbers) = &shape.numbers() {
        negative("a requested dimension is negative", numbers)?;
    }
    output.dims(Dims::Each(rank, &|at| shape.size(at)));
    Ok(())
}

pub(super) fn constant_of_shape<D: Dimension>(
    ConstantOfShape { input, value }: ConstantOfShape<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let tensor = if let Some(AttributeValue::Tensor(tensor)) = value { Some(tensor) } else { None };
    if let Some(rank) = tensor.map(|tensor| tensor.rank()).filter(|rank| *rank != 1) {
        return Err(
            Problem::rank("the value must be a list of one element", Detail::Counted(1, "dimension"), rank).into()
        );
    }
    sized(Sized { shape: input }, output)?;
    let (rank, listed) = (input.len().ok_or(input.cause())?, input.numbers());
    let count = (0..rank).try_fold(1_usize, |count, index| {
        usize::try_from(listed.ok()?.int(index)?).ok().and_then(|size| count.checked_mul(size))
    });
    let integers =
        matches!(tensor.and_then(|of| of.data_type()), Some(DataType::Int64 | DataType::Int32 | DataType::Bool));
    let most = if integers { MAX_ELEMENTS } else { MAX_WEIGHTS };
    let Some(count) = count.filter(|count| *count <= most) else {
        output.elements(Err(input.cause()));
        return Ok(());
    };
    let Some(tensor) = tensor else {
        output.elements(Ok((count, &|_| Scalar::Float(0.0))));
        return Ok(());
    };
    let Some(ty) = tensor.data_type() else { return Ok(()) };
    tensor.read(MAX_ELEMENTS, |bytes| {
        if let Some(element) = Elements::<'_, D>::Bytes(ty, bytes).get(0) {
            output.elements(Ok((count, &|_| element.clone())));
        }
    });
    Ok(())
}
