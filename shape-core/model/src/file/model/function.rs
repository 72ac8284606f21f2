//! A function of a model, as a view of its record.

use std::fmt;

use super::arrays::Model;
use super::attribute::Attribute;
use super::list::{Item, List};
use super::node::Node;
use super::record::{FunctionRecord, decode};
use crate::file::proto::{FunctionProto, OperatorSetIdProto, StringStringEntryProto, ValueInfoProto};

/// An operator that is defined by other operators.
#[derive(Clone, Copy)]
pub struct Function<'m> {
    model: &'m Model,
    record: &'m FunctionRecord,
}

impl Model {
    /// The functions that nodes of the model call.
    #[must_use]
    pub fn functions(&self) -> List<'_, Function<'_>> {
        List::new(self, &self.functions)
    }
}

impl<'m> Item<'m> for Function<'m> {
    type Record = FunctionRecord;

    fn view(model: &'m Model, record: &'m FunctionRecord) -> Self {
        Self { model, record }
    }
}

impl<'m> Function<'m> {
    /// The operator's name.
    #[must_use]
    pub fn name(self) -> &'m str {
        self.model.text(self.record.name)
    }

    /// The operator's domain as the file has it; empty means `ai.onnx`.
    #[must_use]
    pub fn domain(self) -> &'m str {
        self.model.text(self.record.domain)
    }

    /// Distinguishes functions with the same domain and name.
    #[must_use]
    pub fn overload(self) -> &'m str {
        self.model.text(self.record.overload)
    }

    /// Names of the inputs.
    #[must_use]
    pub fn inputs(self) -> List<'m, &'m str> {
        List::new(self.model, self.record.inputs.of(&self.model.value_names))
    }

    /// Names of the outputs.
    #[must_use]
    pub fn outputs(self) -> List<'m, &'m str> {
        List::new(self.model, self.record.outputs.of(&self.model.value_names))
    }

    /// Names of the attributes that have no default.
    #[must_use]
    pub fn attributes(self) -> List<'m, &'m str> {
        List::new(self.model, self.record.attributes.of(&self.model.value_names))
    }

    /// Attributes with their defaults.
    #[must_use]
    pub fn defaults(self) -> List<'m, Attribute<'m>> {
        List::new(self.model, self.record.defaults.of(&self.model.attributes))
    }

    /// The body.
    #[must_use]
    pub fn nodes(self) -> List<'m, Node<'m>> {
        List::new(self.model, self.record.nodes.of(&self.model.nodes))
    }

    /// Types of the body's values.
    #[must_use]
    pub fn value_info(self) -> List<'m, &'m ValueInfoProto> {
        List::new(self.model, self.record.value_info.of(&self.model.infos))
    }

    /// The operator sets that the body uses.
    #[must_use]
    pub fn opset_import(self) -> &'m [OperatorSetIdProto] {
        self.record.opset_import.of(&self.model.opset_imports)
    }

    /// The pairs that tools attached to the function.
    #[must_use]
    pub fn metadata_props(self) -> Vec<StringStringEntryProto> {
        let is_other = |tag| tag != FunctionProto::metadata_props;
        self.model.fields::<FunctionProto>(self.record.span, is_other).metadata_props
    }

    /// The message, decoded, with all fields that are known.
    #[must_use]
    pub fn proto(self) -> FunctionProto {
        decode(&self.model.store, self.record.span)
    }
}

impl fmt::Debug for Function<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.proto().fmt(f)
    }
}
