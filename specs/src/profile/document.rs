//! The types that serde reads the files of a profile into.

use serde::Deserialize;

use crate::de::Spanned;
use crate::document::Source;

/// A profile: its operators, and the rules for whole models and for every node.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileFile {
    /// Its name, which is also the name of the folder.
    pub(crate) profile: Spanned<String>,
    /// Its title.
    pub(crate) title: Spanned<String>,
    /// The version of these files: increased when a rule is added, removed or changed.
    pub(crate) version: Spanned<String>,
    /// What a model must satisfy to conform, as a summary.
    pub(crate) summary: Spanned<String>,
    /// The documents that its rules come from.
    #[serde(default)]
    pub(crate) sources: Vec<Source>,
    /// Rules that only apply on request.
    #[serde(default)]
    pub(crate) options: Vec<Spanned<OptionEntry>>,
    /// The operators of `ai.onnx` that it allows.
    #[serde(default)]
    pub(crate) operators: Vec<Spanned<String>>,
    /// The rules.
    pub(crate) rules: Spanned<Vec<Spanned<RuleEntry>>>,
}

/// A set of rules that only applies on request.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OptionEntry {
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// What its rules require, and why they do not apply by default.
    pub(crate) says: Spanned<String>,
}

/// What a profile adds to the descriptor of an operator.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlayFile {
    /// The operator's name in `ai.onnx`, which is also the name of the file.
    pub(crate) operator: Spanned<String>,
    /// The version that the profile specifies, by the opset that introduced it.
    pub(crate) since: Spanned<u32>,
    /// The document that specifies it.
    pub(crate) page: Spanned<String>,
    /// The document's names of the inputs and outputs.
    #[serde(default)]
    pub(crate) names: Vec<Spanned<NameEntry>>,
    /// What the document says about errors.
    pub(crate) errors: Spanned<String>,
    /// The variants of the operator in the document.
    #[serde(default)]
    pub(crate) variants: Vec<Spanned<VariantEntry>>,
    /// The rules.
    pub(crate) rules: Spanned<Vec<Spanned<RuleEntry>>>,
}

/// A name of an input or output.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NameEntry {
    /// ONNX's name.
    pub(crate) onnx: Spanned<String>,
    /// The document's name.
    pub(crate) page: String,
}

/// A variant of an operator in a document.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct VariantEntry {
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// Its title.
    pub(crate) title: String,
    /// How it differs from the other variants.
    pub(crate) says: Spanned<String>,
}

/// A rule of a profile.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleEntry {
    /// Its id, which is stable: it is never reused or changed.
    pub(crate) id: Spanned<String>,
    /// What it requires, in one line.
    pub(crate) title: Spanned<String>,
    /// What it requires, in full.
    pub(crate) says: Spanned<String>,
    /// Why it is required.
    pub(crate) why: Spanned<String>,
    /// The documents that require it.
    pub(crate) references: Spanned<Vec<Spanned<ReferenceEntry>>>,
    /// The variants of the operator that it belongs to.
    #[serde(default)]
    pub(crate) variants: Vec<Spanned<String>>,
    /// The option that enables it. Default: it always applies.
    pub(crate) option: Option<Spanned<String>>,
    /// The condition on an attribute under which it must hold.
    pub(crate) when: Option<Spanned<WhenEntry>>,
    /// The check that decides it.
    pub(crate) check: Spanned<CheckCall>,
    /// Its proof.
    pub(crate) proof: Spanned<ProofEntry>,
    /// Examples of the operator's descriptor that show it.
    #[serde(default)]
    pub(crate) examples: Vec<Spanned<String>>,
    /// Its tests: `path/of/file.rs::name`.
    pub(crate) tests: Spanned<Vec<Spanned<String>>>,
}

/// A location in a document.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReferenceEntry {
    /// The id of the document.
    pub(crate) source: Spanned<String>,
    /// The location in it.
    pub(crate) at: String,
}

/// A condition on an attribute. If a node does not set the attribute, its default counts.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WhenEntry {
    /// The attribute, an INT.
    pub(crate) attribute: Spanned<String>,
    /// The value that it must have.
    pub(crate) is: i64,
}

/// A check of `checks.yaml`, which lists the arguments of each check, with its arguments.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckCall {
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// An input or output of the operator.
    pub(crate) value: Option<Spanned<String>>,
    /// Another input or output, with which the first is compared.
    pub(crate) beside: Option<Spanned<String>>,
    /// An attribute of the operator.
    pub(crate) attribute: Option<Spanned<String>>,
    /// Element types, groups of them, or types such as `seq(tensor(float))`.
    pub(crate) types: Option<Spanned<Vec<Spanned<String>>>>,
    /// Numbers.
    pub(crate) values: Option<Spanned<Vec<i64>>>,
    /// A number.
    pub(crate) number: Option<Spanned<i64>>,
    /// The maximum count.
    pub(crate) most: Option<Spanned<u32>>,
    /// Codes of findings.
    pub(crate) codes: Option<Spanned<Vec<Spanned<String>>>>,
}

/// The proof of a rule: goals of `proofs.json`, or the reason why there is none.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProofEntry {
    /// The goals.
    pub(crate) goals: Option<Spanned<Vec<Spanned<String>>>>,
    /// The reason why there is none.
    pub(crate) none: Option<Spanned<String>>,
}

/// Reports to the authors of the documents.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrataFile {
    /// The entries.
    pub(crate) errata: Vec<Spanned<ErratumEntry>>,
}

/// A contradiction or a gap in the documents.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ErratumEntry {
    /// Its id, which is stable.
    pub(crate) id: Spanned<String>,
    /// Its subject, in one line.
    pub(crate) title: Spanned<String>,
    /// The locations in the documents.
    pub(crate) references: Spanned<Vec<Spanned<ReferenceEntry>>>,
    /// What they say, or leave out.
    pub(crate) says: Spanned<String>,
    /// How it is resolved here.
    pub(crate) ruling: Spanned<String>,
    /// The reason for that.
    pub(crate) why: Spanned<String>,
    /// The request to the authors of the documents.
    pub(crate) asks: Spanned<String>,
    /// The operator that the examples belong to.
    pub(crate) operator: Option<Spanned<String>>,
    /// Examples of that operator's descriptor that show it.
    #[serde(default)]
    pub(crate) examples: Vec<Spanned<String>>,
    /// The goals that show it.
    #[serde(default)]
    pub(crate) goals: Vec<Spanned<String>>,
    /// The tests that show it: `path/of/file.rs::name`.
    pub(crate) tests: Spanned<Vec<Spanned<String>>>,
}

/// The part of `proofs.json` that is needed here.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ProofsFile {
    pub(crate) goals: Vec<Goal>,
}

/// A goal of the formal specification.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Goal {
    pub(crate) goal: String,
    pub(crate) status: String,
}
