//! What is known of a value of a model, as text and as JSON.

pub(crate) mod json;
pub(crate) mod text;
