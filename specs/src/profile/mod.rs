//! Profiles: the part of ONNX that somebody allows, such as SONNX, described in `profiles/NAME`.
//!
//! `profile.yaml` has the rules of whole models and of every node. A file that is named after an operator has the rules
//! of its nodes, and `errata.yaml` lists what the documents behind them contradict. A rule is a text, a check of
//! `checks.yaml` with arguments, and what it rests on: documents, goals of the formal specification, examples, tests.

mod document;
mod read;

#[cfg(test)]
pub(crate) use document::{ErrataFile, OverlayFile, ProfileFile};
pub use read::read;

use crate::Scope;
use crate::error::SpecErrors;
use crate::operator::Operator;
use crate::tables::{Tables, Type};

/// A profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Its name: `sonnx`.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The version of its files.
    pub version: String,
    /// What a model within it has.
    pub summary: String,
    /// Ids and titles of the documents that its rules come from.
    pub sources: Vec<(String, String)>,
    /// The names of what has to be asked for, and what each asks for.
    pub options: Vec<(String, String)>,
    /// The operators of `ai.onnx` that are in it.
    pub operators: Vec<String>,
    /// The rules: those of whole models first, then those of the operators in the order of the files.
    pub rules: Vec<ProfileRule>,
    /// The operators that have rules of their own.
    pub overlays: Vec<Overlay>,
    /// What the documents contradict or leave open.
    pub errata: Vec<Erratum>,
}

impl Profile {
    /// The title of a document.
    #[must_use]
    pub fn source(&self, id: &str) -> &str {
        self.sources.iter().find(|(source, _)| source == id).map_or("", |(_, title)| title)
    }
}

/// An operator as a profile has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// The file that it was read from, as it was named to the reader.
    pub file: String,
    /// The operator's name in `ai.onnx`.
    pub operator: String,
    /// The version that is profiled.
    pub since: u32,
    /// The id of the document that specifies it.
    pub page: String,
    /// The names that ONNX and the document have for an input or output.
    pub names: Vec<(String, String)>,
    /// What the document says of errors.
    pub errors: String,
    /// The ways in which the document specifies it.
    pub variants: Vec<Variant>,
    /// The family of the rule that gives its output, a file of `shape-core/src/rules`.
    pub family: Option<String>,
}

/// A way in which a document specifies an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// What is different in it.
    pub says: String,
}

/// A rule of a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileRule {
    /// Its id.
    pub id: String,
    /// The file that it was read from, as it was named to the reader.
    pub file: String,
    /// The line of the file where it stands.
    pub line: usize,
    /// The operator whose nodes it is about; `None` for one of whole models and of every node.
    pub operator: Option<String>,
    /// What holds, in one line.
    pub title: String,
    /// What holds, in full.
    pub says: String,
    /// Why it is asked for.
    pub why: String,
    /// Where the documents ask for it: the id of one, and the place.
    pub references: Vec<(String, String)>,
    /// The variants of the operator that it belongs to.
    pub variants: Vec<String>,
    /// The option with which alone it is judged.
    pub option: Option<String>,
    /// The attribute, and its value, with which alone it holds.
    pub when: Option<(String, i64)>,
    /// What judges it.
    pub check: Check,
    /// What proves it.
    pub proof: Proof,
    /// Examples of the operator's descriptor that show it.
    pub examples: Vec<String>,
    /// The tests of it.
    pub tests: Vec<String>,
}

/// A check with its arguments. What a check does not take is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// Its name in `checks.yaml`.
    pub name: String,
    /// An input or output of the operator.
    pub value: String,
    /// Another one, to which the first is held.
    pub beside: String,
    /// An attribute of the operator.
    pub attribute: String,
    /// Types.
    pub types: Vec<Type>,
    /// Numbers.
    pub values: Vec<i64>,
    /// A number.
    pub number: i64,
    /// How often at most.
    pub most: u32,
    /// Codes of findings.
    pub codes: Vec<String>,
}

/// What proves a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// These goals of the formal specification.
    Goals(Vec<String>),
    /// Nothing, for this reason.
    None(String),
}

/// Something that documents contradict or leave open.
#[derive(Clone, Debug, PartialEq)]
pub struct Erratum {
    /// Its id.
    pub id: String,
    /// The line of `errata.yaml` where it stands.
    pub line: usize,
    /// What it is about, in one line.
    pub title: String,
    /// The places that it is about: the id of a document, and where in it.
    pub references: Vec<(String, String)>,
    /// What they say, or leave out.
    pub says: String,
    /// What is done here.
    pub ruling: String,
    /// Why.
    pub why: String,
    /// What is asked of those who write the documents.
    pub asks: String,
    /// The operator whose examples are named.
    pub operator: Option<String>,
    /// Examples of that operator's descriptor that show it.
    pub examples: Vec<String>,
    /// The goals that show it.
    pub goals: Vec<String>,
    /// The tests that show it.
    pub tests: Vec<String>,
}

/// The files of a profile of this crate.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// The profile's name.
    pub name: &'static str,
    /// Each YAML file: the path within `specs`, such as `profiles/sonnx/Shape.yaml`, and its bytes.
    pub yaml: &'static [(&'static str, &'static [u8])],
    /// What was proved, `proofs.json`; `None` where the profile has no formal specification.
    pub proofs: Option<&'static [u8]>,
}

/// The profiles of this crate.
pub static PROFILES: &[Files] = &include!(concat!(env!("OUT_DIR"), "/profiles.rs"));

/// Reads a profile of this crate; `None` where there is none of that name.
///
/// # Errors
/// Every error of its files.
///
/// ```
/// let sonnx = shape_specs::profile::builtin("sonnx").unwrap()?;
/// assert_eq!((sonnx.rules[0].id.as_str(), sonnx.overlays[1].since), ("SONNX-GEN-010", 25));
/// # Ok::<(), shape_specs::SpecErrors>(())
/// ```
#[must_use]
pub fn builtin(name: &str) -> Option<Result<Profile, SpecErrors>> {
    let files = PROFILES.iter().find(|files| files.name == name)?;
    Some(Tables::builtin().map_err(Clone::clone).and_then(|tables| {
        let known = described(files.yaml.iter().map(|(file, _)| *file), tables)?;
        read(files.yaml, &known, tables, files.proofs)
    }))
}

/// The built-in descriptors of the operators that files of a profile are called as: all that its rules refer to, where
/// to read every one takes far longer.
///
/// # Errors
/// Every error of the descriptors.
pub fn described<'f>(files: impl IntoIterator<Item = &'f str>, tables: &Tables) -> Result<Vec<Operator>, SpecErrors> {
    let asked: Vec<&str> = files.into_iter().filter_map(stem).collect();
    let descriptors = crate::DESCRIPTORS.iter().copied();
    let descriptors = descriptors
        .filter(|(file, _)| file.starts_with("ai.onnx/") && stem(file).is_some_and(|name| asked.contains(&name)));
    crate::resolve_all(descriptors, tables, Scope::Whole).map_err(|(_, errors)| errors)
}

/// What a YAML file is called.
fn stem(file: &str) -> Option<&str> {
    file.rsplit('/').next()?.strip_suffix(".yaml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profiles_of_this_crate_are_right() {
        for files in PROFILES {
            let profile = builtin(files.name).unwrap().unwrap_or_else(|errors| panic!("{errors}"));
            assert!(profile.rules.len() > 20 && profile.rules.iter().all(|rule| rule.line > 0), "{}", files.name);
        }
        assert!(builtin("none").is_none());
    }
}
