//! `shape diff --runtime`: what changed between two manifests.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use shape_changes::diff::facts;
use shape_core::runtime::{RuntimeRelease, release};
use shape_specs::Scope;
use shape_specs::manifest::{self, Change, Comparison, Manifest, TypeChange, compare};
use shape_specs::operator::Operator as Descriptor;

use crate::descriptors::Descriptors;
use crate::input;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::{Clean, FAINT, STRONG, hanging, number};
use crate::terminal::{Done, Exit, Terminal};

#[derive(Serialize)]
struct Report<'c> {
    schema_version: u32,
    from: &'c str,
    to: &'c str,
    /// The newest IR version, if it changed.
    ir_version: Option<Newest>,
    /// The newest opsets that changed.
    opsets: Vec<Opset<'c>>,
    casts: Casts<'c>,
    operators: Vec<Operator<'c>>,
    /// The versions of the runtime's own operators that came, went or were changed in place; empty where a manifest is a file.
    versions: &'c [ChangedVersion],
}

/// A version of a runtime's own operator that its releases have otherwise.
#[derive(Serialize)]
struct ChangedVersion {
    /// `com.microsoft::GroupQueryAttention-1`
    version: String,
    /// What is different, in words: `input head_sink added`; or that the version is new, or gone.
    changes: Vec<String>,
}

/// A limit in both manifests; null for none.
#[derive(Serialize)]
struct Newest {
    from: Option<u32>,
    to: Option<u32>,
}

#[derive(Serialize)]
struct Opset<'c> {
    domain: &'c str,
    #[serde(flatten)]
    newest: Newest,
}

#[derive(Serialize)]
struct Casts<'c> {
    added: &'c [String],
    removed: &'c [String],
}

#[derive(Serialize)]
struct Operator<'c> {
    domain: &'c str,
    name: &'c str,
    /// `added`, `removed` or `changed`.
    kind: &'static str,
    versions: Versions<'c>,
    types: Vec<Types<'c>>,
}

#[derive(Serialize)]
struct Versions<'c> {
    added: &'c [u32],
    removed: &'c [u32],
}

/// The types of a variable that came and went, in versions that both manifests have.
#[derive(Serialize)]
struct Types<'c> {
    versions: &'c [u32],
    /// Null for all opsets of the versions.
    opsets: Option<&'c [u32]>,
    /// Null where nobody knows the variables.
    variable: Option<&'c str>,
    added: Vec<String>,
    removed: Vec<String>,
}

pub(super) fn run(format: Format, names: (&str, &str), specs: &[PathBuf], terminal: &mut Terminal) -> Done {
    let descriptors = Descriptors::read(Scope::Facts, specs, terminal)?;
    let (from, first) = read(names.0, &descriptors, terminal)?;
    let (to, second) = read(names.1, &descriptors, terminal)?;
    let comparison = compare(&first, &second, descriptors.operators());
    let versions = versions(names, descriptors.operators());
    match format {
        Format::Text => write_text(terminal.out(), (&from, &to), &comparison, &versions)?,
        Format::Json => json::write(terminal.out(), &report((&from, &to), &comparison, &versions))?,
    }
    Ok(Exit::Clean)
}

/// The versions that two releases of one runtime have otherwise.
fn versions((from, to): (&str, &str), operators: &[Descriptor]) -> Vec<ChangedVersion> {
    let (Ok(from), Ok(to)) = (release(from), release(to)) else { return Vec::new() };
    let number = |of: RuntimeRelease| of.number.to_string().parse().ok();
    let (Some(before), Some(after)) = (number(from), number(to)) else { return Vec::new() };
    let of_runtime = |operator: &&Descriptor| operator.runtime.as_deref() == Some(from.runtime);
    let of_runtime = operators.iter().filter(of_runtime).filter(|_| from.runtime == to.runtime);
    let mut changed = Vec::new();
    for (operator, version) in of_runtime.flat_map(|of| of.versions.iter().map(move |version| (of, version))) {
        let changes = match (version.in_release(before), version.in_release(after)) {
            (None, Some(_)) => vec!["new".to_owned()],
            (Some(_), None) => vec!["gone".to_owned()],
            (Some(before), Some(after)) => facts(before, after).iter().map(ToString::to_string).collect(),
            (None, None) => Vec::new(),
        };
        let version = format!("{}::{}-{}", operator.domain, operator.name, version.since);
        changed.extend((!changes.is_empty()).then_some(ChangedVersion { version, changes }));
    }
    changed
}

/// A manifest by its name, or by its file if there is one; and how it is called.
fn read(name: &str, descriptors: &Descriptors, terminal: &mut Terminal) -> Result<(String, Manifest), Exit> {
    let operators = descriptors.operators();
    let (label, manifest) = if Path::new(name).is_file() {
        let bytes = input::text(name).map_err(|error| terminal.fail(&error))?;
        (name.to_owned(), manifest::read(name, &bytes, operators, descriptors.tables))
    } else {
        let builtin = manifest::named(name).map_err(|error| terminal.fail(&error))?;
        (format!("{} {}", builtin.runtime, builtin.release), builtin.read(operators, descriptors.tables))
    };
    Ok((label, manifest.map_err(|errors| terminal.fail_on_specs(&errors))?))
}

