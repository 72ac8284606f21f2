//! `shape specs import`

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use shape_core::model::replace;
use shape_specs::SpecErrors;
use shape_specs::import::{Facts, Refusal, UNSAID, Written, import};

use super::folder::{self, Files};
use crate::args::ImportArgs;
use crate::described::tables_of;
use crate::render::{number, spec_error};
use crate::terminal::{Done, Exit, Terminal};

pub(super) fn run(args: &ImportArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let folder = folder::one(specs).map_err(|trouble| terminal.fail(trouble))?;
    let facts = read(args).map_err(|trouble| terminal.fail(&trouble))?;
    // A folder that is yet to be made has no descriptors.
    let files = if folder.exists() { folder::read(&[folder.to_owned()]) } else { Files::default() };
    if let Some(trouble) = files.troubles.iter().find(|_| !files.files.is_empty()) {
        return Ok(terminal.fail(trouble));
    }
    let tables = tables_of(&files, terminal)?;
    let within = |file: &str| {
        let path = Path::new(file).strip_prefix(folder).unwrap_or(Path::new(file));
        path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    let files: Vec<(String, Vec<u8>)> = files.files.into_iter().map(|file| (within(&file.name), file.bytes)).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(file, bytes)| (&**file, &**bytes)).collect();
    let written = match import(&facts, &files, tables) {
        Ok(written) => written,
        Err(Refusal::Errors(SpecErrors(errors))) => {
            errors.iter().try_for_each(|error| spec_error(terminal.out(), error))?;
            return told(errors.len(), terminal);
        }
        Err(Refusal::Facts(wrong)) => {
            wrong.iter().try_for_each(|wrong| writeln!(terminal.out(), "{wrong}"))?;
            return told(wrong.len(), terminal);
        }
    };
    let mut unsaid = 0;
    for Written { file, text, versions } in &written {
        let path = folder.join(file);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let done = made.and_then(|()| replace(&path, |out| out.write_all(text.as_bytes())));
        if let Err(error) = done {
            return Ok(terminal.fail(&format!("cannot write {}: {error}", path.display())));
        }
        unsaid += usize::from(text.contains(UNSAID));
        let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
        let versions = if versions.is_empty() { String::new() } else { format!(": {}", versions.join(", ")) };
        writeln!(terminal.out(), "{}{versions}", path.display())?;
    }
    terminal.flush()?;
    let versions: usize = written.iter().map(|written| written.versions.len()).sum();
    let summaries = if unsaid == 0 { String::new() } else { format!(", {unsaid} of them without a summary yet") };
    let (versions, files) = (number(versions, "new version"), number(written.len(), "file"));
    terminal.note(format_args!("{versions} of onnx {} in {files}{summaries}", facts.release));
    Ok(Exit::Clean)
}

/// The facts; otherwise why they cannot be had.
fn read(args: &ImportArgs) -> Result<Facts, String> {
    let file = args.facts.display();
    let bytes = fs::read(&args.facts).map_err(|error| format!("cannot read {file}: {error}"))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{file} is not what dump.py writes: {error}"))
}

fn told(count: usize, terminal: &mut Terminal) -> Done {
    terminal.flush()?;
    terminal.note(format_args!("{}; nothing is written", number(count, "error")));
    Ok(Exit::Findings)
}
