//! What a rule is given, as it asks for it.

use crate::check::{Detail, Problem};
use crate::code::Code;
use crate::dims::{Dimension, Dims, EachElement, Input, Inputs, Outputs, UnknownCause};
use crate::elements::{Elements, Scalar};
use crate::node::{AttributeValue, NodeAttribute};
use crate::rules::layout::size;
use crate::rules::{Argument, Call};
use crate::schema::Schema;

/// What a rule is given: its arguments by their places among its parameters, and the output that it is asked for.
#[derive(Clone)]
pub struct Given<'a, D: Dimension> {
    pub(super) call: &'static Call,
    pub(super) schema: &'static Schema,
    pub(super) attributes: &'a [NodeAttribute<'a>],
    pub(super) inputs: Inputs<'a, D>,
    pub(super) output: usize,
    pub(super) first: usize,
    pub(super) outputs: usize,
}

/// Numbers that are an attribute, or the elements of an input.
#[derive(Debug)]
pub enum Numbers<'a, D: Dimension> {
    /// One: an attribute of INT, or a number in the descriptor.
    One(i64),
    /// Several.
    Many(Elements<'a, D>),
}

impl<D: Dimension> Clone for Numbers<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Dimension> Copy for Numbers<'_, D> {}

impl<D: Dimension> Numbers<'_, D> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Many(elements) => elements.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The one at a place.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Scalar<D>> {
        match self {
            Self::One(number) => (index == 0).then_some(Scalar::Int(*number)),
            Self::Many(elements) => elements.get(index),
        }
    }

    /// The one at a place, where it is a number.
    #[must_use]
    pub fn int(&self, index: usize) -> Option<i64> {
        match self.get(index)? {
            Scalar::Int(number) => Some(number),
            _ => None,
        }
    }
}

impl<'a, D: Dimension> Given<'a, D> {
    fn argument(&self, parameter: usize) -> Argument {
        self.call.arguments.get(parameter).copied().unwrap_or(Argument::Absent)
    }

    /// The output that is asked for.
    #[must_use]
    pub fn output(&self) -> usize {
        self.output
    }

    /// The place of that output among those of a variadic one, and how many of these there are.
    #[must_use]
    pub fn part(&self) -> (usize, usize) {
        (self.output.saturating_sub(self.first), self.outputs.saturating_sub(self.first))
    }

