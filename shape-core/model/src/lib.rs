// Only rustdoc reads the page, so that an edit of it builds nothing anew.
#![cfg_attr(doc, doc = include_str!("../README.md"))]
#![cfg_attr(not(doc), doc = env!("CARGO_PKG_DESCRIPTION"))]
// Each item says which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::duplicate_mod, reason = "a test reads the declared messages by another library"))]

// The generated code names this crate in the same way as its users do.
extern crate self as shape_model;

mod analysis;
mod annotate;
mod check;
mod constant;
mod convert;
mod declaration;
pub mod file;
mod finding;
pub mod fix;
mod fold;
mod functions;
pub mod generate;
mod graph;
mod imports;
pub mod info;
mod names;
mod needs;
mod options;
pub mod profile;
mod releases;
mod simplify;
mod small_float;
mod strict;
mod suggestion;
mod summary;
pub mod test_case;
mod text;
mod trace;
mod typed;
mod usage;
mod validity;
mod value;

pub use analysis::{Analysis, Assumption, Scopes, analyse};
pub use annotate::{Annotations, annotate};
pub use check::check;
pub use convert::{Conversion, ConvertedIrVersion, ConvertedNode, ConvertedOpset, Target, convert};
pub use file::{Attribute, Cycle, Function, Graph, Model, ModelFile, Name, Node};
pub use finding::{Finding, Findings, NodeRef};
pub use fold::{Folding, NotFolded, fold};
pub use graph::{GraphInfo, GraphKind};
pub use needs::Need;
pub use options::{Options, OptionsError};
pub use releases::ReleasedNode;
pub use simplify::{
    Change, NotSimplified, PASSES, Pass, Refusal, Simplification, SimplifyOptions, Size, simplify, simplify_with,
};
pub use suggestion::{Safety, Suggestion};
pub use summary::{Summary, Unknown};
pub use trace::{Step, Trace};
pub use typed::{Elements, LatestNode, NodeError, NodeReader, Operand};
pub use usage::{NodeUse, UsedOperator, UsedTypes};
pub use value::{DeclaredSizes, Facts, Known, MAX_DIMS, MAX_ELEMENTS, Origin, Value};
