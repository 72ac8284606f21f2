//! Profiles: restrictions on models beyond ONNX, and checks whether a model conforms.
//!
//! A [`Profile`] is a table of rules, generated from `specs/profiles`. Each rule names a [`Check`], which is a function
//! in this module, and its arguments. [`check`] applies all rules to a model: each passes, fails, or is undetermined,
//! with the reason.
//!
//! ```
//! use shape_model::{ModelFile, Options};
//! use shape_model::profile::{SONNX, Verdict, check};
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
//! let model = ModelFile::open(path)?;
//! let report = check(model.model(), &Options::of(&model), &SONNX, &[])?;
//! let version = report.judgements.iter().find(|judgement| judgement.rule.id == "SONNX-SHAPE-030").unwrap();
//! assert_eq!(version.verdict, Verdict::Fail);
//! assert_eq!(&*version.reason, "Shape-21 is in force; the profile allows Shape-25");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod declared;
mod model;
mod node;
mod outcome;
mod overlay;
mod report;
mod subject;
mod table;
mod target;

pub use arguments::Arguments;
pub use outcome::Verdict;
pub use overlay::{Overlay, Variant};
pub use report::{Judgement, ProfileReport, check};
pub use table::{Check, Document, Profile, ProfileOption, ProfileRule, Proof, Reference, When};

/// The profile of the working group for safety-related systems.
pub static SONNX: Profile = shape_macros::profile!("sonnx");

/// The built-in profiles.
pub static PROFILES: [&Profile; 1] = [&SONNX];
