//! Model files: reads `.onnx` files, and writes edited ones.
//!
//! The messages are declared by hand, field by field: a generated module would need `protoc` or a derive macro, and
//! offers neither of two essential properties. The bytes of an initializer are not copied (opening a 500 MB file only
//! reads its metadata), and a hostile file is refused before it takes much memory. A [`Model`] is read from a file in
//! one go into flat arrays; the messages of [`proto`] are what is decoded when it is asked for, and what is written.
//!
//! A model may store elements in other files of its folder; only [`External`] opens them.
//!
//! A file is never written from the decoded messages, since they drop unknown fields. The writer copies the original
//! bytes around each change.

mod cursor;
mod edit;
mod error;
mod external;
mod external_data;
mod identity;
mod model;
mod open;
mod packed;
mod plan;
mod preview;
pub mod proto;
mod regular;
mod relocate;
mod replace;
mod scan;
mod source;
mod store;
mod subgraph;
mod temporary;
mod tensor;
#[cfg(test)]
mod tests;
mod text;
mod wire;
mod write;

pub use bytes::Bytes;

pub use cursor::DecodeError;
pub use edit::{FunctionEdit, GraphEdit, ListEdit, ModelEdit, NodeEdit, TrainingEdit};
pub use error::ModelError;
pub use external::External;
pub use external_data::ExternalError;
pub use identity::FileId;
pub use model::{Attribute, Cycle, Function, Graph, Iter, List, Model, Name, Node, Training};
pub(crate) use model::{Undecoded, order};
pub use open::ModelFile;
pub(crate) use open::read_tensor;
pub use packed::{Packed, PackedIter};
pub use preview::EditedFile;
pub use regular::read;
pub use relocate::RelocateError;
pub use replace::{create, replace};
pub use subgraph::SubgraphPosition;
pub use temporary::discard_unfinished;
pub use tensor::TensorError;
pub use text::TextKind;
pub use wire::Message;
