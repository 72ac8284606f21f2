//! The attribute or input of a version that a name in a rule refers to.

use super::constant::Constant;
use crate::operator::Version;

/// What a name in a rule refers to, with its index in the table of the version.
pub(super) enum Part<'d> {
    Attribute(Constant<'d>),
    Input(Constant<'d>),
}

impl<'d> Part<'d> {
    pub(super) fn of(version: &Version, name: &str) -> Option<Self> {
        let attribute = version.attributes.iter().position(|attribute| attribute.name == name);
        let input = || version.inputs.iter().position(|input| input.name == name);
        let attribute = attribute.map(|index| Self::Attribute(Constant::index(index)));
        attribute.or_else(|| input().map(|index| Self::Input(Constant::index(index))))
    }

    pub(super) fn index(self) -> Constant<'d> {
        let (Self::Attribute(index) | Self::Input(index)) = self;
        index
    }
}
