//! Where the type of an output comes from, if the inputs leave it open: an attribute, a graph, or a part of an input's
//! type.

use crate::node::AttributeValue;
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
    /// The attribute at this place of [`Schema::attributes`](crate::Schema::attributes), or its default. An INT or STRING names an element type, for
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
    /// The attribute at this place of [`Schema::attributes`](crate::Schema::attributes).
    Attribute(usize),
    /// The input at this place.
    Input(usize),
    /// The attribute at this place with this value, be it by default.
    AttributeIs(usize, AttributeValue<'static>),
    /// The input at this place, of this type.
    InputOf(usize, Type),
}

impl TypeOf {
    /// The input in it.
    pub(crate) fn input(&self) -> Option<usize> {
        match self {
            Self::Input(index) => Some(*index),
            Self::Sequence(of) | Self::Optional(of) | Self::Element(of) | Self::Value(of) => of.input(),
            Self::Type(_) | Self::Attribute { .. } | Self::Updated { .. } => None,
        }
    }

    /// The attribute in it.
    pub(crate) fn attribute(&self) -> Option<usize> {
        match self {
            Self::Attribute { index, .. } => Some(*index),
            Self::Sequence(of) | Self::Optional(of) | Self::Element(of) | Self::Value(of) => of.attribute(),
            Self::Type(_) | Self::Input(_) | Self::Updated { .. } => None,
        }
    }
}
