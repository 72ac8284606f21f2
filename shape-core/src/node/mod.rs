//! The attributes of a node, as views of their storage.

mod attribute;
mod field;
mod held;
mod source;
mod strings;
mod tensor;

pub use attribute::{AttributeKind, AttributeValue, NodeAttribute};
#[doc(hidden)]
pub use field::Blank;
pub use field::Field;
pub use held::{
    DimsStorage, GraphView, GraphsView, SparseTensorView, SparseTensorsView, TensorsView, TypeProtoView, TypeProtosView,
};
pub use source::AttributeSource;
pub use strings::{StringStorage, StringsView};
pub use tensor::{TensorStorage, TensorView};
