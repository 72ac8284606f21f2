//! The parts of a schema that a node is checked against: attributes, formal inputs and outputs, and type variables.

mod attribute;
mod constraint;
mod parameter;

pub use attribute::{Attribute, Exclusive};
pub use constraint::TypeConstraint;
pub(crate) use parameter::at;
pub use parameter::{FormalParameter, ParameterOption, ParameterType, arity};
