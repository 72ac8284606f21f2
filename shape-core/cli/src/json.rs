//! Findings as JSON. Field names and their order are stable: users rely on them.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::render::is_visible;

/// The version of the JSON output: raised if a field changes its meaning or is removed, not if one is added.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// A finding in a model.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    model: String,
    code: &'static str,
    severity: &'static str,
    graph: String,
    node: Option<Node>,
    message: String,
    expected: Option<String>,
    found: Option<String>,
    help: Option<String>,
    /// How many more there are like it; left out if there are none.
    #[serde(skip_serializing_if = "is_none")]
    more: usize,
    /// What `shape check --fix` would do; left out if it would do nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Fix>,
}

/// The fix of a finding.
#[derive(Debug, Serialize)]
struct Fix {
    safety: &'static str,
    message: String,
}

fn is_none(more: &usize) -> bool {
    *more == 0
}

/// A node in its graph.
#[derive(Debug, Serialize)]
pub(crate) struct Node {
    index: usize,
    name: String,
    op_type: String,
    domain: String,
}

impl Finding {
    /// A finding in the model at a path.
    pub(crate) fn new(model: &Path, finding: shape_model::Finding) -> Self {
        let severity = finding.severity().name();
        let shape_model::Finding { code, graph, node, message, expected, found, help, more, fix, .. } = finding;
        let fix = fix.map(|fix| Fix { safety: fix.safety.name(), message: fix.message });
        let node = node.map(Node::from);
        let model = model.to_string_lossy().into_owned();
        Self { model, code: code.name(), severity, graph, node, message, expected, found, help, more, fix }
    }
}

impl Node {
    /// A node at an index in a graph.
    pub(crate) fn new(index: usize, node: shape_model::Node<'_>) -> Self {
        let domain = shape_core::opset::canonical_domain(node.domain()).to_owned();
        Self { index, name: node.name().to_owned(), op_type: node.op_type().to_owned(), domain }
    }
}

impl Node {
    /// The node in a line of text.
    pub(crate) fn title(&self) -> String {
        match &*self.name {
            "" => format!("node {} {}", self.index, self.op_type),
            name => format!("{} {name}", self.op_type),
        }
    }
}

impl From<shape_model::NodeRef> for Node {
    fn from(node: shape_model::NodeRef) -> Self {
        let shape_model::NodeRef { index, name, op_type, domain } = node;
        Self { index, name, op_type, domain }
    }
}

/// A list of which each entry is made when it is written, so that a long one takes no memory.
pub(crate) struct Each<I>(pub(crate) I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Each<I> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// Writes one JSON object on a line, in which every character is visible.
pub(crate) fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Visible))?;
    writeln!(out)
}

/// Writes JSON without spaces, and escapes characters that are not visible, which means the same to every reader.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|letter| !is_visible(letter)) {
            let (visible, from) = rest.split_at(at);
            out.write_all(visible.as_bytes())?;
            let mut letters = from.chars();
            for unit in letters.next().iter().flat_map(|letter| letter.encode_utf16(&mut [0; 2]).to_vec()) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = letters.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}
