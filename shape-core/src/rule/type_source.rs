//! Where the type of an output comes from, if the type variables do not decide it: an attribute, a graph, or a part of an
//! input's type.

use crate::node::AttributeValue;
use crate::types::Type;

/// Where a type comes from.
#[derive(Clone, Copy, Debug)]
pub struct TypeSource {
    /// The type.
    pub of: TypeOf,
    /// When the source applies; `None` for always.
    pub condition: Option<Condition>,
}

/// A type, or a part of the node that has one.
#[derive(Clone, Copy, Debug)]
pub enum TypeOf {
    /// The type itself.
    Type(Type),
    /// The attribute at this index of [`Schema::attributes`](crate::Schema::attributes), or its default. An INT or STRING
    /// names the element type of a tensor; a TENSOR has its type; the outputs of a GRAPH from `from` on have the types of
    /// as many outputs of the node.
    Attribute {
        /// The index.
        index: usize,
        /// The index of the graph's output that the first output of the node corresponds to.
        from: usize,
    },
    /// The input at this index; for a variadic input, the first value.
    Input(usize),
    /// `seq(...)` of the type.
    Sequence(&'static TypeOf),
    /// `optional(...)` of the type.
    Optional(&'static TypeOf),
    /// The element type of a sequence.
    Element(&'static TypeOf),
    /// The type inside an optional, or the value type of a map; any other type is unchanged.
    Value(&'static TypeOf),
    /// The inputs from an index on are groups of equal size. The values of the output correspond to the inputs of the first
    /// group, then to those after the second group.
    Updated {
        /// The index of the first input.
        input: usize,
        /// How many groups there are.
        groups: usize,
    },
}

/// What a node must have for a [`TypeSource`] to apply.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// The attribute at this index of [`Schema::attributes`](crate::Schema::attributes).
    Attribute(usize),
    /// The input at this index.
    Input(usize),
    /// The attribute at this index with this value, also by default.
    AttributeIs(usize, AttributeValue<'static>),
    /// The input at this index, with this type.
    InputOf(usize, Type),
}

impl TypeOf {
    /// The index of the input that it reads.
    pub(crate) fn input(&self) -> Option<usize> {
        match self {
            Self::Input(index) => Some(*index),
            Self::Sequence(of) | Self::Optional(of) | Self::Element(of) | Self::Value(of) => of.input(),
            Self::Type(_) | Self::Attribute { .. } | Self::Updated { .. } => None,
        }
    }

    /// The index of the attribute that it reads.
    pub(crate) fn attribute(&self) -> Option<usize> {
        match self {
            Self::Attribute { index, .. } => Some(*index),
            Self::Sequence(of) | Self::Optional(of) | Self::Element(of) | Self::Value(of) => of.attribute(),
            Self::Type(_) | Self::Input(_) | Self::Updated { .. } => None,
        }
    }
}
