//! Patterns for paths of models.

use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};

/// A pattern with the folder that it is relative to.
///
/// One without a slash is for a name, in whatever folder: `*.int8.onnx`. Of others, `*` is within a name, and `**` stands
/// for any folders.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    base: PathBuf,
    pattern: Pattern,
    is_name: bool,
}

/// `*` stays within a name.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

impl Glob {
    /// Reads a pattern relative to a folder; fails with what is wrong.
    pub(super) fn parse(text: &str, base: &Path) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the pattern is empty".to_owned());
        }
        let written = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
        let pattern = Pattern::new(written)
            .map_err(|error| format!("`{text}` is no pattern: {} at character {}", error.msg, error.pos + 1))?;
        Ok(Self { base: base.to_owned(), pattern, is_name: !text.trim_end_matches('/').contains('/') })
    }

    /// Whether it is for this file.
    pub(super) fn is_for(&self, path: &Path) -> bool {
        if self.is_name {
            return path.file_name().is_some_and(|name| self.pattern.matches_with(&name.to_string_lossy(), OPTIONS));
        }
        let relative = path.strip_prefix(&self.base).unwrap_or(path);
        let parts = relative.components().filter(|part| !matches!(part, Component::CurDir));
        let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
        self.pattern.matches_with(&parts.join("/").replacen("//", "/", 1), OPTIONS)
    }

    /// Whether it is for this file or for a folder above it, up to the folder of the pattern.
    pub(super) fn is_for_or_above(&self, path: &Path) -> bool {
        path.ancestors().take_while(|above| *above != self.base).any(|above| self.is_for(above))
    }
}
