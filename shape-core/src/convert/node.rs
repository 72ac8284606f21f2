//! A node to convert, and what becomes of it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::constant::Constant;
use crate::node::{AttributeKind, AttributeValue, NodeAttribute};
use crate::schema::Schema;
use crate::symbolic::Dim;
use crate::types::Type;

/// A node to convert.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node<'a> {
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
    /// Its inputs, in order.
    pub inputs: Vec<Input<'a>>,
    /// Its outputs, in order.
    pub outputs: Vec<Output<'a>>,
}

/// A node of the opset that the conversion leads to.
#[derive(Clone, Debug)]
pub struct Converted<'a> {
    /// Its version.
    pub schema: &'static Schema,
    /// Its attributes, inputs and outputs.
    pub node: Node<'a>,
}

/// An attribute of a node to convert.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: Value<'a>,
}

impl<'a> Attribute<'a> {
    /// An attribute of the original node.
    #[must_use]
    pub const fn given(name: &'a str, value: AttributeValue<'a>) -> Self {
        Self { name, value: Value::Given(value) }
    }

    /// A view of it.
    #[must_use]
    pub fn view(&self) -> NodeAttribute<'_> {
        NodeAttribute::new(self.name, self.value.view())
    }
}

/// The value of an attribute: one that the original node or a schema has, or a new one.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// A value of the original node or of a schema, or a new single number.
    Given(AttributeValue<'a>),
    /// New INTS.
    Ints(Vec<i64>),
    /// New FLOATS.
    Floats(Vec<f32>),
    /// A new TENSOR.
    Tensor(Constant),
}

impl Value<'_> {
    /// A view of it; a new tensor shows its kind alone.
    #[must_use]
    pub fn view(&self) -> AttributeValue<'_> {
        match self {
            Self::Given(value) => *value,
            Self::Ints(values) => AttributeValue::Ints(values),
            Self::Floats(values) => AttributeValue::Floats(values),
            Self::Tensor(_) => AttributeValue::Other(AttributeKind::Tensor),
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor(constant) => write!(formatter, "{constant}"),
            value => write!(formatter, "{}", value.view()),
        }
    }
}

/// What is known of an input or output.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known<'a> {
    /// Its type.
    pub ty: Option<Type>,
    /// Its dimensions; `None` if not even the rank is known.
    pub dims: Option<&'a [Dim]>,
    /// Its elements, if they are known before the model runs.
    pub constant: Option<&'a Constant>,
}

/// An input of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Input<'a> {
    /// No input: in a file, an empty name.
    Absent,
    /// An input that the original node has.
    Given {
        /// Its index in the original node.
        index: usize,
        /// What is known of it.
        known: Known<'a>,
    },
    /// A new constant.
    Constant {
        /// What it is for: the name of a formal input.
        name: &'static str,
        /// Its elements.
        value: Constant,
    },
    /// A new value, which another of the new nodes gives.
    New(usize),
}

impl<'a> Input<'a> {
    /// Its type, if it is known.
    #[must_use]
    pub fn ty(&self) -> Option<Type> {
        match self {
            Self::Given { known, .. } => known.ty,
            Self::Constant { value, .. } => Some(Type::tensor(value.element)),
            Self::Absent | Self::New(_) => None,
        }
    }

    /// Its elements, if they are known before the model runs.
    #[must_use]
    pub fn constant(&self) -> Option<&Constant> {
        match self {
            Self::Given { known, .. } => known.constant,
            Self::Constant { value, .. } => Some(value),
            Self::Absent | Self::New(_) => None,
        }
    }

    pub(super) fn dims(&self) -> Option<&'a [Dim]> {
        if let Self::Given { known, .. } = self { known.dims } else { None }
    }

    /// The number of its axes, if it is known.
    pub(super) fn rank(&self) -> Option<usize> {
        match self {
            Self::Constant { value, .. } => Some(usize::from(!value.is_scalar)),
            input => input.dims().map(<[Dim]>::len),
        }
    }
}

/// An output of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Output<'a> {
    /// No output: in a file, an empty name.
    Absent,
    /// An output that the original node has.
    Given {
        /// Its index in the original node.
        index: usize,
        /// What is known of it; nothing of its elements.
        known: Known<'a>,
    },
    /// A new value, for others of the new nodes.
    New {
        /// Its number, as in [`Input::New`].
        id: usize,
        /// What it is: a name for people.
        name: String,
    },
}

impl<'a> Output<'a> {
    /// What is known of it.
    pub(super) fn known(&self) -> Known<'a> {
        if let Self::Given { known, .. } = self { *known } else { Known::default() }
    }
}
