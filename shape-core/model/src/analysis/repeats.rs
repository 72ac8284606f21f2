//! Nodes that say what an earlier node said.
//!
//! The outputs of a node follow from its operator, its attributes and what is known of its inputs. If all of these are
//! those of an earlier node, which had no finding, then so are the outputs, and nothing is checked or inferred again. A
//! model that repeats a block has each of its nodes checked in the first one only.
//!
//! An output may be unknown for a reason that names the output itself. Such outputs are not kept: the reason is another
//! one at each node.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::file::Node;
use crate::value::Facts;
use shape_core::elements::Scalar;
use shape_core::schema::Schema;
use shape_core::symbolic::{Dim, Reason};

/// What a node does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// It is an operator of this version.
    Version(&'static Schema),
    /// It calls a function, by its index, from where these imports are in force.
    Call {
        /// The function.
        called: usize,
        /// Whose imports are in force.
        importer: usize,
    },
}

impl Operation {
    fn numbers(self) -> (usize, usize) {
        match self {
            Self::Version(schema) => (std::ptr::from_ref(schema).addr(), usize::MAX),
            Self::Call { called, importer } => (called, importer),
        }
    }
}

/// What the outputs of a node follow from.
pub(super) struct Question<'m> {
    operation: (usize, usize),
    node: Node<'m>,
    numbers: Vec<u32>,
    /// `None` if the attributes of the node cannot be compared.
    hash: Option<u64>,
}

/// The nodes that were asked about.
#[derive(Default)]
pub(super) struct Repeats<'m> {
    table: HashTable<Answered<'m>>,
    /// The numbers of inputs and outputs, of all nodes.
    numbers: Vec<u32>,
    outputs: Vec<Arc<Facts>>,
    hasher: RandomState,
    /// A list whose memory is reused.
    spare: Vec<u32>,
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
pub(super) const LEFT_OUT: u32 = u32::MAX;

/// Stands for an input that nothing computes.
pub(super) const UNDEFINED: u32 = u32::MAX - 1;

impl<'m> Repeats<'m> {
    /// The outputs of an earlier node that says the same, or else the question, which [`Repeats::answer`] takes. `inputs` are
    /// the numbers of what is known of the inputs.
    pub(super) fn ask(
        &mut self,
        operation: Operation,
        node: Node<'m>,
        inputs: impl Iterator<Item = u32>,
    ) -> Result<&[Arc<Facts>], Question<'m>> {
        let mut numbers = std::mem::take(&mut self.spare);
        numbers.clear();
        numbers.extend(inputs);
        // An empty name tells that an output is left out.
        numbers.extend(node.outputs().names().iter().map(|name| u32::from(name.is_empty())));
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

    /// Keeps the outputs of a question, if there are any to keep. Returns how many bytes that takes.
    pub(super) fn answer(&mut self, question: Question<'m>, outputs: Option<&[Arc<Facts>]>) -> usize {
        let Question { operation, node, numbers, hash } = question;
        let taken = hash.zip(outputs).and_then(|(hash, outputs)| {
            let of_numbers = add(&mut self.numbers, &numbers)?;
            let of_outputs = add(&mut self.outputs, outputs)?;
            let answered = Answered { hash, operation, node, numbers: of_numbers, outputs: of_outputs };
            self.table.insert_unique(hash, answered, |answered| answered.hash);
            Some(size_of::<Answered<'_>>() + size_of_val(&*numbers) + size_of_val(outputs))
        });
        self.spare = numbers;
        taken.unwrap_or(0)
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

/// Whether facts are unknown for a reason that names the value with this index, or a later one.
pub(super) fn names_itself(Facts { ty, dims, elements, .. }: &Facts, first: u32) -> bool {
    let names = |reason: &Reason| reason.value >= first;
    let names_another = |reason: &Reason| reason.value != Reason::HERE && names(reason);
    let of_dim = |dim: &Dim| matches!(dim, Dim::Unknown(reason) if names(reason));
    let of_element = |element: &Scalar<Dim>| match element {
        Scalar::Size(dim) | Scalar::Expression(dim) => of_dim(dim),
        Scalar::Unknown(reason) => names(reason),
        Scalar::Int(_) | Scalar::Bool(_) | Scalar::Float(_) => false,
    };
    ty.as_ref().is_err_and(names)
        || dims.as_ref().map_or_else(names, |dims| dims.iter().any(of_dim))
        || elements.as_ref().map_or_else(names_another, |elements| elements.iter().any(of_element))
}
