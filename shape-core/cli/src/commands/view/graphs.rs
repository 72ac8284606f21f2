//! The graphs of a model, with their nodes and the names of their values.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use shape_core::Registry;
use shape_core::schema::Schema;
use shape_model::{Analysis, GraphKind, Model, NodeUse, Origin, UsedOperator};

use crate::values::json::{Number, type_name};

/// A graph; others are known by their indices in the list of graphs.
#[derive(Serialize)]
pub(super) struct Graph<'a> {
    path: &'a str,
    kind: &'static str,
    parent: Option<Parent>,
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
    initializers: Vec<Constant<'a>>,
    nodes: Vec<Node<'a>>,
}

/// Where a subgraph is.
#[derive(Serialize)]
struct Parent {
    graph: usize,
    node: usize,
    attribute: String,
}

#[derive(Serialize)]
struct Constant<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: Option<String>,
    dims: Option<Vec<Number>>,
}

#[derive(Serialize)]
struct Node<'a> {
    name: &'a str,
    op_type: &'a str,
    domain: &'a str,
    since: Option<u32>,
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
    subgraphs: Vec<usize>,
}

/// The version of an operator that a node has.
pub(super) fn schema(node: &NodeUse<'_>) -> Option<&'static Schema> {
    match node.operator {
        UsedOperator::Version(schema) => Some(schema),
        _ => None,
    }
}

/// The subgraphs of the nodes of all graphs: the graph and the index of the node, and the indices of its subgraphs.
pub(super) fn subgraphs(analysis: &Analysis<'_>) -> HashMap<(usize, usize), Vec<usize>> {
    let mut inside: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    for (graph, info) in analysis.graphs.iter().enumerate() {
        if let GraphKind::Subgraph { parent, position } = info.kind {
            inside.entry((parent, position.node)).or_default().push(graph);
        }
    }
    inside
}

/// All graphs of an analysed model, the main one first.
pub(super) fn graphs<'a>(analysis: &'a Analysis<'a>, model: &'a Model, registry: &Registry) -> Vec<Graph<'a>> {
    let mut graphs: Vec<Graph<'_>> = (0..analysis.graphs.len()).filter_map(|graph| empty(analysis, graph)).collect();
    for value in &analysis.values {
        let Some(graph) = graphs.get_mut(value.graph) else { continue };
        match value.origin {
            Origin::Input => graph.inputs.push(value.name),
            Origin::Initializer => graph.initializers.push(Constant {
                name: value.name,
                ty: value.ty.as_ref().ok().map(type_name),
                dims: Number::list(value.dims.as_deref().ok(), &analysis.symbols),
            }),
            Origin::Node { .. } => {}
        }
    }
    let mut inside = subgraphs(analysis);
    for used in analysis.usage(model, registry) {
        let node = analysis.graphs.get(used.graph).and_then(|info| info.nodes.get(used.index));
        let (Some(node), Some(graph)) = (node, graphs.get_mut(used.graph)) else { continue };
        graph.nodes.push(Node {
            name: node.name(),
            op_type: node.op_type(),
            domain: shape_core::opset::canonical_domain(node.domain()),
            since: schema(&used).map(|schema| schema.since_version),
            inputs: node.inputs().iter().collect(),
            outputs: node.outputs().iter().collect(),
            subgraphs: inside.remove(&(used.graph, used.index)).unwrap_or_default(),
        });
    }
    graphs
}

fn empty<'a>(analysis: &'a Analysis<'a>, graph: usize) -> Option<Graph<'a>> {
    let info = analysis.graphs.get(graph)?;
    let parent = match info.kind {
        GraphKind::Subgraph { parent, position } => {
            let node = analysis.graphs.get(parent)?.nodes.get(position.node)?;
            let attribute = node.attributes().get(position.attribute)?;
            Some(Parent { graph: parent, node: position.node, attribute: attribute.name().to_owned() })
        }
        GraphKind::Main | GraphKind::Function => None,
    };
    let outputs = info.outputs.iter().flatten().filter_map(|value| analysis.values.get(*value as usize));
    Some(Graph {
        path: &info.path,
        kind: match info.kind {
            GraphKind::Main => "main",
            GraphKind::Subgraph { .. } => "subgraph",
            GraphKind::Function => "function",
        },
        parent,
        inputs: Vec::new(),
        outputs: outputs.map(|value| value.name).collect(),
        initializers: Vec::new(),
        nodes: Vec::new(),
    })
}

/// The symbols that the model declares for its inputs: what can be given a size.
pub(super) fn settable(model: &Model) -> BTreeSet<String> {
    use shape_model::file::proto::TypeValue;

    let mut symbols = BTreeSet::new();
    for input in model.graph().iter().flat_map(|graph| graph.inputs()) {
        let ty = input.r#type.as_ref().and_then(|ty| ty.value.as_ref());
        let Some(TypeValue::TensorType(tensor)) = ty else { continue };
        for dim in tensor.shape.iter().flat_map(|shape| &shape.dim) {
            symbols.extend(dim.symbol().map(str::to_owned));
        }
    }
    symbols
}
