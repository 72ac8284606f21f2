//! Numbers at equal distances.

use super::parameters::Range;
use crate::code::Code;
use crate::data_type::DataType;
use crate::dimension::Undecided;
use crate::dimension::{Dimension, LARGEST};
use crate::elements::Scalar;
use crate::facts::{Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};
use crate::rule::{size, whole};

pub(super) fn range<D: Dimension>(Range { start, limit, delta }: Range<'_, D>, output: &mut Output<'_, D>) -> Done {
    let inputs = [start, limit, delta.unwrap_or_default()];
    let element = |input: &Input<'_, D>| input.elements()?.get(0).ok_or(UnknownCause::Elements(input.index));
    let mut elements = inputs.each_ref().map(element);
    if let ([start, _, step], None) = (&mut elements, &delta) {
        *step = Ok(if matches!(start, Ok(Scalar::Float(_))) { Scalar::Float(1.0) } else { Scalar::Int(1) });
    }
    let (start, limit, delta) = match elements {
        [Ok(start), Ok(limit), Ok(delta)] => (start, limit, delta),
        [Err(cause), ..] | [_, Err(cause), _] | [.., Err(cause)] => {
            output.each_dim(&[Err(cause)]);
            output.elements(Err(cause));
            return Ok(());
        }
    };
    if matches!(delta, Scalar::Int(0)) || matches!(delta, Scalar::Float(step) if step == 0.0) {
        return Err(Problem::Refused {
            code: Code::DimsMismatch,
            message: "the step of the range is zero",
            expected: Detail::Text("a step other than 0"),
            found: Detail::Int(0),
        }
        .into());
    }
    let is_open = |element: &Scalar<D>| !matches!(element, Scalar::Int(_));
    let blamed = [&start, &limit, &delta].into_iter().position(is_open).unwrap_or(0);
    let cause = inputs.get(blamed).map_or(UnknownCause::NotGiven, |input| UnknownCause::Elements(input.index));
    let count = count(&start, &limit, &delta).ok_or(cause);
    output.each_dim(core::slice::from_ref(&count));
    let known = count?.known().and_then(|count| usize::try_from(count).ok());
    match known.filter(|_| !matches!(start, Scalar::Float(_))) {
        Some(count) => {
            let each = |index: usize| match i64::try_from(index) {
                Ok(index) => start.add(&delta.mul(&Scalar::Int(index))),
                Err(_) => Scalar::undecided(Undecided::Overflow),
            };
            output.elements(Ok((count, &each)));
        }
        None => output.elements(Err(cause)),
    }
    Ok(())
}

/// A float that is a whole number as an integer, so that it combines with sizes that were cast to float.
fn integer<D: Dimension>(element: &Scalar<D>) -> Scalar<D> {
    match element {
        Scalar::Float(number) => match element.cast(DataType::Int64) {
            Scalar::Int(whole) if whole as f64 == *number => Scalar::Int(whole),
            _ => element.clone(),
        },
        element => element.clone(),
    }
}

/// The number of elements.
fn count<D: Dimension>(start: &Scalar<D>, limit: &Scalar<D>, delta: &Scalar<D>) -> Option<D> {
    match (start, limit, delta) {
        (Scalar::Int(start), Scalar::Int(limit), Scalar::Int(delta)) => {
            let (start, limit, delta) = (i128::from(*start), i128::from(*limit), i128::from(*delta));
            let (span, step) = if delta > 0 { (limit - start, delta) } else { (start - limit, -delta) };
            let count = u128::try_from(span).unwrap_or(0).div_ceil(u128::try_from(step).ok()?);
            u64::try_from(count).ok().filter(|count| *count <= LARGEST).map(D::from)
        }
        (Scalar::Float(start), Scalar::Float(limit), Scalar::Float(delta)) => {
            // A narrower float type rounds the difference; if that may change the count, it is unknown.
            let exact = steps(limit - start, *delta)?;
            let narrow = steps(f64::from(*limit as f32 - *start as f32), *delta)?;
            (exact == narrow).then(|| D::from(exact))
        }
        (start, limit, Scalar::Int(delta)) => {
            let span = if *delta > 0 { limit.sub(start) } else { start.sub(limit) };
            // A negative span has no elements.
            size(span.max(&Scalar::Int(0)))?.ceil_div(delta.unsigned_abs())
        }
        (start, limit, delta) if [start, limit, delta].iter().any(|of| matches!(of, Scalar::Float(_))) => {
            let [start, limit, delta] = [start, limit, delta].map(integer);
            let is_whole = ![&start, &limit, &delta].iter().any(|of| matches!(of, Scalar::Float(_)));
            if is_whole { count(&start, &limit, &delta) } else { None }
        }
        _ => None,
    }
}

/// The number of steps in a span.
fn steps(span: f64, step: f64) -> Option<u64> {
    let count = span / step;
    if count <= 0.0 {
        return Some(0);
    }
    let down = whole(count)?;
    Some(down + u64::from((down as f64) < count))
}
