//! Rules of networks that go through a sequence, and of the state that they leave.

use crate::check::Problem;
use crate::dims::{Dimension, Outputs, UnknownCause};
use crate::rules::Arguments;
use crate::rules::given::{mismatch, shared_out};

type Done = Result<(), Problem<'static>>;

/// `recurrent(steps, X, W, R, hidden_size?, direction?, layout?)`: the batch, the directions and the hidden units, with an
/// axis of the steps where the first parameter is 1. The batch comes first where the layout is 1.
pub(super) fn recurrent<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.ranked(1, 3, "a sequence has steps, a batch and features")?;
    for weights in [2, 3] {
        given.ranked(weights, 3, "the weights have directions, gates and features")?;
    }
    let batch_first = given.int(6).unwrap_or(0) != 0;
    let directions = D::from(if given.text(5) == b"bidirectional" { 2 } else { 1 });
    if let Ok(found) = given.shared(&[(2, 0), (3, 0)], "the weights are of different numbers of directions")?
        && !found.may_equal(&directions)
    {
        return Err(mismatch("the weights are of another number of directions", directions.known(), found.known()));
    }
    _ = given.shared(&[(1, 2), (2, 2)], "the sequence and the weights have different numbers of features")?;
    let own = given.dim(3, 2);
    let hidden = match (given.numbers(4), own) {
        (Ok(Some(_)), own) => {
            let hidden = given.size(4);
            if let (Ok(hidden), Ok(own)) = (&hidden, &own)
                && !hidden.may_equal(own)
            {
                return Err(mismatch("the weights are of another number of hidden units", hidden.known(), own.known()));
            }
            hidden
        }
        (_, own) => own,
    };
    let (batch, steps) = if batch_first { (0, 1) } else { (1, 0) };
    let (batch, steps, directions) = (given.dim(1, batch), given.dim(1, steps), Ok(directions));
    match (given.int(0) == Some(1), batch_first) {
        (true, false) => given.give_each(outputs, &[steps, directions, batch, hidden]),
        (true, true) => given.give_each(outputs, &[batch, steps, directions, hidden]),
        (false, false) => given.give_each(outputs, &[directions, batch, hidden]),
        (false, true) => given.give_each(outputs, &[batch, directions, hidden]),
    }
    Ok(())
}

/// `conv_state(X, W, past_state?)`: the batch, the channels, and one step less than a filter has.
pub(super) fn conv_state<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    for (parameter, what) in [
        (0, "the input has a batch, channels and steps"),
        (1, "filters"),
        (2, "a state has a batch, channels and steps"),
    ] {
        given.ranked(parameter, 3, what)?;
    }
    let batch = given.shared(&[(0, 0), (2, 0)], "the input and the state are of different batches")?;
    let channels = given.shared(&[(0, 1), (1, 0), (2, 1)], "the inputs have different numbers of channels")?;
    let less = match given.dim(1, 2) {
        Ok(steps) => match steps.sub(&D::from(1)) {
            Some(less) => Ok(less),
            None => return Err(mismatch("a filter has no steps", None, steps.known())),
        },
        Err(because) => Err(because),
    };
    let steps = match (less, given.dim(2, 2)) {
        (Ok(less), Ok(past)) if !less.may_equal(&past) => {
            return Err(mismatch("the state has other steps than a filter but one", less.known(), past.known()));
        }
        (Ok(less), _) => Ok(less),
        (Err(_), Ok(past)) => Ok(past),
        (Err(because), Err(_)) => Err(because),
    };
    given.give_each(outputs, &[batch, channels, steps]);
    Ok(())
}

/// `product_state(key, value, past_state?, heads)`: the batch, the heads, and a matrix for each of the size of a key and a
/// value of one head.
pub(super) fn product_state<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    for parameter in [0, 1] {
        given.ranked(parameter, 3, "a sequence has a batch, steps and features")?;
    }
    given.ranked(2, 4, "a state has a batch, heads, and a matrix")?;
    let batch = given.shared(&[(0, 0), (1, 0), (2, 0)], "the inputs are of different batches")?;
    let heads = given.size(3);
    let of = |parameter: usize| -> Result<Result<D, UnknownCause>, Problem<'static>> {
        match (per_head(given.dim(parameter, 2), heads.clone())?, given.dim(2, parameter + 2)) {
            (Ok(own), Ok(past)) if !own.may_equal(&past) => {
                Err(mismatch("the state is of another size than a head", own.known(), past.known()))
            }
            (Err(_), Ok(past)) => Ok(Ok(past)),
            (own, _) => Ok(own),
        }
    };
    given.give_each(outputs, &[batch, heads.clone(), of(0)?, of(1)?]);
    Ok(())
}

/// The features of one of several heads.
///
/// # Errors
/// They cannot be shared out.
pub(super) fn per_head<D: Dimension>(
    features: Result<D, UnknownCause>,
    heads: Result<D, UnknownCause>,
) -> Result<Result<D, UnknownCause>, Problem<'static>> {
    let (features, heads) = match (features, heads) {
        (Ok(features), Ok(heads)) => (features, heads),
        (Err(because), _) | (_, Err(because)) => return Ok(Err(because)),
    };
    match shared_out(&features, &heads) {
        Some(own) => Ok(Ok(own)),
        None => {
            Err(mismatch("the features cannot be shared out equally among the heads", heads.known(), features.known()))
        }
    }
}
