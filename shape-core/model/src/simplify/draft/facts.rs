//! What is known of the values of a draft.

use super::{Draft, Made, NodeId, Source, ValueId};
use crate::file::Attribute;
use crate::value::Facts;
use shape_core::data_type::DataType;
use shape_core::dimension::Dimension as _;
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::rule::{Argument, Call, DimsRule};
use shape_core::schema::Schema;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

impl Draft<'_, '_> {
    fn facts(&self, value: ValueId) -> Option<&Facts> {
        self.analysis.values.get(value).map(|value| &**value)
    }

    fn made(&self, value: ValueId) -> Option<&Made> {
        self.values.get(value)?.made.as_deref()
    }

    pub(in crate::simplify) fn ty(&self, value: ValueId) -> Option<Type> {
        self.made(value).map(|made| made.ty).or_else(|| self.facts(value)?.ty.as_ref().ok().copied())
    }

    pub(in crate::simplify) fn dims(&self, value: ValueId) -> Option<&[Dim]> {
        match self.made(value) {
            Some(made) => Some(&made.dims),
            None => self.facts(value)?.dims.as_deref().ok(),
        }
    }

    pub(in crate::simplify) fn elements(&self, value: ValueId) -> Option<&[Scalar<Dim>]> {
        match self.made(value) {
            Some(made) => Some(&made.elements),
            None => self.facts(value)?.elements.as_deref().ok(),
        }
    }

    /// The elements of a value that are all integers.
    pub(in crate::simplify) fn integers(&self, value: ValueId) -> Option<Vec<i64>> {
        let integer = |element: &Scalar<Dim>| if let Scalar::Int(number) = element { Some(*number) } else { None };
        self.elements(value)?.iter().map(integer).collect()
    }

