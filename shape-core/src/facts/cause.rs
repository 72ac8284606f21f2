//! Why something is unknown.

/// Why something about an output is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCause {
    /// The dimensions of the input at this index are not known.
    Dims(usize),
    /// The elements of the input at this index are not known.
    Elements(usize),
    /// The dimensions of an output of a graph in the node are not known.
    GraphDims {
        /// The index of the graph's attribute in the schema.
        attribute: usize,
        /// The index of the output.
        output: usize,
    },
    /// The elements of an output of a graph in the node are not known.
    GraphElements {
        /// The index of the graph's attribute in the schema.
        attribute: usize,
        /// The index of the output.
        output: usize,
    },
    /// The branches of the node have different sizes.
    Branches,
    /// It is not known which of the alternative rules for its dimensions applies.
    Condition,
    /// It may change between iterations of the node's graph.
    Rounds,
    /// The node does not have the attribute or input that would decide it.
    NotGiven,
    /// Two dimensions that are broadcast may differ, and either may be 1.
    MayDiffer,
    /// Runtimes compute different sizes for such a node.
    ToolsDiffer,
    /// The tensors of a sequence may differ.
    Varies,
    /// It depends on the elements of an input when the model runs.
    Data,
    /// Likewise, and it is the same size wherever outputs of the node have it for this cause, such as the number of rounds.
    Common,
    /// An expression exceeds the limits of symbolic arithmetic, or there is no size for it.
    TooLarge,
    /// A number exceeds [`LARGEST`](crate::dimension::LARGEST): no tensor has such a dimension. A node that would give an
    /// output one is refused.
    PastLargest,
}
