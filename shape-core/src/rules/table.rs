//! The table of the rules: a constant for each, and the list of them all.

use super::parameters;
use crate::rule::Rule;

shape_macros::tables!(rules);

/// The rule with a name in `specs/rules.yaml`.
///
/// ```
/// use shape_core::rules;
/// assert_eq!(rules::by_name("reduce").unwrap().name(), "reduce");
/// assert!(rules::by_name("reduces").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<Rule> {
    ALL.iter().find(|rule| rule.name() == name).copied()
}
