//! A node by itself.

use std::collections::HashSet;

use super::checker::{Checker, Place};
use crate::file::proto::NodeProto;
use crate::graph::{Graph, NodeAt};
use shape_core::code::Code;
use shape_core::opset::canonical_domain;

impl<'m> Checker<'m, '_> {
    pub(super) fn node(&mut self, graph: Graph<'_, 'm>, at: NodeAt<'m>) {
        let place = Place { graph: graph.path, at: Some(at) };
        let NodeProto { input, output, overload, attribute, metadata_props, device_configurations, .. } = at.node;
        if input.is_empty() && output.is_empty() {
            let found = place.finding(Code::NodeUnconnected, "the node has no inputs and no outputs");
            self.push(found.expected("at least one").found("none").help("remove the node, which gives nothing"));
        }
        if !overload.is_empty() {
            self.needs(10, "the overload of a function", place);
        }
        self.metadata(metadata_props, "the node", place);
        for attribute in attribute {
            self.attribute(attribute, graph.function, place);
        }
        for configuration in device_configurations {
            self.devices(configuration, place);
        }
        if attribute.len() > 1 {
            self.attribute_names(graph, place, at.node);
        }
        if !self.model.functions.is_empty() {
            self.call(graph, place, at.node);
        }
    }

    /// Attributes that share a name, of a node that the walk has no schema for.
    fn attribute_names(&mut self, graph: Graph<'_, 'm>, place: Place<'_>, node: &NodeProto) {
        let mut seen = HashSet::new();
        let twice: Vec<&str> =
            node.attribute.iter().map(|attribute| &*attribute.name).filter(|name| !seen.insert(*name)).collect();
        let domain = canonical_domain(&node.domain);
        let schema = |opset| self.options.registry.resolve(domain, &node.op_type, opset).ok();
        let has_schema = || self.functions.imports(graph.function).get(domain).and_then(schema).is_some();
        if twice.is_empty() || (self.functions.called(node).is_none() && has_schema()) {
            return;
        }
        for name in twice {
            let found = place.finding(Code::AttributeDuplicate, format!("the attribute `{name}` is given twice"));
            self.push(found.expected("one").found("two").help("keep one of the two"));
        }
    }
}
