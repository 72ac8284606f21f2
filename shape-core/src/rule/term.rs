//! Dimensions that a descriptor lists one by one, without a rule in Rust: `[X[0], 2*X[1], ...X[2:]]`.

use crate::signature::Expression;

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

impl Term {
    /// Passes the indices of the inputs that it reads to a closure.
    pub(super) fn each_input(&self, put: &mut dyn FnMut(usize)) {
        match self {
            Self::Dim(expression) => expression.inputs(put),
            Self::Axes { input, .. } => put(*input),
            Self::Entries { .. } | Self::Data => {}
        }
    }
}
