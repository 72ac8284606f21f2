//! How large an expression may grow: a dimension past these limits is unknown.

/// The maximum number of terms of a sum.
pub const MAX_TERMS: usize = 32;

/// The maximum number of factors of a term, with repetitions.
pub const MAX_FACTORS: usize = 16;

/// The maximum number of symbols and numbers in an expression, including those in its operations.
pub const MAX_NODES: usize = 256;

/// The maximum depth of nested operations.
pub const MAX_DEPTH: u8 = 16;

/// The maximum number of arguments of `max` and `min`.
pub const MAX_ARGUMENTS: usize = 8;
