//! The key by which a baseline recognizes a finding.

use shape_model::Finding;

/// The key of a finding within its model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) code: String,
    pub(super) graph: String,
    pub(super) operator: Option<String>,
    pub(super) node: Option<String>,
    pub(super) message: String,
}

impl Key {
    pub(super) fn of(finding: &Finding) -> Self {
        let node = finding.node.as_ref();
        Self {
            code: finding.code.name().to_owned(),
            graph: finding.graph.clone(),
            operator: node.map(|node| node.op_type.clone()),
            node: node.map(|node| node.name.clone()),
            message: finding.message.clone(),
        }
    }
}
