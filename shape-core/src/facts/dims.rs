//! The dimensions of a tensor.

use core::fmt;

use super::cause::UnknownCause;
use super::copy::copy;

/// The dimensions of a tensor, outermost first, as far as they are known.
pub enum Dims<'a, D = u64> {
    /// Each of them.
    Known(&'a [D]),
    /// As many as the number says, each from the closure: it, or why it is not known.
    Each(usize, &'a dyn Fn(usize) -> Result<D, UnknownCause>),
    /// Not even how many there are, and why.
    Unknown(UnknownCause),
}

impl<D: Clone> Dims<'_, D> {
    /// How many there are.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn rank(&self) -> Result<usize, UnknownCause> {
        match self {
            Self::Known(dims) => Ok(dims.len()),
            Self::Each(rank, _) => Ok(*rank),
            Self::Unknown(because) => Err(*because),
        }
    }

    /// The dimension of an axis below the rank.
    ///
    /// # Errors
    /// Why it is not known; past the rank, an input that there is not.
    pub fn dim(&self, axis: usize) -> Result<D, UnknownCause> {
        match self {
            Self::Known(dims) => dims.get(axis).cloned().ok_or(UnknownCause::NotGiven),
            Self::Each(_, dim) => dim(axis),
            Self::Unknown(because) => Err(*because),
        }
    }
}

impl<D: fmt::Debug> fmt::Debug for Dims<'_, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(dims) => formatter.debug_tuple("Known").field(dims).finish(),
            Self::Each(rank, dim) => formatter.debug_list().entries((0..*rank).map(dim)).finish(),
            Self::Unknown(because) => formatter.debug_tuple("Unknown").field(because).finish(),
        }
    }
}

copy!(Dims);
