//! What a runtime lacks for a model: operators, versions or types.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use shape_model::{Analysis, NodeUse};

use super::manifest::{Support, Unsupported};
use super::used::{since, type_text, unknown};
use crate::render::{Clean, ERROR, GOOD, STRONG, WARNING, hanging, number};

/// What a runtime lacks, and what it may lack because a version or a type is unknown.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    pub(super) certain: Vec<Gap>,
    pub(super) possible: Vec<Gap>,
}

/// An operator, a version or a type that a runtime lacks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Gap {
    /// `operator`, `version` or `type`.
    kind: &'static str,
    domain: String,
    name: String,
    since_version: Option<u32>,
    /// The type variable, for a type of one.
    variable: Option<&'static str>,
    /// The type, if it is known.
    #[serde(rename = "type")]
    ty: Option<String>,
    /// The versions or types that the manifest lists.
    supported: Vec<String>,
    /// What is lacking, as text.
    text: String,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Node {
    graph: String,
    index: usize,
    name: String,
}

impl Gaps {
    /// Compares every node of a model with what a runtime supports.
    pub(super) fn new(usage: &[NodeUse<'_>], analysis: &Analysis<'_>, support: &Support) -> Self {
        let mut gaps = Self::default();
        for node in usage {
            let position = || Node {
                graph: analysis.graphs.get(node.graph).map(|graph| graph.path.clone()).unwrap_or_default(),
                index: node.index,
                name: node.name.to_owned(),
            };
            for unsupported in support.unsupported(node) {
                let gap = Gap::new(node, &unsupported);
                let possible = match unsupported {
                    Unsupported::Operator => false,
                    Unsupported::Version { .. } => gap.since_version.is_none(),
                    Unsupported::Type { found, .. } => found.is_none(),
                };
                let list = if possible { &mut gaps.possible } else { &mut gaps.certain };
                match list.iter_mut().find(|known| known.key() == gap.key()) {
                    Some(known) => known.nodes.push(position()),
                    None => list.push(Gap { nodes: vec![position()], ..gap }),
                }
            }
        }
        let order = ["operator", "version", "type"];
        for list in [&mut gaps.certain, &mut gaps.possible] {
            list.sort_by_cached_key(|gap| {
                let kind = order.iter().position(|kind| *kind == gap.kind);
                (kind, gap.domain.clone(), gap.name.clone(), gap.since_version, gap.text.clone())
            });
        }
        gaps
    }
}

impl Gap {
    fn new(node: &NodeUse<'_>, unsupported: &Unsupported) -> Self {
        let since_version = since(node.operator);
        let path = if node.domain == "ai.onnx" { "" } else { &format!("{}::", node.domain) };
        let version = since_version.map(|since| format!("-{since}")).unwrap_or_default();
        let operator = format!("{path}{}", node.op_type);
        let (kind, variable, ty, supported, text) = match unsupported {
            Unsupported::Operator => ("operator", None, None, Vec::new(), format!("operator {operator}")),
            Unsupported::Version { supported } => {
                let supported: Vec<String> = supported.iter().map(ToString::to_string).collect();
                let why = unknown(node.operator).map(|why| format!(" (unknown: {why})")).unwrap_or_default();
                let text = format!("version {operator}{version}{why}; supported: {}", supported.join(", "));
                ("version", None, None, supported, text)
            }
            Unsupported::Type { variable, found, supported } => {
                let texts: Vec<String> = supported.iter().copied().map(type_text).collect();
                let text = match (found.map(type_text), variable) {
                    (Some(ty), Some(variable)) => format!("type {ty} for {variable} of {operator}{version}"),
                    (Some(ty), None) => format!("type {ty} of {operator}{version}"),
                    (None, Some(variable)) => format!("type of {variable} of {operator}{version} is unknown"),
                    (None, None) => format!("type of a value of {operator}{version} is unknown"),
                };
                let text = format!("{text}; supported: {}", texts.join(", "));
                let supported = supported.iter().map(ToString::to_string).collect();
                ("type", *variable, found.map(|found| found.to_string()), supported, text)
            }
        };
        let (domain, name) = (node.domain.to_owned(), node.op_type.to_owned());
        Self { kind, domain, name, since_version, variable, ty, supported, text, nodes: Vec::new() }
    }

    /// Equal for equal gaps: the text contains all facts but the nodes.
    fn key(&self) -> (&str, &str) {
        (self.kind, &self.text)
    }
}

/// Writes a line for each gap, and below it the nodes that need it.
pub(super) fn write_text(out: &mut impl Write, Gaps { certain, possible }: &Gaps, manifest: &Path) -> io::Result<()> {
    let manifest = manifest.to_string_lossy();
    let manifest = Clean(&manifest);
    if certain.is_empty() && possible.is_empty() {
        return writeln!(out, "\n{GOOD}{manifest} supports all of it{GOOD:#}");
    }
    for (list, style, title) in [(certain, ERROR, "lacks"), (possible, WARNING, "may lack")] {
        if !list.is_empty() {
            writeln!(out, "\n{style}{manifest} {title}{style:#}")?;
        }
        for gap in list {
            hanging(out, "  - ", &Clean(&gap.text).to_string())?;
            hanging(out, "      ", &nodes(&gap.nodes))?;
        }
    }
    if certain.is_empty() {
        writeln!(out, "\n{STRONG}It supports everything that is known{STRONG:#}")?;
    }
    Ok(())
}

/// The nodes by graph, as in `2 nodes: graph, node 0 `name`, node 3`. Long lists are cut.
fn nodes(nodes: &[Node]) -> String {
    const MAX_NODES: usize = 8;
    let mut text = format!("{}: ", number(nodes.len(), "node"));
    let mut graph = None;
    for (index, node) in nodes.iter().take(MAX_NODES).enumerate() {
        if index > 0 {
            text.push_str(if graph == Some(&node.graph) { ", " } else { "; " });
        }
        if graph != Some(&node.graph) {
            text.push_str(&format!("{}, ", node.graph));
            graph = Some(&node.graph);
        }
        text.push_str(&format!("node {}", node.index));
        if !node.name.is_empty() {
            text.push_str(&format!(" `{}`", node.name));
        }
    }
    if nodes.len() > MAX_NODES {
        text.push_str(&format!(" and {} more; --format json shows all", nodes.len() - MAX_NODES));
    }
    Clean(&text).to_string()
}
