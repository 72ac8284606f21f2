//! Operators that a runtime registers on its own in the domains of ONNX.
//!
//! Files have them, and ONNX does not: a name in a domain whose operators are all known, or a version that is older than
//! the first that ONNX registers.

// One row a runtime of `specs/runtimes.yaml`.
shape_macros::tables!(runtimes);

/// A runtime, and the operators that it registers on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// Its name.
    pub name: &'static str,
    /// The release that was looked at.
    pub release: &'static str,
    /// The versions that it registers and ONNX does not.
    pub operators: &'static [RuntimeOperator],
}

/// A version of an operator that a runtime registers and ONNX does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeOperator {
    /// The domain, `ai.onnx` for the default one.
    pub domain: &'static str,
    /// The name.
    pub name: &'static str,
    /// The first opset that has the version.
    pub since_version: u32,
    /// Whether the runtime refuses the operator from this version on.
    pub deprecated: bool,
}

impl Runtime {
    /// The version of an operator that the runtime selects for an opset on its own, if there is one that it does not
    /// refuse.
    ///
    /// ```
    /// use shape_core::runtime::runtimes;
    /// let onnxruntime = runtimes().iter().find(|runtime| runtime.name == "onnxruntime").unwrap();
    /// let version = |opset| onnxruntime.operator("ai.onnx", "Affine", opset).map(|of| of.since_version);
    /// assert_eq!((version(9), version(10)), (Some(1), None));
    /// ```
    #[must_use]
    pub fn operator(&self, domain: &str, name: &str, opset: u32) -> Option<&'static RuntimeOperator> {
        let is_older = |of: &&RuntimeOperator| of.domain == domain && of.name == name && of.since_version <= opset;
        let newest = self.operators.iter().filter(is_older).max_by_key(|of| of.since_version);
        newest.filter(|of| !of.deprecated)
    }
}

/// All runtimes that this build knows.
#[must_use]
pub const fn runtimes() -> &'static [Runtime] {
    RUNTIMES
}
