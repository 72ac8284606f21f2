//! Static tables of actions, which convert a node between an operator version and the one before it.
//!
//! A descriptor lists the actions of a version in its field `adapter`. An action names attributes, inputs and outputs;
//! the tables of the two versions say which of them the name is, so that most actions can be read in both directions.
//! Its [`Formula`]s are computed from the node as it is before the step. They are written in the language of relations
//! and dimensions, but are a table of their own: a name is looked up in either version, and a value may be a text or a
//! list.

use crate::data_type::DataType;
use crate::dimension::Operation;
use crate::signature::Comparison;

/// One action of the conversion between a version and the one before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Action {
    /// The direction that it is for; `None` for both.
    pub way: Option<Way>,
    /// It is done only where this is known to hold.
    pub when: Option<Formula>,
    /// It is not done where this is known to hold.
    pub unless: Option<Formula>,
    /// What is done.
    pub deed: Deed,
}

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the newer version.
    Up,
    /// To the older version.
    Down,
}

/// What an [`Action`] does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// An attribute of one version is an input of the other: its value becomes a constant, or the other way round.
    Move {
        /// The attribute.
        attribute: &'static str,
        /// The input.
        input: &'static str,
        /// Whether the constant of a single number is 1-D; otherwise it is a scalar.
        one: bool,
        /// The value that an absent input means, if an absent attribute means another one.
        absent: Option<Formula>,
    },
    /// An attribute, input or output has another name in the older version.
    Rename {
        /// Its name in the older version.
        old: &'static str,
        /// Its name in the newer version.
        new: &'static str,
    },
    /// The two versions have different values of an attribute for the same meaning.
    Respell {
        /// The attribute.
        attribute: &'static str,
        /// The value in the older version.
        old: Formula,
        /// The value in the newer version.
        new: Formula,
    },
    /// A version that lacks an attribute or input, or a node that leaves it out, acts as the other version does with
    /// this value.
    Assume {
        /// The attribute or input.
        name: &'static str,
        /// The value.
        value: Formula,
    },
    /// Negative axes, which the older version does not take, are counted from the front there.
    CountFromFront {
        /// The attribute or input with the axes.
        name: &'static str,
        /// The input or output whose axes they are.
        of: &'static str,
    },
    /// Attributes and inputs that mean nothing here.
    Drop(&'static [&'static str]),
    /// Each value of the input or output that the new node names as its output goes through a copy of the new node,
    /// which stands before or after the original node. The copy is in the version after the step.
    Through(NewNode),
    /// Other nodes take the place of the node. They are in the version after the step.
    Rewrite(&'static [NewNode]),
    /// The other version does the same: no later action is looked at.
    Keep,
    /// The other version cannot express the node.
    Refuse {
        /// Why.
        why: &'static str,
    },
}

/// A node of a [`Deed::Rewrite`] or [`Deed::Through`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewNode {
    /// Its operator.
    pub operator: &'static str,
    /// Its attributes; one whose formula has no value is left out.
    pub attributes: &'static [(&'static str, Formula)],
    /// Its inputs; `None` for one that is left out.
    pub inputs: &'static [Option<Formula>],
    /// Its outputs: those of the original node by their names, and new values.
    pub outputs: &'static [&'static str],
}

/// A value that is computed from a node: a number, a text, a list, or a truth value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Formula {
    /// `2`
    Int(i64),
    /// `0.5`
    Float(f32),
    /// `'nearest'`, and the word of `mode is nearest`.
    Text(&'static [u8]),
    /// The word of `type(X) is float`.
    ElementType(DataType),
    /// `axis`: an attribute, an input, an output, or a value of a rewrite.
    Name(&'static str),
    /// `[1, axis]`
    List(&'static [Formula]),
    /// `a + b`
    Operation(Operation, &'static Formula, &'static Formula),
    /// `a == b`, `mode is nearest`
    Compare(&'static Formula, Comparison, &'static Formula),
    /// `rank(X)`, `a and b`: a function of other formulas.
    Call(Function, &'static [Formula]),
}

/// A function of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `rank(X)`: the number of axes of an input or output.
    Rank,
    /// `size(X)`: the number of elements of an input or output.
    Size,
    /// `X[axis]`: the size of an axis of an input or output, or an entry of a list.
    Entry,
    /// `len(a, b)`: the number of entries of the first of these lists that is given.
    Len,
    /// `min(x)`: the smallest entry of a list.
    Min,
    /// `max(x)`: the largest entry of a list.
    Max,
    /// `type(X)`: the number of the element type of an input or output.
    Type,
    /// `range(a, b)`: the numbers from the first to the one before the second.
    Range,
    /// `swap(n, a, b)`: the numbers below the first, with two of them exchanged.
    Swap,
    /// `parts(a, n)`: the sizes of n parts of a, all but the last of the same size.
    Parts,
    /// `spread(pads, axes, n)`: counts for some axes, first all at the beginning and then all at the end, as counts
    /// for n axes.
    Spread,
    /// `fill(n, x)`: a list of n times the same number.
    Fill,
    /// `given(x)`: whether the node has the attribute, input or output; an attribute equal to its default counts as
    /// left out.
    Given,
    /// `constant(X)`: whether the elements of an input are known before the model runs.
    Constant,
    /// `same(X, Y)`: whether two inputs or outputs, and all values of variadic ones, have the same dimensions.
    Same,
    /// `suffix(X, Y)`: whether the dimensions of the first are the last ones of the second.
    Suffix,
    /// `inputs()`: the number of inputs that the node has.
    Inputs,
    /// `outputs()`: the number of outputs that the node has.
    Outputs,
    /// `agree()`: whether the rules of both versions give the outputs the same dimensions.
    Agree,
    /// `a and b`: all hold.
    And,
    /// `a or b`: one holds.
    Or,
    /// `not given(x)`
    Not,
}
