//! The descriptors of this build and of `--specs`, and the operators and versions in them.

#[cfg(feature = "authoring")]
pub(crate) mod authoring;
pub(crate) mod folder;
pub(crate) mod json;
pub(crate) mod tables;

use std::fmt;
use std::path::{Path, PathBuf};

use shape_core::Registry;
use shape_core::opset::canonical_domain;
#[cfg(feature = "generate")]
use shape_specs::manifest::{self, Limit};
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
    if specs.is_empty() {
        return Ok(Registry::builtin().clone());
    }
    let descriptors = read(specs, Scope::Facts, terminal)?;
    descriptors.registry().map_err(|error| terminal.fail(&error))
}

/// The same, with the limits of a runtime among the requirements of the versions: a node that meets them is one that it
/// takes.
#[cfg(feature = "generate")]
pub(crate) fn limited_registry(runtime: &str, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Registry, Exit> {
    let limited = manifest::limited(runtime).map_err(|errors| terminal.fail(&invalid(&errors)))?;
    if limited.is_empty() {
        return registry(specs, terminal);
    }
    let tables = builtin_tables(terminal)?;
    let is_limited = |(domain, name): (&str, &str)| limited.iter().any(|of| (&*of.0, &*of.1) == (domain, name));
    let files = DESCRIPTORS.iter().copied().filter(|(file, _)| operator_of(file).is_some_and(is_limited));
    let mut operators =
        resolve_all(files, tables, Scope::Facts).map_err(|(_, errors)| terminal.fail(&invalid(&errors)))?;
    let limits = manifest::limits(runtime, &operators).map_err(|errors| terminal.fail(&invalid(&errors)))?;
    for operator in &mut operators {
        let of_operator = |limit: &&Limit| limit.domain == operator.domain && limit.operator == operator.name;
        let of_operator: Vec<&Limit> = limits.iter().filter(of_operator).collect();
        for version in &mut operator.versions {
            let about = of_operator.iter().filter(|limit| limit.is_about(version));
            let requirements: Vec<_> = about.map(|limit| limit.requirement.clone()).collect();
            version.requires.extend(requirements);
        }
    }
    let descriptors = Descriptors { operators, tables };
    let descriptors = match specs {
        [] => descriptors,
        // A descriptor of `--specs` replaces the one of this build, whose limits are not those of its operator.
        _ => read(specs, Scope::Facts, terminal)?.beside(descriptors.operators),
    };
    descriptors.registry().map_err(|error| terminal.fail(&error))
}

/// Descriptors that are read at run time: what the option `--specs` of the command names.
///
/// ```
/// use shape_cli::Specs;
/// let specs = Specs::read(&[concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/custom/Extent.yaml").into()])?;
/// assert!(!specs.registry()?.operator("com.acme", "Extent").is_empty());
/// # Ok::<(), String>(())
/// ```
pub struct Specs {
    files: Files,
}

impl Specs {
    /// Reads files, and of folders each `*.yaml` in them and in their subfolders, which are domains.
    ///
    /// # Errors
    /// Which of them cannot be read, and why: a line for each.
    pub fn read(paths: &[PathBuf]) -> Result<Self, String> {
        let files = folder::read(paths);
        if files.errors.is_empty() { Ok(Self { files }) } else { Err(files.errors.join("\n")) }
    }

    /// The content of the files, to see whether they changed: each with its name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.all().map(|file| (&*file.name, &*file.bytes))
    }

    /// The operators of this build and of the descriptors. The tables of the latter live as long as the process, so that a
    /// caller keeps the registry for as long as the files stay the same.
    ///
    /// # Errors
    /// All that is wrong with the descriptors, each with its file, line and column, and what would be right.
    pub fn registry(&self) -> Result<Registry, String> {
        resolve(&self.files, Scope::Facts).map_err(|errors| errors.to_string())?.registry()
    }
}

impl fmt::Debug for Specs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.files().map(|(name, _)| name)).finish()
    }
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
    let resolved = resolve(&files, scope);
    steps.end("read");
    terminal.took(Path::new("--specs"), &steps);
    let descriptors = resolved.map_err(|errors| terminal.fail_on_specs(&errors))?;
    if files.errors.is_empty() { Ok(descriptors) } else { Err(Exit::Failure) }
}

/// What the descriptors of these files say.
fn resolve(files: &Files, scope: Scope) -> Result<Descriptors, SpecErrors> {
    let tables = leaked_tables(files)?;
    let operators = resolve_all(files.descriptors(), tables, scope).map_err(|(_, errors)| errors)?;
    Ok(Descriptors { operators, tables })
}

