//! What stands in the place of a rule's parameter.

/// An argument of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// Nothing.
    Absent,
    /// A number.
    Int(i64),
    /// The attribute at this place of [`Schema::attributes`](crate::Schema::attributes), or its default.
    Attribute(usize),
    /// The input at this place; of a variadic one all from there on.
    Input(usize),
}
