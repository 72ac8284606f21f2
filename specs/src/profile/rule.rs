//! A profile as it was read: its rules, what checks and proves each, and its operators.

use crate::tables::Type;

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
