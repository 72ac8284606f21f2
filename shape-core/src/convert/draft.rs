//! A node between two versions.

use alloc::vec::Vec;

use super::node::Input;
use crate::node::NodeAttribute;
use crate::schema::Schema;

/// Two neighbouring versions of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The version that a node comes from.
    pub from: &'static Schema,
    /// The version that it goes to.
    pub to: &'static Schema,
}

/// A node between two versions: its inputs go by the names that the version it comes from gives them.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    /// The attributes.
    pub(super) attributes: Vec<NodeAttribute<'a>>,
    /// The inputs; a variadic one has its name several times.
    pub(super) inputs: Vec<(&'static str, Input<'a>)>,
}

impl<'a> Draft<'a> {
    /// Takes an attribute out.
    pub(super) fn take_attribute(&mut self, name: &str) -> Option<NodeAttribute<'a>> {
        let at = self.attributes.iter().position(|attribute| attribute.name == name)?;
        Some(self.attributes.remove(at))
    }

    /// Takes an input out.
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
