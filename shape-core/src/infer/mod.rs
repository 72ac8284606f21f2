//! Infers what is known of the outputs of a node before it runs: types, dimensions and elements.

mod run;
mod sizes;
mod types;

pub(crate) use run::run;
pub use types::TypeQuery;
