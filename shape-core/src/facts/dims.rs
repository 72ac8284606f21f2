//! The dimensions of a tensor.

use core::fmt;

use super::cause::UnknownCause;
use super::copy::copy;

/// The dimensions of a tensor, outermost first, as far as they are known.
pub enum Dims<'a, D = u64> {
    /// Each of them.
    Known(&'a [D]),
    /// The rank, and a closure that returns each dimension, or why it is not known.
    Each(usize, &'a dyn Fn(usize) -> Result<D, UnknownCause>),
    /// Not even the rank is known, and why.
    Unknown(UnknownCause),
}

impl<D: Clone> Dims<'_, D> {
    /// The rank.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn rank(&self) -> Result<usize, UnknownCause> {
        match self {
            Self::Known(dims) => Ok(dims.len()),
            Self::Each(rank, _) => Ok(*rank),
            Self::Unknown(cause) => Err(*cause),
        }
    }

    /// The dimension of an axis below the rank.
    ///
    /// # Errors
    /// Why it is not known; `NotGiven` past the rank.
    pub fn dim(&self, axis: usize) -> Result<D, UnknownCause> {
        match self {
            Self::Known(dims) => dims.get(axis).cloned().ok_or(UnknownCause::NotGiven),
            Self::Each(_, dim) => dim(axis),
            Self::Unknown(cause) => Err(*cause),
        }
    }
}

impl<D: fmt::Debug> fmt::Debug for Dims<'_, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(dims) => formatter.debug_tuple("Known").field(dims).finish(),
            Self::Each(rank, dim) => formatter.debug_list().entries((0..*rank).map(dim)).finish(),
            Self::Unknown(cause) => formatter.debug_tuple("Unknown").field(cause).finish(),
        }
    }
}

copy!(Dims);
