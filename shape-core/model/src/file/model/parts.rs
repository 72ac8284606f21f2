//! Puts together the parts of a model that is being read: Protobuf allows a file to have one message in several pieces.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::arrays::Model;
use super::names::{Name, NewNames};
use super::record::{AttributeRecord, Lazy, NodePlace, NodeRecord, OperatorNames, Payload, Slice, Strings};
use crate::file::cursor::{DecodeError, Refusal};
use crate::file::proto::{OperatorSetIdProto, SparseTensorProto, TensorProto, TypeProto, ValueInfoProto};
use crate::file::store::Span;
use crate::file::wire::Message;

/// A message that occurs several times where one is expected. All of them together are the message.
pub(super) struct Join {
    pub(super) place: Place,
    pub(super) pieces: Vec<Span>,
    /// The place of the nodes in it.
    pub(super) of: NodePlace,
}

/// Where a message belongs.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Graph,
    Initialization(usize),
    Algorithm(usize),
    /// The value of an attribute.
    Value(usize),
}

/// Which operator has which number.
#[derive(Default)]
struct Operators {
    all: HashMap<OperatorNames, u32, RandomState>,
    /// The operators that were asked for last, each in a slot that its name determines.
    recent: [u32; RECENT],
}

const RECENT: usize = 32;

/// The model as far as it is read, and the stacks of parts that are not complete yet.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) model: Model,
    pub(super) names: NewNames,
    operators: Operators,
    /// The place of the nodes that are read now.
    pub(super) place: NodePlace,
    pub(super) joins: Vec<Join>,
    pub(super) inputs: Vec<Name>,
    pub(super) outputs: Vec<Name>,
    pub(super) attribute_names: Vec<Name>,
    pub(super) nodes: Vec<NodeRecord>,
    pub(super) attributes: Vec<AttributeRecord>,
    pub(super) payloads: Vec<Payload>,
    /// The pieces of the payloads that have several: each payload by its index on the stack.
    pub(super) pieces: Vec<(usize, Span)>,
    pub(super) graph_inputs: Vec<Lazy<ValueInfoProto>>,
    pub(super) graph_outputs: Vec<Lazy<ValueInfoProto>>,
    pub(super) value_info: Vec<Lazy<ValueInfoProto>>,
    pub(super) tensors: Vec<Lazy<TensorProto>>,
    pub(super) sparse_tensors: Vec<Lazy<SparseTensorProto>>,
    pub(super) types: Vec<Lazy<TypeProto>>,
    pub(super) opset_import: Vec<OperatorSetIdProto>,
    pub(super) ints: Vec<i64>,
    pub(super) floats: Vec<f32>,
    pub(super) strings: Strings,
    pub(super) graphs: Vec<u32>,
}

impl Parts {
    /// With room for what a file of `len` bytes is likely to have. Few nodes take less than 24 bytes, and what is not used
    /// of the room costs nothing; but the table of names is filled with zeros.
    pub(super) fn for_file(len: usize) -> Self {
        let nodes = (len / 24).min(1 << 15);
        let model = Model { value_names: Vec::with_capacity(nodes * 2), ..Model::default() };
        let names = NewNames::with_capacity((len / 64).min(1 << 14));
        Self { model, names, nodes: Vec::with_capacity(nodes), ..Self::default() }
    }

    /// The number of an operator.
    pub(super) fn operator(&mut self, names: OperatorNames) -> Result<u32, DecodeError> {
        let [_, op_type, _] = names;
        let Some(recent) = self.operators.recent.get_mut(op_type.index() % RECENT) else { return Ok(0) };
        let operators = &mut self.model.operators;
        if operators.get(*recent as usize) != Some(&names) {
            let new = next(operators)?;
            *recent = *self.operators.all.entry(names).or_insert(new);
            if *recent == new {
                operators.push(names);
            }
        }
        Ok(*recent)
    }
}

/// The lengths of the arrays that the quick reader adds to.
pub(super) type Lengths = [usize; 7];

impl Model {
    pub(super) fn lengths(&self) -> Lengths {
        let Self { value_names, attributes, payloads, ints, floats, spans, tensors, .. } = self;
        [value_names.len(), attributes.len(), payloads.len(), ints.len(), floats.len(), spans.len(), tensors.len()]
    }

    /// Removes what was added since the arrays had these lengths.
    pub(super) fn shorten(&mut self, [value_name, attribute, payload, int, float, span, tensor]: Lengths) {
        let Self { value_names, attributes, payloads, ints, floats, spans, tensors, .. } = self;
        value_names.truncate(value_name);
        attributes.truncate(attribute);
        payloads.truncate(payload);
        ints.truncate(int);
        floats.truncate(float);
        spans.truncate(span);
        tensors.truncate(tensor);
    }
}

/// Moves what is on top of a stack to the end of an array.
pub(super) fn moved<T>(stack: &mut Vec<T>, base: usize, to: &mut Vec<T>) -> Result<Slice, DecodeError> {
    let len = stack.len() - base;
    if base == 0 && to.is_empty() {
        // The nodes of most models are moved once, and are the most that there is to move.
        std::mem::swap(stack, to);
    } else {
        to.extend(stack.drain(base..));
    }
    Ok(Slice::last(len, to.len()).ok_or(Refusal::OverBudget)?)
}

/// The index of the next entry of an array.
pub(super) fn next<T>(array: &[T]) -> Result<u32, DecodeError> {
    Ok(u32::try_from(array.len()).map_err(|_| Refusal::OverBudget)?)
}

/// Adds a message without a name to an array.
pub(super) fn keep<T: Message>(array: &mut Vec<Lazy<T>>, span: Span) -> Result<u32, DecodeError> {
    let index = next(array)?;
    array.push(Lazy::new(Name::EMPTY, span));
    Ok(index)
}
