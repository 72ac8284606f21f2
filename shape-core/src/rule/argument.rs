//! What a call passes for a parameter of a rule.

/// An argument of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// The argument is left out.
    Absent,
    /// A number.
    Int(i64),
    /// The attribute at this index of [`Schema::attributes`](crate::Schema::attributes), or its default.
    Attribute(usize),
    /// The input at this index; for a variadic input, all values from there on.
    Input(usize),
}
