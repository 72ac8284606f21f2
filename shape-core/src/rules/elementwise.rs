//! Element-wise operations on tensors that are broadcast.

use super::grid::{Grid, nothing, placed};
use super::parameters::{
    Abs, Add, And, Cast, Ceil, Div, Equal, Floor, Greater, GreaterOrEqual, Less, LessOrEqual, Max, Min, Mod, Mul, Neg,
    Not, Or, Pow, Reciprocal, Round, Sqrt, Sub, Where, Xor,
};
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::{Elements, Scalar};
use crate::facts::{Input, UnknownCause};
use crate::rule::{Done, InputList, Integer, Output};

/// The elements of an input and their grid.
fn elements<'a, D: Dimension>(input: &Input<'a, D>) -> Result<(Elements<'a, D>, Grid), UnknownCause> {
    placed(input).ok_or(UnknownCause::Elements(input.index))
}

/// The element of a tensor for an index of the tensor to which it is broadcast.
fn at<D: Dimension>((elements, grid): &(Elements<'_, D>, Grid), to: &Grid, index: usize) -> Option<Scalar<D>> {
    elements.get(grid.stretched_from(to, index)?)
}

fn one<D: Dimension>(input: &Input<'_, D>, output: &mut Output<'_, D>, how: impl Fn(&Scalar<D>) -> Scalar<D>) -> Done {
    let of = input.elements()?;
    output.elements(Ok((of.len(), &|index| of.get(index).map_or_else(nothing, |of| how(&of)))));
    Ok(())
}

/// How a tensor is broadcast to another one, which itself is never broadcast.
#[derive(Clone, Copy)]
struct Within {
    /// Whether it may be smaller: one element, or adjacent axes of the other.
    smaller: bool,
    /// The axis of the other where its axes start; if absent, they are the last axes.
    axis: Option<i64>,
}

impl Within {
    /// From the attributes of versions without `NumPy` broadcasting; `None` for versions with it.
    fn of<D: Dimension>(broadcast: Option<Integer<'_, D>>, axis: Option<Integer<'_, D>>) -> Option<Self> {
        let axis = axis.and_then(|axis| axis.known());
        Some(Self { smaller: broadcast?.known() == Some(1), axis })
    }

    /// Its grid aligned with the other one; `None` if it does not fit.
    fn align(self, of: Grid, to: &Grid) -> Option<Grid> {
        if self.smaller && of.count() == 1 {
            return Some(of);
        }
        let axis = match self.axis.filter(|_| self.smaller) {
            Some(axis) => usize::try_from(axis).ok()?,
            None => to.rank().checked_sub(of.rank()).filter(|axis| self.smaller || *axis == 0)?,
        };
        of.begun_at(axis, to)
    }
}

fn two<D: Dimension>(
    left: &Input<'_, D>,
    right: &Input<'_, D>,
    within: Option<Within>,
    output: &mut Output<'_, D>,
    how: impl Fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
) -> Done {
    let (left, mut right) = (elements(left)?, elements(right)?);
    let to = match within {
        None => left.1.stretched(right.1),
        Some(within) => {
            right.1 = within.align(right.1, &left.1).ok_or(UnknownCause::MayDiffer)?;
            left.1
        }
    };
    let each = |index: usize| match (at(&left, &to, index), at(&right, &to, index)) {
        (Some(left), Some(right)) => how(&left, &right),
        _ => nothing(),
    };
    output.elements(Ok((to.count(), &each)));
    Ok(())
}

fn many<D: Dimension>(
    inputs: &InputList<'_, D>,
    stretch: bool,
    output: &mut Output<'_, D>,
    how: impl Fn(&Scalar<D>, &Scalar<D>) -> Scalar<D>,
) -> Done {
    let mut to: Option<Grid> = None;
    for input in inputs.iter() {
        let (_, grid) = elements(&input)?;
        to = match to {
            Some(to) if !stretch && to != grid => return Err(UnknownCause::MayDiffer.into()),
            to => Some(to.map_or(grid, |to| to.stretched(grid))),
        };
    }
    let Some(to) = to else { return Ok(()) };
    let each = |index: usize| {
        let elements = inputs.iter().filter_map(|input| at(&placed(&input)?, &to, index));
        elements.reduce(|left, right| how(&left, &right)).unwrap_or_else(nothing)
    };
    output.elements(Ok((to.count(), &each)));
    Ok(())
}

macro_rules! two {
    ($($name:ident($parameters:ident) = $method:ident),* $(,)?) => { $(
        pub(super) fn $name<D: Dimension>(
            $parameters { a, b, broadcast, axis }: $parameters<'_, D>,
            output: &mut Output<'_, D>,
        ) -> Done {
            two(&a, &b, Within::of(broadcast, axis), output, Scalar::$method)
        }
    )* };
}
two! {
    add(Add) = add,
    and(And) = and,
    equal(Equal) = equals,
    greater(Greater) = is_greater,
    less(Less) = is_less,
    mul(Mul) = mul,
    or(Or) = or,
    pow(Pow) = power,
    sub(Sub) = sub,
    xor(Xor) = xor,
}

macro_rules! one {
    ($($name:ident($parameters:ident) = $method:ident),* $(,)?) => { $(
        pub(super) fn $name<D: Dimension>($parameters { x }: $parameters<'_, D>, output: &mut Output<'_, D>) -> Done {
            one(&x, output, Scalar::$method)
        }
    )* };
}
one! {
    abs(Abs) = absolute,
    ceil(Ceil) = ceiling,
    floor(Floor) = floor,
    neg(Neg) = negated,
    not(Not) = negation,
    reciprocal(Reciprocal) = reciprocal,
    round(Round) = rounded,
    sqrt(Sqrt) = root,
}

pub(super) fn greater_or_equal<D: Dimension>(
    GreaterOrEqual { a, b }: GreaterOrEqual<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    two(&a, &b, None, output, Scalar::is_at_least)
}

pub(super) fn less_or_equal<D: Dimension>(
    LessOrEqual { a, b }: LessOrEqual<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    two(&a, &b, None, output, Scalar::is_at_most)
}

pub(super) fn div<D: Dimension>(Div { a, b, broadcast, axis }: Div<'_, D>, output: &mut Output<'_, D>) -> Done {
    let floats =
        matches!(a.element_type(), Some(DataType::Float | DataType::Double | DataType::Float16 | DataType::Bfloat16));
    let how = |left: &Scalar<D>, right: &Scalar<D>| if floats { left.ratio(right) } else { left.divided(right) };
    two(&a, &b, Within::of(broadcast, axis), output, how)
}

pub(super) fn r#mod<D: Dimension>(Mod { a, b, fmod }: Mod<'_, D>, output: &mut Output<'_, D>) -> Done {
    two(&a, &b, None, output, |left, right| left.remainder(right, fmod))
}

