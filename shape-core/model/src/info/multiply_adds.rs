//! The multiply-adds of products of matrices and convolutions.

use std::collections::BTreeMap;

use super::size::{elements, known};
use crate::analysis::{Analysis, Scopes};
use crate::file::{Attribute, Model, Node};
use crate::graph::graphs;
use crate::usage::{NodeUse, Usage, UsedOperator};
use shape_core::dimension::Dimension as _;
use shape_core::facts::{self, Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::node::NodeAttribute;
use shape_core::registry::Registry;
use shape_core::schema::Schema;
use shape_core::symbolic::Dim;

/// How many multiplications, each with an addition, the nodes of the main graph do in products of matrices and in
/// convolutions, if no sequence is shorter than its tensor and nothing is masked. Floating-point operations are twice as
/// many. What else nodes compute is not in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MultiplyAdds<'m> {
    /// The sum of those that are known; an unknown dimension if the sum is longer than an expression may be.
    pub sum: Dim,
    /// How many nodes are in it.
    pub nodes: usize,
    /// The nodes whose operator has a rule for them, but whose dimensions are not known.
    pub unknown: Vec<OperatorNodes<'m>>,
    /// The nodes whose operator has no rule for them, and calls of functions.
    pub uncounted: Vec<OperatorNodes<'m>>,
    /// The nodes in subgraphs, which run any number of times.
    pub inside: Vec<OperatorNodes<'m>>,
}

/// Nodes of one operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperatorNodes<'m> {
    /// The operator's domain, `ai.onnx` for the default one.
    pub domain: &'m str,
    /// The operator.
    pub op_type: &'m str,
    /// How many nodes there are.
    pub nodes: usize,
}

/// Numbers of nodes by the operator.
#[derive(Default)]
struct Counts<'m>(BTreeMap<(&'m str, &'m str), usize>);

impl<'m> Counts<'m> {
    fn add(&mut self, node: &NodeUse<'m>) {
        *self.0.entry((node.domain, node.op_type)).or_default() += 1;
    }

    /// The operators, those with most nodes first.
    fn sorted(self) -> Vec<OperatorNodes<'m>> {
        let operators = self.0.into_iter();
        let mut operators: Vec<_> =
            operators.map(|((domain, op_type), nodes)| OperatorNodes { domain, op_type, nodes }).collect();
        operators.sort_by_key(|operator| std::cmp::Reverse(operator.nodes));
        operators
    }
}

impl<'m> Analysis<'m> {
    /// How many nodes of each operator there are, in all graphs and in the bodies of functions, most nodes first.
    ///
    /// `model` is the analysed model, `registry` that of its [`Options`](crate::Options).
    #[must_use]
    pub fn operators(&self, model: &'m Model, registry: &Registry) -> Vec<OperatorNodes<'m>> {
        let usage = Usage::of(self, model, registry);
        let mut counts = Counts::default();
        for graph in graphs(&self.graphs, model) {
            graph.nodes.iter().enumerate().for_each(|(index, node)| counts.add(&usage.node(&graph, index, node)));
        }
        counts.sorted()
    }

    /// How many multiply-adds the nodes of the main graph do.
    ///
    /// `model` is the analysed model, `registry` that of its [`Options`](crate::Options).
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_model::{ModelFile, Options, analyse};
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.model(), &Options::of(&model))?;
    /// let found = analysis.multiply_adds(model.model(), Registry::builtin());
    /// let sum = found.sum.display(&analysis.symbols).to_string();
    /// assert_eq!((&*sum, found.nodes), ("128*batch*seq*seq + 16384*batch*seq", 6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn multiply_adds(&self, model: &'m Model, registry: &Registry) -> MultiplyAdds<'m> {
        let usage = Usage::of(self, model, registry);
        let outside = self.outside_functions();
        let (mut sum, mut nodes) = (Dim::from(0), 0);
        let [mut unknown, mut uncounted, mut inside] = [const { Counts(BTreeMap::new()) }; 3];
        for graph in graphs(&self.graphs, model).filter(|graph| outside.get(graph.id) == Some(&true)) {
            for (index, node) in graph.nodes.iter().enumerate() {
                let used = usage.node(&graph, index, node);
                if graph.id != 0 {
                    inside.add(&used);
                    continue;
                }
                let UsedOperator::Version(schema) = used.operator else {
                    uncounted.add(&used);
                    continue;
                };
                match of_node(&usage.scopes, graph.id, node, schema) {
                    None => uncounted.add(&used),
                    Some(count) => match count.and_then(|count| sum.add(&count)) {
                        Some(more) => {
                            sum = more;
                            nodes += 1;
                        }
                        None => unknown.add(&used),
                    },
                }
            }
        }
        let [unknown, uncounted, inside] = [unknown, uncounted, inside].map(Counts::sorted);
        MultiplyAdds { sum, nodes, unknown, uncounted, inside }
    }
}

/// The multiply-adds of a node; `None` if no rule of its version gives them, and within if they are not known.
fn of_node(scopes: &Scopes<'_, '_>, graph: usize, node: Node<'_>, schema: &'static Schema) -> Option<Option<Dim>> {
    let attributes: Vec<NodeAttribute<'_>> = node.attributes().iter().filter_map(Attribute::view).collect();
    let fact = |name: &str| scopes.value(graph, name).map_or_else(Fact::default, |value| value.fact());
    let inputs: Vec<Option<Fact<'_, Dim>>> =
        node.inputs().iter().map(|name| (!name.is_empty()).then(|| fact(name))).collect();
    let of_output = |output: usize| elements(scopes.value(graph, node.outputs().get(output)?)?);
    let mut noted = Noted { node, of_output: &of_output, found: Vec::new() };
    let refused = schema.run_rules(&attributes, Inputs(&inputs), &(), &mut noted, &mut |_| ()).is_err();
    if noted.found.is_empty() {
        return None;
    }
    let sum = noted.found.into_iter().try_fold(Dim::from(0), |sum, count| known(sum.add(&count?)));
    Some(sum.filter(|_| !refused))
}

/// Takes note of what rules say of multiply-adds.
struct Noted<'n, 'm> {
    node: Node<'m>,
    /// The number of elements of an output.
    of_output: &'n dyn Fn(usize) -> Option<Dim>,
    found: Vec<Option<Dim>>,
}

impl Outputs<Dim> for Noted<'_, '_> {
    fn count(&self) -> usize {
        self.node.outputs().len()
    }

    fn given(&self, output: usize) -> bool {
        self.node.outputs().get(output).is_some_and(|name| !name.is_empty())
    }

    fn dims(&mut self, _: usize, _: Dims<'_, Dim>) {}

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, Dim>, UnknownCause>) {}

    fn elements_of(&mut self, _: usize, _: usize) {}

    fn multiply_adds(&mut self, output: usize, count: facts::MultiplyAdds<'_, Dim>) {
        let count = match count {
            facts::MultiplyAdds::InAll(count) => count().ok(),
            facts::MultiplyAdds::EachElement(count) => {
                count().ok().zip((self.of_output)(output)).and_then(|(each, elements)| each.mul(&elements))
            }
        };
        self.found.push(known(count));
    }
}
