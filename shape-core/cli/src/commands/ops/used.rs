//! The operators and types that the nodes of a model use, as text.

use shape_core::registry::Missing;
use shape_core::runtime::runtimes;
use shape_core::types::Type;
use shape_model::{NodeUse, UsedOperator};

/// Why the version of an operator is unknown.
pub(super) fn unknown(operator: UsedOperator) -> Option<String> {
    match operator {
        UsedOperator::Version(_) | UsedOperator::Function => None,
        UsedOperator::NotImported => Some("its domain is not imported".to_owned()),
        UsedOperator::Missing(Missing::NoDescriptor) => Some("it has no descriptor".to_owned()),
        UsedOperator::Missing(Missing::ReleaseTooOld { first }) => Some(format!("it exists from {first} on")),
        UsedOperator::Missing(Missing::OperatorTooNew { since }) => {
            Some(format!("its first version came with opset {since}"))
        }
        UsedOperator::Missing(Missing::OpsetTooNew { newest }) => {
            Some(format!("the model imports an opset newer than {newest}, the newest known one"))
        }
    }
}

/// The version of an operator, if it is known.
pub(super) fn since(operator: UsedOperator) -> Option<u32> {
    if let UsedOperator::Version(schema) = operator { Some(schema.since_version) } else { None }
}

/// The version of a node: that of the descriptor, or the one that a runtime registers on its own.
pub(super) fn version(node: &NodeUse<'_>) -> Option<u32> {
    let own = || {
        let opset = node.opset?;
        runtimes().iter().find_map(|runtime| runtime.operator(node.domain, node.op_type, opset))
    };
    match node.operator {
        UsedOperator::Missing(_) => own().map(|of| of.since_version),
        operator => since(operator),
    }
}

/// A type as descriptors write it: `float` for `tensor(float)`.
pub(super) fn type_text(ty: Type) -> String {
    let text = ty.to_string();
    let element = text.strip_prefix("tensor(").and_then(|rest| rest.strip_suffix(')'));
    element.map(str::to_owned).unwrap_or(text)
}
