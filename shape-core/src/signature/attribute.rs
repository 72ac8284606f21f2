//! The attributes that a version has.

use crate::node::{AttributeKind, AttributeValue};

/// An attribute of an operator version.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: AttributeKind,
    /// Whether a node must give it.
    pub required: bool,
    /// Its value where a node does not give it.
    pub default: Option<AttributeValue<'static>>,
    /// The values that it, or each element of a list, may take; empty where any will do.
    pub values: &'static [AttributeValue<'static>],
    /// The least value that it, or each element of a list, may have.
    pub min: Option<AttributeValue<'static>>,
    /// The greatest value that it, or each element of a list, may have.
    pub max: Option<AttributeValue<'static>>,
    /// Whether it is left from before ONNX settled: nodes may carry it, and it means nothing.
    pub legacy: bool,
    /// One sentence.
    pub doc: &'static str,
}

impl Attribute {
    /// An optional INT without a name, for tables to say only what is otherwise.
    #[doc(hidden)]
    pub const PLAIN: Self = Self {
        name: "",
        kind: AttributeKind::Int,
        required: false,
        default: None,
        values: &[],
        min: None,
        max: None,
        legacy: false,
        doc: "",
    };

    /// Whether a value, or each element of a list, is among those that the attribute may take and within its bounds. Of
    /// a value of another kind, nothing is said.
    #[must_use]
    pub fn allows(&self, value: AttributeValue<'_>) -> bool {
        match value {
            AttributeValue::Ints(list) => list.iter().all(|value| self.allows_one(AttributeValue::Int(*value))),
            AttributeValue::Floats(list) => list.iter().all(|value| self.allows_one(AttributeValue::Float(*value))),
            AttributeValue::Strings(list) => list.iter().all(|value| self.allows_one(AttributeValue::String(value))),
            value => self.allows_one(value),
        }
    }

    fn allows_one(&self, value: AttributeValue<'_>) -> bool {
        let in_order = |least, greatest| match (least, greatest) {
            (AttributeValue::Int(least), AttributeValue::Int(greatest)) => least <= greatest,
            (AttributeValue::Float(least), AttributeValue::Float(greatest)) => least <= greatest,
            _ => true,
        };
        (self.values.is_empty() || self.values.contains(&value))
            && self.min.is_none_or(|min| in_order(min, value))
            && self.max.is_none_or(|max| in_order(value, max))
    }
}

/// Attributes and inputs of which a node gives one at most. An attribute with a default is given where it has another
/// value.
#[derive(Clone, Copy, Debug)]
pub struct Exclusive {
    /// Their names.
    pub of: &'static [&'static str],
    /// Whether a node must give one of them.
    pub required: bool,
}
