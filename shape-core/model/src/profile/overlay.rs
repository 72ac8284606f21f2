//! An operator as a profile has it.

/// An operator as a profile has it.
#[derive(Clone, Copy, Debug)]
pub struct Overlay {
    /// Its name in `ai.onnx`.
    pub operator: &'static str,
    /// The version that is profiled.
    pub since: u32,
    /// The document that specifies it.
    pub page: &'static str,
    /// The names that ONNX and the document have for each input and output.
    pub names: &'static [(&'static str, &'static str)],
    /// What that says of errors.
    pub errors: &'static str,
    /// The family of the rule that gives its output, a file of `shape-core/src/rules`.
    pub family: Option<&'static str>,
    /// The ways in which the document specifies it.
    pub variants: &'static [Variant],
}

/// A way in which a document specifies an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What is different in it.
    pub says: &'static str,
}
