//! The result of a conversion: which opsets, nodes and IR version change, and the edit that writes them.

use crate::file::ModelEdit;
use crate::finding::NodeRef;

/// A model in other opsets.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The domains of the [`Target`](crate::Target) that the model imports.
    pub opsets: Vec<ConvertedOpset>,
    /// The IR version before and after, if it changes: because the target says so, or because an opset needs it.
    pub ir_version: Option<ConvertedIrVersion>,
    /// The nodes that change.
    pub nodes: Vec<ConvertedNode>,
    /// What to write, with [`ModelFile::rewrite`](crate::ModelFile::rewrite).
    pub edit: ModelEdit,
}

/// A domain that the conversion sets the opset of; the two opsets may be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedOpset {
    /// The domain, `ai.onnx` for the default one.
    pub domain: String,
    /// The opset that the model imports; if only functions of it import the domain, that of the first one.
    pub from: u32,
    /// The opset after the conversion, in the model and in its functions.
    pub to: u32,
}

/// A change of the IR version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvertedIrVersion {
    /// The IR version of the model.
    pub from: i64,
    /// The IR version after the conversion.
    pub to: i64,
}

/// A node that the conversion changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedNode {
    /// The path of its graph.
    pub graph: String,
    /// The node.
    pub node: NodeRef,
    /// Its version before.
    pub from: u32,
    /// Its version after.
    pub to: u32,
}
