//! The arguments of a rule.
//!
//! A rule is handed its arguments under the names of its parameters, each as what its kind says: a tensor, a number, a
//! list of numbers, a flag. Where they come from, an attribute, an input or the call itself, it does not see.

use super::argument::Argument;
use super::graph::Graph;
use super::input_list::InputList;
use super::numbers::{Integer, List, Numbers, Source};
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::Elements;
use crate::facts::{Input, Inputs, Subgraphs, UnknownCause};
use crate::node::{AttributeValue, Field, NodeAttribute};
use crate::signature::{Attribute, FormalParameter};

/// The arguments of a call, as a node gives them.
///
/// Generated code reads them by their places among the parameters of `specs/rules.yaml`, and nothing else does.
pub struct RuleArguments<'n, 'a, D: Dimension> {
    /// What the call says.
    pub(crate) arguments: &'static [Argument],
    /// The attributes that the version has.
    pub(crate) declared: &'static [Attribute],
    /// The inputs that the version has.
    pub(crate) formal: &'static [FormalParameter],
    pub(crate) attributes: &'n [NodeAttribute<'a>],
    pub(crate) inputs: Inputs<'n, D>,
    pub(crate) graphs: &'n dyn Subgraphs<D>,
}

impl<'n, 'a: 'n, D: Dimension> RuleArguments<'n, 'a, D> {
    /// The attributes of the node.
    #[must_use]
    pub fn attributes(&self) -> &'n [NodeAttribute<'a>] {
        self.attributes
    }

    /// The inputs of the node.
    #[must_use]
    pub fn inputs(&self) -> Inputs<'n, D> {
        self.inputs
    }

    fn argument(&self, place: usize) -> Argument {
        self.arguments.get(place).copied().unwrap_or(Argument::Absent)
    }

    /// The attribute at a place of the schema: the node's, or the default.
    pub(crate) fn attribute(&self, index: usize) -> Option<AttributeValue<'n>> {
        let attribute = self.declared.get(index)?;
        let given = self.attributes.iter().find(|given| given.name == attribute.name);
        given.map(|given| given.value).or(attribute.default)
    }

    /// An input of the node, if it gives it.
    pub(crate) fn given_input(&self, index: usize) -> Option<Input<'n, D>> {
        (*self.inputs.0.get(index)?).map(|fact| Input { index, fact })
    }

    /// An attribute as what a Rust function takes; `None` where there is none, or it is of another kind.
    #[must_use]
    pub fn field<T: Field<'n>>(&self, place: usize) -> Option<T> {
        self.value(place).and_then(T::from_value)
    }

    /// An attribute that is required or has a default.
    ///
    /// # Errors
    /// It is not given, or of another kind; both are problems of the node that a check tells.
    pub fn required_field<T: Field<'n>>(&self, place: usize) -> Result<T, UnknownCause> {
        self.field(place).ok_or(UnknownCause::NotGiven)
    }

    /// A number that stands in the call.
    #[must_use]
    pub fn number(&self, place: usize) -> i64 {
        if let Argument::Int(number) = self.argument(place) { number } else { 0 }
    }

    /// A required input. One that the node does not give counts as one of which nothing is known: that it is absent is
    /// the checker's to tell.
    #[must_use]
    pub fn tensor(&self, place: usize) -> Input<'n, D> {
        match self.argument(place) {
            Argument::Input(index) => self.inputs.required(index),
            _ => Input::default(),
        }
    }

    /// An input that the node need not give.
    #[must_use]
    pub fn optional_tensor(&self, place: usize) -> Option<Input<'n, D>> {
        match self.argument(place) {
            Argument::Input(index) => self.given_input(index),
            _ => None,
        }
    }

    /// All inputs from an argument on: those of a variadic input, or several that the call names.
    #[must_use]
    pub fn tensors(&self, place: usize) -> InputList<'n, D> {
        let Self { formal, inputs, .. } = *self;
        InputList { arguments: self.arguments.get(place..).unwrap_or_default(), formal, inputs }
    }

    /// The inputs of one argument alone, which is variadic.
    #[must_use]
    pub fn variadic(&self, place: usize) -> InputList<'n, D> {
        let Self { formal, inputs, .. } = *self;
        InputList { arguments: self.arguments.get(place..=place).unwrap_or_default(), formal, inputs }
    }

    /// One number; `None` where it is left out.
    #[must_use]
    pub fn integer(&self, place: usize) -> Option<Integer<'n, D>> {
        match self.argument(place) {
            Argument::Absent => None,
            Argument::Int(number) => Some(Integer(Source::Number(number))),
            Argument::Attribute(_) => match self.value(place)? {
                AttributeValue::Int(number) => Some(Integer(Source::Number(number))),
                AttributeValue::Float(number) => Some(Integer(Source::Float(number))),
                _ => None,
            },
            Argument::Input(index) => self.given_input(index).map(|input| Integer(Source::Input(input))),
        }
    }

    /// One number, or a default.
    #[must_use]
    pub fn integer_or(&self, place: usize, default: i64) -> Integer<'n, D> {
        self.integer(place).unwrap_or(Integer(Source::Number(default)))
    }

    /// One number that must be there; unknown where the node lacks it.
    #[must_use]
    pub fn required_integer(&self, place: usize) -> Integer<'n, D> {
        self.integer(place).unwrap_or(Integer(Source::Input(Input::default())))
    }

    /// Several numbers; `None` where they are left out.
    #[must_use]
    pub fn list(&self, place: usize) -> Option<List<'n, D>> {
        match self.argument(place) {
            Argument::Absent => None,
            Argument::Int(number) => Some(List::Known(Numbers::One(number))),
            Argument::Attribute(_) => match self.value(place)? {
                AttributeValue::Int(number) => Some(List::Known(Numbers::One(number))),
                AttributeValue::Ints(numbers) => Some(List::Known(Numbers::Many(Elements::Ints(numbers)))),
                AttributeValue::Floats(numbers) => Some(List::Known(Numbers::Many(Elements::Floats(numbers)))),
                _ => None,
            },
            Argument::Input(index) => self.given_input(index).map(List::Input),
        }
    }

    /// Several numbers that must be there; unknown where the node lacks them.
    #[must_use]
    pub fn required_list(&self, place: usize) -> List<'n, D> {
        self.list(place).unwrap_or(List::Input(Input::default()))
    }

    /// 0 or 1, as a truth value.
    #[must_use]
    pub fn flag(&self, place: usize, default: bool) -> bool {
        match self.argument(place) {
            Argument::Int(number) => number != 0,
            Argument::Attribute(_) => self.field::<i64>(place).map_or(default, |number| number != 0),
            Argument::Absent | Argument::Input(_) => default,
        }
    }

    /// A text; empty where it is left out.
    #[must_use]
    pub fn text(&self, place: usize) -> &'n [u8] {
        self.field(place).unwrap_or_default()
    }

    /// The value of an attribute, whatever its kind.
    #[must_use]
    pub fn value(&self, place: usize) -> Option<AttributeValue<'n>> {
        match self.argument(place) {
            Argument::Attribute(index) => self.attribute(index),
            _ => None,
        }
    }

    /// The element type that an attribute names, or an input has.
    #[must_use]
    pub fn element_type(&self, place: usize) -> Option<DataType> {
        match self.value(place) {
            Some(AttributeValue::Int(number)) => DataType::from_number(i32::try_from(number).ok()?),
            // The first opsets wrote the name of `TensorProto.DataType`, in capitals.
            Some(AttributeValue::String(name)) => {
                DataType::all().find(|ty| ty.name().as_bytes().eq_ignore_ascii_case(name))
            }
            _ => self.optional_tensor(place)?.fact.ty?.element(),
        }
    }

    /// A graph in an attribute.
    #[must_use]
    pub fn graph(&self, place: usize) -> Graph<'n, D> {
        let attribute = if let Argument::Attribute(index) = self.argument(place) { Some(index) } else { None };
        Graph { attribute, view: self.field(place), graphs: self.graphs }
    }

    /// A number, or how many entries a list attribute has; `None` where it is left out.
    #[must_use]
    pub fn count(&self, place: usize) -> Option<Count> {
        match (self.argument(place), self.value(place)) {
            (Argument::Int(number), _) | (_, Some(AttributeValue::Int(number))) => Some(Count::Number(number)),
            (_, Some(value)) => entries(value).map(Count::Listed),
            _ => None,
        }
    }
}

/// How many of something there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// As many as a number says.
    Number(i64),
    /// As many as a list has entries.
    Listed(u64),
}

/// How many entries a list attribute has; `None` for one that is no list.
pub(crate) fn entries(value: AttributeValue<'_>) -> Option<u64> {
    let entries = match value {
        AttributeValue::Ints(list) => list.len(),
        AttributeValue::Floats(list) => list.len(),
        AttributeValue::Strings(list) => list.len(),
        _ => return None,
    };
    Some(entries as u64)
}
