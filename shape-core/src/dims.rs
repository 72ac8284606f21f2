//! Dimensions as the kernels see them.
//!
//! **Architecture Invariant.** A kernel is generic over the dimension, so that the same lines serve numbers and
//! symbols. It reads slices and hands slices on; what keeps them is the caller's.

use core::fmt;

use crate::types::Type;

/// One dimension of a tensor, as a kernel needs it: a number (`u64`), or something that may be one. A number makes one.
pub trait Dimension: Clone + fmt::Debug + From<u64> {
    /// The size in elements, where it is a number.
    fn known(&self) -> Option<u64>;
}

impl Dimension for u64 {
    fn known(&self) -> Option<u64> {
        Some(*self)
    }
}

/// The dimensions of a tensor, outermost first, as far as they are known.
#[derive(Debug, PartialEq, Eq)]
pub enum Dims<'a, D = u64> {
    /// Each of them.
    Known(&'a [D]),
    /// Only how many there are, and why not more.
    Rank(usize, Because),
    /// Not even how many there are, and why.
    Unknown(Because),
}

/// Why something about an output is unknown: something about an input is, and for the same reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Because {
    /// The input to blame, by its place.
    pub input: usize,
}

/// What is known of an input of a node.
#[derive(Debug)]
pub struct Fact<'a, D = u64> {
    /// Its type.
    pub ty: Option<Type>,
    /// Its dimensions; `None` where not even its rank is known.
    pub dims: Option<&'a [D]>,
}

impl<D> Default for Fact<'_, D> {
    fn default() -> Self {
        Self { ty: None, dims: None }
    }
}

/// An input of a node in its place among the inputs.
#[derive(Debug)]
pub struct Input<'a, D = u64> {
    /// Its place, from 0.
    pub index: usize,
    /// What is known of it.
    pub fact: Fact<'a, D>,
}

impl<D> Default for Input<'_, D> {
    fn default() -> Self {
        Self { index: 0, fact: Fact::default() }
    }
}

/// The inputs of a node in their order; `None` for one that is not given.
#[derive(Debug)]
pub struct Inputs<'a, D = u64>(pub &'a [Option<Fact<'a, D>>]);

impl<'a, D> Inputs<'a, D> {
    /// The input at a place, which the node must have.
    ///
    /// One that is absent counts as one of which nothing is known: that it is absent is the checker's to say.
    #[must_use]
    pub fn required(&self, index: usize) -> Input<'a, D> {
        Input { index, fact: self.0.get(index).copied().flatten().unwrap_or_default() }
    }
}

// Derived, these would ask that the dimension be `Copy`, which lies behind a reference in all of them.
macro_rules! copy {
    ($($name:ident),*) => { $(
        impl<D> Clone for $name<'_, D> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<D> Copy for $name<'_, D> {}
    )* };
}
copy!(Dims, Fact, Input, Inputs);

/// Where a kernel leaves what it finds about the outputs of a node.
pub trait Outputs<D> {
    /// The dimensions of an output.
    fn dims(&mut self, output: usize, dims: Dims<'_, D>);

    /// The elements of an output that is a tensor of sizes, in row-major order.
    fn sizes(&mut self, output: usize, sizes: &[D]);
}
