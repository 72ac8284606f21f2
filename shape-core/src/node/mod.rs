//! The attributes that a node gives, as views of whatever keeps them.

mod attribute;
mod field;
mod held;
mod strings;
mod tensor;

pub use attribute::{AttributeKind, AttributeValue, NodeAttribute};
#[doc(hidden)]
pub use field::Blank;
pub use field::Field;
pub use held::{
    GraphView, GraphsView, SparseTensorView, SparseTensorsView, TensorsView, TypeProtoView, TypeProtosView,
};
pub use strings::{StringStorage, StringsView};
pub use tensor::{TensorStorage, TensorView};