/// The tables of these files. Reports all errors in them.
#[cfg(feature = "authoring")]
pub(crate) fn tables_of(files: &Files, terminal: &mut Terminal) -> Result<&'static Tables, Exit> {
    leaked_tables(files).map_err(|errors| terminal.fail_on_specs(&errors))
}

/// The tables of these files. They live as long as the process, because the schemas that borrow them do.
fn leaked_tables(files: &Files) -> Result<&'static Tables, SpecErrors> {
    match files.tables() {
        (tables, errors) if errors.is_empty() => Ok(Box::leak(Box::new(tables))),
        (_, errors) => Err(SpecErrors(errors)),
    }
}

/// The tables of this build.
pub(crate) fn builtin_tables(terminal: &mut Terminal) -> Result<&'static Tables, Exit> {
    Tables::builtin().map_err(|errors| terminal.fail(&invalid(errors)))
}

/// What is wrong with this build.
pub(crate) fn invalid(errors: &SpecErrors) -> String {
    format!("the descriptors of this build have errors: {errors}")
}

/// Operators with all that their descriptors say, and the tables that they use.
pub(crate) struct Descriptors {
    operators: Vec<Operator>,
    pub(crate) tables: &'static Tables,
}

impl Descriptors {
    /// The operators of this build, and these in the place of those with the same names.
    fn registry(&self) -> Result<Registry, String> {
        let mut schemas = Vec::new();
        for operator in &self.operators {
            let of_operator = tables::schemas(operator);
            let too_deep = || format!("{} has a type that is nested too deeply", operator.file);
            schemas.extend(of_operator.ok_or_else(too_deep)?);
        }
        let registry = Registry::builtin().replacing(schemas).map_err(|duplicate| duplicate.to_string())?;
        Ok(registry.with_releases(tables::releases(self.tables)))
    }

    /// Reads the descriptors of this build and of `--specs`; `scope` decides whether examples are read, which takes longer
    /// than the rest. Reports all errors in what is read.
    pub(crate) fn read(scope: Scope, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        Self::read_where(|_| true, scope, specs, terminal)
    }

    /// Reads the descriptors of `--specs`, and of this build only the operator `Name` or `com.acme::Name`: to read all
    /// of them takes longer than most commands.
    pub(crate) fn read_one(path: &str, specs: &[PathBuf], terminal: &mut Terminal) -> Result<Self, Exit> {
        let wanted = domain_and_name(path);
        Self::read_where(|file| operator_of(file) == Some(wanted), Scope::Whole, specs, terminal)
    }

    fn read_where(
        wanted: impl Fn(&str) -> bool,
        scope: Scope,
        specs: &[PathBuf],
        terminal: &mut Terminal,
    ) -> Result<Self, Exit> {
        let tables = builtin_tables(terminal)?;
        let files = DESCRIPTORS.iter().copied().filter(|(file, _)| wanted(file));
        let resolved = resolve_all(files, tables, scope);
        let builtin = resolved.map_err(|(_, errors)| terminal.fail(&invalid(&errors)))?;
        if specs.is_empty() {
            return Ok(Self { operators: builtin, tables });
        }
        // A descriptor of `--specs` replaces the one of this build.
        Ok(read(specs, scope, terminal)?.beside(builtin))
    }

    /// Reads the descriptors of these files, and of this build the operator `Name` or `com.acme::Name`.
    ///
    /// # Errors
    /// All that is wrong with them.
    #[cfg(feature = "pages")]
    pub(crate) fn find_one(path: &str, specs: Option<&Specs>) -> Result<Self, String> {
        let wanted = domain_and_name(path);
        let tables = Tables::builtin().map_err(invalid)?;
        let files = DESCRIPTORS.iter().copied().filter(|(file, _)| operator_of(file) == Some(wanted));
        let builtin = resolve_all(files, tables, Scope::Whole).map_err(|(_, errors)| invalid(&errors))?;
        let Some(specs) = specs else { return Ok(Self { operators: builtin, tables }) };
        let added = resolve(&specs.files, Scope::Whole).map_err(|errors| errors.to_string())?;
        Ok(added.beside(builtin))
    }

    /// With these operators too, but for those that it has itself.
    fn beside(mut self, others: Vec<Operator>) -> Self {
        let is_new = |one: &Operator| self.find(&one.domain, &one.name).is_none();
        let others: Vec<Operator> = others.into_iter().filter(is_new).collect();
        self.operators.splice(0..0, others);
        self
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
        if let Some(Runtime { runtime, releases, .. }) = self.tables.runtimes.iter().find(has_own) {
            let release = releases.last().map_or(String::new(), ToString::to_string);
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
