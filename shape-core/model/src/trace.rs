//! Traces how a value was inferred.
//!
//! The analysis records nothing for this: the model says which node computes a value and what that node reads, and the
//! reason of an unknown names the value at which it began.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::analysis::{Analysis, Assumption, Scopes};
use crate::file::{List, Model, Node};
use crate::functions::Functions;
use crate::graph::{GraphKind, graphs};
use crate::value::{Origin, Value};
use shape_core::elements::Scalar;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_core::rule::OutputRule;
use shape_core::schema::{FormalParameter, Schema};
use shape_core::symbolic::{Dim, Symbol};

/// The nodes that determine a value. See [`Analysis::trace`].
#[derive(Clone, Debug)]
pub struct Trace<'m> {
    /// The value, by its index in [`Analysis::values`].
    pub value: u32,
    /// The value at which the unknown began, if the traced one is not fully known.
    pub blamed: Option<u32>,
    /// The nodes in execution order, each once; none for an input or an initializer.
    pub steps: Vec<Step<'m>>,
}

/// A node that the value depends on.
#[derive(Clone, Debug)]
pub struct Step<'m> {
    /// Its graph, by its index in [`Analysis::graphs`].
    pub graph: usize,
    /// Its index in the graph.
    pub index: usize,
    /// The node.
    pub node: Node<'m>,
    /// The version of its operator, where it is known.
    pub schema: Option<&'static Schema>,
    /// The inputs that its outputs depend on: the index among its inputs, and the value's in [`Analysis::values`]. An
    /// output of one of its subgraphs has no index.
    pub inputs: Vec<(Option<usize>, u32)>,
    /// Its outputs that lead to the value: the index among its outputs, and the value's.
    pub outputs: Vec<(usize, u32)>,
}

impl Step<'_> {
    /// The rules that decide the outputs leading to the value, each once.
    pub fn rules(&self) -> impl Iterator<Item = &'static OutputRule> {
        let mut seen = BTreeSet::new();
        let outputs = self.outputs.iter().filter_map(|(output, _)| Some(rules(self.schema?, *output)));
        outputs.flatten().filter(move |rule| seen.insert(rule.output)).collect::<Vec<_>>().into_iter()
    }
}

impl Step<'_> {
    /// The assumptions used here: each holds because an earlier node could not run otherwise.
    pub fn assumptions<'a>(&self, analysis: &'a Analysis<'_>) -> impl Iterator<Item = &'a Assumption> {
        let known = |value: u32| analysis.values.get(value as usize);
        let inputs: Vec<&Dim> = self.inputs.iter().filter_map(|(_, value)| known(*value)).flat_map(dims).collect();
        let outputs: Vec<&Dim> = self.outputs.iter().filter_map(|(_, value)| known(*value)).flat_map(dims).collect();
        let first = self.outputs.first().map_or(0, |(_, value)| *value);
        let before = analysis.assumptions().iter().filter(move |assumed| assumed.value < first);
        before.filter(move |assumed| {
            let reads = inputs.iter().any(|dim| has(dim, assumed.symbol));
            let computes = |dim: &&Dim| has(dim, assumed.symbol) && !inputs.contains(dim);
            reads
                && match assumed.size {
                    Some(_) => !outputs.iter().any(|dim| has(dim, assumed.symbol)),
                    None => outputs.iter().any(computes),
                }
        })
    }
}

/// The dimensions of a value, and its elements that are dimensions.
fn dims<'v>(value: &'v Value<'_>) -> impl Iterator<Item = &'v Dim> {
    let elements = value.elements.iter().flatten().filter_map(Scalar::dim);
    value.dims.iter().flatten().chain(elements)
}

fn has(dim: &Dim, symbol: Symbol) -> bool {
    let mut has = false;
    dim.each_symbol(&mut |other| has |= other == symbol);
    has
}

