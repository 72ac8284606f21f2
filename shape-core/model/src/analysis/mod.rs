//! Analyses a whole model: what is wrong with it, and what is known about each of its values.
//!
//! [`analyse`] walks the graphs once, in the order of their nodes, checks each node against the operator version that
//! the model imports, and infers its outputs. Checking and inference share one walk because each needs the other: the
//! type of an input is inferred before it is checked, and a node with errors has unknown outputs.
//!
//! **Architecture Invariant.** The analyzer knows no operator. The semantics of an operator are in its rules, which the
//! registry provides.

mod analyzer;
mod assume;
mod assumed;
mod assumptions;
mod bindings;
mod call;
mod claim;
mod claims;
mod declared;
mod fresh;
mod graph;
mod inferred;
mod initial;
mod memory;
mod merge;
mod model;
mod node;
mod operator;
mod problem;
mod repeats;
mod result;
mod scopes;
mod shared;
mod subgraphs;
mod unknown_operator;

pub use assumptions::Assumption;
pub(crate) use claims::Verdict;
pub use model::analyse;
pub use result::Analysis;
pub use scopes::Scopes;
