//! Reads the tables that all descriptors share: element types and their groups, opsets, and the codes of findings.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::de::{self, LeftOut, Spanned};
use crate::error::{Code, DocumentError, SpecError, SpecErrors, located};
use crate::names::suggest;
use crate::signature::{Family, Gives, Signature};

pub use crate::release::ReleaseNumber;

/// An element type of tensors; a row of `types.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// `TensorProto.DataType`.
    pub number: u8,
    /// ONNX's name of the type in type strings: `float`, `int64`.
    pub name: String,
    /// The width of one element in storage, in bits; none for strings.
    pub bits: Option<u8>,
    /// The opset that introduced the type.
    pub since: u32,
}

/// A type of a value, without dimensions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `tensor(float)`
    Tensor(Element),
    /// `sparse_tensor(float)`
    SparseTensor(Element),
    /// `seq(tensor(float))`
    Sequence(Box<Type>),
    /// `optional(tensor(float))`
    Optional(Box<Type>),
    /// `map(int64, tensor(float))`
    Map(Element, Box<Type>),
}

impl Type {
    /// The type as descriptors write it in type lists: `float` for a tensor of it.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Tensor(element) => element.name.clone(),
            other => other.to_string(),
        }
    }

    /// The element types in it.
    pub(crate) fn elements(&self) -> Vec<&Element> {
        match self {
            Self::Tensor(element) | Self::SparseTensor(element) => vec![element],
            Self::Sequence(of) | Self::Optional(of) => of.elements(),
            Self::Map(key, of) => {
                let mut elements = of.elements();
                elements.insert(0, key);
                elements
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor(element) => write!(formatter, "tensor({})", element.name),
            Self::SparseTensor(element) => write!(formatter, "sparse_tensor({})", element.name),
            Self::Sequence(of) => write!(formatter, "seq({of})"),
            Self::Optional(of) => write!(formatter, "optional({of})"),
            Self::Map(key, of) => match &**of {
                // ONNX abbreviates a map to tensors: `map(int64, float)`.
                Self::Tensor(element) => write!(formatter, "map({}, {})", key.name, element.name),
                of => write!(formatter, "map({}, {of})", key.name),
            },
        }
    }
}

/// A release of ONNX, a row of `opsets.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Its version number.
    pub release: String,
    /// The newest IR version that it supports.
    pub ir: u32,
    /// The newest opset of `ai.onnx` that it supports.
    pub opset: u32,
    /// The newest opset of `ai.onnx.ml` that it supports.
    pub ml: u32,
}

impl Release {
    /// The newest opset of a domain that it supports; `None` for a domain that the table does not contain.
    #[must_use]
    pub fn newest(&self, domain: &str) -> Option<u32> {
        match domain {
            "ai.onnx" => Some(self.opset),
            "ai.onnx.ml" => Some(self.ml),
            _ => None,
        }
    }
}

/// A runtime, and the operators that it registers on its own in the domains of ONNX; a row of `runtimes.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// Its name.
    pub runtime: String,
    /// Its releases from the first one on that was looked at, the newest last.
    pub releases: Vec<ReleaseNumber>,
    /// What the operators were read from.
    pub sources: Vec<String>,
    /// The versions that it registers and ONNX does not.
    pub operators: Vec<RuntimeOperator>,
}

/// A version of an operator that a runtime registers and ONNX does not.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuntimeOperator {
    /// Its domain.
    pub domain: String,
    /// The operator.
    pub operator: String,
    /// The first opset that has the version.
    pub since: u32,
    /// Whether the runtime refuses the operator from this version on.
    #[serde(default)]
    pub deprecated: bool,
}

/// A code of findings; a row of `codes.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CodeEntry {
    /// The code.
    pub code: String,
    /// The severity of its findings.
    pub severity: Severity,
    /// The title, in one line.
    pub title: String,
    /// What it means, and how to fix it.
    pub explain: String,
}

/// A family of rules, a row of `rules.yaml`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct FamilyEntry {
    /// Its name, and that of its file in `shape-core/src/rules`.
    family: String,
    /// What its rules have in common.
    doc: String,
    /// Its rules.
    rules: Vec<SignatureEntry>,
}

/// A rule of onnxspec-core.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct SignatureEntry {
    /// Its signature, with the kind of each parameter: `reduce(data: tensor, axes: axes?, keepdims: flag = 1)`.
    call: Spanned<String>,
    /// What it computes.
    gives: Vec<Gives>,
    /// Whether the structs of operators that use it have `infer_typed`, whose element types the compiler checks.
    #[serde(default)]
    typed: bool,
    /// What it computes, in one sentence.
    doc: String,
}

