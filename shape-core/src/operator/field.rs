//! The fields of a version's struct: from an attribute and back.

use crate::node::{AttributeValue, Field, NodeAttribute};
use crate::problem::Problem;
use crate::schema::Attribute;

/// The value of an attribute that may be absent and has no default.
///
/// # Errors
/// It is of another kind, outside of the allowed values, not UTF-8 although the field is text, or not available.
pub fn optional<'a, T: Field<'a>>(
    attribute: &'static Attribute,
    given: &[NodeAttribute<'a>],
) -> Result<Option<T>, Problem<'a>> {
    let Some(found) = given.iter().find(|given| given.name == attribute.name) else { return Ok(None) };
    crate::check::value(attribute, found)?;
    T::from_value(found.value).map(Some).ok_or(match found.value {
        AttributeValue::Other(kind) => Problem::AttributeNoValue { name: found.name, kind },
        value => Problem::AttributeValue { attribute, found: value },
    })
}

/// The value of an attribute that is required or has a default.
///
/// # Errors
/// It is missing, of another kind, outside of the allowed values, not UTF-8 although the field is text, or not available.
pub fn required<'a, T: Field<'a>>(
    attribute: &'static Attribute,
    given: &[NodeAttribute<'a>],
) -> Result<T, Problem<'a>> {
    optional(attribute, given)?
        .or_else(|| attribute.default.and_then(T::from_value))
        .ok_or(Problem::AttributeMissing { attribute })
}

/// Calls `each` with a field as an attribute, if it has a value.
pub fn for_each<'s, 'a, T: Field<'a> + 's>(
    attribute: &'static Attribute,
    field: impl IntoIterator<Item = &'s T>,
    each: &mut dyn FnMut(NodeAttribute<'s>),
) {
    for value in field {
        each(NodeAttribute::new(attribute.name, value.to_value()));
    }
}
