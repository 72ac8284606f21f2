//! The output that a rule writes.

use crate::dimension::Dimension;
use crate::facts::{Dims, EachElement, Implied, Input, MultiplyAdds, Outputs, UnknownCause};

/// The output that a rule writes.
pub struct Output<'o, D: Dimension> {
    outputs: &'o mut dyn Outputs<D>,
    index: usize,
    first: usize,
    count: usize,
    channels_last: bool,
    has_dims: bool,
    has_elements: bool,
}

impl<'o, D: Dimension> Output<'o, D> {
    pub(crate) fn new(outputs: &'o mut dyn Outputs<D>, index: usize, first: usize, count: usize) -> Self {
        Self { outputs, index, first, count, channels_last: false, has_dims: false, has_elements: false }
    }

    /// From here on its dimensions are set with the channels behind the batch, and have them last.
    pub(crate) fn put_channels_last(&mut self) {
        self.channels_last = true;
    }

    /// Its position among the values of a variadic output, and the number of these values.
    #[must_use]
    pub fn part(&self) -> (usize, usize) {
        (self.index.saturating_sub(self.first), self.count.saturating_sub(self.first))
    }

    /// Sets its dimensions.
    pub fn dims(&mut self, dims: Dims<'_, D>) {
        self.has_dims = true;
        match dims.rank() {
            Ok(rank) if self.channels_last => {
                let dim = |axis: usize| dims.dim(behind_batch(axis, rank));
                self.outputs.dims(self.index, Dims::Each(rank, &dim));
            }
            _ => self.outputs.dims(self.index, dims),
        }
    }

    pub(crate) fn has_dims(&self) -> bool {
        self.has_dims
    }

    pub(crate) fn has_elements(&self) -> bool {
        self.has_elements
    }

    /// Sets its dimensions, each of them or why it is not known.
    pub fn each_dim(&mut self, dims: &[Result<D, UnknownCause>]) {
        let dim = |at: usize| dims.get(at).cloned().unwrap_or(Err(UnknownCause::NotGiven));
        self.dims(Dims::Each(dims.len(), &dim));
    }

    /// Sets only its rank: nothing is known of the dimensions.
    pub fn rank(&mut self, rank: usize, cause: UnknownCause) {
        self.dims(Dims::Each(rank, &|_| Err(cause)));
    }

    /// Marks its rank as unknown.
    pub fn unknown(&mut self, cause: UnknownCause) {
        self.dims(Dims::Unknown(cause));
    }

    /// Sets its elements in row-major order: how many, and each of them; or why none is known.
    pub fn elements(&mut self, elements: Result<EachElement<'_, D>, UnknownCause>) {
        self.has_elements = true;
        self.outputs.elements(self.index, elements);
    }

    /// Copies all elements of an input, in their order, of any type.
    pub fn elements_of(&mut self, input: &Input<'_, D>) {
        self.has_elements = true;
        self.outputs.elements_of(self.index, input.index);
    }

    /// Tells how many multiply-adds each of its elements takes. A rule says it first, so that it is said of nodes of which
    /// too little is known, too.
    pub fn multiply_adds_of_each(&mut self, count: &dyn Fn() -> Result<D, UnknownCause>) {
        self.outputs.multiply_adds(self.index, MultiplyAdds::EachElement(count));
    }

    /// Tells how many multiply-adds it takes in all; like [`multiply_adds_of_each`](Self::multiply_adds_of_each).
    pub fn multiply_adds(&mut self, count: &dyn Fn() -> Result<D, UnknownCause>) {
        self.outputs.multiply_adds(self.index, MultiplyAdds::InAll(count));
    }

    /// Tells that two dimensions are equal where the node runs.
    pub fn implies_equal(&mut self, left: &D, right: &D) {
        self.outputs.implies(Implied::Equal(left, right));
    }

    /// Tells that a dimension is not 0 where the node runs.
    pub fn implies_not_zero(&mut self, dim: &D) {
        self.outputs.implies(Implied::NotZero(dim));
    }

    /// All outputs of the node, for a rule that writes them all at once.
    pub fn all(&mut self) -> &mut dyn Outputs<D> {
        self.outputs
    }
}

/// Where the axis of a tensor with the channels last is in one with the channels behind the batch.
const fn behind_batch(axis: usize, rank: usize) -> usize {
    match axis {
        0 => 0,
        last if last + 1 == rank => 1,
        within => within + 1,
    }
}