/// A check of onnxspec-core that rules of profiles use; a row of `checks.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CheckTableEntry {
    /// Its name, and that of its function.
    pub name: String,
    /// The arguments that a rule must pass.
    pub arguments: Vec<String>,
    /// What it checks.
    pub of: Vec<CheckScope>,
    /// The file of its function, relative to the root of the repository.
    pub file: String,
}

/// What a check applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CheckScope {
    /// The model as a whole.
    Model,
    /// Each graph.
    Graph,
    /// Each node.
    Node,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// The shared tables.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// The element types by number.
    pub elements: Vec<Element>,
    /// The groups in the order of the file, each flattened and sorted by number.
    pub groups: Vec<(String, Vec<Element>)>,
    /// The releases, oldest first.
    pub releases: Vec<Release>,
    /// Experimental operators that early releases had in `ai.onnx`, and that never became part of it.
    pub experimental: Vec<String>,
    /// The codes, in the order of the file.
    pub codes: Vec<CodeEntry>,
    /// The rules of onnxspec-core, by family.
    pub families: Vec<Family>,
    /// The checks of onnxspec-core.
    pub checks: Vec<CheckTableEntry>,
    /// The operators that runtimes register on their own in the domains of ONNX.
    pub runtimes: Vec<Runtime>,
}

/// The element types of ONNX tensors, and named groups of them.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TypesFile {
    /// The element types, by number.
    elements: Vec<Spanned<Element>>,
    /// The groups; a group may name earlier ones.
    groups: Vec<GroupEntry>,
}

/// A named group of element types.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct GroupEntry {
    /// Its name in the type lists of descriptors.
    name: Spanned<String>,
    /// Element types and earlier groups.
    allow: Vec<Spanned<String>>,
}

/// The opsets of each release of ONNX.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OpsetsFile {
    /// The releases, oldest first.
    releases: Spanned<Vec<Spanned<Release>>>,
    /// Experimental operators that early releases had in `ai.onnx`, and that never became part of it.
    #[serde(default)]
    experimental: Vec<String>,
}

/// The kinds of findings about models.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CodesFile {
    /// The codes, in the order in which `shape explain` lists them.
    codes: Vec<CodeEntry>,
}

/// The rules of onnxspec-core, which compute the dimensions and elements of outputs.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesFile {
    /// The rules, by family.
    families: Vec<FamilyEntry>,
}

/// The checks of onnxspec-core, which rules of profiles use.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ChecksFile {
    /// The checks.
    checks: Vec<CheckTableEntry>,
}

/// Operators that runtimes register on their own in the domains of ONNX.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RuntimesFile {
    /// The runtimes.
    runtimes: Vec<Spanned<Runtime>>,
}

impl Tables {
    /// The files of this crate, in the order of [`Tables::read`]: their names and contents.
    pub const FILES: [(&'static str, &'static [u8]); 6] = [
        ("types.yaml", include_bytes!("../types.yaml")),
        ("opsets.yaml", include_bytes!("../opsets.yaml")),
        ("codes.yaml", include_bytes!("../codes.yaml")),
        ("rules.yaml", include_bytes!("../rules.yaml")),
        ("checks.yaml", include_bytes!("../checks.yaml")),
        ("runtimes.yaml", include_bytes!("../runtimes.yaml")),
    ];

    /// The tables of this crate, read once.
    ///
    /// # Errors
    /// Every error in the files.
    pub fn builtin() -> Result<&'static Self, &'static SpecErrors> {
        static TABLES: OnceLock<Result<Tables, SpecErrors>> = OnceLock::new();
        TABLES.get_or_init(|| Self::read(Self::FILES)).as_ref()
    }

    /// The tables for the descriptors of a user's folder: element types, groups, opsets and runtimes come from the folder if it
    /// has these files, everything else from this crate.
    ///
    /// Files that are not named like one of [`Tables::FILES`] are ignored. Also returns every error of every file,
    /// including an element type that this crate does not have and a second file of the same name; a file with errors
    /// is replaced by this crate's.
    pub fn of_folder<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> (Self, Vec<SpecError>) {
        let builtin = match Self::builtin() {
            Ok(builtin) => builtin,
            Err(SpecErrors(errors)) => return (Self::default(), errors.clone()),
        };
        let (mut tables, mut errors, mut seen) = (builtin.clone(), Vec::new(), [""; Self::FILES.len()]);
        for (name, bytes) in files {
            let Some(at) = Self::file(name) else { continue };
            let Some(first) = seen.get_mut(at) else { continue };
            if !first.is_empty() {
                let twin = DocumentError::new(0, Code::DuplicateName, format!("{first} has this table already"));
                errors.extend(located(name, bytes, vec![twin.help("give the folders one after the other")]));
                continue;
            }
            *first = name;
            let mut read = Self::FILES;
            if let Some(file) = read.get_mut(at) {
                *file = (name, bytes);
            }
            match Self::read_within(read, Some(&builtin.elements)) {
                Ok(Self { elements, groups, releases, runtimes, .. }) => match at {
                    0 => (tables.elements, tables.groups) = (elements, groups),
                    1 => tables.releases = releases,
                    5 => tables.runtimes = runtimes,
                    _ => {}
                },
                Err(SpecErrors(more)) => errors.extend(more),
            }
        }
        (tables, errors)
    }

