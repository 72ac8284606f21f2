//! Attributes of nodes in functions that take their value from an attribute of the function.
//!
//! Their value is known at a call only, so such an attribute must mean the same in every version of the operator
//! between the two opsets.

use super::converter::{Converter, OpsetChange};
use crate::file::proto::AttributeProto;
use crate::finding::Finding;
use crate::graph::NodeAt;
use shape_core::Schema;
use shape_core::code::Code;
use shape_core::schema::Attribute;

impl<'m: 'a, 'a> Converter<'m, 'a> {
    /// Whether a node can be converted without the values of attributes that it has by reference. Reports those that
    /// prevent it.
    pub(super) fn keeps_references(&mut self, at: NodeAt<'a>, change: OpsetChange<'a>) -> bool {
        let mut references =
            at.node.attribute.iter().filter(|attribute| !attribute.ref_attr_name.is_empty()).peekable();
        let resolve = |opset| self.registry.resolve(change.domain, &at.node.op_type, opset).ok();
        let (Some(_), Some(from), Some(to)) = (references.peek(), resolve(change.from), resolve(change.to)) else {
            return true;
        };
        let (low, high) = (from.since_version.min(to.since_version), from.since_version.max(to.since_version));
        let versions = self.registry.operator(change.domain, &at.node.op_type);
        let between: Vec<&Schema> =
            versions.iter().copied().filter(|schema| (low..=high).contains(&schema.since_version)).collect();
        // An adapter may read any attribute.
        let is_plain = between.iter().skip(1).all(|schema| schema.adapter.is_none() && schema.semantics.is_none());
        let lost: Vec<&AttributeProto> =
            references.filter(|attribute| !is_plain || !self.is_kept(at, attribute, &between)).collect();
        for attribute in &lost {
            let AttributeProto { name, ref_attr_name, .. } = attribute;
            let message = format!(
                "the attribute `{name}` is the attribute `{ref_attr_name}` of the function, and {}-{} and {}-{} may \
                 read it differently",
                from.name, from.since_version, to.name, to.since_version
            );
            let found = Finding::new(Code::ConversionAttribute, self.path(at.graph), message).at(at);
            let found = found.expected("a value that is known before a call").found(format!("`{ref_attr_name}`"));
            self.findings.push(found.help("write the value into the node, or inline the function first"));
        }
        lost.is_empty()
    }

    /// Whether an attribute by reference means the same in several versions.
    fn is_kept(&self, at: NodeAt<'a>, attribute: &AttributeProto, versions: &[&Schema]) -> bool {
        let function = self.function_of(at.graph).and_then(|function| self.functions.get(function));
        // A call may leave out an attribute without a default; then the node does not have it.
        let is_set = function.is_some_and(|function| {
            function.attribute_proto.iter().any(|default| default.name == attribute.ref_attr_name)
        });
        let is_same = |one: &Attribute, other: &Attribute| {
            let limits = |of: &Attribute| (of.kind, of.values, of.min, of.max, of.legacy);
            let unset = |of: &Attribute| (of.required, of.default);
            limits(one) == limits(other) && (is_set || unset(one) == unset(other))
        };
        let mut declared = versions.iter().map(|schema| schema.attribute(&attribute.name));
        let first = declared.next().flatten();
        first.is_some_and(|first| declared.all(|other| other.is_some_and(|other| is_same(first, other))))
    }
}
