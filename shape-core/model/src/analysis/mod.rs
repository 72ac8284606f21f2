//! A model as a whole: what is wrong with it, and what is known of each of its values.
//!
//! [`analyse`] goes once through the graphs in the order of their nodes, checks each node against the operator version
//! that the model imports, and infers its outputs. Checking and inferring are one walk, because each needs the other: a
//! type is checked where it arrives, and a node that is refused gives nothing.
//!
//! **Architecture Invariant.** The analyzer knows no operator. What an operator means is in its rule, which the registry
//! hands out.

mod analyzer;
mod call;
mod graph;
mod inferred;
mod initial;
mod merge;
mod model;
mod node;
mod operator;
mod problem;
mod result;
mod scopes;
mod subgraphs;
mod unknown_operator;

pub use model::analyse;
pub(crate) use problem::deprecated;
pub use result::Analysis;
pub use scopes::Scopes;
