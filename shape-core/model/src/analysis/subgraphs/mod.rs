//! Graphs inside of nodes: what they get from their node, what they give to it, and whether the two fit.

pub(super) mod check;
pub(super) mod input;
mod rounds;
mod signature;
