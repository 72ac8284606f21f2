//! Creates new descriptors from facts, and appends new versions to existing ones.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::{fmt, iter};

use shape_specs::SpecErrors;
use shape_specs::document::UNSAID;
use shape_specs::names::is_of_onnx;
use shape_specs::operator::{Attribute, Operator, Version};
use shape_specs::resolve;
use shape_specs::tables::{Release, ReleaseNumber, Tables};

use super::facts::{FACTS_VERSION, Facts, FactsError, ONNX, VersionFacts};
use super::text;
use crate::diff::{self, Change};
use crate::write::insert;

/// A file that an import creates or extends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its path in the folder of the descriptors: `ai.onnx/Add.yaml`.
    pub file: String,
    /// Its whole text.
    pub text: String,
    /// The added versions.
    pub versions: Vec<u32>,
}

/// Why an import is refused.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The existing descriptors have errors.
    Errors(SpecErrors),
    /// The facts are invalid, or contradict a descriptor.
    Facts(Vec<FactsError>),
}

/// A version that the facts have and the descriptors do not.
///
/// Its `Display` is a line: `ai.onnx::Abs-29: a new version: types of T widened by bool`.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// The version: `ai.onnx::Abs-29`.
    pub version: String,
    /// The release that changed it in place, if it is no new version.
    pub release: Option<ReleaseNumber>,
    /// What it changes in the facts of the version before it; `None` if there is no version before it.
    pub changes: Option<Vec<Change>>,
}

impl fmt::Display for Added {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, release, changes } = self;
        let Some(changes) = changes else { return write!(formatter, "{version}: a new operator") };
        let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
        let changes = if changes.is_empty() { "the facts of the one before it".to_owned() } else { changes.join("; ") };
        match release {
            Some(release) => write!(formatter, "{version}: changed in release {release}: {changes}"),
            None => write!(formatter, "{version}: a new version: {changes}"),
        }
    }
}

/// The differences between facts and descriptors.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Where the facts are invalid, or contradict a descriptor.
    pub differences: Vec<FactsError>,
    /// The versions to add, in the order of the facts.
    pub added: Vec<Added>,
    /// The operators of the facts' domains that have a descriptor and that the facts do not have: `ai.onnx::Abs`.
    pub absent: Vec<String>,
    /// The release of the facts, if it has an opset or an IR version that the tables do not have.
    pub release: Option<Release>,
    /// The files to write so that the descriptors contain every version of the facts, if nothing contradicts.
    pub written: Vec<Written>,
}

/// The files to write so that the descriptors contain every version of the facts; empty if they already do.
///
/// `files` are the existing descriptors, each with its path in their folder and its contents, including the shared
/// tables: the release is added to `opsets.yaml` if it is newer.
///
/// # Errors
/// Everything that prevents the import, see [`Refusal`].
pub fn import(facts: &Facts, files: &[(&str, &[u8])], tables: &Tables) -> Result<Vec<Written>, Refusal> {
    let Comparison { differences, written, .. } = compare(facts, files, tables).map_err(Refusal::Errors)?;
    if differences.is_empty() { Ok(written) } else { Err(Refusal::Facts(differences)) }
}

