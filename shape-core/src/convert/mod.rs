//! Converts a node from one opset to another.
//!
//! [`convert`] steps from version to version, up or down. At each step the actions of the newer version's
//! [adapter](crate::adapter), which the descriptor lists, change the node or put other nodes in its place. Then the
//! tables of the two versions are compared: an attribute, input or output that the next version has is kept, one that
//! it does not have is dropped if nothing is lost, and everything else is a [`Refusal`].
//!
//! Parameters are matched by name: a new name is a new parameter, unless an action renames it.

mod adapter;
mod agree;
mod constant;
mod conversion;
mod draft;
mod formula;
mod incompatibility;
mod latest;
mod node;
mod rewrite;
mod step;

pub use constant::{Constant, Numbers};
pub use conversion::convert;
pub use draft::{Operators, Step};
pub use incompatibility::Refusal;
#[doc(hidden)]
pub use latest::lifted;
pub use latest::{Latest, Lifted};
pub use node::{Attribute, Converted, Input, Known, Node, Output, Value};
