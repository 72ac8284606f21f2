//! A node between two versions.

use alloc::vec::Vec;

use super::constant::{Constant, Numbers};
use super::node::{Attribute, Input, Known, Node, Output};
use crate::data_type::DataType;
use crate::schema::{FormalParameter, ParameterType, Schema};
use crate::symbolic::Dim;
use crate::types::Type;

/// Finds the versions of an operator by its name, oldest first; none for one that is not known.
pub type Operators<'o> = dyn Fn(&str) -> &'o [&'static Schema] + 'o;

/// The version that is in force at an opset.
pub(super) fn in_force(versions: &[&'static Schema], opset: u32) -> Option<&'static Schema> {
    versions.iter().copied().rfind(|schema| schema.since_version <= opset)
}

/// Two neighbouring versions of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The version before the step.
    pub from: &'static Schema,
    /// The version after the step.
    pub to: &'static Schema,
}

impl Step {
    /// Whether the step goes to the newer version.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.from.since_version < self.to.since_version
    }

    /// The newer of the two versions, which says what it changed.
    #[must_use]
    pub fn newer(&self) -> &'static Schema {
        if self.is_up() { self.to } else { self.from }
    }

    /// The opset of new nodes: the first, or the last one, that has the version after the step.
    pub(super) fn opset(&self) -> u32 {
        if self.is_up() { self.to.since_version } else { self.from.since_version.saturating_sub(1) }
    }
}

/// A node between two versions. Its inputs and outputs have names; the values of a variadic one share its name.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    pub(super) attributes: Vec<Attribute<'a>>,
    /// The attributes that the node leaves out: the draft has them with the defaults of the version before the step.
    /// They are left out again if the version after the step does the same.
    pub(super) implied: Vec<&'static str>,
    pub(super) inputs: Vec<(&'static str, Input<'a>)>,
    pub(super) outputs: Vec<(&'static str, Output<'a>)>,
}

impl<'a> Draft<'a> {
    pub(super) fn of(schema: &'static Schema, node: Node<'a>) -> Self {
        let Node { attributes, inputs, outputs } = node;
        let input = |index| schema.input(index).map_or("", |formal: &FormalParameter| formal.name);
        let output = |index| schema.output(index).map_or("", |formal: &FormalParameter| formal.name);
        Self {
            attributes,
            implied: Vec::new(),
            inputs: inputs.into_iter().enumerate().map(|(index, given)| (input(index), given)).collect(),
            outputs: outputs.into_iter().enumerate().map(|(index, given)| (output(index), given)).collect(),
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Removes and returns an attribute.
    pub(super) fn take_attribute(&mut self, name: &str) -> Option<Attribute<'a>> {
        let at = self.attributes.iter().position(|attribute| attribute.name == name)?;
        Some(self.attributes.remove(at))
    }

    /// An input that the node has.
    pub(super) fn input(&self, name: &str) -> Option<&Input<'a>> {
        self.inputs.iter().find(|(formal, input)| *formal == name && *input != Input::Absent).map(|(_, input)| input)
    }

    /// Removes and returns an input.
    pub(super) fn take_input(&mut self, name: &str) -> Option<Input<'a>> {
        let at = self.inputs.iter().position(|(formal, _)| *formal == name)?;
        Some(self.inputs.remove(at).1).filter(|input| *input != Input::Absent)
    }

    pub(super) fn output(&self, name: &str) -> Option<Known<'a>> {
        let given = |(formal, output): &&(&str, Output<'a>)| *formal == name && *output != Output::Absent;
        self.outputs.iter().find(given).map(|(_, output)| output.known())
    }

    /// The number of axes of an input or output.
    pub(super) fn rank(&self, name: &str) -> Option<usize> {
        match self.input(name) {
            Some(input) => input.rank(),
            None => Some(self.output(name)?.dims?.len()),
        }
    }

    /// A constant for a formal input of a version; `None` if it cannot have such elements, or their type is not known.
    pub(super) fn constant(
        &self,
        of: &'static Schema,
        formal: &'static FormalParameter,
        numbers: &Numbers,
        is_scalar: bool,
    ) -> Option<Constant> {
        let inputs = self.inputs.iter().map(|(name, input)| (*name, input.ty(), *input == Input::Absent));
        let outputs = self.outputs.iter().map(|(name, output)| (*name, output.known().ty, *output == Output::Absent));
        Constant::of(element(of, formal, numbers, inputs, outputs)?, is_scalar, numbers)
    }
}

/// The element type of a constant for a formal input of a version, next to the given inputs and outputs; `None` if it
/// depends
/// on one that is not known.
pub(super) fn element<'n>(
    of: &'static Schema,
    formal: &'static FormalParameter,
    numbers: &Numbers,
    inputs: impl Iterator<Item = (&'n str, Option<Type>, bool)>,
    outputs: impl Iterator<Item = (&'n str, Option<Type>, bool)>,
) -> Option<DataType> {
    let variable = match formal.ty {
        ParameterType::Fixed(ty) => return ty.element(),
        ParameterType::Variable(variable) => variable,
    };
    let binds = |formals: &[FormalParameter], name: &str| {
        let same = |other: &&FormalParameter| other.name == name && other.name != formal.name;
        formals.iter().find(same).is_some_and(|other| other.ty == formal.ty && other.homogeneous)
    };
    let mut bound = false;
    let inputs = inputs.filter(|(name, _, absent)| !absent && binds(of.inputs, name));
    let outputs = outputs.filter(|(name, _, absent)| !absent && binds(of.outputs, name));
    for (_, ty, _) in inputs.chain(outputs) {
        bound = true;
        if let Some(ty) = ty {
            return ty.element();
        }
    }
    let allow = of.types.get(variable).map(|constraint| constraint.allow)?;
    let usual = match numbers {
        Numbers::Ints(_) => DataType::Int64,
        Numbers::Floats(_) => DataType::Float,
    };
    let allowed = allow.iter().filter_map(Type::element);
    let mut fitting =
        [usual, DataType::Float].into_iter().chain(allowed).filter(|ty| allow.contains(Type::tensor(*ty)));
    if bound { None } else { fitting.find(|ty| numbers.exactly(*ty).is_some()) }
}

/// Whether dimensions are the same; `None` if that is not known.
pub(super) fn same(left: &[Dim], right: &[Dim]) -> Option<bool> {
    if left.len() != right.len() {
        return Some(false);
    }
    let mut all = Some(true);
    for pair in left.iter().zip(right) {
        match pair {
            (Dim::Known(left), Dim::Known(right)) if left != right => return Some(false),
            (Dim::Unknown(_), _) | (_, Dim::Unknown(_)) => all = None,
            (left, right) if left == right => {}
            _ => all = None,
        }
    }
    all
}
