//! What a model uses: the operator version and the types of each node.

use crate::analysis::{Analysis, Scopes};
use crate::file::{Attribute, List, Model, Node};
use crate::functions::Functions;
use crate::graph::{GraphAt, graphs};
use crate::needs::Given;
use shape_core::opset::canonical_domain;
use shape_core::registry::{Missing, Registry};
use shape_core::schema::{FormalParameter, ParameterType, Schema};
use shape_core::types::Type;

/// The operator version and the types of one node.
#[derive(Clone, Debug)]
pub struct NodeUse<'m> {
    /// The graph of the node, by its index in [`Analysis::graphs`].
    pub graph: usize,
    /// The node's index in its graph.
    pub index: usize,
    /// The node's name.
    pub name: &'m str,
    /// The operator's domain, `ai.onnx` for the default one.
    pub domain: &'m str,
    /// The operator.
    pub op_type: &'m str,
    /// The opset of the domain that the model, or the function around the node, imports.
    pub opset: Option<u32>,
    /// What the operator name refers to.
    pub operator: UsedOperator,
    /// The names of its outputs; empty for one that it does not give.
    pub outputs: List<'m, &'m str>,
    /// The types of the inputs and outputs. With a version: one entry for each type variable that has values here, in
    /// the order of the version. Otherwise one entry for all of them. A call has none: the nodes of the function's body
    /// have entries of their own.
    pub types: Vec<UsedTypes>,
}

/// What the operator name of a node refers to.
#[derive(Clone, Copy, Debug)]
pub enum UsedOperator {
    /// The operator version that the imports select.
    Version(&'static Schema),
    /// A function of the model.
    Function,
    /// No version: the domain is not imported, or its import has no version.
    NotImported,
    /// No version, for this reason.
    Missing(Missing),
}

/// The types of the inputs and outputs of a node that share a type variable.
#[derive(Clone, Debug)]
pub struct UsedTypes {
    /// The type variable's index in [`Schema::types`]; `None` where no version is known.
    pub variable: Option<usize>,
    /// The known types, sorted, each once. There are several if a variadic parameter allows them to differ, or if the
    /// model is wrong.
    pub known: Vec<Type>,
    /// Whether an input of the node is among them.
    pub of_input: bool,
    /// Whether there may be other types: a value has an unknown type, which does not follow from another value.
    pub open: bool,
}

impl<'m> Analysis<'m> {
    /// The operator version and the types of each node, in all graphs and in the bodies of functions.
    ///
    /// `model` is the analysed model, `registry` that of its [`Options`](crate::Options).
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_model::{ModelFile, Options, UsedOperator, analyse};
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.model(), &Options::of(&model))?;
    /// let usage = analysis.usage(model.model(), Registry::builtin());
    /// let shape = usage.iter().find(|node| node.op_type == "Shape").unwrap();
    /// let UsedOperator::Version(schema) = shape.operator else { unreachable!() };
    /// assert_eq!((schema.since_version, schema.types[0].name), (21, "T"));
    /// assert_eq!(shape.types[0].known[0].to_string(), "tensor(float)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn usage(&self, model: &'m Model, registry: &Registry) -> Vec<NodeUse<'m>> {
        self.usage_as(model, registry, &|_| None)
    }

    /// The same for a runtime that takes some versions for older ones, as `taken_as` says: a node has the older version, and
    /// its types, unless it has something that this one lacks.
    #[must_use]
    pub fn usage_as(
        &self,
        model: &'m Model,
        registry: &Registry,
        taken_as: &dyn Fn(&'static Schema) -> Option<u32>,
    ) -> Vec<NodeUse<'m>> {
        let usage = Usage { taken_as, ..Usage::of(self, model, registry) };
        let mut uses = Vec::new();
        for graph in graphs(&self.graphs, model) {
            uses.extend(graph.nodes.iter().enumerate().map(|(index, node)| usage.node(&graph, index, node)));
        }
        uses
    }
}

/// What a node has that tables are asked about, with what is known of the types of values, and declared of them.
pub(crate) fn given<'m>(
    node: Node<'m>,
    known: impl Fn(&'m str) -> Option<Type>,
    declared: impl Fn(&'m str) -> Option<Type>,
) -> Given<'m> {
    Given {
        attributes: node.attributes().iter().filter_map(Attribute::view).collect(),
        present: node.inputs().iter().map(|name| !name.is_empty()).collect(),
        types: node.inputs().iter().map(&known).collect(),
        outputs: node.outputs().iter().map(|name| !name.is_empty()).collect(),
        output_types: node.outputs().iter().map(|name| declared(name).or_else(|| known(name))).collect(),
    }
}

