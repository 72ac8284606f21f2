//! Why something is unknown.

/// Why something about an output is unknown: something about an input is, and for the same reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCause {
    /// The dimensions of the input at this place are not known.
    Dims(usize),
    /// The elements of the input at this place are not known.
    Elements(usize),
    /// The dimensions of an output of a graph in the node are not known.
    GraphDims {
        /// The place of the graph's attribute in the schema.
        attribute: usize,
        /// The place of the output.
        output: usize,
    },
    /// The elements of an output of a graph in the node are not known.
    GraphElements {
        /// The place of the graph's attribute in the schema.
        attribute: usize,
        /// The place of the output.
        output: usize,
    },
    /// The branches of the node give different sizes.
    Branches,
    /// It need not be the same in each round of the node's graph.
    Rounds,
    /// The node does not give what would say it.
    NotGiven,
    /// Two dimensions that are stretched to each other may differ, and either may be 1.
    MayDiffer,
    /// Tools that run such a node give different sizes.
    ToolsDiffer,
    /// Tensors that come together in a sequence need not be alike.
    Varies,
    /// It depends on what the elements of an input are when the model runs.
    Data,
    /// A number grows past [`LARGEST`](crate::dimension::LARGEST), or an expression past what is followed.
    TooLarge,
}
