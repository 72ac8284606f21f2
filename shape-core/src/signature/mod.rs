//! The parts of a schema that a node is checked against: attributes, formal inputs and outputs, type
//! variables, and relations among them.

mod attribute;
mod constraint;
mod expression;
mod packed;
mod parameter;
mod requirement;

pub(crate) use attribute::counted;
pub use attribute::{Attribute, Exclusive};
pub use constraint::TypeConstraint;
pub use expression::Expression;
pub use packed::{SWITCH, attributes, parameters, tensors, words};
pub(crate) use parameter::at;
pub use parameter::{FormalParameter, ParameterOption, ParameterType, arity};
pub(crate) use requirement::MAX_SHOWN;
pub use requirement::{Claim, Comparison, Operand, OperandValue, Part, Requirement};
