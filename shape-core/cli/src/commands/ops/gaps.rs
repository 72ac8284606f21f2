//! What a runtime lacks for a model: operators, versions or types.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};

use serde::Serialize;
use shape_core::Schema;
use shape_core::opset::canonical_domain;
use shape_core::runtime::ReleaseNumber;
use shape_model::file::Model;
use shape_model::{Analysis, Need, NodeUse, ReleasedNode, UsedOperator};

use super::hint::Hint;
use super::manifest::{Support, Unsupported, Way};
use super::used::{type_text, unknown, version};
use crate::render::{Clean, ERROR, GOOD, STRONG, WARNING, hanging, number};

/// What a runtime lacks, and what it may lack because a version or a type is unknown.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    pub(super) certain: Vec<Gap>,
    pub(super) possible: Vec<Gap>,
    /// Whether each node is supported, in the order of [`Analysis::usage`].
    pub(super) nodes: Vec<Supported>,
}

/// Whether a node is supported.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Supported {
    #[serde(flatten)]
    node: Node,
    domain: String,
    op_type: String,
    since_version: Option<u32>,
    /// Whether ONNX has deprecated the version, which the runtime may run all the same.
    deprecated: bool,
    /// `yes`, `no`, or `unknown` where a version or type is.
    supported: &'static str,
    /// `kernel`; `cast` for the kernel of a type that the node's tensors are cast to; `function` for the body that ONNX
    /// defines the operator by; `call` for a call of a function of the model, whose nodes stand here too.
    by: Option<&'static str>,
}

/// What a runtime lacks: an operator, a version, a type, or an opset or the IR version of the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Gap {
    /// `operator`, `version`, `type`, `opset` or `ir_version`; or what of an operator a release does not have: `attribute`,
    /// `input`, `output`, `type` or `value`.
    pub(super) kind: &'static str,
    /// The domain; empty for an IR version.
    pub(super) domain: String,
    /// The operator; empty for what is of the model.
    pub(super) name: String,
    pub(super) since_version: Option<u32>,
    /// The type variable, for a type of one.
    variable: Option<&'static str>,
    /// The type, if it is known.
    #[serde(rename = "type")]
    ty: Option<String>,
    /// The versions, opsets or types that the manifest lists; of an opset or IR version of the model the newest one.
    pub(super) supported: Vec<String>,
    /// What is lacking, as text.
    pub(super) text: String,
    /// What can be done about it.
    pub(super) hints: Vec<Hint>,
    nodes: Vec<Node>,
    /// The nodes, by their indices in [`Analysis::usage`].
    #[serde(skip)]
    pub(super) used: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Node {
    graph: String,
    index: usize,
    name: String,
}

