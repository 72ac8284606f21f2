//! `shape infer --dot`: the graph in the DOT language of Graphviz.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};

use shape_model::{Analysis, Graph, GraphKind, Node, Origin, Scopes, Value};

use crate::render::Clean;
use crate::values::text::{cut, dims_and_elements, short, summary};

const NAME: usize = 40;
const DIMS: usize = 60;

/// A text for a quoted string of DOT, with quotes and backslashes escaped.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Clean(self.0).to_string().replace('\\', "\\\\").replace('"', "\\\"");
        formatter.write_str(&text)
    }
}

/// Writes the graph, with a cluster for each subgraph. An edge shows the dimensions of its value, in red if they are
/// not fully known.
pub(super) fn write(out: &mut impl Write, analysis: &Analysis<'_>) -> io::Result<()> {
    let scopes = analysis.scopes();
    let drawing = Drawing { analysis, scopes: &scopes };
    let name = analysis.graphs.first().and_then(|graph| graph.proto).map_or("", Graph::name);
    writeln!(out, "digraph \"{}\" {{", Quoted(name))?;
    writeln!(out, "node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10];")?;
    writeln!(out, "edge [fontname=\"sans-serif\", fontsize=9];")?;
    drawing.graphs(out)?;
    let outside = analysis.outside_functions();
    for (id, info) in analysis.graphs.iter().enumerate() {
        let Some(proto) = info.proto.filter(|_| outside.get(id) == Some(&true)) else { continue };
        for (index, node) in proto.nodes().iter().enumerate() {
            drawing.input_edges(out, id, index, node)?;
        }
        drawing.output_edges(out, id)?;
    }
    writeln!(out, "}}")
}

struct Drawing<'d, 'm> {
    analysis: &'d Analysis<'m>,
    scopes: &'d Scopes<'d, 'm>,
}

impl Drawing<'_, '_> {
    /// Writes the nodes of each graph in its cluster, without recursion: models nest deeper than the stack allows.
    fn graphs(&self, out: &mut impl Write) -> io::Result<()> {
        let mut inside: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut open: Vec<Option<usize>> = Vec::new();
        for (id, info) in self.analysis.graphs.iter().enumerate() {
            match info.kind {
                GraphKind::Main => open.push(Some(id)),
                GraphKind::Subgraph { parent, .. } => inside.entry(parent).or_default().push(id),
                GraphKind::Function => {}
            }
        }
        while let Some(next) = open.pop() {
            let Some((id, info)) = next.and_then(|id| Some((id, self.analysis.graphs.get(id)?))) else {
                writeln!(out, "}}")?;
                continue;
            };
            if info.kind != GraphKind::Main {
                writeln!(out, "subgraph cluster_{id} {{")?;
                writeln!(out, "label=\"{}\"; style=dashed; fontname=\"sans-serif\"; fontsize=10;", Quoted(&info.path))?;
                open.push(None);
            }
            open.extend(inside.remove(&id).into_iter().flatten().rev().map(Some));
            self.nodes(out, id)?;
        }
        Ok(())
    }

    fn nodes(&self, out: &mut impl Write, id: usize) -> io::Result<()> {
        let Some(proto) = self.analysis.graphs.get(id).and_then(|info| info.proto) else { return Ok(()) };
        let symbols = &self.analysis.symbols;
        for input in proto.inputs() {
            let Some((index, value)) = self.value(id, &input.name) else { continue };
            let (name, known) = (short(value.name, NAME), cut(&summary(value, symbols), DIMS).into_owned());
            writeln!(out, "v{index} [shape=ellipse, label=\"{}\\n{}\"];", Quoted(&name), Quoted(&known))?;
        }
        for (index, node) in proto.nodes().iter().enumerate() {
            write!(out, "n{id}_{index} [label=\"{}", Quoted(node.op_type()))?;
            if !node.name().is_empty() {
                write!(out, "\\n{}", Quoted(&short(node.name(), NAME)))?;
            }
            // Weights stand in the box of the node: boxes of their own would hide the graph.
            for name in node.inputs() {
                if let Some((_, value)) = self.value(id, name).filter(|(_, value)| value.origin == Origin::Initializer)
                {
                    let known = cut(&dims_and_elements(value, symbols), DIMS).into_owned();
                    write!(out, "\\n{} {}", Quoted(&short(value.name, NAME)), Quoted(&known))?;
                }
            }
            writeln!(out, "\"];")?;
        }
        for (index, output) in proto.outputs().iter().enumerate() {
            writeln!(out, "o{id}_{index} [shape=ellipse, label=\"{}\"];", Quoted(&short(&output.name, NAME)))?;
        }
        Ok(())
    }

    /// A value that a graph can read, with its index in the analysis.
    fn value(&self, graph: usize, name: &str) -> Option<(u32, &Value<'_>)> {
        let index = self.scopes.index(graph, name).filter(|_| !name.is_empty())?;
        Some((index, self.analysis.values.get(index as usize)?))
    }

    /// Writes the edges to a node.
    fn input_edges(&self, out: &mut impl Write, graph: usize, index: usize, node: Node<'_>) -> io::Result<()> {
        for name in node.inputs() {
            self.edge(out, graph, name, &format!("n{graph}_{index}"))?;
        }
        Ok(())
    }

    /// Writes the edges to the outputs of a graph, and from the outputs of a subgraph to its node.
    fn output_edges(&self, out: &mut impl Write, graph: usize) -> io::Result<()> {
        let Some(info) = self.analysis.graphs.get(graph) else { return Ok(()) };
        for (index, output) in info.proto.into_iter().flat_map(Graph::outputs).enumerate() {
            let end = format!("o{graph}_{index}");
            self.edge(out, graph, &output.name, &end)?;
            if let GraphKind::Subgraph { parent, position } = info.kind {
                writeln!(out, "{end} -> n{parent}_{} [style=dashed];", position.node)?;
            }
        }
        Ok(())
    }

    fn edge(&self, out: &mut impl Write, graph: usize, name: &str, to: &str) -> io::Result<()> {
        let Some((index, value)) = self.value(graph, name) else { return Ok(()) };
        let from = match value.origin {
            Origin::Input => format!("v{index}"),
            Origin::Node { index } => format!("n{}_{index}", value.graph),
            // The box of the node shows it.
            Origin::Initializer => return Ok(()),
        };
        let label = cut(&dims_and_elements(value, &self.analysis.symbols), DIMS).into_owned();
        let red = if self.analysis.unknown(value).is_some() { ", color=red, fontcolor=red" } else { "" };
        writeln!(out, "{from} -> {to} [label=\"{}\"{red}];", Quoted(&label))
    }
}
