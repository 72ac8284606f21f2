//! Facts about the functions of a model, collected before its nodes are checked.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter;

use crate::file::{Attribute, Function, List, Model, Node};
use crate::functions::{Functions, name};
use crate::names::Names;
use crate::text::shortened;
use shape_core::node::AttributeKind;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_core::schema::{FormalParameter, ParameterOption};

/// Facts about the functions of a model, collected before its nodes are checked.
pub(super) struct Facts<'m> {
    pub(super) attributes: Vec<Attributes<'m>>,
    /// The opset that all functions should share, by domain, with the name of what imports it: the model, or else the
    /// first function that imports the domain.
    pub(super) common: HashMap<String, (u32, String)>,
    /// For each function the attributes that a call must set because the body requires them, in the function's order.
    pub(super) needed: Vec<Vec<&'m str>>,
    /// For each function the inputs that a call must connect, by index.
    pub(super) inputs: Vec<BTreeSet<usize>>,
}

/// The attributes of a function.
pub(super) struct Attributes<'m> {
    /// By name, with the kind if a default determines it.
    pub(super) kinds: Names<'m, Option<AttributeKind>>,
    /// Their names, as a list for messages.
    pub(super) names: Cow<'static, str>,
}

impl<'m> Attributes<'m> {
    fn of(function: Function<'m>) -> Self {
        const MAX_NAMES: usize = 16;
        let without = function.attributes().iter().map(|name| (name, None));
        let with = function.defaults().iter().map(|default| (default.name(), kind(default)));
        let all: Vec<_> = without.chain(with).collect();
        let some = all.iter().take(MAX_NAMES).map(|(name, _)| shortened(name)).collect::<Vec<_>>().join(", ");
        let names = match all.len() {
            0 => Cow::Borrowed("no attributes"),
            count if count > MAX_NAMES => format!("{some} and {} more", count - MAX_NAMES).into(),
            _ => some.into(),
        };
        Self { kinds: all.into_iter().collect(), names }
    }
}

/// The declared kind of an attribute.
pub(super) fn kind(attribute: Attribute<'_>) -> Option<AttributeKind> {
    attribute.kind_number().and_then(AttributeKind::from_number)
}

impl<'m> Facts<'m> {
    pub(super) fn of(model: &'m Model, functions: &Functions<'m>, registry: &Registry) -> Self {
        let mut facts = Self {
            attributes: model.functions().iter().map(Attributes::of).collect(),
            common: HashMap::new(),
            needed: Vec::new(),
            inputs: Vec::new(),
        };
        for index in iter::once(None).chain((0..model.functions().len()).map(Some)) {
            let function = index.and_then(|index| functions.get(index));
            let who = || function.map_or("the model".to_owned(), |function| format!("the function {}", name(function)));
            for (domain, opset) in functions.imports(index).iter() {
                if !facts.common.contains_key(domain) {
                    facts.common.insert(domain.to_owned(), (opset, who()));
                }
            }
        }
        for (index, (function, attributes)) in model.functions().iter().zip(&facts.attributes).enumerate() {
            let imports = functions.imports(Some(index));
            let indices: HashMap<&str, usize> =
                function.inputs().iter().enumerate().map(|(index, name)| (name, index)).collect();
            let schema = |node: Node<'_>| {
                let domain = canonical_domain(node.domain());
                let opset = imports.get(domain).filter(|_| functions.called(node).is_none())?;
                registry.resolve(domain, node.op_type(), opset).ok()
            };
            let mut needed = HashSet::new();
            each(function.nodes(), &mut |node| {
                let references = || node.attributes().iter().filter(|attribute| !attribute.reference().is_empty());
                let Some(schema) = references().next().and_then(|_| schema(node)) else { return };
                let required = |name: &str| schema.attribute(name).is_some_and(|attribute| attribute.required);
                needed.extend(references().filter(|of| required(of.name())).map(Attribute::reference));
            });
            let mut inputs = BTreeSet::new();
            // Nodes in subgraphs do not count, since they may run only if an input is present.
            for node in function.nodes() {
                let Some(schema) = schema(node) else { continue };
                let required = |index: usize| schema.input(index).is_some_and(is_required);
                let names = node.inputs().iter().enumerate().filter(|(index, _)| required(*index));
                inputs.extend(names.filter_map(|(_, name)| indices.get(name)));
            }
            // The others have a default, or do not exist, which is reported at the reference.
            let without = |name: &&str| attributes.kinds.get(name).is_some_and(Option::is_none);
            let in_order = function.attributes().iter();
            facts.needed.push(in_order.filter(without).filter(|name| needed.remove(name)).collect());
            facts.inputs.push(inputs);
        }
        facts
    }

    /// The attributes of a function, by its index in the model.
    pub(super) fn attributes(&self, function: usize) -> Option<&Attributes<'m>> {
        self.attributes.get(function)
    }
}

/// Whether a value must be connected to an input, or to each of a variadic one.
fn is_required(input: &FormalParameter) -> bool {
    match input.option {
        ParameterOption::Single => true,
        ParameterOption::Optional => false,
        ParameterOption::Variadic => input.homogeneous,
    }
}

/// Visits nodes and the nodes in their subgraphs.
pub(super) fn each<'m>(nodes: List<'m, Node<'m>>, visit: &mut dyn FnMut(Node<'m>)) {
    for node in nodes {
        visit(node);
        for attribute in node.attributes() {
            for graph in attribute.subgraphs() {
                each(graph.nodes(), visit);
            }
        }
    }
}