/// Compares facts with descriptors, which are given as to [`import`].
///
/// ```
/// use shape_changes::import::{Facts, compare};
///
/// let facts: Facts = serde_json::from_str(
///     r#"{ "facts_version": 1, "release": "1.0", "type_sets": [["tensor(float)"]], "operators": [{
///         "domain": "com.acme", "name": "Twice", "since_version": 1,
///         "min_input": 1, "max_input": 1, "inputs": [{ "name": "X", "type": "T" }],
///         "min_output": 1, "max_output": 1, "outputs": [{ "name": "Y", "type": "T" }],
///         "attributes": [], "types": [{ "name": "T", "allow": 0 }] }] }"#,
/// )?;
/// let comparison = compare(&facts, &[], shape_specs::Tables::builtin()?)?;
/// assert_eq!(comparison.added[0].to_string(), "com.acme::Twice-1: a new operator");
/// assert!(comparison.differences.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of the descriptors, if they have any.
pub fn compare(facts: &Facts, files: &[(&str, &[u8])], tables: &Tables) -> Result<Comparison, SpecErrors> {
    let mut comparison = Comparison::default();
    let say = |operator: Option<String>, message: String| FactsError { operator, message };
    if facts.facts_version != FACTS_VERSION {
        let message = format!(
            "the facts are of form {}, and this program reads form {FACTS_VERSION}; dump them with its own dump.py",
            facts.facts_version
        );
        comparison.differences.push(say(None, message));
        return Ok(comparison);
    }
    if let Some(next) = &facts.before {
        let message = format!("the facts are only what release {} has otherwise than {next}", facts.release);
        comparison.differences.push(say(None, message));
        return Ok(comparison);
    }
    let with_release = with_release(facts, tables);
    let brought = brought(facts, tables);
    let mut described: BTreeMap<(String, String), (&str, &[u8], Operator)> = BTreeMap::new();
    let mut errors = Vec::new();
    for (file, bytes) in files.iter().filter(|(file, _)| Tables::file(file).is_none()) {
        match resolve(file, bytes, &with_release) {
            Ok(operator) => {
                let key = (operator.domain.clone(), operator.name.clone());
                described.insert(key, (file, bytes, operator));
            }
            Err(SpecErrors(found)) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(SpecErrors(errors));
    }
    let mut operators: BTreeMap<(&str, &str), Vec<&VersionFacts>> = BTreeMap::new();
    for version in &facts.operators {
        operators.entry((&version.domain, &version.name)).or_default().push(version);
    }
    let of_facts = |domain: &String| operators.keys().any(|(other, _)| other == domain);
    let release = facts.runtime_release(&with_release).map(|(_, number)| number);
    let is_later = |of: &Operator| {
        release.is_some_and(|release| of.versions.iter().all(|version| version.in_release(release).is_none()))
    };
    let absent = described.iter().filter(|((domain, name), (.., operator))| {
        of_facts(domain) && !operators.contains_key(&(domain, name)) && !is_later(operator)
    });
    comparison.absent = absent.map(|((domain, name), _)| format!("{domain}::{name}")).collect();
    for ((domain, name), mut versions) in operators {
        versions.sort_by_key(|version| version.since_version);
        let there = described.get(&(domain.to_owned(), name.to_owned()));
        let source = Source::new(facts, there.map(|(.., operator)| operator));
        let wrong = &mut comparison.differences;
        let before = wrong.len();
        let versions: Vec<Version> = (versions.into_iter())
            .filter_map(|version| {
                let path = format!("{domain}::{name}-{}", version.since_version);
                let read = facts.version(version, &source.id, &with_release);
                read.map_err(|found| wrong.extend(found.into_iter().map(|found| say(Some(path.clone()), found)))).ok()
            })
            .map(|version| Version { release: brought, ..version })
            .collect();
        if wrong.len() > before {
            continue;
        }
        extend(
            (domain, name),
            there.map(|(file, bytes, operator)| (*file, *bytes, operator)),
            &versions,
            &source,
            (facts, &with_release),
            &mut comparison,
        );
    }
    comparison.release = new_release(facts, tables);
    for row in [opsets(facts, files, &mut comparison.differences), runtimes(facts, files, &mut comparison.differences)]
    {
        comparison.written.extend(row);
    }
    Ok(comparison)
}

/// The document that new versions are based on.
struct Source {
    package: String,
    id: String,
    title: String,
    /// Whether the descriptor already lists it.
    listed: bool,
}

impl Source {
    fn new(facts: &Facts, operator: Option<&Operator>) -> Self {
        let title = format!("schemas of the {} package {}", facts.package, facts.release);
        let sources = operator.map(|operator| operator.sources.as_slice()).unwrap_or_default();
        // One whose entries name their releases names none itself.
        let of_all = format!("schemas of the {} package, release by release", facts.package);
        if let Some((id, _)) = sources.iter().find(|(_, other)| [&title, &of_all].contains(&other)) {
            return Self { package: facts.package.clone(), id: id.clone(), title, listed: true };
        }
        let free = |id: &str| sources.iter().all(|(other, _)| other != id);
        let by_release = || format!("package_{}", facts.release.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
        let id = Some("package".to_owned()).filter(|id| free(id)).unwrap_or_else(by_release);
        Self { package: facts.package.clone(), id, title, listed: false }
    }

    fn line(&self) -> String {
        format!("{{ id: {}, title: \"{}\" }}", self.id, self.title)
    }
}

/// Compares the versions of an operator with its descriptor, and adds to it those that are newer.
fn extend(
    (domain, name): (&str, &str),
    there: Option<(&str, &[u8], &Operator)>,
    versions: &[Version],
    source: &Source,
    (facts, tables): (&Facts, &Tables),
    comparison: &mut Comparison,
) {
    let Comparison { differences: wrong, added, written, .. } = comparison;
    let path = |since: u32| format!("{domain}::{name}-{since}");
    let say = |since: u32, message: String| FactsError { operator: Some(path(since)), message };
    let add = |before: Option<&Version>, version: &Version| Added {
        version: path(version.since),
        release: version.release.filter(|_| before.is_some_and(|before| before.since == version.since)),
        changes: before.map(|before| diff::facts(before, version)),
    };
    let Some((file, bytes, operator)) = there else {
        let before = iter::once(None).chain(versions.iter().map(Some));
        added.extend(before.zip(versions).map(|(before, version)| add(before, version)));
        match create(domain, name, versions, source, tables) {
            Ok(new) => written.push(new),
            Err(error) => wrong.push(error),
        }
        return;
    };
    let contradictions = wrong.len();
    let mut new: Vec<Version> = Vec::new();
    let newest = operator.versions.last().map_or(0, |version| version.since);
    for version in versions {
        let described = operator.versions.iter().find(|described| described.since == version.since);
        match described {
            Some(described) => {
                let released = facts.runtime_release(tables).filter(|_| operator.runtime.is_some());
                let Some(described) = (match released {
                    Some((_, number)) => described.in_release(number),
                    None => Some(described),
                }) else {
                    let message = format!("{file}:{} says that a later release brought it", described.line);
                    wrong.push(say(version.since, message));
                    continue;
                };
                let version = &like(version, described);
                let differ = diff::facts(described, version);
                // A release that is not known yet changes it in place.
                if version.release > described.release && !differ.is_empty() {
                    if version.since < newest {
                        let message =
                            format!("{file} has a newer version behind the one that it changes; add it by hand");
                        wrong.push(say(version.since, message));
                    }
                    added.push(add(Some(described), version));
                    new.push(version.clone());
                    continue;
                }
                let location = format!("{file}:{}", described.line);
                let messages = differ.iter().map(|change| format!("{location} says otherwise; by the facts: {change}"));
                wrong.extend(messages.map(|message| say(version.since, message)));
            }
            None if version.since < newest => {
                let message = format!("{file} lacks it, and has a newer one; add it there by hand");
                wrong.push(say(version.since, message));
            }
            None => {
                let before = new.last().or(operator.versions.last());
                let version = before.map_or_else(|| version.clone(), |before| like(version, before));
                added.push(add(before, &version));
                new.push(version);
            }
        }
    }
    let known = |version: &&Version| {
        let later = facts.runtime_release(tables).is_some_and(|(_, number)| version.in_release(number).is_none());
        later || versions.iter().any(|other| other.since == version.since)
    };
    for version in operator.versions.iter().filter(|version| !known(version)) {
        wrong.push(say(version.since, format!("{file}:{} describes it, and the facts do not have it", version.line)));
    }
    if wrong.len() > contradictions || new.is_empty() {
        return;
    }
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    let mut before = operator.versions.last();
    let mut inserted = true;
    if operator.runtime.is_none() && new.iter().any(|version| version.release.is_some()) {
        let domain = format!("\ndomain: {domain}\n");
        inserted &= text.contains(&domain);
        text = text.replacen(&domain, &format!("{domain}runtime: {}\n", source.package), 1);
    }
    if !source.listed {
        let with = insert(&text, "sources", &[source.line()]);
        inserted &= with.map(|with| text = with.text).is_some();
    }
    for version in &new {
        let with = insert(&text, "versions", &text::version(before, version, tables));
        inserted &= with.map(|with| text = with.text).is_some();
        before = Some(version);
    }
    let extended = Written { file: file.to_owned(), text, versions: new.iter().map(|version| version.since).collect() };
    if inserted && means(&extended, versions, tables) {
        written.push(extended);
        return;
    }
    let message = format!("cannot be put into {file}, whose lists do not stand on lines of their own; add it by hand");
    wrong.extend(new.iter().map(|version| say(version.since, message.clone())));
}

/// A version with the documentation and allowed values of the attributes that it shares with another one: these are
/// written by people and not part of the facts.
fn like(version: &Version, other: &Version) -> Version {
    let attributes = version.attributes.iter().map(|attribute| {
        let same = other.attributes.iter().find(|known| known.name == attribute.name);
        let same = same.filter(|known| known.kind == attribute.kind);
        same.map_or_else(
            || attribute.clone(),
            |Attribute { values, range, legacy, doc, .. }| Attribute {
                values: values.clone(),
                range: range.clone(),
                legacy: *legacy,
                doc: doc.clone(),
                ..attribute.clone()
            },
        )
    });
    Version {
        attributes: attributes.collect(),
        exclusive: other.exclusive.clone(),
        requires: other.requires.clone(),
        rules: other.rules.clone(),
        subgraphs: other.subgraphs,
        ..version.clone()
    }
}

/// A new descriptor.
fn create(
    domain: &str,
    name: &str,
    versions: &[Version],
    source: &Source,
    tables: &Tables,
) -> Result<Written, FactsError> {
    let of_runtime =
        source.package != ONNX && (is_of_onnx(domain) || versions.iter().any(|version| version.release.is_some()));
    let runtime = if of_runtime { format!("runtime: {}\n", source.package) } else { String::new() };
    let mut text = format!(
        "# yaml-language-server: $schema={}descriptor.schema.json\noperator: {name}\ndomain: {domain}\n{runtime}\
         summary: {UNSAID}\n\nsources:\n  - {}\n\nversions:\n",
        if of_runtime && is_of_onnx(domain) { "../../../" } else { "../" },
        source.line()
    );
    let mut before = None;
    for version in versions {
        for (index, line) in text::version(before, version, tables).iter().enumerate() {
            text.push_str(if index == 0 { "  - " } else { "    " });
            text.push_str(line);
            text.push('\n');
        }
        before = Some(version);
    }
    let file = format!("{domain}/{name}.yaml");
    let say = |message| FactsError { operator: Some(format!("{domain}::{name}")), message };
    if let Err(errors) = resolve(&file, text.as_bytes(), tables) {
        return Err(say(format!("a descriptor of it would have errors:\n{errors}")));
    }
    let written = Written { file, text, versions: versions.iter().map(|version| version.since).collect() };
    if !means(&written, versions, tables) {
        return Err(say("a descriptor of it would not say the same".to_owned()));
    }
    Ok(written)
}

/// Whether a text is a descriptor with exactly these facts.
fn means(written: &Written, versions: &[Version], tables: &Tables) -> bool {
    resolve(&written.file, written.text.as_bytes(), tables).is_ok_and(|operator| {
        let pairs = operator.versions.iter().zip(versions);
        operator.versions.len() == versions.len()
            && pairs.into_iter().all(|(read, meant)| diff::facts(read, &like(meant, read)).is_empty())
    })
}

/// The tables with the release of the facts added, so that its versions are not too new.
fn with_release(facts: &Facts, tables: &Tables) -> Tables {
    let mut with = tables.clone();
    with.releases.extend(new_release(facts, tables));
    let runtime = with.runtimes.iter_mut().find(|runtime| runtime.runtime == facts.package);
    if let Some((runtime, number)) = runtime.zip(brought(facts, tables)) {
        runtime.releases.push(number);
    }
    with
}

/// The release of a runtime that the facts are of, if it is newer than those that are known: what differs, it changed.
fn brought(facts: &Facts, tables: &Tables) -> Option<ReleaseNumber> {
    let (runtime, number) = facts.runtime_release(tables)?;
    runtime.releases.last().is_none_or(|last| *last < number).then_some(number)
}

/// The text of a table in the folder, and the tables with it; `None` if the folder does not have it.
fn table<'f>(name: &str, files: &[(&str, &'f [u8])]) -> Option<(Cow<'f, str>, Tables)> {
    let (_, bytes) = files.iter().find(|(file, _)| *file == name)?;
    let tables = Tables::FILES.map(|(file, known)| (file, if file == name { bytes } else { known }));
    Some((String::from_utf8_lossy(bytes), Tables::read(tables).ok()?))
}

