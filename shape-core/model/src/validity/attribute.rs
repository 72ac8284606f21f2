//! Checks the fields of attributes: exactly one value, of the declared kind.

use super::checker::{Checker, Location};
use crate::file::Attribute;
use shape_core::code::Code;
use shape_core::node::AttributeKind;

impl Checker<'_, '_> {
    /// Checks an attribute of a node; `function` is the function that the node belongs to, by its index in the model.
    pub(super) fn attribute(&mut self, attribute: Attribute<'_>, function: Option<usize>, location: Location<'_>) {
        let name = attribute.name();
        let kind = attribute.kind_number().and_then(AttributeKind::from_number);
        // The usual case.
        let is_plain = kind.is_some() && kind == attribute.only_kind() && attribute.reference().is_empty();
        if !is_plain {
            self.form(attribute, kind, function, location);
        }
        for tensor in attribute.tensor().into_iter().chain(attribute.tensors()) {
            self.tensor(tensor, &format_args!("the attribute `{name}`"), location);
        }
        for sparse in attribute.sparse_tensor().into_iter().chain(attribute.sparse_tensors()) {
            self.sparse(sparse, &format_args!("the attribute `{name}`"), false, location);
        }
        for ty in attribute.type_proto().into_iter().chain(attribute.type_protos()) {
            self.types(ty, name, location);
        }
    }

    /// Checks the kind of an attribute, and that it has one value of that kind, or a reference.
    fn form(
        &mut self,
        attribute: Attribute<'_>,
        kind: Option<AttributeKind>,
        function: Option<usize>,
        location: Location<'_>,
    ) {
        let name = attribute.name();
        let set: Vec<AttributeKind> = attribute.set_kinds().collect();
        if kind.is_none() && !set.is_empty() && self.ir_version > 1 {
            let found = location.finding(Code::FieldMissing, format!("the attribute `{name}` has no kind"));
            let found = found.expected(list(&set)).found(match attribute.kind_number().unwrap_or(0) {
                0 => "nothing".to_owned(),
                number => format!("{number}, which is not a kind"),
            });
            self.push(found.help("set its `type`, which is required since IR version 2"));
        }
        if !attribute.reference().is_empty() {
            self.reference(attribute, kind, &set, function, location);
        } else if let Some(kind) = kind
            && set != [kind]
            && (!set.is_empty() || is_message(kind))
        {
            let found = location.finding(
                Code::AttributeFields,
                match *set {
                    [] => format!("the attribute `{name}` has the kind {kind}, but no value of that kind"),
                    [_] => format!("the attribute `{name}` has the kind {kind}, but a value of another kind"),
                    _ => format!("the attribute `{name}` has values of several kinds"),
                },
            );
            let found = found.expected(format!("only a value of the kind {kind}"));
            self.push(found.found(list(&set)).help("write the attribute again, with one value"));
        } else if kind.is_none() && set.len() > 1 {
            let found =
                location.finding(Code::AttributeFields, format!("the attribute `{name}` has values of several kinds"));
            self.push(found.expected("one").found(list(&set)).help("write the attribute again, with one value"));
        }
    }

    /// Checks an attribute that refers to an attribute of the function around it.
    fn reference(
        &mut self,
        attribute: Attribute<'_>,
        kind: Option<AttributeKind>,
        set: &[AttributeKind],
        function: Option<usize>,
        location: Location<'_>,
    ) {
        let (name, to) = (attribute.name(), attribute.reference());
        if !set.is_empty() {
            let message = format!("the attribute `{name}` has both a reference to `{to}` and a value");
            let found = location.finding(Code::AttributeFields, message).expected("no value").found(list(set));
            self.push(found.help("remove the value, or the reference"));
        }
        let wrong = |message: String| location.finding(Code::AttributeReference, message);
        let declared = function.and_then(|function| self.facts.attributes(function));
        let found = match declared.map(|declared| (declared, declared.kinds.get(to))) {
            None => {
                let found = wrong(format!("the attribute `{name}` refers to `{to}`, but is not in a function"));
                let help = "write the value; only nodes of a function can refer to its attributes";
                found.expected("a value").found("a reference").help(help)
            }
            Some((declared, None)) => {
                let found = wrong(format!("the attribute `{name}` refers to `{to}`, which the function does not have"));
                let help = "correct the reference, or add the attribute to the function";
                found.expected(&declared.names).found(to).help(help)
            }
            Some((_, Some(Some(default)))) if kind.is_some_and(|kind| kind != *default) => {
                let found = wrong(format!("the attribute `{name}` refers to `{to}`, which has another kind"));
                let found = found.expected(default).found(kind.map_or("", AttributeKind::name));
                found.help("correct the kind of one of the two")
            }
            Some((_, Some(_))) => return,
        };
        self.push(found);
    }
}

/// Whether the values of a kind are messages: an absent message cannot be read as zero.
fn is_message(kind: AttributeKind) -> bool {
    use AttributeKind::{Graph, SparseTensor, Tensor, TypeProto};
    matches!(kind, Tensor | Graph | SparseTensor | TypeProto)
}

fn list(kinds: &[AttributeKind]) -> String {
    match kinds {
        [] => "no value".to_owned(),
        kinds => kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" and "),
    }
}
