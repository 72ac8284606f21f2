//! A profile after reading: its rules with their checks and proofs, and its operators.

use crate::tables::Type;

/// A profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Its name: `sonnx`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The version of its files.
    pub version: String,
    /// What a model must satisfy to conform, as a summary.
    pub summary: String,
    /// Ids and titles of the documents that its rules come from.
    pub sources: Vec<(String, String)>,
    /// The names of its options, and what the rules of each require.
    pub options: Vec<(String, String)>,
    /// The operators of `ai.onnx` that it allows.
    pub operators: Vec<String>,
    /// The rules: those for whole models first, then those for operators in the order of the files.
    pub rules: Vec<ProfileRule>,
    /// The operators that have rules of their own.
    pub overlays: Vec<Overlay>,
    /// Contradictions and gaps in the documents.
    pub errata: Vec<Erratum>,
}

impl Profile {
    /// The title of a document.
    #[must_use]
    pub fn source(&self, id: &str) -> &str {
        self.sources.iter().find(|(source, _)| source == id).map_or("", |(_, title)| title)
    }
}

/// An operator as a profile specifies it.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// The file that it was read from, by the name that was passed to the reader.
    pub file: String,
    /// The operator's name in `ai.onnx`.
    pub operator: String,
    /// The version that the profile specifies.
    pub since: u32,
    /// The id of the document that specifies it.
    pub page: String,
    /// The name that ONNX and the name that the document has for an input or output.
    pub names: Vec<(String, String)>,
    /// What the document says about errors.
    pub errors: String,
    /// The variants of the operator in the document.
    pub variants: Vec<Variant>,
    /// The family of the rule for its output: a file of `shape-core/src/rules`.
    pub family: Option<String>,
}

/// A variant of an operator in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// How it differs from the other variants.
    pub says: String,
}

/// A rule of a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileRule {
    /// Its id.
    pub id: String,
    /// The file that it was read from, by the name that was passed to the reader.
    pub file: String,
    /// The line in that file.
    pub line: usize,
    /// The operator whose nodes it is about; `None` if it is about whole models or every node.
    pub operator: Option<String>,
    /// What it requires, in one line.
    pub title: String,
    /// What it requires, in full.
    pub says: String,
    /// Why it is required.
    pub why: String,
    /// The documents that require it: the id and the location in each.
    pub references: Vec<(String, String)>,
    /// The variants of the operator that it belongs to.
    pub variants: Vec<String>,
    /// The option that enables it; `None` if it always applies.
    pub option: Option<String>,
    /// The attribute, and the value that it must have for the rule to apply.
    pub when: Option<(String, i64)>,
    /// The check that decides it.
    pub check: Check,
    /// Its proof.
    pub proof: Proof,
    /// Examples of the operator's descriptor that show it.
    pub examples: Vec<String>,
    /// Its tests.
    pub tests: Vec<String>,
}

/// A check with its arguments. Arguments that it does not use are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// Its name in `checks.yaml`.
    pub name: String,
    /// An input or output of the operator.
    pub value: String,
    /// Another input or output, with which the first is compared.
    pub beside: String,
    /// An attribute of the operator.
    pub attribute: String,
    /// Types.
    pub types: Vec<Type>,
    /// Numbers.
    pub values: Vec<i64>,
    /// A number.
    pub number: i64,
    /// The maximum count.
    pub most: u32,
    /// Codes of findings.
    pub codes: Vec<String>,
}

/// The proof of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// These goals of the formal specification prove it.
    Goals(Vec<String>),
    /// There is no proof, for this reason.
    None(String),
}

/// A contradiction or a gap in the documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Erratum {
    /// Its id.
    pub id: String,
    /// Its line in `errata.yaml`.
    pub line: usize,
    /// Its subject, in one line.
    pub title: String,
    /// The locations in the documents: the id of a document, and the location in it.
    pub references: Vec<(String, String)>,
    /// What they say, or leave out.
    pub says: String,
    /// How it is resolved here.
    pub ruling: String,
    /// The reason for that.
    pub why: String,
    /// The request to the authors of the documents.
    pub asks: String,
    /// The operator that the examples belong to.
    pub operator: Option<String>,
    /// Examples of that operator's descriptor that show it.
    pub examples: Vec<String>,
    /// The goals that show it.
    pub goals: Vec<String>,
    /// The tests that show it.
    pub tests: Vec<String>,
}
