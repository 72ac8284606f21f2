//! How the values of a node correspond to those of its subgraphs.
//!
//! The descriptor of an operator names one of a few kinds, from which [`signature`] builds the signature of a node.

use crate::file::Node;
use std::iter;

use shape_core::data_type::DataType;
use shape_core::schema::{Schema, SubgraphKind};
use shape_core::types::Type;

/// The role of a subgraph's input or output for the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::analysis) enum Role {
    /// A scalar of a type that the operator fixes; if an input of the node is its first value, it has the dimensions of
    /// that input.
    Scalar {
        /// The type.
        ty: Type,
        /// The index of the input.
        first: Option<usize>,
    },
    /// An input of the node, by its index, or the value that the previous round left for it.
    Carried(usize),
    /// A slice of an input along an axis.
    Scanned {
        /// The index of the input.
        input: usize,
        /// The axis, which may count from the last one.
        axis: i64,
    },
    /// An element of an input that is a sequence; the input itself if it is not.
    ElementOf(usize),
    /// An output of the node, or an element of one that is a sequence.
    Output,
    /// A slice of an output tensor: the slices of all rounds are stacked along an axis.
    Stacked {
        /// The axis, which may count from the last one.
        axis: i64,
    },
}

/// The roles of the inputs and outputs of a node's subgraphs, and a description of them.
#[derive(Debug)]
pub(in crate::analysis) struct Signature {
    pub(in crate::analysis) inputs: Vec<Role>,
    pub(in crate::analysis) outputs: Vec<Role>,
    /// The number of leading axes of the node's inputs and outputs that its subgraphs do not see.
    pub(in crate::analysis) batch: usize,
    /// The number of rounds.
    pub(in crate::analysis) rounds: Rounds,
    pub(super) text: [&'static str; 2],
}

/// The number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum Rounds {
    /// One of the graphs runs, once; the first input of the node selects it.
    Branch,
    /// Up to the first input of the node, if present, and as long as the condition holds.
    Counted,
    /// One for each slice of the scanned inputs.
    Scanned,
    /// One for each element of a sequence.
    Elements,
}

/// The signature of a node; `None` if the correspondence is not known.
pub(in crate::analysis) fn signature(schema: &Schema, node: Node<'_>) -> Option<Signature> {
    let (inputs, outputs) = (node.inputs().len(), node.outputs().len());
    let each = ["an input for each input of the node", "an output for each output of the node"];
    Some(match schema.subgraphs? {
        SubgraphKind::Branch => Signature {
            inputs: Vec::new(),
            outputs: vec![Role::Output; outputs],
            batch: 0,
            rounds: Rounds::Branch,
            text: ["no inputs, since it reads the values around it", each[1]],
        },
        SubgraphKind::Loop => {
            let carried = (2..inputs).map(Role::Carried);
            let round = Role::Scalar { ty: Type::tensor(DataType::Int64), first: None };
            let cond = Role::Scalar { ty: Type::tensor(DataType::Bool), first: Some(1) };
            let stacked = (inputs.saturating_sub(2)..outputs).map(|_| Role::Stacked { axis: 0 });
            Signature {
                inputs: [round, cond].into_iter().chain(carried.clone()).collect(),
                outputs: iter::once(cond).chain(carried).chain(stacked).collect(),
                batch: 0,
                rounds: Rounds::Counted,
                text: [
                    "the number of the round, the condition, and an input for each input of the node from the third on",
                    "the condition, and an output for each output of the node",
                ],
            }
        }
        SubgraphKind::Scan => scan(node, 0)?,
        // The first input has the lengths of the sequences, and the first axis is the batch.
        SubgraphKind::BatchedScan => scan(node, 1)?,
        SubgraphKind::Map => Signature {
            inputs: (0..inputs).map(Role::ElementOf).collect(),
            outputs: vec![Role::Output; outputs],
            batch: 0,
            rounds: Rounds::Elements,
            text: each,
        },
    })
}

/// The signature of a scan; its graph does not see the first `before` inputs. `None` if the node does not say how many
/// inputs it slices, or has fewer, which the rule of the operator refuses.
fn scan(node: Node<'_>, before: usize) -> Option<Signature> {
    let scanned = node.attribute("num_scan_inputs")?.int()?;
    let scanned = usize::try_from(scanned).ok()?;
    let (inputs, outputs) = (node.inputs().len(), node.outputs().len());
    let states = inputs.saturating_sub(before).checked_sub(scanned)?;
    let axis =
        |list: &str, index: usize| node.attribute(list).and_then(|list| list.ints().get(index)).copied().unwrap_or(0);
    let input = |input: usize| match (input - before).checked_sub(states) {
        None => Role::Carried(input),
        Some(index) => Role::Scanned { input, axis: axis("scan_input_axes", index) },
    };
    let stacked = (states..outputs).map(|output| Role::Stacked { axis: axis("scan_output_axes", output - states) });
    Some(Signature {
        inputs: (before..inputs).map(input).collect(),
        outputs: (before..before + states).map(Role::Carried).chain(stacked).collect(),
        batch: before,
        rounds: Rounds::Scanned,
        text: ["an input for each input of the node", "an output for each output of the node"],
    })
}
