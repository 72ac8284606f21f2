//! Dimensions that a descriptor lists one by one, without a rule in Rust: `[X[0], 2*X[1], ...X[2:]]`.

use crate::dimension::Operation;

/// One dimension, or several.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// One dimension.
    Dim(Expression),
    /// Those of an input from one axis up to another, either from the end where it is negative; `None` for all.
    Axes {
        /// The place of the input.
        input: usize,
        /// The first axis.
        from: i64,
        /// The axis behind the last one.
        to: Option<i64>,
    },
    /// The entries of an INTS attribute from one up to another, likewise.
    Entries {
        /// The place of the attribute.
        attribute: usize,
        /// The first entry.
        from: i64,
        /// The entry behind the last one.
        to: Option<i64>,
    },
    /// One dimension that the elements of an input decide when the model runs.
    Data,
}

/// A whole number that follows from a node.
#[derive(Clone, Copy, Debug)]
pub enum Expression {
    /// A number.
    Int(i64),
    /// The INT attribute at this place.
    Attribute(usize),
    /// An entry of the INTS attribute at this place, from the end where it is negative.
    Entry(usize, i64),
    /// How many entries the first of these list attributes has that the node gives.
    Length(&'static [usize]),
    /// The one element of the input at this place.
    Element(usize),
    /// The size of an axis of the input at this place, from the end where it is negative.
    Axis(usize, i64),
    /// The number of axes of the input at this place.
    Rank(usize),
    /// The number of elements of the input at this place.
    Size(usize),
    /// Two of them put together.
    Operation(Operation, &'static Expression, &'static Expression),
}

impl Term {
    /// The places of the inputs that it reads, as many as it has room for; an expression reads few.
    pub(super) fn inputs(&self) -> [Option<usize>; 8] {
        let (mut inputs, mut count) = ([None; 8], 0);
        let mut put = |index: usize| {
            if let Some(place) = inputs.get_mut(count) {
                (*place, count) = (Some(index), count + 1);
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
