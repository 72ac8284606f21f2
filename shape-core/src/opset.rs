//! Opsets, IR versions and the releases of ONNX that brought them.

// One row a release of `specs/opsets.yaml`, oldest first, and the experimental operators.
shape_macros::tables!(releases);

/// A release of ONNX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its version number: `1.23.0`.
    pub release: &'static str,
    /// The newest IR version that it knows.
    pub ir: u32,
    /// The newest opset of `ai.onnx` that it knows.
    pub opset: u32,
    /// The newest opset of `ai.onnx.ml` that it knows.
    pub ml: u32,
}

impl Release {
    /// The newest opset of a domain that it knows; `None` for a domain that ONNX does not define.
    #[must_use]
    pub fn newest(&self, domain: &str) -> Option<u32> {
        match canonical_domain(domain) {
            "ai.onnx" => Some(self.opset),
            "ai.onnx.ml" => Some(self.ml),
            _ => None,
        }
    }
}

/// All releases that this build knows, oldest first.
#[must_use]
pub const fn releases() -> &'static [Release] {
    RELEASES
}

/// Operators that early releases of ONNX had in `ai.onnx` for a try, and that never became part of it.
#[must_use]
pub const fn experimental() -> &'static [&'static str] {
    EXPERIMENTAL
}

/// The name of a domain in this project: the empty name and `ai.onnx` are one.
#[must_use]
pub fn canonical_domain(domain: &str) -> &str {
    if domain.is_empty() { "ai.onnx" } else { domain }
}
