//! The type of an output that does not follow from the types of the inputs.

use crate::data_type::DataType;
use crate::node::{AttributeKind, AttributeValue, NodeAttribute};
use crate::problem::Problem;
use crate::rule::{Condition, OutputRule, TypeOf, TypeSource};
use crate::schema::{Attribute, Schema};
use crate::types::Type;

/// What is known of a node, for [`Schema::decided`].
#[derive(Clone, Copy)]
pub struct TypeQuery<'n, 'a> {
    /// Its attributes.
    pub attributes: &'n [NodeAttribute<'a>],
    /// Whether each of its inputs is present.
    pub given: &'n [bool],
    /// The types of its inputs, as far as they are known.
    pub inputs: &'n [Option<Type>],
    /// The type in an attribute that the rule cannot read itself: that of the graph's output at an index, of a sparse
    /// tensor, or of a `TYPE_PROTO`.
    pub within: &'n dyn Fn(AttributeValue<'a>, usize) -> Option<Type>,
}

impl<'a> TypeQuery<'_, 'a> {
    /// The value of an attribute at the node.
    fn node_value(&self, attribute: &Attribute) -> Option<AttributeValue<'a>> {
        self.attributes.iter().find(|given| given.name == attribute.name).map(|given| given.value)
    }

    /// The value of an attribute at the node, or its default.
    fn value(&self, attribute: &Attribute) -> Option<AttributeValue<'a>> {
        self.node_value(attribute).or(attribute.default)
    }
}

impl Schema {
    /// The type of an output that its rule decides; `None` if there is no rule, or it does not decide.
    ///
    /// # Errors
    /// An attribute names an element type that ONNX does not have.
    ///
    /// ```
    /// # #[cfg(feature = "ai-onnx")] {
    /// use shape_core::node::{AttributeValue, NodeAttribute};
    /// use shape_core::{DataType, Registry, Type};
    /// use shape_core::infer::TypeQuery;
    /// let cast = Registry::builtin().resolve("", "Cast", 21).unwrap();
    /// let to = [NodeAttribute::new("to", AttributeValue::Int(7))];
    /// let query = TypeQuery { attributes: &to, given: &[], inputs: &[], within: &|_, _| None };
    /// assert_eq!(cast.decided(0, &query).unwrap(), Some(Type::tensor(DataType::Int64)));
    /// # }
    /// ```
    pub fn decided<'a>(&'static self, output: usize, query: &TypeQuery<'_, 'a>) -> Result<Option<Type>, Problem<'a>> {
        let applies = |rule: &&OutputRule| {
            let parameter = self.outputs.get(rule.output);
            rule.output == output
                || (rule.output < output && parameter.map(|of| of.name) == self.output(output).map(|of| of.name))
        };
        let Some(rule) = self.rules.iter().find(applies) else { return Ok(None) };
        let at = output - rule.output;
        let mut decided: Option<Type> = None;
        for source in rule.types {
            let graph = self.is_graph(source.of);
            // The value that the caller of a function passes is not known here.
            if decided.is_none() && self.is_referred(source, query) {
                return Ok(None);
            }
            // A graph is read even if another one has decided: the two must agree.
            if (decided.is_some() && !graph) || !self.counts(source, query) {
                continue;
            }
            // An input that is present decides; if its type is unknown, so is the result.
            if let (None, Some(input)) = (decided, source.of.input())
                && query.given.get(input) == Some(&true)
                && query.inputs.get(input).copied().flatten().is_none()
            {
                return Ok(None);
            }
            match (decided, self.type_of(source.of, at, query)?) {
                // Which of them holds is known only when the model runs; the checker reports that they differ.
                (Some(first), Some(second)) if first != second => return Ok(None),
                (None, found) => decided = found,
                _ => {}
            }
        }
        Ok(decided)
    }

    fn is_graph(&self, of: TypeOf) -> bool {
        match of {
            TypeOf::Attribute { index, .. } => {
                self.counted(index).is_some_and(|attribute| attribute.kind == AttributeKind::Graph)
            }
            _ => false,
        }
    }

    /// Whether a source reads an attribute that refers to one of the function around the node.
    fn is_referred(&self, source: &TypeSource, query: &TypeQuery<'_, '_>) -> bool {
        let condition = match source.condition {
            Some(Condition::AttributeIs(index, _)) => Some(index),
            _ => None,
        };
        let value = |index: usize| query.node_value(self.counted(index)?);
        let mut read = [source.of.attribute(), condition].into_iter().flatten();
        read.any(|index| matches!(value(index), Some(AttributeValue::Other(_))))
    }

    fn counts(&self, source: &TypeSource, query: &TypeQuery<'_, '_>) -> bool {
        let value = |index: usize| self.counted(index).and_then(|attribute| query.value(attribute));
        match source.condition {
            None => true,
            Some(Condition::Attribute(index)) => self.counted(index).and_then(|of| query.node_value(of)).is_some(),
            Some(Condition::AttributeIs(index, is)) => value(index) == Some(is),
            Some(Condition::Input(index)) => query.given.get(index) == Some(&true),
            Some(Condition::InputOf(index, ty)) => query.inputs.get(index).copied().flatten() == Some(ty),
        }
    }

    fn type_of<'a>(
        &'static self,
        of: TypeOf,
        at: usize,
        query: &TypeQuery<'_, 'a>,
    ) -> Result<Option<Type>, Problem<'a>> {
        Ok(match of {
            TypeOf::Type(ty) => Some(ty),
            TypeOf::Input(index) => query.inputs.get(index).copied().flatten(),
            TypeOf::Updated { input, groups } => {
                let inputs = query.inputs.get(input..).unwrap_or_default();
                let each = inputs.len() / groups.max(1);
                inputs.get(if at < each { at } else { at.saturating_add(each) }).copied().flatten()
            }
            TypeOf::Sequence(of) => self.type_of(*of, at, query)?.and_then(Type::sequence),
            TypeOf::Optional(of) => self.type_of(*of, at, query)?.and_then(Type::optional),
            TypeOf::Element(of) => self.type_of(*of, at, query)?.and_then(Type::in_sequence),
            TypeOf::Value(of) => {
                let of = self.type_of(*of, at, query)?;
                of.map(|ty| ty.in_optional().or(ty.in_map()).unwrap_or(ty))
            }
            TypeOf::Attribute { index, from } => {
                let Some(attribute) = self.counted(index) else { return Ok(None) };
                let Some(value) = query.value(attribute) else { return Ok(None) };
                let element = match value {
                    // ONNX's UNDEFINED: the default that means no type.
                    AttributeValue::Int(0) if attribute.default == Some(value) => return Ok(None),
                    AttributeValue::Int(number) => i32::try_from(number).ok().and_then(DataType::from_number),
                    // The first opsets wrote the name of `TensorProto.DataType`, in capitals.
                    AttributeValue::String(name) => {
                        DataType::all().find(|ty| ty.name().as_bytes().eq_ignore_ascii_case(name))
                    }
                    AttributeValue::Tensor(tensor) => return Ok(tensor.data_type().map(Type::tensor)),
                    other => return Ok((query.within)(other, at + from)),
                };
                let element = element.ok_or(Problem::NoElementType { attribute, found: value })?;
                Some(Type::tensor(element))
            }
        })
    }
}
