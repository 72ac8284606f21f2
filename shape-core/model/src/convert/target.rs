//! What a model is converted to: an opset for each domain, and an IR version.

use std::collections::BTreeMap;

use shape_core::opset::canonical_domain;

/// What a model is converted to: an opset for each of some domains, and an IR version.
///
/// A number alone is an opset of ai.onnx.
///
/// ```
/// use shape_model::Target;
/// let target = Target::new().opset("", 21).opset("ai.onnx.ml", 3).ir_version(10);
/// assert_eq!(target.opset_of("ai.onnx.ml"), Some(3));
/// assert_eq!(Target::from(21), Target::new().opset("ai.onnx", 21));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    opsets: BTreeMap<String, u32>,
    ir_version: Option<i64>,
}

impl Target {
    /// Nothing changes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the opset of a domain; both the empty name and `ai.onnx` are the default domain.
    #[must_use]
    pub fn opset(mut self, domain: &str, opset: u32) -> Self {
        self.opsets.insert(canonical_domain(domain).to_owned(), opset);
        self
    }

    /// Sets the IR version. Without it, the IR version is only raised, and only if an opset needs it.
    #[must_use]
    pub fn ir_version(self, ir_version: i64) -> Self {
        Self { ir_version: Some(ir_version), ..self }
    }

    /// The domains and their opsets, by name.
    pub fn opsets(&self) -> impl Iterator<Item = (&str, u32)> {
        self.opsets.iter().map(|(domain, opset)| (&**domain, *opset))
    }

    /// The opset of a domain, if it is set.
    #[must_use]
    pub fn opset_of(&self, domain: &str) -> Option<u32> {
        self.opsets.get(canonical_domain(domain)).copied()
    }

    /// The IR version, if it is set.
    #[must_use]
    pub fn to_ir_version(&self) -> Option<i64> {
        self.ir_version
    }
}

/// An opset of ai.onnx.
impl From<u32> for Target {
    fn from(opset: u32) -> Self {
        Self::new().opset("", opset)
    }
}