    /// The index in [`Tables::FILES`] of the table with this file name.
    #[must_use]
    pub fn file(path: &str) -> Option<usize> {
        let name = Path::new(path).file_name()?;
        Self::FILES.iter().position(|(table, _)| name == *table)
    }

    /// Reads the files in the order of [`Tables::FILES`]; each name is used in errors.
    ///
    /// # Errors
    /// Every error in them.
    pub fn read(files: [(&str, &[u8]); 6]) -> Result<Self, SpecErrors> {
        Self::read_within(files, None)
    }

    /// The same, but every element type must be one of `known`.
    fn read_within(
        [types, opsets, codes, rules, checks, runtimes]: [(&str, &[u8]); 6],
        known: Option<&[Element]>,
    ) -> Result<Self, SpecErrors> {
        let mut errors = Vec::new();
        let (elements, groups) = read_file(types, &mut errors, |file: TypesFile, left_out, errors| {
            for element in known.into_iter().flat_map(|known| unknown(&file.elements, known)) {
                let message = format!("this build does not have the element type `{}` as it stands here", element.name);
                let error = DocumentError::new(element.at, Code::UnknownType, message);
                errors.push(error.help("the command has to be built anew with this file; groups may be new"));
            }
            let elements: Vec<Element> = file.elements.into_iter().map(|element| element.value).collect();
            let groups = flatten(&elements, &file.groups, left_out, errors);
            (elements, groups)
        });
        let (releases, experimental) = read_file(opsets, &mut errors, |file: OpsetsFile, left_out, errors| {
            in_order(&file.releases, left_out, errors);
            (file.releases.value.into_iter().map(|release| release.value).collect(), file.experimental)
        });
        let codes = read_file(codes, &mut errors, |file: CodesFile, _, _| file.codes);
        let families = read_file(rules, &mut errors, |file: RulesFile, left_out, errors| {
            families(file.families, left_out, errors)
        });
        let checks = read_file(checks, &mut errors, |file: ChecksFile, _, _| file.checks);
        let runtimes = read_file(runtimes, &mut errors, |file: RuntimesFile, _, errors| {
            file.runtimes.into_iter().map(|runtime| ascending(runtime, errors)).collect()
        });
        if errors.is_empty() {
            Ok(Self { elements, groups, releases, experimental, codes, families, checks, runtimes })
        } else {
            Err(SpecErrors(errors))
        }
    }

    /// The newest known opset of a domain; `None` for a domain without a table.
    #[must_use]
    pub fn newest_opset(&self, domain: &str) -> Option<u32> {
        self.releases.iter().filter_map(|release| release.newest(domain)).max()
    }

    /// The rules of onnxspec-core.
    pub fn rules(&self) -> impl Iterator<Item = &Signature> {
        self.families.iter().flat_map(|family| &family.rules)
    }

    /// The family of a rule of onnxspec-core.
    #[must_use]
    pub fn family_of(&self, rule: &str) -> Option<&Family> {
        self.families.iter().find(|family| family.rules.iter().any(|one| one.name == rule))
    }

    /// The element type with this name.
    #[must_use]
    pub fn element(&self, name: &str) -> Option<&Element> {
        self.elements.iter().find(|element| element.name == name)
    }

    /// The types that a word of a type list stands for: an element type, a group, or a type such as
    /// `seq(tensor(float))`, in which a group stands for each of its members.
    ///
    /// # Errors
    /// The message and the help, if the word has no meaning.
    pub fn types(&self, word: &str) -> Result<Vec<Type>, (String, Option<String>)> {
        if word.contains('(') {
            return self.parse_types(word);
        }
        let elements = self.members(word).ok_or_else(|| self.no_word(word))?;
        Ok(elements.into_iter().map(Type::Tensor).collect())
    }

