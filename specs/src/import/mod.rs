//! Writes descriptors from the facts of a release of the onnx package.
//!
//! Versions that are described already are compared with the facts and never changed: sentences, rules, examples and
//! allowed values that people wrote stay, and a difference is reported. New versions are appended as deltas.

mod extend;
mod facts;
mod text;

pub use extend::{Refusal, Written, import};
pub use facts::{AttributeFacts, FACTS_VERSION, Facts, FactsError, Level, ParameterFacts, TypeFacts, VersionFacts};

pub use crate::document::UNSAID;
