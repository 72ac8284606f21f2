//! `shape specs lint`: reports what is wrong with descriptors.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use shape_core::code::Severity;
use shape_core::example::{self, Mismatch, Place};
#[cfg(feature = "generate")]
use shape_core::registry::Registry;
#[cfg(feature = "generate")]
use shape_model::generate::{Obstacle, obstacle};
use shape_specs::operator::Version;
use shape_specs::yaml::Position;
use shape_specs::{Operator, Scope, SpecError, SpecErrors, resolve_all};

use crate::descriptors::folder::{self, Files};
use crate::descriptors::tables;
use crate::github::Annotation;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::exit_codes;
use crate::render::{number, spec_error};
use crate::terminal::{Done, Exit, Terminal};

/// Report what is wrong with descriptors, as the compiler does
///
/// Reports all errors in all files, including two files that describe the same operator, examples that are contradicted, and
/// versions of which no node can be valid.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape specs lint specs\n",
    "  shape specs lint specs/com.acme/Gelu.yaml\n",
    "  shape specs lint specs --format json | jq -r '.findings[] | \"\\(.file):\\(.line) \\(.code)\"'\n",
    "  shape specs lint specs --format github       annotations of a pull request",
    exit_codes!(),
))]
pub(crate) struct LintArgs {
    /// Descriptors, or folders with descriptors: of a folder, each `*.yaml` in it and in its subfolders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: LintFormat,
}

/// The output formats of `shape specs lint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// Text to read
    Text,
    /// One JSON object
    Json,
    /// Workflow commands of GitHub Actions, one an error
    Github,
}

#[derive(Serialize)]
struct Report<'e> {
    schema_version: u32,
    findings: Vec<SpecFinding<'e>>,
}

/// An error in a descriptor.
#[derive(Debug, Serialize)]
struct SpecFinding<'e> {
    file: &'e str,
    line: usize,
    column: usize,
    code: &'static str,
    severity: &'static str,
    message: &'e str,
    help: Option<&'e str>,
}

impl<'e> SpecFinding<'e> {
    /// Takes an error.
    fn new(error: &'e SpecError) -> Self {
        let SpecError { file, position: Position { line, column }, code, message, help, .. } = error;
        Self { file, line: *line, column: *column, code, severity: "error", message, help: help.as_deref() }
    }
}

pub(super) fn run(args: &LintArgs, terminal: &mut Terminal) -> Done {
    let files = folder::read(&args.paths);
    files.report(terminal);
    let errors = errors_in(&files);
    match args.format {
        LintFormat::Text => errors.iter().try_for_each(|error| spec_error(terminal.out(), error))?,
        LintFormat::Json => {
            let findings = errors.iter().map(SpecFinding::new).collect();
            json::write(terminal.out(), &Report { schema_version: SCHEMA_VERSION, findings })?;
        }
        LintFormat::Github => errors.iter().try_for_each(|error| annotation(terminal.out(), error))?,
    }
    terminal.flush()?;
    let count = if errors.is_empty() { "no findings".to_owned() } else { number(errors.len(), "error") };
    let Files { files, errors: unreadable, .. } = &files;
    let unread = if unreadable.is_empty() { String::new() } else { format!(", {} not read", unreadable.len()) };
    terminal.note(format_args!("{count} in {}{unread}", number(files.len(), "file")));
    Ok(match (unreadable.is_empty(), errors.is_empty()) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Findings,
        (true, true) => Exit::Clean,
    })
}

/// All errors, including those of the tables that the files share.
fn errors_in(files: &Files) -> Vec<SpecError> {
    let (tables, mut errors) = files.tables();
    let operators = match resolve_all(files.descriptors(), &tables, Scope::Documented) {
        Ok(operators) => operators,
        Err((operators, SpecErrors(more))) => {
            errors.extend(more);
            operators
        }
    };
    for operator in &operators {
        let bytes = files.descriptors().find(|(name, _)| *name == operator.file).map_or(&[][..], |(_, bytes)| bytes);
        errors.extend(examples(operator, bytes));
        #[cfg(feature = "generate")]
        errors.extend(contradictions(operator, bytes));
    }
    errors
}

