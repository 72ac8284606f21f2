//! Rules that compute with the elements of their inputs, one by one.
//!
//! One tensor is stretched to the others, as the dimensions are.

use crate::check::Problem;
use crate::data_type::DataType;
use crate::dims::{Dimension, Outputs, UnknownCause};
use crate::elements::{Elements, Scalar};
use crate::node::AttributeValue;
use crate::rules::Arguments;
use crate::rules::grid::{Grid, nothing, placed};

type Done = Result<(), Problem<'static>>;

/// The elements of an input and where they stand.
fn elements<'a, D: Dimension>(
    given: &Arguments<'a, D>,
    parameter: usize,
) -> Result<(Elements<'a, D>, Grid), UnknownCause> {
    let input = given.input(parameter).ok_or(UnknownCause::Elements(usize::MAX))?;
    placed(&input).ok_or(UnknownCause::Elements(input.index))
}

/// The element of a tensor that stands at a place of a larger one.
fn at<D: Dimension>((elements, grid): &(Elements<'_, D>, Grid), to: &Grid, index: usize) -> Option<Scalar<D>> {
    elements.get(grid.stretched_from(to, index)?)
}

fn one<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
    how: impl Fn(&Scalar<D>) -> Scalar<D>,
) -> Done {
    let input = given.input(0);
    match input.and_then(|input| input.fact.elements) {
        None => {
            let because = UnknownCause::Elements(input.map_or(usize::MAX, |input| input.index));
            given.give_elements(outputs, Err(because));
        }
        Some(of) => {
            given.give_elements(outputs, Ok((of.len(), &|index| of.get(index).map_or_else(nothing, |of| how(&of)))));
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
            let to = left.1.stretched(right.1);
            let each = |index: usize| match (at(&left, &to, index), at(&right, &to, index)) {
                (Some(left), Some(right)) => how(&left, &right),
                _ => nothing(),
            };
            given.give_elements(outputs, Ok((to.count(), &each)));
        }
    }
    Ok(())
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
    sum = add,
    /// `difference(A, B)`
    difference = sub,
    /// `product(A, B)`
    product = mul,
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

/// `quotient(A, B)`: of integers without what comes behind the point.
pub(super) fn quotient<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let ty = given.input(0).and_then(|input| input.fact.ty?.element());
    let floats = matches!(ty, Some(DataType::Float | DataType::Double | DataType::Float16 | DataType::Bfloat16));
    two(given, outputs, |left, right| if floats { left.ratio(right) } else { left.divided(right) })
}

macro_rules! one {
    ($($(#[$doc:meta])* $name:ident = $method:ident),* $(,)?) => { $(
        $(#[$doc])*
        pub(super) fn $name<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
            one(given, outputs, Scalar::$method)
        }
    )* };
}
one! {
    /// `absolute(X)`
    absolute = absolute,
    /// `ceiling(X)`
    ceiling = ceiling,
    /// `floor(X)`
    floor = floor,
    /// `negated(X)`
    negated = negated,
    /// `not(X)`
    not = negation,
    /// `root(X)`
    root = root,
    /// `rounded(X)`
    rounded = rounded,
}

/// `remainder(A, B, fmod)`
pub(super) fn remainder<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    let fmod = given.int(2).unwrap_or(0) != 0;
    two(given, outputs, |left, right| left.remainder(right, fmod))
}

/// `larger(inputs...)`: of any number of tensors.
pub(super) fn larger<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    many(given, outputs, Scalar::max)
}

/// `smaller(inputs...)`: of any number of tensors.
pub(super) fn smaller<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    many(given, outputs, Scalar::min)
}

fn many<D: Dimension>(
    given: &Arguments<'_, D>,
    outputs: &mut dyn Outputs<D>,
    how: impl Fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
) -> Done {
    let mut to: Option<Grid> = None;
    for input in given.rest(0) {
        let Some((_, grid)) = placed(&input) else {
            given.give_elements(outputs, Err(UnknownCause::Elements(input.index)));
            return Ok(());
        };
        to = Some(to.map_or(grid, |to| to.stretched(grid)));
    }
    let Some(to) = to else { return Ok(()) };
    let each = |index: usize| {
        let elements = given.rest(0).filter_map(|input| at(&placed(&input)?, &to, index));
        elements.reduce(|left, right| how(&left, &right)).unwrap_or_else(nothing)
    };
    given.give_elements(outputs, Ok((to.count(), &each)));
    Ok(())
}

/// `select(condition, X, Y)`: the elements of X where the condition holds, otherwise those of Y.
pub(super) fn select<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    match (elements(given, 0), elements(given, 1), elements(given, 2)) {
        (Err(because), _, _) | (_, Err(because), _) | (_, _, Err(because)) => {
            given.give_elements(outputs, Err(because));
        }
        (Ok(condition), Ok(then), Ok(otherwise)) => {
            let to = condition.1.stretched(then.1).stretched(otherwise.1);
            let each =
                |index: usize| match (at(&condition, &to, index), at(&then, &to, index), at(&otherwise, &to, index)) {
                    (Some(condition), Some(then), Some(otherwise)) => condition.select(&then, &otherwise),
                    _ => nothing(),
                };
            given.give_elements(outputs, Ok((to.count(), &each)));
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
