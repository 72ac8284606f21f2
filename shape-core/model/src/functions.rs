//! The functions of a model: which one a node calls, and the imports of each.

use std::collections::HashMap;

use crate::file::proto::OperatorSetIdProto;
use crate::file::{Function, List, Model, Node};
use crate::imports::Imports;
use crate::names::RandomState;
use crate::text::shortened;
use shape_core::opset::canonical_domain;

/// With how many lists of imports that of a function is compared.
const MAX_COMPARED: usize = 8;

/// Identifies a function: its domain, name and overload.
type Key<'m> = (&'m str, &'m str, &'m str);

/// The functions of a model, by their indices in it.
pub(crate) struct Functions<'m> {
    list: List<'m, Function<'m>>,
    /// The first function with each key.
    indices: HashMap<Key<'m>, usize, RandomState>,
    imports: Vec<Imports>,
    of_model: Imports,
    /// The number of nodes in the file, without those in subgraphs.
    nodes: usize,
}

impl<'m> Functions<'m> {
    /// Errors in the imports are reported when the analysis reaches them.
    pub(crate) fn of(model: &'m Model) -> Self {
        // Functions mostly import the same opsets, and then have the same imports.
        let mut distinct: Vec<(&[OperatorSetIdProto], Imports)> = Vec::new();
        let mut read = |list: &'m [OperatorSetIdProto]| {
            let known = distinct.iter().rev().take(MAX_COMPARED).find(|(other, _)| *other == list);
            if let Some((_, imports)) = known {
                return imports.clone();
            }
            let imports = Imports::read(list, model.ir_version().unwrap_or(0));
            distinct.push((list, imports.clone()));
            imports
        };
        let of_model = read(model.opset_import());
        let mut indices = HashMap::with_capacity_and_hasher(model.functions().len(), RandomState::default());
        for (index, function) in model.functions().iter().enumerate() {
            indices.entry(key(function)).or_insert(index);
        }
        Self {
            list: model.functions(),
            indices,
            imports: model.functions().iter().map(|function| read(function.opset_import())).collect(),
            of_model,
            nodes: model.graph().iter().map(|graph| graph.nodes().len()).sum::<usize>()
                + model.functions().iter().map(|function| function.nodes().len()).sum::<usize>(),
        }
    }

    /// The number of nodes in the file, without those in subgraphs.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    pub(crate) fn get(&self, index: usize) -> Option<Function<'m>> {
        self.list.get(index)
    }

    /// The function that a node calls, if it calls one.
    pub(crate) fn called(&self, node: Node<'_>) -> Option<usize> {
        if self.list.is_empty() {
            return None;
        }
        self.indices.get(&(canonical_domain(node.domain()), node.op_type(), node.overload())).copied()
    }

    /// Whether a function is the first with its domain, name and overload.
    pub(crate) fn is_first(&self, index: usize) -> bool {
        self.list.get(index).and_then(|function| self.indices.get(&key(function))) == Some(&index)
    }

    /// The imports of a function, or of the model.
    pub(crate) fn imports(&self, function: Option<usize>) -> &Imports {
        function.and_then(|function| self.imports.get(function)).unwrap_or(&self.of_model)
    }
}

fn key(function: Function<'_>) -> Key<'_> {
    (canonical_domain(function.domain()), function.name(), function.overload())
}

/// The name of a function in messages, shortened where it is too long to read.
pub(crate) fn name(function: Function<'_>) -> String {
    of_parts("", function)
}

/// The path of the body of a function in findings.
pub(crate) fn path(function: Function<'_>) -> String {
    of_parts("function ", function)
}

/// Each walk of a body needs such a text, so it is put together without the cost of `format!`.
fn of_parts(before: &str, function: Function<'_>) -> String {
    let (domain, name) = (shortened(canonical_domain(function.domain())), shortened(function.name()));
    [before, &*domain, "::", &*name].concat()
}