    /// The input of a parameter; one of which nothing is known where the node does not give it.
    #[must_use]
    pub fn input(&self, parameter: usize) -> Option<Input<'a, D>> {
        match self.argument(parameter) {
            Argument::Input(index) => {
                let given = self.inputs.0.get(index).is_some_and(Option::is_some);
                given.then(|| self.inputs.required(index))
            }
            _ => None,
        }
    }

    /// The dimensions of the input of a parameter.
    ///
    /// # Errors
    /// Why they are not known.
    pub fn dims(&self, parameter: usize) -> Result<&'a [D], UnknownCause> {
        let Argument::Input(index) = self.argument(parameter) else { return Err(UnknownCause::Dims(usize::MAX)) };
        self.placed(index)
    }

    /// The dimension of the input of a parameter along an axis.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn dim(&self, parameter: usize, axis: usize) -> Result<D, UnknownCause> {
        let Argument::Input(index) = self.argument(parameter) else { return Err(UnknownCause::Dims(usize::MAX)) };
        self.dims(parameter)?.get(axis).cloned().ok_or(UnknownCause::Dims(index))
    }

    /// That the input of a parameter has a rank, where its own is known.
    ///
    /// # Errors
    /// It has another one.
    pub(super) fn ranked(
        &self,
        parameter: usize,
        expected: usize,
        message: &'static str,
    ) -> Result<(), Problem<'static>> {
        match self.dims(parameter) {
            Ok(dims) if dims.len() != expected => {
                Err(rank(message, Detail::Counted(expected as u64, "dimensions"), dims.len()))
            }
            _ => Ok(()),
        }
    }

    /// The size that inputs share, each at a parameter and an axis: the one of them that says most, or why none is known.
    ///
    /// # Errors
    /// Two of them differ.
    pub(super) fn shared(
        &self,
        places: &[(usize, usize)],
        message: &'static str,
    ) -> Result<Result<D, UnknownCause>, Problem<'static>> {
        let mut shared: Result<D, _> = Err(UnknownCause::Dims(usize::MAX));
        for (parameter, axis) in places {
            shared = match (shared, self.dim(*parameter, *axis)) {
                (Ok(found), Ok(dim)) => {
                    if !found.may_equal(&dim) {
                        return Err(mismatch(message, found.known(), dim.known()));
                    }
                    // What is not even the same as itself is unknown.
                    let more = found.known().is_none() && (dim.known().is_some() || !found.same_as(&found));
                    Ok(if more { dim } else { found })
                }
                (Ok(found), Err(_)) => Ok(found),
                (Err(UnknownCause::Dims(usize::MAX)), other) => other,
                (Err(_), Ok(dim)) => Ok(dim),
                (Err(because), Err(_)) => Err(because),
            };
        }
        Ok(shared)
    }

    /// The text of the attribute of a parameter, or its default; empty where there is none.
    pub(super) fn text(&self, parameter: usize) -> &'a [u8] {
        match self.value(parameter) {
            Some(AttributeValue::String(text)) => text,
            _ => b"",
        }
    }

    /// The one number of a parameter as a size.
    ///
    /// # Errors
    /// It is not given, or not known, or no size.
    pub(super) fn size(&self, parameter: usize) -> Result<D, UnknownCause> {
        let because = self.input(parameter).map_or(UnknownCause::Data, |input| UnknownCause::Elements(input.index));
        self.numbers(parameter)?.and_then(|numbers| numbers.get(0)).and_then(size).ok_or(because)
    }

    /// The number at a place of an attribute, or a number itself, as a size; without either it depends on data.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn entry(&self, parameter: usize, place: usize) -> Result<D, UnknownCause> {
        let place = if let Argument::Int(_) = self.argument(parameter) { 0 } else { place };
        match self.argument(parameter) {
            Argument::Input(index) => Err(UnknownCause::Dims(index)),
            _ => {
                self.numbers(parameter)?.and_then(|numbers| numbers.get(place)).and_then(size).ok_or(UnknownCause::Data)
            }
        }
    }

    /// How many arguments the descriptor gives.
    pub(super) fn arguments(&self) -> usize {
        self.call.arguments.len()
    }

    /// How many of something the first of some parameters that is given says: a number, or as many as it lists.
    ///
    /// # Errors
    /// None of them is given, or it is not known.
    pub(super) fn counted(&self, from: usize) -> Result<D, UnknownCause> {
        for parameter in from..self.call.arguments.len() {
            let listed = match self.value(parameter) {
                Some(AttributeValue::Ints(list)) => list.len(),
                Some(AttributeValue::Floats(list)) => list.len(),
                Some(AttributeValue::Strings(list)) => list.len(),
                Some(_) => return self.size(parameter),
                None if matches!(self.argument(parameter), Argument::Input(_) | Argument::Int(_)) => {
                    return self.size(parameter);
                }
                None => continue,
            };
            return Ok(D::from(listed as u64));
        }
        Err(UnknownCause::Data)
    }

    /// The inputs of a variadic parameter.
    pub fn rest(&self, parameter: usize) -> impl Iterator<Item = Input<'a, D>> + Clone {
        let from = match self.argument(parameter) {
            Argument::Input(index) => index,
            _ => usize::MAX,
        };
        // Several inputs may be named one by one, too.
        let named = self.call.arguments.len() > parameter + 1;
        let inputs = self.inputs;
        let call = self.call;
        let count = if named { call.arguments.len() - parameter } else { inputs.0.len().saturating_sub(from) };
        (0..count).filter_map(move |place| {
            let index = match call.arguments.get(parameter + place) {
                Some(Argument::Input(index)) if named => *index,
                _ if named => return None,
                _ => from + place,
            };
            inputs.0.get(index)?.map(|fact| Input { index, fact })
        })
    }

    /// The first place and the number of the inputs of a variadic parameter.
    pub(super) fn span(&self, parameter: usize) -> (usize, usize) {
        let Argument::Input(first) = self.argument(parameter) else { return (usize::MAX, 0) };
        (first, self.inputs.0.len().saturating_sub(first))
    }

    /// The dimensions of the input at a place.
    pub(super) fn placed(&self, index: usize) -> Result<&'a [D], UnknownCause> {
        self.inputs.required(index).fact.dims.ok_or(UnknownCause::Dims(index))
    }

    /// The value of the attribute of a parameter, or its default.
    #[must_use]
    pub fn value(&self, parameter: usize) -> Option<AttributeValue<'a>> {
        let Argument::Attribute(index) = self.argument(parameter) else { return None };
        let attribute = self.schema.attributes.get(index)?;
        let given = self.attributes.iter().find(|given| given.name == attribute.name);
        given.map(|given| given.value).or(attribute.default)
    }

    /// The numbers of a parameter; `None` where the node does not give it.
    ///
    /// # Errors
    /// The elements of an input are not known.
    pub fn numbers(&self, parameter: usize) -> Result<Option<Numbers<'a, D>>, UnknownCause> {
        match self.argument(parameter) {
            Argument::Absent => Ok(None),
            Argument::Int(number) => Ok(Some(Numbers::One(number))),
            Argument::Attribute(_) => Ok(match self.value(parameter) {
                Some(AttributeValue::Int(number)) => Some(Numbers::One(number)),
                Some(AttributeValue::Ints(numbers)) => Some(Numbers::Many(Elements::Ints(numbers))),
                Some(AttributeValue::Floats(numbers)) => Some(Numbers::Many(Elements::Floats(numbers))),
                _ => None,
            }),
            Argument::Input(index) => match self.input(parameter) {
                None => Ok(None),
                Some(input) if input.fact.dims.is_some_and(|dims| matches!(dims, [len] if len.known() == Some(0))) => {
                    Ok(Some(Numbers::Many(Elements::Ints(&[]))))
                }
                Some(input) => input
                    .fact
                    .elements
                    .map(|elements| Some(Numbers::Many(elements)))
                    .ok_or(UnknownCause::Elements(index)),
            },
        }
    }

    /// The one number of a parameter, if it is given and known.
    #[must_use]
    pub fn int(&self, parameter: usize) -> Option<i64> {
        self.numbers(parameter).ok().flatten()?.int(0)
    }

    /// How many numbers a parameter has, where that is known though they are not.
    #[must_use]
    pub fn length(&self, parameter: usize) -> Option<usize> {
        match self.numbers(parameter) {
            Ok(numbers) => Some(numbers?.len()),
            Err(_) => match self.input(parameter)?.fact.dims? {
                [] => Some(1),
                [len] => len.known().and_then(|len| usize::try_from(len).ok()),
                _ => None,
            },
        }
    }

    /// The elements of the input of a parameter: what is not known because of them.
    pub(super) fn because_of(&self, parameter: usize) -> UnknownCause {
        UnknownCause::Elements(self.input(parameter).map_or(usize::MAX, |input| input.index))
    }

    /// The elements of the first of some parameters that is an input: what is not known because of them.
    #[must_use]
    pub fn blame(&self, parameters: &[usize]) -> UnknownCause {
        let open = |parameter: &&usize| {
            let elements = self.input(**parameter).and_then(|input| input.fact.elements);
            elements.is_none_or(|elements| elements.iter().any(|element| !matches!(element, Scalar::Int(_))))
        };
        let inputs = || parameters.iter().filter(|parameter| self.input(**parameter).is_some());
        let found = inputs().find(open).or_else(|| inputs().next()).and_then(|parameter| self.input(*parameter));
        UnknownCause::Elements(found.map_or(usize::MAX, |input| input.index))
    }

    /// Leaves the dimensions of the output that is asked for.
    pub fn give(&self, outputs: &mut dyn Outputs<D>, dims: Dims<'_, D>) {
        outputs.dims(self.output, dims);
    }

    /// Leaves as many dimensions of the output that is asked for, each of them or why it is not known.
    pub(super) fn give_each(&self, outputs: &mut dyn Outputs<D>, dims: &[Result<D, UnknownCause>]) {
        let dim = |at: usize| dims.get(at).cloned().unwrap_or(Err(UnknownCause::Dims(usize::MAX)));
        self.give(outputs, Dims::Each(dims.len(), &dim));
    }

    /// Leaves the elements of the output that is asked for.
    pub fn give_elements(&self, outputs: &mut dyn Outputs<D>, elements: Result<EachElement<'_, D>, UnknownCause>) {
        outputs.elements(self.output, elements);
    }

    /// Leaves that the output has the elements of the input of a parameter, all of them and in their order.
    pub fn give_elements_of(&self, outputs: &mut dyn Outputs<D>, parameter: usize) {
        if let Argument::Input(index) = self.argument(parameter) {
            outputs.elements_of(self.output, index);
        }
    }

    /// Leaves that they are not known, and why.
    pub fn unknown(&self, outputs: &mut dyn Outputs<D>, because: UnknownCause) -> Result<(), Problem<'static>> {
        outputs.dims(self.output, Dims::Unknown(because));
        Ok(())
    }
}

/// A size shared out equally; `None` where that can never be. What has no number is shared out equally, or no tool could
/// run the node.
pub(super) fn shared_out<D: Dimension>(size: &D, among: &D) -> Option<D> {
    let each = size.div_exact(among)?;
    // What is not even the same as itself is unknown.
    let rounded = if each.same_as(&each) { None } else { among.known().and_then(|among| size.floor_div(among)) };
    Some(rounded.unwrap_or(each))
}

/// A rank that a rule does not take.
pub(super) const fn rank(message: &'static str, expected: Detail, found: usize) -> Problem<'static> {
    Problem::Refused { code: Code::RankMismatch, message, expected, found: Detail::Counted(found as u64, "dimensions") }
}

/// Dimensions that do not go together.
pub(super) fn mismatch(message: &'static str, left: Option<u64>, right: Option<u64>) -> Problem<'static> {
    let side = |size: Option<u64>| size.map_or(Detail::Text("another size"), Detail::Size);
    Problem::Refused { code: Code::DimsMismatch, message, expected: side(left), found: side(right) }
}
