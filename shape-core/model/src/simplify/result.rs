//! The result of a simplification: the changes, the sizes before and after, and how to write the model.

use super::sizes::Unfit;
use crate::file::{Attribute, EditedFile, Function, Graph, Model, ModelError, Node};
use crate::finding::{Finding, NodeRef};
use crate::options::OptionsError;

/// A simplified model.
#[derive(Debug)]
pub struct Simplification<'f> {
    /// The model, and how to write it.
    pub edited: EditedFile<'f>,
    /// What changed, in the order of the changes. The index of a node is that in the model of its round.
    pub changes: Vec<Change>,
    /// The size of the model before.
    pub before: Size,
    /// The size of the model after.
    pub after: Size,
    /// The number of functions that were removed.
    pub functions: usize,
    /// The number of opset imports that were removed.
    pub imports: usize,
    /// The number of removed initializers that nothing read in the original model.
    pub initializers: usize,
    /// Why nodes that are left are as they are, if the options ask for it.
    pub refusals: Vec<Refusal>,
}

/// A change of a node, or its removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The name of the pass.
    pub pass: &'static str,
    /// The path of the graph.
    pub graph: String,
    /// The node.
    pub node: NodeRef,
    /// The reason for the change: a fact about the node.
    pub what: String,
    /// Whether it is a consequence of the change before it: the node was removed, since nothing reads it any more.
    pub follows: bool,
}

/// Why a node is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The name of the pass that looked at it.
    pub pass: &'static str,
    /// The path of the graph.
    pub graph: String,
    /// The node.
    pub node: NodeRef,
    /// Why.
    pub why: String,
}

/// How large a model is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The number of nodes, in all graphs and functions.
    pub nodes: usize,
    /// The number of initializers, in all graphs.
    pub initializers: usize,
}

impl Size {
    /// The size of a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let mut size = Self::default();
        let mut open: Vec<Graph<'_>> = model.graph().into_iter().collect();
        let mut lists = Vec::from_iter(model.functions().iter().map(Function::nodes));
        loop {
            if let Some(graph) = open.pop() {
                size.initializers += graph.initializers().len() + graph.sparse_initializers().len();
                lists.push(graph.nodes());
            }
            let Some(nodes) = lists.pop() else { break };
            size.nodes += nodes.len();
            let attributes = nodes.iter().flat_map(Node::attributes);
            open.extend(attributes.flat_map(Attribute::subgraphs));
        }
        size
    }
}

/// Why a model cannot be simplified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotSimplified {
    /// The options do not fit the model.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The options set a symbol that is not a dimension of any input, so the simplified model could not declare the size it
    /// holds for.
    #[error("no input has the dimension `{0}`, so the simplified model could not declare its size")]
    NotOfAnInput(String),
    /// The model has errors that are not of declarations alone; contains all findings.
    #[error("the model has errors")]
    Refused(Vec<Finding>),
    /// The simplified model has errors that the original does not have, which is a fault of this program.
    #[error("the simplified model would have errors, so it was not written; please report this")]
    Broken(Vec<Finding>),
    /// The changes cannot be made to the file.
    #[error(transparent)]
    File(#[from] ModelError),
}

impl From<Unfit> for NotSimplified {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Options(error) => Self::Options(error),
            Unfit::NotOfAnInput(name) => Self::NotOfAnInput(name),
        }
    }
}
