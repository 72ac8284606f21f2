//! Outputs that keep the dimensions of an input, if other parts of the node fit it.

use super::parameters::{Alike, BitCast, Dropout};
use super::refuse::{has_rank, rank, shared};
use crate::code::Code;
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn alike<D: Dimension>(Alike { inputs }: Alike<'_, D>, output: &mut Output<'_, D>) -> Done {
    let unknown = || inputs.iter().next().map_or(UnknownCause::NotGiven, |input| UnknownCause::Dims(input.index));
    let first = inputs.iter().find_map(|input| input.fact.dims).ok_or_else(unknown)?;
    for dims in inputs.iter().filter_map(|input| input.fact.dims) {
        if dims.len() != first.len() {
            return Err(rank("the inputs have different ranks", first.len(), dims.len()).into());
        }
    }
    let message = "the inputs have different sizes along an axis";
    let dim = |at: usize| shared(inputs.iter().map(|input| input.dim(at)), message);
    for at in 0..first.len() {
        _ = dim(at)?;
    }
    output.dims(Dims::Each(first.len(), &|at| dim(at).unwrap_or(Err(UnknownCause::MayDiffer))));
    Ok(())
}

pub(super) fn bit_cast<D: Dimension>(BitCast { input, to }: BitCast<'_, D>, output: &mut Output<'_, D>) -> Done {
    let bits = |ty: Option<DataType>| ty.and_then(DataType::bits).map(u64::from);
    if let (Some(current), Some(requested)) = (bits(input.element_type()), bits(to))
        && current != requested
    {
        let message = "the requested element type and that of the input have different numbers of bits";
        let (expected, found) = (Detail::Counted(current, "bits"), Detail::Counted(requested, "bits"));
        return Err(Problem::Refused { code: Code::AttributeValue, message, expected, found }.into());
    }
    output.dims(Dims::Known(input.dims()?));
    Ok(())
}

pub(super) fn dropout<D: Dimension>(
    Dropout { data, ratio, training_mode }: Dropout<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if let Some(ratio) = ratio {
        has_rank(&ratio, 0, "the ratio must be a scalar")?;
    }
    if let Some(training_mode) = training_mode {
        has_rank(&training_mode, 0, "the training mode must be a scalar")?;
    }
    let mode = |input: Input<'_, D>| input.fact.elements.and_then(|elements| elements.get(0));
    if training_mode.is_none_or(|input| mode(input) == Some(Scalar::Bool(false))) {
        output.elements_of(&data);
    }
    output.dims(Dims::Known(data.dims()?));
    Ok(())
}
