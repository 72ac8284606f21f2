//! Losses over classes.

use super::parameters::Loss;
use super::refuse::{has_rank, shared};
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn loss<D: Dimension>(
    Loss { scores, labels, weights, reduction }: Loss<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if let Ok(dims) = scores.dims() {
        if dims.len() < 2 {
            return Err(Problem::rank(
                "scores have a batch and classes",
                Detail::Text("2 dimensions or more"),
                dims.len(),
            )
            .into());
        }
        has_rank(&labels, dims.len() - 1, "the labels have not one axis less than the scores")?;
    }
    if let Some(weights) = weights {
        has_rank(&weights, 1, "each class has one weight")?;
        _ = shared([scores.dim(1), weights.dim(0)], "there are not as many weights as classes")?;
    }
    let message = "the scores and the labels have different sizes";
    let both = |at: usize| shared([labels.dim(at), scores.dim(if at == 0 { 0 } else { at + 1 })], message);
    let rank = labels.dims().map(<[D]>::len).or_else(|_| scores.dims().map(|scores| scores.len() - 1));
    for at in 0..rank.unwrap_or(0) {
        _ = both(at)?;
    }
    if reduction != b"none" {
        output.dims(Dims::Known(&[]));
        return Ok(());
    }
    output.dims(Dims::Each(rank?, &|at| both(at).unwrap_or(Err(UnknownCause::MayDiffer))));
    Ok(())
}
