//! A reader of a value.

/// Who reads a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simplify) enum Reader {
    /// A node by its number, as the input at an index.
    Node(usize, usize),
    /// A graph, as the output at an index.
    Output(usize, usize),
    /// Something that names it and cannot be changed: the parameters of an annotation, or training.
    Pinned,
    /// An annotation, which goes with it, but which no other value has.
    Annotation,
}