/// `runtimes.yaml` with the release added, if that is new.
fn runtimes(facts: &Facts, files: &[(&str, &[u8])], wrong: &mut Vec<FactsError>) -> Option<Written> {
    const FILE: &str = "runtimes.yaml";
    let (text, tables) = table(FILE, files)?;
    let number = brought(facts, &tables)?;
    let (runtime, _) = facts.runtime_release(&tables)?;
    let last = runtime.releases.last()?;
    let (last, both) = (format!("\"{last}\"]"), format!("\"{last}\", \"{number}\"]"));
    if text.matches(&last).count() == 1 {
        let text = text.replace(&last, &both);
        return Some(Written { file: FILE.to_owned(), text, versions: Vec::new() });
    }
    let message = format!("release {number} cannot be put into {FILE}; add it there by hand");
    wrong.push(FactsError { operator: None, message });
    None
}

/// The release of the facts, if it has an opset or an IR version that the tables do not have.
fn new_release(facts: &Facts, tables: &Tables) -> Option<Release> {
    let newer =
        |of: fn(&Release) -> u32, release: &Release| tables.releases.iter().all(|known| of(known) < of(release));
    let parts: [fn(&Release) -> u32; 3] = [|row| row.ir, |row| row.opset, |row| row.ml];
    facts.onnx_release().filter(|release| parts.iter().any(|part| newer(*part, release)))
}

/// `opsets.yaml` with the release added, if that is new.
fn opsets(facts: &Facts, files: &[(&str, &[u8])], wrong: &mut Vec<FactsError>) -> Option<Written> {
    const FILE: &str = "opsets.yaml";
    let (text, tables) = table(FILE, files)?;
    let Release { release, ir, opset, ml } = new_release(facts, &tables)?;
    let row = format!("{{ release: \"{release}\", ir: {ir}, opset: {opset}, ml: {ml} }}");
    let extended = insert(&text, "releases", &[row]);
    if extended.is_none() {
        let message = format!("release {release} cannot be put into {FILE}; add it there by hand");
        wrong.push(FactsError { operator: None, message });
    }
    Some(Written { file: FILE.to_owned(), text: extended?.text, versions: Vec::new() })
}
