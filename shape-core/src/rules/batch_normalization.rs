//! Channels with mean 0 and variance 1.

use core::iter;

use super::parameters::{BatchNormalization, BatchNormalizationStatistics};
use super::refuse::{has_rank, shared};
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, InputList, Output};

/// The number of channels; every parameter has one number for each.
fn channels<D: Dimension>(
    x: &Input<'_, D>,
    parameters: &InputList<'_, D>,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    for parameter in parameters.iter() {
        has_rank(&parameter, 1, "a parameter must have 1 dimension, with one entry for each channel")?;
    }
    // A tensor without an axis of channels has one channel.
    let channels = x.dims().map(|dims| dims.get(1).cloned().unwrap_or_else(|| D::from(1)));
    let numbers = iter::once(channels).chain(parameters.iter().map(|parameter| parameter.dim(0)));
    shared(numbers, "the inputs have different numbers of channels")
}

pub(super) fn batch_normalization<D: Dimension>(
    BatchNormalization { x, training_mode, parameters }: BatchNormalization<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    _ = channels(&x, &parameters)?;
    let (_, found) = output.part();
    let expected = if training_mode { 3 } else { 1 };
    if found != expected {
        return Err(Problem::Refused {
            code: Code::OutputCount,
            message: "the running mean and variance are outputs in training mode only, and only together",
            expected: Detail::Counted(expected as u64, "outputs"),
            found: Detail::Counted(found as u64, "outputs"),
        }
        .into());
    }
    output.dims(Dims::Known(x.dims()?));
    Ok(())
}

pub(super) fn batch_normalization_statistics<D: Dimension>(
    BatchNormalizationStatistics { x, parameters }: BatchNormalizationStatistics<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.each_dim(&[channels(&x, &parameters)?]);
    Ok(())
}
