//! The settings for codes that come from one place, the file or the command line; both are combined in `settings`.

use std::path::Path;

use shape_core::code::Code;

use super::glob::Glob;
use super::level::Level;
use super::selector::Selector;

/// The settings of one source.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The codes that are reported; `None` for all.
    pub(super) select: Option<Vec<Selector>>,
    /// The codes that are not reported.
    pub(super) ignore: Vec<Selector>,
    /// The severities of findings.
    pub(super) severity: Vec<(Selector, Level)>,
    /// The codes that are not reported of some models.
    pub(super) per_file_ignores: Vec<(Glob, Vec<Selector>)>,
    /// The models in folders that are left out.
    pub(super) exclude: Vec<Glob>,
}

impl Layer {
    /// Whether a code is reported; `None` if the layer says nothing of it. What is selected and ignored by selectors
    /// that say as much about it is ignored.
    pub(super) fn selects(&self, code: Code) -> Option<bool> {
        let selected = self.select.as_deref().and_then(|select| rank(select, code));
        let ignored = rank(&self.ignore, code);
        match (selected, ignored) {
            (None, None) => self.select.is_some().then_some(false),
            (selected, ignored) => Some(selected > ignored),
        }
    }

    /// The severity that the layer sets for a code, or that it is not reported.
    pub(super) fn level(&self, code: Code) -> Option<Level> {
        let ranked = self.severity.iter().filter_map(|(selector, level)| Some((selector.rank(code)?, *level)));
        ranked.max_by_key(|(rank, _)| *rank).map(|(_, level)| level)
    }

    /// Whether a code is not reported of a model in particular.
    pub(super) fn ignores_in(&self, code: Code, model: &Path) -> bool {
        let of_model = self.per_file_ignores.iter().filter(|(_, codes)| rank(codes, code).is_some());
        of_model.into_iter().any(|(glob, _)| glob.is_for(model))
    }

    /// Whether a model in a folder is left out.
    pub(super) fn excludes(&self, model: &Path) -> bool {
        self.exclude.iter().any(|glob| glob.is_for_or_above(model))
    }
}

fn rank(selectors: &[Selector], code: Code) -> Option<usize> {
    selectors.iter().filter_map(|selector| selector.rank(code)).max()
}
