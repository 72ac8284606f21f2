//! Attributes of nodes in functions that take their value from an attribute of the function.
//!
//! Their value is known at a call only, so such an attribute must mean the same in every version of the operator
//! between the two opsets.

use super::converter::{Converter, OpsetChange};
use crate::file::Attribute;
use crate::finding::Finding;
use crate::graph::NodeAt;
use shape_core::Schema;
use shape_core::code::Code;
use shape_core::schema;

impl<'m: 'a, 'a> Converter<'m, 'a> {
    /// Whether a node can be converted without the values of the attributes that refer to attributes of its function.
    /// Reports those that prevent it.
    pub(super) fn keeps_references(&mut self, at: NodeAt<'a>, change: OpsetChange<'a>) -> bool {
        let mut references =
            at.node.attributes().iter().filter(|attribute| !attribute.reference().is_empty()).peekable();
        let OpsetChange { domain, from, to } = change;
        let op_type = at.node.op_type();
        let since = |opset| self.registry.resolve(domain, op_type, opset).map(|schema| schema.since_version);
        let (Some(_), Ok(old)) = (references.peek(), since(from)) else { return true };
        let versions = self.registry.operator(domain, op_type);
        let is_plain = match since(to) {
            Ok(new) if new == old => return true,
            // An adapter may read any attribute.
            Ok(new) => {
                let (low, high) = (old.min(new), old.max(new));
                let steps = versions.iter().filter(|schema| (low + 1..=high).contains(&schema.since_version));
                let between = versions.iter().filter(|schema| (low..=high).contains(&schema.since_version));
                let is_kept = |attribute: &Attribute<'_>| self.is_kept(at, *attribute, between.clone().copied());
                steps.clone().all(|schema| schema.adapter.is_none() && schema.semantics.is_none())
                    && references.clone().all(|attribute| is_kept(&attribute))
            }
            Err(_) => false,
        };
        if is_plain {
            return true;
        }
        for attribute in references {
            let (name, ref_attr_name) = (attribute.name(), attribute.reference());
            let message = format!(
                "the attribute `{name}` is the attribute `{ref_attr_name}` of the function, and {op_type} may read it \
                 differently at opset {to}"
            );
            let found = Finding::new(Code::ConversionAttribute, self.path(at.graph), message).at(at);
            let found = found.expected("a value that is known before a call").found(format!("`{ref_attr_name}`"));
            self.findings.push(found.help("write the value into the node, or inline the function first"));
        }
        false
    }

    /// Whether an attribute by reference means the same in several versions.
    fn is_kept(
        &self,
        at: NodeAt<'a>,
        attribute: Attribute<'_>,
        versions: impl Iterator<Item = &'static Schema>,
    ) -> bool {
        let function = self.function_of(at.graph).and_then(|function| self.functions.get(function));
        // A call may leave out an attribute without a default; then the node does not have it.
        let is_set = function
            .is_some_and(|function| function.defaults().iter().any(|default| default.name() == attribute.reference()));
        let is_same = |one: &schema::Attribute, other: &schema::Attribute| {
            let limits = |of: &schema::Attribute| (of.kind, of.values, of.min, of.max, of.legacy);
            let unset = |of: &schema::Attribute| (of.required, of.default);
            limits(one) == limits(other) && (is_set || unset(one) == unset(other))
        };
        let mut declared = versions.map(|schema| schema.attribute(attribute.name()));
        let first = declared.next().flatten();
        first.is_some_and(|first| declared.all(|other| other.is_some_and(|other| is_same(first, other))))
    }
}
