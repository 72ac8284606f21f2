//! Rules that compute with the elements of their inputs, one by one.
//!
//! Elements of tensors with one dimension at most are followed, one element standing for as many as the others have:
//! that is what sizes and lists of sizes are.

use crate::check::Problem;
use crate::data_type::DataType;
use crate::dims::{Because, Dimension, Outputs};
use crate::elements::{Elements, Scalar};
use crate::node::AttributeValue;
use crate::rules::Arguments;

type Done = Result<(), Problem<'static>>;

/// The elements of an input that has one dimension at most.
fn elements<'a, D: Dimension>(given: &Arguments<'a, D>, parameter: usize) -> Result<Elements<'a, D>, Because> {
    let input = given.input(parameter).ok_or(Because::Elements(usize::MAX))?;
    let because = Because::Elements(input.index);
    input.fact.dims.filter(|dims| dims.len() <= 1).ok_or(because)?;
    input.fact.elements.ok_or(because)
}

fn one<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
    how: impl Fn(&Scalar<D>) -> Scalar<D>,
) -> Done {
    match elements(given, 0) {
        Err(because) => given.give_elements(outputs, Err(because)),
        Ok(of) => {
            given.give_elements(outputs, Ok((of.len(), &|index| at(&of, index).map_or_else(nothing, |of| how(&of)))));
        }
    }
    Ok(())
}

fn two<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
    how: impl Fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
) -> Done {
    match (elements(given, 0), elements(given, 1)) {
        (Err(because), _) | (_, Err(because)) => given.give_elements(outputs, Err(because)),
        (Ok(left), Ok(right)) => {
            let count = common(left.len(), right.len());
            let each = |index: usize| match (at(&left, index), at(&right, index)) {
                (Some(left), Some(right)) => how(&left, &right),
                _ => nothing(),
            };
            given.give_elements(outputs, Ok((count, &each)));
        }
    }
    Ok(())
}

/// How many there are where one stands for as many as the others are.
fn common(left: usize, right: usize) -> usize {
    if left == 1 { right } else { left }
}

fn at<D: Dimension>(elements: &Elements<'_, D>, index: usize) -> Option<Scalar<D>> {
    elements.get(if elements.len() == 1 { 0 } else { index })
}

/// What stands where there is no element; tensors that do not go together are refused before.
fn nothing<D: Dimension>() -> Scalar<D> {
    Scalar::undecided(crate::elements::arithmetic::Undecided::NotFollowed)
}

macro_rules! two {
    ($($(#[$doc:meta])* $name:ident = $method:ident),* $(,)?) => { $(
        $(#[$doc])*
        pub(super) fn $name<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
            two(given, outputs, Scalar::$method)
        }
    )* };
}
two! {
    /// `sum(A, B)`
    sum = plus,
    /// `difference(A, B)`
    difference = minus,
    /// `product(A, B)`
    product = times,
    /// `quotient(A, B)`
    quotient = divided,
    /// `power(A, B)`
    power = power,
    /// `equals(A, B)`
    equals = equals,
    /// `less(A, B)`
    less = is_less,
    /// `at_most(A, B)`
    at_most = is_at_most,
    /// `greater(A, B)`
    greater = is_greater,
    /// `at_least(A, B)`
    at_least = is_at_least,
    /// `and(A, B)`
    and = and,
    /// `or(A, B)`
    or = or,
    /// `xor(A, B)`
    xor = xor,
}

/// `negated(X)`
pub(super) fn negated<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    one(given, outputs, Scalar::negated)
}

/// `absolute(X)`
pub(super) fn absolute<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    one(given, outputs, Scalar::absolute)
}

/// `not(X)`
pub(super) fn not<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    one(given, outputs, Scalar::negation)
}

/// `remainder(A, B, fmod)`
pub(super) fn remainder<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let fmod = given.int(2).unwrap_or(0) != 0;
    two(given, outputs, |left, right| left.remainder(right, fmod))
}

/// `larger(inputs...)`: of any number of tensors.
pub(super) fn larger<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    many(given, outputs, Scalar::larger)
}

/// `smaller(inputs...)`: of any number of tensors.
pub(super) fn smaller<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    many(given, outputs, Scalar::smaller)
}

fn many<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
    how: impl Fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
) -> Done {
    let mut count = 1;
    for input in given.rest(0) {
        let small = input.fact.dims.is_some_and(|dims| dims.len() <= 1);
        match input.fact.elements.filter(|_| small) {
            None => {
                given.give_elements(outputs, Err(Because::Elements(input.index)));
                return Ok(());
            }
            Some(elements) => count = common(elements.len(), count),
        }
    }
    let each = |index: usize| {
        let elements = given.rest(0).filter_map(|input| at(&input.fact.elements?, index));
        elements.reduce(|left, right| how(&left, &right)).unwrap_or_else(nothing)
    };
    given.give_elements(outputs, Ok((count, &each)));
    Ok(())
}

/// `select(condition, X, Y)`: the elements of X where the condition holds, otherwise those of Y.
pub(super) fn select<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    match (elements(given, 0), elements(given, 1), elements(given, 2)) {
        (Err(because), _, _) | (_, Err(because), _) | (_, _, Err(because)) => {
            given.give_elements(outputs, Err(because));
        }
        (Ok(condition), Ok(then), Ok(otherwise)) => {
            let count = common(condition.len(), common(then.len(), otherwise.len()));
            let each = |index: usize| match (at(&condition, index), at(&then, index), at(&otherwise, index)) {
                (Some(condition), Some(then), Some(otherwise)) => condition.select(&then, &otherwise),
                _ => nothing(),
            };
            given.give_elements(outputs, Ok((count, &each)));
        }
    }
    Ok(())
}

/// `cast(input, to)`: each as an element of the type that `to` names.
pub(super) fn cast<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let to = match given.value(1) {
        Some(AttributeValue::Int(number)) => i32::try_from(number).ok().and_then(DataType::from_number),
        _ => given.input(1).and_then(|input| input.fact.ty?.element()),
    };
    let Some(to) = to else { return Ok(()) };
    one(given, outputs, |element| element.cast(to))
}
