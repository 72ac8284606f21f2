//! Everything that is wrong with a model: what an analysis finds, and what no value depends on.

use crate::analysis::{Analysis, analyse};
use crate::file::proto::ModelProto;
use crate::finding::Finding;
use crate::options::{Options, OptionsError};
use crate::validity;

/// Looks at a whole file: everything that is wrong with it.
///
/// That is what [`analyse`] finds where it checks nodes and infers values, and beside that what no value depends on: the
/// elements of every tensor, those in other files included; the fields of attributes; functions and their calls; the IR
/// version against the opsets; names that stand twice, and names of nothing in what stands beside the graph.
///
/// # Errors
/// As [`analyse`].
///
/// ```
/// use shape_model::{ModelFile, Options, check};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// assert_eq!(check(model.proto(), &Options::of(&model))?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(model: &ModelProto, options: &Options) -> Result<Vec<Finding>, OptionsError> {
    Ok(checked(model, options)?.findings)
}

/// What is known of a model, with the findings that [`check`] gives.
pub(crate) fn checked<'m>(model: &'m ModelProto, options: &Options) -> Result<Analysis<'m>, OptionsError> {
    let mut analysis = analyse(model, options)?;
    let of_validity = validity::check(model, &analysis.graphs, options);
    analysis.findings.retain(|found| !validity::is_of_elements(found.code));
    analysis.findings.extend(of_validity);
    Ok(analysis)
}
