//! An operator as a profile specifies it: which version, in which document, and what that calls its inputs and outputs.

/// An operator as a profile specifies it.
#[derive(Clone, Copy, Debug)]
pub struct Overlay {
    /// Its name in `ai.onnx`.
    pub operator: &'static str,
    /// The version that the profile specifies.
    pub since: u32,
    /// The document that specifies it.
    pub page: &'static str,
    /// The name that ONNX and the name that the document has for each input and output.
    pub names: &'static [(&'static str, &'static str)],
    /// What the document says about errors.
    pub errors: &'static str,
    /// The family of the rule that infers its output: a file of `shape-core/src/rules`.
    pub family: Option<&'static str>,
    /// The variants of the operator that the document specifies.
    pub variants: &'static [Variant],
}

/// A variant of an operator in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// How it differs from the other variants.
    pub says: &'static str,
}
