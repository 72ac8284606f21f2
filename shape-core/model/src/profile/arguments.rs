//! What a rule gives to its check.

use shape_core::code::Code;
use shape_core::types::TypeSet;

/// What a check is given; what it does not take is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arguments {
    /// An input or output.
    pub value: &'static str,
    /// Another one, to which the first is held.
    pub beside: &'static str,
    /// An attribute.
    pub attribute: &'static str,
    /// Types.
    pub types: TypeSet,
    /// Numbers.
    pub values: &'static [i64],
    /// A number.
    pub number: i64,
    /// How often at most.
    pub most: u32,
    /// Codes of findings.
    pub codes: &'static [Code],
}
