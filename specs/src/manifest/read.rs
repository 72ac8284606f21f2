//! Reads manifests, and finds all errors in them.

use std::collections::HashSet;

use serde::Deserialize;

use super::entry::{Cast, Entry, Manifest, NewestOpset, TakenAs};
use super::list::{BUILTIN, Builtin};
use crate::de::{self, Spanned};
use crate::error::{Code, DocumentError, SpecError, SpecErrors, located};
use crate::names::suggest;
use crate::operator::{Operator, Version};
use crate::tables::{Element, RuntimeOperator, Tables, Type};

/// The manifest of a runtime: what it supports.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ManifestFile {
    /// The runtime's name, with the device where it has several: `onnxruntime-cpu`.
    runtime: Option<String>,
    /// Its release.
    release: Option<String>,
    /// An older release of the runtime that this crate has a manifest of: what does not stand here is as it stands there.
    after: Option<Spanned<String>>,
    /// With `after`: the operators of which no entry there holds any more, `com.acme::Gelu` for those of other domains.
    #[serde(default)]
    without: Vec<Spanned<String>>,
    /// What the entries were read from, and what that leaves out.
    #[serde(default)]
    sources: Vec<String>,
    /// The newest IR version of a file that it reads. Left out: no known limit.
    ir_version: Option<Spanned<u32>>,
    /// The newest opset of each domain that it reads. A domain that is left out has no known limit.
    #[serde(default)]
    opsets: Vec<Spanned<OpsetRow>>,
    /// The element types that it casts where a node is not supported as it is.
    #[serde(default)]
    casts: Vec<Spanned<CastRow>>,
    /// The versions that it does not know, and takes for an older one where a node has nothing that this one lacks.
    #[serde(default)]
    taken_as: Vec<Spanned<TakenAsRow>>,
    /// The operators that it supports. Several entries of one add up. With `after`, those of an operator take the place of
    /// all that stand there of it.
    operators: Vec<Spanned<Row>>,
}

/// The newest opset of a domain.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct OpsetRow {
    /// The domain.
    domain: Spanned<String>,
    /// The newest opset of it that the runtime reads.
    newest: Spanned<u32>,
}

/// A cast of all tensors of a node.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct CastRow {
    /// The element type of an input that no entry supports.
    from: Spanned<String>,
    /// The element type that it is cast to.
    to: Spanned<String>,
    /// The first opset of `ai.onnx` in which it is. Left out: the first one.
    since: Option<Spanned<u32>>,
}

/// A version that is taken for an older one.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct TakenAsRow {
    /// The operator.
    operator: Spanned<String>,
    /// Its domain, `ai.onnx` if left out.
    domain: Option<Spanned<String>>,
    /// The version that the runtime does not know.
    version: Spanned<u32>,
    /// The older version that it is taken for.
    #[serde(rename = "as")]
    older: Spanned<u32>,
}

/// An operator that a runtime supports.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Row {
    /// Its name.
    operator: Spanned<String>,
    /// Its domain, `ai.onnx` if left out.
    domain: Option<Spanned<String>>,
    /// The supported versions, by the opsets that introduced them. Left out: all.
    versions: Option<Spanned<Vec<Spanned<u32>>>>,
    /// Whether the runtime has no kernel for it, and runs the body that ONNX defines it by.
    #[serde(default)]
    function: bool,
    /// The opsets of its domain in which it is supported. Left out: all that select one of the versions.
    opsets: Option<Spanned<Vec<Spanned<u32>>>>,
    /// The supported types of every type variable that is not in `variables`. Left out: all.
    types: Option<Words>,
    /// The supported types of single type variables.
    #[serde(default)]
    variables: Vec<Spanned<Variable>>,
}

/// The supported types of a type variable.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Variable {
    /// Its name, such as `T`.
    name: Spanned<String>,
    /// Element types, groups of `types.yaml`, and types such as `seq(tensor(float))`.
    types: Words,
}

type Words = Spanned<Vec<Spanned<String>>>;

/// Reads a manifest. `file` is its name in messages; `known` are the existing operators, each with all versions.
///
/// # Errors
/// Every error of the file, in the order of the lines: an operator that its domain does not have, a version or a type
/// variable that the operator does not have, an opset that selects no listed version, a type that does not exist. What
/// a runtime of `runtimes.yaml` registers on its own exists too. In a domain without known operators every name is
/// accepted, but no versions and type variables.
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
    read_with(file, bytes, Some(known), tables, &[])
}

