//! The attributes of a version.

use crate::node::{AttributeKind, AttributeValue};

/// An attribute of an operator version.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: AttributeKind,
    /// Whether a node must have it.
    pub required: bool,
    /// Its value if a node does not have it.
    pub default: Option<AttributeValue<'static>>,
    /// The allowed values of it, or of each element of a list; empty if any value is allowed.
    pub values: &'static [AttributeValue<'static>],
    /// The minimum of it, or of each element of a list.
    pub min: Option<AttributeValue<'static>>,
    /// The maximum of it, or of each element of a list.
    pub max: Option<AttributeValue<'static>>,
    /// Whether it is a leftover of early ONNX: nodes may have it, and it has no effect.
    pub legacy: bool,
    /// One sentence.
    pub doc: &'static str,
}

impl Attribute {
    /// An optional INT without a name; tables list only what differs from it.
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

    /// Whether a value, or each element of a list, is among the allowed values and within the bounds. The kind of the value is
    /// not checked.
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
        let in_order = |low, high| match (low, high) {
            (AttributeValue::Int(low), AttributeValue::Int(high)) => low <= high,
            (AttributeValue::Float(low), AttributeValue::Float(high)) => low <= high,
            _ => true,
        };
        (self.values.is_empty() || self.values.contains(&value))
            && self.min.is_none_or(|min| in_order(min, value))
            && self.max.is_none_or(|max| in_order(value, max))
    }
}

/// Attributes and inputs of which a node may have at most one. An attribute at its default counts as absent.
#[derive(Clone, Copy, Debug)]
pub struct Exclusive {
    /// Their names.
    pub of: &'static [&'static str],
    /// Whether a node must have one of them.
    pub required: bool,
}

/// The attribute at an index in lists that count on.
pub(crate) fn counted(lists: [&'static [Attribute]; 2], index: usize) -> Option<&'static Attribute> {
    lists.into_iter().flatten().nth(index)
}
