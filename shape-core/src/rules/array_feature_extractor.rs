//! Features picked from the last axis.

use super::parameters::ArrayFeatureExtractor;
use crate::dimension::{Dimension, Product};
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn array_feature_extractor<D: Dimension>(
    ArrayFeatureExtractor { x, y }: ArrayFeatureExtractor<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let dims = x.dims()?;
    if dims.is_empty() {
        return Err(Problem::rank(
            "the input is a scalar; it must have at least 1 dimension",
            Detail::Text("1 dimension or more"),
            0,
        )
        .into());
    }
    let count = y.dims().and_then(|dims| Product::of(dims).ok_or(UnknownCause::PastLargest));
    let rank = dims.len().max(2);
    let dim = |at: usize| match dims.get(at) {
        _ if at + 1 == rank => count.clone(),
        Some(dim) if dims.len() > 1 => Ok(dim.clone()),
        _ => Ok(D::from(1)),
    };
    output.dims(Dims::Each(rank, &dim));
    Ok(())
}
