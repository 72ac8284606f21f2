//! What was found in a model.

use shape_core::code::{Code, Severity};

/// Something that is wrong with a model, or worth knowing of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing it is; `shape explain` has a page for each.
    pub code: Code,
    /// The graph: `graph`, `graph/3:If.then_branch` or `function com.acme::Gelu`; empty for the model as a whole.
    pub graph: String,
    /// The node, where it is about one.
    pub node: Option<NodeRef>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What should stand there.
    pub expected: Option<String>,
    /// What stands there.
    pub found: Option<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Finding {
    /// How much it weighs.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// Its place in the graph, from 0.
    pub index: usize,
    /// Its name; it may be empty.
    pub name: String,
    /// Its operator.
    pub op_type: String,
    /// Its domain, `ai.onnx` for the default one.
    pub domain: String,
}
