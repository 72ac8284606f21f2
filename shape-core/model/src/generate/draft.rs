//! A node that is being made: its attributes and inputs by their places in the schema.

use bytes::Bytes;
use shape_core::node::{
    AttributeKind, AttributeValue, GraphView, NodeAttribute, StringsView, TensorView, TypeProtoView,
};
use shape_core::schema::{FormalParameter, ParameterOption, ParameterType, Schema};
use shape_core::tensor::Tensor as View;
use shape_core::types::Type;

use super::value::{Data, Tensor, Value, type_proto};
use crate::file::proto::{AttributeProto, GraphProto, TensorProto, TypeProto};

/// A node that is being made.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) schema: &'static Schema,
    /// By the attributes of the schema; `None` for one that the node leaves out.
    pub(super) attributes: Vec<Option<Argument>>,
    /// By the formal inputs of the schema; those of a variadic one come last. `None` for one that is left out.
    pub(super) inputs: Vec<Option<Input>>,
    /// By the formal outputs; whether the node has it.
    pub(super) outputs: Vec<bool>,
}

/// An input of a node.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) value: Value,
    /// The value of the graph that it reads; `None` for one of its own.
    pub(super) from: Option<usize>,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Int(i64),
    Float(f32),
    String(Vec<u8>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Strings(Vec<Vec<u8>>),
    /// A tensor, and its message.
    Tensor(Box<(Tensor, TensorProto)>),
    Type(Box<TypeProto>),
    /// A graph, and what is known of its outputs.
    Graph(Box<GraphProto>, Vec<Value>),
}

impl Argument {
    /// A tensor.
    pub(super) fn tensor(tensor: Tensor) -> Self {
        let proto = tensor.to_proto("");
        Self::Tensor(Box::new((tensor, proto)))
    }

    /// A type, with tensors of unknown rank.
    pub(super) fn ty(ty: Type) -> Self {
        Self::Type(Box::new(type_proto(ty, None)))
    }

    /// A value of a descriptor, such as a default.
    pub(super) fn of(value: AttributeValue<'_>) -> Option<Self> {
        Some(match value {
            AttributeValue::Int(number) => Self::Int(number),
            AttributeValue::Float(number) => Self::Float(number),
            AttributeValue::String(text) => Self::String(text.to_vec()),
            AttributeValue::Ints(ints) => Self::Ints(ints.to_vec()),
            AttributeValue::Floats(floats) => Self::Floats(floats.to_vec()),
            AttributeValue::Strings(strings) => Self::Strings(strings.iter().map(<[u8]>::to_vec).collect()),
            _ => return None,
        })
    }

