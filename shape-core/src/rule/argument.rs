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
    /// The input at this index, whose channels are its last axis: the rule sees them as axis 1, after the batch, and
    /// its output gets them as the last axis again.
    ChannelsLast(usize),
    /// Every n-th value of a variadic input, from its first value on: the index of the input, and n.
    Every(usize, usize),
}

impl Argument {
    /// The index of the input that it passes, if it does; for a variadic one, of the first value.
    #[must_use]
    pub const fn input(self) -> Option<usize> {
        match self {
            Self::Input(index) | Self::ChannelsLast(index) | Self::Every(index, _) => Some(index),
            Self::Absent | Self::Int(_) | Self::Attribute(_) => None,
        }
    }
}
