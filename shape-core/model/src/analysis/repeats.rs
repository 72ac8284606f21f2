//! Reuses the outputs of an earlier node for a node that must have the same ones.
//!
//! The outputs of a node follow from its operator, its attributes and what is known of its inputs. If all of these are
//! those of an earlier node, which had no finding, then so are the outputs, and nothing is checked or inferred again. A
//! model that repeats a block has each of its nodes checked in the first one only.
//!
//! What is unknown of an output has a reason, which names the value where that begins. A node is kept only if each reason
//! is the same for all nodes that ask the same: if it names neither an output of the node nor an input. There is one
//! exception, since most tensors have it: where no element is known, [`Source`] says whether that begins at the output or
//! at an input.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::file::Node;
use crate::value::{Facts, Shared};
use shape_core::elements::Scalar;
use shape_core::schema::Schema;
use shape_core::symbolic::{Dim, Reason};

/// What a node does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// It is an operator of this version.
    Version(&'static Schema),
    /// It calls a function, by its index.
    Call(usize),
}

impl Operation {
    fn numbers(self) -> (usize, usize) {
        match self {
            Self::Version(schema) => (std::ptr::from_ref(schema).addr(), 0),
            Self::Call(called) => (called, 1),
        }
    }
}

/// What determines the outputs of a node.
pub(super) struct Question<'m> {
    operation: (usize, usize),
    node: Node<'m>,
    numbers: Vec<u64>,
    /// `None` if the attributes of the node cannot be compared.
    hash: Option<u64>,
}

/// The nodes whose outputs can be reused.
#[derive(Default)]
pub(super) struct Repeats<'m> {
    table: HashTable<Answered<'m>>,
    /// The numbers of inputs and outputs, of all nodes.
    numbers: Vec<u64>,
    outputs: Vec<Output>,
    hasher: RandomState,
    /// A list whose memory is reused.
    spare: Vec<u64>,
}

/// A node with its outputs.
struct Answered<'m> {
    hash: u64,
    operation: (usize, usize),
    node: Node<'m>,
    numbers: (u32, u32),
    outputs: (u32, u32),
}

/// Stands for an input that is left out, in place of the number of its facts.
pub(super) const LEFT_OUT: u64 = u64::MAX;

/// Stands for an input that nothing computes.
pub(super) const UNDEFINED: u64 = u64::MAX - 1;

impl<'m> Repeats<'m> {
    /// The outputs of an earlier node with the same question, or else the question, for [`Repeats::keep`]. `inputs` are
    /// the numbers of what is known of the inputs, and that of what is assumed.
    pub(super) fn ask(
        &mut self,
        operation: Operation,
        node: Node<'m>,
        inputs: impl Iterator<Item = u64>,
    ) -> Result<&[Output], Question<'m>> {
        let mut numbers = std::mem::take(&mut self.spare);
        numbers.clear();
        numbers.extend(inputs);
        // An empty name tells that an output is left out.
        numbers.extend(node.outputs().names().iter().map(|name| u64::from(name.is_empty())));
        let operation = operation.numbers();
        let mut state = self.hasher.build_hasher();
        (operation, &numbers).hash(&mut state);
        if !node.attributes().iter().all(|attribute| attribute.hash_content(&mut state)) {
            return Err(Question { operation, node, numbers, hash: None });
        }
        let hash = state.finish();
        let found = self.table.find(hash, |answered| {
            answered.hash == hash
                && answered.operation == operation
                && part(&self.numbers, answered.numbers) == numbers
                && same_node(answered.node, node)
        });
        match found {
            Some(found) => {
                self.spare = numbers;
                Ok(part(&self.outputs, found.outputs))
            }
            None => Err(Question { operation, node, numbers, hash: Some(hash) }),
        }
    }

    /// Forgets all nodes.
    pub(super) fn forget(&mut self) {
        self.table.clear();
        self.numbers.clear();
        self.outputs.clear();
    }

    /// Stores the outputs of a question, if it alone determines them; `first` is the index that the first of them gets.
    /// Returns how many bytes that takes.
    pub(super) fn keep<'v>(
        &mut self,
        Question { operation, node, numbers, hash }: Question<'m>,
        inputs: &(impl Iterator<Item = Option<&'v Shared>> + Clone),
        outputs: &[Shared],
        first: u32,
    ) -> usize {
        let outputs: Option<Vec<Output>> =
            outputs.iter().map(|output| Output::from(output, inputs.clone(), first)).collect();
        let kept = hash.zip(outputs).and_then(|(hash, outputs)| {
            let of_numbers = add(&mut self.numbers, &numbers)?;
            let of_outputs = add(&mut self.outputs, &outputs)?;
            let answered = Answered { hash, operation, node, numbers: of_numbers, outputs: of_outputs };
            self.table.insert_unique(hash, answered, |answered| answered.hash);
            Some(size_of::<Answered<'_>>() + size_of_val(&*numbers) + size_of_val(&*outputs))
        });
        self.spare = numbers;
        kept.unwrap_or(0)
    }
}

