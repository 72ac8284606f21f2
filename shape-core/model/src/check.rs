//! Checks a model completely: what an analysis finds, and the checks that need no inferred values.

use std::collections::HashMap;

use crate::analysis::{Analysis, analyse};
use crate::file::Model;
use crate::finding::Finding;
use crate::options::{Options, OptionsError};
use crate::validity;
use shape_core::code::Code;

/// Checks a whole file and returns everything that is wrong with it.
///
/// Beyond the findings of [`analyse`], which checks nodes and infers values, it checks the elements of every tensor
/// (those in other files included), the fields of attributes, functions and their calls, the IR version against the
/// opsets, duplicate names, and references to undefined names in quantization, training and device information.
///
/// # Errors
/// The same as for [`analyse`].
///
/// ```
/// use shape_model::{ModelFile, Options, check};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// assert_eq!(check(model.model(), &Options::of(&model))?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(model: &Model, options: &Options) -> Result<Vec<Finding>, OptionsError> {
    Ok(checked(model, options)?.findings.into())
}

/// The analysis of a model, with the findings of [`check`].
pub(crate) fn checked<'m>(model: &'m Model, options: &Options) -> Result<Analysis<'m>, OptionsError> {
    let mut analysis = analyse(model, options)?;
    let of_validity = validity::check(model, &analysis.graphs, options);
    let of_analysis = std::mem::take(&mut analysis.findings);
    analysis.findings.append(of_analysis, |found| !validity::is_of_elements(found.code));
    analysis.findings.append(of_validity, |_| true);
    Ok(analysis)
}

/// The findings that a model has after an edit and did not have before, compared by code and message.
pub(crate) fn new_findings<'f>(
    before: impl IntoIterator<Item = &'f Finding>,
    after: impl IntoIterator<Item = Finding>,
) -> Vec<Finding> {
    let mut known: HashMap<(Code, String), usize> = HashMap::new();
    for found in before {
        *known.entry((found.code, found.message.clone())).or_default() += 1 + found.more;
    }
    let is_new = |found: &Finding| match known.get_mut(&(found.code, found.message.clone())) {
        Some(left) if *left > found.more => {
            *left -= 1 + found.more;
            false
        }
        _ => true,
    };
    after.into_iter().filter(is_new).collect()
}
