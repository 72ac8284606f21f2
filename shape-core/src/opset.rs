//! Opsets, IR versions and the releases of ONNX that brought them.

// One row a release of `specs/opsets.yaml`, oldest first.
shape_macros::releases!();

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

/// All releases, oldest first.
#[must_use]
pub fn releases() -> &'static [Release] {
    RELEASES
}

/// The newest opset of a domain that this build knows; `None` for a domain that ONNX does not define.
///
/// ```
/// assert_eq!(shape_core::opset::newest(""), Some(28));
/// assert_eq!(shape_core::opset::newest("com.acme"), None);
/// ```
#[must_use]
pub fn newest(domain: &str) -> Option<u32> {
    let last = RELEASES.last()?;
    match canonical_domain(domain) {
        "ai.onnx" => Some(last.opset),
        "ai.onnx.ml" => Some(last.ml),
        _ => None,
    }
}

/// The first release that knows an opset of `ai.onnx`.
#[must_use]
pub fn release_of(opset: u32) -> Option<&'static Release> {
    RELEASES.iter().find(|release| release.opset >= opset)
}

/// The name of a domain in this project: the empty name and `ai.onnx` are one.
#[must_use]
pub fn canonical_domain(domain: &str) -> &str {
    if domain.is_empty() { "ai.onnx" } else { domain }
}
