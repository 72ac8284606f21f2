//! The arguments of a rule.
//!
//! A rule reads its arguments by parameter, each as what the parameter's kind says: a tensor, a number, a list of numbers,
//! a flag. It does not see whether an argument comes from an attribute, an input or the call itself.

use super::argument::Argument;
use super::graph::Graph;
use super::input_list::InputList;
use super::numbers::{Integer, List, Numbers, Source};
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::Elements;
use crate::facts::{Input, Inputs, Subgraphs, UnknownCause};
use crate::node::{AttributeValue, Field, NodeAttribute};
use crate::signature::{Attribute, FormalParameter, counted};

/// The arguments of a call, with their values at a node.
///
/// Only generated code reads them, by their positions among the parameters in `specs/rules.yaml`.
pub struct RuleArguments<'n, 'a, D: Dimension> {
    /// The arguments as the call writes them.
    pub(crate) arguments: &'static [Argument],
    /// The attributes of the version, and behind them those that later releases bring.
    pub(crate) declared: [&'static [Attribute]; 2],
    /// The formal inputs of the version.
    pub(crate) formal: &'static [FormalParameter],
    pub(crate) attributes: &'n [NodeAttribute<'a>],
    pub(crate) inputs: Inputs<'n, D>,
    pub(crate) graphs: &'n dyn Subgraphs<D>,
    /// The index of an INT attribute, and the number that it is taken to be.
    pub(crate) supposed: Option<(usize, i64)>,
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

    fn argument(&self, position: usize) -> Argument {
        self.arguments.get(position).copied().unwrap_or(Argument::Absent)
    }

