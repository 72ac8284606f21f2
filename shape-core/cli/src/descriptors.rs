//! The descriptors of this build and of `--specs`, and the operators and versions in them.

#[cfg(feature = "authoring")]
pub(crate) mod authoring;
pub(crate) mod folder;
pub(crate) mod json;
pub(crate) mod tables;

use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_core::opset::canonical_domain;
use shape_specs::names::suggest;
use shape_specs::operator::{Operator, Version};
use shape_specs::tables::Runtime;
use shape_specs::{DESCRIPTORS, Scope, SpecErrors, Tables, resolve_all};

use crate::output::Inputs;
use crate::steps::Steps;
use crate::terminal::{Exit, Terminal};
use folder::Files;

/// The operators of this build and of `--specs`. Reports all errors in the descriptors.
pub(crate) fn registry(specs: &[PathBuf], terminal: &mut Terminal) -> Result<Registry, Exit> {
    let builtin = Registry::builtin();
    if specs.is_empty() {
        return Ok(builtin.clone());
    }
    let Descriptors { operators, tables } = read(specs, Scope::Facts, terminal)?;
    let mut schemas = Vec::new();
    for operator in &operators {
        let of_operator = tables::schemas(operator);
        let too_deep = || terminal.fail(&format!("{} has a type that is nested too deeply", operator.file));
        schemas.extend(of_operator.ok_or_else(too_deep)?);
    }
    let registry = builtin.replacing(schemas).map_err(|duplicate| terminal.fail(&duplicate.to_string()))?;
    Ok(registry.with_releases(tables::releases(tables)))
}

/// The files of `--specs`, which no output may replace.
pub(crate) fn inputs(specs: &[PathBuf]) -> Inputs {
    let mut inputs = Inputs::default();
    inputs.add(folder::paths(specs));
    inputs
}

/// The operators and tables of `--specs`; `scope` decides whether examples are read.
fn read(specs: &[PathBuf], scope: Scope, terminal: &mut Terminal) -> Result<Descriptors, Exit> {
    let mut steps = Steps::begin();
    let files = folder::read(specs);
    files.report(terminal);
    let tables = tables_of(&files, terminal)?;
    let resolved = resolve_all(files.descriptors(), tables, scope);
    steps.end("read");
    terminal.took(Path::new("--specs"), &steps);
    match resolved {
        Ok(operators) if files.errors.is_empty() => Ok(Descriptors { operators, tables }),
        Ok(_) => Err(Exit::Failure),
        Err((_, errors)) => Err(terminal.fail_on_specs(&errors)),
    }
}

/// The tables of these files. They live as long as the process, because the schemas that borrow them do.
pub(crate) fn tables_of(files: &Files, terminal: &mut Terminal) -> Result<&'static Tables, Exit> {
    match files.tables() {
        (tables, errors) if errors.is_empty() => Ok(Box::leak(Box::new(tables))),
        (_, errors) => Err(terminal.fail_on_specs(&SpecErrors(errors))),
    }
}

/// The tables of this build.
pub(crate) fn builtin_tables(terminal: &mut Terminal) -> Result<&'static Tables, Exit> {
    Tables::builtin().map_err(|errors| terminal.fail(&invalid(errors)))
}

fn invalid(errors: &SpecErrors) -> String {
    format!("the descriptors of this build have errors: {errors}")
}

/// Operators with all that their descriptors say, and the tables that they use.
pub(crate) struct Descriptors {
    operators: Vec<Operator>,
    pub(crate) tables: &'static Tables,
}

impl Descriptors {
    /// Reads the descriptors of this build and of `--specs`. Reports all errors in them.
    pub(crate) fn read(specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        Self::read_where(|_| true, specs, terminal)
    }

    /// Reads the descriptors of `--specs`, and of this build only the operator `Name` or `com.acme::Name`: to read all
    /// of them takes longer than most commands.
    pub(crate) fn read_one(path: &str, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let wanted = domain_and_name(path);
        Self::read_where(|file| operator_of(file) == Some(wanted), specs, terminal)
    }

