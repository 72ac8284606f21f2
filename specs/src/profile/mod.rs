//! Profiles: restrictions of ONNX, such as SONNX, defined in `profiles/NAME`.
//!
//! `profile.yaml` contains the rules for whole models and for every node. A file that is named after an operator
//! contains the rules for its nodes, and `errata.yaml` lists contradictions in the documents. A rule consists of a
//! text, a check of `checks.yaml` with arguments, and its evidence: documents, goals of the formal specification,
//! examples, tests.
//! `checks.yaml` with arguments, and what it rests on: documents, goals of the formal specification, examples, tests.

mod builtin;
mod document;
mod read;
mod rule;

pub use builtin::{Files, PROFILES, builtin, described};
#[cfg(test)]
pub(crate) use document::{ErrataFile, OverlayFile, ProfileFile};
pub use read::read;
pub use rule::{Check, Erratum, Overlay, Profile, ProfileRule, Proof, Variant};