    /// The value of the schema's attribute at an index: the node's, or the default.
    pub(crate) fn attribute(&self, index: usize) -> Option<AttributeValue<'n>> {
        if let Some((supposed, number)) = self.supposed
            && supposed == index
        {
            return Some(AttributeValue::Int(number));
        }
        let attribute = counted(self.declared, index)?;
        let set = self.attributes.iter().find(|set| set.name == attribute.name);
        set.map(|set| set.value).or(attribute.default)
    }

    /// An input of the node, if it is present.
    pub(crate) fn given_input(&self, index: usize) -> Option<Input<'n, D>> {
        (*self.inputs.0.get(index)?).map(|fact| Input { index, fact })
    }

    /// An attribute as a Rust type; `None` if it is absent or of another kind.
    #[must_use]
    pub fn field<T: Field<'n>>(&self, position: usize) -> Option<T> {
        self.value(position).and_then(T::from_value)
    }

    /// An attribute that is required or has a default.
    ///
    /// # Errors
    /// It is absent or of another kind; the node's check reports both.
    pub fn required_field<T: Field<'n>>(&self, position: usize) -> Result<T, UnknownCause> {
        self.field(position).ok_or(UnknownCause::NotGiven)
    }

    /// A number that is written in the call.
    #[must_use]
    pub fn number(&self, position: usize) -> i64 {
        if let Argument::Int(number) = self.argument(position) { number } else { 0 }
    }

    /// A required input. If the node does not have it, nothing is known of it here; the node's check reports it.
    #[must_use]
    pub fn tensor(&self, position: usize) -> Input<'n, D> {
        self.argument(position).input().map_or_else(Input::default, |index| self.inputs.required(index))
    }

    /// An optional input.
    #[must_use]
    pub fn optional_tensor(&self, position: usize) -> Option<Input<'n, D>> {
        self.given_input(self.argument(position).input()?)
    }

    /// All inputs from an argument on: the values of a variadic input, or several inputs that the call names.
    #[must_use]
    pub fn tensors(&self, position: usize) -> InputList<'n, D> {
        let Self { formal, inputs, .. } = *self;
        InputList { arguments: self.arguments.get(position..).unwrap_or_default(), formal, inputs }
    }

    /// The inputs of one variadic argument.
    #[must_use]
    pub fn variadic(&self, position: usize) -> InputList<'n, D> {
        let Self { formal, inputs, .. } = *self;
        InputList { arguments: self.arguments.get(position..=position).unwrap_or_default(), formal, inputs }
    }

    /// One number; `None` if it is left out.
    #[must_use]
    pub fn integer(&self, position: usize) -> Option<Integer<'n, D>> {
        match self.argument(position) {
            Argument::Absent => None,
            Argument::Int(number) => Some(Integer(Source::Number(number))),
            Argument::Attribute(_) => match self.value(position)? {
                AttributeValue::Int(number) => Some(Integer(Source::Number(number))),
                AttributeValue::Float(number) => Some(Integer(Source::Float(number))),
                _ => None,
            },
            Argument::Input(index) | Argument::ChannelsLast(index) | Argument::Every(index, _) => {
                self.given_input(index).map(|input| Integer(Source::Input(input)))
            }
        }
    }

    /// One number, or a default.
    #[must_use]
    pub fn integer_or(&self, position: usize, default: i64) -> Integer<'n, D> {
        self.integer(position).unwrap_or(Integer(Source::Number(default)))
    }

    /// One required number; unknown if the node does not have it.
    #[must_use]
    pub fn required_integer(&self, position: usize) -> Integer<'n, D> {
        self.integer(position).unwrap_or(Integer(Source::Input(Input::default())))
    }

    /// Several numbers; `None` if they are left out.
    #[must_use]
    pub fn list(&self, position: usize) -> Option<List<'n, D>> {
        match self.argument(position) {
            Argument::Absent => None,
            Argument::Int(number) => Some(List::Known(Numbers::One(number))),
            Argument::Attribute(_) => match self.value(position)? {
                AttributeValue::Int(number) => Some(List::Known(Numbers::One(number))),
                AttributeValue::Ints(numbers) => Some(List::Known(Numbers::Many(Elements::Ints(numbers)))),
                AttributeValue::Floats(numbers) => Some(List::Known(Numbers::Many(Elements::Floats(numbers)))),
                _ => None,
            },
            Argument::Input(index) | Argument::ChannelsLast(index) | Argument::Every(index, _) => {
                self.given_input(index).map(List::Input)
            }
        }
    }

    /// Several numbers, some of which may stand for something else than a size; `None` if they are left out. An element that
    /// may be any integer is unknown among them.
    #[must_use]
    pub fn target(&self, position: usize) -> Option<List<'n, D>> {
        self.list(position).map(List::as_target)
    }

    /// The same, required; unknown if the node does not have them.
    #[must_use]
    pub fn required_target(&self, position: usize) -> List<'n, D> {
        self.required_list(position).as_target()
    }

    /// Several required numbers; unknown if the node does not have them.
    #[must_use]
    pub fn required_list(&self, position: usize) -> List<'n, D> {
        self.list(position).unwrap_or(List::Input(Input::default()))
    }

    /// 0 or 1, as a boolean.
    #[must_use]
    pub fn flag(&self, position: usize, default: bool) -> bool {
        match self.argument(position) {
            Argument::Int(number) => number != 0,
            Argument::Attribute(_) => self.field::<i64>(position).map_or(default, |number| number != 0),
            Argument::Absent | Argument::Input(_) | Argument::ChannelsLast(_) | Argument::Every(..) => default,
        }
    }

    /// A string; empty if it is left out.
    #[must_use]
    pub fn text(&self, position: usize) -> &'n [u8] {
        self.field(position).unwrap_or_default()
    }

    /// The value of an attribute of any kind.
    #[must_use]
    pub fn value(&self, position: usize) -> Option<AttributeValue<'n>> {
        match self.argument(position) {
            Argument::Attribute(index) => self.attribute(index),
            _ => None,
        }
    }

    /// The element type that an attribute names, or that of an input.
    #[must_use]
    pub fn element_type(&self, position: usize) -> Option<DataType> {
        match self.value(position) {
            Some(AttributeValue::Int(number)) => DataType::from_number(i32::try_from(number).ok()?),
            // The first opsets wrote the name of `TensorProto.DataType`, in capitals.
            Some(AttributeValue::String(name)) => {
                DataType::all().find(|ty| ty.name().as_bytes().eq_ignore_ascii_case(name))
            }
            _ => self.optional_tensor(position)?.fact.ty?.element(),
        }
    }

    /// A graph in an attribute.
    #[must_use]
    pub fn graph(&self, position: usize) -> Graph<'n, D> {
        let attribute = if let Argument::Attribute(index) = self.argument(position) { Some(index) } else { None };
        Graph { attribute, view: self.field(position), graphs: self.graphs }
    }

    /// A number, or the length of a list attribute; `None` if it is left out.
    #[must_use]
    pub fn count(&self, position: usize) -> Option<Count> {
        match (self.argument(position), self.value(position)) {
            (Argument::Int(number), _) | (_, Some(AttributeValue::Int(number))) => Some(Count::Number(number)),
            (_, Some(value)) => entries(value).map(Count::Listed),
            _ => None,
        }
    }
}

/// How many of something there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A number.
    Number(i64),
    /// The length of a list.
    Listed(u64),
}

/// The length of a list attribute; `None` if it is not a list.
pub(crate) fn entries(value: AttributeValue<'_>) -> Option<u64> {
    let entries = match value {
        AttributeValue::Ints(list) => list.len(),
        AttributeValue::Floats(list) => list.len(),
        AttributeValue::Strings(list) => list.len(),
        _ => return None,
    };
    Some(entries as u64)
}
