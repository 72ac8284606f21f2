//! A model in memory: flat arrays of small records over the bytes of its file.
//!
//! Nothing is copied out of the file but its names, each of them once. A record says what a part has by numbers: the
//! inputs of a node are names ([`Name`]), its operator is one of the operators of the model, its attributes are a range of
//! the array of attributes. Tensors, declared types, names of nodes and whatever else is large or rarely read is a range
//! of bytes, decoded when it is asked for. All bytes were checked when the model was read, so that decoding cannot fail
//! later.
//!
//! [`Graph`], [`Node`], [`Attribute`] and [`Function`] are views of the records. They are small and `Copy`. What a view
//! does not show is in the message that its `proto` decodes.

mod arrays;
mod attribute;
mod content;
mod function;
mod graph;
mod list;
mod names;
mod node;
mod parts;
mod quick;
mod read;
mod record;
mod sort;
mod training;
mod undecoded;

pub use arrays::Model;
pub use attribute::Attribute;
pub use function::Function;
pub use graph::Graph;
pub(super) use list::Item;
pub use list::{Iter, List};
pub use names::Name;
pub use node::Node;
pub(super) use read::read;
pub use sort::Cycle;
pub(crate) use sort::order;
pub use training::Training;
pub(crate) use undecoded::Undecoded;
