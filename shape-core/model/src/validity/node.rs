//! Checks a single node.

use std::collections::HashSet;

use super::checker::{Checker, Location};
use crate::file::proto::NodeProto;
use crate::graph::{Graph, NodeAt};
use shape_core::code::Code;
use shape_core::opset::canonical_domain;

impl<'m> Checker<'m, '_> {
    pub(super) fn node(&mut self, graph: Graph<'_, 'm>, at: NodeAt<'m>) {
        let location = Location { graph: graph.path, at: Some(at) };
        let NodeProto { input, output, overload, attribute, metadata_props, device_configurations, .. } = at.node;
        if input.is_empty() && output.is_empty() {
            let found = location.finding(Code::NodeUnconnected, "the node has no inputs and no outputs");
            self.push(found.expected("at least one").found("none").help("remove the node, which computes nothing"));
        }
        if !overload.is_empty() {
            self.needs(10, "the overload of a function", location);
        }
        self.metadata(metadata_props, "the node", location);
        for attribute in attribute {
            self.attribute(attribute, graph.function, location);
        }
        let names = input.iter().chain(output).filter(|_| !device_configurations.is_empty());
        let names: HashSet<&str> = names.map(String::as_str).collect();
        for configuration in device_configurations {
            self.devices(configuration, &names, location);
        }
        if attribute.len() > 1 {
            self.attribute_names(graph, location, at.node);
        }
        if !self.model.functions.is_empty() {
            self.call(graph, location, at.node);
        }
    }

    /// Reports attributes with the same name, on a node that the analysis has no schema for.
    fn attribute_names(&mut self, graph: Graph<'_, 'm>, location: Location<'_>, node: &NodeProto) {
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
            let found = location.finding(Code::AttributeDuplicate, format!("the attribute `{name}` appears twice"));
            self.push(found.expected("one").found("two").help("keep one of the two"));
        }
    }
}
