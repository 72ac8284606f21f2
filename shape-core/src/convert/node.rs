//! A node that is converted.

use alloc::vec::Vec;

use crate::data_type::DataType;
use crate::node::{AttributeValue, NodeAttribute};
use crate::types::Type;

/// A node that is converted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node<'a> {
    /// The attributes that it gives.
    pub attributes: Vec<NodeAttribute<'a>>,
    /// Its inputs, in their places.
    pub inputs: Vec<Input<'a>>,
    /// The types of its outputs, where they are known: as many as it has.
    pub outputs: Vec<Option<Type>>,
}

/// An input of a node that is converted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input<'a> {
    /// None: in a file, an empty name.
    Absent,
    /// One that the node had.
    Given {
        /// Its place in the node as it was.
        index: usize,
        /// Its type, where it is known.
        ty: Option<Type>,
        /// Its elements as an attribute would have them, where they are known before the model runs: one of INT or
        /// FLOAT is a scalar, one of INTS or FLOATS has one dimension.
        constant: Option<AttributeValue<'a>>,
    },
    /// A constant that the node did not have.
    Constant {
        /// The name of the formal input.
        name: &'static str,
        /// Its elements, in the same way.
        value: AttributeValue<'a>,
    },
}

impl Input<'_> {
    /// Its type, where it is known.
    #[must_use]
    pub fn ty(&self) -> Option<Type> {
        match self {
            Self::Absent => None,
            Self::Given { ty, .. } => *ty,
            Self::Constant { value, .. } => constant_type(value),
        }
    }
}

/// The type of the tensor that an attribute's value is as an input; `None` where there is no such tensor.
#[must_use]
pub fn constant_type(value: &AttributeValue<'_>) -> Option<Type> {
    match value {
        AttributeValue::Int(_) | AttributeValue::Ints(_) => Some(Type::tensor(DataType::Int64)),
        AttributeValue::Float(_) | AttributeValue::Floats(_) => Some(Type::tensor(DataType::Float)),
        _ => None,
    }
}
