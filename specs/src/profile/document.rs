//! The types that the files of a profile are read into, field by field.

use serde::Deserialize;

use crate::de::Spanned;
use crate::document::Source;

/// A profile: what holds of whole models and of every node.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileFile {
    /// Its name; the folder is called the same.
    pub(crate) profile: Spanned<String>,
    /// What it is.
    pub(crate) title: Spanned<String>,
    /// The version of these files: raised when a rule comes, goes or changes.
    pub(crate) version: Spanned<String>,
    /// What a model within it has.
    pub(crate) summary: Spanned<String>,
    /// The documents that its rules come from.
    #[serde(default)]
    pub(crate) sources: Vec<Source>,
    /// What has to be asked for.
    #[serde(default)]
    pub(crate) options: Vec<Spanned<OptionEntry>>,
    /// The operators of `ai.onnx` that are in it.
    #[serde(default)]
    pub(crate) operators: Vec<Spanned<String>>,
    /// The rules.
    pub(crate) rules: Spanned<Vec<Spanned<RuleEntry>>>,
}

/// Something that has to be asked for.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OptionEntry {
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// What it asks for, and why it is not asked for by itself.
    pub(crate) says: Spanned<String>,
}

/// An operator as a profile has it: what it adds to the descriptor of the operator.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlayFile {
    /// The operator's name in `ai.onnx`; the file is called the same.
    pub(crate) operator: Spanned<String>,
    /// The version that is profiled, by the opset that it came with.
    pub(crate) since: Spanned<u32>,
    /// The document that specifies it.
    pub(crate) page: Spanned<String>,
    /// What that document calls the inputs and outputs.
    #[serde(default)]
    pub(crate) names: Vec<Spanned<NameEntry>>,
    /// What the document says of errors.
    pub(crate) errors: Spanned<String>,
    /// The ways in which the document specifies it.
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
    /// The name that ONNX has for it.
    pub(crate) onnx: Spanned<String>,
    /// The name that the document has for it.
    pub(crate) page: String,
}

/// A way in which a document specifies an operator.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct VariantEntry {
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// What it is.
    pub(crate) title: String,
    /// What is different in it.
    pub(crate) says: Spanned<String>,
}

/// A rule of a profile.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleEntry {
    /// Its id, which is stable: neither given to another rule nor taken from one.
    pub(crate) id: Spanned<String>,
    /// What holds, in one line.
    pub(crate) title: Spanned<String>,
    /// What holds, in full.
    pub(crate) says: Spanned<String>,
    /// Why it is asked for.
    pub(crate) why: Spanned<String>,
    /// Where the documents ask for it.
    pub(crate) references: Spanned<Vec<Spanned<ReferenceEntry>>>,
    /// The variants of the operator that it belongs to.
    #[serde(default)]
    pub(crate) variants: Vec<Spanned<String>>,
    /// The option with which alone it is judged.
    pub(crate) option: Option<Spanned<String>>,
    /// The attribute, and its value, with which alone it holds.
    pub(crate) when: Option<Spanned<WhenEntry>>,
    /// What judges it.
    pub(crate) check: Spanned<CheckCall>,
    /// What proves it.
    pub(crate) proof: Spanned<ProofEntry>,
    /// Examples of the operator's descriptor that show it.
    #[serde(default)]
    pub(crate) examples: Vec<Spanned<String>>,
    /// The tests of it: `path/of/file.rs::name`.
    pub(crate) tests: Spanned<Vec<Spanned<String>>>,
}

/// A place in a document.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReferenceEntry {
    /// The id of the document.
    pub(crate) source: Spanned<String>,
    /// Where in it.
    pub(crate) at: String,
}

/// The value of an attribute with which alone a rule holds. Where a node does not give the attribute, its default
/// counts.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WhenEntry {
    /// The attribute, an INT.
    pub(crate) attribute: Spanned<String>,
    /// Its value.
    pub(crate) is: i64,
}

/// A check of `checks.yaml` with its arguments; which it takes stands there.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckCall {
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// An input or output of the operator.
    pub(crate) value: Option<Spanned<String>>,
    /// Another one, to which the first is held.
    pub(crate) beside: Option<Spanned<String>>,
    /// An attribute of the operator.
    pub(crate) attribute: Option<Spanned<String>>,
    /// Element types, groups of them, or types such as `seq(tensor(float))`.
    pub(crate) types: Option<Spanned<Vec<Spanned<String>>>>,
    /// Numbers.
    pub(crate) values: Option<Spanned<Vec<i64>>>,
    /// A number.
    pub(crate) number: Option<Spanned<i64>>,
    /// How often at most.
    pub(crate) most: Option<Spanned<u32>>,
    /// Codes of findings.
    pub(crate) codes: Option<Spanned<Vec<Spanned<String>>>>,
}

/// What proves a rule: goals of `proofs.json`, or why there is none.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProofEntry {
    /// The goals.
    pub(crate) goals: Option<Spanned<Vec<Spanned<String>>>>,
    /// Why there is none.
    pub(crate) none: Option<Spanned<String>>,
}

/// What is told to those who write the documents.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrataFile {
    /// The entries.
    pub(crate) errata: Vec<Spanned<ErratumEntry>>,
}

/// Something that documents contradict or leave open.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ErratumEntry {
    /// Its id, which is stable.
    pub(crate) id: Spanned<String>,
    /// What it is about, in one line.
    pub(crate) title: Spanned<String>,
    /// The places that it is about.
    pub(crate) references: Spanned<Vec<Spanned<ReferenceEntry>>>,
    /// What they say, or leave out.
    pub(crate) says: Spanned<String>,
    /// What is done here.
    pub(crate) ruling: Spanned<String>,
    /// Why.
    pub(crate) why: Spanned<String>,
    /// What is asked of those who write the documents.
    pub(crate) asks: Spanned<String>,
    /// The operator whose examples are named.
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

/// What `proofs.json` says, as far as it is asked.
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
