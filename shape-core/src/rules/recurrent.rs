//! Recurrent networks over a sequence.

use super::parameters::Recurrent;
use super::refuse::{mismatch, shared};
use crate::dimension::{Dimension, Product};
use crate::facts::UnknownCause;
use crate::rule::{Done, Output};

pub(super) fn recurrent<D: Dimension>(
    Recurrent { steps, x, w, r, hidden_size, direction, layout: batch_first }: Recurrent<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    if steps {
        // Each step of each sequence meets all weights. The other outputs are parts of the one with the steps.
        output.multiply_adds(&|| {
            let past_largest = UnknownCause::PastLargest;
            let [w, r] = [Product::of(w.dims()?), Product::of(r.dims()?)];
            let weights = w.zip(r).and_then(|(w, r)| w.add(&r)).ok_or(past_largest)?;
            Product::of(&[x.dim(0)?, x.dim(1)?, weights]).ok_or(past_largest)
        });
    }
    let directions = D::from(if direction == b"bidirectional" { 2 } else { 1 });
    if let Ok(found) = shared([w.dim(0), r.dim(0)], "the weights have different numbers of directions")?
        && !found.may_equal(&directions)
    {
        let message = "the weights do not match the number of directions";
        return Err(mismatch(message, directions.known(), found.known()).into());
    }
    _ = shared([x.dim(2), w.dim(2)], "the input and the weights have different numbers of features")?;
    let hidden = match (hidden_size.map(|hidden| hidden.size()), r.dim(2)) {
        (Some(Ok(hidden)), Ok(weights_size)) if !hidden.may_equal(&weights_size) => {
            let message = "the weights do not match the hidden size";
            return Err(mismatch(message, hidden.known(), weights_size.known()).into());
        }
        (Some(hidden), _) => hidden,
        (None, weights_size) => weights_size,
    };
    let (batch, length) = if batch_first { (x.dim(0), x.dim(1)) } else { (x.dim(1), x.dim(0)) };
    let directions = Ok(directions);
    match (steps, batch_first) {
        (true, false) => output.each_dim(&[length, directions, batch, hidden]),
        (true, true) => output.each_dim(&[batch, length, directions, hidden]),
        (false, false) => output.each_dim(&[directions, batch, hidden]),
        (false, true) => output.each_dim(&[batch, directions, hidden]),
    }
    Ok(())
}
