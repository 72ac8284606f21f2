//! Puts the nodes of graphs in an order in which they can run.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use super::arrays::Model;
use super::attribute::Attribute;
use super::graph::Graph;
use super::list::List;
use super::names::Name;
use super::node::Node;

/// The nodes of a graph cannot be sorted, since each of some reads what another of them computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The index of one of the nodes in its graph.
    pub node: usize,
    /// Its operator.
    pub op_type: String,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, op_type } = self;
        write!(f, "node {node} ({op_type}) depends on its own output, so that no order of the nodes can run")
    }
}

impl std::error::Error for Cycle {}

impl Model {
    /// The model with the nodes of each graph and each function in topological order: each comes after those that it
    /// reads. A model that is sorted is not copied, and of others each node keeps its place as far as it can.
    ///
    /// # Errors
    ///
    /// If nodes read each other in a cycle.
    ///
    /// ```
    /// use shape_model::Model;
    /// use shape_model::file::proto::{GraphProto, ModelProto, NodeProto};
    /// let node = |input: &str, output: &str| NodeProto {
    ///     op_type: "Relu".to_owned(),
    ///     input: vec![input.to_owned()],
    ///     output: vec![output.to_owned()],
    ///     ..NodeProto::default()
    /// };
    /// let graph = GraphProto { node: vec![node("b", "c"), node("a", "b")], ..GraphProto::default() };
    /// let model = Model::of(&ModelProto { graph: Some(graph), ..ModelProto::default() })?;
    /// let sorted = model.sorted()?;
    /// let outputs: Vec<_> = sorted.graph().unwrap().nodes().iter().map(|node| node.outputs().get(0)).collect();
    /// assert_eq!(outputs, [Some("b"), Some("c")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sorted(&self) -> Result<Cow<'_, Self>, Cycle> {
        let mut sorted = Cow::Borrowed(self);
        let of_graphs = self.graphs.iter().map(|graph| graph.nodes);
        for nodes in of_graphs.chain(self.functions.iter().map(|function| function.nodes)) {
            let records = nodes.of(&self.nodes);
            let order = order(List::new(self, records))?;
            if order.is_sorted() {
                continue;
            }
            let to = sorted.to_mut().nodes.get_mut(nodes.range()).unwrap_or_default();
            for (to, from) in to.iter_mut().zip(order) {
                *to = records.get(from).copied().unwrap_or_default();
            }
        }
        Ok(sorted)
    }
}

/// How far the search has come with a node.
#[derive(Clone, Copy, PartialEq)]
enum Progress {
    New,
    Open,
    Done,
}

/// The indices of nodes in topological order; each keeps its place as far as it can.
pub(crate) fn order<'m>(nodes: List<'m, Node<'m>>) -> Result<Vec<usize>, Cycle> {
    let mut producers: HashMap<Name, usize> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        for name in node.outputs().names().iter().filter(|name| !name.is_empty()) {
            producers.entry(*name).or_insert(index);
        }
    }
    // For each node, the nodes that it reads and the search has not come to.
    let reads = |node: Node<'_>| node.reads().iter().filter_map(|name| producers.get(name).copied()).rev().collect();
    let mut left: Vec<Vec<usize>> = nodes.iter().map(reads).collect();
    let mut order = Vec::with_capacity(nodes.len());
    let mut progress = vec![Progress::New; nodes.len()];
    // A depth-first search with a stack of its own, since a chain of nodes may be of any length.
    for start in 0..nodes.len() {
        let mut open = vec![start];
        while let Some(index) = open.last().copied() {
            let (Some(of_node), Some(left)) = (progress.get_mut(index), left.get_mut(index)) else { break };
            let next = if *of_node == Progress::Done { None } else { left.pop() };
            if let Some(next) = next {
                *of_node = Progress::Open;
                match progress.get(next) {
                    Some(Progress::New) => open.push(next),
                    Some(Progress::Open) => {
                        let op_type = nodes.get(next).map_or("", Node::op_type).to_owned();
                        return Err(Cycle { node: next, op_type });
                    }
                    Some(Progress::Done) | None => {}
                }
                continue;
            }
            if *of_node != Progress::Done {
                *of_node = Progress::Done;
                order.push(index);
            }
            open.pop();
        }
    }
    Ok(order)
}

impl Node<'_> {
    /// The names that it reads: those of its inputs, and those that its graphs read from around them.
    pub(crate) fn reads(self) -> Vec<Name> {
        let inputs = self.inputs().names().iter().copied().filter(|name| !name.is_empty());
        inputs.chain(self.attributes().iter().flat_map(Attribute::subgraphs).flat_map(reads_around)).collect()
    }
}

