//! Numbers that a descriptor computes from a node: `X[0]`, `2*rank(X) - 1`.

use crate::data_type::DataType;
use crate::dimension::Operation;

/// A whole number, computed from a node.
#[derive(Clone, Copy, Debug)]
pub enum Expression {
    /// A number.
    Int(i64),
    /// The INT attribute at this index.
    Attribute(usize),
    /// An entry of the INTS attribute at this index; a negative entry counts from the end.
    Entry(usize, i64),
    /// The length of the first of these list or TENSOR attributes that the node has.
    Length(&'static [usize]),
    /// The one element of the input at this index.
    Element(usize),
    /// The size of an axis of the input at this index; a negative axis counts from the end.
    Axis(usize, i64),
    /// The number of axes of the input at this index.
    Rank(usize),
    /// The number of elements of the input at this index.
    Size(usize),
    /// The size of the axis of an input that an INT attribute names: the indices of the two.
    AxisAt(usize, usize),
    /// The smallest or the largest entry of the INTS attribute at this index.
    FoldEntries(Operation, usize),
    /// The smallest or the largest element of the input at this index.
    FoldElements(Operation, usize),
    /// The number of the element type of the input at this index.
    Type(usize),
    /// The number of the element type of what is in the list or TENSOR attribute at this index.
    AttributeType(usize),
    /// The number of this element type: the word of `type(X) is float`.
    ElementType(DataType),
    /// An operation on two expressions.
    Operation(Operation, &'static Expression, &'static Expression),
}

impl Expression {
    /// Passes the inputs that it reads to a closure.
    pub(crate) fn inputs(&self, put: &mut dyn FnMut(usize)) {
        match self {
            Self::Element(input)
            | Self::Axis(input, _)
            | Self::Rank(input)
            | Self::Size(input)
            | Self::AxisAt(input, _)
            | Self::FoldElements(_, input)
            | Self::Type(input) => put(*input),
            Self::Operation(_, left, right) => {
                left.inputs(put);
                right.inputs(put);
            }
            Self::Int(_)
            | Self::Attribute(_)
            | Self::Entry(..)
            | Self::Length(_)
            | Self::FoldEntries(..)
            | Self::AttributeType(_)
            | Self::ElementType(_) => {}
        }
    }
}