/// The same, and without `known` operators as if each entry were right. `older` are manifests of the runtime that are read
/// already.
pub(super) fn read_with(
    file: &str,
    bytes: &[u8],
    known: Option<&[Operator]>,
    tables: &Tables,
    older: &[(&'static Builtin, Manifest)],
) -> Result<Manifest, SpecErrors> {
    let root = shape_yaml::parse(bytes).map_err(|error| SpecErrors(vec![SpecError::syntax(file, bytes, error)]))?;
    let de::Read { value, errors, left_out } = de::read::<ManifestFile>(&root);
    let mut reader = Reader { known, tables, left_out, errors };
    let mut manifest = Manifest::default();
    if let Some(file) = value {
        let base = reader.base(&file, older)?;
        reader.head(&file, &mut manifest);
        for row in &file.operators {
            let entry = reader.entry(row);
            if manifest.entries.contains(&entry) {
                let message = format!("there is the same entry of `{}` before", entry.operator);
                reader.tell(row.at, Code::DuplicateName, message, "drop one of the two");
            }
            manifest.entries.push(entry);
        }
        (manifest.runtime, manifest.release, manifest.sources) = (file.runtime, file.release, file.sources);
        if let Some(base) = base {
            let without: Vec<&str> = file.without.iter().map(|name| &*name.value).collect();
            manifest.extend(base, &without);
        }
    }
    let errors = located(file, bytes, reader.errors);
    if errors.is_empty() { Ok(manifest) } else { Err(SpecErrors(errors)) }
}

struct Reader<'r> {
    /// `None` if nothing is looked up in them.
    known: Option<&'r [Operator]>,
    tables: &'r Tables,
    left_out: de::LeftOut,
    errors: Vec<DocumentError>,
}

/// The operator of an entry, as far as anything is known of it.
struct Described<'r> {
    domain: &'r str,
    name: &'r str,
    operator: Option<&'r Operator>,
    /// What a runtime registers on its own.
    own: Vec<&'r RuntimeOperator>,
}

impl Described<'_> {
    /// All versions, oldest first.
    fn versions(&self) -> Vec<u32> {
        let described = self.operator.iter().flat_map(|operator| &operator.versions).map(|version| version.since);
        let own = self.own.iter().filter(|of| !of.deprecated).map(|of| of.since);
        let mut versions: Vec<u32> = described.chain(own).collect();
        versions.sort_unstable();
        versions
    }

    /// The version that is in force at an opset.
    fn in_force(&self, opset: u32) -> Option<u32> {
        let version = self.versions().into_iter().rfind(|since| *since <= opset)?;
        let given_up = self.own.iter().any(|of| of.deprecated && (version..=opset).contains(&of.since));
        (!given_up).then_some(version)
    }
}

