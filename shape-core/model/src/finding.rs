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

    pub(crate) fn new(code: Code, graph: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            graph: graph.to_owned(),
            node: None,
            message: message.into(),
            expected: None,
            found: None,
            help: None,
        }
    }

    pub(crate) fn at(mut self, node: impl Into<NodeRef>) -> Self {
        self.node = Some(node.into());
        self
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the calls read better without a reference")]
impl Finding {
    pub(crate) fn expected(mut self, expected: impl ToString) -> Self {
        self.expected = Some(expected.to_string());
        self
    }

    pub(crate) fn found(mut self, found: impl ToString) -> Self {
        self.found = Some(found.to_string());
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// Its index in the graph.
    pub index: usize,
    /// Its name; it may be empty.
    pub name: String,
    /// Its operator.
    pub op_type: String,
    /// Its domain, `ai.onnx` for the default one.
    pub domain: String,
}