impl<'m> Analysis<'m> {
    /// The nodes from which a value was inferred, back to inputs and initializers; or, if the value is not fully known,
    /// back to the node where information was lost.
    ///
    /// `model` is the analysed model, `registry` that of its [`Options`](crate::Options).
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_model::{ModelFile, Options, analyse};
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.model(), &Options::of(&model))?;
    /// let value = analysis.scopes().index(0, "/attn/Concat_output_0").unwrap();
    /// let trace = analysis.trace(model.model(), Registry::builtin(), value);
    /// let operators: Vec<&str> = trace.steps.iter().map(|step| &*step.node.op_type()).collect();
    /// assert_eq!(operators, ["Shape", "Gather", "Unsqueeze", "Gather", "Unsqueeze", "Concat"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trace(&self, model: &'m Model, registry: &Registry, value: u32) -> Trace<'m> {
        let blamed = self.values.get(value as usize).and_then(|value| self.unknown(value)).map(|reason| reason.value);
        let mut tracer = Tracer::new(self, model, registry, blamed);
        let mut seen = HashSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if seen.insert(value) {
                open.extend(tracer.follow(value));
            }
        }
        // The reason may begin at a value that is read in a way that no rule names.
        if let Some(blamed) = blamed.filter(|blamed| !seen.contains(blamed)) {
            tracer.follow(blamed);
        }
        Trace { value, blamed, steps: tracer.steps.into_values().collect() }
    }

    /// The step of every node that computes a value, in execution order: what any trace is made of.
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_model::{ModelFile, Options, analyse};
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.model(), &Options::of(&model))?;
    /// assert_eq!(analysis.steps(model.model(), Registry::builtin()).len(), 41);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn steps(&self, model: &'m Model, registry: &Registry) -> Vec<Step<'m>> {
        let mut tracer = Tracer::new(self, model, registry, None);
        for value in (0..).take(self.values.len()) {
            tracer.follow(value);
        }
        tracer.steps.into_values().collect()
    }
}

struct Tracer<'t, 'm> {
    analysis: &'t Analysis<'m>,
    registry: &'t Registry,
    scopes: Scopes<'t, 'm>,
    functions: Functions<'m>,
    /// The nodes of each graph, and the function that it is in.
    graphs: Vec<(List<'m, Node<'m>>, Option<usize>)>,
    /// The subgraphs of each node.
    inside: HashMap<(usize, usize), Vec<usize>>,
    blamed: Option<u32>,
    /// By the first of the outputs, whose indices follow the execution order.
    steps: BTreeMap<u32, Step<'m>>,
}

impl<'t, 'm> Tracer<'t, 'm> {
    fn new(analysis: &'t Analysis<'m>, model: &'m Model, registry: &'t Registry, blamed: Option<u32>) -> Self {
        let mut inside: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        for (id, info) in analysis.graphs.iter().enumerate() {
            if let GraphKind::Subgraph { parent, position } = info.kind {
                inside.entry((parent, position.node)).or_default().push(id);
            }
        }
        Self {
            analysis,
            registry,
            scopes: Scopes::of(analysis),
            functions: Functions::of(model),
            graphs: graphs(&analysis.graphs, model).map(|graph| (graph.nodes, graph.function)).collect(),
            inside,
            blamed,
            steps: BTreeMap::new(),
        }
    }

