//! The arguments that a rule passes to its check.

use shape_core::code::Code;
use shape_core::types::TypeSet;

/// The arguments of a check; those that it does not use are empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arguments {
    /// An input or output.
    pub value: &'static str,
    /// Another input or output, with which the first is compared.
    pub beside: &'static str,
    /// An attribute.
    pub attribute: &'static str,
    /// Types.
    pub types: TypeSet,
    /// Numbers.
    pub values: &'static [i64],
    /// A number.
    pub number: i64,
    /// The maximum count.
    pub most: u32,
    /// Codes of findings.
    pub codes: &'static [Code],
}
