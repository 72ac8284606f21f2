//! Profiles: the part of ONNX that somebody allows, such as SONNX, described in `profiles/NAME`.
//!
//! `profile.yaml` has the rules of whole models and of every node. A file that is named after an operator has the rules
//! of its nodes, and `errata.yaml` lists what the documents behind them contradict. A rule is a text, a check of
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
