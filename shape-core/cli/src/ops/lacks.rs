//! What a runtime lacks for a model.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use shape_model::{Analysis, NodeUse};

use super::support::{Support, Trouble};
use super::usage::{since, unknown, word};
use crate::render::{Clean, ERROR, GOOD, STRONG, WARNING, hanging, number};

/// What a runtime lacks, and what cannot be told.
#[derive(Debug, Default)]
pub(super) struct Lacks {
    pub(super) lacks: Vec<Lack>,
    pub(super) unsure: Vec<Lack>,
}

/// Something that a runtime lacks, or may lack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Lack {
    /// `operator`, `version` or `type`.
    kind: &'static str,
    domain: String,
    name: String,
    since_version: Option<u32>,
    /// The type variable, where it is about a type of one.
    variable: Option<&'static str>,
    /// The type, where it is about one that is known.
    #[serde(rename = "type")]
    ty: Option<String>,
    /// The versions or types that the manifest has instead.
    supported: Vec<String>,
    /// What is lacking, in words.
    text: String,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Node {
    graph: String,
    index: usize,
    name: String,
}

impl Lacks {
    /// Holds every node of a model against what a runtime supports.
    pub(super) fn new(usage: &[NodeUse<'_>], analysis: &Analysis<'_>, support: &Support) -> Self {
        let mut lacks = Self::default();
        for node in usage {
            let place = || Node {
                graph: analysis.graphs.get(node.graph).map(|graph| graph.path.clone()).unwrap_or_default(),
                index: node.index,
                name: node.name.to_owned(),
            };
            for trouble in support.troubles(node) {
                let told = Lack::new(node, &trouble);
                let open = match trouble {
                    Trouble::Operator => false,
                    Trouble::Version { .. } => told.since_version.is_none(),
                    Trouble::Type { found, .. } => found.is_none(),
                };
                let list = if open { &mut lacks.unsure } else { &mut lacks.lacks };
                let same = |known: &&mut Lack| known.about() == told.about();
                match list.iter_mut().find(same) {
                    Some(known) => known.nodes.push(place()),
                    None => list.push(Lack { nodes: vec![place()], ..told }),
                }
            }
        }
        let order = ["operator", "version", "type"];
        for list in [&mut lacks.lacks, &mut lacks.unsure] {
            list.sort_by_cached_key(|lack| {
                let kind = order.iter().position(|kind| *kind == lack.kind);
                (kind, lack.domain.clone(), lack.name.clone(), lack.since_version, lack.text.clone())
            });
        }
        lacks
    }

    pub(super) fn any(&self) -> bool {
        !self.lacks.is_empty()
    }
}

impl Lack {
    fn new(node: &NodeUse<'_>, trouble: &Trouble) -> Self {
        let since_version = since(node.operator);
        let path = if node.domain == "ai.onnx" { "" } else { &format!("{}::", node.domain) };
        let version = since_version.map(|since| format!("-{since}")).unwrap_or_default();
        let operator = format!("{path}{}", node.op_type);
        let (kind, variable, ty, supported, text) = match trouble {
            Trouble::Operator => ("operator", None, None, Vec::new(), format!("operator {operator}")),
            Trouble::Version { supported } => {
                let supported: Vec<String> = supported.iter().map(ToString::to_string).collect();
                let why = unknown(node.operator).map(|why| format!(", of no known version: {why}")).unwrap_or_default();
                let text = format!("version {operator}{version}{why}; there is {}", supported.join(", "));
                ("version", None, None, supported, text)
            }
            Trouble::Type { variable, found, supported } => {
                let words: Vec<String> = supported.iter().copied().map(word).collect();
                let what = found.map(word).unwrap_or_else(|| "that is not known".to_owned());
                let of = variable.map(|variable| format!(" for {variable}")).unwrap_or_default();
                let text = format!("type {what}{of} of {operator}{version}; there is {}", words.join(", "));
                let supported = supported.iter().map(ToString::to_string).collect();
                ("type", *variable, found.map(|found| found.to_string()), supported, text)
            }
        };
        let (domain, name) = (node.domain.to_owned(), node.op_type.to_owned());
        Self { kind, domain, name, since_version, variable, ty, supported, text, nodes: Vec::new() }
    }

    /// All but the nodes: the text has every one of the facts in it.
    fn about(&self) -> (&str, &str) {
        (self.kind, &self.text)
    }
}

/// A line for each thing that is lacking, and below it the nodes that need it.
pub(super) fn page(out: &mut impl Write, Lacks { lacks, unsure }: &Lacks, manifest: &Path) -> io::Result<()> {
    let manifest = manifest.to_string_lossy();
    let manifest = Clean(&manifest);
    if lacks.is_empty() && unsure.is_empty() {
        return writeln!(out, "\n{GOOD}{manifest} has all of it{GOOD:#}");
    }
    for (list, style, title) in [(lacks, ERROR, "lacks"), (unsure, WARNING, "may lack")] {
        if !list.is_empty() {
            writeln!(out, "\n{style}{manifest} {title}{style:#}")?;
        }
        for lack in list {
            hanging(out, "  - ", &Clean(&lack.text).to_string())?;
            hanging(out, "      ", &nodes(&lack.nodes))?;
        }
    }
    if lacks.is_empty() {
        writeln!(out, "\n{STRONG}Of what is known it has all{STRONG:#}")?;
    }
    Ok(())
}

/// The nodes by graph: `2 nodes: graph, node 0 `name`, node 3`; no more than one reads.
fn nodes(nodes: &[Node]) -> String {
    const MOST: usize = 8;
    let mut text = format!("{}: ", number(nodes.len(), "node"));
    let mut graph = None;
    for (index, node) in nodes.iter().take(MOST).enumerate() {
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
    if nodes.len() > MOST {
        text.push_str(&format!(" and {} more, which --format json has", nodes.len() - MOST));
    }
    Clean(&text).to_string()
}