/// Finds the operator version and the types of a node.
pub(crate) struct Usage<'u, 'm> {
    registry: &'u Registry,
    pub(crate) scopes: Scopes<'u, 'm>,
    functions: Functions<'m>,
    taken_as: &'u dyn Fn(&'static Schema) -> Option<u32>,
}

impl<'u, 'm> Usage<'u, 'm> {
    pub(crate) fn of(analysis: &'u Analysis<'m>, model: &'m Model, registry: &'u Registry) -> Self {
        Self { registry, scopes: Scopes::of(analysis), functions: Functions::of(model), taken_as: &|_| None }
    }

    /// The use of a node of a graph.
    pub(crate) fn node(&self, of: &GraphAt<'_, 'm>, index: usize, node: Node<'m>) -> NodeUse<'m> {
        let (graph, imports) = (of.id, self.functions.imports(of.function));
        let (domain, op_type) = (canonical_domain(node.domain()), node.op_type());
        let opset = imports.get(domain);
        let operator = if self.functions.called(node).is_some() {
            UsedOperator::Function
        } else {
            match opset.map(|opset| self.registry.resolve_or_of_runtime(domain, op_type, opset)) {
                Some(Ok(schema)) => UsedOperator::Version(self.taken(graph, node, schema).unwrap_or(schema)),
                Some(Err(missing)) => UsedOperator::Missing(missing),
                None => UsedOperator::NotImported,
            }
        };
        let types = match operator {
            UsedOperator::Version(schema) => {
                (0..schema.types.len()).filter_map(|variable| self.variable(graph, node, schema, variable)).collect()
            }
            UsedOperator::Function => Vec::new(),
            UsedOperator::NotImported | UsedOperator::Missing(_) => {
                let mut types = self.all(graph, node.inputs().iter().chain(node.outputs()));
                types.iter_mut().for_each(|types| types.of_input = node.inputs().iter().any(|name| !name.is_empty()));
                types.into_iter().collect()
            }
        };
        NodeUse { graph, index, name: node.name(), domain, op_type, opset, operator, outputs: node.outputs(), types }
    }

    /// The older version that a version is taken for, if the node has nothing that it lacks.
    fn taken(&self, graph: usize, node: Node<'m>, schema: &'static Schema) -> Option<&'static Schema> {
        let since = (self.taken_as)(schema)?;
        let versions = self.registry.operator(schema.domain, schema.name).iter().copied();
        let older = versions.rev().find(|older| older.since_version == since)?;
        let known = |name| self.scopes.value(graph, name).and_then(|value| value.ty.as_ref().ok().copied());
        given(node, known, |_| None).problems(older).is_empty().then_some(older)
    }

    /// The types of the values of a type variable; `None` if it has no values.
    fn variable(&self, graph: usize, node: Node<'m>, schema: &'static Schema, variable: usize) -> Option<UsedTypes> {
        let of = |parameter: Option<&'static FormalParameter>| {
            parameter.filter(|parameter| parameter.ty == ParameterType::Variable(variable))
        };
        let inputs = node.inputs().iter().enumerate().map(|(index, name)| (name, of(schema.input(index))));
        let outputs = node.outputs().iter().enumerate().map(|(index, name)| (name, of(schema.output(index))));
        let of_input = inputs.clone().any(|(name, parameter)| !name.is_empty() && parameter.is_some());
        let values = inputs.chain(outputs).filter_map(|(name, parameter)| Some((name, parameter?)));
        let each_its_own = values.clone().any(|(_, parameter)| !parameter.homogeneous);
        let mut types = self.all(graph, values.map(|(name, _)| name))?;
        if let Some(constraint) = schema.types.get(variable).filter(|_| types.known.is_empty())
            && constraint.allow.len() == 1
        {
            types.known.extend(constraint.allow.iter());
            types.open = false;
        }
        types.open &= each_its_own || types.known.is_empty();
        (types.variable, types.of_input) = (Some(variable), of_input);
        Some(types)
    }

    fn all<'n>(&self, graph: usize, names: impl Iterator<Item = &'n str>) -> Option<UsedTypes> {
        let mut types = UsedTypes { variable: None, known: Vec::new(), of_input: false, open: false };
        let mut any = false;
        for name in names.filter(|name| !name.is_empty()) {
            any = true;
            match self.scopes.value(graph, name).map(|value| &value.ty) {
                Some(Ok(ty)) => types.known.push(*ty),
                Some(Err(_)) | None => types.open = true,
            }
        }
        types.known.sort_unstable();
        types.known.dedup();
        any.then_some(types)
    }
}
