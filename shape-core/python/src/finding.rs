//! Findings, and their places.

use std::fmt::Write as _;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The node that a finding is about.
#[pyclass(module = "onnxspec", frozen, eq, hash, get_all)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    index: usize,
    name: String,
    op_type: String,
    domain: String,
}

#[pymethods]
impl Place {
    #[new]
    fn new(index: usize, name: String, op_type: String, domain: String) -> Self {
        Self { index, name, op_type, domain }
    }

    fn __getnewargs__(&self) -> (usize, &str, &str, &str) {
        (self.index, &self.name, &self.op_type, &self.domain)
    }

    fn __repr__(&self) -> String {
        let Self { index, name, op_type, .. } = self;
        if name.is_empty() { format!("node {index} ({op_type})") } else { format!("node {index} `{name}` ({op_type})") }
    }
}

/// An error in a model, or something worth knowing about it.
#[pyclass(module = "onnxspec", frozen, eq, hash, get_all)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    code: String,
    severity: String,
    graph: String,
    node: Option<Place>,
    message: String,
    expected: Option<String>,
    found: Option<String>,
    help: Option<String>,
    more: usize,
}

impl Finding {
    /// The finding as text: one line, and a line each for what was expected, what was found and what to do.
    pub(crate) fn text(&self) -> String {
        let Self { code, severity, message, .. } = self;
        let mut text = format!("{severity}[{code}]: {message}");
        let place = self.place();
        let parts = [
            ("in", (!place.is_empty()).then_some(&place)),
            ("expected", self.expected.as_ref()),
            ("found", self.found.as_ref()),
            ("help", self.help.as_ref()),
        ];
        for (what, part) in parts {
            if let Some(part) = part {
                // To write to a text cannot fail.
                let _ = write!(text, "\n  {what}: {part}");
            }
        }
        if self.more > 0 {
            let _ = write!(text, "\n  and {} more like it", self.more);
        }
        text
    }
}

#[pymethods]
impl Finding {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the fields, for copies that are made in another process")]
    fn new(
        code: String,
        severity: String,
        graph: String,
        node: Option<Bound<'_, Place>>,
        message: String,
        expected: Option<String>,
        found: Option<String>,
        help: Option<String>,
        more: usize,
    ) -> Self {
        let node = node.map(|node| node.get().clone());
        Self { code, severity, graph, node, message, expected, found, help, more }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { code, severity, graph, node, message, expected, found, help, more } = self;
        (code, severity, graph, node.clone(), message, expected, found, help, *more).into_pyobject(py)
    }

    /// Where it is, as text.
    #[getter]
    fn place(&self) -> String {
        match &self.node {
            Some(node) => format!("{}, {}", self.graph, node.__repr__()),
            None => self.graph.clone(),
        }
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let place = self.place();
        let at = if place.is_empty() { String::new() } else { format!(" in {place}") };
        format!("<Finding {}[{}]{at}: {}>", self.severity, self.code, self.message)
    }
}

impl From<shape_model::Finding> for Finding {
    fn from(finding: shape_model::Finding) -> Self {
        let severity = finding.severity().name().to_owned();
        let shape_model::Finding { code, graph, node, message, expected, found, help, more, .. } = finding;
        let node =
            node.map(|shape_model::NodeRef { index, name, op_type, domain }| Place { index, name, op_type, domain });
        Self { code: code.name().to_owned(), severity, graph, node, message, expected, found, help, more }
    }
}
