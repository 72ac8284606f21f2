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
    /// Its dimensions; `None` if not even its rank is known.
    pub dims: Option<&'a [D]>,
    /// Its elements, if it is a tensor and they are known before the model runs.
    pub elements: Option<Elements<'a, D>>,
}

impl<D: Dimension> Default for Fact<'_, D> {
    fn default() -> Self {
        Self { ty: None, dims: None, elements: None }
    }
}

/// An input of a node, with its index.
#[derive(Debug)]
pub struct Input<'a, D: Dimension = u64> {
    /// Its index, from 0.
    pub index: usize,
    /// What is known of it.
    pub fact: Fact<'a, D>,
}

impl<D: Dimension> Default for Input<'_, D> {
    fn default() -> Self {
        Self { index: 0, fact: Fact::default() }
    }
}

/// The inputs of a node in their order; `None` for one that is absent.
#[derive(Debug)]
pub struct Inputs<'a, D: Dimension = u64>(pub &'a [Option<Fact<'a, D>>]);

impl<'a, D: Dimension> Inputs<'a, D> {
    /// A required input, by its index.
    ///
    /// If it is absent, nothing is known of it here; the node's check reports it.
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
