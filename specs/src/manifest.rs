//! The manifest of a runtime: a small YAML file with what it supports, for comparison with what a model uses.
//!
//! ```yaml
//! operators:
//!   - { operator: Shape }
//!   - { operator: Add, versions: [7, 13, 14], types: [float, int64] }
//!   - operator: Gather
//!     types: [every_float8, float]
//!     variables: [{ name: Tind, types: [int64] }]
//!   - { operator: Gelu, domain: com.acme }
//! ```
//!
//! Fields that an entry leaves out are not limited. Several entries for an operator add up, like kernels that are
//! registered for it.

use std::collections::HashSet;

use serde::Deserialize;

use crate::de::{self, Spanned};
use crate::error::{Code, DocumentError, SpecError, SpecErrors, located};
use crate::names::suggest;
use crate::operator::Operator;
use crate::tables::{Tables, Type};
use crate::yaml;

/// What a runtime supports.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// An operator that a runtime supports, with limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its domain, `ai.onnx` for the default one.
    pub domain: String,
    /// Its name.
    pub operator: String,
    /// The supported versions, by the opsets that introduced them; `None` for all.
    pub versions: Option<Vec<u32>>,
    /// The supported types of type variables that are not in `variables`; `None` for all.
    pub types: Option<Vec<Type>>,
    /// The supported types of individual type variables, by name.
    pub variables: Vec<(String, Vec<Type>)>,
}

impl Entry {
    /// Whether the entry includes a version.
    #[must_use]
    pub fn has_version(&self, since: u32) -> bool {
        self.versions.as_ref().is_none_or(|versions| versions.contains(&since))
    }

    /// The supported types of a type variable; `None` for all.
    #[must_use]
    pub fn types_of(&self, variable: &str) -> Option<&[Type]> {
        let of_variable = self.variables.iter().find(|(name, _)| name == variable).map(|(_, types)| types);
        of_variable.or(self.types.as_ref()).map(Vec::as_slice)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    operators: Vec<Spanned<Row>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    operator: Spanned<String>,
    domain: Option<Spanned<String>>,
    versions: Option<Spanned<Vec<Spanned<u32>>>>,
    types: Option<Words>,
    #[serde(default)]
    variables: Vec<Spanned<Variable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variable {
    name: Spanned<String>,
    types: Words,
}

type Words = Spanned<Vec<Spanned<String>>>;

/// Reads a manifest. `file` is its name in messages; `known` are the existing operators, each with all versions.
///
/// # Errors
/// Every error of the file, in the order of the lines: an operator that its domain does not have, a version or a type
/// variable that the operator does not have, a type that does not exist. In a domain without known operators every name
/// is accepted, but no versions and type variables.
///
/// ```
/// let (known, tables) = (shape_specs::builtin()?, shape_specs::Tables::builtin()?);
/// let read = |text: &str| shape_specs::manifest::read("runtime.yaml", text.as_bytes(), &known, tables);
/// let manifest = read("operators: [{ operator: Add, versions: [13, 14], types: [every_float8, float] }]")?;
/// assert!(manifest.entries[0].has_version(14) && !manifest.entries[0].has_version(7));
/// assert_eq!(manifest.entries[0].types_of("T").unwrap().len(), 5);
/// let error = &read("operators: [{ operator: Add, versions: [12] }]").unwrap_err().0[0];
/// assert_eq!((error.code, error.position.column), ("unknown-version", 41));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(file: &str, bytes: &[u8], known: &[Operator], tables: &Tables) -> Result<Manifest, SpecErrors> {
    let root = yaml::parse(bytes).map_err(|error| SpecErrors(vec![SpecError::syntax(file, bytes, error)]))?;
    let de::Read { value, errors, left_out } = de::read::<File>(&root);
    let mut reader = Reader { known, tables, left_out, errors };
    let mut entries: Vec<Entry> = Vec::new();
    for row in value.iter().flat_map(|file| &file.operators) {
        let entry = reader.entry(row);
        if entries.contains(&entry) {
            let message = format!("there is the same entry of `{}` before", entry.operator);
            reader.tell(row.at, Code::DuplicateName, message, "drop one of the two");
        }
        entries.push(entry);
    }
    let errors = located(file, bytes, reader.errors);
    if errors.is_empty() { Ok(Manifest { entries }) } else { Err(SpecErrors(errors)) }
}

struct Reader<'r> {
    known: &'r [Operator],
    tables: &'r Tables,
    left_out: de::LeftOut,
    errors: Vec<DocumentError>,
}