impl Gaps {
    /// Compares a model and each of its nodes with what a runtime supports.
    pub(super) fn new(usage: &[NodeUse<'_>], analysis: &Analysis<'_>, model: &Model, support: &Support) -> Self {
        let mut gaps = Self { certain: of_model(model, support), ..Self::default() };
        for (index, node) in usage.iter().enumerate() {
            let position = Node {
                graph: analysis.graphs.get(node.graph).map(|graph| graph.path.clone()).unwrap_or_default(),
                index: node.index,
                name: node.name.to_owned(),
            };
            let answer = support.of(node);
            let mut supported = if answer.is_ok() { "yes" } else { "unknown" };
            let by = answer.as_ref().ok().map(|way| match way {
                Way::Kernel => "kernel",
                Way::Cast => "cast",
                Way::Function => "function",
                Way::Call => "call",
            });
            for unsupported in answer.err().into_iter().flatten() {
                let gap = Gap::new(node, &unsupported);
                let possible = match unsupported {
                    Unsupported::Operator | Unsupported::Opset { .. } => false,
                    Unsupported::Version { .. } => gap.since_version.is_none(),
                    Unsupported::Type { found, .. } => found.is_none(),
                };
                let list = if possible { &mut gaps.possible } else { &mut gaps.certain };
                if !possible {
                    supported = "no";
                }
                gap.add_to(list, &position, index);
            }
            gaps.nodes.push(Supported {
                node: position,
                domain: node.domain.to_owned(),
                op_type: node.op_type.to_owned(),
                since_version: version(node),
                deprecated: matches!(node.operator, UsedOperator::Version(schema) if schema.deprecated),
                supported,
                by,
            });
        }
        let order = ["ir_version", "opset", "operator", "version", "type"];
        for list in [&mut gaps.certain, &mut gaps.possible] {
            list.sort_by_cached_key(|gap| {
                let kind = order.iter().position(|kind| *kind == gap.kind);
                (kind, gap.domain.clone(), gap.name.clone(), gap.since_version, gap.text.clone())
            });
        }
        gaps
    }
}

impl Gaps {
    /// Names the versions that nodes have, where the runtime takes some for older ones.
    pub(super) fn name_versions(&mut self, usage: &[NodeUse<'_>]) {
        for (supported, node) in self.nodes.iter_mut().zip(usage) {
            supported.since_version = version(node);
            supported.deprecated = matches!(node.operator, UsedOperator::Version(schema) if schema.deprecated);
        }
    }

    /// Adds what a release of the runtime does not have of its own operators, or has no longer.
    pub(super) fn add_needs(&mut self, released: &[ReleasedNode<'_>], usage: &[NodeUse<'_>], release: ReleaseNumber) {
        let places = usage.iter().enumerate().map(|(index, node)| ((node.graph, node.index), index));
        let places: HashMap<(usize, usize), usize> = places.collect();
        for node in released {
            let Some(index) = places.get(&(node.graph, node.index)).copied() else { continue };
            for need in node.needs.iter().filter(|need| !need.is_met(release)) {
                let Some(supported) = self.nodes.get_mut(index) else { continue };
                (supported.supported, supported.by) = ("no", None);
                let position = supported.node.clone();
                // That the manifest has no entry of an operator says less than which release brings it.
                if need.kind == "operator" {
                    self.certain.retain(|known| known.kind != "operator" || !known.used.contains(&index));
                }
                Gap::of_need(node.schema, need).add_to(&mut self.certain, &position, index);
            }
        }
    }
}

/// What of the model itself the runtime does not read.
fn of_model(model: &Model, support: &Support) -> Vec<Gap> {
    let gap = |kind, domain: &str, newest: u32, text: String| Gap {
        kind,
        domain: domain.to_owned(),
        name: String::new(),
        since_version: None,
        variable: None,
        ty: None,
        supported: vec![newest.to_string()],
        text: format!("{text}; supported: up to {newest}"),
        hints: Vec::new(),
        nodes: Vec::new(),
        used: Vec::new(),
    };
    let ir_version = model.ir_version().unwrap_or_default();
    let newest = support.head.ir_version.filter(|newest| ir_version > i64::from(*newest));
    let mut gaps: Vec<Gap> =
        newest.map(|newest| gap("ir_version", "", newest, format!("IR version {ir_version}"))).into_iter().collect();
    for import in model.opset_import() {
        let domain = canonical_domain(&import.domain);
        let opset = import.version.unwrap_or_default();
        if let Some(newest) = support.newest_opset(domain).filter(|newest| opset > i64::from(*newest)) {
            gaps.push(gap("opset", domain, newest, format!("opset {opset} of {domain}")));
        }
    }
    gaps
}

impl Gap {
    /// What a release does not have of a version.
    fn of_need(schema: &Schema, need: &Need) -> Self {
        Self {
            kind: need.kind,
            domain: schema.domain.to_owned(),
            name: schema.name.to_owned(),
            since_version: Some(schema.since_version),
            variable: None,
            ty: None,
            supported: Vec::new(),
            text: format!("{}: {need}", schema.name),
            hints: Vec::new(),
            nodes: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Adds a node that lacks it to the list, and the gap itself where it is not there.
    fn add_to(self, list: &mut Vec<Self>, position: &Node, index: usize) {
        let known = list.iter().position(|known| known.key() == self.key()).unwrap_or_else(|| {
            list.push(self);
            list.len() - 1
        });
        if let Some(known) = list.get_mut(known) {
            known.nodes.push(position.clone());
            known.used.push(index);
        }
    }

    fn new(node: &NodeUse<'_>, unsupported: &Unsupported) -> Self {
        let since_version = version(node);
        let path = if node.domain == "ai.onnx" { "" } else { &format!("{}::", node.domain) };
        let version = since_version.map(|since| format!("-{since}")).unwrap_or_default();
        let operator = format!("{path}{}", node.op_type);
        let of_numbers = |numbers: &[u32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut hints = Vec::new();
        let (kind, variable, ty, supported, text) = match unsupported {
            Unsupported::Operator => ("operator", None, None, Vec::new(), format!("operator {operator}")),
            Unsupported::Version { supported } => {
                let supported = of_numbers(supported);
                let why = unknown(node.operator).filter(|_| since_version.is_none());
                let why = why.map(|why| format!(" (unknown: {why})")).unwrap_or_default();
                let text = format!("version {operator}{version}{why}; supported: {}", supported.join(", "));
                ("version", None, None, supported, text)
            }
            Unsupported::Opset { supported } => {
                let supported = of_numbers(supported);
                let opset = node.opset.map(|opset| format!(" at opset {opset}")).unwrap_or_default();
                let text = format!("version {operator}{version}{opset}; supported at: {}", supported.join(", "));
                ("version", None, None, supported, text)
            }
            Unsupported::Type { variable, found, supported, wider } => {
                let texts: Vec<String> = supported.iter().copied().map(type_text).collect();
                let text = match (found.map(type_text), variable) {
                    (Some(ty), Some(variable)) => format!("type {ty} for {variable} of {operator}{version}"),
                    (Some(ty), None) => format!("type {ty} of {operator}{version}"),
                    (None, Some(variable)) => format!("type of {variable} of {operator}{version} is unknown"),
                    (None, None) => format!("type of a value of {operator}{version} is unknown"),
                };
                let text = format!("{text}; supported: {}", texts.join(", "));
                let supported = supported.iter().map(ToString::to_string).collect();
                hints.extend(wider.map(Hint::cast));
                ("type", *variable, found.map(|found| found.to_string()), supported, text)
            }
        };
        let (domain, name) = (node.domain.to_owned(), node.op_type.to_owned());
        let (nodes, used) = (Vec::new(), Vec::new());
        Self { kind, domain, name, since_version, variable, ty, supported, text, hints, nodes, used }
    }

    /// Equal for equal gaps: the text contains all facts but the nodes.
    fn key(&self) -> (&str, &str) {
        (self.kind, &self.text)
    }
}

/// Writes how many nodes are supported, and a line for each gap: below it the nodes that need it, and what to do.
pub(super) fn write_text(out: &mut impl Write, gaps: &Gaps, label: &str) -> io::Result<()> {
    let Gaps { certain, possible, nodes } = gaps;
    let label = Clean(label);
    let count = |is: &dyn Fn(&Supported) -> bool| nodes.iter().filter(|node| is(node)).count();
    let by = [("cast", "with tensors cast"), ("function", "by the body that ONNX defines")]
        .map(|(by, how)| (count(&|node| node.by == Some(by)), how));
    let by: Vec<String> =
        by.iter().filter(|(count, _)| *count > 0).map(|(count, how)| format!("{count} {how}")).collect();
    let is_whole = certain.is_empty() && possible.is_empty();
    if !is_whole || !by.is_empty() {
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        let (runs, all) = (count(&|node| node.supported == "yes"), number(nodes.len(), "node"));
        writeln!(out)?;
        hanging(out, &format!("{STRONG}{label}{STRONG:#} "), &format!("supports {runs} of {all}{by}"))?;
    }
    if is_whole {
        writeln!(out, "\n{GOOD}{label} supports all of it{GOOD:#}")?;
        return write_deprecated(out, nodes);
    }
    for (list, style, title) in [(certain, ERROR, "lacks"), (possible, WARNING, "may lack")] {
        if !list.is_empty() {
            writeln!(out, "\n{style}{label} {title}{style:#}")?;
        }
        for gap in list {
            hanging(out, "  - ", &Clean(&gap.text).to_string())?;
            if !gap.nodes.is_empty() {
                hanging(out, "      ", &self::nodes(&gap.nodes))?;
            }
            for hint in &gap.hints {
                hanging(out, "      = help: ", &Clean(&hint.text).to_string())?;
            }
        }
    }
    if certain.is_empty() {
        writeln!(out, "\n{STRONG}It supports everything that is known{STRONG:#}")?;
    }
    write_deprecated(out, nodes)
}

/// Writes which versions run though ONNX has deprecated them.
fn write_deprecated(out: &mut impl Write, nodes: &[Supported]) -> io::Result<()> {
    let runs = nodes.iter().filter(|node| node.deprecated && node.supported == "yes");
    let versions: BTreeSet<String> =
        runs.map(|node| format!("{}-{}", node.op_type, node.since_version.unwrap_or_default())).collect();
    if versions.is_empty() {
        return Ok(());
    }
    let versions = versions.into_iter().collect::<Vec<_>>().join(", ");
    writeln!(out)?;
    hanging(
        out,
        &format!("{WARNING}deprecated{WARNING:#} "),
        &format!("ONNX has given up {versions}; this runtime still runs it"),
    )
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
