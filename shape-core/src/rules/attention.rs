//! Attention over heads that have an axis (4-D) or lie side by side among the features (3-D).
//!
//! A query has a batch, heads and steps, and for each of these features; keys and values likewise, with heads and steps
//! of their own. Keys and values of earlier steps stand before the new ones.

use super::parameters::{Attention, AttentionPresent, AttentionQkMatmul, LinearAttentionState};
use super::refuse::{divided, mismatch, rank, rank_not, shared};
use super::{Done, Integer, Output};
use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Input, UnknownCause};

/// The rank that inputs share, 3 or 4, where it is known of one.
fn shared_rank<D: Dimension>(inputs: &[Input<'_, D>]) -> Result<Result<usize, UnknownCause>, Problem<'static>> {
    let mut shared = Err(UnknownCause::NotGiven);
    for input in inputs {
        match (input.dims(), shared) {
            (Ok(dims), _) if dims.len() != 3 && dims.len() != 4 => {
                return Err(rank_not("attention has heads or features", Detail::Text("3 or 4 dimensions"), dims.len()));
            }
            (Ok(dims), Ok(first)) if dims.len() != first => {
                return Err(rank("the inputs have different ranks", first, dims.len()));
            }
            (Ok(dims), _) => shared = Ok(dims.len()),
            (Err(cause), Err(UnknownCause::NotGiven)) => shared = Err(cause),
            (Err(_), _) => {}
        }
    }
    Ok(shared)
}

/// The number of heads, which only inputs of rank 3 must be told.
fn heads<D: Dimension>(heads: Option<Integer<'_, D>>) -> Result<D, UnknownCause> {
    heads.ok_or(UnknownCause::Data)?.size()
}

/// The features of one head of several.
///
/// # Errors
/// They do not divide.
fn per_head<D: Dimension>(
    features: Result<D, UnknownCause>,
    heads: Result<D, UnknownCause>,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    let (features, heads) = match (features, heads) {
        (Ok(features), Ok(heads)) => (features, heads),
        (Err(cause), _) | (_, Err(cause)) => return Ok(Err(cause)),
    };
    match divided(&features, &heads) {
        Some(each) => Ok(Ok(each)),
        None => {
            Err(mismatch("the features cannot be shared out equally among the heads", heads.known(), features.known()))
        }
    }
}

const BATCHES: &str = "the inputs are of different batches";

pub(super) fn attention<D: Dimension>(
    Attention { q, k, v, q_num_heads, kv_num_heads }: Attention<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let apart = shared_rank(&[q, k, v])?? == 4;
    let batch = shared([q.dim(0), k.dim(0), v.dim(0)], BATCHES)?;
    if apart {
        _ = shared([q.dim(3), k.dim(3)], "a query and a key have different numbers of features")?;
        output.each_dim(&[batch, q.dim(1), q.dim(2), v.dim(3)]);
        return Ok(());
    }
    let each = per_head(v.dim(2), heads(kv_num_heads))?;
    let features = each.and_then(|each| each.mul(&heads(q_num_heads)?).ok_or(UnknownCause::TooLarge));
    output.each_dim(&[batch, q.dim(1), features]);
    Ok(())
}

/// The steps of earlier keys and of the new ones.
fn steps<D: Dimension>(new: Result<D, UnknownCause>, past: Option<Input<'_, D>>) -> Result<D, UnknownCause> {
    match past {
        None => new,
        Some(past) => new?.add(&past.dim(2)?).ok_or(UnknownCause::TooLarge),
    }
}

pub(super) fn attention_present<D: Dimension>(
    AttentionPresent { k, past, kv_num_heads }: AttentionPresent<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let earlier = past.unwrap_or_default();
    earlier.has_rank(4, "what was kept has a batch, heads, steps and features")?;
    let batch = shared([k.dim(0), earlier.dim(0)], "what was kept is of another batch")?;
    let heads = || heads(kv_num_heads);
    let (own_heads, new, features) = match shared_rank(&[k])? {
        Ok(4) => (k.dim(1), k.dim(2), k.dim(3)),
        Ok(_) => (heads(), k.dim(1), per_head(k.dim(2), heads())?),
        Err(cause) => (heads(), Err(cause), Err(cause)),
    };
    let heads = shared([own_heads, earlier.dim(1)], "what was kept has other heads")?;
    let features = shared([features, earlier.dim(3)], "what was kept has other features")?;
    output.each_dim(&[batch, heads, steps(new, past), features]);
    Ok(())
}

pub(super) fn attention_qk_matmul<D: Dimension>(
    AttentionQkMatmul { q, k, past, q_num_heads }: AttentionQkMatmul<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let rank = shared_rank(&[q, k])?;
    let batch = shared([q.dim(0), k.dim(0)], BATCHES)?;
    let (heads, queries, keys) = match rank {
        Ok(4) => (q.dim(1), q.dim(2), k.dim(2)),
        Ok(_) => (heads(q_num_heads), q.dim(1), k.dim(1)),
        Err(cause) => {
            output.rank(4, cause);
            return Ok(());
        }
    };
    output.each_dim(&[batch, heads, queries, steps(keys, past)]);
    Ok(())
}

pub(super) fn linear_attention_state<D: Dimension>(
    LinearAttentionState { key, value, past_state, heads }: LinearAttentionState<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    for input in [key, value] {
        input.has_rank(3, "a sequence has a batch, steps and features")?;
    }
    let past = past_state.unwrap_or_default();
    past.has_rank(4, "a state has a batch, heads, and a matrix")?;
    let batch = shared([key.dim(0), value.dim(0), past.dim(0)], BATCHES)?;
    let heads = heads.size();
    let side = |input: Input<'_, D>, axis: usize| -> Result<Result<D, UnknownCause>, Problem<'static>> {
        match (per_head(input.dim(2), heads.clone())?, past.dim(axis)) {
            (Ok(each), Ok(past)) if !each.may_equal(&past) => {
                Err(mismatch("the state is of another size than a head", each.known(), past.known()))
            }
            (Err(_), Ok(past)) => Ok(Ok(past)),
            (each, _) => Ok(each),
        }
    };
    output.each_dim(&[batch, heads.clone(), side(key, 2)?, side(value, 3)?]);
    Ok(())
}