impl Reader<'_> {
    fn tell(&mut self, at: yaml::NodeId, code: Code, message: String, help: &str) {
        self.errors.push(DocumentError::new(at, code, message).help(help));
    }

    fn entry(&mut self, row: &Row) -> Entry {
        let name = &*row.operator.value;
        let domain = row.domain.as_ref().map_or("", |domain| &domain.value);
        let domain = if domain.is_empty() { "ai.onnx" } else { domain };
        let known = self.known;
        let beside: Vec<&Operator> = known.iter().filter(|operator| operator.domain == domain).collect();
        let operator = beside.iter().find(|operator| operator.name == name).copied();
        if operator.is_none() && !beside.is_empty() {
            let help = suggest(name, beside.iter().map(|operator| &*operator.name));
            let message = format!("{domain} has no operator `{name}`");
            self.errors.push(DocumentError::new(row.operator.at, Code::UnknownOperator, message).maybe_help(help));
        }
        if beside.is_empty() {
            const HELP: &str = "leave it out, or describe the operator and give the descriptor with `--specs`";
            let fields = [
                (row.versions.as_ref().map(|versions| versions.at), Code::UnknownVersion, "versions"),
                (row.variables.first().map(|variable| variable.at), Code::UnknownTypeVariable, "type variables"),
            ];
            for (at, code, what) in fields {
                if let Some(at) = at {
                    self.tell(at, code, format!("the {what} of `{domain}::{name}` are not known"), HELP);
                }
            }
        }
        if let (Some(versions), Some(operator)) = (&row.versions, operator) {
            self.versions(versions, operator);
        }
        let mut names = HashSet::new();
        for Variable { name, .. } in row.variables.iter().map(|variable| &variable.value) {
            if !names.insert(&name.value) {
                let message = format!("`{}` stands here twice", name.value);
                self.tell(name.at, Code::DuplicateName, message, "put its types into one list");
            } else if let Some(operator) = operator {
                self.variable(name, operator);
            }
        }
        Entry {
            domain: domain.to_owned(),
            operator: name.to_owned(),
            versions: row.versions.as_ref().map(|versions| versions.iter().map(|since| since.value).collect()),
            types: row.types.as_ref().map(|types| self.types(types)),
            variables: (row.variables.iter())
                .map(|variable| (variable.name.value.clone(), self.types(&variable.types)))
                .collect(),
        }
    }

    fn versions(&mut self, versions: &Spanned<Vec<Spanned<u32>>>, operator: &Operator) {
        if versions.is_empty() && !self.left_out.entry_of(versions.at) {
            let message = "no version at all is supported".to_owned();
            self.tell(versions.at, Code::EmptyList, message, "leave the entry out, or the field for all versions");
        }
        for (index, since) in versions.iter().enumerate() {
            if versions.iter().take(index).any(|other| other.value == since.value) {
                let message = format!("the version {} stands here twice", since.value);
                self.tell(since.at, Code::DuplicateValue, message, "drop one of the two");
            } else if !operator.versions.iter().any(|version| version.since == since.value) {
                let message = format!("{} has no version {}", operator.name, since.value);
                let known: Vec<String> = operator.versions.iter().map(|version| version.since.to_string()).collect();
                let in_force = match operator.in_force(since.value) {
                    Some(version) => format!("; at opset {} that is {}", since.value, version.since),
                    None => String::new(),
                };
                self.tell(
                    since.at,
                    Code::UnknownVersion,
                    message,
                    &format!("its versions: {}{in_force}", known.join(", ")),
                );
            }
        }
    }

    fn variable(&mut self, name: &Spanned<String>, operator: &Operator) {
        let variables: Vec<&str> =
            operator.versions.iter().flat_map(|version| &version.types).map(|ty| &*ty.name).collect();
        if !variables.contains(&&*name.value) {
            let message = format!("no version of {} has a type variable `{}`", operator.name, name.value);
            let help = suggest(&name.value, variables);
            self.errors.push(DocumentError::new(name.at, Code::UnknownTypeVariable, message).maybe_help(help));
        }
    }

    fn types(&mut self, words: &Words) -> Vec<Type> {
        if words.is_empty() && !self.left_out.entry_of(words.at) {
            let message = "no type at all is supported".to_owned();
            self.tell(words.at, Code::EmptyList, message, "leave the entry out, or the field for all types");
        }
        let mut list = Vec::new();
        for (index, word) in words.iter().enumerate() {
            match self.tables.types(&word.value) {
                Ok(_) if words.iter().take(index).any(|other| other.value == word.value) => {
                    let message = format!("`{}` stands in the list already", word.value);
                    self.tell(word.at, Code::DuplicateType, message, "drop the word");
                }
                Ok(types) => list.extend(types),
                Err((message, help)) => {
                    self.errors.push(DocumentError::new(word.at, Code::UnknownType, message).maybe_help(help));
                }
            }
        }
        list
    }
}