    /// The members of a group, or the element type with this name.
    fn members(&self, name: &str) -> Option<Vec<Element>> {
        let group = self.groups.iter().find(|(group, _)| group == name).map(|(_, elements)| elements.clone());
        group.or_else(|| self.element(name).map(|element| vec![element.clone()]))
    }

    fn no_word(&self, word: &str) -> (String, Option<String>) {
        let known =
            self.elements.iter().map(|element| &*element.name).chain(self.groups.iter().map(|(name, _)| &**name));
        (format!("there is no element type and no group `{word}`"), suggest(word, known))
    }

    /// Reads a type such as `tensor(int64)`.
    ///
    /// # Errors
    /// The message and the help, if the text is not a type.
    pub fn parse_type(&self, text: &str) -> Result<Type, (String, Option<String>)> {
        match &*self.parse_types(text)? {
            [ty] => Ok(ty.clone()),
            types => {
                let help = "declare a type variable that allows them".to_owned();
                Err((format!("`{text}` is {} types", types.len()), Some(help)))
            }
        }
    }

    fn parse_types(&self, text: &str) -> Result<Vec<Type>, (String, Option<String>)> {
        const FORMS: [&str; 5] = ["tensor", "sparse_tensor", "seq", "optional", "map"];
        let text = text.trim();
        let (form, inner) =
            text.split_once('(').and_then(|(form, rest)| Some((form, rest.strip_suffix(')')?))).ok_or_else(|| {
                let help =
                    "a type is written `tensor(int64)`, `seq(tensor(float))` or `map(int64, tensor(float))`".to_owned();
                (format!("`{text}` is not a type"), Some(help))
            })?;
        // The nesting of types is limited, but a text of a million parentheses must not exhaust the stack first.
        if text.matches('(').count() > 8 {
            return Err((format!("`{form}(...` nests deeper than any type of ONNX"), None));
        }
        let element = |name: &str| {
            let name = name.trim();
            self.element(name).cloned().ok_or_else(|| {
                let known = self.elements.iter().map(|element| &*element.name);
                (format!("there is no element type `{name}`"), suggest(name, known))
            })
        };
        let elements = |name: &str| self.members(name.trim()).ok_or_else(|| self.no_word(name.trim()));
        let each = |types: Vec<Type>, form: fn(Box<Type>) -> Type| types.into_iter().map(Box::new).map(form).collect();
        match form.trim() {
            "tensor" => Ok(elements(inner)?.into_iter().map(Type::Tensor).collect()),
            "sparse_tensor" => Ok(elements(inner)?.into_iter().map(Type::SparseTensor).collect()),
            "seq" => Ok(each(self.parse_types(inner)?, Type::Sequence)),
            "optional" => Ok(each(self.parse_types(inner)?, Type::Optional)),
            "map" => {
                let (key, value) = inner.split_once(',').ok_or_else(|| {
                    (
                        format!("`{text}` lacks the type of its values"),
                        Some("write `map(int64, tensor(float))`".to_owned()),
                    )
                })?;
                let value = value.trim();
                // ONNX abbreviates a map to scalars: `map(int64, float)`.
                let values = match value.contains('(') {
                    true => self.parse_types(value)?,
                    false => elements(value)?.into_iter().map(Type::Tensor).collect(),
                };
                let key = element(key)?;
                Ok(values.into_iter().map(|value| Type::Map(key.clone(), Box::new(value))).collect())
            }
            other => Err((format!("there is no type `{other}(...)`"), suggest(other, FORMS))),
        }
    }

    /// The group with exactly these members, if there is one.
    #[must_use]
    pub fn group_of(&self, types: &[Type]) -> Option<&str> {
        self.groups
            .iter()
            .find(|(_, elements)| {
                elements.len() == types.len()
                    && elements.iter().zip(types).all(|(element, ty)| matches!(ty, Type::Tensor(of) if of == element))
            })
            .map(|(name, _)| &**name)
    }
}

/// The result of reading a file, and its errors.
fn read_file<F: DeserializeOwned, T: Default>(
    (name, bytes): (&str, &[u8]),
    errors: &mut Vec<SpecError>,
    make: impl FnOnce(F, &LeftOut, &mut Vec<DocumentError>) -> T,
) -> T {
    let root = match shape_yaml::parse(bytes) {
        Ok(root) => root,
        Err(error) => {
            errors.push(SpecError::syntax(name, bytes, error));
            return T::default();
        }
    };
    let de::Read { value, errors: mut in_file, left_out } = de::read::<F>(&root);
    let made = value.map(|file| make(file, &left_out, &mut in_file)).unwrap_or_default();
    errors.extend(located(name, bytes, in_file));
    made
}

