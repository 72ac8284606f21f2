//! The models that `shape check` is to check, each with the settings that hold for it.

use std::path::PathBuf;
use std::sync::Arc;

use shape_core::code::Code;
use shape_model::Finding;

use super::sources::SourceArgs;
use crate::config::{ConfigArgs, ConfigError, Folders, Settings, full};
use crate::input::{is_stream, label};
use crate::models::{Named, Unread};
use crate::terminal::{Exit, Terminal};

/// A model of a run.
#[derive(Debug)]
pub(super) struct Item {
    /// The path as it was given or found.
    pub(super) path: PathBuf,
    /// The path from the root; that of standard input is as messages name it.
    pub(super) full: PathBuf,
    pub(super) settings: Arc<Settings>,
}

/// The models in the order of the arguments, without those of other parts and those that the settings leave out.
/// Reports what cannot be found, and what is wrong with settings.
pub(super) fn plan(
    sources: &SourceArgs,
    config: &ConfigArgs,
    terminal: &mut Terminal,
) -> Result<Vec<Result<Item, Unread>>, Exit> {
    let mut skipped = Vec::new();
    let models = sources.named(&mut skipped).map_err(|error| terminal.fail(&error))?;
    skipped.iter().for_each(|path| terminal.skipped(path));
    let mut folders = Folders::new(config).map_err(|error| report(error, terminal))?;
    let mut items = Vec::new();
    for model in models {
        let Named { path, is_found } = match model {
            Ok(named) => named,
            Err(unread) => {
                items.extend(sources.has(&unread.path).then_some(Err(unread)));
                continue;
            }
        };
        if !sources.has(&path) {
            continue;
        }
        let settings = folders.of(&path).map_err(|error| report(error, terminal))?;
        let full = if is_stream(&path) { label(&path).to_owned() } else { full(&path) };
        if !(is_found && settings.excludes(&full)) {
            items.push(Ok(Item { path, full, settings }));
        }
    }
    Ok(items)
}

fn report(error: ConfigError, terminal: &mut Terminal) -> Exit {
    match error {
        ConfigError::Unread(error) => terminal.fail(&error),
        ConfigError::Mistakes(mistakes) => terminal.fail_on_specs(&mistakes),
    }
}

impl Item {
    /// Whether findings with a code are reported.
    pub(super) fn reports(&self, code: Code) -> bool {
        self.settings.severity(code, &self.full).is_some()
    }

    /// Gives each finding the severity that the settings say, and takes out those that are not reported.
    pub(super) fn take_out_ignored(&self, findings: &mut Vec<Finding>) -> Vec<Finding> {
        let severity = |code: Code| self.settings.severity(code, &self.full);
        let ignored = findings.extract_if(.., |finding| match severity(finding.code) {
            Some(severity) => {
                finding.severity_override = Some(severity).filter(|severity| *severity != finding.code.severity());
                false
            }
            None => true,
        });
        ignored.collect()
    }
}
