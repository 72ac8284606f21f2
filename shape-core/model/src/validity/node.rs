//! Checks a single node.

use std::collections::HashSet;

use super::checker::{Checker, Location};
use crate::file::proto::NodeProto;
use crate::file::{Attribute, Node};
use crate::graph::{GraphAt, NodeAt};
use shape_core::code::Code;
use shape_core::opset::canonical_domain;

impl<'m> Checker<'m, '_> {
    pub(super) fn node(&mut self, graph: GraphAt<'_, 'm>, at: NodeAt<'m>) {
        let location = Location { graph: graph.path, at: Some(at) };
        let node = at.node;
        if node.inputs().is_empty() && node.outputs().is_empty() {
            let found = location.finding(Code::NodeUnconnected, "the node has no inputs and no outputs");
            self.push(found.expected("at least one").found("none").help("remove the node, which computes nothing"));
        }
        if !node.overload().is_empty() {
            self.needs(10, "the overload of a function", location);
        }
        if node.has_more() {
            let NodeProto { input, output, metadata_props, device_configurations, .. } = node.proto();
            self.metadata(&metadata_props, &"the node", location);
            let names: HashSet<&str> = input.iter().chain(&output).map(String::as_str).collect();
            for configuration in &device_configurations {
                self.devices(configuration, &names, location);
            }
        }
        for attribute in node.attributes() {
            self.attribute(attribute, graph.function, location);
        }
        if node.attributes().len() > 1 {
            self.attribute_names(graph, location, at.node);
        }
        if !self.model.functions().is_empty() {
            self.call(graph, location, at.node);
        }
    }

    /// Reports attributes with the same name, on a node that the analysis has no schema for.
    fn attribute_names(&mut self, graph: GraphAt<'_, 'm>, location: Location<'_>, node: Node<'_>) {
        let mut seen = HashSet::new();
        let twice: Vec<&str> =
            node.attributes().iter().map(Attribute::name).filter(|name| !seen.insert(*name)).collect();
        let domain = canonical_domain(node.domain());
        let schema = |opset| self.options.registry.resolve(domain, node.op_type(), opset).ok();
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