    pub(super) fn view(&self) -> AttributeValue<'_> {
        match self {
            Self::Int(number) => AttributeValue::Int(*number),
            Self::Float(number) => AttributeValue::Float(*number),
            Self::String(text) => AttributeValue::String(text),
            Self::Ints(ints) => AttributeValue::Ints(ints),
            Self::Floats(floats) => AttributeValue::Floats(floats),
            Self::Strings(strings) => AttributeValue::Strings(StringsView::from(strings)),
            Self::Tensor(held) => AttributeValue::Tensor(match &held.0.data {
                Data::Bytes(bytes) => View::new(held.0.ty, &held.0.dims, bytes)
                    .map_or_else(|_| TensorView::new(&held.1), TensorView::from),
                Data::Strings(_) => TensorView::new(&held.1),
            }),
            Self::Type(proto) => AttributeValue::TypeProto(TypeProtoView::new(&**proto)),
            Self::Graph(proto, _) => AttributeValue::Graph(GraphView::new(&**proto)),
        }
    }

    pub(super) fn to_proto(&self, name: &str) -> AttributeProto {
        let number = |kind: AttributeKind| Some(kind.number());
        let mut proto = AttributeProto { name: name.to_owned(), ..AttributeProto::default() };
        match self {
            Self::Int(value) => (proto.r#type, proto.i) = (number(AttributeKind::Int), Some(*value)),
            Self::Float(value) => (proto.r#type, proto.f) = (number(AttributeKind::Float), Some(*value)),
            Self::String(text) => {
                (proto.r#type, proto.s) = (number(AttributeKind::String), Some(Bytes::copy_from_slice(text)));
            }
            Self::Ints(ints) => (proto.r#type, proto.ints) = (number(AttributeKind::Ints), ints.clone()),
            Self::Floats(floats) => (proto.r#type, proto.floats) = (number(AttributeKind::Floats), floats.clone()),
            Self::Strings(strings) => {
                let strings = strings.iter().map(|text| Bytes::copy_from_slice(text)).collect();
                (proto.r#type, proto.strings) = (number(AttributeKind::Strings), strings);
            }
            Self::Tensor(held) => {
                (proto.r#type, proto.t) = (number(AttributeKind::Tensor), Some(Box::new(held.1.clone())));
            }
            Self::Type(ty) => (proto.r#type, proto.tp) = (number(AttributeKind::TypeProto), Some(ty.clone())),
            Self::Graph(graph, _) => (proto.r#type, proto.g) = (number(AttributeKind::Graph), Some(graph.clone())),
        }
        proto
    }
}

impl Input {
    /// An input with a value of its own.
    pub(super) fn own(value: Value) -> Self {
        Self { value, from: None }
    }
}

impl Draft {
    /// The attributes of the node.
    pub(super) fn views(&self) -> Vec<NodeAttribute<'_>> {
        let given = self.schema.attributes.iter().zip(&self.attributes);
        given
            .filter_map(|(attribute, value)| Some(NodeAttribute::new(attribute.name, value.as_ref()?.view())))
            .collect()
    }

    /// The value of an attribute, or its default.
    pub(super) fn attribute(&self, index: usize) -> Option<AttributeValue<'_>> {
        let given = self.attributes.get(index)?.as_ref().map(Argument::view);
        given.or_else(|| self.schema.attributes.get(index)?.default)
    }

    /// The value of an input.
    pub(super) fn value(&self, index: usize) -> Option<&Value> {
        self.inputs.get(index)?.as_ref().map(|input| &input.value)
    }

    /// The tensor of an input, with its elements.
    pub(super) fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.value(index)?.tensor()
    }

    /// The formal input of an index.
    pub(super) fn formal(&self, index: usize) -> Option<&'static FormalParameter> {
        self.schema.input(index)
    }

    /// Whether an input may be left out.
    pub(super) fn is_optional(&self, index: usize) -> bool {
        self.formal(index).is_some_and(|formal| formal.option == ParameterOption::Optional)
    }

    /// The types that an input may have.
    pub(super) fn allowed(&self, index: usize) -> Vec<Type> {
        self.formal(index).map(|formal| allowed(self.schema, formal)).unwrap_or_default()
    }

    /// The index of the type variable of an input.
    pub(super) fn variable(&self, index: usize) -> Option<usize> {
        variable(self.formal(index)?)
    }

    /// The index of the type variable of an input that shares its type with others.
    pub(super) fn shared(&self, index: usize) -> Option<usize> {
        self.formal(index).filter(|formal| formal.homogeneous).and_then(variable)
    }
}

/// The index of the type variable of a parameter.
pub(super) fn variable(formal: &FormalParameter) -> Option<usize> {
    match formal.ty {
        ParameterType::Variable(variable) => Some(variable),
        ParameterType::Fixed(_) => None,
    }
}

/// The types of a parameter.
pub(super) fn allowed(schema: &Schema, formal: &FormalParameter) -> Vec<Type> {
    match formal.ty {
        ParameterType::Fixed(ty) => vec![ty],
        ParameterType::Variable(variable) => {
            schema.types.get(variable).map(|constraint| constraint.allow.iter().collect()).unwrap_or_default()
        }
    }
}
