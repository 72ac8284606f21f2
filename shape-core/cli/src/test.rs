//! `shape test`

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use shape_model::test_case::{self, Outcome};

use crate::args::{Format, TestArgs};
use crate::described::registry;
use crate::json::{self, SCHEMA_VERSION};
use crate::render::{Clean, ERROR, GOOD, INFO, number};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct Case {
    name: String,
    outcome: &'static str,
    detail: Option<String>,
}

pub(crate) fn run(args: &TestArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let registry = registry(specs, terminal)?;
    let mut exit = Exit::Clean;
    let mut search = Search::default();
    for folder in &args.folders {
        let (found, troubles) = (search.cases.len(), search.troubles.len());
        search.search(folder);
        if (found, troubles) == (search.cases.len(), search.troubles.len()) {
            let trouble = format!("{} has no test case in it, which is a folder with model.onnx", folder.display());
            search.troubles.push(trouble);
        }
    }
    for trouble in &search.troubles {
        terminal.trouble(format_args!("{trouble}"));
        exit = Exit::Trouble;
    }
    let mut report = Report { schema_version: SCHEMA_VERSION, cases: Vec::new() };
    let mut counts = [
        (Outcome::Pass, "passed", 0),
        (Outcome::Dims, "right by dims", 0),
        (Outcome::Fail, "failed", 0),
        (Outcome::Skip, "skipped", 0),
        (Outcome::Error, "broken", 0),
    ];
    for folder in &search.cases {
        let test_case::Case { name, outcome, detail } = test_case::run(folder, &registry);
        if let Some((.., count)) = counts.iter_mut().find(|(of, ..)| *of == outcome) {
            *count += 1;
        }
        if matches!(outcome, Outcome::Fail | Outcome::Error) {
            exit = exit.max(Exit::Findings);
        }
        match args.format {
            Format::Text => {
                let style = match outcome {
                    Outcome::Pass => GOOD,
                    Outcome::Dims | Outcome::Skip => INFO,
                    Outcome::Fail | Outcome::Error => ERROR,
                };
                let detail = detail.map(|detail| format!(": {detail}")).unwrap_or_default();
                writeln!(terminal.out(), "{style}{outcome:5}{style:#} {}{}", Clean(&name), Clean(&detail))?;
            }
            Format::Json => report.cases.push(Case { name, outcome: outcome.name(), detail }),
        }
    }
    if args.format == Format::Json {
        json::write(terminal.out(), &report)?;
    }
    terminal.flush()?;
    let counts: Vec<String> =
        counts.iter().filter(|(.., count)| *count > 0).map(|(_, word, count)| format!("{count} {word}")).collect();
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    terminal.note(format_args!("{}{counts}", number(search.cases.len(), "case")));
    Ok(exit)
}

/// The case folders at and below some folders.
#[derive(Default)]
struct Search {
    cases: Vec<PathBuf>,
    troubles: Vec<String>,
    /// Links are followed, and may lead in a circle.
    seen: HashSet<PathBuf>,
}

impl Search {
    fn search(&mut self, folder: &Path) {
        if let Err(error) = self.enter(folder) {
            let hint = if folder.is_file() { "; name the folder that it is in" } else { "" };
            self.troubles.push(format!("cannot read {}: {error}{hint}", folder.display()));
        }
    }

    fn enter(&mut self, folder: &Path) -> io::Result<()> {
        if !self.seen.insert(folder.canonicalize()?) {
            return Ok(());
        }
        if folder.join("model.onnx").is_file() {
            self.cases.push(folder.to_owned());
            return Ok(());
        }
        let mut folders = Vec::new();
        for entry in folder.read_dir()? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            }
        }
        folders.sort();
        folders.iter().for_each(|folder| self.search(folder));
        Ok(())
    }
}