    /// Whether two values have the same type, and the same dimensions for all sizes of the symbols.
    pub(in crate::simplify) fn same_form(&self, left: ValueId, right: ValueId) -> bool {
        let same_dims = || {
            let (left, right) = (self.dims(left)?, self.dims(right)?);
            Some(left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same_as(right)))
        };
        self.same_type(left, right) && same_dims().unwrap_or(false)
    }

    pub(in crate::simplify) fn same_type(&self, left: ValueId, right: ValueId) -> bool {
        self.ty(left).is_some_and(|ty| self.ty(right) == Some(ty))
    }

    /// The views of the attributes of a node of the file.
    pub(in crate::simplify) fn attributes(&self, node: NodeId) -> Vec<NodeAttribute<'_>> {
        let file = self.nodes.get(node).and_then(|node| node.file);
        file.into_iter().flat_map(|file| file.attributes().iter()).filter_map(Attribute::view).collect()
    }

    /// Whether a node is of an operator.
    pub(in crate::simplify) fn is_of(&self, node: NodeId, operator: &Schema) -> bool {
        self.nodes.get(node).and_then(|node| node.schema).is_some_and(|schema| schema.name == operator.name)
    }

    /// The rule that computes the dimensions of an output of a node.
    pub(in crate::simplify) fn rule(&self, node: NodeId, output: usize) -> Option<Call> {
        let schema = self.nodes.get(node)?.schema?;
        match schema.rules.iter().find(|rule| rule.output == output)?.dims? {
            DimsRule::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The value that a node passes to its rule as the argument at an index.
    pub(in crate::simplify) fn argument(&self, node: NodeId, call: Call, index: usize) -> Option<(usize, ValueId)> {
        match call.arguments.get(index)? {
            Argument::Input(input) => Some((*input, self.input(node, *input)?)),
            _ => None,
        }
    }

    /// The integer that a node passes to its rule as the argument at an index, which is an attribute.
    pub(in crate::simplify) fn integer_attribute(
        &self,
        node: NodeId,
        call: Call,
        index: usize,
    ) -> Option<(&'static str, Option<i64>)> {
        let Argument::Attribute(attribute) = call.arguments.get(index)? else { return None };
        let declared = self.nodes.get(node)?.schema?.attributes.get(*attribute)?;
        let found = self.nodes.get(node)?;
        let number = match &found.attributes {
            Some(attributes) => {
                attributes.iter().find(|attribute| attribute.name == declared.name).and_then(|set| set.i)
            }
            None => match found.file?.attribute(declared.name).and_then(Attribute::view).map(|view| view.value) {
                Some(AttributeValue::Int(number)) => Some(number),
                _ => None,
            },
        };
        Some((declared.name, number))
    }

    /// For each output of a node, the index of the input whose elements it has, in their order, if that is so.
    pub(in crate::simplify) fn kept(&self, node: NodeId) -> Vec<Option<usize>> {
        let Some(draft) = self.nodes.get(node) else { return Vec::new() };
        let (Some(schema), Some(_), None) = (draft.schema, draft.file, &draft.attributes) else { return Vec::new() };
        if self.inside.contains_key(&node) || !schema.infers() {
            return Vec::new();
        }
        let fact = |value: ValueId| Fact {
            ty: self.ty(value),
            dims: self.dims(value),
            elements: self.elements(value).map(Elements::Scalars),
        };
        let facts: Vec<Option<Fact<'_, Dim>>> = draft.inputs.iter().map(|input| input.map(fact)).collect();
        let mut kept = Kept(vec![None; draft.outputs.len()]);
        match schema.run_rules(&self.attributes(node), Inputs(&facts), &(), &mut kept, &mut |_| ()) {
            Ok(()) => kept.0,
            Err(_) => Vec::new(),
        }
    }

    /// Marks the values that are computed from whole numbers alone, which no run rounds.
    pub(super) fn find_whole(&mut self) {
        let mut whole: Vec<bool> = Vec::with_capacity(self.analysis.values.len());
        // A value comes after those that it depends on.
        for value in 0..self.analysis.values.len() {
            let is_whole = |ty: Type| {
                let of = [DataType::Int64, DataType::Int32, DataType::Bool];
                of.iter().any(|of| Type::tensor(*of) == ty)
            };
            let from_whole = match self.giver(value) {
                Some((node, _)) => self.nodes.get(node).is_some_and(|node| {
                    let known = |input: &usize| self.elements(*input).is_some();
                    let mut inputs = node.inputs.iter().flatten().copied().filter(known);
                    node.schema.is_some() && inputs.all(|input| whole.get(input).copied().unwrap_or(false))
                }),
                None => true,
            };
            whole.push(from_whole && self.ty(value).is_some_and(is_whole));
        }
        self.whole = whole;
    }

    /// Whether a value is computed from whole numbers alone.
    pub(in crate::simplify) fn is_whole(&self, value: ValueId) -> bool {
        self.whole.get(value).copied().unwrap_or(true)
    }

    /// Whether a value is an input of the model, and no constant.
    pub(in crate::simplify) fn is_main_input(&self, value: ValueId) -> bool {
        self.values.get(value).is_some_and(|value| matches!(value.source, Source::Input) && self.is_main(value.graph))
    }

    /// Whether a value still exists.
    pub(in crate::simplify) fn is_there(&self, value: ValueId) -> bool {
        self.values.get(value).is_some_and(|value| match value.source {
            Source::Input => true,
            Source::Initializer | Source::Constant(..) => value.is_read(),
            Source::Node(node, output) => !self.is_removed(node) && self.output(node, output).is_some(),
        })
    }

    /// The largest constant that takes the place of a value, in bytes.
    pub(in crate::simplify) fn max_constant(&self) -> usize {
        self.max_constant
    }

    /// Whether an output has the dimensions of an input in every node of the operator version.
    pub(in crate::simplify) fn keeps_dims(&self, node: NodeId, output: usize) -> bool {
        /// The rules that give the dimensions of their first argument.
        const SAME: [&str; 3] = ["identity", "same", "dropout"];
        self.rule(node, output).is_some_and(|call| SAME.contains(&call.rule.name()))
    }
}

/// Takes note of the inputs whose elements the outputs have.
struct Kept(Vec<Option<usize>>);

impl Outputs<Dim> for Kept {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn dims(&mut self, _: usize, _: Dims<'_, Dim>) {}

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, Dim>, UnknownCause>) {}

    fn elements_of(&mut self, output: usize, input: usize) {
        if let Some(kept) = self.0.get_mut(output) {
            *kept = Some(input);
        }
    }
}
