//! What decides the type of an output that the inputs leave open: an attribute, a subgraph, or a part of an input's type.

use crate::check::Problem;
use crate::data_type::DataType;
use crate::node::{AttributeKind, AttributeValue, NodeAttribute};
use crate::rules::OutputRule;
use crate::schema::{Attribute, Schema};
use crate::types::Type;

/// Where a type comes from.
#[derive(Clone, Copy, Debug)]
pub struct TypeSource {
    /// The type.
    pub of: TypeOf,
    /// What must be given so that it counts.
    pub condition: Option<Condition>,
}

/// A type, or what has one.
#[derive(Clone, Copy, Debug)]
pub enum TypeOf {
    /// The type itself.
    Type(Type),
    /// The attribute at this place of [`Schema::attributes`], or its default. An INT or STRING names an element type, for
    /// a tensor of it; a tensor has its own; a graph has those of its outputs from `from` on, for as many outputs of the
    /// node.
    Attribute {
        /// The place.
        index: usize,
        /// The first output of a graph that counts.
        from: usize,
    },
    /// The input at this place; of a variadic one the first.
    Input(usize),
    /// `seq(...)` of it.
    Sequence(&'static TypeOf),
    /// `optional(...)` of it.
    Optional(&'static TypeOf),
    /// What a sequence has of it.
    Element(&'static TypeOf),
    /// What an optional has in it, or what a map goes to; what is neither, itself.
    Value(&'static TypeOf),
    /// Of the inputs from a place on, which are so many groups of as many each, the one whose turn it is among those of
    /// the first group and of all behind the second.
    Updated {
        /// The place of the first.
        input: usize,
        /// How many groups there are.
        groups: usize,
    },
}

/// What a node must give so that a [`TypeSource`] counts.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// The attribute at this place of [`Schema::attributes`].
    Attribute(usize),
    /// The input at this place.
    Input(usize),
    /// The attribute at this place with this value, be it by default.
    AttributeIs(usize, AttributeValue<'static>),
    /// The input at this place, of this type.
    InputOf(usize, Type),
}

/// What is known of a node, for [`Schema::decided`].
#[derive(Clone, Copy)]
pub struct Asked<'n, 'a> {
    /// Its attributes.
    pub attributes: &'n [NodeAttribute<'a>],
    /// Whether each of its inputs is given.
    pub given: &'n [bool],
    /// The types of its inputs, as far as they are known.
    pub inputs: &'n [Option<Type>],
    /// The type in what a rule does not look into: of the output of a graph at a place, of a sparse tensor, or the one
    /// that a `TYPE_PROTO` says.
    pub within: &'n dyn Fn(AttributeValue<'a>, usize) -> Option<Type>,
}

impl<'a> Asked<'_, 'a> {
    /// The value that a node gives an attribute.
    fn own(&self, attribute: &Attribute) -> Option<AttributeValue<'a>> {
        self.attributes.iter().find(|given| given.name == attribute.name).map(|given| given.value)
    }

    /// The same, or the default.
    fn value(&self, attribute: &Attribute) -> Option<AttributeValue<'a>> {
        self.own(attribute).or(attribute.default)
    }
}

impl TypeOf {
    /// The input in it.
    fn input(&self) -> Option<usize> {
        match self {
            Self::Input(index) => Some(*index),
            Self::Sequence(of) | Self::Optional(of) | Self::Element(of) | Self::Value(of) => of.input(),
            Self::Type(_) | Self::Attribute { .. } | Self::Updated { .. } => None,
        }
    }

    /// The attribute in it.
    fn attribute(&self) -> Option<usize> {
        match self {
            Self::Attribute { index, .. } => Some(*index),
            Self::Sequence(of) | Self::Optional(of) | Self::Element(of) | Self::Value(of) => of.attribute(),
            Self::Type(_) | Self::Input(_) | Self::Updated { .. } => None,
        }
    }
}