fn kind(change: &Change) -> &'static str {
    match (change.in_first, change.in_second) {
        (false, _) => "added",
        (true, false) => "removed",
        (true, true) => "changed",
    }
}

fn report<'c>(
    (from, to): (&'c str, &'c str),
    comparison: &'c Comparison,
    versions: &'c [ChangedVersion],
) -> Report<'c> {
    let words = |types: &[shape_specs::tables::Type]| types.iter().map(ToString::to_string).collect();
    let types = |change: &'c TypeChange| Types {
        versions: &change.versions,
        opsets: change.opsets.as_deref(),
        variable: change.variable.as_deref(),
        added: words(&change.added),
        removed: words(&change.removed),
    };
    let operator = |change: &'c Change| Operator {
        domain: &change.domain,
        name: &change.operator,
        kind: kind(change),
        versions: Versions { added: &change.added, removed: &change.removed },
        types: change.types.iter().map(types).collect(),
    };
    Report {
        schema_version: SCHEMA_VERSION,
        from,
        to,
        ir_version: comparison.ir_version.map(|(from, to)| Newest { from, to }),
        opsets: (comparison.opsets.iter())
            .map(|(domain, from, to)| Opset { domain, newest: Newest { from: *from, to: *to } })
            .collect(),
        casts: Casts { added: &comparison.casts.1, removed: &comparison.casts.0 },
        operators: comparison.operators.iter().map(operator).collect(),
        versions,
    }
}

/// Writes what changed: first what files it reads, then operators that came and went, then versions and types.
fn write_text(
    out: &mut impl Write,
    (from, to): (&str, &str),
    comparison: &Comparison,
    versions: &[ChangedVersion],
) -> io::Result<()> {
    writeln!(out, "{STRONG}from {} to {}{STRONG:#}", Clean(from), Clean(to))?;
    if *comparison == Comparison::default() && versions.is_empty() {
        return writeln!(out, "\nNothing changed.");
    }
    let limit = |limit: Option<u32>| limit.map_or("any".to_owned(), |newest| format!("up to {newest}"));
    let mut lines: Vec<String> = comparison
        .ir_version
        .iter()
        .map(|(from, to)| format!("IR version: {}, was {}", limit(*to), limit(*from)))
        .collect();
    let opsets = comparison.opsets.iter();
    lines.extend(opsets.map(|(domain, from, to)| format!("opset of {domain}: {}, was {}", limit(*to), limit(*from))));
    lines.extend(comparison.casts.1.iter().map(|cast| format!("casts {cast}")));
    lines.extend(comparison.casts.0.iter().map(|cast| format!("casts {cast} no more")));
    section(out, "Files", "", &lines)?;
    for (wanted, title) in [("added", "New"), ("removed", "Gone"), ("changed", "Changed")] {
        let changes: Vec<&Change> = comparison.operators.iter().filter(|change| kind(change) == wanted).collect();
        let count = number(changes.len(), "operator");
        let lines: Vec<String> = changes.iter().map(|change| line(change)).collect();
        section(out, title, &format!(" {FAINT}({count}){FAINT:#}"), &lines)?;
    }
    let line = |of: &ChangedVersion| format!("{}: {}", of.version, of.changes.join("; "));
    let lines: Vec<String> = versions.iter().map(line).collect();
    let count = number(versions.len(), "version");
    section(out, "What nodes may have", &format!(" {FAINT}({count}){FAINT:#}"), &lines)
}

fn section(out: &mut impl Write, title: &str, count: &str, lines: &[String]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{STRONG}{title}{STRONG:#}{count}")?;
    lines.iter().try_for_each(|line| hanging(out, "  - ", line))
}

/// An operator, with the versions and types that came and went.
fn line(change: &Change) -> String {
    let numbers = |numbers: &[u32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let path = if change.domain == "ai.onnx" { String::new() } else { format!("{}::", change.domain) };
    let name = format!("{path}{}", change.operator);
    let versions =
        |what: &str, versions: &[u32]| (!versions.is_empty()).then(|| format!("{what} {}", numbers(versions)));
    if !(change.in_first && change.in_second) {
        return match versions("", change.added.as_slice()).or(versions("", &change.removed)) {
            Some(versions) => format!("{name}{versions}"),
            None => name,
        };
    }
    let mut parts: Vec<String> = versions("version", &change.added).into_iter().collect();
    parts.extend(versions("no more version", &change.removed));
    parts.extend(change.types.iter().map(|types| {
        let words = |types: &[shape_specs::tables::Type]| {
            types.iter().map(shape_specs::tables::Type::word).collect::<Vec<_>>().join(", ")
        };
        let of = types.variable.as_deref().unwrap_or("its values");
        let at = match types.versions.as_slice() {
            [] => String::new(),
            versions => format!(" of {}", numbers(versions)),
        };
        let at = match &types.opsets {
            Some(opsets) => format!("{at} at opset {}", numbers(opsets)),
            None => at,
        };
        let came = (!types.added.is_empty()).then(|| words(&types.added));
        let went = (!types.removed.is_empty()).then(|| format!("no more {}", words(&types.removed)));
        let both: Vec<String> = came.into_iter().chain(went).collect();
        format!("{of}{at}: {}", both.join(", "))
    }));
    format!("{name}: {}", parts.join("; "))
}
