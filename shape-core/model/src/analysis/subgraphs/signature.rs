//! How the values of a node and those of the graphs inside of it line up.
//!
//! The descriptor of an operator names one of a few ways, and [`signature`] says what it is for a node.

use std::iter;

use crate::file::proto::NodeProto;
use shape_core::data_type::DataType;
use shape_core::schema::{Schema, SubgraphKind};
use shape_core::types::Type;

/// What a value of a graph is to the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::analysis) enum Role {
    /// A scalar of a type that the operator settles.
    Fixed(Type),
    /// An input of the node, by its index, or what a round leaves for the next one in its stead.
    Carried(usize),
    /// A slice of an input along an axis.
    Scanned {
        /// The index of the input.
        input: usize,
        /// The axis, which may count from the last one.
        axis: i64,
    },
    /// An element of an input that is a sequence, or else that input.
    ElementOf(usize),
    /// An output of the node as it is, or as an element of a sequence.
    Output,
    /// A slice of an output, which is a tensor: those of all rounds are put side by side along an axis.
    Stacked {
        /// The axis, which may count from the last one.
        axis: i64,
    },
}

/// What the inputs and the outputs of a node's graphs are, and that as text.
#[derive(Debug)]
pub(in crate::analysis) struct Signature {
    pub(in crate::analysis) inputs: Vec<Role>,
    pub(in crate::analysis) outputs: Vec<Role>,
    /// How many axes the inputs and outputs of the node have before those that its graphs know of.
    pub(in crate::analysis) batch: usize,
    /// How many rounds there are.
    pub(in crate::analysis) rounds: Rounds,
    /// How many of the last inputs of the node it asks to take slices of, which may be more than there are.
    pub(super) scanned: usize,
    pub(super) text: [&'static str; 2],
}

/// How many rounds there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum Rounds {
    /// One of the graphs runs, once, as the first input of the node says.
    Branch,
    /// As many as the first input of the node says, if it is given, and as long as the condition holds.
    Counted,
    /// As many as the inputs have slices.
    Scanned,
    /// One for each element of a sequence.
    Elements,
}

/// The signature of a node; `None` for one whose graphs line up in no known way.
pub(in crate::analysis) fn signature(schema: &Schema, node: &NodeProto) -> Option<Signature> {
    let (given, taken) = (node.input.len(), node.output.len());
    let each = ["an input for each input of the node", "an output for each output of the node"];
    let cond = Role::Fixed(Type::tensor(DataType::Bool));
    Some(match schema.subgraphs? {
        SubgraphKind::Branch => Signature {
            inputs: Vec::new(),
            outputs: vec![Role::Output; taken],
            batch: 0,
            rounds: Rounds::Branch,
            scanned: 0,
            text: ["no inputs, since it reads the values around it", each[1]],
        },
        SubgraphKind::Loop => {
            let carried = (2..given).map(Role::Carried);
            let round = Role::Fixed(Type::tensor(DataType::Int64));
            let stacked = (given.saturating_sub(2)..taken).map(|_| Role::Stacked { axis: 0 });
            Signature {
                inputs: [round, cond].into_iter().chain(carried.clone()).collect(),
                outputs: iter::once(cond).chain(carried).chain(stacked).collect(),
                batch: 0,
                rounds: Rounds::Counted,
                scanned: 0,
                text: [
                    "the number of the round, the condition, and an input for each input of the node from the third on",
                    "the condition, and an output for each output of the node",
                ],
            }
        }
        SubgraphKind::Scan => scan(node, 0)?,
        // The lengths of the sequences come before all others, and a batch is the first axis.
        SubgraphKind::BatchedScan => scan(node, 1)?,
        SubgraphKind::Map => Signature {
            inputs: (0..given).map(Role::ElementOf).collect(),
            outputs: vec![Role::Output; taken],
            batch: 0,
            rounds: Rounds::Elements,
            scanned: 0,
            text: each,
        },
    })
}

/// The signature of a scan whose graph does not know of the first `before` inputs; `None` where the node does not say how
/// many of the others it takes slices of.
fn scan(node: &NodeProto, before: usize) -> Option<Signature> {
    let scanned = node.attribute.iter().find(|attribute| attribute.name == "num_scan_inputs")?.i?;
    let scanned = usize::try_from(scanned).ok()?;
    let (given, taken) = (node.input.len(), node.output.len());
    let states = given.saturating_sub(before).saturating_sub(scanned);
    let axis = |list: &str, index: usize| {
        let list = node.attribute.iter().find(|attribute| attribute.name == list);
        list.and_then(|list| list.ints.get(index)).copied().unwrap_or(0)
    };
    let input = |input: usize| match (input - before).checked_sub(states) {
        None => Role::Carried(input),
        Some(index) => Role::Scanned { input, axis: axis("scan_input_axes", index) },
    };
    let stacked = (states..taken).map(|output| Role::Stacked { axis: axis("scan_output_axes", output - states) });
    Some(Signature {
        inputs: (before..given).map(input).collect(),
        outputs: (before..before + states).map(Role::Carried).chain(stacked).collect(),
        batch: before,
        rounds: Rounds::Scanned,
        scanned,
        text: ["an input for each input of the node", "an output for each output of the node"],
    })
}
