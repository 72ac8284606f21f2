//! One place that reads a value: an input of a node, an output of a graph, or a reference by name.

/// Who reads a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simplify) enum Reader {
    /// A node by its number, as the input at an index.
    Node(usize, usize),
    /// A graph, as the output at an index.
    Output(usize, usize),
    /// Something that refers to it by name and cannot change: the parameters of a quantization annotation, or training.
    Pinned,
    /// A quantization annotation, which is removed with the value and cannot move to another one.
    Annotation,
}