/// The value from which on no element of an output is known.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The output itself, or none: its elements are known.
    Output,
    /// The value from which on no element of this input is known.
    Input(usize),
}

/// An output of a node.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) facts: Arc<Facts>,
    source: Source,
}

impl Output {
    /// `None` if it does not follow from the facts of the inputs alone.
    fn from<'v>(
        Shared { facts, elements_from }: &Shared,
        inputs: impl Iterator<Item = Option<&'v Shared>> + Clone,
        first: u32,
    ) -> Option<Self> {
        let without = inputs.enumerate().filter_map(|(index, input)| Some((index, input?)));
        let without = without.filter(|(_, input)| input.facts.elements.is_err());
        let of_node = |value: u32| value >= first || without.clone().any(|(_, input)| input.elements_from == value);
        if names(facts, of_node) {
            return None;
        }
        let source = match &facts.elements {
            Err(reason) if *elements_from != Reason::HERE => {
                let same = |input: &Shared| {
                    input.elements_from == *elements_from && input.facts.elements.as_ref().is_err_and(|of| of == reason)
                };
                let mut sources = without.filter(|(_, input)| same(input)).map(|(index, _)| index);
                let source = Source::Input(sources.next()?);
                // Of several it is not known which.
                sources.next().is_none().then_some(source)?
            }
            _ => Source::Output,
        };
        Some(Self { facts: Arc::clone(facts), source })
    }

    /// The same output for another node; `elements_from` returns the value from which on an input's elements are
    /// unknown.
    pub(super) fn of(&self, elements_from: impl Fn(usize) -> Option<u32>) -> Shared {
        let from = match self.source {
            Source::Output => None,
            Source::Input(input) => elements_from(input),
        };
        Shared { facts: Arc::clone(&self.facts), elements_from: from.unwrap_or(Reason::HERE) }
    }
}

/// Appends entries; returns their place, or nothing if there are more than a model can have.
fn add<T: Clone>(all: &mut Vec<T>, entries: &[T]) -> Option<(u32, u32)> {
    let start = u32::try_from(all.len()).ok()?;
    let end = u32::try_from(all.len() + entries.len()).ok()?;
    all.extend_from_slice(entries);
    Some((start, end))
}

fn part<T>(all: &[T], (start, end): (u32, u32)) -> &[T] {
    all.get(start as usize..end as usize).unwrap_or_default()
}

/// Whether two nodes with the same numbers have as many inputs, and attributes that say the same.
fn same_node(left: Node<'_>, right: Node<'_>) -> bool {
    let (attributes, others) = (left.attributes(), right.attributes());
    left.inputs().len() == right.inputs().len()
        && attributes.len() == others.len()
        && attributes.iter().zip(others).all(|(attribute, other)| attribute.same_content(other))
}

/// Whether a reason among facts names such a value.
pub(super) fn names(Facts { ty, dims, elements, .. }: &Facts, value: impl Fn(u32) -> bool) -> bool {
    let of = |reason: &Reason| value(reason.value);
    let of_dim = |dim: &Dim| matches!(dim, Dim::Unknown(reason) if of(reason));
    let of_element = |element: &Scalar<Dim>| match element {
        Scalar::Unknown(reason) => of(reason),
        element => element.dim().is_some_and(of_dim),
    };
    ty.as_ref().is_err_and(of)
        || dims.as_ref().map_or_else(of, |dims| dims.iter().any(of_dim))
        || elements.as_ref().is_ok_and(|elements| elements.iter().any(of_element))
}
