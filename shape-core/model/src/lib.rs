//! ONNX models: reading and writing their files, and saying what is wrong with them and what is known of their values.
//!
//! | to | call |
//! |---|---|
//! | open a `.onnx` file, and write it back with all other bytes as they were | [`ModelFile`] |
//! | infer the type, the dimensions and the elements of each value | [`analyse`] |
//! | find everything that is wrong with a model | [`check`](fn@check) |
//! | write what was inferred into the model | [`annotate`](fn@annotate) |
//! | replace what a model computes and is known by constants | [`fold`](fn@fold) |
//! | convert a model to another opset | [`convert`](fn@convert) |
//! | judge a model by a profile such as SONNX | [`profile`] |
//! | run an ONNX test-case folder | [`test_case`](mod@test_case) |
//!
//! ```
//! use shape_model::{ModelFile, Options, analyse};
//! let model = ModelFile::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx"))?;
//! let analysis = analyse(model.proto(), &Options::of(&model))?;
//! assert!(analysis.findings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The generated code names this crate as every user of it does.
extern crate self as shape_model;

mod analysis;
mod annotate;
mod check;
mod convert;
mod declaration;
pub mod file;
mod finding;
mod fold;
mod functions;
mod graph;
mod imports;
mod names;
mod options;
pub mod profile;
mod strict;
pub mod test_case;
mod text;
mod trace;
mod usage;
mod validity;
mod value;

pub use analysis::{Analysis, Scopes, analyse};
pub use annotate::annotate;
pub use check::check;
pub use convert::{Conversion, ConvertedNode, convert};
pub use file::ModelFile;
pub use finding::{Finding, NodeRef};
pub use fold::{Folding, NotFolded, fold};
pub use graph::{GraphInfo, GraphKind};
pub use options::{Options, OptionsError};
pub use trace::{Step, Trace};
pub use usage::{NodeUse, UsedOperator, UsedTypes};
pub use value::{Known, MAX_DIMS, MAX_ELEMENTS, Origin, Value};
