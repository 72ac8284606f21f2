//! Attention over heads that have an axis (4-D) or are merged into the features (3-D).
//!
//! A query has the axes batch, heads, steps and features; so do keys and values, whose heads and steps may differ. Keys and
//! values of earlier steps come before the new ones.

use super::axes::axis;
use super::parameters::{
    Attention, AttentionPresent, AttentionQkMatmul, LinearAttention, RotaryEmbedding, TensorScatter,
};
use super::refuse::{has_rank, mismatch, rank, shared};
use crate::code::Code;
use crate::dimension::{Dimension, Product};
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Integer, Output};

/// The rank that inputs share, 3 or 4, if it is known of one.
fn shared_rank<D: Dimension>(inputs: &[Input<'_, D>]) -> Result<Result<usize, UnknownCause>, Problem<'static>> {
    let mut shared = Err(UnknownCause::NotGiven);
    for input in inputs {
        match (input.dims(), shared) {
            (Ok(dims), _) if dims.len() != 3 && dims.len() != 4 => {
                return Err(Problem::rank(
                    "an input of attention must have 3 or 4 dimensions",
                    Detail::Text("3 or 4 dimensions"),
                    dims.len(),
                ));
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

/// The number of heads, which the attributes set only for inputs of rank 3.
fn heads<D: Dimension>(heads: Option<Integer<'_, D>>) -> Result<D, UnknownCause> {
    heads.ok_or(UnknownCause::Data)?.size()
}

/// The features of one head.
///
/// # Errors
/// The heads do not divide the features.
fn per_head<D: Dimension>(
    features: Result<D, UnknownCause>,
    heads: Result<D, UnknownCause>,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    let (features, heads) = match (features, heads) {
        (Ok(features), Ok(heads)) => (features, heads),
        (Err(cause), _) | (_, Err(cause)) => return Ok(Err(cause)),
    };
    match features.div_exact(&heads) {
        Some(each) => Ok(Ok(each)),
        None => Err(mismatch(
            "the number of features is not divisible by the number of heads",
            heads.known(),
            features.known(),
        )),
    }
}

const UNCOUNTED: &str = "without a number of heads, the inputs must have 4 dimensions";

const BATCHES: &str = "the inputs have different batch sizes";

/// Checks that the heads of a query are a multiple of those of the keys and values.
fn share_heads<D: Dimension>(
    queries: &Result<D, UnknownCause>,
    keys: &Result<D, UnknownCause>,
) -> Result<(), Problem<'static>> {
    match (queries, keys) {
        (Ok(queries), Ok(keys)) if queries.div_exact(keys).is_none() => {
            let message = "the number of query heads is not divisible by the number of key heads";
            Err(mismatch(message, keys.known(), queries.known()))
        }
        _ => Ok(()),
    }
}

pub(super) fn attention<D: Dimension>(
    Attention { q, k, v, q_num_heads, kv_num_heads, past_key, past_value }: Attention<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.multiply_adds(&|| {
        let apart = q.dims()?.len() == 4;
        let past_largest = UnknownCause::PastLargest;
        // Each feature of a query meets each key, and so does each feature of the output.
        let keys = steps(k.dim(if apart { 2 } else { 1 }), past_key)?;
        let queries = if apart { q.dim(1)?.mul(&q.dim(2)?).ok_or(past_largest)? } else { q.dim(1)? };
        let features = match apart {
            true => v.dim(3)?,
            // The heads of the keys and values may be fewer than those of the queries.
            false => {
                let (heads, of) = (heads(q_num_heads)?, heads(kv_num_heads)?);
                let each = v.dim(2)?.div_exact(&of).ok_or(UnknownCause::NotGiven)?;
                each.mul(&heads).ok_or(past_largest)?
            }
        };
        let features = q.dim(if apart { 3 } else { 2 })?.add(&features).ok_or(past_largest)?;
        Product::of(&[q.dim(0)?, queries, features, keys]).ok_or(past_largest)
    });
    let apart = shared_rank(&[q, k, v])?? == 4;
    if !apart && (q_num_heads.is_none() || kv_num_heads.is_none()) {
        return Err(rank(UNCOUNTED, 4, 3).into());
    }
    let batch = shared([q.dim(0), k.dim(0), v.dim(0)], BATCHES)?;
    let steps = if apart { 2 } else { 1 };
    _ = shared([k.dim(steps), v.dim(steps)], "the keys and the values have different sequence lengths")?;
    let (queries, keys) = if apart {
        (q.dim(1), shared([k.dim(1), v.dim(1)], "the keys and the values have different numbers of heads")?)
    } else {
        (heads(q_num_heads), heads(kv_num_heads))
    };
    share_heads(&queries, &keys)?;
    let each = |input: Input<'_, D>, heads: &Result<D, UnknownCause>| {
        if apart { Ok(input.dim(3)) } else { per_head(input.dim(2), heads.clone()) }
    };
    _ = shared([each(q, &queries)?, each(k, &keys)?], "the queries and the keys have different numbers of features")?;
    let features = each(v, &keys)?;
    _ = present(k, past_key, kv_num_heads)?;
    _ = present(v, past_value, kv_num_heads)?;
    let earlier = [past_key, past_value].map(|past| past.unwrap_or_default().dim(2));
    _ = shared(earlier, "the past keys and the past values have different sequence lengths")?;
    if apart {
        output.each_dim(&[batch, queries, q.dim(2), features]);
        return Ok(());
    }
    let features = features.and_then(|each| each.mul(&queries?).ok_or(UnknownCause::PastLargest));
    output.each_dim(&[batch, q.dim(1), features]);
    Ok(())
}

/// The sum of the earlier and the new steps.
fn steps<D: Dimension>(new: Result<D, UnknownCause>, past: Option<Input<'_, D>>) -> Result<D, UnknownCause> {
    match past {
        None => new,
        Some(past) => new?.add(&past.dim(2)?).ok_or(UnknownCause::PastLargest),
    }
}

/// What is kept for the next step: a batch, heads, steps and features.
fn present<D: Dimension>(
    new: Input<'_, D>,
    past: Option<Input<'_, D>>,
    kv_num_heads: Option<Integer<'_, D>>,
) -> Result<[Result<D, UnknownCause>; 4], Problem<'static>> {
    let earlier = past.unwrap_or_default();
    has_rank(&earlier, 4, "past keys and values must have 4 dimensions: batch, heads, sequence and features")?;
    let batch = shared([new.dim(0), earlier.dim(0)], "the past and the new keys or values have different batch sizes")?;
    let heads = || heads(kv_num_heads);
    let (own_heads, own_steps, features) = match shared_rank(&[new])? {
        Ok(4) => (new.dim(1), new.dim(2), new.dim(3)),
        Ok(_) => (heads(), new.dim(1), per_head(new.dim(2), heads())?),
        // Beside inputs that have an axis of heads, some versions let the attribute pass.
        Err(cause) => (Err(cause), Err(cause), Err(cause)),
    };
    let heads =
        shared([own_heads, earlier.dim(1)], "the past and the new keys or values have different numbers of heads")?;
    let features =
        shared([features, earlier.dim(3)], "the past and the new keys or values have different numbers of features")?;
    Ok([batch, heads, steps(own_steps, past), features])
}

pub(super) fn attention_present<D: Dimension>(
    AttentionPresent { k, past, kv_num_heads }: AttentionPresent<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.each_dim(&present(k, past, kv_num_heads)?);
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

/// Checks that a size can equal one of several.
fn fits<D: Dimension>(
    size: Result<D, UnknownCause>,
    among: &[&Result<D, UnknownCause>],
    message: &'static str,
) -> Result<(), Problem<'static>> {
    let Ok(size) = size else { return Ok(()) };
    if among.iter().any(|one| one.as_ref().map_or(true, |one| one.may_equal(&size))) {
        return Ok(());
    }
    let expected = among.iter().find_map(|one| one.as_ref().ok()?.known());
    Err(mismatch(message, expected, size.known()))
}

pub(super) fn linear_attention<D: Dimension>(
    LinearAttention {
        state,
        query,
        key,
        value,
        past_state,
        decay,
        beta,
        q_num_heads,
        kv_num_heads,
        update_rule,
    }: LinearAttention<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let decays = (update_rule.starts_with(b"gated"), decay, "a decay");
    let corrects = (update_rule.ends_with(b"delta"), beta, "a beta");
    for (needed, input, name) in [decays, corrects] {
        if needed != input.is_some() {
            let (code, expected, found) =
                if needed { (Code::InputMissing, name, "none") } else { (Code::ArgumentsExclusive, "none", name) };
            let (expected, found) = (Detail::Text(expected), Detail::Text(found));
            return Err(
                Problem::Refused { code, message: "the inputs do not match the update rule", expected, found }.into()
            );
        }
    }
    let past = past_state.unwrap_or_default();
    has_rank(&past, 4, "the past state must have 4 dimensions: batch, heads, rows and columns")?;
    let (decay, beta) = (decay.unwrap_or_default(), beta.unwrap_or_default());
    let sequences = [query, key, value, decay, beta];
    for input in sequences {
        has_rank(&input, 3, "the input must have 3 dimensions: batch, sequence and features")?;
    }
    let batch = shared(sequences.map(|input| input.dim(0)).into_iter().chain([past.dim(0)]), BATCHES)?;
    let steps = shared(sequences.map(|input| input.dim(1)), "the inputs have different sequence lengths")?;
    let (queries, heads) = (q_num_heads.size(), kv_num_heads.size());
    share_heads(&queries, &heads)?;
    let rows = [per_head(query.dim(2), queries.clone())?, per_head(key.dim(2), heads.clone())?, past.dim(2)];
    let rows = shared(rows, "the queries, the keys and the state have different numbers of features")?;
    let columns = [per_head(value.dim(2), heads.clone())?, past.dim(3)];
    let columns = shared(columns, "the values and the state have different numbers of features")?;
    let heads = shared([heads, past.dim(1)], "the state and the inputs have different numbers of heads")?;
    let all_rows = heads.clone().and_then(|heads| rows.clone()?.mul(&heads).ok_or(UnknownCause::PastLargest));
    fits(
        decay.dim(2),
        &[&heads, &all_rows],
        "the decay must have one entry for each head, or for each row of each head",
    )?;
    fits(beta.dim(2), &[&heads, &Ok(D::from(1))], "the beta must have one entry for each head, or a single entry")?;
    if state {
        output.each_dim(&[batch, heads, rows, columns]);
    } else {
        let features = columns.and_then(|each| each.mul(&queries?).ok_or(UnknownCause::PastLargest));
        output.each_dim(&[batch, steps, features]);
    }
    Ok(())
}

pub(super) fn rotary_embedding<D: Dimension>(
    RotaryEmbedding { x, num_heads }: RotaryEmbedding<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if shared_rank(&[x])?? == 3 {
        if num_heads.is_none() {
            return Err(rank(UNCOUNTED, 4, 3).into());
        }
        _ = per_head(x.dim(2), heads(num_heads))?;
    }
    output.dims(Dims::Known(x.dims()?));
    Ok(())
}

pub(super) fn tensor_scatter<D: Dimension>(
    TensorScatter { past_cache, update, write_indices, axis: along }: TensorScatter<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let indices = write_indices.unwrap_or_default();
    has_rank(&indices, 1, "the indices must have 1 dimension")?;
    let dims = past_cache.dims()?;
    has_rank(&update, dims.len(), "the update and the cache have different ranks")?;
    let along = axis(along.known().ok_or(along.cause())?, dims.len())?;
    if along == 0 {
        return Err(Problem::rank(
            "the axis must not be 0, which is the batch",
            Detail::Text("a later axis"),
            dims.len(),
        )
        .into());
    }
    let dim = |at: usize| {
        let index = if at == 0 { indices.dim(0) } else { Err(UnknownCause::NotGiven) };
        let update = if at == along { Err(UnknownCause::NotGiven) } else { update.dim(at) };
        shared([past_cache.dim(at), update, index], "the cache and the update have different sizes")
    };
    for at in 0..dims.len() {
        _ = dim(at)?;
    }
    output.dims(Dims::Each(dims.len(), &|at| dim(at).unwrap_or(Err(UnknownCause::MayDiffer))));
    Ok(())
}
