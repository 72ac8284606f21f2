//! Model files: reading a `.onnx` file, and writing it back with a few changes.
//!
//! The messages are declared here by hand, field by field, because a generated module would need `protoc` or a derive
//! macro, and because two things matter that neither gives: the bytes of an initializer stay where they lie (a 500 MB
//! file is opened by reading its metadata), and a hostile file is refused before it costs memory.
//!
//! A model may keep elements in further files of its folder; [`External`] alone opens them.
//!
//! A file is never written from the decoded messages, since these forget fields that they do not know. The writer
//! copies the old bytes around what it changes.

mod attribute;
mod budget;
mod edit;
mod error;
mod external;
mod external_data;
mod open;
mod packed;
mod plan;
pub mod proto;
mod replace;
mod scan;
mod source;
mod subgraph;
mod tensor;
#[cfg(test)]
mod tests;
mod text;
mod wire;
mod write;

pub use bytes::Bytes;
pub use prost::{DecodeError, Message};

pub use edit::{GraphEdit, ListEdit, ModelEdit, NodeEdit};
pub use error::ModelError;
pub use external::External;
pub use external_data::ExternalError;
pub use open::ModelFile;
pub(crate) use open::read_tensor;
pub use packed::{Packed, PackedIter};
pub use replace::{create, replace};
pub use subgraph::SubgraphPosition;
pub use tensor::TensorError;
pub use text::TextKind;
