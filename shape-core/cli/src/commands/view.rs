//! `shape view`: a page that shows a model.

mod compare;
mod graphs;
mod node;
mod question;
mod session;

pub use session::Session;