impl Schema {
    /// The type of an output that its rule decides; `None` where there is no rule, or it says nothing.
    ///
    /// # Errors
    /// An attribute names an element type that ONNX does not have.
    ///
    /// ```
    /// # #[cfg(feature = "ai-onnx")] {
    /// use shape_core::node::{AttributeValue, NodeAttribute};
    /// use shape_core::{DataType, Registry, Type};
    /// use shape_core::rules::Asked;
    /// let cast = Registry::builtin().resolve("", "Cast", 21).unwrap();
    /// let to = [NodeAttribute::new("to", AttributeValue::Int(7))];
    /// let asked = Asked { attributes: &to, given: &[], inputs: &[], within: &|_, _| None };
    /// assert_eq!(cast.decided(0, &asked).unwrap(), Some(Type::tensor(DataType::Int64)));
    /// # }
    /// ```
    pub fn decided<'a>(&'static self, output: usize, asked: &Asked<'_, 'a>) -> Result<Option<Type>, Problem<'a>> {
        let place = |rule: &&OutputRule| {
            let parameter = self.outputs.get(rule.output);
            rule.output == output
                || (rule.output < output && parameter.map(|of| of.name) == self.output(output).map(|of| of.name))
        };
        let Some(rule) = self.rules.iter().find(place) else { return Ok(None) };
        let at = output - rule.output;
        let mut decided: Option<Type> = None;
        for source in rule.types {
            let graph = self.is_graph(source.of);
            // A graph is asked even where another one has decided: the two must agree.
            // What the caller of a function gives is not known here.
            if decided.is_none() && self.is_referred(source, asked) {
                return Ok(None);
            }
            if (decided.is_some() && !graph) || !self.counts(source, asked) {
                continue;
            }
            // What is given decides, and where its type is unknown, so is this.
            if let (None, Some(input)) = (decided, source.of.input())
                && asked.given.get(input) == Some(&true)
                && asked.inputs.get(input).copied().flatten().is_none()
            {
                return Ok(None);
            }
            match (decided, self.type_of(source.of, at, asked)?) {
                // Which of them holds is not known before the model runs; that they differ is the checker's to say.
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
                self.attributes.get(index).is_some_and(|attribute| attribute.kind == AttributeKind::Graph)
            }
            _ => false,
        }
    }

    /// Whether an attribute that a source asks for stands for one of the function around the node.
    fn is_referred(&self, source: &TypeSource, asked: &Asked<'_, '_>) -> bool {
        let condition = match source.condition {
            Some(Condition::AttributeIs(index, _)) => Some(index),
            _ => None,
        };
        let own = |index: usize| asked.own(self.attributes.get(index)?);
        let mut asks = [source.of.attribute(), condition].into_iter().flatten();
        asks.any(|index| matches!(own(index), Some(AttributeValue::Other(_))))
    }

    fn counts(&self, source: &TypeSource, asked: &Asked<'_, '_>) -> bool {
        let value = |index: usize| self.attributes.get(index).and_then(|attribute| asked.value(attribute));
        match source.condition {
            None => true,
            Some(Condition::Attribute(index)) => self.attributes.get(index).and_then(|of| asked.own(of)).is_some(),
            Some(Condition::AttributeIs(index, is)) => value(index) == Some(is),
            Some(Condition::Input(index)) => asked.given.get(index) == Some(&true),
            Some(Condition::InputOf(index, ty)) => asked.inputs.get(index).copied().flatten() == Some(ty),
        }
    }

    fn type_of<'a>(&'static self, of: TypeOf, at: usize, asked: &Asked<'_, 'a>) -> Result<Option<Type>, Problem<'a>> {
        Ok(match of {
            TypeOf::Type(ty) => Some(ty),
            TypeOf::Input(index) => asked.inputs.get(index).copied().flatten(),
            TypeOf::Updated { input, groups } => {
                let inputs = asked.inputs.get(input..).unwrap_or_default();
                let each = inputs.len() / groups.max(1);
                inputs.get(if at < each { at } else { at.saturating_add(each) }).copied().flatten()
            }
            TypeOf::Sequence(of) => self.type_of(*of, at, asked)?.and_then(Type::sequence),
            TypeOf::Optional(of) => self.type_of(*of, at, asked)?.and_then(Type::optional),
            TypeOf::Element(of) => self.type_of(*of, at, asked)?.and_then(Type::in_sequence),
            TypeOf::Value(of) => {
                let of = self.type_of(*of, at, asked)?;
                of.map(|ty| ty.in_optional().or(ty.in_map()).unwrap_or(ty))
            }
            TypeOf::Attribute { index, from } => {
                let Some(attribute) = self.attributes.get(index) else { return Ok(None) };
                let Some(value) = asked.value(attribute) else { return Ok(None) };
                let element = match value {
                    // ONNX's UNDEFINED: what stands there where nothing is meant.
                    AttributeValue::Int(0) if attribute.default == Some(value) => return Ok(None),
                    AttributeValue::Int(number) => i32::try_from(number).ok().and_then(DataType::from_number),
                    // The first opsets wrote the name of `TensorProto.DataType`, in capitals.
                    AttributeValue::String(name) => {
                        DataType::all().find(|ty| ty.name().as_bytes().eq_ignore_ascii_case(name))
                    }
                    AttributeValue::Tensor(tensor) => return Ok(tensor.data_type().map(Type::tensor)),
                    other => return Ok((asked.within)(other, at + from)),
                };
                let element = element.ok_or(Problem::NoElementType { attribute, found: value })?;
                Some(Type::tensor(element))
            }
        })
    }
}
