//! Selects the models that a run checks: those of the command line and of a list, or one part of them.

use std::path::{Component, Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::input::{is_stream, text_or_stdin};
use crate::models::{self, Named, Unread};

/// The options that say which models.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// Model files, patterns such as `models/*.onnx`, or folders with models: of a folder, every `*.onnx` at any depth,
    /// sorted by path; `-` is standard input
    ///
    /// Of a folder, only regular files are read. If one model cannot be read, the others are still checked.
    #[arg(required_unless_present = "files_from", value_name = "MODEL")]
    models: Vec<PathBuf>,

    /// Also check the models of a list: a path on each line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,

    /// The paths of the list end with a NUL character, as `find -print0` writes them
    #[arg(long, requires = "files_from")]
    null: bool,

    /// Check one part of the models, such as the second of eight: 2/8
    ///
    /// Which part a model is in depends on its path alone, as it is given or found: by its SHA-256 digest. So all parts
    /// together have each model once, and a model stays in its part when others come.
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
}

/// One part of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// From 1.
    part: u64,
    of: u64,
}

impl Shard {
    fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((part, of)) if 1 <= part && part <= of => Ok(Self { part, of }),
            _ => Err("it is written as K/N, with K from 1 to N: 2/8 is the second part of eight".to_owned()),
        }
    }

    /// Whether a model is in this part.
    pub(super) fn has(self, model: &Path) -> bool {
        let text = |part: Component<'_>| match part {
            Component::CurDir => None,
            // The slash behind it is that of the root.
            Component::RootDir => Some(String::new()),
            part => Some(part.as_os_str().to_string_lossy().into_owned()),
        };
        let parts: Vec<String> = model.components().filter_map(text).collect();
        let digest = Sha256::digest(parts.join("/").as_bytes());
        let number = digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        number % self.of == self.part - 1
    }
}

impl SourceArgs {
    /// The models in their order, those of the list last; what is in folders and not a file is added to `skipped`.
    pub(super) fn named(&self, skipped: &mut Vec<PathBuf>) -> Result<Vec<Result<Named, Unread>>, String> {
        let listed = self.listed()?;
        let mut named = models::named(&self.models, skipped);
        named.extend(models::listed(listed, skipped));
        Ok(named)
    }

    /// The models and folders of the list.
    fn listed(&self) -> Result<Vec<PathBuf>, String> {
        let mut paths = Vec::new();
        if let Some(list) = &self.files_from {
            if is_stream(list) && self.reads_model_from_stdin() {
                return Err("standard input cannot be a model and a list of models".to_owned());
            }
            let bytes = text_or_stdin(list)?;
            let end = if self.null { b'\0' } else { b'\n' };
            for line in bytes.split(|byte| *byte == end) {
                let line = if self.null { line } else { line.strip_suffix(b"\r").unwrap_or(line) };
                if !line.is_empty() {
                    paths.push(path(line).ok_or_else(|| format!("{} is not UTF-8", list.display()))?);
                }
            }
        }
        Ok(paths)
    }

    /// Whether a model is in the part that is checked.
    pub(super) fn has(&self, model: &Path) -> bool {
        self.shard.is_none_or(|shard| shard.has(model))
    }

    /// The list, if it is a file.
    pub(super) fn list(&self) -> Option<&Path> {
        self.files_from.as_deref().filter(|list| !is_stream(list))
    }

    /// Whether something comes from standard input, which can be read once.
    pub(super) fn reads_stdin(&self) -> bool {
        self.reads_model_from_stdin() || self.files_from.as_deref().is_some_and(is_stream)
    }

    fn reads_model_from_stdin(&self) -> bool {
        self.models.iter().any(|model| is_stream(model))
    }
}

/// The path of a list; `None` if the system has no such path.
fn path(line: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Some(std::ffi::OsStr::from_bytes(line).into())
    }
    #[cfg(not(unix))]
    {
        std::str::from_utf8(line).ok().map(PathBuf::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let cases = [("1/1", Some((1, 1))), ("2/8", Some((2, 8))), ("8/8", Some((8, 8)))];
        let refused = ["0/8", "9/8", "1/0", "1", "/", "a/b", "-1/2", "1/2/3", ""];
        for (text, expected) in cases.into_iter().chain(refused.map(|text| (text, None))) {
            assert_eq!(Shard::parse(text).ok().map(|shard| (shard.part, shard.of)), expected, "{text}");
        }
    }

    /// Machines of different builds must agree, so the parts of these paths never change.
    #[test]
    fn the_part_of_a_path() {
        let part = |path: &str| (1..=8).find(|part| Shard { part: *part, of: 8 }.has(Path::new(path)));
        let cases = [("a.onnx", 7), ("./a.onnx", 7), ("m/b.onnx", 2), ("m//b.onnx", 2), ("/m/b.onnx", 7)];
        for (path, expected) in cases {
            assert_eq!(part(path), Some(expected), "{path}");
        }
    }
}
