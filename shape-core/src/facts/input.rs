//! What is known of the inputs of a node.

use super::cause::UnknownCause;
use super::copy::copy;
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::Elements;
use crate::types::Type;

/// What is known of an input of a node.
#[derive(Debug)]
pub struct Fact<'a, D: Dimension = u64> {
    /// Its type.
    pub ty: Option<Type>,
    /// Its dimensions; `None` where not even its rank is known.
    pub dims: Option<&'a [D]>,
    /// Its elements, where it is a tensor of int64 and they are known before the model runs.
    pub elements: Option<Elements<'a, D>>,
}

impl<D: Dimension> Default for Fact<'_, D> {
    fn default() -> Self {
        Self { ty: None, dims: None, elements: None }
    }
}

/// An input of a node in its place among the inputs.
#[derive(Debug)]
pub struct Input<'a, D: Dimension = u64> {
    /// Its place, from 0.
    pub index: usize,
    /// What is known of it.
    pub fact: Fact<'a, D>,
}

impl<D: Dimension> Default for Input<'_, D> {
    fn default() -> Self {
        Self { index: 0, fact: Fact::default() }
    }
}

/// The inputs of a node in their order; `None` for one that is not given.
#[derive(Debug)]
pub struct Inputs<'a, D: Dimension = u64>(pub &'a [Option<Fact<'a, D>>]);

impl<'a, D: Dimension> Inputs<'a, D> {
    /// The input at a place, which the node must have.
    ///
    /// One that is absent counts as one of which nothing is known: that it is absent is the checker's to say.
    #[must_use]
    pub fn required(&self, index: usize) -> Input<'a, D> {
        Input { index, fact: self.0.get(index).copied().flatten().unwrap_or_default() }
    }
}

copy!(Fact, Input, Inputs);

impl<'a, D: Dimension> Input<'a, D> {
    /// Its dimensions.
    ///
    /// # Errors
    /// They are not known.
    pub fn dims(&self) -> Result<&'a [D], UnknownCause> {
        self.fact.dims.ok_or(UnknownCause::Dims(self.index))
    }

    /// The size of one of its axes.
    ///
    /// # Errors
    /// It is not known, or there is no such axis.
    pub fn dim(&self, axis: usize) -> Result<D, UnknownCause> {
        self.dims()?.get(axis).cloned().ok_or(UnknownCause::Dims(self.index))
    }

    /// Its elements, each known or not.
    ///
    /// # Errors
    /// Nothing is known of them.
    pub fn elements(&self) -> Result<Elements<'a, D>, UnknownCause> {
        self.fact.elements.ok_or(UnknownCause::Elements(self.index))
    }

    /// The type of its elements, where it is a tensor of a known type.
    #[must_use]
    pub fn element_type(&self) -> Option<DataType> {
        self.fact.ty?.element()
    }
}
