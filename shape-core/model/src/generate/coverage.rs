//! Which choices the generated nodes of an operator version cover, and which they do not.

use shape_core::schema::Schema;

/// What the generated nodes of a version must cover; [`Coverage`] says what choices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Each choice, if possible in a node that is usual in all else (a common type, a rank that most runtimes know,
    /// nothing optional), so that a failure points to the choice. This is known as base choice coverage.
    Choices,
    /// Each choice, and then each pair of choices.
    Pairs,
}

/// What the generated nodes of a version cover.
///
/// A version has facets: the type of each type variable, the value of each attribute (left out, each allowed value, the
/// bounds, the signs), whether an optional input or output is there, the rank of the first input (0 to 6), sizes of 0 and
/// 1 in it, and the alternatives of its rules. Each of these has choices, and two choices of different facets are a pair.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The version.
    pub schema: &'static Schema,
    /// The number of nodes.
    pub nodes: usize,
    /// The number of choices of all facets.
    pub choices: usize,
    /// How many of them at least one node has.
    pub choices_made: usize,
    /// The number of pairs of choices.
    pub pairs: usize,
    /// How many of them at least one node has.
    pub pairs_made: usize,
    /// Whether all choices and all pairs were tried.
    pub complete: bool,
    /// The choices and pairs for which no valid node was found; pairs with such a choice are left out.
    pub missed: Vec<Missed>,
}

/// A choice, or a pair of them, for which no valid node was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// One or two choices: `T=float`, `auto_pad=VALID`.
    pub choices: Vec<String>,
}
