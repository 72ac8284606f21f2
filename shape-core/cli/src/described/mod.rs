//! The descriptors of this build and of `--specs`, and finding an operator or a version among them.

pub(crate) mod tables;

use std::path::PathBuf;

use shape_core::Registry;
use shape_core::opset::canonical_domain;
use shape_specs::names::suggest;
use shape_specs::operator::{Operator, Version};
use shape_specs::{DESCRIPTORS, Scope, SpecErrors, Tables, resolve_all};

use crate::specs::folder::{self, Files};
use crate::terminal::{Exit, Terminal};

/// The operators that the core knows, with those of `--specs`; otherwise all that is wrong with them has been told.
pub(crate) fn registry(specs: &[PathBuf], terminal: &mut Terminal) -> Result<Registry, Exit> {
    let builtin = Registry::builtin();
    if specs.is_empty() {
        return Ok(builtin.clone());
    }
    let Described { operators, tables } = read(specs, Scope::Facts, terminal)?;
    let mut schemas = Vec::new();
    for operator in &operators {
        let held = tables::schemas(operator);
        schemas
            .extend(held.ok_or_else(|| terminal.fail(&format!("{} has a type that nests too deep", operator.file)))?);
    }
    let registry = builtin.replacing(schemas).map_err(|duplicate| terminal.fail(&duplicate.to_string()))?;
    Ok(registry.with_releases(tables::releases(tables)))
}

/// The operators of `--specs`, with their examples or without, and its tables.
fn read(specs: &[PathBuf], scope: Scope, terminal: &mut Terminal) -> Result<Described, Exit> {
    let files = folder::read(specs);
    for trouble in &files.troubles {
        terminal.trouble(format_args!("{trouble}"));
    }
    let tables = tables_of(&files, terminal)?;
    match resolve_all(files.descriptors(), tables, scope) {
        Ok(operators) if files.troubles.is_empty() => Ok(Described { operators, tables }),
        Ok(_) => Err(Exit::Trouble),
        Err((_, mistakes)) => Err(terminal.refuse(&mistakes)),
    }
}

/// The tables that files are read with; they live as long as the process, as what is made of them does.
pub(crate) fn tables_of(files: &Files, terminal: &mut Terminal) -> Result<&'static Tables, Exit> {
    match files.tables() {
        (tables, errors) if errors.is_empty() => Ok(Box::leak(Box::new(tables))),
        (_, errors) => Err(terminal.refuse(&SpecErrors(errors))),
    }
}

/// The tables of this build.
pub(crate) fn builtin_tables(terminal: &mut Terminal) -> Result<&'static Tables, Exit> {
    Tables::builtin().map_err(|errors| terminal.fail(&broken(errors)))
}

fn broken(errors: &SpecErrors) -> String {
    format!("the descriptors of this build have mistakes: {errors}")
}

/// What descriptors say: all of them, or as far as it is asked for.
pub(crate) struct Described {
    operators: Vec<Operator>,
    pub(crate) tables: &'static Tables,
}

impl Described {
    /// Reads the descriptors of this build and of `--specs`; otherwise all that is wrong with them has been told.
    pub(crate) fn read(specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        Self::read_where(|_| true, specs, terminal)
    }

    /// The same, and of this build no more than the operator that `Name` or `com.acme::Name` asks for: to read all of
    /// them takes longer than whatever is done with one.
    pub(crate) fn read_one(path: &str, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let asked = domain_and_name(path);
        Self::read_where(|file| described_by(file) == Some(asked), specs, terminal)
    }

    fn read_where(asked: impl Fn(&str) -> bool, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let tables = builtin_tables(terminal)?;
        let files = DESCRIPTORS.iter().copied().filter(|(file, _)| asked(file));
        let resolved = resolve_all(files, tables, Scope::Whole);
        let builtin = resolved.map_err(|(_, errors)| terminal.fail(&broken(&errors)))?;
        if specs.is_empty() {
            return Ok(Self { operators: builtin, tables });
        }
        let mut described = read(specs, Scope::Whole, terminal)?;
        // An operator that `--specs` describes is what stands there.
        let is_new = |one: &Operator| described.find(&one.domain, &one.name).is_none();
        let builtin: Vec<Operator> = builtin.into_iter().filter(is_new).collect();
        described.operators.splice(0..0, builtin);
        Ok(described)
    }

    /// The operator that `Name` or `com.acme::Name` asks for; otherwise what is wrong with that.
    pub(crate) fn operator(&self, path: &str) -> Result<&Operator, String> {
        let (domain, name) = domain_and_name(path);
        self.find(domain, name).ok_or_else(|| self.unknown(domain, name))
    }

    fn find(&self, domain: &str, name: &str) -> Option<&Operator> {
        self.operators.iter().find(|operator| operator.domain == domain && operator.name == name)
    }

    /// The version that is in force at an opset; otherwise why there is none.
    pub(crate) fn version<'o>(&self, operator: &'o Operator, opset: u32) -> Result<&'o Version, String> {
        let Operator { domain, name, versions, .. } = operator;
        self.knows_opset(domain, opset)?;
        operator.in_force(opset).ok_or_else(|| {
            let first = versions.first().map_or(0, |first| first.since);
            format!("{name} is not in opset {opset} of {domain}; it came with opset {first}")
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

    /// An opset past the newest one known of its domain is told; of others nothing is known.
    pub(crate) fn knows_opset(&self, domain: &str, opset: u32) -> Result<(), String> {
        match self.tables.newest_opset(domain) {
            Some(newest) if opset > newest => {
                Err(format!("opset {opset} of {domain} is not known; the newest one known is {newest}"))
            }
            _ => Ok(()),
        }
    }

    fn unknown(&self, domain: &str, name: &str) -> String {
        // Everybody takes ai.onnx for granted, so that it is named only where another is asked for.
        let path = |domain: &str, name: &str| match domain {
            "ai.onnx" => name.to_owned(),
            other => format!("{other}::{name}"),
        };
        let asked = path(domain, name);
        let builtin = DESCRIPTORS.iter().filter_map(|(file, _)| described_by(file));
        let read = self.operators.iter().map(|operator| (&*operator.domain, &*operator.name));
        let known: Vec<(&str, &str)> = builtin.chain(read).collect();
        if let Some((domain, name)) = known.iter().find(|(_, other)| other.eq_ignore_ascii_case(name)) {
            return format!("there is no descriptor of `{asked}`; did you mean `{}`?", path(domain, name));
        }
        let known: Vec<String> = known.into_iter().map(|(domain, name)| path(domain, name)).collect();
        let help =
            suggest(&asked, known.iter().map(String::as_str)).unwrap_or_else(|| "`shape show` knows others".to_owned());
        format!("there is no descriptor of `{asked}`; {help}")
    }
}

/// The domain and the name of the operator that a file of this build describes.
fn described_by(file: &str) -> Option<(&str, &str)> {
    file.strip_suffix(".yaml")?.rsplit_once('/')
}

/// The two parts of `com.acme::Name`, where the default domain may be left out.
pub(crate) fn domain_and_name(path: &str) -> (&str, &str) {
    let (domain, name) = path.rsplit_once("::").unwrap_or(("", path));
    (if domain.is_empty() { "ai.onnx" } else { domain }, name)
}

/// An opset as it is written; otherwise what is wrong with it.
pub(crate) fn opset(text: &str) -> Result<u32, String> {
    let number = text.parse::<u32>().ok().filter(|opset| *opset > 0);
    number.ok_or_else(|| format!("`{text}` is not an opset, which is a number from 1 on"))
}
