//! How large an expression may grow before it is given up: a dimension past these is unknown.

/// The most terms of a sum.
pub const MAX_TERMS: usize = 32;

/// The most factors of a term, each as often as it stands there.
pub const MAX_FACTORS: usize = 16;

/// The most symbols and numbers in an expression, those in its operations included.
pub const MAX_NODES: usize = 256;

/// The most operations that lie within each other.
pub const MAX_DEPTH: u8 = 16;

/// The most expressions of which an operation is the larger or the smaller.
pub const MAX_ARGUMENTS: usize = 8;
