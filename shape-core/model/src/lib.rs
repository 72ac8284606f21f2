//! ONNX models: reading and writing their files, and saying what is wrong with them and what is known of their values.
//!
//! | module | subject |
//! |---|---|
//! | [`file`](mod@file) | a `.onnx` file: its messages, its bytes, the files that lie beside it, and edits that keep all other bytes |
//! | [`finding`] | what was found in a model |
//! | [`analysis`] | one pass over all graphs: checks, and inferred types, dimensions and elements |
//! | [`profile`] | whether a model stays inside of a profile such as SONNX |
//! | [`test_case`] | ONNX test-case folders |
//!
//! ```
//! use shape_model::analysis::{Options, analyse};
//! use shape_model::file::ModelFile;
//! let model = ModelFile::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx"))?;
//! let analysis = analyse(model.proto(), &Options::of(&model))?;
//! assert!(analysis.findings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The generated code names this crate as every user of it does.
extern crate self as shape_model;

pub mod analysis;
pub mod file;
pub mod finding;
pub mod profile;
pub mod test_case;
