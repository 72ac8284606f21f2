//! Collects the attributes of a node from their source, and reads them.

use crate::check;
use crate::node::{AttributeSource, AttributeValue, NodeAttribute};
use crate::problem::Problem;
use crate::schema::Schema;

/// The maximum number of attributes of a version; a descriptor with more is a compile error.
pub(super) const MAX_ATTRIBUTES: usize = 64;

/// Gathers the attributes of a node, and reads them. What the version does not have, or twice, `read` refuses; this does
/// where there are more than any version has.
pub(super) fn gather<'a, T>(
    schema: &'static Schema,
    source: impl AttributeSource<'a>,
    read: impl FnOnce(&[NodeAttribute<'a>]) -> Result<T, Problem<'a>>,
) -> Result<T, Problem<'a>> {
    if let Some(name) = source.without_kind() {
        return Err(Problem::AttributeNoKind { name });
    }
    let (mut attributes, mut count) = ([NodeAttribute::new("", AttributeValue::Int(0)); MAX_ATTRIBUTES], 0);
    let is_read = |of: &NodeAttribute<'_>| !schema.other_attributes || schema.attribute(of.name).is_some();
    for attribute in source.attributes().filter(is_read) {
        match attributes.get_mut(count) {
            Some(slot) => (*slot, count) = (attribute, count + 1),
            None => {
                check::names(schema, &attributes)?;
                check::names(schema, &[attribute])?;
                return Err(Problem::AttributeDuplicate { name: attribute.name });
            }
        }
    }
    read(attributes.get(..count).unwrap_or_default())
}
