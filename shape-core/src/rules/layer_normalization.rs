//! Axes that are normalized together, from one on up to the last.

use super::axes::axis;
use super::parameters::{LayerNormalization, LayerNormalizationStatistics};
use crate::dimension::Dimension;
use crate::facts::{Dims, Input};
use crate::rule::{Done, Integer, Output, Stop};

/// The dimensions of a tensor, and the first of the axes.
fn normalized<'a, D: Dimension>(x: &Input<'a, D>, from: &Integer<'_, D>) -> Result<(&'a [D], usize), Stop<'static>> {
    let dims = x.dims()?;
    Ok((dims, axis(from.known().ok_or(from.cause())?, dims.len())?))
}

pub(super) fn layer_normalization<D: Dimension>(
    LayerNormalization { x, axis: from }: LayerNormalization<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (dims, _) = normalized(&x, &from)?;
    output.dims(Dims::Known(dims));
    Ok(())
}

pub(super) fn layer_normalization_statistics<D: Dimension>(
    LayerNormalizationStatistics { x, axis: from }: LayerNormalizationStatistics<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let (dims, from) = normalized(&x, &from)?;
    let dim = |at: usize| Ok(dims.get(at).filter(|_| at < from).cloned().unwrap_or_else(|| D::from(1)));
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