/// The versions of which no node can be valid, each contradiction once.
#[cfg(feature = "generate")]
fn contradictions(operator: &Operator, bytes: &[u8]) -> Vec<SpecError> {
    let mut errors: Vec<SpecError> = Vec::new();
    let schemas = tables::schemas(operator).unwrap_or_default();
    for (version, schema) in operator.versions.iter().zip(schemas).filter(|(version, _)| !version.deprecated) {
        let Some(Obstacle::Contradiction(parts)) = obstacle(Registry::builtin(), schema) else { continue };
        let said: Vec<String> = parts.iter().map(ToString::to_string).collect();
        let (what, help) = match &*said {
            [one] => (format!("none meets that {one}"), "without it there are valid nodes"),
            all => (
                format!("these contradict each other: {}", all.join("; ")),
                "without one of them there are valid nodes",
            ),
        };
        let of = |text: &str| version.requires.iter().find(|of| of.text == text).map(|of| of.position);
        let relation = parts.iter().find_map(|part| of(part.requirement()?.text));
        let position = relation.unwrap_or(Position { line: version.line, column: 1 });
        // A later version that inherits it says no more.
        if errors.iter().all(|error| error.position != position) {
            let message = format!("no valid node of version {} was found: {what}", version.since);
            errors.push(SpecError::no_valid_node(&operator.file, bytes, position, message, help.to_owned()));
        }
    }
    errors
}

/// The examples of an operator whose results differ from what its own versions compute, and the relations that no example
/// breaks.
fn examples(operator: &Operator, bytes: &[u8]) -> Vec<SpecError> {
    let (Some(schemas), Some(examples)) = (tables::schemas(operator), tables::examples(operator)) else {
        return Vec::new();
    };
    let mut mismatches: Vec<Mismatch> = Vec::new();
    let by_release = schemas.iter().flat_map(|schema| schema.by_release());
    for mismatch in by_release.flat_map(|schema| example::check(schema, &examples)) {
        // If one version contradicts an example, later ones do too: only the first is reported.
        let order = |of: &Mismatch| (of.since, of.release.map(|release| release.number));
        if !mismatches.iter().any(|other| other.place == mismatch.place && order(other) < order(&mismatch)) {
            mismatches.push(mismatch);
        }
    }
    mismatches.sort_by_key(|mismatch| mismatch.place);
    let error = |mismatch: &Mismatch| {
        let Place { line, column } = mismatch.place;
        let position = Position { line: line as usize, column: column as usize };
        let since = mismatch.since;
        let held = schemas.iter().filter(|schema| schema.since_version < since);
        let held = (examples.iter().find(|example| example.name == mismatch.example))
            .is_some_and(|example| held.into_iter().any(|schema| example.holds_for(schema)));
        let help = held.then(|| format!("it holds for the versions before; add `until: {since}` to end it there"));
        SpecError::example(&operator.file, bytes, position, mismatch.to_string(), help)
    };
    let mut errors: Vec<SpecError> = mismatches.iter().map(error).collect();
    let mut reported: Vec<Position> = Vec::new();
    let by_release = operator.versions.iter().flat_map(Version::by_release);
    for (version, schema) in by_release.zip(schemas.iter().flat_map(|schema| schema.by_release())) {
        for unbroken in example::unbroken(schema, &examples) {
            // The examples of the newest release tell of what the earlier ones have like it.
            let newest = operator.versions.iter().find(|newest| newest.since == version.since);
            if newest != Some(version)
                && newest.is_some_and(|of| of.requires.iter().any(|one| one.text == unbroken.text))
            {
                continue;
            }
            let position = version.requires.iter().find(|of| of.text == unbroken.text).map(|of| of.position);
            // A later version that inherits it has no more examples.
            if let Some(position) = position.filter(|position| !reported.contains(position)) {
                reported.push(position);
                errors.push(SpecError::unbroken(&operator.file, bytes, position, unbroken.text, version.since));
            }
        }
    }
    errors
}

/// Writes an error as a workflow command.
fn annotation(out: &mut impl Write, error: &SpecError) -> io::Result<()> {
    let SpecError { file, position: Position { line, column }, code, message, help, .. } = error;
    let help = help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let text = &format!("{message}{help}");
    Annotation { severity: Severity::Error, file, position: Some((*line, *column)), title: code, text }.write(out)
}