pub(super) fn max<D: Dimension>(Max { broadcast, inputs }: Max<'_, D>, output: &mut Output<'_, D>) -> Done {
    many(&inputs, broadcast, output, Scalar::max)
}

pub(super) fn min<D: Dimension>(Min { broadcast, inputs }: Min<'_, D>, output: &mut Output<'_, D>) -> Done {
    many(&inputs, broadcast, output, Scalar::min)
}

pub(super) fn r#where<D: Dimension>(Where { condition, x, y }: Where<'_, D>, output: &mut Output<'_, D>) -> Done {
    let (condition, then, otherwise) = (elements(&condition)?, elements(&x)?, elements(&y)?);
    let to = condition.1.stretched(then.1).stretched(otherwise.1);
    let each = |index: usize| match (at(&condition, &to, index), at(&then, &to, index), at(&otherwise, &to, index)) {
        (Some(condition), Some(then), Some(otherwise)) => condition.select(&then, &otherwise),
        _ => nothing(),
    };
    output.elements(Ok((to.count(), &each)));
    Ok(())
}

pub(super) fn cast<D: Dimension>(Cast { input, to }: Cast<'_, D>, output: &mut Output<'_, D>) -> Done {
    let Some(to) = to else { return Ok(()) };
    if input.element_type() == Some(to) {
        output.elements_of(&input);
        return Ok(());
    }
    one(&input, output, |element| element.cast(to))
}
