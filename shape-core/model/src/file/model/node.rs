//! A node of a graph, as a view of its record.

use std::fmt;

use super::arrays::Model;
use super::attribute::Attribute;
use super::list::{Item, List};
use super::names::Name;
use super::record::{NodeRecord, Slice, decode_at};
use crate::file::proto::NodeProto;
use crate::file::store::Span;

/// One use of an operator.
#[derive(Clone, Copy)]
pub struct Node<'m> {
    pub(super) model: &'m Model,
    pub(super) record: &'m NodeRecord,
}

impl<'m> Item<'m> for Node<'m> {
    type Record = NodeRecord;

    fn view(model: &'m Model, record: &'m NodeRecord) -> Self {
        Self { model, record }
    }
}

impl<'m> Node<'m> {
    /// The model that the node is in.
    #[must_use]
    pub fn model(self) -> &'m Model {
        self.model
    }

    /// The names of the values that it reads; an empty name means that an optional input is left out.
    #[must_use]
    pub fn inputs(self) -> List<'m, &'m str> {
        let NodeRecord { values, inputs, .. } = *self.record;
        List::new(self.model, Slice::new(values, inputs).of(&self.model.value_names))
    }

    /// The names of the values that it computes; an empty name means that an optional output is left out.
    #[must_use]
    pub fn outputs(self) -> List<'m, &'m str> {
        let NodeRecord { values, inputs, outputs, .. } = *self.record;
        List::new(self.model, Slice::new(values.saturating_add(inputs), outputs).of(&self.model.value_names))
    }

    /// The node's name, which is optional.
    #[must_use]
    pub fn name(self) -> &'m str {
        let NodeRecord { name_start: start, name_len, .. } = *self.record;
        let name = self.model.store.bytes(Span { start, len: name_len as usize });
        // Only a file that somebody changes while it is open has another name than text; see `ModelFile::open`.
        std::str::from_utf8(name).unwrap_or_default()
    }

    /// The operator's name.
    #[must_use]
    pub fn op_type(self) -> &'m str {
        let [_, op_type, _] = self.operator_names();
        self.model.text(op_type)
    }

    /// The operator's domain as the file has it; empty means `ai.onnx`.
    #[must_use]
    pub fn domain(self) -> &'m str {
        let [domain, _, _] = self.operator_names();
        self.model.text(domain)
    }

    /// Selects one of several functions with the same name.
    #[must_use]
    pub fn overload(self) -> &'m str {
        let [_, _, overload] = self.operator_names();
        self.model.text(overload)
    }

    /// The domain, the name and the overload of the operator, as names.
    #[must_use]
    pub fn operator_names(self) -> [Name; 3] {
        self.model.operators.get(self.operator_index()).copied().unwrap_or_default()
    }

    /// The number of the operator, which is less than [`Model::operator_count`]: two nodes of one model have the same
    /// number where their operators have the same domain, name and overload.
    #[must_use]
    pub fn operator_index(self) -> usize {
        self.record.operator as usize
    }

    /// The attributes.
    #[must_use]
    pub fn attributes(self) -> List<'m, Attribute<'m>> {
        List::new(self.model, self.record.attributes.of(&self.model.attributes))
    }

    /// The first attribute with a name.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<Attribute<'m>> {
        self.attributes().iter().find(|attribute| attribute.name() == name)
    }

    /// The index of the function that the node is in, even if it is in a graph of a node there.
    #[must_use]
    pub fn function(self) -> Option<usize> {
        self.record.place.function()
    }

    /// Whether the message has metadata, or says how the node is distributed over devices.
    pub(crate) fn has_more(self) -> bool {
        self.record.place.has_more()
    }

    /// The message, decoded, with all fields that are known.
    #[must_use]
    pub fn proto(self) -> NodeProto {
        decode_at(&self.model.store, self.record.start)
    }
}

impl PartialEq for Node<'_> {
    /// Two nodes are equal where their messages are.
    fn eq(&self, other: &Self) -> bool {
        self.proto() == other.proto()
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.proto().fmt(f)
    }
}
