//! `shape specs import`: writes descriptors from the facts of a release of onnx.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use shape_changes::import::{Comparison, Facts, Refusal, UNSAID, Written, compare, import};
use shape_specs::SpecErrors;
use shape_specs::tables::Release;

use crate::descriptors::authoring;
use crate::descriptors::folder::{self, Files};
use crate::descriptors::tables_of;
use crate::input;
use crate::options::exit_codes;
use crate::output::Inputs;
use crate::render::{number, spec_error};
use crate::terminal::{Done, Exit, Terminal};

/// Create or extend descriptors from the facts of a release of the onnx package
///
/// Versions that are already described are compared with the facts and never changed. If they differ, the command
/// reports all differences and writes nothing. New versions are added after them, as changes from the version before.
/// The folder is that of --specs, or `specs`. With --check, all that is new or differs is reported, and nothing is
/// written.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  python3 specs/facts/dump.py onnx > specs/facts/onnx.json     the facts of the installed onnx package\n",
    "  shape specs import specs/facts/onnx.json\n",
    "  shape specs import --check specs/facts/onnx.json             what is new or differs, without writing",
    exit_codes!(),
))]
pub(crate) struct ImportArgs {
    /// The output of `dump.py`
    #[arg(value_name = "FACTS.json")]
    facts: PathBuf,
    /// Report what the facts have and the descriptors do not, and what differs; write nothing
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &ImportArgs, specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let folder = authoring::folder(specs).map_err(|error| terminal.fail(error))?;
    let facts = read(args).map_err(|error| terminal.fail(&error))?;
    // The folder may not exist yet.
    let files = if folder.exists() { folder::read(&[folder.to_owned()]) } else { Files::default() };
    if let Some(error) = files.errors.iter().find(|_| !files.files.is_empty()) {
        return Ok(terminal.fail(error));
    }
    let tables = tables_of(&files, terminal)?;
    let within = |file: &str| {
        let path = Path::new(file).strip_prefix(folder).unwrap_or(Path::new(file));
        path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    let files: Vec<(String, Vec<u8>)> = files.files.into_iter().map(|file| (within(&file.name), file.bytes)).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(file, bytes)| (&**file, &**bytes)).collect();
    if args.check {
        return check(compare(&facts, &files, tables), terminal);
    }
    let written = match import(&facts, &files, tables) {
        Ok(written) => written,
        Err(Refusal::Errors(SpecErrors(errors))) => {
            errors.iter().try_for_each(|error| spec_error(terminal.out(), error))?;
            return refused(errors.len(), terminal);
        }
        Err(Refusal::Facts(differences)) => {
            differences.iter().try_for_each(|difference| writeln!(terminal.out(), "{difference}"))?;
            return refused(differences.len(), terminal);
        }
    };
    let mut inputs = Inputs::default();
    inputs.add([args.facts.clone()]);
    let mut unsaid = 0;
    for Written { file, text, versions } in &written {
        let path = folder.join(file);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let made = made.map_err(|error| format!("cannot write {}: {error}", path.display()));
        if let Err(error) = made.and_then(|()| inputs.replace(&path, text.as_bytes())) {
            return Ok(terminal.fail(&error));
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
    terminal.note(format_args!("{versions} of {} {} in {files}{summaries}", facts.package, facts.release));
    Ok(Exit::Clean)
}

/// Reports what is new or differs, a line for each.
fn check(comparison: Result<Comparison, SpecErrors>, terminal: &mut Terminal) -> Done {
    let Comparison { differences, added, absent, release, .. } = match comparison {
        Ok(comparison) => comparison,
        // Without descriptors there is nothing to compare with.
        Err(errors) => return Ok(terminal.fail_on_specs(&errors)),
    };
    let release = release.map(|Release { release, ir, opset, ml }| {
        format!("opsets.yaml lacks release {release}: IR version {ir}, opset {opset}, version {ml} of ai.onnx.ml")
    });
    let absent = absent.iter().map(|operator| format!("{operator}: described, and the facts do not have it"));
    let lines = (release.into_iter())
        .chain(added.iter().map(ToString::to_string))
        .chain(differences.iter().map(ToString::to_string))
        .chain(absent);
    let lines: Vec<String> = lines.collect();
    lines.iter().try_for_each(|line| writeln!(terminal.out(), "{line}"))?;
    terminal.flush()?;
    terminal.note(format_args!("{}", number(lines.len(), "difference")));
    Ok(if lines.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// Reads the facts.
fn read(args: &ImportArgs) -> Result<Facts, String> {
    let file = args.facts.display();
    let bytes = input::text(&args.facts)?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{file} is not an output of dump.py: {error}"))
}

/// Ends the command without writing a file.
fn refused(count: usize, terminal: &mut Terminal) -> Done {
    terminal.flush()?;
    terminal.note(format_args!("{}; no file was written", number(count, "error")));
    Ok(Exit::Findings)
}