    /// Records the node that computes a value, and returns the values to follow next.
    fn follow(&mut self, value: u32) -> Vec<u32> {
        let Some(Value { graph, name, origin: Origin::Node { index }, .. }) = self.analysis.values.get(value as usize)
        else {
            return Vec::new();
        };
        let (graph, index) = (*graph, *index);
        let Some((nodes, function)) = self.graphs.get(graph) else { return Vec::new() };
        let Some(node) = nodes.get(index) else { return Vec::new() };
        let Some(output) = node.outputs().iter().position(|output| output == *name) else { return Vec::new() };
        let imports = self.functions.imports(*function);
        let called = self.functions.called(node).is_some();
        let opset = imports.get(node.domain()).filter(|_| !called);
        let domain = canonical_domain(node.domain());
        let schema = opset.and_then(|opset| self.registry.resolve(domain, node.op_type(), opset).ok());

        let used = used(schema, output);
        let named = node.inputs().iter().enumerate().filter(|(index, name)| !name.is_empty() && used.reads(*index));
        let mut inputs: Vec<(Option<usize>, u32)> =
            named.filter_map(|(index, name)| Some((Some(index), self.scopes.index(graph, name)?))).collect();
        let inside = self.inside.get(&(graph, index)).map_or(&[][..], Vec::as_slice);
        let subgraphs = inside.iter().filter_map(|graph| self.analysis.graphs.get(*graph));
        inputs.extend(subgraphs.flat_map(|graph| graph.outputs.iter().flatten().map(|output| (None, *output))));

        let first = node.outputs().iter().find_map(|name| self.scopes.index(graph, name)).unwrap_or(value);
        let step = self.steps.entry(first).or_insert_with(|| Step {
            graph,
            index,
            node,
            schema,
            inputs: Vec::new(),
            outputs: Vec::new(),
        });
        step.outputs.push((output, value));
        step.outputs.sort_unstable();
        let known: BTreeSet<(Option<usize>, u32)> = step.inputs.iter().copied().collect();
        step.inputs.extend(inputs.iter().filter(|input| !known.contains(input)));
        step.inputs.sort_by_key(|(index, value)| (index.is_none(), *index, *value));

        let next = inputs.into_iter().map(|(_, value)| value);
        match self.blamed {
            None => next.collect(),
            // The unknown began here.
            Some(blamed) if blamed == value => Vec::new(),
            Some(blamed) => next.filter(|value| self.blames(*value, blamed)).collect(),
        }
    }

    /// Whether something about a value is unknown because of another.
    fn blames(&self, value: u32, blamed: u32) -> bool {
        let Some(value) = self.analysis.values.get(value as usize) else { return false };
        let of_dim = |dim: &Dim| self.analysis.unknown_dim(dim).is_some_and(|reason| reason.value == blamed);
        let of_element = |element: &Scalar<Dim>| match element {
            Scalar::Unknown(reason) => reason.value == blamed,
            element => element.dim().is_some_and(of_dim),
        };
        value.ty.as_ref().is_err_and(|reason| reason.value == blamed)
            || value.dims.as_ref().map_or_else(|reason| reason.value == blamed, |dims| dims.iter().any(of_dim))
            || value.without_elements().is_some_and(|reason| reason.value == blamed)
            || value.elements.as_ref().is_ok_and(|elements| elements.iter().any(of_element))
    }
}

/// The inputs of a node that an output depends on.
enum Used {
    All,
    /// The inputs at these indices; if the last of them is variadic, all from there on.
    These {
        indices: Vec<usize>,
        from: Option<usize>,
    },
}

impl Used {
    fn reads(&self, index: usize) -> bool {
        match self {
            Self::All => true,
            Self::These { indices, from } => indices.contains(&index) || from.is_some_and(|from| index >= from),
        }
    }
}

fn used(schema: Option<&'static Schema>, output: usize) -> Used {
    let Some(schema) = schema else { return Used::All };
    let mut indices = Vec::new();
    rules(schema, output).for_each(|rule| rule.each_input(&mut |index| indices.push(index)));
    // A custom rule in Rust does not say what it reads.
    if indices.is_empty() {
        return Used::All;
    }
    let last = schema.inputs.len().checked_sub(1);
    let variadic = last
        .filter(|last| indices.contains(last) && schema.inputs.get(*last).is_some_and(FormalParameter::is_variadic));
    Used::These { indices, from: variadic }
}

/// The rules for an output of a version; the rules of a variadic output apply to all from its index on.
fn rules(schema: &'static Schema, output: usize) -> impl Iterator<Item = &'static OutputRule> {
    schema.rules.iter().filter(move |rule| {
        let variadic = schema.outputs.get(rule.output).is_some_and(FormalParameter::is_variadic);
        rule.output == output || (variadic && rule.output <= output)
    })
}
