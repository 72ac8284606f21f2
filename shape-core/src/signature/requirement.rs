//! The relations that a node must meet: `X[1] % group == 0`.

use core::cmp::Ordering;

use super::expression::Expression;
use crate::code::Code;
use crate::data_type::DataType;

/// A relation that a node must meet.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// The relation, as the descriptor says it.
    pub text: &'static str,
    /// When it holds: all claims of at least one of these groups hold.
    pub alternatives: &'static [&'static [Claim]],
    /// The values that a finding shows of a node that does not meet it, each with its text.
    pub operands: &'static [(&'static str, Operand)],
    /// The code of the finding.
    pub code: Code,
    /// What is wrong with a node that does not meet it.
    pub doc: &'static str,
}

/// A part of a relation, which is true, false, or not known of a node.
#[derive(Clone, Copy, Debug)]
pub enum Claim {
    /// How two numbers compare.
    Compare(Expression, Comparison, Expression),
    /// The node has this part, if `true`; it leaves the part out, if `false`.
    Given(Part, bool),
    /// The STRING attribute at this index has this value, if `true`; it has another one, if `false`.
    Word(usize, &'static [u8], bool),
}

impl Claim {
    /// Passes the inputs whose dimensions or elements it reads to a closure.
    pub(crate) fn each_input(&self, put: &mut dyn FnMut(usize)) {
        if let Self::Compare(left, _, right) = self {
            left.inputs(put);
            right.inputs(put);
        }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are equal.
    Equal,
    /// They are not equal.
    NotEqual,
    /// The first is less.
    Less,
    /// The first is less, or equal.
    AtMost,
    /// The first is greater.
    Greater,
    /// The first is greater, or equal.
    AtLeast,
}

impl Comparison {
    /// Whether it holds of two numbers in this order.
    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

/// Something that a node has or leaves out, by its index in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An attribute. One with a default is given if it has another value.
    Attribute(usize),
    /// An input.
    Input(usize),
    /// An output.
    Output(usize),
}

/// What a finding shows of a node.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A number.
    Number(Expression),
    /// The node has this part, if `true`; it leaves the part out, if `false`.
    Given(Part),
}

/// The value of an [`Operand`] at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandValue {
    /// A number.
    Number(i64),
    /// An element type.
    Type(DataType),
    /// Whether the node has it.
    Given(bool),
}

/// The maximum number of operands that a finding shows.
pub(crate) const MAX_SHOWN: usize = 6;
