//! Finds the settings of a model: the nearest `shape.toml` in its folder or above it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::ConfigArgs;
use super::error::ConfigError;
use super::file::File;
use super::full::full;
use super::settings::Settings;
use crate::input::is_stream;

/// The name of the file.
const NAME: &str = "shape.toml";

/// The settings by folder, each read once.
pub(crate) struct Folders<'a> {
    args: &'a ConfigArgs,
    /// Those of `--config`, or of the command line alone.
    fixed: Option<Arc<Settings>>,
    of_folder: HashMap<PathBuf, Arc<Settings>>,
    none: Arc<Settings>,
}

impl<'a> Folders<'a> {
    /// Reads the file of `--config`, if there is one.
    pub(crate) fn new(args: &'a ConfigArgs) -> Result<Self, ConfigError> {
        let none = Arc::new(Settings::new(args, None));
        let fixed = match &args.config {
            Some(path) => Some(Arc::new(read(args, path)?)),
            None => args.isolated.then(|| Arc::clone(&none)),
        };
        Ok(Self { args, fixed, of_folder: HashMap::new(), none })
    }

    /// The settings of a model; those of standard input are from the working directory.
    pub(crate) fn of(&mut self, model: &Path) -> Result<Arc<Settings>, ConfigError> {
        if let Some(fixed) = &self.fixed {
            return Ok(Arc::clone(fixed));
        }
        let path = if is_stream(model) { full(Path::new(".")).join("-") } else { full(model) };
        match path.parent() {
            Some(folder) => self.of_folder(folder),
            None => Ok(Arc::clone(&self.none)),
        }
    }

    fn of_folder(&mut self, folder: &Path) -> Result<Arc<Settings>, ConfigError> {
        if let Some(known) = self.of_folder.get(folder) {
            return Ok(Arc::clone(known));
        }
        let file = folder.join(NAME);
        let settings = match (file.is_file(), folder.parent()) {
            (true, _) => Arc::new(read(self.args, &file)?),
            (false, Some(above)) => self.of_folder(above)?,
            (false, None) => Arc::clone(&self.none),
        };
        self.of_folder.insert(folder.to_owned(), Arc::clone(&settings));
        Ok(settings)
    }
}

fn read(args: &ConfigArgs, path: &Path) -> Result<Settings, ConfigError> {
    let full = full(path);
    let base = full.parent().unwrap_or(&full);
    let file = File::read(&shown(path), base)?;
    Ok(Settings::new(args, Some((full.clone(), file))))
}

/// A path as messages name it: relative to the working directory if it is below it.
fn shown(path: &Path) -> PathBuf {
    path.strip_prefix(full(Path::new("."))).unwrap_or(path).to_owned()
}

/// The files that the settings of a model may be in, if they exist.
pub(crate) fn candidates(model: &Path) -> Vec<PathBuf> {
    full(model).ancestors().skip(1).map(|folder| folder.join(NAME)).collect()
}
