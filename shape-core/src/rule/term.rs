//! Dimensions that a descriptor lists one by one, without a rule in Rust: `[X[0], 2*X[1], ...X[2:]]`.

use crate::dimension::Operation;

/// One dimension, or several.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// One dimension.
    Dim(Expression),
    /// The dimensions of an input from one axis up to another; a negative axis counts from the end.
    Axes {
        /// The index of the input.
        input: usize,
        /// The first axis.
        from: i64,
        /// The axis after the last one; `None` for all the rest.
        to: Option<i64>,
    },
    /// The entries of an INTS attribute from one up to another; a negative index counts from the end.
    Entries {
        /// The index of the attribute.
        attribute: usize,
        /// The first entry.
        from: i64,
        /// The entry after the last one; `None` for all the rest.
        to: Option<i64>,
    },
    /// One dimension that depends on the elements of an input when the model runs.
    Data,
}

/// A whole number, computed from a node.
#[derive(Clone, Copy, Debug)]
pub enum Expression {
    /// A number.
    Int(i64),
    /// The INT attribute at this index.
    Attribute(usize),
    /// An entry of the INTS attribute at this index; a negative entry counts from the end.
    Entry(usize, i64),
    /// The length of the first of these list attributes that the node has.
    Length(&'static [usize]),
    /// The one element of the input at this index.
    Element(usize),
    /// The size of an axis of the input at this index; a negative axis counts from the end.
    Axis(usize, i64),
    /// The number of axes of the input at this index.
    Rank(usize),
    /// The number of elements of the input at this index.
    Size(usize),
    /// An operation on two expressions.
    Operation(Operation, &'static Expression, &'static Expression),
}

impl Term {
    /// The indices of the inputs that it reads, the first 8 of them; an expression reads few.
    pub(super) fn inputs(&self) -> [Option<usize>; 8] {
        let (mut inputs, mut count) = ([None; 8], 0);
        let mut put = |index: usize| {
            if let Some(slot) = inputs.get_mut(count) {
                (*slot, count) = (Some(index), count + 1);
            }
        };
        match self {
            Self::Dim(expression) => expression.inputs(&mut put),
            Self::Axes { input, .. } => put(*input),
            Self::Entries { .. } | Self::Data => {}
        }
        inputs
    }
}

impl Expression {
    fn inputs(&self, put: &mut dyn FnMut(usize)) {
        match self {
            Self::Element(input) | Self::Axis(input, _) | Self::Rank(input) | Self::Size(input) => put(*input),
            Self::Operation(_, left, right) => {
                left.inputs(put);
                right.inputs(put);
            }
            Self::Int(_) | Self::Attribute(_) | Self::Entry(..) | Self::Length(_) => {}
        }
    }
}