impl Reader<'_> {
    fn tell(&mut self, at: shape_yaml::NodeId, code: Code, message: String, help: &str) {
        self.errors.push(DocumentError::new(at, code, message).help(help));
    }

    /// The manifest that the file goes on from.
    fn base(
        &mut self,
        file: &ManifestFile,
        older: &[(&'static Builtin, Manifest)],
    ) -> Result<Option<Manifest>, SpecErrors> {
        let Some(after) = &file.after else {
            if let Some(name) = file.without.first() {
                let message = "there is nothing that the file goes on from".to_owned();
                self.tell(name.at, Code::NothingBefore, message, "say with `after` from which release");
            }
            return Ok(None);
        };
        let runtime = file.runtime.as_deref().unwrap_or_default();
        let of_runtime = BUILTIN.iter().filter(|builtin| builtin.runtime == runtime);
        let Some(base) = of_runtime.clone().find(|builtin| builtin.release == after.value) else {
            let known: Vec<&str> = of_runtime.map(|builtin| builtin.release).collect();
            let message = format!("there is no manifest of `{runtime}` {}", after.value);
            let help = match &*known {
                [] => "leave the field out, and list all that the release has".to_owned(),
                known => format!("there are those of {}", known.join(", ")),
            };
            self.tell(after.at, Code::UnknownRelease, message, &help);
            return Ok(None);
        };
        let base = match older.iter().find(|(of, _)| *of == base) {
            Some((_, read)) => read.clone(),
            None => read_with(base.file, base.bytes, None, self.tables, older)?,
        };
        for name in &file.without {
            if !base.entries.iter().any(|entry| entry.is_of(&name.value)) {
                let message = format!("the manifest of {} has no entry of `{}`", after.value, name.value);
                self.tell(name.at, Code::NothingToRemove, message, "drop the name");
            }
        }
        Ok(Some(base))
    }

    fn head(&mut self, file: &ManifestFile, manifest: &mut Manifest) {
        manifest.ir_version = file.ir_version.as_ref().map(|ir_version| ir_version.value);
        for OpsetRow { domain, newest } in file.opsets.iter().map(|row| &row.value) {
            let name = canonical(&domain.value);
            if manifest.opsets.iter().any(|row| row.domain == name) {
                let message = format!("`{name}` stands here twice");
                self.tell(domain.at, Code::DuplicateName, message, "drop one of the two");
            }
            if newest.value == 0 {
                self.tell(
                    newest.at,
                    Code::UnknownVersion,
                    "opsets are counted from 1".to_owned(),
                    "name the newest one",
                );
            }
            manifest.opsets.push(NewestOpset { domain: name.to_owned(), newest: newest.value });
        }
        for CastRow { from, to, since } in file.casts.iter().map(|row| &row.value) {
            let (Some(from_element), Some(to_element)) = (self.element(from), self.element(to)) else { continue };
            if manifest.casts.iter().any(|cast| cast.from == from_element) {
                let message = format!("`{}` is cast already", from.value);
                self.tell(from.at, Code::DuplicateType, message, "drop one of the two");
            }
            if from_element == to_element {
                let message = format!("`{}` is cast to itself", from.value);
                self.tell(to.at, Code::NoChange, message, "drop the entry");
            }
            let since = since.as_ref().map_or(1, |since| since.value);
            manifest.casts.push(Cast { from: from_element, to: to_element, since });
        }
        manifest.taken_as = file.taken_as.iter().map(|row| self.taken_as(&row.value)).collect();
    }

    fn taken_as(&mut self, TakenAsRow { operator, domain, version, older }: &TakenAsRow) -> TakenAs {
        let domain = canonical(domain.as_ref().map_or("", |domain| &domain.value));
        if let Some(operators) = self.known {
            let described = operators.iter().find(|of| of.domain == domain && of.name == operator.value);
            let versions: Vec<u32> = described.iter().flat_map(|of| &of.versions).map(|of| of.since).collect();
            let known: Vec<String> = versions.iter().map(ToString::to_string).collect();
            let help = format!("its versions: {}", known.join(", "));
            if described.is_none() {
                let message = format!("{domain} has no operator `{}`", operator.value);
                let beside = operators.iter().filter(|of| of.domain == domain).map(|of| &*of.name);
                let help = suggest(&operator.value, beside);
                self.errors.push(DocumentError::new(operator.at, Code::UnknownOperator, message).maybe_help(help));
            }
            let wrong = |of: &&Spanned<u32>| described.is_some() && !versions.contains(&of.value);
            for of in [version, older].into_iter().filter(wrong) {
                self.tell(
                    of.at,
                    Code::UnknownVersion,
                    format!("{} has no version {}", operator.value, of.value),
                    &help,
                );
            }
        }
        if older.value >= version.value {
            let message = format!("version {} is not older than {}", older.value, version.value);
            self.tell(older.at, Code::UnknownVersion, message, "name the version that a node is taken for");
        }
        TakenAs {
            domain: domain.to_owned(),
            operator: operator.value.clone(),
            version: version.value,
            older: older.value,
        }
    }

    fn element(&mut self, name: &Spanned<String>) -> Option<Element> {
        let tables = self.tables;
        let element = tables.element(&name.value).cloned();
        if element.is_none() {
            let help = suggest(&name.value, tables.elements.iter().map(|element| &*element.name));
            let message = format!("there is no element type `{}`", name.value);
            self.errors.push(DocumentError::new(name.at, Code::UnknownType, message).maybe_help(help));
        }
        element
    }

    fn entry(&mut self, row: &Row) -> Entry {
        let name = &*row.operator.value;
        let domain = canonical(row.domain.as_ref().map_or("", |domain| &domain.value));
        let known = self.known.unwrap_or_default();
        let beside: Vec<&Operator> = known.iter().filter(|operator| operator.domain == domain).collect();
        let rows = self.tables.runtimes.iter().flat_map(|runtime| &runtime.operators);
        let of_domain: Vec<&RuntimeOperator> = rows.filter(|of| of.domain == domain).collect();
        let described = Described {
            domain,
            name,
            operator: beside.iter().find(|operator| operator.name == name).copied(),
            own: of_domain.iter().filter(|of| of.operator == name).copied().collect(),
        };
        let is_looked_up = self.known.is_some();
        if is_looked_up && beside.is_empty() {
            self.undescribed(row, &described);
        } else if is_looked_up && described.versions().is_empty() {
            let own = of_domain.iter().map(|of| &*of.operator);
            let help = suggest(name, beside.iter().map(|operator| &*operator.name).chain(own));
            let message = format!("{domain} has no operator `{name}`");
            self.errors.push(DocumentError::new(row.operator.at, Code::UnknownOperator, message).maybe_help(help));
        } else if is_looked_up {
            self.versions(row, &described);
        }
        let mut names = HashSet::new();
        for Variable { name, .. } in row.variables.iter().map(|variable| &variable.value) {
            if !names.insert(&name.value) {
                let message = format!("`{}` stands here twice", name.value);
                self.tell(name.at, Code::DuplicateName, message, "put its types into one list");
            } else if let Some(operator) = described.operator {
                self.variable(name, operator);
            } else if !described.own.is_empty() && self.known.is_some() {
                let message = format!("the type variables of `{domain}::{}` are not known", row.operator.value);
                self.tell(name.at, Code::UnknownTypeVariable, message, "say with `types` what any of them may be");
            }
        }
        let numbers = |list: &Option<Spanned<Vec<Spanned<u32>>>>| {
            list.as_ref().map(|list| list.iter().map(|number| number.value).collect())
        };
        Entry {
            domain: domain.to_owned(),
            operator: name.to_owned(),
            versions: numbers(&row.versions),
            function: row.function,
            opsets: numbers(&row.opsets),
            types: row.types.as_ref().map(|types| self.types(types)),
            variables: (row.variables.iter())
                .map(|variable| (variable.name.value.clone(), self.types(&variable.types)))
                .collect(),
        }
    }

    /// Tells of what nobody can check.
    fn undescribed(&mut self, row: &Row, Described { domain, name, .. }: &Described<'_>) {
        const HELP: &str = "leave it out, or describe the operator and give the descriptor with `--specs`";
        let fields = [
            (row.versions.as_ref().map(|versions| versions.at), Code::UnknownVersion, "versions"),
            (row.variables.first().map(|variable| variable.at), Code::UnknownTypeVariable, "type variables"),
        ];
        for (at, code, what) in fields {
            if let Some(at) = at {
                let message = format!("the {what} of `{domain}::{name}` are not known");
                self.tell(at, code, message, HELP);
            }
        }
    }

    fn versions(&mut self, row: &Row, described: &Described<'_>) {
        let all = described.versions();
        let name = described.name;
        for (at, since) in self.list(row.versions.as_ref(), "version") {
            if all.contains(&since) {
                continue;
            }
            let message = format!("{name} has no version {since}");
            let known: Vec<String> = all.iter().map(ToString::to_string).collect();
            let in_force = match described.in_force(since) {
                Some(version) => format!("; at opset {since} that is {version}"),
                None => String::new(),
            };
            let help = format!("its versions: {}{in_force}", known.join(", "));
            self.tell(at, Code::UnknownVersion, message, &help);
        }
        let listed = row.versions.as_ref().map(|versions| versions.iter().map(|since| since.value).collect::<Vec<_>>());
        for (at, opset) in self.list(row.opsets.as_ref(), "opset") {
            let version = described.in_force(opset);
            if version.is_some_and(|version| listed.as_ref().is_none_or(|listed| listed.contains(&version))) {
                continue;
            }
            let (message, help) = match version {
                Some(version) => (
                    format!("at opset {opset} {name} has the version {version}, which the entry does not list"),
                    "list the version, or drop the opset".to_owned(),
                ),
                None => {
                    let first = all.first().map(ToString::to_string).unwrap_or_default();
                    (format!("opset {opset} has no {name}"), format!("its first version came with opset {first}"))
                }
            };
            self.tell(at, Code::UnknownVersion, message, &help);
        }
    }

    /// The numbers of a list, each with its place. Tells of an empty list, and of numbers that stand there twice.
    fn list(&mut self, list: Option<&Spanned<Vec<Spanned<u32>>>>, what: &str) -> Vec<(shape_yaml::NodeId, u32)> {
        let Some(list) = list else { return Vec::new() };
        if list.is_empty() && !self.left_out.entry_of(list.at) {
            let help = format!("leave the entry out, or the field for all {what}s");
            self.tell(list.at, Code::EmptyList, format!("no {what} at all is supported"), &help);
        }
        let mut numbers: Vec<(shape_yaml::NodeId, u32)> = Vec::new();
        for number in list.iter() {
            if numbers.iter().any(|(_, other)| *other == number.value) {
                let message = format!("the {what} {} stands here twice", number.value);
                self.tell(number.at, Code::DuplicateValue, message, "drop one of the two");
            } else {
                numbers.push((number.at, number.value));
            }
        }
        numbers
    }

    fn variable(&mut self, name: &Spanned<String>, operator: &Operator) {
        let variables: Vec<&str> = operator
            .versions
            .iter()
            .flat_map(Version::by_release)
            .flat_map(|version| &version.types)
            .map(|ty| &*ty.name)
            .collect();
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

fn canonical(domain: &str) -> &str {
    if domain.is_empty() { "ai.onnx" } else { domain }
}