/// The names that a graph reads and does not define. The recursion is as deep as graphs are nested, which has a limit.
fn reads_around(graph: Graph<'_>) -> Vec<Name> {
    let computed = graph.nodes().iter().flat_map(|node| node.outputs().names()).copied();
    let constants = graph.initializers().names().chain(graph.sparse_initializers().names());
    let defined: HashSet<Name> = graph.inputs().names().chain(constants).chain(computed).collect();
    let read = graph.nodes().iter().flat_map(Node::reads).chain(graph.outputs().names());
    read.filter(|name| !defined.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::proto::{AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, ValueInfoProto};

    fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        NodeProto { op_type: op_type.into(), input: names(inputs), output: names(outputs), ..NodeProto::default() }
    }

    fn with_graph(mut node: NodeProto, inside: Vec<NodeProto>, output: &str) -> NodeProto {
        let output = ValueInfoProto { name: output.into(), ..ValueInfoProto::default() };
        let graph = GraphProto { node: inside, output: vec![output], ..GraphProto::default() };
        let attribute = AttributeProto { name: "g".into(), g: Some(Box::new(graph)), ..AttributeProto::default() };
        node.attribute.push(attribute);
        node
    }

    fn names<'m>(nodes: List<'m, Node<'m>>) -> Vec<String> {
        nodes.iter().map(|node| node.outputs().get(0).unwrap().to_owned()).collect()
    }

    /// The first outputs of the nodes, in order.
    fn sorted(nodes: Vec<NodeProto>) -> Result<Vec<String>, Cycle> {
        let graph = GraphProto { node: nodes.clone(), ..GraphProto::default() };
        let functions = vec![FunctionProto { node: nodes, ..FunctionProto::default() }];
        let model = Model::of(&ModelProto { graph: Some(graph), functions, ..ModelProto::default() }).unwrap();
        let sorted = model.sorted()?;
        let of_graph = names(sorted.graph().unwrap().nodes());
        assert_eq!(names(sorted.functions().get(0).unwrap().nodes()), of_graph);
        assert_eq!(matches!(sorted, Cow::Borrowed(_)), of_graph == names(model.graph().unwrap().nodes()));
        Ok(of_graph)
    }

    #[test]
    fn a_node_comes_after_those_that_it_reads() {
        let chain = |of: [usize; 3]| {
            let all = [node("A", &["x", ""], &["a"]), node("B", &["a"], &["b"]), node("C", &["a", "b"], &["c"])];
            sorted(of.map(|index| all[index].clone()).to_vec()).unwrap()
        };
        for of in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            assert_eq!(chain(of), ["a", "b", "c"], "{of:?}");
        }
        // Those that do not depend on each other stay as they are.
        let apart = [node("A", &["x"], &["c"]), node("B", &["x"], &["a"]), node("C", &["x"], &["b"])];
        assert_eq!(sorted(apart.to_vec()).unwrap(), ["c", "a", "b"]);
    }

    #[test]
    fn a_graph_reads_what_is_around_it_and_not_what_it_defines() {
        let reader = with_graph(node("If", &["cond"], &["y"]), vec![node("B", &["a"], &["b"])], "b");
        assert_eq!(sorted(vec![reader, node("A", &["x"], &["a"])]).unwrap(), ["a", "y"]);
        // Many exporters call the output of a branch as they call that of the node.
        let same = with_graph(node("If", &["cond"], &["y"]), vec![node("B", &["x"], &["y"])], "y");
        assert_eq!(sorted(vec![same]).unwrap(), ["y"]);
        let inner = with_graph(node("If", &["cond"], &["w"]), vec![node("B", &["a"], &["b"])], "b");
        let outer = with_graph(node("If", &["cond"], &["y"]), vec![inner], "w");
        assert_eq!(sorted(vec![outer, node("A", &["x"], &["a"])]).unwrap(), ["a", "y"]);
    }

    #[test]
    fn a_cycle_is_told() {
        let cycle = |nodes: &[NodeProto]| sorted(nodes.to_vec()).unwrap_err();
        let of_two = cycle(&[node("A", &["x"], &["a"]), node("B", &["c"], &["b"]), node("C", &["b"], &["c"])]);
        assert_eq!((of_two.node, &*of_two.op_type), (1, "B"));
        assert_eq!(cycle(&[node("A", &["a"], &["a"])]).node, 0);
        let inside = with_graph(node("If", &["cond"], &["y"]), vec![node("B", &["y"], &["b"])], "b");
        assert_eq!(cycle(&[inside]).op_type, "If");
    }
}