    fn read_where(wanted: impl Fn(&str) -> bool, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let tables = builtin_tables(terminal)?;
        let files = DESCRIPTORS.iter().copied().filter(|(file, _)| wanted(file));
        let resolved = resolve_all(files, tables, Scope::Whole);
        let builtin = resolved.map_err(|(_, errors)| terminal.fail(&invalid(&errors)))?;
        if specs.is_empty() {
            return Ok(Self { operators: builtin, tables });
        }
        let mut added = read(specs, Scope::Whole, terminal)?;
        // A descriptor of `--specs` replaces the one of this build.
        let is_new = |one: &Operator| added.find(&one.domain, &one.name).is_none();
        let builtin: Vec<Operator> = builtin.into_iter().filter(is_new).collect();
        added.operators.splice(0..0, builtin);
        Ok(added)
    }

    /// The operator `Name` or `com.acme::Name`; fails with a suggestion if there is none.
    pub(crate) fn operator(&self, path: &str) -> Result<&Operator, String> {
        let (domain, name) = domain_and_name(path);
        self.find(domain, name).ok_or_else(|| self.unknown(domain, name))
    }

    fn find(&self, domain: &str, name: &str) -> Option<&Operator> {
        self.operators.iter().find(|operator| operator.domain == domain && operator.name == name)
    }

    /// The version that is in force at an opset; fails if there is none.
    pub(crate) fn version<'o>(&self, operator: &'o Operator, opset: u32) -> Result<&'o Version, String> {
        let Operator { domain, name, versions, .. } = operator;
        self.check_opset(domain, opset)?;
        operator.in_force(opset).ok_or_else(|| {
            let first = versions.first().map_or(0, |first| first.since);
            format!("{name} is not in opset {opset} of {domain}; its first version came with opset {first}")
        })
    }

    /// All operators.
    pub(crate) fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// The operators of a domain.
    pub(crate) fn of_domain(&self, domain: &str) -> impl Iterator<Item = &Operator> {
        let domain = canonical_domain(domain);
        self.operators.iter().filter(move |operator| operator.domain == domain)
    }

    /// Fails if the opset is newer than the newest known one of the domain. Of other domains nothing is known.
    pub(crate) fn check_opset(&self, domain: &str, opset: u32) -> Result<(), String> {
        match self.tables.newest_opset(domain) {
            Some(newest) if opset > newest => {
                Err(format!("opset {opset} of {domain} is unknown; the newest known one is {newest}"))
            }
            _ => Ok(()),
        }
    }

    fn unknown(&self, domain: &str, name: &str) -> String {
        // The default domain is left out, as people do.
        let path = |domain: &str, name: &str| match domain {
            "ai.onnx" => name.to_owned(),
            other => format!("{other}::{name}"),
        };
        let wanted = path(domain, name);
        let builtin = DESCRIPTORS.iter().filter_map(|(file, _)| operator_of(file));
        let read = self.operators.iter().map(|operator| (&*operator.domain, &*operator.name));
        let known: Vec<(&str, &str)> = builtin.chain(read).collect();
        if let Some((domain, name)) = known.iter().find(|(_, other)| other.eq_ignore_ascii_case(name)) {
            return format!("there is no descriptor of `{wanted}`; did you mean `{}`?", path(domain, name));
        }
        let has_own = |runtime: &&Runtime| {
            runtime.operators.iter().any(|of| canonical_domain(&of.domain) == domain && of.operator == name)
        };
        if let Some(Runtime { runtime, release, .. }) = self.tables.runtimes.iter().find(has_own) {
            return format!(
                "there is no descriptor of `{wanted}`; {runtime} {release} registers it in {domain} on its own"
            );
        }
        let known: Vec<String> = known.into_iter().map(|(domain, name)| path(domain, name)).collect();
        let help = suggest(&wanted, known.iter().map(String::as_str))
            .unwrap_or_else(|| "`shape ops` lists the operators".to_owned());
        format!("there is no descriptor of `{wanted}`; {help}")
    }
}

/// The domain and the name of the operator that a descriptor of this build is about.
fn operator_of(file: &str) -> Option<(&str, &str)> {
    file.strip_suffix(".yaml")?.rsplit_once('/')
}

/// The domain and the name in `com.acme::Name`; the domain of `Name` is `ai.onnx`.
pub(crate) fn domain_and_name(path: &str) -> (&str, &str) {
    let (domain, name) = path.rsplit_once("::").unwrap_or(("", path));
    (if domain.is_empty() { "ai.onnx" } else { domain }, name)
}
