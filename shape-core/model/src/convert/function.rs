//! Converts the bodies of functions.

use super::{Converter, DOMAIN};
use crate::file::proto::{FunctionProto, GraphProto, NodeProto};
use crate::finding::Finding;
use crate::graph::NodeAt;
use crate::imports::Imports;
use shape_core::code::Code;
use shape_core::opset::canonical_domain;

impl<'m: 'a, 'a> Converter<'m, 'a> {
    /// Checks a function: its body keeps its own opset imports, and must mean the same with the new opset.
    pub(super) fn function(&mut self, function: &'a FunctionProto) {
        let path = format!("function {}::{}", canonical_domain(&function.domain), function.name);
        let imports = Imports::read(&function.opset_import, self.ir_version);
        if let Some(from) = imports.get(DOMAIN) {
            self.function_nodes(&function.node, from, &path);
        }
    }

    fn function_nodes(&mut self, nodes: &'a [NodeProto], from: u32, path: &str) {
        for (index, node) in nodes.iter().enumerate() {
            let graphs =
                node.attribute.iter().flat_map(|attribute| attribute.g.as_deref().into_iter().chain(&attribute.graphs));
            for graph in graphs {
                let graph: &'a GraphProto = graph;
                self.function_nodes(&graph.node, from, path);
            }
            let is_call = self.functions.contains(&(&*node.op_type, &*node.overload));
            if canonical_domain(&node.domain) != DOMAIN || is_call {
                continue;
            }
            let since = |opset| self.resolve(&node.op_type, opset).map(|schema| schema.since_version).ok();
            let (old, new) = (since(from), since(self.opset));
            if old.is_none() || old != new {
                let message = format!("{} may mean something else at opset {}", node.op_type, self.opset);
                let found = Finding::new(Code::ConversionUnknown, path, message).at(NodeAt { graph: 0, index, node });
                let found = found.help("functions are not converted: inline the function first");
                self.findings.push(found.found(format!("opset {from}, which the function imports")));
            }
        }
    }
}
