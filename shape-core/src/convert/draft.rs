//! A node between two versions.

use alloc::vec::Vec;

use super::node::Input;
use crate::node::NodeAttribute;
use crate::schema::Schema;

/// Two neighbouring versions of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The version before the step.
    pub from: &'static Schema,
    /// The version after the step.
    pub to: &'static Schema,
}

/// A node between two versions. Its inputs have their names in the version before the step.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    /// The attributes.
    pub(super) attributes: Vec<NodeAttribute<'a>>,
    /// The inputs by name; the values of a variadic input share its name.
    pub(super) inputs: Vec<(&'static str, Input<'a>)>,
}

impl<'a> Draft<'a> {
    /// Removes and returns an attribute.
    pub(super) fn take_attribute(&mut self, name: &str) -> Option<NodeAttribute<'a>> {
        let at = self.attributes.iter().position(|attribute| attribute.name == name)?;
        Some(self.attributes.remove(at))
    }

    /// Removes and returns an input.
    pub(super) fn take_input(&mut self, name: &str) -> Option<Input<'a>> {
        let at = self.inputs.iter().position(|(formal, _)| *formal == name)?;
        Some(self.inputs.remove(at).1)
    }
}

impl Step {
    /// Whether the step goes to the newer version.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.from.since_version < self.to.since_version
    }

    /// The newer of the two versions, which says what it changed.
    #[must_use]
    pub fn newer(&self) -> &'static Schema {
        if self.is_up() { self.to } else { self.from }
    }
}
