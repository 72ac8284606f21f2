//! The model as a fix reads it, and the changes that the fix adds.

use super::compose::then;
use super::places::Places;
use super::result::Fix;
use crate::analysis::Analysis;
use crate::check::{checked, new_findings};
use crate::file::proto::{OperatorSetIdProto, ValueInfoProto};
use crate::file::{Function, Graph, GraphEdit, List, Model, ModelEdit, ModelFile, Node};
use crate::finding::{Finding, NodeRef};
use crate::functions::{Functions, path};
use crate::graph::{GraphAt, edit_within};
use crate::options::Options;
use crate::suggestion::Safety;
use shape_core::code::{Code, Severity};

/// A model that is to be repaired: the original, or what earlier fixes made of it.
pub(super) struct Context<'a, 'm> {
    pub(super) file: &'a ModelFile,
    pub(super) options: &'a Options,
    pub(super) model: &'m Model,
    /// The analysis of the model, with the findings of a check.
    pub(super) analysis: &'a Analysis<'m>,
    pub(super) graphs: &'a [GraphAt<'a, 'm>],
    pub(super) functions: &'a Functions<'m>,
    /// What earlier fixes did.
    pub(super) made: &'a ModelEdit,
    pub(super) places: &'a Places<'a>,
    pub(super) safety: Safety,
}

impl<'m> Context<'_, 'm> {
    /// Whether the model has a finding with a code.
    pub(super) fn has(&self, code: Code) -> bool {
        self.analysis.findings.iter().any(|found| found.code == code)
    }

    /// What imports opsets: the model (`None`), and each of its functions, by its index.
    pub(super) fn scopes(&self) -> impl Iterator<Item = Option<usize>> + use<> {
        std::iter::once(None).chain((0..self.model.functions().len()).map(Some))
    }

    /// The nodes of the model's graphs, or of those of a function.
    pub(super) fn nodes_of(&self, scope: Option<usize>) -> impl Iterator<Item = Node<'m>> {
        self.graphs.iter().filter(move |graph| graph.function == scope).flat_map(|graph| graph.nodes)
    }

    /// The path that findings have for the model (empty) or a function.
    pub(super) fn path_of_scope(&self, scope: Option<usize>) -> String {
        scope.and_then(|function| self.model.functions().get(function)).map(path).unwrap_or_default()
    }

    /// The function whose body a graph is.
    pub(super) fn function_of(&self, graph: GraphAt<'_, 'm>) -> Option<Function<'m>> {
        self.model.functions().get(graph.function.filter(|_| graph.proto.is_none())?)
    }

    /// The declared types of the values of a graph.
    pub(super) fn value_info(&self, graph: GraphAt<'_, 'm>) -> Option<List<'m, &'m ValueInfoProto>> {
        graph.proto.map(Graph::value_info).or(self.function_of(graph).map(Function::value_info))
    }

    /// The errors that the model has after a further edit and does not have now. `None` if the edit is not possible.
    pub(super) fn errors_after(&self, edit: &ModelEdit) -> Option<Vec<Finding>> {
        let model = self.file.preview(&then(self.made, edit)).ok()?;
        let after = checked(&model, self.options).ok()?.findings;
        let errors = after.into_iter().filter(|found| found.severity() == Severity::Error);
        Some(new_findings(&self.analysis.findings[..], errors))
    }

    /// A fix of the whole model or of a function, or of a graph.
    pub(super) fn fix(&self, code: Code, graph: Option<GraphAt<'_, '_>>, message: String) -> Fix {
        let graph = graph.map(|graph| self.places.path(graph.id).to_owned()).unwrap_or_default();
        let (node, subject) = (None, String::new());
        Fix { code, safety: self.safety, graph, node, message, before: None, after: None, subject }
    }

    /// A node as it was in the original model.
    pub(super) fn node(&self, graph: GraphAt<'_, '_>, index: usize) -> Option<NodeRef> {
        let node = graph.nodes.get(index)?;
        let domain = shape_core::opset::canonical_domain(node.domain());
        Some(NodeRef::new(self.places.node(graph.id, index), node.name(), node.op_type(), domain))
    }
}

impl Fix {
    pub(super) fn at(self, node: Option<NodeRef>) -> Self {
        Self { node, ..self }
    }

    /// Sets the name that the findings which this fix answers have in their messages.
    pub(super) fn of(self, subject: &str) -> Self {
        Self { subject: subject.to_owned(), ..self }
    }

    pub(super) fn from(self, before: impl Into<String>) -> Self {
        Self { before: Some(before.into()), ..self }
    }

    pub(super) fn to(self, after: impl Into<String>) -> Self {
        Self { after: Some(after.into()), ..self }
    }
}

/// The changes that fixes make to the model of a context.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) edit: ModelEdit,
    pub(super) fixes: Vec<Fix>,
}

impl Changes {
    /// The imports that the model, or a function, gets.
    pub(super) fn imports(&mut self, scope: Option<usize>) -> &mut Vec<OperatorSetIdProto> {
        match scope {
            None => &mut self.edit.opset_import,
            Some(function) => &mut self.edit.functions.entry(function).or_default().opset_import,
        }
    }

    /// The edit of a graph.
    pub(super) fn graph(&mut self, context: &Context<'_, '_>, graph: usize) -> Option<&mut GraphEdit> {
        edit_within(&mut self.edit.graph, &mut self.edit.functions, context.graphs, graph)
    }
}
