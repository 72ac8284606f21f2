//! The baselines of a run: those of the settings, or the one that is written.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use shape_model::Finding;

use super::baseline::{Baseline, Gone};
use super::plan::Item;
use crate::config::full;
use crate::models::Unread;
use crate::output::Inputs;
use crate::render::{count, number};
use crate::terminal::Terminal;

/// How many known findings that are gone are told one by one.
const MAX_TOLD: usize = 10;

#[derive(Default)]
pub(super) struct Baselines {
    /// By their full paths.
    read: BTreeMap<PathBuf, Baseline>,
    written: Option<Baseline>,
    /// The number of findings for the one that is written.
    put: usize,
}

impl Baselines {
    /// Reads the baselines that the settings of the models name; if one is to be written, only that one (`write`).
    pub(super) fn new(items: &[Result<Item, Unread>], write: Option<&Path>) -> Result<Self, String> {
        if let Some(path) = write {
            let written = Some(Baseline::read_or_begin(path, &full(path))?);
            return Ok(Self { written, ..Self::default() });
        }
        let mut read = BTreeMap::new();
        for path in items.iter().flatten().filter_map(|item| item.settings.baseline.as_deref()) {
            if let Entry::Vacant(vacant) = read.entry(full(path)) {
                let baseline = Baseline::read(path, vacant.key())?;
                vacant.insert(baseline);
            }
        }
        Ok(Self { read, ..Self::default() })
    }

    /// The files that are read, which no output may replace.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.read.keys().cloned()
    }

    /// Takes out the findings of a model that are known, or that are known from now on.
    pub(super) fn take_out(&mut self, item: &Item, findings: &mut Vec<Finding>) -> Vec<Finding> {
        if let Some(written) = &mut self.written {
            written.put(&item.full, findings);
            self.put += count(findings);
            return std::mem::take(findings);
        }
        let of_item = item.settings.baseline.as_deref().and_then(|path| self.read.get_mut(&full(path)));
        of_item.map_or_else(Vec::new, |baseline| baseline.take_out(&item.full, findings))
    }

    /// The known findings that were not found; `None` if no baseline is read.
    pub(super) fn gone(&self) -> Option<Vec<Gone>> {
        (!self.read.is_empty()).then(|| self.read.values().flat_map(Baseline::gone).collect())
    }

    /// Writes a note about the known findings that were not found.
    pub(super) fn tell_gone(&self, terminal: &mut Terminal) {
        for baseline in self.read.values() {
            let gone: Vec<Gone> = baseline.gone().collect();
            let path = baseline.path().display();
            for Gone { model, stale } in gone.iter().take(MAX_TOLD) {
                let times = if stale.count > 1 { format!(" ({} times)", stale.count) } else { String::new() };
                terminal.note(format_args!("{path}: gone from {model}: {}: {}{times}", stale.code, stale.message));
            }
            if gone.len() > MAX_TOLD {
                terminal.note(format_args!("{path}: {} more are gone", gone.len() - MAX_TOLD));
            }
            if !gone.is_empty() {
                terminal.note(format_args!("`--write-baseline {path}` writes it without them"));
            }
        }
    }

    /// Writes the file, if one is to be written. It is not if a model could not be read: its findings would be lost.
    pub(super) fn write(self, inputs: &Inputs, unread: usize, terminal: &mut Terminal) -> Result<(), String> {
        let Some(written) = self.written else { return Ok(()) };
        let path = written.path();
        if unread > 0 {
            let unread = number(unread, "model");
            return Err(format!("{} is not written, because {unread} could not be read", path.display()));
        }
        let text = written.text().map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        inputs.write(path, text.as_bytes())?;
        terminal.note(format_args!("{} has {} from now on", path.display(), number(self.put, "known finding")));
        Ok(())
    }
}