/// The rules by family; a repeated name is an error.
fn families(entries: Vec<FamilyEntry>, left_out: &LeftOut, errors: &mut Vec<DocumentError>) -> Vec<Family> {
    let mut names: Vec<String> = Vec::new();
    let mut rule = |entry: SignatureEntry| match Signature::parse(&entry.call) {
        Ok(signature) => {
            if names.contains(&signature.name) {
                let message = format!("there is a rule `{}` already", signature.name);
                errors.push(DocumentError::new(entry.call.at, Code::DuplicateName, message));
            }
            names.push(signature.name.clone());
            Some(Signature { gives: entry.gives, typed: entry.typed, doc: entry.doc, ..signature })
        }
        Err(_) if left_out.within(entry.call.at) => None,
        Err((message, help)) => {
            errors.push(DocumentError::new(entry.call.at, Code::RuleForm, message).maybe_help(help));
            None
        }
    };
    let family = |entry: FamilyEntry| Family {
        name: entry.family,
        doc: entry.doc,
        rules: entry.rules.into_iter().filter_map(&mut rule).collect(),
    };
    entries.into_iter().map(family).collect()
}

/// Reports releases that support less than the one before: the last release must be the maximum.
fn in_order(releases: &Spanned<Vec<Spanned<Release>>>, left_out: &LeftOut, errors: &mut Vec<DocumentError>) {
    if releases.is_empty() && !left_out.within(releases.at) {
        errors.push(DocumentError::new(releases.at, Code::EmptyList, "there is no release".to_owned()));
    }
    for (before, release) in releases.iter().zip(releases.iter().skip(1)) {
        let facts = |release: &Release| [("IR", release.ir), ("ai.onnx", release.opset), ("ai.onnx.ml", release.ml)];
        for ((of, known), (_, number)) in facts(before).into_iter().zip(facts(release)) {
            if number < known {
                let message = format!(
                    "release {} has version {number} of {of}, and {} before it version {known}",
                    release.release, before.release
                );
                errors.push(
                    DocumentError::new(release.at, Code::VersionOrder, message).help("the oldest release comes first"),
                );
            }
        }
    }
}

/// A runtime whose releases must ascend.
fn ascending(runtime: Spanned<Runtime>, errors: &mut Vec<DocumentError>) -> Runtime {
    let Spanned { value, at } = runtime;
    if !value.releases.is_sorted_by(|before, after| before < after) || value.releases.is_empty() {
        let message = format!("the releases of {} do not ascend", value.runtime);
        errors.push(DocumentError::new(at, Code::VersionOrder, message).help("the oldest release comes first"));
    }
    value
}

/// The element types that this crate does not know in this form; the opset of a type is not compared.
fn unknown<'e>(elements: &'e [Spanned<Element>], known: &[Element]) -> impl Iterator<Item = &'e Spanned<Element>> {
    let facts = |element: &Element| (element.number, element.name.clone(), element.bits);
    let known: Vec<_> = known.iter().map(facts).collect();
    elements.iter().filter(move |element| !known.contains(&facts(element)))
}

/// The groups, with the groups that they name replaced by their members. A group can only name earlier ones, so none
/// can contain itself.
fn flatten(
    elements: &[Element],
    entries: &[GroupEntry],
    left_out: &LeftOut,
    errors: &mut Vec<DocumentError>,
) -> Vec<(String, Vec<Element>)> {
    let mut groups: Vec<(String, Vec<Element>)> = Vec::new();
    let by_name: BTreeMap<&str, &Element> = elements.iter().map(|element| (&*element.name, element)).collect();
    for entry in entries {
        let mut members = Vec::new();
        for word in &entry.allow {
            if let Some(element) = by_name.get(word.as_str()) {
                members.push((*element).clone());
            } else if let Some((_, of)) = groups.iter().find(|(name, _)| *name == **word) {
                members.extend(of.iter().cloned());
            } else if !left_out.mentions(word) {
                let known = by_name.keys().copied().chain(groups.iter().map(|(name, _)| &**name));
                let message = format!("there is no element type and no earlier group `{}`", word.value);
                errors.push(DocumentError::new(word.at, Code::UnknownType, message).maybe_help(suggest(word, known)));
            }
        }
        members.sort();
        members.dedup();
        if groups.iter().any(|(name, _)| *name == *entry.name) {
            let message = format!("there is a group `{}` already", entry.name.value);
            errors.push(DocumentError::new(entry.name.at, Code::DuplicateName, message));
        }
        groups.push((entry.name.value.clone(), members));
    }
    groups
}
