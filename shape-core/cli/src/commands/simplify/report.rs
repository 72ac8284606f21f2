//! What `shape simplify` and `shape fold` tell: what was rewritten, and what was left and why.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;
use shape_model::{Change, Finding, Options, PASSES, Refusal, Simplification, Size, analyse};

use crate::causes;
use crate::json::{self, Node, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::{Clean, Counts, STRONG, number};
use crate::terminal::{Done, Exit, Terminal};

/// What a simplification did.
#[derive(Serialize)]
pub(crate) struct Report {
    schema_version: u32,
    nodes: Pair,
    initializers: Pair,
    bytes: Pair,
    functions_removed: usize,
    imports_removed: usize,
    /// The passes that changed something.
    passes: Vec<OfPass>,
    /// Each change, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<JsonChange>>,
    /// Why nodes are still there, if asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why_not: Vec<Reasons>,
    findings: Vec<json::Finding>,
}

#[derive(Clone, Copy, Serialize)]
struct Pair {
    before: usize,
    after: usize,
}

#[derive(Serialize)]
struct OfPass {
    name: &'static str,
    rewrites: usize,
    #[serde(skip)]
    summary: &'static str,
}

#[derive(Serialize)]
struct JsonChange {
    pass: &'static str,
    graph: String,
    node: Node,
    what: String,
    /// Whether it only follows from the change before it.
    follows: bool,
}

/// Why a node is still there.
#[derive(Serialize)]
pub(crate) struct Reasons {
    node: String,
    reasons: Vec<Reason>,
}

#[derive(Serialize)]
struct Reason {
    pass: Option<&'static str>,
    why: String,
}

impl Report {
    pub(crate) fn new(simplified: &Simplification<'_>, bytes: usize, diff: bool) -> Self {
        let Simplification { edited, changes, before, after, functions, imports, initializers, .. } = simplified;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let own = changes.iter().filter(|change| !change.follows);
        own.for_each(|change| *counts.entry(change.pass).or_default() += 1);
        // What is no node is not among the changes.
        if functions + imports + initializers > 0 {
            *counts.entry("unused").or_default() += functions + imports + initializers;
        }
        let passes = PASSES.iter().filter_map(|pass| {
            let rewrites = *counts.get(pass.name)?;
            Some(OfPass { name: pass.name, rewrites, summary: pass.summary })
        });
        let change = |Change { pass, graph, node, what, follows }: &Change| JsonChange {
            pass,
            graph: graph.clone(),
            node: node.clone().into(),
            what: what.clone(),
            follows: *follows,
        };
        let pair = |of: fn(&Size) -> usize| Pair { before: of(before), after: of(after) };
        Self {
            schema_version: SCHEMA_VERSION,
            nodes: pair(|size| size.nodes),
            initializers: pair(|size| size.initializers),
            bytes: Pair { before: bytes, after: edited.len() },
            functions_removed: *functions,
            imports_removed: *imports,
            passes: passes.collect(),
            changes: diff.then(|| changes.iter().map(change).collect()),
            why_not: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Why a model is not simplified.
    pub(crate) fn refused(findings: Vec<json::Finding>) -> Self {
        let nothing = Pair { before: 0, after: 0 };
        Self {
            schema_version: SCHEMA_VERSION,
            nodes: nothing,
            initializers: nothing,
            bytes: nothing,
            functions_removed: 0,
            imports_removed: 0,
            passes: Vec::new(),
            changes: None,
            why_not: Vec::new(),
            findings,
        }
    }

    pub(super) fn print(mut self, format: Format, why_not: Vec<Reasons>, terminal: &mut Terminal) -> io::Result<()> {
        self.why_not = why_not;
        let out = terminal.out();
        if format == Format::Json {
            return json::write(out, &self);
        }
        for JsonChange { pass, graph, node, what, follows } in self.changes.iter().flatten() {
            let indent = if *follows { "  " } else { "" };
            let (node, what) = (node.title(), Clean(what));
            let (node, graph) = (Clean(&node), Clean(graph));
            writeln!(out, "{indent}{STRONG}{pass}{STRONG:#}  {node} in {graph}: {what}")?;
        }
        for OfPass { name, rewrites, summary } in &self.passes {
            writeln!(out, "{STRONG}{rewrites:6}{STRONG:#}  {name:17}  {summary}")?;
        }
        let removed = [(self.functions_removed, "function"), (self.imports_removed, "opset import")];
        for (count, what) in removed.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(out, "{} removed", number(count, what))?;
        }
        for Reasons { node, reasons } in &self.why_not {
            writeln!(out, "{STRONG}{}{STRONG:#}", Clean(node))?;
            for Reason { pass, why } in reasons {
                writeln!(out, "  {}{}", pass.map(|pass| format!("{pass}: ")).unwrap_or_default(), Clean(why))?;
            }
        }
        let pairs = [("nodes", self.nodes), ("initializers", self.initializers), ("bytes", self.bytes)];
        let pairs = pairs.map(|(what, Pair { before, after })| format!("{what} {before} -> {after}"));
        writeln!(out, "{}", pairs.join(", "))
    }
}

/// Why nodes are still there, each by its name or that of an output.
///
/// # Errors
/// The name that no node and no value of the model has.
pub(super) fn why_not(
    simplified: &Simplification<'_>,
    names: &[String],
    options: &Options,
) -> Result<Vec<Reasons>, String> {
    let mut all = Vec::new();
    if names.is_empty() {
        return Ok(all);
    }
    let options = Options { symbols: Vec::new(), inputs: Vec::new(), ..options.clone() };
    let Ok(analysis) = analyse(simplified.edited.model(), &options) else { return Ok(all) };
    for name in names {
        let of_node = analysis.graphs.iter().enumerate().find_map(|(graph, info)| {
            let mut nodes = info.nodes.iter().enumerate();
            let found =
                nodes.find(|(_, node)| node.name() == name || node.outputs().iter().any(|output| output == name));
            found.map(|(index, node)| (graph, index, node))
        });
        let Some((graph, index, node)) = of_node else {
            let gone = simplified.changes.iter().find(|change| change.node.name == *name);
            let gone = gone.ok_or_else(|| name.clone())?;
            let why = format!("it is gone or another one: {}", gone.what);
            all.push(Reasons { node: name.clone(), reasons: vec![Reason { pass: Some(gone.pass), why }] });
            continue;
        };
        let path = analysis.graphs.get(graph).map_or("", |info| &*info.path);
        let of_this = |refusal: &&Refusal| refusal.graph == path && refusal.node.index == index;
        let refusals = simplified.refusals.iter().filter(of_this);
        let mut reasons: Vec<Reason> =
            refusals.map(|Refusal { pass, why, .. }| Reason { pass: Some(pass), why: why.clone() }).collect();
        let readers = analysis.graphs.iter().flat_map(|info| info.nodes.iter()).filter(|reader| {
            node.outputs()
                .iter()
                .any(|output| !output.is_empty() && reader.inputs().iter().any(|input| input == output))
        });
        let readers: Vec<String> = readers.map(|reader| title(reader.op_type(), reader.name())).collect();
        let first = readers.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        reasons.push(Reason {
            pass: None,
            why: match readers.len() {
                0 => "an output of a graph needs it".to_owned(),
                count if count <= 3 => format!("read by {first}"),
                count => format!("read by {first} and {} more", count - 3),
            },
        });
        all.push(Reasons { node: title(node.op_type(), node.name()), reasons });
    }
    Ok(all)
}

fn title(op_type: &str, name: &str) -> String {
    if name.is_empty() { op_type.to_owned() } else { format!("{op_type} {name}") }
}

/// Reports why a model is not simplified.
pub(super) fn refused(format: Format, model: &Path, findings: Vec<Finding>, terminal: &mut Terminal) -> Done {
    let mut counts = Counts::default();
    counts.count(&findings);
    match format {
        Format::Text => {
            causes::write(terminal.out(), model, &findings)?;
        }
        Format::Json => {
            let findings = findings.into_iter().map(|finding| json::Finding::new(model, finding)).collect();
            json::write(terminal.out(), &Report::refused(findings))?;
        }
    }
    terminal.flush()?;
    terminal.note(format_args!("{counts}; no file was written"));
    Ok(Exit::Findings)
}
