//! What was repaired, and what is left.

use std::collections::HashMap;

use crate::file::ModelEdit;
use crate::finding::{Finding, NodeRef};
use crate::suggestion::Safety;
use shape_core::code::Code;

/// A fix that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The code of the findings that it answers.
    pub code: Code,
    /// Whether a person must look at it.
    pub safety: Safety,
    /// The graph, as in [`Finding::graph`]; empty for the model as a whole.
    pub graph: String,
    /// The node, if the fix is of one. Its index is the one before the fix.
    pub node: Option<NodeRef>,
    /// What it does, in one sentence.
    pub message: String,
    /// What stood there before; `None` if nothing did.
    pub before: Option<String>,
    /// What stands there now; `None` if it was removed.
    pub after: Option<String>,
    /// The name that the findings which it answers have in their messages.
    pub(super) subject: String,
}

/// The result of [`fix`](super::fix).
#[derive(Clone, Debug, Default)]
pub struct Fixing {
    /// What was repaired, in the order of the fixes.
    pub fixes: Vec<Fix>,
    /// What to write, with [`ModelFile::rewrite`](crate::ModelFile::rewrite). Nothing changes where `fixes` is empty.
    pub edit: ModelEdit,
    /// What [`check`](fn@crate::check) finds in the model that is written. One that unsafe fixes would remove, if they were
    /// allowed, [says so](Finding::fix).
    pub findings: Vec<Finding>,
    /// The original path of each graph whose path in `findings` is another.
    pub(super) paths: HashMap<String, String>,
}

impl Fixing {
    /// The path in the original model of a graph, by its path in findings about the repaired model.
    pub(super) fn original<'p>(&'p self, path: &'p str) -> &'p str {
        self.paths.get(path).map_or(path, |original| original)
    }
}
