//! A node to convert.

use alloc::vec::Vec;

use crate::data_type::DataType;
use crate::node::{AttributeValue, NodeAttribute};
use crate::types::Type;

/// A node to convert.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node<'a> {
    /// Its attributes.
    pub attributes: Vec<NodeAttribute<'a>>,
    /// Its inputs, in order.
    pub inputs: Vec<Input<'a>>,
    /// The type of each of its outputs, if it is known.
    pub outputs: Vec<Option<Type>>,
}

/// An input of a node to convert.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input<'a> {
    /// No input: in a file, an empty name.
    Absent,
    /// An input that the original node has.
    Given {
        /// Its index in the original node.
        index: usize,
        /// Its type, if it is known.
        ty: Option<Type>,
        /// Its elements as an attribute value, if they are known before the model runs: INT and FLOAT for a scalar, INTS and
        /// FLOATS for one dimension.
        constant: Option<AttributeValue<'a>>,
    },
    /// A new constant.
    Constant {
        /// The name of the formal input.
        name: &'static str,
        /// Its elements as an attribute value, like those of [`Input::Given`].
        value: AttributeValue<'a>,
    },
}

impl Input<'_> {
    /// Its type, if it is known.
    #[must_use]
    pub fn ty(&self) -> Option<Type> {
        match self {
            Self::Absent => None,
            Self::Given { ty, .. } => *ty,
            Self::Constant { value, .. } => constant_type(value),
        }
    }
}

/// The type of the tensor that holds an attribute's value as an input; `None` if there is no such tensor.
#[must_use]
pub fn constant_type(value: &AttributeValue<'_>) -> Option<Type> {
    match value {
        AttributeValue::Int(_) | AttributeValue::Ints(_) => Some(Type::tensor(DataType::Int64)),
        AttributeValue::Float(_) | AttributeValue::Floats(_) => Some(Type::tensor(DataType::Float)),
        _ => None,
    }
}
