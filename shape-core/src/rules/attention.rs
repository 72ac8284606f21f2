//! Rules of attention, on heads that have an axis (4-D) or lie side by side among the features (3-D).
//!
//! A query has a batch, heads and steps, and for each of these features; keys and values likewise, with heads and steps
//! of their own. What was kept of earlier keys and values stands before them.

use crate::check::{Detail, Problem};
use crate::dims::{Dimension, Dims, Outputs, UnknownCause};
use crate::rules::Arguments;
use crate::rules::given::{mismatch, rank};
use crate::rules::recurrent::per_head;

type Done = Result<(), Problem<'static>>;

/// The rank that inputs share, 3 or 4, where it is known of one.
fn heads_apart<D: Dimension>(
    given: &Arguments<'_, D>,
    parameters: &[usize],
) -> Result<Result<usize, UnknownCause>, Problem<'static>> {
    let mut shared = Err(UnknownCause::Dims(usize::MAX));
    for parameter in parameters {
        match (given.dims(*parameter), shared) {
            (Ok(dims), _) if dims.len() != 3 && dims.len() != 4 => {
                return Err(rank("attention has heads or features", Detail::Text("3 or 4 dimensions"), dims.len()));
            }
            (Ok(dims), Ok(first)) if dims.len() != first => {
                let expected = Detail::Counted(first as u64, "dimensions");
                return Err(rank("the inputs have different ranks", expected, dims.len()));
            }
            (Ok(dims), _) => shared = Ok(dims.len()),
            (Err(because), Err(UnknownCause::Dims(usize::MAX))) => shared = Err(because),
            (Err(_), _) => {}
        }
    }
    Ok(shared)
}

/// `attention(Q, K, V, q_num_heads?, kv_num_heads?)`: the batch, the heads and the steps of the query, and the features of
/// a value for each.
pub(super) fn attention<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let apart = match heads_apart(given, &[0, 1, 2])? {
        Ok(rank) => rank == 4,
        Err(because) => return given.unknown(outputs, because),
    };
    let batch = given.shared(&[(0, 0), (1, 0), (2, 0)], "the inputs are of different batches")?;
    if apart {
        _ = given.shared(&[(0, 3), (1, 3)], "a query and a key have different numbers of features")?;
        given.give_each(outputs, &[batch, given.dim(0, 1), given.dim(0, 2), given.dim(2, 3)]);
        return Ok(());
    }
    let own = per_head(given.dim(2, 2), given.size(4))?;
    let features = own.and_then(|own| own.mul(&given.size(3)?).ok_or(UnknownCause::TooLarge));
    given.give_each(outputs, &[batch, given.dim(0, 1), features]);
    Ok(())
}

/// The steps of what was kept and of what is new.
fn steps<D: Dimension>(given: &Arguments<'_, D>, new: Result<D, UnknownCause>, past: usize) -> Result<D, UnknownCause> {
    match given.input(past) {
        None => new,
        Some(_) => new?.add(&given.dim(past, 2)?).ok_or(UnknownCause::TooLarge),
    }
}

/// `attention_cache(K, past?, kv_num_heads?)`: keys or values, those that were kept before the new ones, with the heads
/// apart.
pub(super) fn attention_cache<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.ranked(1, 4, "what was kept has a batch, heads, steps and features")?;
    let apart = heads_apart(given, &[0])?.map(|rank| rank == 4);
    let batch = given.shared(&[(0, 0), (1, 0)], "what was kept is of another batch")?;
    let (heads, new, features) = match apart {
        Ok(true) => (given.dim(0, 1), given.dim(0, 2), given.dim(0, 3)),
        Ok(false) => (given.size(2), given.dim(0, 1), per_head(given.dim(0, 2), given.size(2))?),
        Err(because) => (given.size(2), Err(because), Err(because)),
    };
    let kept = |own: Result<D, UnknownCause>, axis: usize, message: &'static str| match (own, given.dim(1, axis)) {
        (Ok(own), Ok(past)) if !own.may_equal(&past) => Err(mismatch(message, own.known(), past.known())),
        (Ok(own), Ok(past)) => Ok(Ok(if own.known().is_none() && past.known().is_some() { past } else { own })),
        (own, past) => Ok(own.or(past)),
    };
    let heads = kept(heads, 1, "what was kept has other heads")?;
    let features = kept(features, 3, "what was kept has other features")?;
    given.give_each(outputs, &[batch, heads, steps(given, new, 1), features]);
    Ok(())
}

/// `attention_scores(Q, K, past?, q_num_heads?)`: for each head of the query and each of its steps one number a step of
/// the keys.
pub(super) fn attention_scores<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let apart = heads_apart(given, &[0, 1])?;
    let batch = given.shared(&[(0, 0), (1, 0)], "the inputs are of different batches")?;
    let (heads, queries, keys) = match apart {
        Ok(4) => (given.dim(0, 1), given.dim(0, 2), given.dim(1, 2)),
        Ok(_) => (given.size(3), given.dim(0, 1), given.dim(1, 1)),
        Err(because) => {
            given.give(outputs, Dims::Each(4, &|_| Err(because)));
            return Ok(());
        }
    };
    given.give_each(outputs, &[batch, heads, queries, steps(given, keys, 2)]);
    Ok(())
}
