//! Writes descriptors from the facts of a release of the onnx package or of onnxruntime.
//!
//! Existing versions are compared with the facts but never changed: documentation, rules, examples and allowed values
//! that people wrote are kept, and differences are reported. New versions are appended as deltas.

mod extend;
mod facts;
mod text;

pub use extend::{Added, Comparison, Refusal, Written, compare, import};
pub use facts::{AttributeFacts, FACTS_VERSION, Facts, FactsError, Level, ParameterFacts, TypeFacts, VersionFacts};

pub use shape_specs::document::UNSAID;
