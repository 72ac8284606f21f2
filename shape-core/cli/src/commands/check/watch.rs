//! Checks again whenever a file changes that the check reads. It polls the files, which works on every system and file
//! system, also in containers and on shares, where the system reports no changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, thread};

use super::baselines::Baselines;
use super::plan::Item;
use super::sources::SourceArgs;
use crate::config::candidates;
use crate::descriptors::folder::paths;
use crate::models::Unread;
use crate::render::number;
use crate::terminal::{Done, Terminal};

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(300);

/// How many changed files are named.
const MAX_NAMED: usize = 3;

/// What tells that a file is another one; `None` if there is none.
type Stamp = Option<(SystemTime, u64)>;

/// Files that runs read besides models, which only a run knows. What one of them read is looked for from then on, also
/// while it is not there.
#[derive(Debug, Default)]
pub(super) struct Read(BTreeSet<PathBuf>);

impl Read {
    /// Adds the files that the settings name.
    pub(super) fn settings(&mut self, models: &[Result<Item, Unread>], baselines: &Baselines) {
        self.0.extend(models.iter().flatten().filter_map(|item| item.settings.path.clone()));
        self.0.extend(baselines.files());
    }

    /// Adds the data of a model.
    pub(super) fn data(&mut self, files: &[PathBuf]) {
        self.0.extend(files.iter().cloned());
    }
}

/// Checks, and checks again at each change, until a signal ends the command or nobody reads what it writes.
pub(super) fn watch(
    sources: &SourceArgs,
    specs: &[PathBuf],
    terminal: &mut Terminal,
    mut check: impl FnMut(&mut Terminal, &mut Read) -> Done,
) -> Done {
    let mut read = Read::default();
    loop {
        let mut before = stamps(sources, specs, &read);
        let done = match check(terminal, &mut read) {
            Err(crate::terminal::Stop::Reported(exit)) => Ok(exit),
            other => other,
        };
        terminal.flush()?;
        if done.is_err() || terminal.is_closed() {
            return done;
        }
        // What the run found out has the stamps that it has now.
        before.extend(read.0.iter().map(|path| (path.clone(), stamp(path))));
        let files = number(before.values().flatten().count(), "file");
        terminal.note(format_args!("watching {files}; Ctrl-C ends this"));
        terminal.note(format_args!("--- {} ---", changed(&before, || stamps(sources, specs, &read))));
    }
}

/// Waits for a change that is complete; tells of which files.
fn changed(before: &BTreeMap<PathBuf, Stamp>, mut now: impl FnMut() -> BTreeMap<PathBuf, Stamp>) -> String {
    let mut last = now();
    loop {
        thread::sleep(INTERVAL);
        let next = now();
        // A file that grows is not complete.
        if last == next && !differing(before, &next).is_empty() {
            break;
        }
        last = next;
    }
    let paths = differing(before, &last);
    let named: Vec<String> = paths.iter().take(MAX_NAMED).map(|path| path.display().to_string()).collect();
    let more = paths.len().checked_sub(MAX_NAMED).filter(|more| *more > 0);
    let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
    format!("{}{more} changed", named.join(", "))
}

/// The files that are in one of both alone or differ; a file that was not there and is not is no difference.
fn differing<'p>(before: &'p BTreeMap<PathBuf, Stamp>, now: &'p BTreeMap<PathBuf, Stamp>) -> BTreeSet<&'p Path> {
    let of = |stamps: &BTreeMap<PathBuf, Stamp>, path: &Path| stamps.get(path).copied().flatten();
    let all = before.keys().chain(now.keys()).map(PathBuf::as_path);
    all.filter(|path| of(before, path) != of(now, path)).collect()
}

/// The files that are read, and those that settings may be written to.
fn stamps(sources: &SourceArgs, specs: &[PathBuf], read: &Read) -> BTreeMap<PathBuf, Stamp> {
    let models = sources.named(&mut Vec::new()).unwrap_or_default();
    let models: Vec<PathBuf> = models.into_iter().flatten().map(|model| model.path).collect();
    let settings: BTreeSet<PathBuf> = models.iter().flat_map(|model| candidates(model)).collect();
    let list = sources.list().map(Path::to_owned);
    let all = models.into_iter().chain(settings).chain(list).chain(paths(specs)).chain(read.0.iter().cloned());
    all.map(|path| (path.clone(), stamp(&path))).collect()
}

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs() {
        let at = |second| Some((SystemTime::UNIX_EPOCH + Duration::from_secs(second), 1));
        let of = |files: &[(&str, Stamp)]| files.iter().map(|(path, stamp)| (path.into(), *stamp)).collect();
        let before: BTreeMap<PathBuf, Stamp> = of(&[("a", at(1)), ("b", at(1)), ("c", None), ("d", at(1))]);
        let now = of(&[("a", at(1)), ("b", at(2)), ("e", at(1)), ("f", None)]);
        let differing: Vec<&str> = differing(&before, &now).into_iter().filter_map(Path::to_str).collect();
        assert_eq!(differing, ["b", "d", "e"]);
    }
}
