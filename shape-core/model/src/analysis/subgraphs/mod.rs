//! The subgraphs of nodes: their inputs, their outputs, and whether both fit the node.

pub(super) mod check;
pub(super) mod input;
mod rounds;
mod signature;
