//! Folds constants: replaces computed values that are known by constants.
//!
//! Values that the analysis knows as numbers need not be computed when the model runs. A node whose outputs are all
//! known is removed, and each of its outputs that is still read becomes a constant. Nodes and initializers that are
//! unread as a result are removed too; a node that was unread before is kept.

use crate::analysis::Analysis;
use crate::file::{ModelEdit, ModelFile};
use crate::finding::Finding;
use crate::options::{Options, OptionsError};
use crate::simplify::{Unfit, analyse_with_sizes, fold_constants, prevents};

/// The result of folding the constants of a model.
#[derive(Clone, Debug)]
pub struct Folding<'m> {
    /// The analysis of the original model.
    pub analysis: Analysis<'m>,
    /// The values that became constants, by their indices in [`Analysis::values`].
    pub constants: Vec<u32>,
    /// The number of removed nodes, including those replaced by constants.
    pub nodes: usize,
    /// The number of removed initializers.
    pub initializers: usize,
    /// What to write, with [`ModelFile::rewrite`].
    pub edit: ModelEdit,
}

/// Why a model cannot be folded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotFolded {
    /// The options do not fit the model.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The options set a symbol that is not a dimension of any input, so the folded model could not declare the size it
    /// holds for.
    #[error("no input has the dimension `{0}`, so the folded model could not declare its size")]
    NotOfAnInput(String),
    /// The model has errors that are not of declarations alone; contains all findings.
    #[error("the model has errors")]
    Refused(Vec<Finding>),
}

impl From<Unfit> for NotFolded {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Options(error) => Self::Options(error),
            Unfit::NotOfAnInput(name) => Self::NotOfAnInput(name),
        }
    }
}

/// Folds constants: replaces the computed values of a model that are known as numbers by constants.
///
/// Sizes in the options make more values known. The folded model is valid for these sizes only, and its inputs and
/// outputs declare them.
///
/// A constant is an initializer; in a subgraph, before IR 4 (where an initializer is an input too) and for an output of
/// the graph, it is a node. A value that such a node cannot hold is not folded: before opset 9 it holds floating-point
/// numbers only.
///
/// # Errors
/// The options do not fit the model, a symbol in them is not a dimension of any input, or the model has errors. An error
/// of a declaration alone does not count, since the declaration is not what is computed; it stays in the folded model.
///
/// ```
/// use shape_model::{ModelFile, Options, fold};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let options = Options { inputs: vec![("x".into(), vec![2, 10, 64])], ..Options::of(&file) };
/// let folding = fold(&file, &options)?;
/// let mut names = folding.constants.iter().map(|value| folding.analysis.values[*value as usize].name);
/// assert!(names.any(|name| name == "/attn/Concat_output_0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fold<'m>(file: &'m ModelFile, options: &Options) -> Result<Folding<'m>, NotFolded> {
    let model = file.model();
    // A constant is one in a run that fails too.
    let options = Options { assume: false, declared: false, ..options.clone() };
    let analysis = analyse_with_sizes(model, &options)?;
    if analysis.findings.iter().any(prevents) {
        return Err(NotFolded::Refused(analysis.findings.into()));
    }
    let folded = fold_constants(model, &analysis, &options);
    let (constants, nodes, initializers, edit) = (folded.constants, folded.nodes, folded.initializers, folded.edit);
    Ok(Folding { constants, nodes, initializers, edit, analysis })
}
