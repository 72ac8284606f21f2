//! A hint: what can be done about something that a runtime lacks.

use serde::Serialize;
use shape_core::types::Type;
use shape_model::Target;

use super::used::type_text;

/// What can be done about something that a runtime lacks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Hint {
    /// `convert` if the model is to be converted, `cast` if the node's inputs are cast, `version` if the operator is
    /// supported at another opset, which the model cannot be converted to as it is.
    kind: &'static str,
    /// The domain of the opset.
    domain: Option<String>,
    /// The opset to convert to, or at which the operator is supported.
    opset: Option<u32>,
    /// The IR version to convert to.
    ir_version: Option<i64>,
    /// The type to cast to.
    #[serde(rename = "type")]
    ty: Option<String>,
    /// The hint as a sentence.
    pub(super) text: String,
}

impl Hint {
    /// Another type for the inputs of a node.
    pub(super) fn cast(to: Type) -> Self {
        let text = format!("cast to {} and it runs", type_text(to));
        Self { kind: "cast", domain: None, opset: None, ir_version: None, ty: Some(to.to_string()), text }
    }

    /// Another opset or IR version for the model.
    pub(super) fn convert(target: &Target, domain: &str, text: String) -> Self {
        let opset = target.opset_of(domain);
        let domain = opset.map(|_| domain.to_owned());
        Self { kind: "convert", domain, opset, ir_version: target.to_ir_version(), ty: None, text }
    }

    /// Another opset, which the model does not get to without loss.
    pub(super) fn version(domain: &str, opset: u32, text: String) -> Self {
        let domain = Some(domain.to_owned());
        Self { kind: "version", domain, opset: Some(opset), ir_version: None, ty: None, text }
    }
}
