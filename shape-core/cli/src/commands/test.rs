//! `shape test`: runs ONNX test cases.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use shape_model::test_case::{self, Outcome};

use crate::descriptors::registry;
use crate::json::{self, SCHEMA_VERSION};
use crate::models;
use crate::options::{Format, exit_codes};
use crate::render::{Clean, ERROR, GOOD, INFO, number};
use crate::terminal::{Done, Exit, Terminal};

/// Run ONNX test cases
///
/// A folder with a `model.onnx` is a test case; in other folders, the command searches for test cases at any depth.
/// Each `test_data_set_*` folder of a case has the inputs `input_*.pb` and the expected outputs `output_*.pb`.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape test test_shape_end_1\n",
    "  shape test onnx/backend/test/data/node --format json\n\n",
    "A case is skipped if its model uses an operator that has no rule yet.",
    exit_codes!(),
))]
pub(crate) struct TestArgs {
    /// Test cases, folders with test cases in them, or patterns such as `node/test_shape_*`
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

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
    for folder in args.folders.iter().flat_map(|folder| models::matched(folder)) {
        let folder = match folder {
            Ok(folder) => folder,
            Err(unread) => {
                search.errors.push(unread.error);
                continue;
            }
        };
        let before = (search.cases.len(), search.errors.len());
        search.search(&folder);
        if before == (search.cases.len(), search.errors.len()) {
            let folder = folder.display();
            search.errors.push(format!("{folder} contains no test case; a test case is a folder with model.onnx"));
        }
    }
    for error in &search.errors {
        terminal.error(format_args!("{error}"));
        exit = Exit::Failure;
    }
    let mut report = Report { schema_version: SCHEMA_VERSION, cases: Vec::new() };
    let mut counts = [
        (Outcome::Pass, "passed", 0),
        (Outcome::Dims, "passed by dims only", 0),
        (Outcome::Fail, "failed", 0),
        (Outcome::Skip, "skipped", 0),
        (Outcome::Error, "invalid", 0),
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

/// Searches folders for test cases.
#[derive(Default)]
struct Search {
    cases: Vec<PathBuf>,
    errors: Vec<String>,
    /// The folders that were searched: links are followed, and may lead back.
    seen: HashSet<PathBuf>,
}

impl Search {
    fn search(&mut self, folder: &Path) {
        if let Err(error) = self.enter(folder) {
            let hint = if folder.is_file() { "; give the folder that contains it" } else { "" };
            self.errors.push(format!("cannot read {}: {error}{hint}", folder.display()));
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
