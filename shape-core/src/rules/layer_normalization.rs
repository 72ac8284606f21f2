//! What layer normalization computes on the way.

use super::axes::axis;
use super::parameters::LayerNormalizationStatistics;
use super::{Done, Output};
use crate::dims::{Dimension, Dims};

pub(super) fn layer_normalization_statistics<D: Dimension>(
    LayerNormalizationStatistics { x, axis: from }: LayerNormalizationStatistics<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = x.dims()?;
    let from = axis(from.known().unwrap_or(-1), dims.len())?;
    let dim = |at: usize| Ok(dims.get(at).filter(|_| at < from).cloned().unwrap_or_else(|| D::from(1)));
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
