//! Findings about a model.

use shape_core::code::{Code, Severity};

/// An error in a model, or something worth knowing about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding; `shape explain` has a page for each.
    pub code: Code,
    /// The graph: `graph`, `graph/3:If.then_branch` or `function com.acme::Gelu`; empty for the model as a whole.
    pub graph: String,
    /// The node, if the finding is about one.
    pub node: Option<NodeRef>,
    /// The message: what is wrong, in one sentence.
    pub message: String,
    /// What was expected.
    pub expected: Option<String>,
    /// What was found instead.
    pub found: Option<String>,
    /// How to fix it.
    pub help: Option<String>,
    /// Whether only a declaration is wrong: what the model computes follows from its nodes, and the declaration of a
    /// value contradicts it or says what is none.
    pub of_declaration: bool,
}

impl Finding {
    /// The severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Whether the finding prevents an edit of the model, such as a conversion or the folding of constants: an error,
    /// unless only a declaration is wrong.
    ///
    /// ```
    /// use shape_core::code::Code;
    /// use shape_model::Finding;
    /// let finding = Finding {
    ///     code: Code::OutputDims,
    ///     graph: "graph".into(),
    ///     node: None,
    ///     message: "the declared dimensions of `y` contradict the inferred dimensions".into(),
    ///     expected: None,
    ///     found: None,
    ///     help: None,
    ///     of_declaration: true,
    /// };
    /// assert!(!finding.prevents_edits());
    /// ```
    #[must_use]
    pub fn prevents_edits(&self) -> bool {
        self.severity() == Severity::Error && !self.of_declaration
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
            of_declaration: false,
        }
    }

    /// Says that only a declaration is wrong.
    pub(crate) fn of_declaration(self) -> Self {
        Self { of_declaration: true, ..self }
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

/// A node of a graph, as findings name it.
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
