//! `shape specs lint`

use std::io::{self, Write};

use serde::Serialize;
use shape_core::code::Severity;
use shape_core::example::{self, Mismatch, Place};
use shape_specs::yaml::Position;
use shape_specs::{Operator, Scope, SpecError, SpecErrors, resolve_all};

use super::folder::{self, Files};
use crate::args::{LintArgs, LintFormat};
use crate::described::tables;
use crate::github::Annotation;
use crate::json::{self, SCHEMA_VERSION, SpecFinding};
use crate::render::{number, spec_error};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report<'e> {
    schema_version: u32,
    findings: Vec<SpecFinding<'e>>,
}

pub(super) fn run(args: &LintArgs, terminal: &mut Terminal) -> Done {
    let files = folder::read(&args.paths);
    for trouble in &files.troubles {
        terminal.trouble(format_args!("{trouble}"));
    }
    let errors = lint(&files);
    match args.format {
        LintFormat::Text => errors.iter().try_for_each(|error| spec_error(terminal.out(), error))?,
        LintFormat::Json => {
            let findings = errors.iter().map(SpecFinding::new).collect();
            json::write(terminal.out(), &Report { schema_version: SCHEMA_VERSION, findings })?;
        }
        LintFormat::Github => errors.iter().try_for_each(|error| annotation(terminal.out(), error))?,
    }
    terminal.flush()?;
    let found = if errors.is_empty() { "no findings".to_owned() } else { number(errors.len(), "error") };
    let Files { files, troubles, .. } = &files;
    let unread = if troubles.is_empty() { String::new() } else { format!(", {} not read", troubles.len()) };
    terminal.note(format_args!("{found} in {}{unread}", number(files.len(), "file")));
    Ok(match (troubles.is_empty(), errors.is_empty()) {
        (false, _) => Exit::Trouble,
        (true, false) => Exit::Findings,
        (true, true) => Exit::Clean,
    })
}

/// All errors, those of the tables that the files share among them.
fn lint(files: &Files) -> Vec<SpecError> {
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
    }
    errors
}

/// The examples of an operator that its own versions contradict.
fn examples(operator: &Operator, bytes: &[u8]) -> Vec<SpecError> {
    let (Some(schemas), Some(examples)) = (tables::schemas(operator), tables::examples(operator)) else {
        return Vec::new();
    };
    let mut told: Vec<Mismatch> = Vec::new();
    for mismatch in schemas.iter().flat_map(|schema| example::check(schema, examples)) {
        // What one version contradicts the later ones do too.
        if !told.iter().any(|other| other.place == mismatch.place && other.since < mismatch.since) {
            told.push(mismatch);
        }
    }
    told.sort_by_key(|mismatch| mismatch.place);
    let error = |mismatch: &Mismatch| {
        let Place { line, column } = mismatch.place;
        let position = Position { line: line as usize, column: column as usize };
        let since = mismatch.since;
        let held = schemas.iter().map(|schema| schema.since_version).filter(|version| *version < since);
        let held = (examples.iter().find(|example| example.name == mismatch.example))
            .is_some_and(|example| held.into_iter().any(|version| example.holds_for(version)));
        let help = held.then(|| format!("it holds for the versions before; end it there with `until: {since}`"));
        SpecError::example(&operator.file, bytes, position, mismatch.to_string(), help)
    };
    told.iter().map(error).collect()
}

/// An error as a workflow command.
fn annotation(out: &mut impl Write, error: &SpecError) -> io::Result<()> {
    let SpecError { file, position: Position { line, column }, code, message, help, .. } = error;
    let help = help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let text = &format!("{message}{help}");
    Annotation { severity: Severity::Error, file, position: Some((*line, *column)), title: code, text }.write(out)
}
