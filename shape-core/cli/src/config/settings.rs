//! The combined settings of the command line and a file.

use std::path::{Path, PathBuf};

use shape_core::code::{Code, Severity};

use super::args::ConfigArgs;
use super::file::{Deny, File};
use super::layer::Layer;

/// The settings for the models of one folder.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The highest first.
    pub(super) layers: Vec<Layer>,
    /// What is an error besides findings that are errors.
    pub(crate) deny: Vec<Deny>,
    /// The file of known findings.
    pub(crate) baseline: Option<PathBuf>,
    /// The file that these settings are from.
    pub(crate) path: Option<PathBuf>,
}

impl Settings {
    pub(super) fn new(args: &ConfigArgs, file: Option<(PathBuf, File)>) -> Self {
        let (mut layers, mut deny, mut baseline) = (vec![args.layer()], args.deny.clone(), args.baseline.clone());
        let mut path = None;
        if let Some((at, file)) = file {
            layers.push(file.layer);
            deny.extend(file.deny);
            baseline = baseline.or(file.baseline);
            path = Some(at);
        }
        Self { layers, deny, baseline, path }
    }

    /// The severity of a finding with a code in a model; `None` if it is not reported. The model is its
    /// [full](super::full()) path.
    pub(crate) fn severity(&self, code: Code, model: &Path) -> Option<Severity> {
        let ignored_here = self.layers.iter().any(|layer| layer.ignores_in(code, model));
        let selected = self.layers.iter().find_map(|layer| layer.selects(code)).unwrap_or(true);
        if ignored_here || !selected {
            return None;
        }
        match self.layers.iter().find_map(|layer| layer.level(code)) {
            Some(level) => level.severity(),
            None => Some(code.severity()),
        }
    }

    /// Whether a model that was found in a folder is left out.
    pub(crate) fn excludes(&self, model: &Path) -> bool {
        self.layers.iter().any(|layer| layer.excludes(model))
    }
}
