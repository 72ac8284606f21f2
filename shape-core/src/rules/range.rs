//! Numbers at equal distances, and how many they are.

use crate::check::{Detail, Problem};
use crate::code::Code;
use crate::dims::{Dimension, LARGEST, Outputs};
use crate::elements::Scalar;
use crate::elements::arithmetic::Undecided;
use crate::rules::Arguments;
use crate::rules::layout::{size, whole};

type Done = Result<(), Problem<'static>>;

/// `range(start, limit, delta)`: the numbers from a start on, by steps, up to the limit and without it.
pub(super) fn range<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let element = |parameter: usize| {
        let because = given.because_of(parameter);
        given.numbers(parameter)?.and_then(|numbers| numbers.get(0)).ok_or(because)
    };
    let (start, limit, delta) = match (element(0), element(1), element(2)) {
        (Ok(start), Ok(limit), Ok(delta)) => (start, limit, delta),
        (Err(because), ..) | (_, Err(because), _) | (_, _, Err(because)) => {
            given.give_each(outputs, &[Err(because)]);
            given.give_elements(outputs, Err(because));
            return Ok(());
        }
    };
    if matches!(delta, Scalar::Int(0)) || matches!(delta, Scalar::Float(step) if step == 0.0) {
        return Err(Problem::Refused {
            code: Code::DimsMismatch,
            message: "a step of a range is zero",
            expected: Detail::Text("a step other than 0"),
            found: Detail::Int(0),
        });
    }
    let count = count(&start, &limit, &delta).ok_or(given.blame(&[0, 1, 2]));
    given.give_each(outputs, core::slice::from_ref(&count));
    let known = count.map(|count| count.known().and_then(|count| usize::try_from(count).ok()));
    match known {
        Ok(Some(count)) if !matches!(start, Scalar::Float(_)) => {
            let each = |index: usize| match i64::try_from(index) {
                Ok(index) => start.add(&delta.mul(&Scalar::Int(index))),
                Err(_) => Scalar::undecided(Undecided::Overflow),
            };
            given.give_elements(outputs, Ok((count, &each)));
        }
        Err(because) => given.give_elements(outputs, Err(because)),
        _ => given.give_elements(outputs, Err(given.blame(&[0, 1, 2]))),
    }
    Ok(())
}

/// How many numbers there are.
fn count<D: Dimension>(start: &Scalar<D>, limit: &Scalar<D>, delta: &Scalar<D>) -> Option<D> {
    match (start, limit, delta) {
        (Scalar::Int(start), Scalar::Int(limit), Scalar::Int(delta)) => {
            let (start, limit, delta) = (i128::from(*start), i128::from(*limit), i128::from(*delta));
            let (span, step) = if delta > 0 { (limit - start, delta) } else { (start - limit, -delta) };
            let count = u128::try_from(span).unwrap_or(0).div_ceil(u128::try_from(step).ok()?);
            u64::try_from(count).ok().filter(|count| *count <= LARGEST).map(D::from)
        }
        (Scalar::Float(start), Scalar::Float(limit), Scalar::Float(delta)) => {
            // A float may be one of a narrower type, whose difference is rounded: where that counts, there is no telling.
            let exact = steps(limit - start, *delta)?;
            let narrow = steps(f64::from(*limit as f32 - *start as f32), *delta)?;
            (exact == narrow).then(|| D::from(exact))
        }
        (start, limit, Scalar::Int(delta)) => {
            let span = if *delta > 0 { limit.sub(start) } else { start.sub(limit) };
            // Less than nothing is nothing.
            size(span.max(&Scalar::Int(0)))?.ceil_div(delta.unsigned_abs())
        }
        _ => None,
    }
}

/// How many steps it takes to get over a span.
fn steps(span: f64, step: f64) -> Option<u64> {
    let count = span / step;
    if count <= 0.0 {
        return Some(0);
    }
    let down = whole(count)?;
    Some(down + u64::from((down as f64) < count))
}
